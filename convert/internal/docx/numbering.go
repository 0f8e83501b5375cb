package docx

import (
	"encoding/xml"
	"strconv"
)

// maxLevel is the deepest level of a list, from 0.
const maxLevel = 8

// level is how the items of one level of a list are marked.
type level struct {
	format string // "bullet", "decimal" and others
	text   string // "%1.", or the sign of a bullet
	start  int
}

// isOrdered tells whether items have numbers.
func (l level) isOrdered() bool { return l.format != "" && l.format != "bullet" && l.format != "none" }

// definition is a list's levels.
type definition struct {
	levels [maxLevel + 1]level
	styles map[string]int // levels by the style that is linked to them
	style  string         // a style of lists that says the rest
}

// numbering are a document's lists, by numId.
type numbering struct {
	abstract map[string]*definition
	lists    map[string]*definition
}

func (a *archive) numbering(name string) (numbering, error) {
	n := numbering{abstract: map[string]*definition{}, lists: map[string]*definition{}}
	if a.parts[name] == nil {
		return n, nil
	}
	x, closes, err := a.open(name)
	if err != nil {
		return n, err
	}
	defer closes()
	return n, x.each(func(xml.StartElement) error {
		return x.each(func(e xml.StartElement) error {
			switch x.name(e) {
			case "w:abstractNum":
				made, err := x.definition()
				n.abstract[value(e, "abstractNumId")] = made
				return err
			case "w:num":
				return n.list(x, value(e, "numId"))
			}
			return x.skip()
		})
	})
}

func (x *cursor) definition() (*definition, error) {
	d := &definition{styles: map[string]int{}}
	return d, x.each(func(e xml.StartElement) error {
		switch x.name(e) {
		case "w:lvl":
			return x.level(d, e)
		case "w:numStyleLink":
			d.style = value(e, "val")
		}
		return x.skip()
	})
}

func (x *cursor) level(d *definition, e xml.StartElement) error {
	at, err := strconv.Atoi(value(e, "ilvl"))
	if err != nil || at < 0 || at > maxLevel {
		return x.skip()
	}
	l := &d.levels[at]
	l.start = 1
	return x.each(func(e xml.StartElement) error {
		switch x.name(e) {
		case "w:numFmt":
			l.format = value(e, "val")
		case "w:lvlText":
			l.text = value(e, "val")
		case "w:start":
			l.start = startOf(e)
		case "w:pStyle":
			d.styles[value(e, "val")] = at
		}
		return x.skip()
	})
}

func startOf(e xml.StartElement) int {
	start, err := strconv.Atoi(value(e, "val"))
	if err != nil {
		return 1
	}
	return min(max(start, 0), 999_999)
}

// list reads a list: a definition, and what it changes of it.
func (n numbering) list(x *cursor, id string) error {
	d := &definition{styles: map[string]int{}}
	err := x.each(func(e xml.StartElement) error {
		switch x.name(e) {
		case "w:abstractNumId":
			if from := n.abstract[value(e, "val")]; from != nil {
				*d = *from
			}
		case "w:lvlOverride":
			at, err := strconv.Atoi(value(e, "ilvl"))
			if err != nil || at < 0 || at > maxLevel {
				break
			}
			return x.each(func(e xml.StartElement) error {
				switch x.name(e) {
				case "w:startOverride":
					d.levels[at].start = startOf(e)
				case "w:lvl":
					return x.level(d, e)
				}
				return x.skip()
			})
		}
		return x.skip()
	})
	n.lists[id] = d
	return err
}

// resolve gives the definition of a list, through a style of lists where it names one.
func (n numbering) resolve(id string, s styles) *definition {
	for range maxChain {
		d := n.lists[id]
		if d == nil || d.style == "" {
			return d
		}
		next := s.byID[d.style].listed.number
		if next == "" || next == id {
			return d
		}
		id = next
	}
	return nil
}
