package vault

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// Bounds of CreateAll.
const (
	writersBesideAll = 8   // each waits for the disk most of the time
	mostWritten      = 256 // under names that are to be replaced, before they get their own
)

// NewFile is a file that is to be written.
type NewFile struct {
	Folder   string // below the vault, "." for the vault itself
	Name     Name
	Content  []byte
	Modified time.Time // the file's time; zero: now
}

// NewFileResult is what became of a NewFile: its path, or a *FileError.
type NewFileResult struct {
	Path string
	Err  error
}

// CreateAll writes files as Create does, many at once, and gives what became of each, in the same order. The names that it gives do
// not depend on which is written first: files of one name are numbered in the order of the list. When ctx ends the rest is not written.
func (v *Vault) CreateAll(ctx context.Context, files []NewFile) []NewFileResult {
	results := make([]NewFileResult, len(files))
	byFolder := map[string][]int{}
	var folders []string
	for i, file := range files {
		if byFolder[file.Folder] == nil {
			folders = append(folders, file.Folder)
		}
		byFolder[file.Folder] = append(byFolder[file.Folder], i)
	}
	for _, folder := range folders {
		err := v.checkRoot()
		if err == nil {
			err = v.inFolder(ctx, folder, true, func(opened *os.Root) error {
				createAllIn(ctx, opened, files, byFolder[folder], results)
				return nil
			})
		}
		for _, i := range byFolder[folder] {
			if results[i].Err == nil && err != nil {
				results[i].Err = err
			}
			if results[i].Err != nil {
				results[i] = NewFileResult{Err: &FileError{Op: "write", Path: join(folder, files[i].Name.at(1)), Err: plainCause(results[i].Err)}}
			} else {
				results[i].Path = join(folder, results[i].Path)
			}
		}
	}
	return results
}

// createAllIn writes those files of the list that go into one folder.
func createAllIn(ctx context.Context, folder *os.Root, files []NewFile, own []int, results []NewFileResult) {
	next := map[Name]int{} // the number that is tried first
	for part := range slices.Chunk(own, mostWritten) {
		temporary := make([]string, len(part))
		var group errgroup.Group
		group.SetLimit(writersBesideAll)
		for at, i := range part {
			group.Go(func() error {
				temporary[at], results[i].Err = writeTemporary(ctx, folder, files[i])
				return nil
			})
		}
		_ = group.Wait()
		for at, i := range part {
			if results[i].Err != nil {
				continue
			}
			if at == 0 {
				removeStrays(folder, temporary[at])
			}
			var count int
			results[i].Path, count, results[i].Err = linkIn(folder, temporary[at], files[i], max(next[files[i].Name], 1))
			next[files[i].Name] = count + 1
			_ = folder.Remove(temporary[at])
		}
	}
	syncFolder(folder)
}

func writeTemporary(ctx context.Context, folder *os.Root, file NewFile) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	temporary, err := newTemporaryName()
	if err == nil {
		err = writeNew(folder, temporary, file.Content)
	}
	return temporary, err
}

// FS gives the files of the vault for reading, all of them, also those that are ignored. Links are followed within the vault alone.
func (v *Vault) FS() fs.FS { return v.root.FS() }

// MakeFolder makes a folder below the vault, and those above it, where they are missing. Errors are *FileError.
func (v *Vault) MakeFolder(ctx context.Context, folder string) error {
	err := v.checkRoot()
	if err == nil {
		err = v.inFolder(ctx, folder, true, func(*os.Root) error { return nil })
	}
	if err != nil {
		return &FileError{Op: "make", Path: folder, Err: plainCause(err)}
	}
	return nil
}

// CreateOnly writes a new file as Create does, under this name alone, and tells whether it did: false where there is a file or anything
// else of this name. Errors are *FileError.
func (v *Vault) CreateOnly(ctx context.Context, name string, content []byte) (bool, error) {
	isNew := false
	err := v.checkRoot()
	if err == nil {
		err = v.inFolder(ctx, path.Dir(name), true, func(folder *os.Root) error {
			temporary, err := writeTemporary(ctx, folder, NewFile{Content: content})
			if err != nil {
				return err
			}
			defer func() {
				_ = folder.Remove(temporary)
				syncFolder(folder)
			}()
			err = linkOrWrite(folder, temporary, path.Base(name), content)
			isNew = err == nil
			if errors.Is(err, fs.ErrExist) {
				return nil
			}
			return err
		})
	}
	if err != nil {
		return false, &FileError{Op: "write", Path: name, Err: plainCause(err)}
	}
	return isNew, nil
}
