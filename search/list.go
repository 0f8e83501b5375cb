package search

import (
	"context"
	"maps"
	"slices"

	"quarry/store"
)

// fewPassages are so many that their notes are read one by one rather than all.
const fewPassages = 256

// list gives the notes that a query without words lets through, newest first, ties by path, at most so many: one passage of each,
// the first that is let through. A note that holds an excluded word in any passage is out.
func (s Searcher) list(ctx context.Context, plan *Plan, limit int) ([]store.Candidate, error) {
	if plan.within != nil && plan.without == nil && plan.within.Len() <= fewPassages {
		return s.listFew(ctx, plan.within, limit)
	}
	notes, err := s.Snapshot.Notes(ctx, store.NoteQuery{Filter: plan.listed, Sort: store.ByUpdated})
	if err != nil {
		return nil, err
	}
	spans, err := s.spans(ctx)
	if err != nil {
		return nil, err
	}
	var candidates []store.Candidate
	for i := range notes {
		if len(candidates) == limit {
			break
		}
		if notes[i].PassageCount == 0 {
			continue
		}
		first, err := spans(&notes[i])
		if err != nil {
			return nil, err
		}
		if at, ok := plan.firstOf(first, notes[i].PassageCount); ok {
			candidates = append(candidates, store.Candidate{ID: at, Index: int(at - first), Note: &notes[i], Weight: 1})
		}
	}
	return candidates, nil
}

// firstOf gives the first passage of a note that is let through.
func (p *Plan) firstOf(first store.PassageID, count int) (store.PassageID, bool) {
	end := first + store.PassageID(count)
	if p.without != nil && p.without.AnyWithin(first, end) {
		return 0, false
	}
	for at := first; at < end; at++ {
		if p.within.Has(at) {
			return at, true
		}
	}
	return 0, false
}

// listFew lists the notes of a few passages.
func (s Searcher) listFew(ctx context.Context, within *store.Set, limit int) ([]store.Candidate, error) {
	found, err := s.Snapshot.Passages(ctx, slices.Collect(within.All()))
	if err != nil {
		return nil, err
	}
	byPath := map[string]store.Candidate{}
	for _, f := range found {
		if first, ok := byPath[f.Note.Path]; !ok || f.Index < first.Index {
			byPath[f.Note.Path] = store.Candidate{ID: f.ID, Index: f.Index, Note: f.Note, Weight: 1}
		}
	}
	list := slices.SortedFunc(maps.Values(byPath), func(a, b store.Candidate) int { return store.ByUpdated.Order(a.Note, b.Note) })
	return list[:min(limit, len(list))], nil
}

// spans finds the first passage of a note that has some; the others follow it.
func (s Searcher) spans(ctx context.Context) (func(n *store.Note) (store.PassageID, error), error) {
	lister, ok := s.Snapshot.(store.Lister)
	if !ok {
		return func(n *store.Note) (store.PassageID, error) {
			full, _, err := s.Snapshot.Note(ctx, n.Path)
			if err != nil || len(full.Passages) == 0 {
				return 0, err
			}
			return full.Passages[0].ID, nil
		}, nil
	}
	first := map[string]store.PassageID{}
	err := lister.EachClass(ctx, func(of store.ClassOf) { first[of.Path] = of.First })
	return func(n *store.Note) (store.PassageID, error) { return first[n.Path], nil }, err
}

// excluding gives the passages that hold what the query excludes whatever else it says; nil where it excludes no words.
func (s Searcher) excluding(ctx context.Context, query *node) (*store.Set, error) {
	c := conditions{searcher: s}
	var all *store.Set
	for _, n := range query.together() {
		if !n.not || n.kind != textNode && n.kind != phraseNode {
			continue
		}
		held := c.holds(n.text, false)
		if held == nil {
			continue
		}
		set, err := s.Snapshot.Holding(ctx, held.terms)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = &store.Set{}
		}
		for id := range set.All() {
			all.Add(id)
		}
	}
	return all, nil
}
