package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"

	"quarry"
)

const (
	// shownStats is how many entries of a list of figures people get; --json lists all.
	shownStats = 10
	// statsIndent is where the values of figures stand.
	statsIndent = 12
)

func (a *app) graphStats(ctx context.Context, engine *quarry.Engine, asJSON bool) error {
	var stats quarry.GraphStats
	err := a.ensureIndex(ctx, engine, func() (err error) {
		stats, err = engine.GraphStats(ctx)
		return err
	})
	if err != nil {
		return err
	}
	err = show(a, stats, asJSON, func(stats quarry.GraphStats) error {
		a.printStats(stats)
		return nil
	})
	return cmp.Or(err, a.tellNotices(ctx, engine))
}

func (a *app) printStats(s quarry.GraphStats) {
	links := strconv.Itoa(s.Links)
	if s.Unresolved > 0 {
		links += fmt.Sprintf(", %d of them dead (`quarry links --unresolved` lists them)", s.Unresolved)
	}
	a.figure("notes", strconv.Itoa(s.Notes))
	a.figure("links", a.placed(links))
	a.figure("edges", fmt.Sprintf("%d between notes", s.Edges))
	a.figures("  by kind", countsInWords(s.Kinds))
	a.figures("  by rule", countsInWords(s.Rules))
	a.figure("clusters", clustersInWords(s.Components))
	a.figure("orphans", orphansInWords(len(s.Orphans)))
	a.statsRows(len(s.Orphans), func(i int) (string, string) { return "", s.Orphans[i] })
	if len(s.Maps) > 0 {
		a.figure("maps", counted(len(s.Maps), "note")+" of type moc")
		a.statsRows(len(s.Maps), func(i int) (string, string) {
			return fmt.Sprintf("gathers %-4d  ", len(s.Maps[i].Members)), s.Maps[i].Path
		})
	}
	a.rankedHead("Highest PageRank", len(s.Top))
	a.statsRows(len(s.Top), func(i int) (string, string) {
		return rankedFigures(s.Top[i].PageRank, s.Top[i].In, s.Top[i].Out), s.Top[i].Path
	})
	a.rankedHead("Linking to most notes", len(s.Hubs))
	a.statsRows(len(s.Hubs), func(i int) (string, string) {
		return rankedFigures(s.Hubs[i].PageRank, s.Hubs[i].In, s.Hubs[i].Out), s.Hubs[i].Path
	})
}

func (a *app) figure(name, value string) {
	if value != "" {
		a.printWrapped(fmt.Sprintf("%-*s%s", statsIndent, name, value), statsIndent)
	}
}

// figures writes a list of values in rows that fit a page, none of which is parted.
func (a *app) figures(name string, values []string) {
	row := ""
	for i, value := range values {
		if i < len(values)-1 {
			value += ","
		}
		if row != "" && statsIndent+runewidth.StringWidth(row+" "+value) > min(a.width(), manualWidth) {
			a.figure(name, row)
			name, row = "", ""
		}
		row = strings.TrimPrefix(row+" "+value, " ")
	}
	a.figure(name, row)
}

// statsRows writes the first rows of a list: figures, then the path.
func (a *app) statsRows(count int, row func(int) (figures, path string)) {
	for i := range min(count, shownStats) {
		figures, path := row(i)
		figures, path = "  "+figures, oneLinePath(path)
		if a.io.OutTerminal {
			path = cutMiddle(path, a.width()-runewidth.StringWidth(figures))
		}
		fmt.Fprintf(a.io.Out, "%s%s\n", figures, a.style(stylePath, path))
	}
	if count > shownStats {
		fmt.Fprintf(a.io.Out, "  … and %d more; --json lists all\n", count-shownStats)
	}
}

func (a *app) rankedHead(title string, count int) {
	if count > 0 {
		fmt.Fprintf(a.io.Out, "\n%s\n%s\n", a.style(styleTitle, title), a.style(styleFaint, "  PageRank    in   out  note"))
	}
}

func rankedFigures(weight float64, in, out int) string {
	return fmt.Sprintf("%8.4f %5d %5d  ", weight, in, out)
}

// countsInWords are numbers by name, largest first.
func countsInWords(counts map[string]int) []string {
	names := slices.SortedFunc(maps.Keys(counts), func(one, other string) int {
		return cmp.Or(counts[other]-counts[one], strings.Compare(one, other))
	})
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = fmt.Sprintf("%d %s", counts[name], boundedText(name))
	}
	return parts
}

// clustersInWords tells how many sets of notes hang together, and how large they are.
func clustersInWords(sizes []int) string {
	if len(sizes) == 0 {
		return "none: no note links to another"
	}
	parts := make([]string, 0, shownStats)
	for _, size := range sizes[:min(len(sizes), shownStats)] {
		parts = append(parts, strconv.Itoa(size))
	}
	if len(sizes) > shownStats {
		parts = append(parts, "…")
	}
	if len(sizes) == 1 {
		return fmt.Sprintf("1, of %s", counted(sizes[0], "note"))
	}
	return fmt.Sprintf("%d, of %s notes", len(sizes), strings.Join(parts, ", "))
}

func orphansInWords(count int) string {
	if count == 0 {
		return "none"
	}
	return counted(count, "note") + " that no link joins to another"
}
