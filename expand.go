package quarry

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"unicode/utf8"

	"quarry/graph"
	"quarry/search"
	"quarry/store"
)

// Bounds of an expanded search.
const (
	expandedFrom = 5   // notes, the first of the answer, whose links are followed
	maxExpanded  = 3   // notes that are listed behind the answer
	maxLinked    = 500 // notes that are looked at; of more, the first by path
	// leastExpanded is the least budget, in tokens, that is worth another search.
	leastExpanded = 50
)

// behindHits is the name of what a passage loses that links brought, where its score is above that of a hit.
const behindHits = "behind the hits it is linked with"

// linkedNote is how a note is joined to a hit.
type linkedNote struct {
	via        search.Via
	rank       int // of the hit among the notes of the answer
	confidence float64
}

// isNearer tells of two ways to one note which says more: of the better hit, then the surer and the more telling edge.
func (l *linkedNote) isNearer(other *linkedNote) bool {
	isPlain := func(l *linkedNote) bool { return l.via.Kind == graph.References }
	switch {
	case l.rank != other.rank:
		return l.rank < other.rank
	case l.confidence != other.confidence:
		return l.confidence > other.confidence
	case isPlain(l) != isPlain(other):
		return isPlain(other)
	}
	return cmp.Or(cmp.Compare(other.via.Direction, l.via.Direction), cmp.Compare(l.via.Kind, other.via.Kind)) < 0
}

// expand lists, behind the hits and within what they left of the budget, notes that edges join to the best of them: those whose
// best passages fit the query, each by one passage and with the edge that leads there. They are in addition to the limit, so that
// none takes the place of a hit; one that would make a weak answer is none.
func (a *asking) expand(ctx context.Context, answer *SearchAnswer) error {
	left := a.tokensLeft(answer)
	if !slices.ContainsFunc(answer.Results, isRanked) || answer.Status == StatusNothingRelevant || left < leastExpanded {
		return nil
	}
	hits, err := a.pathsOf(ctx, answer.Results)
	if err != nil {
		return err
	}
	linked, err := a.linkedTo(ctx, hits)
	if err != nil || len(linked) == 0 {
		return err
	}
	found, err := a.amongLinked(ctx, linked, left)
	if err != nil {
		return err
	}
	last := answer.Results[len(answer.Results)-1].Explain
	isListed := map[*linkedNote]bool{}
	for _, r := range found {
		if r.Score < a.searcher.Settings.Weak || r.Truncated || isListed[r.way] || len(isListed) == maxExpanded ||
			slices.ContainsFunc(answer.Results, func(hit SearchResult) bool { return hit.ChunkText == r.ChunkText }) {
			continue
		}
		isListed[r.way] = true
		r.Via = a.via(r.way)
		r.Score = min(r.Score, answer.Results[len(answer.Results)-1].Score)
		if e := r.Explain; e != nil && last != nil && e.Score > last.Score {
			e.MoveTo(last.Score, behindHits)
		}
		last = r.Explain
		answer.Results = append(answer.Results, r.SearchResult)
	}
	return nil
}

// isRanked tells of a result that words or meaning brought, not filters alone.
func isRanked(r SearchResult) bool { return r.BM25Rank != nil || r.VecRank != nil }

// via is the edge to a note as it is shown.
func (a *asking) via(l *linkedNote) *search.Via {
	shown := a.finder.engine.shown
	return &search.Via{Path: shown(l.via.Path), Kind: shown(l.via.Kind), Direction: l.via.Direction}
}

// tokensLeft is what the passages of an answer have left of the budget.
func (a *asking) tokensLeft(answer *SearchAnswer) int {
	budget := cmp.Or(max(a.request.MaxTokens, 0), search.DefaultMaxTokens)
	used := 0
	for i := range answer.Results {
		used += utf8.RuneCountInString(answer.Results[i].ChunkText)
	}
	return budget - (used+search.CharactersPerToken-1)/search.CharactersPerToken
}

// linkedResult is a passage of a linked note.
type linkedResult struct {
	SearchResult
	way *linkedNote
}

// amongLinked asks the query once more, of the linked notes alone, and orders by score and edge.
func (a *asking) amongLinked(ctx context.Context, linked map[string]*linkedNote, tokens int) ([]linkedResult, error) {
	request := a.request
	request.MaxTokens, request.Limit, request.All, request.Like = tokens, 2*maxExpanded, false, ""
	request.Filter.Among = make(map[string]bool, len(linked))
	for path := range linked {
		request.Filter.Among[path] = true
	}
	answer, err := a.searcher.Search(ctx, request)
	if err != nil {
		return nil, err
	}
	var found []linkedResult
	for i := range answer.Results {
		path, err := a.pathOf(ctx, answer.Results[i].FilePath)
		if err != nil {
			return nil, err
		}
		if way := linked[path]; way != nil {
			found = append(found, linkedResult{answer.Results[i], way})
		}
	}
	slices.SortStableFunc(found, func(x, y linkedResult) int {
		return cmp.Compare(y.way.confidence*y.Score, x.way.confidence*x.Score)
	})
	return found, nil
}

// linkedTo gives the notes that edges join to the first of some, without those, by path.
func (a *asking) linkedTo(ctx context.Context, hits []string) (map[string]*linkedNote, error) {
	isHit := map[string]bool{}
	for _, path := range hits {
		isHit[path] = true
	}
	hits = hits[:min(len(hits), expandedFrom)]
	web, err := a.finder.engine.webOf(ctx, a.finder)
	if err != nil {
		return nil, err
	}
	near := web.near(hits, graph.Both, 1)
	if len(near) == 0 {
		return nil, nil
	}
	near = slices.DeleteFunc(near, func(path string) bool {
		return isHit[path] || a.request.Filter.Among != nil && !a.request.Filter.Among[path]
	})
	slices.Sort(near)
	near = near[:min(len(near), maxLinked)]
	edges, err := a.finder.edgesFrom(ctx, slices.Concat(hits, near))
	if err != nil {
		return nil, err
	}
	linked := map[string]*linkedNote{}
	for _, of := range edges {
		for i := range of.Edges {
			addLinked(linked, of.Path, &of.Edges[i], hits)
		}
	}
	maps.DeleteFunc(linked, func(path string, _ *linkedNote) bool { return !slices.Contains(near, path) })
	return linked, nil
}

// addLinked adds the note at the other end of an edge that begins or ends at a hit.
func addLinked(linked map[string]*linkedNote, source string, edge *store.Edge, hits []string) {
	add := func(hit, other, direction string) {
		rank := slices.Index(hits, hit)
		if rank < 0 || hit == other {
			return
		}
		way := &linkedNote{search.Via{Path: hit, Kind: edge.Kind, Direction: direction}, rank, graph.ConfidenceOf(edge.Rule)}
		if known := linked[other]; known == nil || way.isNearer(known) {
			linked[other] = way
		}
	}
	add(source, edge.Target, "out")
	add(edge.Target, source, "back")
}

// edgesFrom lists the edges of some notes in the view.
func (f *finder) edgesFrom(ctx context.Context, paths []string) ([]store.EdgesOf, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	if linked, ok := f.engine.linkedOf(f.view); ok {
		return linked.EdgesFrom(ctx, paths)
	}
	web, err := f.engine.webOf(ctx, f)
	if err != nil {
		return nil, err
	}
	names, err := web.namesIn(ctx, f)
	if err != nil {
		return nil, err
	}
	var edges []store.EdgesOf
	for of, err := range f.linksIn(ctx, paths) {
		if err != nil {
			return nil, err
		}
		found := names.resolver.Edges(of.Path, of.Links, func(path string) bool { return names.isNote[path] })
		edges = append(edges, store.EdgesOf{Path: of.Path, Edges: found})
	}
	return edges, nil
}
