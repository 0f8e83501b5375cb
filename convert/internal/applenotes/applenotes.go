// Package applenotes reads notes of Apple's Notes as the known exporters write them: HTML as Notes itself gives it to scripts, plain
// text as Apple hands out a person's data, and Markdown, each with its folders and the files beside.
package applenotes

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"quarry/convert/export"
	"quarry/internal/draft"
	"quarry/internal/markdown"
)

// maxTitle is the length, in characters, up to which a first line is a title alone; a longer one stays in the text, too.
const maxTitle = 150

// reader is what one import knows.
type reader struct {
	tree     *export.Tree
	into     *export.Builder
	notes    map[string]bool            // files that are notes
	folders  map[string]map[string]bool // of notes, with the stems of those that lie in it
	used     map[string]bool            // attachments that a note shows, by path
	pictures map[string]bool            // ids of pictures that were taken out of HTML
	last     lastFile
}

// lastFile is the file that was read last: pictures within one are asked for one after another.
type lastFile struct {
	path    string
	content []byte
}

// Read takes each HTML, text and Markdown file for a note, all others for attachments. It is an error where there is no note.
func Read(ctx context.Context, tree *export.Tree, into *export.Builder) error {
	r := &reader{tree: tree, into: into, notes: map[string]bool{}, folders: map[string]map[string]bool{}, used: map[string]bool{}, pictures: map[string]bool{}}
	files := tree.Files()
	for _, f := range files {
		if isNote(f.Path) {
			r.notes[f.Path] = true
			dir := path.Dir(f.Path)
			if r.folders[dir] == nil {
				r.folders[dir] = map[string]bool{}
			}
			r.folders[dir][strings.TrimSuffix(f.Path, path.Ext(f.Path))] = true
		}
	}
	if len(r.notes) == 0 {
		return fmt.Errorf("read Apple Notes: %w", export.ErrNothing)
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if r.notes[f.Path] {
			r.note(f)
			continue
		}
		into.Attachments = append(into.Attachments, export.Attachment{ID: f.Path, Path: f.Path, Read: func() ([]byte, error) { return tree.Read(f.Path) }})
	}
	return nil
}

var extensions = []string{".html", ".htm", ".md", ".markdown", ".txt"}

func isNote(name string) bool { return slices.Contains(extensions, strings.ToLower(path.Ext(name))) }

// found is a note as a file has it.
type found struct {
	title, body      string
	tags             []string
	created, updated time.Time
}

func (r *reader) note(f export.File) {
	stem := strings.TrimSuffix(f.Path, path.Ext(f.Path))
	if other := r.better(f.Path, stem); other != "" {
		r.into.LeaveOut("the same note in another form", f.Path)
		return
	}
	content, err := r.read(f.Path)
	if err != nil {
		r.into.Problem(f.Path, "%v", err)
		return
	}
	text := strings.TrimPrefix(strings.ToValidUTF8(string(content), "\uFFFD"), "\ufeff")
	var got found
	switch strings.ToLower(path.Ext(f.Path)) {
	case ".html", ".htm":
		got = r.html(f.Path, text)
	case ".txt":
		got = r.plain(text)
	default:
		got = r.markdown(f.Path, text)
	}
	r.add(f, stem, got)
}

// better is the file in which the same note is kept in a form that holds more, "" for none.
func (r *reader) better(name, stem string) string {
	for _, extension := range extensions {
		if strings.EqualFold(path.Ext(name), extension) {
			return ""
		}
		if r.notes[stem+extension] {
			return stem + extension
		}
	}
	return ""
}

func (r *reader) add(f export.File, stem string, got found) {
	dir, name := path.Split(stem)
	dir = strings.TrimSuffix(dir, "/")
	if got.title == "" {
		got.title = name
	}
	// A note may lie in a folder of its own, with the files that it shows.
	if path.Base(dir) == name && len(r.folders[dir]) == 1 {
		got.body += r.rest(dir)
		dir = strings.TrimSuffix(strings.TrimSuffix(dir, name), "/")
	}
	if got.created.IsZero() && f.Modified.Year() >= 1980 { // a zip may have none
		got.created = f.Modified
	}
	n := export.Note{ID: f.Path, Path: path.Join(dir, strings.ReplaceAll(got.title, "/", export.Slash)), Names: []string{stem, name}}
	n.Note = draft.Note{Title: got.title, Tags: got.tags, Created: got.created, Updated: got.updated, Body: got.body}
	r.into.Notes = append(r.into.Notes, n)
}

// rest shows the files beside a note in its own folder that its text does not show.
func (r *reader) rest(dir string) string {
	var b strings.Builder
	files := r.tree.Files()
	first, _ := slices.BinarySearchFunc(files, dir+"/", func(f export.File, prefix string) int { return strings.Compare(f.Path, prefix) })
	for _, f := range files[first:] {
		if !strings.HasPrefix(f.Path, dir+"/") {
			break
		}
		if !r.notes[f.Path] && !r.used[f.Path] {
			b.WriteString("\n\n" + r.file(f.Path, "", true))
		}
	}
	return b.String()
}

// file is a link to a file of the export.
func (r *reader) file(name, text string, isEmbed bool) string {
	r.used[name] = true
	return r.into.Link(export.Target{ID: name, Text: text, IsEmbed: isEmbed && !r.notes[name], Otherwise: text})
}

// local is the file that an address within a note means; ok is false where it means something else.
func (r *reader) local(from, address string) (_ string, ok bool) {
	address, _, _ = strings.Cut(strings.TrimPrefix(address, "file://"), "#")
	if address == "" || strings.Contains(strings.SplitN(address, "/", 2)[0], ":") {
		return "", false
	}
	for _, name := range []string{address, unescaped(address)} {
		if at := path.Join(path.Dir(from), name); r.tree.Has(at) {
			return at, true
		}
	}
	return path.Join(path.Dir(from), unescaped(address)), isPicture(address)
}

func unescaped(address string) string {
	if plain, err := url.PathUnescape(address); err == nil {
		return plain
	}
	return address
}

func isPicture(name string) bool {
	return slices.Contains([]string{".png", ".jpg", ".jpeg", ".gif", ".heic", ".webp", ".tiff", ".pdf", ".svg"}, strings.ToLower(path.Ext(name)))
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

// noteLink is a link to the note of a title.
func (r *reader) noteLink(title string) string {
	return r.into.Link(export.Target{Name: title, Otherwise: markdown.Escape(title)})
}

func isNoteLink(address string) bool {
	return strings.HasPrefix(strings.ToLower(address), "applenotes:") || strings.HasPrefix(strings.ToLower(address), "notes://")
}
