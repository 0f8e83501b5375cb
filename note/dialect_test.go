package note_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quarry/internal/dialect"
	"quarry/note"

	"github.com/google/go-cmp/cmp"
)

// samples are the invented vaults, one for each app.
var samples = []dialect.Dialect{dialect.Logseq, dialect.Foam, dialect.Dendron}

// vaultFiles gives the paths of the files of a vault, with slashes; dot-folders are left out on demand.
func vaultFiles(t testing.TB, root string, dots bool) []string {
	var names []string
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		switch {
		case entry.IsDir() && !dots && strings.HasPrefix(entry.Name(), ".") && name != ".":
			return filepath.SkipDir
		case !entry.IsDir():
			names = append(names, filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// seen gives the text of a note as the reader of a passage sees it.
func seen(n *note.Note) string {
	var text strings.Builder
	at := 0
	for _, omitted := range n.Omit {
		text.WriteString(n.Text[at:omitted.Start])
		at = omitted.End
	}
	return text.String() + n.Text[at:]
}

// portrait is the JSON of a note, an item of a list on each line, with its text as it is seen.
func portrait(t testing.TB, n *note.Note) []byte {
	whole, err := json.Marshal(n)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(whole, &fields); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		var items []json.RawMessage
		if err := json.Unmarshal(fields[key], &items); err != nil {
			fmt.Fprintf(&out, "%s %s\n", key, fields[key])
			continue
		}
		fmt.Fprintf(&out, "%s\n", key)
		for _, item := range items {
			fmt.Fprintf(&out, "\t%s\n", item)
		}
	}
	fmt.Fprintf(&out, "id %q, type %q, created %q, updated %q, body from line %d\n", n.DeclaredID, n.Type, n.Created, n.Updated, n.BodyLine)
	for _, link := range n.Links {
		if link.InFrontmatter {
			fmt.Fprintf(&out, "property %s\n", link.Raw)
		}
	}
	out.WriteString("--- seen\n" + strings.ReplaceAll(seen(n), "\r", "\\r"))
	return out.Bytes()
}

// TestDialectSamples compares each note of the invented vaults with what was read of it, and found right, before.
func TestDialectSamples(t *testing.T) {
	for _, d := range samples {
		root := filepath.Join("testdata", "dialects", string(d))
		for _, name := range vaultFiles(t, root, false) {
			if path.Ext(name) != ".md" || strings.HasPrefix(name, "logseq/") {
				continue
			}
			t.Run(string(d)+"/"+name, func(t *testing.T) {
				raw, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
				if err != nil {
					t.Fatal(err)
				}
				got := portrait(t, note.ParseAs(d, name, raw, nil))
				golden := filepath.Join("testdata", "dialects", "golden", string(d), strings.ReplaceAll(name, "/", "__")+".golden")
				if *update {
					if err := os.WriteFile(golden, got, 0o644); err != nil {
						t.Fatal(err)
					}
					return
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), string(got)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestDetectSamples(t *testing.T) {
	for _, d := range samples {
		root := filepath.Join("testdata", "dialects", string(d))
		names := vaultFiles(t, root, true)
		if got := dialect.Detect(hasName(names), names); got != d {
			t.Errorf("%s is taken for %s", d, got)
		}
	}
}

// hasName tells of a list of files whether a file or a folder is there.
func hasName(names []string) func(string) bool {
	return func(name string) bool {
		for _, file := range names {
			if file == name || strings.HasPrefix(file, name+"/") {
				return true
			}
		}
		return false
	}
}

// TestUnknownDialect holds that a dialect that is not known reads as Obsidian does.
func TestUnknownDialect(t *testing.T) {
	want := portrait(t, note.Parse("a.md", []byte(mixedNote), nil))
	for _, d := range []dialect.Dialect{dialect.Obsidian, "", "roam"} {
		if diff := cmp.Diff(string(want), string(portrait(t, note.ParseAs(d, "a.md", []byte(mixedNote), nil)))); diff != "" {
			t.Errorf("%q: %s", d, diff)
		}
	}
}

// counts are the facts of a vault that are easy to count otherwise.
type counts struct {
	Notes, Links, Embeds, Tags, Tasks, Blocks, Headings, Aliases, Fields, Callouts, Faults int
}

// TestDialectVaults counts the facts in real vaults. The numbers are those that were compared with counts by patterns.
func TestDialectVaults(t *testing.T) {
	for _, c := range []struct {
		dialect dialect.Dialect
		folder  string
		want    counts
	}{
		{dialect.Logseq, "vaults/logseq-docs/vault", counts{
			Notes: 290, Links: 3749, Embeds: 218, Tags: 63, Tasks: 38, Blocks: 134, Headings: 336, Aliases: 124, Fields: 225, Callouts: 42,
		}},
		{dialect.Foam, "vaults/foam-docs/vault", counts{Notes: 86, Links: 524, Embeds: 18, Tags: 21, Headings: 566}},
		{dialect.Dendron, "vaults/dendron-site/vault", counts{
			Notes: 289, Links: 1169, Embeds: 372, Tags: 47, Tasks: 21, Blocks: 5, Headings: 1688,
		}},
	} {
		t.Run(string(c.dialect), func(t *testing.T) {
			root := shared(t, c.folder)
			var got counts
			for _, name := range vaultFiles(t, root, false) {
				if path.Ext(name) != ".md" {
					continue
				}
				raw, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
				if err != nil {
					t.Fatal(err)
				}
				got.add(note.ParseAs(c.dialect, name, raw, nil))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func (c *counts) add(n *note.Note) {
	c.Notes++
	for _, link := range n.Links {
		if link.Embed {
			c.Embeds++
		} else {
			c.Links++
		}
	}
	c.Tags += len(n.Tags)
	c.Tasks += len(n.Tasks)
	c.Blocks += len(n.Blocks)
	c.Headings += len(n.Headings)
	c.Aliases += len(n.Aliases)
	c.Fields += len(n.Fields)
	c.Callouts += len(n.Callouts)
	c.Faults += len(n.FrontmatterErrors) + len(n.Problems)
}
