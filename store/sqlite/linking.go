package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// manyNotes is from how many on it is faster to read a table as a whole than row by row.
const manyNotes = 200

// changeWhere writes what differs from what is there: nothing at all where that is nothing.
func changeWhere[T any](ctx context.Context, u *update, operation string, differing func() ([]T, error), write func(T) error) error {
	var list []T
	find := func() (err error) {
		list, err = differing()
		return err
	}
	if u.mode == store.Incremental && !u.ended && ctx.Err() == nil {
		if err := find(); err != nil || len(list) == 0 {
			return wrap(ctx, operation, err)
		}
	}
	return u.change(ctx, operation, func() error {
		if u.mode == store.Full { // only now there is the transaction that has dropped all
			if err := find(); err != nil {
				return err
			}
		}
		for _, one := range list {
			if err := write(one); err != nil {
				return err
			}
		}
		return nil
	})
}

// noteIDs finds the ids of notes.
type noteIDs struct {
	conn  *engine.Conn
	known map[string]int64
	all   bool // known holds every note
}

// newNoteIDs makes ready for so many questions.
func newNoteIDs(c *engine.Conn, questions int) (*noteIDs, error) {
	ids := &noteIDs{conn: c, known: map[string]int64{}, all: questions >= manyNotes}
	if !ids.all {
		return ids, nil
	}
	return ids, eachPath(c, func(id int64, path string) { ids.known[path] = id })
}

func (ids *noteIDs) of(path string) (int64, error) {
	id, ok := ids.known[path]
	if !ok && !ids.all {
		var err error
		if id, err = ids.conn.Int("SELECT id FROM notes WHERE path = ?", path); err != nil {
			return 0, err
		}
		ids.known[path] = id
	}
	if id == 0 {
		return 0, fmt.Errorf("there is no note %s", path)
	}
	return id, nil
}

// edgeChange are the edges of a note as they are and as they shall be, by link.
type edgeChange struct{ old, next []edgeRow }

// PutEdges writes the edges that differ.
func (u *update) PutEdges(ctx context.Context, edges []store.EdgesOf) error {
	return changeWhere(ctx, u, "put edges", func() ([]edgeChange, error) { return u.differingEdges(edges) }, u.writeEdges)
}

func (u *update) differingEdges(edges []store.EdgesOf) ([]edgeChange, error) {
	questions := len(edges)
	for _, of := range edges {
		questions += len(of.Edges)
	}
	ids, err := newNoteIDs(u.conn, questions)
	if err != nil {
		return nil, err
	}
	var stored []edgeRow
	if len(edges) >= manyNotes {
		if stored, err = readEdgeRows(u.conn); err != nil {
			return nil, err
		}
	}
	var changes []edgeChange
	seen := make(map[int64]bool, len(edges))
	for _, of := range edges {
		note, next, err := rowsOfEdges(of, ids)
		if err != nil {
			return nil, err
		}
		if seen[note] {
			return nil, fmt.Errorf("%s is there twice", of.Path)
		}
		seen[note] = true
		var old []edgeRow
		if len(edges) >= manyNotes {
			old = ofNote(stored, note, func(r edgeRow) int64 { return r.note })
		} else if old, err = edgeRows(u.conn, "SELECT note, ord, target, flags FROM resolved_links WHERE note = ? ORDER BY ord", note); err != nil {
			return nil, err
		}
		if !slices.Equal(old, next) {
			changes = append(changes, edgeChange{old, next})
		}
	}
	return changes, nil
}

// ofNote gives the rows of one note out of rows by note.
func ofNote[R any](rows []R, note int64, noteOf func(R) int64) []R {
	compare := func(r R, note int64) int { return cmp.Compare(noteOf(r), note) }
	from, found := slices.BinarySearchFunc(rows, note, compare)
	if !found {
		return nil
	}
	to := from
	for to < len(rows) && noteOf(rows[to]) == note {
		to++
	}
	return rows[from:to]
}

// rowsOfEdges gives a note's id and the rows of its edges, by link.
func rowsOfEdges(of store.EdgesOf, ids *noteIDs) (note int64, rows []edgeRow, err error) {
	if note, err = ids.of(of.Path); err != nil {
		return 0, nil, err
	}
	for _, e := range of.Edges {
		row := edgeRow{note: note, link: int64(e.Link)}
		if row.target, err = ids.of(e.Target); err != nil {
			return 0, nil, err
		}
		if e.Plain {
			row.flags = flagPlain
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b edgeRow) int { return cmp.Compare(a.link, b.link) })
	for i, r := range rows {
		if r.link < 0 || i > 0 && rows[i-1].link == r.link {
			return 0, nil, fmt.Errorf("link %d of %s is none, or is there twice", r.link, of.Path)
		}
	}
	return note, rows, nil
}

// writeEdges goes through the old rows and the new side by side.
func (u *update) writeEdges(change edgeChange) error {
	old, next := change.old, change.next
	for len(old)+len(next) > 0 {
		var err error
		switch {
		case len(next) == 0 || len(old) > 0 && old[0].link < next[0].link:
			err = u.conn.Exec("DELETE FROM resolved_links WHERE note = ? AND ord = ?", old[0].note, old[0].link)
			old = old[1:]
		case len(old) == 0 || next[0].link < old[0].link:
			err = u.insertEdge(next[0])
			next = next[1:]
		default:
			if old[0] != next[0] {
				err = u.conn.Exec("UPDATE resolved_links SET target = ?, flags = ? WHERE note = ? AND ord = ?",
					next[0].target, next[0].flags, next[0].note, next[0].link)
			}
			old, next = old[1:], next[1:]
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (u *update) insertEdge(r edgeRow) error {
	s, err := u.conn.Prepare("INSERT INTO resolved_links VALUES(?, ?, ?, ?)")
	if err != nil {
		return err
	}
	for i, number := range [...]int64{r.note, r.link, r.target, r.flags} {
		s.BindInt(i, number)
	}
	return s.Run()
}

// PutFigures writes the figures that differ.
func (u *update) PutFigures(ctx context.Context, figures []store.Figures) error {
	return changeWhere(ctx, u, "put figures", func() ([]figureRow, error) { return u.differingFigures(figures) }, func(r figureRow) error {
		s, err := u.conn.Prepare("REPLACE INTO note_figures VALUES(?, ?, ?, ?, ?, ?)")
		if err != nil {
			return err
		}
		for i, number := range [...]int64{r.note, r.pageRank, r.in, r.out, r.weight, r.sum()} {
			s.BindInt(i, number)
		}
		return s.Run()
	})
}

func (u *update) differingFigures(figures []store.Figures) ([]figureRow, error) {
	ids, err := newNoteIDs(u.conn, len(figures))
	if err != nil {
		return nil, err
	}
	var stored []figureRow
	if len(figures) >= manyNotes {
		if stored, err = readFigureRows(u.conn); err != nil {
			return nil, err
		}
	}
	var changed []figureRow
	for _, f := range figures {
		next, err := rowOfFigures(f, ids)
		if err != nil {
			return nil, err
		}
		var old []figureRow
		if len(figures) >= manyNotes {
			old = ofNote(stored, next.note, func(r figureRow) int64 { return r.note })
		} else if old, err = figureRows(u.conn,
			"SELECT note, pagerank, inbound, outbound, weight, checksum FROM note_figures WHERE note = ?", next.note); err != nil {
			return nil, err
		}
		if len(old) == 0 || old[0] != next {
			changed = append(changed, next)
		}
	}
	return changed, nil
}

func rowOfFigures(f store.Figures, ids *noteIDs) (figureRow, error) {
	note, err := ids.of(f.Path)
	if err != nil {
		return figureRow{}, err
	}
	if f, err = f.Kept(); err != nil {
		return figureRow{}, fmt.Errorf("%s: %w", f.Path, err)
	}
	units := func(x float64) int64 { return int64(math.Round(x * store.FigureUnits)) }
	return figureRow{note: note, pageRank: units(f.PageRank), in: int64(f.In), out: int64(f.Out), weight: units(f.Weight)}, nil
}
