// Command misses prints what quarry's filter does not find in files of samples, or what it finds where there is nothing.
//
//	go run ./misses [-alarms] [-rule WORD] [-n N] [-counts] FILE.jsonl…
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"slices"
	"strings"

	"quarry/secret"
	"quarry/tools/secretbench/sample"
)

func main() {
	log.SetFlags(0)
	alarms := flag.Bool("alarms", false, "print findings in negative samples instead of misses")
	rule := flag.String("rule", "", "only rules whose name holds this")
	most := flag.Int("n", 0, "print so many at most for each rule; 0 for all")
	onlyCounts := flag.Bool("counts", false, "print only how many of each rule")
	flag.Parse()
	for _, path := range flag.Args() {
		samples, err := sample.Read(path)
		if err != nil {
			log.Fatal(err) //nolint:forbidigo // a program may end its own process
		}
		show(os.Stdout, path, samples, options{*alarms, *rule, *most, *onlyCounts})
	}
}

type options struct {
	alarms     bool
	rule       string
	most       int
	onlyCounts bool
}

func show(out io.Writer, path string, samples []sample.Sample, opts options) {
	wrong, all := map[string]int{}, map[string]int{}
	for _, one := range samples {
		if one.Positive == opts.alarms || !strings.Contains(one.Rule, opts.rule) {
			continue
		}
		all[one.Rule]++
		spans := secret.Find([]byte(one.Text))
		if one.Found(offsets(spans)) != opts.alarms {
			continue
		}
		if wrong[one.Rule]++; !opts.onlyCounts && (opts.most == 0 || wrong[one.Rule] <= opts.most) {
			fmt.Fprintf(out, "=== %s  secret %q  found %v\n%s\n", one.Rule, one.Secret, spans, one.Text)
		}
	}
	total, tested := 0, 0
	for _, count := range all {
		tested += count
	}
	for _, name := range slices.SortedFunc(maps.Keys(wrong), func(a, b string) int { return wrong[b] - wrong[a] }) {
		total += wrong[name]
		if opts.onlyCounts {
			fmt.Fprintf(out, "%5d of %d  %s\n", wrong[name], all[name], name)
		}
	}
	fmt.Fprintf(out, "%s: %d of %d in %d rules\n", path, total, tested, len(wrong))
}

func offsets(spans []secret.Span) [][2]int {
	out := make([][2]int, len(spans))
	for i, span := range spans {
		out[i] = [2]int{span.Start, span.End}
	}
	return out
}
