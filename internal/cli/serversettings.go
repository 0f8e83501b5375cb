package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"unicode"
)

// serverSettings is the table [server]; the user's file alone has one.
type serverSettings struct {
	Token     string   `toml:"token"`      // that HTTP requests have to carry
	TokenFile string   `toml:"token_file"` // that holds it
	Hosts     []string `toml:"hosts"`      // names by which the server may be called, beside its own address
	Origins   []string `toml:"origins"`    // of pages that may ask, beside the server's own
}

// serverKeys are the keys of [server].
var serverKeys = []string{"token", "token_file", "hosts", "origins"}

const (
	// minTokenCharacters is what a token needs so as not to be guessed.
	minTokenCharacters = 16
	maxTokenBytes      = 4096
)

// wrongServer finds the first mistake in the table of the server.
func wrongServer(s settings, _ map[string]int) *misplaced {
	table := s.Server
	if table.Token != "" {
		if table.TokenFile != "" {
			return &misplaced{"server.token_file", "leave one of them out", errors.New("there is a token beside it")}
		}
		if err := checkToken(table.Token); err != nil {
			return &misplaced{"server.token", makesToken, err}
		}
	}
	for i, host := range table.Hosts {
		if err := checkHost(host); err != nil {
			return &misplaced{fmt.Sprintf("server.hosts[%d]", i), `a host is a name such as "notes.example.org", or one with a port, "notes.example.org:8443"`, err}
		}
	}
	for i, origin := range table.Origins {
		if err := checkOrigin(origin); err != nil {
			return &misplaced{fmt.Sprintf("server.origins[%d]", i), `an origin is such as "https://notes.example.org"`, err}
		}
	}
	return nil
}

const makesToken = "`openssl rand -hex 32` makes a token"

// checkToken says what is wrong with a token, and nothing of it.
func checkToken(token string) error {
	switch {
	case len([]rune(token)) < minTokenCharacters:
		return fmt.Errorf("the token has fewer than %d characters", minTokenCharacters)
	case len(token) > maxTokenBytes:
		return fmt.Errorf("the token has more than %d bytes", maxTokenBytes)
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > unicode.MaxASCII-1 }):
		return errors.New("the token holds a blank, or what is no plain ASCII")
	}
	return nil
}

// checkHost takes what a header Host can be, in any letter case.
func checkHost(host string) error {
	address, err := url.Parse("http://" + host)
	if err != nil || address.Host != host || address.Hostname() == "" || strings.ContainsAny(host, "*_ ") {
		return errors.New("it is no name of a host")
	}
	return nil
}

// checkOrigin takes an origin as browsers write it.
func checkOrigin(origin string) error {
	address, err := url.Parse(origin)
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || checkHost(address.Host) != nil || origin != address.Scheme+"://"+strings.ToLower(address.Host) {
		return errors.New("it is no origin in lower case, without a path")
	}
	return nil
}

// server tells of what of the vault's table does not count: all of it.
func (o *vaultOverlay) server() {
	for _, key := range []struct {
		name    string
		isGiven bool
	}{
		{"token", o.own.Server.Token != ""},
		{"token_file", o.own.Server.TokenFile != ""},
		{"hosts", o.own.Server.Hosts != nil},
		{"origins", o.own.Server.Origins != nil},
	} {
		if key.isGiven {
			o.ignored("server."+key.name, "who may ask the server is for your own configuration to say")
		}
	}
}

// kindOfServerKey says what a key of [server] takes, "" for a text in quotes.
func kindOfServerKey(key string) string {
	if key == "server.hosts" || key == "server.origins" {
		return `a list of texts, such as ["a", "b"]`
	}
	return ""
}

// serverToken is the token that HTTP requests have to carry, "" for none: that of the environment, or of the user's file.
func (a *app) serverToken(table serverSettings) (string, error) {
	if token := a.io.Env("QUARRY_TOKEN"); token != "" {
		if err := checkToken(token); err != nil {
			return "", usage(makesToken, "QUARRY_TOKEN: %w", err)
		}
		return token, nil
	}
	if table.TokenFile == "" {
		return table.Token, nil
	}
	token, err := readToken(a.absolute(table.TokenFile))
	if err != nil {
		return "", usage(cmp.Or(hintOf(err), makesToken+"; write it into the file that [server] token_file names"), "read the token of the server: %w", err)
	}
	return token, nil
}

func hintOf(err error) string {
	var advised *hinted
	if errors.As(err, &advised) {
		return advised.hint
	}
	return ""
}

// readToken reads a file that holds a token and nothing else.
func readToken(path string) (string, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|unblocked(), 0)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, plain(err))
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s: it is no regular file", path)
	}
	content, err := io.ReadAll(io.LimitReader(file, maxTokenBytes+2))
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, plain(err))
	}
	token := strings.TrimSpace(string(content))
	if err := checkToken(token); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return token, nil
}

// lowerHosts are the hosts of a table as they are compared, those of its origins among them.
func (s serverSettings) lowerHosts() []string {
	var hosts []string
	for _, host := range s.Hosts {
		hosts = append(hosts, strings.ToLower(host))
	}
	return hosts
}

// isLoopbackHost tells of a name, with a port or without, that means this machine alone.
func isLoopbackHost(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	address := net.ParseIP(name)
	return address != nil && address.IsLoopback()
}
