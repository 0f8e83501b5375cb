package graph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/graph"
	"quarry/store"
)

// between describes the edges between notes, one a line.
func between(g graph.Graph) []string {
	var lines []string
	for _, e := range g.Edges {
		if strings.HasPrefix(e.Rule, graph.RuleStructure) {
			continue
		}
		line := fmt.Sprintf("%s -%s-> %s %s %v %s@%s%v", e.Source, e.Kind, e.Target, e.Rule, e.Confidence, e.NoteID, e.ChunkID, e.Lines)
		if e.Mirrored {
			line += " mirrored"
		}
		if (e.Scope == graph.InNote) != (e.ChunkID == "") {
			line += " of a wrong scope"
		}
		lines = append(lines, line)
	}
	return lines
}

func TestDefaultsAndMirrors(t *testing.T) {
	for _, c := range []struct {
		name  string
		notes []graph.Note
		want  []string
	}{
		{
			"each reference implies each kind, what is written already, too",
			[]graph.Note{
				{Path: "a.md", ID: "A", Type: " Project", TypeKey: "project", Passages: 2, Defaults: []string{"references", "depends_on", "references", ""}, Links: []store.Link{
					{Target: "b", Line: 4, ChunkOrd: 1},
					{Target: "b", Relation: "Uses", Line: 9, ChunkOrd: 2},
					{Target: "b", Markdown: true, Line: 5, ChunkOrd: 1},
					{Target: "b", Relation: "up", FromField: true, Line: 2},
					{Target: "b", Line: 4, ChunkOrd: 1},
				}},
				{Path: "b.md"},
			},
			[]string{
				"a.md -depends_on-> b.md edge_defaults:project:depends_on 0.7 A@A#c00[4 5 9]",
				"a.md -depends_on-> b.md edge_defaults:project:depends_on 0.7 A@[2]",
				"a.md -references-> b.md edge_defaults:project:references 0.7 A@A#c00[4 5 9]",
				"a.md -references-> b.md explicit:markdown 1 A@A#c00[5]",
				"a.md -references-> b.md explicit:wikilink 1 A@A#c00[4]",
				"a.md -references-> b.md edge_defaults:project:references 0.7 A@[2]",
				"a.md -up-> b.md explicit:property 1 A@[2]",
				"a.md -uses-> b.md inline:rel 0.95 A@A#c01[9]",
			},
		},
		{
			"no type, and no reference to another note",
			[]graph.Note{
				{Path: "a.md", ID: "A", Passages: 1, Defaults: []string{"depends_on"}, Links: []store.Link{
					{Target: "a", Line: 1, ChunkOrd: 1},
					{Target: "", Subpath: "#x", Line: 2, ChunkOrd: 1},
					{Target: "gone", Line: 3},
					{Target: "b", Line: 4},
					{Target: "https://example.org", External: true, Line: 5},
				}},
				{Path: "b.md"},
			},
			[]string{
				"a.md -references-> a.md explicit:wikilink 1 A@A#c00[1 2]",
				"a.md -depends_on-> b.md edge_defaults:default:depends_on 0.7 A@[4]",
				"a.md -references-> b.md explicit:wikilink 1 A@[4]",
			},
		},
		{
			"kinds that hold both ways are mirrored, whoever says so",
			[]graph.Note{
				{Path: "a.md", ID: "A", Type: "concept", TypeKey: "concept", Passages: 1, Defaults: []string{"related_to"}, Links: []store.Link{
					{Target: "b", Relation: "Similar_To", Line: 3, ChunkOrd: 1},
				}},
				{Path: "b.md", ID: "B"},
			},
			[]string{
				"a.md -related_to-> b.md edge_defaults:concept:related_to 0.7 A@A#c00[3]",
				"a.md -similar_to-> b.md inline:rel 0.95 A@A#c00[3]",
				"b.md -related_to-> a.md edge_defaults:concept:related_to 0.7 A@A#c00[3] mirrored",
				"b.md -similar_to-> a.md inline:rel 0.95 A@A#c00[3] mirrored",
			},
		},
		{
			"what a note says itself goes before what is mirrored",
			[]graph.Note{
				{Path: "a.md", ID: "A", Links: []store.Link{{Target: "b", Relation: "similar_to", Line: 3}, {Target: "a", Relation: "similar_to", Line: 4}}},
				{Path: "b.md", ID: "B", Links: []store.Link{{Target: "a", Relation: "similar_to", Line: 7}, {Target: "a", Relation: "similar_to", Line: 6}}},
			},
			[]string{
				"a.md -similar_to-> a.md inline:rel 0.95 A@[4]",
				"a.md -similar_to-> b.md inline:rel 0.95 A@[3]",
				"b.md -similar_to-> a.md inline:rel 0.95 B@[6 7]",
			},
		},
		{
			"a passage that is not there is none",
			[]graph.Note{{Path: "a.md", ID: "A", Passages: 1, Links: []store.Link{{Target: "b", Line: 1, ChunkOrd: 2}}}, {Path: "b.md"}},
			[]string{"a.md -references-> b.md explicit:wikilink 1 A@[1]"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, between(graph.Assemble(c.notes, graph.NewResolver(paths(c.notes))).Graph())); diff != "" {
				t.Errorf("(-want +got): %s", diff)
			}
		})
	}
}

// TestPageRankCountsWhatPeopleWrote holds that what types imply and what is mirrored changes no weight.
func TestPageRankCountsWhatPeopleWrote(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	notes := linkedVault(random, 100)
	resolver := graph.NewResolver(paths(notes))
	plain := graph.Assemble(notes, resolver).Graph()
	for i := range notes {
		notes[i].Defaults = []string{graph.RelatedTo, "depends_on"}
	}
	if diff := cmp.Diff(plain.Nodes, graph.Assemble(notes, resolver).Graph().Nodes); diff != "" {
		t.Error(diff)
	}
}

// TestInvariants holds those of Mindnet over vaults at random: see also TestBuildProperties.
func TestInvariants(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for range 20 {
		notes := linkedVault(random, 120)
		for i := range notes {
			notes[i].Type = []string{"", "Concept", "task"}[random.IntN(3)]
			notes[i].Defaults = [][]string{nil, {"references", graph.RelatedTo}, {"depends_on", graph.BelongsTo}}[random.IntN(3)]
			for j := range notes[i].Links {
				notes[i].Links[j].Line = 1 + random.IntN(5)
			}
		}
		g := graph.Assemble(notes, graph.NewResolver(paths(notes))).Graph()
		checkStructure(t, notes, g)
		checkEdges(t, g)
	}
}

// checkEdges holds that edges are unique and sorted, that their lines are in order, and that each that holds both ways has its image.
func checkEdges(t *testing.T, g graph.Graph) {
	t.Helper()
	key := func(e graph.Edge) string {
		return strings.Join([]string{e.Source, e.Target, e.Kind, e.Scope, e.Rule}, "\x00")
	}
	unique := map[string]bool{}
	for i, e := range g.Edges {
		unique[key(e)] = true
		if i > 0 && key(g.Edges[i-1]) >= key(e) {
			t.Errorf("%+v stands before %+v", g.Edges[i-1], e)
		}
		isStructure := strings.HasPrefix(e.Rule, graph.RuleStructure)
		if e.Lines == nil || isStructure != (len(e.Lines) == 0) || !slices.IsSorted(e.Lines) || len(slices.Compact(slices.Clone(e.Lines))) != len(e.Lines) {
			t.Errorf("lines of %+v", e)
		}
		if e.Confidence <= 0 || e.Confidence > 1 || e.NoteID == "" {
			t.Errorf("%+v", e)
		}
	}
	for _, e := range g.Edges {
		image := e
		image.Source, image.Target = e.Target, e.Source
		if (e.Kind == graph.RelatedTo || e.Kind == graph.SimilarTo) && !unique[key(image)] {
			t.Errorf("%+v has no image", e)
		}
		if strings.HasPrefix(e.Rule, graph.RuleDefaults) && e.Source == e.Target {
			t.Errorf("%+v is of a note to itself", e)
		}
	}
}

// TestSharedNames holds that each passage has its edges where the id that one note declares is the name of another: a store
// gives no two notes the same id.
func TestSharedNames(t *testing.T) {
	stored := []*store.Note{{File: store.File{Path: "a.md"}, DeclaredID: "b"}, {File: store.File{Path: "b.md"}}}
	store.Identify(stored)
	notes := []graph.Note{
		{Path: "a.md", ID: stored[0].NoteID, Passages: 2}, {Path: "b.md", ID: stored[1].NoteID, Passages: 3},
	}
	g := graph.Assemble(notes, graph.NewResolver(paths(notes))).Graph()
	checkEdges(t, g)
	checkStructure(t, notes, g)
	passages := map[string]bool{}
	for _, e := range g.Edges {
		if e.Kind == graph.BelongsTo {
			passages[e.Source] = true
		}
	}
	if len(passages) != 5 {
		t.Errorf("passages %v, want five", passages)
	}
}
