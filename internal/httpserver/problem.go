package httpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"quarry"
	"quarry/internal/mcpserver"
	"quarry/internal/steering"
)

// problem is an error in the form that clients get.
type problem struct {
	Message    string `json:"error"`
	Code       string `json:"code"`
	Suggestion string `json:"suggestion"`
}

func (p problem) Error() string { return p.Message }

// kinds of errors that the engine gives, with the status of HTTP. The first that fits counts.
var problemKinds = []struct {
	err        error
	status     int
	code       string
	suggestion string
	message    string // "": the error's own
}{
	{mcpserver.ErrConfiguration, http.StatusServiceUnavailable, "configuration", "`quarry status` names the mistake; nothing is answered until it is mended", mcpserver.ErrConfiguration.Error()},
	{quarry.ErrNoIndex, http.StatusServiceUnavailable, "no_index", "run `quarry index` to build the index", "there is no index yet"},
	{quarry.ErrDamaged, http.StatusServiceUnavailable, "damaged_index", "run `quarry index --verify`", "the index is damaged"},
	{quarry.ErrNewerIndex, http.StatusServiceUnavailable, "newer_index", "update quarry and start it anew", "the index was written by a newer version"},
	{quarry.ErrOtherVault, http.StatusServiceUnavailable, "other_vault", "`quarry status` tells more", "the index was made of another vault"},
	{quarry.ErrClosed, http.StatusServiceUnavailable, "stopping", "try again when the server is up", "the server stops"},
	{quarry.ErrSeveral, http.StatusConflict, "ambiguous_note", "give the path of the one that is meant", ""},
	{quarry.ErrNoPart, http.StatusNotFound, "unknown_part", "the path alone gives the whole note", ""},
	{quarry.ErrNotFound, http.StatusNotFound, "unknown_note", "name a note by its path, its name or its #docid; /api/notes lists them", ""},
}

// describe gives an error the form that clients get, and its status.
func describe(err error) (status int, described problem) {
	if errors.As(err, &described) {
		return http.StatusBadRequest, described
	}
	for _, kind := range problemKinds {
		if errors.Is(err, kind.err) {
			message := kind.message
			if message == "" {
				message = err.Error()
			}
			return kind.status, problem{message, kind.code, kind.suggestion}
		}
	}
	return http.StatusInternalServerError, problem{"the question could not be answered", "internal", "try again; if it stays, `quarry status` tells more"}
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
	fail(w, http.StatusMethodNotAllowed, problem{"this method is not answered here", "method", "use " + allowed})
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
