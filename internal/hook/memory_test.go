package hook

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"quarry/internal/keep"
)

func memoryIn(t *testing.T, name string) memory {
	t.Helper()
	return memory{folder: keep.Folder{Dir: filepath.Join(t.TempDir(), "sessions")}, name: name, now: time.Now()}
}

// What is claimed is one's until it is withdrawn, and of more than are kept the oldest are forgotten.
func TestClaim(t *testing.T) {
	m := memoryIn(t, "a.json")
	if got, err := m.claim(t.Context(), []string{"1", "2"}, 0); err != nil || !got["1"] || !got["2"] {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := m.claim(t.Context(), []string{"2", "3"}, 0); err != nil || got["2"] || !got["3"] {
		t.Errorf("%v, %v", got, err)
	}
	m.withdraw([]string{"2", "4"})
	if _, known := m.fresh(nil, 0); !slices.Equal(known, []string{"1", "3"}) {
		t.Errorf("%q", known)
	}
	for i := range maxGiven {
		if _, err := m.claim(t.Context(), []string{fmt.Sprint("later", i)}, 0); err != nil {
			t.Fatal(err)
		}
	}
	if fresh, known := m.fresh([]string{"1", "3"}, 1); len(known) != maxGiven || !fresh["1"] || fresh["3"] {
		t.Errorf("%d known, fresh %v", len(known), fresh)
	}
	m.now = m.now.Add(2 * sessionExpiry)
	if fresh, known := m.fresh([]string{"later399"}, 1); len(known) != 0 || !fresh["later399"] {
		t.Errorf("%d known after its time", len(known))
	}
}

// hold takes the lock of a session as another process does.
func hold(t *testing.T, m memory) (release func()) {
	t.Helper()
	release, err := m.lock(0)
	if err != nil {
		t.Fatal(err)
	}
	return release
}

// A lock is one session's: who has it keeps another session from nothing, and its own from the memory, with an error that tells so.
func TestLockOfOneSession(t *testing.T) {
	m := memoryIn(t, "a.json")
	other := memory{m.folder, "b.json", m.now}
	release := hold(t, m)
	if got, err := other.claim(t.Context(), []string{"1"}, 0); err != nil || !got["1"] {
		t.Errorf("%v, %v", got, err)
	}
	started := time.Now()
	if got, err := m.claim(t.Context(), []string{"1"}, 30*time.Millisecond); !errors.Is(err, errBusy) || got != nil {
		t.Errorf("%v, %v", got, err)
	}
	if took := time.Since(started); took < 30*time.Millisecond {
		t.Errorf("patience of %v", took)
	}
	time.AfterFunc(20*time.Millisecond, release)
	if got, err := m.claim(t.Context(), []string{"1"}, 10*time.Second); err != nil || !got["1"] {
		t.Errorf("%v, %v", got, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if got, err := m.claim(ended, []string{"2"}, 0); !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("%v, %v", got, err)
	}
	if _, known := m.fresh(nil, 0); !slices.Equal(known, []string{"1"}) {
		t.Errorf("remembered too late: %q", known)
	}
}

// Sessions share a fixed number of locks.
func TestLocksAreFew(t *testing.T) {
	m := memoryIn(t, "")
	for i := range 3 * lockCount {
		m.name = fmt.Sprintf("%024x.json", i)
		hold(t, m)()
	}
	names, err := m.locks().Names()
	if err != nil || len(names) > lockCount || len(names) < lockCount/2 {
		t.Errorf("%d locks, %v", len(names), err)
	}
}

// oldSessions makes sessions that are a minute apart, ten of them too old.
func oldSessions(t *testing.T, m memory, count int) {
	t.Helper()
	for i := range count {
		name := fmt.Sprintf("%d.json", i)
		age := time.Duration(i) * time.Minute
		if i < 10 {
			age = sessionExpiry + time.Hour
		}
		if err := errors.Join(m.folder.Write(name, []byte("{}")), os.Chtimes(filepath.Join(m.folder.Dir, name), time.Time{}, m.now.Add(-age))); err != nil {
			t.Fatal(err)
		}
	}
}

// Sessions that are old or too many go; what is no file stays, and so does one that somebody has the lock of.
func TestPrune(t *testing.T) {
	m := memoryIn(t, "new.json")
	if err := os.MkdirAll(filepath.Join(m.folder.Dir, "folder.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	oldSessions(t, m, maxSessions+50)
	if err := m.folder.Write(m.name, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	release := hold(t, memory{m.folder, "7.json", m.now})
	if !m.prune(t.Context()) {
		t.Error("not done")
	}
	release()
	names, err := m.folder.Names()
	if err != nil || !slices.Contains(names, "7.json") || !slices.Contains(names, "new.json") || !slices.Contains(names, "10.json") || slices.Contains(names, "249.json") {
		t.Errorf("%q, %v", names, err)
	}
	if !m.prune(t.Context()) {
		t.Error("not done")
	}
	if names, err = m.folder.Names(); err != nil || len(names) != maxSessions || slices.Contains(names, "7.json") || slices.Contains(names, "9.json") {
		t.Errorf("%d files: %q, %v", len(names), names, err)
	}
	if _, err := os.Stat(filepath.Join(m.folder.Dir, "folder.json")); err != nil {
		t.Error(err)
	}
}

// What was given to a session after it was looked at is not forgotten.
func TestDrop(t *testing.T) {
	m := memoryIn(t, "new.json")
	oldSessions(t, m, 1)
	before, err := os.Stat(filepath.Join(m.folder.Dir, "0.json"))
	if err != nil {
		t.Fatal(err)
	}
	other := memory{m.folder, "0.json", m.now}
	if _, err := other.claim(t.Context(), []string{"1"}, 0); err != nil {
		t.Fatal(err)
	}
	m.drop(before)
	if _, known := other.fresh(nil, 0); !slices.Equal(known, []string{"1"}) {
		t.Errorf("%q", known)
	}
}

// Dropping old sessions needs no lock of the session's, ends when it is stopped, goes on the next time, and rests where it is done.
func TestTidy(t *testing.T) {
	m := memoryIn(t, "new.json")
	m.tidy(t.Context())()
	if entries, err := os.ReadDir(filepath.Dir(m.folder.Dir)); err != nil || len(entries) > 0 {
		t.Errorf("made where nothing is: %v, %v", entries, err)
	}
	oldSessions(t, m, 30)
	defer hold(t, m)()
	count := func() int {
		names, err := m.folder.Names()
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	for want := 29; want > 27; want-- {
		if m.tidy(ended)(); count() != want {
			t.Errorf("%d sessions, want %d", count(), want)
		}
	}
	for tries := 0; count() > 20 && tries < 10; tries++ {
		m.tidy(t.Context())()
	}
	if !m.prune(t.Context()) || m.locks().Write(tidied, nil) != nil || count() != 20 {
		t.Errorf("%d sessions", count())
	}
	oldSessions(t, m, 30)
	if m.tidy(t.Context())(); count() != 30 {
		t.Error("done again at once")
	}
	m.now = m.now.Add(tidyInterval + time.Minute)
	if m.tidy(t.Context())(); count() >= 30 {
		t.Error("not done after its time")
	}
}

// What is remembered behind the end of the time is forgotten, and what never was remembered takes nothing from another call.
func TestWithin(t *testing.T) {
	m := memoryIn(t, "a.json")
	if _, err := m.claim(t.Context(), []string{"another call's"}, 0); err != nil {
		t.Fatal(err)
	}
	a := &answering{}
	for _, isSettled := range []bool{true, false} {
		ctx, end := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer end()
		key := "another call's"
		claimed, goOn := make(chan error, 1), make(chan struct{})
		_, isDone := a.within(ctx, func(context.Context) Outcome {
			var err error
			if isSettled {
				key = "late"
				_, err = m.claim(t.Context(), []string{key}, 0)
			}
			claimed <- err
			<-goOn
			return Outcome{claim: &claim{memory: m, whole: key}, isSettled: isSettled}
		})
		if err := <-claimed; isDone || err != nil {
			t.Errorf("%v, %v", isDone, err)
		}
		close(goOn)
		for started := time.Now(); ; time.Sleep(time.Millisecond) {
			if _, known := m.fresh(nil, 0); slices.Equal(known, []string{"another call's"}) {
				break
			} else if time.Since(started) > 10*time.Second {
				t.Fatalf("remembered: %q", known)
			}
		}
	}
	time.Sleep(20 * time.Millisecond) // for the second, which has nothing to wait for
	if _, known := m.fresh(nil, 0); !slices.Equal(known, []string{"another call's"}) {
		t.Errorf("remembered: %q", known)
	}
	if outcome, isDone := a.within(t.Context(), func(context.Context) Outcome { panic("broken") }); !isDone || outcome.Record.Reason != "internal error" {
		t.Errorf("%+v, %v", outcome, isDone)
	}
}
