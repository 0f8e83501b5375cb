package watch

import "time"

// WithRootEvery lets the root be looked at more often.
func WithRootEvery(o Options, every time.Duration) Options {
	o.rootEvery = every
	return o
}

// WithMaxEntries bounds the files and folders that can be watched.
func WithMaxEntries(o Options, entries int) Options {
	o.maxEntries = entries
	return o
}
