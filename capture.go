package quarry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"quarry/index"
	"quarry/internal/capture"
	"quarry/internal/draft"
	"quarry/internal/sensitivity"
	"quarry/internal/watch"
	"quarry/vault"
)

// DefaultCaptureFolder is where captured notes go, below the vault.
const DefaultCaptureFolder = "00-inbox"

// MaxCaptureBytes bounds the text of a capture: 1 MiB.
const MaxCaptureBytes = 1 << 20

// Bounds of a capture.
const (
	maxCaptureTags   = 50
	mostHeadBytes    = 4 << 10                 // before the text of a note that is looked at for its like, unless the new one has more
	mostAlike        = 500                     // notes of such a size that are read
	captureWait      = 1500 * time.Millisecond // for another process that writes the index
	captureRun       = 5 * time.Second         // for the run of its own, which may have to look at the whole vault
	captureBeside    = 5 * time.Second         // notes of so short a time are taken in together,
	mostBeside       = 64                      // so many at once
	captureLockStep  = 5 * time.Millisecond
	captureWaitStep  = 30 * time.Millisecond
	captureTries     = 4 // so many steps from one try to the next
	captureExtension = ".md"
)

// Errors of a capture that callers tell apart with errors.Is.
var (
	// ErrEmptyCapture: the text has nothing to be kept.
	ErrEmptyCapture = errors.New("there is no text")
	// ErrLongCapture: the text is longer than MaxCaptureBytes.
	ErrLongCapture = errors.New("the text is too long")
	// ErrCaptureTag: a tag has no character that a tag can be made of.
	ErrCaptureTag = errors.New("that is no tag")
	// ErrCaptureFolder: no note can be captured into the folder of the configuration.
	ErrCaptureFolder = errors.New("no note can be captured into this folder")
)

// CaptureRequest is a note to be written.
type CaptureRequest struct {
	Text   string   // of the note, without frontmatter; at most MaxCaptureBytes
	Title  string   // "": made from the text
	Domain string   // property domain, "" for none
	Tags   []string // without "#"; blanks become "-"
	Type   string   // property type; "": note
	Source string   // where it comes from: a tool, an address; "": capture
	// Deduplicate writes nothing where the folder has a note of the same text that the audience may see.
	Deduplicate bool
}

// Captured tells what became of a capture. Its JSON form is part of the contract.
type Captured struct {
	FilePath   string           `json:"file_path"`
	Title      string           `json:"title"`
	Existing   bool             `json:"existing"` // a note of this text was there; nothing was written
	Indexed    bool             `json:"indexed"`  // findable now; else with the next run
	Redactions []RedactionCount `json:"redactions"`
	Notices    []string         `json:"notices,omitempty"`
}

// Capture writes a new note below the capture folder, without secrets, and indexes it. It never changes a file that is there, and
// the note appears under its name as a whole. Where another process writes the index it waits a moment, and leaves the note to the
// next run. A client may capture, too: whether it can read the note afterwards is for the rules of sensitivity to say.
func (e *Engine) Capture(ctx context.Context, request CaptureRequest) (captured Captured, err error) {
	defer e.clean(&err)
	defer func() {
		if err != nil {
			err = fmt.Errorf("capture a note: %w", err)
		}
	}()
	folder, err := e.captureFolder()
	if err != nil {
		return Captured{}, err
	}
	note, redactions, err := e.captureNote(request)
	if err != nil {
		return Captured{}, err
	}
	captured = Captured{Title: note.Title, Redactions: redactions}
	written, existing, err := e.writeCaptured(ctx, folder, note, request.Deduplicate)
	if err != nil {
		return Captured{}, err
	}
	if existing != "" {
		captured.FilePath, captured.Existing = existing, true
		captured.Indexed, _, _ = e.isIndexed(ctx, existing) // without an index it is not
		return captured, nil
	}
	captured.FilePath = e.stored(written)
	if err := e.indexCaptured(ctx, folder, written); err != nil {
		captured.Notices = append(captured.Notices, notIndexedNotice(err))
		return captured, ctx.Err()
	}
	captured.Indexed = true
	return captured, nil
}

// writeCaptured writes a note, and gives its path; or with deduplicate the stored path of one that has its text. Of captures that look
// for that at once, in other processes too, one looks and writes at a time.
func (e *Engine) writeCaptured(ctx context.Context, folder string, note capture.Note, deduplicate bool) (written, existing string, err error) {
	if deduplicate {
		defer e.lockCaptures(ctx)()
		if existing, err = e.findCaptured(ctx, folder, note); err != nil || existing != "" {
			return "", existing, folderError(folder, err)
		}
	}
	written, err = e.vault.Create(ctx, folder, e.captureName(note), []byte(e.shown(note.String())))
	return written, "", folderError(folder, err)
}

// folderError says of a folder that is none that it can be no capture folder.
func folderError(folder string, err error) error {
	if errors.Is(err, vault.ErrNotRegular) {
		return fmt.Errorf("%w: %q, or a part of it, is a file or a link, and no link is followed", ErrCaptureFolder, folder)
	}
	return err
}

// lockCaptures waits a moment for others that capture. Without the lock two may write the same text, which is no harm.
func (e *Engine) lockCaptures(ctx context.Context) (release func()) {
	within, cancel := context.WithTimeout(ctx, captureWait)
	defer cancel()
	for {
		lock, err := watch.TryLock(filepath.Join(e.StateDir(), "capture.lock"))
		switch {
		case lock != nil:
			return func() { _ = lock.Release() }
		case err != nil:
			e.warn("lock captures", err)
			return func() {}
		}
		select {
		case <-within.Done():
			return func() {}
		case <-time.After(captureLockStep):
		}
	}
}

// captureFolder is the folder of the configuration in its plain form. What the audience may not know of it is not said: that
// nothing is taken in from there is all.
func (e *Engine) captureFolder() (string, error) {
	named := cmp.Or(e.config.CaptureFolder, DefaultCaptureFolder)
	if err := CheckCaptureFolder(named); err != nil {
		return "", err
	}
	folder := path.Clean(filepath.ToSlash(named))
	first := path.Join(folder, "note"+captureExtension)
	class, isRuled := e.rules.OfPath(first)
	if e.vault.Ignored(first) || isRuled && class == sensitivity.Secret {
		return "", fmt.Errorf("%w: notes in %q are not taken into the index", ErrCaptureFolder, folder)
	}
	return folder, nil
}

// CheckCaptureFolder tells what is wrong with the name of a folder that captured notes are to go into: it lies below the vault, or is
// "." for the vault itself, and no part of it begins with a dot. The error matches ErrCaptureFolder.
func CheckCaptureFolder(folder string) error {
	slashed := filepath.ToSlash(folder)
	clean := path.Clean(slashed)
	switch {
	case strings.TrimSpace(folder) == "", strings.ContainsRune(folder, 0):
		return fmt.Errorf("%w: it has no name", ErrCaptureFolder)
	case clean == ".":
		return nil
	case path.IsAbs(slashed), !filepath.IsLocal(filepath.FromSlash(clean)), strings.Contains(clean, ":"):
		return fmt.Errorf("%w: it lies outside of the vault", ErrCaptureFolder)
	}
	for part := range strings.SplitSeq(clean, "/") {
		if strings.HasPrefix(part, ".") {
			return fmt.Errorf("%w: folders whose names begin with a dot are not taken in", ErrCaptureFolder)
		}
	}
	return nil
}

// captureNote is the note of a request, without secrets.
func (e *Engine) captureNote(request CaptureRequest) (capture.Note, []RedactionCount, error) {
	if err := checkCaptureLength(len(request.Text), MaxCaptureBytes); err != nil {
		return capture.Note{}, nil, err
	}
	counts := map[string]int{}
	redacted := func(text string) string {
		text, found := e.filter.Redact(text)
		for _, one := range found {
			counts[one.Name] += one.Count
		}
		return text
	}
	text := redacted(draft.Text(request.Text))
	if strings.TrimSpace(text) == "" {
		return capture.Note{}, nil, ErrEmptyCapture
	}
	if err := checkCaptureLength(len(text), MaxCaptureBytes); err != nil { // it may have grown
		return capture.Note{}, nil, err
	}
	n := capture.Note{
		Title: redacted(draft.TitleLine(request.Title)), Type: redacted(cmp.Or(draft.Line(request.Type), "note")), Domain: redacted(draft.Line(request.Domain)),
		Source: redacted(cmp.Or(draft.Line(request.Source), "capture")), Created: e.now(), Text: text,
	}
	if n.Title == "" {
		n.Title = e.shown(draft.TitleOf(text))
	}
	for _, written := range request.Tags {
		if strings.TrimSpace(written) == "" {
			continue
		}
		tag, ok := draft.Tag(redacted(written))
		if !ok {
			return capture.Note{}, nil, fmt.Errorf("%w: %q", ErrCaptureTag, written)
		}
		if !slices.Contains(n.Tags, tag) && len(n.Tags) < maxCaptureTags {
			n.Tags = append(n.Tags, tag)
		}
	}
	if largest := e.config.MaxFileBytes; largest > 0 { // a larger file is not taken into the index
		if err := checkCaptureLength(len(n.String()), largest); err != nil {
			return capture.Note{}, nil, err
		}
	}
	return n, sortedCounts(counts), nil
}

func checkCaptureLength(length int, most int64) error {
	if int64(length) > most {
		return fmt.Errorf("%w: %d bytes, and %d is the most", ErrLongCapture, length, most)
	}
	return nil
}

func sortedCounts(counts map[string]int) []RedactionCount {
	redactions := []RedactionCount{}
	for name, count := range counts {
		redactions = append(redactions, RedactionCount{Name: name, Count: count})
	}
	slices.SortFunc(redactions, func(a, b RedactionCount) int { return strings.Compare(a.Name, b.Name) })
	return redactions
}

// captureName is the name of a note's file: without its title where that would be taken for a secret.
func (e *Engine) captureName(n capture.Note) vault.Name {
	stem := draft.FileStem(n.Created, n.Title)
	if e.shown(stem+captureExtension) != stem+captureExtension {
		stem = draft.FileStem(n.Created, "")
	}
	return vault.Name{Stem: stem, Extension: captureExtension}
}

// findCaptured gives the stored path of a note in the folder that has the text of this one and that the audience may see, "" where
// there is none.
func (e *Engine) findCaptured(ctx context.Context, folder string, note capture.Note) (string, error) {
	text := note.Text
	head, lines := len(note.String())-len(text), strings.Count(text, "\n") // which an editor may end with two characters
	bounds := [2]int64{int64(len(text)), int64(len(text) + lines + max(2*head, mostHeadBytes))}
	files, err := e.vault.Sized(ctx, folder, captureExtension, bounds, mostAlike)
	if err != nil {
		return "", err
	}
	reading := sync.OnceValue(func() index.Reading { return e.reading(ctx) })
	for _, file := range files {
		raw, _, err := e.vault.Read(ctx, file.Path)
		if err != nil || draft.Body(string(raw)) != text || e.vault.Ignored(file.Path) {
			continue // what cannot be read is not the same
		}
		if e.mayRead(ctx, reading, file.Path, "") {
			return e.stored(file.Path), nil
		}
	}
	return "", ctx.Err()
}

// isIndexed tells whether the index has a note, and whether it was made by the settings of now. It is asked of notes alone that were
// captured, or that the audience may see.
func (e *Engine) isIndexed(ctx context.Context, stored string) (isThere, isOfNow bool, err error) {
	v, err := e.wholeSnapshot(ctx)
	if err != nil {
		return false, false, err
	}
	_, isThere, err = v.Note(ctx, stored)
	return isThere, e.isOfNow(v.meta), errors.Join(err, v.Close())
}

// indexCaptured takes a note into the index, with others that came into its folder at about the same time: of many captures at once
// few have to wait. Where another process writes it looks whether that one takes the note in.
func (e *Engine) indexCaptured(ctx context.Context, folder, written string) error {
	within, cancel := context.WithTimeout(ctx, captureWait)
	defer cancel()
	for turn := 0; ; turn++ {
		isThere, isOfNow, err := e.isIndexed(ctx, e.stored(written))
		switch {
		case err != nil || isThere:
			return err
		case !isOfNow:
			return errOutdated
		}
		err = ErrBusy
		if turn%captureTries == 0 && !e.IsIndexing() {
			err = e.runForCaptured(ctx, folder, written)
		}
		if !errors.Is(err, ErrBusy) {
			return err
		}
		select {
		case <-within.Done():
			return err
		case <-time.After(captureWaitStep):
		}
	}
}

// runForCaptured gives errNotTaken where the index is up to date without the note.
func (e *Engine) runForCaptured(ctx context.Context, folder, written string) error {
	within, cancel := context.WithTimeout(ctx, captureRun)
	defer cancel()
	paths, err := e.capturedBeside(within, folder, written)
	if err == nil {
		_, err = e.indexWhole(within, IndexOptions{Paths: paths}, nil)
	}
	if err != nil && !errors.Is(err, ErrInterrupted) {
		return err
	}
	isThere, _, thereErr := e.isIndexed(ctx, e.stored(written))
	switch {
	case thereErr != nil:
		return thereErr
	case isThere: // also where the run was cut off behind it
		return nil
	case err == nil:
		return errNotTaken
	}
	return err
}

// capturedBeside names the note, and others that came into its folder shortly before. Files are named, not the folder: of a folder
// the index may not know what it has of it.
func (e *Engine) capturedBeside(ctx context.Context, folder, written string) ([]string, error) {
	files, err := e.vault.Sized(ctx, folder, captureExtension, [2]int64{0, math.MaxInt64}, mostBeside)
	if err != nil {
		return nil, err
	}
	paths, newest := []string{written}, int64(0)
	for _, file := range files {
		newest = max(newest, file.ModifiedNanoseconds)
		isNew := newest-file.ModifiedNanoseconds <= int64(captureBeside)
		if isNew && file.Path != written && !e.vault.Ignored(file.Path) && e.stored(file.Path) == file.Path {
			paths = append(paths, file.Path)
		}
	}
	return paths, nil
}

// Why a note is not in the index.
var (
	// errOutdated: the next run reads the whole vault anew, for which nobody who captures waits.
	errOutdated = errors.New("the index was made by other settings")
	// errNotTaken: a rule leaves the note out, or its file is not there any more.
	errNotTaken = errors.New("the index did not take the note in")
)

// notIndexedNotice tells why a captured note cannot be found yet.
func notIndexedNotice(err error) string {
	switch {
	case errors.Is(err, ErrNoIndex):
		return "there is no index yet: `quarry index` makes it, with this note"
	case errors.Is(err, ErrBusy):
		return "another process is writing the index: the note is found when it has come to it, or with the next `quarry index`"
	}
	if errors.Is(err, errNotTaken) {
		return "the note was written, but the index does not take it in"
	}
	return "the note was written, and is found after the next `quarry index`"
}
