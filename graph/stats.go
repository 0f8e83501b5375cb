package graph

import (
	"cmp"
	"slices"
	"strings"
)

// Stats are figures of a whole graph. Its JSON form is what `graph --stats --json` prints.
type Stats struct {
	Notes      int            `json:"notes"`
	Edges      int            `json:"edges"`      // between notes, those of defaults and mirrored ones among them
	Links      int            `json:"links"`      // as written, external ones left out
	Unresolved int            `json:"unresolved"` // of Links: no file, or no such heading or block
	Kinds      map[string]int `json:"kinds"`      // edges between notes by kind
	Rules      map[string]int `json:"rules"`      // edges between notes by rule
	// Components are the numbers of notes that hang together, largest first, those of one note left out.
	Components []int    `json:"components"`
	Orphans    []string `json:"orphans"` // notes that no link joins to another, sorted
	Top        []Ranked `json:"top"`     // the notes of highest PageRank, at most 10, then by path
	Hubs       []Ranked `json:"hubs"`    // the notes that link to most others, at most 10, then by path; to one at least
	Maps       []Map    `json:"maps"`    // notes of type moc with what they gather, by path
}

// maxRanked is how many notes a list of the first has.
const maxRanked = 10

// mapType is the type of a map of content, in any letter case.
const mapType = "moc"

// Ranked is a note with its figures.
type Ranked struct {
	Path     string  `json:"path"`
	PageRank float64 `json:"pagerank"`
	In       int     `json:"in"`  // other notes that link to it
	Out      int     `json:"out"` // other notes it links to
}

// Map is a map of content with the notes that it links to, sorted.
type Map struct {
	Path    string   `json:"path"`
	Members []string `json:"members"`
}

// Stats counts. links is the number of those of the notes, as written, external ones left out, and unresolved that of those
// among them that lead nowhere or not to all that they name. Edges of defaults and mirrored ones count as edges, and make
// nothing hang together.
func (g Graph) Stats(links, unresolved int) Stats {
	s := Stats{Notes: len(g.Nodes), Links: links, Unresolved: unresolved, Kinds: map[string]int{}, Rules: map[string]int{}}
	for i := range g.Edges {
		if e := &g.Edges[i]; !e.isStructure() {
			s.Edges++
			s.Kinds[e.Kind]++
			s.Rules[e.Rule]++
		}
	}
	network := g.Network()
	s.Components = []int{}
	for _, set := range network.Components() {
		if len(set) > 1 {
			s.Components = append(s.Components, len(set))
		}
	}
	ranked := make([]Ranked, len(g.Nodes))
	s.Orphans, s.Maps = []string{}, []Map{}
	for i := range g.Nodes {
		node := network.node(g.Nodes[i].Path)
		ranked[i] = Ranked{g.Nodes[i].Path, g.Nodes[i].PageRank, network.in.degree(node), network.out.degree(node)}
		if ranked[i].In+ranked[i].Out == 0 {
			s.Orphans = append(s.Orphans, ranked[i].Path)
		}
		if strings.EqualFold(strings.TrimSpace(g.Nodes[i].Type), mapType) {
			s.Maps = append(s.Maps, Map{ranked[i].Path, network.named(network.out.of(node))})
		}
	}
	s.Top = firstOf(ranked, func(r Ranked) float64 { return r.PageRank })
	s.Hubs = firstOf(ranked, func(r Ranked) float64 { return float64(r.Out) })
	return s
}

// firstOf gives the notes of the highest figures, which are above 0. The order of equal ones stays.
func firstOf(ranked []Ranked, figure func(Ranked) float64) []Ranked {
	first := slices.DeleteFunc(slices.Clone(ranked), func(r Ranked) bool { return figure(r) == 0 })
	slices.SortStableFunc(first, func(a, b Ranked) int { return cmp.Compare(figure(b), figure(a)) })
	return append([]Ranked{}, first[:min(len(first), maxRanked)]...)
}
