package sqlite

import (
	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// sections are the headings above all passages, each text once.
type sections struct {
	headings []string
	places   []uint32 // in headings, of the first passage, then of the next
	ends     []uint32 // by id: where its places end, and those of the next begin
}

// readSections reads them. last is the highest id in use.
func readSections(c *engine.Conn, last int64) (*sections, error) {
	query, err := c.Prepare("SELECT id, section, outer_headings FROM chunks ORDER BY id")
	if err != nil {
		return nil, err
	}
	s := &sections{ends: make([]uint32, 1, last+1)}
	known := map[string]uint32{}
	err = query.Each(func() error {
		id := query.Int(0)
		if id < int64(len(s.ends)) || id > last {
			return damaged("passage %d is none of those that are there", id)
		}
		path, err := unpackHeadings(query.Raw(2), query.Text(1))
		if err != nil {
			return err
		}
		s.skipTo(id)
		for _, heading := range path {
			place, isKnown := known[heading]
			if !isKnown {
				place = uint32(len(s.headings))
				known[heading] = place
				s.headings = append(s.headings, heading)
			}
			s.places = append(s.places, place)
		}
		s.skipTo(id + 1)
		return nil
	})
	return s, err
}

// skipTo ends the passages below id.
func (s *sections) skipTo(id int64) {
	for int64(len(s.ends)) < id {
		s.ends = append(s.ends, uint32(len(s.places)))
	}
}

// sections gives those of the generation, which are read once.
func (r *resident) sections(c *engine.Conn, last int64) (*sections, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.headings != nil {
		return r.headings, nil
	}
	s, err := readSections(c, last)
	if err == nil {
		r.headings = s
	}
	return s, err
}

// sectionFilter tells of passages whether their headings let them through. nil lets all through.
type sectionFilter struct {
	matcher *store.Matcher
	all     *sections
	signs   []store.Signs // by heading
}

func newSectionFilter(matcher *store.Matcher, all *sections) *sectionFilter {
	f := &sectionFilter{matcher, all, make([]store.Signs, len(all.headings))}
	for i, heading := range all.headings {
		f.signs[i] = matcher.Signs(heading)
	}
	return f
}

func (v *snapshot) sectionsFor(c *engine.Conn, matcher *store.Matcher) (*sectionFilter, error) {
	if !matcher.NeedsSections() {
		return nil, nil //nolint:nilnil // lets all through
	}
	all, err := v.resident.sections(c, v.state.lastChunk)
	if err != nil {
		return nil, err
	}
	return newSectionFilter(matcher, all), nil
}

func (f *sectionFilter) lets(id store.PassageID) bool {
	if id < 1 || int(id) >= len(f.all.ends) {
		return f.matcher.Lets(0)
	}
	var signs store.Signs
	for _, place := range f.all.places[f.all.ends[id-1]:f.all.ends[id]] {
		signs |= f.signs[place]
	}
	return f.matcher.Lets(signs)
}

// add adds those of a note that are let through.
func (f *sectionFilter) add(set *store.Set, of span) {
	if f == nil {
		set.AddRange(of.first, of.count)
		return
	}
	for id := of.first; id < of.first+store.PassageID(of.count); id++ {
		if f.lets(id) {
			set.Add(id)
		}
	}
}

// letsAny tells whether one of a note's passages is let through.
func (f *sectionFilter) letsAny(of span) bool {
	if f == nil {
		return true
	}
	for id := of.first; id < of.first+store.PassageID(of.count); id++ {
		if f.lets(id) {
			return true
		}
	}
	return false
}
