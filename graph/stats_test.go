package graph_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/graph"
	"quarry/store"
)

func TestStats(t *testing.T) {
	notes := smallVault()
	notes = append(notes, graph.Note{Path: "alone.md", ID: "alone", Passages: 2, Links: []store.Link{{Target: "alone"}}},
		graph.Note{Path: "x.md", ID: "x", Type: "Moc", TypeKey: "moc", Defaults: []string{graph.RelatedTo}, Links: []store.Link{{Target: "y", Line: 1}, {Target: "y", Line: 3}, {Target: "x"}}},
		graph.Note{Path: "y.md", ID: "y", Type: "mocking"})
	a := graph.Assemble(notes, graph.NewResolver(paths(notes)))
	weight := map[string]float64{}
	for _, node := range a.Graph().Nodes {
		weight[node.Path] = node.PageRank
	}
	rank := func(path string, in, out int) graph.Ranked { return graph.Ranked{path, weight[path], in, out} }
	want := graph.Stats{
		Notes: 6, Edges: 12, Links: 14, Unresolved: 3,
		Kinds:      map[string]int{"references": 8, "depends_on": 1, "up": 1, graph.RelatedTo: 2},
		Rules:      map[string]int{graph.RuleWikilink: 7, graph.RuleMarkdown: 1, graph.RuleInline: 1, graph.RuleProperty: 1, "edge_defaults:moc:related_to": 2},
		Components: []int{3, 2},
		Orphans:    []string{"alone.md"},
		Top: []graph.Ranked{
			rank("clay/Slip.md", 2, 0), rank("y.md", 1, 0), rank("Glaze.md", 1, 1), rank("alone.md", 0, 0), rank("kiln.md", 0, 2), rank("x.md", 0, 1),
		},
		Hubs: []graph.Ranked{rank("kiln.md", 0, 2), rank("Glaze.md", 1, 1), rank("x.md", 0, 1)},
		Maps: []graph.Map{{Path: "clay/Slip.md", Members: []string{}}, {Path: "x.md", Members: []string{"y.md"}}},
	}
	if diff := cmp.Diff(want, a.Stats(14, 3)); diff != "" {
		t.Errorf("(-want +got): %s", diff)
	}
}

func TestStatsEmpty(t *testing.T) {
	got, err := json.Marshal(graph.Assemble(nil, graph.NewResolver(nil)).Stats(0, 0))
	want := `{"notes":0,"edges":0,"links":0,"unresolved":0,"kinds":{},"rules":{},"components":[],"orphans":[],"top":[],"hubs":[],"maps":[]}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestRankedAreFew(t *testing.T) {
	var notes []graph.Note
	for i := range 30 {
		notes = append(notes, graph.Note{Path: fmt.Sprintf("%02d.md", i), Links: []store.Link{{Target: "00"}, {Target: "01"}}})
	}
	s := graph.Assemble(notes, graph.NewResolver(paths(notes))).Stats(60, 0)
	if len(s.Top) != 10 || len(s.Hubs) != 10 || s.Hubs[0].Path != "02.md" || s.Top[0].Path != "00.md" {
		t.Errorf("top %v, hubs %v", s.Top, s.Hubs)
	}
}
