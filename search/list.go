package search

import (
	"context"

	"quarry/store"
)

// list gives the notes that a query without words lets through, newest first, ties by path, at most so many: one passage of each,
// the first that is let through. A note that holds an excluded word in any passage is out.
func (s Searcher) list(ctx context.Context, plan *Plan, limit int) ([]store.Candidate, error) {
	return s.Snapshot.Newest(ctx, store.NewestQuery{Within: plan.within, Without: plan.without, Limit: limit})
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
