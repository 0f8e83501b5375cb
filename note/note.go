// Package note reads one file: bytes in, facts out. It knows nothing of other notes, of files on disk or of passages.
//
// A Reader works on the file's own bytes, with the spans of the secrets in them, and emits redacted strings alone: nothing
// that comes out of this package holds a secret. Redaction keeps the number of lines, so lines are those of the file.
package note

import "quarry/secret"

// Kind is what an app made of the file.
type Kind string

// Kinds of file.
const (
	Plain      Kind = "note"
	Excalidraw Kind = "excalidraw"
	Kanban     Kind = "kanban"
	Canvas     Kind = "canvas"
	Base       Kind = "base"
	Data       Kind = "data" // a file of JSON or YAML that the user takes in
)

// Note is what was understood of one file. All strings are redacted. Lines and columns are 1-based; columns and offsets
// count UTF-16 units, offsets are 0-based, in the file as it lies on disk.
type Note struct {
	Path string `json:"path"`
	Kind Kind   `json:"kind"`
	// Title is the property title, else the first heading if it is of level 1, else the file name without ".md",
	// ".markdown", ".canvas", ".base" or ".excalidraw". A heading without words, or with a placeholder alone, does not count.
	Title             string             `json:"title"`
	Aliases           []string           `json:"aliases"`
	Tags              []Tag              `json:"tags"`
	Frontmatter       map[string]any     `json:"frontmatter"`     // YAML 1.2 core values, dates as strings; never nil
	FrontmatterRaw    map[string]any     `json:"frontmatter_raw"` // the same shape, the text of each scalar; never nil
	FrontmatterErrors []FrontmatterError `json:"frontmatter_errors"`
	Headings          []Heading          `json:"headings"` // direct children of the document only, in order, the first 100,000
	Links             []Link             `json:"links"`
	Fields            []Field            `json:"fields"`
	Tasks             []Task             `json:"tasks"`
	Blocks            []Block            `json:"blocks"`
	Callouts          []Callout          `json:"callouts"`
	Sections          []Section          `json:"sections"` // top-level blocks in order, the frontmatter first, the first 100,000

	DeclaredID string `json:"-"` // properties of the same names, "" if absent
	Type       string `json:"-"`
	Status     string `json:"-"`
	Domain     string `json:"-"`
	Source     string `json:"-"`
	Created    string `json:"-"`
	Updated    string `json:"-"`

	// Text is the whole file as UTF-8, redacted, without a byte order mark; it has the lines of the file.
	Text string `json:"-"`
	// LineOffsets holds the byte offset in Text of the start of each line: line n starts at LineOffsets[n-1].
	// LF, CRLF and a lone CR end a line; a line end at the end of the file starts no further line.
	LineOffsets []int `json:"-"`
	// Omit lists the stretches of Text that no reader of a passage is to see: comments, be they "%%" or HTML, and the
	// markers of block ids. They ascend and do not overlap.
	Omit []Range `json:"-"`
	// Fragments are the words of a file that is no Markdown (a canvas, a base, a drawing, a file of data), in reading order.
	// Where a note has some, they are its passages, and its Text is not.
	Fragments []Fragment `json:"-"`
	// BodyLine is the first line after the frontmatter, 1 if there is none.
	BodyLine int `json:"-"`
	// Redactions counts what was found in the file, by rule, sorted by name.
	Redactions []secret.Count `json:"-"`
	// Problems are faults worth telling beside FrontmatterErrors: an encoding that had to be guessed, a cap that was met.
	Problems []Problem `json:"-"`

	filter *secret.Filter // that the note was read with
}

// Redact looks for secrets in a text that was made of the note's, with the filter that it was read with.
func (n *Note) Redact(text string) string {
	redacted, _ := n.filter.Redact(text)
	return redacted
}

// Secrets finds the secrets in a text that was made of the note's, with the filter that it was read with.
func (n *Note) Secrets(text string) []secret.Span { return n.filter.Find([]byte(text)) }

// Range is a stretch of Text in bytes, End exclusive.
type Range struct {
	Start, End int
}

// Fragment is a stretch of a file that is no Markdown, in words for a reader: the text of a card, the filters of a view.
type Fragment struct {
	Heading   string // what it stands under, "" if nothing: the label of a group, the name of a view
	Text      string // redacted
	LineStart int    // 1-based, in the file
	LineEnd   int    // inclusive
}

// Problem is a fault that did not keep the note from being read.
type Problem struct {
	Reason string
	Line   int // 0 where no line is to blame
}

// Tag is a tag without "#", in its own spelling.
type Tag struct {
	Tag    string `json:"tag"`
	Line   int    `json:"line"`
	From   string `json:"from"` // body, frontmatter
	Hidden bool   `json:"hidden"`
	Legacy bool   `json:"legacy"`
}

// FrontmatterError is a fault in the properties.
type FrontmatterError struct {
	Line      int    `json:"line"`
	Message   string `json:"message"`
	Recovered bool   `json:"recovered"` // the properties could be read line by line all the same
}

// Heading is an ATX or setext heading of the document.
type Heading struct {
	Level int    `json:"level"` // 1 to 6
	Text  string `json:"text"`  // as Obsidian has it, with the comments in it
	Line  int    `json:"line"`
	// Plain is Text as a reader is to see it: without comments, encoded files and the marker of a block id, "" if nothing is
	// left.
	Plain string `json:"-"`
	// LineEnd is the last line of the heading itself: larger than Line for a setext heading.
	LineEnd int `json:"-"`
	// ScopeEnd is the last line of the section that the heading opens where that is not told by the headings alone: in
	// Logseq, the last line below a heading whose block has children. 0: up to the next heading of equal or lower level.
	ScopeEnd int `json:"-"`
}

// Link is a link or an embed.
type Link struct {
	Raw      string `json:"raw"`
	Target   string `json:"target"`  // decoded, "" for the note itself
	Subpath  string `json:"subpath"` // with "#"
	Display  string `json:"display"`
	Embed    bool   `json:"embed"`
	Markdown bool   `json:"markdown"`
	External bool   `json:"external"`
	Hidden   bool   `json:"hidden"` // inside a comment
	Relation string `json:"relation"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Offset   int    `json:"offset"`
	// InFrontmatter tells that the link is the value of a property.
	InFrontmatter bool `json:"-"`
	// RelationInside tells that the brackets of the link name the relation: [[rel:NAME Target]].
	RelationInside bool `json:"-"`
}

// Field is a Dataview inline field.
type Field struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Line   int    `json:"line"`
	Hidden bool   `json:"hidden"`
}

// Task is a list item with a checkbox.
type Task struct {
	Status     string `json:"status"` // the character between the brackets
	Text       string `json:"text"`
	Line       int    `json:"line"`
	ParentLine *int   `json:"parent_line"`
}

// Block is a block with an id.
type Block struct {
	ID      string `json:"id"`
	Line    int    `json:"line"`
	LineEnd int    `json:"line_end"`
}

// Callout is a block quote with a type.
type Callout struct {
	Type  string `json:"type"`
	Title string `json:"title"`
	Line  int    `json:"line"`
}

// Section is a top-level block, named as Obsidian does: yaml heading paragraph list code callout blockquote table comment html …
type Section struct {
	Type      string `json:"type"`
	LineStart int    `json:"line_start"`
	LineEnd   int    `json:"line_end"`
}
