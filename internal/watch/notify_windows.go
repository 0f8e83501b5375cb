package watch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"unsafe"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/sys/windows"
)

// treeNotifier tells of a folder with all below it by one handle: a handle on each folder would keep people from renaming the
// folder above it.
type treeNotifier struct {
	told   chan event
	failed chan error
	done   chan struct{}

	mu     sync.Mutex
	handle windows.Handle // 0: none
	isOver bool
	reader sync.WaitGroup
	call   *changeCall // under way; held here so that it lies on the heap: the system writes into it while its goroutine's stack may move
}

// changeCall is what the system writes into after a call has returned.
type changeCall struct {
	overlapped windows.Overlapped
	buffer     [changeBytes]byte // behind a field of words, since records are of words
}

// changeBytes is the most that works for folders on other machines.
const changeBytes = 64 << 10

// pollMilliseconds is how soon a reader sees that it is to end.
const pollMilliseconds = 200

const changeMask = windows.FILE_NOTIFY_CHANGE_FILE_NAME | windows.FILE_NOTIFY_CHANGE_DIR_NAME |
	windows.FILE_NOTIFY_CHANGE_SIZE | windows.FILE_NOTIFY_CHANGE_LAST_WRITE

func newNotifier() (notifier, error) {
	return &treeNotifier{told: make(chan event), failed: make(chan error), done: make(chan struct{})}, nil
}

func (n *treeNotifier) add(folder string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.handle != 0 || n.isOver {
		return nil
	}
	name, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return err
	}
	handle, err := windows.CreateFile(name, windows.FILE_LIST_DIRECTORY,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil, windows.OPEN_EXISTING,
		windows.FILE_FLAG_BACKUP_SEMANTICS|windows.FILE_FLAG_OVERLAPPED, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: folder, Err: err}
	}
	n.handle = handle
	n.reader.Go(func() { n.read(handle, folder) })
	return nil
}

// read takes changes until the handle is cancelled.
func (n *treeNotifier) read(handle windows.Handle, root string) {
	call := &changeCall{}
	n.call = call
	signal, err := windows.CreateEvent(nil, 1, 0, nil)
	if err != nil {
		n.fail(fmt.Errorf("watch: %w", err))
		return
	}
	defer func() { _ = windows.CloseHandle(signal) }()
	for {
		call.overlapped = windows.Overlapped{HEvent: signal}
		err := windows.ReadDirectoryChanges(handle, &call.buffer[0], changeBytes, true, changeMask, nil, &call.overlapped, 0)
		var count uint32
		if err == nil {
			n.await(handle, &call.overlapped)
			err = windows.GetOverlappedResult(handle, &call.overlapped, &count, true)
		}
		select {
		case <-n.done:
			return
		default:
		}
		switch {
		case errors.Is(err, windows.ERROR_NOTIFY_ENUM_DIR), err == nil && count == 0: // there were more than fit
			n.fail(fsnotify.ErrEventOverflow)
		case err != nil:
			n.fail(fmt.Errorf("watch: %w", err))
			return
		default:
			n.tell(call.buffer[:count], root)
		}
	}
}

// await waits for a call to end, and ends it itself when nobody wants to know any more.
func (n *treeNotifier) await(handle windows.Handle, call *windows.Overlapped) {
	for {
		if state, err := windows.WaitForSingleObject(call.HEvent, pollMilliseconds); err != nil || state == windows.WAIT_OBJECT_0 {
			return
		}
		select {
		case <-n.done:
			_ = windows.CancelIoEx(handle, call)
			return
		default:
		}
	}
}

// tell reads records of FILE_NOTIFY_INFORMATION: offset of the next u32, action u32, bytes of the name u32, the name in UTF-16.
func (n *treeNotifier) tell(records []byte, root string) {
	const nameOffset = 12
	for len(records) >= nameOffset {
		record := (*windows.FileNotifyInformation)(unsafe.Pointer(&records[0]))
		if int(record.FileNameLength) > len(records)-nameOffset {
			return
		}
		name := windows.UTF16ToString(unsafe.Slice(&record.FileName, record.FileNameLength/2))
		e := event{name: filepath.Join(root, name)}
		switch record.Action {
		case windows.FILE_ACTION_ADDED, windows.FILE_ACTION_RENAMED_NEW_NAME:
			e.isNew = true
		case windows.FILE_ACTION_REMOVED, windows.FILE_ACTION_RENAMED_OLD_NAME:
			e.isGone = true
		}
		select {
		case n.told <- e:
		case <-n.done:
			return
		}
		if record.NextEntryOffset == 0 || int(record.NextEntryOffset) > len(records) {
			return
		}
		records = records[record.NextEntryOffset:]
	}
}

func (n *treeNotifier) fail(err error) {
	select {
	case n.failed <- err:
	case <-n.done:
	}
}

func (n *treeNotifier) remove(string)        {}
func (n *treeNotifier) events() <-chan event { return n.told }
func (n *treeNotifier) errors() <-chan error { return n.failed }
func (n *treeNotifier) isRecursive() bool    { return true }

func (n *treeNotifier) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.isOver {
		return
	}
	n.isOver = true
	close(n.done)
	if n.handle != 0 {
		n.reader.Wait()
		_ = windows.CloseHandle(n.handle)
	}
}
