// Package visible shows an index as if some of its notes were not in it.
package visible

import (
	"context"
	"fmt"

	"quarry/store"
)

// Hidden tells what is not to be seen. A nil function hides nothing. Both have to give the same answer whenever they are
// asked the same, and may be called from several goroutines at once.
type Hidden struct {
	// Note is asked about each note of an index, once, by its path and its Sensitivity.
	Note func(path, class string) bool
	// Path is asked about the paths in OtherFiles and Problems, which may be those of no note.
	Path func(path string) bool
}

// Part is what of an index is to be seen. It can be kept and put over any snapshot of the same store.Lister's Generation. It
// is safe for concurrent use.
type Part struct {
	hidesPath func(path string) bool // Hidden.Path: Hidden.Note is not kept, nor what it holds on to
	notes     map[string]bool        // paths of hidden notes
	shown     *store.Set             // the passages of the notes that are shown
	counts    [2]int                 // of the notes that are shown, and of their passages
	names     names
}

// Look finds out what of a snapshot is to be seen.
func Look(ctx context.Context, below store.Snapshot, hidden Hidden) (*Part, error) {
	p := &Part{hidesPath: hidden.Path, notes: map[string]bool{}, shown: &store.Set{}}
	if hidden.Note == nil {
		return p, nil
	}
	err := eachClass(ctx, below, func(of store.ClassOf) {
		if hidden.Note(of.Path, of.Sensitivity) {
			p.notes[of.Path] = true
			return
		}
		p.counts[0]++
		p.counts[1] += of.PassageCount
		p.shown.AddRange(of.First, of.PassageCount)
	})
	if err == nil {
		err = ctx.Err() // what was asked after the end may have been answered in haste
	}
	if err != nil {
		return nil, fmt.Errorf("find out what is hidden: %w", err)
	}
	return p, nil
}

// Of shows the part of a snapshot: no answer, count, score or error of it differs from that of an index which never held the
// rest. It is below itself where nothing is hidden. Closing it closes the one below. It is safe for concurrent use.
func (p *Part) Of(below store.Snapshot) store.Snapshot {
	switch {
	case len(p.notes) > 0:
		return &snapshot{lists{below, p}}
	case p.hidesPath != nil:
		return &lists{below, p}
	}
	return below
}

// Snapshot is Look and Of. Where it fails, the snapshot below stays open.
func Snapshot(ctx context.Context, below store.Snapshot, hidden Hidden) (store.Snapshot, error) {
	p, err := Look(ctx, below, hidden)
	if err != nil {
		return nil, err
	}
	return p.Of(below), nil
}

// lists is a snapshot of which nothing but entries of its lists is hidden.
type lists struct {
	store.Snapshot
	*Part
}

// snapshot hides notes.
type snapshot struct{ lists }

// Warm warms the snapshot below, if that is one that can.
func (v *lists) Warm(ctx context.Context) error {
	if below, ok := v.Snapshot.(store.Warmer); ok {
		return below.Warm(ctx)
	}
	return nil
}

// Warm works out the figures of what is shown, too.
func (v *snapshot) Warm(ctx context.Context) error {
	if err := v.lists.Warm(ctx); err != nil {
		return err
	}
	_, err := v.TokenFrequencies(ctx, nil, nil)
	return err
}

// eachClass visits all notes of a snapshot. One that is no Lister has to read all of the notes that have passages.
func eachClass(ctx context.Context, below store.Snapshot, visit func(store.ClassOf)) error {
	if lister, ok := below.(store.Lister); ok {
		return lister.EachClass(ctx, visit)
	}
	notes, err := below.Notes(ctx, store.NoteQuery{})
	if err != nil {
		return err
	}
	for i := range notes {
		of := store.ClassOf{Path: notes[i].Path, Sensitivity: notes[i].Sensitivity, PassageCount: notes[i].PassageCount}
		if of.PassageCount > 0 {
			n, ok, err := below.Note(ctx, of.Path)
			if err != nil {
				return err
			}
			count := len(n.Passages)
			if !ok || count != of.PassageCount || n.Passages[count-1].ID != n.Passages[0].ID+store.PassageID(count-1) {
				return fmt.Errorf("%w: the passages of a note are not those of the list", store.ErrDamaged)
			}
			of.First = n.Passages[0].ID
		}
		visit(of)
	}
	return nil
}

var (
	_ store.Snapshot = (*snapshot)(nil)
	_ store.Snapshot = (*lists)(nil)
	_ store.Warmer   = (*snapshot)(nil)
)
