package note

import "quarry/secret"

// Dialect is the app whose rules a vault is written by: how its notes are read, and how its links are resolved.
type Dialect string

// Dialects. Obsidian is that of plain folders of Markdown, too.
const (
	Obsidian Dialect = "obsidian"
	Logseq   Dialect = "logseq"
	Foam     Dialect = "foam"
	Dendron  Dialect = "dendron"
)

// Parse reads one file as Parse does, by the rules of the dialect; an unknown one is read as Obsidian.
func (d Dialect) Parse(name string, raw []byte, spans []secret.Span) *Note {
	return parse(d, name, raw, spans)
}

// readMarkdown reads the text of a note by the rules of the dialect.
func (d Dialect) readMarkdown(n *Note, s *source, raw []byte, name string) {
	readMarkdown(n, s, raw)
}
