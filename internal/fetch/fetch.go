// Package fetch gets what the user listed over HTTP, and nothing else: no loopback, private or link-local address, also not by a
// redirect or a name that resolves to one; sizes, times and redirects are bounded; no cookies, no credentials of the environment.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Options of a Client. The zero value has the defaults.
type Options struct {
	Timeout       time.Duration // of a whole answer with its redirects; 0: 30 s
	MostBytes     int64         // of an answer, unpacked; 0: 16 MiB
	MostRedirects int           // 0: 5; negative: none
	UserAgent     string        // "": quarry
	// AllowLoopbackForTests lets loopback addresses through, on any port but the listed ones, and nothing else. Tests alone set it.
	AllowLoopbackForTests bool
	// Now is the clock that Retry-After and Expires are told by; nil: time.Now.
	Now func() time.Time
}

// Request is what is asked for.
type Request struct {
	Address            string // http or https
	ETag, LastModified string // as the last answer gave them; "": unconditional
	MostBytes          int64  // of this answer; 0: as in Options
}

// Response is an answer of any status. Content is there with 200 alone.
type Response struct {
	Status             int
	Content            []byte // unpacked
	ContentType        string // as the server named it
	ETag, LastModified string // for the next request; with 304 those of the request, unless the answer brings new ones
	FinalAddress       string // after redirects
	// Permanent is the address to ask from now on where permanent redirects alone led to it; "": the old one.
	Permanent string
	Gone      bool          // 410: never ask again
	RetryAt   time.Time     // not before, UTC, at most a week from now; zero: whenever
	MaxAge    time.Duration // how long the answer is fresh, at most a week; 0: unknown
}

// Errors of Get, to be told by errors.Is. Those of the network come as they are.
var (
	ErrForbidden = errors.New("the address is not of the public web") // a scheme, port, name or network that is not asked
	ErrTooLarge  = errors.New("the answer is too large")
	ErrRedirects = errors.New("too many redirects")
	ErrTimeout   = errors.New("the answer takes too long")
)

// Defaults and bounds.
const (
	defaultTimeout   = 30 * time.Second
	defaultBytes     = 16 << 20
	defaultRedirects = 5
	maxAddressBytes  = 8 << 10
	maxHeaderBytes   = 64 << 10
	maxValidator     = 1 << 10 // bytes of an ETag or a date
	maxWait          = 7 * 24 * time.Hour
)

// Client asks servers. It is safe for concurrent use and keeps no state between requests but idle connections.
type Client struct {
	options   Options
	transport http.RoundTripper
}

// New makes a Client.
func New(options Options) *Client {
	if options.Timeout <= 0 {
		options.Timeout = defaultTimeout
	}
	if options.MostBytes <= 0 {
		options.MostBytes = defaultBytes
	}
	switch {
	case options.MostRedirects == 0:
		options.MostRedirects = defaultRedirects
	case options.MostRedirects < 0:
		options.MostRedirects = 0
	}
	if options.UserAgent == "" {
		options.UserAgent = "quarry"
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	return &Client{options: options, transport: newTransport(options)}
}

// Get asks for one address and follows its redirects. A status that is no success is no error. Errors match one of those above, or are
// of the network, and name the address without its query, which may hold a secret.
func (c *Client) Get(ctx context.Context, request Request) (Response, error) {
	limited, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	response, err := c.follow(limited, request)
	if err == nil {
		return response, nil
	}
	if limited.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: more than %v", ErrTimeout, c.options.Timeout)
	}
	return Response{}, fmt.Errorf("fetch %s: %w", Shown(request.Address), withoutAddress(err))
}

func (c *Client) follow(ctx context.Context, request Request) (Response, error) {
	at, err := check(request.Address)
	if err != nil {
		return Response{}, err
	}
	isPermanent, permanent := true, ""
	for hops := 0; ; hops++ {
		answer, err := c.ask(ctx, at, request)
		if err != nil {
			return Response{}, err
		}
		next, isLasting, err := redirect(answer, at)
		if err != nil || next == nil {
			return c.finish(answer, at, request, permanent, err)
		}
		_ = answer.Body.Close() // nothing of it is read
		if hops >= c.options.MostRedirects {
			return Response{}, fmt.Errorf("%w: more than %d", ErrRedirects, c.options.MostRedirects)
		}
		at = next
		if isPermanent = isPermanent && isLasting; isPermanent {
			permanent = at.String()
		}
	}
}

// ask sends one request, without following where the answer leads.
func (c *Client) ask(ctx context.Context, at *url.URL, request Request) (*http.Response, error) {
	asked, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, err
	}
	asked.Header.Set("User-Agent", c.options.UserAgent)
	asked.Header.Set("Accept-Encoding", "gzip")
	asked.Header.Set("Accept", "application/feed+json, application/atom+xml, application/rss+xml, application/rdf+xml, application/xml;q=0.9, text/html;q=0.8, */*;q=0.5")
	if isValidator(request.ETag) {
		asked.Header.Set("If-None-Match", request.ETag)
	}
	if isValidator(request.LastModified) {
		asked.Header.Set("If-Modified-Since", request.LastModified)
	}
	return c.transport.RoundTrip(asked)
}

// redirect is where an answer leads, nil where it leads nowhere, and whether for good. It may not lead from https to http.
func redirect(answer *http.Response, from *url.URL) (next *url.URL, isLasting bool, _ error) {
	switch answer.StatusCode {
	case http.StatusMovedPermanently, http.StatusPermanentRedirect:
		isLasting = true
	case http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect:
	default:
		return nil, false, nil
	}
	location := answer.Header.Get("Location")
	if location == "" {
		return nil, false, nil
	}
	target, err := from.Parse(location)
	if err != nil {
		return nil, false, fmt.Errorf("%w: a redirect to no address", ErrForbidden)
	}
	if from.Scheme == "https" && !strings.EqualFold(target.Scheme, "https") {
		return nil, false, fmt.Errorf("%w: a redirect from https to %s", ErrForbidden, target.Scheme)
	}
	next, err = check(target.String())
	return next, isLasting, err
}

// finish reads an answer that leads nowhere.
func (c *Client) finish(answer *http.Response, at *url.URL, request Request, permanent string, fault error) (Response, error) {
	defer func() { _ = answer.Body.Close() }() // what is not read is dropped
	if fault != nil {
		return Response{}, fault
	}
	response := Response{
		Status: answer.StatusCode, FinalAddress: at.String(), ContentType: answer.Header.Get("Content-Type"), Gone: answer.StatusCode == http.StatusGone,
		ETag: validator(answer, "ETag"), LastModified: validator(answer, "Last-Modified"),
		RetryAt: retryAt(answer, c.options.Now()), MaxAge: maxAge(answer, c.options.Now()),
	}
	if answer.StatusCode == http.StatusOK || answer.StatusCode == http.StatusNotModified { // a move to nowhere is none
		response.Permanent = permanent
	}
	switch answer.StatusCode {
	case http.StatusNotModified:
		if response.ETag == "" {
			response.ETag = request.ETag
		}
		if response.LastModified == "" {
			response.LastModified = request.LastModified
		}
	case http.StatusOK:
		most := c.options.MostBytes
		if request.MostBytes > 0 {
			most = min(most, request.MostBytes)
		}
		content, err := readBody(answer, most)
		if err != nil {
			return Response{}, err
		}
		response.Content = content
	}
	return response, nil
}

// withoutAddress is an error without the address that the library puts before it.
func withoutAddress(err error) error {
	var inner *url.Error
	if errors.As(err, &inner) {
		return inner.Err
	}
	return err
}

// Shown is an address as it may be shown: without name, password and query.
func Shown(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || len(address) > maxAddressBytes {
		return "an address that is not understood"
	}
	parsed.User, parsed.RawQuery, parsed.Fragment = nil, "", ""
	return parsed.String()
}
