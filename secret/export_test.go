package secret

// RawPlaces leads from a byte of the redacted text to that of the raw one; from a byte of a marker to its secret's first.
func RawPlaces(text []byte, spans []Span) func(redacted int) int {
	places := newOffsets(text, spans)
	return func(redacted int) int {
		start, _ := places.rawSpan(redacted, redacted)
		return start
	}
}
