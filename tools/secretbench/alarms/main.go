// Command alarms prints what quarry's filter finds in folders of real notes, each with its line, so that somebody can say
// what it is. It shows the values: keep what it prints to yourself.
//
//	go run ./alarms [-names] DIR…
package main

import (
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quarry/secret"
)

func main() {
	log.SetFlags(0)
	names := flag.Bool("names", false, "print only how often each rule finds something")
	flag.Parse()
	for _, folder := range flag.Args() {
		if err := look(os.Stdout, folder, *names); err != nil {
			log.Fatal(err) //nolint:forbidigo // a program may end its own process
		}
	}
}

func look(out io.Writer, folder string, onlyNames bool) error {
	notes, all := 0, 0
	counts := map[string]int{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		notes++
		for _, span := range secret.Find(text) {
			all++
			counts[span.Name]++
			if !onlyNames {
				fmt.Fprintf(out, "%s:%d: %s: %s\n", path, 1+strings.Count(string(text[:span.Start]), "\n"), span.Name, around(text, span))
			}
		}
		return nil
	})
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(out, "%5d %s\n", counts[name], name)
	}
	fmt.Fprintf(out, "%s: %d in %d notes, %.2f per 1,000\n", folder, all, notes, 1000*float64(all)/float64(max(notes, 1)))
	return err
}

// around is the finding in «» with up to 60 bytes of its lines on both sides, in one line.
func around(text []byte, span secret.Span) string {
	before, after := text[max(0, span.Start-60):span.Start], text[span.End:min(len(text), span.End+40)]
	value := string(text[span.Start:span.End])
	if len(value) > 160 {
		value = value[:80] + " … " + value[len(value)-80:]
	}
	return strings.Join(strings.Fields(strings.ToValidUTF8(string(before)+"«"+value+"»"+string(after), "?")), " ")
}
