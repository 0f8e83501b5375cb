package quarry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"quarry/index"
	"quarry/internal/sensitivity"
	"quarry/search"
	"quarry/store"
	"quarry/store/visible"
	"quarry/vault"
)

// Who gets to know what. All that an engine says is made of three things, and nothing else asks for the audience's sake what
// is in the index or in the vault:
//   - a snapshot of the index, by the function snapshot, or for a search by searched, whose hits presence looks at;
//   - a file of the vault that isThere or mayRead lets through, and parseAt;
//   - the names that lists gives.

func (e *Engine) isForClient() bool { return e.config.Audience == Client }

// mayTell tells whether the audience may see notes of a class.
func (e *Engine) mayTell(class sensitivity.Class) bool {
	if e.isForClient() {
		return class < sensitivity.Private
	}
	return class < sensitivity.Secret
}

// isHiddenFolder tells of a path that the audience may not see for its folder alone.
func (e *Engine) isHiddenFolder(path string) bool {
	class, ok := e.rules.OfPath(path)
	return ok && !e.mayTell(class)
}

// seesAll tells that nothing of an index is hidden from the owner: no note is in it that the rules of now call secret.
func (e *Engine) seesAll(meta map[string]string) bool {
	return !e.isForClient() && (!e.rules.HasSecret() || meta[index.MetaRules] == e.rules.Hash())
}

// byClass tells of a note of the index whether its class, by what is stored and by the folders of the rules of now, is not
// for the audience. Of a path that cannot be known a client is not told.
func (e *Engine) byClass(real realNames) func(path, class string) bool {
	return func(path, class string) bool {
		name, ok := real(path)
		return !ok && e.isForClient() || !e.mayTell(e.rules.Of(name, class))
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
		lister, isLister := all.Snapshot.(store.Lister)
		if last := e.part.Load(); isLister && last != nil && last.generation == lister.Generation() {
			return last.part.Of(all.Snapshot), nil
		}
		part, err := visible.Look(ctx, all.Snapshot, visible.Hidden{Note: e.byClass(e.realNames(ctx))})
		if err != nil {
			return nil, err
		}
		if isLister {
			e.part.Store(&keptPart{lister.Generation(), part})
		}
		return part.Of(all.Snapshot), nil
	})
}

// snapshot opens a view of the index for all other questions. For a client that takes a look at the vault: a note that
// changed since it was indexed counts by what it says now, too, and one whose file is gone, left out by rule or out of reach
// is not told of. The caller closes the view.
func (e *Engine) snapshot(ctx context.Context) (*view, error) {
	return e.guarded(ctx, func(all *view) (store.Snapshot, error) {
		if e.seesAll(all.meta) {
			return all.Snapshot, nil
		}
		real := e.realNames(ctx)
		isHidden := e.byClass(real)
		if !e.isForClient() { // problems tell the owner of secret files
			return visible.Snapshot(ctx, all.Snapshot, visible.Hidden{Note: isHidden})
		}
		isOutdated, err := e.outdated(ctx, all, real)
		if err != nil {
			return nil, err
		}
		return visible.Snapshot(ctx, all.Snapshot, visible.Hidden{
			Note: func(path, class string) bool { return isHidden(path, class) || isOutdated(path) },
			Path: func(path string) bool {
				name, ok := real(path)
				return !ok || e.isHiddenFolder(name)
			},
		})
	})
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
	return &view{narrowed, all.meta}, nil
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
	return func(path string) bool {
		name, _ := real(path)
		file, ok := files[name]
		return !ok || isChanged(known[path], file) && !e.mayRead(ctx, name, known[path].ContentHash)
	}, nil
}

// isChanged tells that a file may be another than the one that was indexed.
func isChanged(known store.File, file vault.File) bool {
	return known.SizeBytes != file.SizeBytes || known.ModifiedNanoseconds != file.ModifiedNanoseconds
}

// presence gives a function that looks at the file of a hit, as it is now. A client gets no hit of a file that it may not
// see by now, that is gone or that cannot be looked at, and is not told that there was one.
func (e *Engine) presence(ctx context.Context) func(store.File) search.Presence {
	real, unseen := e.realNames(ctx), search.Gone
	if e.isForClient() {
		unseen = search.Withheld
	}
	return func(known store.File) search.Presence {
		name, ok := real(known.Path)
		if !ok || e.vault.Ignored(name) || e.isHiddenFolder(name) {
			return unseen
		}
		file, err := e.vault.Stat(ctx, name)
		switch {
		case err != nil && (e.isForClient() || isGone(err)):
			return unseen
		case err != nil:
			return search.Fresh // it cannot be looked at, which says nothing
		case !isChanged(known, file):
			return search.Fresh
		case e.isForClient() && !e.mayRead(ctx, name, known.ContentHash):
			return unseen
		}
		return search.Stale
	}
}

// mayRead tells whether the audience may see the file at a path, by what it says now. indexed is the hash of the content
// for which that is known to be so already, "" if there is none. What cannot be read may not be seen.
func (e *Engine) mayRead(ctx context.Context, path, indexed string) bool {
	if e.isHiddenFolder(path) {
		return false
	}
	raw, _, err := e.vault.Read(ctx, path)
	if err != nil {
		return false
	}
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) == indexed {
		return true
	}
	_, said := e.reading(ctx).Understand(e.stored(path), raw)
	return e.mayTell(e.rules.Of(path, said.Name()))
}

// isThere tells whether a file of the vault is one that the audience may ask for by its path.
func (e *Engine) isThere(ctx context.Context, path string) error {
	_, err := e.vault.Stat(ctx, path)
	switch {
	case err != nil && e.isForClient() && !errors.Is(err, vault.ErrOutside):
		return errUnseen
	case err != nil:
		return err
	case !e.isForClient() && !e.rules.HasSecret():
		return nil
	case e.isForClient() && e.vault.Ignored(path), !e.mayRead(ctx, path, ""):
		return errUnseen
	}
	return nil
}

// errUnseen stands for all that the audience may not know: it is not there.
var errUnseen = &kindError{"it is not there", ErrNotFound}

// lists are the names that answers may hold.
type lists struct {
	notes  []string // paths of the notes as they lie on disk
	others []string // what links can name beside them
}

// lists looks at the vault for the audience. A client is told of indexed notes alone, and of no other file that could be
// one: nobody knows its class.
func (e *Engine) lists(ctx context.Context) (lists, error) {
	found, _, err := e.scan(ctx)
	if err != nil {
		return lists{}, fmt.Errorf("scan the vault: %w", err)
	}
	out := lists{others: slices.DeleteFunc(found.Others, e.isNoOther)}
	if !e.isForClient() {
		for _, file := range found.Files {
			if !e.isHiddenFolder(file.Path) {
				out.notes = append(out.notes, file.Path)
			}
		}
		return out, nil
	}
	real := e.realNames(ctx)
	for _, n := range e.indexedNotes(ctx) {
		if name, ok := real(n.Path); ok {
			out.notes = append(out.notes, name)
		}
	}
	return out, nil
}

// isNoOther tells of a file that the audience is not to know as one which links can name.
func (e *Engine) isNoOther(file string) bool {
	return e.isHiddenFolder(file) || e.isForClient() && isNoteName(file)
}

func isNoteName(file string) bool {
	return slices.Contains(vault.DefaultExtensions(), strings.ToLower(path.Ext(file)))
}

// narrowReport leaves in the report of a run what a client may know: the problems and passages of notes that it may see.
func (e *Engine) narrowReport(ctx context.Context, report *IndexReport) error {
	problems := report.Problems
	report.Problems, report.Chunks, report.Skipped, report.Failed = []Problem{}, 0, 0, 0
	snapshot, err := e.snapshot(ctx)
	if errors.Is(err, ErrNoIndex) {
		return nil
	}
	if err != nil {
		return err
	}
	defer snapshot.Close()
	notes, err := snapshot.Notes(ctx, store.NoteQuery{})
	if err != nil {
		return err
	}
	report.Problems = problemsOf(problems, notes)
	for _, p := range report.Problems {
		switch p.State {
		case "skipped":
			report.Skipped++
		case "failed":
			report.Failed++
		}
	}
	_, report.Chunks, err = snapshot.Counts(ctx)
	return err
}
