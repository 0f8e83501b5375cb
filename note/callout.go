package note

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// calloutHead is "[!type]" at the head of a quote: the type lowercased, and where fold mark and title begin.
type calloutHead struct {
	kind  string
	title int
}

// calloutOf reads the head of a quote that is a callout.
func (r *reader) calloutOf(node *ast.Blockquote) (calloutHead, bool) {
	first := node.FirstChild()
	if first == nil || first.Kind() != ast.KindParagraph {
		return calloutHead{}, false
	}
	return readCallout(r.firstLine(first))
}

func readCallout(line string) (calloutHead, bool) {
	kind, found := strings.CutPrefix(line, "[!")
	end := strings.IndexByte(kind, ']')
	if !found || end <= 0 {
		return calloutHead{}, false
	}
	head := calloutHead{kind: kind[:end], title: end + 3}
	if head.title < len(line) && strings.IndexByte("+-", line[head.title]) >= 0 {
		head.title++
	}
	name, _, _ := strings.Cut(head.kind, "|") // what follows a pipe is for the looks
	head.kind = strings.ToLower(strings.TrimSpace(name))
	return head, head.kind != ""
}

// addCallout records a callout whose head is raw[start:end].
func (r *reader) addCallout(head calloutHead, start, end int) {
	title := min(start+head.title, end)
	if r.source.overlaps(start, title) {
		shown, _ := readCallout(r.source.slice(start, title))
		head.kind = shown.kind
	}
	r.note.Callouts = append(r.note.Callouts, Callout{
		Type: head.kind, Title: strings.TrimSpace(r.source.slice(title, end)), Line: r.source.line(start),
	})
}

// quote reads a block quote, which may be a callout.
func (r *reader) quote(node *ast.Blockquote, item *int) {
	head, ok := r.calloutOf(node)
	first := node.FirstChild()
	if !ok {
		r.children(node, item)
		return
	}
	c := r.load(first)
	r.markBlock(c, first)
	end := lineLength(c.text)
	r.addCallout(head, c.raw(0), c.raw(end))
	c.collect()
	for child := first.NextSibling(); child != nil; child = child.NextSibling() {
		r.block(child, item)
	}
}
