// Package store is the contract between the write path and the read path: the types of what is kept, and the interfaces
// through which it is written and asked. It knows nothing of Markdown, of ranking or of a database; package storetest
// holds every implementation to it.
package store

import (
	"context"
	"errors"
	"iter"
)

// Errors that callers tell apart with errors.Is. An implementation wraps them with the operation and the object.
var (
	// ErrMissing: there is no index at the given place.
	ErrMissing = errors.New("there is no index")
	// ErrLocked: another process holds the writer's lock.
	ErrLocked = errors.New("another process is writing this index")
	// ErrReadOnly: the place of the index cannot be written to.
	ErrReadOnly = errors.New("the index cannot be written to")
	// ErrDamaged: the stored data contradict themselves; the index has to be built anew.
	ErrDamaged = errors.New("the index is damaged")
	// ErrNewer: the index was written by a newer version of the program.
	ErrNewer = errors.New("the index was written by a newer version")
	// ErrForeign: what is at the given place is none of ours: a file of another kind, or no file.
	ErrForeign = errors.New("the file is no index of quarry")
)

// PassageID names a passage within one snapshot. It is positive. It is not stable: a passage that is written again gets another.
// The ids of a note's passages follow one another.
type PassageID int64

// File is what the index remembers of a file to tell whether it changed. Compare by inequality, never by order.
type File struct {
	Path                string // below the vault, slashes, the bytes on disk (redacted where the path holds a secret)
	SizeBytes           int64
	ModifiedNanoseconds int64  // Unix time
	Inode               uint64 // 0 where the platform has none
	ContentHash         string // hex SHA-256 of the raw bytes
}

// Note is one file as it is kept: its facts, its links and its passages in reading order.
type Note struct {
	File
	DeclaredID string // the frontmatter's id, "" if none; see NoteID
	// NoteID is DeclaredID or the path without ".md", no two notes of an index having the same: see NoteIDBeside. The store
	// sets it.
	NoteID string
	// DocID is the shortest prefix, of at least 6 hex digits, of SHA-256(Path) that no other note shares. The store sets it.
	DocID       string
	Kind        string // note, excalidraw, kanban, canvas, base
	Title       string
	Type        string
	Status      string
	Domain      string
	Source      string
	Created     string // as written in the frontmatter, "" if absent
	Updated     string // as written, else the file's date (2006-01-02, UTC)
	Tags        []string
	Aliases     []string
	Frontmatter []byte // one JSON object, nil if there is none
	// Sensitivity is the class that the note's properties name, public, internal or private, "" where they name none. The
	// store only keeps it. A note in an index of an older version, which knew no classes, is private until it is put again.
	Sensitivity string
	// Redactions counts the secrets that were kept out, by the name of the rule, sorted by name.
	Redactions []Redaction
	Headings   []Heading
	BlockIDs   []string // without "^", in reading order
	Links      []Link
	Passages   []Passage
	// PassageCount is the number of passages; the store sets it in Catalog.Notes and Catalog.Note.
	PassageCount int
	// EmbeddedAtUnix is when the passages were embedded, in seconds of Unix time with a fraction; the store only keeps it.
	EmbeddedAtUnix float64
}

// Redaction tells how often a rule found a secret in a note. It never carries a value.
type Redaction struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Link is one outgoing link as it was written; what it points to is worked out from names by package graph.
type Link struct {
	Target    string // decoded, without subpath; "" is the note itself
	Subpath   string // with "#", "" if none
	Display   string
	Relation  string // "" for a plain link
	Embed     bool
	Markdown  bool
	External  bool
	Hidden    bool // inside a comment
	Line      int  // 1-based
	ChunkOrd  int  // 1-based ordinal of the passage that holds it, 0 if none does
	FromField bool // it stands in the frontmatter
	// RelationInside tells that the brackets of the link name the relation: [[rel:NAME Target]].
	RelationInside bool
}

// Heading is a heading of a note's outline, in reading order: what the subpath of a link can name.
type Heading struct {
	Level int    // 1 to 6
	Text  string // redacted
}

// Passage is the unit of recall: a piece of a note, with its vector.
type Passage struct {
	ID             PassageID // set by the store
	Path           string    // of its note
	Index          int       // 0-based position within the note
	Section        string    // the headings above, below the title, joined by " > "; what the full-text index holds of them
	HeadingPath    []string  // outermost first
	Text           string    // redacted, as it stands in the note
	IndexText      string    // further text it is found by, never shown; "" for most
	HeadingContext string    // "Title | type | tag, tag"
	LineStart      int       // 1-based, in the file
	LineEnd        int       // inclusive
	Vector         []float32 // unit length, len = the model's dimension; nil if the text has none
	RankData       []byte    // tokens for the second stage of ranking, in the form of package interaction; nil if there are none
}

// Problem is something that is not indexed as it stands in the vault, and why.
type Problem struct {
	Path   string `json:"path"`
	State  string `json:"state"` // skipped, failed, warning
	Reason string `json:"reason"`
	Line   *int   `json:"line"` // 1-based, nil where no line is to blame
}

// Store is an index. It is safe for concurrent use; many snapshots may be open beside one update.
type Store interface {
	// Snapshot opens a view of the last committed state that later commits do not change. The caller closes it. Where too
	// many are open it waits for one to be closed; a caller that holds one should not wait for another.
	Snapshot(ctx context.Context) (Snapshot, error)
	// Begin takes the writer's lock, or fails with ErrLocked or ErrReadOnly. The caller ends it with Commit or Rollback.
	Begin(ctx context.Context, mode Mode) (Update, error)
	// Verify checks the stored data against themselves, thoroughly and slowly; ErrDamaged tells of a fault.
	Verify(ctx context.Context) error
	// Close releases everything. Snapshots and updates have to be ended before.
	Close() error
}

// Mode says how an update becomes visible.
type Mode int

const (
	// Incremental makes each Put, Delete and Touch visible when it returns, each call as a whole.
	Incremental Mode = iota
	// Full starts from nothing and shows nothing before Commit, which replaces all that was there in one step.
	Full
)

// Update is the writing side; one at a time. Its methods must not be called concurrently.
type Update interface {
	// Put stores the notes, each with its passages and links, in place of what was kept under the same path.
	// Paths within one call are distinct. RankData that is not of package interaction is an error.
	Put(ctx context.Context, notes []Note) error
	// Delete drops the notes with these paths; unknown paths are no error. When the update has ended and no snapshot shows them
	// any more, what the store keeps on disk holds no word of them.
	Delete(ctx context.Context, paths []string) error
	// SetOtherFiles replaces the list of the vault's files that are no notes: what links can name beside notes.
	SetOtherFiles(ctx context.Context, paths []string) error
	// Touch notes new file facts for notes whose content is unchanged.
	Touch(ctx context.Context, files []File) error
	// SetProblems replaces the list of problems; sorted by path when read back.
	SetProblems(ctx context.Context, problems []Problem) error
	// Draft shows what was written so far.
	Draft() Draft
	// PutEdges replaces the edges of these notes; a note without any has none then. Notes are distinct, and so are the links of
	// each, which are among those that were put. It is an error if a note or a target is not there. Put drops the edges of a
	// note, Delete those to it, too. What is there already is no change.
	PutEdges(ctx context.Context, edges []EdgesOf) error
	// PutFigures replaces the figures of these notes, and leaves others as they are. It is an error if a note is not there, or
	// Figures.Kept is one. What is there already is no change.
	// Put keeps the figures of a note that was there, Delete drops them.
	PutFigures(ctx context.Context, figures []Figures) error
	// SetMeta sets some keys of the metadata, and keeps the others.
	SetMeta(ctx context.Context, values map[string]string) error
	// Commit makes the rest visible, tidies (after a full run: merges the full-text segments) and gives up the lock. When it
	// returns, no byte that the store keeps holds what was deleted or replaced, unless a reader of an older state is still
	// open: then that goes with the next run, also one that changes nothing.
	Commit(ctx context.Context) error
	// Rollback drops what is not visible yet and gives up the lock. After Commit it does nothing.
	Rollback() error
}

// Snapshot is the reading side. It is safe for concurrent use.
type Snapshot interface {
	Searcher
	Catalog
	Close() error
}

// Searcher answers the two legs of a query. Filters are sets of passages and act before the limit.
type Searcher interface {
	// Frequencies gives, for each word, the number of passages of a set that hold it; nil: of all passages. A word that the
	// tokenizer splits counts as a phrase.
	Frequencies(ctx context.Context, words []string, among *Set) ([]int, error)
	// Holding gives the passages that hold every Must term and no MustNot term; Should terms ask for nothing. nil when that
	// lets all through.
	Holding(ctx context.Context, terms []Term) (*Set, error)
	// Lexical gives the best passages by BM25, at most q.Limit, best first, equal scores by path and index.
	Lexical(ctx context.Context, q LexicalQuery) ([]Hit, error)
	// Nearest gives the passages of highest cosine, at most q.Limit, best first, equal scores by path and index.
	Nearest(ctx context.Context, q VectorQuery) ([]Hit, error)
	// Candidates asks both legs, each by its own limit, and gives what they brought, by path and index, with the scores of both
	// for each.
	Candidates(ctx context.Context, q CandidateQuery) ([]Candidate, error)
	// Newest lists notes by their last change, one passage of each, at most q.Limit. Ranks and scores are 0.
	Newest(ctx context.Context, q NewestQuery) ([]Candidate, error)
	// TokenFrequencies counts the passages of a set whose RankData holds each token of the embedding model; nil: of all passages.
	TokenFrequencies(ctx context.Context, tokens []uint16, among *Set) ([]int, error)
	// Words gives, for each text, its words as the full-text index has them: stems, in order.
	Words(ctx context.Context, texts []string) ([][]string, error)
	// Select gives the passages of the notes that match; nil when it lets all through. It fails where Filter.Check does.
	Select(ctx context.Context, f Filter) (*Set, error)
	// Passages fetches passages in the order of the ids, Vector and RankData left out, each with its note's facts
	// (outline, Links and Passages left out). An unknown id is an error.
	Passages(ctx context.Context, ids []PassageID) ([]Found, error)
	// RankData fetches the opaque data of passages in the order of the ids, nil where there is none.
	RankData(ctx context.Context, ids []PassageID) ([][]byte, error)
	// Vectors fetches the vectors of passages in the order of the ids, as they are kept, nil where there is none. An unknown id
	// is an error.
	Vectors(ctx context.Context, ids []PassageID) ([][]float32, error)
}

// Catalog tells what is kept.
type Catalog interface {
	// Files lists every indexed file, by path.
	Files(ctx context.Context) ([]File, error)
	// Notes lists notes without passages, links, outline and frontmatter, in the order asked. It fails where Filter.Check does.
	Notes(ctx context.Context, q NoteQuery) ([]Note, error)
	// Note gives one note with outline, links and passages (Vector and RankData left out), by path or by "#" and a prefix of DocID
	// of at least 6 digits; ok is false where there is none, or more than one.
	Note(ctx context.Context, address string) (n Note, ok bool, err error)
	// Links yields every note's path with its links, by path.
	Links(ctx context.Context) iter.Seq2[LinksOf, error]
	// OtherFiles lists the paths of the vault's files that are no notes, sorted.
	OtherFiles(ctx context.Context) ([]string, error)
	// Outlines yields every note's path with its headings and block ids, by path.
	Outlines(ctx context.Context) iter.Seq2[OutlineOf, error]
	// Problems lists the problems of the last run, by path.
	Problems(ctx context.Context) ([]Problem, error)
	// Meta gives the metadata: see the Meta… keys.
	Meta(ctx context.Context) (map[string]string, error)
	// Counts gives the number of notes and of passages.
	Counts(ctx context.Context) (notes, passages int, err error)
}

// Lister is what a Snapshot may be beside: a list of what decides who may see a note, cheaper than Catalog.Notes.
type Lister interface {
	// Generation is equal (==) for two snapshots of one store only if both show the same. It may be kept.
	Generation() any
	// EachClass visits every note, in no order.
	EachClass(ctx context.Context, visit func(ClassOf)) error
}

// Warmer is what a Snapshot may be beside: one that can read ahead, for all snapshots of the same Generation.
type Warmer interface {
	// Warm reads into memory what the next questions would read bit by bit. What is there already costs nothing.
	Warm(ctx context.Context) error
}

// ClassOf is a note's path with its class and the places of its passages.
type ClassOf struct {
	Path         string
	Sensitivity  string    // as in Note
	First        PassageID // the ids of the passages are First, First+1, …; it means nothing where there are none
	PassageCount int
}

// LinksOf is a note's path with its links.
type LinksOf struct {
	Path  string
	Links []Link
}

// OutlineOf is a note's path with what subpaths of links can name in it.
type OutlineOf struct {
	Path     string
	Headings []Heading
	BlockIDs []string
}

// Keys of the metadata.
const (
	MetaModel     = "model"      // name of the embedding model
	MetaModelHash = "model_hash" // of its name and vocabulary; a change asks for a full run
	MetaDimension = "dimension"  // components of a vector, decimal
	MetaSettings  = "settings"   // hash of what decides how notes become passages; a change asks for a full run
	MetaVault     = "vault"      // absolute path of the vault that was indexed
	// MetaTypes holds what types.yaml says, in the form of package notetype; "" where there is none.
	MetaTypes = "types"
	// MetaGraph identifies what the edges and figures were made by. It is "" while a run has not got to them, so that a run that
	// was cut off is told apart.
	MetaGraph   = "graph"
	MetaDialect = "dialect" // whose rules the notes were read by, and links are resolved by; "" is obsidian
)

// Hit is a passage with the raw score of one leg; higher is better.
type Hit struct {
	ID    PassageID
	Score float64 // Lexical: BM25, above 0. Nearest: cosine, -1 to 1
}

// Found is a passage with the facts of its note.
type Found struct {
	Passage
	Note *Note // shared between the passages of one answer; do not change
}

// LexicalQuery is the plan of the lexical leg.
type LexicalQuery struct {
	// Terms: Should terms are joined by OR; a Must term has to be there, a MustNot term must not. At least one term that is not MustNot.
	Terms []Term
	// Weights of the columns in BM25 (k1 = 1.2, b = 0.75, as FTS5 computes it).
	Weights Weights
	Limit   int
	Within  *Set // nil: all passages
	// Among are the passages whose figures make the scores: how many there are, how long, how many hold a word. Others are no
	// candidates, and the answer is as if they were not there. nil: all passages.
	Among *Set
}

// Term is a word, or words that stand side by side. Any characters are allowed; a term without a word in it matches nothing.
type Term struct {
	Text  string
	Occur Occur
}

// Occur says what a term asks of a passage.
type Occur int

// How a term acts.
const (
	Should Occur = iota
	Must
	MustNot
)

// VectorQuery is the plan of the vector leg.
type VectorQuery struct {
	Vector []float32 // unit length
	Limit  int
	Within *Set // nil: all passages
}

// NewestQuery asks for the newest notes that have a passage in Within and none in Without, with the first of the former. The
// order is ByUpdated.
type NewestQuery struct {
	Within  *Set // nil: all passages
	Without *Set // nil: none
	Limit   int
}

// Filter narrows notes. Values of one field are alternatives, fields add up; an empty filter lets all through.
// Strings compare without regard to case; a tag also matches those nested below it.
type Filter struct {
	Tags, Types, Statuses, Domains             []string
	NotTags, NotTypes, NotStatuses, NotDomains []string
	Folders, NotFolders                        []string   // "a/b" matches all below it
	Globs, NotGlobs                            []string   // of the whole path: * within a segment, ** across, ? one character
	Since, Until                               string     // on DayOf the note, 2006-01-02, inclusive
	Properties, NotProperties                  []Property // values of one key are alternatives, keys add up
	Paths, NotPaths                            []string   // the path contains it
	Files, NotFiles                            []string   // the last part of the path contains it
	Titles, NotTitles                          []string   // the title or an alias contains it
	Sections, NotSections                      []string   // a heading above the passage, or the one over it, contains it: of passages, not notes
	ExcludeArchived                            bool       // leave out status archived
	// Among holds the paths of the notes that are let through, as far as the rest of the filter does; nil: all.
	Among map[string]bool
	// Without holds the paths of notes that are not.
	Without map[string]bool
	// Names of notes whose links decide, for who knows the graph, and turns them into Among and Without. A store knows none: it
	// answers with an error, see Check.
	LinksTo, NotLinksTo, LinkedBy, NotLinkedBy []string
	Hops                                       int // how many links away still counts; 0 is 1
}

// Property asks for a frontmatter key with a value, or for the key alone where Value is empty.
type Property struct{ Key, Value string }

// NoteQuery asks for a list of notes.
type NoteQuery struct {
	Filter Filter
	Sort   Sort
	Limit  int // 0: all
}

// Sort is an order of notes; ties go by path.
type Sort int

// Orders of notes.
const (
	ByPath    Sort = iota
	ByUpdated      // newest first
	ByCreated      // newest first
	ByTitle
)

// IsEmpty tells whether the filter lets everything through.
func (f Filter) IsEmpty() bool {
	for _, list := range [][]string{
		f.Tags, f.Types, f.Statuses, f.Domains, f.NotTags, f.NotTypes, f.NotStatuses, f.NotDomains,
		f.Folders, f.NotFolders, f.Globs, f.NotGlobs, f.Paths, f.NotPaths, f.Files, f.NotFiles, f.Titles, f.NotTitles,
		f.Sections, f.NotSections,
	} {
		if len(list) > 0 {
			return false
		}
	}
	return f.Since == "" && f.Until == "" && len(f.Properties) == 0 && len(f.NotProperties) == 0 && !f.ExcludeArchived && f.Among == nil && len(f.Without) == 0 &&
		!f.namesLinks()
}

// Narrows tells whether the filter lets some notes through and others not, those of the archive left aside.
func (f Filter) Narrows() bool {
	f.ExcludeArchived = false
	return !f.IsEmpty()
}

func (f Filter) namesLinks() bool {
	return len(f.LinksTo)+len(f.NotLinksTo)+len(f.LinkedBy)+len(f.NotLinkedBy) > 0
}

// Check fails where the filter still names notes whose links decide: a store would let through what is not asked for.
func (f Filter) Check() error {
	if f.namesLinks() {
		return errors.New("the filter names notes by their links, which a store does not know")
	}
	return nil
}
