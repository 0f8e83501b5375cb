// Package takeout reads what Google Takeout hands out of a person's data: notes of Keep and documents of Drive. Other products are left
// out and counted.
package takeout

import (
	"context"
	"fmt"
	"path"
	"strings"

	"quarry/convert/export"
	"quarry/internal/lazyregexp"
)

// maxNoteBytes bounds the text of one note.
const maxNoteBytes = 32 << 20

// reader is what one import knows.
type reader struct {
	tree    *export.Tree
	into    *export.Builder
	root    string                 // folder of all products, with "/", "" for none
	isDrive bool                   // all is one folder of Drive
	keep    map[string]bool        // folders of Keep
	pages   map[string]export.File // pages, by path without extension
	used    map[string]bool        // files that are attachments
	trashed map[string]bool        // files of notes in the trash
	stems   map[string]string      // files beside notes, by path without extension
}

var (
	keepName  = lazyregexp.New(`(?i)^(?:google )?(?:keep|notizen)$`)
	driveName = lazyregexp.New(`(?i)^(?:(?:google )?drive|my drive|meine ablage)$`)
)

// Read takes the notes of Keep and the documents of Drive. Without a folder "Takeout" or notes of Keep, all is taken for a folder of
// Drive. It is an error where there is neither.
func Read(ctx context.Context, tree *export.Tree, into *export.Builder) error {
	r := &reader{tree: tree, into: into, keep: map[string]bool{}, pages: map[string]export.File{}, used: map[string]bool{}, trashed: map[string]bool{}, stems: map[string]string{}}
	r.survey()
	found := 0
	var others []export.File
	for _, f := range tree.Files() {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch product := r.product(f.Path); {
		case r.keep[path.Dir(f.Path)]:
			found++
			if !r.keepFile(f) {
				others = append(others, f)
			}
		case product == "" || driveName.MatchString(product), r.isDrive:
			if r.driveFile(ctx, f) {
				found++
			} else {
				others = append(others, f)
			}
		default:
			into.LeaveOut("another product: "+product, f.Path)
		}
	}
	for _, f := range others {
		r.rest(f)
	}
	if found == 0 {
		return fmt.Errorf("read Google Takeout: %w", export.ErrNothing)
	}
	return nil
}

// survey finds the folder of all products and the folders of Keep, which may have other names in other languages: there each note is
// kept twice, as JSON and as HTML.
func (r *reader) survey() {
	r.isDrive = !r.tree.Has("archive_browser.html")
	for _, f := range r.tree.Files() {
		if at := strings.Index("/"+f.Path, "/Takeout/"); at >= 0 && r.root == "" {
			r.root = f.Path[:at] + "Takeout/"
		}
		stem := strings.TrimSuffix(f.Path, path.Ext(f.Path))
		if driveName.MatchString(r.product(f.Path)) {
			r.isDrive = false
		}
		if path.Ext(f.Path) == ".html" {
			r.pages[stem] = f
		}
		if keepName.MatchString(path.Base(path.Dir(f.Path))) || path.Ext(f.Path) == ".json" && r.tree.Has(stem+".html") || path.Ext(f.Path) == ".json" && len(r.tree.Files()) == 1 && !strings.Contains(f.Path, "/") {
			r.keep[path.Dir(f.Path)] = true
		}
		if r.stems[stem] == "" || !isText(f.Path) {
			r.stems[stem] = f.Path
		}
	}
	r.isDrive = r.isDrive && r.root == "" && len(r.keep) == 0
}

func isText(name string) bool {
	extension := strings.ToLower(path.Ext(name))
	return extension == ".json" || extension == ".html"
}

// product is the product of Google that a file belongs to, "" for a file beside all.
func (r *reader) product(name string) string {
	product, _, isFolder := strings.Cut(strings.TrimPrefix(name, r.root), "/")
	if !isFolder {
		return ""
	}
	return product
}

// below is a path without the folder of all products.
func (r *reader) below(name string) string { return strings.TrimPrefix(name, r.root) }

// rest tells of a file that is no note: attachments are told as such already.
func (r *reader) rest(f export.File) {
	switch {
	case r.used[f.Path]:
	case r.trashed[f.Path]:
		r.into.LeaveOut("Keep: a file of a note in the trash", f.Path)
	case r.keep[path.Dir(f.Path)]:
		r.into.LeaveOut("Keep: a file that no note shows", f.Path)
	default:
		r.into.LeaveOut("no document", f.Path)
	}
}

// attach hands a file out as an attachment and links to it.
func (r *reader) attach(name, text string, isEmbed bool) string {
	if !r.used[name] {
		r.used[name] = true
		r.into.Attachments = append(r.into.Attachments, export.Attachment{ID: name, Path: r.below(name), Read: func() ([]byte, error) { return r.tree.Read(name) }})
	}
	return r.into.Link(export.Target{ID: name, Text: text, IsEmbed: isEmbed, Otherwise: text})
}

// read gives the text of a file; a problem is reported.
func (r *reader) read(f export.File) (string, bool) {
	if f.Bytes > maxNoteBytes {
		r.into.Problem(f.Path, "%v", export.ErrTooLarge)
		return "", false
	}
	content, err := r.tree.Read(f.Path)
	if err == nil && len(content) > maxNoteBytes {
		err = export.ErrTooLarge
	}
	if err != nil {
		r.into.Problem(f.Path, "%v", err)
		return "", false
	}
	return strings.TrimPrefix(strings.ToValidUTF8(string(content), "\uFFFD"), "\ufeff"), true
}

func (r *reader) lost(counts map[string]int) {
	for what, count := range counts {
		r.into.Lost[what] += count
	}
}
