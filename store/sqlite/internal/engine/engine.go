// Package engine is the little of SQLite's C interface that store/sqlite needs, on top of the transpiled library: blobs
// and texts are read where SQLite holds them, and statements are kept, which database/sql does not allow. All use of
// unsafe pointers by the store is in this package.
//
// A Conn and its statements are not safe for concurrent use, Interrupt excepted.
package engine

import (
	"fmt"
	"strings"
	"unsafe"

	"modernc.org/libc"
	"modernc.org/libc/sys/types"
	lib "modernc.org/sqlite/lib"
)

// Primary result codes that callers tell apart.
const (
	Busy      = lib.SQLITE_BUSY
	Locked    = lib.SQLITE_LOCKED
	ReadOnly  = lib.SQLITE_READONLY
	Interrupt = lib.SQLITE_INTERRUPT
	IOError   = lib.SQLITE_IOERR
	Corrupt   = lib.SQLITE_CORRUPT
	Full      = lib.SQLITE_FULL
	CantOpen  = lib.SQLITE_CANTOPEN
	NotADB    = lib.SQLITE_NOTADB
	Perm      = lib.SQLITE_PERM
	Format    = lib.SQLITE_FORMAT
	Protocol  = lib.SQLITE_PROTOCOL
	NoMemory  = lib.SQLITE_NOMEM
	generic   = lib.SQLITE_ERROR
)

// Error is a failure that SQLite reported.
type Error struct {
	Code     int    // primary result code
	Extended int    // extended result code
	Message  string // SQLite's own text
}

// Error gives SQLite's own text with the extended code.
func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Extended) }

// Conn is one connection.
type Conn struct {
	tls        *libc.TLS
	db         uintptr
	cell       uintptr // room for one result pointer
	statements map[string]*Stmt
	tokenizer  *tokenizer
}

// Open opens the database at name: a path, or a URI when it begins with "file:". With create a missing file is made;
// with readOnly nothing is ever written.
func Open(name string, readOnly, create bool) (*Conn, error) {
	if strings.ContainsRune(name, 0) {
		return nil, &Error{Code: CantOpen, Extended: CantOpen, Message: "a NUL in the name"}
	}
	flags := int32(lib.SQLITE_OPEN_READWRITE)
	switch {
	case readOnly:
		flags = lib.SQLITE_OPEN_READONLY
	case create:
		flags |= lib.SQLITE_OPEN_CREATE
	}
	if strings.HasPrefix(name, "file:") {
		flags |= lib.SQLITE_OPEN_URI
	}
	c := &Conn{tls: libc.NewTLS(), statements: map[string]*Stmt{}}
	c.cell = c.allocate(64)
	text := c.cString(name)
	defer libc.Xfree(c.tls, text)
	code := lib.Xsqlite3_open_v2(c.tls, text, c.cell, flags|lib.SQLITE_OPEN_NOMUTEX|lib.SQLITE_OPEN_EXRESCODE, 0)
	c.db = *at[uintptr](c.cell)
	if code != lib.SQLITE_OK {
		err := c.failure(code)
		c.Close()
		return nil, err
	}
	return c, nil
}

// Close finalises the statements and closes the connection; an open transaction is rolled back. Once is enough.
func (c *Conn) Close() error {
	if c.tls == nil {
		return nil
	}
	for _, s := range c.statements {
		s.finalize()
	}
	c.closeTokenizer()
	code := lib.Xsqlite3_close_v2(c.tls, c.db)
	libc.Xfree(c.tls, c.cell)
	c.tls.Close()
	c.tls = nil
	if code != lib.SQLITE_OK {
		return &Error{Code: int(code) & 0xff, Extended: int(code), Message: "close"}
	}
	return nil
}

// Interrupt makes a running statement end with code Interrupt. It may be called from any goroutine before Close.
func (c *Conn) Interrupt() {
	tls := libc.NewTLS()
	lib.Xsqlite3_interrupt(tls, c.db)
	tls.Close()
}

// BusyTimeout sets how long a statement waits for the locks of other connections.
func (c *Conn) BusyTimeout(milliseconds int) {
	lib.Xsqlite3_busy_timeout(c.tls, c.db, int32(milliseconds))
}

// InTransaction tells whether a transaction is open.
func (c *Conn) InTransaction() bool { return lib.Xsqlite3_get_autocommit(c.tls, c.db) == 0 }

// LastRowID is the rowid of the last insertion.
func (c *Conn) LastRowID() int64 { return lib.Xsqlite3_last_insert_rowid(c.tls, c.db) }

// IsReadOnly tells whether the file could be opened for reading only.
func (c *Conn) IsReadOnly() bool { return lib.Xsqlite3_db_readonly(c.tls, c.db, 0) == 1 }

// Exec runs one statement to its end, dropping its rows. Arguments are those of Stmt.Bind.
func (c *Conn) Exec(sql string, args ...any) error {
	s, err := c.Prepare(sql)
	if err != nil {
		return err
	}
	defer s.Reset()
	s.Bind(args...)
	for {
		if more, err := s.Step(); err != nil || !more {
			return err
		}
	}
}

// Script runs statements without arguments, separated by semicolons, and keeps none.
func (c *Conn) Script(sql string) error {
	text := c.cString(sql)
	defer libc.Xfree(c.tls, text)
	if code := lib.Xsqlite3_exec(c.tls, c.db, text, 0, 0, 0); code != lib.SQLITE_OK {
		return c.failure(code)
	}
	return nil
}

// Int gives the first column of the first row, 0 when there is none.
func (c *Conn) Int(sql string, args ...any) (int64, error) {
	s, err := c.Prepare(sql)
	if err != nil {
		return 0, err
	}
	defer s.Reset()
	s.Bind(args...)
	if more, err := s.Step(); err != nil || !more {
		return 0, err
	}
	return s.Int(0), nil
}

// Prepare compiles a statement, or gives the one kept from before, reset.
func (c *Conn) Prepare(sql string) (*Stmt, error) {
	if s := c.statements[sql]; s != nil {
		s.Reset()
		return s, nil
	}
	text := c.cString(sql)
	defer libc.Xfree(c.tls, text)
	code := lib.Xsqlite3_prepare_v3(c.tls, c.db, text, int32(len(sql)+1), lib.SQLITE_PREPARE_PERSISTENT, c.cell, 0)
	if code != lib.SQLITE_OK {
		return nil, c.failure(code)
	}
	s := &Stmt{conn: c, tls: c.tls, handle: *at[uintptr](c.cell)}
	c.statements[sql] = s
	return s, nil
}

func (c *Conn) failure(code int32) error {
	if code == NoMemory {
		return &Error{Code: int(code), Extended: int(code), Message: "out of memory"}
	}
	message := libc.GoString(lib.Xsqlite3_errmsg(c.tls, c.db))
	return &Error{Code: int(code) & 0xff, Extended: int(code), Message: message}
}

func (c *Conn) allocate(bytes int) uintptr {
	p := libc.Xmalloc(c.tls, types.Size_t(bytes))
	if p == 0 {
		panic("out of memory") //nolint:forbidigo // as Go's own allocation does
	}
	return p
}

func (c *Conn) cString(s string) uintptr {
	p := c.allocate(len(s) + 1)
	memory := unsafe.Slice(at[byte](p), len(s)+1)
	memory[copy(memory, s)] = 0
	return p
}

// at reads an address of the library's memory, which Go's collector does not manage, as a pointer.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }
