package quarry_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"quarry"
)

// newDwindling is a vault of 40 notes half of which went one after another, each counted by a process of its own; "20.md" is gone now,
// which is one too many.
func newDwindling(t *testing.T) *watchedVault {
	t.Helper()
	notes := map[string]string{}
	for i := range 40 {
		notes[fmt.Sprintf("%d.md", i)] = "kiln"
	}
	v := newWatchedVault(t, notes)
	v.runs("first", v.engine, quarry.IndexOptions{}, nil)
	for i := range 20 {
		v.do(os.Remove(v.at(fmt.Sprintf("%d.md", i))))
		if i%5 == 4 {
			v.runs("few", v.open(), quarry.IndexOptions{}, nil)
		}
	}
	v.do(os.Remove(v.at("20.md")))
	return v
}

func (v *watchedVault) runs(what string, engine *quarry.Engine, options quarry.IndexOptions, want error) {
	v.t.Helper()
	if _, err := engine.Index(v.t.Context(), options, nil); !errors.Is(err, want) {
		v.t.Fatalf("%s: %v, want %v", what, err, want)
	}
}

func (v *watchedVault) holds(what string, want int) {
	v.t.Helper()
	status, err := v.engine.Status(v.t.Context())
	v.do(err)
	if status.Notes != want {
		v.t.Errorf("%s: %d notes are in the index, want %d", what, status.Notes, want)
	}
}

// watchIsRefused has a watch begin, and end when it was told of the first run.
func (v *watchedVault) watchIsRefused() {
	v.t.Helper()
	ctx, cancel := context.WithCancel(v.t.Context())
	first := make(chan error, 10)
	ended := make(chan error, 1)
	engine := v.open()
	go func() {
		ended <- engine.Watch(ctx, quarry.WatchOptions{}, func(e quarry.WatchEvent) { first <- e.Err })
	}()
	if err := <-first; !errors.Is(err, quarry.ErrMassDelete) {
		v.t.Errorf("a watch: %v", err)
	}
	cancel()
	v.do(<-ended)
}

func (v *watchedVault) countFile() string {
	return filepath.Join(v.engine.StateDir(), "deletions.json")
}

// What a watch holds back no other run deletes, nor the next watch, unless it is forced.
func TestDeletionsOfAllProcesses(t *testing.T) {
	v := newDwindling(t)
	v.runs("dry", v.engine, quarry.IndexOptions{DryRun: true}, quarry.ErrMassDelete)
	for range 2 {
		v.watchIsRefused()
		v.runs("beside", v.engine, quarry.IndexOptions{}, quarry.ErrMassDelete)
		v.runs("another process", v.open(), quarry.IndexOptions{}, quarry.ErrMassDelete)
		v.runs("full", v.open(), quarry.IndexOptions{Full: true}, quarry.ErrMassDelete)
		v.runs("named", v.open(), quarry.IndexOptions{Paths: []string{"20.md"}}, quarry.ErrMassDelete)
	}
	v.write("new.md", "anvil")
	v.runs("what is there", v.open(), quarry.IndexOptions{Paths: []string{"new.md"}}, nil)
	v.holds("held back", 21)
	v.runs("forced", v.open(), quarry.IndexOptions{Force: true}, nil)
	v.holds("forced", 20)
	v.do(os.Remove(v.at("21.md")))
	v.runs("one more", v.open(), quarry.IndexOptions{}, nil)
	v.holds("one more", 19)
}

func TestKeptDeletions(t *testing.T) {
	at := func(d time.Duration) int64 { return time.Now().Add(d).UnixMilli() }
	count := func(isHeld bool, at int64) string {
		return fmt.Sprintf(`{"gone":20,"notes":20,"held":%t,"at":%d}`, isHeld, at)
	}
	for name, c := range map[string]struct {
		kept string
		want error
	}{
		"recent":       {count(false, at(-4*time.Minute)), quarry.ErrMassDelete},
		"long ago":     {count(false, at(-6*time.Minute)), nil},
		"to come":      {count(false, at(6*time.Minute)), nil},
		"held":         {count(true, at(-1000*time.Hour)), quarry.ErrMassDelete},
		"none":         {"", nil},
		"broken":       {count(true, at(0))[:20], nil},
		"below none":   {strings.Replace(count(true, at(0)), "20", "-20", 1), nil},
		"beyond reach": {strings.Replace(count(true, at(0)), "20", "9000000000000000000", 1), nil},
	} {
		t.Run(name, func(t *testing.T) {
			v := newDwindling(t)
			v.do(os.WriteFile(v.countFile(), []byte(c.kept), 0o600))
			v.runs(name, v.engine, quarry.IndexOptions{}, c.want)
			v.holds(name, map[bool]int{true: 19, false: 20}[c.want == nil])
		})
	}
	t.Run("removed", func(t *testing.T) {
		v := newDwindling(t)
		v.do(os.Remove(v.countFile()))
		v.runs("removed", v.engine, quarry.IndexOptions{}, nil)
	})
	t.Run("back again", func(t *testing.T) {
		v := newDwindling(t)
		v.runs("gone", v.engine, quarry.IndexOptions{}, quarry.ErrMassDelete)
		for i := range 21 {
			v.write(fmt.Sprintf("%d.md", i), "kiln")
		}
		v.runs("back", v.engine, quarry.IndexOptions{}, nil)
		if _, err := os.Stat(v.countFile()); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the count is kept: %v", err)
		}
	})
}

// The count is for the user alone, and tells numbers.
func TestDeletionsTellNumbersAlone(t *testing.T) {
	v := newDwindling(t)
	content, err := os.ReadFile(v.countFile())
	v.do(err)
	if !regexp.MustCompile(`^\{"gone":20,"notes":20,"held":false,"at":\d+\}$`).Match(content) {
		t.Errorf("%s", content)
	}
}
