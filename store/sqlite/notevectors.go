package sqlite

import (
	"hash/crc32"
	"math"

	"quarry/internal/vector"
	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// candidateNote is what ranking needs to know of a candidate's note.
type candidateNote struct {
	note             *store.Note
	weight, pageRank float64
	links            int
	cosine           float64
}

// noteReader reads notes of candidates, each once.
type noteReader struct {
	conn  *engine.Conn
	query []float64 // nil: no vector is asked for
	read  map[int64]*candidateNote
	sums  checksum
}

func (r *noteReader) of(id int64) (*candidateNote, error) {
	if n := r.read[id]; n != nil {
		return n, nil
	}
	n := &candidateNote{weight: 1}
	r.read[id] = n
	row, err := fetchRow(r.conn, id) // no more: its names depend on others
	if err != nil {
		return nil, err
	}
	n.note = &row.Note
	figures, err := figureRows(r.conn, selectFigures+" WHERE note = ?", id)
	if err != nil {
		return nil, err
	}
	for _, f := range figures {
		of := f.figures("")
		n.weight, n.pageRank = of.Weight, of.PageRank
	}
	links, err := r.conn.Int("SELECT count(*) FROM links WHERE note = ? AND "+innerLinks, id)
	if err != nil {
		return nil, err
	}
	n.links = int(links)
	if r.query != nil {
		n.cosine, err = r.cosine(id)
	}
	return n, err
}

// cosine compares the query with the vector of a note, 0 where it has none.
func (r *noteReader) cosine(note int64) (float64, error) {
	s, err := r.conn.Prepare("SELECT " + noteVectorColumns + " FROM note_vectors WHERE note = ?")
	if err != nil {
		return 0, err
	}
	defer s.Reset()
	s.BindInt(0, note)
	if more, err := s.Step(); err != nil || !more {
		return 0, err
	}
	row, scale, err := readNoteVector(s, len(r.query), &r.sums)
	if err != nil {
		return 0, err
	}
	return cosine(r.query, row, scale), nil
}

const noteVectorColumns = "note, scale, data, checksum"

// readNoteVector reads a row of table note_vectors. The vector is valid until the statement goes on.
func readNoteVector(s *engine.Stmt, dimension int, sums *checksum) (row []int8, scale float32, err error) {
	scale = float32(s.Float(1))
	data := s.Raw(2)
	if len(data) != dimension || sums.ofNoteVector(s.Int(0), scale, data) != s.Int(3) {
		return nil, 0, damaged("the vector of a note is not as it was written")
	}
	return engine.AsInt8(data), scale, nil
}

// ofNoteVector sums a row of table note_vectors, anew with each call.
func (c *checksum) ofNoteVector(note int64, scale float32, data []byte) int64 {
	c.sum = 0
	c.numbers(note, int64(math.Float32bits(scale)))
	c.sum = crc32.Update(c.sum, castagnoli, data)
	return int64(c.sum)
}

// vectorSum adds up the vectors of a note's passages.
type vectorSum []float64

func (sum *vectorSum) add(v []float32) {
	if *sum == nil {
		*sum = make(vectorSum, len(v))
	}
	for i := range min(len(v), len(*sum)) {
		(*sum)[i] += float64(v[i])
	}
}

// sumOfVectors is nil where no passage has one.
func sumOfVectors(passages []store.Passage) (sum vectorSum) {
	for i := range passages {
		if v := passages[i].Vector; v != nil {
			sum.add(v)
		}
	}
	return sum
}

// unit gives the sum at unit length, nil where it has none.
func (sum vectorSum) unit() []float32 {
	square := 0.0
	for _, x := range sum {
		square += float64(x * x)
	}
	length := math.Sqrt(square)
	if length == 0 {
		return nil
	}
	v := make([]float32, len(sum))
	for i, x := range sum {
		v[i] = float32(x / length)
	}
	return v
}

// noteVector is the vector of a note as it is kept, scale 0 for none.
type noteVector struct {
	data  []byte
	scale float32
}

func newNoteVector(sum vectorSum) (n noteVector) {
	if v := sum.unit(); v != nil {
		n.data = make([]byte, len(v))
		n.scale = vector.Quantize(v, engine.AsInt8(n.data))
	}
	return n
}

// write inserts the row of a note that has none.
func (n noteVector) write(c *engine.Conn, note int64) error {
	if n.scale == 0 {
		return nil
	}
	s, err := c.Prepare("INSERT INTO note_vectors(" + noteVectorColumns + ") VALUES(?, ?, ?, ?)")
	if err != nil {
		return err
	}
	s.Bind(note, float64(n.scale), n.data, new(checksum).ofNoteVector(note, n.scale, n.data))
	return s.Run()
}

// writeNoteVector writes the vector of a note, or keeps it for the end of a full run.
func (u *update) writeNoteVector(note int64, passages []store.Passage) error {
	n := newNoteVector(sumOfVectors(passages))
	if u.mode == store.Incremental {
		return n.write(u.conn, note)
	}
	u.noteVectors[note] = n
	return nil
}

func (u *update) dropNoteVector(note int64) error {
	if u.mode == store.Incremental {
		return u.conn.Exec("DELETE FROM note_vectors WHERE note = ?", note)
	}
	delete(u.noteVectors, note)
	return nil
}

// noteVectorVersion is the version of the schema from which on notes have vectors of their own.
const noteVectorVersion = 6

// fillNoteVectors makes the vectors of all notes of those of their passages.
func fillNoteVectors(c *engine.Conn) error {
	return eachVectorSum(c, func(note int64, kept keptSum) error { return newNoteVector(kept.sum).write(c, note) })
}

// keptSum is the sum of vectors as they are kept, with the sum of how far each may be from what was given.
type keptSum struct {
	sum  vectorSum
	away float64
}

func (k *keptSum) add(v []float32, scale float32) {
	k.sum.add(v)
	k.away += float64(scale) / 2 * math.Sqrt(float64(len(v)))
}

// agrees tells whether a vector, nil for none, may be the unit sum of what was given.
func (k *keptSum) agrees(row []int8, scale float32) bool {
	square := 0.0
	for _, x := range k.sum {
		square += x * x
	}
	length := math.Sqrt(square)
	switch {
	case k.sum == nil:
		return row == nil
	case length <= k.away: // they may have been anything
		return true
	case row == nil:
		return false
	}
	distance := 0.0
	for i, x := range k.sum {
		difference := x/length - float64(row[i])*float64(scale)
		distance += difference * difference
	}
	const rounding = 1e-4
	return math.Sqrt(distance) <= 2*k.away/length+float64(scale)/2*math.Sqrt(float64(len(row)))+rounding
}

// eachVectorSum visits all notes that have passages, in the order of these, with the sum of the vectors that are kept of them.
func eachVectorSum(c *engine.Conn, visit func(note int64, kept keptSum) error) error {
	dimension, err := c.Int("SELECT dimension FROM state WHERE id = 1")
	if err != nil || dimension <= 0 || dimension > maxDimension {
		return err
	}
	blocks, err := c.Prepare("SELECT data FROM vectors WHERE block = ?")
	if err != nil {
		return err
	}
	defer blocks.Reset()
	notes, err := c.Prepare("SELECT id, first_chunk, chunks FROM notes WHERE chunks > 0 ORDER BY first_chunk")
	if err != nil {
		return err
	}
	var data vectorBlock
	number := int64(-1)
	return notes.Each(func() error {
		var kept keptSum
		first, count := notes.Int(1), notes.Int(2)
		if first < 1 || count > maxChunks || first > maxChunks {
			return damaged("the passages of a note are not as they were written")
		}
		for id := first; id < first+count; id++ {
			if id/blockSlots != number {
				number = id / blockSlots
				if data, err = readBlock(blocks, number, int(dimension)); err != nil {
					return err
				}
			}
			if data == nil {
				id = (number+1)*blockSlots - 1
			} else if v := data.vector(int(id%blockSlots), int(dimension)); v != nil {
				kept.add(v, data.scale(int(id%blockSlots)))
			}
		}
		return visit(notes.Int(0), kept)
	})
}
