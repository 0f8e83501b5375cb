package graph_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"quarry/graph"
	"quarry/store"
)

// plainBuild makes the edges of notes one by one and joins those that are the same, as the documentation of graph.Assemble has it.
func plainBuild(notes []graph.Note, resolver *graph.Resolver) []graph.Edge {
	type key struct{ source, target, kind, scope, rule string }
	said := map[key][]graph.Edge{}
	isNote := map[string]bool{}
	for _, n := range notes {
		isNote[n.Path] = true
	}
	say := func(e graph.Edge) {
		k := key{e.Source, e.Target, e.Kind, e.Scope, e.Rule}
		said[k] = append(said[k], e)
	}
	both := func(e graph.Edge) {
		say(e)
		if (e.Kind == graph.RelatedTo || e.Kind == graph.SimilarTo) && e.Source != e.Target {
			e.Source, e.Target, e.Mirrored = e.Target, e.Source, true
			say(e)
		}
	}
	id := func(n *graph.Note, passage int) string { return fmt.Sprintf("%s#c%02d", n.ID, passage) }
	for i := range notes {
		n := &notes[i]
		for p := range n.Passages {
			e := graph.Edge{NoteID: n.ID, Source: id(n, p), Target: n.Path, Kind: "belongs_to", Rule: "structure:belongs_to", Scope: "chunk", ChunkID: id(n, p), Confidence: 1, Lines: []int{}}
			say(e)
			if e.Kind, e.Rule, e.Target = "next", "structure:next", id(n, p+1); p+1 < n.Passages {
				say(e)
			}
			if e.Kind, e.Rule, e.Target = "prev", "structure:prev", id(n, p-1); p > 0 {
				say(e)
			}
		}
		for _, of := range resolver.Edges(n.Path, n.Links, func(path string) bool { return isNote[path] }) {
			link := n.Links[of.Link]
			e := graph.Edge{NoteID: n.ID, Source: n.Path, Target: of.Target, Kind: of.Kind, Rule: of.Rule, Scope: "note", Confidence: 1, Lines: []int{link.Line}}
			if link.ChunkOrd > 0 && link.ChunkOrd <= n.Passages {
				e.Scope, e.ChunkID = "chunk", id(n, link.ChunkOrd-1)
			}
			if of.Rule == graph.RuleInline {
				e.Confidence = .95
			}
			both(e)
			for _, kind := range n.Defaults {
				if kind == "" || of.Target == n.Path {
					continue
				}
				e.Kind, e.Rule, e.Confidence = kind, graph.ImpliedRule(n.TypeKey, kind), .7
				both(e)
			}
		}
	}
	edges := []graph.Edge{}
	for _, list := range said {
		slices.SortStableFunc(list, func(a, b graph.Edge) int {
			if a.Mirrored != b.Mirrored {
				if a.Mirrored {
					return 1
				}
				return -1
			}
			return cmp.Compare(ordOf(a.ChunkID), ordOf(b.ChunkID))
		})
		e := list[0]
		e.Lines = []int{}
		for _, other := range list {
			if other.NoteID == e.NoteID {
				e.Lines = append(e.Lines, other.Lines...)
			}
		}
		slices.Sort(e.Lines)
		e.Lines = slices.Compact(e.Lines)
		edges = append(edges, e)
	}
	slices.SortFunc(edges, func(a, b graph.Edge) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Target, b.Target), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Scope, b.Scope), cmp.Compare(a.Rule, b.Rule))
	})
	return edges
}

func ordOf(chunkID string) int {
	ord := -1
	_, _ = fmt.Sscanf(chunkID[strings.LastIndex(chunkID, "#c")+1:], "c%d", &ord)
	return ord
}

// TestAssembleAgainstPlain holds the streamed graph against the plain one, whatever is written, implied and mirrored.
func TestAssembleAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 42))
	kinds := []string{"", "references", "uses", graph.RelatedTo, graph.SimilarTo}
	one := func() string { return kinds[random.IntN(len(kinds))] }
	for range 200 {
		notes := make([]graph.Note, 1+random.IntN(9))
		for i := range notes {
			n := graph.Note{Path: fmt.Sprintf("n%d.md", i), ID: fmt.Sprint("n", i), Title: "t", TypeKey: []string{"", "concept"}[i%2], Passages: []int{0, 1, 3, 12, 104}[random.IntN(5)]}
			for range random.IntN(4) {
				n.Defaults = append(n.Defaults, one())
			}
			for range random.IntN(12) {
				n.Links = append(n.Links, store.Link{
					Target: fmt.Sprint("n", random.IntN(len(notes)+1)), Relation: one(), FromField: random.IntN(5) == 0, Markdown: random.IntN(3) == 0,
					Line: 1 + random.IntN(4), ChunkOrd: random.IntN(4),
				})
			}
			notes[i] = n
		}
		resolver := graph.NewResolver(paths(notes))
		got := graph.Assemble(notes, resolver)
		if diff := gocmp.Diff(plainBuild(notes, resolver), got.Graph().Edges); diff != "" {
			t.Fatalf("(-plain +streamed):\n%s", diff)
		}
		if diff := gocmp.Diff(plainDrawing(plainBuild(notes, resolver)), drawn(t, got)); diff != "" {
			t.Fatalf("drawing (-plain +streamed):\n%s", diff)
		}
		stats := got.Stats(0, 0)
		counts, edges := map[string]int{}, 0
		for _, e := range got.Graph().Edges {
			if !strings.HasPrefix(e.Rule, graph.RuleStructure) {
				counts[e.Rule]++
				edges++
			}
		}
		if diff := gocmp.Diff(counts, stats.Rules); diff != "" || stats.Edges != edges {
			t.Fatalf("%d edges are counted, %d are there; by rule: %s", stats.Edges, edges, diff)
		}
	}
}

// plainDrawing lists the edges between notes, but for the implied ones that repeat what is written.
func plainDrawing(edges []graph.Edge) []string {
	type key struct{ source, target, kind string }
	written := map[key]bool{}
	isImplied := func(e *graph.Edge) bool { return strings.HasPrefix(e.Rule, graph.RuleDefaults) }
	for i := range edges {
		if e := &edges[i]; !isImplied(e) && !e.Mirrored {
			written[key{e.Source, e.Target, e.Kind}] = true
		}
	}
	list := []string{}
	for i := range edges {
		e := &edges[i]
		isSymmetric := e.Kind == graph.RelatedTo || e.Kind == graph.SimilarTo
		isRepeated := written[key{e.Source, e.Target, e.Kind}] || isSymmetric && written[key{e.Target, e.Source, e.Kind}]
		if !strings.HasPrefix(e.Rule, graph.RuleStructure) && (!isImplied(e) || !isRepeated) {
			list = append(list, strings.Join([]string{e.Source, e.Target, e.Kind, e.Rule}, " "))
		}
	}
	return list
}

var drawnEdge = regexp.MustCompile(`"(.*)" -> "(.*)" \[label="(.*?)".* rule_id="(.*?)"`)

// drawn lists the edges that are in a drawing.
func drawn(t *testing.T, a *graph.Assembled) []string {
	t.Helper()
	var dot strings.Builder
	if err := a.WriteDOT(&dot, graph.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, edge := range drawnEdge.FindAllStringSubmatch(dot.String(), -1) {
		list = append(list, strings.Join(edge[1:], " "))
	}
	return list
}

func TestRepeats(t *testing.T) {
	for _, c := range []struct {
		kind              string
		there, back, want bool
	}{
		{"uses", true, false, true},
		{"uses", false, true, false},
		{graph.RelatedTo, true, false, true},
		{graph.RelatedTo, false, true, true},
		{graph.SimilarTo, false, true, true},
		{graph.RelatedTo, false, false, false},
	} {
		if got := graph.Repeats(c.kind, c.there, c.back); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

// TestNamesLikePassages holds that a note which is called as a passage of another has its edges among those of that passage,
// each once and in order.
func TestNamesLikePassages(t *testing.T) {
	notes := []graph.Note{
		{Path: "a#c00", ID: "b", Passages: 1, Links: []store.Link{{Target: "a#c01", Line: 1, ChunkOrd: 1}, {Target: "c.md", Line: 2}}},
		{Path: "c.md", ID: "a", Passages: 2, Links: []store.Link{{Target: "a#c00", Relation: "next", Line: 3}}},
	}
	got := graph.Assemble(notes, graph.NewResolver(paths(notes))).Graph()
	if diff := gocmp.Diff(plainBuild(notes, graph.NewResolver(paths(notes))), got.Edges); diff != "" {
		t.Errorf("(-plain +streamed):\n%s", diff)
	}
	if !slices.IsSortedFunc(got.Edges, func(a, b graph.Edge) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Target, b.Target))
	}) {
		t.Error("the edges are in no order")
	}
}
