// Package graph joins notes: it finds what links mean (Resolver), lists the links around a note (Around) and builds the
// whole graph with its typed edges and weights (Build). It works on names and on the facts that are stored of notes, knows
// no database and reads no files; everything is computed anew from the names of all files, so that an index that was
// brought up to date has the same graph as a fresh one.
package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quarry/store"
)

// Kinds of edges that have a meaning of their own; all others are relations as people wrote them, in lower case.
const (
	BelongsTo  = "belongs_to" // passage → note
	Next       = "next"       // passage → the one after it
	Previous   = "prev"       // passage → the one before it
	References = "references" // a plain link
)

// Scopes: where the evidence of an edge stands.
const (
	InPassage = "chunk" // in one passage, named by ChunkID
	InNote    = "note"  // in the properties, or in a part that no passage holds
)

// Rules by which edges come about. Those of the structure are "structure:" and the kind.
const (
	RuleStructure = "structure:"
	RuleWikilink  = "explicit:wikilink" // [[Target]] and ![[Target]]
	RuleMarkdown  = "explicit:markdown" // [text](target)
	RuleInline    = "inline:rel"        // a relation in the text: [[rel:…]], rel: …, [!edge], key:: …
	RuleProperty  = "explicit:property" // a link as the value of a property, the key being the relation
)

// inlineConfidence is Mindnet's for relations in the text; what is plainly a link has 1.
const inlineConfidence = 0.95

// Note is what the graph takes from a note.
type Note struct {
	Path     string
	ID       string // store.Note.NoteID, the first part of its passages' ids
	Title    string
	Type     string
	Passages int // number of passages
	Links    []store.Link
}

// Node is a note in the graph.
type Node struct {
	Path  string `json:"path"`
	Title string `json:"title"`
	Type  string `json:"type"`
	// PageRank is the share of a reader who follows links at random (damping 0.85); all add up to 1. Rounded to 1e-6.
	PageRank float64 `json:"pagerank"`
}

// Edge joins two notes (paths), or passages (ids) where the kind is of the structure. There is one for each kind, scope,
// source, target and rule.
type Edge struct {
	Source     string  `json:"source"`
	Target     string  `json:"target"`
	Kind       string  `json:"kind"`
	Scope      string  `json:"scope"`
	ChunkID    string  `json:"chunk_id"` // the first passage that says so; "" where Scope is InNote
	Rule       string  `json:"rule_id"`
	Confidence float64 `json:"confidence"` // 0 to 1
}

// Graph is the whole graph: nodes sorted by path, edges by source, target, kind, scope and rule. Never nil slices.
type Graph struct {
	Nodes []Node `json:"nodes"`
	Edges []Edge `json:"edges"`
}

// Build makes the graph of notes, in any order, with distinct paths. Links that lead to no note of the list are left out.
func Build(notes []Note, resolver *Resolver) Graph {
	notes = slices.SortedFunc(slices.Values(notes), func(a, b Note) int { return strings.Compare(a.Path, b.Path) })
	position := make(map[string]int, len(notes))
	for i, note := range notes {
		position[note.Path] = i
	}
	resolver = resolver.WithOutlines(nil)
	g := Graph{Nodes: make([]Node, 0, len(notes)), Edges: []Edge{}}
	pairs := &builder{paths: make([]string, len(notes))}
	for i := range notes {
		note := &notes[i]
		g.Nodes = append(g.Nodes, Node{Path: note.Path, Title: note.Title, Type: note.Type})
		references := explicit(note, resolver, func(path string) bool { _, ok := position[path]; return ok })
		for _, edge := range references {
			if to := position[edge.Target]; to != i {
				pairs.pairs = append(pairs.pairs, pair{int32(i), int32(to)})
			}
		}
		g.Edges = append(append(g.Edges, structure(note)...), references...)
	}
	slices.SortFunc(g.Edges, compareEdges)
	for i, weight := range pageRank(&pairs.network().out) {
		g.Nodes[i].PageRank = weight
	}
	return g
}

// structure gives the edges that follow from a note's passages.
func structure(note *Note) []Edge {
	edges := make([]Edge, 0, 3*note.Passages)
	add := func(kind, source, target string) {
		edges = append(edges, Edge{
			Source: source, Target: target, Kind: kind, Scope: InPassage, ChunkID: source, Rule: RuleStructure + kind, Confidence: 1,
		})
	}
	for i := range note.Passages {
		id := chunkID(note.ID, i)
		add(BelongsTo, id, note.Path)
		if i > 0 {
			before := chunkID(note.ID, i-1)
			add(Next, before, id)
			add(Previous, id, before)
		}
	}
	return edges
}

// explicit gives the edges that a note's links make, each once, with the first passage that has it.
func explicit(note *Note, resolver *Resolver, isNote func(string) bool) []Edge {
	var edges []Edge
	for i := range note.Links {
		link := resolver.follow(&note.Links[i], note.Path)
		if link.resolution.Path == "" || !isNote(link.resolution.Path) {
			continue
		}
		edge := Edge{
			Source: note.Path, Target: link.resolution.Path, Kind: link.kind, Scope: InNote, Rule: link.rule, Confidence: link.confidence,
		}
		if ord := note.Links[i].ChunkOrd; ord > 0 {
			edge.Scope, edge.ChunkID = InPassage, chunkID(note.ID, ord-1)
		}
		edges = append(edges, edge)
	}
	// Ids of one note differ in their number alone, so length before letters is reading order.
	slices.SortFunc(edges, func(a, b Edge) int {
		return cmp.Or(compareEdges(a, b), cmp.Compare(len(a.ChunkID), len(b.ChunkID)), strings.Compare(a.ChunkID, b.ChunkID))
	})
	return slices.CompactFunc(edges, func(a, b Edge) bool { return compareEdges(a, b) == 0 })
}

// compareEdges orders edges by what makes them unique.
func compareEdges(a, b Edge) int {
	for _, pair := range [...][2]string{
		{a.Source, b.Source}, {a.Target, b.Target}, {a.Kind, b.Kind}, {a.Scope, b.Scope}, {a.Rule, b.Rule},
	} {
		if order := strings.Compare(pair[0], pair[1]); order != 0 {
			return order
		}
	}
	return 0
}

// chunkID names a passage by its note's id and its 0-based index.
func chunkID(noteID string, index int) string { return fmt.Sprintf("%s#c%02d", noteID, index) }

// isHypothesis tells that nobody wrote the edge: it follows from the type of a note.
func (e *Edge) isHypothesis() bool { return false }
