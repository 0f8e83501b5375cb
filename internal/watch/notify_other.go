//go:build !windows

package watch

import (
	"github.com/fsnotify/fsnotify"
)

// folderNotifier tells of the entries of single folders.
type folderNotifier struct {
	watcher *fsnotify.Watcher
	told    chan event
	failed  chan error
	done    chan struct{}
}

func newNotifier() (notifier, error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	n := &folderNotifier{watcher, make(chan event), make(chan error), make(chan struct{})}
	go n.pump()
	go n.pumpErrors()
	return n, nil
}

func (n *folderNotifier) pump() {
	defer close(n.told)
	for from := range n.watcher.Events {
		if from.Name == "" {
			continue
		}
		to := event{
			name: from.Name, isNew: from.Has(fsnotify.Create), isGone: from.Has(fsnotify.Remove) || from.Has(fsnotify.Rename),
		}
		select {
		case n.told <- to:
		case <-n.done:
		}
	}
}

// pumpErrors takes errors at once, since the library waits for that with its locks held.
func (n *folderNotifier) pumpErrors() {
	var last error
	for {
		out := n.failed
		if last == nil {
			out = nil
		}
		select {
		case err, ok := <-n.watcher.Errors:
			if !ok {
				return
			}
			last = err
		case out <- last:
			last = nil
		case <-n.done:
			for range n.watcher.Errors { // nobody is left to be told
			}
			return
		}
	}
}

func (n *folderNotifier) add(folder string) error { return n.watcher.Add(folder) }

// remove has an error only where the folder is not watched any more.
func (n *folderNotifier) remove(folder string) { _ = n.watcher.Remove(folder) }
func (n *folderNotifier) events() <-chan event { return n.told }
func (n *folderNotifier) errors() <-chan error { return n.failed }
func (n *folderNotifier) isRecursive() bool    { return false }
func (n *folderNotifier) close() {
	close(n.done)
	_ = n.watcher.Close()
}
