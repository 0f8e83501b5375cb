package sqlite

import (
	"maps"
	"slices"

	"quarry/store"
)

// finishFull brings what was left out of the single insertions: one segment of full text, and in the room of those that were
// merged the vectors of notes; and the lengths.
func (u *update) finishFull() error {
	if err := u.conn.Script(mergeNow + mergeByTheWay + "INSERT INTO chunks_fts(chunks_fts, rank) VALUES('hashsize', 1048576)"); err != nil {
		return err
	}
	for _, note := range slices.Sorted(maps.Keys(u.noteVectors)) {
		if err := u.noteVectors[note].write(u.conn, note); err != nil {
			return err
		}
	}
	s, err := u.conn.Prepare("SELECT id, sz FROM chunks_fts_docsize")
	if err != nil {
		return err
	}
	return s.Each(func() error {
		if err := u.lengths.set(store.PassageID(s.Int(0)), sumVarints(s.Raw(1))); err != nil {
			return err
		}
		return nil
	})
}

// isNew tells whether a full run has not written the path before, and remembers it.
func (u *update) isNew(path string) bool {
	if u.seen[path] {
		return false
	}
	if u.seen == nil {
		u.seen = map[string]bool{}
	}
	u.seen[path] = true
	return true
}
