package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// Edges yields the edges by path. All are read before the first.
func (v catalog) Edges(ctx context.Context) iter.Seq2[store.EdgesOf, error] {
	return func(yield func(store.EdgesOf, error) bool) {
		var all []store.EdgesOf
		err := v.read(ctx, "read edges", func(c *engine.Conn) (err error) {
			all, err = readEdges(c)
			return err
		})
		if err != nil {
			yield(store.EdgesOf{}, err)
			return
		}
		for _, of := range all {
			if !yield(of, nil) {
				return
			}
		}
	}
}

func readEdges(c *engine.Conn) ([]store.EdgesOf, error) {
	paths, err := pathsByID(c)
	if err != nil {
		return nil, err
	}
	var all []store.EdgesOf
	reader := newEdgeReader()
	err = eachEdges(c, func(note int64, packed []byte) error {
		path, ok := paths[note]
		if !ok {
			return damaged("an edge comes from no note")
		}
		edges := make([]store.Edge, 0, bytes.Count(packed, []byte(":")))
		err := reader.each(packed, func(e packedEdge) error {
			target, ok := paths[e.target]
			if !ok {
				return damaged("an edge leads to no note")
			}
			edges = append(edges, store.Edge{Link: int(e.link), Target: target, Kind: e.kind, Rule: e.rule})
			return nil
		})
		slices.SortFunc(edges, func(a, b store.Edge) int { return cmp.Compare(a.Link, b.Link) })
		all = append(all, store.EdgesOf{Path: path, Edges: edges})
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b store.EdgesOf) int { return cmp.Compare(a.Path, b.Path) })
	return all, nil
}

// eachEdges visits the edges of all notes that have some, by the ids of notes. They are valid during the call.
func eachEdges(c *engine.Conn, visit func(note int64, packed []byte) error) error {
	s, err := c.Prepare("SELECT note, edges, checksum FROM note_edges")
	if err != nil {
		return err
	}
	var sums checksum
	return s.Each(func() error {
		if sums.ofEdges(s.Int(0), s.Raw(1)) != s.Int(2) {
			return damaged("the edges of a note are not as they were written")
		}
		return visit(s.Int(0), s.Raw(1))
	})
}

func pathsByID(c *engine.Conn) (map[int64]string, error) {
	count, err := c.Int("SELECT notes FROM state WHERE id = 1")
	if err != nil {
		return nil, err
	}
	paths := make(map[int64]string, min(max(count, 0), maxChunks>>10))
	err = eachPath(c, func(id int64, path string) { paths[id] = path })
	return paths, err
}

func eachPath(c *engine.Conn, visit func(id int64, path string)) error {
	s, err := c.Prepare("SELECT id, path FROM notes")
	if err != nil {
		return err
	}
	return s.Each(func() error {
		visit(s.Int(0), s.Text(1))
		return nil
	})
}

// figureRow is a row of table note_figures.
type figureRow struct{ note, pageRank, in, out, weight int64 }

// sum uses c, which may have been used before.
func (r figureRow) sum(c *checksum) int64 {
	c.sum = 0
	c.numbers(r.note, r.pageRank, r.in, r.out, r.weight)
	return int64(c.sum)
}

// Figures lists the figures by path.
func (v catalog) Figures(ctx context.Context) (figures []store.Figures, err error) {
	err = v.read(ctx, "read figures", func(c *engine.Conn) (err error) {
		figures, err = readFigures(c)
		return err
	})
	return figures, err
}

func readFigures(c *engine.Conn) ([]store.Figures, error) {
	paths, err := pathsByID(c)
	if err != nil {
		return nil, err
	}
	rows, err := figureRows(c, selectFigures)
	if err != nil {
		return nil, err
	}
	figures := make([]store.Figures, len(rows))
	for i, r := range rows {
		path, ok := paths[r.note]
		if !ok {
			return nil, damaged("figures of no note")
		}
		figures[i] = store.Figures{
			Path: path, PageRank: float64(r.pageRank) / store.FigureUnits, In: int(r.in), Out: int(r.out),
			Weight: float64(r.weight) / store.FigureUnits,
		}
	}
	slices.SortFunc(figures, func(a, b store.Figures) int { return cmp.Compare(a.Path, b.Path) })
	return figures, nil
}

const selectFigures = "SELECT note, pagerank, inbound, outbound, weight, checksum FROM note_figures"

func figureRows(c *engine.Conn, query string, args ...any) ([]figureRow, error) {
	s, err := c.Prepare(query)
	if err != nil {
		return nil, err
	}
	s.Bind(args...)
	var rows []figureRow
	var sums checksum
	err = s.Each(func() error {
		r := figureRow{s.Int(0), s.Int(1), s.Int(2), s.Int(3), s.Int(4)}
		if r.sum(&sums) != s.Int(5) {
			return damaged("the figures of a note are not as they were written")
		}
		rows = append(rows, r)
		return nil
	})
	return rows, err
}

// Draft shows what was written so far.
func (u *update) Draft() store.Draft { return draft{catalog{u.ask}, u} }

// draft reads on the writer's connection.
type draft struct {
	catalog
	update *update
}

// ask runs f on the writer's connection, in the transaction of a full run.
func (u *update) ask(ctx context.Context, operation string, f func(c *engine.Conn) error) error {
	switch {
	case u.ended:
		return fmt.Errorf("%s: %w", operation, errEnded)
	case u.failed:
		return fmt.Errorf("%s: the run has failed before", operation)
	case u.mode == store.Full && !u.conn.InTransaction():
		if err := u.open(); err != nil {
			u.abandon()
			u.failed = true
			return wrap(ctx, operation, err)
		}
	}
	return wrap(ctx, operation, interruptible(ctx, u.conn, f))
}

var errEnded = errors.New("the update has ended")

// Counts gives the numbers of the open transaction, or of the last.
func (d draft) Counts(ctx context.Context) (notes, passages int, err error) {
	err = d.read(ctx, "count", func(c *engine.Conn) error {
		if d.update.mode == store.Full {
			notes, passages = int(d.update.state.notes), int(d.update.state.chunks)
			return nil
		}
		s, err := c.Prepare("SELECT notes, chunks FROM state WHERE id = 1")
		if err != nil {
			return err
		}
		return s.Each(func() error {
			notes, passages = int(s.Int(0)), int(s.Int(1))
			return nil
		})
	})
	return notes, passages, err
}
