package docx

import (
	"encoding/xml"
	"strconv"
	"strings"

	"quarry/internal/lazyregexp"
)

// style is what a style says, without what it is based on.
type style struct {
	name    string
	basedOn string
	outline int // level of a heading, 1 to 9; 0: none
	listed  listing
	set, on format // what of a run's format it says, and how
	font    string
}

// listing is the place of a paragraph in a list.
type listing struct {
	number string // numId; "": none said, "0": none
	level  int    // from 0
}

// styles are a document's, by id.
type styles struct {
	byID      map[string]style
	paragraph string // the default style
	font      string // of the whole document
}

// maxChain bounds styles that are based on each other, which may form a circle.
const maxChain = 20

func (a *archive) styles(name string) (styles, error) {
	s := styles{byID: map[string]style{}}
	if a.parts[name] == nil {
		return s, nil
	}
	x, closes, err := a.open(name)
	if err != nil {
		return s, err
	}
	defer closes()
	return s, x.each(func(xml.StartElement) error {
		return x.each(func(e xml.StartElement) error {
			switch x.name(e) {
			case "w:style":
				made, err := x.style()
				s.byID[value(e, "styleId")] = made
				if value(e, "type") == "paragraph" && value(e, "default") == "1" {
					s.paragraph = value(e, "styleId")
				}
				return err
			case "w:docDefaults":
				made, err := x.style()
				s.font = made.font
				return err
			}
			return x.skip()
		})
	})
}

// style reads what is in a style, or in the defaults of a document.
func (x *cursor) style() (style, error) {
	var s style
	var visit func(e xml.StartElement) error
	visit = func(e xml.StartElement) error {
		switch x.name(e) {
		case "w:name":
			s.name = strings.ToLower(value(e, "val"))
		case "w:basedOn":
			s.basedOn = value(e, "val")
		case "w:outlineLvl":
			s.outline = outline(e)
		case "w:numPr":
			var err error
			s.listed, err = x.listing()
			return err
		case "w:rPr":
			r, err := x.runProperties()
			s.set, s.on, s.font = s.set|r.set, s.on|r.on, r.font
			return err
		case "w:pPr", "w:rPrDefault":
			return x.each(visit)
		}
		return x.skip()
	}
	return s, x.each(visit)
}

func outline(e xml.StartElement) int {
	if level, err := strconv.Atoi(value(e, "val")); err == nil && level >= 0 && level < 9 {
		return level + 1
	}
	return 0
}

func (x *cursor) listing() (listing, error) {
	l := listing{level: -1}
	return l, x.each(func(e xml.StartElement) error {
		switch x.name(e) {
		case "w:numId":
			l.number = value(e, "val")
		case "w:ilvl":
			if level, err := strconv.Atoi(value(e, "val")); err == nil {
				l.level = min(max(level, 0), maxLevel)
			}
		}
		return x.skip()
	})
}

// kind is what a paragraph is by its style.
type kind int

const (
	plain kind = iota
	title
	heading
	quote
	code
	contents // a line of a table of contents
	continued
	rule // a line across the page
)

var (
	headingName = lazyregexp.New(`^(?:heading|überschrift|titre|título|titolo|kop|rubrik|overskrift|nagłówek) ?([1-9])$`)
	listName    = lazyregexp.New(`^list (bullet|number)(?: ([2-9]))?$`)
	listDepth   = lazyregexp.New(`^list(?: bullet| number| continue)? ([2-9])$`)
	kindByName  = map[string]kind{
		"title": title, "titel": title, "titre": title, "título": title, "titolo": title,
		"quote": quote, "intense quote": quote, "block text": quote, "quotations": quote, "zitat": quote, "citation": quote,
		"code": code, "source code": code, "html preformatted": code, "preformatted text": code, "macro text": code, "plain text": plain, "code block": code, "listing": code,
		"list continue": continued, "list continue 2": continued, "list continue 3": continued, "list continue 4": continued, "list continue 5": continued,
	}
	codeStyle = map[string]bool{"html code": true, "html keyboard": true, "html sample": true, "html typewriter": true, "code": true, "verbatim char": true, "source text": true, "inline code": true, "source code": true, "code char": true}
)

// is what a paragraph's style means: its kind, and the level of a heading.
func (s styles) is(id string) (kind, int) {
	for range maxChain {
		st, ok := s.byID[id]
		if !ok {
			break
		}
		if m := headingName.FindStringSubmatch(st.name); m != nil {
			return heading, int(m[1][0] - '0')
		}
		if found, ok := kindByName[st.name]; ok {
			return found, 0
		}
		if strings.HasPrefix(st.name, "toc ") && st.name != "toc heading" {
			return contents, 0
		}
		if st.outline > 0 {
			return heading, st.outline
		}
		if isMono(st.font) && !isMono(s.font) {
			return code, 0
		}
		id = st.basedOn
	}
	return plain, 0
}

// listed is the place in a list that a style gives, and whether it gives one. Level -1: it names none.
func (s styles) listed(id string) (listing, bool) {
	depth := -1
	for range maxChain {
		st, ok := s.byID[id]
		if !ok {
			break
		}
		if m := listDepth.FindStringSubmatch(st.name); m != nil && depth < 0 {
			depth = int(m[1][0]-'0') - 1
		}
		if st.listed.number != "" {
			found := st.listed
			if depth >= 0 && found.level <= 0 {
				found.level = depth
			}
			return found, found.number != "0"
		}
		id = st.basedOn
	}
	return listing{}, false
}

// named is the place in a list that the name of a style means, where no list is defined for it; nil for none.
func (s styles) named(id string) *item {
	for range maxChain {
		st, ok := s.byID[id]
		if !ok {
			return nil
		}
		if m := listName.FindStringSubmatch(st.name); m != nil {
			made := &item{list: "style:" + m[1], isOrdered: m[1] == "number"}
			if m[2] != "" {
				made.level = int(m[2][0]-'0') - 1
			}
			return made
		}
		id = st.basedOn
	}
	return nil
}

// format is what a style of characters says of a run.
func (s styles) format(id string) (set, on format, font string) {
	for range maxChain {
		st, ok := s.byID[id]
		if !ok {
			break
		}
		if codeStyle[st.name] {
			set, on = set|mono, on|mono
		}
		on |= st.on &^ set
		set |= st.set
		if font == "" {
			font = st.font
		}
		id = st.basedOn
	}
	return set, on, font
}

var monoName = lazyregexp.New(`(?i)^(?:courier|consolas|menlo|monaco|inconsolata|cascadia code|fira code|lucida (?:console|sans typewriter)|source code|andale mono|ocr)|\bmono\b`)

// isMono tells whether a font is one for code.
func isMono(font string) bool { return font != "" && monoName.MatchString(font) }
