package engine

import (
	"encoding/binary"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// tokenizer is FTS5's own porter over unicode61, reached through FTS5's extension interface (sqlite.org/fts5.html, section 7), so
// that the words of a query are split exactly as those of the passages were.
type tokenizer struct {
	methods  uintptr // fts5_tokenizer
	instance uintptr
}

// The C functions of the interface, as the transpiler shapes them.
type (
	findMethod     = func(tls *libc.TLS, api, name, userData, methods uintptr) int32
	createMethod   = func(tls *libc.TLS, userData, args uintptr, count int32, instance uintptr) int32
	deleteMethod   = func(tls *libc.TLS, instance uintptr)
	tokenizeMethod = func(tls *libc.TLS, instance, data uintptr, flags int32, text uintptr, bytes int32, callback uintptr) int32
	tokenCallback  = func(tls *libc.TLS, data uintptr, flags int32, token uintptr, bytes, start, end int32) int32
)

const pointerBytes = unsafe.Sizeof(uintptr(0))

// Tokens splits text as FTS5's tokenizer porter does over unicode61, both with their default options.
func (c *Conn) Tokens(text string) ([]string, error) {
	if err := c.openTokenizer(); err != nil {
		return nil, err
	}
	input := c.cString(text)
	defer libc.Xfree(c.tls, input)
	// Room for the tokens, each with a length of four bytes: two tokens are at least a byte apart, and folding makes
	// no more than three bytes of two.
	size := 4*len(text) + 64
	output := c.allocate(size)
	defer libc.Xfree(c.tls, output)
	buffer := at[tokenBuffer](output)
	*buffer = tokenBuffer{used: int64(unsafe.Sizeof(*buffer)), size: int64(size)}
	tokenize := function[tokenizeMethod](at[lib.Tfts5_tokenizer](c.tokenizer.methods).FxTokenize)
	const asQuery = 1 // FTS5_TOKENIZE_QUERY
	code := tokenize(c.tls, c.tokenizer.instance, output, asQuery, input, int32(len(text)), address(tokenCallback(collectToken)))
	if code != lib.SQLITE_OK {
		return nil, &Error{Code: int(code) & 0xff, Extended: int(code), Message: "tokenize"}
	}
	var words []string
	memory := unsafe.Slice(at[byte](output), buffer.used)[unsafe.Sizeof(*buffer):]
	for len(memory) > 0 {
		end := 4 + binary.NativeEndian.Uint32(memory)
		words = append(words, string(memory[4:end]))
		memory = memory[end:]
	}
	return words, nil
}

// tokenBuffer heads the memory that collectToken fills.
type tokenBuffer struct{ used, size int64 }

func collectToken(_ *libc.TLS, data uintptr, _ int32, token uintptr, bytes, _, _ int32) int32 {
	buffer := at[tokenBuffer](data)
	if buffer.used+4+int64(bytes) > buffer.size {
		return lib.SQLITE_NOMEM
	}
	room := unsafe.Slice(at[byte](data), buffer.size)[buffer.used:]
	binary.NativeEndian.PutUint32(room, uint32(bytes))
	copy(room[4:], unsafe.Slice(at[byte](token), bytes))
	buffer.used += 4 + int64(bytes)
	return lib.SQLITE_OK
}

func (c *Conn) openTokenizer() error {
	if c.tokenizer != nil {
		return nil
	}
	api, err := c.fts5()
	if err != nil {
		return err
	}
	name := c.cString("porter")
	defer libc.Xfree(c.tls, name)
	memory := c.allocate(int(5 * pointerBytes))
	userData, instance := memory+3*pointerBytes, memory+4*pointerBytes
	t := &tokenizer{methods: memory}
	code := function[findMethod](at[lib.Tfts5_api](api).FxFindTokenizer)(c.tls, api, name, userData, memory)
	if code == lib.SQLITE_OK {
		create := function[createMethod](at[lib.Tfts5_tokenizer](memory).FxCreate)
		code = create(c.tls, *at[uintptr](userData), 0, 0, instance)
	}
	if code != lib.SQLITE_OK {
		libc.Xfree(c.tls, memory)
		return &Error{Code: int(code) & 0xff, Extended: int(code), Message: "find the tokenizer"}
	}
	t.instance = *at[uintptr](instance)
	c.tokenizer = t
	return nil
}

// fts5 asks for FTS5's interface the documented way: SELECT fts5(pointer).
func (c *Conn) fts5() (uintptr, error) {
	s, err := c.Prepare("SELECT fts5(?1)")
	if err != nil {
		return 0, err
	}
	kind := c.cString("fts5_api_ptr")
	defer libc.Xfree(c.tls, kind)
	result := c.allocate(int(pointerBytes))
	defer libc.Xfree(c.tls, result)
	*at[uintptr](result) = 0
	lib.Xsqlite3_bind_pointer(c.tls, s.handle, 1, result, kind, 0)
	_, err = s.Step()
	s.Reset()
	lib.Xsqlite3_clear_bindings(c.tls, s.handle)
	if api := *at[uintptr](result); api != 0 {
		return api, nil
	}
	if err == nil {
		err = &Error{Code: generic, Extended: generic, Message: "no FTS5"}
	}
	return 0, err
}

func (c *Conn) closeTokenizer() {
	if c.tokenizer == nil {
		return
	}
	function[deleteMethod](at[lib.Tfts5_tokenizer](c.tokenizer.methods).FxDelete)(c.tls, c.tokenizer.instance)
	libc.Xfree(c.tls, c.tokenizer.methods)
	c.tokenizer = nil
}

// function makes a Go function of an address in the library's tables: a Go func value is a pointer to such an address.
func function[F any](address uintptr) F {
	return *(*F)(unsafe.Pointer(&struct{ code uintptr }{address}))
}

// address is the reverse of function, for a function declared at package level.
func address[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&struct{ f F }{f})) }
