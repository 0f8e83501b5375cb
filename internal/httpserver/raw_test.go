package httpserver_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/internal/httpserver"
)

// rawRequests are what no client of net/http would send; HOST is the server's. Each ends its connection.
var rawRequests = []struct {
	name, text string
	statuses   []string
}{
	{"one after the other", "GET /healthz HTTP/1.1\r\nHost: HOST\r\n\r\nGET /api/status HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\nConnection: close\r\n\r\n", []string{"200", "200"}},
	{"a token is good for one", "GET /api/status HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\n\r\nGET /api/status HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", []string{"200", "401"}},
	{"a host is good for one", "GET /healthz HTTP/1.1\r\nHost: HOST\r\n\r\nGET /healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", []string{"200", "403"}},
	{"no host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", []string{"400"}},
	{"no host, before 1.1", "GET /healthz HTTP/1.0\r\n\r\n", []string{"403"}},
	{"two hosts", "GET /healthz HTTP/1.1\r\nHost: evil.example\r\nHost: HOST\r\nConnection: close\r\n\r\n", []string{"400"}},
	{"a whole address", "GET http://evil.example/healthz HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", []string{"403"}},
	{"the server itself", "OPTIONS * HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", []string{"403"}},
	{"asking whether another page may", "OPTIONS /api/status HTTP/1.1\r\nHost: HOST\r\nOrigin: http://evil.example\r\nAccess-Control-Request-Method: GET\r\nConnection: close\r\n\r\n", []string{"403"}},
	{"a tunnel", "CONNECT evil.example:80 HTTP/1.1\r\nHost: evil.example:80\r\nConnection: close\r\n\r\n", []string{"403"}},
	{"two lengths", "POST /mcp HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: HOST\r\n\r\n", []string{"400"}},
	{"a chunk without a length", "POST /mcp HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n", []string{"400"}},
	{"a length that is too long", "POST /mcp HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\nConnection: close\r\nContent-Length: 99999999999\r\n\r\n", []string{"413"}},
	{"two tokens", "GET /api/status HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer x\r\nAuthorization: Bearer TOKEN\r\nConnection: close\r\n\r\n", []string{"401"}},
	{"a token in the address", "GET /api/status?token=TOKEN&access_token=TOKEN HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", []string{"401"}},
	{"many headers", "GET /healthz HTTP/1.1\r\nHost: HOST\r\n" + strings.Repeat("X: y\r\n", 20_000) + "\r\n", []string{"431"}},
}

var statusLine = regexp.MustCompile(`HTTP/1\.[01] (\d+)`)

// TestRaw sends what programs that look for a way in send.
func TestRaw(t *testing.T) {
	token := "correct-horse-" + "battery-staple"
	host := serve(t, httpserver.Handler(fixedEngines{openSample(t)}, httpserver.Options{Token: token}))
	for _, row := range rawRequests {
		connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		if err := connection.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(connection, strings.NewReplacer("HOST", host, "TOKEN", token).Replace(row.text)) // it may be hung up on
		answer, _ := io.ReadAll(connection)
		_ = connection.Close()
		var statuses []string
		for _, found := range statusLine.FindAllSubmatch(answer, -1) {
			statuses = append(statuses, string(found[1]))
		}
		if diff := cmp.Diff(row.statuses, statuses); diff != "" && (row.statuses[0] != "431" || len(answer) > 0) {
			t.Errorf("%s (-want +got):\n%s", row.name, diff)
		}
		if bytes.Contains(answer, []byte(token)) || bytes.Contains(answer, []byte("Access-Control-")) {
			t.Errorf("%s: %s", row.name, answer)
		}
	}
	if answer, _ := call(t, http.MethodGet, "http://"+host+httpserver.HealthPath, ""); answer.StatusCode != http.StatusOK {
		t.Errorf("after all of them: %d", answer.StatusCode)
	}
}
