package health

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

const (
	// nearlyAll is the Jaccard index of shingles from which on two notes are nearly the same: of ten sentences one differs.
	nearlyAll = .8
	// likeEachOther is the same for notes whose titles differ: pages that are made alike on purpose have titles of their own.
	likeEachOther = .9
	// comparedBefore is with how many notes before it in a band each is compared, which keeps the work linear. The first of the
	// band is always among them.
	comparedBefore = 8
)

// copies finds notes of the same text and of nearly the same.
func (e *Examination) copies(ctx context.Context) {
	if !e.selection.hasAny(DuplicateNote, NearDuplicateNote) {
		return
	}
	first := e.tellSame(ctx)
	if e.selection.Has(NearDuplicateNote) {
		e.tellNear(ctx, first)
	}
}

// tellSame tells of notes with equal text and gives the notes that differ, one of each group.
func (e *Examination) tellSame(ctx context.Context) []int {
	groups, differing := map[uint64][]int{}, []int{}
	for i := range until(ctx, e.said) {
		set := e.said[i].shingles
		if len(set) == 0 || e.copied[e.facts.Notes[i].Path] {
			continue
		}
		key := uint64(len(set))
		for _, hash := range set {
			key = mixed(key ^ uint64(hash))
		}
		groups[key] = append(groups[key], i)
	}
	for _, key := range until(ctx, sortedKeys(groups)) {
		group := groups[key]
		original := e.originalOf(group)
		differing = append(differing, original)
		if len(group) == 1 || !e.selection.Has(DuplicateNote) {
			continue
		}
		copies := e.others(group, original)
		kept := e.facts.Notes[original].Path
		e.mark(copies)
		e.add(Finding{
			Check: DuplicateNote, Path: copies[0], Message: "the text is that of " + kept + e.andMore(copies),
			Remedy: fmt.Sprintf("keep %s and delete %s", kept, e.deletion(copies[0])), Related: append([]string{kept}, copies[1:]...),
		})
	}
	slices.Sort(differing)
	return differing
}

// mark remembers copies.
func (e *Examination) mark(copies []string) {
	for _, path := range copies {
		e.copied[path] = true
	}
}

func (e *Examination) andMore(copies []string) string {
	if len(copies) == 1 {
		return ""
	}
	return ", as is that of " + listed(copies[1:], 3)
}

// deletion says what to mind when a copy goes.
func (e *Examination) deletion(copied string) string {
	if in := e.degree[e.at[copied]].in; in > 0 {
		return "this one, after its " + counted(in, "backlink was", "backlinks were") + " changed"
	}
	return "this one; no note links to it"
}

// originalOf chooses the note to keep of some that are alike: filed, in use, linked to, of the shortest path.
func (e *Examination) originalOf(group []int) int {
	return slices.MinFunc(group, func(a, b int) int {
		x, y := e.roles[a], e.roles[b]
		return cmp.Or(
			compareBools(x.isInbox, y.isInbox), compareBools(x.isArchived, y.isArchived),
			compareBools(isConflictName(e.facts.Notes[a].Path), isConflictName(e.facts.Notes[b].Path)),
			cmp.Compare(e.degree[b].in, e.degree[a].in), cmp.Compare(len(e.facts.Notes[a].Path), len(e.facts.Notes[b].Path)), cmp.Compare(a, b),
		)
	})
}

// compareBools orders false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func (e *Examination) others(group []int, but int) []string {
	var paths []string
	for _, i := range group {
		if i != but {
			paths = append(paths, e.facts.Notes[i].Path)
		}
	}
	slices.Sort(paths)
	return paths
}

// tellNear tells of notes that are nearly the same. Those that are joined, one to the next, are told of together.
func (e *Examination) tellNear(ctx context.Context, notes []int) {
	joined := newSets(len(e.facts.Notes))
	e.eachCandidate(ctx, notes, func(a, b int) {
		if joined.of(a) == joined.of(b) || !e.mayBeCopies(a, b) {
			return
		}
		if share := jaccard(e.said[a].shingles, e.said[b].shingles); share >= likeEachOther || share >= nearlyAll && e.haveOneTitle(a, b) {
			joined.join(a, b)
		}
	})
	groups := map[int][]int{}
	for _, i := range notes {
		groups[joined.of(i)] = append(groups[joined.of(i)], i)
	}
	for _, first := range until(ctx, sortedKeys(groups)) {
		group := groups[first]
		if len(group) < 2 {
			continue
		}
		original := e.originalOf(group)
		copies := e.others(group, original)
		kept := e.facts.Notes[original].Path
		e.mark(copies)
		share := jaccard(e.said[original].shingles, e.said[e.at[copies[0]]].shingles)
		e.add(Finding{
			Check: NearDuplicateNote, Path: copies[0],
			Message: fmt.Sprintf("%.0f %% of the text is that of %s%s", 100*share, kept, e.andMore(copies)),
			Remedy:  fmt.Sprintf("bring what differs into %s and delete this one; or, if both are wanted, link one from the other", kept),
			Related: append([]string{kept}, copies[1:]...),
		})
	}
}

// eachCandidate visits pairs of notes that may be nearly the same, with repetitions.
func (e *Examination) eachCandidate(ctx context.Context, notes []int, visit func(a, b int)) {
	for band := range sketchBands {
		buckets := make(map[uint64][]int, len(notes))
		for _, i := range until(ctx, notes) {
			key := bandOf(e.said[i].sketch, band)
			bucket := buckets[key]
			for k := max(len(bucket)-comparedBefore+1, 1); k < len(bucket); k++ {
				visit(bucket[k], i)
			}
			if len(bucket) > 0 {
				visit(bucket[0], i)
			}
			buckets[key] = append(bucket, i)
		}
	}
}

// mayBeCopies leaves out pairs that somebody made on purpose: a note put away and the one that replaced it, notes of a row that
// differ by a number, and notes of which one links to the other.
func (e *Examination) mayBeCopies(a, b int) bool {
	if e.roles[a].isArchived != e.roles[b].isArchived || isRow(stemOf(e.facts.Notes[a].Path), stemOf(e.facts.Notes[b].Path)) {
		return false
	}
	shorter, longer := len(e.said[a].shingles), len(e.said[b].shingles)
	if float64(min(shorter, longer)) < nearlyAll*float64(max(shorter, longer)) {
		return false
	}
	return !e.areLinked(a, b)
}

// haveOneTitle tells of notes whose titles or names are the same but for the mark of a copy.
func (e *Examination) haveOneTitle(a, b int) bool {
	key := func(i int) (title, name string) {
		n := &e.facts.Notes[i]
		stem := stemOf(n.Path)
		if original, _ := originalName(n.Path); original != "" {
			stem = stemOf(original)
		}
		return lettersOf(n.Title), lettersOf(stem)
	}
	titleA, nameA := key(a)
	titleB, nameB := key(b)
	return titleA == titleB || nameA == nameB && !e.roles[a].isMap
}

// isRow tells of names that differ by their numbers alone: "Release 98", "Release 99".
func isRow(a, b string) bool {
	without := func(name string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return -1
			}
			return r
		}, name)
	}
	x, y := without(a), without(b)
	return x == y && x != a && y != b
}

// sets are disjoint sets of numbers (union by index, path halving; Tarjan and van Leeuwen 1984).
type sets []int

func newSets(count int) sets {
	s := make(sets, count)
	for i := range s {
		s[i] = i
	}
	return s
}

func (s sets) of(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// join makes one set of two; it goes by its least member.
func (s sets) join(a, b int) {
	a, b = s.of(a), s.of(b)
	s[max(a, b)] = min(a, b)
}
