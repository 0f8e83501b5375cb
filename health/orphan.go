package health

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"quarry/graph"
)

// A vault whose notes are mostly without links is none of linked notes: then each of them says nothing.
const (
	minUnlinked      = 20 // notes
	maxUnlinkedShare = .5 // of the notes that could have links
)

// orphans finds notes without links from and to other notes. Notes of a day, templates, archived notes, those of the inbox, and
// what is no prose may be without.
func (e *Examination) orphans(ctx context.Context) {
	var lone []string
	eligible := 0
	for i := range until(ctx, e.facts.Notes) {
		if e.roles[i].isLone() || e.said[i].isQuery || e.copied[e.facts.Notes[i].Path] {
			continue
		}
		eligible++
		if e.degree[i] == (degree{}) && e.isWorthLinking(i) && !e.isNearLink(i) {
			lone = append(lone, e.facts.Notes[i].Path)
		}
	}
	if eligible < 2 { // there is nothing to link it with
		return
	}
	if len(lone) >= minUnlinked && float64(len(lone)) > maxUnlinkedShare*float64(eligible) {
		e.add(Finding{
			Check: Orphan, Message: fmt.Sprintf("%d of %d notes are not linked with others", len(lone), eligible),
			Remedy: "nothing if the notes are found by folder or search; else begin with an index note for each folder", Related: lone,
		})
		return
	}
	for _, path := range lone {
		e.add(Finding{
			Check: Orphan, Path: path, Message: "no link leads to this note or from it",
			Remedy: fmt.Sprintf("link it from a note that it belongs to: [[%s]]; `quarry links %q` shows related ones", linkName(path), path),
		})
	}
}

// isNearLink tells of a note that was told of for what looks like a link of it and is none: when that is mended, it has one.
func (e *Examination) isNearLink(i int) bool {
	path := e.facts.Notes[i].Path
	return e.told[toldOf{NearRelation, path}]+e.told[toldOf{SpaceInLink, path}] > 0
}

// isWorthLinking tells of a note that has something in it; others are told of as empty.
func (e *Examination) isWorthLinking(i int) bool {
	return e.facts.Notes[i].Passages > 0 || !e.said[i].isBare
}

// network is that of all links between notes.
func (e *Examination) network() *graph.Network {
	paths := make([]string, len(e.facts.Notes))
	for i := range e.facts.Notes {
		paths[i] = e.facts.Notes[i].Path
	}
	return graph.NewNetwork(paths, e.pairs())
}

func (e *Examination) pairs() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for i, targets := range e.targets() {
			for _, to := range targets {
				if !yield(e.facts.Notes[i].Path, e.facts.Notes[to].Path) {
					return
				}
			}
		}
	}
}

// maxClusterShare is how large a set of notes apart may be, as a share of the largest, to count as lost.
const maxClusterShare = .25

// clusters finds sets of notes that hang together and with none of the largest such set.
func (e *Examination) clusters(ctx context.Context) {
	if !e.selection.Has(OrphanCluster) {
		return
	}
	components := e.network().Components()
	if len(components) < 2 {
		return
	}
	most := maxClusterShare * float64(len(components[0]))
	for _, members := range until(ctx, components[1:]) {
		if len(members) < 2 || float64(len(members)) > most ||
			!slices.ContainsFunc(members, e.isExpectedLinked) || slices.ContainsFunc(members, e.isWayIn) {
			continue
		}
		head := e.headOf(members)
		others := slices.DeleteFunc(slices.Clone(members), func(path string) bool { return path == head })
		e.add(Finding{
			Check: OrphanCluster, Path: head,
			Message: fmt.Sprintf("%d notes link among themselves and with no other: this one and %s", len(members), listed(others, 3)),
			Remedy:  fmt.Sprintf("link one of them from a note of the rest: [[%s]]", linkName(head)), Related: others,
		})
	}
}

// isWayIn tells of a note that people open by itself, without following a link: a map, a note of a day.
func (e *Examination) isWayIn(path string) bool {
	r := e.roles[e.at[path]]
	return r.isMap || r.isDaily
}

func (e *Examination) isExpectedLinked(path string) bool { return !e.roles[e.at[path]].isLone() }

// headOf is the note of some that most others are linked with, the first of equals.
func (e *Examination) headOf(members []string) string {
	rank := func(path string) int { d := e.degree[e.at[path]]; return d.in + d.out }
	return slices.MaxFunc(members, func(a, b string) int { return rank(a) - rank(b) })
}

// Measured on real vaults: communities below minCommunity are overlooked at a glance.
const (
	minCommunity = 8
	mostOf       = .5  // of the others that a note is linked with to be their index
	muchOf       = .25 // the same for a note that is made to be one
)

// maps finds communities without a note that is linked with most of it, one way or the other: a list of links, or a note that
// all others name, which its backlinks make an index.
func (e *Examination) maps(ctx context.Context) {
	if !e.selection.Has(MissingMap) {
		return
	}
	neighbours := e.neighbours()
	for _, members := range until(ctx, e.network().Communities()) {
		if e.unfiled(members) < minCommunity || e.hasMap(members, neighbours) {
			continue
		}
		head := e.headOf(members)
		others := slices.DeleteFunc(slices.Clone(members), func(path string) bool { return path == head })
		e.add(Finding{
			Check: MissingMap, Path: head,
			Message: fmt.Sprintf("%d notes around this one belong together by their links, and no note leads to most of them", len(members)),
			Remedy:  "write an index note (type: moc) that links to them, and link it from your home note", Related: others,
		})
	}
}

// unfiled counts the notes that could do with a map: not those that have another order, by their day or their names.
func (e *Examination) unfiled(members []string) int {
	count := 0
	for _, path := range members {
		i := e.at[path]
		if _, hasParent := e.at[e.parentOf(i)]; !hasParent && !e.roles[i].isLone() {
			count++
		}
	}
	return count
}

// neighbours are the notes that each note is linked with, either way.
func (e *Examination) neighbours() [][]int32 {
	all := make([][]int32, len(e.facts.Notes))
	for i, targets := range e.targets() {
		for _, to := range targets {
			all[i] = append(all[i], to)
			all[to] = append(all[to], int32(i)) //nolint:gosec // fewer notes than that
		}
	}
	for i := range all {
		slices.Sort(all[i])
		all[i] = slices.Compact(all[i])
	}
	return all
}

func (e *Examination) hasMap(members []string, neighbours [][]int32) bool {
	met := map[int32]int{} // how many members each note is linked with
	for _, path := range members {
		for _, i := range neighbours[e.at[path]] {
			met[i]++
		}
	}
	for i, count := range met {
		share := float64(count) / float64(len(members)-1)
		if share >= mostOf || e.roles[i].isMap && share >= muchOf {
			return true
		}
	}
	return false
}
