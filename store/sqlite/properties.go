package sqlite

import (
	"cmp"
	"strings"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// properties are those of all notes, each text once.
type properties struct {
	byKey map[string][]property // by folded key, in the order of lightNotes
	texts []string
}

// property is one text of a note's property, or that it has none.
type property struct {
	note int32 // in lightNotes
	text int32 // in properties.texts, noText for none
}

const (
	noText = -1
	// Bounds of what is kept of the properties: their number, and the bytes of keys and texts.
	maxProperties    = 1 << 21
	maxPropertyBytes = 16 << 20
)

// readProperties reads those of the notes, whose ids rise; nil where they are more than is kept.
func readProperties(c *engine.Conn, notes []lightNote) (*properties, error) {
	s, err := c.Prepare("SELECT id, frontmatter FROM notes ORDER BY id")
	if err != nil {
		return nil, err
	}
	p := &properties{byKey: map[string][]property{}}
	known := map[string]int32{}
	at, count, bytes := 0, 0, 0
	add := func(key, text string, isText bool) {
		place, isKnown := int32(noText), !isText
		if isText {
			place, isKnown = known[text]
		}
		if !isKnown {
			place = int32(len(p.texts))
			text = strings.Clone(text)
			known[text], p.texts = place, append(p.texts, text)
			bytes += len(text)
		}
		count++
		p.byKey[key] = append(p.byKey[key], property{int32(at), place})
	}
	err = s.Each(func() error {
		if at == len(notes) || notes[at].id != s.Int(0) {
			return damaged("note %d is none of those that are there", s.Int(0))
		}
		if count <= maxProperties && bytes <= maxPropertyBytes {
			store.EachProperty(s.Raw(1), func(key string, texts []string) {
				if p.byKey[key] == nil {
					bytes += len(key)
				}
				if len(texts) == 0 {
					add(key, "", false)
				}
				for _, text := range texts {
					add(key, text, true)
				}
			})
		}
		at++
		return nil
	})
	if err != nil || count > maxProperties || bytes > maxPropertyBytes {
		return nil, err
	}
	return p, nil
}

// properties gives those of the generation, nil where they are too many, or are asked for the first time: a process that asks
// once reads no more than its question needs.
func (v *snapshot) properties(c *engine.Conn, notes []lightNote) (*properties, error) {
	r := v.resident
	r.mu.Lock()
	r.asked++
	known, isRead := r.keys, r.asked == 1 || r.areKeysRead
	r.mu.Unlock()
	if isRead {
		return known, nil
	}
	keys, err := readProperties(c, notes) // outside of the lock, as it takes long: others may read them, too, and the first stay
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.areKeysRead {
		r.keys, r.areKeysRead = keys, true
	}
	return r.keys, nil
}

// propertyFilter tells of notes whether their properties let them through. nil lets all through.
type propertyFilter struct {
	matcher *store.Matcher
	rows    frontmatters // where kept is nil
	kept    *properties
	passing map[store.PropertyTest]*store.Set // places in lightNotes of the notes that pass
}

// propertyFilter makes ready what a filter asks of properties. isAll tells that the notes are all of lightNotes.
func (v *snapshot) propertyFilter(c *engine.Conn, matcher *store.Matcher, notes []lightNote, isAll bool) (*propertyFilter, error) {
	if !matcher.NeedsFrontmatter() {
		return nil, nil //nolint:nilnil // lets all through
	}
	f := &propertyFilter{matcher: matcher, passing: map[store.PropertyTest]*store.Set{}}
	var err error
	if isAll {
		if f.kept, err = v.properties(c, notes); err != nil || f.kept != nil {
			return f, err
		}
	}
	f.rows.rows, err = c.Prepare("SELECT id, frontmatter FROM notes WHERE id >= ? ORDER BY id")
	return f, err
}

// end gives the rows free.
func (f *propertyFilter) end() {
	if f != nil && f.rows.rows != nil {
		f.rows.rows.Reset()
	}
}

// lets tells of the note at a place in the list.
func (f *propertyFilter) lets(at int, n *lightNote) (bool, error) {
	switch {
	case f == nil:
		return true, nil
	case f.kept == nil:
		frontmatter, err := f.rows.of(n.id)
		return err == nil && f.matcher.MatchFrontmatter(frontmatter), err
	}
	return f.matcher.MatchProperties(func(test store.PropertyTest) bool {
		set := f.passing[test]
		if set == nil {
			set = f.kept.passing(test)
			f.passing[test] = set
		}
		return set.Has(store.PassageID(at))
	}), nil
}

// passing gives the places of the notes that pass a test. Each text is compared once.
func (p *properties) passing(test store.PropertyTest) *store.Set {
	set, known := &store.Set{}, map[int32]bool{}
	for _, of := range p.byKey[test.Key()] {
		passes := test.LetsAny()
		if !passes && of.text != noText {
			var isKnown bool
			if passes, isKnown = known[of.text]; !isKnown {
				passes = test.Lets(p.texts[of.text])
				known[of.text] = passes
			}
		}
		if passes {
			set.Add(store.PassageID(of.note))
		}
	}
	return set
}

// frontmatters reads those of notes in the order of their ids, in any other more slowly.
type frontmatters struct {
	rows *engine.Stmt // of id and frontmatter, from an id on
	at   int64        // the id of the present row, 0 for none
}

// of gives that of a note. It is valid until the next is asked for.
func (f *frontmatters) of(id int64) ([]byte, error) {
	const near = 16 // so many rows are gone through rather than looked for
	if f.at == 0 || id < f.at || id > f.at+near {
		f.rows.Reset()
		f.rows.BindInt(0, id)
		f.at = 0
	}
	for f.at < id {
		more, err := f.rows.Step()
		if err != nil || !more {
			return nil, cmp.Or(err, damaged("note %d is missing", id))
		}
		f.at = f.rows.Int(0)
	}
	if f.at != id {
		return nil, damaged("note %d is missing", id)
	}
	return f.rows.Raw(1), nil
}
