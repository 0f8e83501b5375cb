package graph

import (
	"slices"
	"strings"
)

// group is all edges of one source: a note's own, or those of one of its passages.
type group struct {
	source     string
	note       int32
	passage    int32 // 0-based, -1: none
	start, end int32 // of the note's own in minted
}

// noLines are those of what nobody wrote.
var noLines = []int{}

// edges gives what was minted and sorted, and the structure, each edge once, in order.
func (m *mint) edges() []Edge {
	groups, count := m.groups()
	edges, lines := make([]Edge, 0, count), make([]int, 0, len(m.minted))
	start, joined := 0, 0 // of the edges of the source at hand, and how many groups have it
	for i := range groups {
		g := &groups[i]
		joined++
		if g.passage >= 0 {
			edges = m.appendStructure(edges, g)
		} else {
			edges, lines = m.appendMinted(edges, lines, m.minted[g.start:g.end])
		}
		if i+1 < len(groups) && groups[i+1].source == g.source {
			continue
		}
		if g.passage >= 0 || joined > 1 {
			slices.SortFunc(edges[start:], compareEdges)
			same := slices.CompactFunc(edges[start:], func(a, b Edge) bool { return compareEdges(a, b) == 0 })
			edges = edges[:start+len(same)]
		}
		start, joined = len(edges), 0
	}
	return edges
}

// groups lists the sources in order, and the number of edges that they have, repeated ones counted once.
func (m *mint) groups() (groups []group, count int) {
	for i := range m.notes {
		for passage, id := range m.ids[i] {
			groups = append(groups, group{source: id, note: int32(i), passage: int32(passage)})
		}
		count += 3 * len(m.ids[i])
	}
	for start := 0; start < len(m.minted); {
		end, source := start, m.minted[start].source
		for ; end < len(m.minted) && m.minted[end].source == source; end++ {
			if end == start || m.compareKeys(m.minted[end-1], m.minted[end]) != 0 {
				count++
			}
		}
		groups = append(groups, group{m.notes[source].Path, source, -1, int32(start), int32(end)})
		start = end
	}
	slices.SortStableFunc(groups, func(a, b group) int { return strings.Compare(a.source, b.source) })
	return groups, count
}

// appendStructure appends the edges that follow from a passage's place in its note.
func (m *mint) appendStructure(edges []Edge, g *group) []Edge {
	note, ids := &m.notes[g.note], m.ids[g.note]
	edge := Edge{
		NoteID: note.ID, Source: g.source, Target: note.Path, Kind: BelongsTo, Rule: RuleStructure + BelongsTo,
		Scope: InPassage, ChunkID: g.source, Confidence: 1, Lines: noLines,
	}
	edges = append(edges, edge)
	if after := g.passage + 1; int(after) < len(ids) {
		edge.Target, edge.Kind, edge.Rule = ids[after], Next, RuleStructure+Next
		edges = append(edges, edge)
	}
	if g.passage > 0 {
		edge.Target, edge.Kind, edge.Rule = ids[g.passage-1], Previous, RuleStructure+Previous
		edges = append(edges, edge)
	}
	return edges
}

// appendMinted appends the edges of a note, each once, with the lines of the note that says so. Lines lie in
// one array.
func (m *mint) appendMinted(edges []Edge, lines []int, sorted []minted) ([]Edge, []int) {
	for len(sorted) > 0 {
		first, same, start := sorted[0], 1, len(lines)
		for ; same < len(sorted) && m.compareKeys(first, sorted[same]) == 0; same++ {
		}
		for _, e := range sorted[:same] {
			if e.evidence == first.evidence {
				lines = append(lines, int(e.line))
			}
		}
		slices.Sort(lines[start:])
		lines = lines[:start+len(slices.Compact(lines[start:]))]
		edge := Edge{
			NoteID: m.notes[first.evidence].ID, Source: m.notes[first.source].Path, Target: m.notes[first.target].Path,
			Kind: m.names[first.kind], Scope: first.scope(), Rule: m.names[first.rule], Confidence: confidenceOf(m.names[first.rule]),
			Lines: lines[start:len(lines):len(lines)], Mirrored: first.evidence != first.source,
		}
		if first.passage >= 0 {
			edge.ChunkID = m.ids[first.evidence][first.passage]
		}
		edges, sorted = append(edges, edge), sorted[same:]
	}
	return edges, lines
}

// confidenceOf is that of edges between notes by their rule.
func confidenceOf(rule string) float64 {
	switch {
	case rule == RuleInline:
		return inlineConfidence
	case strings.HasPrefix(rule, RuleDefaults):
		return defaultsConfidence
	}
	return 1
}
