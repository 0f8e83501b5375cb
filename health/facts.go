package health

import (
	"context"
	"iter"

	"quarry/graph"
	"quarry/store"
)

// Facts are what is known of a vault.
type Facts struct {
	Notes []Note   // in any order; paths are distinct
	Files []string // the vault's files that are no notes
	// Contents yields what the notes say, each note once at most, in any order. A note that is not there says nothing.
	Contents iter.Seq2[Content, error]
	// Suggest gives for each of some dead links what it may mean, at most limit, likeliest first. linked tells whether one note
	// links to another. It is asked once, after Contents. nil where nobody knows.
	Suggest func(ctx context.Context, links []graph.Backlink, linked func(from, to string) bool, limit int) ([][]graph.Suggestion, error)
	// Lines gives the lines of a note as it lies in the vault, redacted, without their ends; nil where they are not known. It is
	// asked for few notes; nil where nobody knows.
	Lines func(path string) []string
	// Types are the names that types.yaml knows; nil where there is no such file, or it cannot be read as a whole.
	Types    []string
	Problems []store.Problem // of the last run
	Customs  Customs
	Index    Index
}

// Customs are ways of writing that differ from app to app. The zero value is that of Obsidian.
type Customs struct {
	// NamesSuffice tells that a link needs no file: in Logseq every name is a page.
	NamesSuffice bool
	// TextFirst tells that a link has its text before its target: [[text|target]].
	TextFirst bool
	// HasAnchors tells that links name headings by their anchors, "#two-words".
	HasAnchors bool
	// Nesting is what stands between the names of a note and of those below it, "" where names have no such order: "a.b" is a
	// child of "a" in Dendron, "a___b" in Logseq.
	Nesting string
}

// Place is a kind of what has a line in a note.
type Place int

// Kinds of places. The name is that of the tag, the property, or the text of the heading.
const (
	PlaceOfTag Place = iota
	PlaceOfProperty
	PlaceOfHeading
	PlaceOfBlock
)

// Note is what is known of a note.
type Note struct {
	Path       string
	Kind       string // as in store.Note; "" is a plain note
	Title      string
	Type       string
	Status     string
	DeclaredID string
	Tags       []string // without "#", as spelled
	Passages   int
}

// Content is what a note says. Nothing of it is kept but what findings need, so that a large vault can be looked at note by note.
type Content struct {
	Path       string
	Links      []Link // in reading order
	Texts      []Text // its passages, in reading order
	Properties []byte // a JSON object; nil where it has none
}

// Text is a passage of a note, with its first line in the file.
type Text struct {
	Line int // 1-based
	Text string
}

// Link is a link of a note as it was written, with what became of it.
type Link struct {
	store.Link
	Fault    graph.Fault
	State    graph.State
	Resolved string // path of the file it leads to, "" if none
	AliasOf  string // path of the note that has the target as an alias, "" unless State is graph.Alias
	IsAnchor bool   // as in graph.Judgement, like IsNote
	IsNote   bool
}

// LinkOf joins a link with the judgement of it.
func LinkOf(written *store.Link, judged *graph.Judgement) Link {
	link := Link{Link: *written, Fault: judged.Fault, State: judged.State, AliasOf: judged.AliasOf, IsAnchor: judged.IsAnchor, IsNote: judged.IsNote}
	link.Target = judged.Target // what looks like a relation in the brackets may belong to it
	if judged.Resolved != nil {
		link.Resolved = *judged.Resolved
	}
	return link
}

// Index is the state of the index. The zero value is one in good order.
type Index struct {
	IsMissing bool
	Path      string // of its file; "" where that is not to be told
	Vault     string // its folder; "" where that is not to be told
	Stale     int    // files that are new, changed or gone since the last run
	Model     string // whose vectors it has, where that is not the model of now; else ""
	ModelNow  string
	IsCut     bool // the last run did not come to the graph
	// Damage tells what is wrong with the file, "" if nothing. It is asked when all else is known; nil: nothing is.
	Damage  func() string
	Notices []string // settings that need a run before they act
	Unused  []string // settings that name what is not there
}
