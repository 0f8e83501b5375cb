// Package graph joins notes: it finds what links mean (Resolver), lists the links around a note (Around), tells what lies
// near what (Network) and builds the whole graph with its typed edges and weights (Assemble). It works on names and on the facts
// that are stored of notes, knows no database and reads no files; what it tells depends on what the notes and names are now
// alone, so that an index that was brought up to date has the same graph as a fresh one.
package graph

import (
	"cmp"

	"quarry/store"
)

// Kinds of edges that have a meaning of their own; all others are relations as people wrote them, in lower case.
const (
	BelongsTo  = "belongs_to" // passage → note
	Next       = "next"       // passage → the one after it
	Previous   = "prev"       // passage → the one before it
	References = "references" // a plain link

	// RelatedTo and SimilarTo hold both ways: each edge of theirs has one from its target to its source beside it.
	RelatedTo = "related_to"
	SimilarTo = "similar_to"
)

// Scopes: where the evidence of an edge stands.
const (
	InPassage = "chunk" // in one passage, named by ChunkID
	InNote    = "note"  // in the properties, or in a part that no passage holds
)

// Rules by which edges come about. Those of the structure are "structure:" and the kind; those of defaults are
// "edge_defaults:", the TypeKey of the note ("default" where it has none), ":" and the kind.
const (
	RuleStructure = "structure:"
	RuleDefaults  = "edge_defaults:"
	RuleWikilink  = "explicit:wikilink" // [[Target]] and ![[Target]]
	RuleMarkdown  = "explicit:markdown" // [text](target)
	RuleInline    = "inline:rel"        // a relation in the text: [[rel:…]], rel: …, [!edge], key:: …
	RuleProperty  = "explicit:property" // a link as the value of a property, the key being the relation
)

// Confidences of what is not plainly a link, which has 1: Mindnet's.
const (
	inlineConfidence  = 0.95 // relations in the text
	ImpliedConfidence = 0.7  // hypotheses of a type
)

// untyped stands for the type of a note without one in rules of defaults.
const untyped = "default"

// ImpliedRule is the rule of an edge of a kind that the type of a note implies: typeKey is what types.yaml knows the type by, ""
// where the note has none.
func ImpliedRule(typeKey, kind string) string {
	return RuleDefaults + cmp.Or(typeKey, untyped) + ":" + kind
}

// Note is what the graph takes from a note.
type Note struct {
	Path     string
	ID       string // store.Note.NoteID, the first part of its passages' ids
	Title    string
	Type     string
	TypeKey  string // what types.yaml knows Type by (notetype.Key), "" where there is none; rules of Defaults name it
	Passages int    // number of passages
	Links    []store.Link
	// Defaults are the kinds of edges that each of its references to another note implies, in lower case; repeated ones and ""
	// do not count.
	Defaults []string
}

// Node is a note in the graph.
type Node struct {
	Path  string `json:"path"`
	Title string `json:"title"`
	Type  string `json:"type"`
	// PageRank is the share of a reader who follows links at random (damping 0.85); all add up to 1. Rounded to 1e-6. Edges of
	// defaults and mirrored ones do not count: nobody wrote them.
	PageRank float64 `json:"pagerank"`
}

// Edge joins two notes (paths), or passages (ids) where the kind is of the structure. There is one for each kind, scope,
// source, target and rule.
type Edge struct {
	NoteID     string  `json:"note_id"` // of the note that says so, which is the target's where the edge is mirrored
	Source     string  `json:"source"`
	Target     string  `json:"target"`
	Kind       string  `json:"kind"`
	Scope      string  `json:"scope"`
	ChunkID    string  `json:"chunk_id"` // the first passage that says so; "" where Scope is InNote
	Rule       string  `json:"rule_id"`
	Confidence float64 `json:"confidence"` // 0 to 1
	Lines      []int   `json:"lines"`      // of that note that say so, 1-based, ascending, distinct; none for the structure, never nil
	// Mirrored tells that the target's note says so, not the source's. An edge that both say is none.
	Mirrored bool `json:"mirrored,omitempty"`
}

// Graph is the whole graph: nodes sorted by path, edges by source, target, kind, scope and rule. Never nil slices.
type Graph struct {
	Nodes []Node `json:"nodes"`
	Edges []Edge `json:"edges"`
}
