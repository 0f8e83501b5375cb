package health

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"quarry/graph"
)

// names finds ids and titles that several notes have, and what programs of synchronisation left.
func (e *Examination) names() {
	byID, byTitle := map[string][]int{}, map[string][]int{}
	for i := range e.facts.Notes {
		n := &e.facts.Notes[i]
		if n.DeclaredID != "" && !e.roles[i].isTemplate {
			byID[n.DeclaredID] = append(byID[n.DeclaredID], i)
		}
		if title := graph.PlainHeading(n.Title); title != "" && e.isCompared(i) {
			byTitle[title] = append(byTitle[title], i)
		}
	}
	for i := range e.facts.Notes {
		e.tellConflict(i)
	}
	for id, group := range byID {
		if len(group) > 1 {
			e.tellID(id, group)
		}
	}
	for _, group := range byTitle {
		if len(group) > 1 {
			e.tellTitle(group)
		}
	}
}

func (e *Examination) tellID(id string, group []int) {
	original := e.originalOf(group)
	copies := e.others(group, original)
	e.add(Finding{
		Check: DuplicateID, Path: copies[0], Line: e.line(copies[0], PlaceOfProperty, "id"),
		Message: fmt.Sprintf("the id %q is that of %s, too%s: both are known by their paths instead", id, e.facts.Notes[original].Path, e.andMore(copies)),
		Remedy:  "give this note an id of its own, or delete the property", Related: append([]string{e.facts.Notes[original].Path}, copies[1:]...),
	})
}

// conflictName is how programs of synchronisation call the version that lost: Dropbox, Syncthing, Nextcloud, OneDrive, and
// copies that a file manager makes.
var conflictName = regexp.MustCompile(`(?i)( \(.*conflict(ed)?( copy)?.*\)|\.sync-conflict-\d{8}-\d{6}.*|[ _-]conflict[ _-]?\d{4}.*|_conflict-\d{8}-\d{6}| - copy( \(\d+\))?| copy( \d+)?| \(copy( \d+)?\)| \(\d\))$`)

// originalName is the path that a file had before it was copied, "" where the name is not that of a copy.
func originalName(file string) string {
	stem := stemOf(file)
	cut := conflictName.FindStringIndex(stem)
	if cut == nil || cut[0] == 0 {
		return ""
	}
	return path.Join(path.Dir(file), stem[:cut[0]]+path.Ext(file))
}

func isConflictName(file string) bool { return originalName(file) != "" }

// tellConflict tells of a copy beside the note that it is one of.
func (e *Examination) tellConflict(i int) {
	copied := e.facts.Notes[i].Path
	original := originalName(copied)
	if _, ok := e.at[original]; !ok || e.copied[copied] {
		return
	}
	e.mark([]string{copied})
	e.add(Finding{
		Check: ConflictCopy, Path: copied, Message: "by its name this is a copy of " + original,
		Remedy: fmt.Sprintf("compare the two, bring what is missing into %s and delete this one", original), Related: []string{original},
	})
}

// tellTitle tells of notes of one title where that is no custom: in one folder, or in the inbox and elsewhere. Notes of the same
// name in several folders, such as "Overview", are meant.
func (e *Examination) tellTitle(group []int) {
	byFolder, inbox, filed := map[string][]int{}, []int{}, []int{}
	for _, i := range group {
		if e.roles[i].isArchived || e.copied[e.facts.Notes[i].Path] {
			continue
		}
		folder := e.folderOf(i)
		byFolder[folder] = append(byFolder[folder], i)
		if e.roles[i].isInbox {
			inbox = append(inbox, i)
		} else {
			filed = append(filed, i)
		}
	}
	for _, same := range byFolder {
		if len(same) > 1 {
			e.tellSameTitle(same)
		}
	}
	if len(inbox) > 0 && len(filed) == 1 {
		e.tellSameTitle(slices.Concat(inbox, filed))
	}
}

func (e *Examination) tellSameTitle(group []int) {
	original := e.originalOf(group)
	copies := e.others(group, original)
	kept := &e.facts.Notes[original]
	e.add(Finding{
		Check: DuplicateTitle, Path: copies[0], Line: e.line(copies[0], PlaceOfProperty, "title"),
		Message: fmt.Sprintf("%q is the title of %s, too%s", strings.TrimSpace(kept.Title), kept.Path, e.andMore(copies)),
		Remedy:  "give one of them another title, or bring them together", Related: append([]string{kept.Path}, copies[1:]...),
	})
}
