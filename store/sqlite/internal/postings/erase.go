package postings

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"

	"quarry/store/sqlite/internal/engine"
)

// Occurrence is a word that a row held.
type Occurrence struct {
	Word string
	Row  int64
}

// Erase takes out of the tables what newer segments have overruled of these occurrences, and the marks that a row holds a
// word no more, so that nothing is left of what was deleted; FTS5 itself keeps both until it happens to merge the segments.
// No question is answered otherwise than before, whatever occurrences are given: of each, the newest entry stays unless
// it is such a mark. The list is sorted in place. FTS5 must have written all it had gathered, and does not notice: before
// it writes through the same connection again, a savepoint has to be rolled back.
//
// What is written are segments in FTS5's present format, which every version reads: pages on which nothing is left stay as
// blank ones, as the rest of the list before them, and at most the index of a long list, which is optional, goes.
func Erase(conn *engine.Conn, table string, list []Occurrence) error {
	if err := checkFormat(conn, table); err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b Occurrence) int { return cmp.Or(cmp.Compare(a.Word, b.Word), cmp.Compare(a.Row, b.Row)) })
	list = slices.Compact(list)
	all, err := readStructure(conn, table)
	if err != nil {
		return err
	}
	e := eraser{conn: conn, table: table, list: list, settled: make([]bool, len(list))}
	changed := false
	for _, g := range all.newestFirst() {
		if err := e.eraseSegment(g); err != nil {
			return err
		}
		if e.segment != g {
			all.replace(e.segment)
			changed = true
		}
	}
	if !changed {
		return nil
	}
	return all.write(conn, table)
}

type eraser struct {
	conn    *engine.Conn
	table   string
	list    []Occurrence
	settled []bool // the newest entry of the occurrence has been met

	segment segment
	pages   map[int64]*leaf
	current *leaf // the last one found by the index of pages
}

// cachedPages bounds the pages held between two words.
const cachedPages = 256

func (e *eraser) eraseSegment(g segment) error {
	e.segment, e.pages, e.current = g, map[int64]*leaf{}, nil
	for from := 0; from < len(e.list); {
		until := from + 1
		for until < len(e.list) && e.list[until].Word == e.list[from].Word {
			until++
		}
		if err := e.eraseWord(from, until); err != nil {
			return err
		}
		if len(e.pages) > cachedPages {
			if err := e.flush(); err != nil {
				return err
			}
		}
		from = until
	}
	if err := e.flush(); err != nil {
		return err
	}
	return e.trim()
}

// eraseWord takes out the occurrences of one word, which are list[from:until].
func (e *eraser) eraseWord(from, until int) error {
	term := append([]byte{mainPrefix}, e.list[from].Word...)
	l, err := e.seek(term)
	if err != nil || l == nil {
		return err
	}
	i, found := sort.Find(len(l.words), func(i int) int { return bytes.Compare(term, l.words[i].text) })
	if !found {
		return nil
	}
	last := i == len(l.words)-1
	if _, err := e.eraseRows(l, &l.words[i].rows, from, until); err != nil {
		return err
	}
	if !last {
		if l.words[i].rows.isEmpty() {
			l.remove(i)
		}
		return nil
	}
	end, err := e.endOfList(l)
	if err == nil {
		err = e.eraseBeyond(l, end, from, until)
	}
	if err != nil || !l.words[i].rows.isEmpty() {
		return err
	}
	for n := l.number + 1; n <= end; n++ {
		p, err := e.page(n)
		if err != nil || !p.rows.isEmpty() {
			return err
		}
	}
	if err := e.dropListIndex(l, end); err != nil {
		return err
	}
	l.remove(i)
	return nil
}

// eraseRows takes the occurrences out of the part of their word's list that is on one page.
func (e *eraser) eraseRows(l *leaf, part *rows, from, until int) (firstGone bool, err error) {
	if len(part.raw) > 0 {
		if err := part.parse(); err != nil {
			return false, err
		}
	}
	for k := from; k < until && len(part.entries) > 0; k++ {
		at, found := slices.BinarySearchFunc(part.entries, e.list[k].Row, func(r entry, row int64) int { return cmp.Compare(r.row, row) })
		if !found {
			continue
		}
		old := part.entries[at]
		keep := !e.settled[k] && !old.deletes()
		e.settled[k] = true
		if keep {
			continue
		}
		part.entries = slices.Delete(part.entries, at, at+1)
		l.changed = true
		firstGone = firstGone || at == 0
		if err := e.eraseTail(l.number+1, old.beyond()); err != nil {
			return firstGone, err
		}
	}
	return firstGone, nil
}

// eraseTail takes out positions that go on on the pages from n on.
func (e *eraser) eraseTail(n int64, size int) error {
	for ; size > 0; n++ {
		if n > e.segment.last {
			return fmt.Errorf("%w: positions end too early", ErrCorrupt)
		}
		l, err := e.page(n)
		if err != nil {
			return err
		}
		if len(l.tail) > size || len(l.tail) < size && (!l.rows.isEmpty() || len(l.words) > 0) {
			return fmt.Errorf("%w: positions on several pages", ErrCorrupt)
		}
		size -= len(l.tail)
		l.tail, l.changed = nil, true
	}
	return nil
}

// eraseBeyond takes the occurrences out of the pages after l, up to end, on which the list of l's last word goes on.
func (e *eraser) eraseBeyond(l *leaf, end int64, from, until int) error {
	low := l.number + 1
	for k := from; k < until; k++ {
		p, err := e.pageOfRow(low, end, e.list[k].Row)
		if err != nil {
			return err
		}
		if p == nil {
			continue
		}
		low = p.number
		firstGone, err := e.eraseRows(p, &p.rows, k, k+1)
		if err == nil && firstGone {
			err = e.dropListIndex(l, end)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pageOfRow finds the last of the pages low … high whose first row is not above the given one; nil if there is none.
func (e *eraser) pageOfRow(low, high, row int64) (best *leaf, err error) {
	for low <= high {
		middle := low + (high-low)/2
		l, err := e.page(middle)
		for err == nil && l.rows.isEmpty() && l.number > low {
			l, err = e.page(l.number - 1)
		}
		if err != nil {
			return nil, err
		}
		switch first, found := l.rows.first(); {
		case !found:
			low = middle + 1
		case first <= row:
			best, low = l, middle+1
		default:
			high = l.number - 1
		}
	}
	return best, nil
}

// seek finds the page on which the term stands if it is in the segment; nil where no page can hold it.
func (e *eraser) seek(term []byte) (*leaf, error) {
	if c := e.current; c != nil && len(c.words) > 0 && bytes.Compare(c.words[0].text, term) <= 0 &&
		bytes.Compare(term, c.words[len(c.words)-1].text) <= 0 {
		return c, nil
	}
	s, err := e.conn.Prepare("SELECT pgno, term FROM " + e.table + "_idx WHERE segid = (SELECT ?) AND term <= (SELECT ?) ORDER BY term DESC LIMIT 1")
	if err != nil {
		return nil, err
	}
	defer s.Reset()
	s.BindInt(0, e.segment.id)
	s.BindBlob(1, term)
	more, err := s.Step()
	if err != nil || !more {
		return nil, err
	}
	number := s.Int(0) >> 1
	if number < e.segment.first {
		return nil, nil // merged into another segment meanwhile
	}
	l, err := e.page(number)
	if err != nil {
		return nil, err
	}
	if !l.indexed {
		l.indexed, l.separator, l.hasListIndex = true, append([]byte{}, s.Raw(1)...), s.Int(0)&1 == 1
	}
	e.current = l
	return l, nil
}

// endOfList gives the last page on which the list of the last word of l can go on.
func (e *eraser) endOfList(l *leaf) (int64, error) {
	s, err := e.conn.Prepare("SELECT pgno FROM " + e.table + "_idx WHERE segid = (SELECT ?) AND term > (SELECT ?) ORDER BY term LIMIT 1")
	if err != nil {
		return 0, err
	}
	defer s.Reset()
	s.BindInt(0, e.segment.id)
	s.BindBlob(1, l.separator)
	more, err := s.Step()
	if err != nil || !more {
		return e.segment.last, err
	}
	return min(s.Int(0)>>1, e.segment.last), nil
}

// page gives a page of the segment.
func (e *eraser) page(number int64) (*leaf, error) {
	if l := e.pages[number]; l != nil {
		return l, nil
	}
	s, err := e.conn.Prepare("SELECT block FROM " + e.table + "_data WHERE id = ?")
	if err != nil {
		return nil, err
	}
	defer s.Reset()
	s.BindInt(0, e.segment.id<<segmentShift+number)
	if more, err := s.Step(); err != nil || !more {
		return nil, orCorrupt(err, "a page is missing")
	}
	l, err := parseLeaf(number, s.Blob(0))
	e.pages[number] = l
	return l, err
}

// dropListIndex drops the index of the list of the last word of l, if there is one: the first rows of its pages, which
// it names, are others now.
func (e *eraser) dropListIndex(l *leaf, end int64) error {
	if !l.hasListIndex {
		return nil
	}
	l.hasListIndex = false
	for height := range int64(1 << (listIndexBit - heightShift)) {
		first := e.segment.id<<segmentShift + 1<<listIndexBit + height<<heightShift + l.number
		err := e.conn.Exec("DELETE FROM "+e.table+"_data WHERE id BETWEEN ? AND ?", first, first+max(0, end-l.number-1))
		if err != nil {
			return err
		}
	}
	return e.conn.Exec("UPDATE "+e.table+"_idx SET pgno = ? WHERE segid = ? AND term = ?", l.number<<1, e.segment.id, l.separator)
}

// flush writes what has changed and forgets all pages.
func (e *eraser) flush() error {
	for _, number := range sortedKeys(e.pages) {
		l := e.pages[number]
		if !l.changed {
			continue
		}
		err := e.conn.Exec("UPDATE "+e.table+"_data SET block = ? WHERE id = ?", l.encode(), e.segment.id<<segmentShift+number)
		if err == nil && l.renamed {
			err = e.reindex(l)
		}
		if err != nil {
			return err
		}
	}
	clear(e.pages)
	e.current = nil
	return nil
}

// reindex puts the first word that is left into the index of pages.
func (e *eraser) reindex(l *leaf) error {
	err := e.conn.Exec("DELETE FROM "+e.table+"_idx WHERE segid = ? AND term = ?", e.segment.id, l.separator)
	if err != nil || len(l.words) == 0 {
		return err
	}
	number := l.number << 1
	if l.hasListIndex {
		number++
	}
	return e.conn.Exec("INSERT INTO "+e.table+"_idx(segid, term, pgno) VALUES(?, ?, ?)", e.segment.id, l.words[0].text, number)
}

// trim drops pages without words at the beginning of the segment, where FTS5 expects one with words, and what the index of
// pages still says of those that FTS5 itself dropped when it had merged them.
func (e *eraser) trim() error {
	first := e.segment.first
	var l *leaf
	for ; first <= e.segment.last; first++ {
		var err error
		if l, err = e.page(first); err != nil {
			return err
		}
		if len(l.words) > 0 {
			break
		}
		if !l.isBlank() {
			return fmt.Errorf("%w: a segment begins without a word", ErrCorrupt)
		}
	}
	if first > e.segment.last {
		return e.dropSegment()
	}
	base := e.segment.id << segmentShift
	if first > e.segment.first {
		if err := e.conn.Exec("DELETE FROM "+e.table+"_data WHERE id BETWEEN ? AND ?", base, base+first-1); err != nil {
			return err
		}
		e.segment.first = first
	}
	return e.trimIndex(l)
}

// trimIndex lets the index of pages begin with the first page, l, and with what stands on it.
func (e *eraser) trimIndex(l *leaf) error {
	s, err := e.conn.Prepare("SELECT pgno, term FROM " + e.table + "_idx WHERE segid = ? ORDER BY term LIMIT 1")
	if err != nil {
		return err
	}
	for {
		s.BindInt(0, e.segment.id)
		more, err := s.Step()
		number, separator := s.Int(0), s.Blob(1)
		s.Reset()
		if err != nil || !more || number>>1 > l.number || number>>1 == l.number && bytes.HasPrefix(l.words[0].text, separator) {
			return err
		}
		if err := e.conn.Exec("DELETE FROM "+e.table+"_idx WHERE segid = ? AND term = ?", e.segment.id, separator); err != nil {
			return err
		}
		if number>>1 == l.number {
			return e.conn.Exec("INSERT INTO "+e.table+"_idx(segid, term, pgno) VALUES(?, ?, ?)", e.segment.id, l.words[0].text, number)
		}
	}
}

func (e *eraser) dropSegment() error {
	if err := e.conn.Exec("DELETE FROM "+e.table+"_idx WHERE segid = ?", e.segment.id); err != nil {
		return err
	}
	base := e.segment.id << segmentShift
	e.segment.first = 0
	return e.conn.Exec("DELETE FROM "+e.table+"_data WHERE id BETWEEN ? AND ?", base, base+1<<segmentShift-1)
}

func sortedKeys(pages map[int64]*leaf) []int64 {
	keys := make([]int64, 0, len(pages))
	for number := range pages {
		keys = append(keys, number)
	}
	slices.Sort(keys)
	return keys
}
