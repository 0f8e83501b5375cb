package graph_test

import (
	"slices"
	"strings"
	"testing"

	"quarry/graph"
	"quarry/note"
	"quarry/store"
)

// realVault is a vault with the links of its notes and all that links can name.
type realVault struct {
	notes    []graph.Note
	resolver *graph.Resolver
}

func storedLinks(n *note.Note) []store.Link {
	var links []store.Link
	for _, l := range n.Links {
		links = append(links, store.Link{
			Target: l.Target, Subpath: l.Subpath, Display: l.Display, Relation: l.Relation, Embed: l.Embed, Markdown: l.Markdown,
			External: l.External, Hidden: l.Hidden, Line: l.Line, FromField: l.InFrontmatter,
		})
	}
	return links
}

func outlineOf(n *note.Note) *graph.Outline {
	var headings []graph.Heading
	var blocks []string
	for _, h := range n.Headings {
		headings = append(headings, graph.Heading{Level: h.Level, Text: h.Text})
	}
	for _, b := range n.Blocks {
		blocks = append(blocks, b.ID)
	}
	return graph.NewOutline(headings, blocks)
}

// TestRealVaults counts what becomes of the links of vaults of other people. Each target that is not found was looked at
// when the figures were written down: it is an example in the text, or a file that is not in this copy of the vault.
func TestRealVaults(t *testing.T) {
	for _, test := range []struct {
		name    string
		dialect note.Dialect
		want    map[graph.State]int
	}{
		{"foam-docs", note.Foam, map[graph.State]int{}},
		{"logseq-docs", note.Logseq, map[graph.State]int{}},
		{"dendron-site", note.Dendron, map[graph.State]int{}},
		{"kepano-obsidian", note.Obsidian, map[graph.State]int{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := readVault(t, test.name, test.dialect)
			got, lines := map[graph.State]int{}, []string{}
			for _, n := range v.notes {
				s, err := graph.Around(n.Path, all([]graph.Note{n}, nil), v.resolver)
				if err != nil {
					t.Fatal(err)
				}
				for _, l := range s.Out {
					got[l.State]++
					if l.State != graph.OK && l.State != graph.External {
						lines = append(lines, describe(string(l.State)+" "+n.Path+":", l))
					}
				}
			}
			slices.Sort(lines)
			t.Log(strings.Join(lines, "\n"))
			t.Log(got)
		})
	}
}
