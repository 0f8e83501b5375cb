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
		if section.Type != "code" || bytes > maxFlatBytes {
			continue
		}
		lines := d.flatten(section)
		for _, line := range lines {
			bytes += len(line.Text)
		}
		data = append(data, lines...)
	}
	for i, lines := range share(passages, data) {
		passages[i].addLines(lines)
	}
}

// flatten gives the lines of a block of data, with their lines in the file; none where it is no data.
func (d *document) flatten(block note.Section) []note.FlatLine {
	first := d.Text[d.lineStart(block.LineStart):d.lineStart(block.LineStart+1)]
	opened, ok := fenceOf(readLine(first))
	info := strings.FieldsFunc(strings.TrimLeft(first, " \t`~"), func(c rune) bool { return unicode.IsSpace(c) || c == '{' || c == ',' })
	if !ok || len(info) == 0 || languages[strings.ToLower(info[0])] == "" {
		return nil
	}
	end := block.LineEnd
	if opened.isClosedBy(readLine(d.Text[d.lineStart(end):d.lineStart(end+1)])) {
		end--
	}
	text := d.Text[d.lineStart(block.LineStart+1):max(d.lineStart(block.LineStart+1), d.lineStart(end+1))]
	lines, _ := note.FlattenData(languages[strings.ToLower(info[0])], text)
	for i := range lines {
		lines[i].Line += block.LineStart + 1
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
		for next+holders < len(passages) && passages[next+holders].LineStart <= line {
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
