package sqlite

import (
	"context"
	"fmt"
	"math"
	"slices"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// usualManyNotes is from how many notes on it is faster to read a table as a whole than row by row.
const usualManyNotes = 200

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

// noteIDs makes ready for so many questions.
func (u *update) noteIDs(questions int) (*noteIDs, error) {
	ids := &noteIDs{conn: u.conn, known: map[string]int64{}, all: u.isMany(questions)}
	if !ids.all {
		return ids, nil
	}
	return ids, eachPath(u.conn, func(id int64, path string) { ids.known[path] = id })
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

func (u *update) isMany(notes int) bool { return notes >= u.store.manyNotes }

// edgesRow is a row of table note_edges, packed "" for none.
type edgesRow struct {
	note   int64
	packed string
}

// PutEdges writes the edges that differ.
func (u *update) PutEdges(ctx context.Context, edges []store.EdgesOf) error {
	return changeWhere(ctx, u, "put edges", func() ([]edgesRow, error) { return u.differingEdges(edges) }, u.writeEdges)
}

func (u *update) differingEdges(edges []store.EdgesOf) ([]edgesRow, error) {
	questions := len(edges)
	for _, of := range edges {
		questions += len(of.Edges)
	}
	ids, err := u.noteIDs(questions)
	if err != nil {
		return nil, err
	}
	stored, err := u.storedEdges(len(edges))
	if err != nil {
		return nil, err
	}
	var changed []edgesRow
	seen := make(map[int64]bool, len(edges))
	var packed []byte
	for _, of := range edges {
		note, err := ids.of(of.Path)
		if err != nil {
			return nil, err
		}
		if seen[note] {
			return nil, fmt.Errorf("%s is there twice", of.Path)
		}
		seen[note] = true
		if packed, err = packEdges(packed[:0], of, ids); err != nil {
			return nil, err
		}
		old, err := stored(note)
		if err != nil {
			return nil, err
		}
		if old != string(packed) {
			changed = append(changed, edgesRow{note, string(packed)})
		}
	}
	return changed, nil
}

// storedEdges makes ready to tell what is stored of so many notes.
func (u *update) storedEdges(questions int) (func(note int64) (string, error), error) {
	if u.isMany(questions) {
		all := map[int64]string{}
		err := eachEdges(u.conn, math.MinInt64, math.MaxInt64, func(note int64, packed []byte) error {
			all[note] = string(packed)
			return nil
		})
		return func(note int64) (string, error) { return all[note], nil }, err
	}
	s, err := u.conn.Prepare("SELECT edges FROM note_edges WHERE note = ?")
	return func(note int64) (packed string, err error) {
		s.BindInt(0, note)
		err = s.Each(func() error {
			packed = s.Text(0)
			return nil
		})
		return packed, err
	}, err
}

func (u *update) writeEdges(r edgesRow) error {
	if r.packed == "" {
		return u.conn.Exec("DELETE FROM note_edges WHERE note = ?", r.note)
	}
	s, err := u.conn.Prepare("REPLACE INTO note_edges VALUES(?, ?, ?)")
	if err != nil {
		return err
	}
	s.BindInt(0, r.note)
	s.BindText(1, r.packed)
	s.BindInt(2, new(checksum).ofEdges(r.note, []byte(r.packed)))
	return s.Run()
}

// dropEdgesTo takes the edges to some notes out of those of all notes.
func (u *update) dropEdgesTo(gone map[int64]bool) error {
	var changed []edgesRow
	var kept []packedEdge
	var dropped bool
	reader := newEdgeReader(nil)
	err := eachEdges(u.conn, math.MinInt64, math.MaxInt64, func(note int64, packed []byte) error {
		kept, dropped = kept[:0], false
		err := reader.each(packed, func(e packedEdge) error {
			if gone[e.target] {
				dropped = true
			} else {
				kept = append(kept, e)
			}
			return nil
		})
		if dropped {
			slices.SortFunc(kept, byLink)
			changed = append(changed, edgesRow{note, string(appendEdges(nil, kept))})
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, r := range changed {
		if err := u.writeEdges(r); err != nil {
			return err
		}
	}
	return nil
}

// PutFigures writes the figures that differ.
func (u *update) PutFigures(ctx context.Context, figures []store.Figures) error {
	return changeWhere(ctx, u, "put figures", func() ([]figureRow, error) { return u.differingFigures(figures) }, func(r figureRow) error {
		s, err := u.conn.Prepare("REPLACE INTO note_figures VALUES(?, ?, ?, ?, ?, ?)")
		if err != nil {
			return err
		}
		for i, number := range [...]int64{r.note, r.pageRank, r.in, r.out, r.weight, r.sum(&checksum{})} {
			s.BindInt(i, number)
		}
		return s.Run()
	})
}

func (u *update) differingFigures(figures []store.Figures) ([]figureRow, error) {
	ids, err := u.noteIDs(len(figures))
	if err != nil {
		return nil, err
	}
	stored := map[int64]figureRow{}
	isWhole := u.isMany(len(figures))
	if isWhole {
		rows, err := figureRows(u.conn, selectFigures)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			stored[r.note] = r
		}
	}
	var changed []figureRow
	for _, f := range figures {
		next, err := rowOfFigures(f, ids)
		if err != nil {
			return nil, err
		}
		if !isWhole {
			old, err := figureRows(u.conn, selectFigures+" WHERE note = ?", next.note)
			if err != nil {
				return nil, err
			}
			if len(old) > 0 {
				stored[next.note] = old[0]
			}
		}
		if old, ok := stored[next.note]; !ok || old != next {
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
