package cli

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
	"golang.org/x/text/unicode/norm"

	"quarry"
)

// markedWords are the words of the query that carry it: those left out as too common are not marked. Where the words were
// not asked for, those of one or two letters are left out, which are hardly ever what a text is about.
func markedWords(answer quarry.SearchAnswer) []string {
	if len(answer.Terms) > 0 {
		return plainWords(answer.Terms)
	}
	var words []string
	for _, w := range strings.FieldsFunc(answer.Query, func(r rune) bool { return !isWordRune(r) }) {
		if len(w) > 2 || strings.Trim(w, "0123456789") == "" {
			words = append(words, w)
		}
	}
	return plainWords(words)
}

func plainWords(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = withoutEnding(plainWord(w))
	}
	return out
}

// withoutEnding cuts the endings of English that searching cuts, as far as a word remains that others can begin with.
func withoutEnding(word string) string {
	for _, ending := range []string{"ations", "ation", "ings", "ing", "ies", "ied", "es", "ed", "s", "e", "y"} {
		if rest, has := strings.CutSuffix(word, ending); has && isBeginning(rest) {
			return rest
		}
	}
	return word
}

// plainWord is a word as the full-text index compares it: lower case, without accents.
func plainWord(word string) string {
	for i := range len(word) {
		if word[i] < utf8.RuneSelf {
			continue
		}
		return norm.NFC.String(strings.Map(func(r rune) rune {
			if r >= 0x300 && r < 0x370 { // accents alone: marks of other scripts are vowels
				return -1
			}
			return unicode.ToLower(r)
		}, norm.NFD.String(word)))
	}
	return strings.ToLower(word)
}

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

const snippetRows = 3

// snippet is what is shown of a passage.
type snippet struct {
	rows    []string
	hitLine int // of the passage, 0-based, the one with most of the words; -1 where none has any
}

// textRow is a row of a passage on the screen.
type textRow struct {
	text    string
	line    int  // of the passage, 0-based
	heading bool // one of the headings that the passage begins with
	words   []int
}

// snippet shows the rows of a text where most of the words meet. A word that few rows have counts for more.
func (a *app) snippet(text string, words []string) snippet {
	rows := rowsOf(printable(text), a.width()-indent)
	weights := findWords(rows, words)
	rows = withoutHeadings(rows)
	start := bestWindow(rows, weights)
	end := min(start+snippetRows, len(rows))
	shown := snippet{hitLine: -1}
	best := 0.0
	for i := start; i < end; i++ {
		shown.rows = append(shown.rows, rows[i].text)
		if weight := windowWeight(rows[i:i+1], weights); weight > best {
			shown.hitLine, best = rows[i].line, weight
		}
	}
	if end < len(rows) && len(shown.rows) > 0 {
		shown.rows[len(shown.rows)-1] += " …"
	}
	return shown
}

// findWords fills in which words each row has, and gives the weight of each word.
func findWords(rows []textRow, words []string) []float64 {
	weights := make([]float64, len(words))
	for i := range rows {
		plain := plainWord(rows[i].text)
		for w, word := range words {
			if holdsWord(plain, word) {
				rows[i].words = append(rows[i].words, w)
				weights[w]++
			}
		}
	}
	for w, count := range weights {
		weights[w] = 1 / (1 + count)
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

// bestWindow is the first row of the best stretch: as far down as it can begin, but one before where a sentence goes on from
// there, and at most so far that the stretch is full.
func bestWindow(rows []textRow, weights []float64) int {
	window := func(i int) float64 { return windowWeight(rows[i:min(i+snippetRows, len(rows))], weights) }
	start, best := 0, 0.0
	for i := range rows {
		if weight := window(i); weight > best {
			start, best = i, weight
		}
	}
	if best == 0 {
		return 0
	}
	for start+1 < len(rows) && window(start+1) >= best {
		start++
	}
	if start > 0 && rows[start-1].line == rows[start].line && window(start-1) >= best {
		start--
	}
	return min(start, max(len(rows)-snippetRows, 0))
}

// windowWeight adds up the weights of the distinct words in some rows.
func windowWeight(rows []textRow, weights []float64) float64 {
	sum, seen := 0.0, map[int]bool{}
	for _, row := range rows {
		for _, w := range row.words {
			if !seen[w] {
				seen[w] = true
				sum += weights[w]
			}
		}
	}
	return sum
}

// rowsOf breaks a text into rows: each line of it begins a new one, blank lines, rulers of tables and fences are left out.
func rowsOf(text string, width int) []textRow {
	var rows []textRow
	heads := true
	for number, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(strings.ReplaceAll(line, "\t", "  "), " \r")
		if strings.Trim(line, " |:-`~") == "" {
			continue
		}
		heads = heads && isHeading(line)
		for _, row := range wrap(line, width) {
			rows = append(rows, textRow{text: row, line: number, heading: heads})
		}
	}
	return rows
}

func isHeading(line string) bool {
	text := strings.TrimLeft(line, "#")
	return len(text) < len(line) && len(line)-len(text) <= 6 && (text == "" || text[0] == ' ')
}

// fileLine is the line of the file where a line of a passage stands, 0 where the passage does not tell: it begins with the
// header of its table where it is a piece of one, and may leave out lines.
func fileLine(r quarry.SearchResult, line int) int {
	lines := strings.Count(r.ChunkText, "\n") + 1
	surplus := lines - (r.LineEnd - r.LineStart + 1)
	switch {
	case line < 0, r.Stale, r.Truncated, !isMarkdown(r.FilePath):
	case surplus == 0:
		return r.LineStart + line
	case surplus == 2 && strings.HasPrefix(r.ChunkText, "|") && line >= surplus:
		return r.LineEnd - (lines - 1) + line
	}
	return 0
}

// mark highlights the words of the query in a line: a word counts if it begins with one of them.
func (a *app) mark(line string, words []string) string {
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
func markWord(word string, words []string) string {
	if isMarked(words, word) {
		return styleMark + word + styleEnd
	}
	return markInside(word, words)
}

// markInside highlights what belongs to a word of the query; of several that overlap, as pairs do, the stretch as a whole.
func markInside(word string, words []string) string {
	marked := make([]bool, len(word))
	for _, w := range words {
		for at := 0; w != "" && isUnspaced(w); at++ {
			i := strings.Index(word[at:], w)
			if i < 0 {
				break
			}
			at += i
			for k := at; k < at+len(w); k++ {
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

func isMarked(words []string, word string) bool {
	word = plainWord(word)
	for _, w := range words {
		if word == w || isBeginning(w) && !isUnspaced(w) && strings.HasPrefix(word, w) {
			return true
		}
	}
	return false
}

func isWordRune(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.M) }

// isMarkdown tells a note from a file whose passages are no lines of it.
func isMarkdown(file string) bool {
	file = strings.ToLower(file)
	return (strings.HasSuffix(file, ".md") || strings.HasSuffix(file, ".markdown")) && !strings.HasSuffix(file, ".excalidraw.md")
}
