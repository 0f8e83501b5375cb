package chunk

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quarry/note"
)

// maxFlatBytes bounds what is flattened of one note: keys stand anew in every line.
const maxFlatBytes = 8 << 20

// languages of fenced data, and what they are flattened as. Comments and other liberties leave them as they are.
var languages = map[string]string{
	"json": "json", "json5": "json", "jsonc": "json", "jsonl": "jsonl", "ndjson": "jsonl", "geojson": "json",
	"yaml": "yaml", "yml": "yaml", "toml": "toml",
}

// addData gives every passage the lines of the fenced data in it, flattened.
func (d *document) addData(passages []Passage) {
	var data []note.FlatLine
	bytes := 0
	for _, section := range d.Sections {
		for _, block := range d.dataIn(section) {
			if bytes > maxFlatBytes {
				break
			}
			lines := block.flatten(d.Note)
			for _, line := range lines {
				bytes += len(line.Text)
			}
			data = append(data, lines...)
		}
	}
	for i, lines := range share(passages, data) {
		passages[i].addLines(lines)
	}
}

// dataBlock is the inside of a fence of data.
type dataBlock struct {
	language string
	text     []byte
	line     int // the first of it
}

// dataIn gives the fences of data of a top-level block: itself, or those within a list, a quote or a callout.
func (d *document) dataIn(section note.Section) []dataBlock {
	if !d.mayHoldData(section) {
		return nil
	}
	var blocks []dataBlock
	var opened fence
	isData := false
	for line := section.LineStart; line <= section.LineEnd; line++ {
		text := strings.TrimRight(d.shown(d.lineStart(line), d.lineStart(line+1)), "\r\n")
		l := readLine(text)
		switch {
		case opened.isOpen && opened.isClosedBy(l):
			opened, isData = fence{}, false
			continue
		case opened.isOpen && section.Type != "code" && opened.isLeft(l):
			opened, isData = fence{}, false
		}
		switch {
		case isData:
			last := &blocks[len(blocks)-1]
			last.text = append(append(last.text, opened.inside(text)...), '\n')
		case !opened.isOpen && (section.Type != "code" || line == section.LineStart):
			opened, _ = fenceOf(l)
			if language := languageOf(l.content); opened.isOpen && language != "" {
				blocks = append(blocks, dataBlock{language: language, line: line + 1})
				isData = true
			}
		}
	}
	return blocks
}

// mayHoldData leaves out most blocks at little cost.
func (d *document) mayHoldData(block note.Section) bool {
	start := d.lineStart(block.LineStart)
	switch block.Type {
	case "code":
		return languageOf(readLine(d.Text[start:d.lineStart(block.LineStart+1)]).content) != ""
	case "list", "blockquote", "callout":
		text := d.Text[start:max(start, d.lineStart(block.LineEnd+1))]
		return strings.Contains(text, "```") || strings.Contains(text, "~~~")
	}
	return false
}

// languageOf gives what the text behind a fence is flattened as, "" if it is no data.
func languageOf(opening string) string {
	info := opening[max(strings.LastIndexByte(opening, '`'), strings.LastIndexByte(opening, '~'))+1:]
	words := strings.FieldsFunc(info, func(c rune) bool { return unicode.IsSpace(c) || c == '{' || c == ',' })
	if len(words) == 0 {
		return ""
	}
	return languages[strings.ToLower(words[0])]
}

// inside gives a line within a fence without the margin of the list or quote that holds the fence.
func (f fence) inside(line string) string {
	for range f.quotes {
		if content := strings.TrimLeft(line, " \t"); strings.HasPrefix(content, ">") {
			line = content[1:]
		}
	}
	for indent := 0; indent < f.indent && line != ""; line = line[1:] {
		switch line[0] {
		case ' ':
			indent++
		case '\t':
			indent += 4
		default:
			return line
		}
	}
	return line
}

// flatten gives the lines of the data, with their lines in the file; none where it is no data.
func (b dataBlock) flatten(n *note.Note) []note.FlatLine {
	lines, _ := n.FlattenData(b.language, string(b.text))
	for i := range lines {
		lines[i].Line += b.line
	}
	slices.SortStableFunc(lines, func(a, b note.FlatLine) int { return a.Line - b.Line })
	return lines
}

// share tells which lines each passage holds. What stands on one line of the file that was cut is dealt out evenly.
func share(passages []Passage, lines []note.FlatLine) map[int][]note.FlatLine {
	shares := map[int][]note.FlatLine{}
	next := 0
	for start, end := 0, 0; start < len(lines); start = end {
		line := lines[start].Line
		for end = start; end < len(lines) && lines[end].Line == line; {
			end++
		}
		for next < len(passages) && passages[next].LineEnd < line {
			next++
		}
		holders := 0
		for next+holders < len(passages) && passages[next+holders].stretch.line <= line {
			holders++
		}
		for i := range holders {
			shares[next+i] = append(shares[next+i], lines[start+(end-start)*i/holders:start+(end-start)*(i+1)/holders]...)
		}
	}
	return shares
}

// addLines adds what flattened lines say beyond the text of a passage: a path of keys, a word that was spelled otherwise.
func (p *Passage) addLines(lines []note.FlatLine) {
	words := wordsOf(p.Text)
	var further []string
	for _, line := range lines {
		path, _, _ := strings.Cut(line.Text, ": ")
		if strings.ContainsAny(path, ".[") || !isKnown(words, line.Text) {
			further = append(further, line.Text)
		}
	}
	p.addIndexText(further)
}

// addIndexText adds lines as far as there is room.
func (p *Passage) addIndexText(lines []string) {
	var text strings.Builder
	text.WriteString(p.IndexText)
	size := utf8.RuneCountInString(p.IndexText)
	for _, line := range lines {
		if size += utf8.RuneCountInString(line) + 1; size > MaxCharacters {
			break
		}
		text.WriteString("\n" + line)
	}
	p.IndexText = strings.TrimLeft(text.String(), "\n")
}

func wordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsFuncSeq(text, isNoWord) {
		words[word] = true
	}
	return words
}

func isKnown(words map[string]bool, text string) bool {
	for word := range strings.FieldsFuncSeq(text, isNoWord) {
		if !words[word] {
			return false
		}
	}
	return true
}

func isNoWord(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsNumber(c) && !unicode.IsMark(c) }
