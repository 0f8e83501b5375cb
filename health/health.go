// Package health examines a vault: what is broken, lost or doubled in it, and what helps. It is pure: facts in, findings out.
package health

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Severity tells how much a finding matters.
type Severity string

// Severities.
const (
	Fault  Severity = "fault"  // something does not work: a dead link, a note that cannot be read
	Notice Severity = "notice" // something is likely not as meant: a duplicate, a tag written in two ways
	Hint   Severity = "hint"   // something could be better: an orphan, a community without a map
)

// Finding is one thing to look at. Its JSON form is what `doctor --json` prints.
type Finding struct {
	Check    string   `json:"check"` // its kind: see the constants
	Severity Severity `json:"severity"`
	Path     string   `json:"path"` // of the note; "" where it is of the index or the vault as a whole
	Line     int      `json:"line"` // 1-based, 0 where no line is to blame
	Message  string   `json:"message"`
	Remedy   string   `json:"remedy"`  // what to do about it; commands stand in it as `quarry …`
	Related  []string `json:"related"` // further notes or tags that are concerned, at most 20; never nil
}

// Bounds of what is told: more of it is counted in one finding at the end.
const (
	maxRelated = 20   // further notes that a finding names
	maxOfNote  = 50   // findings of one check in one note
	maxOfCheck = 5000 // findings of one check
)

// Findings gives what the examination finds: that the index is older than the vault first of all, since then all else may be; then
// faults, notices, and hints, those of the index before others, by check, path and line. Equal facts give equal findings, in
// whatever order the notes come. Where a check finds very much, one finding at the end of those of its note, or of all, says how
// much more there is. line finds the line of something in a note, 0 where it is not known; nil knows none. Time grows with the
// size of the facts, not with its square. It fails only where ctx ends.
func (e *Examination) Findings(ctx context.Context, line func(path string, what Place, name string) int) ([]Finding, error) {
	e.findings, e.told, e.lineOf, e.copied = []Finding{}, map[toldOf]int{}, line, map[string]bool{}
	for _, examine := range []func(context.Context){
		e.index, e.problems, e.relations, e.spaces, e.conflicts, e.copies, e.orphans, e.clusters, e.maps, e.bodies, e.tags, e.types, e.names, e.links,
	} {
		examine(ctx)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	e.tellMore()
	slices.SortFunc(e.findings, compareFindings)
	return e.findings, nil
}

// until goes through a list and ends early where ctx does, of which Findings tells behind each step.
func until[T any](ctx context.Context, list []T) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i := range list {
			if ctx.Err() != nil || !yield(i, list[i]) {
				return
			}
		}
	}
}

// toldOf is what findings are counted by: a check, with a note or "" for all.
type toldOf struct{ check, path string }

// add takes a finding if its check is asked for, and counts it where there are too many.
func (e *Examination) add(f Finding) {
	if !e.selection.Has(f.Check) {
		return
	}
	ofNote, ofCheck := toldOf{f.Check, f.Path}, toldOf{f.Check, ""}
	if f.Path != "" {
		if e.told[ofNote]++; e.told[ofNote] > maxOfNote {
			return
		}
	}
	if e.told[ofCheck]++; e.told[ofCheck] > maxOfCheck {
		return
	}
	if f.Severity == "" {
		f.Severity = severityOf[f.Check]
	}
	f.Message, f.Remedy = cut(f.Message, maxText), cut(f.Remedy, maxText)
	f.Related = f.Related[:min(len(f.Related), maxRelated)]
	if f.Related == nil {
		f.Related = []string{}
	}
	e.findings = append(e.findings, f)
}

// tellMore counts what was left out.
func (e *Examination) tellMore() {
	for of, count := range e.told {
		most, where := maxOfNote, " in this note"
		if of.path == "" {
			most, where = maxOfCheck, ""
		}
		if count <= most || of.path != "" && e.told[toldOf{of.check, ""}] > maxOfCheck {
			continue
		}
		e.findings = append(e.findings, Finding{
			Check: of.check, Severity: severityOf[of.check], Path: of.path, Line: 0,
			Message: fmt.Sprintf("and %s of this kind%s", counted(count-most, "more finding", "more findings"), where),
			Remedy:  restRemedy, Related: []string{},
		})
	}
}

// restRemedy marks a finding that counts what was left out.
const restRemedy = "mend those that are listed first"

func (f *Finding) isRest() bool { return f.Remedy == restRemedy }

var severityRank = map[Severity]int{Fault: 0, Notice: 1, Hint: 2}

// ranked are checks of the index, whose findings come before others of their severity.
var ranked = []string{NoIndex, DamagedIndex, StaleGraph, OldSettings, OtherModel}

// rank orders findings by what they say of all others.
func (f *Finding) rank() int {
	switch {
	case f.Check == StaleIndex:
		return -1
	case slices.Contains(ranked, f.Check):
		return 2 * severityRank[f.Severity]
	}
	return 2*severityRank[f.Severity] + 1
}

func compareFindings(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.rank(), b.rank()), strings.Compare(a.Check, b.Check), compareBools(a.isRest() && a.Path == "", b.isRest() && b.Path == ""),
		strings.Compare(a.Path, b.Path), compareBools(a.isRest(), b.isRest()), cmp.Compare(a.Line, b.Line), strings.Compare(a.Message, b.Message),
	)
}
