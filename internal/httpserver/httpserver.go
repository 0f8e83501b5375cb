// Package httpserver serves the notes over HTTP: MCP, an API, and a page for people, behind one door that checks who asks.
package httpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"time"

	"quarry/internal/mcpserver"
)

// MCPPath is where MCP is spoken, by POST.
const MCPPath = "/mcp"

// HealthPath answers probes with "ok", without a token.
const HealthPath = "/healthz"

const apiPath = "/api/"

// Limits of one request.
const (
	maxBodyBytes   = 4 << 20
	maxHeaderBytes = 64 << 10 // the request line, with its query, among them

	headerTimeout = 5 * time.Second // from the first byte to the end of the headers
	readTimeout   = 30 * time.Second
	writeTimeout  = 2 * time.Minute // from the end of the headers to the end of the answer
	idleTimeout   = time.Minute

	stopTimeout = 3 * time.Second // what is under way gets so long when the server stops
)

// Options say who may ask for what. The zero value lets anybody ask who calls the server by the address that the request came in at, or
// by another name of the loopback interface if it came in there: on an address that other machines reach it needs a Token.
type Options struct {
	Version string // of the program, which clients are told; may be ""
	// Token has to be carried by a request as `Authorization: Bearer`; "": none is asked for. The page, the description of the API and
	// /healthz, which hold nothing of the notes, are given out without.
	Token string
	// Hosts are names, in lower case, by which the server may be called beside its own address: "notes.example.org", with ":port"
	// where that one alone counts.
	Hosts []string
	// Origins are those of pages that may ask beside the server's own: "https://notes.example.org".
	Origins []string
	MCPOnly bool         // neither API nor page
	Logger  *slog.Logger // nil discards. No query, no note's text or name, and no token is logged
}

// Handler answers what comes through the door: MCP at POST /mcp, the API below /api/, the page at /, and /healthz for probes. It is
// safe for concurrent use. Engines answer as to a client.
func Handler(engines mcpserver.Engines, options Options) http.Handler {
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	r := &router{mcp: mcpserver.Handler(loggedEngines{engines, options.Logger}, options.Version)}
	if !options.MCPOnly {
		r.api = &api{engines: engines, logger: options.Logger}
	}
	return newDoor(options, r)
}

// loggedEngines have a log, for what MCP could not answer.
type loggedEngines struct {
	mcpserver.Engines
	logger *slog.Logger
}

// Logger is the log of the server.
func (e loggedEngines) Logger() *slog.Logger { return e.logger }

// router sends what came in to who answers it.
type router struct {
	mcp http.Handler
	api *api // nil: MCP alone
}

func (r *router) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	endpoint, isEndpoint := endpoints[request.URL.Path]
	switch path := request.URL.Path; {
	case path == MCPPath && request.Method != http.MethodPost:
		refuseMethod(w, http.MethodPost)
	case path == MCPPath:
		r.mcp.ServeHTTP(w, request)
	case r.api == nil:
		fail(w, http.StatusNotFound, problem{Message: "there is nothing here", Code: "not_found", Suggestion: "MCP is at POST " + MCPPath})
	case request.Method != http.MethodGet && request.Method != http.MethodHead && (isEndpoint || path == "/" || path == openAPIPath):
		refuseMethod(w, "GET, HEAD")
	case isEndpoint:
		r.api.serve(w, request, endpoint)
	case path == openAPIPath:
		writeBody(w, http.StatusOK, "application/json", openAPI)
	case path == "/":
		servePage(w)
	default:
		fail(w, http.StatusNotFound, problem{Message: "there is nothing here", Code: "not_found", Suggestion: openAPIPath + " tells what there is"})
	}
}

// Serve answers on a listener, which it closes, until ctx ends; what is under way then gets some seconds. The error is nil where
// ctx ended it.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	requests, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	server := &http.Server{
		Handler: handler, BaseContext: func(net.Listener) context.Context { return requests },
		ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeaderBytes, DisableGeneralOptionsHandler: true, // OPTIONS * comes through the door, too
		ErrorLog: log.New(io.Discard, "", 0), // it tells of what clients send
	}
	ended := make(chan error, 1)
	go func() {
		ended <- server.Serve(&boundedListener{Listener: listener, free: make(chan struct{}, maxConnections)})
	}()
	select {
	case err := <-ended:
		return fmt.Errorf("serve HTTP: %w", err)
	case <-ctx.Done():
	}
	stopping, stop := context.WithTimeout(requests, stopTimeout)
	defer stop()
	if err := server.Shutdown(stopping); err != nil {
		cancel() // what is still under way is given up
		err = server.Close()
		if !errors.Is(err, net.ErrClosed) && err != nil {
			return fmt.Errorf("stop serving HTTP: %w", err)
		}
	}
	return nil
}
