package sqlite

import (
	"context"
	"fmt"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// Select reads the facts of all notes and tests each.
func (v *snapshot) Select(ctx context.Context, f store.Filter) (*store.Set, error) {
	if f.IsEmpty() {
		return nil, nil
	}
	set := &store.Set{}
	matcher := store.NewMatcher(f)
	err := v.read(ctx, "select notes", func(c *engine.Conn) error {
		return eachMatching(c, matcher, func(r *noteRow) { set.AddRange(r.first, r.chunks) })
	})
	if err != nil {
		return nil, err
	}
	return set, nil
}

// eachMatching visits the notes that the filter lets through, in no order.
func eachMatching(c *engine.Conn, matcher *store.Matcher, visit func(*noteRow)) error {
	frontmatter := "NULL"
	if matcher.NeedsFrontmatter() {
		frontmatter = "frontmatter"
	}
	s, err := c.Prepare(fmt.Sprintf("SELECT %s, %s FROM notes", noteColumns, frontmatter))
	if err != nil {
		return err
	}
	defer s.Reset()
	for {
		more, err := s.Step()
		if err != nil || !more {
			return err
		}
		r, err := readNote(s)
		if err != nil {
			return err
		}
		if !isPlausibleSpan(r.first, r.chunks) {
			return damaged("the passages of a note are not as they were written")
		}
		r.Frontmatter = s.Blob(noteColumnCount)
		if matcher.Match(&r.Note) {
			r.Frontmatter = nil
			visit(r)
		}
	}
}

const noteColumnCount = 22

func isPlausibleSpan(first store.PassageID, count int) bool {
	return first >= 0 && count >= 0 && first < maxChunks && count < maxChunks
}
