package mcpserver

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"quarry"
	"quarry/internal/steering"
)

// cleanMessage is a message, or several in a list, without secrets.
func cleanMessage(raw []byte, filter *quarry.Redactor) []byte {
	raw = bytes.TrimSpace(raw)
	var batch []json.RawMessage
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &batch) != nil {
		return redactMessage(raw, filter)
	}
	out := []byte{'['}
	for i, one := range batch {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, redactMessage(one, filter)...)
	}
	return append(out, ']')
}

// redactMessage is a message without secrets, in which characters that steer stand by their number.
func redactMessage(raw []byte, filter *quarry.Redactor) []byte {
	message, err := jsonrpc.DecodeMessage(raw)
	if err != nil {
		message = nil
	}
	return redactDecoded(message, raw, filter)
}

// redactDecoded does so where it is known what the message says; nil is a message that is none. The documents of answers have been
// filtered; the id of an error stays as the client chose it, or it would know no answer.
func redactDecoded(message jsonrpc.Message, raw []byte, filter *quarry.Redactor) []byte {
	return steering.EscapeJSON(withoutSecrets(message, raw, filter))
}

func withoutSecrets(message jsonrpc.Message, raw []byte, filter *quarry.Redactor) []byte {
	answer, isAnswer := message.(*jsonrpc.Response)
	switch {
	case !isAnswer:
		return filter.RedactJSON(bytes.Clone(raw))
	case answer.Error == nil:
		return raw
	}
	members := membersOf(raw)
	failure := []byte(members["error"])
	clean := filter.RedactJSON(bytes.Clone(failure))
	if bytes.Equal(clean, failure) {
		return raw
	}
	encoded, err := encode(map[string]any{"jsonrpc": "2.0", "id": members["id"], "error": json.RawMessage(clean)})
	if err != nil {
		return filter.RedactJSON(bytes.Clone(raw))
	}
	return encoded
}
