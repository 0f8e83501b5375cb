// Package export is what lies between the readers of other apps' exports and the vault: the tree that a user hands over, read within
// bounds, and the notes, attachments and faults that a reader finds in it.
package export

import (
	"quarry/internal/draft"
)

// Note is a note of an export.
type Note struct {
	// ID is what the app calls it, unique in the export; links name it.
	ID string
	// Path is where it lay, "Folder/Name" without an extension, with "/" and names as the app shows them: the planner makes them
	// valid and unique.
	Path string
	// Aliases are further names by which links of the export mean it.
	Aliases []string
	draft.Note
}

// Attachment is a file beside notes.
type Attachment struct {
	ID   string
	Name string // as the app shows it, with its extension
	// Read gives its bytes.
	Read func() ([]byte, error)
}

// Target is what a link of an export points at.
type Target struct {
	ID      string // of a note or an attachment; "": by Name
	Name    string // the title or path of a note
	Heading string // within the note, "" for none
	Block   string // id of a block within the note
	Text    string // shown; "": the name of the note
	IsEmbed bool
}
