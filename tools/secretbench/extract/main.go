// Command extract takes the public test fixtures of credential scanners out of clones of their repositories and writes
// them as samples, one JSON Lines file a scanner.
//
//	go run ./extract -clones DIR -out DIR [-only gitleaks,kingfisher,…] [-all] [-seed N] [-planted SCRIPT]
package main

import (
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quarry/tools/secretbench/sample"
)

// extractors by the name of the clone's folder: each returns all samples that it knows how to read, and counts of what it
// cannot. A scanner that makes up its samples does so from the seed.
var extractors = map[string]func(clone string, seed int) ([]sample.Sample, map[string]int, error){
	"detect-secrets": detectSecrets,
	"gitleaks":       gitleaks,
	"kingfisher":     kingfisher,
	"noseyparker":    noseyParker,
	"secretlint":     secretlint,
	"trufflehog":     trufflehog,
}

type options struct {
	clones, out, only, planted string
	all                        bool
	seed                       int
}

func main() {
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.clones, "clones", "", "folder with the clones, each named as its scanner")
	flag.StringVar(&o.out, "out", "", "folder for the samples")
	flag.StringVar(&o.only, "only", "", "names of scanners, by comma; all if empty")
	flag.StringVar(&o.planted, "planted", "", "a script with tables of planted secrets, see README")
	flag.BoolVar(&o.all, "all", false, "leave no sample out but those that are there twice or no text")
	flag.IntVar(&o.seed, "seed", 42, "of what is made at random")
	flag.Parse()
	if err := run(o); err != nil {
		log.Fatal(err) //nolint:forbidigo // a program may end its own process
	}
}

func run(o options) error {
	if err := os.MkdirAll(o.out, 0o700); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(extractors)) {
		if o.only != "" && !slices.Contains(strings.Split(o.only, ","), name) {
			continue
		}
		found, unread, err := extractors[name](filepath.Join(o.clones, name), o.seed)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		kept, leftOut := sample.Select(found, o.all)
		if err := sample.Write(filepath.Join(o.out, name+".jsonl"), kept); err != nil {
			return err
		}
		report(name, kept, leftOut, unread)
	}
	if o.planted != "" {
		return planted(o.planted, o.out, o.seed)
	}
	return nil
}

func report(name string, kept []sample.Sample, leftOut, unread map[string]int) {
	positives, known := 0, 0
	for _, one := range kept {
		if one.Positive {
			positives++
			if one.Secret != "" {
				known++
			}
		}
	}
	fmt.Fprintf(os.Stdout, "%s: %d positives (%d with a known secret), %d negatives; left out: %s; not read: %s\n",
		name, positives, known, len(kept)-positives, counts(leftOut), counts(unread))
}

func counts(by map[string]int) string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(by)) {
		out = append(out, fmt.Sprintf("%s %d", key, by[key]))
	}
	if out == nil {
		return "none"
	}
	return strings.Join(out, ", ")
}
