package compress

import (
	"strings"
	"unicode/utf8"
)

const (
	maxDepth        = 100 // of JSON; what is deeper stays as it is
	firstElements   = 2   // of a list, beside those that differ
	firstValues     = 8   // of a list of numbers and texts
	firstKeys       = 24  // of an object
	mostShapes      = 12  // of the elements of a list
	mostCharacters  = 300 // of a text
	shortCharacters = 120 // of a list or an object in one line

	mostFailureLines = 60 // of an element that holds an error and stays whole
)

// shortenJSON shortens documents, or the objects that stand one a line; other lines among those stay.
func shortenJSON(lines []line) []line {
	if isJSONLines(lines) {
		return shortenJSONLines(lines)
	}
	w := &jsonWriter{text: textOf(lines)}
	w.space()
	ok := w.value("", 0)
	w.space()
	if !ok || w.at < len(w.text) {
		return lines
	}
	return w.lines
}

// shortenJSONLines treats lines as the elements of one list.
func shortenJSONLines(lines []line) []line {
	elements := newElementList(firstElements + 1)
	read := make([]line, 0, len(lines))
	for _, l := range lines {
		w := &jsonWriter{text: l.text}
		w.space()
		if l.text == "" || !w.value("", 0) {
			read = append(read, l)
			continue
		}
		short := line{text: inOneLine(w.lines), lines: 1}
		switch elements.judge(w) {
		case failure:
			short.rank = failure
		case dropped:
			short.drop(elementGroup, 1+l.repeats)
		default:
			short.repeats = l.repeats
		}
		read = append(read, short)
	}
	return read
}

const elementGroup = elements

// elementList knows what the elements of a list were like so far.
type elementList struct {
	first  int // elements that stay
	seen   int
	shapes map[string]bool
}

func newElementList(first int) *elementList { return &elementList{first: first} }

// judge tells what becomes of the element that a writer just read.
func (e *elementList) judge(w *jsonWriter) rank {
	e.seen++
	shape := w.shape.String()
	isNew := !e.shapes[shape] && len(e.shapes) < mostShapes
	if isNew {
		if e.shapes == nil {
			e.shapes = map[string]bool{}
		}
		e.shapes[shape] = true
	}
	switch {
	case w.isBad:
		return failure
	case isNew || e.seen <= e.first:
		return plain
	}
	return dropped
}

// jsonWriter reads a document once, and writes what stays of it as lines. What an element had that is a failure, and its shape
// (keys, and the values of those that tell of a state), are collected on the way.
type jsonWriter struct {
	text  string
	at    int
	lines []line
	isBad bool // the element holds an error
	shape strings.Builder
}

func (w *jsonWriter) space() {
	for w.at < len(w.text) && strings.IndexByte(" \t\r\n", w.text[w.at]) >= 0 {
		w.at++
	}
}

// value reads a value and writes it behind a label. It tells whether there was one.
func (w *jsonWriter) value(label string, depth int) bool {
	if w.at >= len(w.text) || depth > maxDepth {
		return false
	}
	switch w.text[w.at] {
	case '{':
		return w.object(label, depth)
	case '[':
		return w.list(label, depth)
	}
	start := w.at
	if !w.scalar() {
		return false
	}
	if value := w.text[start:w.at]; !w.isBad && value[0] == '"' && isErrorText(value) {
		w.isBad = true
	}
	w.write(label+shortText(w.text[start:w.at], w.isBad), depth)
	return true
}

func (w *jsonWriter) write(text string, depth int) {
	const mostIndent = 20
	rank := plain
	if w.isBad {
		rank = failure
	}
	w.lines = append(w.lines, line{text: strings.Repeat(" ", min(depth, mostIndent)) + text, rank: rank, lines: 1})
}

// scalar passes a text, number or word.
func (w *jsonWriter) scalar() bool {
	if w.text[w.at] == '"' {
		end := stringEnd(w.text, w.at)
		isText := end > w.at
		w.at = max(end, w.at)
		return isText
	}
	start := w.at
	for w.at < len(w.text) && strings.IndexByte(" \t\r\n,:{}[]\"", w.text[w.at]) < 0 {
		w.at++
	}
	return w.at > start
}

// stringEnd is behind the closing quotes, or 0.
func stringEnd(text string, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}

func shortText(text string, isBad bool) string {
	most := mostCharacters
	if isBad {
		most *= 20
	}
	if len(text) <= most || text[0] != '"' {
		return text
	}
	characters := utf8.RuneCountInString(text)
	if characters <= most {
		return text
	}
	cut := 0
	for range most * 2 / 3 {
		_, size := utf8.DecodeRuneInString(text[cut:])
		cut += size
	}
	return text[:cut] + "… " + counted(characters-most*2/3-1, characterGroup) + `"`
}

// close ends a list or an object that began at a line: short ones are put into that line.
func (w *jsonWriter) close(start int, sign string, depth int) {
	w.write(sign, depth)
	characters := 0
	for _, l := range w.lines[start:] {
		if l.rank != dropped {
			characters += len(l.text)
		}
		if characters > shortCharacters {
			return
		}
	}
	one := line{text: strings.Repeat(" ", indentOf(w.lines[start].text)) + inOneLine(w.lines[start:]), lines: 1}
	for _, l := range w.lines[start:] {
		if l.rank != dropped {
			one.rank = max(one.rank, l.rank)
		}
	}
	w.lines = append(w.lines[:start], one)
}

// inOneLine joins lines that follow each other in a document.
func inOneLine(lines []line) string {
	var b strings.Builder
	for i, l := range lines {
		text := strings.TrimLeft(l.text, " ")
		if l.rank == dropped {
			text = strings.TrimSuffix(runMarker(lines[i:i+1]), "\n")
		}
		if i > 0 && text != "}" && text != "]" && !strings.HasSuffix(lines[i-1].text, "{") && !strings.HasSuffix(lines[i-1].text, "[") {
			b.WriteString(", ")
		}
		b.WriteString(text)
	}
	return b.String()
}

func (w *jsonWriter) list(label string, depth int) bool {
	start := len(w.lines)
	w.write(label+"[", depth)
	w.at++
	elements, values := newElementList(firstElements), 0
	for {
		w.space()
		if w.at >= len(w.text) {
			return false
		}
		if w.text[w.at] == ']' {
			w.at++
			w.close(start, "]", depth)
			return true
		}
		if w.text[w.at] == '{' || w.text[w.at] == '[' {
			if !w.element(elements, depth) {
				return false
			}
		} else {
			values++
			if !w.item(values, depth) {
				return false
			}
		}
		if !w.comma(']') {
			return false
		}
	}
}

// element reads a list or an object within a list, and takes it back if it is like those before.
func (w *jsonWriter) element(elements *elementList, depth int) bool {
	start, outer, wasBad := len(w.lines), w.shape, w.isBad
	w.shape, w.isBad = strings.Builder{}, false
	if !w.value("", depth+1) {
		return false
	}
	switch verdict := elements.judge(w); {
	case verdict == dropped:
		w.leaveOut(start)
	case verdict == failure && len(w.lines)-start < mostFailureLines:
		for i := start; i < len(w.lines); i++ {
			w.lines[i].raise(failure)
		}
	}
	w.shape, w.isBad = outer, wasBad || w.isBad
	return true
}

// leaveOut takes back the lines from one on, and counts one more that is left out there.
func (w *jsonWriter) leaveOut(start int) {
	w.lines = w.lines[:start]
	if last := start - 1; w.lines[last].rank == dropped {
		w.lines[last].count++
		return
	}
	w.lines = append(w.lines, line{text: strings.Repeat(" ", shortCharacters), rank: dropped, group: elements, count: 1})
}

func (w *jsonWriter) item(number, depth int) bool {
	start, isOut := len(w.lines), number > firstValues
	from := w.at
	if !w.scalar() {
		return false
	}
	if isOut && !isError(w.text[from:min(w.at, from+mostCharacters)]) {
		w.leaveOut(start)
		return true
	}
	isBad := w.isBad || isErrorText(w.text[from:w.at])
	w.write(shortText(w.text[from:w.at], isBad), depth+1)
	w.isBad = isBad
	return true
}

// comma passes what is behind a member.
func (w *jsonWriter) comma(closing byte) bool {
	w.space()
	if w.at < len(w.text) && w.text[w.at] == ',' {
		w.at++
		return true
	}
	return w.at < len(w.text) && w.text[w.at] == closing
}
