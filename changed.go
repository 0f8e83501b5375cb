package quarry

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"quarry/store"
)

// Bounds of the look at the vault behind an answer that found nothing good.
const (
	changedFor    = 10 * time.Second // it counts for so long: a server does not look at every question
	changedWithin = time.Second / 2  // it is given up after that, and nothing is told
)

// changedFiles remembers a look at the vault. It is safe for concurrent use.
type changedFiles struct {
	looking sync.Mutex
	last    atomic.Pointer[changedCount] // nil before the first
}

// changedCount is how many files the audience may know of that were new or changed since an index was made.
type changedCount struct {
	generation any // of the index
	at         time.Time
	count      int
}

// countChanged compares the vault with the view of an index; 0 where that takes too long. A client is told of no file that it may
// not see, and of none that is new. Nobody waits for another who looks.
func (e *Engine) countChanged(ctx context.Context, v *view) int {
	now := e.now()
	known := 0
	if last := e.changed.last.Load(); last != nil && last.generation == v.generation {
		if age := now.Sub(last.at); age >= 0 && age < changedFor {
			return last.count
		}
		known = last.count
	}
	if !e.changed.looking.TryLock() {
		return known
	}
	defer e.changed.looking.Unlock()
	within, cancel := context.WithTimeout(ctx, changedWithin)
	defer cancel()
	count, err := e.lookForChanges(within, v)
	if err != nil {
		count = 0
	}
	if ctx.Err() == nil {
		e.changed.last.Store(&changedCount{v.generation, now, count})
	}
	return count
}

func (e *Engine) lookForChanges(ctx context.Context, v *view) (int, error) {
	listing, _, err := e.scan(ctx)
	if err != nil {
		return 0, fmt.Errorf("scan the vault: %w", err)
	}
	ofNow, err := v.ofNow()
	if err != nil {
		return 0, err
	}
	indexed, err := ofNow.Files(ctx)
	if err != nil {
		return 0, err
	}
	problems, err := ofNow.Problems(ctx)
	if err != nil {
		return 0, err
	}
	known := make(map[string]store.File, len(indexed))
	for _, file := range indexed {
		known[file.Path] = file
	}
	files, _ := e.filesFor(listing.Files, known)
	changed, _ := e.countStale(files, known, e.keptOut(files, problems))
	return changed, nil
}

func changedNotice(count int) string {
	are := "files are"
	if count == 1 {
		are = "file is"
	}
	return fmt.Sprintf("%d %s new or changed since the index was made; an index run takes them in", count, are)
}
