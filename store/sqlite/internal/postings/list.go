package postings

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// list is the posting list of a word in one segment: rows ascending, the positions of row i in
// data[ends[i-1]:ends[i]]. A row without positions was deleted.
type list struct {
	rows []int64
	ends []int
	data []byte
}

func (l *list) add(row int64, positions []byte) {
	l.rows = append(l.rows, row)
	l.data = append(l.data, positions...)
	l.ends = append(l.ends, len(l.data))
}

// Each calls visit for each row that holds the word, rows ascending, with the word's positions in FTS5's form: see
// Frequency. The positions are valid during the call.
func (x *Index) Each(word string, visit func(row int64, positions []byte)) error {
	term := append([]byte{mainPrefix}, word...)
	var holding []segment
	for _, s := range x.segments {
		_, found, err := x.seekWord(s, term)
		x.pages.Reset()
		if err != nil {
			return err
		}
		if found {
			holding = append(holding, s)
		}
	}
	if len(holding) == 0 {
		return nil
	}
	base := len(holding) - 1
	newer := make([]list, base)
	for i := range newer {
		if err := x.read(holding[i], term, true, newer[i].add); err != nil {
			return err
		}
	}
	// What the oldest segment deletes is not there anyway.
	return x.overlay(holding[base], term, merge(newer), visit)
}

// overlay visits the rows of the oldest segment, which is by far the largest as a rule, and those of the newer list, which
// has the say where both hold a row.
func (x *Index) overlay(oldest segment, term []byte, newer list, visit func(row int64, positions []byte)) error {
	if len(newer.rows) == 0 { // as after a full run
		return x.read(oldest, term, false, visit)
	}
	at := 0
	err := x.read(oldest, term, false, func(row int64, positions []byte) {
		for ; at < len(newer.rows) && newer.rows[at] < row; at++ {
			newer.visit(at, visit)
		}
		if at < len(newer.rows) && newer.rows[at] == row {
			newer.visit(at, visit)
			at++
		} else {
			visit(row, positions)
		}
	})
	for ; err == nil && at < len(newer.rows); at++ {
		newer.visit(at, visit)
	}
	return err
}

// merge joins lists, newest first; where several have a row, the newest has the say.
func merge(lists []list) (merged list) {
	if len(lists) == 1 {
		return lists[0]
	}
	at := make([]int, len(lists))
	for {
		newest := -1
		for i := range lists {
			if at[i] < len(lists[i].rows) && (newest < 0 || lists[i].rows[at[i]] < lists[newest].rows[at[newest]]) {
				newest = i
			}
		}
		if newest < 0 {
			return merged
		}
		row := lists[newest].rows[at[newest]]
		merged.add(row, lists[newest].positions(at[newest]))
		for i := range lists {
			if at[i] < len(lists[i].rows) && lists[i].rows[at[i]] == row {
				at[i]++
			}
		}
	}
}

func (l *list) visit(i int, visit func(row int64, positions []byte)) {
	if positions := l.positions(i); len(positions) > 0 {
		visit(l.rows[i], positions)
	}
}

func (l *list) positions(i int) []byte {
	from := 0
	if i > 0 {
		from = l.ends[i-1]
	}
	return l.data[from:l.ends[i]]
}

// seekWord finds the page of a segment that holds the term and goes behind the term. The caller resets x.pages.
func (x *Index) seekWord(s segment, term []byte) (p page, found bool, err error) {
	x.seek.BindInt(0, s.id)
	x.seek.BindBlob(1, term)
	more, err := x.seek.Step()
	number := s.first
	if more {
		number = max(number, x.seek.Int(0)>>1)
	}
	x.seek.Reset()
	if err != nil {
		return page{}, false, err
	}
	x.pages.BindInt(0, s.id<<segmentShift+number)
	x.pages.BindInt(1, s.id<<segmentShift+s.last)
	if more, err := x.pages.Step(); err != nil || !more {
		return page{}, false, orCorrupt(err, "a page is missing")
	}
	if p, err = openPage(x.pages.Raw(0)); err != nil {
		return page{}, false, err
	}
	found, err = p.find(term)
	return p, found, err
}

// read visits the rows of the term in one segment, deleted ones, which have no positions, if asked.
func (x *Index) read(s segment, term []byte, deleted bool, visit func(row int64, positions []byte)) error {
	defer x.pages.Reset()
	p, found, err := x.seekWord(s, term)
	if err != nil || !found {
		return err
	}
	return x.readList(p, deleted, visit)
}

func orCorrupt(err error, what string) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: %s", ErrCorrupt, what)
}

// next goes to the following page.
func (x *Index) next(p *page) (bool, error) {
	more, err := x.pages.Step()
	if err != nil || !more {
		return false, err
	}
	*p, err = openPage(x.pages.Raw(0))
	return true, err
}

// readList visits rows with their positions from p.at on until the list ends.
func (x *Index) readList(p page, deleted bool, visit func(row int64, positions []byte)) error {
	row, rows := int64(0), 0
	absolute := true // the first row of a list, or on a page, is written in full, others as the distance
	for {
		if p.at >= p.end {
			more, err := x.nextRow(&p, rows == 0)
			if err != nil || !more {
				return err
			}
			absolute = true
		}
		before := row
		row = int64(p.varint())
		if !absolute {
			row += before
		}
		absolute = false
		size := int(p.varint() >> 1) // the last bit marks a deletion
		if p.failed || p.at > p.end || rows > 0 && row <= before || size < 0 || size > maxPositionBytes {
			return fmt.Errorf("%w: a list of rows", ErrCorrupt)
		}
		rows++
		if size <= p.end-p.at {
			if size > 0 || deleted {
				visit(row, p.data[p.at:p.at+size])
			}
			p.at += size
			continue
		}
		positions, err := x.longPositions(&p, size)
		if err != nil {
			return err
		}
		absolute = true
		visit(row, positions)
	}
}

// nextRow goes to the next page on which a row of the list begins; false at the end of the list. The first row of a list
// may be parted from its word.
func (x *Index) nextRow(p *page, first bool) (bool, error) {
	for !p.ends {
		more, err := x.next(p)
		if err != nil || !more {
			return false, err
		}
		p.at = p.firstRow
		if first {
			p.at = pageHeader
		}
		if p.at > 0 && p.at < p.end {
			return true, nil
		}
	}
	return false, nil
}

// longPositions joins positions that are spread over pages.
func (x *Index) longPositions(p *page, size int) ([]byte, error) {
	x.scratch = x.scratch[:0]
	for {
		n := min(size-len(x.scratch), p.end-p.at)
		x.scratch = append(x.scratch, p.data[p.at:p.at+n]...)
		if p.at += n; len(x.scratch) == size {
			return x.scratch, nil
		}
		if p.ends {
			return nil, fmt.Errorf("%w: positions end too early", ErrCorrupt)
		}
		if more, err := x.next(p); err != nil || !more {
			return nil, orCorrupt(err, "a page is missing")
		}
		p.at = pageHeader
	}
}

// maxPositionBytes bounds the positions of one word in one row, against sizes that damage has made up.
const maxPositionBytes = 1 << 30

// page is a leaf: words and lists in data[pageHeader:size], the places of the words behind.
type page struct {
	reader
	size     int
	firstRow int  // where the first row begins that starts on this page, 0 if none does
	terms    int  // where the list of the words' places begins
	end      int  // where the current list ends on this page at the latest
	ends     bool // it ends there for good: another word follows, on this page
	hasTerms bool
}

func openPage(b []byte) (page, error) {
	if len(b) < pageHeader {
		return page{}, fmt.Errorf("%w: a short page", ErrCorrupt)
	}
	p := page{reader: reader{data: b}, firstRow: int(binary.BigEndian.Uint16(b)), size: int(binary.BigEndian.Uint16(b[2:]))}
	if p.size < pageHeader || p.size > len(b) || p.firstRow > p.size {
		return page{}, fmt.Errorf("%w: a page's header", ErrCorrupt)
	}
	p.end, p.terms = p.size, p.size
	if p.size < len(b) {
		index := reader{data: b, at: p.size}
		first := int(index.varint())
		if index.failed || first < pageHeader || first > p.size {
			return page{}, fmt.Errorf("%w: a page's words", ErrCorrupt)
		}
		p.hasTerms, p.end, p.ends = true, first, true
	}
	return p, nil
}

// find looks for a word on the page and goes behind it.
func (p *page) find(term []byte) (bool, error) {
	if !p.hasTerms {
		return false, nil
	}
	index := reader{data: p.data, at: p.terms}
	place := int(index.varint())
	var word []byte
	for first := true; ; first = false {
		p.at = place
		shared := 0
		if !first {
			shared = int(p.varint())
		}
		size := int(p.varint())
		if p.failed || shared < 0 || shared > len(word) || size < 0 || size > p.size-p.at {
			return false, fmt.Errorf("%w: a word", ErrCorrupt)
		}
		word = append(word[:shared], p.data[p.at:p.at+size]...)
		p.at += size
		more := index.at < len(p.data)
		if more {
			place += int(index.varint())
		}
		switch order := bytes.Compare(word, term); {
		case index.failed || place < 0 || place > p.size:
			return false, fmt.Errorf("%w: the place of a word", ErrCorrupt)
		case order > 0 || order < 0 && !more:
			return false, nil
		case order == 0:
			p.end, p.ends = p.size, more
			if more {
				p.end = place
			}
			return true, nil
		}
	}
}
