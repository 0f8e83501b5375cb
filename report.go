package quarry

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"quarry/store"
)

// narrowReport tells of a run what it did to the notes that the audience sees afterwards.
func (e *Engine) narrowReport(ctx context.Context, options IndexOptions, report IndexReport, told *IndexReport) error {
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
	if _, told.Chunks, err = snapshot.Counts(ctx); err != nil {
		return err
	}
	told.Problems = e.problemsFor(report.Problems, notes)
	for _, p := range told.Problems {
		switch p.State {
		case "skipped":
			told.Skipped++
		case "failed":
			told.Failed++
		}
	}
	written := map[string]bool{}
	for _, name := range report.Written {
		written[name] = true
	}
	all := len(notes)
	notes = slices.DeleteFunc(notes, func(n store.Note) bool { return !written[n.Path] })
	told.Indexed, told.Unchanged = len(notes), all-len(notes)
	if !options.DryRun {
		told.Redactions, told.RedactedNotes = redactionsOf(notes)
	}
	return nil
}

// kindOfFailure is an error without its particulars, which may be those of a note.
func kindOfFailure(err error) error {
	if err == nil {
		return nil
	}
	for _, kind := range []error{
		ErrInterrupted, ErrMassDelete, ErrOtherVault, ErrBusy, ErrReadOnly, ErrNewerIndex, ErrForeignFile, ErrDamaged, ErrClosed,
		context.Canceled, context.DeadlineExceeded,
	} {
		if errors.Is(err, kind) {
			return fmt.Errorf("index: %w", kind)
		}
	}
	return errors.New("index: the run stopped; run by the owner, it says why")
}
