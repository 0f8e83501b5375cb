// Package memory is an index in memory: plain, unhurried and gone with the process. It is the second implementation of
// package store, by which the contract is kept free of SQLite's ways, and a store for tests.
package memory

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"quarry/store"
)

// Store is an index in memory. The zero value is not ready: use New.
type Store struct {
	mu      sync.Mutex
	current *contents
	writing bool
}

// contents is one committed state. It is never changed: an update copies it.
type contents struct {
	notes    map[string]*store.Note // without ids
	problems []store.Problem
	meta     map[string]string
	others   []string                // files that are no notes, sorted
	edges    map[string][]store.Edge // by the path of the note that holds the links, in their order
	figures  map[string]store.Figures
}

func newContents() *contents {
	return &contents{
		notes: map[string]*store.Note{}, meta: map[string]string{}, edges: map[string][]store.Edge{}, figures: map[string]store.Figures{},
	}
}

// New makes an empty index.
func New() *Store { return &Store{current: newContents()} }

// Snapshot shows the last committed state.
func (s *Store) Snapshot(context.Context) (store.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return newSnapshot(s.current), nil
}

// Begin takes the writer's lock.
func (s *Store) Begin(_ context.Context, mode store.Mode) (store.Update, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writing {
		return nil, store.ErrLocked
	}
	s.writing = true
	u := &update{store: s, mode: mode, next: s.current.clone()}
	if mode == store.Full {
		u.next = newContents()
	}
	return u, nil
}

// Verify finds nothing: memory does not rot.
func (s *Store) Verify(context.Context) error { return nil }

// Close does nothing.
func (s *Store) Close() error { return nil }

func (c *contents) clone() *contents {
	return &contents{
		notes: maps.Clone(c.notes), problems: c.problems, meta: maps.Clone(c.meta), others: c.others,
		edges: maps.Clone(c.edges), figures: maps.Clone(c.figures),
	}
}

// update gathers changes in next and, in incremental mode, shows them after each call.
type update struct {
	store *Store
	mode  store.Mode
	next  *contents
	ended bool
}

func (u *update) change(ctx context.Context, f func(c *contents) error) error {
	if u.ended {
		return errors.New("the update has ended")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	next := u.next.clone()
	if err := f(next); err != nil {
		return err
	}
	u.next = next
	if u.mode == store.Incremental {
		u.publish()
	}
	return nil
}

func (u *update) publish() {
	u.store.mu.Lock()
	defer u.store.mu.Unlock()
	u.store.current = u.next
}

// Put stores notes.
func (u *update) Put(ctx context.Context, notes []store.Note) error {
	return u.change(ctx, func(c *contents) error {
		for i := range notes {
			if err := checkTokens(&notes[i]); err != nil {
				return err
			}
			c.notes[notes[i].Path] = copyOf(&notes[i])
			delete(c.edges, notes[i].Path)
		}
		return nil
	})
}

// copyOf copies what the caller might change.
func copyOf(n *store.Note) *store.Note {
	own := *n
	own.NoteID, own.DocID = "", ""
	own.Tags, own.Aliases = slices.Clone(n.Tags), slices.Clone(n.Aliases)
	own.Frontmatter, own.Redactions = slices.Clone(n.Frontmatter), slices.Clone(n.Redactions)
	own.Headings, own.BlockIDs = slices.Clone(n.Headings), slices.Clone(n.BlockIDs)
	own.Links, own.Passages = slices.Clone(n.Links), slices.Clone(n.Passages)
	for i := range own.Passages {
		p := &own.Passages[i]
		p.ID, p.Path, p.Index = 0, n.Path, i
		p.HeadingPath = slices.Clone(p.HeadingPath)
		p.Vector, p.RankData = slices.Clone(p.Vector), slices.Clone(p.RankData)
	}
	return &own
}

// Delete drops notes.
func (u *update) Delete(ctx context.Context, paths []string) error {
	return u.change(ctx, func(c *contents) error {
		for _, path := range paths {
			c.drop(path)
		}
		return nil
	})
}

// Touch notes new file facts.
func (u *update) Touch(ctx context.Context, files []store.File) error {
	return u.change(ctx, func(c *contents) error {
		for _, f := range files {
			if old, ok := c.notes[f.Path]; ok {
				touched := *old
				touched.File = f
				c.notes[f.Path] = &touched
			}
		}
		return nil
	})
}

// SetProblems replaces the list of problems.
func (u *update) SetProblems(ctx context.Context, problems []store.Problem) error {
	return u.change(ctx, func(c *contents) error {
		c.problems = slices.Clone(problems)
		return nil
	})
}

// SetOtherFiles replaces the list of files that are no notes.
func (u *update) SetOtherFiles(ctx context.Context, paths []string) error {
	return u.change(ctx, func(c *contents) error {
		c.others = slices.Compact(slices.Sorted(slices.Values(paths)))
		return nil
	})
}

// SetMeta sets some keys.
func (u *update) SetMeta(ctx context.Context, values map[string]string) error {
	return u.change(ctx, func(c *contents) error {
		maps.Copy(c.meta, values)
		return nil
	})
}

// Commit shows the rest and gives up the lock.
func (u *update) Commit(ctx context.Context) error {
	if u.ended {
		return errors.New("the update has ended")
	}
	if err := ctx.Err(); err != nil {
		u.end()
		return err
	}
	u.publish()
	u.end()
	return nil
}

// Rollback drops what is not visible yet and gives up the lock.
func (u *update) Rollback() error {
	if !u.ended {
		u.end()
	}
	return nil
}

func (u *update) end() {
	u.ended = true
	u.store.mu.Lock()
	defer u.store.mu.Unlock()
	u.store.writing = false
}

var _ store.Store = (*Store)(nil)
