package graph_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"quarry/graph"
	"quarry/internal/dialect"
	"quarry/note"
	"quarry/store"
)

// realVault is a vault with the links of its notes and all that links can name.
type realVault struct {
	notes    []graph.Note
	resolver *graph.Resolver
	names    map[string]string // letters of the names of files, and of what Logseq finds notes by → path
}

func storedLinks(n *note.Note) []store.Link {
	var links []store.Link
	for _, l := range n.Links {
		links = append(links, store.Link{
			Target: l.Target, Subpath: l.Subpath, Display: l.Display, Relation: l.Relation, Embed: l.Embed, Markdown: l.Markdown,
			External: l.External, Hidden: l.Hidden, Line: l.Line, FromField: l.InFrontmatter, RelationInside: l.RelationInside,
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

// TestRealVaults counts what becomes of the links of vaults of other people. Every target that is not found was looked at
// when the figures were written down: it is an example in the text, or a file that is not in this copy of the vault. So is
// every heading and block. The test itself looks for names that are all but the same.
func TestRealVaults(t *testing.T) {
	for _, test := range []struct {
		name    string
		dialect dialect.Dialect
		want    map[graph.State]int
	}{
		{"foam-docs", dialect.Foam, map[graph.State]int{graph.OK: 274, graph.External: 252, graph.Unresolved: 14, graph.HeadingMissing: 2}},
		{"logseq-docs", dialect.Logseq, map[graph.State]int{graph.OK: 1119, graph.External: 1563, graph.Unresolved: 1275, graph.BlockMissing: 10}},
		{"dendron-site", dialect.Dendron, map[graph.State]int{graph.OK: 708, graph.External: 465, graph.Unresolved: 343, graph.HeadingMissing: 25}},
		{"kepano-obsidian", dialect.Obsidian, map[graph.State]int{graph.OK: 147, graph.External: 6, graph.Unresolved: 62}},
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
					if l.State == graph.OK || l.State == graph.External {
						continue
					}
					lines = append(lines, describe(string(l.State)+" "+n.Path+":", l))
					if near := v.names[lettersOf(l.Target)]; near != "" && l.State == graph.Unresolved {
						t.Errorf("%s:%d: %q is not found, yet there is %s", n.Path, l.Line, l.Target, near)
					}
				}
			}
			slices.Sort(lines)
			t.Log(strings.Join(lines, "\n"))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// lettersOf is a name without anything but its letters and digits, in lower case; "" for one with "*", which means many notes.
func lettersOf(name string) string {
	if strings.HasSuffix(name, "*") {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}
