package notetype

import (
	"bytes"
	"strings"
)

// veiled stands where a secret was: a character that YAML takes as part of a plain text wherever it stands, and that no name can
// have.
const veiled = "\ufffc"

// veil gives a text without some stretches. All lines keep their numbers.
func veil(raw []byte, secrets []Stretch) []byte {
	if len(secrets) == 0 {
		return raw
	}
	var out bytes.Buffer
	at := 0
	for _, s := range secrets {
		out.Write(raw[at:s[0]])
		out.WriteString(veiled)
		out.WriteString(strings.Repeat("\n", bytes.Count(raw[s[0]:s[1]], []byte("\n"))))
		at = s[1]
	}
	out.Write(raw[at:])
	return out.Bytes()
}

// unveil makes readable where secrets were in a message.
func unveil(message string) string { return strings.ReplaceAll(message, veiled, "[REDACTED]") }

// isSecret tells of a text of the file whether it holds a secret, or did before it was veiled.
func (r *reader) isSecret(text string) bool {
	return strings.Contains(text, veiled) || len(r.find([]byte(text))) > 0
}
