package quarry

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"quarry/graph"
	"quarry/search"
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

// notNamed is search.ErrUnknownNote, too: in a query such a name is no error.
type notNamed struct{ error }

func (e *notNamed) Unwrap() []error { return []error{e.error, search.ErrUnknownNote} }

// linksFault is why a filter by the links of a note cannot be made. It is put in words when it is read: in a query it is none.
type linksFault struct {
	name string
	err  error
}

func (e *linksFault) Error() string { return fmt.Sprintf("filter by links of %s: %v", e.name, e.err) }
func (e *linksFault) Unwrap() error { return e.err }

// neighbours finds the notes around others.
type neighbours struct {
	finder *finder
	hops   int
}

// of gives the notes that are so many links away from one of those named, or nearer. A note is none of its own.
func (n *neighbours) of(ctx context.Context, names []string, way graph.Direction) (map[string]bool, error) {
	paths := map[string]bool{}
	for _, name := range names {
		from, first, err := n.start(ctx, name, way)
		if errors.Is(err, ErrNotFound) || errors.Is(err, ErrSeveral) {
			err = &notNamed{err}
		}
		if err != nil {
			return nil, &linksFault{n.finder.engine.stored(name), err}
		}
		web, err := n.finder.engine.webOf(ctx, n.finder)
		if err != nil {
			return nil, fmt.Errorf("filter by links: %w", err)
		}
		hops := n.hops
		if from == nil {
			from, hops = first, hops-1
			for _, path := range first {
				paths[path] = true
			}
		}
		for _, path := range web.near(from, way, hops) {
			paths[path] = true
		}
	}
	return paths, nil
}

// start gives the note of a name; or, of what is in no network, a file that is no note or a note that nobody has written, the notes
// that link to it.
func (n *neighbours) start(ctx context.Context, name string, way graph.Direction) (from, first []string, _ error) {
	at, err := n.finder.find(ctx, name)
	var unknown *unknownNote
	switch {
	case errors.As(err, &unknown) && !errors.Is(err, ErrLeftOut) && way == graph.Backward:
		links, failed := n.finder.linksMeaning(ctx, name)
		if first = sourcesOf(links); failed != nil || len(first) > 0 {
			return nil, first, failed
		}
		return nil, nil, err
	case err != nil:
		return nil, nil, err
	case !at.isNote && way == graph.Backward:
		first, err = n.linkingTo(ctx, at.path)
		return nil, first, err
	}
	return []string{at.path}, nil, nil
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
