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
	// Short, Medium, Long and Default cut sections of levels 1 and 2 by length: 128, 256, 512 and 256 tokens of TokenCharacters, of
	// which a passage repeats at most the last 32, 64, 128 and 64 of the one before it. Sizes as Mindnet has them.
	Short   Profile = "short"
	Medium  Profile = "medium"
	Long    Profile = "long"
	Default Profile = "default"
)

// Profiles lists all names of profiles.
func Profiles() []Profile { return []Profile{ByHeading, Short, Medium, Long, Default} }

// Sizes of ByHeading, in characters (Unicode code points) of the text of a passage without its heading, outer white
// space trimmed.
const (
	MaxCharacters = 2000 // what is longer is cut again
	MinCharacters = 30   // what is shorter joins its neighbour, which may grow over MaxCharacters by 200 for it
)

// Sizes of what is kept with every passage, in characters: a longer text is cut and ends in "…". It would be stored as
// often as the note has passages.
const (
	MaxHeadingCharacters = 200 // of a title, a type, a heading
	MaxTagsCharacters    = 300 // of all tags of a note together
)

// Passage is one piece of a note. Lines are 1-based and those of the file.
type Passage struct {
	Index          int      // 0-based position in the note
	Section        string   // the nearest heading, "" before the first, at most MaxHeadingCharacters
	HeadingPath    []string // the headings above, outermost first, each at most MaxHeadingCharacters
	HeadingContext string   // "Title | type | tag, tag"
	Text           string   // as it stands in the file, redacted, trimmed of outer blank lines; see Split for what is repeated
	// IndexText is further text the passage is found by, never shown; "" for most; at most MaxCharacters. Data in it is
	// flattened to "key path: value". That of the first passage begins with the note's own properties, a line "key: value"
	// each, sorted, as far as they hold words that its text has not.
	IndexText string
	LineStart int
	LineEnd   int // inclusive: the last line with text of the passage

	stretch stretch
	// repeated is what Text, behind a repeated header or fence, begins with and the passage before it ends with, but for white space
	// around it: whole sentences, lines or blocks, "" for most, always for ByHeading. LineStart is its first line.
	repeated string
}

// ID names a passage within the vault: "{note_id}#c{index:02d}", index being Passage.Index.
func ID(noteID string, index int) string {
	return fmt.Sprintf("%s#c%02d", noteID, index)
}

// Split cuts a note. Together the passages hold all its text but what note.Omit names and the lists of links in sections
// called Related, See Also, Links or References, which are left out unless the note has nothing else. A note with any text has a
// passage.
//
// A short section joins its neighbour, and the passage is named by what is true of both: the nearest heading above them. Sections
// under different headings of level 1 never join, but for the words before or under the first that open the note; lanes of a
// board never do. Of a board, lanes without cards are left out unless all are.
//
// The profiles that cut by length, unlike ByHeading, do not cut at headings of level 3 for their level: what is too large for them
// is cut before the best of its blocks, a heading being the best, in even pieces. A piece repeats the end of the one before
// it in whole sentences, lines or blocks, unless it begins with a heading; LineStart is the first line of that.
//
// Passages ascend and their lines do not overlap, but where one line had to be cut, or something is repeated. Where a table or a fence had to be
// cut, every piece begins with the header of the table, or is a fence again: of these lines, which Text repeats, LineStart and LineEnd
// tell nothing. Else Text holds the lines from LineStart to LineEnd. The line of the heading that gives a passage its Section
// is not in its Text, unless it was cut for its length; LineStart is that line either way. No sentence is cut that fits in
// a passage.
//
// A note with Fragments has passages of these alone, in their order, whatever their lines.
//
// Time and memory are linear in the length of the note. Safe for concurrent use.
func Split(n *note.Note, profile Profile) []Passage {
	passages := cut(n, sizesOf(profile))
	if len(passages) == 0 {
		return properties(n)
	}
	passages[0].addProperties(n)
	return passages
}

func cut(n *note.Note, by sizes) []Passage {
	if len(n.Fragments) > 0 {
		return fragments(n, by)
	}
	d := newDocument(n, by)
	parts := d.parts(true)
	if !hasText(parts) {
		parts = d.parts(false)
	}
	return d.passages(d.join(parts))
}

// prefix gives the length in bytes of the first characters of a text, of all of it where it has no more.
func prefix(text string, characters int) int {
	if len(text) <= characters {
		return len(text)
	}
	count := 0
	for at := range text {
		if count == characters {
			return at
		}
		count++
	}
	return len(text)
}

// shorten keeps a text within a number of characters, the mark of the cut among them.
func shorten(text string, characters int) string {
	if prefix(text, characters) == len(text) {
		return text
	}
	return text[:prefix(text, characters-1)] + "…"
}

// Context is what is said of a note with every passage: "Title | type | tag, tag". Tags are those of the properties;
// absent parts are left out, long ones cut as MaxHeadingCharacters and MaxTagsCharacters say.
func Context(n *note.Note) string {
	var tags, parts []string
	for _, tag := range n.Tags {
		if tag.From == "frontmatter" {
			tags = append(tags, tag.Tag)
		}
	}
	for _, part := range []string{
		shorten(n.Title, MaxHeadingCharacters), shorten(n.Type, MaxHeadingCharacters), shorten(strings.Join(tags, ", "), MaxTagsCharacters),
	} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " | ")
}
