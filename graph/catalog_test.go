package graph_test

import (
	"context"
	"errors"
	"iter"
	"testing"

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
		want            graph.Resolution
	}{
		{dialect.Obsidian, "kiln", "", graph.Resolution{Path: "pages/kiln.md", State: graph.OK}},
		{dialect.Obsidian, "oven", "", graph.Resolution{State: graph.Alias, AliasOf: "pages/glaze.md"}},
		{dialect.Obsidian, "photo.png", "", graph.Resolution{Path: "photo.png", State: graph.OK}},
		{dialect.Obsidian, "secret.png", "", graph.Resolution{State: graph.Unresolved}},
		{dialect.Obsidian, "the kiln", "", graph.Resolution{State: graph.Unresolved}},
		{dialect.Foam, "pages/kiln", "", graph.Resolution{Path: "pages/kiln.md", State: graph.OK}},
		{dialect.Logseq, "the kiln", "", graph.Resolution{Path: "pages/kiln.md", State: graph.OK}},
		{dialect.Logseq, "oven", "", graph.Resolution{Path: "pages/glaze.md", State: graph.OK}},
		{dialect.Logseq, "", "#^B1", graph.Resolution{Path: "pages/glaze.md", State: graph.OK}},
		{dialect.Logseq, "", "#^b3", graph.Resolution{State: graph.BlockMissing}},
	} {
		whole, err := graph.ResolverOf(t.Context(), snapshot, c.dialect, keep)
		if err != nil {
			t.Fatal(err)
		}
		if got := whole.Resolve(c.target, c.subpath, "a.md"); got != c.want {
			t.Errorf("%s: %s%s is %+v, want %+v", c.dialect, c.target, c.subpath, got, c.want)
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

func (c brokenCatalog) OtherFiles(context.Context) ([]string, error) { return nil, c.fails("others") }

func (c brokenCatalog) Outlines(context.Context) iter.Seq2[store.OutlineOf, error] {
	return func(yield func(store.OutlineOf, error) bool) {
		if err := c.fails("outlines"); err != nil {
			yield(store.OutlineOf{}, err)
		}
	}
}

func TestBrokenCatalog(t *testing.T) {
	for _, method := range []string{"notes", "others", "outlines"} {
		if _, err := graph.ResolverOf(t.Context(), brokenCatalog{method: method}, dialect.Logseq, nil); !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", method, err)
		}
	}
	broken := func(yield func(store.EdgesOf, error) bool) { yield(store.EdgesOf{}, errBroken) }
	if _, err := graph.StoredNetwork(broken); !errors.Is(err, errBroken) {
		t.Errorf("edges: %v", err)
	}
	if _, err := graph.KindNetwork(nil, broken, graph.Kinds{}); !errors.Is(err, errBroken) {
		t.Errorf("edges of a kind: %v", err)
	}
	if _, err := graph.AssembleFrom(nil, all(nil, errBroken), graph.NewResolver(nil)); !errors.Is(err, errBroken) {
		t.Errorf("links: %v", err)
	}
}
