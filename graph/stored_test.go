package graph_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/graph"
	"quarry/store"
)

// storedEdges are the edges of notes as an index keeps them.
func storedEdges(notes []graph.Note) []store.EdgesOf {
	var list []store.EdgesOf
	resolver := graph.NewResolver(paths(notes))
	for i := range notes {
		if edges := resolver.Edges(notes[i].Path, notes[i].Links, every); len(edges) > 0 {
			list = append(list, store.EdgesOf{Path: notes[i].Path, Edges: edges})
		}
	}
	return list
}

func yielded(list []store.EdgesOf) func(yield func(store.EdgesOf, error) bool) {
	return func(yield func(store.EdgesOf, error) bool) {
		for _, of := range list {
			if !yield(of, nil) {
				return
			}
		}
	}
}

// TestStoredNetwork holds that the network of kept edges is that of the graph but for what no link joins, figures and all.
func TestStoredNetwork(t *testing.T) {
	notes := linkedVault(rand.New(rand.NewPCG(23, 24)), 200)
	for i := range notes {
		notes[i].Defaults = []string{graph.RelatedTo}
	}
	whole := graph.Assemble(notes, graph.NewResolver(paths(notes))).Network()
	network, err := graph.StoredNetwork(yielded(storedEdges(notes)))
	if err != nil {
		t.Fatal(err)
	}
	type figures struct{ In, Out int }
	of := func(n *graph.Network) map[string]figures {
		all := map[string]figures{}
		for _, f := range n.Figures() {
			if f.In+f.Out > 0 {
				all[f.Path] = figures{f.In, f.Out}
			}
		}
		return all
	}
	if diff := cmp.Diff(of(whole), of(network)); diff != "" || len(network.Figures()) != len(of(network)) {
		t.Errorf("figures (-graph +kept): %s", diff)
	}
	for _, n := range notes {
		if diff := cmp.Diff(whole.Reach([]string{n.Path}, graph.Both, 3), network.Reach([]string{n.Path}, graph.Both, 3)); diff != "" {
			t.Fatalf("around %s (-graph +kept): %s", n.Path, diff)
		}
	}
}

// steps writes down all single steps of a network.
func steps(n *graph.Network) string {
	var got []string
	for _, f := range n.Figures() {
		for _, r := range n.Reach([]string{f.Path}, graph.Forward, 1) {
			got = append(got, r.Via+">"+r.Path)
		}
	}
	return strings.Join(got, " ")
}

// TestKindNetwork tells which edges make a network.
func TestKindNetwork(t *testing.T) {
	notes := []graph.Note{
		{Path: "a", ID: "a", Passages: 2, Defaults: []string{"depends_on", graph.RelatedTo}, Links: []store.Link{
			{Target: "b.md"}, {Target: "c.md", Relation: "similar_to"}, {Target: "a"},
		}},
		{Path: "b.md", ID: "b"},
		{Path: "c.md", ID: "c"},
	}
	whole := graph.Assemble(notes, graph.NewResolver(paths(notes)))
	implied := func(path string) []string {
		i := slices.IndexFunc(notes, func(n graph.Note) bool { return n.Path == path })
		return notes[i].Defaults
	}
	for _, c := range []struct {
		kinds []string
		want  string
	}{
		{nil, "a>b.md a>c.md"},
		{[]string{"references"}, "a>b.md"},
		{[]string{"similar_to", "references"}, "a>b.md a>c.md c.md>a"},
		{[]string{"depends_on"}, "a>b.md a>c.md"},
		{[]string{graph.RelatedTo}, "a>b.md a>c.md b.md>a c.md>a"},
		{[]string{graph.Next, "none"}, ""},
	} {
		n := whole.Network(c.kinds...)
		if got := steps(n); got != c.want || len(n.Figures()) != 3 {
			t.Errorf("%v: %q, want %q", c.kinds, got, c.want)
		}
		if c.kinds == nil {
			continue
		}
		n, err := graph.KindNetwork(paths(notes), yielded(storedEdges(notes)), graph.Kinds{Wanted: c.kinds, Implied: implied})
		if got := steps(n); got != c.want || err != nil {
			t.Errorf("%v: %q as stored, want %q: %v", c.kinds, got, c.want, err)
		}
	}
	n, err := graph.KindNetwork(paths(notes), yielded(storedEdges(notes)), graph.Kinds{Wanted: []string{"depends_on"}})
	if got := steps(n); got != "" || err != nil {
		t.Errorf("%q without anything implied: %v", got, err)
	}
}

// TestNear holds Near against the network.
func TestNear(t *testing.T) {
	notes := linkedVault(rand.New(rand.NewPCG(33, 34)), 150)
	edges := storedEdges(notes)
	network := graph.Assemble(notes, graph.NewResolver(paths(notes))).Network()
	for _, way := range []graph.Direction{graph.Forward, graph.Backward, graph.Both} {
		for hops := range 4 {
			for i := range notes {
				from := []string{notes[i].Path, notes[(i*7)%len(notes)].Path}
				want := map[string]bool{}
				for _, r := range network.Reach(from, way, hops) {
					want[r.Path] = true
				}
				got := map[string]bool{}
				for _, path := range graph.Near(edges, from, way, hops) {
					if got[path] {
						t.Errorf("%s is there twice", path)
					}
					got[path] = true
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("from %v, way %d, %d hops (-network +edges): %s", from, way, hops, diff)
				}
			}
		}
	}
}
