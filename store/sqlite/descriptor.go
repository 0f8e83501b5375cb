package sqlite

import (
	"os"
	"runtime"
	"slices"
	"sync"
)

// openFiles are the files of indexes that this process has looked into beside SQLite. Where any descriptor of a file is closed, POSIX
// ends all locks that the process holds on it, also those of other connections, so that each is closed by its last user.
var openFiles struct {
	mu   sync.Mutex
	list []*openFile
}

type openFile struct {
	file  *os.File
	info  os.FileInfo
	users int
}

// endsLocks tells whether closing a file ends locks of others.
const endsLocks = runtime.GOOS != "windows"

// holdFile opens a file, or gives the one that is open. The caller releases it when no connection of its own is open any more.
func holdFile(path string) (*openFile, error) {
	openFiles.mu.Lock()
	defer openFiles.mu.Unlock()
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if place := slices.IndexFunc(openFiles.list, func(o *openFile) bool { return os.SameFile(o.info, info) }); place >= 0 {
		openFiles.list[place].users++
		return openFiles.list[place], nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	opened := &openFile{file: file, users: 1}
	if opened.info, err = file.Stat(); err != nil {
		opened.info = info
	}
	openFiles.list = append(openFiles.list, opened)
	return opened, nil
}

// release may be called of nil.
func (o *openFile) release() {
	if o == nil {
		return
	}
	openFiles.mu.Lock()
	defer openFiles.mu.Unlock()
	if o.users--; o.users == 0 {
		openFiles.list = slices.DeleteFunc(openFiles.list, func(other *openFile) bool { return other == o })
		_ = o.file.Close()
	}
}
