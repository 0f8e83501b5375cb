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

func bg() context.Context { return context.Background() }

func mustStore(path string) *sqlite.Store {
	s, err := sqlite.Open(bg(), sqlite.Options{Path: path})
	if err != nil {
		panic(err)
	}
	return s
}
