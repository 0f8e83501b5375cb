package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

const (
	findNote   = "SELECT id, first_chunk, chunks FROM notes WHERE path = ?"
	insertNote = "INSERT INTO notes(" + noteColumns + ", links_checksum, frontmatter) " +
		"VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
	insertPassage = "INSERT INTO chunks(" + passageColumns + ", aliases, pairs, characters, identifiers, mtime_ns, embedded_at) " +
		"VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
	fullTextTable = "chunks_fts"
	// The columns of the full text, by their numbers in package store.
	wordColumns = "chunk_text, section, heading_context, aliases, index_text, pairs, characters, identifiers"
	insertWords = "INSERT INTO chunks_fts(rowid, " + wordColumns + ") VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)"
	// The old text is bound, not selected: a statement that may insert several rows makes FTS5 write all it has gathered.
	deleteWords = "INSERT INTO chunks_fts(chunks_fts, rowid, " + wordColumns + ") VALUES('delete', ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

// replacement is a note to be written with what is there under its path: id 0 if nothing is.
type replacement struct {
	note *store.Note
	id   int64
	old  span
}

// fits tells whether the new passages can have the ids of the old ones.
func (r replacement) fits() bool { return r.old.count > 0 && len(r.note.Passages) <= r.old.count }

// putNotes writes notes in place of what is there. FTS5 gathers words in memory as long as ids rise, so first come all
// changes at old ids, ascending, then what goes to new ids.
func (u *update) putNotes(ctx context.Context, notes []store.Note) error {
	list := make([]replacement, len(notes))
	for i := range notes {
		list[i].note = &notes[i]
		if u.mode == store.Full && u.isNew(notes[i].Path) {
			continue
		}
		var err error
		if list[i].id, list[i].old, err = u.find(notes[i].Path); err != nil {
			return err
		}
	}
	slices.SortStableFunc(list, func(a, b replacement) int { return cmp.Compare(a.old.first, b.old.first) })
	for _, inPlace := range []bool{true, false} {
		for _, r := range list {
			err := ctx.Err()
			switch {
			case err != nil:
			case inPlace && r.fits(), !inPlace && !r.fits():
				err = u.putNote(r)
			case inPlace && r.id != 0:
				err = u.dropPassages(r.old)
			}
			if err != nil {
				return fmt.Errorf("put %s: %w", r.note.Path, err)
			}
		}
	}
	return nil
}

// putNote writes one note. Where its passages do not fit into the place of the old ones, these have been dropped before.
func (u *update) putNote(r replacement) error {
	n := r.note
	if r.id == 0 {
		u.state.notes++
	} else if err := u.dropLists(r.id); err != nil {
		return err
	}
	first, err := u.place(r.old, len(n.Passages))
	if err != nil {
		return err
	}
	id, err := u.writeNote(r.id, n, first)
	if err != nil {
		return err
	}
	for i := range max(len(n.Passages), r.old.count) {
		at := placed{index: i, note: id, id: first + store.PassageID(i)}
		p := at.passage(n)
		if r.fits() {
			at.keepsWords, err = u.dropPassage(r.old.first+store.PassageID(i), p)
		}
		if err == nil && p != nil {
			err = u.writePassage(n, p, at)
		}
		if err != nil {
			return fmt.Errorf("passage %d: %w", i, err)
		}
	}
	u.state.chunks += int64(len(n.Passages) - r.old.count)
	return errors.Join(u.writeLinks(id, n.Links), u.writeOutline(id, n), u.writeNoteVector(id, n.Passages))
}

// placed says where a passage comes to stand.
type placed struct {
	index      int
	note       int64
	id         store.PassageID
	keepsWords bool // the full text holds its words under this id
}

// numbered is a passage with its words in the full text.
type numbered struct {
	store.Passage
	texts [store.Columns]string
}

// passage gives the note's passage of that place, nil if it has so many not.
func (at placed) passage(n *store.Note) *numbered {
	if at.index >= len(n.Passages) {
		return nil
	}
	p := numbered{Passage: n.Passages[at.index]} // a copy: the caller's is not to change
	p.Path, p.Index = n.Path, at.index
	p.texts = store.ColumnTexts(n, &p.Passage)
	return &p
}

// dropLists drops what a note has in tables of its own and gets anew with each Put.
func (u *update) dropLists(note int64) error {
	for _, statement := range []string{
		"DELETE FROM links WHERE note = ?", "DELETE FROM note_edges WHERE note = ?", "DELETE FROM outlines WHERE note = ?",
	} {
		if err := u.conn.Exec(statement, note); err != nil {
			return err
		}
	}
	return u.dropNoteVector(note)
}

// find gives the row of a note and the place of its passages; 0 where there is no such note.
func (u *update) find(path string) (id int64, chunks span, err error) {
	s, err := u.conn.Prepare(findNote)
	if err != nil {
		return 0, span{}, err
	}
	defer s.Reset()
	s.BindText(0, path)
	more, err := s.Step()
	if err != nil || !more {
		return 0, span{}, err
	}
	return s.Int(0), span{store.PassageID(s.Int(1)), int(s.Int(2))}, nil
}

func (u *update) dropPassages(chunks span) error {
	for id := chunks.first; id < chunks.first+store.PassageID(chunks.count); id++ {
		if _, err := u.dropPassage(id, nil); err != nil {
			return err
		}
	}
	return nil
}

// dropPassage drops a passage, but not its words in the full text if they are those of next, which takes its id.
func (u *update) dropPassage(id store.PassageID, next *numbered) (keepsWords bool, err error) {
	u.vectors.fresh = false // blocks that a full run has written are needed again
	s, err := u.conn.Prepare("SELECT " + wordColumns + " FROM chunks WHERE id = ?")
	if err != nil {
		return false, err
	}
	s.BindInt(0, int64(id))
	more, err := s.Step()
	var texts [store.Columns]string
	for column := range texts {
		texts[column] = s.Text(column)
	}
	s.Reset()
	if err != nil || !more {
		return false, cmp.Or(err, damaged("passage %d is missing", id))
	}
	keepsWords = next != nil && next.texts == texts
	if !keepsWords {
		if err := u.dropWords(id, &texts); err != nil {
			return false, err
		}
	}
	if err := u.conn.Exec("DELETE FROM chunks WHERE id = ?", int64(id)); err != nil {
		return false, err
	}
	if err := u.dropRankData(id); err != nil {
		return false, err
	}
	if err := u.lengths.set(id, 0); err != nil {
		return false, err
	}
	return keepsWords, u.vectors.set(id, nil)
}

// deleteNotes drops notes, ascending by their passages' ids as putNotes does.
func (u *update) deleteNotes(paths []string) error {
	var list []replacement
	gone := map[int64]bool{}
	for _, path := range paths {
		id, old, err := u.find(path)
		if err != nil {
			return err
		}
		if id != 0 {
			list = append(list, replacement{&store.Note{File: store.File{Path: path}}, id, old})
			gone[id] = true
		}
	}
	if err := u.dropEdgesTo(gone); err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b replacement) int {
		return cmp.Or(cmp.Compare(a.old.first, b.old.first), cmp.Compare(a.id, b.id))
	})
	list = slices.CompactFunc(list, func(a, b replacement) bool { return a.id == b.id }) // a path may be given twice
	for _, r := range list {
		err := u.dropPassages(r.old)
		if err == nil {
			err = u.dropLists(r.id)
		}
		for _, statement := range []string{"DELETE FROM note_figures WHERE note = ?", "DELETE FROM notes WHERE id = ?"} {
			if err == nil {
				err = u.conn.Exec(statement, r.id)
			}
		}
		if err != nil {
			return fmt.Errorf("delete %s: %w", r.note.Path, err)
		}
		u.release(r.old)
		u.state.notes--
		u.state.chunks -= int64(r.old.count)
		u.deleted++
	}
	return nil
}

// writeNote writes the row of a note, under a new id where id is 0.
func (u *update) writeNote(id int64, n *store.Note, first store.PassageID) (int64, error) {
	if id != 0 {
		if err := u.conn.Exec("DELETE FROM notes WHERE id = ?", id); err != nil {
			return 0, err
		}
	}
	s, err := u.conn.Prepare(insertNote)
	if err != nil {
		return 0, err
	}
	lists := packLists(n)
	var key, frontmatter any
	if id != 0 {
		key = id
	}
	if n.Frontmatter != nil {
		frontmatter = string(n.Frontmatter)
	}
	s.Bind(key, n.Path, digestKey(n.Path), int64(first), len(n.Passages),
		n.SizeBytes, n.ModifiedNanoseconds, int64(n.Inode), packHash(n.ContentHash),
		n.DeclaredID, n.Kind, n.Title, n.Type, n.Status, n.Domain, n.Source, n.Created, n.Updated,
		nullIfEmpty(lists.tags), nullIfEmpty(lists.aliases),
		n.EmbeddedAtUnix, sumOfNote(n, lists, span{first, len(n.Passages)}), n.Sensitivity, nullIfEmpty(lists.redactions),
		sumOfLinks(n.Frontmatter, n.Links), frontmatter)
	if err := s.Run(); err != nil {
		return 0, err
	}
	if id == 0 {
		id = u.conn.LastRowID()
	}
	return id, nil
}

func (u *update) writePassage(n *store.Note, p *numbered, at placed) error {
	headings := packHeadings(&p.Passage)
	s, err := u.conn.Prepare(insertPassage)
	if err != nil {
		return err
	}
	id := at.id
	s.Bind(int64(id), at.note, p.Index, p.Path, p.Section, p.Text, p.HeadingContext, nullIfEmpty(headings),
		p.LineStart, p.LineEnd, sumOfPassage(&p.Passage, headings), nullIfEmpty(p.IndexText), nullIfEmpty(p.texts[store.ColumnAliases]),
		nullIfEmpty(p.texts[store.ColumnPairs]), nullIfEmpty(p.texts[store.ColumnCharacters]), nullIfEmpty(p.texts[store.ColumnIdentifiers]), n.ModifiedNanoseconds, n.EmbeddedAtUnix)
	if err := s.Run(); err != nil {
		return err
	}
	if !at.keepsWords {
		if err := u.writeWords(insertWords, id, &p.texts); err != nil {
			return err
		}
	}
	if err := u.writeRankData(id, p.RankData); err != nil {
		return err
	}
	if u.mode == store.Incremental {
		words, err := countWords(u.conn, id)
		if err != nil {
			return err
		}
		if err := u.lengths.set(id, words); err != nil {
			return err
		}
	}
	return u.writeVector(id, p.Vector)
}

// writeWords runs insertWords or deleteWords.
func (u *update) writeWords(statement string, id store.PassageID, texts *[store.Columns]string) error {
	s, err := u.conn.Prepare(statement)
	if err != nil {
		return err
	}
	s.BindInt(0, int64(id))
	for column, text := range texts {
		s.BindText(1+column, text)
	}
	return s.Run()
}

func (u *update) writeVector(id store.PassageID, v []float32) error {
	if v == nil {
		return nil // the slot is empty: a free id has none
	}
	if u.state.dimension == 0 {
		u.state.dimension = int64(len(v))
		u.vectors.dimension = len(v)
	}
	if len(v) != u.vectors.dimension || len(v) > maxDimension {
		return fmt.Errorf("a vector of %d components, not %d", len(v), u.vectors.dimension)
	}
	return u.vectors.set(id, v)
}

// maxDimension keeps a block of vectors well below SQLite's largest blob.
const maxDimension = 1 << 16

// countWords asks FTS5 how many words it found in a chunk, in all columns.
func countWords(c *engine.Conn, id store.PassageID) (uint32, error) {
	s, err := c.Prepare("SELECT sz FROM chunks_fts_docsize WHERE id = ?")
	if err != nil {
		return 0, err
	}
	defer s.Reset()
	s.BindInt(0, int64(id))
	if more, err := s.Step(); err != nil || !more {
		return 0, cmp.Or(err, damaged("the full text knows nothing of a passage"))
	}
	return sumVarints(s.Raw(0)), nil
}

// sumVarints adds the numbers of FTS5's docsize rows, one a column.
func sumVarints(b []byte) uint32 {
	var sum, value uint32
	for _, c := range b {
		value = value<<7 | uint32(c&0x7f)
		if c < 0x80 {
			sum += value
			value = 0
		}
	}
	return sum
}

func (u *update) writeLinks(note int64, links []store.Link) error {
	if len(links) == 0 {
		return nil
	}
	s, err := u.conn.Prepare("INSERT INTO links(note, ord, " + linkColumns + ") VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)")
	if err != nil {
		return err
	}
	for i := range links {
		l := &links[i]
		s.Bind(note, i, l.Target, l.Subpath, l.Display, l.Relation, flagsOf(l), l.Line, l.ChunkOrd)
		if err := s.Run(); err != nil {
			return fmt.Errorf("link %d: %w", i, err)
		}
	}
	return nil
}

// place finds ids for count chunks of a note that leaves the span old free.
func (u *update) place(old span, count int) (store.PassageID, error) {
	if count == 0 {
		u.release(old)
		return 0, nil
	}
	if count <= old.count {
		u.release(span{old.first + store.PassageID(count), old.count - count})
		return old.first, nil
	}
	u.release(old)
	if u.state.lastChunk > 2*u.state.chunks+sparseSlack {
		if err := u.findGaps(); err != nil {
			return 0, err
		}
		for i, gap := range u.gaps {
			if gap.count >= count {
				u.gaps[i] = span{gap.first + store.PassageID(count), gap.count - count}
				return gap.first, nil
			}
		}
	}
	first := u.state.lastChunk + 1
	if first > math.MaxInt64-int64(count) || first < 1 {
		return 0, errors.New("out of passage ids")
	}
	u.state.lastChunk += int64(count)
	return store.PassageID(first), nil
}

// sparseSlack is how many ids may be unused, beside half of them, before gaps are filled: a scan of the vectors reads
// the blocks of unused ids too.
const sparseSlack = 1024

// release takes back ids: at the end they are given out again, elsewhere they are a gap.
func (u *update) release(free span) {
	switch {
	case free.count == 0:
	case int64(free.first)+int64(free.count)-1 == u.state.lastChunk:
		u.state.lastChunk = int64(free.first) - 1
	case u.hasGaps:
		u.gaps = append(u.gaps, free)
	}
}

// findGaps lists the ids that no note holds. The note being written has none yet.
func (u *update) findGaps() error {
	if u.hasGaps {
		return nil
	}
	u.hasGaps = true
	s, err := u.conn.Prepare("SELECT first_chunk, chunks, path FROM notes WHERE chunks > 0 ORDER BY first_chunk")
	if err != nil {
		return err
	}
	defer s.Reset()
	next := store.PassageID(1)
	for {
		more, err := s.Step()
		if err != nil || !more {
			return err
		}
		first := store.PassageID(s.Int(0))
		if first > next {
			u.gaps = append(u.gaps, span{next, int(first - next)})
		}
		next = max(next, first+store.PassageID(s.Int(1)))
	}
}
