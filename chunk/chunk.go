// Package chunk cuts a note into passages. It is pure: a note in, passages out, the same every time.
package chunk

import (
	"fmt"
	"strings"

	"quarry/note"
)

// Profile names a way to cut.
type Profile string

// Profiles. An unknown name cuts as ByHeading does.
const (
	// ByHeading cuts at headings of levels 1 and 2; what is over MaxCharacters again at level 3, then between blocks.
	ByHeading Profile = "by_heading"
)

// Sizes of ByHeading, in characters (Unicode code points) of the text of a passage without its heading, outer white
// space trimmed.
const (
	MaxCharacters = 2000 // what is longer is cut again
	MinCharacters = 30   // what is shorter joins its neighbour, which may grow over MaxCharacters by 200 for it
)

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

// ID names a passage within the vault: "{note_id}#c{index:02d}", index being Passage.Index.
func ID(noteID string, index int) string {
	return fmt.Sprintf("%s#c%02d", noteID, index)
}

// Split cuts a note. Passages ascend, their lines do not overlap but where one line had to be cut, and together they hold
// all text but what note.Omit names and the sections that only list links (Related, See Also, Links, References), which
// are left out unless the note has nothing else. A note with any text has a passage. The line of the heading that gives
// a passage its Section is not in its Text, but LineStart is that line.
// Time and memory are linear in the length of the note. Safe for concurrent use.
func Split(n *note.Note, _ Profile) []Passage {
	d := newDocument(n)
	parts := d.parts(true)
	if !hasText(parts) {
		parts = d.parts(false)
	}
	return d.passages(d.join(parts))
}

// Context is what is said of a note with every passage: "Title | type | tag, tag". Tags are those of the properties;
// absent parts are left out.
func Context(n *note.Note) string {
	var tags, parts []string
	for _, tag := range n.Tags {
		if tag.From == "frontmatter" {
			tags = append(tags, tag.Tag)
		}
	}
	for _, part := range []string{n.Title, n.Type, strings.Join(tags, ", ")} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " | ")
}
