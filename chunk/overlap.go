package chunk

import (
	"sort"
	"unicode/utf8"
)

// overlap is what the next piece repeats of the one before it. The zero value is nothing.
type overlap struct {
	start  int
	length int    // in characters
	before string // repeated before it
}

// overlapOf gives the longest end of a piece that fits before the first of the atoms behind it: some blocks, items, sentences
// or lines, but no heading and not the whole. Where the piece ends in no such thing it is some words.
func (p *packer) overlapOf(piece, behind []atom) overlap {
	if p.sizes.overlap == 0 || len(behind) == 0 || p.isHeading(behind[0].start) {
		return overlap{}
	}
	next := behind[0]
	room := min(p.sizes.overlap, p.sizes.most-(next.length-next.tail)-utf8.RuneCountInString(next.after))
	end := piece[len(piece)-1].end
	var best overlap
	isBest := false // it does not begin within a sentence
	behindAtom := 0
	for i := len(piece) - 1; i >= 0 && behindAtom < room; i-- {
		fine, length := p.refine(piece[i]), behindAtom
		behindAtom += piece[i].length // the fine ones may leave out white space that it begins with
		for j := len(fine) - 1; j >= 0 && length < room; j-- {
			one := fine[j]
			length += one.length
			if p.isHeading(one.start) || i == 0 && j == 0 {
				return best
			}
			isGood := one.border < nowhere
			isFair := one.border > nowhere && one.border < atRune && one.before == ""
			if one.isCut || !isGood && (!isFair || isBest) || length+utf8.RuneCountInString(one.before) > room {
				continue
			}
			best, isBest = overlap{start: one.start, length: length, before: one.before}, isBest || isGood
		}
	}
	if best.length > 0 {
		best.length = utf8.RuneCountInString(p.shown(best.start, end))
	}
	return best
}

// refine gives an atom in lines and sentences, if it is a whole block or item.
func (p *packer) refine(a atom) []atom {
	if !a.isWhole {
		return []atom{a}
	}
	var fine []atom
	r := newLineReader(p.document, block{kind: a.kind, start: a.start, end: a.end, border: a.border}, func(one atom) { fine = appendAtom(fine, one) })
	r.isFine = true
	r.read()
	return fine
}

// isHeading tells whether a heading of the note begins at a place.
func (d *document) isHeading(at int) bool {
	line := d.lineAt(at)
	next := sort.Search(len(d.Headings), func(i int) bool { return d.Headings[i].Line >= line })
	return next < len(d.Headings) && d.Headings[next].Line == line && d.lineStart(line) == at
}
