package index

import (
	"context"
	"iter"
	"slices"
	"strings"

	"quarry/graph"
	"quarry/internal/notetype"
	"quarry/store"
)

// stage is the work of join.
type stage struct {
	run      *run
	joining  *joining
	draft    store.Draft
	names    *nameSet
	kept     func() (kept, error) // what the index holds before this stage
	resolver *graph.Resolver
	// mayChange tells of links whether they may lead elsewhere since other files came or went.
	mayChange func(links []store.Link) bool
	isAll     bool            // all notes were resolved: what decides about links is another than before
	fresh     []store.EdgesOf // of the notes that were resolved, by path
}

// resolve works out the edges of all notes whose links may lead elsewhere than before.
func (s *stage) resolve(ctx context.Context, changed []string) error {
	j := s.joining
	affects := func(store.LinksOf) bool { return true }
	if s.isAll = j.isStale || j.isReread && !s.resolver.PathsDecide(); !s.isAll {
		if len(changed) == 0 {
			for path, now := range j.rewrites {
				s.add(store.LinksOf{Path: path, Links: now.links})
			}
			slices.SortFunc(s.fresh, func(a, b store.EdgesOf) int { return strings.Compare(a.Path, b.Path) })
			return nil
		}
		may := s.resolver.MayChange(changed)
		affects = func(of store.LinksOf) bool {
			return j.rewrites[of.Path] != nil || s.names.came[of.Path] || may(of.Links)
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

func (s *stage) add(of store.LinksOf) {
	s.fresh = append(s.fresh, store.EdgesOf{Path: of.Path, Edges: s.resolver.Edges(of.Path, of.Links, s.names.has)})
}

// write stores what differs.
func (s *stage) write(ctx context.Context) error {
	if s.isSameGraph() {
		_, changed := merge(nil, s.fresh)
		return s.putEdges(ctx, changed)
	}
	stored, err := s.kept()
	if err != nil {
		return err
	}
	edges, changed := merge(stored.edges, s.fresh)
	if err := s.putEdges(ctx, changed); err != nil {
		return err
	}
	figures, err := s.figures(ctx, edges, stored.figures)
	if err != nil || len(figures) == 0 {
		return err
	}
	return s.run.update.PutFigures(ctx, figures)
}

func (s *stage) putEdges(ctx context.Context, edges []store.EdgesOf) error {
	if len(edges) == 0 {
		return nil
	}
	return s.run.update.PutEdges(ctx, edges)
}

// isSameGraph tells that each note links to the notes it linked to before, and counts as much: figures stay what they are.
func (s *stage) isSameGraph() bool {
	if s.isAll || len(s.names.came)+len(s.names.went) > 0 || len(s.fresh) != len(s.joining.rewrites) {
		return false
	}
	for _, of := range s.fresh {
		now := s.joining.rewrites[of.Path]
		if now == nil || !now.isCompared || now.isWeighed || s.mayChange(now.before) {
			return false
		}
		before := s.resolver.Edges(of.Path, now.before, s.names.has)
		if !slices.Equal(targetsOf(before), targetsOf(of.Edges)) {
			return false
		}
	}
	return true
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

// merge lays fresh edges over stored ones, both by path, and tells which of the fresh differ.
func merge(stored, fresh []store.EdgesOf) (edges, changed []store.EdgesOf) {
	edges = make([]store.EdgesOf, 0, max(len(stored), len(fresh)))
	for len(stored) > 0 || len(fresh) > 0 {
		switch {
		case len(fresh) == 0 || len(stored) > 0 && stored[0].Path < fresh[0].Path:
			edges, stored = append(edges, stored[0]), stored[1:]
			continue
		case len(stored) > 0 && stored[0].Path == fresh[0].Path:
			if !slices.Equal(stored[0].Edges, fresh[0].Edges) {
				changed = append(changed, fresh[0])
			}
			stored = stored[1:]
		case len(fresh[0].Edges) > 0:
			changed = append(changed, fresh[0])
		}
		edges, fresh = append(edges, fresh[0]), fresh[1:]
	}
	return edges, changed
}

// figures works out those of all notes and gives the ones that differ from what is stored.
func (s *stage) figures(ctx context.Context, edges []store.EdgesOf, kept []store.Figures) ([]store.Figures, error) {
	stored := make(map[string]store.Figures, len(kept))
	for _, f := range kept {
		stored[f.Path] = f
	}
	weight, err := s.weights(ctx, stored)
	if err != nil {
		return nil, err
	}
	figures := graph.NewNetwork(s.names.paths, pairsOf(edges)).Figures()
	for i := range figures {
		figures[i].Weight = weight(figures[i].Path)
	}
	return slices.DeleteFunc(figures, func(f store.Figures) bool { return stored[f.Path] == f }), nil
}

func pairsOf(edges []store.EdgesOf) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, of := range edges {
			for _, edge := range of.Edges {
				if !yield(of.Path, edge.Target) {
					return
				}
			}
		}
	}
}

// weights gives how much notes count in ranking: those that were written by what they say now, others by what is stored, or
// by what the index holds of them where nobody knows how that came about.
func (s *stage) weights(ctx context.Context, stored map[string]store.Figures) (func(path string) float64, error) {
	config, known := &s.run.config, s.joining.weights
	if config.Types == nil {
		return func(string) float64 { return 1 }, nil
	}
	if !s.joining.isStale {
		return func(path string) float64 {
			if weight, ok := known[path]; ok {
				return weight
			}
			return stored[path].Weight
		}, nil
	}
	if len(known) < len(s.names.paths) {
		if err := s.weighAll(ctx); err != nil {
			return nil, err
		}
	}
	return func(path string) float64 { return known[path] }, nil
}

// weighAll weighs the notes that were not written. Properties are read of those alone that may have a weight of their own.
func (s *stage) weighAll(ctx context.Context) error {
	notes, err := s.draft.Notes(ctx, store.NoteQuery{})
	if err != nil {
		return err
	}
	known := s.joining.weights
	overriding := store.Filter{Properties: []store.Property{{Key: notetype.OverrideRetrieverWeight}}}
	own, err := s.draft.Notes(ctx, store.NoteQuery{Filter: overriding})
	if err != nil {
		return err
	}
	for _, n := range own {
		if _, ok := known[n.Path]; ok {
			continue
		}
		whole, ok, err := s.draft.Note(ctx, n.Path)
		if err != nil {
			return err
		}
		if ok {
			known[n.Path] = s.run.config.weightOf(&whole)
		}
	}
	for i := range notes {
		if _, ok := known[notes[i].Path]; !ok {
			known[notes[i].Path] = s.run.config.weightOf(&notes[i])
		}
	}
	return nil
}
