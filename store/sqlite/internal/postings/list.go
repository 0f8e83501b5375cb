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

// Each calls visit for each row that holds the word, rows ascending, with the word's positions in FTS5's form: see
// Frequency. The positions are valid during the call.
func (x *Index) Each(word string, visit func(row int64, positions []byte)) error {
	term := append([]byte{mainPrefix}, word...)
	found := x.lists[:0]
	for _, s := range x.segments {
		if len(found) == cap(found) {
			found = append(found, list{})
		} else {
			found = found[:len(found)+1]
		}
		l := &found[len(found)-1]
		l.rows, l.ends, l.data = l.rows[:0], l.ends[:0], l.data[:0]
		if err := x.read(s, term, l); err != nil {
			return err
		}
		if len(l.rows) == 0 {
			found = found[:len(found)-1]
		}
	}
	x.lists = found
	merge(found, visit)
	return nil
}

// merge visits the rows of all lists; where several have a row, the first one, which is the newest, has the say.
func merge(lists []list, visit func(row int64, positions []byte)) {
	at := make([]int, len(lists))
	for {
		newest := -1
		for i := range lists {
			if at[i] < len(lists[i].rows) && (newest < 0 || lists[i].rows[at[i]] < lists[newest].rows[at[newest]]) {
				newest = i
			}
		}
		if newest < 0 {
			return
		}
		row, positions := lists[newest].rows[at[newest]], lists[newest].positions(at[newest])
		for i := range lists {
			if at[i] < len(lists[i].rows) && lists[i].rows[at[i]] == row {
				at[i]++
			}
		}
		if len(positions) > 0 {
			visit(row, positions)
		}
	}
}

func (l *list) positions(i int) []byte {
	from := 0
	if i > 0 {
		from = l.ends[i-1]
	}
	return l.data[from:l.ends[i]]
}

// read appends the posting list of the term in one segment to l.
func (x *Index) read(s segment, term []byte, l *list) error {
	x.seek.BindInt(0, s.id)
	x.seek.BindBlob(1, term)
	more, err := x.seek.Step()
	page := max(s.first, x.seek.Int(0)>>1)
	x.seek.Reset()
	if err != nil {
		return err
	}
	if !more {
		page = s.first
	}
	x.pages.BindInt(0, s.id<<segmentShift+page)
	x.pages.BindInt(1, s.id<<segmentShift+s.last)
	defer x.pages.Reset()
	if more, err := x.pages.Step(); err != nil || !more {
		return orCorrupt(err, "a page is missing")
	}
	p, err := openPage(x.pages.Raw(0))
	if err != nil {
		return err
	}
	found, err := p.find(term)
	if err != nil || !found {
		return err
	}
	return x.readList(p, l)
}

func orCorrupt(err error, what string) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: %s", ErrCorrupt, what)
}

// next goes to the following page.
func (x *Index) next() (page, bool, error) {
	more, err := x.pages.Step()
	if err != nil || !more {
		return page{}, false, err
	}
	p, err := openPage(x.pages.Raw(0))
	return p, true, err
}

// readList reads rows and positions from p.at on until the list ends.
func (x *Index) readList(p page, l *list) error {
	row := int64(0)
	absolute := true // the first row of a list, or on a page, is written in full, others as the distance
	for {
		for p.at >= p.end {
			if p.ends {
				return nil
			}
			first := len(l.rows) == 0
			q, more, err := x.next()
			if err != nil || !more {
				return err
			}
			if p = q; !first && p.firstRow == 0 {
				// Without rows: the list has ended, or the page is empty.
				if p.hasTerms {
					return nil
				}
				p.at = p.end
				continue
			}
			p.at = pageHeader
			if !first {
				p.at = p.firstRow
			}
			if p.hasTerms && p.at >= p.end {
				return nil
			}
			absolute = true
		}
		distance, size := int64(p.varint()), p.varint()
		if row += distance; absolute {
			row = distance
		}
		absolute = false
		if p.failed || p.at > p.end || len(l.rows) > 0 && row <= l.rows[len(l.rows)-1] || size>>1 > maxPositionBytes {
			return fmt.Errorf("%w: a list of rows", ErrCorrupt)
		}
		l.rows = append(l.rows, row)
		rest := int(size >> 1)
		for {
			n := min(rest, p.end-p.at)
			l.data = append(l.data, p.data[p.at:p.at+n]...)
			p.at += n
			if rest -= n; rest == 0 {
				break
			}
			q, more, err := x.next()
			if err != nil || !more || p.ends {
				return orCorrupt(err, "positions end too early")
			}
			p, absolute = q, true
			p.at = pageHeader
		}
		l.ends = append(l.ends, len(l.data))
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
