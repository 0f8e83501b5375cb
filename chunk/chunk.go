// Package chunk cuts a note into passages. It is pure: a note in, passages out, the same every time.
package chunk

// Passage is one piece of a note. Lines are 1-based and those of the file.
type Passage struct {
	Index          int      // 0-based position in the note
	Section        string   // the nearest heading, "" before the first
	HeadingPath    []string // the headings above, outermost first
	HeadingContext string   // "Title | type | tag, tag"
	Text           string   // as it stands in the file, redacted, trimmed of outer blank lines
	LineStart      int
	LineEnd        int // inclusive
}
