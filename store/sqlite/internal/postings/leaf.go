package postings

import (
	"encoding/binary"
	"fmt"
)

// leaf is a page in parts, to be changed.
type leaf struct {
	number int64
	tail   []byte // of the positions of an entry that begins on a page before
	rows   rows   // of the list that goes on from there
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
	rows rows
}

// rows is the part of a list that is on one page: as it is stored, or taken apart.
type rows struct {
	raw     []byte
	entries []entry
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

func (l *leaf) isBlank() bool { return len(l.tail) == 0 && l.rows.isEmpty() && len(l.words) == 0 }

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
	l.rows.raw = b[from:until]
	if !p.hasTerms {
		return l, nil
	}
	var texts []byte
	index := reader{data: b, at: p.size}
	for place := int(index.varint()); ; {
		next := p.size
		more := index.at < len(b)
		if more {
			next = place + int(index.varint())
		}
		if index.failed || place < pageHeader || next <= place || next > p.size {
			return nil, fmt.Errorf("%w: the place of a word", ErrCorrupt)
		}
		if texts, err = l.parseWord(b[place:next], texts); err != nil || !more {
			return l, err
		}
		place = next
	}
}

// parseWord takes a word, whose text it appends to texts.
func (l *leaf) parseWord(b, texts []byte) ([]byte, error) {
	r := reader{data: b}
	var before []byte
	shared := uint64(0)
	if len(l.words) > 0 {
		before = l.words[len(l.words)-1].text
		shared = r.varint()
	}
	size := r.varint()
	if r.failed || shared > uint64(len(before)) || size > uint64(len(b)-r.at) {
		return texts, fmt.Errorf("%w: a word", ErrCorrupt)
	}
	from := len(texts)
	texts = append(append(texts, before[:shared]...), b[r.at:r.at+int(size)]...)
	l.words = append(l.words, word{texts[from:len(texts):len(texts)], rows{raw: b[r.at+int(size):]}})
	return texts, nil
}

// typicalEntryBytes is what an entry takes on average in a long list, about.
const typicalEntryBytes = 4

func (r *rows) isEmpty() bool { return len(r.raw) == 0 && len(r.entries) == 0 }

// first gives the first row; false where there is none.
func (r *rows) first() (row int64, found bool) {
	if len(r.entries) > 0 {
		return r.entries[0].row, true
	}
	b := reader{data: r.raw}
	row = int64(b.varint())
	return row, !b.failed
}

// parse takes the list apart.
func (r *rows) parse() error {
	b := reader{data: r.raw}
	r.raw, r.entries = nil, make([]entry, 0, len(r.raw)/typicalEntryBytes+1)
	for b.at < len(b.data) {
		e := entry{row: int64(b.varint())}
		if len(r.entries) > 0 {
			before := r.entries[len(r.entries)-1].row
			if e.row += before; e.row <= before {
				return fmt.Errorf("%w: a list of rows", ErrCorrupt)
			}
		}
		e.size = b.varint()
		if b.failed || e.size>>1 > maxPositionBytes {
			return fmt.Errorf("%w: a list of rows", ErrCorrupt)
		}
		until := min(len(b.data), b.at+int(e.size>>1))
		e.positions = b.data[b.at:until]
		b.at = until
		r.entries = append(r.entries, e)
	}
	return nil
}

func (r *rows) appendTo(b []byte) []byte {
	b = append(b, r.raw...)
	before := int64(0)
	for _, e := range r.entries {
		b = appendVarint(b, uint64(e.row-before))
		b = appendVarint(b, e.size)
		b = append(b, e.positions...)
		before = e.row
	}
	return b
}

func (l *leaf) encode() []byte {
	b := append(make([]byte, pageHeader), l.tail...)
	if !l.rows.isEmpty() {
		binary.BigEndian.PutUint16(b, uint16(len(b)))
		b = l.rows.appendTo(b)
	}
	var index, before []byte
	place := 0
	for i := range l.words {
		w := &l.words[i]
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
		b = w.rows.appendTo(b)
		before = w.text
	}
	binary.BigEndian.PutUint16(b[2:], uint16(len(b)))
	return append(b, index...)
}

// remove takes out a word.
func (l *leaf) remove(i int) {
	l.words = append(l.words[:i], l.words[i+1:]...)
	l.changed = true
	l.renamed = l.renamed || i == 0
}
