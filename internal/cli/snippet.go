package cli

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"quarry"
)

const trailSign = " › "

// trail is a passage's title and headings, without the title's own heading.
func trail(r quarry.SearchResult) []string {
	headings := r.HeadingPath
	if len(headings) > 0 && strings.EqualFold(strings.TrimSpace(headings[0]), strings.TrimSpace(r.Title)) {
		headings = headings[1:]
	}
	return append([]string{r.Title}, headings...)
}

// head is the trail in one row of the terminal: headings in the middle make room first.
func (a *app) head(r quarry.SearchResult) string {
	parts := trail(r)
	head := func() string { return printable(oneLine(strings.Join(parts, trailSign))) }
	if !a.io.OutTerminal {
		return head()
	}
	for cut := false; len(parts) > 2 && runewidth.StringWidth(head()) > a.width()-indent; cut = true {
		if cut {
			if len(parts) == 3 {
				break
			}
			parts = append(parts[:1:1], parts[2:]...)
		}
		parts[1] = "…"
	}
	return cutMiddle(head(), a.width()-indent)
}

// Rows that are shown of a passage: more where they are short.
const (
	snippetRows       = 3
	snippetRowsNarrow = 4
	narrowColumns     = 60
)

// snippetRows is how many rows are shown of a passage.
func (a *app) snippetRows() int {
	if a.width() < narrowColumns {
		return snippetRowsNarrow
	}
	return snippetRows
}

// snippet is what is shown of a passage.
type snippet struct {
	rows    []string
	hitLine int // of the passage, 0-based, the one with most of the words, or the first that is shown; -1 where nothing is
}

// textRow is a row of a passage on the screen.
type textRow struct {
	text    string
	line    int  // of the passage, 0-based
	heading bool // one of the headings that the passage begins with
	code    bool // within a fence
	words   []int
}

// snippet shows the rows of a text where the words that tell most meet.
func (a *app) snippet(text string, words []queryWord) snippet {
	rows := rowsOf(printable(text), a.width()-indent)
	weights := findWords(rows, words)
	rows = withoutHeadings(rows)
	count := a.snippetRows()
	start := bestWindow(rows, weights, count)
	end := min(start+count, len(rows))
	start = behindCode(rows, start, end)
	shown := snippet{hitLine: -1}
	best := 0.0
	for i := start; i < end; i++ {
		shown.rows = append(shown.rows, rows[i].text)
		if weight := windowWeight(rows[i:i+1], weights); weight > best || shown.hitLine < 0 {
			shown.hitLine, best = rows[i].line, weight
		}
	}
	if end < len(rows) && len(shown.rows) > 0 {
		shown.rows[len(shown.rows)-1] += " …"
	}
	return shown
}

// behindCode is the first of some rows that says something: not the tail of a piece of code before prose.
func behindCode(rows []textRow, start, end int) int {
	first := start
	for first < end && rows[first].code && len(rows[first].words) == 0 {
		first++
	}
	if first == end || rows[first].code {
		return start
	}
	return first
}

// findWords fills in which words each row has, and gives what each is worth in this text: its weight, a little less where many rows
// have it.
func findWords(rows []textRow, words []queryWord) []float64 {
	weights := make([]float64, len(words))
	for i := range rows {
		plain := plainWord(rows[i].text)
		for w, word := range words {
			if holdsWord(plain, word.text) {
				rows[i].words = append(rows[i].words, w)
				weights[w]++
			}
		}
	}
	for w, count := range weights {
		weights[w] = words[w].weight * (1 + 1/(1+count)) / 2
	}
	return weights
}

// holdsWord tells whether a row has a word, or one that begins with it; of scripts without spaces, wherever it stands.
func holdsWord(row, word string) bool {
	for at := 0; word != ""; {
		i := strings.Index(row[at:], word)
		if i < 0 {
			return false
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(row[:at])
		after, _ := utf8.DecodeRuneInString(row[at+len(word):])
		if isUnspaced(word) || (at == 0 || !isWordRune(before)) && (isBeginning(word) || at+len(word) == len(row) || !isWordRune(after)) {
			return true
		}
		at += len(word)
	}
	return false
}

// isBeginning tells whether a word is long enough to stand for those that begin with it.
func isBeginning(word string) bool { return len(word) > 3 }

// firstUnspaced is the first character of Thai, below which lie the scripts that put spaces between words.
const firstUnspaced = 0x0e00

func isUnspaced(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return first >= firstUnspaced
}

// withoutHeadings drops the headings at the beginning, which the head shows, unless they alone have words of the query.
func withoutHeadings(rows []textRow) []textRow {
	first, inHeadings, below := 0, false, false
	for i, row := range rows {
		switch {
		case row.heading:
			first = i + 1
			inHeadings = inHeadings || len(row.words) > 0
		case len(row.words) > 0:
			below = true
		}
	}
	if first == len(rows) || inHeadings && !below {
		return rows
	}
	return rows[first:]
}

// bestWindow is the first row of the best stretch: of those with most of the words the one that begins with most of them, but one row
// before where a sentence goes on from there, and at most so far that the stretch is full.
func bestWindow(rows []textRow, weights []float64, count int) int {
	window := func(i int) float64 { return windowWeight(rows[i:min(i+count, len(rows))], weights) }
	start, best, first := 0, 0.0, 0.0
	for i := range rows {
		all, own := window(i), windowWeight(rows[i:i+1], weights)
		if all > best || all == best && own > first {
			start, best, first = i, all, own
		}
	}
	if start > 0 && best > 0 && rows[start-1].line == rows[start].line && window(start-1) >= best {
		start--
	}
	return min(start, max(len(rows)-count, 0))
}

// codeShare is what a word counts that stands in code alone.
const codeShare = .8

// windowWeight adds up the weights of the distinct words in some rows.
func windowWeight(rows []textRow, weights []float64) float64 {
	sum, counted := 0.0, map[int]float64{}
	for _, row := range rows {
		share := 1.0
		if row.code {
			share = codeShare
		}
		for _, w := range row.words {
			if before := counted[w]; share > before {
				counted[w] = share
				sum += (share - before) * weights[w]
			}
		}
	}
	return sum
}

// rowsOf breaks a text into rows: each line of it begins a new one, blank lines, rulers of tables and fences are left out.
func rowsOf(text string, width int) []textRow {
	var rows []textRow
	heads, fences := true, fenceReader{}
	for number, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(strings.ReplaceAll(line, "\t", "  "), " \r")
		inCode, isFence := fences.next(line)
		if isFence || strings.Trim(line, " |:-`~") == "" {
			continue
		}
		heads = heads && !inCode && isHeading(line)
		for _, row := range wrap(line, width) {
			rows = append(rows, textRow{text: row, line: number, heading: heads, code: inCode})
		}
	}
	return rows
}

// fenceReader tells, line by line, what stands between fences of code.
type fenceReader struct{ fence string } // that is open, "" for none

func (f *fenceReader) next(line string) (inCode, isFence bool) {
	line = strings.TrimLeft(line, " >")
	mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]
	if mark == "" {
		mark = line[:len(line)-len(strings.TrimLeft(line, "~"))]
	}
	switch {
	case f.fence == "" && len(mark) >= 3 && !strings.Contains(line[len(mark):], "`"):
		f.fence = mark
		return true, true
	case f.fence != "" && strings.HasPrefix(mark, f.fence) && strings.TrimSpace(line[len(mark):]) == "":
		f.fence = ""
		return true, true
	}
	return f.fence != "", false
}

func isHeading(line string) bool {
	text := strings.TrimLeft(line, "#")
	return len(text) < len(line) && len(line)-len(text) <= 6 && (text == "" || text[0] == ' ')
}

// mark highlights the words of the query in a line: a word counts if it begins with one of them.
func (a *app) mark(line string, words []queryWord) string {
	if !a.usesColor() || len(words) == 0 {
		return line
	}
	var b strings.Builder
	for line != "" {
		at := strings.IndexFunc(line, isWordRune)
		if at < 0 {
			break
		}
		b.WriteString(line[:at])
		line = line[at:]
		end := strings.IndexFunc(line, func(r rune) bool { return !isWordRune(r) })
		if end < 0 {
			end = len(line)
		}
		b.WriteString(markWord(line[:end], words))
		line = line[end:]
	}
	b.WriteString(line)
	return b.String()
}

// markWord highlights a word. One in a script without spaces is a clause, of which the query's word alone is highlighted.
func markWord(word string, words []queryWord) string {
	if isMarked(words, word) {
		return styleMark + word + styleEnd
	}
	return markInside(word, words)
}

// markInside highlights what belongs to a word of the query; of several that overlap, as pairs do, the stretch as a whole.
func markInside(word string, words []queryWord) string {
	marked := make([]bool, len(word))
	for _, w := range words {
		for at := 0; w.text != "" && isUnspaced(w.text); at++ {
			i := strings.Index(word[at:], w.text)
			if i < 0 {
				break
			}
			at += i
			for k := at; k < at+len(w.text); k++ {
				marked[k] = true
			}
		}
	}
	var b strings.Builder
	for i := range len(word) {
		if marked[i] && (i == 0 || !marked[i-1]) {
			b.WriteString(styleMark)
		}
		b.WriteByte(word[i])
		if marked[i] && (i+1 == len(word) || !marked[i+1]) {
			b.WriteString(styleEnd)
		}
	}
	return b.String()
}

func isMarked(words []queryWord, word string) bool {
	word = plainWord(word)
	for _, w := range words {
		if word == w.text || isBeginning(w.text) && !isUnspaced(w.text) && strings.HasPrefix(word, w.text) {
			return true
		}
	}
	return false
}

func isWordRune(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.M) }
