package sqlite_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"quarry/store"
)

// Who asks whether somebody writes is in a writer's way for a moment alone, and no reason for it to give up.
func TestWriterWaitsForAQuestion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	s := openAt(t, path)
	asking := flock.New(path + ".lock")
	begin := func(holds time.Duration) error {
		if held, err := asking.TryRLock(); err != nil || !held {
			t.Fatal(held, err)
		}
		released := make(chan error, 1)
		timer := time.AfterFunc(holds, func() { released <- asking.Unlock() })
		update, err := s.Begin(t.Context(), store.Incremental)
		if timer.Stop() {
			released <- asking.Unlock()
		}
		must(t, <-released)
		if err == nil {
			must(t, update.Rollback())
		}
		return err
	}
	if err := begin(time.Hour); !errors.Is(err, store.ErrLocked) {
		t.Errorf("held for long: %v", err)
	}
	err := begin(time.Millisecond)
	for i := 0; errors.Is(err, store.ErrLocked) && i < 10; i++ { // a busy machine may take long over a moment
		err = begin(time.Millisecond)
	}
	must(t, err)
}
