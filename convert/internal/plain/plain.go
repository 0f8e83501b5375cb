// Package plain reads folders and zips of Markdown files, of whatever app: the text stays as it is, byte for byte, but for links whose
// targets get another name or place.
package plain

import (
	"context"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"quarry/convert/export"
	"quarry/internal/draft"
)

// reader is what one import knows.
type reader struct {
	tree   *export.Tree
	into   *export.Builder
	byPath map[string]string   // folded path → path
	byName map[string][]string // folded name → paths
}

// Read takes Markdown files as notes and all other files as attachments. Files and folders whose names begin with a dot are settings of
// apps and left out. It is an error where no file is Markdown.
func Read(ctx context.Context, tree *export.Tree, into *export.Builder) error {
	r := &reader{tree: tree, into: into, byPath: map[string]string{}, byName: map[string][]string{}}
	var notes, others []export.File
	for _, f := range tree.Files() {
		switch {
		case isHidden(f.Path):
			into.LeaveOut("settings of an app", f.Path)
			continue
		case isNote(f.Path):
			notes = append(notes, f)
		default:
			others = append(others, f)
		}
		r.know(f.Path)
	}
	if len(notes) == 0 {
		return fmt.Errorf("read Markdown files: %w", export.ErrNothing)
	}
	for _, f := range notes {
		if err := ctx.Err(); err != nil {
			return err
		}
		content, err := tree.Read(f.Path)
		if err != nil {
			into.Problem(f.Path, "%v", err)
			continue
		}
		r.take(f, string(content))
	}
	for _, f := range others {
		r.attach(f)
	}
	return nil
}

func isHidden(file string) bool { return strings.HasPrefix(file, ".") || strings.Contains(file, "/.") }

func isNote(file string) bool {
	extension := strings.ToLower(path.Ext(file))
	return extension == ".md" || extension == ".markdown" || extension == ".mdown" || extension == ".mkd"
}

func (r *reader) know(file string) {
	key := strings.ToLower(file)
	if _, ok := r.byPath[key]; !ok {
		r.byPath[key] = file
	}
	r.byName[path.Base(key)] = append(r.byName[path.Base(key)], file)
}

func (r *reader) attach(f export.File) {
	if extension := strings.ToLower(path.Ext(f.Path)); extension == ".canvas" || extension == ".base" {
		r.into.Lost["paths in "+extension+" files, which stay as they were"]++
	}
	r.into.Attachments = append(r.into.Attachments, export.Attachment{ID: f.Path, Path: f.Path, Read: func() ([]byte, error) { return r.tree.Read(f.Path) }})
}

// take makes a note of a file. One without frontmatter gets it.
func (r *reader) take(f export.File, text string) {
	if !utf8.ValidString(text) {
		r.into.Problem(f.Path, "it is not UTF-8; it stays as it is, and what is read of it may be wrong")
	}
	stem := strings.TrimSuffix(f.Path, path.Ext(f.Path))
	n := export.Note{ID: f.Path, Path: stem, Note: draft.Note{Title: path.Base(stem), Type: "note", Updated: f.Modified}}
	head, body := splitFrontmatter(text)
	if head == "" {
		head = draft.Note{Title: n.Title, Type: n.Type, Created: f.Modified}.String()
	}
	n.Body, n.IsWhole = head+r.linked(f.Path, body), true
	r.into.Notes = append(r.into.Notes, n)
}

// splitFrontmatter parts a text behind its frontmatter; head is "" where it has none.
func splitFrontmatter(text string) (head, body string) {
	first, rest, found := strings.Cut(strings.TrimPrefix(text, "\ufeff"), "\n")
	if !found || strings.TrimRight(first, " \t\r") != "---" {
		return "", strings.TrimPrefix(text, "\ufeff")
	}
	for at := 0; at < len(rest); {
		line, _, _ := strings.Cut(rest[at:], "\n")
		at += len(line)
		isEnd := strings.TrimRight(line, " \t\r") == "---"
		if at < len(rest) {
			at++
		}
		if isEnd {
			end := len(text) - len(rest) + at
			return text[:end], text[end:]
		}
	}
	return "", text
}
