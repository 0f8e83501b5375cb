package note

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// definition is where a link reference definition keeps its destination: bytes of the parsed body.
type definition struct {
	start, end int
}

// definitionTransformer takes the link reference definitions off the head of a paragraph and divides footnotes.
// Goldmark's own is quadratic in their number, and takes a footnote of one word for a link.
type definitionTransformer struct{}

func (definitionTransformer) Transform(node *ast.Paragraph, reader text.Reader, context parser.Context) {
	source := util.BytesToReadOnlyString(reader.Source())
	lines := node.Lines()
	taken := 0
	for taken < lines.Len() {
		label, target, ok := readDefinition(source, lines.At(taken))
		if !ok {
			break
		}
		taken++
		if target.end == trimmedEnd(source, lines.At(taken-1)) && taken < lines.Len() && isTitleLine(segmentText(source, lines.At(taken))) {
			taken++
		}
		remember(context, label, target)
	}
	if taken > 0 {
		block := &leaf{kind: kindDefinition}
		block.SetPos(lines.At(0).Start)
		block.Lines().AppendAll(lines.Sliced(0, taken))
		node.Parent().InsertBefore(node.Parent(), node, block)
		if taken == lines.Len() {
			node.Parent().RemoveChild(node.Parent(), node)
			return
		}
		node.SetLines(segmentsFrom(lines, taken, lines.Len()))
		node.SetPos(node.Lines().At(0).Start)
	}
	splitFootnotes(source, node)
}

func segmentsFrom(lines *text.Segments, from, to int) *text.Segments {
	part := text.NewSegments()
	part.AppendAll(lines.Sliced(from, to))
	return part
}

// remember keeps the first definition of a label.
func remember(context parser.Context, label string, target definition) {
	known, _ := context.Get(definitionsKey).(map[string]definition)
	if known == nil {
		known = map[string]definition{}
		context.Set(definitionsKey, known)
	}
	if _, twice := known[label]; !twice {
		known[label] = target
	}
}

// readDefinition reads "[label]: destination" with an optional title, on one line.
func readDefinition(source string, segment text.Segment) (label string, target definition, ok bool) {
	line := segmentText(source, segment)
	at := len(line) - len(strings.TrimLeft(line, " "))
	if at > 3 || at == len(line) || line[at] != '[' || strings.HasPrefix(line[at:], "[^") {
		return "", definition{}, false
	}
	end := labelEnd(line, at+1)
	if end < 0 || !strings.HasPrefix(line[end:], "]:") {
		return "", definition{}, false
	}
	label = normalLabel(line[at+1 : end])
	from := skipSpace(line, end+2)
	place, next, ok := readDestination(line, from)
	if !ok || label == "" {
		return "", definition{}, false
	}
	rest := skipSpace(line, next)
	if rest < len(line) {
		after, titled := readTitle(line, rest)
		if rest == next || !titled || skipSpace(line, after) != len(line) {
			return "", definition{}, false
		}
	}
	return label, definition{segment.Start + place.Start, segment.Start + place.End}, true
}

func trimmedEnd(source string, segment text.Segment) int {
	return segment.Start + len(strings.TrimRight(segmentText(source, segment), " \t\r\n"))
}

func isTitleLine(line string) bool {
	at := skipSpace(line, 0)
	after, ok := readTitle(line, at)
	return ok && skipSpace(line, after) == len(line)
}

// labelEnd gives the place of the bracket that ends a link label, -1 if there is none within 999 bytes.
func labelEnd(text string, at int) int {
	for limit := min(len(text), at+1000); at < limit; at++ {
		switch text[at] {
		case '\\':
			at++
		case '[':
			return -1
		case ']':
			return at
		}
	}
	return -1
}

// normalLabel makes labels comparable: white space collapsed, letter case folded.
func normalLabel(label string) string {
	return strings.ToLower(strings.ToUpper(strings.Join(strings.Fields(label), " ")))
}

// splitFootnotes gives each footnote definition of a paragraph that begins with one a paragraph of its own.
func splitFootnotes(source string, node *ast.Paragraph) {
	lines := node.Lines()
	if lines.Len() < 2 || !isFootnote(segmentText(source, lines.At(0))) {
		return
	}
	lines = segmentsFrom(lines, 0, lines.Len()) // node gets other lines below
	var last ast.Node = node
	end := lines.Len()
	start := 0
	for i := 1; i <= end; i++ {
		if i < end && !isFootnote(segmentText(source, lines.At(i))) {
			continue
		}
		if start == 0 {
			node.SetLines(segmentsFrom(lines, 0, i))
		} else {
			next := ast.NewParagraph()
			next.SetLines(segmentsFrom(lines, start, i))
			node.Parent().InsertAfter(node.Parent(), last, next)
			last = next
		}
		start = i
	}
}

// isFootnote knows a line such as "[^1]: text".
func isFootnote(line string) bool {
	line = strings.TrimLeft(line, " ")
	if !strings.HasPrefix(line, "[^") {
		return false
	}
	end := labelEnd(line, 2)
	return end > 2 && strings.HasPrefix(line[end:], "]:")
}
