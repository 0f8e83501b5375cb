package watch

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Lock is held by one process at a time, and let go of when that ends, however it ends.
type Lock struct{ file *flock.Flock }

// TryLock takes the lock on a file, which is made where it is missing, with its folder. It is nil where another process, or
// another Lock of this one, holds it.
func TryLock(path string) (*Lock, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	file := flock.New(path)
	held, err := file.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if !held {
		return nil, nil
	}
	return &Lock{file}, nil
}

// Release lets go. The file stays: removing it would let two processes hold locks on different files of the same name.
func (l *Lock) Release() error { return l.file.Close() }

// IsLocked tells whether somebody holds the lock on a file. Who tries to take it in the moment of the question may not get it.
func IsLocked(path string) bool {
	if _, err := os.Stat(path); err != nil {
		return false
	}
	file := flock.New(path)
	held, err := file.TryRLock()
	_ = file.Close()
	return err == nil && !held
}
