package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quarry/internal/eval"
)

// printEval writes the tables of a report: figures by mode, fusion and intent, differences, the worst queries, what changed.
func (a *app) printEval(report eval.Report) {
	last := ""
	if hasSections(report) {
		last = "  section@10"
	}
	fmt.Fprintf(a.io.Out, "%s nDCG@10  nDCG@5  recall@10  MRR    Hit@1%s\n", fmt.Sprintf("%-17s", counted(report.Queries, "query")), last)
	first := ""
	for _, mode := range []string{"hybrid", "lexical", "vector"} {
		if figures, ok := report.ByMode[mode]; ok {
			a.printFigures(mode, figures.Figures, figures.SectionHit10)
			first = cmp.Or(first, mode)
		}
	}
	for _, fusion := range []string{"sum", "rrf"} {
		if figures, ok := report.ByFusion[fusion]; ok {
			a.printFigures("hybrid by "+fusion, figures.Figures, figures.SectionHit10)
		}
	}
	for _, intent := range slices.Sorted(maps.Keys(report.ByIntent)) {
		a.printFigures(first+", "+printable(oneLine(intent)), report.ByIntent[intent].Figures, nil)
	}
	a.printStatuses(first, report.ByMode[first].Statuses)
	a.printDifferences(first, report)
	a.printWorst(report.Worst)
	if report.Diff != nil {
		a.printDiff(*report.Diff)
	}
}

func hasSections(report eval.Report) bool {
	for _, figures := range report.ByMode {
		return figures.SectionHit10 != nil
	}
	return false
}

func (a *app) printFigures(name string, f eval.Figures, section *float64) {
	last := ""
	if section != nil {
		last = fmt.Sprintf("  %.3f", *section)
	}
	fmt.Fprintf(a.io.Out, "%-18s %.3f    %.3f   %.3f      %.3f  %.3f%s\n", name, f.NDCG10, f.NDCG5, f.Recall10, f.MRR, f.Hit1, last)
}

// printStatuses tells how often the answers doubted themselves; each query has an answer in the vault.
func (a *app) printStatuses(mode string, statuses map[string]int) {
	var parts []string
	for _, status := range []string{"ok", "weak", "nothing_relevant", "no_results", "empty_index"} {
		if n := statuses[status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", status, n))
		}
	}
	if len(parts) > 0 {
		fmt.Fprintf(a.io.Out, "\nanswers of %s: %s\n", mode, strings.Join(parts, ", "))
	}
}

func (a *app) printDifferences(mode string, report eval.Report) {
	var rows []string
	for _, d := range report.Differences {
		if d.Interval != (eval.Interval{}) {
			name := d.Against
			if _, ok := report.ByFusion[name]; ok {
				name = "hybrid by " + name
			}
			rows = append(rows, fmt.Sprintf("%-18s %s", name, interval(d.Interval)))
		}
	}
	if len(rows) > 0 {
		fmt.Fprintf(a.io.Out, "\n%-18s nDCG@10  95 %% of samples\n%s\n", mode+" against", strings.Join(rows, "\n"))
	}
}

func interval(i eval.Interval) string {
	note := "may be chance"
	if i.Low > 0 || i.High < 0 {
		note = "hardly chance"
	}
	return fmt.Sprintf("%+.3f   %+.3f to %+.3f, %s", i.Mean, i.Low, i.High, note)
}

func (a *app) printWorst(worst []eval.QueryFigures) {
	if len(worst) == 0 {
		return
	}
	fmt.Fprintf(a.io.Out, "\nnDCG@10  rank  worst queries\n")
	for _, q := range worst {
		fmt.Fprintf(a.io.Out, "%.3f    %-4s  %s  %s\n", q.NDCG10, rankOrDash(q.RankFirst), printable(oneLine(q.ID)), printable(oneLine(q.Query)))
		if q.RankFirst == nil || *q.RankFirst > 1 {
			fmt.Fprintf(a.io.Out, "               first: %s\n", cmp.Or(oneLinePath(q.First), "(nothing)"))
		}
	}
}

func rankOrDash(rank *int) string {
	if rank == nil {
		return "-"
	}
	return fmt.Sprint(*rank)
}

// printDiff writes what changed between two runs.
func (a *app) printDiff(diff eval.Diff) {
	if len(diff.Gains)+len(diff.Losses) == 0 {
		fmt.Fprintf(a.io.Out, "\n%s in both runs: nDCG@10 %.3f before and now, of each the same\n", counted(diff.Queries, "query"), diff.Now)
		a.printNotCompared(diff)
		return
	}
	fmt.Fprintf(a.io.Out, "\n%s in both runs: nDCG@10 %.3f before, %.3f now, %s\n", counted(diff.Queries, "query"), diff.Before, diff.Now, interval(diff.Interval))
	for _, part := range []struct {
		name    string
		changes []eval.Change
	}{{"gained", diff.Gains}, {"lost", diff.Losses}} {
		fmt.Fprintf(a.io.Out, "%s: %d\n", part.name, len(part.changes))
		for _, c := range part.changes {
			fmt.Fprintf(a.io.Out, "  %.3f → %.3f  rank %s → %s  %s  %s\n", c.Before, c.Now, rankOrDash(c.RankBefore), rankOrDash(c.RankNow), printable(oneLine(c.ID)), printable(oneLine(c.Query)))
		}
	}
	a.printNotCompared(diff)
}

func (a *app) printNotCompared(diff eval.Diff) {
	if before, now := len(diff.OnlyBefore), len(diff.OnlyNow); before+now > 0 {
		fmt.Fprintf(a.io.Out, "not compared: %d of the earlier run alone, %d of this one alone\n", before, now)
	}
}
