package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// Edges yields the edges by path. The connection is not held up between the notes.
func (v catalog) Edges(ctx context.Context) iter.Seq2[store.EdgesOf, error] {
	return inParts(ctx, v, "read edges", func(notes []namedNote) partReader[store.EdgesOf] {
		reader := newEdgeReader(namesOf(notes))
		return func(c *engine.Conn, part []namedNote) ([]store.EdgesOf, error) {
			return reader.side(c, part, make([]store.EdgesOf, 0, len(part)))
		}
	})
}

// side appends the edges of notes whose ids rise. In between there may be some of notes that stand elsewhere.
func (r *edgeReader) side(c *engine.Conn, notes []namedNote, list []store.EdgesOf) ([]store.EdgesOf, error) {
	at := 0
	err := eachEdges(c, notes[0].id, notes[len(notes)-1].id, func(note int64, packed []byte) error {
		for at < len(notes)-1 && notes[at].id < note {
			at++
		}
		if notes[at].id != note {
			return nil
		}
		of, err := r.edgesOf(notes[at].path, packed)
		list = append(list, of)
		return err
	})
	return list, err
}

// edgesOf gives the edges of a note as they are packed.
func (r *edgeReader) edgesOf(path string, packed []byte) (store.EdgesOf, error) {
	of := store.EdgesOf{Path: path, Edges: make([]store.Edge, 0, bytes.Count(packed, []byte(`":`)))}
	err := r.each(packed, func(e packedEdge) error {
		target, err := r.names.of(e.target)
		of.Edges = append(of.Edges, store.Edge{Link: int(e.link), Target: target, Kind: e.kind, Rule: e.rule})
		return err
	})
	slices.SortFunc(of.Edges, func(a, b store.Edge) int { return cmp.Compare(a.Link, b.Link) })
	return of, err
}

// EdgesFrom lists the edges of some notes, each found by its path.
func (v catalog) EdgesFrom(ctx context.Context, paths []string) (list []store.EdgesOf, err error) {
	err = v.read(ctx, "read edges", func(c *engine.Conn) error {
		reader := newEdgeReader(&noteNames{conn: c, known: map[int64]string{}})
		for _, path := range eachOnce(paths) {
			id, err := c.Int("SELECT id FROM notes WHERE path = ?", path)
			if err != nil {
				return err
			}
			if list, err = reader.side(c, []namedNote{{id, path}}, list); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// eachEdges visits the edges of the notes with ids from first to last, which rise. They are valid during the call.
func eachEdges(c *engine.Conn, first, last int64, visit func(note int64, packed []byte) error) error {
	s, err := c.Prepare("SELECT note, edges, checksum FROM note_edges WHERE note BETWEEN ? AND ? ORDER BY note")
	if err != nil {
		return err
	}
	s.Bind(first, last)
	var sums checksum
	return s.Each(func() error {
		if sums.ofEdges(s.Int(0), s.Raw(1)) != s.Int(2) {
			return damaged("the edges of a note are not as they were written")
		}
		return visit(s.Int(0), s.Raw(1))
	})
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

// noteNames finds the paths of notes by their ids.
type noteNames struct {
	conn  *engine.Conn // nil: known are all
	known map[int64]string
}

func namesOf(notes []namedNote) *noteNames {
	names := &noteNames{known: make(map[int64]string, len(notes))}
	for _, n := range notes {
		names.known[n.id] = n.path
	}
	return names
}

func allNames(c *engine.Conn) (*noteNames, error) {
	names := &noteNames{known: map[int64]string{}}
	return names, eachPath(c, func(id int64, path string) { names.known[id] = path })
}

func (n *noteNames) of(id int64) (string, error) {
	path, ok := n.known[id]
	if ok {
		return path, nil
	}
	if n.conn != nil {
		s, err := n.conn.Prepare("SELECT path FROM notes WHERE id = ?")
		if err != nil {
			return "", err
		}
		s.BindInt(0, id)
		err = s.Each(func() error {
			path, ok = s.Text(0), true
			return nil
		})
		if err != nil {
			return "", err
		}
	}
	if !ok {
		return "", damaged("the graph has a note that is not there")
	}
	n.known[id] = path
	return path, nil
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
	names, err := allNames(c)
	if err != nil {
		return nil, err
	}
	rows, err := figureRows(c, selectFigures)
	if err != nil {
		return nil, err
	}
	figures := make([]store.Figures, len(rows))
	for i, r := range rows {
		path, err := names.of(r.note)
		if err != nil {
			return nil, err
		}
		figures[i] = r.figures(path)
	}
	slices.SortFunc(figures, func(a, b store.Figures) int { return strings.Compare(a.Path, b.Path) })
	return figures, nil
}

func (r figureRow) figures(path string) store.Figures {
	return store.Figures{
		Path: path, PageRank: float64(r.pageRank) / store.FigureUnits, In: int(r.in), Out: int(r.out),
		Weight: float64(r.weight) / store.FigureUnits,
	}
}

// FiguresOf lists the figures of some notes, each found by its path.
func (v catalog) FiguresOf(ctx context.Context, paths []string) (figures []store.Figures, err error) {
	err = v.read(ctx, "read figures", func(c *engine.Conn) error {
		for _, path := range eachOnce(paths) {
			rows, err := figureRows(c, selectFigures+" WHERE note = (SELECT id FROM notes WHERE path = ?)", path)
			if err != nil {
				return err
			}
			for _, r := range rows {
				figures = append(figures, r.figures(path))
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return figures, nil
}

func eachOnce(paths []string) []string { return slices.Compact(slices.Sorted(slices.Values(paths))) }

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
