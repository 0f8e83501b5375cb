// Package vault is the one place that touches the user's folder: it walks it, keeps the ignore rules, reads files safely
// and tells whether they changed. It writes new files alone, with Create, and knows nothing of Markdown.
//
// Nothing outside the folder is reached: every access goes through an os.Root, symbolic links are not followed at all,
// and only regular files are opened. A hard link cannot be told from a file of its own and is read like one.
package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// DefaultMaxFileBytes is the size above which a file is skipped unless Options says otherwise: 16 MiB.
const DefaultMaxFileBytes int64 = 16 << 20

// Faults that a caller tells apart with errors.Is, beside fs.ErrNotExist and fs.ErrPermission.
var (
	// ErrTooLarge: the file is over Options.MaxFileBytes.
	ErrTooLarge = errors.New("file is over the size cap")
	// ErrNotRegular: a folder, a link, a named pipe, a socket or a device, also somewhere above the file.
	ErrNotRegular = errors.New("not a regular file")
	// ErrOutside: the path is none below the vault: absolute, with "..", or of a form the system gives a meaning of its own.
	ErrOutside = errors.New("not a path inside the vault")
	// ErrChanged: the file was written to during two attempts at reading it.
	ErrChanged = errors.New("file changes while it is read")
)

// File is a regular file of the vault as a scan saw it.
type File struct {
	Path                string // below the vault, slashes, the bytes on disk
	SizeBytes           int64
	ModifiedNanoseconds int64  // Unix time
	Inode               uint64 // 0 where the platform has none
}

// Skipped is something that was seen and left out, or could not be looked at.
type Skipped struct {
	// Path is below the vault, the bytes on disk: not valid UTF-8 where that is the reason.
	Path   string
	Reason string // for a person
	// Failed: it should have been read (no permission, a read error), so what the index holds of it, and of all below
	// it where it is a folder, is to be kept. Otherwise it was left out by rule (a FIFO, a link, a file over the cap).
	Failed bool
}

// Listing is the outcome of a scan, its lists sorted by path (bytes).
type Listing struct {
	Files   []File
	Skipped []Skipped
	// Others are the paths of all other regular files, which links can name too: attachments, and notes that the rules or
	// the allow-list leave out. Dot-names and the temporary files of systems and sync services are not among them, nor
	// what lies in a folder that is left out where such folders hold over 200,000 names together.
	Others []string
}

// Options says what of the folder is the vault's. The zero value takes all notes.
type Options struct {
	// MaxFileBytes is the size above which a file is skipped and reported; 0 means DefaultMaxFileBytes.
	MaxFileBytes int64
	// Folders is an allow-list of folders below the vault; empty means all. Ignore rules hold inside them too.
	Folders []string
	// ExtraIgnore holds lines in gitignore syntax that come after those of .indexignore and so win over them.
	ExtraIgnore []string
	// Extensions are those of the files to list, with the dot, in any case; empty means DefaultExtensions().
	Extensions []string
}

// DefaultExtensions are those of notes, of canvases and bases, and of drawings.
func DefaultExtensions() []string {
	return []string{".md", ".markdown", ".canvas", ".base", ".excalidraw"}
}

// DataExtensions are those of files of data, which are taken in where Options.Extensions names them.
func DataExtensions() []string { return []string{".json", ".jsonl", ".yaml", ".yml"} }

// RootError tells that the vault itself cannot be used.
type RootError struct {
	Dir string
	Err error
}

func (e *RootError) Error() string { return fmt.Sprintf("open vault %s: %v", e.Dir, e.Err) }

// Unwrap returns the cause, so that errors.Is(err, fs.ErrNotExist) works.
func (e *RootError) Unwrap() error { return e.Err }

// Hint says what a person can do about it, in one line.
func (e *RootError) Hint() string {
	switch {
	case errors.Is(e.Err, fs.ErrNotExist):
		return "check the path given as the vault, and that its disk is mounted"
	case errors.Is(e.Err, fs.ErrPermission):
		return "give your user the right to read the folder"
	case errors.Is(e.Err, errNotFolder):
		return "name the folder that holds the notes, not a file"
	case errors.Is(e.Err, errIgnoreRules):
		return "mend the ignore rules: until they can be read, no note is taken"
	}
	return "check that the folder can be listed and that " + IgnoreFile + " is an ordinary file"
}

// FileError tells that one file could not be read or looked at. Path may hold what is not to be told on: a report that is
// kept takes Err, which names no path.
type FileError struct {
	Op   string // "read", "look at" or "write"
	Path string // as it was asked for
	Err  error  // the cause, without the path
}

func (e *FileError) Error() string { return fmt.Sprintf("%s %s: %v", e.Op, e.Path, e.Err) }

// Unwrap returns the cause, so that errors.Is(err, fs.ErrNotExist) works.
func (e *FileError) Unwrap() error { return e.Err }

var (
	errNotFolder = errors.New("not a folder")
	errReplaced  = fmt.Errorf("another folder was put in its place: %w", fs.ErrNotExist)
)

// Vault is an open folder of notes. All methods may be called from several goroutines.
type Vault struct {
	dir        string // absolute
	root       *os.Root
	base       folder // the same, for looking alone
	rootInfo   fs.FileInfo
	maxBytes   int64
	maxLeftOut int64 // names
	foldsCase  bool  // as the constant
	folders    []string
	extensions map[string]bool
	extra      []rule
	rules      atomic.Pointer[ignoreRules] // of the last Open, Scan or SetDefaults
	// leftOutBefore is one more than the entries that the last Scan, and each ScanPaths since, met in folders that are left out, 0
	// before one.
	leftOutBefore atomic.Int64

	mu           sync.Mutex // over the two that follow, and the making of rules
	moreLines    []string   // of SetDefaults
	moreDefaults []rule
}

// Open opens the folder dir and reads its ignore rules. It fails with a *RootError where the folder is missing or cannot
// be read, also when .indexignore cannot, or is no UTF-8 text, or has a rule too long or one too many: without all of its
// rules, notes that are to stay private would be taken.
func Open(dir string, options Options) (*Vault, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, &RootError{Dir: dir, Err: err}
	}
	vault := &Vault{
		dir: absolute, maxBytes: options.MaxFileBytes, maxLeftOut: defaultMaxLeftOut, foldsCase: foldsCase,
		extensions: extensionSet(options.Extensions),
	}
	if vault.extra, err = parseRules([]byte(strings.Join(options.ExtraIgnore, "\n")), foldsCase); err != nil {
		return nil, &RootError{Dir: absolute, Err: fmt.Errorf("ignore rules of the options: %w", err)}
	}
	if vault.maxBytes <= 0 {
		vault.maxBytes = DefaultMaxFileBytes
	}
	if vault.folders, err = cleanFolders(options.Folders); err != nil {
		return nil, err
	}
	if err := vault.openRoot(); err != nil {
		return nil, &RootError{Dir: absolute, Err: plainCause(err)}
	}
	if err := vault.loadRules(); err != nil {
		_ = vault.Close()
		return nil, err
	}
	return vault, nil
}

func (v *Vault) openRoot() error {
	info, err := os.Stat(v.dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return errNotFolder
	}
	if v.root, err = os.OpenRoot(v.dir); err != nil {
		return err
	}
	if v.rootInfo, err = v.root.Stat("."); err == nil {
		v.base, err = startFolder(v.root)
	}
	if err != nil {
		_ = v.root.Close()
	}
	return err
}

// Close releases the folder. Reads after it fail.
func (v *Vault) Close() error {
	v.base.close()
	return v.root.Close()
}

// Root is the absolute path of the folder.
func (v *Vault) Root() string { return v.dir }

// checkRoot fails where the path of the vault leads to another folder than the open one: a disk that went away or came
// back, a folder that was replaced. The open one would look empty, and the index would lose all.
func (v *Vault) checkRoot() error {
	info, err := os.Stat(v.dir)
	if err == nil && !os.SameFile(info, v.rootInfo) {
		err = errReplaced
	}
	if err != nil {
		return &RootError{Dir: v.dir, Err: plainCause(err)}
	}
	return nil
}

func extensionSet(extensions []string) map[string]bool {
	if len(extensions) == 0 {
		extensions = DefaultExtensions()
	}
	set := make(map[string]bool, len(extensions))
	for _, name := range extensions {
		set["."+strings.TrimPrefix(strings.ToLower(name), ".")] = true
	}
	return set
}

func cleanFolders(folders []string) ([]string, error) {
	var clean []string
	for _, folder := range folders {
		name := strings.TrimSuffix(strings.TrimPrefix(folder, "./"), "/")
		if err := checkPath(name); err != nil {
			return nil, fmt.Errorf("allowed folder %q: %w", folder, err)
		}
		clean = append(clean, canonical(name, foldsCase))
	}
	slices.Sort(clean)
	return clean, nil
}

// plainCause leaves out the operation and the path that an *fs.PathError repeats.
func plainCause(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

// reason is the cause of an error for a person.
func reason(err error) string {
	if errors.Is(err, fs.ErrPermission) {
		return "no permission to read it"
	}
	return plainCause(err).Error()
}
