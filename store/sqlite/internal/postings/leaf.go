package postings

import (
	"encoding/binary"
	"fmt"
)

// leaf is a page in parts, to be changed.
type leaf struct {
	number int64
	tail   []byte  // of the positions of an entry that begins on a page before
	rows   []entry // of the list that goes on from there
	words  []word
	// What the index of pages says, where the page was found there.
	indexed      bool
	separator    []byte
	hasListIndex bool

	changed bool
	renamed bool // another word is the first now
}

type word struct {
	text []byte
	rows []entry
}

// entry is a row of a list. Positions that do not fit on the page go on as the tail of the next.
type entry struct {
	row       int64
	size      uint64 // of all positions, doubled, and 1 more where it deletes what was there before
	positions []byte
}

// deletes tells that the row does not hold the word any more.
func (e entry) deletes() bool { return e.size>>1 == 0 }

// beyond is how many bytes of the positions are on later pages.
func (e entry) beyond() int { return int(e.size>>1) - len(e.positions) }

func (l *leaf) isBlank() bool { return len(l.tail) == 0 && len(l.rows) == 0 && len(l.words) == 0 }

func parseLeaf(number int64, b []byte) (*leaf, error) {
	p, err := openPage(b)
	if err != nil {
		return nil, err
	}
	l := &leaf{number: number}
	until := p.end // of what belongs to pages before
	from := until
	if p.firstRow > 0 {
		from = p.firstRow
	}
	if from < pageHeader || from > until {
		return nil, fmt.Errorf("%w: the first row of a page", ErrCorrupt)
	}
	l.tail = b[pageHeader:from]
	if l.rows, err = parseRows(b[from:until]); err != nil {
		return nil, err
	}
	if !p.hasTerms {
		return l, nil
	}
	index := reader{data: b, at: p.size}
	for place := int(index.varint()); ; {
		next := p.size
		more := index.at < len(b)
		if more {
			next = place + int(index.varint())
		}
		if index.failed || next <= place || next > p.size {
			return nil, fmt.Errorf("%w: the place of a word", ErrCorrupt)
		}
		if err := l.parseWord(b[place:next]); err != nil {
			return nil, err
		}
		if !more {
			return l, nil
		}
		place = next
	}
}

func (l *leaf) parseWord(b []byte) error {
	r := reader{data: b}
	var before []byte
	shared := uint64(0)
	if len(l.words) > 0 {
		before = l.words[len(l.words)-1].text
		shared = r.varint()
	}
	size := r.varint()
	if r.failed || shared > uint64(len(before)) || size > uint64(len(b)-r.at) {
		return fmt.Errorf("%w: a word", ErrCorrupt)
	}
	text := append(append(make([]byte, 0, int(shared+size)), before[:shared]...), b[r.at:r.at+int(size)]...)
	rows, err := parseRows(b[r.at+int(size):])
	l.words = append(l.words, word{text, rows})
	return err
}

// parseRows reads the part of a list that is on one page.
func parseRows(b []byte) ([]entry, error) {
	r := reader{data: b}
	var rows []entry
	for r.at < len(b) {
		e := entry{row: int64(r.varint())}
		if len(rows) > 0 {
			before := rows[len(rows)-1].row
			if e.row += before; e.row <= before {
				return nil, fmt.Errorf("%w: a list of rows", ErrCorrupt)
			}
		}
		e.size = r.varint()
		if r.failed || e.size>>1 > maxPositionBytes {
			return nil, fmt.Errorf("%w: a list of rows", ErrCorrupt)
		}
		until := min(len(b), r.at+int(e.size>>1))
		e.positions = b[r.at:until]
		r.at = until
		rows = append(rows, e)
	}
	return rows, nil
}

func (l *leaf) encode() []byte {
	b := append(make([]byte, pageHeader), l.tail...)
	if len(l.rows) > 0 {
		binary.BigEndian.PutUint16(b, uint16(len(b)))
		b = appendRows(b, l.rows)
	}
	var index, before []byte
	place := 0
	for i, w := range l.words {
		index = appendVarint(index, uint64(len(b)-place))
		place = len(b)
		shared := 0
		if i > 0 {
			for shared < len(before) && shared < len(w.text) && before[shared] == w.text[shared] {
				shared++
			}
			b = appendVarint(b, uint64(shared))
		}
		b = appendVarint(b, uint64(len(w.text)-shared))
		b = append(b, w.text[shared:]...)
		b = appendRows(b, w.rows)
		before = w.text
	}
	binary.BigEndian.PutUint16(b[2:], uint16(len(b)))
	return append(b, index...)
}

func appendRows(b []byte, rows []entry) []byte {
	before := int64(0)
	for _, e := range rows {
		b = appendVarint(b, uint64(e.row-before))
		b = appendVarint(b, e.size)
		b = append(b, e.positions...)
		before = e.row
	}
	return b
}

// remove takes out a word.
func (l *leaf) remove(i int) {
	l.words = append(l.words[:i], l.words[i+1:]...)
	l.changed = true
	l.renamed = l.renamed || i == 0
}
