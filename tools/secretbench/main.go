// Command secretbench measures credential filters side by side: on samples of scanners' own tests, and on real notes.
//
//	go run . -samples DIR [-notes NAME=DIR]… [-program NAME=PATH]… [-rules] [-runs N]
//
// It prints one Markdown table. README tells how to make the samples.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"quarry/tools/secretbench/sample"
)

// pairs collects a flag NAME=VALUE that is given several times.
type pairs [][2]string

func (p *pairs) String() string { return fmt.Sprint(*p) }

func (p *pairs) Set(text string) error {
	name, value, found := strings.Cut(text, "=")
	if !found || name == "" || value == "" {
		return fmt.Errorf("%q is not NAME=VALUE", text)
	}
	*p = append(*p, [2]string{name, value})
	return nil
}

func main() {
	log.SetFlags(0)
	runtime.GOMAXPROCS(1) // a scanner is measured on one core
	var notes, programs pairs
	folder := flag.String("samples", "", "folder with files of samples")
	rules := flag.Bool("rules", false, "list the rules whose samples quarry misses and another filter finds")
	runs := flag.Int("runs", 1, "over real notes, of which the fastest counts")
	flag.Var(&notes, "notes", "name and folder of real notes, NAME=DIR")
	flag.Var(&programs, "program", "name and path of another filter, NAME=PATH")
	flag.Parse()
	if err := run(*folder, notes, programs, options{*rules, *runs}); err != nil {
		log.Fatal(err) //nolint:forbidigo // a program may end its own process
	}
}

type options struct {
	rules bool
	runs  int
}

func run(folder string, notes, programs pairs, opts options) error {
	filters, err := start(programs)
	if err != nil {
		return err
	}
	defer func() {
		for _, one := range filters {
			one.close()
		}
	}()
	paths, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil {
		return err
	}
	slices.Sort(paths)
	board := &board{filters: filters, runs: opts.runs}
	for _, path := range paths {
		samples, err := sample.Read(path)
		if err != nil {
			return err
		}
		if err := board.addSamples(strings.TrimSuffix(filepath.Base(path), ".jsonl"), samples); err != nil {
			return err
		}
	}
	for _, pair := range notes {
		if err := board.addNotes(pair[0], pair[1]); err != nil {
			return err
		}
	}
	board.addStart()
	board.print(os.Stdout)
	if opts.rules {
		board.printRules(os.Stdout)
	}
	return nil
}
