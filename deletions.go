package quarry

import (
	"encoding/json"
	"time"

	"quarry/index"
	"quarry/internal/keep"
)

const (
	// Deletions with shorter pauses between them are guarded as one, whichever processes they are of.
	deletionPause = 5 * time.Minute
	// deletionsFile is where they are counted: by numbers alone.
	deletionsFile = "deletions.json"
	// mostCounted bounds the numbers that are believed.
	mostCounted = 1 << 30
)

// keptDeletions are the deletions of the runs before, of all processes.
type keptDeletions struct {
	index.Deletions
	At int64 `json:"at"` // the last one, in Unix milliseconds
}

// keptDeletions is zero where nothing is kept that can be read, and where the last deletion is longer ago and was not held back.
func (e *Engine) keptDeletions() keptDeletions {
	content, err := e.stateFolder().Read(deletionsFile)
	if err != nil {
		return keptDeletions{}
	}
	var kept keptDeletions
	isNumber := func(n int) bool { return n >= 0 && n < mostCounted }
	if json.Unmarshal(content, &kept) != nil || !isNumber(kept.Gone) || !isNumber(kept.Notes) {
		return keptDeletions{}
	}
	if age := e.now().Sub(time.UnixMilli(kept.At)); age.Abs() > deletionPause { // a clock may have been set
		kept.Forget()
	}
	if kept.Gone == 0 {
		return keptDeletions{}
	}
	return kept
}

// keepDeletions keeps the count after a run. Of a run that failed it does so unless another process wrote meanwhile, as one that was
// forced.
func (e *Engine) keepDeletions(before, after keptDeletions, report IndexReport, err error) {
	if report.Deleted > 0 {
		after.At = e.now().UnixMilli()
	}
	if after == before || err != nil && e.keptDeletions() != before {
		return
	}
	if after.Gone == 0 {
		err = e.stateFolder().Remove(deletionsFile)
	} else {
		var content []byte
		if content, err = json.Marshal(after); err == nil {
			err = e.stateFolder().Write(deletionsFile, content)
		}
	}
	if err != nil {
		e.logger.Warn("the count of deleted notes is not kept", "error", err)
	}
}

func (e *Engine) stateFolder() keep.Folder { return keep.Folder{Dir: e.StateDir()} }
