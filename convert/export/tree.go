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

	"golang.org/x/text/encoding/charmap"
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
	// ErrBomb: a file in a zip is packed more tightly than any real one.
	ErrBomb = errors.New("it is packed so tightly that it was made to fill the disk")
	// ErrEncrypted: a file in a zip needs a password.
	ErrEncrypted = errors.New("it is encrypted")
	// ErrNotFile: it is a link or a device in a zip.
	ErrNotFile = errors.New("it is no file")
	// ErrTwice: a zip, or the parts of an export, have two files of this path; the first one counts.
	ErrTwice = errors.New("there is another file of this path")
)

// Bounds of zips.
const (
	maxRatio       = 200      // of a file's bytes to those that it is packed in
	ratioFromBytes = 16 << 20 // files below are let be, however tightly they are packed
	maxNestedBytes = 1 << 30  // of zips within zips, which are held in memory, together
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
	nested   int64 // bytes of zips within zips
	closers  []io.Closer
}

// File is a file of a tree.
type File struct {
	Path     string // with "/", below what was handed over; of a single file its name
	Bytes    int64
	Modified time.Time // zero: unknown

	open     func() (io.ReadCloser, error)
	isPacked bool // in a zip
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
	t.arrange()
	return t, nil
}

// arrange sorts the files, and leaves out what has the path of another.
func (t *Tree) arrange() {
	slices.SortStableFunc(t.files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	once := t.files[:0]
	for _, f := range t.files {
		if _, ok := t.byPath[f.Path]; ok {
			t.problem(f.Path, ErrTwice)
			continue
		}
		t.byPath[f.Path] = len(once)
		once = append(once, f)
	}
	t.files = once
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
	if f.isPacked {
		most = min(most, f.Bytes) // a zip that says less than it holds was made to harm
	}
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
		if err := t.addEntry(ctx, folder, entry, depth); err != nil {
			return err
		}
	}
	return nil
}

// addEntry adds a file of a zip that lies in a folder. What is no file to be read is left out or reported.
func (t *Tree) addEntry(ctx context.Context, folder string, entry *zip.File, depth int) error {
	name := nameOf(entry)
	if strings.HasSuffix(name, "/") || entry.Mode().IsDir() || strings.HasPrefix(name, "__MACOSX/") || path.Base(name) == ".DS_Store" {
		return nil
	}
	if err := faultOf(name, entry); err != nil {
		t.problem(entry.Name, err)
		return nil
	}
	f := File{Path: path.Join(folder, name), Bytes: int64(min(entry.UncompressedSize64, 1<<62)), Modified: timeOf(entry), open: entry.Open, isPacked: true}
	if strings.EqualFold(path.Ext(name), ".zip") && depth < t.limits.ZipDepth {
		return t.addInner(ctx, f, depth+1)
	}
	return t.add(f)
}

// nameOf is the name of a file in a zip with "/" between its parts: tools of Windows write "\", old ones a code page of DOS.
func nameOf(entry *zip.File) string {
	name := entry.Name
	if !utf8.ValidString(name) {
		if decoded, err := charmap.CodePage437.NewDecoder().String(name); err == nil {
			name = decoded
		}
	}
	return strings.ReplaceAll(name, `\`, "/")
}

// faultOf tells why a file of a zip is not read, nil where it is.
func faultOf(name string, entry *zip.File) error {
	const isEncrypted = 0x1
	switch {
	case !isInside(name):
		return ErrOutside
	case !entry.Mode().IsRegular():
		return ErrNotFile
	case entry.Flags&isEncrypted != 0:
		return ErrEncrypted
	case entry.UncompressedSize64 > ratioFromBytes && entry.UncompressedSize64/maxRatio > entry.CompressedSize64:
		return ErrBomb
	}
	return nil
}

// timeOf is the time of a file in a zip, the zero time where it has none.
func timeOf(entry *zip.File) time.Time {
	if entry.Modified.Year() < 1980 {
		return time.Time{}
	}
	return entry.Modified.UTC()
}

// addInner adds a zip within a zip, which is held in memory.
func (t *Tree) addInner(ctx context.Context, f File, depth int) error {
	if f.Bytes > maxNestedBytes-t.nested {
		t.problem(f.Path, ErrTooLarge)
		return nil
	}
	content, err := t.readFile(f)
	if err != nil {
		t.problem(f.Path, err)
		return nil
	}
	t.nested += int64(len(content))
	return t.addZip(ctx, f.Path, bytes.NewReader(content), int64(len(content)), depth)
}

func (t *Tree) problem(where string, err error) {
	t.problems = append(t.problems, Problem{where, err.Error()})
}

// isInside tells whether a name of a zip lies within it on every system.
func isInside(name string) bool {
	return utf8.ValidString(name) && fs.ValidPath(name) && !strings.ContainsAny(name, "\\\x00") && !strings.Contains(strings.SplitN(name, "/", 2)[0], ":")
}
