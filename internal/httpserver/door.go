package httpserver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"quarry/internal/failure"
	"quarry/internal/mcpserver"
)

// door checks each request before anything else sees it.
type door struct {
	options Options
	token   [sha256.Size]byte
	cross   *http.CrossOriginProtection
	rates   *rates
	lines   failure.LogRate
	slots   *slots
	bodies  chan struct{} // one of each body that is more than a small one
	inside  http.Handler
	now     func() time.Time
}

const (
	smallBodyBytes = 64 << 10
	maxLargeBodies = 8
)

func newDoor(options Options, inside http.Handler) *door {
	return &door{
		options: options, token: sha256.Sum256([]byte(options.Token)), cross: http.NewCrossOriginProtection(),
		rates: newRates(), slots: newSlots(), bodies: make(chan struct{}, maxLargeBodies), inside: inside, now: time.Now,
	}
}

func (d *door) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	defer d.recoverFrom(w)
	setHeaders(w.Header())
	if refusal := d.foreign(request); refusal != nil {
		d.refuse(w, request, *refusal)
		return
	}
	if request.URL.Path == HealthPath {
		writeBody(w, http.StatusOK, "text/plain; charset=utf-8", []byte("ok\n"))
		return
	}
	if refusal := d.unwelcome(request); refusal != nil {
		d.refuse(w, request, *refusal)
		return
	}
	releaseBody, refusal := d.takeBody(w, request)
	if refusal != nil {
		d.refuse(w, request, *refusal)
		return
	}
	defer releaseBody()
	turn := &turn{slots: d.slots, ctx: request.Context()}
	if !turn.take() {
		d.refuse(w, request, refusalBusy)
		return
	}
	defer turn.end()
	d.options.Logger.Debug("request", "method", knownMethod(request.Method), "path", knownPath(request.URL.Path))
	d.inside.ServeHTTP(&turnWriter{w, turn}, request.WithContext(mcpserver.WithTurn(request.Context(), turn.pause)))
}

// refusal is an answer of the door.
type refusal struct {
	status  int
	problem problem
	retry   time.Duration // after which it may be tried again, 0 where that is no use
}

var (
	refusalHost = refusal{status: http.StatusForbidden, problem: problem{
		Message: "the server does not answer to this name", Code: "forbidden_host", Suggestion: "use the address that it announced, or name the host under [server] hosts in the user's configuration",
	}}
	refusalOrigin = refusal{status: http.StatusForbidden, problem: problem{
		Message: "pages of this origin may not ask", Code: "forbidden_origin", Suggestion: "name the origin under [server] origins in the user's configuration, if it is yours",
	}}
	refusalToken = refusal{status: http.StatusUnauthorized, problem: problem{
		Message: "a token is needed", Code: "unauthorized", Suggestion: "send the header Authorization: Bearer TOKEN with the token of the server",
	}}
	refusalRate = refusal{status: http.StatusTooManyRequests, retry: time.Second, problem: problem{
		Message: "too many requests from this address", Code: "too_many_requests", Suggestion: "wait a second, then go on more slowly",
	}}
	refusalBusy = refusal{status: http.StatusServiceUnavailable, retry: time.Second, problem: problem{
		Message: "too many requests are under way", Code: "busy", Suggestion: "try again in a second",
	}}
	refusalBody = refusal{status: http.StatusRequestEntityTooLarge, problem: problem{
		Message: fmt.Sprintf("the body has more than %d MB", maxBodyBytes>>20), Code: "too_large", Suggestion: "send less",
	}}
	refusalRead = refusal{status: http.StatusBadRequest, problem: problem{
		Message: "the body could not be read", Code: "bad_request", Suggestion: "send the whole body, in time",
	}}
)

func (d *door) refuse(w http.ResponseWriter, request *http.Request, why refusal) {
	if ok, missed := d.lines.Allow(d.now()); ok {
		d.options.Logger.Info("refused", "status", why.status, "code", why.problem.Code, "path", knownPath(request.URL.Path), "untold", missed)
	}
	if why.retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(why.retry/time.Second)))
	}
	if why.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="quarry"`)
	}
	fail(w, why.status, why.problem)
}

// setHeaders keeps browsers from making more of an answer than it is, and from keeping it.
func setHeaders(h http.Header) {
	for name, value := range map[string]string{
		"X-Content-Type-Options":       "nosniff",
		"X-Frame-Options":              "DENY",
		"Referrer-Policy":              "no-referrer",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Content-Security-Policy":      "default-src 'none'; frame-ancestors 'none'",
		"Cache-Control":                "no-store",
	} {
		h.Set(name, value)
	}
}

// foreign tells why a request is none of a program or page that may ask: it came by a name that is not the server's, as after DNS
// rebinding, or from a page of somebody else.
func (d *door) foreign(request *http.Request) *refusal {
	if !d.isOwnHost(request) {
		return &refusalHost
	}
	origins := request.Header.Values("Origin")
	switch {
	case len(origins) > 1, len(origins) == 1 && !d.isOwnOrigin(request, origins[0]):
		return &refusalOrigin
	case len(origins) == 1:
		return nil
	case d.cross.Check(request) != nil, isReadAcross(request):
		return &refusalOrigin
	}
	return nil
}

// isReadAcross tells of a page elsewhere that loads what it could not read, but whose size or time would tell it something. The
// page itself may be linked to.
func isReadAcross(request *http.Request) bool {
	site := request.Header.Get("Sec-Fetch-Site")
	return request.URL.Path != "/" && site != "" && site != "same-origin" && site != "none"
}

// loopbackNames are those by which a loopback interface is called.
var loopbackNames = []string{"localhost", "127.0.0.1", "[::1]"}

// isOwnHost tells whether the Host of a request is a name of the server: the address that it came in at, on the loopback interface
// the other names of that, too, or one of the configuration.
func (d *door) isOwnHost(request *http.Request) bool {
	host := strings.ToLower(request.Host)
	name, _ := splitPort(host)
	if name == "" {
		return false
	}
	if slices.Contains(d.options.Hosts, host) || slices.Contains(d.options.Hosts, name) {
		return true
	}
	local, ok := localAddress(request.Context())
	if !ok {
		return false
	}
	if local.IsLoopback() && slices.Contains(loopbackNames, name) {
		return true
	}
	called, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(name, "["), "]"))
	return err == nil && called.Unmap().WithZone("") == local
}

// splitPort parts a host into its name and its port, "" where there is none. The name is "" where it is no host.
func splitPort(host string) (name, port string) {
	name = host
	if at := strings.LastIndexByte(host, ':'); at >= 0 && !strings.HasSuffix(host, "]") {
		name, port = host[:at], host[at+1:]
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return "", ""
		}
	}
	isBracketed := strings.HasPrefix(name, "[") && strings.HasSuffix(name, "]")
	if strings.Contains(name, ":") && !isBracketed {
		return "", ""
	}
	return name, port
}

func localAddress(ctx context.Context) (netip.Addr, bool) {
	address, ok := ctx.Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok {
		return netip.Addr{}, false
	}
	return address.AddrPort().Addr().Unmap().WithZone(""), true
}

// isOwnOrigin tells of the origin of a page that this server gave out, by whichever of its names, or of one of the configuration.
func (d *door) isOwnOrigin(request *http.Request, origin string) bool {
	if slices.Contains(d.options.Origins, origin) {
		return true
	}
	host := strings.ToLower(request.Host)
	if origin == "http://"+host {
		return true
	}
	name, port := splitPort(host)
	if port != "" {
		port = ":" + port
	}
	return slices.Contains(loopbackNames, name) &&
		slices.ContainsFunc(loopbackNames, func(other string) bool { return origin == "http://"+other+port })
}

// guessCost is how many requests one with a wrong token counts as.
const guessCost = 20

// unwelcome tells why a request of nobody foreign is refused: its address asks too often, or it has not the token. A token is only
// answered for where the address could pay for a wrong one, so that the answer tells nothing of guesses that are too many.
func (d *door) unwelcome(request *http.Request) *refusal {
	given := request.Header.Get("Authorization")
	isRight := d.options.Token == "" || isPublic(request) || d.isToken(given)
	cost, reserve := 1, 1
	if d.options.Token != "" && given != "" {
		reserve = guessCost
		if !isRight {
			cost = guessCost
		}
	}
	switch {
	case !d.rates.allow(remoteAddress(request), d.now(), cost, reserve):
		return &refusalRate
	case !isRight:
		return &refusalToken
	}
	return nil
}

// isPublic tells of what holds nothing of the notes: the page, which asks for the token, and the description of the API.
func isPublic(request *http.Request) bool {
	return request.URL.Path == "/" || request.URL.Path == openAPIPath
}

// isToken compares in a time that does not depend on what is alike.
func (d *door) isToken(authorization string) bool {
	scheme, given, _ := strings.Cut(authorization, " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(given)))
	isSame := subtle.ConstantTimeCompare(sum[:], d.token[:]) == 1
	return isSame && strings.EqualFold(scheme, "Bearer")
}

func remoteAddress(request *http.Request) netip.Addr {
	address, err := netip.ParseAddrPort(request.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return address.Addr().Unmap().WithZone("")
}

// takeBody reads the body, so that whoever sends slowly keeps no one else from being answered. Of large ones a few are held at a
// time.
func (d *door) takeBody(w http.ResponseWriter, request *http.Request) (release func(), why *refusal) {
	release = func() {}
	if request.ContentLength > maxBodyBytes {
		return release, &refusalBody
	}
	if request.ContentLength == 0 || request.Body == nil {
		return release, nil
	}
	body := http.MaxBytesReader(w, request.Body, maxBodyBytes)
	read, err := io.ReadAll(io.LimitReader(body, smallBodyBytes))
	if err == nil && len(read) == smallBodyBytes {
		select {
		case d.bodies <- struct{}{}:
			release = func() { <-d.bodies }
		case <-request.Context().Done():
			return release, &refusalBusy
		}
		var rest []byte
		rest, err = io.ReadAll(body)
		read = append(read, rest...)
	}
	request.Body = io.NopCloser(bytes.NewReader(read))
	if err == nil {
		return release, nil
	}
	release()
	if errors.As(err, new(*http.MaxBytesError)) {
		return func() {}, &refusalBody
	}
	return func() {}, &refusalRead
}

// recoverFrom keeps a fault in one request from being more, and tells where it was, but nothing of what was asked.
func (d *door) recoverFrom(w http.ResponseWriter) {
	fault := recover()
	if fault == nil {
		return
	}
	if fault == http.ErrAbortHandler { //nolint:errorlint // it is that value, as net/http has it
		panic(fault) //nolint:forbidigo // which net/http wants to see
	}
	if ok, missed := d.lines.Allow(d.now()); ok {
		d.options.Logger.Error("a request broke", "kind", fmt.Sprintf("%T", fault), "stack", string(debug.Stack()), "untold", missed)
	}
	fail(w, http.StatusInternalServerError, problem{Message: "the question could not be answered", Code: "internal", Suggestion: "tell whoever runs the server: its log says where it broke"})
}

// knownPath is a path as a log may have it: what somebody made up is not repeated.
func knownPath(path string) string {
	if _, ok := endpoints[path]; ok || path == MCPPath || path == "/" || path == openAPIPath {
		return path
	}
	return "other"
}

func knownMethod(method string) string {
	if slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodPost}, method) {
		return method
	}
	return "other"
}
