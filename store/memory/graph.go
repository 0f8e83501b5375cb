package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"quarry/store"
)

// drop takes a note out, with its edges, those to it and its figures.
func (c *contents) drop(path string) {
	delete(c.notes, path)
	delete(c.edges, path)
	delete(c.figures, path)
	for source, edges := range c.edges {
		leadsHere := func(e store.Edge) bool { return e.Target == path }
		if slices.ContainsFunc(edges, leadsHere) {
			c.edges[source] = slices.DeleteFunc(slices.Clone(edges), leadsHere) // snapshots have the old list
		}
	}
}

// PutEdges replaces edges.
func (u *update) PutEdges(ctx context.Context, edges []store.EdgesOf) error {
	return u.change(ctx, func(c *contents) error {
		seen := map[string]bool{}
		for _, of := range edges {
			if err := c.checkEdges(of); err != nil {
				return fmt.Errorf("put edges: %w", err)
			}
			if seen[of.Path] {
				return fmt.Errorf("put edges: %s is there twice", of.Path)
			}
			seen[of.Path] = true
			c.edges[of.Path] = slices.SortedFunc(slices.Values(of.Edges), byLink)
		}
		return nil
	})
}

func byLink(a, b store.Edge) int { return cmp.Compare(a.Link, b.Link) }

func (c *contents) checkEdges(of store.EdgesOf) error {
	if c.notes[of.Path] == nil {
		return fmt.Errorf("there is no note %s", of.Path)
	}
	places := map[int]bool{}
	for _, e := range of.Edges {
		switch {
		case c.notes[e.Target] == nil:
			return fmt.Errorf("there is no note %s", e.Target)
		case e.Link < 0 || places[e.Link]:
			return fmt.Errorf("link %d of %s is none, or is there twice", e.Link, of.Path)
		}
		places[e.Link] = true
	}
	return nil
}

// PutFigures replaces figures.
func (u *update) PutFigures(ctx context.Context, figures []store.Figures) error {
	return u.change(ctx, func(c *contents) error {
		for _, f := range figures {
			if c.notes[f.Path] == nil {
				return fmt.Errorf("put figures: there is no note %s", f.Path)
			}
			kept, err := f.Kept()
			if err != nil {
				return fmt.Errorf("put figures of %s: %w", f.Path, err)
			}
			c.figures[f.Path] = kept
		}
		return nil
	})
}

// Edges yields the edges by path.
func (s *snapshot) Edges(context.Context) iter.Seq2[store.EdgesOf, error] {
	return func(yield func(store.EdgesOf, error) bool) {
		for _, path := range slices.Sorted(maps.Keys(s.contents.edges)) {
			if edges := s.contents.edges[path]; len(edges) > 0 && !yield(store.EdgesOf{Path: path, Edges: slices.Clone(edges)}, nil) {
				return
			}
		}
	}
}

// EdgesFrom lists the edges of some notes.
func (s *snapshot) EdgesFrom(_ context.Context, paths []string) ([]store.EdgesOf, error) {
	var list []store.EdgesOf
	for _, path := range slices.Compact(slices.Sorted(slices.Values(paths))) {
		if edges := s.contents.edges[path]; len(edges) > 0 {
			list = append(list, store.EdgesOf{Path: path, Edges: slices.Clone(edges)})
		}
	}
	return list, nil
}

// FiguresOf lists the figures of some notes.
func (s *snapshot) FiguresOf(_ context.Context, paths []string) ([]store.Figures, error) {
	var list []store.Figures
	for _, path := range slices.Compact(slices.Sorted(slices.Values(paths))) {
		if f, has := s.contents.figures[path]; has {
			list = append(list, f)
		}
	}
	return list, nil
}

// Figures lists the figures by path.
func (s *snapshot) Figures(context.Context) ([]store.Figures, error) {
	figures := make([]store.Figures, 0, len(s.contents.figures))
	for _, path := range slices.Sorted(maps.Keys(s.contents.figures)) {
		figures = append(figures, s.contents.figures[path])
	}
	return figures, nil
}

// Vectors fetches vectors.
func (s *snapshot) Vectors(_ context.Context, ids []store.PassageID) ([][]float32, error) {
	vectors := make([][]float32, len(ids))
	for i, id := range ids {
		p, err := s.at(id)
		if err != nil {
			return nil, err
		}
		vectors[i] = slices.Clone(p.Vector)
	}
	return vectors, nil
}

// Draft shows what was written so far.
func (u *update) Draft() store.Draft { return draft{u} }

// draft looks at what the update has come to, anew with each question.
type draft struct{ update *update }

func (d draft) now(ctx context.Context) (*snapshot, error) {
	if d.update.ended {
		return nil, errors.New("the update has ended")
	}
	return withoutWords(d.update.next), ctx.Err()
}

// Files lists the files.
func (d draft) Files(ctx context.Context) ([]store.File, error) {
	return ask(ctx, d, (*snapshot).Files)
}

// OtherFiles lists the files that are no notes.
func (d draft) OtherFiles(ctx context.Context) ([]string, error) {
	return ask(ctx, d, (*snapshot).OtherFiles)
}

// Problems lists the problems.
func (d draft) Problems(ctx context.Context) ([]store.Problem, error) {
	return ask(ctx, d, (*snapshot).Problems)
}

// Meta gives the metadata.
func (d draft) Meta(ctx context.Context) (map[string]string, error) {
	return ask(ctx, d, (*snapshot).Meta)
}

// Figures lists the figures.
func (d draft) Figures(ctx context.Context) ([]store.Figures, error) {
	return ask(ctx, d, (*snapshot).Figures)
}

// EdgesFrom lists the edges of some notes.
func (d draft) EdgesFrom(ctx context.Context, paths []string) ([]store.EdgesOf, error) {
	return askOf(ctx, d, (*snapshot).EdgesFrom, paths)
}

// FiguresOf lists the figures of some notes.
func (d draft) FiguresOf(ctx context.Context, paths []string) ([]store.Figures, error) {
	return askOf(ctx, d, (*snapshot).FiguresOf, paths)
}

func askOf[T, Q any](ctx context.Context, d draft, question func(*snapshot, context.Context, Q) (T, error), about Q) (T, error) {
	return ask(ctx, d, func(s *snapshot, ctx context.Context) (T, error) { return question(s, ctx, about) })
}

func ask[T any](ctx context.Context, d draft, question func(*snapshot, context.Context) (T, error)) (T, error) {
	s, err := d.now(ctx)
	if err != nil {
		var none T
		return none, err
	}
	return question(s, ctx)
}

// Links yields the links.
func (d draft) Links(ctx context.Context) iter.Seq2[store.LinksOf, error] {
	return each(ctx, d, (*snapshot).Links)
}

// Outlines yields the outlines.
func (d draft) Outlines(ctx context.Context) iter.Seq2[store.OutlineOf, error] {
	return each(ctx, d, (*snapshot).Outlines)
}

// Edges yields the edges.
func (d draft) Edges(ctx context.Context) iter.Seq2[store.EdgesOf, error] {
	return each(ctx, d, (*snapshot).Edges)
}

func each[T any](ctx context.Context, d draft, question func(*snapshot, context.Context) iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		s, err := d.now(ctx)
		if err != nil {
			var none T
			yield(none, err)
			return
		}
		question(s, ctx)(yield)
	}
}

// Notes lists notes.
func (d draft) Notes(ctx context.Context, q store.NoteQuery) ([]store.Note, error) {
	return askOf(ctx, d, (*snapshot).Notes, q)
}

// Note gives one note.
func (d draft) Note(ctx context.Context, address string) (store.Note, bool, error) {
	s, err := d.now(ctx)
	if err != nil {
		return store.Note{}, false, err
	}
	return s.Note(ctx, address)
}

// Counts gives the number of notes and of passages.
func (d draft) Counts(ctx context.Context) (notes, passages int, err error) {
	s, err := d.now(ctx)
	if err != nil {
		return 0, 0, err
	}
	return s.Counts(ctx)
}

var _ store.Linked = (*snapshot)(nil)
