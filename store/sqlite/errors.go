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
	// ErrRefused: the database library could not do what was asked of it, for no fault of the file. What was visible before
	// stays.
	ErrRefused = errors.New("the database library could not do what was asked of it")
	// ErrMemory: there was not enough memory. What was visible before stays.
	ErrMemory = errors.New("there is not enough memory for the index")
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

// kindOf is careful with ErrDamaged: an index that is said to be damaged is set aside and built anew.
func kindOf(cause *engine.Error) error {
	switch cause.Extended {
	case ioShortRead, ioCorruptFS:
		return store.ErrDamaged
	}
	switch cause.Code {
	case engine.Corrupt, engine.NotADB, engine.Format:
		return store.ErrDamaged
	case engine.Busy, engine.Locked, engine.Protocol:
		return store.ErrLocked
	case engine.ReadOnly, engine.Perm:
		return store.ErrReadOnly
	case engine.Full:
		return ErrNoSpace
	case engine.NoMemory:
		return ErrMemory
	case engine.IOError, engine.Interrupt, engine.CantOpen:
		return ErrIO
	default:
		return ErrRefused
	}
}

// isCantOpen tells whether a file, which may be one beside the index, could not be opened.
func isCantOpen(err error) bool {
	var cause *engine.Error
	return errors.As(err, &cause) && cause.Code == engine.CantOpen
}

// damaged tells of data that contradict themselves.
func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", store.ErrDamaged, fmt.Sprintf(format, args...))
}
