package export

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits bound what is read of a tree. Bytes are after unpacking.
type Limits struct {
	Files      int   // in all
	FileBytes  int64 // of one
	TotalBytes int64 // read in all
	ZipDepth   int   // of zips within zips
}

// DefaultLimits are for exports of a person's whole life.
func DefaultLimits() Limits {
	return Limits{Files: 200_000, FileBytes: 512 << 20, TotalBytes: 16 << 30, ZipDepth: 3}
}

// Errors of a tree.
var (
	// ErrTooLarge: a file, or all that was read, is over a limit.
	ErrTooLarge = errors.New("it is too large")
	// ErrOutside: a name in a zip points outside of it.
	ErrOutside = errors.New("the name points outside of the export")
)

// Tree is what a user hands over: a file, a folder or a zip. Zips within zips are opened in place, and parts of one export
// ("…-Part-1.zip") are one tree. Symbolic links are not followed. Nothing is written. It is for one goroutine.
type Tree struct {
	limits   Limits
	root     *os.Root
	files    []File
	byPath   map[string]int
	problems []Problem
	read     int64
	closers  []io.Closer
}

// File is a file of a tree.
type File struct {
	Path     string // with "/", below what was handed over; of a single file its name
	Bytes    int64
	Modified time.Time // zero: unknown

	open func() (io.ReadCloser, error)
}

// Open reads the names of a file, folder or zip. The tree has to be closed.
func Open(ctx context.Context, name string, limits Limits) (*Tree, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("open the export: %w", err)
	}
	t := &Tree{limits: limits, byPath: map[string]int{}}
	dir := name
	if !info.IsDir() {
		dir = filepath.Dir(name)
	}
	if t.root, err = os.OpenRoot(dir); err != nil {
		return nil, fmt.Errorf("open the export: %w", err)
	}
	if info.IsDir() {
		err = t.walk(ctx)
	} else {
		err = t.addOne(ctx, filepath.Base(name), info)
	}
	if err != nil {
		_ = t.Close()
		return nil, fmt.Errorf("open the export %s: %w", filepath.Base(name), err)
	}
	slices.SortFunc(t.files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	for i, f := range t.files {
		t.byPath[f.Path] = i
	}
	return t, nil
}

// Close frees what the tree holds open.
func (t *Tree) Close() error {
	var all error
	for _, c := range slices.Backward(t.closers) {
		all = errors.Join(all, c.Close())
	}
	return errors.Join(all, t.root.Close())
}

// Files gives all files, by path.
func (t *Tree) Files() []File { return t.files }

// Problems tells what of the tree could not be taken: names that point outside, files over a limit, broken zips.
func (t *Tree) Problems() []Problem { return t.problems }

// Has tells whether there is a file of this path.
func (t *Tree) Has(name string) bool { _, ok := t.byPath[name]; return ok }

// Read gives the bytes of a file. Errors match fs.ErrNotExist and ErrTooLarge.
func (t *Tree) Read(name string) ([]byte, error) {
	at, ok := t.byPath[name]
	if !ok {
		return nil, fmt.Errorf("read %s: %w", name, fs.ErrNotExist)
	}
	content, err := t.readFile(t.files[at])
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return content, nil
}

func (t *Tree) readFile(f File) ([]byte, error) {
	opened, err := f.open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = opened.Close() }()
	most := min(t.limits.FileBytes, t.limits.TotalBytes-t.read)
	content, err := io.ReadAll(io.LimitReader(opened, most+1))
	t.read += int64(len(content))
	if err == nil && int64(len(content)) > most {
		err = ErrTooLarge
	}
	return content, err
}

func (t *Tree) walk(ctx context.Context) error {
	return fs.WalkDir(t.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			t.problem(name, err)
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		base := entry.Name()
		switch {
		case entry.IsDir() && (base == "__MACOSX" || base == ".git"):
			return fs.SkipDir
		case !entry.Type().IsRegular() || base == ".DS_Store":
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			t.problem(name, err)
			return nil
		}
		return t.addOne(ctx, name, info)
	})
}

// addOne adds a file of the disk, or what is in it where it is a zip.
func (t *Tree) addOne(ctx context.Context, name string, info fs.FileInfo) error {
	if strings.EqualFold(path.Ext(name), ".zip") {
		opened, err := t.root.Open(name)
		if err == nil {
			t.closers = append(t.closers, opened)
			return t.addZip(ctx, name, opened, info.Size(), 1)
		}
		t.problem(name, err)
		return nil
	}
	return t.add(File{Path: filepath.ToSlash(name), Bytes: info.Size(), Modified: info.ModTime().UTC(), open: func() (io.ReadCloser, error) { return t.root.Open(name) }})
}

func (t *Tree) add(f File) error {
	if len(t.files) >= t.limits.Files {
		return fmt.Errorf("over %d files: %w", t.limits.Files, ErrTooLarge)
	}
	t.files = append(t.files, f)
	return nil
}

// addZip adds what is in a zip, as if it were unpacked where it lies.
func (t *Tree) addZip(ctx context.Context, name string, content io.ReaderAt, size int64, depth int) error {
	archive, err := zip.NewReader(content, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		t.problem(name, err)
		return nil
	}
	folder := path.Dir(filepath.ToSlash(name))
	for _, entry := range archive.File {
		if err := ctx.Err(); err != nil {
			return err
		}
		if strings.HasSuffix(entry.Name, "/") || strings.HasPrefix(entry.Name, "__MACOSX/") || path.Base(entry.Name) == ".DS_Store" {
			continue
		}
		if !isInside(entry.Name) || !entry.Mode().IsRegular() {
			t.problem(entry.Name, ErrOutside)
			continue
		}
		f := File{Path: path.Join(folder, entry.Name), Bytes: int64(min(entry.UncompressedSize64, 1<<62)), Modified: entry.Modified.UTC(), open: entry.Open}
		if strings.EqualFold(path.Ext(entry.Name), ".zip") && depth < t.limits.ZipDepth {
			if err := t.addInner(ctx, f, depth+1); err != nil {
				return err
			}
			continue
		}
		if err := t.add(f); err != nil {
			return err
		}
	}
	return nil
}

// addInner adds a zip within a zip, which is held in memory.
func (t *Tree) addInner(ctx context.Context, f File, depth int) error {
	content, err := t.readFile(f)
	if err != nil {
		t.problem(f.Path, err)
		return nil
	}
	return t.addZip(ctx, f.Path, bytes.NewReader(content), int64(len(content)), depth)
}

func (t *Tree) problem(where string, err error) {
	t.problems = append(t.problems, Problem{where, err.Error()})
}

// isInside tells whether a name of a zip lies within it on every system.
func isInside(name string) bool {
	return utf8.ValidString(name) && fs.ValidPath(name) && !strings.ContainsAny(name, "\\\x00") && !strings.Contains(strings.SplitN(name, "/", 2)[0], ":")
}
