package vault

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
)

// Stat tells how a file lies on disk now. Its errors are those of Read, a *FileError too, ErrTooLarge and ErrChanged apart.
func (v *Vault) Stat(ctx context.Context, path string) (File, error) {
	file, err := v.stat(ctx, path)
	if err != nil {
		return File{}, &FileError{Op: "look at", Path: path, Err: plainCause(err)}
	}
	return file, nil
}

func (v *Vault) stat(ctx context.Context, path string) (File, error) {
	if err := cmp.Or(ctx.Err(), v.checkNames(path)); err != nil {
		return File{}, err
	}
	if seen, ok := v.lookDirectly(path); ok {
		return newFile(path, seen), nil
	}
	here, name, err := goDown(v.base, path, openLinkless, folder.close)
	if err != nil {
		return File{}, err
	}
	seen, err := here.look(name)
	if here != v.base {
		here.close()
	}
	switch {
	case err != nil:
		return File{}, err
	case !seen.kind.IsRegular():
		return File{}, ErrNotRegular
	}
	return newFile(path, seen), nil
}

// checkNames accepts a path below the vault that is made of the files' own names.
func (v *Vault) checkNames(path string) error {
	if err := checkPath(path); err != nil || !onWindows || !strings.Contains(path, "~") {
		return err
	}
	return checkShortNames(v.base, path)
}

// Has tells whether a file or a folder lies at path; a link is neither. What cannot be looked at is not there.
func (v *Vault) Has(path string) bool {
	if v.checkNames(path) != nil {
		return false
	}
	here, name, err := goDown(v.base, path, openLinkless, folder.close)
	if err != nil {
		return false
	}
	seen, err := here.look(name)
	if here != v.base {
		here.close()
	}
	return err == nil && (seen.kind.IsRegular() || seen.kind.IsDir())
}

// openLinkless opens a folder in another, and no link.
func openLinkless(parent folder, name string) (folder, error) {
	seen, err := parent.look(name)
	switch {
	case err != nil:
		return nil, err
	case seen.kind.IsRegular():
		return nil, fs.ErrNotExist // as a path through a file does
	case !seen.kind.IsDir():
		return nil, ErrNotRegular
	}
	return parent.open(name)
}

// goDown opens the folder that holds path, part by part, and gives it with the name in it. Folders on the way are closed;
// the last one is the caller's to close, unless it is start.
func goDown[F comparable](start F, path string, open func(F, string) (F, error), closeFolder func(F)) (F, string, error) {
	here := start
	for {
		part, rest, below := strings.Cut(path, "/")
		if !below {
			return here, part, nil
		}
		next, err := open(here, part)
		if here != start {
			closeFolder(here)
		}
		if err != nil {
			return start, "", err
		}
		here, path = next, rest
	}
}

// Read returns the bytes of a file and how it lay on disk when it had them. It takes any regular file below the vault,
// also one that Ignored keeps out of the index. Each error is a *FileError, and matches
// fs.ErrNotExist, fs.ErrPermission, ErrTooLarge, ErrNotRegular, ErrOutside or ErrChanged, or is one of the file system or
// of ctx. No link is followed, wherever in the path.
func (v *Vault) Read(ctx context.Context, path string) ([]byte, File, error) {
	if ctx.Err() == nil && v.checkNames(path) == nil {
		if content, seen, ok := v.readDirectly(path); ok {
			return content, newFile(path, seen), nil
		}
	}
	var content []byte
	var file File
	err := v.at(ctx, path, func(folder *os.Root, name string) error {
		var info fs.FileInfo
		var err error
		for range 2 {
			if content, info, err = readFrom(folder, name, v.maxBytes); !errors.Is(err, ErrChanged) {
				break
			}
		}
		if err == nil {
			file = newFile(path, factsOf(info))
		}
		return err
	})
	if err != nil {
		return nil, File{}, &FileError{Op: "read", Path: path, Err: plainCause(err)}
	}
	return content, file, nil
}

// at calls use with the folder that holds path and the name in it. It goes down part by part, so that it meets each link
// instead of following it.
func (v *Vault) at(ctx context.Context, path string, use func(folder *os.Root, name string) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := v.checkNames(path); err != nil {
		return err
	}
	here, name, err := goDown(v.root, path, openFolder, func(f *os.Root) { _ = f.Close() })
	if err != nil {
		return err
	}
	if here != v.root {
		defer func() { _ = here.Close() }()
	}
	return use(here, name)
}

func openFolder(parent *os.Root, name string) (*os.Root, error) {
	info, err := parent.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case info.Mode().IsRegular():
		return nil, fs.ErrNotExist // as a path through a file does
	case !info.IsDir():
		return nil, ErrNotRegular
	}
	return parent.OpenRoot(name)
}

// readFrom reads one file of a folder. The size is checked before, so that a huge file costs nothing, and kept while
// reading, since it may grow.
func readFrom(folder *os.Root, name string, maxBytes int64) ([]byte, fs.FileInfo, error) {
	// Looked at first: opening a device or a link can have effects of its own.
	entry, err := folder.Lstat(name)
	if err != nil {
		return nil, nil, err
	}
	if !entry.Mode().IsRegular() {
		return nil, nil, ErrNotRegular
	}
	opened, err := folder.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = opened.Close() }()
	before, err := opened.Stat()
	switch {
	case err != nil:
		return nil, nil, err
	case !before.Mode().IsRegular():
		return nil, nil, ErrNotRegular
	case before.Size() > maxBytes:
		return nil, nil, ErrTooLarge
	}
	return readOpened(opened, before, maxBytes)
}

func readOpened(opened *os.File, before fs.FileInfo, maxBytes int64) ([]byte, fs.FileInfo, error) {
	content := make([]byte, before.Size()+1) // one more, to meet the end, or growth
	n, err := io.ReadFull(opened, content)
	switch {
	case err == nil && int64(n) > maxBytes:
		return nil, nil, ErrTooLarge
	case err == nil:
		return nil, nil, ErrChanged
	case !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF):
		return nil, nil, err
	}
	after, err := opened.Stat()
	if err != nil {
		return nil, nil, err
	}
	if int64(n) != after.Size() || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
		return nil, nil, ErrChanged
	}
	return content[:n], after, nil
}

func newFile(path string, seen facts) File {
	return File{Path: path, SizeBytes: seen.sizeBytes, ModifiedNanoseconds: seen.modifiedNanoseconds, Inode: seen.inode}
}
