package hook_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"quarry"
	"quarry/internal/hook"
)

// holdLocks takes the locks of all sessions, as another process does.
func holdLocks(t *testing.T) (release func()) {
	t.Helper()
	config, err := vault()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(config.DatabasePath+".state", "sessions.locks")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var locks []*flock.Flock
	for i := range 256 {
		lock := flock.New(filepath.Join(dir, fmt.Sprintf("%02x", i)))
		if held, err := lock.TryLock(); !held || err != nil {
			t.Fatal(held, err)
		}
		locks = append(locks, lock)
	}
	return sync.OnceFunc(func() {
		for _, lock := range locks {
			if err := lock.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// Who cannot have what is remembered for itself gives nothing and says why; a file that a killed process left is nobody's lock.
func TestLockOfSessions(t *testing.T) {
	call := options(t)
	release := holdLocks(t)
	defer release()
	outcome, _ := answer(t, call, prompt("lock", asked))
	if outcome.Reply != nil || outcome.Record.Reason != "the memory of sessions is busy" || outcome.Record.Decision != hook.Silent || outcome.Record.Passages != 0 {
		t.Errorf("%+v, %q", outcome.Record, outcome.Steps)
	}
	outcome.Withdraw()
	release()
	if outcome, _ := answer(t, call, prompt("lock", asked)); outcome.Reply == nil {
		t.Errorf("%q", outcome.Steps)
	}
}

// Waiting for the memory of sessions ends before the deadline does, so that the reason is told.
func TestLockWithinDeadline(t *testing.T) {
	defer holdLocks(t)()
	call := options(t)
	open := call.Open
	call.Settings.Deadline = 300 * time.Millisecond
	var reasons []string
	for range 5 { // a machine that is busy may be late
		started := time.Now()
		call.Open = func(ctx context.Context) (*quarry.Engine, error) {
			engine, err := open(ctx)
			time.Sleep(240*time.Millisecond - time.Since(started)) // less than the patience is left
			return engine, err
		}
		outcome, _ := answer(t, call, prompt("lock within the deadline", asked))
		if outcome.Reply != nil {
			t.Fatal("given while another process remembers")
		}
		if took := outcome.Record.Milliseconds; outcome.Record.Reason == "the memory of sessions is busy" && took > 290 && took < 305 {
			return
		}
		reasons = append(reasons, fmt.Sprint(outcome.Record.Reason, outcome.Record.Milliseconds))
	}
	t.Errorf("%q", reasons)
}
