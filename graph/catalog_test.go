package graph_test

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/graph"
	"quarry/internal/dialect"
	"quarry/store"
	"quarry/store/memory"
)

// stored puts notes into a store and gives a snapshot.
func stored(t *testing.T, notes []store.Note, others ...string) store.Snapshot {
	t.Helper()
	s := memory.New()
	update, err := s.Begin(t.Context(), store.Full)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = update.Rollback() }()
	for _, err := range []error{update.Put(t.Context(), notes), update.SetOtherFiles(t.Context(), others), update.Commit(t.Context())} {
		if err != nil {
			t.Fatal(err)
		}
	}
	snapshot, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = snapshot.Close() })
	return snapshot
}

func storedNotes() []store.Note {
	return []store.Note{
		{File: store.File{Path: "pages/kiln.md"}, Title: "The kiln", Aliases: []string{"Oven"}, BlockIDs: []string{"B1"}},
		{File: store.File{Path: "pages/glaze.md"}, Title: "Glaze", Aliases: []string{"Oven", ""}, BlockIDs: []string{"b1", "b2"}},
	}
}

func TestResolverOf(t *testing.T) {
	snapshot := stored(t, storedNotes(), "photo.png", "secret.png")
	keep := func(other string) bool { return other != "secret.png" }
	for _, c := range []struct {
		dialect         dialect.Dialect
		target, subpath string
		want, edges     graph.Resolution
	}{
		{dialect.Obsidian, "kiln", "", graph.Resolution{Path: "pages/kiln.md", State: graph.OK}, graph.Resolution{Path: "pages/kiln.md", State: graph.OK}},
		{dialect.Obsidian, "oven", "", graph.Resolution{State: graph.Alias, AliasOf: "pages/glaze.md"}, graph.Resolution{State: graph.Unresolved}},
		{dialect.Obsidian, "photo.png", "", graph.Resolution{Path: "photo.png", State: graph.OK}, graph.Resolution{Path: "photo.png", State: graph.OK}},
		{dialect.Obsidian, "secret.png", "", graph.Resolution{State: graph.Unresolved}, graph.Resolution{State: graph.Unresolved}},
		{dialect.Obsidian, "the kiln", "", graph.Resolution{State: graph.Unresolved}, graph.Resolution{State: graph.Unresolved}},
		{dialect.Foam, "pages/kiln", "", graph.Resolution{Path: "pages/kiln.md", State: graph.OK}, graph.Resolution{Path: "pages/kiln.md", State: graph.OK}},
		{dialect.Logseq, "the kiln", "", graph.Resolution{Path: "pages/kiln.md", State: graph.OK}, graph.Resolution{Path: "pages/kiln.md", State: graph.OK}},
		{dialect.Logseq, "oven", "", graph.Resolution{Path: "pages/glaze.md", State: graph.OK}, graph.Resolution{Path: "pages/glaze.md", State: graph.OK}},
		{dialect.Logseq, "", "#^B1", graph.Resolution{Path: "pages/glaze.md", State: graph.OK}, graph.Resolution{Path: "pages/glaze.md", State: graph.OK}},
		{dialect.Logseq, "", "#^b3", graph.Resolution{State: graph.BlockMissing}, graph.Resolution{State: graph.BlockMissing}},
	} {
		whole, err := graph.ResolverOf(t.Context(), snapshot, c.dialect, keep)
		if err != nil {
			t.Fatal(err)
		}
		edges, err := graph.EdgeResolverOf(t.Context(), snapshot, c.dialect, keep)
		if err != nil {
			t.Fatal(err)
		}
		if got := whole.Resolve(c.target, c.subpath, "a.md"); got != c.want {
			t.Errorf("%s: %s%s is %+v, want %+v", c.dialect, c.target, c.subpath, got, c.want)
		}
		if got := edges.Resolve(c.target, c.subpath, "a.md"); got != c.edges {
			t.Errorf("%s: %s%s is %+v for edges, want %+v", c.dialect, c.target, c.subpath, got, c.edges)
		}
	}
	all, err := graph.ResolverOf(t.Context(), snapshot, dialect.Obsidian, nil)
	if err != nil || all.Resolve("secret.png", "", "").State != graph.OK {
		t.Errorf("a file is left out though nobody says so: %v", err)
	}
	if got := all.Suggest("The kilns", "", 3); len(got) != 1 || got[0] != "pages/kiln.md" {
		t.Errorf("%v are suggested by title", got)
	}
}

// brokenCatalog fails in one of its methods.
type brokenCatalog struct {
	store.Draft
	method string
}

var errBroken = errors.New("broken")

func (c brokenCatalog) fails(method string) error {
	if c.method == method {
		return errBroken
	}
	return nil
}

func (c brokenCatalog) Notes(context.Context, store.NoteQuery) ([]store.Note, error) {
	return nil, c.fails("notes")
}

func (c brokenCatalog) Files(context.Context) ([]store.File, error) { return nil, c.fails("files") }

func (c brokenCatalog) OtherFiles(context.Context) ([]string, error) { return nil, c.fails("others") }

func (c brokenCatalog) Outlines(context.Context) iter.Seq2[store.OutlineOf, error] {
	return func(yield func(store.OutlineOf, error) bool) {
		if err := c.fails("outlines"); err != nil {
			yield(store.OutlineOf{}, err)
		}
	}
}

func (c brokenCatalog) Edges(context.Context) iter.Seq2[store.EdgesOf, error] {
	return func(yield func(store.EdgesOf, error) bool) { yield(store.EdgesOf{}, errBroken) }
}

func (c brokenCatalog) Figures(context.Context) ([]store.Figures, error) { return nil, errBroken }

func TestBrokenCatalog(t *testing.T) {
	for _, method := range []string{"notes", "others", "outlines"} {
		if _, err := graph.ResolverOf(t.Context(), brokenCatalog{method: method}, dialect.Logseq, nil); !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", method, err)
		}
	}
	for _, method := range []string{"files", "others"} {
		if _, err := graph.EdgeResolverOf(t.Context(), brokenCatalog{method: method}, dialect.Obsidian, nil); !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", method, err)
		}
	}
	if _, err := graph.StoredNetwork(t.Context(), nil, brokenCatalog{}); !errors.Is(err, errBroken) {
		t.Errorf("edges: %v", err)
	}
}

// kept are edges as an index keeps them.
type kept struct {
	store.Linked
	edges []store.EdgesOf
}

func (k kept) Edges(context.Context) iter.Seq2[store.EdgesOf, error] {
	return func(yield func(store.EdgesOf, error) bool) {
		for _, of := range k.edges {
			if !yield(of, nil) {
				return
			}
		}
	}
}

func (k kept) Figures(context.Context) ([]store.Figures, error) { return nil, nil }

// TestStoredNetwork holds that the network of kept edges is that of the graph, figures and all.
func TestStoredNetwork(t *testing.T) {
	random := rand.New(rand.NewPCG(23, 24))
	notes := linkedVault(random, 200)
	resolver := graph.NewResolver(paths(notes))
	var k kept
	for i := range notes {
		notes[i].Defaults = []string{graph.RelatedTo}
		k.edges = append(k.edges, store.EdgesOf{Path: notes[i].Path, Edges: resolver.Edges(notes[i].Path, notes[i].Links, every)})
	}
	k.edges = append(k.edges, store.EdgesOf{Path: "gone.md", Edges: []store.Edge{{Target: notes[0].Path}}})
	network, err := graph.StoredNetwork(t.Context(), paths(notes), k)
	if err != nil {
		t.Fatal(err)
	}
	g := graph.Build(notes, resolver)
	if diff := cmp.Diff(g.Network().Figures(), network.Figures()); diff != "" {
		t.Errorf("figures (-graph +kept): %s", diff)
	}
	for i, f := range network.Figures() {
		if g.Nodes[i].Path != f.Path || g.Nodes[i].PageRank != f.PageRank || strings.Contains(f.Path, "gone") {
			t.Errorf("%+v in the graph, %+v kept", g.Nodes[i], f)
		}
	}
}
