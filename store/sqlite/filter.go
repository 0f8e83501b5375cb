package sqlite

import (
	"context"
	"fmt"
	"os"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// Select tests each note.
func (v *snapshot) Select(ctx context.Context, f store.Filter) (*store.Set, error) {
	if f.IsEmpty() {
		return nil, nil
	}
	if err := f.Check(); err != nil {
		return nil, fmt.Errorf("select notes: %w", err)
	}
	rest := f
	rest.ExcludeArchived = false
	if rest.IsEmpty() {
		return v.withoutArchived(ctx)
	}
	set := &store.Set{}
	err := v.read(ctx, "select notes", func(c *engine.Conn) error { return v.fill(c, f, set) })
	if err != nil {
		return nil, err
	}
	return set, nil
}

// withoutArchived is what nearly every search asks for. An index has the few notes that are to be left out; where ids are
// out of use, beside one that is left out, the notes that stay have to be read.
func (v *snapshot) withoutArchived(ctx context.Context) (*store.Set, error) {
	var set *store.Set
	err := v.read(ctx, "select notes", func(c *engine.Conn) error {
		var archived []span
		err := v.eachSpan(c, "status = 'archived' COLLATE NOCASE AND chunks > 0 ORDER BY first_chunk", func(s span) {
			archived = append(archived, s)
		})
		if err != nil || len(archived) == 0 {
			return err
		}
		set = &store.Set{}
		if v.state.chunks < v.state.lastChunk {
			return v.eachSpan(c, "status <> 'archived' COLLATE NOCASE", func(s span) { set.AddRange(s.first, s.count) })
		}
		next := store.PassageID(1)
		for _, s := range append(archived, span{store.PassageID(v.state.lastChunk + 1), 0}) {
			set.AddRange(next, int(s.first-next))
			next = s.first + store.PassageID(s.count)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return set, nil
}

// eachSpan visits the places of the passages of the notes for which an SQL condition holds.
func (v *snapshot) eachSpan(c *engine.Conn, condition string, visit func(span)) error {
	s, err := c.Prepare("SELECT first_chunk, chunks FROM notes WHERE " + condition)
	if err != nil {
		return err
	}
	return s.Each(func() error {
		first, count := s.Int(0), s.Int(1)
		if !v.isSpan(first, count) {
			return damaged("the passages of a note are not as they were written")
		}
		visit(span{store.PassageID(first), int(count)})
		return nil
	})
}

func (v *snapshot) isSpan(first, count int64) bool {
	return first >= 0 && count >= 0 && first <= v.state.lastChunk && count <= v.state.lastChunk
}

// fill adds the passages of the notes that match.
func (v *snapshot) fill(c *engine.Conn, f store.Filter, set *store.Set) error {
	notes, sections, err := v.matching(c, f)
	for _, n := range notes {
		sections.add(set, n.of)
	}
	return err
}

// eachNote visits all notes, in no order, with the frontmatter if asked.
func eachNote(c *engine.Conn, frontmatter bool, visit func(*noteRow)) error {
	last := "NULL"
	if frontmatter {
		last = "frontmatter"
	}
	s, err := c.Prepare(fmt.Sprintf("SELECT %s, %s FROM notes", noteColumns, last))
	if err != nil {
		return err
	}
	return s.Each(func() error {
		r, err := readNote(s)
		if err != nil {
			return err
		}
		r.Frontmatter = s.Blob(noteColumnCount)
		visit(r)
		return nil
	})
}

// Generation is the count of commits to a file.
func (v *snapshot) Generation() any { return generation{v.file, v.state.generation} }

// generation is a state of a file; a file that is put in its place is another.
type generation struct {
	file    os.FileInfo
	commits int64
}

// EachClass visits all notes. The sums of the rows are not looked at: that takes all of their columns.
func (v *snapshot) EachClass(ctx context.Context, visit func(store.ClassOf)) error {
	return v.read(ctx, "list classes", func(c *engine.Conn) error {
		s, err := c.Prepare("SELECT path, sensitivity, first_chunk, chunks FROM notes")
		if err != nil {
			return err
		}
		return s.Each(func() error {
			first, count := s.Int(2), s.Int(3)
			if !v.isSpan(first, count) {
				return damaged("the passages of a note are not as they were written")
			}
			of := store.ClassOf{Path: s.Text(0), Sensitivity: s.Text(1), First: store.PassageID(first), PassageCount: int(count)}
			if of.Sensitivity == "" && s.IsNull(1) {
				of.Sensitivity = unknownClass
			}
			visit(of)
			return nil
		})
	})
}

const noteColumnCount = 24
