package graph

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Build makes the graph of notes, in any order, with distinct paths. Links that lead to no note of the list are left out.
//
// Beside the structure of passages it has an edge for each link, one for each of the note's Defaults where the link leads to
// another note, and the mirror images of those whose kind holds both ways. What a note says itself goes before what is
// mirrored of another.
func Build(notes []Note, resolver *Resolver) Graph {
	m := newMint(notes)
	resolver = resolver.WithOutlines(nil)
	for i := range m.notes {
		m.mintNote(int32(i), resolver)
	}
	slices.SortFunc(m.minted, m.compare)
	g := Graph{Nodes: make([]Node, len(m.notes)), Edges: m.edges()}
	network := (&builder{paths: make([]string, len(m.notes)), pairs: m.pairs}).network()
	for i, rank := range pageRank(&network.out) {
		note := &m.notes[i]
		g.Nodes[i] = Node{Path: note.Path, Title: note.Title, Type: note.Type, PageRank: rank}
	}
	return g
}

// mint makes the edges between notes, which are called by their places in the list.
type mint struct {
	notes  []Note // by path
	places map[string]int32
	minted []minted
	pairs  []pair // that people linked

	names   []string // kinds and rules
	numbers map[string]int32
	ids     [][]string // of the passages of each note
}

// minted is an edge in little room, or one of several occurrences of it.
type minted struct {
	source, target int32
	kind, rule     int32 // places in names
	evidence       int32 // the note that says so
	passage        int32 // of evidence, 0-based; -1: none
	line           int32
}

func newMint(notes []Note) *mint {
	m := &mint{
		notes:   slices.SortedFunc(slices.Values(notes), func(a, b Note) int { return strings.Compare(a.Path, b.Path) }),
		places:  make(map[string]int32, len(notes)),
		numbers: map[string]int32{},
		ids:     make([][]string, len(notes)),
	}
	links := 0
	for i := range m.notes {
		note := &m.notes[i]
		m.places[note.Path] = int32(i)
		m.ids[i] = chunkIDs(note.ID, note.Passages)
		links += len(note.Links)
	}
	m.minted = make([]minted, 0, links)
	return m
}

// chunkIDs names the passages of a note by its id and their 0-based places. Their letters lie in one string.
func chunkIDs(noteID string, count int) []string {
	ids, ends := make([]string, count), make([]int, count)
	all := make([]byte, 0, count*(len(noteID)+len("#c000")))
	for i := range count {
		all = append(append(all, noteID...), "#c"...)
		if i < 10 {
			all = append(all, '0')
		}
		all = strconv.AppendInt(all, int64(i), 10)
		ends[i] = len(all)
	}
	letters, start := string(all), 0
	for i, end := range ends {
		ids[i], start = letters[start:end], end
	}
	return ids
}

func (m *mint) number(name string) int32 {
	number, ok := m.numbers[name]
	if !ok {
		number = int32(len(m.names))
		m.names, m.numbers[name] = append(m.names, name), number
	}
	return number
}

// mintNote makes the edges that a note's links are evidence of.
func (m *mint) mintNote(place int32, resolver *Resolver) {
	note := &m.notes[place]
	kinds := slices.DeleteFunc(slices.Clone(note.Defaults), func(kind string) bool { return kind == "" })
	front := RuleDefaults + cmp.Or(strings.ToLower(strings.TrimSpace(note.Type)), untyped) + ":"
	for i := range note.Links {
		link := resolver.follow(&note.Links[i], note.Path)
		target, ok := m.places[link.resolution.Path]
		if link.resolution.Path == "" || !ok {
			continue
		}
		edge := minted{source: place, target: target, evidence: place, passage: -1, line: int32(note.Links[i].Line)}
		if ord := note.Links[i].ChunkOrd; ord > 0 && ord <= note.Passages {
			edge.passage = int32(ord - 1)
		}
		m.add(edge, link.kind, link.rule)
		if target == place {
			continue
		}
		m.pairs = append(m.pairs, pair{place, target})
		for _, kind := range kinds {
			m.add(edge, kind, front+kind)
		}
	}
}

// add also puts down the mirror image of an edge that has one.
func (m *mint) add(edge minted, kind, rule string) {
	edge.kind, edge.rule = m.number(kind), m.number(rule)
	m.minted = append(m.minted, edge)
	if isSymmetric(kind) && edge.source != edge.target {
		edge.source, edge.target = edge.target, edge.source
		m.minted = append(m.minted, edge)
	}
}

func isSymmetric(kind string) bool { return kind == RelatedTo || kind == SimilarTo }

// compareKeys is compareEdges for edges between notes.
func (m *mint) compareKeys(a, b minted) int {
	if order := cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.target, b.target)); order != 0 {
		return order
	}
	if a.kind != b.kind {
		return strings.Compare(m.names[a.kind], m.names[b.kind])
	}
	if order := strings.Compare(a.scope(), b.scope()); order != 0 || a.rule == b.rule {
		return order
	}
	return strings.Compare(m.names[a.rule], m.names[b.rule])
}

// compare puts what the source says before what is mirrored, and that in reading order.
func (m *mint) compare(a, b minted) int {
	if order := m.compareKeys(a, b); order != 0 {
		return order
	}
	if isOwn := a.evidence == a.source; isOwn != (b.evidence == b.source) {
		if isOwn {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.passage, b.passage), cmp.Compare(a.line, b.line))
}

func (e *minted) scope() string {
	if e.passage < 0 {
		return InNote
	}
	return InPassage
}
