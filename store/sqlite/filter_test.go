package sqlite_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quarry/store"
	"quarry/store/memory"
)

// filterDraw makes notes and filters at random, of few words, so that filters hit.
type filterDraw struct{ *rand.Rand }

func (d filterDraw) of(list ...string) string { return list[d.IntN(len(list))] }

// some draws up to two, most often none.
func (d filterDraw) some(list ...string) (drawn []string) {
	for range max(0, d.IntN(6)-3) {
		drawn = append(drawn, d.of(list...))
	}
	return drawn
}

func (d filterDraw) note(i int) store.Note {
	heading := func() string { return d.of("Kiln", "Glaze ash", "Über", "Notes > more", "kiln log") }
	n := store.Note{
		File:  store.File{Path: fmt.Sprintf("%s/%s %d.md", d.of("work", "Home/deep", "ÄÖ"), d.of("log", "Kiln", "x"), i), ContentHash: "ab"},
		Title: d.of("Log", "The kiln", "Über", ""), Type: d.of("guide", "log", ""), Status: d.of("open", "archived", ""), Domain: d.of("craft", ""),
		Updated: fmt.Sprintf("2024-01-%02d", 1+d.IntN(28)), Tags: d.some("a", "a/b", "c"), Aliases: d.some("Other Kiln", "ofen"),
	}
	if d.IntN(2) == 0 {
		n.Frontmatter = fmt.Appendf(nil, `{"size": %d, "%s": ["x", "Y"]}`, d.IntN(3), d.of("who", "WHO", "done"))
	}
	for k := range d.IntN(5) {
		p := store.Passage{Text: fmt.Sprint("w", k), LineStart: 1, LineEnd: 1}
		for range d.IntN(3) {
			p.HeadingPath = append(p.HeadingPath, heading())
		}
		if len(p.HeadingPath) > 1 {
			p.Section = strings.Join(p.HeadingPath[1:], " > ")
		}
		n.Passages = append(n.Passages, p)
	}
	return n
}

func (d filterDraw) properties() (drawn []store.Property) {
	for range max(0, d.IntN(6)-4) {
		drawn = append(drawn, store.Property{Key: d.of("SIZE", "who", "done"), Value: d.of("", "1", "y")})
	}
	return drawn
}

func (d filterDraw) filter(paths []string) store.Filter {
	words := []string{"kiln", "LOG", "über", "e", "", "> m", "deep/k"}
	text := func() []string { return d.some(words...) }
	f := store.Filter{
		Tags: d.some("a", "c"), NotTags: d.some("a/b", "C"), Types: d.some("guide", "LOG"), NotStatuses: d.some("open"), Domains: d.some("craft"),
		Folders: d.some("work", "home"), NotGlobs: d.some("**/*1.md"), Properties: d.properties(), NotProperties: d.properties(),
		Paths: text(), NotPaths: text(), Files: text(), NotFiles: text(), Titles: text(), NotTitles: text(), Sections: text(), NotSections: text(),
		ExcludeArchived: d.IntN(3) == 0,
	}
	if d.IntN(5) == 0 {
		f.Since = "2024-01-10"
	}
	if d.IntN(4) == 0 {
		f.Among = map[string]bool{}
		for range d.IntN(60) {
			f.Among[d.of(paths...)] = true
		}
	}
	return f
}

// TestFiltersAsInMemory asks a file and memory the same.
func TestFiltersAsInMemory(t *testing.T) {
	d := filterDraw{rand.New(rand.NewPCG(31, 31))}
	stores := []store.Store{memory.New(), openAt(t, filepath.Join(t.TempDir(), "index.db"))}
	var notes []store.Note
	var paths []string
	for i := range 300 {
		notes = append(notes, d.note(i))
		paths = append(paths, notes[i].Path)
	}
	for _, s := range stores {
		put(t, s, store.Full, notes)
		u, err := s.Begin(t.Context(), store.Incremental)
		must(t, err)
		must(t, u.Delete(t.Context(), paths[20:30]))
		must(t, u.Put(t.Context(), notes[25:35]))
		must(t, u.Commit(t.Context()))
	}
	views := []store.Snapshot{snapshot(t, stores[0]), snapshot(t, stores[1])}
	selected := 0
	for range 400 {
		f := d.filter(paths)
		var answers [2][]string
		for i, v := range views {
			answers[i] = selection(t, v, f)
		}
		if !cmp.Equal(answers[0], answers[1], cmpopts.EquateEmpty()) {
			t.Errorf("%+v: %s", f, cmp.Diff(answers[0], answers[1]))
		}
		if n := len(answers[0]); n > 1 && n < 600 {
			selected++
		}
	}
	if selected < 100 {
		t.Errorf("only %d filters tell notes apart", selected)
	}
}

// selection lists what a filter lets through: passages, then notes.
func selection(t *testing.T, v store.Snapshot, f store.Filter) (list []string) {
	t.Helper()
	set, err := v.Select(t.Context(), f)
	must(t, err)
	found, err := v.Passages(t.Context(), slices.Collect(set.All()))
	must(t, err)
	for _, p := range found {
		list = append(list, fmt.Sprint(p.Path, " ", p.Index))
	}
	slices.Sort(list)
	kept, err := v.Notes(t.Context(), store.NoteQuery{Filter: f})
	must(t, err)
	for _, n := range kept {
		list = append(list, n.Path)
	}
	for order := store.ByPath; order <= store.ByTitle; order++ {
		few, err := v.Notes(t.Context(), store.NoteQuery{Filter: f, Sort: order, Limit: 7})
		must(t, err)
		for _, n := range few {
			list = append(list, fmt.Sprint(n.Path, n.NoteID, n.DocID, n.Title))
		}
	}
	return list
}
