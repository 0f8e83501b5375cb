package docx

import (
	"strconv"
	"strings"

	"quarry/internal/lazyregexp"
	"quarry/internal/markdown"
)

// writer writes blocks as Markdown.
type writer struct {
	*document
	out   strings.Builder
	shift int // of headings: 1 below a title
	open  []openItem
	last  kind
	isAny bool // something is written
}

// openItem is an item that further items may lie in.
type openItem struct {
	level  int
	indent int // of what is in it
	list   string
	isOrdered,
	isOther bool // numbers end with ")", since a list of other numbers stands before
}

// markdown is a document's text, with its notes below it.
func (d *document) markdown(blocks []block) string {
	w := &writer{document: d}
	for _, b := range blocks {
		if b.kind == title {
			w.shift = 1
		}
	}
	w.blocks(blocks)
	for i := 0; i < len(d.noteIDs); i++ { // a note may mean a further one
		d.footnote(w, i)
	}
	return w.out.String()
}

// footnote writes a note: its first paragraph behind its sign, the others below, indented.
func (d *document) footnote(w *writer, at int) {
	inner := &writer{document: d}
	inner.blocks(d.notes[d.noteIDs[at]])
	text := strings.TrimSpace(inner.out.String())
	if w.out.Len() > 0 {
		w.out.WriteString("\n")
		if at == 0 {
			w.out.WriteString("\n")
		}
	}
	w.out.WriteString("[^" + strconv.Itoa(at+1) + "]: " + blankLines.ReplaceAllString(strings.ReplaceAll(text, "\n", "\n    "), "\n"))
}

var blankLines = lazyregexp.New(`(?m)\n[ \t]+$`)

func (w *writer) blocks(blocks []block) {
	for i := 0; i < len(blocks); i++ {
		end := i
		for end < len(blocks) && (blocks[end].kind == code || blocks[end].isLine) {
			end++
		}
		isCode := end > i+1 || end > i && (blocks[i].kind == code || strings.Contains(plainText(blocks[i].spans), "\n"))
		if isCode {
			w.code(blocks[i:end])
			i = end - 1
			continue
		}
		w.block(blocks[i])
	}
}

func (w *writer) block(b block) {
	switch {
	case b.rows != nil:
		w.table(b)
		w.open, w.last = nil, plain
		return
	case b.item != nil:
		w.item(b)
		return
	case b.kind == continued && len(w.open) > 0:
		indent := strings.Repeat(" ", w.open[len(w.open)-1].indent)
		w.out.WriteString("\n\n" + indent + strings.ReplaceAll(w.text(b.spans), "\n", "\n"+indent))
		return
	case b.kind == title, b.kind == heading:
		level := 1
		if b.kind == heading {
			level = min(b.level+w.shift, 6)
		}
		w.apart()
		w.out.WriteString(strings.Repeat("#", level) + " " + w.heading(b.spans))
	case b.kind == rule:
		w.apart()
		w.out.WriteString("---")
	case b.kind == quote:
		separator := "\n\n> "
		if w.last == quote && w.isAny && len(w.open) == 0 {
			separator = "\n>\n> "
		}
		if !w.isAny {
			separator = "> "
		}
		w.out.WriteString(separator + strings.ReplaceAll(w.text(b.spans), "\n", "\n> "))
	default:
		w.apart()
		w.out.WriteString(w.text(b.spans))
	}
	w.open, w.isAny, w.last = nil, true, b.kind
}

// apart begins a block: a blank line stands before it.
func (w *writer) apart() {
	if w.isAny {
		w.out.WriteString("\n\n")
	}
	w.isAny = true
}

// code writes paragraphs of code as one block.
func (w *writer) code(blocks []block) {
	lines := make([]string, 0, len(blocks))
	for i, b := range blocks {
		if b.isApart && i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, w.plain(b.spans))
	}
	text := strings.Join(lines, "\n")
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	w.apart()
	w.out.WriteString(fence + "\n" + strings.Trim(text, "\n") + "\n" + fence)
	w.open, w.last = nil, code
}

// plain is text as it is, with the links and pictures in it.
func (w *writer) plain(spans []span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.text)
	}
	return b.String()
}

// item writes an item of a list.
func (w *writer) item(b block) {
	made := openItem{level: b.item.level, list: b.item.list, isOrdered: b.item.isOrdered}
	isGoing := len(w.open) > 0
	for len(w.open) > 0 && w.open[len(w.open)-1].level >= made.level {
		before := w.open[len(w.open)-1]
		if before.level == made.level {
			made.isOther = before.isOther != (before.isOrdered && made.isOrdered && before.list != made.list)
		}
		w.open = w.open[:len(w.open)-1]
	}
	indent := 0
	if len(w.open) > 0 {
		indent = w.open[len(w.open)-1].indent
	}
	marker := "- "
	if made.isOrdered {
		end := ". "
		if made.isOther {
			end = ") "
		}
		marker = strconv.Itoa(b.item.number) + end
	}
	made.indent = indent + len(marker)
	if isGoing {
		w.out.WriteByte('\n')
	} else {
		w.apart()
	}
	blanks := strings.Repeat(" ", made.indent)
	w.out.WriteString(blanks[:indent] + marker + b.item.box + strings.ReplaceAll(w.text(b.spans), "\n", "\n"+blanks))
	w.open, w.isAny, w.last = append(w.open, made), true, plain
}

// table writes a table, whose first row is its header. Empty rows are left out.
func (w *writer) table(b block) {
	widest := 0
	var rows [][]string
	for _, row := range b.rows {
		cells := make([]string, 0, len(row))
		isEmpty := true
		for _, blocks := range row {
			text := w.cell(blocks)
			isEmpty = isEmpty && text == ""
			cells = append(cells, text)
		}
		if !isEmpty {
			widest = max(widest, len(row))
			rows = append(rows, cells)
		}
	}
	if len(rows) > 0 {
		w.apart()
	}
	for i, row := range rows {
		if i > 0 {
			w.out.WriteByte('\n')
		}
		for column := range widest {
			if w.out.WriteString("| "); column < len(row) && row[column] != "" {
				w.out.WriteString(row[column] + " ")
			}
		}
		w.out.WriteByte('|')
		if i == 0 {
			w.out.WriteString("\n" + strings.Repeat("| --- ", widest) + "|")
		}
	}
}

// cell is what is in a cell, in one line. A table in it becomes lines too.
func (w *writer) cell(blocks []block) string {
	var lines []string
	for _, b := range blocks {
		if b.rows != nil {
			for _, row := range b.rows {
				var cells []string
				for _, cell := range row {
					if text := w.cell(cell); text != "" {
						cells = append(cells, text)
					}
				}
				lines = append(lines, strings.Join(cells, ", "))
			}
			continue
		}
		text := w.inline(b.spans)
		if b.kind == code {
			text = codeSpan(w.plain(b.spans))
		}
		if b.item != nil {
			marker := "• "
			if b.item.isOrdered {
				marker = strconv.Itoa(b.item.number) + ". "
			}
			text = marker + strings.NewReplacer("[ ] ", "☐ ", "[x] ", "☑ ").Replace(b.item.box) + text
		}
		lines = append(lines, text)
	}
	return strings.ReplaceAll(strings.Join(lines, "<br>"), "\n", "<br>")
}

// heading is a text in one line; that all of it is bold is not worth a mark.
func (w *writer) heading(spans []span) string {
	made := make([]span, len(spans))
	for i, s := range spans {
		s.format &^= bold
		if !s.isMade {
			s.text = strings.ReplaceAll(s.text, "\n", " ")
		}
		made[i] = s
	}
	return strings.TrimSpace(w.inline(made))
}

var (
	startsList = lazyregexp.New(`^(\d{1,9})([.)])(\s|$)`)
	startsMark = lazyregexp.New(`^(?:[-+](?:\s|$)|--|>|=+$)`)
	startsNote = lazyregexp.New(`^(\[\^\d+\]):`)
)

// text is a paragraph's Markdown, none of whose lines begins with what means more.
func (w *writer) text(spans []span) string {
	lines := strings.Split(w.inline(spans), "\n")
	out := lines[:0]
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" && (i == 0 || i == len(lines)-1) {
			continue
		}
		switch {
		case line == "":
			line = "<br>"
		case startsMark.MatchString(line):
			line = `\` + line
		case startsList.MatchString(line):
			line = startsList.ReplaceAllString(line, `$1\$2$3`)
		case startsNote.MatchString(line):
			line = startsNote.ReplaceAllString(line, `$1\:`)
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// codeSpan is a text as code within a line.
func codeSpan(text string) string {
	text = strings.ReplaceAll(text, "\n", " ")
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if fence != "`" {
		text = " " + text + " "
	}
	return fence + text + fence
}

var addressSigns = strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", `\`, "%5C", "\n", "", "\r", "", "\t", "")

func escapeAddress(address string) string { return addressSigns.Replace(address) }

// headingSigns make a heading the address of a link to it, as Obsidian reads it.
var headingSigns = strings.NewReplacer("%", "%25", " ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", "#", "", "^", "", "|", "", "[", "", "]", "", `\`, "")

// linkTo is a link with a text that is Markdown.
func (w *writer) linkTo(s span, text string) string {
	switch {
	case text == "":
		return ""
	case s.anchor != "":
		if to, ok := w.anchors[s.anchor]; ok {
			return "[" + text + "](#" + headingSigns.Replace(to) + ")"
		}
		if to := w.near[s.anchor]; to != "" {
			w.into.Lost["exact place of a link, which leads to the heading above it"]++
			return "[" + text + "](#" + headingSigns.Replace(to) + ")"
		}
		w.into.Lost["link within a document, of which the text stays"]++
		return text
	case text == s.address || text == markdown.Escape(s.address):
		if isWeb(s.address) && !strings.HasPrefix(s.address, "mailto:") {
			return s.address
		}
	}
	return w.addressTo(s.address, text)
}
