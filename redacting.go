package quarry

import (
	"context"
	"errors"
	"sync"

	"quarry/index"
)

// shown is a text without secrets.
func (e *Engine) shown(text string) string {
	redacted, _ := e.filter.Redact(text)
	return redacted
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

// redactedError hides the text of an error.
type redactedError struct {
	text string
	kind error
}

func (e *redactedError) Error() string        { return e.text }
func (e *redactedError) Is(target error) bool { return errors.Is(e.kind, target) }

// warn logs an error without the secrets that it may hold.
func (e *Engine) warn(message string, err error) {
	e.clean(&err)
	e.logger.Warn(message, "error", err)
}

// stored is the name under which a path is kept and shown.
func (e *Engine) stored(path string) string { return index.StoredPath(e.filter, path) }

// realNames finds the path on disk of the note with a stored path; ok is false where there is none.
type realNames func(stored string) (path string, ok bool)

// realNames looks at the vault when it is asked for the first path that is not stored as it is, since it holds a secret.
func (e *Engine) realNames(ctx context.Context) realNames {
	files := sync.OnceValue(func() map[string]string {
		listing, _, err := e.scan(ctx)
		if err != nil {
			e.warn("scan the vault", err)
		}
		real := map[string]string{}
		for _, file := range listing.Files {
			if stored := e.stored(file.Path); index.MayBeRedacted(stored) {
				real[stored] = file.Path
			}
		}
		return real
	})
	return func(stored string) (string, bool) {
		if !index.MayBeRedacted(stored) {
			return stored, true
		}
		path, ok := files()[stored]
		return path, ok
	}
}
