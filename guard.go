package quarry

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"quarry/index"
	"quarry/internal/sensitivity"
	"quarry/store"
	"quarry/store/visible"
	"quarry/vault"
)

// All that an engine says is made from a snapshot that guard has been over, from files that mayRead lets through, and from
// names that lists gives. Nothing else asks for the audience.

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

// stored is the name under which a path is kept and shown.
func (e *Engine) stored(path string) string { return index.StoredPath(e.filter, path) }

// guard shows a snapshot as the audience may see it. For a client that takes a look at the vault: a note that changed
// since it was indexed counts by what it says now, too, and one whose file is gone, left out by rule or out of reach is
// not told of.
func (e *Engine) guard(ctx context.Context, snapshot *view) (store.Snapshot, error) {
	if !e.isForClient() && (!e.rules.HasSecret() || snapshot.meta[index.MetaRules] == e.rules.Hash()) {
		return snapshot.Snapshot, nil
	}
	real := sync.OnceValue(func() map[string]string { return e.redactedPaths(ctx) })
	realPath := func(stored string) string {
		if !isRedacted(stored) {
			return stored
		}
		return cmp.Or(real()[stored], stored)
	}
	if !e.isForClient() { // problems tell the owner of secret files
		return visible.Snapshot(ctx, snapshot.Snapshot, visible.Hidden{
			Note: func(n *store.Note) bool { return !e.mayTell(e.rules.Of(realPath(n.Path), n.Sensitivity)) },
		})
	}
	hidden := visible.Hidden{Path: func(path string) bool { return e.isHiddenFolder(realPath(path)) }}
	files, err := e.presentFiles(ctx)
	if err != nil {
		return nil, err
	}
	hidden.Note = func(n *store.Note) bool {
		file, ok := files[realPath(n.Path)]
		return !ok || !e.mayTell(e.rules.Of(file.Path, n.Sensitivity)) || isChanged(n.File, file) && !e.mayRead(ctx, file.Path, n.ContentHash)
	}
	return visible.Snapshot(ctx, snapshot.Snapshot, hidden)
}

// isChanged tells that a file may be another than the one that was indexed.
func isChanged(known store.File, file vault.File) bool {
	return known.SizeBytes != file.SizeBytes || known.ModifiedNanoseconds != file.ModifiedNanoseconds
}

// listing is what a look at the vault gave.
type listing struct {
	files map[string]vault.File
	taken time.Time
}

// lookEvery is for how long a look at the vault serves the questions of a client. What is read of a file, or found in it,
// is looked at anew each time.
const lookEvery = time.Second

// presentFiles are the files of the notes in the vault, by path.
func (e *Engine) presentFiles(ctx context.Context) (map[string]vault.File, error) {
	if last := e.looked.Load(); last != nil && time.Since(last.taken) < lookEvery {
		return last.files, nil
	}
	found, _, err := e.scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("scan the vault: %w", err)
	}
	next := &listing{files: make(map[string]vault.File, len(found.Files)), taken: time.Now()}
	for _, file := range found.Files {
		next.files[file.Path] = file
	}
	e.looked.Store(next)
	return next.files, nil
}

// maxVerdicts bounds what is remembered of files.
const maxVerdicts = 1 << 14

// verdicts remember which files may be read as they lie on disk. It is safe for concurrent use.
type verdicts struct {
	mu  sync.Mutex
	all map[verdictOn]bool
}

// verdictOn is a file with the hash of the content for which the answer is known, "" if there is none.
type verdictOn struct {
	file    vault.File
	indexed string
}

func (v *verdicts) get(on verdictOn) (verdict, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	verdict, ok = v.all[on]
	return verdict, ok
}

func (v *verdicts) keep(on verdictOn, verdict bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.all) >= maxVerdicts || v.all == nil {
		v.all = map[verdictOn]bool{}
	}
	v.all[on] = verdict
}

// mayRead tells whether the audience may see the file at a path, by what it says now. indexed is the hash of the content
// for which that is known to be so already, "" if there is none. What cannot be read may not be seen.
func (e *Engine) mayRead(ctx context.Context, path, indexed string) bool {
	file, err := e.vault.Stat(ctx, path)
	if err != nil || e.isHiddenFolder(path) {
		return false
	}
	if verdict, ok := e.seen.get(verdictOn{file, indexed}); ok {
		return verdict
	}
	raw, file, err := e.vault.Read(ctx, path)
	if err != nil {
		return false
	}
	verdict := true
	if sum := sha256.Sum256(raw); indexed == "" || hex.EncodeToString(sum[:]) != indexed {
		_, said := e.reading(ctx).Understand(e.stored(path), raw)
		verdict = e.mayTell(e.rules.Of(path, said.Name()))
	}
	e.seen.keep(verdictOn{file, indexed}, verdict)
	return verdict
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
	for _, n := range e.indexedNotes(ctx) {
		if real, ok := e.realPath(ctx, n.Path); ok {
			out.notes = append(out.notes, real)
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

// clean keeps secrets out of an error: what a caller asked for may stand in it. It stays what it is to errors.Is.
func (e *Engine) clean(err *error) {
	if *err == nil {
		return
	}
	if text, counts := e.filter.Redact((*err).Error()); len(counts) > 0 {
		*err = &redactedError{text, *err}
	}
}

// shown is a text without secrets.
func (e *Engine) shown(text string) string {
	redacted, _ := e.filter.Redact(text)
	return redacted
}

// warn logs an error without the secrets that it may hold.
func (e *Engine) warn(message string, err error) {
	e.clean(&err)
	e.logger.Warn(message, "error", err)
}

// redactedError hides the text of an error.
type redactedError struct {
	text string
	kind error
}

func (e *redactedError) Error() string        { return e.text }
func (e *redactedError) Is(target error) bool { return errors.Is(e.kind, target) }

// narrowReport leaves in the report of a run what a client may know: the problems and passages of notes that it may see.
func (e *Engine) narrowReport(ctx context.Context, report *IndexReport) error {
	problems := report.Problems
	report.Problems, report.Chunks, report.Skipped, report.Failed = []Problem{}, 0, 0, 0
	e.looked.Store(nil) // the run may have seen more than the last look
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
