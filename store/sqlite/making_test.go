package sqlite_test

import (
	"errors"
	"path/filepath"
	"sync"
	"testing"

	"quarry/store"
	"quarry/store/sqlite"
)

// Who comes while the file is made finds none, or one that is being made or done: never a damaged or a foreign one.
func TestOpenWhileTheFileIsMade(t *testing.T) {
	const rounds, readers = 12, 4
	for range rounds {
		path := filepath.Join(t.TempDir(), "index.db")
		made := make(chan struct{})
		var work sync.WaitGroup
		for range readers {
			work.Go(func() {
				for isLast := false; !isLast; {
					select {
					case <-made:
						isLast = true
					default:
					}
					s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, ReadOnly: true})
					switch {
					case err == nil:
						_ = s.Close()
					case isLast || !errors.Is(err, store.ErrMissing) && !errors.Is(err, store.ErrLocked):
						t.Error(err)
						return
					}
				}
			})
		}
		s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
		close(made)
		work.Wait()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil || t.Failed() {
			t.Fatal(err)
		}
	}
}
