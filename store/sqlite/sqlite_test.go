package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"

	"quarry/store"
	"quarry/store/sqlite"
	"quarry/store/storetest"
)

func openAt(t testing.TB, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestConformance(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store { return openAt(t, filepath.Join(t.TempDir(), "index.db")) })
}

// TestConformanceOfFewAndMany: it does not matter from how many notes on tables are read as a whole.
func TestConformanceOfFewAndMany(t *testing.T) {
	if testing.Short() {
		t.Skip("a fourth time the same suite: too long under the race detector")
	}
	for _, manyNotes := range []int{1, 3, 1 << 30} {
		storetest.RunGraph(t, func(t *testing.T) store.Store {
			s := openAt(t, filepath.Join(t.TempDir(), "index.db"))
			s.SetManyNotes(manyNotes)
			return s
		})
	}
}

func bg() context.Context { return context.Background() }

func mustStore(path string) *sqlite.Store {
	s, err := sqlite.Open(bg(), sqlite.Options{Path: path})
	if err != nil {
		panic(err)
	}
	return s
}
