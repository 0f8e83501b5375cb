package cli

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"quarry"
)

// ANSI colours, used on a terminal alone.
const (
	styleTitle = "\x1b[1m"
	stylePath  = "\x1b[36m"
	styleFaint = "\x1b[2m"
	styleMark  = "\x1b[1;33m"
	styleFault = "\x1b[1;31m"
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
			if err := a.writeJSONLine(r); err != nil {
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
	var b strings.Builder
	w := csv.NewWriter(&b)
	rows := [][]string{{"file_path", "title", "section", "line_start", "line_end", "score", "chunk_id", "docid", "chunk_text"}}
	for _, r := range answer.Results {
		rows = append(rows, []string{
			a.screen(r.FilePath), a.screen(r.Title), a.screen(r.Section), strconv.Itoa(r.LineStart), strconv.Itoa(r.LineEnd),
			strconv.FormatFloat(r.Score, 'f', -1, 64), a.screen(r.ChunkID), r.DocID, a.screen(r.ChunkText),
		})
	}
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	return a.writeDocument(b.String())
}

func (a *app) printMarkdown(answer quarry.SearchAnswer) {
	for _, r := range answer.Results {
		fmt.Fprintf(a.io.Out, "## %s\n\n`%s:%d` · score %.2f\n\n%s\n\n", printable(oneLine(strings.Join(trail(r), trailSign))), oneLinePath(r.FilePath), r.LineStart, r.Score, printable(r.ChunkText))
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
		shown := a.snippet(r.ChunkText, words)
		hit := ""
		if line, sure := fileLine(r, shown.hitLine); line > r.LineStart && sure {
			hit = fmt.Sprintf(" · line %d", line)
		} else if line > r.LineStart {
			hit = fmt.Sprintf(" · near line %d", line)
		}
		fmt.Fprintf(a.io.Out, "%2d. %s\n    %s%s\n", i+1, a.style(styleTitle, a.head(r)),
			a.style(stylePath, fmt.Sprintf("%s:%d", oneLinePath(r.FilePath), r.LineStart)),
			a.style(styleFaint, fmt.Sprintf("%s · score %.2f · #%s%s", hit, r.Score, r.DocID, stale)))
		for _, row := range shown.rows {
			fmt.Fprintf(a.io.Out, "    %s\n", a.mark(row, words))
		}
		if r.Explain != nil {
			a.printExplain(r)
		}
	}
	if answer.Plan != nil {
		a.printPlan(answer.Plan)
	}
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
	fmt.Fprintf(&b, "\nplan: %s, %s (k %d, weights %g and %g, top %d of %s)", p.Mode, p.Fusion, p.K, p.LexicalWeight, p.VectorWeight, p.Depth, counted(p.Passages, "passage"))
	if p.Selected != nil {
		fmt.Fprintf(&b, ", filters let %d through", *p.Selected)
	}
	for _, t := range p.Terms {
		fmt.Fprintf(&b, "\n  %s: in %s, idf %.2f", t.Text, counted(t.Frequency, "passage"), t.IDF)
	}
	for _, t := range p.Dropped {
		fmt.Fprintf(&b, "\n  %s: in %s, left out as too common", t.Text, counted(t.Frequency, "passage"))
	}
	for _, t := range p.Timings {
		fmt.Fprintf(&b, "\n  %s: %.2f ms", t.Stage, t.Milliseconds)
	}
	fmt.Fprintln(a.io.Out, a.style(styleFaint, printable(b.String())))
}
