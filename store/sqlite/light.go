package sqlite

import (
	"context"
	"slices"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// lightNote is a note with what filters and orders look at, but for the frontmatter. It is not to be changed.
type lightNote struct {
	store.Note
	id int64
	of span
}

const lightColumns = "id, first_chunk, chunks, path, mtime_ns, type, status, domain, created, updated, tags, title, aliases"

// lightNotes gives all notes, by id. They are read once a generation.
func (v *snapshot) lightNotes(c *engine.Conn) ([]lightNote, error) {
	r := v.resident
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.notes != nil {
		return r.notes, nil
	}
	s, err := c.Prepare("SELECT " + lightColumns + " FROM notes")
	if err != nil {
		return nil, err
	}
	notes := make([]lightNote, 0, v.state.notes)
	words := map[string]string{} // types and the like are few
	err = s.Each(func() error {
		n, err := v.readLight(s, words)
		notes = append(notes, n)
		return err
	})
	if err == nil {
		r.notes = notes
	}
	return notes, err
}

func (v *snapshot) readLight(s *engine.Stmt, words map[string]string) (n lightNote, err error) {
	word := func(column int) string {
		text, known := words[string(s.Raw(column))]
		if !known {
			text = s.Text(column)
			words[text] = text
		}
		return text
	}
	first, count := s.Int(1), s.Int(2)
	if !v.isSpan(first, count) {
		return n, damaged("the passages of a note are not as they were written")
	}
	n.id, n.of = s.Int(0), span{store.PassageID(first), int(count)}
	n.Path, n.ModifiedNanoseconds, n.PassageCount = s.Text(3), s.Int(4), int(count)
	n.Type, n.Status, n.Domain, n.Created, n.Updated, n.Title = word(5), word(6), word(7), word(8), word(9), s.Text(11)
	if n.Tags, err = parseList(s.Raw(10)); err != nil {
		return n, err
	}
	for i, tag := range n.Tags {
		if text, known := words[tag]; known {
			n.Tags[i] = text
		} else {
			words[tag] = tag
		}
	}
	n.Aliases, err = parseList(s.Raw(12))
	return n, err
}

// matching gives the notes that a filter lets through. Where few can, and not all are in memory, these alone are read.
func (v *snapshot) matching(c *engine.Conn, f store.Filter) ([]*lightNote, *sectionFilter, error) {
	matcher := store.NewMatcher(f)
	sections, err := v.sectionsFor(c, matcher)
	if err != nil {
		return nil, nil, err
	}
	notes, isAll, err := v.possible(c, f)
	if err != nil {
		return nil, nil, err
	}
	properties, err := v.propertyFilter(c, matcher, notes, isAll)
	if err != nil {
		return nil, nil, err
	}
	defer properties.end()
	var list []*lightNote
	for i := range notes {
		n := &notes[i]
		if !matcher.MatchFacts(&n.Note) || !sections.letsAny(n.of) {
			continue
		}
		matches, err := properties.lets(i, n)
		if err != nil {
			return nil, nil, err
		}
		if matches {
			list = append(list, n)
		}
	}
	return list, sections, nil
}

// possible gives the notes among which those are that a filter lets through, and tells whether these are all of lightNotes.
func (v *snapshot) possible(c *engine.Conn, f store.Filter) (notes []lightNote, isAll bool, err error) {
	v.resident.mu.Lock()
	known := v.resident.notes
	v.resident.mu.Unlock()
	if known != nil || f.Among == nil || int64(len(f.Among)) > v.state.notes/fewNotesShare {
		notes, err = v.lightNotes(c)
		return notes, true, err
	}
	s, err := c.Prepare("SELECT " + lightColumns + " FROM notes WHERE path = ?")
	if err != nil {
		return nil, false, err
	}
	words := map[string]string{}
	for path, in := range f.Among {
		if !in {
			continue
		}
		s.BindText(0, path)
		err := s.Each(func() error {
			n, err := v.readLight(s, words)
			notes = append(notes, n)
			return err
		})
		if err != nil {
			return nil, false, err
		}
	}
	return notes, false, nil
}

// fewNotesShare: finding one note by its path takes as long as reading some of them in a row.
const fewNotesShare = 4

// Newest sorts the notes in memory, and reads those that it gives.
func (v *snapshot) Newest(ctx context.Context, q store.NewestQuery) ([]store.Candidate, error) {
	var list []store.Candidate
	err := v.read(ctx, "list the newest", func(c *engine.Conn) error {
		order, err := v.byUpdated(c)
		if err != nil {
			return err
		}
		notes := noteReader{conn: c, read: map[int64]*candidateNote{}}
		for _, n := range order {
			if len(list) >= q.Limit {
				return nil
			}
			id, found := firstWithin(n.of, q)
			if !found {
				continue
			}
			of, err := notes.of(n.id)
			if err != nil {
				return err
			}
			list = append(list, store.Candidate{
				ID: id, Index: int(id - n.of.first), Note: of.note, Weight: of.weight, PageRank: of.pageRank, Links: of.links,
			})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

func firstWithin(of span, q store.NewestQuery) (store.PassageID, bool) {
	end := of.first + store.PassageID(of.count)
	if q.Without != nil && q.Without.AnyWithin(of.first, end) {
		return 0, false
	}
	for id := of.first; id < end; id++ {
		if q.Within.Has(id) {
			return id, true
		}
	}
	return 0, false
}

// byUpdated gives all notes, the newest first.
func (v *snapshot) byUpdated(c *engine.Conn) ([]*lightNote, error) {
	notes, err := v.lightNotes(c)
	if err != nil {
		return nil, err
	}
	v.resident.mu.Lock()
	defer v.resident.mu.Unlock()
	if v.resident.newest == nil {
		v.resident.newest = inOrderOf(store.ByUpdated, pointers(notes))
	}
	return v.resident.newest, nil
}

func pointers(notes []lightNote) []*lightNote {
	list := make([]*lightNote, len(notes))
	for i := range notes {
		list[i] = &notes[i]
	}
	return list
}

func inOrderOf(order store.Sort, notes []*lightNote) []*lightNote {
	slices.SortFunc(notes, func(a, b *lightNote) int { return order.Order(&a.Note, &b.Note) })
	return notes
}

// fewListed is up to how many notes are read one by one for a list, each with the question what names it has beside the others.
const fewListed = 200

// Notes lists notes. Where few are asked for, these alone are read as a whole.
func (v *snapshot) Notes(ctx context.Context, q store.NoteQuery) ([]store.Note, error) {
	if q.Limit <= 0 || q.Limit > fewListed || q.Filter.Check() != nil {
		return v.catalog.Notes(ctx, q)
	}
	var notes []store.Note
	err := v.read(ctx, "list notes", func(c *engine.Conn) error {
		matching, _, err := v.matching(c, q.Filter)
		if err != nil {
			return err
		}
		matching = inOrderOf(q.Sort, matching)
		for _, n := range matching[:min(len(matching), q.Limit)] {
			whole, err := fetchNote(c, n.id)
			if err != nil {
				return err
			}
			notes = append(notes, *whole)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return notes, nil
}
