// Package health examines a vault: what is broken, lost or doubled in it, and what helps. It is pure: facts in, findings out.
package health

import (
	"cmp"
	"fmt"
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
	Remedy   string   `json:"remedy"`  // what to do about it
	Related  []string `json:"related"` // further notes or tags that are concerned, at most 20; never nil
}

// maxRelated is how many further notes a finding names.
const maxRelated = 20

// Findings gives what the examination finds: faults first, then notices, then hints; by check, path and line. Equal facts give
// equal findings, in whatever order the notes come. line finds the line of something in a note, 0 where it is not known; nil
// knows none. Time grows with the size of the facts, not with its square.
func (e *Examination) Findings(line func(path string, what Place, name string) int) []Finding {
	e.findings, e.lineOf, e.copied = []Finding{}, line, map[string]bool{}
	for _, examine := range []func(){
		e.index, e.problems, e.links, e.orphans, e.clusters, e.maps, e.bodies, e.tags, e.types, e.copies, e.names,
	} {
		examine()
	}
	slices.SortFunc(e.findings, compareFindings)
	return e.findings
}

// add takes a finding if its check is asked for.
func (e *Examination) add(f Finding) {
	if !e.selection.Has(f.Check) {
		return
	}
	if f.Severity == "" {
		f.Severity = severityOf[f.Check]
	}
	if len(f.Related) > maxRelated {
		f.Related = f.Related[:maxRelated]
	}
	if f.Related == nil {
		f.Related = []string{}
	}
	e.findings = append(e.findings, f)
}

var severityRank = map[Severity]int{Fault: 0, Notice: 1, Hint: 2}

func compareFindings(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(severityRank[a.Severity], severityRank[b.Severity]), strings.Compare(a.Check, b.Check),
		strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), strings.Compare(a.Message, b.Message),
	)
}

// place writes where something stands: "a.md:12", "a.md" where the line is not known.
func place(path string, line int) string {
	if line == 0 {
		return path
	}
	return fmt.Sprintf("%s:%d", path, line)
}

// counted writes a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// listed names some of a list: "a, b and 3 more".
func listed(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
