package docx

import (
	"encoding/xml"
	"strconv"
	"strings"

	"quarry/convert/export"
)

// block is a part of a text: a paragraph or a table.
type block struct {
	kind    kind
	level   int // of a heading, 1 to 9
	spans   []span
	item    *item
	isLine  bool        // all of it is in a font for code
	isApart bool        // an empty paragraph stood before it
	rows    [][][]block // of a table: rows, cells, what is in them
}

// item is the place of a paragraph in a list.
type item struct {
	list      string // numId
	level     int
	isOrdered bool
	number    int
	box       string // "[ ] " or "[x] " of a task
}

// document is a document while it is read.
type document struct {
	archive   *archive
	into      *export.Builder
	where     string // its path in the tree
	styles    styles
	numbering numbering
	check     func() error

	part      string // whose elements are read
	relations map[string]relation
	counters  map[string]*[maxLevel + 1]int // numbers so far, 0: none
	byStyle   [maxLevel + 1]string          // the lists that styles number, by level
	wasItem   bool
	fields    []field
	bookmarks []string          // that wait for a paragraph
	anchors   map[string]string // headings by the bookmarks in them
	near      map[string]string // headings that bookmarks elsewhere stand below
	last      string            // the last heading
	notes     map[string][]block
	noteIDs   []string       // in the order of their numbers
	noteAt    map[string]int // number of a note
	pictures  map[string]bool
	library   *library
	isDeep    bool
	isApart   bool
	dropCap   []span // a first letter that is a paragraph of its own
}

// paragraph is a paragraph while it is read.
type paragraph struct {
	style    string
	outline  int
	listed   listing
	isListed bool // it says itself where in a list it is
	isRule   bool // a line is drawn below it, or in it
	isCap    bool // it is the first letter of the next one
	spans    []span
	anchors  []string
	after    []block // text boxes in it
	address  string  // of the link that is open
	anchor   string
}

// body reads blocks up to the end of the present element.
func (d *document) body(x *cursor) ([]block, error) {
	var blocks []block
	var visit func(e xml.StartElement) error
	visit = func(e xml.StartElement) error {
		switch x.name(e) {
		case "w:p":
			made, err := d.paragraph(x)
			blocks = append(blocks, made...)
			return err
		case "w:tbl":
			made, err := d.table(x)
			blocks = append(blocks, made...)
			return err
		case "w:sdt":
			return d.control(x, visit)
		case "w:sdtContent", "w:smartTag", "w:customXml", "w:ins", "w:moveTo":
			return x.each(visit)
		case "mc:AlternateContent":
			return d.alternatives(x, visit)
		case "w:del", "w:moveFrom":
			d.into.Lost["deletion that was tracked"]++
		case "w:bookmarkStart":
			d.bookmark(e)
		case "m:oMathPara", "m:oMath":
			p := &paragraph{}
			err := d.formula(x, p)
			blocks = append(blocks, d.finish(p)...)
			return err
		case "w:altChunk":
			d.into.Lost["document within a document"]++
		}
		return x.skip()
	}
	err := x.each(visit)
	d.isDeep = d.isDeep || x.isDeep
	return blocks, err
}

// control reads a content control; one that holds a table of contents is left out.
func (d *document) control(x *cursor, visit func(xml.StartElement) error) error {
	isContents := false
	return x.each(func(e xml.StartElement) error {
		switch {
		case x.name(e) == "w:sdtPr":
			return x.each(func(e xml.StartElement) error {
				if x.name(e) != "w:docPartObj" {
					return x.skip()
				}
				return x.each(func(e xml.StartElement) error {
					isContents = isContents || x.name(e) == "w:docPartGallery" && value(e, "val") == "Table of Contents"
					return x.skip()
				})
			})
		case isContents:
			d.into.Lost["table of contents"]++
			return x.skip()
		}
		return visit(e)
	})
}

// alternatives reads the first of several forms of the same.
func (d *document) alternatives(x *cursor, visit func(xml.StartElement) error) error {
	isTaken := false
	return x.each(func(e xml.StartElement) error {
		if isTaken || x.name(e) != "mc:Choice" && x.name(e) != "mc:Fallback" {
			return x.skip()
		}
		isTaken = true
		return x.each(visit)
	})
}

func (d *document) bookmark(e xml.StartElement) {
	if name := value(e, "name"); name != "" && name != "_GoBack" && len(d.bookmarks) < 10_000 {
		d.bookmarks = append(d.bookmarks, name)
	}
}

func (d *document) paragraph(x *cursor) ([]block, error) {
	p := &paragraph{anchors: d.bookmarks}
	d.bookmarks = nil
	if link := d.openLink(); link != nil {
		p.address, p.anchor = link.address, link.anchor
	}
	err := x.each(func(e xml.StartElement) error {
		if x.name(e) == "w:pPr" {
			return d.paragraphProperties(x, p)
		}
		return d.inline(x, e, p)
	})
	return d.finish(p), err
}

func (d *document) paragraphProperties(x *cursor, p *paragraph) error {
	return x.each(func(e xml.StartElement) error {
		switch x.name(e) {
		case "w:pStyle":
			p.style = value(e, "val")
		case "w:outlineLvl":
			p.outline = outline(e)
		case "w:framePr":
			p.isCap = value(e, "dropCap") == "drop" || value(e, "dropCap") == "margin"
		case "w:pBdr":
			return x.each(func(e xml.StartElement) error {
				p.isRule = p.isRule || x.name(e) == "w:bottom" && value(e, "val") != "nil" && value(e, "val") != "none"
				return x.skip()
			})
		case "w:numPr":
			var err error
			p.listed, err = x.listing()
			p.isListed = p.listed.number != ""
			return err
		}
		return x.skip()
	})
}

// finish makes blocks of a paragraph: itself, where there is anything in it, and what hangs on it.
func (d *document) finish(p *paragraph) []block {
	if p.style == "" {
		p.style = d.styles.paragraph
	}
	if p.isCap && d.dropCap == nil {
		d.dropCap = p.spans
		return p.after
	}
	b := block{spans: append(d.dropCap, p.spans...), isApart: d.isApart}
	d.dropCap, d.isApart = nil, false
	b.kind, b.level = d.styles.is(p.style)
	if b.kind == plain && p.outline > 0 {
		b.kind, b.level = heading, p.outline
	}
	text := plainText(b.spans)
	switch {
	case strings.TrimSpace(text) == "" && !hasMade(b.spans):
		d.bookmarks = append(p.anchors, d.bookmarks...)
		d.isApart = true
		if p.isRule {
			d.wasItem = false
			return append([]block{{kind: rule}}, p.after...)
		}
		return p.after
	case b.kind == contents:
		d.into.Lost["table of contents"]++
		return p.after
	case b.kind == heading || b.kind == title:
		d.last = strings.Join(strings.Fields(text), " ")
		for _, name := range p.anchors {
			d.anchors[name] = d.last
		}
	case b.kind == plain || b.kind == continued:
		b.item = d.item(p)
		checkbox(&b)
		if b.item != nil {
			b.kind = plain
		}
		b.isLine = b.item == nil && isLine(b.spans)
	}
	if b.kind != heading && b.kind != title {
		for _, name := range p.anchors {
			d.near[name] = d.last
		}
	}
	d.wasItem = b.item != nil || b.kind == continued && d.wasItem
	return append([]block{b}, p.after...)
}

// isLine tells whether all of a paragraph is code.
func isLine(spans []span) bool {
	for _, s := range spans {
		if s.isMade || s.address != "" || s.anchor != "" || s.format&mono == 0 && strings.TrimSpace(s.text) != "" {
			return false
		}
	}
	return true
}

func plainText(spans []span) string {
	var b strings.Builder
	for _, s := range spans {
		if !s.isMade {
			b.WriteString(s.text)
		}
	}
	return b.String()
}

func hasMade(spans []span) bool {
	for _, s := range spans {
		if s.isMade {
			return true
		}
	}
	return false
}

// item is a paragraph's place in a list, by what it says itself or by its style; nil for none.
func (d *document) item(p *paragraph) *item {
	place, isStyled := d.styles.listed(p.style)
	fromStyle := !p.isListed
	if p.isListed {
		if p.listed.level < 0 {
			p.listed.level = max(place.level, 0)
		}
		place = p.listed
	} else if p.listed.level > 0 && isStyled { // a level without a list
		place.level = p.listed.level
	}
	if place.number == "" {
		made := d.styles.named(p.style)
		if made != nil && made.isOrdered {
			made.number = d.count(made, 1, true)
		}
		return made
	}
	found := d.numbering.resolve(place.number, d.styles)
	if place.number == "0" || found == nil {
		return nil
	}
	if at, ok := found.styles[p.style]; ok && place.level < 0 {
		place.level = at
	}
	place.level = min(max(place.level, 0), maxLevel)
	at := found.levels[place.level]
	if at.format == "" && place.level > 0 { // a list for each level, as Word's own styles have them
		at = found.levels[0]
	}
	made := &item{list: place.number, level: place.level, isOrdered: at.isOrdered()}
	switch at.text {
	case "☐", "\u2b1c", "\uf0a8", "\uf06f":
		made.box = "[ ] "
	case "☑", "☒", "✓", "✔", "\uf0fe", "\uf0fd":
		made.box = "[x] "
	}
	if made.isOrdered {
		made.number = d.count(made, at.start, fromStyle)
		if at.format != "decimal" && at.format != "decimalZero" {
			d.into.Lost["letters and Roman figures of a list, which are numbers now"]++
		}
	}
	return made
}

// count is the next number of a list. Lists that come by a style begin anew where a list does, others go on through the document.
func (d *document) count(i *item, start int, fromStyle bool) int {
	if !d.wasItem {
		for level, list := range d.byStyle {
			d.restart(list, level)
		}
	}
	for level := i.level + 1; level <= maxLevel; level++ {
		d.restart(d.byStyle[level], level)
		d.restart(i.list, level)
	}
	if fromStyle {
		d.byStyle[i.level] = i.list
	}
	counter := d.counters[i.list]
	if counter == nil {
		counter = &[maxLevel + 1]int{}
		d.counters[i.list] = counter
	}
	if counter[i.level] == 0 {
		counter[i.level] = start
	} else {
		counter[i.level]++
	}
	return counter[i.level]
}

func (d *document) restart(list string, level int) {
	if counter := d.counters[list]; counter != nil {
		counter[level] = 0
	}
}

// checkbox makes a task of a paragraph that begins with a box.
func checkbox(b *block) {
	for i, s := range b.spans {
		if s.isMade || strings.TrimSpace(s.text) == "" {
			if s.isMade {
				return
			}
			continue
		}
		text := strings.TrimLeft(s.text, " \t")
		box := ""
		switch {
		case strings.HasPrefix(text, "☐"):
			box = "[ ] "
		case strings.HasPrefix(text, "☑"), strings.HasPrefix(text, "☒"):
			box = "[x] "
		}
		if box == "" {
			return
		}
		if b.item == nil {
			b.item = &item{}
		}
		b.item.box = box
		b.spans[i].text = strings.TrimLeft(text[len("☐"):], " \t\u00a0")
		return
	}
}

// table reads a table. One of a single cell is what is in it.
func (d *document) table(x *cursor) ([]block, error) {
	b := block{kind: plain}
	var visit func(e xml.StartElement) error
	visit = func(e xml.StartElement) error {
		switch x.name(e) {
		case "w:tr":
			row, err := d.row(x)
			if len(row) > 0 {
				b.rows = append(b.rows, row)
			}
			return err
		case "w:sdt", "w:sdtContent", "w:customXml", "w:ins":
			return x.each(visit)
		case "w:bookmarkStart":
			d.bookmark(e)
		}
		return x.skip()
	}
	d.wasItem = false
	err := x.each(visit)
	d.wasItem = false
	switch {
	case len(b.rows) == 0:
		return nil, err
	case len(b.rows) == 1 && len(b.rows[0]) == 1:
		return b.rows[0][0], err
	}
	return []block{b}, err
}

// maxColumns is what Word itself allows.
const maxColumns = 63

func (d *document) row(x *cursor) ([][]block, error) {
	var row [][]block
	isDeleted := false
	var visit func(e xml.StartElement) error
	visit = func(e xml.StartElement) error {
		switch x.name(e) {
		case "w:tc":
			if len(row) >= maxColumns {
				d.into.Lost["column over the 63rd of a table"]++
				break
			}
			cell, span, err := d.cell(x)
			row = append(row, cell)
			for ; span > 1 && len(row) < maxColumns; span-- {
				row = append(row, nil)
			}
			return err
		case "w:trPr":
			return x.each(func(e xml.StartElement) error {
				isDeleted = isDeleted || x.name(e) == "w:del"
				if count, err := strconv.Atoi(value(e, "val")); x.name(e) == "w:gridBefore" && err == nil {
					for ; count > 0 && len(row) < maxColumns; count-- {
						row = append(row, nil)
					}
				}
				return x.skip()
			})
		case "w:sdt", "w:sdtContent", "w:customXml", "w:ins":
			return x.each(visit)
		}
		return x.skip()
	}
	err := x.each(visit)
	if isDeleted {
		d.into.Lost["deletion that was tracked"]++
		row = nil
	}
	return row, err
}

// cell reads what is in a cell, and how many columns it takes. One that goes on from the row above is empty in the file, too.
func (d *document) cell(x *cursor) (blocks []block, span int, err error) {
	span = 1
	outer := d.wasItem
	defer func() { d.wasItem = outer }()
	var visit func(e xml.StartElement) error
	visit = func(e xml.StartElement) error {
		switch x.name(e) {
		case "w:tcPr":
			return x.each(func(e xml.StartElement) error {
				if count, err := strconv.Atoi(value(e, "val")); err == nil && x.name(e) == "w:gridSpan" {
					span = min(max(count, 1), maxColumns)
				}
				return x.skip()
			})
		case "w:p":
			made, err := d.paragraph(x)
			blocks = append(blocks, made...)
			return err
		case "w:tbl":
			made, err := d.table(x)
			blocks = append(blocks, made...)
			return err
		case "w:sdt", "w:sdtContent", "w:customXml", "w:ins", "w:smartTag":
			return x.each(visit)
		}
		return x.skip()
	}
	err = x.each(visit)
	return blocks, span, err
}
