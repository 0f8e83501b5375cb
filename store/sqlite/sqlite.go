// Package sqlite keeps an index in one SQLite file that any stock SQLite from 3.38 on can open and check.
//
// Readers see the last commit and never wait for the writer (write-ahead log). One process at a time writes; it holds an
// advisory lock on the file's name with ".lock" added. What it deletes or replaces is gone from the bytes of the file and
// its log when it has ended. Both legs of a query are computed here, not in SQL: the vector leg
// scans packed int8 vectors, the lexical leg reads the posting lists out of FTS5's own tables (package postings).
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// Options says what to open and how.
type Options struct {
	Path     string       // of the database file; its folder is made when it is missing, unless ReadOnly
	ReadOnly bool         // nothing is written, and a missing file is ErrMissing
	Logger   *slog.Logger // nil: silence
}

// Store is an index in a file. It is safe for concurrent use.
type Store struct {
	path     string
	readOnly bool
	logger   *slog.Logger

	scorers sync.Pool     // of *scorer
	readers chan struct{} // one entry an open snapshot

	manyNotes int // see usualManyNotes

	mu       sync.Mutex
	file     os.FileInfo    // which file the idle connections are of
	frozen   bool           // they take the file for one that nobody changes
	held     []*openFile    // looked into, and to be closed after all connections
	idle     []*engine.Conn // readers without a transaction
	resident *resident      // what the last snapshots left in memory
	closed   bool
}

const (
	busyMilliseconds = 5000
	idleConnections  = 8
	// Snapshots open at a time: each holds files and a cache of pages. More have to wait.
	maxReaders = 16
	// Pages are larger than SQLite's own choice: a scan of the vectors reads many. A memory map was slower for a process
	// that asks once: unmapping costs more than reading.
	pageBytes = 16 << 10
	// A reader that comes while the file is made waits for it, at most so many times so long.
	openAttempts = 100
	openPause    = 10 * time.Millisecond
	// Pages that a writer keeps before it spills them to the log, in KiB, negated as PRAGMA cache_size wants it.
	writerCache = -32 << 10
)

// What checkVersion says of a file that has to be migrated first.
var (
	errOlder = fmt.Errorf("%w that this version reads: what is there is of an older one", store.ErrMissing)
	errEmpty = errors.New("the database is empty")
)

// Open opens the index. Nothing is written when the schema fits. Errors: ErrMissing, ErrNewer, ErrForeign, ErrDamaged,
// ErrLocked (another process is just making the index), ErrReadOnly.
func Open(ctx context.Context, o Options) (*Store, error) {
	path, err := filepath.Abs(o.Path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", o.Path, err)
	}
	s := &Store{path: path, readOnly: o.ReadOnly, logger: o.Logger, readers: make(chan struct{}, maxReaders), manyNotes: usualManyNotes}
	s.scorers.New = func() any { return &scorer{} }
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	c, err := s.connect(ctx)
	if errors.Is(err, store.ErrMissing) || errors.Is(err, errOlder) {
		if o.ReadOnly {
			s.letGo()
			return nil, fmt.Errorf("open %s: %w", path, err)
		}
		if err = s.create(ctx); err == nil {
			c, err = s.connect(ctx)
		}
	}
	if err != nil {
		s.letGo()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	s.idle = append(s.idle, c)
	return s, nil
}

// connect opens a connection for reading and checks the schema. It notes which file it was.
func (s *Store) connect(ctx context.Context) (*engine.Conn, error) {
	info, err := statFile(s.path)
	if err != nil {
		return nil, err
	}
	if info.Size() == 0 {
		return nil, whenEmpty(s.path)
	}
	if s.file == nil {
		if err := s.checkFile(info.Size()); err != nil {
			return nil, err
		}
		s.file = info
	}
	c, err := openReader(ctx, s.path, s.readOnly)
	for range openAttempts {
		if !s.looksFrozen(err) || ctx.Err() != nil || !isWriting(s.path) {
			break
		}
		time.Sleep(openPause) // the log's shared memory comes in a moment, or is not needed any more
		c, err = openReader(ctx, s.path, s.readOnly)
	}
	if s.looksFrozen(err) {
		// The folder is not ours to write to, so that the log's shared memory cannot be made; but nobody writes there.
		c, err = openReader(ctx, uri(s.path)+"?immutable=1", true)
		s.frozen = err == nil
	}
	if errors.Is(err, errEmpty) {
		err = store.ErrMissing
	}
	return c, err
}

// looksFrozen tells of the error of a reader that the log's shared memory is not there and cannot be made, and is not needed either.
func (s *Store) looksFrozen(err error) bool {
	return (errors.Is(err, store.ErrReadOnly) || isCantOpen(err) && !hasSharedMemory(s.path)) && logIsEmpty(s.path)
}

// checkFile looks into a file before SQLite does. One that cannot be opened SQLite tells of.
func (s *Store) checkFile(sizeBytes int64) error {
	held, err := holdFile(s.path)
	if err != nil {
		return nil //nolint:nilerr // as said
	}
	if endsLocks {
		s.held = append(s.held, held)
	} else {
		defer held.release()
	}
	return checkMagic(held.file, sizeBytes)
}

// letGo closes the files that were looked into, when no connection is open any more.
func (s *Store) letGo() {
	for _, held := range s.held {
		held.release()
	}
	s.held = nil
}

// statFile looks at the file of the index: ErrMissing, or ErrForeign where it is no regular file.
func statFile(path string) (os.FileInfo, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, store.ErrMissing
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, store.ErrForeign
	}
	os.SameFile(info, info) // Windows reads the file's identity only now, and later the name may be another file's
	return info, nil
}

// whenEmpty tells an index whose making was cut short, ErrMissing, from somebody's empty file, ErrForeign.
func whenEmpty(path string) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".db", ".sqlite", ".sqlite3":
		return store.ErrMissing
	}
	for _, suffix := range []string{"-wal", ".lock"} {
		if _, err := os.Lstat(path + suffix); err == nil {
			return store.ErrMissing
		}
	}
	return store.ErrForeign
}

// openReader opens a connection that does not write. Unless readOnly, it may take the log away when it is the last to close.
func openReader(ctx context.Context, name string, readOnly bool) (*engine.Conn, error) {
	c, err := engine.Open(name, readOnly, false)
	if err != nil {
		return nil, wrap(ctx, "open the file", err)
	}
	c.BusyTimeout(busyMilliseconds)
	if err = c.Script("PRAGMA query_only = 1"); err == nil {
		err = checkVersion(ctx, c)
	}
	if err = wrap(ctx, "open the file", err); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// checkFolder tells whether files can be made beside the index, as SQLite does while it writes.
func checkFolder(path string) error {
	probe, err := os.CreateTemp(filepath.Dir(path), ".quarry-")
	if err != nil {
		return fileError("write beside the index", err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// hasSharedMemory tells whether the log's shared memory is there.
func hasSharedMemory(path string) bool {
	_, err := os.Stat(path + "-shm")
	return !errors.Is(err, fs.ErrNotExist)
}

func logIsEmpty(path string) bool {
	info, err := os.Stat(path + "-wal")
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0
}

// uri names a file the way SQLite reads it with options behind.
func uri(path string) string {
	path = filepath.ToSlash(path)
	if runtime.GOOS == "windows" && !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return "file://" + (&url.URL{Path: path}).EscapedPath()
}

// create makes the file or brings its schema up to date, under the writer's lock.
func (s *Store) create(ctx context.Context) error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return fileError("make the folder", err)
	}
	lock, err := lockWriter(s.path)
	if err != nil {
		return err
	}
	defer lock.release(s.logger)
	if err := makeFile(s.path); err != nil {
		return fileError("make the file", err)
	}
	held, err := holdFile(s.path) // nobody else in this process is to be the last one who closes it
	if err != nil {
		return fileError("make the file", err)
	}
	defer held.release()
	c, err := engine.Open(s.path, false, true)
	if err != nil {
		return wrap(ctx, "make the file", err)
	}
	defer c.Close()
	c.BusyTimeout(busyMilliseconds)
	return migrate(ctx, c)
}

// makeFile makes an empty file that others cannot read: SQLite gives the log the same permissions. One that is there
// keeps its own.
func makeFile(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// fileError turns an error of the file system into one of ours where callers tell it apart.
func fileError(operation string, err error) error {
	if errors.Is(err, fs.ErrPermission) || isReadOnlyFileSystem(err) {
		return fmt.Errorf("%s: %w: %w", operation, store.ErrReadOnly, err)
	}
	return fmt.Errorf("%s: %w", operation, err)
}

// reader takes an idle connection to the present file, or opens one, and tells which file it is of.
func (s *Store) reader(ctx context.Context) (*engine.Conn, os.FileInfo, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, nil, errors.New("the store is closed")
	}
	info, err := statFile(s.path)
	if err != nil {
		return nil, nil, err
	}
	if !os.SameFile(info, s.file) || s.frozen && s.thaws(info) { // somebody put the index anew, or writes it
		s.dropIdle()
		s.file, s.resident, s.frozen = nil, nil, false
	}
	if n := len(s.idle); n > 0 {
		c := s.idle[n-1]
		s.idle = s.idle[:n-1]
		return c, s.file, nil
	}
	c, err := s.connect(ctx)
	return c, s.file, err
}

// thaws tells of a file that was taken for one that nobody changes whether somebody did, or may: what is new lies in the log first,
// and whoever opens the file makes the log's shared memory.
func (s *Store) thaws(info os.FileInfo) bool {
	return !info.ModTime().Equal(s.file.ModTime()) || hasSharedMemory(s.path) || !logIsEmpty(s.path)
}

// share gives the memory that snapshots of one generation of the present file have in common.
func (s *Store) share(generation int64, file os.FileInfo) *resident {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !os.SameFile(file, s.file) {
		return &resident{generation: generation}
	}
	if s.resident == nil || s.resident.generation != generation {
		s.resident = &resident{generation: generation}
	}
	return s.resident
}

// giveBack keeps a reader's connection for the next snapshot, if it is of the present file.
func (s *Store) giveBack(c *engine.Conn, file os.FileInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.idle) >= idleConnections || !os.SameFile(file, s.file) {
		c.Close()
		return
	}
	s.idle = append(s.idle, c)
}

func (s *Store) dropIdle() {
	for _, c := range s.idle {
		c.Close()
	}
	s.idle = nil
}

// Close closes the idle connections. Snapshots and updates have to be ended before.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.dropIdle()
	s.resident = nil
	s.letGo()
	return nil
}

var _ store.Store = (*Store)(nil)
