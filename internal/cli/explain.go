package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mattn/go-runewidth"

	"quarry"
)

// printExplain writes what a score is the sum of, one amount a row, and what the two legs said.
func (a *app) printExplain(r quarry.SearchResult) {
	const name, amount = 12, 9
	column := name
	for _, c := range r.Explain.Contributions {
		column = max(column, runewidth.StringWidth(c.Name))
	}
	row := func(about string, value float64, more string) {
		gap := strings.Repeat(" ", column-runewidth.StringWidth(about))
		fmt.Fprintln(a.io.Out, a.style(styleFaint, fmt.Sprintf("      %s%s %*.5f%s", about, gap, amount, value, more)))
	}
	for _, c := range r.Explain.Contributions {
		row(printable(c.Name), c.Amount, "")
	}
	fmt.Fprintln(a.io.Out, a.style(styleFaint, "      "+strings.Repeat("─", column+1+amount)))
	row("sum", r.Explain.Score, "")
	var raw []string
	if r.Explain.BM25 != nil {
		raw = append(raw, fmt.Sprintf("bm25 %.3f%s", *r.Explain.BM25, ranked(r.BM25Rank)))
	}
	if r.Explain.Cosine != nil {
		raw = append(raw, fmt.Sprintf("cosine %.3f%s", *r.Explain.Cosine, ranked(r.VecRank)))
	}
	if len(raw) > 0 {
		a.printStyled(styleFaint, "      "+strings.Join(raw, " · "), 2*indent)
	}
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
		a.printStyled(styleFaint, printable(line), planColumn+2)
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
		add(onlyFirst(i, "left out"), fmt.Sprintf("%s: in %s, which is too common", oneLine(t.Text), counted(t.Frequency, "passage")))
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
	text := fmt.Sprintf("%s, %s", p.Mode, cmp.Or(p.Form, p.Fusion))
	if p.Fusion == string(quarry.FusionRRF) {
		text += fmt.Sprintf(", k %d, weights %g and %g", p.K, p.LexicalWeight, p.VectorWeight)
	}
	return text + fmt.Sprintf(", the best %d of each leg, of %s", p.Depth, counted(p.Passages, "passage"))
}
