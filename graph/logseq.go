package graph

import (
	"path"
	"strings"

	"quarry/internal/dialect"
	"quarry/internal/filename"
)

// pages are the notes of a Logseq vault by the names of their pages, folded. A name of an earlier table wins.
type pages struct {
	names   map[string]page // file name, decoded
	titles  map[string]page
	dotted  map[string]page // file name with dots for slashes, as the oldest versions wrote it
	journal map[string]page // by day, 2006-01-02
}

// page is the first note of a name in the order of files; more tells that there are others.
type page struct {
	file int32
	more bool
}

func newPages(files []file, titles map[string]string) *pages {
	p := &pages{map[string]page{}, map[string]page{}, map[string]page{}, map[string]page{}}
	for i := range files {
		stem, ok := strings.CutSuffix(filename.LastSegment(files[i].key), filename.NoteExtension)
		if !ok {
			continue
		}
		id := int32(i)
		add(p.names, pageName(stem), id)
		if strings.Contains(stem, ".") {
			add(p.dotted, pageName(strings.ReplaceAll(stem, ".", "/")), id)
		}
		if title := titles[files[i].path]; title != "" {
			add(p.titles, filename.Fold(strings.TrimSpace(title)), id)
		}
		add(p.journal, dialect.JournalDay(files[i].key), id)
	}
	return p
}

func add(table map[string]page, name string, id int32) {
	if name == "" {
		return
	}
	if first, ok := table[name]; ok {
		table[name] = page{first.file, true}
		return
	}
	table[name] = page{file: id}
}

// pageName is the name of the page of a file name, folded.
func pageName(stem string) string { return filename.Fold(strings.TrimSpace(dialect.PageName(stem))) }

// locatePage finds the note of a page, else the file of a path.
func (r *Resolver) locatePage(target, source string) (found string, sure bool) {
	key := filename.Fold(strings.TrimSpace(target))
	for _, table := range []map[string]page{r.pages.names, r.pages.titles, r.pages.dotted} {
		if p, ok := table[key]; ok {
			return r.spelled(pick{p.file, p.more}, "")
		}
	}
	if day, sure := dialect.ParseDay(key); day != "" {
		if p, ok := r.pages.journal[day]; ok {
			return r.spelled(pick{p.file, p.more || !sure}, "")
		}
	}
	if note, ok := r.aliases[key]; ok {
		return note, true
	}
	if !isRelative(key) && strings.IndexByte(filename.LastSegment(key), '.') < 0 {
		return "", true
	}
	beside := r.exact(path.Join(filename.FolderPrefix(filename.Fold(source)), key))
	if beside.file < 0 {
		beside = r.exact(path.Clean(strings.TrimLeft(key, "/")))
	}
	return r.spelled(beside, target)
}
