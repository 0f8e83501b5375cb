package quarry

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"quarry/index"
	"quarry/store"
	"quarry/store/sqlite"
	"quarry/store/visible"
	"quarry/vault"
)

// view is a snapshot with its metadata, which every question needs. Nobody who holds one waits for another: there may be none
// left.
type view struct {
	store.Snapshot
	meta       map[string]string
	secret     int // notes of the index that became secret and wait for a run to go, for the owner alone
	generation any // of the store, see store.Lister; nil where it has none
	// ofNow narrows the same view of the index further, to what snapshot shows. It is closed with this one.
	ofNow func() (*view, error)

	hash *[sha256.Size]byte // of the names that can be seen, nil before shown
}

// shown identifies the names that can be seen, where those are not all of the index.
func (v *view) shown(ctx context.Context) (sum [sha256.Size]byte, err error) {
	if _, isWhole := v.Snapshot.(store.Linked); isWhole {
		return sum, nil
	}
	if v.hash != nil {
		return *v.hash, nil
	}
	files, err := v.Files(ctx)
	if err != nil {
		return sum, err
	}
	others, err := v.OtherFiles(ctx)
	if err != nil {
		return sum, err
	}
	hash := sha256.New()
	write := func(path string) { fmt.Fprintf(hash, "%d:%s", len(path), path) }
	for i := range files {
		write(files[i].Path)
	}
	write("")
	for _, other := range others {
		write(other)
	}
	sum = [sha256.Size]byte(hash.Sum(nil))
	v.hash = &sum
	return sum, nil
}

// wholeSnapshot opens a view of the index as it stands, if it is that of this vault. The caller closes it.
func (e *Engine) wholeSnapshot(ctx context.Context) (*view, error) {
	reader, err := e.openReader(ctx)
	if err != nil {
		return nil, err
	}
	snapshot, err := reader.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	meta, err := snapshot.Meta(ctx)
	if err == nil && meta[store.MetaVault] != "" && !slices.Contains(e.placeSpellings, meta[store.MetaVault]) {
		err = fmt.Errorf("%w (%s)", ErrOtherVault, meta[store.MetaVault])
	}
	if err != nil {
		return nil, errors.Join(err, snapshot.Close())
	}
	v := &view{Snapshot: snapshot, meta: meta}
	if lister, ok := snapshot.(store.Lister); ok {
		v.generation = lister.Generation()
	}
	return v, nil
}

func (e *Engine) openReader(ctx context.Context) (*sqlite.Store, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, ErrClosed
	}
	if e.reader == nil {
		opened, err := sqlite.Open(ctx, sqlite.Options{Path: e.config.DatabasePath, ReadOnly: true})
		if err != nil {
			return nil, err
		}
		e.reader = opened
	}
	return e.reader, nil
}

// forgetReader closes the reading side, so that the next question opens the index anew.
func (e *Engine) forgetReader() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.reader != nil {
		if err := e.reader.Close(); err != nil {
			e.warn("close the index", err)
		}
		e.reader = nil
	}
}

// keptPart is what a search may see of one generation of the index.
type keptPart struct {
	generation any
	part       *visible.Part
}

// searched opens a view of the index for a search, without the notes that byClass hides, which is worked out once for each
// generation. A note that has changed since is still in its figures: presence keeps it out of the answer. The caller closes
// the view.
func (e *Engine) searched(ctx context.Context) (*view, error) {
	return e.guarded(ctx, func(all *view) (store.Snapshot, error) {
		if e.seesAll(all.meta) {
			return all.Snapshot, nil
		}
		if last := e.part.Load(); all.generation != nil && last != nil && last.generation == all.generation {
			return last.part.Of(all.Snapshot), nil
		}
		part, err := visible.Look(ctx, all.Snapshot, visible.Hidden{Note: e.byClass(all.meta, e.realNames(ctx))})
		if err != nil {
			return nil, err
		}
		if all.generation != nil {
			e.part.Store(&keptPart{all.generation, part})
		}
		return part.Of(all.Snapshot), nil
	})
}

// snapshot opens a view of the index for all other questions, without what byClass, byVault and byName hide. The caller closes
// the view.
func (e *Engine) snapshot(ctx context.Context) (*view, error) {
	return e.guarded(ctx, func(all *view) (store.Snapshot, error) { return e.narrowed(ctx, all) })
}

// narrowed is a view without what byClass, byVault and byName hide.
func (e *Engine) narrowed(ctx context.Context, all *view) (store.Snapshot, error) {
	if e.seesAll(all.meta) {
		return all.Snapshot, nil
	}
	real := e.realNames(ctx)
	byClass := e.byClass(all.meta, real)
	byVault, err := e.byVault(ctx, all, real)
	if err != nil {
		return nil, err
	}
	narrowed, err := visible.Snapshot(ctx, all.Snapshot, visible.Hidden{
		Note: func(path, class string) bool { return byClass(path, class) || byVault(path) }, Path: e.byName(real),
	})
	if err != nil {
		return nil, err
	}
	all.secret, err = e.countSecret(ctx, all, narrowed)
	return narrowed, err
}

// guarded opens a view of the index as guard narrows it.
func (e *Engine) guarded(ctx context.Context, guard func(all *view) (store.Snapshot, error)) (*view, error) {
	all, err := e.wholeSnapshot(ctx)
	if err != nil {
		return nil, err
	}
	narrowed, err := guard(all)
	if err != nil {
		return nil, errors.Join(err, all.Close())
	}
	v := &view{Snapshot: narrowed, meta: all.meta, secret: all.secret, generation: all.generation}
	v.ofNow = sync.OnceValues(func() (*view, error) {
		narrowed, err := e.narrowed(ctx, all)
		return &view{Snapshot: narrowed, meta: all.meta, secret: all.secret, generation: all.generation}, err
	})
	return v, nil
}

// outdated compares the notes of an index with the vault: it tells of a path whether its file is no longer among the notes,
// or has changed into one that the audience may not see.
func (e *Engine) outdated(ctx context.Context, all *view, real realNames) (func(path string) bool, error) {
	listing, _, err := e.scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("scan the vault: %w", err)
	}
	files := make(map[string]vault.File, len(listing.Files))
	for _, file := range listing.Files {
		files[file.Path] = file
	}
	indexed, err := all.Files(ctx)
	if err != nil {
		return nil, err
	}
	known := make(map[string]store.File, len(indexed))
	for _, file := range indexed {
		known[file.Path] = file
	}
	reading := e.readingBeside(ctx, all.meta)
	return func(path string) bool {
		name, _ := real(path)
		file, ok := files[name]
		old := known[path]
		return !ok || !index.IsSame(&old, &file) && !e.mayRead(ctx, reading, name, old.ContentHash)
	}, nil
}

// filterAgain filters what was taken out of an index that another filter was asked about. What the one of now has let into
// the index it would let out.
func filterAgain[T any](e *Engine, meta map[string]string, answer *T) error {
	if meta[store.MetaSettings] == e.settings {
		return nil
	}
	encoded, err := json.Marshal(answer)
	if err != nil {
		return fmt.Errorf("filter the answer: %w", err)
	}
	var filtered T
	if err := json.Unmarshal(e.filter.RedactJSON(encoded), &filtered); err != nil {
		return fmt.Errorf("filter the answer: %w", err)
	}
	*answer = filtered
	return nil
}
