package quarry

import (
	"context"
	"iter"
	"sync"

	"quarry/graph"
	"quarry/index"
	"quarry/store"
)

// web is who links to whom in one view of the index. The first question is answered from the edges as they were read, since a
// process may ask no second one; then it becomes a network. It is safe for concurrent use.
type web struct {
	generation any
	shown      [32]byte // of the names that can be seen, zero where all can

	mu      sync.Mutex
	edges   []store.EdgesOf // nil once there is a network
	isAsked bool
	network *graph.Network // notes that no link joins to another may be missing
	maps    *map[string]bool
	names   *webNames
}

// webNames are what links resolve to in a view that shows a part of the index.
type webNames struct {
	resolver *graph.Resolver
	isNote   map[string]bool // by path
}

// webOf tells who links to whom in the view of a finder: as the last run left it where all of that can be seen, else by names.
// It is kept while the view stays the same.
func (e *Engine) webOf(ctx context.Context, f *finder) (*web, error) {
	shown, err := f.view.shown(ctx)
	if err != nil {
		return nil, err
	}
	generation := f.view.generation
	if last := e.web.Load(); generation != nil && last != nil && last.generation == generation && last.shown == shown {
		return last, nil
	}
	w := &web{generation: generation, shown: shown}
	if w.edges, err = e.edgesOf(ctx, f); err != nil {
		return nil, err
	}
	if generation != nil {
		e.web.Store(w)
	}
	return w, nil
}

// linkedOf gives the graph that the last run left, if the view shows all of the index, the run came to its end, and what it
// knew as a name is one now.
func (e *Engine) linkedOf(v *view) (store.Linked, bool) {
	linked, ok := v.Snapshot.(store.Linked)
	return linked, ok && index.HasGraph(v.meta) && v.meta[index.MetaRules] == e.rulesHash
}

// edgesOf lists the edges between the notes of the view, by path.
func (e *Engine) edgesOf(ctx context.Context, f *finder) ([]store.EdgesOf, error) {
	return collect(f.edges(ctx))
}

// edges yields the notes of the view that have edges, by path.
func (f *finder) edges(ctx context.Context) iter.Seq2[store.EdgesOf, error] {
	if linked, ok := f.engine.linkedOf(f.view); ok {
		return linked.Edges(ctx)
	}
	return func(yield func(store.EdgesOf, error) bool) {
		files, err := f.view.Files(ctx)
		if err != nil {
			yield(store.EdgesOf{}, err)
			return
		}
		isNote := make(map[string]bool, len(files))
		for i := range files {
			isNote[files[i].Path] = true
		}
		resolver, err := f.names(ctx)
		if err != nil {
			yield(store.EdgesOf{}, err)
			return
		}
		for of, err := range f.view.Links(ctx) {
			edges := resolver.Edges(of.Path, of.Links, func(path string) bool { return isNote[path] })
			if (err != nil || len(edges) > 0) && !yield(store.EdgesOf{Path: of.Path, Edges: edges}, err) {
				return
			}
		}
	}
}

// networkOf is the network of the edges of some kinds between the notes of the view: written ones, those that the types of notes
// imply, and mirror images.
func (f *finder) networkOf(ctx context.Context, kinds []string) (*graph.Network, error) {
	notes, err := f.view.Notes(ctx, store.NoteQuery{})
	if err != nil {
		return nil, err
	}
	implied, err := f.impliedIn(ctx, nil)
	if err != nil {
		return nil, err
	}
	paths, byPath := make([]string, len(notes)), map[string][]string{}
	for i := range notes {
		paths[i] = notes[i].Path
		if kinds := implied.kinds(&notes[i]); len(kinds) > 0 {
			byPath[paths[i]] = kinds
		}
	}
	return graph.KindNetwork(paths, f.edges(ctx), graph.Kinds{Wanted: kinds, Implied: func(path string) []string { return byPath[path] }})
}

func collect(all iter.Seq2[store.EdgesOf, error]) ([]store.EdgesOf, error) {
	list := []store.EdgesOf{}
	for of, err := range all {
		if err != nil {
			return nil, err
		}
		list = append(list, of)
	}
	return list, nil
}

// near lists the notes that are at most hops links away from some, without these, in no order.
func (w *web) near(from []string, way graph.Direction, hops int) []string {
	w.mu.Lock()
	edges := w.edges
	isFirst := !w.isAsked && edges != nil
	w.isAsked = true
	w.mu.Unlock()
	if isFirst {
		return graph.Near(edges, from, way, hops)
	}
	var paths []string
	for _, r := range w.whole().Reach(from, way, hops) {
		paths = append(paths, r.Path)
	}
	return paths
}

// whole gives the network.
func (w *web) whole() *graph.Network {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.network == nil {
		w.network, _ = graph.StoredNetwork(func(yield func(store.EdgesOf, error) bool) { // nothing of it fails
			for i := range w.edges {
				if !yield(w.edges[i], nil) {
					return
				}
			}
		})
		w.edges = nil
	}
	return w.network
}

// mapsIn are the paths of the maps of content in the view of the web, templates left out. Of several that work them out at once, one
// is kept: nobody waits for another who reads the index.
func (w *web) mapsIn(ctx context.Context, f *finder) (map[string]bool, error) {
	return keptIn(&w.mu, &w.maps, func() (map[string]bool, error) {
		notes, err := f.view.Notes(ctx, store.NoteQuery{})
		maps := map[string]bool{}
		for i := range notes {
			if path := notes[i].Path; graph.IsMap(path, notes[i].Type) && !graph.IsTemplate(path) {
				maps[path] = true
			}
		}
		return maps, err
	})
}

// namesIn is what links resolve to in the view of the web, kept as mapsIn is.
func (w *web) namesIn(ctx context.Context, f *finder) (*webNames, error) {
	names, err := keptIn(&w.mu, &w.names, func() (webNames, error) {
		resolver, err := f.names(ctx)
		if err != nil {
			return webNames{}, err
		}
		files, err := f.view.Files(ctx)
		names := webNames{resolver: resolver, isNote: make(map[string]bool, len(files))}
		for i := range files {
			names.isNote[files[i].Path] = true
		}
		return names, err
	})
	return &names, err
}

// keptIn gives what is kept in a field, which is worked out without its lock where it is not known yet: of several that do at once, the
// first is kept.
func keptIn[T any](lock *sync.Mutex, kept **T, find func() (T, error)) (T, error) {
	lock.Lock()
	known := *kept
	lock.Unlock()
	if known != nil {
		return *known, nil
	}
	found, err := find()
	if err != nil {
		return found, err
	}
	lock.Lock()
	defer lock.Unlock()
	if *kept == nil {
		*kept = &found
	}
	return **kept, nil
}
