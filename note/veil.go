package note

import "strings"

// A comment within a block goes from "%%" to the next "%%" outside code and never further than the block: what stands in
// it and what stands around it are read apart. As in Obsidian, only a "%%" at the head of a line begins a comment that
// may hold several blocks (see fencedParser): one within a line that its own paragraph does not close is text, and so is
// the "%%" in a later paragraph.

// veil is the comment that is open, and the state of the lexer around it.
type veil struct {
	open        bool
	start       int
	text        string // of the whole block
	ticks       tickRuns
	noComment   bool
	mathCloser  int
	floor       int // of openers: those below it stand before the comment
	activeFrom  int
	highlighted int
}

// comment opens "%%"; one that nothing closes is text. Until unveil, the text ends where the comment does.
func (l *lexer) comment(i int) int {
	if l.hidden || !strings.HasPrefix(l.text[i:], "%%") {
		return i + 1
	}
	closer := l.nextCloser(i + 2)
	if closer == len(l.text) {
		return i + 2
	}
	l.veil = veil{
		open: true, start: i, text: l.text, ticks: l.ticks, noComment: l.noComment, mathCloser: l.mathCloser,
		floor: len(l.openers), activeFrom: l.activeFrom, highlighted: l.highlighted,
	}
	l.text = l.text[:closer]
	l.hidden, l.ticks, l.noComment, l.mathCloser, l.activeFrom, l.highlighted = true, nil, false, -1, len(l.openers), -1
	return i + 2
}

// unveil closes the comment that is open. Its node takes what stands in it.
func (l *lexer) unveil() (next int) {
	v, closer := l.veil, len(l.text)
	l.text, l.veil = v.text, veil{}
	l.ticks, l.noComment, l.mathCloser, l.activeFrom, l.highlighted = v.ticks, v.noComment, v.mathCloser, v.activeFrom, v.highlighted
	l.openers = l.openers[:v.floor]
	l.hidden = false
	l.veiled = append(l.veiled, Range{v.start, closer + 2})
	if l.tree {
		l.add(kindInlineNote, Range{v.start, closer + 2}, Range{v.start + 2, closer}).adopt(l.within)
	}
	return closer + 2
}

// nextCloser gives the place of the next "%%" outside code, the length of the text if there is none. It is asked from
// left to right, and goes on from the last place that it found: the time is linear.
func (l *lexer) nextCloser(from int) int {
	if l.closer >= from {
		return l.closer
	}
	l.closer = len(l.text)
	if !strings.Contains(l.text[from:], "%%") {
		return l.closer
	}
	for at := from; at < len(l.text); {
		switch {
		case l.text[at] == '\\' && at+1 < len(l.text) && isPunctuation(l.text[at+1]):
			at += 2
		case l.text[at] == '`':
			at, _, _ = l.codeEnd(at)
		case strings.HasPrefix(l.text[at:], "%%"):
			l.closer = at
			return at
		default:
			at++
		}
	}
	return l.closer
}
