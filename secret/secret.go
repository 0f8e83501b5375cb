// Package secret finds credentials in bytes and puts markers in their place. It knows nothing of files or notes.
//
// The whole text of a file goes through Find before anything is cut out of it: a token that the edge of a passage cuts
// in two is no longer known as one. Only names and counts of rules ever leave this package beside the offsets.
package secret

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
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

// maxRounds bounds how often a text is looked at again after a redaction: what stood beside a secret may look like
// another one once that is gone. Two rounds do for all that is known.
const maxRounds = 4

// Find returns the stretches of text that hold a secret, ascending, not empty and apart from each other; nil if there
// are none. Text is any bytes; what is UTF-8 in it is taken as that. Where several rules found overlapping stretches the
// span is their union under the name of the most telling rule. Nothing is found in markers, nor in what Apply leaves: to
// redact redacted text changes nothing. The time is linear in the length of text. It may be called concurrently.
func Find(text []byte) []Span {
	spans := findOnce(text)
	found := len(spans)
	for round := 1; found > 0 && round < maxRounds; round++ {
		more := findOnce(Apply(text, spans))
		if found = len(more); found > 0 {
			places := newOffsets(text, spans)
			for i, span := range more {
				more[i].Start, more[i].End = places.rawSpan(span.Start, span.End)
			}
			spans = unite(spans, more)
		}
	}
	return spans
}

// unite merges two lists of spans; the names of the first win.
func unite(first, second []Span) []Span {
	all := slices.Concat(first, second)
	slices.SortStableFunc(all, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	out := all[:0]
	for _, span := range all {
		if last := len(out) - 1; last >= 0 && span.Start < out[last].End {
			out[last].End = max(out[last].End, span.End)
			continue
		}
		out = append(out, span)
	}
	return out
}

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
		for i := span.Start; i < span.End; i++ {
			switch isLone := i+1 == len(text) || text[i+1] != '\n'; {
			case text[i] == '\r' && isLone: // as LF, so that it makes no pair with one that comes
				out = append(out, '\n')
			case text[i] == '\r', text[i] == '\n':
				out = append(out, text[i])
			}
		}
		at = span.End
	}
	return append(out, text[at:]...)
}

// Redact returns text with its secrets replaced, and what they were; the text itself and an empty list if there are none.
func Redact(text string) (string, []Count) {
	raw := []byte(text)
	spans := Find(raw)
	if len(spans) == 0 {
		return text, []Count{}
	}
	return string(Apply(raw, spans)), Counts(spans)
}

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

// offsets leads from places in the redacted form of a text to those in the text.
type offsets struct {
	spans   []Span
	markers []int // where the marker of each span starts in the redacted text
	lengths []int // of the markers with the line ends behind them
}

// newOffsets is for a text and the spans that Find returned for it.
func newOffsets(text []byte, spans []Span) offsets {
	o := offsets{spans: spans, markers: make([]int, len(spans)), lengths: make([]int, len(spans))}
	shift := 0
	for i, span := range spans {
		o.markers[i] = span.Start + shift
		o.lengths[i] = len(markerStart) + len(span.Name) + 1
		secret := text[span.Start:span.End]
		o.lengths[i] += bytes.Count(secret, []byte{'\n'}) + bytes.Count(secret, []byte{'\r'})
		shift += o.lengths[i] - (span.End - span.Start)
	}
	return o
}

// rawSpan maps a stretch: where it touches a marker it takes in the whole secret.
func (o offsets) rawSpan(start, end int) (int, int) {
	rawStart, inside := o.before(start)
	if inside >= 0 {
		rawStart = o.spans[inside].Start
	}
	rawEnd, inside := o.before(end)
	if inside >= 0 {
		rawEnd = o.spans[inside].End
	}
	return rawStart, rawEnd
}

// before gives the raw place of a redacted one, or the marker that it lies inside of.
func (o offsets) before(redacted int) (raw, inside int) {
	i := sort.Search(len(o.markers), func(i int) bool { return o.markers[i] > redacted }) - 1
	switch {
	case i < 0:
		return redacted, -1
	case redacted < o.markers[i]+o.lengths[i]:
		return 0, i
	}
	return o.spans[i].End + redacted - o.markers[i] - o.lengths[i], -1
}
