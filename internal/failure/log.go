package failure

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"
)

// LogLinesAtOnce is how many lines a LogRate lets through at once, and LogLinesPerSecond how many in the long run: whoever brings them about
// does not fill the disk.
const (
	LogLinesAtOnce    = 20
	LogLinesPerSecond = 1
)

// LogRate bounds the lines of a log. Its zero value is ready. It is safe for concurrent use.
type LogRate struct {
	mu     sync.Mutex
	used   float64 // of LogLinesAtOnce
	last   time.Time
	missed int
}

// Allow tells whether a line may be written now, and how many were not since the last one.
func (r *LogRate) Allow(now time.Time) (ok bool, missed int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if passed := now.Sub(r.last); passed > 0 {
		r.used = max(0, r.used-passed.Seconds()*LogLinesPerSecond)
		r.last = now
	}
	if r.used+1 > LogLinesAtOnce {
		r.missed++
		return false, 0
	}
	r.used++
	missed, r.missed = r.missed, 0
	return true, missed
}

// numberLetters is how long the number of a fault is: enough to find it in a log.
const numberLetters = 8

// Unforeseen logs an error that is not foreseen by its kinds alone (Detail), with pairs that tell what it came from, as far as the rate lets
// it. The number, of 8 capital letters and digits, is for the answer, too.
func (r *LogRate) Unforeseen(ctx context.Context, logger *slog.Logger, err error, about ...any) (number string) {
	number = rand.Text()[:numberLetters]
	if ok, missed := r.Allow(time.Now()); ok {
		logger.ErrorContext(ctx, "a question could not be answered", append(about, "number", number, "kind", Detail(err), "untold", missed)...)
	}
	return number
}
