package index_test

import (
	"context"
	"testing"

	"quarry/index"
	"quarry/store"
	"quarry/vault"
)

// crowdedStore has no place for a second reader while somebody writes: who asks for one waits until he gives up.
type crowdedStore struct {
	store.Store
	waiting chan struct{} // closed when somebody waits
	asked   int
}

func (s *crowdedStore) Snapshot(ctx context.Context) (store.Snapshot, error) {
	if s.asked++; s.asked == 2 {
		close(s.waiting)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.Store.Snapshot(ctx)
}

func (s *crowdedStore) Begin(ctx context.Context, mode store.Mode) (store.Update, error) {
	<-s.waiting
	return s.Store.Begin(ctx, mode)
}

// plainStore shows no graph but to the writer.
type plainStore struct{ store.Store }

type plainSnapshot struct{ store.Snapshot }

func (s plainStore) Snapshot(ctx context.Context) (store.Snapshot, error) {
	snapshot, err := s.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return plainSnapshot{snapshot}, nil
}

// A run that holds the writer's lock waits for no reader, and asks of readers no more than store.Snapshot promises.
func TestNotesComeAndGoBesideReaders(t *testing.T) {
	for name, around := range map[string]func(store.Store) store.Store{
		"no reader is let in": func(s store.Store) store.Store { return &crowdedStore{Store: s, waiting: make(chan struct{})} },
		"no graph is shown":   func(s store.Store) store.Store { return plainStore{s} },
	} {
		f := newFixture(t, linkedVault())
		f.config.Types = typesOf(t, "types:\n  moc:\n    retriever_weight: 0.5\n")
		f.run(t, index.Options{})
		for step, edit := range []func(){
			func() { f.vault.write("nowhere.md", "To [[a]].") },
			func() { f.vault.remove("b.md") },
		} {
			edit()
			f.config.Store = around(f.store)
			f.run(t, index.Options{})
			f.config.Store = f.store
			if diff, err := (&script{config: f.config}).compareFresh(); diff != "" || err != nil {
				t.Errorf("%s, step %d: %v\n%s", name, step, err, diff)
			}
		}
	}
}

// meddlingVault lets another run have its turn when it has been looked at.
type meddlingVault struct {
	*fakeVault
	meddle func()
}

func (v *meddlingVault) Scan(ctx context.Context) (vault.Listing, error) {
	listing, err := v.fakeVault.Scan(ctx)
	if meddle := v.meddle; meddle != nil {
		v.meddle = nil
		meddle()
	}
	return listing, err
}

// A run whose picture of the index is not true any more leaves no graph that passes for right.
func TestTwoRunsAtOnce(t *testing.T) {
	for name, edit := range map[string]func(f *fixture){
		"a note came": func(f *fixture) { f.vault.write("nowhere.md", "To [[a]].") },
		"a note went": func(f *fixture) { f.vault.remove("b.md") },
	} {
		f := newFixture(t, linkedVault())
		f.run(t, index.Options{})
		other := f.config
		f.config.Source = &meddlingVault{f.vault, func() {
			edit(f)
			if _, err := index.Run(context.Background(), other, index.Options{}); err != nil {
				t.Error(err)
			}
		}}
		f.vault.write("a.md", "To [[b]], [[c]], [[nowhere]].")
		if _, err := index.Run(context.Background(), f.config, index.Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		s := &script{config: other}
		if diff, err := s.compareNames(); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
		f.config.Source = f.vault
		f.run(t, index.Options{})
		if diff, err := s.compareFresh(); diff != "" || err != nil {
			t.Errorf("%s, next run: %v\n%s", name, err, diff)
		}
	}
}
