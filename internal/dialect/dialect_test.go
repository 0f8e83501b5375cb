package dialect_test

import (
	"strings"
	"testing"

	"quarry/internal/dialect"
)

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

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		names string
		want  dialect.Dialect
	}{
		{"", dialect.Obsidian},
		{"a.md b/c.md", dialect.Obsidian},
		{".obsidian/app.json a.md", dialect.Obsidian},
		{"logseq/config.edn pages/a.md", dialect.Logseq},
		{"logseq/config.edn", dialect.Logseq},
		{"logseq/config.edn .obsidian/app.json pages/a.md journals/2031_01_01.md notes/b.md", dialect.Logseq},
		{"logseq/config.edn .obsidian/app.json pages/a.md notes/b.md c.md", dialect.Obsidian},
		{"logseq/config.edn .obsidian/app.json", dialect.Obsidian},
		{"logseq/config.edn .obsidian/app.json pages/a.md logseq/bak/pages/a.md logseq/bak/pages/b.md", dialect.Logseq},
		{"logseq/note.md pages/a.md", dialect.Obsidian},
		{".foam/templates/a.md a.md", dialect.Foam},
		{".vscode/foam.json a.md", dialect.Foam},
		{".vscode/extensions.json a.md", dialect.Obsidian},
		{".obsidian/app.json .foam/templates/a.md", dialect.Obsidian},
		{"dendron.yml vault/root.md", dialect.Dendron},
		{"dendron.yml .obsidian/app.json vault/root.md", dialect.Obsidian},
		{"root.md root.schema.yml", dialect.Dendron},
		{"vault/journal.schema.yml vault/root.md", dialect.Dendron},
		{"vault/journal.schema.yml root.md", dialect.Obsidian},
		{".foam/x dendron.yml", dialect.Dendron},
	} {
		names := strings.Fields(c.names)
		if got := dialect.Detect(hasName(names), names); got != c.want {
			t.Errorf("%q is taken for %s, want %s", c.names, got, c.want)
		}
	}
}

// TestNamesDecide holds against Detect, for every set of marks, whether names can change what it tells.
func TestNamesDecide(t *testing.T) {
	marks := []string{"logseq/config.edn", ".obsidian", "dendron.yml", ".foam", ".vscode/foam.json"}
	for set := range 1 << len(marks) {
		var present []string
		for i, mark := range marks {
			if set>>i&1 == 1 {
				present = append(present, mark)
			}
		}
		has, told := hasName(present), map[dialect.Dialect]bool{}
		for _, names := range []string{"", "a.md", "pages/a.md", "root.md root.schema.yml"} {
			told[dialect.Detect(has, strings.Fields(names))] = true
		}
		if got := dialect.NamesDecide(has); got != (len(told) > 1) {
			t.Errorf("%q: %t, but they tell %v", present, got, told)
		}
	}
}

func TestParse(t *testing.T) {
	for name, want := range map[string]dialect.Dialect{
		"obsidian": dialect.Obsidian, " Logseq": dialect.Logseq, "FOAM": dialect.Foam, "dendron\n": dialect.Dendron,
		"": "", " ": "", "auto": "", "Auto ": "",
	} {
		if got, err := dialect.Parse(name); err != nil || got != want {
			t.Errorf("%q gives %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"roam", "autos", "log seq"} {
		if got, err := dialect.Parse(name); err == nil || got != "" || !strings.Contains(err.Error(), name) {
			t.Errorf("%q gives %q, %v", name, got, err)
		}
	}
	for i, name := range dialect.Names() {
		if got, err := dialect.Parse(name); err != nil || (got == "") != (i == 0) || i > 0 && string(got) != name {
			t.Errorf("%q gives %q, %v", name, got, err)
		}
	}
}

func TestIgnoreRules(t *testing.T) {
	for d, want := range map[dialect.Dialect]bool{dialect.Obsidian: false, "": false, dialect.Logseq: true, dialect.Foam: true, dialect.Dendron: true} {
		rules := d.IgnoreRules()
		if (len(rules) > 0) != want {
			t.Errorf("%s has the rules %q", d, rules)
		}
		for _, rule := range rules {
			if strings.TrimSpace(rule) != rule || rule == "" || strings.HasPrefix(rule, "#") || strings.HasPrefix(rule, "!") {
				t.Errorf("%s has the rule %q", d, rule)
			}
		}
	}
}
