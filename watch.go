package quarry

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quarry/internal/watch"
	"quarry/vault"
)

// WatchOptions are those of watching a vault. The zero value has the defaults.
type WatchOptions struct {
	Debounce time.Duration // a batch of changes is indexed when nothing changed for so long; 0: 150 ms
	Scan     time.Duration // how often the whole vault is compared, for events that were missed; 0: 5 minutes
	// Progress tells how far the run over the whole vault is with which a process begins to lead; nil: nobody is told.
	Progress func(IndexProgress)
}

// WatchEvent is one run of the index, or what kept it.
type WatchEvent struct {
	Report IndexReport   // of a run that wrote something, and of the first one
	Took   time.Duration // the run
	Err    error         // of this run; watching goes on. The same error is told once in a row
	// Leading tells that this process keeps the index fresh; else another one does, and this one waits to take over.
	Leading bool
	// Limit is why changes are found by looking at the whole vault from time to time alone; "": they are told by the system.
	Limit string
}

// Times of a watch.
const (
	watchDebounce = watch.DefaultQuiet
	watchLongest  = watch.DefaultLongest // after the first change of a batch, for those who never pause
	watchScan     = 5 * time.Minute
	followEvery   = time.Second // a process that waits looks whether it is to lead

	// Where events are missed the whole vault is compared after limitedFactor times as long as that took, within bounds.
	limitedFactor  = 20
	limitedAtLeast = 2 * time.Second
	limitedAtMost  = time.Minute
	scanFactor     = 200 // else at least after so many times as long

	retryAtLeast = 100 * time.Millisecond
	retryAtMost  = 5 * time.Second
)

// Watch keeps the index fresh until ctx ends, then returns nil. Of several processes that watch one index one leads and writes;
// the others read, and one of them takes over when it ends. event may be nil; it is called one at a time. The error is ErrClosed
// or ErrVaultReplaced.
func (e *Engine) Watch(ctx context.Context, options WatchOptions, event func(WatchEvent)) (err error) {
	defer e.clean(&err)
	w := &watching{engine: e, options: options, tell: event}
	if w.tell == nil {
		w.tell = func(WatchEvent) {}
	}
	if w.options.Debounce <= 0 {
		w.options.Debounce = watchDebounce
	}
	if w.options.Scan <= 0 {
		w.options.Scan = watchScan
	}
	return w.run(ctx)
}

// ErrVaultReplaced tells that another folder lies where the vault was. It has to be opened anew.
var ErrVaultReplaced = errors.New("another folder was put in the place of the vault")

// watching is one call of Watch.
type watching struct {
	engine  *Engine
	options WatchOptions
	tell    func(WatchEvent)
	told    string // the last error, so that it is told once
	limit   string

	due     due
	backoff time.Duration // before the next attempt; 0 after one that went well
	took    time.Duration // the last comparison of the whole vault
	scanned time.Time     // its end

	isLeading bool
}

// due is what is to be looked at.
type due struct {
	paths []string
	isAll bool
}

func (d *due) isEmpty() bool { return !d.isAll && len(d.paths) == 0 }

func (d *due) add(batch watch.Batch) {
	d.isAll = d.isAll || batch.All
	d.paths = append(d.paths, batch.Paths...)
	if d.isAll || len(d.paths) > watch.DefaultMaxPaths {
		d.isAll, d.paths = true, nil
	}
}

// run waits for the lead, then leads.
func (w *watching) run(ctx context.Context) error {
	isWaiting := false
	for ctx.Err() == nil {
		if w.engine.isClosed() {
			return ErrClosed
		}
		lock, err := watch.TryLock(w.engine.config.DatabasePath + ".watch.lock")
		switch {
		case err != nil:
			w.fail(fmt.Errorf("watch: %w", err))
		case lock == nil && !isWaiting:
			isWaiting = true
			w.tell(WatchEvent{})
		case lock != nil:
			isWaiting, w.isLeading = false, true
			err = errors.Join(w.lead(ctx), lock.Release())
			w.isLeading = false
			if err != nil {
				return err
			}
		}
		sleep(ctx, followEvery)
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// lead brings the index up to date, and keeps it so.
func (w *watching) lead(ctx context.Context) error {
	watcher, err := watch.Start(ctx, watch.Options{
		Root: w.engine.vault.Root(), Enters: w.engine.isWatched, Concerns: w.engine.concerns,
		Quiet: w.options.Debounce, Longest: max(watchLongest, 2*w.options.Debounce),
	})
	if err != nil { // the vault is gone
		w.fail(err)
		return nil
	}
	defer watcher.Close()
	w.due, w.backoff = due{isAll: true}, 0
	isFirst := true
	for ctx.Err() == nil {
		if !w.due.isEmpty() {
			if err := w.index(ctx, watcher, isFirst); err != nil {
				return err
			}
			isFirst = isFirst && w.backoff > 0
		}
		if err := w.await(ctx, watcher); err != nil {
			return err
		}
	}
	return nil
}

// await waits for something to be due.
func (w *watching) await(ctx context.Context, watcher *watch.Watcher) error {
	wait := w.untilScan(watcher.Limit() != nil)
	if w.backoff > 0 {
		wait = w.backoff
	}
	within, cancel := context.WithTimeout(ctx, max(wait, time.Millisecond))
	defer cancel()
	batch, err := watcher.Next(within)
	switch {
	case ctx.Err() != nil:
		return nil
	case errors.Is(err, watch.ErrReplaced):
		return ErrVaultReplaced
	case err != nil: // it is time
		w.due.isAll = w.due.isAll || w.backoff == 0
		return nil
	case batch.Gone:
		w.fail(&vault.RootError{Dir: w.engine.vault.Root(), Err: errGone})
	}
	if slices.ContainsFunc(batch.Paths, w.engine.isSettings) {
		watcher.Renew()
		batch = watch.Batch{All: true}
	}
	w.due.add(batch)
	return nil
}

// untilScan is how long the whole vault need not be compared.
func (w *watching) untilScan(isLimited bool) time.Duration {
	every := max(w.options.Scan, scanFactor*w.took)
	if isLimited {
		every = min(max(limitedFactor*w.took, limitedAtLeast), limitedAtMost, every)
	}
	return time.Until(w.scanned.Add(every))
}

// index looks at what is due. What kept it is told, and it is tried again.
func (w *watching) index(ctx context.Context, watcher *watch.Watcher, isFirst bool) error {
	e, began := w.engine, time.Now()
	limit := ""
	if err := watcher.Limit(); err != nil {
		limit = e.shown(err.Error())
	}
	var progress func(IndexProgress)
	if isFirst {
		progress = e.progressFor(w.options.Progress)
	}
	report, err := e.indexWhole(ctx, IndexOptions{Paths: w.due.paths}, progress)
	took := time.Since(began)
	switch {
	case err == nil:
	case errors.Is(err, ErrInterrupted) || ctx.Err() != nil:
		return nil
	case e.isClosed():
		return ErrClosed
	default:
		w.retry(err)
		return nil
	}
	if w.due.isAll {
		w.took, w.scanned = took, time.Now()
	}
	w.due, w.backoff, w.told = due{}, 0, ""
	if isFirst || limit != w.limit || report.Indexed+report.Deleted > 0 {
		w.limit = limit
		w.tell(WatchEvent{Report: e.watchedFor(report), Took: took, Leading: true, Limit: limit})
	}
	return nil
}

// retry has a run tried again: soon where another process was writing, and with a look at all where something is wrong.
func (w *watching) retry(err error) {
	w.backoff = min(max(2*w.backoff, retryAtLeast), retryAtMost)
	if errors.Is(err, ErrBusy) {
		return
	}
	w.fail(err)
	if errors.Is(err, ErrMassDelete) {
		w.holdDeletions()
		return
	}
	w.due = due{isAll: true}
}

// holdDeletions leaves alone what is not there any more, until the next scan: it is not for this process to decide. What is there of
// the paths that were due is looked at nevertheless.
func (w *watching) holdDeletions() {
	isGone := func(name string) bool {
		_, err := os.Lstat(filepath.Join(w.engine.vault.Root(), filepath.FromSlash(name)))
		return err != nil
	}
	there := slices.DeleteFunc(slices.Clone(w.due.paths), isGone)
	if len(there) == len(w.due.paths) { // of a folder that is there, or of the whole vault
		there = nil
	}
	w.due, w.backoff = due{paths: there}, retryAtLeast
	if w.due.isEmpty() {
		w.backoff, w.scanned = 0, time.Now()
	}
}

// fail tells an error, once in a row.
func (w *watching) fail(err error) {
	e := w.engine
	_, err = e.runFor(context.Background(), IndexOptions{}, IndexReport{}, err)
	e.clean(&err)
	if err.Error() == w.told {
		return
	}
	w.told = err.Error()
	w.tell(WatchEvent{Err: err, Leading: w.isLeading})
}

var errGone = errors.New("it is not there any more; the index waits for it")

func (e *Engine) isClosed() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.closed
}

// obsidianFolder holds the settings that ignore rules follow from.
const obsidianFolder = ".obsidian"

// settingsFiles are those of the vault that decide about more than themselves.
var settingsFiles = []string{
	vault.IgnoreFile, ".quarry.toml", obsidianFolder, "logseq", "logseq/config.edn", "dendron.yml", ".foam", ".vscode/foam.json",
}

func (e *Engine) isSettings(name string) bool {
	isTemplates := func(s templateSetting) bool { return s.file == name }
	return slices.Contains(settingsFiles, name) || name == path.Clean(e.typesName()) || slices.ContainsFunc(templateSettings, isTemplates)
}

// isWatched tells of a folder whether what happens in it matters.
func (e *Engine) isWatched(folder string) bool {
	isOnTheWay := func(s templateSetting) bool { return strings.HasPrefix(s.file, folder+"/") }
	return folder == "logseq" || slices.ContainsFunc(templateSettings, isOnTheWay) || !e.vault.LeavesOut(folder)
}

// concerns tells of a change whether the index may have to follow. Of files that are no notes their names alone matter.
func (e *Engine) concerns(name string, isContent bool) bool {
	switch base := path.Base(name); {
	case e.isSettings(name), !e.vault.Ignored(name):
		return true
	case isContent, watch.IsTemporary(base), strings.HasPrefix(name, obsidianFolder+"/"):
		return false
	}
	return true
}

// IsIndexing tells whether a run of the index is writing, in this process or another.
func (e *Engine) IsIndexing() bool { return watch.IsLocked(e.config.DatabasePath + ".lock") }

// StateDir is the folder beside the index for what is kept between calls and can be thrown away: blocks, what sessions were given.
// It is made by whoever writes there, readable for the user alone.
func (e *Engine) StateDir() string { return e.config.DatabasePath + ".state" }
