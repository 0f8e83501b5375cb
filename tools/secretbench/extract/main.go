// Command extract takes the public test fixtures of credential scanners out of clones of their repositories and writes
// them as samples, one JSON Lines file a scanner.
//
//	go run ./extract -clones DIR -out DIR [-only gitleaks,kingfisher,…]
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
// cannot.
var extractors = map[string]func(clone string) ([]sample.Sample, map[string]int, error){
	"detect-secrets": detectSecrets,
	"gitleaks":       gitleaks,
	"kingfisher":     kingfisher,
	"noseyparker":    noseyParker,
	"secretlint":     secretlint,
	"trufflehog":     trufflehog,
}

func main() {
	log.SetFlags(0)
	clones := flag.String("clones", "", "folder with the clones, each named as its scanner")
	out := flag.String("out", "", "folder for the samples")
	only := flag.String("only", "", "names of scanners, by comma; all if empty")
	all := flag.Bool("all", false, "leave no sample out but those that are there twice or no text")
	checks := flag.String("planted", "", "a script with tables of planted secrets, see README")
	flag.Parse()
	if err := run(*clones, *out, *only, *all); err != nil {
		log.Fatal(err) //nolint:forbidigo // a program may end its own process
	}
	if *checks != "" {
		if err := planted(*checks, *out); err != nil {
			log.Fatal(err) //nolint:forbidigo // a program may end its own process
		}
	}
}

func run(clones, out, only string, keepAll bool) error {
	if err := os.MkdirAll(out, 0o700); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(extractors)) {
		if only != "" && !slices.Contains(strings.Split(only, ","), name) {
			continue
		}
		all, unread, err := extractors[name](filepath.Join(clones, name))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		kept, leftOut := sample.Select(all, keepAll)
		if err := sample.Write(filepath.Join(out, name+".jsonl"), kept); err != nil {
			return err
		}
		report(name, kept, leftOut, unread)
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
