package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Prepare looks for the copies that Write will make. It is for showing them; Write does it by itself.
func (p *Plan) Prepare() error {
	for _, f := range p.files {
		f.backup, f.spent = "", nil
		if err := f.findBackups(p.isRemoval); err != nil {
			return err
		}
	}
	return nil
}

// Write does what is planned: each file by a new one that takes its place in one step, with the mode of the old one and behind
// symbolic links. A file that was changed since it was read gives ErrChanged. After any error all files are as they were.
func (p *Plan) Write() (err error) {
	if err := p.Prepare(); err != nil {
		return err
	}
	var undo []func() error
	defer func() {
		if err == nil {
			return
		}
		for _, step := range slices.Backward(undo) {
			err = errors.Join(err, step())
		}
	}()
	for _, f := range p.files {
		if f.action() == Keep {
			continue
		}
		steps, err := f.write()
		undo = append(undo, steps...)
		if err != nil {
			return fmt.Errorf("write %s: %w", f.path, plain(err))
		}
	}
	if p.isRemoval {
		p.sweep()
	}
	return nil
}

// write replaces one file. What undoes it is given also where it fails half way.
func (f *plannedFile) write() (undo []func() error, err error) {
	now, err := os.ReadFile(f.target)
	if isMissing := errors.Is(err, fs.ErrNotExist); err != nil && !isMissing {
		return nil, err
	} else if isMissing != (f.before == nil) || !bytes.Equal(now, f.before) {
		return nil, ErrChanged
	}
	made, err := makeFolders(filepath.Dir(f.target), f.folderMode)
	undo = append(undo, func() error { return removeFolders(made) })
	if err != nil {
		return undo, err
	}
	if f.backup != "" {
		if err := replaceFile(f.backup, f.before, f.mode); err != nil {
			return undo, err
		}
		undo = append(undo, func() error { return os.Remove(f.backup) })
	}
	if f.after == nil {
		err = os.Remove(f.target)
	} else {
		err = replaceFile(f.target, f.after, f.mode)
	}
	if err != nil {
		return undo, err
	}
	return append(undo, func() error {
		if f.before == nil {
			return os.Remove(f.target)
		}
		return replaceFile(f.target, f.before, f.mode)
	}), nil
}

// makeFolders makes a folder and those above it, and tells which were not there, from the outermost.
func makeFolders(dir string, mode fs.FileMode) (made []string, err error) {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || at == filepath.Dir(at) {
			break
		}
		made = append(made, at)
	}
	slices.Reverse(made)
	return made, os.MkdirAll(dir, mode)
}

func removeFolders(made []string) error {
	for _, dir := range slices.Backward(made) {
		if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// replaceFile writes a file in one step: readers see the old one or the new one.
func replaceFile(path string, content []byte, mode fs.FileMode) (err error) {
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(temporary.Name()))
		}
	}()
	_, err = temporary.Write(content)
	if err == nil {
		err = temporary.Chmod(mode)
	}
	if err == nil {
		err = temporary.Sync()
	}
	if closeErr := temporary.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}

// sweep removes copies that tell nothing more, and folders that were made for files which are gone, where nothing else is in them.
// What cannot be removed stays.
func (p *Plan) sweep() {
	for _, f := range p.files {
		for _, name := range f.spent {
			_ = os.Remove(name)
		}
		if f.action() != Delete {
			continue
		}
		dir := filepath.Dir(f.target)
		for range f.folders {
			info, err := os.Lstat(dir)
			if err != nil || !info.IsDir() || p.isLimit(dir) || os.Remove(dir) != nil { // a link, or it is not empty
				break
			}
			dir = filepath.Dir(dir)
		}
	}
}

// madeFor is how many folders above a file go with it, where they are empty: a file that is all of quarry's knows, and of a plugin
// all folders are set-up's. Of others nobody knows who made them.
func (p *Plan) madeFor(piece piece, content []byte) int {
	if w, ok := piece.(*whole); ok && !w.fixed {
		_, folders := readMark(content)
		return max(folders, 0)
	}
	if p.request.Plugin != "" {
		return mostFolders
	}
	return 0
}

// missing counts the folders that have to be made, from this one upwards to one that stays.
func (p *Plan) missing(dir string) (count int) {
	for ; count < mostFolders && !p.isLimit(dir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); err == nil {
			break
		}
		count++
	}
	return count
}

// isLimit tells that a folder stays whatever is in it.
func (p *Plan) isLimit(dir string) bool {
	return dir == filepath.Dir(dir) || slices.ContainsFunc(p.request.limits(), func(limit string) bool {
		relative, err := filepath.Rel(dir, limit)
		return err == nil && filepath.IsLocal(relative) // it is the folder, or above it
	})
}
