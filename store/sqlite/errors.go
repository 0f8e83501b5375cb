package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
	"quarry/store/sqlite/internal/postings"
)

// Errors beyond those of package store.
var (
	// ErrNoSpace: the disk of the index is full. What was visible before stays.
	ErrNoSpace = errors.New("no space is left for the index")
	// ErrIO: the system reported an error while the index was read or written. What was visible before stays.
	ErrIO = errors.New("the system could not read or write the index")
)

// Extended codes that mean damage although their primary code does not.
const (
	ioShortRead = engine.IOError | 2<<8
	ioCorruptFS = engine.IOError | 33<<8
)

// failure is an error of the engine in our own words. The engine's words are there for errors.As, not for users.
type failure struct {
	where string // what was being done, with ": " behind
	kind  error
	cause *engine.Error
}

func (f *failure) Error() string   { return f.where + f.kind.Error() }
func (f *failure) Unwrap() []error { return []error{f.kind, f.cause} }

// wrap names the operation and turns an error of the engine into one of the sentinels. nil stays nil.
func wrap(ctx context.Context, operation string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, postings.ErrCorrupt) {
		return fmt.Errorf("%s: %w: %w", operation, store.ErrDamaged, err)
	}
	var cause *engine.Error
	var translated *failure
	if !errors.As(err, &cause) || errors.As(err, &translated) {
		return fmt.Errorf("%s: %w", operation, err)
	}
	if cause.Code == engine.Interrupt && ctx.Err() != nil {
		return fmt.Errorf("%s: %w", operation, ctx.Err())
	}
	return fmt.Errorf("%s: %w", operation, &failure{strings.TrimSuffix(err.Error(), cause.Error()), kindOf(cause), cause})
}

func kindOf(cause *engine.Error) error {
	switch {
	case cause.Extended == ioShortRead || cause.Extended == ioCorruptFS:
		return store.ErrDamaged
	case cause.Code == engine.Busy || cause.Code == engine.Locked:
		return store.ErrLocked
	case cause.Code == engine.ReadOnly || cause.Code == engine.Perm || cause.Code == engine.CantOpen:
		return store.ErrReadOnly
	case cause.Code == engine.Full:
		return ErrNoSpace
	case cause.Code == engine.IOError || cause.Code == engine.Interrupt:
		return ErrIO
	default: // a page, a table or a column is not what it was
		return store.ErrDamaged
	}
}

// damaged tells of data that contradict themselves.
func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", store.ErrDamaged, fmt.Sprintf(format, args...))
}
