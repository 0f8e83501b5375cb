package engine

import (
	"fmt"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// Stmt is a compiled statement. Use it as Bind, Step until it gives false, Reset.
type Stmt struct {
	conn   *Conn
	tls    *libc.TLS
	handle uintptr
	arena  uintptr // the bound texts and blobs, in the library's memory
	size   int
	used   int
	spill  []uintptr // bound values for which the arena was too small
}

// Bind sets the arguments in order: int, int64, float64, string, []byte (nil is NULL) or nil.
func (s *Stmt) Bind(args ...any) {
	for i, arg := range args {
		switch v := arg.(type) {
		case int:
			s.BindInt(i, int64(v))
		case int64:
			s.BindInt(i, v)
		case float64:
			s.BindFloat(i, v)
		case string:
			s.BindText(i, v)
		case []byte:
			s.BindBlob(i, v)
		case nil:
			s.BindNull(i)
		default:
			panic(fmt.Sprintf("bind %T", arg)) //nolint:forbidigo // a mistake of the programmer
		}
	}
}

// BindInt sets argument i, counted from 0.
func (s *Stmt) BindInt(i int, v int64) { lib.Xsqlite3_bind_int64(s.tls, s.handle, int32(i+1), v) }

// BindFloat sets argument i, counted from 0.
func (s *Stmt) BindFloat(i int, v float64) {
	lib.Xsqlite3_bind_double(s.tls, s.handle, int32(i+1), v)
}

// BindNull sets argument i, counted from 0, to NULL.
func (s *Stmt) BindNull(i int) { lib.Xsqlite3_bind_null(s.tls, s.handle, int32(i+1)) }

// BindText sets argument i, counted from 0; the text is copied.
func (s *Stmt) BindText(i int, v string) {
	p := s.room(len(v))
	copy(unsafe.Slice(at[byte](p), len(v)), v)
	lib.Xsqlite3_bind_text(s.tls, s.handle, int32(i+1), p, int32(len(v)), lib.SQLITE_STATIC)
}

// BindBlob sets argument i, counted from 0; the bytes are copied, nil is NULL.
func (s *Stmt) BindBlob(i int, v []byte) {
	if v == nil {
		s.BindNull(i)
		return
	}
	p := s.room(len(v))
	copy(unsafe.Slice(at[byte](p), len(v)), v)
	lib.Xsqlite3_bind_blob(s.tls, s.handle, int32(i+1), p, int32(len(v)), lib.SQLITE_STATIC)
}

// room gives bytes of the library's memory that stay until Reset.
func (s *Stmt) room(bytes int) uintptr {
	bytes = (bytes + 8) &^ 7
	if s.used+bytes <= s.size {
		s.used += bytes
		return s.arena + uintptr(s.used-bytes)
	}
	if s.used == 0 {
		if s.arena != 0 {
			libc.Xfree(s.tls, s.arena)
		}
		s.size = max(bytes, 2*s.size, 512)
		s.arena, s.used = s.conn.allocate(s.size), bytes
		return s.arena
	}
	p := s.conn.allocate(bytes)
	s.spill = append(s.spill, p)
	return p
}

// Each steps through all rows, calls visit at each, and resets the statement. An error of visit ends it.
func (s *Stmt) Each(visit func() error) error {
	defer s.Reset()
	for {
		more, err := s.Step()
		if err != nil || !more {
			return err
		}
		if err := visit(); err != nil {
			return err
		}
	}
}

// Step goes on to the next row; false at the end.
func (s *Stmt) Step() (bool, error) {
	switch code := lib.Xsqlite3_step(s.tls, s.handle); code {
	case lib.SQLITE_ROW:
		return true, nil
	case lib.SQLITE_DONE:
		return false, nil
	default:
		return false, s.conn.failure(code)
	}
}

// Run steps to the end and resets: for statements without rows.
func (s *Stmt) Run() error {
	_, err := s.Step()
	s.Reset()
	return err
}

// Reset ends the execution and drops the arguments' memory; Raw slices become invalid.
func (s *Stmt) Reset() {
	lib.Xsqlite3_reset(s.tls, s.handle)
	if s.used == 0 {
		return
	}
	lib.Xsqlite3_clear_bindings(s.tls, s.handle)
	needed := s.used
	if len(s.spill) > 0 {
		needed = s.size + 1 // the next round gets a larger arena
	}
	for _, p := range s.spill {
		libc.Xfree(s.tls, p)
	}
	s.spill, s.used = s.spill[:0], 0
	if needed > s.size || s.size > keptArenaBytes {
		libc.Xfree(s.tls, s.arena)
		s.arena = 0
		if s.size > keptArenaBytes {
			s.size = 0
		}
	}
	if s.arena == 0 && s.size > 0 {
		s.size *= 2
		s.arena = s.conn.allocate(s.size)
	}
}

// keptArenaBytes bounds the memory that an idle statement holds for its arguments.
const keptArenaBytes = 1 << 20

// Int reads an integer column of the row, 0 for NULL.
func (s *Stmt) Int(column int) int64 {
	return lib.Xsqlite3_column_int64(s.tls, s.handle, int32(column))
}

// Float reads a real column of the row, 0 for NULL.
func (s *Stmt) Float(column int) float64 {
	return lib.Xsqlite3_column_double(s.tls, s.handle, int32(column))
}

// Text copies a text column of the row, "" for NULL.
func (s *Stmt) Text(column int) string { return string(s.Raw(column)) }

// Blob copies a column of the row, nil for NULL.
func (s *Stmt) Blob(column int) []byte {
	if s.IsNull(column) {
		return nil
	}
	return append([]byte{}, s.Raw(column)...)
}

// IsNull tells whether a column of the row is NULL.
func (s *Stmt) IsNull(column int) bool {
	return lib.Xsqlite3_column_type(s.tls, s.handle, int32(column)) == lib.SQLITE_NULL
}

// IsText tells whether a column of the row holds a text.
func (s *Stmt) IsText(column int) bool {
	return lib.Xsqlite3_column_type(s.tls, s.handle, int32(column)) == lib.SQLITE_TEXT
}

// Raw gives the bytes of a text or blob column where SQLite holds them: valid until the next Step or Reset, not to be changed.
func (s *Stmt) Raw(column int) []byte {
	p := lib.Xsqlite3_column_blob(s.tls, s.handle, int32(column))
	if p == 0 {
		return nil
	}
	return unsafe.Slice(at[byte](p), lib.Xsqlite3_column_bytes(s.tls, s.handle, int32(column)))
}

func (s *Stmt) finalize() {
	lib.Xsqlite3_finalize(s.tls, s.handle)
	for _, p := range s.spill {
		libc.Xfree(s.tls, p)
	}
	if s.arena != 0 {
		libc.Xfree(s.tls, s.arena)
	}
}

// AsInt8 reads bytes as signed, without copying.
func AsInt8(b []byte) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}
