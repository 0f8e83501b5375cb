package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"testing"
)

// names is a name server that answers otherwise each time.
type names struct {
	answers [][]string
	asked   int
}

func (n *names) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	var found []netip.Addr
	for _, text := range n.answers[min(n.asked, len(n.answers)-1)] {
		found = append(found, netip.MustParseAddr(text))
	}
	n.asked++
	return found, nil
}

var errDialed = errors.New("dialed")

// TestDialsWhatWasChecked holds the dialer to the address that it checked: a name is asked once, and no name is dialed.
func TestDialsWhatWasChecked(t *testing.T) {
	for name, test := range map[string]struct {
		answers [][]string
		dialed  []string
		isOpen  bool
	}{
		"rebinding":            {[][]string{{"93.184.215.14"}, {"127.0.0.1"}}, []string{"93.184.215.14:80"}, true},
		"closed":               {[][]string{{"10.0.0.7"}}, nil, false},
		"one of two is closed": {[][]string{{"93.184.215.14", "169.254.169.254"}}, nil, false},
		"mapped and public":    {[][]string{{"::ffff:93.184.215.14"}}, []string{"93.184.215.14:80"}, true},
		"mapped and closed":    {[][]string{{"::ffff:10.0.0.1"}}, nil, false},
		"IPv6":                 {[][]string{{"2606:2800:21f::1", "93.184.215.14"}}, []string{"[2606:2800:21f::1]:80", "93.184.215.14:80"}, true},
		"translated":           {[][]string{{"64:ff9b::0a00:1"}}, nil, false},
		"none":                 {[][]string{{}}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			var dialed []string
			found := &names{answers: test.answers}
			d := &dialer{resolver: found, dial: func(_ context.Context, _, address string) (net.Conn, error) {
				dialed = append(dialed, address)
				return nil, errDialed
			}}
			_, err := d.dialContext(t.Context(), "tcp", "feeds.example.com:80")
			if isOpen := errors.Is(err, errDialed); isOpen != test.isOpen || !isOpen && !errors.Is(err, ErrForbidden) {
				t.Error(err)
			}
			if len(dialed) != len(test.dialed) || found.asked != 1 {
				t.Errorf("dialed %v after %d questions", dialed, found.asked)
			}
			for i, address := range dialed {
				if address != test.dialed[i] {
					t.Errorf("dialed %s, want %s", address, test.dialed[i])
				}
			}
		})
	}
}

func TestOpenNetworks(t *testing.T) {
	for text, isOpen := range map[string]bool{
		"8.8.8.8": true, "1.1.1.1": true, "172.15.255.255": true, "172.32.0.1": true, "100.63.255.255": true, "100.128.0.1": true, "223.255.255.255": true, "192.167.1.1": true,
		"2001:4860:4860::8888": true, "2606:4700::1111": true, "2a00:1450::1": true,
		"126.255.255.255": true, "128.0.0.1": true, "169.253.1.1": true, "169.254.0.0": false, "127.255.255.255": false, "fdff::1": false, "2001:1ff::1": false, "2003::1": true, "3fff::1": false,
	} {
		if err := checkIP(netip.MustParseAddr(text), false); (err == nil) != isOpen {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"127.0.0.1", "::1", "127.9.9.9"} {
		if err := checkIP(netip.MustParseAddr(text), true); err != nil {
			t.Error(err)
		}
	}
	if err := checkIP(netip.MustParseAddr("10.0.0.1"), true); err == nil {
		t.Error("the test's option opens more than loopback")
	}
}

func TestRedirectKeepsItsGuard(t *testing.T) {
	for _, test := range []struct {
		from, to string
		isOpen   bool
	}{
		{"https://a.example/", "http://a.example/", false},
		{"https://a.example/", "//b.example/", true},
		{"http://a.example/", "https://a.example/x", true},
		{"https://a.example/x/", "../y", true},
		{"http://a.example/", "http://a.example:22/", false},
		{"http://a.example/", "http://u:p@a.example/", false},
		{"http://a.example/", "http://a.internal/", false},
		{"https://a.example/", "ws://a.example/", false},
	} {
		from, err := url.Parse(test.from)
		if err != nil {
			t.Fatal(err)
		}
		next, _, err := redirect(&http.Response{StatusCode: 302, Header: http.Header{"Location": {test.to}}}, from)
		if (err == nil) != test.isOpen || err == nil && next == nil {
			t.Errorf("%s to %s: %v, %v", test.from, test.to, next, err)
		}
	}
}

// TestTransport holds what no server could tell: the library reads the environment's proxy once for a process.
func TestTransport(t *testing.T) {
	made := newTransport(Options{})
	if made.Proxy != nil || made.TLSClientConfig.InsecureSkipVerify || made.TLSClientConfig.MinVersion < tls.VersionTLS12 || !made.DisableCompression || made.ResponseHeaderTimeout == 0 {
		t.Errorf("%+v", made)
	}
}
