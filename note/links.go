package note

import (
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// addLink adds the node of a link.
func (l *lexer) addLink(kind ast.NodeKind, whole, inner Range) *inline {
	l.quiet = append(l.quiet, whole)
	n := l.add(kind, whole, inner)
	if n == &l.spare {
		return n
	}
	l.links = append(l.links, n)
	l.linkRanges = append(l.linkRanges, whole)
	return n
}

// relate gives a relation, by the place of its name, to the links that lie within a part of the text and have none yet.
// settle has put the links in order.
func (l *lexer) relate(within, name Range) {
	for _, link := range l.linksWithin(within) {
		if link.relation == (Range{}) {
			link.relation = l.places(name.Start, name.End)
		}
	}
}

func (l *lexer) linksWithin(within Range) []*inline {
	first := sort.Search(len(l.linkRanges), func(i int) bool { return l.linkRanges[i].Start >= within.Start })
	end := first
	for end < len(l.linkRanges) && l.linkRanges[end].End <= within.End {
		end++
	}
	return l.links[first:end]
}

// settle puts what was found in order of place: a link around an image is found after the image.
func (l *lexer) settle() {
	l.quiet = mergeRanges(l.quiet)
	if !sort.IsSorted(byPlace{l}) {
		sort.Stable(byPlace{l})
	}
}

// byPlace sorts the links of a block, with their ranges.
type byPlace struct{ *lexer }

func (b byPlace) Len() int { return len(b.linkRanges) }
func (b byPlace) Less(i, j int) bool {
	return b.linkRanges[i].Start < b.linkRanges[j].Start
}

func (b byPlace) Swap(i, j int) {
	b.links[i], b.links[j] = b.links[j], b.links[i]
	b.linkRanges[i], b.linkRanges[j] = b.linkRanges[j], b.linkRanges[i]
}

// relationLine reads "rel: NAME [[A]] [[B]] (context)". Any other tail leaves every link on the line plain.
func (l *lexer) relationLine(start, end int) {
	line := l.text[start:end]
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "rel:")
	if !ok {
		return
	}
	rest = strings.TrimLeft(rest, " \t")
	name := relationName(rest)
	if name == "" || !onlyLinks(rest[len(name):]) {
		return
	}
	at := start + len(line) - len(rest)
	l.relate(Range{start, end}, Range{at, at + len(name)})
}

// edgeTitle reads "NAME: [[A]] [[B]]", the title of an edge callout.
func (l *lexer) edgeTitle(start, end int) {
	title := strings.TrimLeft(l.text[start:end], " \t")
	name := relationName(title)
	if rest, ok := strings.CutPrefix(title[len(name):], ":"); ok && name != "" && onlyLinks(rest) {
		at := end - len(title)
		l.relate(Range{start, end}, Range{at, at + len(name)})
	}
}

// onlyLinks tells whether a text is one or more wiki-links, and behind them at most one text in parentheses.
func onlyLinks(text string) bool {
	count := 0
	for {
		text = strings.TrimSpace(text)
		if !strings.HasPrefix(text, "[[") {
			break
		}
		end := wikiEnd(text, 0)
		if end < 0 {
			return false
		}
		text = text[end+2:]
		count++
	}
	return count > 0 && (text == "" || text[0] == '(' && text[len(text)-1] == ')')
}
