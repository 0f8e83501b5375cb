// Package watch tells what changes below a folder, and who of several processes is the one to act on it.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Defaults of Options.
const (
	DefaultQuiet    = 150 * time.Millisecond
	DefaultLongest  = 500 * time.Millisecond
	DefaultMaxPaths = 2000
)

// rootEvery is how often the folder itself is looked at: nothing tells of a disk that goes away.
const rootEvery = 2 * time.Second

// ErrReplaced tells that another folder lies where the watched one was.
var ErrReplaced = errors.New("another folder was put in its place")

// Options say what to watch. Functions are called from one goroutine, with paths below Root with slashes; nil lets all through.
type Options struct {
	Root string // absolute path of the folder; a link to one is followed, links below it are not
	// Enters tells whether a folder is watched.
	Enters func(folder string) bool
	// Concerns tells whether a change matters. isContent: only what is in the file, or its attributes, changed; else it came or
	// went.
	Concerns func(path string, isContent bool) bool
	Quiet    time.Duration // a batch ends when nothing changed for so long; 0: DefaultQuiet
	Longest  time.Duration // and at the latest so long after its first change; 0: DefaultLongest
	MaxPaths int           // of one batch; more become All; 0: DefaultMaxPaths

	rootEvery  time.Duration // 0: the constant
	maxEntries int           // as the constant
}

// Batch is what changed.
type Batch struct {
	// Paths lie below the root, with slashes, sorted, each once: files and folders that came, went or changed. A folder stands
	// for all below it.
	Paths []string
	All   bool // anything may have changed
	Gone  bool // the root is not there any more; when it is back, all may have changed
}

// Watcher gathers changes. Next is for one goroutine at a time; everything else is safe for concurrent use.
type Watcher struct {
	options Options
	root    fs.FileInfo
	tree    tree
	cancel  context.CancelFunc
	work    sync.WaitGroup
	wake    chan struct{} // holds one entry when something changed
	renew   chan struct{} // holds one entry when folders are to be looked for

	mu          sync.Mutex
	pending     map[string]struct{}
	isAll       bool
	first, last time.Time // of the changes in pending
	isGone      bool
	isToldGone  bool
	isReplaced  bool
	limit       error
}

// Start begins to watch. What cannot be watched is told by Limit. It fails where the root is no folder that can be looked at.
// Close it.
func Start(ctx context.Context, options Options) (*Watcher, error) {
	w := &Watcher{options: options.withDefaults(), wake: make(chan struct{}, 1), renew: make(chan struct{}, 1), pending: map[string]struct{}{}}
	var err error
	if w.root, err = os.Stat(options.Root); err != nil {
		return nil, fmt.Errorf("watch %s: %w", options.Root, err)
	}
	ctx, w.cancel = context.WithCancel(ctx)
	w.tree.maxEntries = w.options.maxEntries
	w.open()
	w.work.Go(func() { w.watch(ctx) })
	return w, nil
}

func (o Options) withDefaults() Options {
	if o.Quiet <= 0 {
		o.Quiet = DefaultQuiet
	}
	if o.Longest <= 0 {
		o.Longest = DefaultLongest
	}
	o.Longest = max(o.Longest, o.Quiet)
	if o.MaxPaths <= 0 {
		o.MaxPaths = DefaultMaxPaths
	}
	if o.rootEvery <= 0 {
		o.rootEvery = rootEvery
	}
	if o.maxEntries <= 0 {
		o.maxEntries = maxEntries
	}
	if o.Enters == nil {
		o.Enters = func(string) bool { return true }
	}
	if o.Concerns == nil {
		o.Concerns = func(string, bool) bool { return true }
	}
	return o
}

// Close ends the watch.
func (w *Watcher) Close() {
	w.cancel()
	w.work.Wait()
	w.tree.close()
}

// Limit is why changes may be missed, nil where none are: the system lets only so many folders be watched. Then the caller has to
// look for itself from time to time.
func (w *Watcher) Limit() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.limit
}

// Next waits for the next batch. It fails with ctx's error, and with ErrReplaced.
func (w *Watcher) Next(ctx context.Context) (Batch, error) {
	for {
		batch, wait, err := w.take(time.Now())
		if err != nil || wait == 0 {
			return batch, err
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return Batch{}, ctx.Err()
		case <-w.wake:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// take gives the batch that is due, or how long to wait for one.
func (w *Watcher) take(now time.Time) (Batch, time.Duration, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.isReplaced:
		return Batch{}, 0, fmt.Errorf("watch %s: %w", w.options.Root, ErrReplaced)
	case w.isGone && !w.isToldGone:
		w.isToldGone = true
		return Batch{Gone: true}, 0, nil
	case w.isGone || !w.isAll && len(w.pending) == 0:
		return Batch{}, time.Hour, nil
	}
	due := w.last.Add(w.options.Quiet)
	if latest := w.first.Add(w.options.Longest); latest.Before(due) {
		due = latest
	}
	if due.After(now) {
		return Batch{}, due.Sub(now), nil
	}
	batch := Batch{All: w.isAll}
	if !w.isAll {
		for name := range w.pending {
			batch.Paths = append(batch.Paths, name)
		}
		slices.Sort(batch.Paths)
	}
	w.pending, w.isAll = map[string]struct{}{}, false
	return batch, 0, nil
}

// note books a change; "" is that anything may have changed.
func (w *Watcher) note(path string) {
	w.mu.Lock()
	now := time.Now()
	if !w.isAll && len(w.pending) == 0 {
		w.first = now
	}
	w.last = now
	switch {
	case w.isAll:
	case path == "" || len(w.pending) >= w.options.MaxPaths:
		w.isAll = true
		w.pending = map[string]struct{}{}
	default:
		w.pending[path] = struct{}{}
	}
	w.mu.Unlock()
	w.signal()
}

func (w *Watcher) signal() { signal(w.wake) }

func signal(to chan<- struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// watch takes events until ctx ends.
func (w *Watcher) watch(ctx context.Context) {
	ticker := time.NewTicker(w.options.rootEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			w.checkRoot()
		case <-w.renew:
			w.look()
			w.note("")
		case event, ok := <-w.tree.events():
			if !ok {
				w.lose(errors.New("the system has stopped telling of changes"))
				continue
			}
			w.handle(event)
		case err, ok := <-w.tree.errors():
			if ok {
				w.handleError(err)
			}
		}
	}
}

// checkRoot looks whether the root is still there.
func (w *Watcher) checkRoot() {
	info, err := os.Stat(w.options.Root)
	isReplaced := err == nil && !os.SameFile(info, w.root)
	isGone := err != nil && errors.Is(err, fs.ErrNotExist)
	w.mu.Lock()
	wasGone := w.isGone
	if err == nil || isGone {
		w.isGone = isGone
	}
	w.isToldGone = w.isToldGone && w.isGone
	w.isReplaced = w.isReplaced || isReplaced
	w.mu.Unlock()
	switch {
	case isReplaced:
		w.signal()
	case isGone && !wasGone:
		w.tree.close()
		w.signal()
	case err == nil && wasGone:
		w.open()
		w.note("")
	}
}

// open watches all folders anew.
func (w *Watcher) open() {
	w.setLimit(w.tree.open(w.options.Root, w.options.Enters))
}

// look watches all folders that are not yet.
func (w *Watcher) look() {
	if w.tree.isOpen() {
		w.setLimit(w.tree.addAll(w.options.Enters))
	} else {
		w.open()
	}
}

// setLimit tells what came of a look at folders. Where not all of them can be watched none is: other programs of the user need
// what there is, too.
func (w *Watcher) setLimit(err error) {
	if err != nil {
		w.tree.close()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limit = err
}

// lose is for what makes all further changes be missed.
func (w *Watcher) lose(err error) {
	w.setLimit(err)
	w.note("")
}

// handle books an event, and watches folders that came.
func (w *Watcher) handle(event event) {
	name, ok := w.tree.relative(event.name)
	if !ok {
		return
	}
	if name == "." {
		if event.isGone {
			w.checkRoot()
		}
		return
	}
	isFolder := w.tree.has(name)
	if event.isGone {
		w.tree.remove(name)
	}
	if event.isNew && !w.isLeftOut(name) {
		isNow, err := w.tree.add(name, w.options.Enters)
		if err != nil {
			w.setLimit(err)
		}
		isFolder = isFolder || isNow
	}
	isContent := !event.isNew && !event.isGone && !isFolder
	if w.options.Concerns(name, isContent) {
		w.note(name)
	}
}

// isLeftOut tells of a path whether a folder above it is not watched. There are events of such only where the rules changed.
func (w *Watcher) isLeftOut(name string) bool {
	for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
		if !w.options.Enters(folder) {
			return true
		}
	}
	return false
}

// handleError takes an event queue that ran over for what it is, and everything else as a sign that no more is told.
func (w *Watcher) handleError(err error) {
	if isOverflow(err) {
		w.look()
		w.note("")
		return
	}
	w.lose(fmt.Errorf("watch %s: %w", w.options.Root, err))
}

// Renew looks for folders that are not watched yet, as after a change of what Options.Enters tells, and has all compared.
func (w *Watcher) Renew() { signal(w.renew) }

// IsTemporary tells of a name below which editors, systems and sync services keep what is not yet, or not any more, a file of the
// user's.
func IsTemporary(name string) bool {
	lower := strings.ToLower(name)
	switch filepath.Ext(lower) {
	case ".tmp", ".temp", ".swp", ".swx", ".swo", ".part", ".partial", ".crdownload", ".icloud", ".bak~":
		return true
	}
	switch {
	case name == "4913", strings.HasPrefix(name, "."), strings.HasPrefix(name, "~$"), strings.HasSuffix(name, "~"):
		return true
	case len(name) > 2 && name[0] == '#' && name[len(name)-1] == '#':
		return true
	case strings.HasSuffix(name, "___jb_tmp___"), strings.HasSuffix(name, "___jb_old___"):
		return true
	case len(name) == len("sedAbCdEf") && strings.HasPrefix(name, "sed") && isAlphanumeric(name):
		return true
	}
	return false
}

func isAlphanumeric(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}
