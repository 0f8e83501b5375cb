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

// definitionTransformer takes the link reference definitions off the head of a paragraph. Goldmark's own is quadratic in
// their number, and takes a footnote of one word for a link.
type definitionTransformer struct{}

func (definitionTransformer) Transform(node *ast.Paragraph, reader text.Reader, context parser.Context) {
	source := util.BytesToReadOnlyString(reader.Source())
	lines := node.Lines()
	taken := 0
	for taken < lines.Len() {
		label, target, count := readDefinition(source, lines, taken)
		if count == 0 {
			break
		}
		taken += count
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

// maxDefinitionLines is how many lines a definition may take, with its title.
const maxDefinitionLines = 16

// readDefinition reads "[label]: destination" with an optional title, from a line on. count is the number of its lines,
// 0 if there is none. Destination and title may stand on lines of their own, and a title may go over several.
func readDefinition(source string, lines *text.Segments, from int) (label string, target definition, count int) {
	line := segmentText(source, lines.At(from))
	at := len(line) - len(strings.TrimLeft(line, " "))
	if at > 3 || at == len(line) || line[at] != '[' || strings.HasPrefix(line[at:], "[^") {
		return "", definition{}, 0
	}
	end := labelEnd(line, at+1)
	if end < 0 || !strings.HasPrefix(line[end:], "]:") {
		return "", definition{}, 0
	}
	if label = normalLabel(line[at+1 : end]); label == "" {
		return "", definition{}, 0
	}
	var b blockText
	b.load(source, segmentsFrom(lines, from, min(from+maxDefinitionLines, lines.Len())))
	place, next, ok := readDestination(b.text, skipSpace(b.text, end-at+2))
	if !ok {
		return "", definition{}, 0
	}
	stop, ok := definitionEnd(b.text, next)
	if !ok {
		return "", definition{}, 0
	}
	found := b.places(place.Start, place.End)
	return label, definition{found.Start, found.End}, strings.Count(b.text[:stop], "\n") + 1
}

// definitionEnd gives the end of a definition whose destination ends at next: behind its title, if it has one.
func definitionEnd(text string, next int) (end int, ok bool) {
	bare := next + lineLength(text[next:])
	ok = strings.TrimSpace(text[next:bare]) == ""
	if title := skipSpace(text, next); title > next && title < len(text) {
		after, titled := readTitle(text, title)
		if titled && strings.TrimSpace(text[after:after+lineLength(text[after:])]) == "" {
			return after, true
		}
	}
	return next, ok
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
