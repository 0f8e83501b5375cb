package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"quarry"
)

// maxBatch is how many messages a client may send in one body: older revisions of the protocol let it send several.
const maxBatch = 64

const bothKinds = "application/json, text/event-stream"

// httpServer speaks MCP over HTTP: an answer is a JSON document, a stream of events where the client wants progress.
type httpServer struct {
	plain, streaming http.Handler
	engines          Engines
}

// Handler speaks MCP by streamable HTTP, without sessions: each POST is answered by itself, in the revision that it speaks. A body
// may have 4 MB. What the protocol says of errors is filtered as the engines' Redactor has it; a request whose client is gone is
// given up. Who may ask, from where, and how often is for whoever mounts it. It is safe for concurrent use.
func Handler(engines Engines, version string) http.Handler {
	server := newServer(engines, version)
	handlerOf := func(asJSON bool) http.Handler {
		return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
			Stateless: true, JSONResponse: asJSON, MaxRequestBodyBytes: maxMessageBytes, PropagateRequestCancellation: true,
			DisableLocalhostProtection: true, // the one who mounts it knows by which names it may be called
			Logger:                     slog.New(slog.DiscardHandler),
		})
	}
	return &httpServer{plain: handlerOf(true), streaming: handlerOf(false), engines: engines}
}

func (h *httpServer) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	clean := &cleanWriter{to: w, filter: h.engines.Redactor}
	defer clean.finish()
	if request.Method != http.MethodPost {
		h.plain.ServeHTTP(clean, request)
		return
	}
	if kind, _, _ := mime.ParseMediaType(request.Header.Get("Content-Type")); kind != "application/json" {
		refuse(clean, http.StatusUnsupportedMediaType, &refusal{nil, jsonrpc.CodeInvalidRequest, "the Content-Type has to be application/json"})
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxMessageBytes))
	if tooLong := new(http.MaxBytesError); errors.As(err, &tooLong) {
		refuse(clean, http.StatusRequestEntityTooLarge, &refusal{idOfHead(body), jsonrpc.CodeInvalidRequest, tooLongToRead})
		return
	}
	if err != nil { // the client is gone, or too slow
		refuse(clean, http.StatusBadRequest, &refusal{nil, jsonrpc.CodeInvalidRequest, "the message cannot be read"})
		return
	}
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte(byteOrderMark)))
	messages, fault := messagesOf(body)
	if fault != nil {
		refuse(clean, http.StatusBadRequest, fault)
		return
	}
	handler := h.plain
	if takesEvents(request.Header) && wantsProgress(messages) {
		handler = h.streaming
	}
	own := request.Clone(inOneBody(context.WithValue(request.Context(), clientContext{}, request.Context())))
	own.Header.Set("Accept", bothKinds) // the kind is chosen already
	own.Body = io.NopCloser(bytes.NewReader(body))
	handler.ServeHTTP(clean, own)
}

// takesEvents tells whether a client reads a stream of events. The protocol wants clients to accept documents and streams, and some accept
// documents alone; no word about it is every kind.
func takesEvents(header http.Header) bool {
	accepted := strings.ToLower(strings.Join(header.Values("Accept"), ","))
	for kind := range strings.SplitSeq(accepted, ",") {
		kind, _, _ = strings.Cut(kind, ";")
		switch strings.TrimSpace(kind) {
		case "text/event-stream", "text/*", "*/*":
			return true
		}
	}
	return strings.TrimSpace(accepted) == ""
}

// clientContext is the key of the context that ends when the client of a request is gone: that of the call outlives it.
type clientContext struct{}

// withClient is a context that also ends when the client is gone.
func withClient(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if client, ok := ctx.Value(clientContext{}).(context.Context); ok {
		stop := context.AfterFunc(client, cancel)
		return ctx, func() { stop(); cancel() }
	}
	return ctx, cancel
}

// messagesOf reads a body, or tells why it is not taken.
func messagesOf(body []byte) (messages []json.RawMessage, fault *refusal) {
	if !json.Valid(body) {
		return nil, &refusal{nil, jsonrpc.CodeParseError, "the body is no JSON"}
	}
	ids := map[jsonrpc.ID]bool{}
	eachMessage(body, false, func(message jsonrpc.Message, raw json.RawMessage, unread *refusal) bool {
		request, isRequest := message.(*jsonrpc.Request)
		switch {
		case unread != nil:
			fault = unread
		case len(messages) == maxBatch:
			fault = &refusal{nil, jsonrpc.CodeInvalidRequest, "too many messages in one body"}
		case isRequest && request.IsCall() && ids[request.ID]:
			fault = &refusal{nil, jsonrpc.CodeInvalidRequest, repeatedID}
		case isRequest:
			ids[request.ID] = true
		}
		messages = append(messages, raw)
		return fault == nil
	})
	return messages, fault
}

// wantsProgress tells of a call that gives a token to tell its progress by, for which a stream is needed.
func wantsProgress(messages []json.RawMessage) bool {
	var read struct {
		Params struct {
			Meta struct {
				Token any `json:"progressToken"`
			} `json:"_meta"`
		} `json:"params"`
	}
	return len(messages) == 1 && json.Unmarshal(messages[0], &read) == nil && read.Params.Meta.Token != nil
}

// refuse answers what is not taken with an error of the protocol.
func refuse(w http.ResponseWriter, status int, fault *refusal) {
	answer, err := fault.answer()
	if err != nil {
		return // it holds plain values
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(answer) // a client that is gone hears nothing
}

// cleanWriter keeps secrets out of what the protocol says. What is written is held until it is flushed or all is written, so that
// it is whole: a document, an event, or a line of text.
type cleanWriter struct {
	to     http.ResponseWriter
	filter func() *quarry.Redactor
	status int
	held   []byte
}

func (w *cleanWriter) Header() http.Header { return w.to.Header() }

func (w *cleanWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *cleanWriter) Write(p []byte) (int, error) {
	w.held = append(w.held, p...)
	return len(p), nil
}

// FlushError hands out what is held. The error is that of the connection.
func (w *cleanWriter) FlushError() error {
	if err := w.send(); err != nil {
		return err
	}
	return http.NewResponseController(w.to).Flush()
}

func (w *cleanWriter) finish() { _ = w.send() } // a client that is gone hears nothing

func (w *cleanWriter) send() error {
	clean := w.clean()
	w.held = nil
	if w.status > 0 {
		w.Header().Del("Content-Length")
		w.to.WriteHeader(w.status)
		w.status = -1
	}
	if len(clean) == 0 {
		return nil
	}
	_, err := w.to.Write(clean)
	return err
}

func (w *cleanWriter) clean() []byte {
	kind, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
	switch {
	case len(w.held) == 0:
		return nil
	case kind == "application/json":
		return cleanMessage(w.held, w.filter())
	case kind == "text/event-stream":
		var out []byte
		for line := range bytes.Lines(w.held) {
			if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
				out = append(append(append(out, "data: "...), cleanMessage(data, w.filter())...), '\n')
				continue
			}
			out = append(out, line...)
		}
		return out
	}
	text, _ := w.filter().Redact(string(w.held))
	return []byte(text)
}
