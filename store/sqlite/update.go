package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// update is the writing side. In incremental mode each call is a transaction; in full mode one transaction is opened by
// the first call and committed by Commit. Until the first change nothing is written, not even to the log.
type update struct {
	store   *Store
	conn    *engine.Conn
	lock    writerLock
	mode    store.Mode
	ended   bool
	failed  bool // of a full run: what was written is gone
	changed bool // something was committed

	state   state
	vectors vectorWriter
	lengths lengthWriter
	tokens  tokenWriter
	// noteVectors are kept by a full run until its end, by the ids of notes.
	noteVectors map[int64]noteVector
	gaps        []span // of chunk ids; filled when the ids have become sparse
	hasGaps     bool
	written     int
	deleted     int
	embedded    float64         // the latest EmbeddedAtUnix
	seen        map[string]bool // paths that a full run has written
	remnants    remnants
}

// state is the row of table state.
type state struct{ generation, notes, chunks, lastChunk, dimension int64 }

// span is a run of chunk ids.
type span struct {
	first store.PassageID
	count int
}

// Begin takes the writer's lock. Nothing is written before the first change.
func (s *Store) Begin(ctx context.Context, mode store.Mode) (store.Update, error) {
	if s.readOnly {
		return nil, fmt.Errorf("write %s: %w", s.path, store.ErrReadOnly)
	}
	lock, err := lockWriter(s.path)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", s.path, err)
	}
	c, err := openWriter(ctx, s.path)
	if err != nil {
		lock.release(s.logger)
		return nil, fmt.Errorf("write %s: %w", s.path, err)
	}
	return &update{store: s, conn: c, lock: lock, mode: mode}, nil
}

func openWriter(ctx context.Context, path string) (*engine.Conn, error) {
	c, err := engine.Open(path, false, false)
	if err != nil {
		return nil, wrap(ctx, "open the file", err)
	}
	c.BusyTimeout(busyMilliseconds)
	err = wrap(ctx, "open the file", c.Script(fmt.Sprintf(
		"PRAGMA secure_delete = ON; PRAGMA synchronous = NORMAL; PRAGMA cache_size = %d; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = %d",
		writerCache, keptLogBytes)))
	if err == nil {
		err = checkVersion(ctx, c)
	}
	if err == nil && c.IsReadOnly() {
		err = store.ErrReadOnly
	}
	if isCantOpen(err) {
		err = cmp.Or(checkFolder(path), err) // files have to be made beside it
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// keptLogBytes bounds the file of the log that is kept for the next writer.
const keptLogBytes = 16 << 20

// change runs f in the transaction the mode asks for and counts the generation.
func (u *update) change(ctx context.Context, operation string, f func() error) error {
	if u.ended {
		return errEnded
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if u.failed {
		return fmt.Errorf("%s: the run has failed before", operation)
	}
	err := u.open()
	if err == nil {
		err = f()
	}
	if err == nil && u.mode == store.Incremental {
		err = u.close()
	}
	if err != nil {
		u.abandon()
		u.failed = u.mode == store.Full
	}
	return wrap(ctx, operation, err)
}

// open begins a transaction if none is open; a full run's begins by dropping all there was.
func (u *update) open() error {
	if u.conn.InTransaction() {
		return nil
	}
	if !u.changed {
		if err := checkFolder(u.store.path); err != nil {
			return err
		}
	}
	if err := u.conn.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	s, err := u.conn.Prepare("SELECT generation, notes, chunks, last_chunk, dimension, erased IS generation FROM state WHERE id = 1")
	if err != nil {
		return err
	}
	defer s.Reset()
	if more, err := s.Step(); err != nil || !more {
		return cmp.Or(err, damaged("the row of table state is missing"))
	}
	u.state = state{s.Int(0), s.Int(1), s.Int(2), s.Int(3), s.Int(4)}
	if !u.changed {
		u.remnants.clean = s.Int(5) != 0
	}
	s.Reset()
	u.gaps, u.hasGaps = nil, false
	u.vectors = vectorWriter{conn: u.conn, dimension: int(u.state.dimension), blocks: map[int64]vectorBlock{}}
	u.lengths = lengthWriter{conn: u.conn, blocks: map[int64][]byte{}}
	u.tokens, u.noteVectors = tokenWriter{conn: u.conn}, map[int64]noteVector{}
	if u.mode == store.Full {
		return u.dropAll()
	}
	return nil
}

func (u *update) dropAll() error {
	if err := u.clearFree(); err != nil {
		return err
	}
	u.state = state{generation: u.state.generation}
	u.vectors.dimension, u.vectors.fresh, u.lengths.fresh = 0, true, true
	u.tokens.isRead = true
	return u.conn.Script(`
		DELETE FROM notes; DELETE FROM chunks; DELETE FROM lengths; DELETE FROM vectors; DELETE FROM rank_data;
		DELETE FROM links; DELETE FROM problems; DELETE FROM model_meta; DELETE FROM outlines; DELETE FROM other_files;
		DELETE FROM note_edges; DELETE FROM note_figures; DELETE FROM note_vectors; DELETE FROM token_frequencies;
		INSERT INTO chunks_fts(chunks_fts) VALUES('delete-all');
		INSERT INTO chunks_fts(chunks_fts, rank) VALUES('hashsize', 16777216);` + mergeAtEnd)
}

// close writes what was gathered and commits.
func (u *update) close() error {
	if err := u.vectors.flush(1 << 62); err != nil {
		return err
	}
	if err := u.lengths.flush(); err != nil {
		return err
	}
	if err := u.tokens.flush(); err != nil {
		return err
	}
	u.state.generation++
	err := u.conn.Exec("UPDATE state SET generation = ?, notes = ?, chunks = ?, last_chunk = ?, dimension = ? WHERE id = 1",
		u.state.generation, u.state.notes, u.state.chunks, u.state.lastChunk, u.state.dimension)
	if err != nil {
		return err
	}
	if u.mode == store.Full {
		if err := u.clearEveryPage(); err != nil {
			return err
		}
	}
	u.changed = true
	if err := u.conn.Exec("COMMIT"); err != nil {
		return err
	}
	u.remnants.noteLog(u.store.path)
	return nil
}

// abandon rolls back. Errors do not matter: without a commit nothing stays.
func (u *update) abandon() {
	if u.conn.InTransaction() {
		if err := u.conn.Exec("ROLLBACK"); err != nil {
			u.store.logger.Warn("roll back", "error", err)
		}
	}
}

// Put stores notes with their passages and links.
func (u *update) Put(ctx context.Context, notes []store.Note) error {
	if len(notes) == 0 {
		return nil
	}
	return u.change(ctx, "put notes", func() error {
		if err := u.putNotes(ctx, notes); err != nil {
			return err
		}
		for i := range notes {
			u.embedded = max(u.embedded, notes[i].EmbeddedAtUnix)
		}
		u.written += len(notes)
		if u.mode == store.Full {
			return u.vectors.flush(u.state.lastChunk / blockSlots)
		}
		return nil
	})
}

// Delete drops notes; unknown paths are no error, and no change either.
func (u *update) Delete(ctx context.Context, paths []string) error {
	known := slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !u.isKnown(path) })
	if len(known) == 0 {
		return nil
	}
	return u.change(ctx, "delete notes", func() error { return u.deleteNotes(known) })
}

// isKnown tells whether a note is there; in doubt it is, so that the error comes up where it can be told.
func (u *update) isKnown(path string) bool {
	if u.ended {
		return true
	}
	id, err := u.conn.Int("SELECT id FROM notes WHERE path = ?", path)
	return id != 0 || err != nil
}

// Touch notes new file facts.
func (u *update) Touch(ctx context.Context, files []store.File) error {
	if len(files) == 0 {
		return nil
	}
	return u.change(ctx, "touch files", func() error {
		for _, f := range files {
			err := u.conn.Exec("UPDATE notes SET size = ?, mtime_ns = ?, inode = ?, content_hash = ? WHERE path = ?",
				f.SizeBytes, f.ModifiedNanoseconds, int64(f.Inode), packHash(f.ContentHash), f.Path)
			if err != nil {
				return fmt.Errorf("touch %s: %w", f.Path, err)
			}
			if err = u.conn.Exec(`UPDATE chunks SET mtime_ns = ?1 FROM (SELECT first_chunk, chunks AS n FROM notes WHERE path = ?2)
				WHERE id BETWEEN first_chunk AND first_chunk + n - 1`, f.ModifiedNanoseconds, f.Path); err != nil {
				return fmt.Errorf("touch %s: %w", f.Path, err)
			}
		}
		return nil
	})
}

// SetProblems replaces the list of problems.
func (u *update) SetProblems(ctx context.Context, problems []store.Problem) error {
	if u.mode == store.Incremental {
		if same, err := u.sameProblems(problems); err != nil || same {
			return wrap(ctx, "set problems", err)
		}
	}
	return u.change(ctx, "set problems", func() error {
		if err := u.conn.Exec("DELETE FROM problems"); err != nil {
			return err
		}
		for _, p := range problems {
			var line any
			if p.Line != nil {
				line = *p.Line
			}
			if err := u.conn.Exec("INSERT INTO problems VALUES(?, ?, ?, ?)", p.Path, p.State, p.Reason, line); err != nil {
				return err
			}
		}
		return nil
	})
}

func (u *update) sameProblems(problems []store.Problem) (bool, error) {
	kept, err := readProblems(u.conn, "rowid")
	return slices.EqualFunc(kept, problems, func(a, b store.Problem) bool {
		sameLine := a.Line == nil && b.Line == nil || a.Line != nil && b.Line != nil && *a.Line == *b.Line
		return a.Path == b.Path && a.State == b.State && a.Reason == b.Reason && sameLine
	}), err
}

// SetMeta sets some keys. Values that are there already are no change.
func (u *update) SetMeta(ctx context.Context, values map[string]string) error {
	if u.mode == store.Incremental {
		kept, err := readMeta(u.conn)
		if err != nil {
			return wrap(ctx, "set metadata", err)
		}
		same := true
		for key, value := range values {
			old, ok := kept[key]
			same = same && ok && old == value
		}
		if same {
			return nil
		}
	}
	return u.change(ctx, "set metadata", func() error {
		for key, value := range values {
			if err := u.conn.Exec("REPLACE INTO model_meta VALUES(?, ?)", key, value); err != nil {
				return err
			}
		}
		return nil
	})
}

// Commit makes the rest visible, tidies and gives up the lock.
func (u *update) Commit(ctx context.Context) error {
	if u.ended {
		return errEnded
	}
	var err error
	if u.mode == store.Full || u.written+u.deleted > 0 {
		err = u.change(ctx, "commit", u.finish)
	}
	u.end()
	return err
}

// finish notes the run, and merges the full text after a full run.
func (u *update) finish() error {
	name := "incremental"
	if u.mode == store.Full {
		name = "full"
	}
	err := u.conn.Exec("INSERT INTO runs VALUES(?, ?, ?, ?, ?)", u.state.generation+1, name, u.written, u.deleted, u.embedded)
	if err == nil {
		err = u.conn.Exec("DELETE FROM runs WHERE generation NOT IN (SELECT generation FROM runs ORDER BY generation DESC LIMIT ?)", keptRuns)
	}
	if err != nil || u.mode == store.Incremental {
		return err
	}
	if err := u.finishFull(); err != nil {
		return err
	}
	return u.close()
}

const keptRuns = 100

// Rollback drops what is not visible yet.
func (u *update) Rollback() error {
	if !u.ended {
		u.abandon()
		u.end()
	}
	return nil
}

func (u *update) end() {
	u.ended = true
	u.erase()
	if err := u.conn.Close(); err != nil {
		u.store.logger.Warn("close the writer", "error", err)
	}
	u.lock.release(u.store.logger)
}
