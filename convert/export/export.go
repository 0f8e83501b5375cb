// Package export is what lies between the readers of other apps' exports and the vault: the tree that a user hands over, read within
// bounds, and the notes, attachments and faults that a reader finds in it.
package export

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"quarry/internal/draft"
)

// Reader finds the notes of one app's export in a tree. A fault of one note is a Problem of the builder; an error ends the import
// and is for what makes the whole export unreadable.
type Reader func(ctx context.Context, tree *Tree, into *Builder) error

// ErrNothing tells that the tree holds nothing of this format.
var ErrNothing = errors.New("nothing of this format is in it")

// Note is a note of an export.
type Note struct {
	// ID is what the app calls it, the same in every export, unique in this one; links name it. "": its path.
	ID string
	// Path is where it lay, "Folder/Name" without an extension, with "/" between names as the app shows them (a "/" within a name is
	// Slash): the planner makes them valid and unique.
	Path string
	// Names are further names by which links of the export mean it; Path and Title count in any case.
	Names []string
	// IsWhole tells that the body is the whole file, frontmatter and all, and stays as it is; its name stays, too, as far as every
	// system takes it.
	IsWhole bool
	draft.Note
}

// Slash stands for a "/" within a name of a path: "∕".
const Slash = "∕"

// Attachment is a file beside notes.
type Attachment struct {
	ID   string                 // as of a note
	Path string                 // as of a note, with its extension
	Read func() ([]byte, error) // its bytes; called at most once
	// IsBeside tells that it stays where it lay beside its notes, since they name it by that.
	IsBeside bool
}

// Target is what a link of an export points at.
type Target struct {
	ID      string // of a note or an attachment; "": by Name
	Name    string // the title, path or further name of a note, where ID is ""
	Heading string // within the note, "" for none
	Block   string // id of a block within the note, without "^"; letters, digits and "-"
	Text    string // shown, as Markdown; "": the name of the note
	IsEmbed bool
	Size    string // of an embedded picture: "240" or "240x100"
	// Otherwise is written where there is no such note, and the link is reported. "": Text.
	Otherwise string
	// Written is a link of Obsidian's form that stays as it is where Name still means the same file; "": there is none.
	Written string
}

// Problem is a fault of an export, of one note or file in it.
type Problem struct {
	Where  string `json:"where"`
	Reason string `json:"reason"`
}

// Builder takes what a reader finds. It is for one goroutine.
type Builder struct {
	Notes       []Note
	Attachments []Attachment
	Problems    []Problem
	LeftOut     map[string][]string // by reason, what was left out on purpose
	Lost        map[string]int      // by what: marks, drawings, sizes that notes cannot keep

	targets []Target
	mark    string
}

// NewBuilder makes one. Mark is unlikely in any text, and the same for the same input.
func NewBuilder(mark string) *Builder {
	return &Builder{LeftOut: map[string][]string{}, Lost: map[string]int{}, mark: mark}
}

// Link is a placeholder that stands for a link in the body of a note, or in a text property of it, until the planner knows all names.
func (b *Builder) Link(to Target) string {
	b.targets = append(b.targets, to)
	return b.opening() + strconv.Itoa(len(b.targets)-1) + closing
}

const closing = "\uE0FF"

func (b *Builder) opening() string { return "\uE0FE" + b.mark + ":" }

// Resolve replaces the placeholders of a text; write gives the text of a link.
func (b *Builder) Resolve(text string, write func(Target) string) string {
	opening := b.opening()
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, opening)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		number, after, ends := strings.Cut(rest, closing)
		index, err := strconv.Atoi(number)
		if !ends || err != nil || index < 0 || index >= len(b.targets) {
			text = rest
			continue
		}
		out.WriteString(write(b.targets[index]))
		text = after
	}
}

// Problem reports a fault; where is a path of the tree or a title.
func (b *Builder) Problem(where, reason string, values ...any) {
	b.Problems = append(b.Problems, Problem{where, fmt.Sprintf(reason, values...)})
}

// LeaveOut reports something that is left out on purpose.
func (b *Builder) LeaveOut(reason, what string) { b.LeftOut[reason] = append(b.LeftOut[reason], what) }
