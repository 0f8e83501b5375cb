// Package docx reads documents of Word, and of Google Docs, LibreOffice and others that write its format.
package docx

import (
	"context"
	"encoding/xml"
	"fmt"
	"path"
	"strings"
	"unicode"

	"quarry/convert/export"
	"quarry/internal/draft"
)

// Read takes each document of a tree as a note. It leaves out documents of the old format and locks of open ones. It is an error
// where there is none.
func Read(ctx context.Context, tree *export.Tree, into *export.Builder) error {
	l := &library{tree: tree}
	found := 0
	for _, f := range tree.Files() {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch extension := strings.ToLower(path.Ext(f.Path)); {
		case strings.HasPrefix(path.Base(f.Path), "~$"):
			into.LeaveOut("lock of an open document", f.Path)
		case extension == ".doc" || extension == ".dot" || extension == ".rtf":
			into.LeaveOut("old format; save it as .docx", f.Path)
			found++
		case extension == ".docx" || extension == ".docm":
			found++
			if err := l.read(ctx, f, into); err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				into.Problem(f.Path, "%v", err)
			}
		default:
			into.LeaveOut("no document of Word", f.Path)
		}
	}
	if found == 0 {
		return fmt.Errorf("read documents of Word: %w", export.ErrNothing)
	}
	return nil
}

// ReadFile adds the note of one document of a tree. An error tells why there is none.
func ReadFile(ctx context.Context, tree *export.Tree, f export.File, into *export.Builder) error {
	return (&library{tree: tree}).read(ctx, f, into)
}

// library keeps the document that was opened last, for the pictures in it.
type library struct {
	tree    *export.Tree
	where   string
	archive *archive
}

func (l *library) open(where string) (*archive, error) {
	if l.where == where && l.archive != nil {
		return l.archive, nil
	}
	content, err := l.tree.Read(where)
	if err != nil {
		return nil, err
	}
	made, err := openArchive(content)
	if err != nil {
		return nil, err
	}
	l.where, l.archive = where, made
	return made, nil
}

func (l *library) read(ctx context.Context, f export.File, into *export.Builder) error {
	a, err := l.open(f.Path)
	if err != nil {
		return err
	}
	text, core, err := a.main()
	if err != nil {
		return err
	}
	d := &document{
		archive: a, library: l, into: into, where: f.Path, check: ctx.Err, part: text,
		counters: map[string]*[maxLevel + 1]int{}, anchors: map[string]string{}, near: map[string]string{}, notes: map[string][]block{}, noteAt: map[string]int{}, pictures: map[string]bool{},
	}
	own, err := a.properties(core)
	if err != nil {
		into.Problem(f.Path, "its properties: %v", err)
	}
	blocks, err := d.read()
	if err != nil && len(blocks) == 0 {
		return err
	}
	if err != nil {
		into.Problem(f.Path, "%v; what came before is taken", err)
	}
	if d.isDeep {
		into.Problem(f.Path, "parts of it lie too deep in each other and are left out")
	}
	into.Notes = append(into.Notes, d.asNote(blocks, own, f))
	l.archive = nil
	return ctx.Err()
}

// read reads the parts of a document. An error may come with the blocks before it.
func (d *document) read() ([]block, error) {
	var err error
	if d.relations, err = d.archive.relations(d.part); err != nil {
		return nil, err
	}
	styles, numbering := d.related("styles", "styles.xml"), d.related("numbering", "numbering.xml")
	if d.styles, err = d.archive.styles(styles); err != nil {
		d.into.Problem(d.where, "its styles: %v", err)
	}
	if d.numbering, err = d.archive.numbering(numbering); err != nil {
		d.into.Problem(d.where, "its lists: %v", err)
	}
	for _, kind := range []string{"footnote", "endnote"} {
		if err := d.readNotes(kind); err != nil {
			d.into.Problem(d.where, "its %ss: %v", kind, err)
		}
	}
	return d.readBody()
}

func (d *document) related(kind, usual string) string {
	return related(d.relations, kind, path.Join(path.Dir(d.part), usual))
}

func (d *document) readBody() (blocks []block, err error) {
	x, closes, err := d.archive.open(d.part)
	if err != nil {
		return nil, err
	}
	defer closes()
	x.check = d.check
	err = x.each(func(xml.StartElement) error {
		return x.each(func(e xml.StartElement) error {
			if x.name(e) != "w:body" {
				return x.skip()
			}
			var err error
			blocks, err = d.body(x)
			return err
		})
	})
	return blocks, err
}

// readNotes reads the footnotes or endnotes, by kind and id.
func (d *document) readNotes(kind string) error {
	name := d.related(kind+"s", kind+"s.xml")
	if d.archive.parts[name] == nil {
		return nil
	}
	x, closes, err := d.archive.open(name)
	if err != nil {
		return err
	}
	defer closes()
	x.check = d.check
	outer := d.relations
	defer func() { d.relations, d.bookmarks, d.fields, d.last = outer, nil, nil, "" }()
	if d.relations, err = d.archive.relations(name); err != nil {
		return err
	}
	return x.each(func(xml.StartElement) error {
		return x.each(func(e xml.StartElement) error {
			if x.name(e) != "w:"+kind || strings.HasSuffix(strings.ToLower(value(e, "type")), "separator") || value(e, "type") == "continuationNotice" {
				return x.skip()
			}
			blocks, err := d.body(x)
			d.notes[kind+":"+value(e, "id")] = blocks
			return err
		})
	})
}

// asNote is a document as a note. Its own title comes before that of its text, and that before the name of its file.
func (d *document) asNote(blocks []block, own properties, f export.File) export.Note {
	n := export.Note{ID: f.Path, Path: stem(f.Path)}
	if strings.IndexFunc(own.title, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0 {
		own.title = ""
	}
	n.Title, n.Type, n.Tags, n.Created, n.Updated = own.title, "note", own.keywords, own.created, own.modified
	for _, b := range blocks {
		if b.kind != title {
			continue
		}
		shown := draft.TitleLine(plainText(b.spans))
		if n.Title == "" {
			n.Title = shown
		} else if shown != n.Title {
			n.Names = append(n.Names, shown)
		}
		break
	}
	if n.Title == "" {
		n.Title = path.Base(n.Path)
	}
	if n.Created.IsZero() && f.Modified.Year() > 1980 { // a zip may have no times
		n.Created = f.Modified
	}
	if own.author != "" {
		n.Properties = append(n.Properties, draft.Property{Name: "author", Value: own.author})
	}
	if own.subject != "" {
		n.Properties = append(n.Properties, draft.Property{Name: "subject", Value: own.subject})
	}
	n.Body = d.markdown(blocks)
	return n
}

// stem is a path without its extension.
func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }
