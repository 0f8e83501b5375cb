package sqlite

import (
	"context"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// Warm reads into memory what the second question for candidates would keep: the lengths of passages, vectors, what ranking knows of
// notes, and the frequencies of tokens.
func (v *snapshot) Warm(ctx context.Context) error {
	return v.read(ctx, "read ahead", func(c *engine.Conn) error {
		if v.state.chunks == 0 {
			return nil
		}
		for _, read := range []func(*engine.Conn) error{v.warmLengths, v.warmVectors, v.warmNotes, v.warmTokens} {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := read(c); err != nil {
				return err
			}
		}
		return nil
	})
}

func (v *snapshot) warmLengths(c *engine.Conn) error {
	_, err := v.resident.wordLengths(c, v.state.lastChunk)
	return err
}

func (v *snapshot) warmVectors(c *engine.Conn) error {
	if v.state.dimension == 0 || v.resident.keptVectors() != nil {
		return nil
	}
	v.resident.expectScans()
	return v.resident.scanVectors(c, int(v.state.dimension), func(int64, vectorBlock, bool) {})
}

func (v *snapshot) warmNotes(c *engine.Conn) error {
	v.resident.expectNotes()
	_, err := v.keptNotes(c)
	return err
}

func (v *snapshot) warmTokens(c *engine.Conn) error {
	_, err := v.resident.whole.tokens(func() (tokenCounts, error) { return readTokens(c, v.state.chunks) })
	return err
}

// expectScans makes the next scan of the vectors keep them.
func (r *resident) expectScans() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.scans = max(r.scans, 1)
}

// expectNotes makes the next question for notes of candidates keep all.
func (r *resident) expectNotes() {
	r.keptMu.Lock()
	defer r.keptMu.Unlock()
	r.described = max(r.described, 1)
}

var _ store.Warmer = (*snapshot)(nil)
