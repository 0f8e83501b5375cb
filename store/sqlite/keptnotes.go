package sqlite

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// keptNotes are what ranking needs to know of all notes, in memory. It is not to be changed.
type keptNotes struct {
	notes     []lightNote
	byFirst   []int32 // places in notes of those that have passages, by the first of these
	weights   []float64
	pageRanks []float64
	links     []int
	dimension int
	scales    []float32 // of the vectors of notes, 0 for none
	vectors   []int8
}

// keptNotes gives those of the generation, nil at the first question for them: a process that asks once needs few.
func (v *snapshot) keptNotes(c *engine.Conn) (*keptNotes, error) {
	r := v.resident
	r.keptMu.Lock()
	defer r.keptMu.Unlock()
	r.described++
	if r.kept != nil || r.described < 2 {
		return r.kept, nil
	}
	notes, err := v.lightNotes(c)
	if err != nil {
		return nil, err
	}
	k := &keptNotes{
		notes: notes, dimension: int(v.state.dimension), weights: make([]float64, len(notes)),
		pageRanks: make([]float64, len(notes)), links: make([]int, len(notes)),
	}
	for i := range notes {
		k.weights[i] = 1
		if notes[i].of.count > 0 {
			k.byFirst = append(k.byFirst, int32(i))
		}
	}
	slices.SortFunc(k.byFirst, func(a, b int32) int { return cmp.Compare(notes[a].of.first, notes[b].of.first) })
	if err := k.readFigures(c); err != nil {
		return nil, err
	}
	if err := errors.Join(k.readLinks(c), k.readVectors(c)); err != nil {
		return nil, err
	}
	r.kept = k
	return k, nil
}

// place finds a note by its id.
func (k *keptNotes) place(id int64) (int, error) {
	at, isThere := slices.BinarySearchFunc(k.notes, id, func(n lightNote, id int64) int { return cmp.Compare(n.id, id) })
	if !isThere {
		return 0, damaged("note %d is missing", id)
	}
	return at, nil
}

func (k *keptNotes) readFigures(c *engine.Conn) error {
	rows, err := figureRows(c, selectFigures)
	if err != nil {
		return err
	}
	for _, r := range rows {
		at, err := k.place(r.note)
		if err != nil {
			return err
		}
		of := r.figures("")
		k.weights[at], k.pageRanks[at] = of.Weight, of.PageRank
	}
	return nil
}

// innerLinks are those that lead to no other place than the vault.
var innerLinks = fmt.Sprintf("flags & %d = 0", flagExternal)

func (k *keptNotes) readLinks(c *engine.Conn) error {
	s, err := c.Prepare("SELECT note, count(*) FROM links WHERE " + innerLinks + " GROUP BY note")
	if err != nil {
		return err
	}
	return s.Each(func() error {
		at, err := k.place(s.Int(0))
		if err == nil {
			k.links[at] = int(s.Int(1))
		}
		return err
	})
}

func (k *keptNotes) readVectors(c *engine.Conn) error {
	if k.dimension == 0 {
		return nil
	}
	s, err := c.Prepare("SELECT " + noteVectorColumns + " FROM note_vectors")
	if err != nil {
		return err
	}
	k.scales, k.vectors = make([]float32, len(k.notes)), make([]int8, len(k.notes)*k.dimension)
	var sums checksum
	return s.Each(func() error {
		at, err := k.place(s.Int(0))
		if err != nil {
			return err
		}
		row, scale, err := readNoteVector(s, k.dimension, &sums)
		k.scales[at] = scale
		copy(k.vectors[at*k.dimension:], row)
		return err
	})
}

// noteLookup tells of the notes of passages by what is in memory.
type noteLookup struct {
	kept  *keptNotes
	query []float64 // nil: no vector is asked for
	known map[int32]*candidateNote
}

func (l *noteLookup) end() {}

func (l *noteLookup) ofPassage(id store.PassageID) (of *candidateNote, index int, err error) {
	k := l.kept
	at, isFirst := slices.BinarySearchFunc(k.byFirst, id, func(place int32, id store.PassageID) int { return cmp.Compare(k.notes[place].of.first, id) })
	if !isFirst {
		at--
	}
	if at < 0 {
		return nil, 0, errNoPassage(id)
	}
	place := k.byFirst[at]
	n := &k.notes[place]
	if index = int(id - n.of.first); index >= n.of.count {
		return nil, 0, errNoPassage(id)
	}
	if of = l.known[place]; of == nil {
		of = &candidateNote{note: &n.Note, weight: k.weights[place], pageRank: k.pageRanks[place], links: k.links[place]}
		if l.query != nil && k.scales[place] != 0 {
			of.cosine = cosine(l.query, k.vectors[int(place)*k.dimension:][:k.dimension], k.scales[place])
		}
		l.known[place] = of
	}
	return of, index, nil
}
