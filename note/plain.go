package note

import (
	"strings"

	"github.com/yuin/goldmark/util"
)

// maxNesting is how deep lists and quotes may nest for a note to be read as Markdown: the time of the block parser
// grows with the lines times their depth.
const maxNesting = 50

// maxLines is how many lines a body may have to be read as Markdown: the tree takes up to half a kilobyte a line.
const maxLines = 150_000

// maxTasks bounds the tasks of a body that is read line by line.
const maxTasks = 400_000

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

// lineReader reads a body line by line.
type lineReader struct {
	*reader
	body    string // the file, with line feeds alone
	fence   string // the one that is open, "" if none
	open    int    // the line where a paragraph or code began, 0 if none is open
	unread  int    // from where on the facts are still to be taken
	noClose bool   // no "-->" follows
	items   []plainItem
}

// plain reads a body without the block parser, for a reason that it reports: headings and tasks outside fences, comments,
// and text between blank lines.
func (r *reader) plain(reason string) {
	r.note.Problems = append(r.note.Problems, Problem{Reason: reason + ": read line by line"})
	body := util.BytesToReadOnlyString(lineFeeds(util.StringToReadOnlyBytes(r.source.raw)))
	p := &lineReader{reader: r, body: body, unread: r.base}
	last := len(r.source.lines)
	for line := r.source.line(r.base); line <= last; {
		line = p.read(line)
	}
	if p.fence != "" {
		p.close(last, "code")
	}
	p.close(last, "paragraph")
	r.scanRuns(p.unread, len(r.source.raw), false)
}

// read reads a line, and a comment to its end, and gives the line to go on with.
func (p *lineReader) read(line int) int {
	text, before := p.source.lineText(line), p.fence
	if before == "" {
		if start, end, markdown := p.comment(line); end > 0 {
			p.close(line-1, "paragraph")
			return p.leaveOut(start, end, markdown)
		}
	}
	p.fence = nextFence(text, before)
	level := headingLevel(text)
	switch {
	case before == "" && p.fence != "":
		p.close(line-1, "paragraph")
		p.open = line
		p.item(line)
	case before != "" && p.fence == "":
		p.close(line, "code")
	case before != "":
	case strings.TrimSpace(text) == "":
		p.close(line-1, "paragraph")
	case level > 0:
		p.close(line-1, "paragraph")
		p.plainHeading(line, level)
	default:
		if p.open == 0 {
			p.open = line
		}
		p.item(line)
	}
	return line + 1
}

func (p *lineReader) close(line int, kind string) {
	if p.open > 0 {
		p.addSection(kind, p.open, line)
		p.open = 0
	}
}

// comment gives the range of the comment that begins a line, whatever lists and quotes the line stands in, and ends on
// a later one; end is 0 if none does. One on a line alone is left to the text of its paragraph. A look-up that fails
// needs no bound: below it there is no mark outside code that could begin another.
func (p *lineReader) comment(line int) (start, end int, markdown bool) {
	start, stop := p.source.lineRange(line)
	start += containerHead(p.body[start:stop])
	text := p.body[start:stop]
	switch {
	case line == len(p.source.lines):
	case strings.HasPrefix(text, "%%"):
		next := p.source.lines[line]
		if length := closingMark(p.body[next:], "%%"); markOutsideCode(text[2:], "%%") < 0 && length >= 0 {
			return start, next + length, true
		}
	case strings.HasPrefix(text, "<!--") && !p.noClose && htmlComment(text) == 0:
		length := htmlComment(p.body[start:])
		if p.noClose = length == 0; !p.noClose {
			return start, start + length, false
		}
	}
	return 0, 0, false
}

// leaveOut keeps a comment out of passages, and gives the line behind it. Links and tags count in one of Obsidian's.
func (p *lineReader) leaveOut(start, end int, markdown bool) int {
	p.scanRuns(p.unread, start, false)
	if markdown {
		p.scanRuns(start, end, true)
	}
	p.unread = end
	p.note.Omit = append(p.note.Omit, Range{start, end})
	last := p.source.line(end - 1)
	p.addSection(map[bool]string{true: "comment", false: "html"}[markdown], p.source.line(start), last)
	return last + 1
}

// plainItem is a list item that may have others below it.
type plainItem struct{ line, column, quotes int }

// item reads a line that may be a list item. Its parent is the nearest one above that is indented less.
func (p *lineReader) item(line int) {
	start, end := p.source.lineRange(line)
	text := p.source.raw[start:end]
	at, column, quotes := 0, 0, 0
	for ; at < len(text) && (isSpaceOrTab(text[at]) || text[at] == '>'); at++ {
		switch column++; text[at] {
		case '\t':
			column = (column + 3) / 4 * 4
		case '>':
			quotes++
		}
	}
	marker := listMarker(text[at:])
	if marker == 0 {
		if at == 0 { // text at the margin ends the list
			p.items = p.items[:0]
		}
		return
	}
	for len(p.items) > 0 && (p.items[len(p.items)-1].column >= column || p.items[len(p.items)-1].quotes != quotes) {
		p.items = p.items[:len(p.items)-1]
	}
	p.task(line, Range{start + skipBlank(text, at+marker, len(text)), end})
	p.items = append(p.items, plainItem{line, column, quotes})
}

// task reads the text of a list item that may have a box.
func (p *lineReader) task(line int, place Range) {
	text := p.source.raw[place.Start:place.End]
	status, length, ok := taskBox(text)
	if !ok || len(p.note.Tasks) >= maxTasks {
		return
	}
	if id, from := markerAtEnd(text); id != "" {
		place.End = max(place.Start+length, place.Start+from)
	}
	task := Task{Status: status, Text: strings.TrimSpace(p.source.slice(place.Start+length, place.End)), Line: line}
	if len(p.items) > 0 {
		parent := p.items[len(p.items)-1].line
		task.ParentLine = &parent
	}
	p.note.Tasks = append(p.note.Tasks, task)
}

// containerHead gives the length of the marks of lists, quotes and footnotes at the head of a line.
func containerHead(line string) int {
	at := 0
	for at < len(line) {
		switch length := max(footnoteLabel(line[at:]), listMarker(line[at:])); {
		case length > 0:
			at += length
		case isSpaceOrTab(line[at]) || line[at] == '>':
			at++
		default:
			return at
		}
	}
	return at
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
	r.addHeading(Heading{Level: level, Text: text, Plain: r.source.withoutComments(shown), Line: line, LineEnd: line})
	r.addSection("heading", line, line)
}
