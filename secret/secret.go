// Package secret finds credentials in bytes and puts markers in their place. It knows nothing of files or notes.
//
// The whole text of a file goes through Find before anything is cut out of it: a token that the edge of a passage cuts
// in two is no longer known as one. Only names and counts of rules ever leave this package beside the offsets.
package secret

import (
	"cmp"
	"slices"
)

// Span is a stretch of bytes that holds a secret.
type Span struct {
	Start, End int    // byte offsets, End exclusive
	Name       string // of the rule, as it stands in the marker
}

// Count tells how often a rule found something. It never carries a value.
type Count struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Unscanned is the name of a span where so much looks like the start of a secret that looking at all of it would take
// too long: a text made to do so. It is withheld rather than let through.
const Unscanned = "unscanned"

// Find returns the stretches of text that hold a secret, ascending, not empty and apart from each other; nil if there
// are none. Text is any bytes; what is UTF-8 in it is taken as that. Where several rules found overlapping stretches the
// span is their union under the name of the most telling rule. Nothing is found in markers, nor in what Apply leaves: to
// redact redacted text changes nothing. The time is linear in the length of text. It may be called concurrently.
func Find(text []byte) []Span { return Default().Find(text) }

const (
	markerStart = "[REDACTED:"
	markerEnd   = ']'
)

// Marker is what stands in the place of a secret that the rule of this name found: "[REDACTED:name]".
func Marker(name string) string { return markerStart + name + string(markerEnd) }

// Apply returns text with a marker for each span. Each is followed by the line ends that the secret held, so that all
// lines keep their numbers. The spans are as Find returns them. The result shares no memory with text.
func Apply(text []byte, spans []Span) []byte {
	out := make([]byte, 0, len(text)+32*len(spans))
	at := 0
	for _, span := range spans {
		out = append(out, text[at:span.Start]...)
		out = append(out, markerStart...)
		out = append(out, span.Name...)
		out = append(out, markerEnd)
		out = appendLineEnds(out, text, span)
		at = span.End
	}
	return append(out, text[at:]...)
}

// appendLineEnds adds the line ends of a secret. A blank keeps a lone CR from making a pair with an LF that came later.
func appendLineEnds(out, text []byte, secret Span) []byte {
	for i := secret.Start; i < secret.End; i++ {
		switch {
		case text[i] == '\n' && len(out) > 0 && out[len(out)-1] == '\r' && text[i-1] != '\r':
			out = append(out, ' ', '\n')
		case text[i] == '\r', text[i] == '\n':
			out = append(out, text[i])
		}
	}
	return out
}

// Redact returns text with its secrets replaced, and what they were; the text itself and an empty list if there are none.
func Redact(text string) (string, []Count) { return Default().Redact(text) }

// Counts adds spans up by name, in the order of the names; never nil.
func Counts(spans []Span) []Count {
	tally := map[string]int{}
	for _, span := range spans {
		tally[span.Name]++
	}
	counts := make([]Count, 0, len(tally))
	for name, count := range tally {
		counts = append(counts, Count{Name: name, Count: count})
	}
	slices.SortFunc(counts, func(a, b Count) int { return cmp.Compare(a.Name, b.Name) })
	return counts
}
