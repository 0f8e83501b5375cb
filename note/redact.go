package note

import (
	"sort"

	"quarry/secret"
)

// The one place where this package meets the filter.

func marker(name string) string { return "[REDACTED:" + name + "]" }

func redactText(text string) string { return text }

// applySpans puts markers in the place of the spans and keeps the number of lines.
func applySpans(raw []byte, spans []secret.Span) []byte {
	out := make([]byte, 0, len(raw))
	at := 0
	for _, span := range spans {
		out = append(append(out, raw[at:span.Start]...), marker(span.Name)...)
		for _, c := range raw[span.Start:span.End] {
			if c == '\n' {
				out = append(out, c)
			}
		}
		at = span.End
	}
	return append(out, raw[at:]...)
}

func countSpans(spans []secret.Span) []secret.Count {
	byName := map[string]int{}
	for _, span := range spans {
		byName[span.Name]++
	}
	counts := []secret.Count{}
	for name, count := range byName {
		counts = append(counts, secret.Count{Name: name, Count: count})
	}
	sort.Slice(counts, func(i, j int) bool { return counts[i].Name < counts[j].Name })
	return counts
}
