package graph

// noLines are those of what nobody wrote.
var noLines = []int{}

// Graph gives the whole graph, all edges in memory: where types imply many, use what Assembled writes instead.
func (a *Assembled) Graph() Graph {
	count, lines := 0, 0
	whole := wish{structure: true}
	a.rows(whole, func(r *row) bool {
		count, lines = count+1, lines+len(r.lines)
		return true
	})
	g := Graph{Nodes: make([]Node, len(a.notes)), Edges: make([]Edge, 0, count)}
	for i, rank := range pageRank(&a.network.out) {
		n := &a.notes[i]
		g.Nodes[i] = Node{Path: n.path, Title: n.title, Type: n.kind, PageRank: rank}
	}
	ids := make([][]string, len(a.notes)) // of passages
	for i := range a.notes {
		ids[i] = make([]string, a.notes[i].passages)
	}
	for i := range a.sources {
		if s := &a.sources[i]; s.passage >= 0 {
			ids[s.note][s.passage] = s.name
		}
	}
	nameOf := func(of end) string {
		if of.passage < 0 {
			return a.notes[of.note].path
		}
		return ids[of.note][of.passage]
	}
	all := make([]int, 0, lines) // of every edge, one behind the other
	a.rows(whole, func(r *row) bool {
		edge := Edge{
			NoteID: a.notes[r.evidence].id, Source: nameOf(r.source), Target: nameOf(r.target), Kind: a.names[r.kind], Scope: InNote,
			Rule: a.names[r.rule], Confidence: a.trust[r.rule], Lines: noLines, Mirrored: r.isMirrored,
		}
		if r.passage >= 0 {
			edge.Scope, edge.ChunkID = InPassage, ids[r.evidence][r.passage]
		}
		if start := len(all); len(r.lines) > 0 {
			for _, line := range r.lines {
				all = append(all, int(line))
			}
			edge.Lines = all[start:len(all):len(all)]
		}
		g.Edges = append(g.Edges, edge)
		return true
	})
	return g
}
