package note

import (
	"strings"
	"unicode/utf8"
)

// The text of a block holds Markdown and, in it, constructs of Logseq's own. They are read first and then blotted out in
// a copy of the text with dots, so that the scanner reads the rest as in any other note.

// maxReferenceBytes bounds the name of a page: a longer text between brackets is prose.
const maxReferenceBytes = 1024

// maxReferenceDepth is how deep names of pages may nest: [[a [[b]]]].
const maxReferenceDepth = 4

// inlineReader reads Logseq's constructs in one stretch of text.
type inlineReader struct {
	*scanner
	outline *outline
	blotted []byte      // the text with the constructs as dots; nil as long as there is none
	closers map[int]int // of each "[[" that has one, the place of its "]]"
	openers []int       // "[" that may begin the text of a link
	noMacro int         // before this place no "}}" follows
	// The end of the line that was last looked at for macros, and the place of the next "}}" in it.
	lineEnd, macroMark int
	comments           bool // a "<!--" has had no end
}

// inline reads raw[start:end]. Tags and links count as hidden on demand.
func (o *outline) inline(start, end int, hidden bool) {
	if start >= end {
		return
	}
	c := o.loadRange(start, end, hidden)
	text := c.text
	l := &inlineReader{scanner: c, outline: o}
	l.pairBrackets()
	for i := 0; i < len(text); {
		i = l.step(i)
	}
	if l.blotted != nil {
		c.text = string(l.blotted)
	}
	c.ticks, c.mathCloser, c.openers, c.activeFrom = nil, -1, c.openers[:0], 0
	c.scan()
	c.text = text
	c.settle()
	if !strings.Contains(text, "rel:") {
		return
	}
	for start := 0; start < len(text); {
		end := start + lineLength(text[start:])
		c.relationLine(start, end)
		start = end + 1
	}
}

// blot hides a stretch from the scanner.
func (l *inlineReader) blot(start, end int) {
	if l.blotted == nil {
		l.blotted = []byte(l.text)
	}
	for i := start; i < end; i++ {
		if c := l.blotted[i]; c != '\n' && c != '\r' {
			l.blotted[i] = '.'
		}
	}
}

// pairBrackets finds the partner of each "[[" on its line. Of three brackets the outer one is that of a link around it.
func (l *inlineReader) pairBrackets() {
	if !strings.Contains(l.text, "[[") {
		return
	}
	l.closers = map[int]int{}
	var open []int
	for i := 0; i < len(l.text); i++ {
		switch c := l.text[i]; {
		case c == '\n' || c == '\r':
			open = open[:0]
		case len(open) >= maxOpeners || len(l.closers) >= maxFacts:
			return
		case c == '[' && strings.HasPrefix(l.text[i:], "[[") && !strings.HasPrefix(l.text[i:], "[[["):
			open = append(open, i)
			i++
		case c == ']' && len(open) > 0 && strings.HasPrefix(l.text[i:], "]]"):
			l.closers[open[len(open)-1]] = i
			open = open[:len(open)-1]
			i++
		}
	}
}

// step reads what begins at i and returns where to go on.
func (l *inlineReader) step(i int) int {
	rest := l.text[i:]
	switch rest[0] {
	case '\\':
		if len(rest) > 1 && isPunctuation(rest[1]) {
			return i + 2
		}
	case '`':
		return l.codeSpan(i)
	case '$':
		return l.math(i)
	case '<':
		return l.comment(i)
	case '%':
		l.blot(i, i+1) // no comment here
	case '#':
		return l.hashtag(i)
	case '{':
		return l.macro(i)
	case '(':
		if id := blockReference(rest); id > 0 {
			l.addReference(Range{i, i + id + 4}, Link{Subpath: "#^" + l.slice(i+2, i+2+id)})
			return i + id + 4
		}
	case '[':
		return l.openBracket(i)
	case ']':
		return l.closeBracket(i)
	}
	return i + 1
}

// comment passes over a comment of HTML.
func (l *inlineReader) comment(i int) int {
	if l.comments || !strings.HasPrefix(l.text[i:], "<!--") {
		return i + 1
	}
	close := strings.Index(l.text[i+4:], "-->")
	if close < 0 {
		l.comments = true
		return i + 1
	}
	return i + 4 + close + 3
}

// uuidBytes is the length of the id of a block.
const uuidBytes = 36

// blockReference gives the length of the id in "((id))", 0 if there is none.
func blockReference(text string) int {
	if len(text) < uuidBytes+4 || text[:2] != "((" || text[uuidBytes+2:uuidBytes+4] != "))" {
		return 0
	}
	for i := range uuidBytes {
		c := text[2+i]
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (c == '-') || !dash && unhex(c) < 0 {
			return 0
		}
	}
	return uuidBytes
}

// addReference records a reference to a block, which says nothing to a reader unless something stands beside it.
func (l *inlineReader) addReference(place Range, link Link) {
	l.addLink(place, link)
	l.outline.blockRefs = append(l.outline.blockRefs, Range{l.raw(place.Start), l.raw(place.End)})
}

// addLink records a link and blots it out. Without a text of its own it shows as other links do.
func (l *inlineReader) addLink(place Range, link Link) {
	if link.Display == "" {
		link.Display = defaultDisplay(link.Target, link.Subpath)
	}
	l.add(link, place.Start, place.End)
	l.blot(place.Start, place.End)
}

// pageLink makes a link of the name of a page. A name may hold any character: "#" and "|" divide nothing.
func pageLink(name string) (Link, bool) {
	var link Link
	link.Relation, link.Target = cutRelation(strings.TrimSpace(name))
	link.RelationInside = link.Relation != ""
	link.External = isExternal(link.Target) && strings.Contains(link.Target, "://")
	return link, link.Target != ""
}

// openBracket reads "[[page]]", or remembers a bracket that may begin the text of a link.
func (l *inlineReader) openBracket(i int) int {
	close, paired := l.closers[i]
	if !paired {
		l.pushOpener(i)
		return i + 1
	}
	if close-i > maxReferenceBytes {
		return i + 2
	}
	l.addPage(Range{i, close + 2}, 1)
	return close + 2
}

// addPage records a page and those whose names are part of its name.
func (l *inlineReader) addPage(place Range, depth int) {
	if link, ok := pageLink(l.slice(place.Start+2, place.End-2)); ok {
		if place.Start > 0 && l.text[place.Start-1] == '!' { // as Obsidian writes it: Logseq shows a link
			link.Embed = true
			place.Start--
		}
		l.addLink(place, link)
	}
	for i := place.Start + 2; i < place.End-2; i++ {
		if close, ok := l.closers[i]; ok && depth < maxReferenceDepth {
			l.addPage(Range{i, close + 2}, depth+1)
			i = close + 1
		}
	}
}

func (l *inlineReader) pushOpener(i int) {
	if len(l.openers) < maxOpeners {
		l.openers = append(l.openers, i)
	}
}

// closeBracket reads "[text]([[page]])" and "[text](((id)))".
func (l *inlineReader) closeBracket(i int) int {
	if len(l.openers) == 0 {
		return i + 1
	}
	open := l.openers[len(l.openers)-1]
	l.openers = l.openers[:len(l.openers)-1]
	if !strings.HasPrefix(l.text[i:], "](") {
		return i + 1
	}
	rest := l.text[i+2:]
	var link Link
	end := 0
	if id := blockReference(rest); id > 0 {
		link.Subpath, end = "#^"+l.slice(i+4, i+4+id), i+2+id+4
	} else if close, paired := l.closers[i+2]; paired && close-i <= maxReferenceBytes {
		var ok bool
		if link, ok = pageLink(l.slice(i+4, close)); !ok {
			return i + 1
		}
		end = close + 2
	}
	if end == 0 || end >= len(l.text) || l.text[end] != ')' {
		return l.spacedLink(open, i)
	}
	link.Display = l.slice(open+1, i)
	l.addLink(Range{open, end + 1}, link)
	if link.Subpath != "" {
		l.omit(Range{open, open + 1})
		l.omit(Range{i, end + 1})
	}
	return end + 1
}

// spacedLink reads a link to a file whose path holds spaces, as Logseq writes it: "![a](../assets/a b.png)".
func (l *inlineReader) spacedLink(open, i int) int {
	rest := l.text[i+2 : min(len(l.text), i+2+maxReferenceBytes)]
	if !strings.HasPrefix(rest, "../") && !strings.HasPrefix(rest, "./") {
		return i + 1
	}
	end := strings.IndexAny(rest, ")\r\n")
	if end < 0 || rest[end] != ')' {
		return i + 1
	}
	if address := rest[:end]; strings.IndexByte(address, ' ') < 0 || strings.ContainsAny(address, "(\"'") {
		return i + 1
	}
	link := Link{Display: l.slice(open+1, i), Markdown: true}
	link.setDestination(l.source, l.slice(i+2, i+2+end))
	place := Range{open, i + 2 + end + 1}
	if open > 0 && l.text[open-1] == '!' {
		link.Embed = true
		place.Start--
	}
	l.addLink(place, link)
	return place.End
}

// hashtag reads "#tag" and "#[[two words]]": a tag, and a link to the page of that name.
func (l *inlineReader) hashtag(i int) int {
	l.blot(i, i+1)
	if close, paired := l.closers[i+1]; paired && close-i <= maxReferenceBytes {
		l.addTag(Range{i, close + 2}, strings.TrimSpace(l.slice(i+3, close)))
		return close + 2
	}
	if i > 0 && l.text[i-1] != '(' && l.text[i-1] != ',' && !spaceBefore(l.text, i) {
		return i + 1
	}
	if _, ok := orgMark(l.text[i:], "#+begin_"); ok { // a mark that stands in the wrong place
		return i + 2
	}
	if _, ok := orgMark(l.text[i:], "#+end_"); ok {
		return i + 2
	}
	length := hashtagLength(l.text[i+1:])
	if length > 0 {
		l.addTag(Range{i, i + 1 + length}, l.slice(i+1, i+1+length))
	}
	return i + 1 + length
}

func (l *inlineReader) addTag(place Range, name string) {
	if name == "" || strings.Trim(name, "0123456789") == "" {
		return
	}
	if len(l.note.Tags) < maxFacts {
		line := l.source.line(l.raw(place.Start))
		l.note.Tags = append(l.note.Tags, Tag{Tag: name, Line: line, From: "body", Hidden: l.hidden})
	}
	l.addLink(place, Link{Target: name, Display: "#" + name})
}

// hashtagLength gives the length of a tag: up to white space, or to what no name of a tag holds. Marks such as "." and
// ":" belong to it where more of it follows.
func hashtagLength(text string) int {
	end := 0
	for i, size := 0, 0; i < len(text); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(text[i:])
		switch {
		case i > maxTagBytes:
			return 0
		case r <= ' ' || r == 0x7F || r >= utf8.RuneSelf && isWideSpace(r) || strings.ContainsRune("#,!?'\"()[]{}`|<>*\\", r):
			return end
		case !strings.ContainsRune(".;:", r):
			end = i + size
		}
	}
	return end
}
