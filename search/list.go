package search

import (
	"context"

	"quarry/store"
)

// list gives the notes that a query without words lets through, newest first, ties by path, at most so many: one passage of each,
// the first that is let through. A note that holds an excluded word in any passage is out.
func (s Searcher) list(ctx context.Context, plan *Plan, limit int) ([]store.Candidate, error) {
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
		n := &notes[i]
		if n.PassageCount == 0 {
			continue
		}
		at, err := spans(n)
		if err != nil {
			return nil, err
		}
		first, end := at, at+store.PassageID(n.PassageCount)
		if plan.without != nil && plan.without.AnyWithin(first, end) {
			continue
		}
		for at < end && !plan.within.Has(at) {
			at++
		}
		if at < end {
			candidates = append(candidates, store.Candidate{ID: at, Index: int(at - first), Note: n, Weight: 1})
		}
	}
	return candidates, nil
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
