// Package visible shows an index as if some of its notes were not in it.
package visible

import (
	"context"
	"fmt"
	"slices"

	"quarry/store"
)

// Hidden tells what is not to be seen. A nil function hides nothing. Both have to give the same answer whenever they are
// asked the same, and may be called from several goroutines at once.
type Hidden struct {
	// Note is asked about each note when the snapshot is opened, as Catalog.Notes gives it: without passages, links, outline
	// and frontmatter. It must not change the note.
	Note func(*store.Note) bool
	// Path is asked about each note too, and about the paths in OtherFiles and Problems, which may be those of no note.
	Path func(path string) bool
}

func (h Hidden) hides(n *store.Note) bool {
	return h.Path != nil && h.Path(n.Path) || h.Note != nil && h.Note(n)
}

// Snapshot shows a snapshot without the notes and files that hidden tells of: no answer, count, score or error of it
// differs from that of an index in which they never were. It is below itself where hidden has no function, or only Note and
// that hides nothing. Closing it closes the one below; where Snapshot fails, the one below stays open. It is safe for
// concurrent use.
func Snapshot(ctx context.Context, below store.Snapshot, hidden Hidden) (store.Snapshot, error) {
	if hidden.Note == nil && hidden.Path == nil {
		return below, nil
	}
	v := &snapshot{lists: lists{below, hidden, map[string]bool{}}, shown: &store.Set{}}
	if err := v.learn(ctx); err != nil {
		return nil, fmt.Errorf("find out what is hidden: %w", err)
	}
	switch {
	case len(v.notes) > 0:
		return v, nil
	case hidden.Path != nil:
		return &v.lists, nil
	default:
		return below, nil
	}
}

// lists is a snapshot of which nothing but entries of its lists is hidden.
type lists struct {
	store.Snapshot
	hidden Hidden
	notes  map[string]bool // paths of hidden notes
}

// snapshot hides notes.
type snapshot struct {
	lists
	shown  *store.Set          // the passages of the notes that are shown
	counts [2]int              // of the notes that are shown, and of their passages
	ids    map[string]identity // by path: those that are others among the notes shown than among all
}

// identity is how a note is named beside others.
type identity struct{ noteID, docID string }

// learn goes through all notes and parts those that are hidden from those that are shown.
func (v *snapshot) learn(ctx context.Context) error {
	var shown []*store.Note // that have others beside them, hidden or not
	doubled := map[string]bool{}
	err := v.eachNote(ctx, func(n *store.Note, first store.PassageID) {
		if v.hidden.hides(n) {
			v.notes[n.Path] = true
			return
		}
		v.counts[0]++
		v.counts[1] += n.PassageCount
		v.shown.AddRange(first, n.PassageCount)
		if n.DeclaredID != "" || len(n.DocID) > store.MinDocIDDigits {
			shown = append(shown, n)
			doubled[n.DeclaredID] = doubled[n.DeclaredID] || n.NoteID != n.DeclaredID
		}
	})
	if err == nil {
		err = ctx.Err() // what was asked after the end may have been answered in haste
	}
	if err != nil || len(v.notes) == 0 {
		return err
	}
	v.identify(slices.DeleteFunc(shown, func(n *store.Note) bool {
		return len(n.DocID) <= store.MinDocIDDigits && !doubled[n.DeclaredID]
	}))
	return nil
}

// identify finds the names that change where notes are hidden. Notes whose digests share more digits than a DocID has at
// least have longer ones, all of them, so these are looked at beside each other alone; and the same is true of notes that
// declare the same id.
func (v *snapshot) identify(notes []*store.Note) {
	alone := make([]*store.Note, len(notes))
	for i, n := range notes {
		alone[i] = &store.Note{File: store.File{Path: n.Path}, DeclaredID: n.DeclaredID}
	}
	store.Identify(alone)
	v.ids = map[string]identity{}
	for i, n := range alone {
		if n.NoteID != notes[i].NoteID || n.DocID != notes[i].DocID {
			v.ids[n.Path] = identity{n.NoteID, n.DocID}
		}
	}
}

// identified sets the names that a note has among those shown.
func (v *snapshot) identified(n *store.Note) {
	if id, ok := v.ids[n.Path]; ok {
		n.NoteID, n.DocID = id.noteID, id.docID
	}
}

// eachNote visits all notes of the snapshot below. One that is no Lister has to read all of the notes that have passages.
func (v *lists) eachNote(ctx context.Context, visit func(n *store.Note, first store.PassageID)) error {
	if lister, ok := v.Snapshot.(store.Lister); ok {
		return lister.EachNote(ctx, visit)
	}
	notes, err := v.Notes(ctx, store.NoteQuery{})
	if err != nil {
		return err
	}
	for i := range notes {
		first := store.PassageID(0)
		if notes[i].PassageCount > 0 {
			n, ok, err := v.Note(ctx, notes[i].Path)
			if err != nil {
				return err
			}
			count := len(n.Passages)
			if !ok || count != notes[i].PassageCount || n.Passages[count-1].ID != n.Passages[0].ID+store.PassageID(count-1) {
				return fmt.Errorf("%w: the passages of a note are not those of the list", store.ErrDamaged)
			}
			first = n.Passages[0].ID
		}
		visit(&notes[i], first)
	}
	return nil
}

var (
	_ store.Snapshot = (*snapshot)(nil)
	_ store.Snapshot = (*lists)(nil)
)
