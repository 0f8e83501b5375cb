package sqlite_test

import (
	"cmp"
	"errors"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"quarry/graph"
	"quarry/store"
	"quarry/store/sqlite"
)

// TestEdgesView: what the view tells other programs is the graph that this one works out, but for what types imply and what is
// mirrored, over vaults at random.
func TestEdgesView(t *testing.T) {
	random := rand.New(rand.NewPCG(91, 92))
	kinds := map[string]int{}
	for range unlessShort(40, 10) {
		path := filepath.Join(t.TempDir(), "index.db")
		s := openAt(t, path)
		want := storeGraph(t, s, randomVault(random))
		got := edgesOfView(t, path)
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatalf("edges (-graph +view):\n%s", diff)
		}
		for _, e := range want {
			kinds[e.Kind+" "+e.Rule+" "+e.Scope]++
		}
		ids := rows(t, raw(t, path), "SELECT path || ' ' || note_id FROM note_ids ORDER BY path")
		var wantIDs []string
		notes, err := snapshot(t, s).Notes(t.Context(), store.NoteQuery{})
		must(t, err)
		for _, n := range notes {
			wantIDs = append(wantIDs, n.Path+" "+n.NoteID)
		}
		if diff := gocmp.Diff(wantIDs, ids); diff != "" {
			t.Fatalf("ids (-store +view):\n%s", diff)
		}
		must(t, s.Close())
	}
	for _, kind := range []string{"übersicht inline:rel chunk", "up explicit:property note", "references explicit:markdown chunk", "references explicit:wikilink note"} {
		if kinds[kind] == 0 {
			t.Errorf("no edge is %s: %v", kind, kinds)
		}
	}
}

// randomVault makes notes that link to each other in all ways, some of whose ids and names are those of others.
func randomVault(random *rand.Rand) []store.Note {
	names := []string{"a.md", "b.md", "x/b.md", "x/ü 'c'.md", "d.canvas", "d.canvas.md", "rel:up b.md", "e.md", "f.md", "陶.md", "g#h.md"}
	targets := []string{"a", "b", "x/b", "ü 'c'", "d", "e", "F", "陶", "", "gone", "d.canvas", "picture.png"}
	var notes []store.Note
	for _, i := range random.Perm(len(names))[:2+random.IntN(len(names)-1)] {
		n := store.Note{File: store.File{Path: names[i], ContentHash: "ab"}, Title: "t"}
		if random.IntN(2) == 0 {
			n.DeclaredID = []string{"a", "b.md", "own", "other", "g#h#c00"}[random.IntN(5)]
		}
		for range random.IntN(5) {
			n.Passages = append(n.Passages, store.Passage{Path: n.Path, Text: "x", LineStart: 1 + 10*len(n.Passages)})
		}
		for range random.IntN(12) {
			l := store.Link{Target: targets[random.IntN(len(targets))], Line: 1 + random.IntN(40), ChunkOrd: random.IntN(len(n.Passages) + 1)}
			switch random.IntN(6) {
			case 0:
				l.Relation = []string{"Übersicht", "uses", "related_to", "a \"b\"\\"}[random.IntN(4)]
			case 1:
				l.Relation, l.FromField, l.ChunkOrd = "Up", true, 0
			case 2:
				l.Markdown = true
			case 3:
				l.Relation, l.RelationInside = "up", true
			case 4:
				l.External, l.Hidden = random.IntN(2) == 0, true
			}
			n.Links = append(n.Links, l)
		}
		notes = append(notes, n)
	}
	return notes
}

// storeGraph stores notes with their edges, and gives those that people wrote and those of the structure.
func storeGraph(t *testing.T, s *sqlite.Store, notes []store.Note) []graph.Edge {
	t.Helper()
	u, err := s.Begin(t.Context(), store.Full)
	must(t, err)
	must(t, u.Put(t.Context(), notes))
	must(t, u.SetOtherFiles(t.Context(), []string{"picture.png"}))
	resolver, err := graph.ResolverOf(t.Context(), u.Draft(), "", nil)
	must(t, err)
	stored, err := u.Draft().Notes(t.Context(), store.NoteQuery{})
	must(t, err)
	byPath := map[string]*store.Note{}
	for i := range notes {
		byPath[notes[i].Path] = &notes[i]
	}
	isNote := func(path string) bool { return byPath[path] != nil }
	var list []graph.Note
	for _, n := range stored {
		links := byPath[n.Path].Links
		must(t, u.PutEdges(t.Context(), []store.EdgesOf{{Path: n.Path, Edges: resolver.Edges(n.Path, links, isNote)}}))
		list = append(list, graph.Note{Path: n.Path, ID: n.NoteID, Passages: n.PassageCount, Links: links})
	}
	must(t, u.Commit(t.Context()))
	edges := graph.Assemble(list, resolver).Graph().Edges
	return slices.DeleteFunc(edges, func(e graph.Edge) bool { return e.Mirrored })
}

// edgesOfView reads the view, one edge for the rows that are occurrences of it.
func edgesOfView(t *testing.T, path string) []graph.Edge {
	t.Helper()
	const separator = "\x1f"
	type key struct{ noteID, source, target, kind, scope, rule string }
	edges := map[key]*graph.Edge{}
	for _, row := range rows(t, raw(t, path), "SELECT concat_ws(char(31), note_id, source, target, kind, scope, rule_id, chunk_id, confidence, line) "+
		"FROM edges ORDER BY chunk_id, line") {
		f := strings.Split(row, separator)
		k := key{f[0], f[1], f[2], f[3], f[4], f[5]}
		confidence, err := strconv.ParseFloat(f[7], 64)
		must(t, err)
		line, err := strconv.Atoi(f[8])
		must(t, err)
		e := edges[k]
		if e == nil {
			e = &graph.Edge{
				NoteID: k.noteID, Source: k.source, Target: k.target, Kind: k.kind, Scope: k.scope, ChunkID: f[6], Rule: k.rule,
				Confidence: confidence, Lines: []int{},
			}
			edges[k] = e
		}
		if !strings.HasPrefix(k.rule, graph.RuleStructure) {
			e.Lines = append(e.Lines, line)
		}
	}
	var list []graph.Edge
	for e := range maps.Values(edges) {
		slices.Sort(e.Lines)
		e.Lines = slices.Compact(e.Lines)
		list = append(list, *e)
	}
	slices.SortFunc(list, func(a, b graph.Edge) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), strings.Compare(a.Target, b.Target), strings.Compare(a.Kind, b.Kind),
			strings.Compare(a.Scope, b.Scope), strings.Compare(a.Rule, b.Rule))
	})
	return list
}

// TestUnreleasedSchema: a file with the tables of a schema that was never released is to be built anew.
func TestUnreleasedSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	must(t, openAt(t, path).Close())
	change(t, path, `DROP VIEW edges; DROP VIEW resolved_links; DROP TABLE note_edges;
		CREATE TABLE note_edges(note INTEGER PRIMARY KEY, targets TEXT NOT NULL, checksum INTEGER NOT NULL)`)
	for _, readOnly := range []bool{true, false} {
		_, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, ReadOnly: readOnly})
		if !errors.Is(err, store.ErrDamaged) {
			t.Errorf("read only %v: %v", readOnly, err)
		}
	}
}
