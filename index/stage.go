package index

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	"quarry/graph"
	"quarry/store"
)

// stage is the work of join.
type stage struct {
	run      *run
	joining  *joining
	draft    store.Draft
	names    *nameSet
	resolver *graph.Resolver
	isAll    bool            // all notes were resolved: what decides about links is another than before
	fresh    []store.EdgesOf // of the notes that were resolved, by path
}

// resolve works out the edges of all notes whose links may lead elsewhere than before.
func (s *stage) resolve(ctx context.Context, changed []string) (err error) {
	j := s.joining
	if s.isAsBefore(changed) {
		for path, now := range j.rewrites {
			s.fresh = append(s.fresh, store.EdgesOf{Path: path, Edges: now.before})
		}
		s.sort()
		return nil
	}
	if s.resolver, err = s.run.resolverOf(ctx, s.names); err != nil {
		return err
	}
	s.isAll = j.isStale || !s.resolver.PathsDecide() && (j.isReread || len(changed) > 0)
	if !s.isAll && !j.isMany && len(changed) == 0 {
		for path, now := range j.rewrites {
			s.add(store.LinksOf{Path: path, Links: now.links})
		}
		s.sort()
		return nil
	}
	affects := func(store.LinksOf) bool { return true }
	if !s.isAll {
		mayChange := s.resolver.MayChange(changed)
		affects = func(of store.LinksOf) bool {
			return j.rewrites[of.Path] != nil || s.names.came[of.Path] || mayChange(of.Links)
		}
	}
	for of, err := range s.draft.Links(ctx) {
		if err != nil {
			return err
		}
		if affects(of) {
			s.add(of)
		}
	}
	return nil
}

// isAsBefore tells that nothing changed which has a part in where links lead.
func (s *stage) isAsBefore(changed []string) bool {
	j := s.joining
	for _, now := range j.rewrites {
		if !now.keepsAll {
			return false
		}
	}
	return !j.isStale && !j.isReread && len(changed) == 0
}

func (s *stage) sort() {
	slices.SortFunc(s.fresh, func(a, b store.EdgesOf) int { return strings.Compare(a.Path, b.Path) })
}

func (s *stage) add(of store.LinksOf) {
	s.fresh = append(s.fresh, store.EdgesOf{Path: of.Path, Edges: s.resolver.Edges(of.Path, of.Links, s.names.has)})
}

// write stores the edges, and the figures where they may be others. What is there already the store leaves as it is.
func (s *stage) write(ctx context.Context) error {
	isSame, err := s.isSameGraph(ctx)
	if err != nil {
		return err
	}
	if len(s.fresh) > 0 {
		if err := s.run.update.PutEdges(ctx, s.fresh); err != nil {
			return err
		}
	}
	if isSame || len(s.names.paths) == 0 {
		return nil
	}
	figures, err := s.figures(ctx)
	if err != nil {
		return err
	}
	return s.run.update.PutFigures(ctx, figures)
}

// isSameGraph tells that each note links to the notes it linked to before, and counts as much: figures stay what they are.
func (s *stage) isSameGraph(ctx context.Context) (bool, error) {
	j := s.joining
	if s.isAll || len(s.names.came)+len(s.names.went) > 0 || len(s.fresh) > cmp.Or(s.run.config.maxCompared, maxCompared) {
		return false, nil
	}
	before, others := map[string][]string{}, []string{}
	for _, of := range s.fresh {
		if now := j.rewrites[of.Path]; now == nil {
			others = append(others, of.Path)
		} else {
			before[of.Path] = targetsOf(now.before)
		}
	}
	edges, err := s.draft.EdgesFrom(ctx, others)
	if err != nil {
		return false, err
	}
	for _, of := range edges {
		before[of.Path] = targetsOf(of.Edges)
	}
	isOther := func(of store.EdgesOf) bool { return !slices.Equal(before[of.Path], targetsOf(of.Edges)) }
	isWeighed := func(now *rewrite) bool { return now.isWeighed }
	return !slices.ContainsFunc(s.fresh, isOther) && !slices.ContainsFunc(slices.Collect(maps.Values(j.rewrites)), isWeighed), nil
}

// targetsOf lists the notes that edges lead to, each once, sorted.
func targetsOf(edges []store.Edge) []string {
	targets := make([]string, len(edges))
	for i, edge := range edges {
		targets[i] = edge.Target
	}
	slices.Sort(targets)
	return slices.Compact(targets)
}

// figures works out those of all notes.
func (s *stage) figures(ctx context.Context) ([]store.Figures, error) {
	stored, err := s.kept(ctx)
	if err != nil {
		return nil, err
	}
	weight, err := s.weights(ctx, stored.figures)
	if err != nil {
		return nil, err
	}
	figures := graph.NewNetwork(s.names.paths, s.pairs(stored.linked)).Figures()
	for i := range figures {
		figures[i].Weight = weight(figures[i].Path)
	}
	return figures, nil
}

// kept gives what the index holds of the graph beside fresh, as far as figures need it. Edges of notes that were written, and
// to notes that are gone, may or may not be among it.
func (s *stage) kept(ctx context.Context) (kept, error) {
	if s.isAll {
		if s.joining.isStale || s.run.config.Types == nil {
			return kept{}, nil
		}
		figures, err := s.draft.Figures(ctx)
		return kept{figures: figures}, err
	}
	if stored, ok := s.run.beside.take(); ok {
		return stored, nil
	}
	return s.run.readKept(ctx, s.draft)
}

// pairs lists who links to whom: by fresh edges, and by what the index holds of other notes.
func (s *stage) pairs(stored []linked) iter.Seq2[string, string] {
	isFresh := make(map[string]bool, len(s.fresh))
	return func(yield func(string, string) bool) {
		for _, of := range s.fresh {
			isFresh[of.Path] = true
			for _, edge := range of.Edges {
				if !yield(of.Path, edge.Target) {
					return
				}
			}
		}
		for _, of := range stored {
			for _, target := range of.targets {
				if !isFresh[of.path] && !yield(of.path, target) {
					return
				}
			}
		}
	}
}

// weights gives how much notes count in ranking: those that were written by what they say now, others by what is stored, or
// by their types where nobody knows how that came about.
func (s *stage) weights(ctx context.Context, stored []store.Figures) (func(path string) float64, error) {
	config, known := &s.run.config, s.joining.weights
	if config.Types == nil {
		return func(string) float64 { return 1 }, nil
	}
	isUnknown := func(path string) bool {
		_, ok := known[path]
		return !ok
	}
	for _, f := range stored {
		if isUnknown(f.Path) {
			known[f.Path] = f.Weight
		}
	}
	if s.joining.isStale && slices.ContainsFunc(s.names.paths, isUnknown) {
		notes, err := s.draft.Notes(ctx, store.NoteQuery{})
		if err != nil {
			return nil, err
		}
		for i := range notes {
			if isUnknown(notes[i].Path) { // so it overrides nothing
				known[notes[i].Path] = config.weightOf(&notes[i])
			}
		}
	}
	return func(path string) float64 { return known[path] }, nil
}
