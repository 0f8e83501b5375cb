package store

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// held are the texts that a filter looks for within others, folded.
type held struct {
	paths, files, titles pieces
	sections             pieces
	needsSections        bool
	isEmpty              bool // nothing is asked of notes
}

// pieces are texts of which one has to be in another text, or none may be.
type pieces struct{ wanted, unwanted [][]byte }

func newHeld(f *Filter) held {
	h := held{
		paths: newPieces(f.Paths, f.NotPaths), files: newPieces(f.Files, f.NotFiles), titles: newPieces(f.Titles, f.NotTitles),
		sections: newPieces(f.Sections, f.NotSections),
	}
	h.needsSections = h.sections.ask()
	h.isEmpty = !h.paths.ask() && !h.files.ask() && !h.titles.ask()
	return h
}

func newPieces(wanted, unwanted []string) (p pieces) {
	for _, text := range wanted {
		p.wanted = append(p.wanted, appendFolded(nil, text))
	}
	for _, text := range unwanted {
		p.unwanted = append(p.unwanted, appendFolded(nil, text))
	}
	return p
}

func (p *pieces) ask() bool { return len(p.wanted)+len(p.unwanted) > 0 }

// foldedASCII is foldRune of characters of ASCII.
var foldedASCII = func() (folded [utf8.RuneSelf]byte) {
	for c := range folded {
		folded[c] = byte(foldRune(rune(c)))
	}
	return folded
}()

// appendFolded appends fold(text).
func appendFolded(to []byte, text string) []byte {
	for at, c := range []byte(text) {
		if c >= utf8.RuneSelf {
			return append(to, fold(text[at:])...)
		}
		to = append(to, foldedASCII[c])
	}
	return to
}

// Signs say what a heading tells a filter. Those of a passage's headings are joined by OR.
type Signs uint8

const (
	signWanted Signs = 1 << iota
	signUnwanted
)

// signs looks for the pieces in a text.
func (p *pieces) signs(text string) (s Signs) {
	if !p.ask() {
		return 0
	}
	var room [256]byte
	folded := appendFolded(room[:0], text)
	within := func(piece []byte) bool { return bytes.Contains(folded, piece) }
	if slices.ContainsFunc(p.wanted, within) {
		s |= signWanted
	}
	if slices.ContainsFunc(p.unwanted, within) {
		s |= signUnwanted
	}
	return s
}

func (p *pieces) let(s Signs) bool {
	return s&signUnwanted == 0 && (len(p.wanted) == 0 || s&signWanted != 0)
}

func (h *held) match(n *Note) bool {
	if h.isEmpty {
		return true
	}
	titles := h.titles.signs(n.Title)
	for _, alias := range n.Aliases {
		titles |= h.titles.signs(alias)
	}
	return h.paths.let(h.paths.signs(n.Path)) && h.files.let(h.files.signs(n.Path[strings.LastIndexByte(n.Path, '/')+1:])) && h.titles.let(titles)
}

// NeedsSections tells whether passages of a note that matches are to be looked at one by one, by LetsSection. A note of which
// none is let through does not match then.
func (m *Matcher) NeedsSections() bool { return m.held.needsSections }

// Signs looks at one heading.
func (m *Matcher) Signs(heading string) Signs { return m.held.sections.signs(heading) }

// Lets tells whether the filter lets a passage through, by the signs of all headings in its HeadingPath, 0 without any.
func (m *Matcher) Lets(s Signs) bool { return m.held.sections.let(s) }

// LetsSection is Lets for a passage's HeadingPath.
func (m *Matcher) LetsSection(headingPath []string) bool {
	var all Signs
	for _, heading := range headingPath {
		all |= m.Signs(heading)
	}
	return m.Lets(all)
}
