package note

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// lexer reads the inline marks of one block, once, from left to right. Every look ahead that can fail is either bounded
// by the next opener of the same kind or remembered, so that the time is linear in the length of the block.
//
// Goldmark drives it through the parsers in syntax.go, and it makes nodes for the tree. Where there is no tree, scan
// drives it, and it keeps the nodes that are facts in a list.
type lexer struct {
	blockText
	targets  map[string]definition
	mentions bool // "@name" and "#a.b" count, as in Dendron
	cell     bool // in a table cell, where "\|" is a pipe
	hidden   bool // in a comment
	task     bool // the block is the text of a task

	openers     []opener
	activeFrom  int      // below it in openers, "[" can no longer open a link: links do not nest
	quiet       []Range  // code, math, HTML and links: no field begins there
	veiled      []Range  // comments; those of HTML only where there is no tree
	veil        veil     // the comment that is open
	closer      int      // the last "%%" that nextCloser has found, -1 if none
	escapeEnd   int      // behind the last backslash escape
	ticks       tickRuns // nil as long as there were none
	noComment   bool     // no "-->" follows
	mathCloser  int      // the next "$" that can close, len(text) if none; -1 unknown
	marker      int      // of the "^" of a block id behind the text, -1 if there is none
	markerEnd   int
	highlighted int // the "==" that is open, -1 if none; in the tree alone

	within     ast.Node // whose text this is, nil if none
	tree       bool     // nodes go into the tree
	node       *inline  // the last step has made, nil if none
	next       int      // where the last step ended
	nodes      []*inline
	slab       []inline  // room for further nodes
	slabs      []*slab   // all of those of the tree
	spare      inline    // for what is not kept
	links      []*inline // of this block, with linkRanges
	linkRanges []Range
	labelBytes int
	made       map[ast.NodeKind]int
}

// opener is a "[" or "![" that may yet open a link, or "^[", whose text is a footnote.
type opener struct {
	at       int
	image    bool
	footnote bool // "^[": it opens no link
}

// marks are the bytes that mean something to step.
const marks = "\\`<![]#%$"

var special = func() (table [256]bool) {
	for _, c := range []byte(marks) {
		table[c] = true
	}
	return table
}()

// reset makes the lexer ready for another block, keeping its memory.
func (l *lexer) reset(hidden bool) {
	l.text, l.pieces = "", l.pieces[:0]
	l.openers, l.activeFrom = l.openers[:0], 0
	l.quiet, l.veiled = l.quiet[:0], l.veiled[:0]
	l.veil, l.closer, l.hidden, l.cell, l.task = veil{}, -1, hidden, false, false
	l.escapeEnd, l.ticks, l.noComment, l.mathCloser, l.marker, l.highlighted = -1, nil, false, -1, -1, -1
	l.within, l.tree, l.node, l.next, l.nodes = nil, false, nil, 0, l.nodes[:0]
	l.links, l.linkRanges = l.links[:0], l.linkRanges[:0]
}

// add makes a node for a part of the text. Without a tree, only facts are kept, and of each kind a bounded number.
func (l *lexer) add(kind ast.NodeKind, whole, inner Range) *inline {
	if !l.tree && (!isFact[kind] || l.made[kind] >= maxFacts) {
		return &l.spare
	}
	if len(l.slab) == 0 {
		l.slab = l.newSlab()
	}
	n := &l.slab[0]
	l.slab = l.slab[1:]
	n.kind, n.cell, n.hidden = kind, l.cell, l.hidden
	n.whole, n.inner = l.places(whole.Start, whole.End), l.places(inner.Start, inner.End)
	n.SetPos(n.whole.Start)
	if !l.tree {
		if l.made == nil {
			l.made = map[ast.NodeKind]int{}
		}
		l.made[kind]++
		l.nodes = append(l.nodes, n)
	}
	l.node = n
	return n
}

// isFact has the kinds of nodes that a note keeps something of.
var isFact = map[ast.NodeKind]bool{kindWikiLink: true, kindMarkdownLink: true, kindAutolink: true, kindTag: true, kindMention: true, kindField: true}

func (l *lexer) scan() {
	for i := 0; ; {
		for i < len(l.text) {
			if c := l.text[i]; special[c] || c == '@' && l.mentions {
				i = l.step(i)
			} else {
				i++
			}
		}
		if !l.veil.open {
			return
		}
		i = l.unveil()
	}
}

// step reads what begins at i and returns where to go on.
func (l *lexer) step(i int) int {
	switch l.text[i] {
	case '\\':
		return l.escape(i)
	case '`':
		return l.codeSpan(i)
	case '<':
		return l.angle(i)
	case '!', '[':
		return l.openBracket(i)
	case ']':
		return l.closeBracket(i)
	case '#':
		return l.tag(i)
	case '%':
		return l.comment(i)
	case '@':
		return l.mention(i)
	}
	return l.math(i)
}

// escape passes over a character behind a backslash; the renderer leaves the backslash out.
func (l *lexer) escape(i int) int {
	if i+1 == len(l.text) || !isPunctuation(l.text[i+1]) {
		return i + 1
	}
	l.escapeEnd = i + 2
	return i + 2
}

func (l *lexer) codeSpan(i int) int {
	end, run, ok := l.codeEnd(i)
	if ok {
		l.pass(kindCodeSpan, i, end, run)
	}
	return end
}

// codeEnd is that of tickRuns for the text.
func (l *lexer) codeEnd(at int) (end, run int, ok bool) {
	if l.ticks == nil {
		l.ticks = newTickRuns(l.text, at)
	}
	return l.ticks.codeEnd(l.text, at)
}

// pass adds a node in which nothing counts, with marks of some length on both sides.
func (l *lexer) pass(kind ast.NodeKind, start, end, marks int) {
	l.quiet = append(l.quiet, Range{start, end})
	if l.tree {
		l.add(kind, Range{start, end}, Range{start + marks, end - marks})
	}
}

// angle reads an autolink, a comment or a tag of HTML.
func (l *lexer) angle(i int) int {
	var end int
	switch rest := l.text[i:]; {
	case strings.HasPrefix(rest, "<!--"):
		if l.noComment {
			return i + 1
		}
		length := htmlComment(rest)
		if length == 0 {
			l.noComment = true
			return i + 1
		}
		end = i + length
		if !l.tree && !l.veil.open {
			l.veiled = append(l.veiled, Range{i, end})
		}
	default:
		if length := autolinkLength(rest); length > 0 {
			l.addLink(kindAutolink, Range{i, i + length}, Range{i + 1, i + length - 1})
			return i + length
		}
		end = i + max(1, tagLength(rest))
	}
	if end > i+1 {
		l.pass(kindInlineHTML, i, end, 0)
	}
	return end
}

// autolinkLength knows "<scheme:anything>" without white space.
func autolinkLength(text string) int {
	if len(text) < 4 || !isLetter(text[1]) || !isExternal(text[1:min(len(text), 40)]) {
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '>':
			return i + 1
		case c <= ' ' || c == '<':
			return 0
		}
	}
	return 0
}

func (l *lexer) openBracket(i int) int {
	if length := footnoteCall(l.text[i:]); length > 0 {
		if l.tree {
			l.add(kindFootnoteCall, Range{i, i + length}, Range{i + 2, i + length - 1})
		}
		return i + length
	}
	switch {
	case l.text[i] == '[' && i > 0 && l.text[i-1] == '^' && l.escapeEnd != i && !strings.HasPrefix(l.text[i:], "[["):
		l.open(opener{at: i, footnote: true})
	case l.text[i] == '[':
		return l.bracket(i, i)
	case i+1 < len(l.text) && l.text[i+1] == '[':
		return l.bracket(i, i+1)
	}
	return i + 1
}

// footnoteCall gives the length of "[^label]", 0 if there is none. One with a destination is a link.
func footnoteCall(text string) int {
	if !strings.HasPrefix(text, "[^") {
		return 0
	}
	end := labelEnd(text, 2)
	if end <= 2 || strings.ContainsAny(text[2:end], " \t\r\n") || end+1 < len(text) && text[end+1] == '(' {
		return 0
	}
	return end + 1
}

// highlight opens or closes "==". It is for the tree alone: what is highlighted counts as any text.
func (l *lexer) highlight(i int) int {
	if !strings.HasPrefix(l.text[i:], "==") {
		return i + 1
	}
	switch {
	case l.highlighted >= 0 && !isSpace(l.text[i-1]) && i > l.highlighted+2:
		l.add(kindHighlight, Range{l.highlighted, i + 2}, Range{l.highlighted + 2, i}).adopt(l.within)
		l.highlighted = -1
	case i+2 < len(l.text) && !isSpace(l.text[i+2]):
		l.highlighted = i
	}
	return i + 2
}

// bracket reads a wiki-link or an embed, or remembers the bracket for a Markdown link. start is the "!" of an embed.
func (l *lexer) bracket(start, at int) int {
	embed := start < at
	if strings.HasPrefix(l.text[at:], "[[") && !strings.HasPrefix(l.text[at+1:], "[[") {
		end := wikiEnd(l.text, at)
		if end >= 0 && l.isWikiLink(at+2, end) {
			l.addLink(kindWikiLink, Range{start, end + 2}, Range{at + 2, end}).embed = embed
			return end + 2
		}
		if end < 0 {
			l.open(opener{at: at, image: embed})
			l.open(opener{at: at + 1})
			return at + 2
		}
	}
	l.open(opener{at: at, image: embed})
	return at + 1
}

// maxOpeners bounds the memory that brackets without an end can take.
const maxOpeners = 100_000

func (l *lexer) open(o opener) {
	if len(l.openers) < maxOpeners {
		l.openers = append(l.openers, o)
	}
}

// maxLinkTextBytes bounds the text of a Markdown link: images can nest, and each is kept with all of its text.
const maxLinkTextBytes = 4096

// closeBracket makes a Markdown link of the last open bracket, if what follows allows it.
func (l *lexer) closeBracket(i int) int {
	if len(l.openers) == l.veil.floor {
		return i + 1
	}
	last := len(l.openers) - 1
	open := l.openers[last]
	l.openers = l.openers[:last]
	dead := !open.image && last < l.activeFrom
	l.activeFrom = min(l.activeFrom, last)
	if open.footnote && l.tree {
		l.add(kindFootnoteText, Range{open.at - 1, i + 1}, Range{open.at + 1, i}).adopt(l.within)
	}
	if dead || open.footnote || i-open.at > maxLinkTextBytes {
		return i + 1
	}
	place, end, fromDefinition, ok := l.linkTail(open, i)
	if !ok {
		return i + 1
	}
	start := open.at
	if open.image {
		start--
	} else {
		l.activeFrom = len(l.openers)
	}
	n := l.addLink(kindMarkdownLink, Range{start, end}, Range{open.at + 1, i})
	n.embed, n.definition, n.target = open.image, fromDefinition, place
	if !fromDefinition {
		n.target = l.places(place.Start, place.End)
	}
	if l.tree {
		n.adopt(l.within)
		if l.highlighted > start {
			l.highlighted = -1 // it began in the link
		}
	}
	return end
}

// linkTail reads what follows the text of a link: "(destination)", "[label]", "[]" or nothing. The destination comes as
// a range of the text; one from a definition as a range of the body.
func (l *lexer) linkTail(open opener, i int) (place Range, end int, fromDefinition, ok bool) {
	if i+1 < len(l.text) && l.text[i+1] == '(' {
		if place, end, ok = readTail(l.text, i+1); ok {
			return place, end, false, true
		}
	}
	if len(l.targets) == 0 {
		return Range{}, 0, false, false
	}
	label, end := l.text[open.at+1:i], i+1
	if i+1 < len(l.text) && l.text[i+1] == '[' {
		if close := labelEnd(l.text, i+2); close >= 0 {
			if close > i+2 {
				label = l.text[i+2 : close]
			}
			end = close + 1
		}
	}
	if l.labelBytes += len(label); len(label) > 999 || l.labelBytes > maxLabelBytes {
		return Range{}, 0, false, false
	}
	target, known := l.targets[normalLabel(label)]
	if !known {
		return Range{}, 0, false, false
	}
	return Range{target.start, target.end}, end, true, true
}

// maxLabelBytes bounds the work of looking up labels in one note: brackets in brackets are each looked up whole.
const maxLabelBytes = 16 << 20

func (l *lexer) tag(i int) int {
	if !spaceBefore(l.text, i) && l.escapeEnd != i {
		return i + 1
	}
	length := tagLengthAt(l.text[i+1:])
	if length == 0 {
		return i + 1
	}
	end := i + 1 + length
	if l.mentions {
		end = dottedEnd(l.text, i+1)
	}
	l.add(kindTag, Range{i, end}, Range{i + 1, end})
	return end
}

// math passes over "$…$" and "$$…$$", where nothing counts.
func (l *lexer) math(i int) int {
	if strings.HasPrefix(l.text[i:], "$$") {
		close := strings.Index(l.text[i+2:], "$$")
		if close <= 0 {
			return i + 2
		}
		end := i + 2 + close + 2
		l.pass(kindMathSpan, i, end, 2)
		return end
	}
	if i+1 >= len(l.text) || isSpace(l.text[i+1]) {
		return i + 1
	}
	if l.mathCloser <= i {
		l.mathCloser = nextMathCloser(l.text, i+1)
	}
	if l.mathCloser >= len(l.text) || l.mathCloser == i+1 {
		return i + 1
	}
	end := l.mathCloser + 1
	l.pass(kindMathSpan, i, end, 1)
	return end
}

// nextMathCloser finds a "$" behind something that is no white space and before something that is no digit.
func nextMathCloser(text string, at int) int {
	for i := at; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == '$' && !isSpace(text[i-1]) && (i+1 == len(text) || !isDigit(text[i+1])):
			return i
		}
	}
	return len(text)
}
