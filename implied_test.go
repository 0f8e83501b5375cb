package quarry_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry"
	"quarry/graph"
)

// typedNotes are of two types that imply edges; one note has defaults of its own.
var typedNotes = map[string]string{
	"types.yaml": "types:\n  project:\n    edge_defaults: [depends_on, references]\n  concept:\n    edge_defaults: [related_to]\n",
	"mill.md":    "---\ntype: project\n---\n# Mill\n\n[[wheel]] and [[wheel|again]] [[mill]] [[gone]] [[wheel#Nothing]]\n\ndepends_on:: [[river]]\n",
	"wheel.md":   "---\ntype: concept\n---\n# Wheel\n\n[[river]] [[pic.png]]\n",
	"river.md":   "# River\n\n[[mill]]\n",
	"own.md":     "---\ntype: project\nedge_defaults: [inspired_by]\n---\n# Own\n\n[[wheel]]\n",
	"pic.png":    "\x89PNG",
}

// explainLinks writes links down as "line target kind rule confidence", those to the note with their source in front.
func explainLinks(links quarry.NoteLinks) (lines []string) {
	for _, l := range links.Out {
		lines = append(lines, fmt.Sprint("→ ", l.Line, " ", l.Target+l.Subpath, " ", l.Kind, " ", l.Rule, " ", l.Confidence))
	}
	for _, l := range links.Back {
		lines = append(lines, fmt.Sprint("← ", l.Source, " ", l.Line, " ", l.Kind, " ", l.Rule, " ", l.Confidence))
	}
	return lines
}

func TestImpliedLinks(t *testing.T) {
	config := quarry.Config{VaultDir: vaultOf(t, typedNotes), DatabasePath: filepath.Join(t.TempDir(), "index.db"), NoModel: true}
	mustIndex(t, openConfig(t, config), quarry.IndexOptions{})
	e := openConfig(t, config)
	for _, test := range []struct {
		note, kinds string
		want        []string
	}{
		{"mill", "", []string{
			"→ 6 wheel references explicit:wikilink 1", "→ 6 wheel references explicit:wikilink 1", "→ 6 mill references explicit:wikilink 1",
			"→ 6 gone references explicit:wikilink 1", "→ 6 wheel#Nothing references explicit:wikilink 1", "→ 8 river depends_on inline:rel 0.95",
			"← river.md 3 references explicit:wikilink 1",
		}},
		{"mill", "Depends_on", []string{
			"→ 6 wheel.md depends_on edge_defaults:project:depends_on 0.7", "→ 8 river depends_on inline:rel 0.95",
		}},
		{"wheel", "depends_on", []string{
			"← mill.md 6 depends_on edge_defaults:project:depends_on 0.7", "← own.md 7 depends_on edge_defaults:project:depends_on 0.7",
		}},
		{"river", "related_to", []string{"← wheel.md 6 related_to edge_defaults:concept:related_to 0.7"}},
		{"own", "inspired_by", nil},
	} {
		links, err := e.Links(t.Context(), quarry.LinksRequest{Note: test.note, Kinds: strings.Fields(test.kinds)})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, explainLinks(links)); diff != "" {
			t.Errorf("%s of %s (-want +got):\n%s", test.kinds, test.note, diff)
		}
	}
	links, err := e.Links(t.Context(), quarry.LinksRequest{Note: "own", Kinds: []string{"depends_on"}, Hops: 3})
	if err != nil || len(links.Reached) != 2 || links.Reached[0].Path != "mill.md" || links.Reached[1].Path != "river.md" {
		t.Errorf("hops along a kind that is implied: %+v, %v", links.Reached, err)
	}
	stats, err := e.GraphStats(t.Context())
	if err != nil || stats.Rules["edge_defaults:project:depends_on"] != 3 || stats.Rules["edge_defaults:concept:related_to"] != 2 {
		t.Errorf("%+v, %v", stats, err)
	}

	config.Types.Overrides = []string{"edge_defaults"}
	e = openConfig(t, config)
	mustIndex(t, e, quarry.IndexOptions{})
	links, err = e.Links(t.Context(), quarry.LinksRequest{Note: "own", Kinds: []string{"inspired_by", "depends_on"}})
	if want := []string{"→ 7 wheel.md inspired_by edge_defaults:project:inspired_by 0.7"}; err != nil || !slices.Equal(explainLinks(links), want) {
		t.Errorf("a note's own defaults: %q, want %q; %v", explainLinks(links), want, err)
	}
}

// TestLinksByKindAreTheGraph holds that the links of each kind around each note are the edges of the graph, but what is
// implied of a kind that is written.
func TestLinksByKindAreTheGraph(t *testing.T) {
	config := quarry.Config{VaultDir: vaultOf(t, typedNotes), DatabasePath: filepath.Join(t.TempDir(), "index.db"), NoModel: true}
	mustIndex(t, openConfig(t, config), quarry.IndexOptions{})
	for _, config.Audience = range []quarry.Audience{quarry.Owner, quarry.Client} {
		e := openConfig(t, config)
		built, err := e.Graph(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		isImplied := func(edge graph.Edge) bool { return strings.HasPrefix(edge.Rule, "edge_defaults:") }
		written := map[[3]string]bool{}
		for _, edge := range built.Edges {
			if !isImplied(edge) {
				written[[3]string{edge.Source, edge.Target, edge.Kind}] = true
			}
		}
		want, got := map[string]bool{}, map[string]bool{}
		for _, edge := range built.Edges {
			isRepeated := isImplied(edge) && written[[3]string{edge.Source, edge.Target, edge.Kind}]
			if !strings.HasPrefix(edge.Rule, "structure:") && !edge.Mirrored && !isRepeated {
				want[edge.Source+" "+edge.Target+" "+edge.Kind+" "+edge.Rule] = true
			}
		}
		for _, node := range built.Nodes {
			links, err := e.Links(t.Context(), quarry.LinksRequest{Note: node.Path, Kinds: []string{"references", "depends_on", "related_to", "inspired_by"}})
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range links.Out {
				if l.Resolved != nil && !strings.HasSuffix(*l.Resolved, ".png") {
					got[node.Path+" "+*l.Resolved+" "+l.Kind+" "+l.Rule] = true
				}
			}
			for _, l := range links.Back {
				if edge := l.Source + " " + node.Path + " " + l.Kind + " " + l.Rule; !want[edge] {
					t.Errorf("%s: the graph has no edge %s", config.Audience, edge)
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-graph +links):\n%s", config.Audience, diff)
		}
	}
}
