package vault

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Bounds of a new file and of the look at the folder that it comes into.
const (
	mostOfOneName   = 10_000
	mostInFolder    = 50_000 // names that are looked at
	temporaryPrefix = ".quarry-"
	temporarySuffix = ".tmp"
	strayAfter      = time.Hour // a temporary file of this age is of a process that was killed
)

// ErrNameTaken tells that so many files of this name are there that no further one is tried.
var ErrNameTaken = errors.New("all names like this are taken")

// Create writes a new file with the content into a folder below the vault, "." for the vault itself, and gives its path. Folders
// that are missing are made. It, CreateAll, CreateOnly and MakeFolder alone write, and never touch a file that is there: where
// stem+extension is taken, also by a link, "stem-2", "stem-3" and so on are tried, of any number of processes side by side each
// getting its own. The file appears under its name as a whole and is on disk when Create returns; where the file system has no
// hard links it is written in place. No link is followed, wherever in the path. Errors are *FileError, as those of Read.
func (v *Vault) Create(ctx context.Context, folder string, name Name, content []byte) (string, error) {
	var made string
	err := v.checkRoot()
	if err == nil {
		err = v.inFolder(ctx, folder, true, func(opened *os.Root) (err error) {
			made, err = createIn(opened, name, content)
			return err
		})
	}
	if err != nil {
		return "", &FileError{Op: "write", Path: join(folder, name.at(1)), Err: plainCause(err)}
	}
	return join(folder, made), nil
}

// Name is what a new file is called: Stem and Extension, which begins with a dot, and a number between them where that is taken.
type Name struct{ Stem, Extension string }

func (n Name) at(count int) string {
	if count == 1 {
		return n.Stem + n.Extension
	}
	return fmt.Sprintf("%s-%d%s", n.Stem, count, n.Extension)
}

// Sized gives the regular files of a folder, not of those below it, with this extension and a size within these bounds, in bytes,
// the newest first, as many as limit at most. A folder that is missing has none. Of a folder with over 50,000 names it looks at as
// many. Errors are *FileError.
func (v *Vault) Sized(ctx context.Context, folder, extension string, bounds [2]int64, limit int) ([]File, error) {
	var found []File
	err := v.inFolder(ctx, folder, false, func(opened *os.Root) error {
		entries, err := entriesOf(opened)
		for _, one := range entries {
			if !strings.EqualFold(path.Ext(one.Name()), extension) || !one.Type().IsRegular() || one.Name()[0] == '.' {
				continue
			}
			info, infoErr := one.Info()
			if infoErr == nil && info.Mode().IsRegular() && info.Size() >= bounds[0] && info.Size() <= bounds[1] {
				found = append(found, newFile(join(folder, one.Name()), factsOf(info)))
			}
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &FileError{Op: "look at", Path: folder, Err: plainCause(err)}
	}
	slices.SortFunc(found, func(a, b File) int {
		if a.ModifiedNanoseconds != b.ModifiedNanoseconds {
			return int(min(max(b.ModifiedNanoseconds-a.ModifiedNanoseconds, -1), 1))
		}
		return strings.Compare(b.Path, a.Path)
	})
	return found[:min(len(found), limit)], nil
}

// inFolder calls use with a folder below the vault, "." for the vault itself; makes tells whether it is made where it is missing.
func (v *Vault) inFolder(ctx context.Context, folder string, makes bool, use func(*os.Root) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if folder == "." {
		return use(v.root)
	}
	if err := checkPath(folder); err != nil {
		return err
	}
	open := openFolder
	if makes {
		open = makeFolder
	}
	here, _, err := goDown(v.root, folder+"/.", open, func(f *os.Root) { _ = f.Close() })
	if err != nil {
		return err
	}
	defer func() { _ = here.Close() }()
	return use(here)
}

// makeFolder opens a folder in another, which is made where it is missing.
func makeFolder(parent *os.Root, name string) (*os.Root, error) {
	if err := parent.Mkdir(name, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	opened, err := openFolder(parent, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotRegular // a file is called so
	}
	return opened, err
}

func entriesOf(folder *os.Root) ([]fs.DirEntry, error) {
	opened, err := folder.Open(".")
	if err != nil {
		return nil, err
	}
	entries, err := opened.ReadDir(mostInFolder)
	closeErr := opened.Close()
	if len(entries) > 0 || err == nil || errors.Is(err, io.EOF) {
		return entries, closeErr
	}
	return nil, err
}

// createIn writes a file of another name first, which then gets its own: that fails where the name is taken.
func createIn(folder *os.Root, name Name, content []byte) (string, error) {
	temporary, err := newTemporaryName()
	if err != nil {
		return "", err
	}
	if err := writeNew(folder, temporary, content); err != nil {
		return "", err
	}
	defer func() {
		removeStrays(folder, temporary)
		_ = folder.Remove(temporary)
		syncFolder(folder)
	}()
	made, _, err := linkIn(folder, temporary, NewFile{Name: name, Content: content}, 1)
	return made, err
}

// linkIn gives a written file the first name from a number on that is not taken, and the number of that.
func linkIn(folder *os.Root, temporary string, file NewFile, from int) (string, int, error) {
	for count := from; count <= mostOfOneName; count++ {
		own := file.Name.at(count)
		err := linkOrWrite(folder, temporary, own, file.Content)
		if err == nil && !file.Modified.IsZero() {
			err = folder.Chtimes(own, file.Modified, file.Modified)
		}
		if !errors.Is(err, fs.ErrExist) {
			return own, count, err
		}
	}
	return "", 0, ErrNameTaken
}

// linkOrWrite gives a written file its name, which must not be taken, and writes it in place where the file system has no hard links.
func linkOrWrite(folder *os.Root, temporary, own string, content []byte) error {
	err := folder.Link(temporary, own)
	for _, fault := range []error{nil, fs.ErrExist, fs.ErrNotExist, syscall.EIO, syscall.EMFILE, syscall.ENFILE, syscall.ENOSPC, syscall.ENAMETOOLONG} {
		if errors.Is(err, fault) {
			return err
		}
	}
	return writeNew(folder, own, content)
}

// writeNew writes a file that is not there yet, and takes it away where that cannot be done.
func writeNew(folder *os.Root, name string, content []byte) error {
	file, err := folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		_ = folder.Remove(name)
	}
	return err
}

func newTemporaryName() (string, error) {
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", err
	}
	return temporaryPrefix + hex.EncodeToString(random[:]) + temporarySuffix, nil
}

// removeStrays takes away temporary files of processes that were killed, by the times that the folder's own disk gives files.
func removeStrays(folder *os.Root, own string) {
	now, err := folder.Lstat(own)
	if err != nil {
		return
	}
	entries, _ := entriesOf(folder)
	for _, one := range entries {
		if name := one.Name(); name == own || !isTemporaryName(name) || !one.Type().IsRegular() {
			continue
		}
		if info, err := one.Info(); err == nil && now.ModTime().Sub(info.ModTime()) > strayAfter {
			_ = folder.Remove(one.Name())
		}
	}
}

// isTemporaryName knows the names of newTemporaryName, and no others.
func isTemporaryName(name string) bool {
	middle, isOurs := strings.CutPrefix(name, temporaryPrefix)
	middle, ends := strings.CutSuffix(middle, temporarySuffix)
	_, err := hex.DecodeString(middle)
	return isOurs && ends && err == nil && len(middle) == 16
}

// syncFolder puts names on disk where the system can do that.
func syncFolder(folder *os.Root) {
	if opened, err := folder.Open("."); err == nil {
		_ = opened.Sync()
		_ = opened.Close()
	}
}
