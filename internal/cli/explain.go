package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mattn/go-runewidth"

	"quarry"
)

// printExplain writes what a score is the sum of, one amount a row, and the values behind it.
func (a *app) printExplain(r quarry.SearchResult) {
	if len(r.Explain.Contributions) == 0 {
		return // it is in a list by date
	}
	const amount = 9
	column := len("words  ")
	for _, c := range r.Explain.Contributions {
		column = max(column, runewidth.StringWidth(c.Name))
	}
	row := func(about string, value float64) {
		gap := strings.Repeat(" ", column-runewidth.StringWidth(about))
		fmt.Fprintln(a.io.Out, a.style(styleFaint, fmt.Sprintf("      %s%s %*.5f", about, gap, amount, value)))
	}
	for _, c := range r.Explain.Contributions {
		row(printable(c.Name), c.Amount)
	}
	fmt.Fprintln(a.io.Out, a.style(styleFaint, "      "+strings.Repeat("─", column+1+amount)))
	row("sum", r.Explain.Score)
	a.printStyled(styleFaint, "      "+strings.Join(rawValues(r), " · "), 2*indent)
}

// rawValues are those that the amounts come from, and what the passage shows by itself: its score is at least that of those behind it.
func rawValues(r quarry.SearchResult) []string {
	var list []string
	add := func(name string, value *float64, rank string) {
		if value != nil {
			list = append(list, fmt.Sprintf("%s %.3f%s", name, *value, rank))
		}
	}
	e := r.Explain
	add("bm25", e.BM25, ranked(r.BM25Rank))
	add("cosine", e.Cosine, ranked(r.VecRank))
	add("window", e.Window, "")
	add("title", e.Title, "")
	add("headings", e.Headings, "")
	add("note", e.Note, "")
	add("tokens", e.Tokens, "")
	add("identifiers", e.Identifier, "")
	return append(list, fmt.Sprintf("evidence %.3f, which makes %.2f", e.Evidence, e.Confidence))
}

func ranked(rank *int) string {
	if rank == nil {
		return ""
	}
	return fmt.Sprintf(" (rank %d)", *rank)
}

// printPlan writes how a query was understood.
func (a *app) printPlan(p *quarry.SearchPlan) {
	fmt.Fprintln(a.io.Out)
	for _, line := range planLines(p) {
		a.printStyled(styleFaint, printable(line), planColumn)
	}
}

// planColumn is where the second column of a plan begins, below the word "plan".
const planColumn = 11

func planLines(p *quarry.SearchPlan) []string {
	lines := []string{"plan"}
	add := func(about, text string) { lines = append(lines, fmt.Sprintf("  %-*s%s", planColumn-2, about, text)) }
	add("ranking", rankingOf(p))
	if intent := p.Intent; intent != "" {
		if p.AsksNewest {
			intent += ", asks for the newest or the state of things"
		}
		add("intent", intent)
	}
	for i, t := range p.Terms {
		kind := ""
		if t.Phrase {
			kind += ", side by side"
		}
		if t.Required {
			kind += ", required"
		}
		add(onlyFirst(i, "terms"), fmt.Sprintf("%s: in %s, idf %.2f%s", oneLine(t.Text), counted(t.Frequency, "passage"), t.IDF, kind))
	}
	for i, t := range p.Dropped {
		add(onlyFirst(i, "dropped"), fmt.Sprintf("%s: %s, %d of %s", oneLine(t.Text), t.Reason, t.Frequency, counted(p.Passages, "passage")))
	}
	for i, filter := range p.Filters {
		add(onlyFirst(i, "filters"), oneLine(filter))
	}
	if p.Selected != nil {
		add(onlyFirst(len(p.Filters), "filters"), fmt.Sprintf("let through %d of %s", *p.Selected, counted(p.Passages, "passage")))
	}
	var times []string
	for _, t := range p.Timings {
		times = append(times, fmt.Sprintf("%s %.2f", t.Stage, t.Milliseconds))
	}
	if len(times) > 0 {
		add("ms", strings.Join(times, " · "))
	}
	return lines
}

func onlyFirst(i int, text string) string {
	if i > 0 {
		return ""
	}
	return text
}

// rankingOf tells which scores count and how.
func rankingOf(p *quarry.SearchPlan) string {
	text := fmt.Sprintf("%s, %s", p.Mode, cmp.Or(string(p.Form), p.Fusion))
	if p.Fusion == string(quarry.FusionRRF) {
		text += fmt.Sprintf(", k %d, weights %g and %g", p.K, p.LexicalWeight, p.VectorWeight)
	}
	return text + fmt.Sprintf(", the best %d of each leg, of %s", p.Depth, counted(p.Passages, "passage"))
}
