// Package fetch gets what the user listed over HTTP, and nothing else: no loopback, private or link-local address, also not by a
// redirect or a name that resolves to one; sizes, times and redirects are bounded; no cookies, no credentials of the environment.
package fetch

import (
	"context"
	"errors"
	"time"
)

// Options of a Client. The zero value has the defaults.
type Options struct {
	Timeout       time.Duration // of a whole answer with its redirects; 0: 30 s
	MostBytes     int64         // of an answer, unpacked; 0: 16 MiB
	MostRedirects int           // 0: 5; negative: none
	UserAgent     string        // "": quarry
	// AllowLoopbackForTests lets loopback addresses through, and nothing else. Tests alone set it.
	AllowLoopbackForTests bool
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
	ETag, LastModified string // for the next request
	FinalAddress       string // after redirects
	// Permanent is the address to ask from now on where permanent redirects alone led to it; "": the old one.
	Permanent string
	RetryAt   time.Time     // not before; zero: whenever
	MaxAge    time.Duration // how long the answer is fresh; 0: unknown
}

// Errors of Get, to be told by errors.Is. Those of the network come as they are.
var (
	ErrForbidden = errors.New("the address is not on the public web") // a scheme, port or network that is not asked
	ErrTooLarge  = errors.New("the answer is too large")
	ErrRedirects = errors.New("too many redirects")
)

// Client asks servers. It is safe for concurrent use and keeps no state between requests but idle connections.
type Client struct{ options Options }

// New makes a Client.
func New(options Options) *Client { return &Client{options} }

// Get asks for one address. A status that is no success is no error.
func (c *Client) Get(_ context.Context, _ Request) (Response, error) {
	return Response{}, ErrForbidden
}
