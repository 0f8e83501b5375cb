package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// pageRunes is how many code points a page of the table holds.
const pageRunes = 128

// The classes and flags of a record; package model2vec names them too.
const (
	classOrdinary = iota
	classSpace
	classDropped
	classMarkStarter
	classMark
	classChinese
	classHangul

	flagWhite = 0x10
	flagPunct = 0x20
)

// measured is the file of what the reference does with each code point, in ranges of hexadecimal numbers.
type measured struct {
	Removed         []string          `json:"removed"`
	ToSpace         []string          `json:"to_space"`
	ChinesePadded   []string          `json:"cjk_padded"`
	Punct           []string          `json:"punct"`
	SplitWhitespace []string          `json:"split_whitespace"`
	Reordered       []string          `json:"reordered"`
	Map             map[string]string `json:"map"`
}

// classifier answers for one code point.
type classifier struct {
	removed, space, chinese, punct, white, reordered map[rune]bool
	mapped                                           map[rune]string // decomposed, marks removed, lower case
}

// record is what the table says of a code point.
type record struct {
	class, combining byte
	both             string // decomposed, marks removed, lower case; "" if unchanged
	stripped         string // decomposed, marks removed
	lower            string // lower case
}

// characterTable turns the measured classes into the table that package model2vec embeds; its layout is documented there.
func characterTable(source []byte) ([]byte, error) {
	classify, err := readMeasured(source)
	if err != nil {
		return nil, err
	}
	table := tableWriter{pool: []byte{0}, text: map[string]uint16{"": 0}, known: map[record]uint16{}, pages: map[string]uint16{}}
	var stage []byte
	page := make([]byte, 0, 2*pageRunes)
	for r := rune(0); r <= unicode.MaxRune; r++ {
		number, err := table.record(classify.record(r))
		if err != nil {
			return nil, fmt.Errorf("U+%04X: %w", r, err)
		}
		page = binary.LittleEndian.AppendUint16(page, number)
		if r%pageRunes == pageRunes-1 {
			stage = binary.LittleEndian.AppendUint16(stage, table.page(page))
			page = page[:0]
		}
	}
	return table.bytes(stage), nil
}

func readMeasured(source []byte) (*classifier, error) {
	var m measured
	if err := json.Unmarshal(source, &m); err != nil {
		return nil, fmt.Errorf("read character classes: %w", err)
	}
	c := &classifier{mapped: map[rune]string{}}
	sets := []struct {
		ranges []string
		into   *map[rune]bool
	}{
		{m.Removed, &c.removed},
		{m.ToSpace, &c.space},
		{m.ChinesePadded, &c.chinese},
		{m.Punct, &c.punct},
		{m.SplitWhitespace, &c.white},
		{m.Reordered, &c.reordered},
	}
	for _, set := range sets {
		var err error
		if *set.into, err = expand(set.ranges); err != nil {
			return nil, err
		}
	}
	for code, text := range m.Map {
		r, err := strconv.ParseInt(code, 16, 32)
		if err != nil {
			return nil, fmt.Errorf("read character classes: map: %w", err)
		}
		c.mapped[rune(r)] = text
	}
	return c, nil
}

// expand reads ranges such as "41" and "41-5A".
func expand(ranges []string) (map[rune]bool, error) {
	set := map[rune]bool{}
	for _, text := range ranges {
		first, last, _ := strings.Cut(text, "-")
		from, err := strconv.ParseInt(first, 16, 32)
		if err != nil {
			return nil, fmt.Errorf("read character classes: range %q: %w", text, err)
		}
		to, err := strconv.ParseInt(cmp.Or(last, first), 16, 32)
		if err != nil {
			return nil, fmt.Errorf("read character classes: range %q: %w", text, err)
		}
		for r := from; r <= to; r++ {
			set[rune(r)] = true
		}
	}
	return set, nil
}

// dropped tells whether r goes in clean_text. The measured file does not tell those apart from marks; the general
// category does, and it never changes between the two kinds.
func (c *classifier) dropped(r rune) bool {
	return c.removed[r] && (r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co))
}

func (c *classifier) isMark(r rune) bool {
	return c.removed[r] && !c.dropped(r)
}

func (c *classifier) record(r rune) record {
	if !utf8.ValidRune(r) {
		return record{}
	}
	out := record{class: c.class(r)}
	if c.white[r] {
		out.class |= flagWhite
	}
	if c.punct[r] {
		out.class |= flagPunct
	}
	if c.reordered[r] {
		out.combining = norm.NFD.PropertiesString(string(r)).CCC()
	}
	if out.class == classHangul || c.removed[r] {
		return out
	}
	out.both = c.mapped[r]
	out.stripped = c.strip(r)
	out.lower = c.lower(r)
	return out
}

func (c *classifier) class(r rune) byte {
	switch {
	case c.space[r]:
		return classSpace
	case c.dropped(r):
		return classDropped
	case c.isMark(r):
		return markClass(r)
	case c.chinese[r]:
		return classChinese
	case r >= 0xAC00 && r <= 0xD7A3:
		return classHangul
	}
	return classOrdinary
}

// markClass tells marks that move among others in canonical order from those that, having class 0, stand in the way.
func markClass(r rune) byte {
	for _, part := range norm.NFD.String(string(r)) {
		if norm.NFD.PropertiesString(string(part)).CCC() == 0 {
			return classMarkStarter
		}
	}
	return classMark
}

// strip is r decomposed and without marks, where the reference knows a decomposition: then the measured map has it too.
func (c *classifier) strip(r rune) string {
	if _, ok := c.mapped[r]; !ok {
		return ""
	}
	whole := norm.NFD.String(string(r))
	if whole == string(r) {
		return ""
	}
	return strings.Map(func(part rune) rune {
		if c.isMark(part) {
			return -1
		}
		return part
	}, whole)
}

// lower is the lower case of r: measured where nothing is decomposed, else that of Go, as those letters are old ones.
func (c *classifier) lower(r rune) string {
	text := c.mapped[r]
	if c.strip(r) != "" {
		text = string(unicode.ToLower(r))
	}
	if r == 'İ' { // the one full mapping
		text = "i\u0307"
	}
	if text == string(r) {
		return ""
	}
	return text
}

// tableWriter collects the distinct strings, records and pages.
type tableWriter struct {
	pool    []byte
	text    map[string]uint16
	records []byte
	known   map[record]uint16
	pages   map[string]uint16
	content []byte
}

func (t *tableWriter) record(r record) (number uint16, err error) {
	if number, ok := t.known[r]; ok {
		return number, nil
	}
	offsets := [3]uint16{}
	for i, text := range []string{r.both, r.stripped, r.lower} {
		if offsets[i], err = t.string(text); err != nil {
			return 0, err
		}
	}
	number = uint16(len(t.known))
	t.known[r] = number
	t.records = append(t.records, r.class, r.combining)
	for _, offset := range offsets {
		t.records = binary.LittleEndian.AppendUint16(t.records, offset)
	}
	return number, nil
}

func (t *tableWriter) string(text string) (offset uint16, err error) {
	if offset, ok := t.text[text]; ok {
		return offset, nil
	}
	if len(t.pool) > 0xFFFF || len(text) > 0xFF {
		return 0, fmt.Errorf("the pool of strings is full")
	}
	offset = uint16(len(t.pool))
	t.text[text] = offset
	t.pool = append(append(t.pool, byte(len(text))), text...)
	return offset, nil
}

func (t *tableWriter) page(page []byte) uint16 {
	number, ok := t.pages[string(page)]
	if !ok {
		number = uint16(len(t.pages))
		t.pages[string(page)] = number
		t.content = append(t.content, page...)
	}
	return number
}

func (t *tableWriter) bytes(stage []byte) []byte {
	var out bytes.Buffer
	head := binary.LittleEndian.AppendUint16([]byte("QCC1"), uint16(len(t.pages)))
	out.Write(binary.LittleEndian.AppendUint16(head, uint16(len(t.known))))
	for _, part := range [][]byte{stage, t.content, t.records, t.pool} {
		out.Write(part)
	}
	return out.Bytes()
}
