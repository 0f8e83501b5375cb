package sqlite_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// join writes edges and figures: each note links to the two before it.
func join(t testing.TB, s store.Store, all []store.Note) {
	t.Helper()
	edges, figures := graphOfNotes(all)
	u, err := s.Begin(t.Context(), store.Incremental)
	must(t, err)
	must(t, u.PutEdges(t.Context(), edges))
	must(t, u.PutFigures(t.Context(), figures))
	must(t, u.Commit(t.Context()))
}

// graphOfNotes gives edges and figures of notes with two links, by path as the notes are.
func graphOfNotes(all []store.Note) (edges []store.EdgesOf, figures []store.Figures) {
	for i := range all {
		targets := []store.Edge{{Link: 0, Target: all[max(i-1, 0)].Path, Kind: []string{"uses", "a"}[i%2]}, {Link: 1, Target: all[max(i-2, 0)].Path, Kind: "a"}}
		edges = append(edges, store.EdgesOf{Path: all[i].Path, Edges: targets})
		figures = append(figures, store.Figures{Path: all[i].Path, PageRank: float64(i) / 1e6, In: i, Out: 2, Weight: 1})
	}
	byPath := func(a, b store.EdgesOf) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(edges, byPath)
	slices.SortFunc(figures, func(a, b store.Figures) int { return strings.Compare(a.Path, b.Path) })
	return edges, figures
}

// storedGraph reads edges and figures.
func storedGraph(t testing.TB, v store.Snapshot) (edges []store.EdgesOf, figures []store.Figures, err error) {
	t.Helper()
	linked := v.(store.Linked)
	for of, err := range linked.Edges(t.Context()) {
		if err != nil {
			return nil, nil, err
		}
		edges = append(edges, of)
	}
	figures, err = linked.Figures(t.Context())
	return edges, figures, err
}

// rows gives what a query finds, columns joined by a bar.
func rows(t *testing.T, c *engine.Conn, query string) []string {
	t.Helper()
	s, err := c.Prepare(query)
	must(t, err)
	var list []string
	must(t, s.Each(func() error {
		list = append(list, s.Text(0))
		return nil
	}))
	return list
}

// TestGraphViews: what other programs read.
func TestGraphViews(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	s := openAt(t, path)
	a := store.Note{File: store.File{Path: "a/Ä.md"}, DeclaredID: "kiln", Links: []store.Link{
		{Target: "b", Line: 3, ChunkOrd: 1},
		{Target: "https://x", External: true, Line: 4},
		{Target: "b", Relation: "Übt", Line: 5, ChunkOrd: 2},
		{Target: "b", Relation: "uses", FromField: true, Line: 2},
		{Target: "b", Markdown: true, Line: 9, ChunkOrd: 12},
		{Target: "rel", Relation: "x", RelationInside: true, Line: 10, ChunkOrd: 2},
		{Target: "a", Line: 11, ChunkOrd: 2},
	}}
	for i := range 12 {
		a.Passages = append(a.Passages, store.Passage{Text: "x", LineStart: 3 + i})
	}
	b := store.Note{File: store.File{Path: "b.markdown"}, DeclaredID: "twice", Passages: []store.Passage{{Text: "y", LineStart: 1}}}
	c := store.Note{File: store.File{Path: "c.md"}, DeclaredID: "twice"}
	u, err := s.Begin(t.Context(), store.Full)
	must(t, err)
	must(t, u.Put(t.Context(), []store.Note{c, b, a}))
	must(t, u.PutEdges(t.Context(), []store.EdgesOf{{Path: a.Path, Edges: []store.Edge{
		{Link: 0, Target: b.Path, Kind: "references", Rule: "explicit:wikilink"},
		{Link: 2, Target: b.Path, Kind: "übt", Rule: "inline:rel"},
		{Link: 3, Target: b.Path, Kind: "uses", Rule: "explicit:property"},
		{Link: 4, Target: b.Path, Kind: "references", Rule: "explicit:markdown"},
		{Link: 5, Target: c.Path, Kind: "references", Rule: "explicit:wikilink"},
		{Link: 6, Target: a.Path, Kind: "references", Rule: "explicit:wikilink"},
	}}}))
	must(t, u.PutFigures(t.Context(), []store.Figures{{Path: b.Path, PageRank: 0.25, In: 1, Weight: 1.5}}))
	must(t, u.Commit(t.Context()))
	db := raw(t, path)
	got := rows(t, db, `SELECT note_id || '|' || source || '|' || target || '|' || kind || '|' || scope || '|' || chunk_id || '|' || rule_id || '|' ||
		confidence || '|' || line FROM edges WHERE rule_id NOT LIKE 'structure:%' ORDER BY line`)
	want := []string{
		"kiln|a/Ä.md|b.markdown|uses|note||explicit:property|1.0|2",
		"kiln|a/Ä.md|b.markdown|references|chunk|kiln#c00|explicit:wikilink|1.0|3",
		"kiln|a/Ä.md|b.markdown|übt|chunk|kiln#c01|inline:rel|0.95|5",
		"kiln|a/Ä.md|b.markdown|references|chunk|kiln#c11|explicit:markdown|1.0|9",
		"kiln|a/Ä.md|c.md|references|chunk|kiln#c01|explicit:wikilink|1.0|10",
		"kiln|a/Ä.md|a/Ä.md|references|chunk|kiln#c01|explicit:wikilink|1.0|11",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("edges (-want +got):\n%s", diff)
	}
	got = rows(t, db, "SELECT kind || ' ' || count(*) || ' ' || count(DISTINCT source || target) || ' ' || sum(chunk_id = source) FROM edges "+
		"WHERE rule_id = 'structure:' || kind AND scope = 'chunk' AND confidence = 1 GROUP BY kind ORDER BY kind")
	if diff := cmp.Diff([]string{"belongs_to 13 13 13", "next 11 11 11", "prev 11 11 11"}, got); diff != "" {
		t.Errorf("structure (-want +got):\n%s", diff)
	}
	got = rows(t, db, "SELECT kind || ' ' || source || ' ' || target || ' ' || line FROM edges WHERE chunk_id = 'kiln#c10' AND rule_id LIKE 's%' ORDER BY kind")
	if diff := cmp.Diff([]string{"belongs_to kiln#c10 a/Ä.md 13", "next kiln#c10 kiln#c11 13", "prev kiln#c10 kiln#c09 13"}, got); diff != "" {
		t.Errorf("a passage (-want +got):\n%s", diff)
	}
	got = rows(t, db, "SELECT path || ' ' || note_id FROM note_ids ORDER BY path")
	if diff := cmp.Diff([]string{"a/Ä.md kiln", "b.markdown b.markdown", "c.md c"}, got); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
	got = rows(t, db, "SELECT path || ' ' || pagerank || ' ' || inbound || ' ' || outbound || ' ' || weight FROM figures")
	if diff := cmp.Diff([]string{"b.markdown 0.25 1 0 1.5"}, got); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
	if n := rows(t, db, "PRAGMA integrity_check"); !slices.Equal(n, []string{"ok"}) {
		t.Errorf("integrity: %v", n)
	}
}

// TestGraphOfDamage changes edges and figures behind the program's back: reading and Verify tell of it.
func TestGraphOfDamage(t *testing.T) {
	for name, change := range map[string]string{
		"target":           `UPDATE note_edges SET edges = replace(edges, '"0":1', '"0":2')`,
		"no JSON":          `UPDATE note_edges SET edges = 'x'`,
		"no text":          `UPDATE note_edges SET edges = ''`,
		"another note":     `UPDATE note_edges SET (edges, checksum) = (SELECT edges, checksum FROM note_edges WHERE note = 3) WHERE note = 2`,
		"no note":          `UPDATE note_edges SET note = note + 20 WHERE note > 1`,
		"pagerank":         `UPDATE note_figures SET pagerank = pagerank + 1`,
		"figures of none":  `DELETE FROM notes WHERE id = 3`,
		"weight of a text": `UPDATE note_figures SET weight = 'x'`,
	} {
		path := filepath.Join(t.TempDir(), "index.db")
		s := openAt(t, path)
		all := notes(31, 0, 9, 1)
		for i := range all {
			all[i].Links = make([]store.Link, 2)
		}
		put(t, s, store.Full, all)
		join(t, s, all)
		must(t, s.Verify(t.Context()))
		changeRows(t, path, change)
		v := snapshot(t, s)
		if _, _, err := storedGraph(t, v); err != nil {
			tellsNothingRaw(t, err)
		} else if name != "no note" { // which nobody asks for
			t.Errorf("%s: read", name)
		}
		if s.Verify(t.Context()) == nil {
			t.Errorf("%s: verified", name)
		}
		must(t, v.Close())
	}
}

// changeRows runs a statement that has to change something.
func changeRows(t *testing.T, path, statement string) {
	t.Helper()
	c := raw(t, path)
	must(t, c.Exec(statement))
	if n, err := c.Int("SELECT changes()"); err != nil || n == 0 {
		t.Fatalf("%s changes nothing, %v", statement, err)
	}
	must(t, c.Close())
}

// TestEdgesWithoutLinks: an edge has to stand for a link.
func TestEdgesWithoutLinks(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "index.db"))
	all := notes(32, 0, 3, 1)
	put(t, s, store.Full, all)
	must(t, s.Verify(t.Context()))
	join(t, s, all) // whose notes have no links
	if err := s.Verify(t.Context()); err == nil {
		t.Error("edges without links are verified")
	}
}

// TestOneNoteWritesLittle: of many notes with their edges and figures, what differs in one is written, and no more pages
// than that takes.
func TestOneNoteWritesLittle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	s := openAt(t, path)
	all := notes(33, 0, 3000, 0)
	for i := range all {
		all[i].Links = make([]store.Link, 2)
	}
	put(t, s, store.Full, all)
	join(t, s, all)
	edges, figures := graphOfNotes(all)
	edges[7].Edges = edges[7].Edges[:1]
	figures[9].In++
	u, err := s.Begin(t.Context(), store.Incremental)
	must(t, err)
	must(t, u.PutEdges(t.Context(), edges))
	must(t, u.PutFigures(t.Context(), figures))
	info, err := os.Stat(path + "-wal")
	must(t, err)
	const pageBytes, pages = 16<<10 + 24, 4 // a row each, and twice that of the generation
	if info.Size() > pages*pageBytes+100 {
		t.Errorf("%d bytes are written", info.Size())
	}
	must(t, u.Commit(t.Context()))
	gotEdges, gotFigures, err := storedGraph(t, snapshot(t, s))
	must(t, err)
	if !cmp.Equal(gotEdges, edges) || !cmp.Equal(gotFigures, figures) {
		t.Error("edges or figures are not those that were put")
	}
}
