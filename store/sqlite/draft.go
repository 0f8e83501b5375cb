package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// Draft shows what was written so far.
func (u *update) Draft() store.Draft { return draft{catalog{u.ask, writtenSections}, u} }

// writtenSections reads what was written so far, anew with each question.
func writtenSections(c *engine.Conn, matcher *store.Matcher) (*sectionFilter, error) {
	if !matcher.NeedsSections() {
		return nil, nil //nolint:nilnil // lets all through
	}
	last, err := c.Int("SELECT max(id) FROM chunks")
	if err != nil || last > maxChunks {
		return nil, cmp.Or(err, damaged("passage %d is none of those that are there", last))
	}
	all, err := readSections(c, last)
	if err != nil {
		return nil, err
	}
	return newSectionFilter(matcher, all), nil
}

// draft reads on the writer's connection.
type draft struct {
	catalog
	update *update
}

// ask runs f on the writer's connection, in the transaction of a full run.
func (u *update) ask(ctx context.Context, operation string, f func(c *engine.Conn) error) error {
	switch {
	case u.ended:
		return fmt.Errorf("%s: %w", operation, errEnded)
	case u.failed:
		return fmt.Errorf("%s: the run has failed before", operation)
	case u.mode == store.Full && !u.conn.InTransaction():
		if err := u.open(); err != nil {
			u.abandon()
			u.failed = true
			return wrap(ctx, operation, err)
		}
	}
	return wrap(ctx, operation, interruptible(ctx, u.conn, f))
}

var errEnded = errors.New("the update has ended")

// Counts gives the numbers of the open transaction, or of the last.
func (d draft) Counts(ctx context.Context) (notes, passages int, err error) {
	err = d.read(ctx, "count", func(c *engine.Conn) error {
		if d.update.mode == store.Full {
			notes, passages = int(d.update.state.notes), int(d.update.state.chunks)
			return nil
		}
		s, err := c.Prepare("SELECT notes, chunks FROM state WHERE id = 1")
		if err != nil {
			return err
		}
		return s.Each(func() error {
			notes, passages = int(s.Int(0)), int(s.Int(1))
			return nil
		})
	})
	return notes, passages, err
}
