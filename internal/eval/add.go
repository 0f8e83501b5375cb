package eval

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
)

// Entry is a golden query as a line of a file has it.
type Entry struct {
	ID       string     `json:"id"`
	Query    string     `json:"query"`
	Intent   string     `json:"intent"`
	Expected []Expected `json:"expected"`
}

// Expected is a note, or a part of one, that an answer ought to bring.
type Expected struct {
	Path    string `json:"path"` // below the vault
	Section string `json:"section,omitempty"`
	Grade   int    `json:"grade"` // 2 answers the query, 1 helps
}

// Line is the entry as a line of JSON, with its line feed. An entry that Load would refuse is an error.
func (e Entry) Line() ([]byte, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(e); err != nil {
		return nil, fmt.Errorf("write a golden query: %w", err)
	}
	if b.Len() > maxLineBytes {
		return nil, fmt.Errorf("write a golden query: it is longer than %d bytes", maxLineBytes)
	}
	if _, err := parse([]byte(b.String())); err != nil {
		return nil, fmt.Errorf("write a golden query: %w", err)
	}
	return []byte(b.String()), nil
}

// NewID makes an id out of the words of a query: q- and 8 hex digits or more, so that the ids of what several people add differ.
func NewID(text string, queries []Query) string {
	taken := map[string]bool{}
	for _, q := range queries {
		taken[q.ID] = true
	}
	sum := sha256.Sum256([]byte(fold(text)))
	digits := hex.EncodeToString(sum[:])
	for length := 8; length < len(digits); length++ {
		if id := "q-" + digits[:length]; !taken[id] {
			return id
		}
	}
	return "q-" + digits
}

// Find gives the query that has these words, whatever its case and spaces.
func Find(queries []Query, text string) (Query, bool) {
	for _, q := range queries {
		if fold(q.Text) == fold(text) {
			return q, true
		}
	}
	return Query{}, false
}

func fold(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// Shares of a query's words, by weight, from which its intent is told.
const (
	lookupShare  = 0.95
	conceptShare = 0.3
)

// GuessIntent tells the intent from how much of a query, 0 to 1, stands word for word in the notes that answer it.
func GuessIntent(share float64) string {
	switch {
	case share >= lookupShare:
		return Lookup
	case share <= conceptShare:
		return Concept
	default:
		return Mixed
	}
}
