package cli

import (
	"context"
	"errors"
	"time"

	"quarry"
)

const (
	// turnPatience is how long a run of the index waits for another process that writes, as a watch does between two looks.
	turnPatience = 10 * time.Second
	// turnNotice is after what time it says so.
	turnNotice = time.Second
	turnPause  = 50 * time.Millisecond
)

// runIndexInTurn is runIndex, which waits for its turn.
func (a *app) runIndexInTurn(ctx context.Context, engine *quarry.Engine, options quarry.IndexOptions) (report quarry.IndexReport, err error) {
	err = a.inTurn(ctx, turnPatience, engine.IsIndexing, func() (err error) {
		report, err = a.runIndex(ctx, engine, options)
		return err
	})
	return report, err
}

// inTurn does again what fails with ErrBusy, when nobody is writing any more. After patience it gives that error.
func (a *app) inTurn(ctx context.Context, patience time.Duration, isWriting func() bool, do func() error) error {
	began, isTold := time.Now(), false
	for {
		err := do()
		if !errors.Is(err, quarry.ErrBusy) {
			return err
		}
		for isOver := false; !isOver; isOver = !isWriting() {
			waited := time.Since(began)
			if waited >= patience {
				return err
			}
			if !isTold && waited >= turnNotice {
				isTold = true
				a.notice("Waiting for another process that writes the index.")
			}
			if wait(ctx, turnPause); ctx.Err() != nil {
				return quarry.ErrInterrupted
			}
		}
	}
}
