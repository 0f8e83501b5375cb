package graph

import (
	"cmp"
	"slices"
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
	Maps       []Map    `json:"maps"`    // maps of content with what they gather, by path; see IsMap
}

// maxRanked is how many notes a list of the first has.
const maxRanked = 10

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
// among them that are dead: see Tally. Edges of defaults and mirrored ones count as edges, and make nothing hang together.
func (a *Assembled) Stats(links, unresolved int) Stats {
	s := Stats{Notes: len(a.notes), Links: links, Unresolved: unresolved, Kinds: map[string]int{}, Rules: map[string]int{}}
	kinds, rules := make([]int, len(a.names)), make([]int, len(a.names))
	a.rows(wish{}, func(r *row) bool {
		s.Edges++
		kinds[r.kind]++
		rules[r.rule]++
		return true
	})
	for i, name := range a.names {
		if kinds[i] > 0 {
			s.Kinds[name] = kinds[i]
		}
		if rules[i] > 0 {
			s.Rules[name] = rules[i]
		}
	}
	s.Components = []int{}
	for _, set := range a.network.Components() {
		if len(set) > 1 {
			s.Components = append(s.Components, len(set))
		}
	}
	a.rank(&s)
	return s
}

// rank fills in what notes are to the whole.
func (a *Assembled) rank(s *Stats) {
	ranked := make([]Ranked, len(a.notes))
	s.Orphans, s.Maps = []string{}, []Map{}
	for i, weight := range pageRank(&a.network.out) {
		node, n := int32(i), &a.notes[i]
		ranked[i] = Ranked{n.path, weight, a.network.in.degree(node), a.network.out.degree(node)}
		if ranked[i].In+ranked[i].Out == 0 {
			s.Orphans = append(s.Orphans, n.path)
		}
		if IsMap(n.path, n.kind) {
			s.Maps = append(s.Maps, Map{n.path, a.network.named(a.network.out.of(node))})
		}
	}
	s.Top = firstOf(ranked, func(r Ranked) float64 { return r.PageRank })
	s.Hubs = firstOf(ranked, func(r Ranked) float64 { return float64(r.Out) })
}

// Network is that of the edges between notes that are of some kinds; none: of all that people wrote.
func (a *Assembled) Network(kinds ...string) *Network {
	if len(kinds) == 0 {
		return a.network
	}
	b := &builder{paths: a.network.paths}
	a.rows(wish{}, func(r *row) bool {
		if r.source.note != r.target.note && slices.Contains(kinds, a.names[r.kind]) {
			b.pairs = append(b.pairs, pair{r.source.note, r.target.note})
		}
		return true
	})
	return b.network()
}

// firstOf gives the notes of the highest figures, which are above 0. The order of equal ones stays.
func firstOf(ranked []Ranked, figure func(Ranked) float64) []Ranked {
	first := slices.DeleteFunc(slices.Clone(ranked), func(r Ranked) bool { return figure(r) == 0 })
	slices.SortStableFunc(first, func(a, b Ranked) int { return cmp.Compare(figure(b), figure(a)) })
	return append([]Ranked{}, first[:min(len(first), maxRanked)]...)
}
