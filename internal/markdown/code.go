package markdown

import (
	"strconv"
	"strings"

	"quarry/internal/lazyregexp"
)

// Code is what HideCode took out of a text.
type Code struct{ pieces []string }

const (
	codeOpen, codeClose = "\uE0F0", "\uE0F1"
)

// HideCode is a Markdown text with a sign in the place of each piece of code, fenced (also in lists and quotations) or within a line,
// so that what remains can be edited by patterns; Show puts the code back. Time is linear.
func HideCode(text string) (string, *Code) {
	c := &Code{}
	var b, open strings.Builder
	lines := strings.SplitAfter(text, "\n")
	for i := 0; i < len(lines); {
		before, fence := opensFence(lines[i])
		if fence == "" {
			open.WriteString(lines[i])
			i++
			continue
		}
		open.WriteString(before)
		c.spans(&b, open.String())
		open.Reset()
		end := i + 1
		for end < len(lines) && !closesFence(lines[end], fence) {
			end++
		}
		end = min(end+1, len(lines))
		block := strings.Join(lines[i:end], "")[len(before):]
		trimmed := strings.TrimSuffix(block, "\n")
		c.hide(&b, trimmed)
		open.WriteString(block[len(trimmed):])
		i = end
	}
	c.spans(&b, open.String())
	return b.String(), c
}

// Show is a text with the code in it again. A sign may stand anywhere, any number of times.
func (c *Code) Show(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, codeOpen)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		number, after, ends := strings.Cut(rest, codeClose)
		if index, err := strconv.Atoi(number); ends && err == nil && index >= 0 && index < len(c.pieces) {
			b.WriteString(c.pieces[index])
			rest = after
		}
		text = rest
	}
}

func (c *Code) hide(b *strings.Builder, piece string) {
	c.pieces = append(c.pieces, piece)
	b.WriteString(codeOpen + strconv.Itoa(len(c.pieces)-1) + codeClose)
}

var (
	fenceLine    = lazyregexp.New("^((?:[ \t>]|[-*+][ \t]|\\d{1,9}[.)][ \t])*)(`{3,}|~{3,})([^\n]*)")
	blankOrTicks = lazyregexp.New("\n[ \t]*\n|`+|[\uE0F0\uE0F1]")
)

func opensFence(line string) (before, fence string) {
	if !strings.Contains(line, "```") && !strings.Contains(line, "~~~") {
		return "", ""
	}
	m := fenceLine.FindStringSubmatch(line)
	if m == nil || m[2][0] == '`' && strings.Contains(m[3], "`") {
		return "", ""
	}
	return m[1], m[2]
}

func closesFence(line, fence string) bool {
	line = strings.Trim(line, " \t>\r\n")
	return len(line) >= len(fence) && strings.Trim(line, fence[:1]) == ""
}

// spans writes a text with a sign for each code span, and for each character that a sign is made of.
func (c *Code) spans(b *strings.Builder, text string) {
	found := blankOrTicks.FindAllStringIndex(text, -1)
	closer := closers(text, found)
	at := 0
	for i := 0; i < len(found); i++ {
		start, end := found[i][0], found[i][1]
		switch text[start] {
		case '\n':
			continue
		case '`':
			if closer[i] == 0 || start > 0 && text[start-1] == '\\' {
				continue
			}
			i = closer[i]
			end = found[i][1]
		}
		b.WriteString(text[at:start])
		c.hide(b, text[start:end])
		at = end
	}
	b.WriteString(text[at:])
}

// closers gives for each run of backticks the next one of its length in the same paragraph, 0 for none.
func closers(text string, found [][]int) []int {
	next := make([]int, len(found))
	seen := map[int]int{}
	for i := len(found) - 1; i >= 0; i-- {
		switch text[found[i][0]] {
		case '\n':
			clear(seen)
		case '`':
			length := found[i][1] - found[i][0]
			next[i] = seen[length]
			seen[length] = i
		}
	}
	return next
}
