package quarry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"quarry/index"
	"quarry/internal/notetype"
	"quarry/internal/sensitivity"
	"quarry/note"
	"quarry/search"
	"quarry/store"
	"quarry/store/sqlite"
	"quarry/vault"
)

// Who gets to know what. This file alone asks for the audience. All that an engine says is made of
//   - a snapshot of the index, without what byClass, byVault and byName hide; a search looks at each hit with presence;
//   - a file of the vault that isThere or mayRead lets through, and parseAt;
//   - names: those of lists, and that of a file which leftOut lets through;
//   - what a run, the status and the settings tell: runFor, progressFor, problemsFor, filesFor, noticesFor, foldersFor.
// A test of the architecture holds that whatever else opens the index or a file of the vault is named there.

// policy is what an audience may know.
type policy struct {
	strictest sensitivity.Class // of the notes that it sees
	// seesUnknown: it is told of what nobody knows the class of: files that are not indexed, that cannot be read, that lie
	// elsewhere, notes that are gone.
	seesUnknown bool
}

func (e *Engine) policy() policy {
	if e.config.Audience == Client {
		return policy{strictest: sensitivity.Internal}
	}
	return policy{strictest: sensitivity.Private, seesUnknown: true}
}

// audienceMarks are those of all audiences.
var audienceMarks = []string{string(Owner), string(Client)}

// audienceMark tells what was made for an audience from what was made for others.
func (e *Engine) audienceMark() string {
	if e.policy().seesUnknown {
		return string(Owner)
	}
	return string(Client)
}

// mayTell tells whether the audience may see notes of a class.
func (e *Engine) mayTell(class sensitivity.Class) bool { return class <= e.policy().strictest }

// isHiddenFolder tells of a path that the audience may not see for its folder alone.
func (e *Engine) isHiddenFolder(name string) bool {
	class, ok := e.rules.OfPath(path.Clean(name))
	return ok && !e.mayTell(class)
}

// errUnseen stands for all that the audience may not know: it is not there.
var errUnseen = &kindError{"it is not there", ErrNotFound}

// seesAll tells that nothing of an index is hidden from the owner: no note is in it that the rules of now call secret.
func (e *Engine) seesAll(meta map[string]string) bool {
	return e.policy().seesUnknown && (!e.rules.HasSecret() || meta[index.MetaRules] == e.rulesHash)
}

// byClass tells of a note of the index whether its class, by what is stored and by the folders of the rules of now, is not
// for the audience. Where nobody knows the class, since notes say it by other rules now, a client is told of no note; and where
// nobody knows the folder, a note is not told of either.
func (e *Engine) byClass(meta map[string]string, real realNames) func(path, class string) bool {
	isUnknown := !e.policy().seesUnknown && meta[index.MetaReading] != e.readingHash
	return func(path, class string) bool {
		name, ok := real(path)
		isUnplaced := !ok && (!e.policy().seesUnknown || e.rules.HasSecret())
		return isUnknown || isUnplaced || !e.mayTell(e.rules.Of(name, class))
	}
}

// byVault tells of a note of the index whether a look at the vault hides it from a client: it counts by what it says now, too,
// and is not told of where its file is gone, left out by rule or out of reach.
func (e *Engine) byVault(ctx context.Context, all *view, real realNames) (func(path string) bool, error) {
	if e.policy().seesUnknown {
		return func(string) bool { return false }, nil
	}
	return e.outdated(ctx, all, real)
}

// byName tells of what is no note whether its path is not for the audience; nil hides nothing. Problems tell the owner of secret
// files.
func (e *Engine) byName(real realNames) func(path string) bool {
	if e.policy().seesUnknown {
		return nil
	}
	return func(path string) bool {
		name, ok := real(path)
		return !ok || e.isHiddenFolder(name)
	}
}

// countSecret counts the notes of an index that became secret since: the owner sees all others.
func (e *Engine) countSecret(ctx context.Context, all, narrowed store.Snapshot) (int, error) {
	if !e.policy().seesUnknown {
		return 0, nil
	}
	whole, _, err := all.Counts(ctx)
	seen, _, seenErr := narrowed.Counts(ctx)
	return whole - seen, errors.Join(err, seenErr)
}

// presence gives a function that looks at the file of a hit, as it is now. A client gets no hit of a file that it may not
// see by now, that is gone or that cannot be looked at, and is not told that there was one.
func (e *Engine) presence(ctx context.Context, meta map[string]string) func(store.File) search.Presence {
	real, reading, sees := e.realNames(ctx), e.readingBeside(ctx, meta), e.policy().seesUnknown
	unseen := search.Withheld
	if sees {
		unseen = search.Gone
	}
	return func(known store.File) search.Presence {
		name, ok := real(known.Path)
		if !ok || e.vault.Ignored(name) || e.isHiddenFolder(name) {
			return unseen
		}
		var file vault.File
		var err error
		isReadable := true
		if sees {
			file, err = e.vault.Stat(ctx, name)
		} else { // size and time of a file can be set back
			file, isReadable = e.readable(ctx, reading, name, known.ContentHash)
		}
		switch {
		case !isReadable, isGone(err):
			return unseen
		case err != nil, index.IsSame(&known, &file): // what cannot be looked at says nothing
			return search.Fresh
		}
		return search.Stale
	}
}

// mayRead tells whether the audience may see the file at a path, by what it says now. indexed is the hash of the content
// for which that is known to be so already, "" if there is none. What cannot be read may not be seen.
func (e *Engine) mayRead(ctx context.Context, reading func() index.Reading, path, indexed string) bool {
	_, may := e.readable(ctx, reading, path, indexed)
	return may
}

// readable is mayRead, with how the file lay on disk when it was read.
func (e *Engine) readable(ctx context.Context, reading func() index.Reading, path, indexed string) (file vault.File, may bool) {
	if e.isHiddenFolder(path) {
		return file, false
	}
	raw, file, err := e.vault.Read(ctx, path)
	if err != nil {
		return file, false
	}
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) == indexed {
		return file, true
	}
	_, said := reading().Understand(e.stored(path), raw)
	return file, e.mayTell(e.rules.Of(path, said.Name()))
}

// isThere tells whether a file of the vault is one that the audience may ask for by its path. What a note says of itself is
// looked at for a client alone: it is parseAt that refuses the owner.
func (e *Engine) isThere(ctx context.Context, name string) error {
	sees := e.policy().seesUnknown
	if !sees && e.isHiddenFolder(name) { // before anything is looked at
		return errUnseen
	}
	_, err := e.vault.Stat(ctx, name)
	reading := func() index.Reading { return e.reading(ctx) }
	switch {
	case sees && err == nil && e.isHiddenFolder(name):
		return ErrSecret
	case sees:
		return err
	case err != nil, e.vault.Ignored(name), !e.mayRead(ctx, reading, name, ""):
		return errUnseen
	}
	return nil
}

// parseAt reads the file at a path for the audience.
func (e *Engine) parseAt(ctx context.Context, name string) (*note.Note, error) {
	sees := e.policy().seesUnknown
	isHidden := e.isHiddenFolder(name) || !sees && e.vault.Ignored(name)
	if isHidden && !sees {
		return nil, fmt.Errorf("read %s: %w", e.stored(name), ErrNotFound)
	}
	raw, _, err := e.vault.Read(ctx, name)
	switch {
	case err != nil && (sees || ctx.Err() != nil):
		return nil, e.explainRead(name, err)
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", e.stored(name), ErrNotFound)
	case isHidden:
		return nil, fmt.Errorf("read %s: %w", e.stored(name), ErrSecret)
	}
	parsed, said := e.reading(ctx).Understand(e.stored(name), raw)
	switch {
	case e.mayTell(e.rules.Of(name, said.Name())):
		return parsed, nil
	case sees:
		return nil, fmt.Errorf("read %s: %w", e.stored(name), ErrSecret)
	}
	return nil, fmt.Errorf("read %s: %w", e.stored(name), ErrNotFound)
}

// lists are the names that answers may hold.
type lists struct {
	notes  []string // paths of the notes as they lie on disk
	others []string // what links can name beside them
	secret []string // of class secret by their folder, for the owner alone
}

// lists looks at the vault for the audience. A client is told of indexed notes alone, and of no other file that could be
// one: nobody knows its class.
func (e *Engine) lists(ctx context.Context) (lists, error) {
	found, _, err := e.scan(ctx)
	if err != nil {
		return lists{}, fmt.Errorf("scan the vault: %w", err)
	}
	out := lists{others: slices.DeleteFunc(found.Others, e.isNoOther)}
	if e.policy().seesUnknown {
		told, secret := e.filesFor(found.Files, nil)
		for _, file := range told {
			out.notes = append(out.notes, file.Path)
		}
		out.secret = secret
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
	return e.isHiddenFolder(file) || !e.policy().seesUnknown && isNoteName(file)
}

// leftOut tells whether a file of the vault lies at a path that the rules leave out and that the audience may know of.
func (e *Engine) leftOut(ctx context.Context, name string) bool {
	if e.isNoOther(name) || !e.vault.Ignored(name) {
		return false
	}
	_, err := e.vault.Stat(ctx, name)
	return err == nil
}

func isNoteName(file string) bool {
	return slices.Contains(vault.DefaultExtensions(), strings.ToLower(path.Ext(file)))
}

// filesFor gives the files of the vault that the audience may be told of, and the paths of those that are secret by their
// folder, which the owner may. known are the files that its view of the index has, by their stored names.
func (e *Engine) filesFor(files []vault.File, known map[string]store.File) (told []vault.File, secret []string) {
	for _, file := range files {
		_, isKnown := known[file.Path]
		switch {
		case e.policy().seesUnknown && e.isHiddenFolder(file.Path):
			secret = append(secret, file.Path)
		case e.isHiddenFolder(file.Path):
		case !e.policy().seesUnknown && !isKnown && known[e.stored(file.Path)].Path == "":
		default:
			told = append(told, file)
		}
	}
	return told, secret
}

// problemsFor leaves to a client the problems of the notes that it sees.
func (e *Engine) problemsFor(problems []Problem, notes []store.Note) []Problem {
	if e.policy().seesUnknown {
		return problems
	}
	known := map[string]bool{}
	for i := range notes {
		known[notes[i].Path] = true
	}
	return slices.DeleteFunc(problems, func(p Problem) bool { return !known[p.Path] })
}

// runFor narrows what a run tells of itself. A client is told of notes alone that it sees after the run: how many of them were
// written, how many not, their passages, problems and redactions; nothing of notes that are gone, nor why the run began from
// nothing, nor, of a failure, more than its kind.
func (e *Engine) runFor(ctx context.Context, options IndexOptions, report IndexReport, err error) (IndexReport, error) {
	if e.policy().seesUnknown {
		return report, err
	}
	told := IndexReport{Problems: []Problem{}, Redactions: []store.Redaction{}, Full: options.Full}
	if err == nil || errors.Is(err, ErrInterrupted) {
		err = errors.Join(kindOfFailure(err), e.narrowReport(ctx, options, report, &told))
		return told, err
	}
	return told, kindOfFailure(err)
}

// progressFor is who is told how far a run is: of how many files is not for a client.
func (e *Engine) progressFor(progress func(IndexProgress)) func(IndexProgress) {
	if e.policy().seesUnknown {
		return progress
	}
	return nil
}

// Notices tells what bears on how far answers from the index can be relied on: settings that need a run before they act, a run that
// has not come to its end. Without an index the error is ErrNoIndex.
func (e *Engine) Notices(ctx context.Context) (_ []string, err error) {
	defer e.clean(&err)
	snapshot, err := e.wholeSnapshot(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the state of the index: %w", err)
	}
	defer snapshot.Close()
	return e.notices(snapshot.meta), nil
}

// noticesFor tells what of the settings has no effect before the next run. Which folders they name is not for a client.
func (e *Engine) noticesFor(meta map[string]string) []string {
	sees := e.policy().seesUnknown
	switch {
	case meta[index.MetaReading] != e.readingHash && sees:
		return []string{"the property, names or default of the sensitivity rules changed since the notes were indexed: clients get nothing of the index until `quarry index` has run"}
	case meta[index.MetaReading] != e.readingHash:
		return []string{"what notes say of their sensitivity is understood in another way since they were indexed: nothing of the index is shown until `quarry index` has run"}
	case meta[store.MetaSettings] != e.settings:
		return []string{"the settings of redaction, or the way this version reads notes, changed since the notes were indexed: run `quarry index`"}
	case meta[index.MetaRules] != e.rulesHash && sees:
		return []string{"the folders or the default of the sensitivity rules changed since the last run: what is told follows them already, `quarry index` takes secret notes out of the index"}
	case !index.HasGraph(meta):
		return []string{cutOffNotice}
	}
	return nil
}

// foldersFor tells the owner of folders in the rules that the vault does not have: they are misspelt, or not there yet.
func (e *Engine) foldersFor(listing vault.Listing) []string {
	if !e.policy().seesUnknown {
		return nil
	}
	var notices []string
	for _, folder := range e.rules.Unmatched(allPaths(listing)) {
		if !e.vault.Has(strings.Trim(path.Clean(folder), "/")) {
			notices = append(notices, fmt.Sprintf("the sensitivity rules name the folder %q, and the vault has none of this name", e.shown(folder)))
		}
	}
	return notices
}

// indexFileFor gives the path of the index's file; ok is false where the audience is told nothing of it: neither where it lies nor
// whether it is sound.
func (e *Engine) indexFileFor() (path string, ok bool) {
	if !e.policy().seesUnknown {
		return "", false
	}
	return e.shown(e.config.DatabasePath), true
}

// indexDamageFor checks the file of the index, which takes a while, and tells what is wrong with it: "" where nothing is, where
// there is no index, and where the audience is told nothing of it. An index that cannot be checked is an error.
func (e *Engine) indexDamageFor(ctx context.Context) (string, error) {
	if !e.policy().seesUnknown {
		return "", nil
	}
	opened, err := sqlite.Open(ctx, sqlite.Options{Path: e.config.DatabasePath, ReadOnly: true})
	if err == nil {
		err = errors.Join(opened.Verify(ctx), opened.Close())
	}
	switch {
	case errors.Is(err, ErrDamaged):
		return e.shown(err.Error()), nil
	case errors.Is(err, ErrNoIndex):
		return "", nil
	}
	return "", err
}

// errUnusable tells of a file that the settings of types may not come from. It says no more: the place may be nobody's business.
var errUnusable = errors.New("it cannot be used")

// cutOffNotice is what there is to tell where a run has not come to its graph.
const cutOffNotice = "the last run is still going on, or was cut off: notes and links may be missing until `quarry index` has come to its end"

// typesNoticeFor tells the owner that types decide something else now than when the index was made.
func (e *Engine) typesNoticeFor(ctx context.Context, meta map[string]string) []string {
	if !e.policy().seesUnknown || !e.typesChanged(ctx, meta) {
		return nil
	}
	return []string{typesNotice}
}

// typesFile reads the file of types: below the vault, or anywhere where the path is absolute. It is the same for every audience.
// What lies in a secret folder, and what is named as a note, is not even read.
func (e *Engine) typesFile(ctx context.Context, name string) ([]byte, error) {
	if !filepath.IsAbs(name) {
		return e.typesInVault(ctx, path.Clean(filepath.ToSlash(name)))
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return nil, err
	}
	if below, ok := e.belowVault(real); ok {
		return e.typesInVault(ctx, below)
	}
	if isNoteName(filepath.ToSlash(real)) {
		return nil, errUnusable
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, vault.ErrNotRegular
	}
	file, err := os.Open(real)
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(file, notetype.MaxBytes+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("read the types: %w", err)
	}
	return raw, nil
}

func (e *Engine) typesInVault(ctx context.Context, name string) ([]byte, error) {
	if _, err := e.vault.Stat(ctx, name); err != nil {
		return nil, err
	}
	if class, ok := e.rules.OfPath(name); isNoteName(name) || ok && class == sensitivity.Secret {
		return nil, errUnusable
	}
	raw, _, err := e.vault.Read(ctx, name)
	return raw, err
}

// belowVault gives the path below the vault of a file without links in its path, false where it lies elsewhere.
func (e *Engine) belowVault(file string) (string, bool) {
	root, err := os.Stat(e.vault.Root())
	if err != nil {
		return "", false
	}
	below := filepath.Base(file)
	for folder := filepath.Dir(file); ; folder = filepath.Dir(folder) {
		if info, err := os.Stat(folder); err == nil && os.SameFile(info, root) {
			return below, true
		}
		if folder == filepath.Dir(folder) {
			return "", false
		}
		below = path.Join(filepath.Base(folder), below)
	}
}

// typesOfIndex gives the types that the index was made with, by which it numbers passages; false where there is no index that
// could tell. No view may be open.
func (e *Engine) typesOfIndex(ctx context.Context) (*notetype.Types, bool) {
	all, err := e.wholeSnapshot(ctx)
	if err != nil {
		return nil, false
	}
	types, err := e.indexedTypes(all.meta)
	err = errors.Join(err, all.Close())
	return types, err == nil && e.isOfNow(all.meta)
}

// watchedFor is what a watch tells of a run. A client is told that there was one: what it may know of that takes a look at all
// notes.
func (e *Engine) watchedFor(report IndexReport) IndexReport {
	if e.policy().seesUnknown {
		return report
	}
	return IndexReport{Problems: []Problem{}, Redactions: []store.Redaction{}}
}
