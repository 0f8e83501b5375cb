package cli

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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
			if err := writeJSONLine(a.io.Out, r); err != nil {
				return err
			}
		}
		return nil
	case "csv":
		return a.printCSV(answer)
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
			r.FilePath, r.Title, r.Section, strconv.Itoa(r.LineStart), strconv.Itoa(r.LineEnd),
			strconv.FormatFloat(r.Score, 'f', -1, 64), r.ChunkID, r.DocID, r.ChunkText,
		})
	}
	return w.WriteAll(rows)
}

func (a *app) printMarkdown(answer quarry.SearchAnswer) {
	for _, r := range answer.Results {
		fmt.Fprintf(a.io.Out, "## %s\n\n`%s:%d` · score %.2f\n\n%s\n\n", oneLine(trail(r)), printable(r.FilePath), r.LineStart, r.Score, printable(r.ChunkText))
	}
}

// printPaths writes each note once, at its best passage's place.
func (a *app) printPaths(answer quarry.SearchAnswer) {
	seen := map[string]bool{}
	for _, r := range answer.Results {
		if !seen[r.FilePath] {
			seen[r.FilePath] = true
			fmt.Fprintln(a.io.Out, printable(r.FilePath))
		}
	}
}

func (a *app) printText(answer quarry.SearchAnswer) {
	words := strings.FieldsFunc(strings.ToLower(answer.Query), func(r rune) bool { return !isWordRune(r) })
	for i, r := range answer.Results {
		if i > 0 {
			fmt.Fprintln(a.io.Out)
		}
		stale := ""
		if r.Stale {
			stale = " · changed since it was indexed"
		}
		fmt.Fprintf(a.io.Out, "%2d. %s\n    %s%s\n", i+1, a.style(styleTitle, printable(oneLine(trail(r)))),
			a.style(stylePath, fmt.Sprintf("%s:%d", printable(r.FilePath), r.LineStart)),
			a.style(styleFaint, fmt.Sprintf(" · score %.2f · #%s%s", r.Score, r.DocID, stale)))
		for _, line := range snippet(r.ChunkText, words) {
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
	fmt.Fprintln(a.io.Out, a.style(styleFaint, b.String()))
}

const (
	snippetCharacters = 240
	snippetLine       = 100
)

// snippet is the stretch of a text around the first place where most of the words meet, wrapped to lines.
func snippet(text string, words []string) []string {
	flat := []rune(oneLine(printable(text)))
	start := 0
	if len(flat) > snippetCharacters {
		start = bestWindow(flat, words)
	}
	end := min(len(flat), start+snippetCharacters)
	cut := string(flat[start:end])
	if start > 0 {
		if _, rest, ok := strings.Cut(cut, " "); ok {
			cut = rest
		}
		cut = "…" + cut
	}
	if end < len(flat) {
		if at := strings.LastIndexByte(cut, ' '); at > len(cut)/2 {
			cut = cut[:at]
		}
		cut += "…"
	}
	return wrap(cut, snippetLine)
}

// bestWindow is the start of the window that holds most distinct words of the query.
func bestWindow(text []rune, words []string) int {
	lower := []rune(strings.ToLower(string(text)))
	if len(lower) != len(text) || len(words) == 0 {
		return 0
	}
	best, bestCount := 0, 0
	for start := 0; start < len(lower); start += snippetCharacters / 6 {
		window := string(lower[start:min(len(lower), start+snippetCharacters)])
		count := 0
		for _, w := range words {
			if len(w) > 2 && strings.Contains(window, w) {
				count++
			}
		}
		if count > bestCount {
			best, bestCount = start, count
		}
	}
	return best
}

func wrap(text string, width int) []string {
	var lines []string
	line, length := "", 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		if length > 0 && length+1+n > width {
			lines, line, length = append(lines, line), "", 0
		}
		if length > 0 {
			line, length = line+" ", length+1
		}
		line, length = line+word, length+n
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
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
		if isMarked(words, line[:end]) {
			b.WriteString(styleMark + line[:end] + styleEnd)
		} else {
			b.WriteString(line[:end])
		}
		line = line[end:]
	}
	b.WriteString(line)
	return b.String()
}

func isMarked(words []string, word string) bool {
	word = strings.ToLower(word)
	for _, w := range words {
		if word == w || len(w) > 3 && strings.HasPrefix(word, w) {
			return true
		}
	}
	return false
}

func isWordRune(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.M) }

// printable keeps text from steering the terminal: control characters other than tab and line feed become "�".
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
