// Package joplin reads notes of Joplin: its RAW export, a folder with one file an item, and its JEX file, the same in a tar.
package joplin

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"quarry/convert/export"
	"quarry/internal/lazyregexp"
)

// Kinds of items, by their property type_.
const (
	kindNote     = "1"
	kindNotebook = "2"
	kindResource = "4"
	kindTag      = "5"
	kindTagged   = "6"
	kindRevision = "13"
)

// maxItemBytes bounds the file of one item; Joplin's own notes are far below.
const maxItemBytes = 64 << 20

// reader is what one import knows.
type reader struct {
	tree  *export.Tree
	into  *export.Builder
	items map[string]item              // by id
	order []string                     // ids of items, as they were found
	files map[string]file              // of resources, by id
	tags  map[string][]string          // of notes, by id
	heads map[string]map[string]string // headings of notes by their anchor, filled when needed
}

// file is a file of a tree or of a tar within it.
type file struct {
	path string
	read func() ([]byte, error)
}

var itemName = lazyregexp.New(`^[0-9a-f]{32}$`)

// Read takes the notes, their tags, their notebooks as folders and their resources as attachments. It leaves out copies of conflicts,
// old revisions, encrypted items and the trash. It is an error where nothing is an item of Joplin.
func Read(ctx context.Context, tree *export.Tree, into *export.Builder) error {
	r := &reader{tree: tree, into: into, items: map[string]item{}, files: map[string]file{}, tags: map[string][]string{}, heads: map[string]map[string]string{}}
	for _, f := range tree.Files() {
		if err := ctx.Err(); err != nil {
			return err
		}
		read := func() ([]byte, error) { return tree.Read(f.Path) }
		if strings.EqualFold(path.Ext(f.Path), ".jex") {
			r.archive(ctx, f.Path)
			continue
		}
		r.file(file{f.Path, read}, f.Bytes)
	}
	if len(r.items) == 0 {
		return fmt.Errorf("read Joplin's export: %w", export.ErrNothing)
	}
	r.tagNotes()
	for _, id := range r.order {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.take(r.items[id])
	}
	return nil
}

// file takes a file for an item or for what a resource holds.
func (r *reader) file(f file, size int64) {
	stem := strings.TrimSuffix(path.Base(f.path), path.Ext(f.path))
	switch {
	case !itemName.MatchString(stem):
		r.into.LeaveOut("not an item of Joplin", f.path)
	case path.Base(path.Dir(f.path)) == "resources":
		r.files[stem] = f
	case path.Ext(f.path) != ".md":
		r.into.LeaveOut("not an item of Joplin", f.path)
	case size > maxItemBytes:
		r.into.Problem(f.path, "%v", export.ErrTooLarge)
	default:
		r.item(f, stem)
	}
}

func (r *reader) item(f file, stem string) {
	content, err := f.read()
	if err == nil && len(content) > maxItemBytes {
		err = export.ErrTooLarge
	}
	if err != nil {
		r.into.Problem(f.path, "%v", err)
		return
	}
	made, ok := parseItem(string(content))
	if !ok {
		r.into.Problem(f.path, "it has no lines that say what it is")
		return
	}
	if made.id() == "" {
		made.properties["id"] = stem
	}
	if _, ok := r.items[made.id()]; ok {
		r.into.Problem(f.path, "there is another item with its id; this one is left out")
		return
	}
	r.items[made.id()] = made
	r.order = append(r.order, made.id())
}

// tagNotes finds the tags of each note.
func (r *reader) tagNotes() {
	for _, id := range r.order {
		it := r.items[id]
		if it.kind() != kindTagged {
			continue
		}
		if tag, ok := r.items[it.properties["tag_id"]]; ok && tag.kind() == kindTag && tag.title != "" {
			note := it.properties["note_id"]
			r.tags[note] = append(r.tags[note], tag.title)
		}
	}
}

// take makes of an item what it is.
func (r *reader) take(it item) {
	isEncrypted := it.properties["encryption_applied"] == "1"
	switch kind := it.kind(); {
	case kind == kindRevision:
		r.into.LeaveOut("old revision", it.id())
	case isEncrypted && (kind == kindNote || kind == kindResource || kind == kindNotebook):
		r.into.LeaveOut("encrypted", it.id())
	case kind == kindResource:
		r.resource(it)
	case kind != kindNote:
	case it.properties["is_conflict"] == "1":
		r.into.LeaveOut("copy of a conflict", it.name())
	case isSet(it.properties["deleted_time"]):
		r.into.LeaveOut("in the trash", it.name())
	default:
		r.note(it)
	}
}

var errNotThere = errors.New("its file is not in the export")

func (r *reader) resource(it item) {
	f, ok := r.files[it.id()]
	switch {
	case it.properties["encryption_blob_encrypted"] == "1":
		r.into.LeaveOut("encrypted", it.name())
	case !ok:
		r.into.Problem(it.name(), "%v", errNotThere)
	default:
		r.into.Attachments = append(r.into.Attachments, export.Attachment{ID: it.id(), Path: "resources/" + it.fileName(path.Ext(f.path)), Read: f.read})
	}
}
