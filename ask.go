package quarry

import (
	"context"
	"fmt"
	"slices"
	"time"

	"quarry/chunk"
	"quarry/embedding"
	"quarry/search"
	"quarry/store"
)

// Search answers a query, or looks for what is like a note (SearchRequest.Like). Without an index the error is ErrNoIndex; where
// Like names no note it is ErrNotFound, no part ErrNoPart. No query is an error.
func (e *Engine) Search(ctx context.Context, request SearchRequest) (answer SearchAnswer, err error) {
	defer e.clean(&err)
	if request.Filter, err = e.filterByLinks(ctx, request.Filter); err != nil {
		return SearchAnswer{}, fmt.Errorf("search: %w", e.butSecret(ctx, err))
	}
	pattern, err := e.patternFor(ctx, request.Like)
	if err != nil {
		return SearchAnswer{}, fmt.Errorf("search for what is like %s: %w", e.stored(request.Like), err)
	}
	v, err := e.searched(ctx)
	if err != nil {
		return SearchAnswer{}, fmt.Errorf("search: %w", err)
	}
	defer v.Close()
	asking, err := e.asking(ctx, v, request)
	if err != nil {
		return SearchAnswer{}, err
	}
	if answer, err = asking.answer(ctx, pattern); err == nil {
		answer.Notices = orEmpty(slices.Concat(answer.Notices, e.notices(v.meta)))
	}
	return answer, err
}

// asking is one search in one view.
type asking struct {
	finder   *finder
	searcher search.Searcher
	request  SearchRequest
}

// asking makes a search ready.
func (e *Engine) asking(ctx context.Context, v *view, request SearchRequest) (*asking, error) {
	a := &asking{finder: &finder{engine: e, view: v}}
	a.searcher = search.Searcher{
		Snapshot: v.Snapshot, Presence: e.presence(ctx, v.meta), ChunkID: chunk.ID, Redact: e.shown, Settings: e.config.Ranking,
		Today:   e.now().Format(time.DateOnly),
		ByLinks: func(ctx context.Context, filter store.Filter) (store.Filter, error) { return e.byLinks(ctx, v, filter) },
	}
	if request.Mode != search.Lexical {
		var err error
		if a.searcher.Embedder, err = e.queryModel(v.meta); err != nil {
			return nil, err
		}
	}
	if request.Explain {
		begun := e.now()
		a.searcher.Now = func() float64 { return e.now().Sub(begun).Seconds() }
	}
	request.Query = e.shownQuery(request.Query) // its words, which are told one by one, are no longer known as a secret
	request.Filter = anySpelling(request.Filter)
	a.request = request
	return a, nil
}

// Of a query that is longer than longQueryBytes no more is looked at for secrets, and what is left of its last marginBytes is
// dropped: a secret that was cut in two is in these. A search reads far less than the rest.
const (
	longQueryBytes = 64 << 10
	marginBytes    = 48 << 10
	leastRestBytes = 8 << 10
)

// shownQuery is a query without secrets, or the beginning of a long one.
func (e *Engine) shownQuery(query string) string {
	if len(query) > longQueryBytes {
		if start := e.shown(query[:longQueryBytes]); len(start) >= leastRestBytes+marginBytes {
			return start[:len(start)-marginBytes]
		}
	}
	return e.shown(query)
}

// maxQueryBytes is how much of a query is looked at for secrets: more than a search takes, so that it cuts none in two.
const maxQueryBytes = 64 << 10

// answer asks, and adds what links join to the answer where that is asked for.
func (a *asking) answer(ctx context.Context, pattern *likePattern) (answer SearchAnswer, err error) {
	if pattern != nil {
		answer, err = a.like(ctx, pattern)
	} else {
		answer, err = a.searcher.Search(ctx, a.request)
	}
	if err != nil || !a.request.Expand || pattern != nil {
		return answer, err
	}
	return answer, a.expand(ctx, &answer)
}

// queryModel is the model, if the index was built with it; nil where the index has no vectors or those of another model.
func (e *Engine) queryModel(meta map[string]string) (embedding.Embedder, error) {
	model, err := e.model()
	if err != nil || model == nil {
		return nil, err
	}
	switch meta[store.MetaModelHash] {
	case model.Hash():
		return model, nil
	case "":
		return nil, nil // keyword search alone, which the answer says
	default:
		e.logger.Warn("the index was built with another model; keyword search alone until `quarry index` has run",
			"index", meta[store.MetaModel], "now", model.Name())
		return nil, nil
	}
}
