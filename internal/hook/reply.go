package hook

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// maxContextCharacters is what Claude Code shows whole of the context of one hook, and maxContextBytes what Codex does, which
// counts 4 bytes a token. Some is left for what a client puts around.
const (
	maxContextCharacters = 9800
	maxContextBytes      = 9800
)

const charactersPerToken = 4

func tokensOf(text string) int {
	return (utf8.RuneCountInString(text) + charactersPerToken - 1) / charactersPerToken
}

// fits tells whether a client takes a text as a whole.
func (e event) fits(text string) bool {
	if e.client == Codex {
		return len(text) <= maxContextBytes
	}
	return utf8.RuneCountInString(text) <= maxContextCharacters
}

// specific is what replies hold that depend on the event. Codex refuses keys that it does not know.
type specific struct {
	HookEventName     string          `json:"hookEventName"`
	AdditionalContext string          `json:"additionalContext,omitempty"`
	UpdatedToolOutput json.RawMessage `json:"updatedToolOutput,omitempty"`
}

// contextReply hands context to a client.
func contextReply(e event, text string) []byte {
	return reply(specific{HookEventName: e.kind.nameFor(e.client), AdditionalContext: text})
}

// outputReply hands a tool's output to a client, in the place of the one it has.
func outputReply(e event, output json.RawMessage) []byte {
	return reply(specific{HookEventName: e.kind.nameFor(e.client), UpdatedToolOutput: output})
}

func reply(s specific) []byte {
	encoded, err := encode(struct {
		HookSpecificOutput specific `json:"hookSpecificOutput"`
	}{s})
	if err != nil {
		return nil
	}
	return encoded
}

// encode writes JSON with "<", ">" and "&" as they are.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return []byte(strings.TrimSuffix(b.String(), "\n")), nil
}
