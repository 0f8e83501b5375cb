package index_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quarry/graph"
	"quarry/index"
	"quarry/internal/dialect"
	"quarry/internal/notetype"
	"quarry/store"
	"quarry/store/memory"
	"quarry/store/sqlite"
)

var (
	scriptCount = flag.Int("scripts", 1000, "edit scripts that the graph is brought up to date over")
	scriptSeed  = flag.Uint64("seed", 1, "of the first edit script; the others have those that follow")
)

// keptGraph is the graph that an index keeps, with what tells how it came about.
type keptGraph struct {
	Edges   []store.EdgesOf
	Figures []store.Figures
	Mark    string
	Types   string
	Notes   []keptNote
	// Problems are those of the last run.
	Problems []store.Problem
	Others   []string
}

// keptNote is what a note became.
type keptNote struct {
	Path, NoteID, DocID string
	Passages            []string
	Links               []store.Link
}

func storedGraph(from store.Store) (keptGraph, error) {
	ctx := context.Background()
	snapshot, err := from.Snapshot(ctx)
	if err != nil {
		return keptGraph{}, err
	}
	defer snapshot.Close()
	meta, err := snapshot.Meta(ctx)
	if err != nil {
		return keptGraph{}, err
	}
	out := keptGraph{Mark: meta[store.MetaGraph], Types: meta[store.MetaTypes]}
	linked := snapshot.(store.Linked)
	for of, err := range linked.Edges(ctx) {
		if err != nil {
			return keptGraph{}, err
		}
		out.Edges = append(out.Edges, of)
	}
	if out.Figures, err = linked.Figures(ctx); err != nil {
		return keptGraph{}, err
	}
	if out.Problems, err = snapshot.Problems(ctx); err != nil {
		return keptGraph{}, err
	}
	if out.Others, err = snapshot.OtherFiles(ctx); err != nil {
		return keptGraph{}, err
	}
	out.Notes, err = keptNotes(snapshot)
	return out, err
}

func keptNotes(snapshot store.Snapshot) ([]keptNote, error) {
	ctx := context.Background()
	files, err := snapshot.Files(ctx)
	if err != nil {
		return nil, err
	}
	var notes []keptNote
	for _, file := range files {
		n, _, err := snapshot.Note(ctx, file.Path)
		if err != nil {
			return nil, err
		}
		kept := keptNote{Path: n.Path, NoteID: n.NoteID, DocID: n.DocID, Links: n.Links}
		for _, p := range n.Passages {
			kept.Passages = append(kept.Passages, p.Text)
		}
		notes = append(notes, kept)
	}
	return notes, nil
}

// graphByNames works out what an index should keep, from the notes that it holds and by names alone.
func graphByNames(from store.Store, types *notetype.Types) (keptGraph, error) {
	ctx := context.Background()
	snapshot, err := from.Snapshot(ctx)
	if err != nil {
		return keptGraph{}, err
	}
	defer snapshot.Close()
	meta, err := snapshot.Meta(ctx)
	if err != nil {
		return keptGraph{}, err
	}
	resolver, err := graph.ResolverOf(ctx, snapshot, dialect.Dialect(meta[store.MetaDialect]), nil)
	if err != nil {
		return keptGraph{}, err
	}
	out := keptGraph{Mark: meta[store.MetaGraph], Types: types.Encode()}
	if out.Notes, err = keptNotes(snapshot); err != nil {
		return keptGraph{}, err
	}
	if out.Problems, err = snapshot.Problems(ctx); err != nil { // no names tell what they should be
		return keptGraph{}, err
	}
	if out.Others, err = snapshot.OtherFiles(ctx); err != nil {
		return keptGraph{}, err
	}
	paths, weights := []string{}, map[string]float64{}
	for of, err := range snapshot.Links(ctx) {
		if err != nil {
			return keptGraph{}, err
		}
		n, _, err := snapshot.Note(ctx, of.Path)
		if err != nil {
			return keptGraph{}, err
		}
		paths, weights[of.Path] = append(paths, of.Path), weightOf(types, &n)
	}
	var pairs [][2]string
	for of, err := range snapshot.Links(ctx) {
		if err != nil {
			return keptGraph{}, err
		}
		edges := resolver.Edges(of.Path, of.Links, func(path string) bool { return slices.Contains(paths, path) })
		for _, edge := range edges {
			pairs = append(pairs, [2]string{of.Path, edge.Target})
		}
		if len(edges) > 0 {
			out.Edges = append(out.Edges, store.EdgesOf{Path: of.Path, Edges: edges})
		}
	}
	out.Figures = graph.NewNetwork(paths, func(yield func(string, string) bool) {
		for _, pair := range pairs {
			if !yield(pair[0], pair[1]) {
				return
			}
		}
	}).Figures()
	for i := range out.Figures {
		out.Figures[i].Weight = weights[out.Figures[i].Path]
	}
	return out, nil
}

func properties(frontmatter []byte) map[string]any {
	var values map[string]any
	if json.Unmarshal(frontmatter, &values) != nil {
		return nil
	}
	return values
}

func weightOf(types *notetype.Types, n *store.Note) float64 {
	settings, _ := types.Of(n.Type, properties(n.Frontmatter))
	return settings.RetrieverWeight
}

// compareNames compares the graph with that of the notes in the index, unless the index says that it has none.
func (s *script) compareNames() (string, error) {
	got, err := storedGraph(s.config.Store)
	if err != nil || got.Mark == "" {
		return "", ignoreMissing(err)
	}
	types, err := notetype.Decode(got.Types) // a run that was broken off at once has not seen those of now
	if err != nil {
		return "", err
	}
	want, err := graphByNames(s.config.Store, types)
	return cmp.Diff(want, got, cmpopts.EquateEmpty()), err
}

func ignoreMissing(err error) error {
	if errors.Is(err, store.ErrMissing) {
		return nil
	}
	return err
}

// compareFresh compares the graph with that of an index built from nothing.
func (s *script) compareFresh() (string, error) {
	got, err := storedGraph(s.config.Store)
	if err != nil {
		return "", err
	}
	byNames, err := graphByNames(s.config.Store, s.config.Types)
	if err != nil {
		return "", err
	}
	updated := s.config.Store
	s.config.Store = memory.New()
	_, err = index.Run(context.Background(), s.config, index.Options{})
	if err != nil {
		return "", err
	}
	fresh, err := storedGraph(s.config.Store)
	s.config.Store = updated
	if diff := cmp.Diff(fresh, got, cmpopts.EquateEmpty()); diff != "" {
		return "differs from a fresh one (-fresh +updated):\n" + diff, err
	}
	if got.Mark == "" {
		return "the run left no mark of a graph", err
	}
	if diff := cmp.Diff(byNames, got, cmpopts.EquateEmpty()); diff != "" {
		return "differs from that of names (-names +updated):\n" + diff, err
	}
	return "", err
}

// However a vault was edited, and whatever became of earlier runs, the graph in the index is that of a fresh one, and so are the
// ids of its notes and the problems of the run.
func TestTheGraphOfAnUpdatedIndexIsThatOfAFreshOne(t *testing.T) {
	count := *scriptCount
	if testing.Short() {
		count /= 10
	}
	edges, complaints, parts, rules := 0, 0, 0, secretFolders(t, "safe")
	for i := range count {
		seed := *scriptSeed + uint64(i)
		var into store.Store = memory.New()
		if i%10 == 0 {
			into = openSQLite(t)
		}
		s := newScript(seed, into, rules)
		if i%100 == 0 {
			s.enlarge(300) // a store may read a table as a whole then
		}
		diff, err := s.play()
		if err != nil || diff != "" {
			t.Fatalf("-seed %d -scripts 1, dialect %s: %v\n%s\n%s", seed, s.vault.dialect, err, strings.Join(s.log, "\n"), diff)
		}
		got, err := storedGraph(into)
		if err != nil {
			t.Fatal(err)
		}
		edges += len(got.Edges)
		complaints += len(got.Problems)
		parts += s.parts
		if err := into.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if edges < count || complaints < count/10 || parts < count { // or nothing was compared
		t.Errorf("%d notes with edges, %d problems, %d runs over paths in %d scripts", edges, complaints, parts, count)
	}
}

func openSQLite(t *testing.T) store.Store {
	t.Helper()
	opened, err := sqlite.Open(context.Background(), sqlite.Options{Path: filepath.Join(t.TempDir(), "notes.db")})
	if err != nil {
		t.Fatal(err)
	}
	return opened
}
