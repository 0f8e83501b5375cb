package quarry

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"quarry/graph"
	"quarry/index"
	"quarry/store"
)

// maxFilterNotes is how many notes a filter by links may name.
const maxFilterNotes = 256

// errHops tells of a number of hops that no question takes.
var errHops = fmt.Errorf("hops are 1 to %d", MaxHops)

func checkHops(hops int) error {
	if hops < 0 || hops > MaxHops {
		return errHops
	}
	return nil
}

// filterByLinks puts sets of notes into the place of the names in a filter. No view may be open.
func (e *Engine) filterByLinks(ctx context.Context, filter Filter) (Filter, error) {
	if !namesLinks(filter) {
		return filter, nil
	}
	v, err := e.snapshot(ctx)
	if err != nil {
		return filter, err
	}
	defer v.Close()
	return e.byLinks(ctx, v, filter)
}

func namesLinks(f Filter) bool {
	return len(f.LinksTo)+len(f.NotLinksTo)+len(f.LinkedBy)+len(f.NotLinkedBy) > 0
}

// byLinks is filterByLinks in a view: what the view does not show is no note, and no way leads through it.
func (e *Engine) byLinks(ctx context.Context, v *view, filter Filter) (Filter, error) {
	if !namesLinks(filter) {
		return filter, nil
	}
	if err := checkHops(filter.Hops); err != nil {
		return filter, fmt.Errorf("filter by links: %w", err)
	}
	if len(filter.LinksTo)+len(filter.NotLinksTo)+len(filter.LinkedBy)+len(filter.NotLinkedBy) > maxFilterNotes {
		return filter, fmt.Errorf("filter by links: %w", errors.New("too many notes are named"))
	}
	near := neighbours{finder: &finder{engine: e, view: v}, hops: max(filter.Hops, 1)}
	for _, part := range []struct {
		names    []string
		way      graph.Direction
		excludes bool
	}{
		{filter.LinksTo, graph.Backward, false},
		{filter.LinkedBy, graph.Forward, false},
		{filter.NotLinksTo, graph.Backward, true},
		{filter.NotLinkedBy, graph.Forward, true},
	} {
		if len(part.names) == 0 {
			continue
		}
		paths, err := near.of(ctx, part.names, part.way)
		if err != nil {
			return filter, err
		}
		if part.excludes {
			filter.Without = union(filter.Without, paths)
		} else {
			filter.Among = intersection(filter.Among, paths)
		}
	}
	filter.LinksTo, filter.NotLinksTo, filter.LinkedBy, filter.NotLinkedBy, filter.Hops = nil, nil, nil, nil, 0
	return filter, nil
}

func union(a, b map[string]bool) map[string]bool {
	both := maps.Clone(b)
	for path, in := range a {
		if in {
			both[path] = true
		}
	}
	return both
}

// intersection takes a nil a for all there is.
func intersection(a, b map[string]bool) map[string]bool {
	if a != nil {
		maps.DeleteFunc(b, func(path string, _ bool) bool { return !a[path] })
	}
	return b
}

// neighbours finds the notes around others.
type neighbours struct {
	finder *finder
	hops   int
}

// of gives the notes that are so many links away from one of those named, or nearer. A note is none of its own.
func (n *neighbours) of(ctx context.Context, names []string, way graph.Direction) (map[string]bool, error) {
	paths := map[string]bool{}
	for _, name := range names {
		at, err := n.finder.find(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("filter by links of %s: %w", n.finder.engine.stored(name), err)
		}
		network, err := n.finder.engine.networkOf(ctx, n.finder)
		if err != nil {
			return nil, fmt.Errorf("filter by links: %w", err)
		}
		from, hops := []string{at.path}, n.hops
		if !at.isNote && way == graph.Backward {
			if from, err = n.linkingTo(ctx, at.path); err != nil {
				return nil, fmt.Errorf("filter by links: %w", err)
			}
			for _, path := range from {
				paths[path] = true
			}
			hops--
		}
		for _, reached := range network.Reach(from, way, hops) {
			paths[reached.Path] = true
		}
	}
	return paths, nil
}

// linkingTo lists the notes that link to a file that is no note, which is in no network.
func (n *neighbours) linkingTo(ctx context.Context, path string) ([]string, error) {
	resolver, err := n.finder.names(ctx)
	if err != nil {
		return nil, err
	}
	around, err := graph.Around(path, n.finder.view.Links(ctx), resolver)
	var sources []string
	for _, link := range around.Back {
		sources = append(sources, link.Source)
	}
	return sources, err
}

// keptNetwork is who links to whom in one view of the index. Notes that no link joins to another may be missing.
type keptNetwork struct {
	generation any
	shown      [32]byte // of the names that can be seen, zero where all can
	network    *graph.Network
}

// networkOf tells who links to whom in the view of a finder: as the last run left it where all of that can be seen, else by
// names. It is kept while the view stays the same.
func (e *Engine) networkOf(ctx context.Context, f *finder) (*graph.Network, error) {
	shown, err := f.view.shown(ctx)
	if err != nil {
		return nil, err
	}
	if last := e.network.Load(); f.view.generation != nil && last != nil && last.generation == f.view.generation && last.shown == shown {
		return last.network, nil
	}
	network, err := e.newNetwork(ctx, f)
	if err != nil {
		return nil, err
	}
	if f.view.generation != nil {
		e.network.Store(&keptNetwork{f.view.generation, shown, network})
	}
	return network, nil
}

func (e *Engine) newNetwork(ctx context.Context, f *finder) (*graph.Network, error) {
	if linked, ok := e.linkedOf(f.view); ok {
		return storedNetwork(ctx, linked)
	}
	files, err := f.view.Files(ctx)
	if err != nil {
		return nil, err
	}
	paths, isNote := make([]string, len(files)), make(map[string]bool, len(files))
	for i := range files {
		paths[i], isNote[files[i].Path] = files[i].Path, true
	}
	resolver, err := f.names(ctx)
	if err != nil {
		return nil, err
	}
	pairs := func(yield func(source, target string) bool) {
		for of, linksErr := range f.view.Links(ctx) {
			if linksErr != nil {
				err = linksErr
				return
			}
			for _, edge := range resolver.Edges(of.Path, of.Links, func(path string) bool { return isNote[path] }) {
				if !yield(of.Path, edge.Target) {
					return
				}
			}
		}
	}
	network := graph.NewNetwork(paths, pairs)
	return network, err
}

// storedNetwork leaves out notes that no link joins to another: to list them costs more than to read the edges.
func storedNetwork(ctx context.Context, linked store.Linked) (*graph.Network, error) {
	var all []store.EdgesOf
	joined := map[string]bool{}
	for of, err := range linked.Edges(ctx) {
		if err != nil {
			return nil, err
		}
		all = append(all, of)
		joined[of.Path] = true
		for i := range of.Edges {
			joined[of.Edges[i].Target] = true
		}
	}
	return graph.NewNetwork(slices.Sorted(maps.Keys(joined)), func(yield func(source, target string) bool) {
		for _, of := range all {
			for i := range of.Edges {
				if !yield(of.Path, of.Edges[i].Target) {
					return
				}
			}
		}
	}), nil
}

// linkedOf gives the graph that the last run left, if the view shows all of the index, the run came to its end, and what it
// knew as a name is one now.
func (e *Engine) linkedOf(v *view) (store.Linked, bool) {
	linked, ok := v.Snapshot.(store.Linked)
	return linked, ok && v.meta[store.MetaGraph] != "" && v.meta[index.MetaRules] == e.rulesHash
}
