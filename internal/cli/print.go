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
func (a *app) printAnswer(answer quarry.SearchAnswer, f searchFlags, lines *noteLines) error {
	switch f.format {
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
		a.printText(answer, f.request.Explain, lines)
	}
	if f.request.Like != "" && answer.Status == quarry.StatusWeak {
		a.notice("Nothing comes very near to it.")
		return nil
	}
	a.tellStatus(answer)
	return nil
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

func (a *app) printText(answer quarry.SearchAnswer, explains bool, lines *noteLines) {
	words := markedWords(answer)
	for i, r := range answer.Results {
		if i > 0 {
			fmt.Fprintln(a.io.Out)
		}
		if !explains {
			r.Explain = nil
		}
		a.printResult(i+1, r, words, lines)
	}
	if answer.Plan != nil && explains {
		a.printPlan(answer.Plan)
	}
}

// printResult writes a passage: what the rows that are shown are of, where they stand, and the rows, where the words of the query meet.
func (a *app) printResult(number int, r quarry.SearchResult, words []queryWord, lines *noteLines) {
	shown := a.snippet(r.ChunkText, words)
	r = lines.placed(r, shown.hitLine)
	fmt.Fprintf(a.io.Out, "%2d. %s\n", number, a.style(styleTitle, a.head(r)))
	a.printPlace(r)
	if r.Via != nil {
		a.printStyled(styleFaint, "    "+joinedBy(r.Via), 2*indent)
	}
	for _, row := range shown.rows {
		fmt.Fprintf(a.io.Out, "    %s\n", a.mark(row, words))
	}
	if len(r.Duplicates) > 0 {
		a.printStyled(styleFaint, "    the same in "+duplicates(r.Duplicates), 2*indent)
	}
	if r.Explain != nil {
		a.printExplain(r)
	}
}

// printPlace writes the place of a passage and what else is known of it, in two rows where they have no room in one: a path is not parted.
func (a *app) printPlace(r quarry.SearchResult) {
	margin := strings.Repeat(" ", indent)
	place, about := fmt.Sprintf("%s%s:%d", margin, oneLinePath(r.FilePath), r.LineStart), facts(r)
	gap := factsSign
	if !a.fits(place + gap + about) {
		gap = "\n" + margin
	}
	fmt.Fprintln(a.io.Out, a.style(stylePath, place)+a.style(styleFaint, gap+about))
}

// joinedBy tells by which link a passage came.
func joinedBy(via *quarry.SearchVia) string {
	way := "linked from"
	if via.Direction == "back" {
		way = "links to"
	}
	return fmt.Sprintf("%s %s (%s)", way, oneLinePath(via.Path), printable(oneLine(via.Kind)))
}

const factsSign = " · "

// facts stand behind a passage's place. What neither words nor meaning brought is in a list by date.
func facts(r quarry.SearchResult) string {
	list := []string{fmt.Sprintf("score %.2f", r.Score)}
	if r.BM25Rank == nil && r.VecRank == nil && r.Via == nil {
		list = []string{"updated " + printable(oneLine(r.Updated))}
	}
	list = append(list, "#"+r.DocID)
	if r.Stale {
		list = append(list, "changed since it was indexed")
	}
	return strings.Join(list, factsSign)
}

// shownDuplicates is how many notes are named that say the same.
const shownDuplicates = 3

func duplicates(paths []string) string {
	shown := make([]string, 0, shownDuplicates)
	for _, path := range paths[:min(len(paths), shownDuplicates)] {
		shown = append(shown, oneLinePath(path))
	}
	list := strings.Join(shown, ", ")
	if more := len(paths) - len(shown); more > 0 {
		list += fmt.Sprintf(" and %s more", counted(more, "note"))
	}
	return list
}
