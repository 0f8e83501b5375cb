package hook_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
			time.Sleep(260*time.Millisecond - time.Since(started)) // less than the patience is left
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
	if !slices.ContainsFunc(reasons, func(reason string) bool { return !strings.HasPrefix(reason, "too late") }) {
		t.Skip("the machine is too busy: the search alone takes what is left")
	}
	t.Errorf("%q", reasons)
}

// The last part of a deadline is for remembering: the work has the rest.
func TestTimeOfWork(t *testing.T) {
	for deadline, want := range map[time.Duration]time.Duration{hook.DefaultDeadline: 90 * time.Millisecond, 20 * time.Millisecond: 15 * time.Millisecond} {
		call := options(t)
		call.Settings.Deadline = deadline
		var left, passed time.Duration
		started := time.Now()
		call.Open = func(ctx context.Context) (*quarry.Engine, error) {
			end, _ := ctx.Deadline()
			left, passed = end.Sub(started), time.Since(started)
			return nil, os.ErrNotExist
		}
		if outcome, _ := answer(t, call, prompt("time", asked)); outcome.Record.Reason == "too late" {
			t.Skip("the machine is busy")
		}
		if left < want || left > want+passed {
			t.Errorf("%v of %v, want %v", left, deadline, want)
		}
	}
}

// Old sessions go beside a prompt and beside a session start, where nobody has dropped them for an hour.
func TestOldSessionsGo(t *testing.T) {
	config, err := vault()
	if err != nil {
		t.Fatal(err)
	}
	state := config.DatabasePath + ".state"
	old := filepath.Join(state, "sessions", "0123456789abcdef01234567.json")
	for _, payload := range []string{prompt("tidy", asked), `{"session_id":"tidy","hook_event_name":"SessionStart","source":"startup"}`} {
		for _, isDue := range []bool{true, false} {
			call := options(t)
			if isDue {
				if err := os.RemoveAll(filepath.Join(state, "sessions.locks")); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.MkdirAll(filepath.Dir(old), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(old, []byte("{}"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(old, time.Time{}, time.Now().Add(-8*24*time.Hour)); err != nil {
				t.Fatal(err)
			}
			answer(t, call, payload)
			if _, err := os.Stat(old); os.IsNotExist(err) != isDue {
				t.Errorf("%s: due: %v, %v", payload, isDue, err)
			}
			if !isDue {
				continue
			}
			// whatever the first had time for, the work is done now
			if err := os.WriteFile(filepath.Join(state, "sessions.locks", "tidied"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}
