package visible

import (
	"context"
	"sync"

	"quarry/store"
)

// names are the ids of notes that are others among the notes shown than among all. They are worked out when a note is asked
// for that may have one.
type names struct {
	mu     sync.Mutex
	known  bool
	byPath map[string]identity
}

// identity is how a note is named beside others.
type identity struct{ noteID, docID string }

// dependsOnOthers tells that a note would have another name if some other note were not there.
func dependsOnOthers(n *store.Note) bool {
	isFirstChoice := n.NoteID == n.DeclaredID || n.DeclaredID == "" && n.NoteID == store.PathID(n.Path)
	return !isFirstChoice || len(n.DocID) > store.MinDocIDDigits
}

// identify gives a note the names that it has among those shown.
func (v *snapshot) identify(ctx context.Context, n *store.Note) error {
	if !dependsOnOthers(n) {
		return nil
	}
	v.names.mu.Lock()
	defer v.names.mu.Unlock()
	if !v.names.known {
		all, err := v.Snapshot.Notes(ctx, store.NoteQuery{})
		if err != nil {
			return err
		}
		v.names.byPath, v.names.known = v.namesAmong(all), true
	}
	if id, ok := v.names.byPath[n.Path]; ok {
		n.NoteID, n.DocID = id.noteID, id.docID
	}
	return nil
}

// namesAmong finds the names that change.
func (p *Part) namesAmong(all []store.Note) map[string]identity {
	var shown []*store.Note
	before := map[string]identity{}
	for i := range all {
		n := &all[i]
		if p.notes[n.Path] {
			continue
		}
		shown = append(shown, &store.Note{File: store.File{Path: n.Path}, DeclaredID: n.DeclaredID})
		if dependsOnOthers(n) {
			before[n.Path] = identity{n.NoteID, n.DocID}
		}
	}
	store.Identify(shown)
	changed := map[string]identity{}
	for _, n := range shown {
		if was, depends := before[n.Path]; depends && was != (identity{n.NoteID, n.DocID}) {
			changed[n.Path] = identity{n.NoteID, n.DocID}
		}
	}
	return changed
}
