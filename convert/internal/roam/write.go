package roam

import (
	"strconv"
	"strings"

	"quarry/internal/lazyregexp"
)

// writer writes the blocks of a page.
type writer struct {
	*reader
	out strings.Builder
}

var (
	box        = lazyregexp.New(`^\s*\{\{\s*(?:\[\[)?(TODO|DONE)(?:\]\])?\s*\}\}+[ \t]*`)
	tableBlock = lazyregexp.New(`^\s*\{\{\s*(?:\[\[)?table(?:\]\])?\s*\}\}\s*$`)
)

func isTable(b *block) bool { return tableBlock.MatchString(b.text) && len(b.children) > 0 }

// blocks writes blocks as items of one list.
func (w *writer) blocks(blocks []*block, indent string, isNumbered bool) {
	number := 0
	for _, b := range blocks {
		isBlank := strings.TrimSpace(b.text) == ""
		switch {
		case isBlank:
			w.blocks(b.children, indent, isNumbered)
		case isTable(b):
			w.table(b, indent)
		case b.heading > 0 && indent == "":
			w.apart()
			w.out.WriteString(strings.Repeat("#", b.heading) + " " + w.headingText(b) + "\n\n")
			w.blocks(b.children, "", b.isNumbered)
		default:
			number++
			marker := "- "
			if isNumbered {
				marker = strconv.Itoa(number) + ". "
			}
			w.item(b, indent, marker)
		}
	}
}

// apart ends a list: a blank line follows it.
func (w *writer) apart() {
	if text := w.out.String(); text != "" && !strings.HasSuffix(text, "\n\n") {
		w.out.WriteByte('\n')
	}
}

func (w *writer) item(b *block, indent, marker string) {
	inner := indent + strings.Repeat(" ", len(marker))
	w.out.WriteString(indent + marker)
	text := b.text
	if m := box.FindStringSubmatch(text); m != nil {
		w.out.WriteString(map[string]string{"TODO": "[ ] ", "DONE": "[x] "}[m[1]])
		text = text[len(m[0]):]
	}
	if b.heading > 0 {
		w.out.WriteString(strings.Repeat("#", b.heading) + " ")
		text = strings.Join(strings.Fields(text), " ")
	}
	lines, endsInCode := w.text(text)
	w.out.WriteString(strings.ReplaceAll(strings.Join(lines, "\n"), "\n", "\n"+inner))
	if id := w.ids[b]; id != "" {
		if endsInCode {
			w.out.WriteString("\n" + inner + "^" + id)
		} else {
			w.out.WriteString(" ^" + id)
		}
	}
	w.out.WriteByte('\n')
	w.blocks(b.children, inner, b.isNumbered)
}

// text is the lines of a block.
func (r *reader) text(text string) (lines []string, endsInCode bool) {
	for i, part := range strings.Split(text, "```") {
		isLast := strings.Count(text, "```") == i
		if i%2 == 1 && !isLast {
			language, code, found := strings.Cut(part, "\n")
			if !found || strings.Contains(strings.TrimSpace(language), " ") && language != "plain text" {
				language, code = "", part
			}
			if language = strings.TrimSpace(language); language == "plain text" {
				language = ""
			}
			lines, endsInCode = append(lines, "```"+language, strings.Trim(code, "\n"), "```"), true
			continue
		}
		if i%2 == 1 {
			part = "```" + part
		}
		if strings.TrimSpace(part) == "" {
			continue
		}
		endsInCode = false
		for line := range strings.SplitSeq(r.inline(strings.Trim(part, "\n"), 0), "\n") {
			lines = append(lines, escapeStart(strings.TrimSpace(line)))
		}
	}
	return lines, endsInCode
}

var lineStart = lazyregexp.New("^(?:#{1,6}|[-+*])(?:\\s|$)|^```|^~~~")

// escapeStart keeps a line from being a heading, an item or code, which Roam knows by other means.
func escapeStart(line string) string {
	if lineStart.MatchString(line) {
		return `\` + line
	}
	return line
}

// table writes the children of a block as a table: each a row, whose cells lie in each other.
func (w *writer) table(b *block, indent string) {
	var rows [][]string
	widest := 0
	var walk func(cell *block, column int)
	walk = func(cell *block, column int) {
		text := strings.ReplaceAll(w.cell(cell.text), "\n", "<br>")
		if last := len(rows) - 1; last >= 0 && len(rows[last]) == column {
			rows[last] = append(rows[last], text)
		} else {
			rows = append(rows, append(make([]string, column, column+1), text))
		}
		widest = max(widest, column+1)
		for _, child := range cell.children {
			walk(child, column+1)
		}
	}
	for _, row := range b.children {
		rows = append(rows, nil)
		walk(row, 0)
	}
	w.writeTable(rows, widest, indent)
}

func (w *writer) writeTable(rows [][]string, widest int, indent string) {
	prefix := indent
	if indent == "" {
		w.apart()
	} else { // each row begins its line, so that it is seen to be one
		w.out.WriteString(indent + "-\n")
		prefix += "  "
	}
	for i, row := range rows {
		w.out.WriteString(prefix)
		for column := range widest {
			text := ""
			if column < len(row) {
				text = row[column]
			}
			w.out.WriteString("| " + text + " ")
		}
		w.out.WriteString("|\n")
		if i == 0 {
			w.out.WriteString(prefix + strings.Repeat("| --- ", widest) + "|\n")
		}
	}
	if indent == "" {
		w.out.WriteByte('\n')
	}
}

// cell is a block's text as it may stand in a table.
func (r *reader) cell(text string) string {
	text = r.inline(strings.TrimSpace(strings.ReplaceAll(text, "```", "`")), 0)
	return strings.ReplaceAll(text, "|", `\|`)
}

func (w *writer) headingText(b *block) string {
	return w.inline(strings.Join(strings.Fields(b.text), " "), 0)
}
