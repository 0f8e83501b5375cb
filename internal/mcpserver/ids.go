package mcpserver

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	maxExactID    = 1 << 53 // whole numbers up to here are told apart by every client
	maxExactText  = "9007199254740992"
	maxToldID     = 1 << 10 // bytes of an id that an error repeats
	badID         = "an id must be a text or a whole number up to 2^53"
	badToken      = "a progressToken must be a text or a whole number up to 2^53"
	noMessage     = "this is no JSON-RPC message"
	tooLongToRead = "the message is too long"
	repeatedID    = "the id is that of another call that has no answer yet"
)

// refusal is why a message is not taken.
type refusal struct {
	id   json.RawMessage // of the message, as the client wrote it; nil where it has none that can be told
	code int
	text string
}

// answer is the error of the protocol that the client gets.
func (r *refusal) answer() ([]byte, error) {
	return encode(map[string]any{"jsonrpc": "2.0", "id": r.id, "error": map[string]any{"code": r.code, "message": r.text}})
}

// readMessage reads one message. One is refused whose id, or token of progress, would come back as another.
func readMessage(raw []byte) (jsonrpc.Message, *refusal) {
	if len(raw) == 0 || raw[0] != '{' { // a list may hold a million of these
		return nil, &refusal{nil, jsonrpc.CodeInvalidRequest, noMessage}
	}
	members := membersOf(raw)
	id, hasID := members["id"]
	if hasID && !isExact(id) {
		return nil, &refusal{toldID(id), jsonrpc.CodeInvalidRequest, badID}
	}
	message, err := jsonrpc.DecodeMessage(raw)
	if err != nil {
		return nil, &refusal{toldID(id), jsonrpc.CodeInvalidRequest, noMessage}
	}
	if _, isAnswer := message.(*jsonrpc.Response); isAnswer && members["result"] == nil && members["error"] == nil { // a method that is misspelt
		return nil, &refusal{toldID(id), jsonrpc.CodeInvalidRequest, noMessage}
	}
	if bytes.Contains(raw, []byte("progressToken")) {
		token, hasToken := membersOf(membersOf(members["params"])["_meta"])["progressToken"]
		if hasToken && !isExact(token) {
			return nil, &refusal{toldID(id), jsonrpc.CodeInvalidParams, badToken}
		}
	}
	return message, nil
}

// membersOf are the members of an object, none where it is no object. Their names are told apart by case, as the protocol's are.
func membersOf(raw []byte) map[string]json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return nil
	}
	return members
}

// isExact tells of a text or a whole number that is the same after it was read and written again.
func isExact(raw json.RawMessage) bool {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return false
	}
	switch value := value.(type) {
	case string:
		return !strings.ContainsRune(value, utf8.RuneError) // half a character, or none at all
	case float64:
		return value == math.Trunc(value) && (math.Abs(value) < maxExactID || string(raw) == maxExactText)
	}
	return false
}

// toldID is an id that an error may repeat, nil for others: what a client's reader may not take is not sent back.
func toldID(raw json.RawMessage) json.RawMessage {
	var value any
	if len(raw) > maxToldID || !utf8.Valid(raw) || json.Unmarshal(raw, &value) != nil { // also a number without end
		return nil
	}
	switch value := value.(type) {
	case float64:
		return raw
	case string:
		if !strings.ContainsRune(value, utf8.RuneError) {
			return raw
		}
	}
	return nil
}

// idOfHead is the id of a message of which only the beginning was read; nil where it stands behind that.
func idOfHead(head []byte) json.RawMessage {
	decoder := json.NewDecoder(bytes.NewReader(head))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return nil
	}
	for {
		name, err := decoder.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			return nil
		}
		if name == "id" {
			return toldID(value)
		}
	}
}
