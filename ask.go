package quarry

import (
	"context"
	"fmt"
	"time"

	"quarry/chunk"
	"quarry/embedding"
	"quarry/search"
	"quarry/store"
)

// Search answers a query, or looks for what is like a note (SearchRequest.Like). Without an index the error is ErrNoIndex; where
// Like names no note it is ErrNotFound, no part ErrNoPart. No query is an error; a Mode or a Fusion that there is not is one.
func (e *Engine) Search(ctx context.Context, request SearchRequest) (answer SearchAnswer, err error) {
	defer e.clean(&err)
	ctx = withOneLook(ctx)
	if err := checkSearch(request); err != nil {
		return SearchAnswer{}, err
	}
	named := request.Filter
	if request.Filter, err = e.filterByLinks(ctx, named); err != nil {
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
		err = asking.tell(ctx, named, pattern, &answer)
	}
	return answer, err
}

// checkSearch finds what no search can mean.
func checkSearch(request SearchRequest) error {
	switch request.Mode {
	case "", search.Hybrid, search.Lexical, search.Vector:
	default:
		return fmt.Errorf("search: there is no mode %q", request.Mode)
	}
	switch request.Fusion {
	case "", search.Sum, search.RRF:
	default:
		return fmt.Errorf("search: there is no fusion %q", request.Fusion)
	}
	return nil
}

// asking is one search in one view.
type asking struct {
	finder   *finder
	searcher search.Searcher
	request  SearchRequest
	stored   map[string]string // see pathOf; nil before the first
}

// pathOf is the path in the index of a note by the one that a result shows, which is without what counts as a secret only since the
// index was made; "" where it cannot be told.
func (a *asking) pathOf(ctx context.Context, shown string) (string, error) {
	if a.finder.view.meta[store.MetaSettings] == a.finder.engine.settings {
		return shown, nil
	}
	if a.stored == nil {
		files, err := a.finder.view.Files(ctx)
		if err != nil {
			return "", fmt.Errorf("find a result in the index: %w", err)
		}
		a.stored = make(map[string]string, len(files))
		for i := range files {
			name := a.finder.engine.shown(files[i].Path)
			if _, isTaken := a.stored[name]; isTaken {
				a.stored[name] = ""
				continue
			}
			a.stored[name] = files[i].Path
		}
	}
	return a.stored[shown], nil
}

// pathsOf are those of the notes of results, each once, in their order.
func (a *asking) pathsOf(ctx context.Context, results []SearchResult) ([]string, error) {
	var paths []string
	known := map[string]bool{}
	for i := range results {
		path, err := a.pathOf(ctx, results[i].FilePath)
		if err != nil {
			return nil, err
		}
		if !known[path] && path != "" {
			paths = append(paths, path)
		}
		known[path] = true
	}
	return paths, nil
}

// asking makes a search ready.
func (e *Engine) asking(ctx context.Context, v *view, request SearchRequest) (*asking, error) {
	a := &asking{finder: &finder{engine: e, view: v}}
	a.searcher = search.Searcher{
		Snapshot: v.Snapshot, Presence: e.presence(ctx, v.meta), ChunkID: chunk.ID, Redact: e.shown, Settings: e.config.Ranking,
		Today: e.now().Format(time.DateOnly),
		ByLinks: func(ctx context.Context, filter store.Filter) (store.Filter, error) {
			ofNow, err := v.ofNow() // a note that may not be seen any more leads nowhere
			if err != nil {
				return filter, err
			}
			return e.byLinks(ctx, ofNow, filter)
		},
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
