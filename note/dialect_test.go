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

	"quarry/note"

	"github.com/google/go-cmp/cmp"
)

// samples are the invented vaults, one for each app.
var samples = []note.Dialect{note.Logseq, note.Foam, note.Dendron}

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
	for _, dialect := range samples {
		root := filepath.Join("testdata", "dialects", string(dialect))
		for _, name := range vaultFiles(t, root, false) {
			if path.Ext(name) != ".md" || strings.HasPrefix(name, "logseq/") {
				continue
			}
			t.Run(string(dialect)+"/"+name, func(t *testing.T) {
				raw, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
				if err != nil {
					t.Fatal(err)
				}
				got := portrait(t, dialect.Parse(name, raw, nil))
				golden := filepath.Join("testdata", "dialects", "golden", string(dialect), strings.ReplaceAll(name, "/", "__")+".golden")
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
	for _, dialect := range samples {
		root := filepath.Join("testdata", "dialects", string(dialect))
		names := vaultFiles(t, root, true)
		if got := note.DetectDialect(hasName(names), names); got != dialect {
			t.Errorf("%s is taken for %s", dialect, got)
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

func TestDetectDialect(t *testing.T) {
	for _, c := range []struct {
		names string
		want  note.Dialect
	}{
		{"", note.Obsidian},
		{"a.md b/c.md", note.Obsidian},
		{".obsidian/app.json a.md", note.Obsidian},
		{"logseq/config.edn pages/a.md", note.Logseq},
		{"logseq/config.edn", note.Logseq},
		{"logseq/config.edn .obsidian/app.json pages/a.md journals/2031_01_01.md notes/b.md", note.Logseq},
		{"logseq/config.edn .obsidian/app.json pages/a.md notes/b.md c.md", note.Obsidian},
		{"logseq/config.edn .obsidian/app.json", note.Obsidian},
		{"logseq/config.edn .obsidian/app.json pages/a.md logseq/bak/pages/a.md logseq/bak/pages/b.md", note.Logseq},
		{"logseq/note.md pages/a.md", note.Obsidian},
		{".foam/templates/a.md a.md", note.Foam},
		{".vscode/foam.json a.md", note.Foam},
		{".vscode/extensions.json a.md", note.Obsidian},
		{".obsidian/app.json .foam/templates/a.md", note.Obsidian},
		{"dendron.yml vault/root.md", note.Dendron},
		{"dendron.yml .obsidian/app.json vault/root.md", note.Obsidian},
		{"root.md root.schema.yml", note.Dendron},
		{"vault/journal.schema.yml vault/root.md", note.Dendron},
		{"vault/journal.schema.yml root.md", note.Obsidian},
		{".foam/x dendron.yml", note.Dendron},
	} {
		names := strings.Fields(c.names)
		if got := note.DetectDialect(hasName(names), names); got != c.want {
			t.Errorf("%q is taken for %s, want %s", c.names, got, c.want)
		}
	}
}

func TestParseDialectName(t *testing.T) {
	for name, want := range map[string]note.Dialect{"obsidian": note.Obsidian, " Logseq": note.Logseq, "FOAM": note.Foam, "dendron": note.Dendron} {
		if got, err := note.ParseDialectName(name); err != nil || got != want {
			t.Errorf("%q gives %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"", "auto", "roam"} {
		if got, err := note.ParseDialectName(name); err == nil || got != "" {
			t.Errorf("%q gives %q without an error", name, got)
		}
	}
}

func TestIgnoreRules(t *testing.T) {
	for dialect, want := range map[note.Dialect]bool{note.Obsidian: false, "": false, note.Logseq: true, note.Foam: true, note.Dendron: true} {
		rules := dialect.IgnoreRules()
		if (len(rules) > 0) != want {
			t.Errorf("%s has the rules %q", dialect, rules)
		}
		for _, rule := range rules {
			if strings.TrimSpace(rule) != rule || rule == "" || strings.HasPrefix(rule, "#") || strings.HasPrefix(rule, "!") {
				t.Errorf("%s has the rule %q", dialect, rule)
			}
		}
	}
}

// TestUnknownDialect holds that a dialect that is not known reads as Obsidian does.
func TestUnknownDialect(t *testing.T) {
	want := portrait(t, note.Parse("a.md", []byte(mixedNote), nil))
	for _, dialect := range []note.Dialect{note.Obsidian, "", "roam"} {
		if diff := cmp.Diff(string(want), string(portrait(t, dialect.Parse("a.md", []byte(mixedNote), nil)))); diff != "" {
			t.Errorf("%q: %s", dialect, diff)
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
		dialect note.Dialect
		folder  string
		want    counts
	}{
		{note.Logseq, "vaults/logseq-docs/vault", counts{
			Notes: 290, Links: 3749, Embeds: 218, Tags: 63, Tasks: 38, Blocks: 134, Headings: 336, Aliases: 124, Fields: 225, Callouts: 42,
		}},
		{note.Foam, "vaults/foam-docs/vault", counts{Notes: 86, Links: 524, Embeds: 18, Tags: 21, Headings: 566}},
		{note.Dendron, "vaults/dendron-site/vault", counts{
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
				got.add(c.dialect.Parse(name, raw, nil))
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
