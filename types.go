package quarry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"quarry/internal/notetype"
	"quarry/vault"
)

// types reads the settings of note types, and tells what of them cannot be used: the file may have changed since they were
// last asked for. They are nil where there is no file, and notes may not override anything.
func (e *Engine) types(ctx context.Context) (*notetype.Types, []Problem) {
	name := cmp.Or(e.config.Types.File, notetype.FileName)
	raw, err := e.typesFile(ctx, name)
	isMissing := errors.Is(err, fs.ErrNotExist)
	if isMissing && e.config.Types.File == "" && len(e.config.Types.Overrides) == 0 {
		return nil, nil
	}
	types, faults, parseErr := notetype.Parse(raw, e.config.Types.Overrides)
	if parseErr != nil {
		return nil, []Problem{e.typesProblem(name, notetype.Problem{Message: parseErr.Error()})}
	}
	problems := make([]Problem, 0, len(faults))
	switch {
	case isMissing && e.config.Types.File != "":
		problems = append(problems, e.typesProblem(name, notetype.Problem{Message: "there is no such file: no type of notes has settings"}))
	case err != nil && !isMissing:
		problems = append(problems, e.typesProblem(name, notetype.Problem{Message: "it cannot be read, and no type of notes has settings: " + plainCause(err)}))
	}
	for _, fault := range faults {
		problems = append(problems, e.typesProblem(name, fault))
	}
	return types, problems
}

// typesFile reads the file: below the vault, or anywhere where the path is absolute.
func (e *Engine) typesFile(ctx context.Context, name string) ([]byte, error) {
	if !filepath.IsAbs(name) {
		raw, _, err := e.vault.Read(ctx, filepath.ToSlash(filepath.Clean(name)))
		return raw, err
	}
	if info, err := os.Stat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, vault.ErrNotRegular
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(file, notetype.MaxBytes+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("read the types: %w", err)
	}
	return raw, nil
}

// plainCause is the innermost cause of an error, without the path, which stands beside it already.
func plainCause(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err.Error()
}

func (e *Engine) typesProblem(name string, fault notetype.Problem) Problem {
	reason, _ := e.filter.Redact(fault.Message)
	problem := Problem{Path: e.stored(name), State: "warning", Reason: reason}
	if fault.Line > 0 {
		problem.Line = &fault.Line
	}
	return problem
}
