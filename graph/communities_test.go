package graph_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/graph"
)

// linkedBy makes a network of links "a>b".
func linkedBy(links string) *graph.Network {
	var names []string
	for link := range strings.FieldsSeq(links) {
		from, to, _ := strings.Cut(link, ">")
		names = append(names, from, to)
	}
	slices.Sort(names)
	return graph.NewNetwork(slices.Compact(names), func(yield func(string, string) bool) {
		for link := range strings.FieldsSeq(links) {
			if from, to, _ := strings.Cut(link, ">"); !yield(from, to) {
				return
			}
		}
	})
}

// TestCommunitiesHangTogether has links, found by a search, of which Louvain's method makes a set of two parts that no link
// joins: the note between them moved to another set after they had come together.
func TestCommunitiesHangTogether(t *testing.T) {
	n := linkedBy("17>09 05>21 19>03 17>07 04>22 06>22 16>08 00>08 11>20 24>08 25>16 05>25 18>25 18>23 23>07 25>09 23>16 08>00 22>25")
	whole := 0
	for _, set := range n.Communities() {
		whole += len(set)
		inside := map[string]bool{set[0]: true}
		for range set {
			for path := range inside {
				for _, r := range n.Reach([]string{path}, graph.Both, 1) {
					if slices.Contains(set, r.Path) {
						inside[r.Path] = true
					}
				}
			}
		}
		if len(inside) != len(set) {
			t.Errorf("%v is a community of parts that no link joins", set)
		}
	}
	if whole != 19 {
		t.Errorf("%d notes are in a community", whole)
	}
}

// TestCommunitiesTies has a ring of four, which falls into either two pairs: the first in the order of paths are taken.
func TestCommunitiesTies(t *testing.T) {
	want := [][]string{{"0", "2"}, {"1", "3"}}
	for _, links := range []string{"2>1 1>3 0>3 2>0", "0>3 2>0 1>3 2>1", "1>2 3>1 3>0 0>2"} {
		if diff := cmp.Diff(want, linkedBy(links).Communities()); diff != "" {
			t.Errorf("%s (-want +got): %s", links, diff)
		}
	}
}
