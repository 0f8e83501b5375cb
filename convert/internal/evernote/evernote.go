// Package evernote reads notebooks that Evernote exported, files of the kind .enex. Nothing that such a file refers to is followed, and
// no entity of its own is known.
package evernote

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"quarry/convert/export"
	"quarry/internal/draft"
)

// reader is what one import knows.
type reader struct {
	tree  *export.Tree
	into  *export.Builder
	ids   map[string]int  // of notes, how often they came
	files map[string]bool // attachments that are handed out, by hash
	last  lastFile
}

// lastFile is the notebook that was read last: attachments of one are asked for one after another.
type lastFile struct {
	path    string
	content []byte
}

// Read takes the notes of all notebooks, each notebook as a folder. A note that cannot be read is reported. It is an error where there
// is no notebook.
func Read(ctx context.Context, tree *export.Tree, into *export.Builder) error {
	r := &reader{tree: tree, into: into, ids: map[string]int{}, files: map[string]bool{}}
	notebooks := 0
	for _, f := range tree.Files() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !strings.EqualFold(path.Ext(f.Path), ".enex") {
			into.LeaveOut("not a notebook of Evernote", f.Path)
			continue
		}
		notebooks++
		if err := r.notebook(ctx, f); err != nil {
			return err
		}
	}
	if notebooks == 0 {
		return fmt.Errorf("read Evernote's export: %w", export.ErrNothing)
	}
	return nil
}

// notebook takes the notes of one file; the error is the context's.
func (r *reader) notebook(ctx context.Context, f export.File) error {
	content, err := r.read(f.Path)
	if err != nil {
		r.into.Problem(f.Path, "%v", err)
		return nil
	}
	found := 0
	for start, end := range notes(content) {
		if err := ctx.Err(); err != nil {
			return err
		}
		found++
		where := fmt.Sprintf("%s, note %d", f.Path, found)
		n, err := parseNote(content[start:end], start)
		if err != nil {
			r.into.Problem(where+titled(n.title), "%v", err)
		}
		if err == nil || n.content != "" {
			r.add(f, where, n)
		}
	}
	if found == 0 && !bytes.Contains(content[:min(len(content), 4096)], []byte("<en-export")) {
		r.into.Problem(f.Path, "it is no notebook of Evernote")
	}
	return nil
}

func titled(title string) string {
	if title == "" {
		return ""
	}
	return ", " + draft.TitleLine(title)
}

// notes gives where each note of a notebook begins and ends: one that has no end ends where the next begins.
func notes(content []byte) func(func(start, end int) bool) {
	return func(yield func(int, int) bool) {
		start := nextNote(content, 0)
		for start >= 0 {
			next := nextNote(content, start+len("<note"))
			most := len(content)
			if next >= 0 {
				most = next
			}
			end := most
			if at := bytes.Index(content[start:most], []byte("</note>")); at >= 0 {
				end = start + at + len("</note>")
			}
			if !yield(start, end) {
				return
			}
			start = next
		}
	}
}

func nextNote(content []byte, from int) int {
	for {
		at := bytes.Index(content[from:], []byte("<note"))
		if at < 0 {
			return -1
		}
		from += at
		after := from + len("<note")
		if after < len(content) && strings.IndexByte("> \t\r\n", content[after]) >= 0 {
			return from
		}
		from = after
	}
}

func (r *reader) add(f export.File, where string, n *note) {
	book := strings.TrimSuffix(f.Path, path.Ext(f.Path))
	title := strings.Join(strings.Fields(n.title), " ")
	if title == "" {
		title = "Untitled"
	}
	id := book + "/" + title + "@" + n.fields["created"]
	if r.ids[id]++; r.ids[id] > 1 {
		id = fmt.Sprintf("%s#%d", id, r.ids[id])
	}
	n.title = title
	body, err := r.body(n, book, where)
	if err != nil {
		r.into.Problem(where+titled(title), "%v", err)
	}
	made := export.Note{ID: id, Path: path.Join(book, strings.ReplaceAll(title, "/", export.Slash)), Note: draft.Note{Title: title, Tags: n.tags, Source: n.fields["source-url"], Body: body}}
	made.Created, made.Updated = parseTime(n.fields["created"]), parseTime(n.fields["updated"])
	if made.Created.IsZero() && f.Modified.Year() >= 1980 { // a zip may have none
		made.Created = f.Modified
	}
	made.Properties = n.properties()
	r.into.Notes = append(r.into.Notes, made)
}

// properties are what a note has beside its text.
func (n *note) properties() []draft.Property {
	var made []draft.Property
	for _, p := range []struct{ name, field string }{{"author", "author"}, {"place", "place-name"}} {
		if value := n.fields[p.field]; value != "" {
			made = append(made, draft.Property{Name: p.name, Value: value})
		}
	}
	for _, p := range []struct{ name, field string }{{"reminder", "reminder-time"}, {"reminder-done", "reminder-done-time"}} {
		if when := parseTime(n.fields[p.field]); !when.IsZero() {
			made = append(made, draft.Property{Name: p.name, Value: when})
		}
	}
	if latitude, longitude := n.fields["latitude"], n.fields["longitude"]; latitude != "" && longitude != "" && strings.Trim(latitude+longitude, "0.-") != "" {
		made = append(made, draft.Property{Name: "location", Value: latitude + "," + longitude})
	}
	return made
}

func parseTime(text string) time.Time {
	for _, layout := range []string{"20060102T150405Z", time.RFC3339Nano} {
		if when, err := time.Parse(layout, text); err == nil && when.Year() > 1 {
			return when.UTC()
		}
	}
	return time.Time{}
}

func (r *reader) read(name string) ([]byte, error) {
	if r.last.path == name {
		return r.last.content, nil
	}
	content, err := r.tree.Read(name)
	if err == nil {
		r.last = lastFile{name, content}
	}
	return content, err
}

// attachment hands a file of a note out, once, and gives its id.
func (r *reader) attachment(f *file, book, title string) string {
	id := "evernote-" + f.hash
	if r.files[f.hash] {
		return id
	}
	r.files[f.hash] = true
	name := strings.ReplaceAll(f.name, "/", export.Slash)
	if name == "" || !utf8.ValidString(name) {
		name = strings.ReplaceAll(title, "/", export.Slash)
	}
	if path.Ext(name) == "" || name == title {
		name += extensionOf(f.mediaType)
	}
	source := book + ".enex"
	if !r.tree.Has(source) {
		source = r.last.path
	}
	start, end := f.start, f.end
	r.into.Attachments = append(r.into.Attachments, export.Attachment{ID: id, Path: path.Join(book, name), Read: func() ([]byte, error) {
		content, err := r.read(source)
		if err != nil || end > len(content) {
			return nil, fmt.Errorf("read %s of %s: %w", name, source, err)
		}
		return decode(content[start:end])
	}})
	return id
}
