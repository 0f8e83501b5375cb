package note

import "quarry/internal/dialect"

// markdownReader reads the text of a note, which lies at a path in the vault.
type markdownReader func(n *Note, s *source, name string)

// markdownReaderOf gives the reader of a dialect; an unknown one is read as Obsidian.
//
// Logseq: every bullet is a block; "key:: value" in the first block are properties, "id::" names a block, a tag is a link
// to the page of its name too, and what only the app needs is in Omit. Foam: generated link definitions are in Omit.
// Dendron: the alias of a link comes first, the vault of "dendron://vault/note" is dropped, "#a.b" is the tag a/b and a link
// to the note tags.a.b, "@a" is one to user.a, and created and updated are dates.
func markdownReaderOf(d dialect.Dialect) markdownReader {
	switch d {
	case dialect.Logseq:
		return readLogseq
	case dialect.Foam:
		return readFoam
	case dialect.Dendron:
		return readDendron
	}
	return readMarkdown
}
