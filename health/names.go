package health

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"quarry/graph"
)

// names finds ids and titles that several notes have.
func (e *Examination) names(ctx context.Context) {
	byID, byTitle := map[string][]int{}, map[string][]int{}
	for i := range until(ctx, e.facts.Notes) {
		n := &e.facts.Notes[i]
		if n.DeclaredID != "" && !e.roles[i].isTemplate {
			byID[n.DeclaredID] = append(byID[n.DeclaredID], i)
		}
		if title := graph.PlainHeading(n.Title); title != "" && e.isCompared(i) {
			byTitle[title] = append(byTitle[title], i)
		}
	}
	for _, id := range until(ctx, sortedKeys(byID)) {
		if group := byID[id]; len(group) > 1 {
			e.tellID(id, group)
		} else {
			e.tellIDOfPath(id, group[0])
		}
	}
	for _, title := range until(ctx, sortedKeys(byTitle)) {
		if group := byTitle[title]; len(group) > 1 {
			e.tellTitle(group)
		}
	}
}

func (e *Examination) tellID(id string, group []int) {
	original := e.originalOf(group)
	copies := e.others(group, original)
	e.add(Finding{
		Check: DuplicateID, Path: copies[0], Line: e.line(copies[0], PlaceOfProperty, "id"),
		Message: fmt.Sprintf("the id %q is that of %s, too%s: both are known by their paths instead", brief(id), e.facts.Notes[original].Path, e.andMore(copies)),
		Remedy:  "give this note an id of its own, or delete the property", Related: append([]string{e.facts.Notes[original].Path}, copies[1:]...),
	})
}

// tellIDOfPath tells of a note whose id does not count since the path of another one is the same.
func (e *Examination) tellIDOfPath(id string, i int) {
	n := &e.facts.Notes[i]
	for _, other := range []string{id, id + ".md"} {
		if at, ok := e.at[other]; ok && at != i {
			e.add(Finding{
				Check: DuplicateID, Path: n.Path, Line: e.line(n.Path, PlaceOfProperty, "id"),
				Message: fmt.Sprintf("the id %q is the path of %s: this note is known by its own path instead", brief(id), other),
				Remedy:  "give this note another id, or delete the property", Related: []string{other},
			})
			return
		}
	}
}

var (
	// conflictName is how programs of synchronisation call the version that lost: Dropbox, Syncthing, Nextcloud, OneDrive.
	conflictName = lazy(`(?i)( \([^()]*conflict(ed)?( copy)?[^()]*\)|\.sync-conflict-\d{8}-\d{6}.*|[ _-]conflict[ _-]?\d{4}.*)$`)
	// copyName is how file managers and people call a copy, and notes that are none.
	copyName = lazy(`(?i)( - copy( \(\d+\))?| copy( \d+)?| \(copy( \d+)?\)| \(\d\))$`)
)

// originalName is the path that a file had before it was copied, "" where the name is not that of a copy. isSure tells that
// a program of synchronisation gave the name.
func originalName(file string) (original string, isSure bool) {
	stem := stemOf(file)
	cut := conflictName().FindStringIndex(stem)
	if isSure = cut != nil; !isSure {
		cut = copyName().FindStringIndex(stem)
	}
	if cut == nil || cut[0] == 0 {
		return "", false
	}
	return path.Join(path.Dir(file), stem[:cut[0]]+path.Ext(file)), isSure
}

func isConflictName(file string) bool {
	original, _ := originalName(file)
	return original != ""
}

// copiedHalf is the Jaccard index of shingles from which on a note that is called like a copy is one.
const copiedHalf = .5

// conflicts tells of copies beside the notes that they are copies of.
func (e *Examination) conflicts(ctx context.Context) {
	if !e.selection.Has(ConflictCopy) {
		return
	}
	for i := range until(ctx, e.facts.Notes) {
		copied := e.facts.Notes[i].Path
		original, isSure := originalName(copied)
		of, ok := e.at[original]
		if !ok || !isSure && (e.areLinked(i, of) || jaccard(e.said[i].shingles, e.said[of].shingles) < copiedHalf) {
			continue
		}
		message := "by its name this is a version of " + original + " that a program of synchronisation put aside"
		if !isSure {
			message = "by its name and text this is a copy of " + original
		}
		e.mark([]string{copied})
		e.add(Finding{
			Check: ConflictCopy, Path: copied, Message: message,
			Remedy: fmt.Sprintf("compare the two, bring what is missing into %s and delete this one", original), Related: []string{original},
		})
	}
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
	told := map[int]bool{}
	if len(filed) == 1 {
		e.tellSameTitle(slices.Concat(inbox, filed), told)
	}
	for _, folder := range sortedKeys(byFolder) {
		e.tellSameTitle(byFolder[folder], told)
	}
}

// tellSameTitle tells of notes of one title those that were not told of yet. Two versions of one note of which one links to the
// other are wanted both.
func (e *Examination) tellSameTitle(group []int, told map[int]bool) {
	if len(group) < 2 {
		return
	}
	original := e.originalOf(group)
	group = slices.DeleteFunc(slices.Clone(group), func(i int) bool {
		return i != original && (told[i] || e.areLinked(i, original) && jaccard(e.said[i].shingles, e.said[original].shingles) >= nearlyAll)
	})
	if len(group) < 2 {
		return
	}
	for _, i := range group {
		told[i] = true
	}
	copies := e.others(group, original)
	kept := &e.facts.Notes[original]
	e.add(Finding{
		Check: DuplicateTitle, Path: copies[0], Line: e.line(copies[0], PlaceOfProperty, "title"),
		Message: fmt.Sprintf("%q is the title of %s, too%s", brief(strings.TrimSpace(kept.Title)), kept.Path, e.andMore(copies)),
		Remedy:  "give one of them another title, or bring them together", Related: append([]string{kept.Path}, copies[1:]...),
	})
}
