package health

import (
	"context"
	"iter"
	"path"
	"slices"
	"strings"

	"quarry/graph"
)

// Examination is one look at the facts. It is not safe for concurrent use.
type Examination struct {
	facts     Facts
	lineOf    func(path string, what Place, name string) int
	selection Selection
	findings  []Finding
	told      map[toldOf]int
	roles     []role         // of Notes
	at        map[string]int // position of a note by path
	said      []said         // of Notes
	degree    []degree       // of Notes
	slips     slipWatch
	copied    map[string]bool // notes that were told of as copies: what else is wrong with them says no more
	attached  int             // links from a note to another file, each pair once
	fileNames *fileNames      // nil until it is asked for
	kinds     map[string]*kindUse
	tally     graph.Tally
}

// degree counts the links between notes, each pair once, those to the note itself left out.
type degree struct{ in, out int }

// Examine reads the facts, Facts.Contents among them, which is not asked for any more then. It fails only where that does, or
// where ctx ends.
func Examine(ctx context.Context, facts Facts, selection Selection) (*Examination, error) {
	facts.Notes = slices.SortedFunc(slices.Values(facts.Notes), func(a, b Note) int { return strings.Compare(a.Path, b.Path) })
	e := &Examination{facts: facts, selection: selection, at: make(map[string]int, len(facts.Notes)), kinds: map[string]*kindUse{}}
	for i := range facts.Notes {
		e.at[facts.Notes[i].Path] = i
		e.roles = append(e.roles, roleOf(&facts.Notes[i]))
	}
	if selection.Has(NearDuplicateTags) {
		e.slips = newSlipWatch(e.tagUses())
	}
	if err := e.read(ctx); err != nil {
		return nil, err
	}
	e.degree = make([]degree, len(facts.Notes))
	for i, targets := range e.targets() {
		e.degree[i].out = len(targets)
		for _, to := range targets {
			e.degree[to].in++
		}
	}
	return e, e.suggest(ctx)
}

// targets yields the notes that each note links to, its parent by name among them, each once, without itself.
func (e *Examination) targets() iter.Seq2[int, []int32] {
	return func(yield func(int, []int32) bool) {
		for i := range e.said {
			targets := e.said[i].targets
			if to, ok := e.at[e.parentOf(i)]; ok {
				if place, isThere := slices.BinarySearch(targets, int32(to)); !isThere { //nolint:gosec // fewer notes than that
					targets = slices.Insert(slices.Clone(targets), place, int32(to)) //nolint:gosec // as above
				}
			}
			if !yield(i, targets) {
				return
			}
		}
	}
}

// isLinked tells whether a note links to another.
func (e *Examination) isLinked(from, to int) bool {
	_, ok := slices.BinarySearch(e.said[from].targets, int32(to)) //nolint:gosec // fewer notes than that
	return ok
}

// areLinked tells whether one of two notes links to the other.
func (e *Examination) areLinked(a, b int) bool { return e.isLinked(a, b) || e.isLinked(b, a) }

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
