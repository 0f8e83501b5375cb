package cli

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"time"

	"quarry"
)

const (
	// Memory is warmed up when no request was under way for warmAfter, and the index first compared with the vault after idleFor;
	// both begin within startWithin, however much is asked.
	warmAfter   = 100 * time.Millisecond
	idleFor     = 300 * time.Millisecond
	startWithin = 2 * time.Second
	// replacedEvery is how often a look at the files of the configuration tells whether another engine is to answer, and to watch.
	replacedEvery = 2 * time.Second
	// writtenEvery is how often a look at the index tells whether another process wrote to it.
	writtenEvery = 500 * time.Millisecond
)

// keepFresh warms the engine up and keeps the index fresh behind the answers, until ctx ends or the engine is closed. It returns at
// once.
func (l *liveEngine) keepFresh(ctx context.Context) {
	ctx, l.stop = context.WithCancel(ctx)
	l.work.Go(func() {
		for ctx.Err() == nil {
			if err := l.watchCurrent(ctx); err != nil {
				wait(ctx, replacedEvery)
			}
		}
	})
}

// watchCurrent watches with the engine of now, until another one takes its place.
func (l *liveEngine) watchCurrent(ctx context.Context) error {
	engine, release, err := l.acquire(ctx)
	if err != nil { // which was told
		return err
	}
	defer release()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if _, err := os.Stat(engine.DatabasePath()); err == nil { // a missing index everybody waits for
		latest := time.Now().Add(startWithin)
		l.awaitIdle(ctx, warmAfter, latest)
		l.warm(ctx, engine)
		l.awaitIdle(ctx, idleFor, latest)
	}
	l.work.Go(func() { l.cancelWhenReplaced(ctx, cancel, engine) })
	var leads atomic.Bool
	l.work.Go(func() { l.warmBehind(ctx, engine, &leads) })
	err = engine.Watch(ctx, quarry.WatchOptions{}, func(event quarry.WatchEvent) {
		if errors.Is(event.Err, quarry.ErrMassDelete) {
			return // the client that keeps what is said here may not know of the notes; status tells their owner
		}
		if event.Err != nil {
			l.app.notice("quarry: the index is not brought up to date: %v", event.Err)
			return
		}
		leads.Store(event.Leading)
		if event.Leading {
			l.warm(ctx, engine)
		}
	})
	if errors.Is(err, quarry.ErrVaultReplaced) {
		l.mu.Lock()
		l.isMade = false // so that the vault is opened anew
		l.mu.Unlock()
	}
	return err
}

// warmBehind warms the engine up after what another process wrote, so that no search of this one has to read it.
func (l *liveEngine) warmBehind(ctx context.Context, engine *quarry.Engine, leads *atomic.Bool) {
	before := writtenAt(engine.DatabasePath())
	for wait(ctx, writtenEvery); ctx.Err() == nil; wait(ctx, writtenEvery) {
		now := writtenAt(engine.DatabasePath())
		if now != before && !leads.Load() {
			l.warm(ctx, engine)
		}
		before = now
	}
}

// writtenAt tells states of an index apart by its files, from outside.
func writtenAt(database string) (state [2]struct {
	sizeBytes int64
	modified  time.Time
},
) {
	for i, name := range []string{database, database + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			state[i].sizeBytes, state[i].modified = info.Size(), info.ModTime()
		}
	}
	return state
}

// cancelWhenReplaced looks at the configuration, as a request does.
func (l *liveEngine) cancelWhenReplaced(ctx context.Context, cancel context.CancelFunc, engine *quarry.Engine) {
	defer cancel()
	for wait(ctx, replacedEvery); ctx.Err() == nil; wait(ctx, replacedEvery) {
		now, release, err := l.acquire(ctx)
		if err != nil {
			return
		}
		release()
		if now != engine {
			return
		}
	}
}

// awaitIdle waits until no request was under way for so long: the first ones are not to share the processors with a look at the whole
// vault.
func (l *liveEngine) awaitIdle(ctx context.Context, idle time.Duration, latest time.Time) {
	for time.Now().Before(latest) && ctx.Err() == nil && !l.isIdle(idle) {
		wait(ctx, idle/5)
	}
}

func (l *liveEngine) isIdle(since time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.requests == 0 && time.Since(l.idleFrom) >= since
}

// count books that a request came, 1, or was answered, -1.
func (l *liveEngine) count(change int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests += change
	l.idleFrom = time.Now()
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
