package quarry

import (
	"context"
	"errors"

	"quarry/graph"
)

// Names of what the graph gives; each is explained where it is defined.
type (
	// GraphStats are figures of the whole graph.
	GraphStats = graph.Stats
	// RelatedNote is a note that belongs to another without being linked with it.
	RelatedNote = graph.Related
	// ReachedNote is a note some links away from another.
	ReachedNote = graph.Reached
)

// MaxHops is how many links away a question about links may go.
const MaxHops = 6

// LinksRequest asks for what lies around a note.
type LinksRequest struct {
	Note       string   // path, name, alias or "#docid"
	Kinds      []string // edges of these kinds alone, letter case aside; none: all
	Unresolved bool     // of the links from the note those alone that lead nowhere, or not to all that they name; none to it
	Hops       int      // notes from 2 to this many links away, either way, go into NoteLinks.Reached; 0 and 1: none
	Related    int      // so many related notes at most go into NoteLinks.Related; 0: none
}

// DeadLink is a link that leads nowhere, or not to all that it names.
type DeadLink struct {
	Source string `json:"source"` // path of the note that holds it
	graph.Link
	// Suggestions are the paths of notes that may be meant, the likeliest first, at most three; never nil.
	Suggestions []string `json:"suggestions"`
}

// DeadLinks lists the dead links of all notes, by source, then line. Links to addresses outside of the vault are none.
func (e *Engine) DeadLinks(ctx context.Context) ([]DeadLink, error) {
	return nil, errors.New("not built yet")
}

// GraphStats counts what the graph has.
func (e *Engine) GraphStats(ctx context.Context) (GraphStats, error) {
	return GraphStats{}, errors.New("not built yet")
}
