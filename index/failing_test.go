package index_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"quarry/index"
	"quarry/store"
	"quarry/store/memory"
)

// failingStore breaks off after some writes, as a kill does.
type failingStore struct {
	store.Store
	writes int
	late   bool // the write that fails has been done
}

type failingUpdate struct {
	store.Update
	left *int
	late bool
}

var errBroken = errors.New("broken off")

func (s *failingStore) Begin(ctx context.Context, mode store.Mode) (store.Update, error) {
	update, err := s.Store.Begin(ctx, mode)
	return &failingUpdate{update, &s.writes, s.late}, err
}

// unlessBroken writes, if that is not one write too many.
func (u *failingUpdate) unlessBroken(write func() error) error {
	if *u.left--; *u.left >= 0 {
		return write()
	}
	if *u.left == -1 && u.late {
		return errors.Join(errBroken, write())
	}
	return errBroken
}

func (u *failingUpdate) Put(ctx context.Context, notes []store.Note) error {
	return u.unlessBroken(func() error { return u.Update.Put(ctx, notes) })
}

func (u *failingUpdate) Delete(ctx context.Context, paths []string) error {
	return u.unlessBroken(func() error { return u.Update.Delete(ctx, paths) })
}

func (u *failingUpdate) Touch(ctx context.Context, files []store.File) error {
	return u.unlessBroken(func() error { return u.Update.Touch(ctx, files) })
}

func (u *failingUpdate) SetOtherFiles(ctx context.Context, paths []string) error {
	return u.unlessBroken(func() error { return u.Update.SetOtherFiles(ctx, paths) })
}

func (u *failingUpdate) SetProblems(ctx context.Context, list []store.Problem) error {
	return u.unlessBroken(func() error { return u.Update.SetProblems(ctx, list) })
}

func (u *failingUpdate) SetMeta(ctx context.Context, values map[string]string) error {
	return u.unlessBroken(func() error { return u.Update.SetMeta(ctx, values) })
}

func (u *failingUpdate) PutEdges(ctx context.Context, edges []store.EdgesOf) error {
	return u.unlessBroken(func() error { return u.Update.PutEdges(ctx, edges) })
}

func (u *failingUpdate) PutFigures(ctx context.Context, figures []store.Figures) error {
	return u.unlessBroken(func() error { return u.Update.PutFigures(ctx, figures) })
}

func (u *failingUpdate) Commit(ctx context.Context) error {
	return u.unlessBroken(func() error { return u.Update.Commit(ctx) })
}

// A run that was broken off anywhere leaves an index that says so, or one whose graph is right; the next run mends all.
func TestABrokenRunLeavesNoWrongGraph(t *testing.T) {
	scenarios := map[string]func(f *fixture) index.Options{
		"notes come, change and go": func(f *fixture) index.Options {
			f.vault.write("nowhere.md", "To [[d]].")
			f.vault.write("a.md", "To [[d]].")
			f.vault.remove("b.md")
			f.vault.others = []string{"c"}
			return index.Options{}
		},
		"types": func(f *fixture) index.Options {
			f.config.Types = typesOf(t, "types:\n  moc:\n    retriever_weight: 0.5\n", "retriever_weight", "edge_defaults")
			return index.Options{}
		},
		"types that no note may override": func(f *fixture) index.Options {
			f.config.Types = nil
			return index.Options{}
		},
		"all anew": func(f *fixture) index.Options {
			f.vault.remove("c.md")
			f.config.Types = typesOf(t, "types:\n  moc:\n    chunk_profile: short\n", "edge_defaults")
			return index.Options{Full: true}
		},
	}
	for name, change := range scenarios {
		for _, isSQLite := range []bool{false, true} {
			for _, late := range []bool{false, true} {
				for writes := 0; ; writes++ {
					what := fmt.Sprintf("%s, broken off after %d writes, late %v, SQLite %v", name, writes, late, isSQLite)
					if isWhole := breakOff(t, what, isSQLite, &failingStore{writes: writes, late: late}, change); isWhole {
						break
					}
				}
			}
		}
	}
}

// breakOff has a run broken off, compares what that leaves, and what the next one makes of it. It tells whether there was
// nothing to break off any more.
func breakOff(t *testing.T, what string, isSQLite bool, failing *failingStore, change func(f *fixture) index.Options) (isWhole bool) {
	t.Helper()
	f := newFixture(t, linkedVault())
	f.vault.write("own.md", "---\ntype: moc\nretriever_weight: much\nedge_defaults: [a b]\n---\nTo [[nowhere]].")
	f.config.Types = typesOf(t, "types:\n  moc:\n    retriever_weight: 2\n", "edge_defaults")
	failing.Store = memory.New()
	if isSQLite {
		failing.Store = openSQLite(t)
	}
	defer failing.Close()
	f.config.Store = failing.Store
	f.run(t, index.Options{})
	options := change(f)
	f.config.Store = failing
	_, err := index.Run(context.Background(), f.config, options)
	f.config.Store = failing.Store
	s := &script{config: f.config}
	if diff, err := s.compareNames(); diff != "" || err != nil {
		t.Errorf("%s: %v\n%s", what, err, diff)
	}
	if err != nil && !errors.Is(err, errBroken) {
		t.Errorf("%s: %v", what, err)
	}
	f.run(t, index.Options{})
	if diff, err := s.compareFresh(); diff != "" || err != nil {
		t.Errorf("%s, the next run: %v\n%s", what, err, diff)
	}
	return err == nil
}
