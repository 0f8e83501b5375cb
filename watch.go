package quarry

import (
	"context"
	"errors"
	"time"
)

// WatchOptions are those of watching a vault. The zero value has the defaults.
type WatchOptions struct {
	Debounce time.Duration // how long changes may go on before they are indexed together; 0: 150 ms
	Scan     time.Duration // how often the whole vault is compared, for events that were missed; 0: 5 minutes
}

// WatchEvent is one run of the index, or what kept it.
type WatchEvent struct {
	Report IndexReport
	Err    error // of this run; watching goes on
	// Leading tells that this process keeps the index fresh; else another one does, and this one waits to take over.
	Leading bool
}

// Watch keeps the index fresh until ctx ends, then returns nil. Of several processes that watch one index one leads and writes;
// the others read, and one of them takes over when it ends. event may be nil; it is called one at a time.
func (e *Engine) Watch(ctx context.Context, options WatchOptions, event func(WatchEvent)) (err error) {
	defer e.clean(&err)
	return errors.ErrUnsupported
}

// IsIndexing tells whether a run of the index is going on, in this process or another.
func (e *Engine) IsIndexing() bool { return false }

// StateDir is the folder beside the index for what is kept between calls and can be thrown away: blocks, what sessions were given.
// It is made by whoever writes there, readable for the user alone.
func (e *Engine) StateDir() string { return e.config.DatabasePath + ".state" }
