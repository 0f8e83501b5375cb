package visible

import (
	"context"
	"slices"
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
	return n.DeclaredID != "" && n.NoteID != n.DeclaredID || len(n.DocID) > store.MinDocIDDigits
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

// namesAmong finds the names that change. Notes whose digests share more digits than a DocID has at least have longer ones,
// all of them, so these are looked at beside each other alone; and the same is true of notes that declare the same id.
func (p *Part) namesAmong(all []store.Note) map[string]identity {
	all = slices.DeleteFunc(all, func(n store.Note) bool { return p.notes[n.Path] })
	doubled := map[string]bool{}
	for i := range all {
		if id := all[i].DeclaredID; id != "" && all[i].NoteID != id {
			doubled[id] = true
		}
	}
	var alone []*store.Note
	before := map[string]identity{}
	for i := range all {
		n := &all[i]
		if doubled[n.DeclaredID] || dependsOnOthers(n) {
			before[n.Path] = identity{n.NoteID, n.DocID}
			alone = append(alone, &store.Note{File: store.File{Path: n.Path}, DeclaredID: n.DeclaredID})
		}
	}
	store.Identify(alone)
	changed := map[string]identity{}
	for _, n := range alone {
		if now := (identity{n.NoteID, n.DocID}); now != before[n.Path] {
			changed[n.Path] = now
		}
	}
	return changed
}
