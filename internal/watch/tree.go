package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// event is that something happened to a path.
type event struct {
	name   string // absolute
	isNew  bool   // it came, also under another name
	isGone bool   // it went, also to another name
}

// tree is the folders that are watched. Its methods but events and errors are for one goroutine at a time, open before all.
type tree struct {
	root       string // absolute, links resolved
	maxEntries int    // 0: any number

	mu      sync.Mutex
	notify  notifier // nil: nothing is watched
	folders *node
	entries int
}

// node is a folder that is watched.
type node struct{ children map[string]*node }

// notifier is what tells of changes.
type notifier interface {
	add(folder string) error // absolute
	remove(folder string)
	events() <-chan event
	errors() <-chan error
	isRecursive() bool // it tells of all below the first folder that was added
	close()
}

func (t *tree) events() <-chan event {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.notify == nil {
		return nil
	}
	return t.notify.events()
}

func (t *tree) errors() <-chan error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.notify == nil {
		return nil
	}
	return t.notify.errors()
}

// open watches a folder and all below it that are entered.
func (t *tree) open(root string, enters func(string) bool) error {
	t.close()
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return fmt.Errorf("watch %s: %w", root, err)
	}
	notify, err := newNotifier()
	if err != nil {
		return fmt.Errorf("watch %s: %w", root, err)
	}
	t.mu.Lock()
	t.root, t.notify, t.folders, t.entries = real, notify, &node{}, 0
	t.mu.Unlock()
	if err := notify.add(real); err != nil {
		return t.limited(err)
	}
	return t.addAll(enters)
}

func (t *tree) isOpen() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.notify != nil
}

func (t *tree) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.notify != nil {
		t.notify.close()
	}
	t.notify, t.folders = nil, nil
}

// relative gives a path below the root, with slashes; ok is false for others.
func (t *tree) relative(name string) (string, bool) {
	if name == t.root {
		return ".", true
	}
	below, ok := strings.CutPrefix(name, strings.TrimSuffix(t.root, string(filepath.Separator))+string(filepath.Separator))
	return filepath.ToSlash(below), ok && below != ""
}

func (t *tree) absolute(name string) string {
	return filepath.Join(t.root, filepath.FromSlash(name))
}

// find gives the node of a folder, nil where it is not watched.
func (t *tree) find(name string) *node {
	here := t.folders
	for part := range strings.SplitSeq(name, "/") {
		if here == nil {
			return nil
		}
		here = here.children[part]
	}
	return here
}

func (t *tree) has(name string) bool { return t.find(name) != nil }

// remove forgets a folder and all below it: where it was moved, the system would go on to tell of it under its old name.
func (t *tree) remove(name string) {
	if t.notify == nil {
		return
	}
	above, last := t.folders, name
	if slash := strings.LastIndexByte(name, '/'); slash >= 0 {
		above, last = t.find(name[:slash]), name[slash+1:]
	}
	if above == nil || above.children[last] == nil {
		return
	}
	t.unwatch(t.absolute(name), above.children[last])
	delete(above.children, last)
}

func (t *tree) unwatch(name string, n *node) {
	for child, below := range n.children {
		t.unwatch(filepath.Join(name, child), below)
	}
	t.notify.remove(name)
}

// addAll watches all folders that are not yet. It has to be open.
func (t *tree) addAll(enters func(string) bool) error {
	if t.notify.isRecursive() {
		return nil
	}
	t.entries = 0
	return t.list("", t.folders, enters)
}

// add watches a folder and those in it. It tells whether there is a folder.
func (t *tree) add(name string, enters func(string) bool) (isFolder bool, err error) {
	info, err := os.Lstat(t.absolute(name))
	if err != nil || !info.IsDir() || t.notify == nil {
		return false, nil
	}
	if t.notify.isRecursive() || !enters(name) {
		return true, nil
	}
	here := t.folders
	parts := strings.Split(name, "/")
	for _, part := range parts[:len(parts)-1] {
		if here = here.children[part]; here == nil {
			return true, nil // its own event has not come yet, or has been and went
		}
	}
	return true, t.enter(name, parts[len(parts)-1], here, enters)
}

// enter watches one folder, then those in it: what comes meanwhile is told.
func (t *tree) enter(name, last string, above *node, enters func(string) bool) error {
	if err := t.notify.add(t.absolute(name)); err != nil {
		return t.limited(err)
	}
	if above.children == nil {
		above.children = map[string]*node{}
	}
	n := above.children[last]
	if n == nil {
		n = &node{}
		above.children[last] = n
	}
	return t.list(name, n, enters)
}

// list enters the folders in one. The first error is given; others are tried all the same, unless there is no room for more.
func (t *tree) list(name string, n *node, enters func(string) bool) error {
	entries, err := os.ReadDir(t.absolute(name))
	if err != nil {
		return t.limited(err)
	}
	if t.entries += len(entries); t.maxEntries > 0 && t.entries > t.maxEntries {
		return fmt.Errorf("watch %s: %w", t.root, errTooMany)
	}
	for _, one := range entries {
		if !one.IsDir() {
			continue
		}
		child := one.Name()
		if name != "" {
			child = name + "/" + child
		}
		if !enters(child) {
			continue
		}
		if belowErr := t.enter(child, one.Name(), n, enters); belowErr != nil {
			err = errors.Join(err, belowErr)
			break
		}
	}
	return err
}

var errTooMany = errors.New("it holds more files than can be watched here")

// limited is the error of a folder that cannot be watched, nil where it went away or may not be read, which a scan tells.
func (t *tree) limited(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, errNotFolder) {
		return nil
	}
	return fmt.Errorf("watch %s: %w", t.root, plainCause(err))
}

var errNotFolder = errors.New("not a folder")

func plainCause(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

func isOverflow(err error) bool { return errors.Is(err, fsnotify.ErrEventOverflow) }
