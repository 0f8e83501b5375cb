// Package notion reads exports of Notion, as Markdown and CSV or as HTML: pages with their properties, databases, and the files that
// pages show.
package notion

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"quarry/convert/export"
	"quarry/internal/draft"
	"quarry/internal/lazyregexp"
)

// maxPageBytes bounds one page; a hundred times what Notion itself shows without pain.
const maxPageBytes = 32 << 20

// reader is what one import knows.
type reader struct {
	tree      *export.Tree
	into      *export.Builder
	pages     []*page
	byPath    map[string]*page     // by path in the tree, with and without extension
	byID      map[string]*page     // by Notion's id
	byName    map[string]*page     // by path without ids
	folders   map[string]*database // by the folder of their rows, with and without ids
	databases []*database
	files     map[string]string // paths in the tree by folded paths
	names     map[string]string // of folders, once they are known
	top       string            // folder around all, which only says "Export"
}

// page is a page, or a database that is shown as one.
type page struct {
	file     export.File
	kind     string // ".md", ".html" or ".csv"
	at       string // path without the extension, as it is in the tree
	id       string // of the builder
	title    string
	text     string
	database *database // of which it is a row
	note     draft.Note
	cells    map[string]string // its properties as they were written, by name in small letters
}

// Read takes pages and databases for notes, all other files for attachments. It is an error where nothing is a page.
func Read(ctx context.Context, tree *export.Tree, into *export.Builder) error {
	r := &reader{tree: tree, into: into, byPath: map[string]*page{}, byID: map[string]*page{}, byName: map[string]*page{}, folders: map[string]*database{}, files: map[string]string{}, names: map[string]string{}}
	r.top = exportFolder(tree.Files())
	for _, f := range tree.Files() {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.files[folded(f.Path)] = f.Path
		r.file(f)
	}
	if len(r.pages) == 0 && len(r.databases) == 0 {
		return fmt.Errorf("read Notion's export: %w", export.ErrNothing)
	}
	r.readDatabases()
	for _, p := range r.pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.database = r.folders[path.Dir(p.file.Path)]
		r.convert(p)
		p.text = ""
	}
	for _, d := range r.databases {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.table(d)
	}
	for _, p := range r.pages {
		r.add(p)
	}
	return nil
}

// file takes a file for what its name says it is.
func (r *reader) file(f export.File) {
	switch extension := strings.ToLower(path.Ext(f.Path)); {
	case extension == ".csv":
		r.csv(f)
	case extension == ".html" && path.Base(f.Path) == "index.html":
		r.into.LeaveOut("the export's list of its pages", f.Path)
	case extension == ".md" || extension == ".html":
		r.page(f)
	default:
		r.into.Attachments = append(r.into.Attachments, export.Attachment{ID: f.Path, Path: r.withoutIDs(f.Path), Read: func() ([]byte, error) { return r.tree.Read(f.Path) }})
	}
}

// page reads the text of a page and finds its title.
func (r *reader) page(f export.File) {
	content, err := r.tree.Read(f.Path)
	if err == nil && len(content) > maxPageBytes {
		err = export.ErrTooLarge
	}
	if err != nil {
		r.into.Problem(f.Path, "%v", err)
		return
	}
	p := &page{file: f, kind: strings.ToLower(path.Ext(f.Path)), at: strings.TrimSuffix(f.Path, path.Ext(f.Path)), text: normalised(string(content))}
	if p.kind == ".md" {
		p.title, p.text = heading(p.text)
	} else {
		p.title = htmlTitle(p.text)
	}
	r.register(p)
}

func normalised(text string) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(strings.TrimPrefix(text, "\ufeff"), "\uFFFD"))
}

// register gives a page its id and makes it known by it and by its path.
func (r *reader) register(p *page) {
	name, id := splitID(path.Base(p.at))
	if p.title == "" {
		p.title = name
	}
	if p.title == "" {
		p.title = "Untitled"
	}
	for _, p.id = range []string{id, p.at, p.file.Path} {
		if p.id != "" && r.byID[p.id] == nil {
			break
		}
	}
	r.byID[p.id] = p
	r.byPath[p.file.Path], r.byPath[p.at] = p, p
	if plain := folded(path.Join(path.Dir(p.at), name)); r.byName[plain] == nil {
		r.byName[plain] = p
	}
	r.pages = append(r.pages, p)
}

// heading takes the first heading off a text.
func heading(text string) (title, rest string) {
	text = strings.TrimLeft(text, "\n")
	line, rest, _ := strings.Cut(text, "\n")
	if line != "#" && !strings.HasPrefix(line, "# ") {
		return "", text
	}
	return strings.Join(strings.Fields(line[1:]), " "), rest
}

func (r *reader) convert(p *page) {
	p.note.Title = p.title
	if plainID.MatchString(p.id) {
		p.note.Source = "https://www.notion.so/" + p.id
	}
	switch p.kind {
	case ".html":
		r.convertHTML(p)
	case ".md":
		lines, rest := properties(p.text, p.database)
		long := r.setProperties(p, lines)
		p.note.Body = strings.TrimSpace(long + r.body(p, rest))
	}
	if p.note.Created.IsZero() && p.file.Modified.Year() >= 1980 { // a zip may have none
		p.note.Created = p.file.Modified
	}
}

func (r *reader) add(p *page) {
	at := r.folder(path.Dir(p.at))
	own := slashed(p.title) // whole, as the name of the file may be cut
	name, _ := splitID(path.Base(p.at))
	if strings.EqualFold(name, own) {
		own = name
	}
	n := export.Note{ID: p.id, Path: path.Join(at, own), Note: p.note}
	if name != own && name != "" {
		n.Names = append(n.Names, name)
	}
	r.into.Notes = append(r.into.Notes, n)
}

func slashed(name string) string { return strings.ReplaceAll(name, "/", export.Slash) }

// folder is a folder of the tree as the app shows it: ids are gone, and names that the export cut are whole.
func (r *reader) folder(dir string) string {
	if dir == "." || dir == "" || dir == r.top {
		return ""
	}
	if made, ok := r.names[dir]; ok {
		return made
	}
	name, id := splitID(path.Base(dir))
	owner := r.byPath[dir]
	if owner == nil && id != "" {
		owner = r.byID[id]
	}
	if owner == nil {
		owner = r.byName[folded(dir)]
	}
	if owner != nil {
		name = slashed(owner.title)
	}
	made := path.Join(r.folder(path.Dir(dir)), name)
	r.names[dir] = made
	return made
}

// withoutIDs is a path of an attachment, whose own name stays.
func (r *reader) withoutIDs(name string) string {
	var parts []string
	for part := range strings.SplitSeq(path.Dir(name), "/") {
		if part != "." && part != r.top {
			part, _ = splitID(part)
			parts = append(parts, part)
		}
	}
	base := path.Base(name)
	extension := path.Ext(base)
	if stem, id := splitID(strings.TrimSuffix(base, extension)); id != "" && stem != "" {
		base = stem + extension
	}
	return path.Join(append(parts, base)...)
}

var (
	plainID  = lazyregexp.New(`^[0-9a-f]{32}$`)
	suffixID = lazyregexp.New(`^(?:(.*?)[ _-]?)([0-9a-f]{32}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$`)
	exported = lazyregexp.New(`^(?:[0-9a-f-]{36}_)?Export-[0-9a-f-]{36}(?:-Part-\d+)?$`)
)

// splitID parts a name and the id that Notion writes behind it, "" for none.
func splitID(name string) (plain, id string) {
	if m := suffixID.FindStringSubmatch(name); m != nil {
		return strings.TrimSpace(m[1]), strings.ReplaceAll(m[2], "-", "")
	}
	return name, ""
}

// exportFolder is the folder of the export itself where all files lie in it.
func exportFolder(files []export.File) string {
	if len(files) == 0 {
		return ""
	}
	first, _, _ := strings.Cut(files[0].Path, "/")
	if !exported.MatchString(first) || slices.ContainsFunc(files, func(f export.File) bool { return !strings.HasPrefix(f.Path, first+"/") }) {
		return ""
	}
	return first
}

// folded is a path by which files are found that were packed by another system.
func folded(name string) string { return strings.ToLower(norm.NFC.String(name)) }
