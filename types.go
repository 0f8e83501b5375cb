package quarry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"quarry/internal/notetype"
	"quarry/store"
	"quarry/vault"
)

// types reads the settings of note types, and tells what of them cannot be used: the file may have changed since they were
// last asked for. They are nil where there is no file, and notes may not override anything. Where the file is there and cannot be
// read, or is no YAML, as when it is half saved, they are those of the index. No view may be open.
func (e *Engine) types(ctx context.Context) (*notetype.Types, []Problem) {
	read := e.readTypes(ctx)
	if read.isUnread {
		if kept, ok := e.typesOfIndex(ctx); ok {
			read.types = kept
		}
	}
	return read.types, read.problems
}

// typesKept is what there is to tell where a file of types could not be read.
const typesKept = "what the last run knew of types counts on"

// typesRead are the settings of note types as their file has them.
type typesRead struct {
	types    *notetype.Types // where isUnread, those of a vault without the file
	problems []Problem
	isUnread bool // the file is there and may be used, and nothing of it could be read
}

// typesName is where the file of types lies: below the vault, or absolute.
func (e *Engine) typesName() string { return cmp.Or(e.config.Types.File, notetype.FileName) }

func (e *Engine) readTypes(ctx context.Context) (read typesRead) {
	name := e.typesName()
	raw, err := e.typesFile(ctx, name)
	add := func(state, message string, line int) {
		problem := Problem{Path: e.stored(name), State: state, Reason: e.shown(message)}
		if line > 0 {
			problem.Line = &line
		}
		read.problems = append(read.problems, problem)
	}
	isMissing := errors.Is(err, fs.ErrNotExist)
	switch {
	case isMissing && e.config.Types.File == "" && len(e.config.Types.Overrides) == 0:
		return read
	case isMissing && e.config.Types.File != "":
		add("warning", "there is no such file: no type of notes has settings", 0)
	case errors.Is(err, vault.ErrTooLarge):
		raw = make([]byte, notetype.MaxBytes+1) // which Parse tells
	case errors.Is(err, errUnusable):
		add("failed", err.Error(), 0)
	case err != nil && !isMissing:
		read.isUnread = true
		add("failed", "it cannot be read ("+plainCause(err)+"): "+typesKept, 0)
	}
	types, faults, err := notetype.ParseRedacted(raw, e.config.Types.Overrides, e.secretsIn)
	if err != nil { // Validate has refused it
		add("failed", err.Error(), 0)
	}
	state, kept := "warning", ""
	if types.IsUseless() {
		read.isUnread, state, kept = true, "failed", "; "+typesKept
	}
	for _, fault := range faults {
		add(state, fault.Message+kept, fault.Line)
	}
	read.types = types
	return read
}

// secretsIn tells where the secrets of a text are.
func (e *Engine) secretsIn(text []byte) []notetype.Stretch {
	var found []notetype.Stretch
	for _, span := range e.filter.Find(text) {
		found = append(found, notetype.Stretch{span.Start, span.End})
	}
	return found
}

// plainCause is the innermost cause of an error, without the path, which stands beside it already.
func plainCause(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err.Error()
}

// isOfNow tells whether an index was made by the filter of now. Of one that was not the types count for nothing: a name of theirs
// may be a secret, which nobody would know again in lower case.
func (e *Engine) isOfNow(meta map[string]string) bool { return meta[store.MetaSettings] == e.settings }

// indexedTypes gives the types that an index was made with, by its metadata. They are nil where it has none.
func (e *Engine) indexedTypes(meta map[string]string) (*notetype.Types, error) {
	if !e.isOfNow(meta) {
		return nil, nil
	}
	types, err := notetype.Decode(meta[store.MetaTypes])
	if err != nil {
		return nil, fmt.Errorf("read the types of the index: %w", err)
	}
	return types, nil
}

// typesNotice is what there is to tell where typesChanged.
const typesNotice = "types.yaml, or what the configuration says of types, changed since the last run: run `quarry index`"

// typesChanged tells whether types decide something else now than when the index with these metadata was made. A file that cannot be
// read, or is no YAML, changes nothing.
func (e *Engine) typesChanged(ctx context.Context, meta map[string]string) bool {
	read := e.readTypes(ctx)
	return !read.isUnread && read.types.Encode() != meta[store.MetaTypes]
}
