package cli

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"quarry"
)

// ANSI colours, used on a terminal alone.
const (
	styleTitle = "\x1b[1m"
	stylePath  = "\x1b[36m"
	styleFaint = "\x1b[2m"
	styleMark  = "\x1b[1;33m"
	styleEnd   = "\x1b[0m"
)

func (a *app) usesColor() bool {
	return a.io.OutTerminal && !a.flags.noColor && a.io.Env("NO_COLOR") == "" && a.io.Env("TERM") != "dumb"
}

func (a *app) style(style, text string) string {
	if !a.usesColor() || text == "" {
		return text
	}
	return style + text + styleEnd
}

// printAnswer writes an answer in one of the formats that are not a JSON document.
func (a *app) printAnswer(answer quarry.SearchAnswer, format string) error {
	switch format {
	case "jsonl":
		for _, r := range answer.Results {
			if err := writeJSON(a.io.Out, r); err != nil {
				return err
			}
		}
	case "csv":
		if err := a.printCSV(answer); err != nil {
			return err
		}
	case "md":
		a.printMarkdown(answer)
	case "paths":
		a.printPaths(answer)
	default:
		a.printText(answer)
	}
	a.explainEmpty(answer)
	return nil
}

func (a *app) explainEmpty(answer quarry.SearchAnswer) {
	switch answer.Status {
	case quarry.StatusEmptyIndex:
		a.notice("The index is empty. `quarry status` says what was skipped, `quarry index` reads the vault again.")
	case quarry.StatusNoResults:
		a.notice("Nothing found. Try fewer or other words, `--mode vector` for meaning alone, or fewer filters.")
	case quarry.StatusWeak:
		a.notice("The match is weak: the notes may not speak of this.")
	}
}

func (a *app) printCSV(answer quarry.SearchAnswer) error {
	w := csv.NewWriter(a.io.Out)
	rows := [][]string{{"file_path", "title", "section", "line_start", "line_end", "score", "chunk_id", "docid", "chunk_text"}}
	for _, r := range answer.Results {
		rows = append(rows, []string{
			a.screen(r.FilePath), a.screen(r.Title), a.screen(r.Section), strconv.Itoa(r.LineStart), strconv.Itoa(r.LineEnd),
			strconv.FormatFloat(r.Score, 'f', -1, 64), a.screen(r.ChunkID), r.DocID, a.screen(r.ChunkText),
		})
	}
	return w.WriteAll(rows)
}

func (a *app) printMarkdown(answer quarry.SearchAnswer) {
	for _, r := range answer.Results {
		fmt.Fprintf(a.io.Out, "## %s\n\n`%s:%d` · score %.2f\n\n%s\n\n", printable(oneLine(trail(r))), oneLinePath(r.FilePath), r.LineStart, r.Score, printable(r.ChunkText))
	}
}

// printPaths writes each note once, at its best passage's place.
func (a *app) printPaths(answer quarry.SearchAnswer) {
	seen := map[string]bool{}
	for _, r := range answer.Results {
		if !seen[r.FilePath] {
			seen[r.FilePath] = true
			fmt.Fprintln(a.io.Out, oneLinePath(r.FilePath))
		}
	}
}

func (a *app) printText(answer quarry.SearchAnswer) {
	words := markedWords(answer)
	for i, r := range answer.Results {
		if i > 0 {
			fmt.Fprintln(a.io.Out)
		}
		stale := ""
		if r.Stale {
			stale = " · changed since it was indexed"
		}
		fmt.Fprintf(a.io.Out, "%2d. %s\n    %s%s\n", i+1, a.style(styleTitle, printable(oneLine(trail(r)))),
			a.style(stylePath, fmt.Sprintf("%s:%d", oneLinePath(r.FilePath), r.LineStart)),
			a.style(styleFaint, fmt.Sprintf(" · score %.2f · #%s%s", r.Score, r.DocID, stale)))
		for _, line := range a.snippet(r.ChunkText, words) {
			fmt.Fprintf(a.io.Out, "    %s\n", a.mark(line, words))
		}
		if r.Explain != nil {
			a.printExplain(r)
		}
	}
	if answer.Plan != nil {
		a.printPlan(answer.Plan)
	}
}

// markedWords are the words of the query that carry it: those left out as too common are not marked.
func markedWords(answer quarry.SearchAnswer) []string {
	words := strings.FieldsFunc(strings.ToLower(answer.Query), func(r rune) bool { return !isWordRune(r) })
	if len(answer.Terms) > 0 {
		return answer.Terms
	}
	return words
}

// trail is "Title › Section", the headings in between left out.
func trail(r quarry.SearchResult) string {
	if r.Section == "" || r.Section == r.Title {
		return r.Title
	}
	return r.Title + " › " + r.Section
}

func (a *app) printExplain(r quarry.SearchResult) {
	var parts []string
	for _, c := range r.Explain.Contributions {
		parts = append(parts, fmt.Sprintf("%s %.5f", c.Name, c.Amount))
	}
	raw := ""
	if r.Explain.BM25 != nil {
		raw += fmt.Sprintf(" · bm25 %.3f, rank %d", *r.Explain.BM25, *r.BM25Rank)
	}
	if r.Explain.Cosine != nil {
		raw += fmt.Sprintf(" · cosine %.3f, rank %d", *r.Explain.Cosine, *r.VecRank)
	}
	fmt.Fprintln(a.io.Out, a.style(styleFaint, fmt.Sprintf("    = %s = %.5f%s", strings.Join(parts, " + "), r.Explain.Score, raw)))
}

func (a *app) printPlan(p *quarry.SearchPlan) {
	var b strings.Builder
	fmt.Fprintf(&b, "\nplan: %s, %s (k %d, weights %g and %g, top %d of %d passages)", p.Mode, p.Fusion, p.K, p.LexicalWeight, p.VectorWeight, p.Depth, p.Passages)
	if p.Selected != nil {
		fmt.Fprintf(&b, ", filters let %d through", *p.Selected)
	}
	for _, t := range p.Terms {
		fmt.Fprintf(&b, "\n  %s: in %d passages, idf %.2f", t.Text, t.Frequency, t.IDF)
	}
	for _, t := range p.Dropped {
		fmt.Fprintf(&b, "\n  %s: in %d passages, left out as too common", t.Text, t.Frequency)
	}
	for _, t := range p.Timings {
		fmt.Fprintf(&b, "\n  %s: %.2f ms", t.Stage, t.Milliseconds)
	}
	fmt.Fprintln(a.io.Out, a.style(styleFaint, printable(b.String())))
}

const (
	snippetRows  = 3
	defaultWidth = 100 // columns, where there is no terminal to ask
	minWidth     = 40
	indent       = 4
)

// snippet is the stretch of a text where most of the words meet: a few rows, its own lines where they fit.
func (a *app) snippet(text string, words []string) []string {
	rows := rowsOf(printable(text), a.width()-indent)
	start, best := 0, -1
	for i := range rows {
		window := strings.ToLower(strings.Join(rows[i:min(i+snippetRows, len(rows))], " "))
		count := 0
		for _, w := range words {
			if len(w) > 2 && strings.Contains(window, w) {
				count++
			}
		}
		if count > best {
			start, best = i, count
		}
	}
	end := min(start+snippetRows, len(rows))
	shown := slices.Clone(rows[start:end])
	if end < len(rows) && len(shown) > 0 {
		shown[len(shown)-1] += " …"
	}
	return shown
}

// width is that of the terminal, with room for "…".
func (a *app) width() int {
	if a.io.Width == nil {
		return defaultWidth
	}
	if columns := a.io.Width() - 2; columns > 0 {
		return max(columns, minWidth)
	}
	return defaultWidth
}

// rowsOf breaks a text into rows: each line of it begins a new one, blank lines, rulers of tables and fences are left out.
func rowsOf(text string, width int) []string {
	var rows []string
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(strings.ReplaceAll(line, "\t", "  "), " \r")
		if strings.Trim(line, " |:-`~") == "" {
			continue
		}
		rows = append(rows, wrap(line, width)...)
	}
	return rows
}

// wrap breaks a line at spaces, and anywhere in a word that is wider than the row. Wide characters take two columns.
func wrap(line string, width int) []string {
	var rows []string
	for line != "" {
		end, columns, space := len(line), 0, -1
		for at, r := range line {
			if columns += runewidth.RuneWidth(r); columns > width {
				end = at
				break
			}
			if r == ' ' {
				space = at
			}
		}
		if end < len(line) && space > 0 {
			end = space
		}
		end = max(end, firstRune(line)) // one character a row at least
		rows = append(rows, strings.TrimRight(line[:end], " "))
		line = strings.TrimLeft(line[end:], " ")
	}
	return rows
}

func firstRune(s string) int {
	_, size := utf8.DecodeRuneInString(s)
	return size
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
	for _, w := range words {
		if first, _ := utf8.DecodeRuneInString(w); first >= firstUnspaced {
			word = strings.ReplaceAll(word, w, styleMark+w+styleEnd)
		}
	}
	return word
}

// firstUnspaced is the first character of Thai, below which lie the scripts that put spaces between words.
const firstUnspaced = 0x0e00

func isMarked(words []string, word string) bool {
	word = strings.ToLower(word)
	for _, w := range words {
		if len(w) > 2 && word == w || len(w) > 3 && strings.HasPrefix(word, w) {
			return true
		}
	}
	return false
}

func isWordRune(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.M) }
