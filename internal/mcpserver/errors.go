package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"quarry/internal/failure"
	"quarry/internal/spelling"
)

// wrong is an error whose words are the server's own.
func wrong(code, message, suggestion string) *failure.Answer {
	return &failure.Answer{Message: message, Code: code, Suggestion: suggestion}
}

// reporter are engines whose errors that are not foreseen go to their log, where they have one, as often as a log may have them.
type reporter struct {
	Engines
	lines failure.LogRate
}

// report gives the number under which the log has the kinds of an error, "" where there is no log.
func (r *reporter) report(ctx context.Context, err error, what, name string) string {
	if logged, ok := r.Engines.(interface{ Logger() *slog.Logger }); ok {
		return r.lines.Unforeseen(ctx, logged.Logger(), err, what, name)
	}
	return ""
}

// described is an error as clients get it. What is not foreseen goes to the log, and has the number there.
func described(ctx context.Context, engines Engines, err error, what, name string) *failure.Answer {
	said := failure.Of(err)
	if reporter, ok := engines.(*reporter); ok && said.Code == failure.Internal {
		if number := reporter.report(ctx, err, what, name); number != "" {
			said.Message += " (" + number + ")"
		}
	}
	return said
}

// unknownName is the error of the protocol for a tool or a prompt that is none.
func unknownName(kind, name, code string, known []string) error {
	suggestion := fmt.Sprintf("there are: %s", strings.Join(known, ", "))
	if question := didYouMean(spelling.Near(name, known)); question != "" {
		suggestion = question + " " + suggestion
	}
	return protocolError(jsonrpc.CodeInvalidParams, wrong(code, fmt.Sprintf("there is no %s %.80q", kind, name), suggestion))
}

// protocolError is an error in the form of the protocol, with that of tools as its data.
func protocolError(code int64, said *failure.Answer) error {
	data, err := encode(said)
	if err != nil {
		data = nil // it holds three plain texts
	}
	return &jsonrpc.Error{Code: code, Message: said.Message + "; " + said.Suggestion, Data: data}
}

// withCode gives an error of the protocol's library that has no code the one for what may not be asked now, as a second handshake.
func withCode(err error) error {
	var known *jsonrpc.Error
	if err == nil || errors.As(err, &known) && known.Code != 0 {
		return err
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
}

// failed is the error of what is no tool.
func failed(ctx context.Context, engines Engines, err error) error {
	said := described(ctx, engines, err, "of", "the protocol")
	switch said.Code {
	case failure.UnknownNote, failure.UnknownPart, failure.AmbiguousNote, failure.InvalidArguments, failure.UnknownArgument:
		return protocolError(jsonrpc.CodeInvalidParams, said)
	}
	return protocolError(jsonrpc.CodeInternalError, said)
}
