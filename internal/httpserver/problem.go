package httpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"quarry/internal/failure"
	"quarry/internal/steering"
)

// problem is an error in the form that clients get, by MCP, too.
type problem = failure.Answer

// statusOf is the status of HTTP for a code of the errors that MCP has, too.
var statusOf = map[string]int{
	failure.InvalidArguments: http.StatusBadRequest,
	failure.UnknownArgument:  http.StatusBadRequest,
	failure.UnknownNote:      http.StatusNotFound,
	failure.UnknownPart:      http.StatusNotFound,
	failure.AmbiguousNote:    http.StatusConflict,
	failure.NoIndex:          http.StatusServiceUnavailable,
	failure.IndexBuilding:    http.StatusServiceUnavailable,
	failure.DamagedIndex:     http.StatusServiceUnavailable,
	failure.UnusableIndex:    http.StatusServiceUnavailable,
	failure.Configuration:    http.StatusServiceUnavailable,
	failure.Stopping:         http.StatusServiceUnavailable,
	failure.Cancelled:        http.StatusServiceUnavailable,
	failure.TimedOut:         http.StatusGatewayTimeout,
	failure.Internal:         http.StatusInternalServerError,
}

// describe gives an error the form that clients get, and its status. What is not foreseen is logged by its kinds alone, under a number
// that the answer has, too.
func (a *api) describe(ctx context.Context, err error) (status int, described problem) {
	described = *failure.Of(err)
	if described.Code == failure.Internal {
		described.Message += " (" + a.lines.Unforeseen(ctx, a.logger, err) + ")"
	}
	if status = statusOf[described.Code]; status == 0 {
		status = http.StatusInternalServerError
	}
	return status, described
}

// fail answers with an error whose words are the program's own.
func fail(w http.ResponseWriter, status int, described problem) {
	document, err := encode(described)
	if err != nil {
		document = []byte("{}\n") // three texts can be encoded
	}
	writeBody(w, status, "application/json", document)
}

func refuseMethod(w http.ResponseWriter, allowed string) {
	w.Header().Set("Allow", allowed)
	fail(w, http.StatusMethodNotAllowed, problem{Message: "this method is not answered here", Code: "method", Suggestion: "use " + allowed})
}

func writeBody(w http.ResponseWriter, status int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that is gone hears nothing
}

// encode writes a document with a line feed, as the commands do.
func encode(document any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(document); err != nil {
		return nil, err
	}
	return steering.EscapeJSON(b.Bytes()), nil
}
