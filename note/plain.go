package note

import "strings"

// maxNesting is how deep lists and quotes may nest for a note to be read as Markdown: the time of the block parser
// grows with the lines times their depth.
const maxNesting = 50

// maxLines is how many lines a body may have to be read as Markdown: the tree takes some hundred bytes a line.
const maxLines = 400_000

// nestsTooDeep follows the list markers and quote marks at the head of each line.
func nestsTooDeep(body string) bool {
	var indents []int
	for line := range strings.Lines(body) {
		column, quotes, i := 0, 0, 0
	head:
		for i < len(line) {
			switch line[i] {
			case ' ':
				column++
			case '\t':
				column += 4 - column%4
			case '>':
				quotes++
				column++
			default:
				if length := footnoteLabel(line[i:]); length > 0 {
					column += length
					i += length
					continue
				}
				length := listMarker(line[i:])
				if length == 0 {
					break head
				}
				for len(indents) > 0 && indents[len(indents)-1] >= column {
					indents = indents[:len(indents)-1]
				}
				if indents = append(indents, column); len(indents) > maxNesting {
					return true
				}
				column += length
				i += length - 1
			}
			i++
		}
		if quotes > maxNesting {
			return true
		}
		if column == 0 && i < len(line) && line[i] != '\n' && line[i] != '\r' {
			indents = indents[:0]
		}
	}
	return false
}

// listMarker gives the length of a list marker with white space behind it, 0 if there is none.
func listMarker(text string) int {
	i := 0
	for i < len(text) && i < 9 && isDigit(text[i]) {
		i++
	}
	if i == len(text) || i == 0 && strings.IndexByte("-*+", text[0]) < 0 || i > 0 && text[i] != '.' && text[i] != ')' {
		return 0
	}
	if i+1 < len(text) && !isSpace(text[i+1]) {
		return 0
	}
	return i + 1
}

// plain reads a body without the block parser, for a reason that it reports: headings outside fences, and text between
// blank lines.
func (r *reader) plain(reason string) {
	r.note.Problems = append(r.note.Problems, Problem{Reason: reason + ": read line by line"})
	fence, open := "", -1
	close := func(line int, kind string) {
		if open >= 0 {
			r.addSection(kind, open, line)
			open = -1
		}
	}
	for line := r.source.line(r.base); line <= len(r.source.lines); line++ {
		text := r.source.lineText(line)
		before := fence
		fence = nextFence(text, fence)
		level := headingLevel(text)
		switch {
		case before == "" && fence != "":
			close(line-1, "paragraph")
			open = line
		case before != "" && fence == "":
			close(line, "code")
		case before != "":
		case strings.TrimSpace(text) == "":
			close(line-1, "paragraph")
		case level > 0:
			close(line-1, "paragraph")
			r.plainHeading(line, level)
		case open < 0:
			open = line
		}
	}
	kind := "paragraph"
	if fence != "" {
		kind = "code"
	}
	close(len(r.source.lines), kind)
	r.scanRuns(r.base, len(r.source.raw), false)
}

func headingLevel(line string) int {
	line = strings.TrimRight(line, " \t")
	level := len(line) - len(strings.TrimLeft(line, "#"))
	if level == 0 || level > 6 || level < len(line) && line[level] != ' ' && line[level] != '\t' {
		return 0
	}
	return level
}

func (r *reader) plainHeading(line, level int) {
	if len(r.note.Headings) >= maxFacts { // not read at all: there may be millions
		return
	}
	start, end := r.source.lineRange(line)
	text := strings.Trim(r.source.slice(start+level, end), " \t")
	if bare := strings.TrimRight(text, "#"); bare == "" || strings.HasSuffix(bare, " ") {
		text = strings.TrimRight(bare, " \t")
	}
	shown := text
	if id, at := markerAtEnd(text); id != "" {
		shown = text[:at]
	}
	r.addHeading(Heading{Level: level, Text: text, Plain: withoutComments(shown), Line: line, LineEnd: line})
	r.addSection("heading", line, line)
}
