package note_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quarry/note"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestCases holds what is understood of every note of the cases to a golden file; EXPECT.md of a case says what is right.
func TestCases(t *testing.T) {
	root := filepath.Join("..", "cases")
	var got strings.Builder
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Dir(path) == root || entry.Name() == "EXPECT.md" || strings.HasPrefix(entry.Name(), ".") {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		text, problem := note.Decode(raw)
		fmt.Fprintf(&got, "== %s %s\n%s", filepath.ToSlash(name), problem, describe(note.Parse(filepath.ToSlash(name), text, nil)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "cases.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got.String()); diff != "" {
		t.Error(diff)
	}
}

// describe shows a note with one fact a line, empty kinds left out.
func describe(n *note.Note) string {
	var out strings.Builder
	fmt.Fprintf(&out, "title %q, kind %s, body at %d\n", n.Title, n.Kind, n.BodyLine)
	describeList(&out, "alias", n.Aliases)
	describeList(&out, "tag", n.Tags)
	if len(n.Frontmatter) > 0 {
		describeList(&out, "properties", []any{n.Frontmatter, n.FrontmatterRaw})
	}
	describeList(&out, "fault", n.FrontmatterErrors)
	describeList(&out, "problem", n.Problems)
	describeList(&out, "heading", n.Headings)
	describeList(&out, "link", n.Links)
	describeList(&out, "field", n.Fields)
	describeList(&out, "task", n.Tasks)
	describeList(&out, "block", n.Blocks)
	describeList(&out, "callout", n.Callouts)
	describeList(&out, "section", n.Sections)
	for _, r := range n.Omit {
		fmt.Fprintf(&out, "left out %q\n", n.Text[r.Start:r.End])
	}
	return out.String()
}

func describeList[T any](out *strings.Builder, kind string, facts []T) {
	for _, fact := range facts {
		encoded, err := json.Marshal(fact)
		fmt.Fprintf(out, "%s %s", kind, encoded)
		if err != nil {
			fmt.Fprintf(out, " %v", err)
		}
		out.WriteString("\n")
	}
}
