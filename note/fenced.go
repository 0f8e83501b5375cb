package note

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// fencedParser reads a block between two marks: %% comments and $$ math. In lists and quotes, one that begins and ends on
// the same line is left to the text of its paragraph.
type fencedParser struct {
	mark string
	kind ast.NodeKind
}

func (p fencedParser) Trigger() []byte { return []byte{p.mark[0]} }

// unclosedKey counts the marks of a note that had no end where they stand: each took a look at all the rest, so that is
// done few times.
var unclosedKey = parser.NewContextKey()

const maxUnclosed = 8

func (p fencedParser) Open(parent ast.Node, reader text.Reader, context parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	lead := len(line) - len(strings.TrimLeft(util.BytesToReadOnlyString(line), " "))
	rest := util.BytesToReadOnlyString(line[lead:])
	if segment.Padding != 0 || !strings.HasPrefix(rest, p.mark) {
		return nil, parser.NoChildren
	}
	after := rest[len(p.mark):]
	end := segment.Start + lead
	if close := strings.Index(after, p.mark); close >= 0 {
		if strings.TrimSpace(after[close+len(p.mark):]) != "" || close == 0 || parent.Kind() != ast.KindDocument {
			return nil, parser.NoChildren // text goes on behind it: it is read within the paragraph
		}
		end += close + 2*len(p.mark)
	} else if end = p.findEnd(reader, segment.Stop, context); end < 0 {
		return nil, parser.NoChildren // never closed: text as any other
	}
	node := &leaf{kind: p.kind, end: end}
	node.Lines().Append(segment)
	reader.AdvanceToEOL()
	return node, parser.NoChildren
}

// findEnd gives the place behind the mark that ends the block, -1 if there is none.
func (p fencedParser) findEnd(reader text.Reader, from int, context parser.Context) int {
	unclosed, _ := context.Get(unclosedKey).(int)
	if unclosed >= maxUnclosed {
		return -1
	}
	length := closingMark(util.BytesToReadOnlyString(reader.Source()[from:]), p.mark)
	if length < 0 {
		context.Set(unclosedKey, unclosed+1)
		return -1
	}
	return from + length
}

func (p fencedParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	_, segment := reader.PeekLine()
	if segment.Start >= node.(*leaf).end {
		return parser.Close
	}
	node.Lines().Append(segment)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// Close makes text of a block whose mark of the end lies outside of the list or quote around it.
func (p fencedParser) Close(node ast.Node, _ text.Reader, context parser.Context) {
	block, lines := node.(*leaf), node.Lines()
	last := lines.At(lines.Len() - 1)
	if block.end <= last.Stop {
		return
	}
	unclosed, _ := context.Get(unclosedKey).(int)
	context.Set(unclosedKey, unclosed+1)
	paragraph := ast.NewParagraph()
	paragraph.SetPos(lines.At(0).Start)
	paragraph.SetLines(lines)
	node.Parent().ReplaceChild(node.Parent(), node, paragraph)
}

func (p fencedParser) CanInterruptParagraph() bool { return true }
func (p fencedParser) CanAcceptIndentedLine() bool { return false }

// closingMark gives the length of text up to and with the next mark outside code, -1 if there is none.
func closingMark(text, mark string) int {
	if !strings.Contains(text, mark) {
		return -1
	}
	var fence string
	for start := 0; start < len(text); {
		end := len(text)
		if next := strings.IndexByte(text[start:], '\n'); next >= 0 {
			end = start + next + 1
		}
		line := text[start:end]
		if toggled := nextFence(line, fence); toggled != fence {
			fence = toggled
		} else if fence == "" {
			if at := markOutsideCode(line, mark); at >= 0 {
				return start + at + len(mark)
			}
		}
		start = end
	}
	return -1
}

// nextFence gives the fence that is open after line, "" if none, where fence was open before it.
func nextFence(line, fence string) string {
	trimmed := strings.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 || trimmed == "" || trimmed[0] != '`' && trimmed[0] != '~' {
		return fence
	}
	run := len(trimmed) - len(strings.TrimLeft(trimmed, trimmed[:1]))
	rest := strings.TrimSpace(trimmed[run:])
	switch {
	case run < 3:
		return fence
	case fence == "" && (trimmed[0] == '~' || strings.IndexByte(rest, '`') < 0):
		return trimmed[:run]
	case fence != "" && strings.HasPrefix(trimmed[:run], fence) && rest == "":
		return ""
	}
	return fence
}

// markOutsideCode finds mark in a line, but not between backticks.
func markOutsideCode(line, mark string) int {
	for at := 0; at < len(line); {
		rest := line[at:]
		found := strings.Index(rest, mark)
		if found < 0 {
			return -1
		}
		tick := strings.IndexByte(rest[:found], '`')
		if tick < 0 {
			return at + found
		}
		run := len(rest[tick:]) - len(strings.TrimLeft(rest[tick:], "`"))
		after := tick + run
		if close := strings.Index(rest[after:], rest[tick:after]); close >= 0 {
			after += close + run
		}
		at += after
	}
	return -1
}
