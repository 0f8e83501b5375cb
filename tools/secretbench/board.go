package main

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quarry/tools/secretbench/sample"
)

// board gathers the rows of the table, and by sample set and rule who missed how many samples.
type board struct {
	filters []*filter
	runs    int // over real notes
	rows    [][]string
	sets    []*set
}

// set is what became of one file of samples.
type set struct {
	name  string
	rules map[string]*tally
}

// tally counts, for one rule of a scanner, the samples and those that each filter missed.
type tally struct {
	samples int
	missed  []int
	only    []int // missed by quarry, found by the filter
}

func (b *board) addSamples(name string, samples []sample.Sample) error {
	all := &set{name: name, rules: map[string]*tally{}}
	b.sets = append(b.sets, all)
	positives, negatives := 0, 0
	missed, alarms := make([]int, len(b.filters)), make([]int, len(b.filters))
	for _, one := range samples {
		hits := make([]bool, len(b.filters))
		for i, filter := range b.filters {
			found, _, err := filter.scan(one.Text)
			if err != nil {
				return fmt.Errorf("%s on %s: %w", filter.name, name, err)
			}
			hits[i] = one.Found(found)
		}
		if !one.Positive {
			negatives++
			for i, hit := range hits {
				alarms[i] += number(hit)
			}
			continue
		}
		positives++
		for i, hit := range hits {
			missed[i] += number(!hit)
		}
		all.count(one.Rule, hits)
	}
	if positives > 0 {
		b.row(fmt.Sprintf("recall: %s (%d)", name, positives), func(i int) string {
			return fmt.Sprintf("%.1f %%", 100*float64(positives-missed[i])/float64(positives))
		})
	}
	if negatives > 0 {
		b.row(fmt.Sprintf("alarms: %s (%d)", name, negatives), func(i int) string { return fmt.Sprint(alarms[i]) })
	}
	return nil
}

func (s *set) count(rule string, hits []bool) {
	one := s.rules[rule]
	if one == nil {
		one = &tally{missed: make([]int, len(hits)), only: make([]int, len(hits))}
		s.rules[rule] = one
	}
	one.samples++
	for i, hit := range hits {
		one.missed[i] += number(!hit)
		one.only[i] += number(hit && !hits[0])
	}
}

func (b *board) row(label string, cell func(filter int) string) {
	row := []string{label}
	for i := range b.filters {
		row = append(row, cell(i))
	}
	b.rows = append(b.rows, row)
}

// addNotes scans the Markdown files of a folder. Of several runs the fastest counts.
func (b *board) addNotes(name, folder string) error {
	notes, size, err := readNotes(folder)
	if err != nil || len(notes) == 0 {
		return fmt.Errorf("%d notes in %s: %w", len(notes), folder, err)
	}
	found, took := make([]int, len(b.filters)), make([]time.Duration, len(b.filters))
	for i, filter := range b.filters {
		for range max(b.runs, 1) {
			spans, duration, err := filter.scanAll(notes)
			if err != nil {
				return fmt.Errorf("%s on %s: %w", filter.name, name, err)
			}
			if found[i] = spans; took[i] == 0 || duration < took[i] {
				took[i] = duration
			}
		}
	}
	b.row(fmt.Sprintf("findings per 1,000 notes: %s (%d)", name, len(notes)), func(i int) string {
		return fmt.Sprintf("%.1f (%d)", 1000*float64(found[i])/float64(len(notes)), found[i])
	})
	b.row(fmt.Sprintf("MB/s: %s (%.1f MB)", name, float64(size)/1e6), func(i int) string {
		return fmt.Sprintf("%.1f", float64(size)/1e6/took[i].Seconds())
	})
	return nil
}

func readNotes(folder string) (notes []string, size int, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Ext(path) != ".md" {
			return err
		}
		data, err := os.ReadFile(path)
		notes = append(notes, string(data))
		size += len(data)
		return err
	})
	return notes, size, err
}

func (b *board) addStart() {
	b.row("start, ms", func(i int) string { return fmt.Sprintf("%.1f", float64(b.filters[i].started.Microseconds())/1000) })
}

func (b *board) print(out io.Writer) {
	head := []string{""}
	for _, filter := range b.filters {
		head = append(head, filter.name)
	}
	line := func(cells []string) { fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | ")) }
	line(head)
	fmt.Fprintf(out, "|%s\n", strings.Repeat("---|", len(head)))
	for _, row := range b.rows {
		line(row)
	}
}

// printRules lists, for each set, the rules whose samples quarry misses, most first, with those that others find.
func (b *board) printRules(out io.Writer) {
	for _, one := range b.sets {
		var names []string
		for name, count := range one.rules {
			if count.missed[0] > 0 {
				names = append(names, name)
			}
		}
		if names == nil {
			continue
		}
		slices.SortFunc(names, func(x, y string) int {
			a, b := one.rules[x], one.rules[y]
			return cmp.Or(cmp.Compare(slices.Max(b.only), slices.Max(a.only)), cmp.Compare(b.missed[0], a.missed[0]), cmp.Compare(x, y))
		})
		fmt.Fprintf(out, "\n## %s\n\nrule: missed by %s of all; of those found by the others\n\n", one.name, b.filters[0].name)
		for _, name := range names {
			count := one.rules[name]
			fmt.Fprintf(out, "- %s: %d of %d", name, count.missed[0], count.samples)
			for i, filter := range b.filters[1:] {
				if count.only[i+1] > 0 {
					fmt.Fprintf(out, "; %s %d", filter.name, count.only[i+1])
				}
			}
			fmt.Fprintln(out)
		}
	}
}

// unite merges findings that overlap, so that a secret that several rules report counts once.
func unite(findings [][2]int) [][2]int {
	slices.SortFunc(findings, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	out := findings[:0]
	for _, one := range findings {
		if last := len(out) - 1; last >= 0 && one[0] < out[last][1] {
			out[last][1] = max(out[last][1], one[1])
			continue
		}
		out = append(out, one)
	}
	return out
}

func number(is bool) int {
	if is {
		return 1
	}
	return 0
}
