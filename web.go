package quarry

import (
	"context"
	"iter"
	"slices"
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
	paths, doesImply := make([]string, len(notes)), map[string][]string{}
	for i := range notes {
		paths[i] = notes[i].Path
		wanted := slices.DeleteFunc(slices.Clone(implied.kinds(&notes[i])), func(kind string) bool { return !slices.Contains(kinds, kind) })
		if len(wanted) > 0 {
			doesImply[notes[i].Path] = wanted
		}
	}
	isMirrored := func(kind string) bool { return kind == graph.RelatedTo || kind == graph.SimilarTo }
	var failed error
	network := graph.NewNetwork(paths, func(yield func(source, target string) bool) {
		for of, err := range f.edges(ctx) {
			if failed = err; err != nil {
				return
			}
			for i := range of.Edges {
				found := doesImply[of.Path]
				if slices.Contains(kinds, of.Edges[i].Kind) {
					found = append([]string{of.Edges[i].Kind}, found...)
				}
				target := of.Edges[i].Target
				if len(found) > 0 && !yield(of.Path, target) || slices.ContainsFunc(found, isMirrored) && !yield(target, of.Path) {
					return
				}
			}
		}
	})
	return network, failed
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
	isFirst := !w.isAsked && edges != nil && way != graph.Both
	w.isAsked = true
	w.mu.Unlock()
	var paths []string
	if isFirst {
		seen := map[string]bool{}
		for _, path := range from {
			seen[path] = true
		}
		reached := from
		for ; hops > 0 && len(reached) > 0; hops-- {
			reached = step(edges, reached, seen, way)
			paths = append(paths, reached...)
		}
		return paths
	}
	for _, r := range w.whole().Reach(from, way, hops) {
		paths = append(paths, r.Path)
	}
	return paths
}

// step lists the notes one link away from some that were not seen yet.
func step(edges []store.EdgesOf, from []string, seen map[string]bool, way graph.Direction) []string {
	isFrom := make(map[string]bool, len(from))
	for _, path := range from {
		isFrom[path] = true
	}
	var next []string
	see := func(path string) {
		if !seen[path] {
			seen[path] = true
			next = append(next, path)
		}
	}
	for i := range edges {
		of := &edges[i]
		if way == graph.Forward && !isFrom[of.Path] {
			continue
		}
		for k := range of.Edges {
			switch target := of.Edges[k].Target; {
			case way == graph.Forward:
				see(target)
			case isFrom[target]:
				see(of.Path)
			}
		}
	}
	return next
}

// whole gives the network.
func (w *web) whole() *graph.Network {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.network == nil {
		w.network, w.edges = joined(w.edges), nil
	}
	return w.network
}

// joined leaves out notes that no link joins to another: to list them costs more than to read the edges.
func joined(edges []store.EdgesOf) *graph.Network {
	isJoined := make(map[string]bool, len(edges))
	for i := range edges {
		isJoined[edges[i].Path] = true
		for k := range edges[i].Edges {
			isJoined[edges[i].Edges[k].Target] = true
		}
	}
	paths := make([]string, 0, len(isJoined))
	for path := range isJoined {
		paths = append(paths, path)
	}
	return graph.NewNetwork(paths, func(yield func(source, target string) bool) {
		for i := range edges {
			for k := range edges[i].Edges {
				if !yield(edges[i].Path, edges[i].Edges[k].Target) {
					return
				}
			}
		}
	})
}
