package triage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quarry/intake"
	"quarry/intake/source"
)

// Bounds of a walk through folders.
const (
	maxFiles = 200_000
	maxDepth = 40
)

// ErrVault tells that a folder that is to be read in is the vault, or holds it: its notes are no signals.
var ErrVault = errors.New("it is the vault, whose notes are no signals")

// textInFolder is why a text is left out.
const textInFolder = "a text in a folder, which is taken in where its file is named"

// Input is something that is read: a file or folder, or bytes.
type Input struct {
	Path    string // of a file or folder; "": Content counts
	Name    string // of Content
	Content []byte
}

// reading reads inputs, one file after the other.
type reading struct {
	t       *Triage
	channel intake.Channel // of plain text
	report  *Report
	take    func(context.Context, []intake.Signal) error
	files   int
	root    string // the vault
}

// read reads an input of any kind.
func (r *reading) read(ctx context.Context, input Input) error {
	if input.Path == "" {
		return r.bytes(ctx, input.Name, input.Content)
	}
	info, err := os.Stat(input.Path) // the user named it, so that a link is followed
	if err != nil {
		return fmt.Errorf("read %s: %w", input.Path, cause(err))
	}
	if !info.IsDir() {
		return r.file(ctx, input.Path, true)
	}
	if r.holdsVault(input.Path) {
		return fmt.Errorf("read %s: %w", input.Path, ErrVault)
	}
	return r.folder(ctx, input.Path, 0)
}

func cause(err error) error {
	var inner *fs.PathError
	if errors.As(err, &inner) {
		return inner.Err
	}
	return err
}

// holdsVault tells whether a folder is the vault or one above it.
func (r *reading) holdsVault(folder string) bool {
	here, err := filepath.Abs(folder)
	if err != nil {
		return false
	}
	if real, err := filepath.EvalSymlinks(here); err == nil {
		here = real
	}
	relative, err := filepath.Rel(here, r.root)
	return err == nil && (relative == "." || filepath.IsLocal(relative))
}

// folder reads the files of a folder and of those in it. A Maildir is one whose mails lie in cur and new.
func (r *reading) folder(ctx context.Context, path string, depth int) error {
	if depth > maxDepth {
		r.problem(path, fmt.Sprintf("folders are nested more than %d deep", maxDepth))
		return nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		r.problem(path, cause(err).Error())
		return nil
	}
	isMaildir := isMaildir(entries)
	for _, one := range entries {
		name := one.Name()
		switch {
		case isMaildir && name == "tmp", strings.HasPrefix(name, ".") && (!isMaildir || !one.IsDir()):
			continue // what is being delivered; what is no input
		case one.IsDir():
			err = r.folder(ctx, filepath.Join(path, name), depth+1)
		case one.Type().IsRegular():
			err = r.file(ctx, filepath.Join(path, name), false)
		default:
			r.report.Others++ // links, pipes, devices
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func isMaildir(entries []os.DirEntry) bool {
	for _, name := range []string{"cur", "new", "tmp"} {
		if !slices.ContainsFunc(entries, func(one os.DirEntry) bool { return one.IsDir() && one.Name() == name }) {
			return false
		}
	}
	return true
}

// file reads one file. What cannot be read stops nothing, unless the user named it.
func (r *reading) file(ctx context.Context, path string, isNamed bool) error {
	if r.files++; r.files > maxFiles {
		return fmt.Errorf("read %s: more than %d files", path, maxFiles)
	}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() > source.MaxInputBytes {
		if err := r.mailbox(ctx, path); !errors.Is(err, source.ErrUnknown) {
			return err
		}
	}
	content, err := ReadFile(path)
	if err != nil {
		if isNamed {
			return fmt.Errorf("read %s: %w", path, err)
		}
		r.problem(path, err.Error())
		return nil
	}
	if err = r.content(ctx, path, content, isNamed); errors.Is(err, source.ErrUnknown) && !isNamed {
		r.report.Others++
		return nil
	}
	return err
}

// ReadFile reads a regular file of bounded size.
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, cause(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no regular file")
	case info.Size() > source.MaxInputBytes:
		return nil, fmt.Errorf("it is larger than %d MiB", source.MaxInputBytes>>20)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, cause(err)
	}
	content, err := io.ReadAll(io.LimitReader(file, source.MaxInputBytes+1))
	return content, errors.Join(err, file.Close())
}

// mailbox reads an mbox of any size, one mail after the other. The error matches source.ErrUnknown where it is none.
func (r *reading) mailbox(ctx context.Context, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, cause(err))
	}
	files := r.report.Files
	err = source.EachMail(file, func(place int, mail []byte) error {
		if mail == nil {
			r.problem(path, fmt.Sprintf("mail %d is too large", place))
			return ctx.Err()
		}
		err := r.content(ctx, path, mail, true)
		if errors.Is(err, source.ErrUnknown) {
			r.problem(path, fmt.Sprintf("mail %d is no mail", place))
			return nil
		}
		return err
	})
	r.report.Files = min(r.report.Files, files+1) // its mails are one file
	return errors.Join(err, file.Close())
}

// bytes reads what is in memory.
func (r *reading) bytes(ctx context.Context, name string, content []byte) error {
	return r.content(ctx, name, content, true)
}

// content reads the bytes of an input, which the user named or which lies in a folder that was. One that is damaged is a problem; one
// of no known kind is the caller's to judge.
func (r *reading) content(ctx context.Context, name string, content []byte, isNamed bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	batch, err := source.Read(ctx, source.Input{Name: filepath.Base(name), Content: content, Now: r.t.now(), Channel: r.channel, Attachments: r.t.options.Attachments})
	switch {
	case errors.Is(err, source.ErrUnknown), ctx.Err() != nil:
		return err
	case err != nil:
		r.problem(name, strings.TrimPrefix(err.Error(), "read "+filepath.Base(name)+": "))
		return nil
	}
	if batch.Kind == "opml" {
		r.problem(name, "a list of feeds is taken in by `quarry intake feeds import`")
		return nil
	}
	if !isNamed && (batch.Kind == "text" || batch.Kind == "markdown") { // a folder of source code is no notes
		r.report.note(r.t, source.Batch{LeftOut: []source.LeftOut{{Reason: textInFolder, Count: 1, Example: filepath.Base(name)}}})
		return nil
	}
	r.report.Files++
	r.report.note(r.t, batch)
	return r.take(ctx, batch.Signals)
}

func (r *reading) problem(where, reason string) {
	r.report.Failed++
	r.report.Problems = append(r.report.Problems, source.Problem{Where: r.t.clean(where), Reason: r.t.clean(reason)})
}
