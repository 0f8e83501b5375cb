package vault

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// descriptor is a folder by its file descriptor: five system calls a folder where os.Root takes twice as many, which is
// most of the time of a run that changes nothing.
type descriptor int

// base is the vault's own folder. A call holds its file open, so that a number which Close freed is never used.
type base struct{ file *os.File }

// startFolder opens the folder that root is.
func startFolder(root *os.Root) (folder, error) {
	opened, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	return base{opened}, nil
}

func (b base) open(name string) (folder, error) {
	return held(b.file, func(d descriptor) (folder, error) { return d.open(name) })
}

// list opens the folder anew: a descriptor has one place in the listing for all its users.
func (b base) list() ([]entry, error) {
	opened, err := b.open(".")
	if err != nil {
		return nil, err
	}
	defer opened.close()
	return opened.list()
}

func (b base) look(name string) (facts, error) {
	return held(b.file, func(d descriptor) (facts, error) { return d.look(name) })
}

func (b base) close() { _ = b.file.Close() }

// held calls use while the file cannot be closed; fs.ErrClosed where it was already.
func held[T any](file *os.File, use func(descriptor) (T, error)) (result T, err error) {
	conn, connErr := file.SyscallConn()
	if connErr == nil {
		connErr = conn.Control(func(fd uintptr) { result, err = use(descriptor(fd)) })
	}
	if connErr != nil {
		return result, fs.ErrClosed
	}
	return result, err
}

func (d descriptor) open(name string) (folder, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat(int(d), name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return descriptor(fd), nil
}

func (d descriptor) close() { _ = unix.Close(int(d)) }

func (d descriptor) look(name string) (facts, error) {
	var stat unix.Stat_t
	_, err := retry(func() (int, error) { return 0, unix.Fstatat(int(d), name, &stat, unix.AT_SYMLINK_NOFOLLOW) })
	if err != nil {
		return facts{}, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	return factsOfStat(&stat), nil
}

func factsOfStat(stat *unix.Stat_t) facts {
	return facts{kind: kindOfMode(stat.Mode), sizeBytes: stat.Size, modifiedNanoseconds: stat.Mtim.Nano(), inode: stat.Ino}
}

// retry runs a system call again when a signal broke into it.
func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}

const listingBytes = 32 << 10

var listings = sync.Pool{New: func() any { b := make([]byte, listingBytes); return &b }}

func (d descriptor) list() ([]entry, error) {
	buffer, ok := listings.Get().(*[]byte)
	if !ok {
		panic("a pool of buffers holds something else") //nolint:forbidigo // a programmer's mistake
	}
	defer listings.Put(buffer)
	var entries []entry
	for {
		n, err := retry(func() (int, error) { return unix.Getdents(int(d), *buffer) })
		if err != nil {
			return entries, &fs.PathError{Op: "list", Path: ".", Err: err}
		}
		if n == 0 {
			return entries, nil
		}
		entries = appendEntries(entries, (*buffer)[:n])
	}
}

// appendEntries reads records as getdents64(2) writes them: inode u64, offset u64, length of the record u16, kind u8, name
// with a zero at its end.
func appendEntries(entries []entry, records []byte) []entry {
	const nameOffset = 19
	for len(records) >= nameOffset {
		length := int(binary.NativeEndian.Uint16(records[16:]))
		if length < nameOffset || length > len(records) {
			return entries
		}
		name, _, _ := bytes.Cut(records[nameOffset:length], []byte{0})
		if s := string(name); s != "." && s != ".." {
			entries = append(entries, entry{name: s, kind: kindOfEntry(records[18])})
		}
		records = records[length:]
	}
	return entries
}

func kindOfEntry(kind byte) fs.FileMode {
	switch kind {
	case unix.DT_REG:
		return 0
	case unix.DT_DIR:
		return fs.ModeDir
	case unix.DT_LNK:
		return fs.ModeSymlink
	case unix.DT_FIFO:
		return fs.ModeNamedPipe
	case unix.DT_SOCK:
		return fs.ModeSocket
	case unix.DT_BLK:
		return fs.ModeDevice
	case unix.DT_CHR:
		return fs.ModeDevice | fs.ModeCharDevice
	}
	return fs.ModeIrregular
}

func kindOfMode(mode uint32) fs.FileMode {
	return kindOfEntry(byte(mode & unix.S_IFMT >> 12)) // the kinds of both lists are numbered alike
}
