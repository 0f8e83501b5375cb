package health

import (
	"iter"
	"path"
	"slices"
	"strings"

	"quarry/graph"
	"quarry/store"
)

// Facts are what is known of a vault.
type Facts struct {
	Notes []Note   // in any order; paths are distinct
	Files []string // the vault's files that are no notes
	// Suggest gives the paths of notes that a link may have meant, likeliest first; nil where nobody knows.
	Suggest func(target, source string) []string
	// Texts yields the passages of all notes; those of one note follow one another in reading order.
	Texts iter.Seq2[Text, error]
	// Types are the names that types.yaml knows; nil where there is no such file.
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
	Aliases    []string
	Headings   []store.Heading
	BlockIDs   []string
	Links      []Link // in reading order
	Passages   int
	IsBare     bool // it has no properties
}

// Link is a link of a note with what became of it.
type Link struct {
	store.Link
	State    graph.State
	Resolved string // path of the file it leads to, "" if none
	AliasOf  string // path of the note that has the target as an alias, "" unless State is graph.Alias
}

// Text is a passage of a note.
type Text struct {
	Path string
	Text string
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

// Examination is one look at the facts. It is not safe for concurrent use.
type Examination struct {
	facts     Facts
	lineOf    func(path string, what Place, name string) int
	selection Selection
	findings  []Finding
	roles     []role         // of Notes
	at        map[string]int // position of a note by path
	content   []body         // of Notes; nil where no check needs them
	degree    []degree       // of Notes
	slips     slipWatch
	copied    map[string]bool // notes that were told of as copies: that they have one title says no more
}

// degree counts the links between notes, each pair once, those to the note itself left out.
type degree struct{ in, out int }

// Examine reads the facts, Facts.Texts among them, which is not asked for any more then. It fails only where that does.
func Examine(facts Facts, selection Selection) (*Examination, error) {
	facts.Notes = slices.SortedFunc(slices.Values(facts.Notes), func(a, b Note) int { return strings.Compare(a.Path, b.Path) })
	e := &Examination{facts: facts, selection: selection, at: make(map[string]int, len(facts.Notes))}
	for i := range facts.Notes {
		e.at[facts.Notes[i].Path] = i
		e.roles = append(e.roles, roleOf(&facts.Notes[i]))
	}
	e.degree = make([]degree, len(facts.Notes))
	for i, targets := range e.targets() {
		e.degree[i].out = len(targets)
		for _, to := range targets {
			e.degree[to].in++
		}
	}
	if selection.Has(NearDuplicateTags) {
		e.slips = newSlipWatch(e.tagUses())
	}
	if selection.hasAny(LinkOnly, DuplicateNote, NearDuplicateNote, DeadHeading, MovedHeading) || len(e.slips.keys) > 0 {
		return e, e.read()
	}
	return e, nil
}

// targets yields the notes that each note links to, its parent by name among them, each once, without itself.
func (e *Examination) targets() iter.Seq2[int, []int] {
	return func(yield func(int, []int) bool) {
		for i := range e.facts.Notes {
			var targets []int
			for k := range e.facts.Notes[i].Links {
				if to, ok := e.at[e.facts.Notes[i].Links[k].Resolved]; ok && to != i {
					targets = append(targets, to)
				}
			}
			if to, ok := e.at[e.parentOf(i)]; ok {
				targets = append(targets, to)
			}
			slices.Sort(targets)
			if !yield(i, slices.Compact(targets)) {
				return
			}
		}
	}
}

// rootMark is that of Dendron, where all names are below the note "root".
const rootMark = "."

// parentOf is the path of the note that a note belongs below by its name, "" where names have no such order.
func (e *Examination) parentOf(i int) string {
	mark := e.facts.Customs.Nesting
	file := e.facts.Notes[i].Path
	stem := stemOf(file)
	at := strings.LastIndex(stem, mark)
	switch {
	case mark == "":
		return ""
	case at <= 0 && mark == rootMark && stem != "root":
		return path.Join(path.Dir(file), "root"+path.Ext(file))
	case at <= 0:
		return ""
	}
	return path.Join(path.Dir(file), stem[:at]+path.Ext(file))
}

// folderOf is where a note lies: its folder and, where names have an order, the names before its own.
func (e *Examination) folderOf(i int) string {
	folder := path.Dir(e.facts.Notes[i].Path)
	if mark := e.facts.Customs.Nesting; mark != "" {
		if at := strings.LastIndex(stemOf(e.facts.Notes[i].Path), mark); at > 0 {
			folder += "/" + stemOf(e.facts.Notes[i].Path)[:at]
		}
	}
	return folder
}

// line finds a line, 0 where it is not known.
func (e *Examination) line(path string, what Place, name string) int {
	if e.lineOf == nil {
		return 0
	}
	return e.lineOf(path, what, name)
}
