package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
	"quarry/store/sqlite/internal/postings"
)

// snapshot is a read transaction on a connection of its own. Its methods take turns.
type snapshot struct {
	store    *Store
	file     os.FileInfo
	resident *resident

	catalog

	mu    sync.Mutex
	conn  *engine.Conn // nil after Close
	state state
	words *postings.Index // opened by the first question
	// What phrases were found in, by their words with a space between.
	phrases map[string][]postings.Match
}

// Snapshot opens a view of the last commit. ErrMissing: the file is gone. Where many are open already it waits until one
// is closed or the context ends.
func (s *Store) Snapshot(ctx context.Context) (store.Snapshot, error) {
	v, err := s.openSnapshot(ctx)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", s.path, err)
	}
	return v, nil
}

func (s *Store) openSnapshot(ctx context.Context) (*snapshot, error) {
	select {
	case s.readers <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	c, file, err := s.reader(ctx)
	if err != nil {
		<-s.readers
		return nil, err
	}
	v := &snapshot{store: s, conn: c, file: file}
	v.read, v.sections = v.alone, v.sectionsFor
	if err := v.begin(ctx); err != nil {
		c.Close()
		<-s.readers
		return nil, err
	}
	v.resident = s.share(v.state.generation, file)
	return v, nil
}

func (v *snapshot) begin(ctx context.Context) error {
	if err := v.conn.Exec("BEGIN"); err != nil {
		return wrap(ctx, "begin", err)
	}
	s, err := v.conn.Prepare("SELECT generation, notes, chunks, last_chunk, dimension FROM state WHERE id = 1")
	if err != nil {
		return wrap(ctx, "begin", err)
	}
	defer s.Reset()
	more, err := s.Step()
	if err != nil {
		return wrap(ctx, "begin", err)
	}
	v.state = state{s.Int(0), s.Int(1), s.Int(2), s.Int(3), s.Int(4)}
	if !more || !v.state.isPlausible() {
		return damaged("the row of table state is not as it was written")
	}
	return nil
}

// isPlausible guards the sizes that memory is asked for.
func (s state) isPlausible() bool {
	return s.notes >= 0 && s.chunks >= 0 && s.lastChunk >= s.chunks && s.lastChunk < maxChunks &&
		s.dimension >= 0 && s.dimension <= maxDimension
}

// clamp bounds a limit by the number of passages.
func (v *snapshot) clamp(limit int) int { return int(min(int64(limit), v.state.chunks)) }

// maxChunks bounds the ids, so that a damaged number cannot ask for all memory.
const maxChunks = 1 << 30

// Close ends the transaction and gives the connection back.
func (v *snapshot) Close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.conn == nil {
		return nil
	}
	c := v.conn
	v.conn, v.words, v.phrases = nil, nil, nil
	defer func() { <-v.store.readers }()
	if err := c.Exec("ROLLBACK"); err != nil {
		c.Close()
		return wrap(context.Background(), "end the snapshot", err)
	}
	v.store.giveBack(c, v.file)
	return nil
}

// alone runs f on the connection, alone, and interrupts it when the context ends.
func (v *snapshot) alone(ctx context.Context, operation string, f func(c *engine.Conn) error) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.conn == nil {
		return fmt.Errorf("%s: %w", operation, errClosed)
	}
	return wrap(ctx, operation, interruptible(ctx, v.conn, f))
}

var errClosed = errors.New("the snapshot is closed")

// interruptible runs f and makes its statements fail when the context ends.
func interruptible(ctx context.Context, c *engine.Conn, f func(c *engine.Conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if ctx.Done() == nil {
		return f(c)
	}
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		c.Interrupt()
		close(interrupted)
	})
	err := f(c)
	if !stop() {
		<-interrupted // the connection may be closed from here on
	}
	return err
}

// fullText opens the posting lists of the snapshot.
func (v *snapshot) fullText() (*postings.Index, error) {
	if v.words == nil {
		x, err := postings.Open(v.conn, fullTextTable, store.Columns)
		if err != nil {
			return nil, err
		}
		v.words = x
	}
	return v.words, nil
}

var (
	_ store.Snapshot = (*snapshot)(nil)
	_ store.Lister   = (*snapshot)(nil)
	_ store.Linked   = (*snapshot)(nil)
)
