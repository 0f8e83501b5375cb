package watch_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/internal/watch"
)

const (
	quiet     = 40 * time.Millisecond
	patiently = 5 * time.Second
)

// folder is a watched folder.
type folder struct {
	t       *testing.T
	dir     string
	watcher *watch.Watcher
}

func watched(t *testing.T, options watch.Options, files ...string) *folder {
	t.Helper()
	f := &folder{t: t, dir: filepath.Join(t.TempDir(), "notes")}
	if err := os.Mkdir(f.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		f.write(name, "before")
	}
	options.Root = f.dir
	options = watch.WithRootEvery(options, 5*quiet)
	if options.Quiet == 0 {
		options.Quiet = quiet
	}
	var err error
	if f.watcher, err = watch.Start(t.Context(), options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.watcher.Close)
	if err := f.watcher.Limit(); err != nil {
		t.Skip(err)
	}
	return f
}

func (f *folder) at(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

func (f *folder) write(name, text string) {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Dir(f.at(name)), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(f.at(name), []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

func (f *folder) move(from, to string) {
	f.t.Helper()
	if err := os.Rename(f.at(from), f.at(to)); err != nil {
		f.t.Fatal(err)
	}
}

func (f *folder) remove(name string) {
	f.t.Helper()
	if err := os.RemoveAll(f.at(name)); err != nil {
		f.t.Fatal(err)
	}
}

func (f *folder) next() (watch.Batch, error) {
	ctx, cancel := context.WithTimeout(f.t.Context(), patiently)
	defer cancel()
	return f.watcher.Next(ctx)
}

// rest is what changed until nothing does for a while.
func (f *folder) rest() watch.Batch {
	var all watch.Batch
	for {
		ctx, cancel := context.WithTimeout(f.t.Context(), 5*quiet)
		batch, err := f.watcher.Next(ctx)
		cancel()
		if err != nil {
			slices.Sort(all.Paths)
			all.Paths = slices.Compact(all.Paths)
			return all
		}
		all.Paths, all.All = append(all.Paths, batch.Paths...), all.All || batch.All
	}
}

// covers tells whether one who looks at the paths of a batch comes by a file.
func covers(batch watch.Batch, name string) bool {
	for ; name != "."; name = path.Dir(name) {
		if slices.Contains(batch.Paths, name) {
			return true
		}
	}
	return batch.All
}

// Whatever the way in which a program writes a file, the file is told.
func TestEditors(t *testing.T) {
	steps := func(do ...func(f *folder)) func(f *folder) {
		return func(f *folder) {
			for _, one := range do {
				one(f)
			}
		}
	}
	write := func(name string) func(*folder) { return func(f *folder) { f.write(name, "after") } }
	move := func(from, to string) func(*folder) { return func(f *folder) { f.move(from, to) } }
	remove := func(name string) func(*folder) { return func(f *folder) { f.remove(name) } }
	for name, test := range map[string]struct {
		edit func(f *folder)
		want []string
	}{
		"truncate and write": {write("a.md"), []string{"a.md"}},
		"in pieces": {func(f *folder) {
			file, err := os.Create(f.at("a.md"))
			if err != nil {
				f.t.Fatal(err)
			}
			defer file.Close()
			for range 5 {
				_, _ = file.WriteString("piece")
				_ = file.Sync()
				time.Sleep(quiet / 4)
			}
		}, []string{"a.md"}},
		"rename over":       {steps(write(".a.md.tmp"), move(".a.md.tmp", "a.md")), []string{"a.md"}},
		"delete and create": {steps(remove("a.md"), write("a.md")), []string{"a.md"}},
		"vim":               {steps(write("4913"), remove("4913"), write(".a.md.swp"), move("a.md", "a.md~"), write("a.md"), remove("a.md~"), remove(".a.md.swp")), []string{"a.md"}},
		"emacs":             {steps(write("#a.md#"), write("a.md"), remove("#a.md#")), []string{"a.md"}},
		"a Java editor":     {steps(write("a.md___jb_tmp___"), move("a.md", "a.md___jb_old___"), move("a.md___jb_tmp___", "a.md"), remove("a.md___jb_old___")), []string{"a.md"}},
		"sed":               {steps(write("sedAb12Cd"), move("sedAb12Cd", "a.md")), []string{"a.md"}},
		"a sync service":    {steps(write(".syncthing.a.md.tmp"), move(".syncthing.a.md.tmp", "a.md")), []string{"a.md"}},
		"a conflict":        {write("a.sync-conflict-20260101-120000-ABCDEFG.md"), []string{"a.sync-conflict-20260101-120000-ABCDEFG.md"}},
		"another name":      {move("a.md", "b.md"), []string{"a.md", "b.md"}},
		"gone":              {remove("a.md"), []string{"a.md"}},
		"a new folder":      {write("new/deep/er/b.md"), []string{"new/deep/er/b.md"}},
		"into a new folder": {steps(write("new/b.md"), func(*folder) { time.Sleep(2 * quiet) }, write("new/c.md")), []string{"new/b.md", "new/c.md"}},
		"a folder goes":     {remove("sub"), []string{"sub/in.md", "sub/deep/er.md"}},
		"another name of a folder": {
			steps(move("sub", "other"), func(*folder) { time.Sleep(2 * quiet) }, write("other/deep/er.md")),
			[]string{"sub/in.md", "other/in.md", "sub/deep/er.md", "other/deep/er.md"},
		},
		"a folder in another": {
			steps(move("sub", "to/sub"), func(*folder) { time.Sleep(2 * quiet) }, write("to/sub/deep/new.md"), move("to/sub", "back"), write("back/deep/x.md")),
			[]string{"sub/in.md", "to/sub/deep/new.md", "back/deep/x.md"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := watched(t, watch.Options{Concerns: func(name string, _ bool) bool { return !watch.IsTemporary(path.Base(name)) }},
				"a.md", "sub/in.md", "sub/deep/er.md", "to/a.md")
			test.edit(f)
			got := f.rest()
			for _, name := range test.want {
				if !covers(got, name) {
					t.Errorf("%s is not told: %q", name, got.Paths)
				}
			}
			for _, name := range got.Paths {
				if watch.IsTemporary(path.Base(name)) {
					t.Errorf("told: %s", name)
				}
			}
			if got.All {
				t.Error("all may have changed")
			}
		})
	}
}

// Where the system lets no more be watched that is told, and nothing is watched any more.
func TestLimit(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.md", i)), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := watch.Start(t.Context(), watch.WithMaxEntries(watch.Options{Root: dir, Quiet: quiet}, 10))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if runtime.GOOS == "windows" {
		t.Skip("one handle is enough here")
	}
	if err := w.Limit(); err == nil {
		t.Error("no limit")
	}
	for i := range 15 {
		if err := os.Remove(filepath.Join(dir, fmt.Sprintf("%d.md", i))); err != nil {
			t.Fatal(err)
		}
	}
	w.Renew()
	if batch, err := w.Next(t.Context()); err != nil || !batch.All || w.Limit() != nil {
		t.Errorf("after there was room: %+v, %v, limit %v", batch, err, w.Limit())
	}
}

// A folder that was moved is told of under its new name, not under the one by which it was first watched.
func TestMovedFoldersGoByTheirNewNames(t *testing.T) {
	f := watched(t, watch.Options{}, "sub/deep/a.md")
	f.move("sub", "other")
	f.rest()
	f.write("other/deep/a.md", "after")
	if got := f.rest(); !slices.Equal(got.Paths, []string{"other/deep/a.md"}) {
		t.Errorf("%q", got.Paths)
	}
}

func TestNames(t *testing.T) {
	f := watched(t, watch.Options{
		Enters:   func(folder string) bool { return folder != "out" && !strings.HasPrefix(folder, ".") },
		Concerns: func(name string, isContent bool) bool { return !isContent || strings.HasSuffix(name, ".md") },
	}, "in/a.md", "in/a.png", "out/b.md", ".git/c.md")
	f.write("out/b.md", "after")
	f.write("out/new/b.md", "new")
	f.write(".git/c.md", "after")
	f.write("in/a.md", "after")
	f.write("in/a.png", "after")
	f.write("in/b.png", "new")
	if diff := cmp.Diff([]string{"in/a.md", "in/b.png"}, f.rest().Paths); diff != "" {
		t.Error(diff)
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right here")
	}
	outside := t.TempDir()
	f := watched(t, watch.Options{}, "a.md")
	if err := os.Symlink(outside, f.at("link")); err != nil {
		t.Fatal(err)
	}
	f.rest()
	if err := os.WriteFile(filepath.Join(outside, "b.md"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := f.rest(); len(got.Paths) > 0 || got.All {
		t.Errorf("told of a file outside: %+v", got)
	}
}

// Who never pauses does not keep others waiting.
func TestSteadyWriting(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes the time, which the race detector stretches")
	}
	f := watched(t, watch.Options{Quiet: 200 * time.Millisecond, Longest: 300 * time.Millisecond}, "a.md")
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 60 {
			_ = os.WriteFile(f.at("a.md"), []byte("again"), 0o644)
			time.Sleep(20 * time.Millisecond)
		}
	}()
	began := time.Now()
	if _, err := f.next(); err != nil || time.Since(began) > time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	<-done
}

func TestManyAtOnce(t *testing.T) {
	f := watched(t, watch.Options{MaxPaths: 100, Quiet: 200 * time.Millisecond})
	for i := range 1000 {
		f.write(fmt.Sprintf("%d.md", i), "new")
	}
	const turns = 20 // of a busy machine, on which a batch may come late
	got := f.rest()
	for i := 0; !got.All && i < turns; i++ {
		got = f.rest()
	}
	if !got.All {
		t.Errorf("%d paths, not all", len(got.Paths))
	}
	for i := 0; f.rest().All && i < turns; i++ {
		t.Log("more of them came late")
	}
	f.write("1.md", "after")
	got = f.rest()
	for i := 0; len(got.Paths) == 0 && i < turns; i++ {
		got = f.rest()
	}
	if got.All || !slices.Equal(got.Paths, []string{"1.md"}) {
		t.Errorf("then %+v", got)
	}
}

func TestRootGoesAndComesBack(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a watched folder cannot be moved here")
	}
	f := watched(t, watch.Options{}, "a.md")
	away := f.dir + "-away"
	if err := os.Rename(f.dir, away); err != nil {
		t.Fatal(err)
	}
	if batch, err := f.next(); err != nil || !batch.Gone {
		t.Fatalf("%+v, %v", batch, err)
	}
	if err := os.Rename(away, f.dir); err != nil {
		t.Fatal(err)
	}
	if batch, err := f.next(); err != nil || !batch.All {
		t.Fatalf("%+v, %v", batch, err)
	}
	f.write("a.md", "after")
	if got := f.rest(); !slices.Equal(got.Paths, []string{"a.md"}) {
		t.Errorf("then %+v", got)
	}
	if err := errors.Join(os.Rename(f.dir, away), os.Mkdir(f.dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := f.next(); err != nil {
			if !errors.Is(err, watch.ErrReplaced) {
				t.Error(err)
			}
			return
		}
	}
}

func TestRenew(t *testing.T) {
	isIn := false
	f := watched(t, watch.Options{Enters: func(folder string) bool { return isIn || folder != "later" }}, "later/a.md")
	isIn = true
	f.watcher.Renew()
	if got := f.rest(); !got.All {
		t.Errorf("%+v", got)
	}
	f.write("later/a.md", "after")
	if got := f.rest(); !slices.Equal(got.Paths, []string{"later/a.md"}) {
		t.Errorf("then %+v", got)
	}
}

// TestLockOfAnotherProcess runs this test again as a process that holds the lock until it is killed.
func TestLockOfAnotherProcess(t *testing.T) {
	const variable = "QUARRY_TEST_LOCK"
	if file := os.Getenv(variable); file != "" {
		lock, err := watch.TryLock(file)
		fmt.Println(lock != nil, err)
		time.Sleep(time.Minute)
		return
	}
	file := filepath.Join(t.TempDir(), "deep", "lock")
	if watch.IsLocked(file) {
		t.Error("a lock that nobody has made is held")
	}
	lock, err := watch.TryLock(file)
	if err != nil || lock == nil {
		t.Fatal(lock, err)
	}
	if second, err := watch.TryLock(file); second != nil || err != nil || !watch.IsLocked(file) {
		t.Errorf("taken twice: %v, %v", second, err)
	}
	if err := lock.Release(); err != nil || watch.IsLocked(file) {
		t.Errorf("held after its release: %v", err)
	}
	other := exec.Command(os.Args[0], "-test.run=^TestLockOfAnotherProcess$")
	other.Env = append(os.Environ(), variable+"="+file)
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(patiently); !watch.IsLocked(file); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the other process does not take the lock")
		}
	}
	if lock, err := watch.TryLock(file); lock != nil || err != nil {
		t.Errorf("taken from another process: %v", err)
	}
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait()
	if lock, err := watch.TryLock(file); lock == nil || err != nil {
		t.Errorf("not free after a kill: %v", err)
	} else {
		_ = lock.Release()
	}
}
