package note

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// html keeps the comments in a block of HTML out of passages. One without an end stays: it is more likely a slip than a
// wish to hide all the rest.
func (r *reader) html(node *ast.HTMLBlock) {
	lines := node.Lines()
	if node.HTMLBlockType == ast.HTMLBlockType1 || lines.Len() == 0 { // in a script, "<!--" begins no comment
		return
	}
	at, end := r.base+lines.At(0).Start, r.base+lines.At(lines.Len()-1).Stop
	for {
		open := strings.Index(r.source.raw[at:end], "<!--")
		if open < 0 {
			return
		}
		length := htmlComment(r.source.raw[at+open : end])
		if length == 0 {
			return
		}
		r.omitComment(at+open, at+open+length)
		at += open + length
	}
}

// htmlComment gives the length of the comment that text begins with, 0 if it has no end. "<!-->" is a whole one.
func htmlComment(text string) int {
	end := strings.Index(text[len("<!"):], "-->")
	if end < 0 {
		return 0
	}
	return len("<!") + end + len("-->")
}

// omitComment keeps raw[start:end] out of passages, with its lines where nothing else stands on them.
func (r *reader) omitComment(start, end int) {
	s := r.source
	first, last := s.line(start), s.line(end-1)
	lineStart := s.lines[first-1]
	_, lineEnd := s.lineRange(last)
	from, to := start, min(end, lineEnd) // no farther than other text, so that many comments on a line take linear time
	for from > lineStart && strings.IndexByte(" \t>-*+", s.raw[from-1]) >= 0 {
		from--
	}
	for to < lineEnd && (s.raw[to] == ' ' || s.raw[to] == '\t') {
		to++
	}
	if from == lineStart && to == lineEnd {
		start, end = lineStart, len(s.raw)
		if last < len(s.lines) {
			end = s.lines[last]
		}
	}
	r.note.Omit = append(r.note.Omit, Range{start, end})
}

// withoutComments gives a redacted text on one line without the comments in it, trimmed. One of them may have parted a
// secret, which is looked for anew.
func (s *source) withoutComments(text string) string {
	if !strings.Contains(text, "%%") && !strings.Contains(text, "<!--") {
		return text
	}
	return s.cutComments(text, text)
}

// withoutHTMLComments is withoutComments for an app that knows no "%%".
func (s *source) withoutHTMLComments(text string) string {
	if !strings.Contains(text, "<!--") {
		return text
	}
	return s.cutComments(text, strings.ReplaceAll(text, "%", "."))
}

// cutComments leaves out of text what is a comment in marked, a text of the same length.
func (s *source) cutComments(text, marked string) string {
	l := &lexer{}
	l.reset(false)
	l.text, l.pieces = marked, []piece{{}}
	l.scan()
	var kept strings.Builder
	at := 0
	closed := slices.DeleteFunc(l.veiled, func(veil Range) bool { return veil.End > len(text) })
	for _, veil := range mergeRanges(closed) {
		part := text[at:veil.Start]
		if strings.HasSuffix(part, " ") && strings.HasPrefix(text[veil.End:], " ") {
			part = part[:len(part)-1]
		}
		kept.WriteString(part)
		at = veil.End
	}
	kept.WriteString(text[at:])
	shown, _ := s.filter.Redact(strings.TrimSpace(kept.String()))
	return shown
}
