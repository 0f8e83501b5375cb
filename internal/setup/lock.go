package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

const lockStep = 20 * time.Millisecond // from one try to take the lock to the next

// Lock keeps other set-ups out from planning to writing, those of other processes too, by a lock on a file, which is made where it is
// missing, and stays. It waits until the context ends: ErrBusy. Where the file cannot be made or locked there is no lock: a file that
// is changed meanwhile is noticed when it is written.
func Lock(ctx context.Context, path string) (release func(), err error) {
	none := func() {}
	if os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return none, nil
	}
	file := flock.New(path)
	held, err := file.TryLockContext(ctx, lockStep)
	switch {
	case held:
		return func() { _ = file.Close() }, nil
	case errors.Is(err, context.DeadlineExceeded):
		return none, fmt.Errorf("lock %s: %w", path, ErrBusy)
	case ctx.Err() != nil:
		return none, fmt.Errorf("lock %s: %w", path, ctx.Err())
	}
	return none, nil
}
