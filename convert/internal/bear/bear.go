// Package bear reads notes of Bear: Markdown with folders of attachments beside it, text bundles as folders (.textbundle) and zips
// (.textpack), and its backup (.bear2bk), a zip of text bundles.
package bear

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"quarry/convert/export"
)

// maxTextBytes bounds the text of one note.
const maxTextBytes = 16 << 20

// file is a file of a tree, or of a zip within it.
type file struct {
	path     string
	bytes    int64
	modified time.Time
	read     func() ([]byte, error)
}

// reader is what one import knows.
type reader struct {
	into   *export.Builder
	files  map[string]file
	order  []string
	titles map[string]string // the id of the note of a title
	taken  map[string]bool   // files that are attachments by now
	ids    map[string]bool   // of notes
	zips   int
}

// Read takes the notes, their tags, dates where a bundle tells them, links and attachments. It leaves out the trash and what is locked.
func Read(ctx context.Context, tree *export.Tree, into *export.Builder) error {
	r := &reader{into: into, files: map[string]file{}, titles: map[string]string{}, taken: map[string]bool{}, ids: map[string]bool{}}
	for _, f := range tree.Files() {
		if isZip(f.Path) {
			r.zips++
		}
	}
	for _, f := range tree.Files() {
		if err := ctx.Err(); err != nil {
			return err
		}
		read := func() ([]byte, error) { return tree.Read(f.Path) }
		if made := (file{f.Path, f.Bytes, f.Modified, read}); isZip(f.Path) {
			r.archive(ctx, made)
		} else {
			r.add(made)
		}
	}
	var notes []*note
	for _, name := range r.order {
		if err := ctx.Err(); err != nil {
			return err
		}
		if n := r.open(r.files[name]); n != nil {
			notes = append(notes, n)
			if r.titles[n.title] == "" {
				r.titles[n.title] = n.id
			}
		}
	}
	if len(notes) == 0 && len(into.LeftOut) == 0 {
		return fmt.Errorf("read Bear's export: %w", export.ErrNothing)
	}
	for _, n := range notes {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.note(n)
	}
	r.rest(notes)
	return nil
}

func isZip(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".textpack", ".bear2bk", ".bearbk":
		return true
	}
	return false
}

func (r *reader) add(f file) {
	if _, ok := r.files[f.path]; ok {
		r.into.Problem(f.path, "there is another file of this name")
		return
	}
	r.files[f.path] = f
	r.order = append(r.order, f.path)
}

// rest takes attachments that no text names, and reports what belongs to no note.
func (r *reader) rest(notes []*note) {
	folders := map[string]bool{}
	for _, n := range notes {
		folders[n.assets] = true
	}
	for _, name := range r.order {
		switch {
		case r.taken[name] || path.Base(name) == "info.json" && bundleOf(name) != "" || isText(name):
		case folders[path.Dir(name)]:
			r.attach(name)
		default:
			r.into.LeaveOut("of no note", name)
		}
	}
}

// attach makes an attachment of a file, once.
func (r *reader) attach(name string) {
	if r.taken[name] {
		return
	}
	r.taken[name] = true
	f := r.files[name]
	place := name
	if bundle := bundleOf(name); bundle != "" { // "Boat.textbundle/assets/a.png" lies at "Boat/a.png"
		place = stem(bundle) + "/" + path.Base(name)
	}
	r.into.Attachments = append(r.into.Attachments, export.Attachment{ID: "file:" + name, Path: place, Read: f.read})
}

// isText tells whether a file is a note's text.
func isText(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".txt":
		return bundleOf(name) == "" || path.Dir(name) == bundleOf(name) && stem(path.Base(name)) == "text"
	}
	return false
}

// bundleOf is the path of the text bundle that a file lies in, "" for none.
func bundleOf(name string) string {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if strings.EqualFold(path.Ext(dir), ".textbundle") {
			return dir
		}
	}
	return ""
}

// stem is a path without its extension.
func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }
