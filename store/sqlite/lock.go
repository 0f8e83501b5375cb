package sqlite

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"quarry/store"
)

// writerLock is the advisory lock that the one writing process holds. Its file stays: removing it would let two processes
// hold locks on different files of the same name.
type writerLock struct{ file *flock.Flock }

// Who asks whether somebody writes holds the lock for a moment: a writer tries again after lockPause, so many times.
const (
	lockAttempts = 5
	lockPause    = 10 * time.Millisecond
)

// lockWriter takes the lock, or fails soon with ErrLocked or ErrReadOnly. Nothing is made beside what is no regular
// file: ErrForeign.
func lockWriter(path string) (writerLock, error) {
	if _, err := statFile(path); err != nil && !errors.Is(err, store.ErrMissing) {
		return writerLock{}, fileError("look at the index", err)
	}
	file := flock.New(path + ".lock")
	held, err := file.TryLock()
	for i := 1; i < lockAttempts && err == nil && !held; i++ {
		time.Sleep(lockPause)
		held, err = file.TryLock()
	}
	if err != nil {
		return writerLock{}, fileError("lock the index", err)
	}
	if !held {
		return writerLock{}, store.ErrLocked
	}
	return writerLock{file}, nil
}

func (l writerLock) release(logger *slog.Logger) {
	if err := l.file.Close(); err != nil {
		logger.Warn("release the writer's lock", "error", err)
	}
}

// isWriting tells whether somebody holds the writer's lock.
func isWriting(path string) bool {
	if _, err := os.Stat(path + ".lock"); err != nil {
		return false
	}
	file := flock.New(path + ".lock")
	held, err := file.TryRLock()
	_ = file.Close()
	return err == nil && !held
}

func isReadOnlyFileSystem(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)
}
