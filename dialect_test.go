package quarry_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quarry"
)

func openWith(t *testing.T, config quarry.Config) *quarry.Engine {
	t.Helper()
	if config.DatabasePath == "" {
		config.DatabasePath = filepath.Join(t.TempDir(), "index.db")
	}
	engine, err := quarry.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close() })
	return engine
}

func dialectOf(t *testing.T, engine *quarry.Engine) string {
	t.Helper()
	status, err := engine.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return status.Dialect
}

func TestDialectIsToldFromTheVault(t *testing.T) {
	for _, test := range []struct {
		name, want string
		files      []string
		configured string
	}{
		{"plain", "obsidian", []string{"a.md"}, ""},
		{"logseq", "logseq", []string{"logseq/config.edn", "pages/a.md"}, ""},
		{"auto", "logseq", []string{"logseq/config.edn", "pages/a.md"}, "auto"},
		{"named", "foam", []string{"logseq/config.edn", "pages/a.md"}, "foam"},
		{"named in other letters", "foam", []string{"logseq/config.edn", "pages/a.md"}, " Foam"},
		{"auto in other letters", "logseq", []string{"logseq/config.edn", "pages/a.md"}, "AUTO"},
		{"named for a plain one", "dendron", []string{"a.md"}, "dendron"},
		{"foam", "foam", []string{".foam/templates/a.md", "a.md"}, ""},
		{"dendron", "dendron", []string{"dendron.yml", "root.md"}, ""},
		{"dendron by names", "dendron", []string{"vault/root.md", "vault/root.schema.yml"}, ""},
		{"opened by both, of Logseq", "logseq", []string{"logseq/config.edn", ".obsidian/app.json", "pages/a.md", "pages/b.md", "c.md"}, ""},
		{"opened by both, of Obsidian", "obsidian", []string{"logseq/config.edn", ".obsidian/app.json", "pages/a.md", "b.md", "c.md"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{}
			for _, path := range test.files {
				files[path] = "words"
			}
			engine := openWith(t, quarry.Config{VaultDir: vaultOf(t, files), Dialect: test.configured})
			if got := dialectOf(t, engine); got != test.want {
				t.Errorf("dialect %q, want %q", got, test.want)
			}
			mustIndex(t, engine, quarry.IndexOptions{})
			if again := mustIndex(t, engine, quarry.IndexOptions{}); again.Full || again.Indexed != 0 {
				t.Errorf("the next run: %+v", again)
			}
		})
	}
	if err := (quarry.Config{VaultDir: "a", DatabasePath: "b", Dialect: "roam"}).Validate(); err == nil || !strings.Contains(err.Error(), "roam") {
		t.Errorf("an unknown dialect: %v", err)
	}
}

// The commands for one note read it as the index does, with an index and without one.
func TestOneNoteIsReadInTheDialectOfTheVault(t *testing.T) {
	files := map[string]string{
		"logseq/config.edn": "{}", ".obsidian/app.json": "{}", "pages/a.md": "kind:: tool\n\n- DOING write #[[two words]]", "pages/b.md": "- b",
	}
	dir, db := vaultOf(t, files), filepath.Join(t.TempDir(), "index.db")
	hasTag := func(engine *quarry.Engine) bool {
		parsed, err := engine.Parse(t.Context(), "pages/a.md")
		if err != nil {
			t.Fatal(err)
		}
		for _, tag := range parsed.Tags {
			if strings.Contains(tag.Tag, "two") {
				return true
			}
		}
		return false
	}
	if !hasTag(openWith(t, quarry.Config{VaultDir: dir, DatabasePath: db})) {
		t.Error("without an index it is not read as Logseq's")
	}
	if hasTag(openWith(t, quarry.Config{VaultDir: dir, DatabasePath: db, Dialect: "obsidian"})) {
		t.Error("the dialect that is named does not count")
	}
	mustIndex(t, openWith(t, quarry.Config{VaultDir: dir, DatabasePath: db}), quarry.IndexOptions{})
	if !hasTag(openWith(t, quarry.Config{VaultDir: dir, DatabasePath: db})) {
		t.Error("with an index it is not read as Logseq's")
	}
}

// A schema beside the notes tells Dendron by its name alone, which the commands for one note look for, too.
func TestOneNoteIsReadInTheDialectThatNamesTell(t *testing.T) {
	files := map[string]string{"root.md": "r", "root.schema.yml": "version: 1", "a.md": "[[shown|b.c]]"}
	parsed, err := openWith(t, quarry.Config{VaultDir: vaultOf(t, files), NoModel: true}).Parse(t.Context(), "a.md")
	if err != nil || len(parsed.Links) != 1 || parsed.Links[0].Target != "b.c" {
		t.Errorf("links %+v, %v", parsed.Links, err)
	}
}

func TestTemplatesOfTheAppAreLeftOut(t *testing.T) {
	notes := map[string]string{
		"a.md": "kept", "My forms/f.md": "form", "deep/My forms/g.md": "kept", "T [1]/t.md": "form", "Daily/form.md": "form", "Daily/2026-01-01.md": "kept",
		"logseq/bak/old.md": "backup",
	}
	for _, test := range []struct {
		name     string
		settings map[string]string
		ignore   string
		left     []string
	}{
		{"none", nil, "", nil},
		{"folder", map[string]string{".obsidian/templates.json": `{"folder":"My forms"}`}, "", []string{"My forms/f.md"}},
		{"slashes and case", map[string]string{".obsidian/templates.json": `{"folder":"/my FORMS/"}`}, "", []string{"My forms/f.md"}},
		{"characters of patterns", map[string]string{".obsidian/plugins/templater-obsidian/data.json": `{"templates_folder":"T [1]","x":[{}]}`}, "", []string{"T [1]/t.md"}},
		{"a daily note's", map[string]string{".obsidian/daily-notes.json": `{"template":"Daily/form","folder":"Daily"}`}, "", []string{"Daily/form.md"}},
		{"with .md", map[string]string{".obsidian/daily-notes.json": `{"template":"Daily/form.md"}`}, "", []string{"Daily/form.md"}},
		{"taken back", map[string]string{".obsidian/templates.json": `{"folder":"My forms"}`}, "!/My forms/", nil},
		{"several", map[string]string{
			".obsidian/templates.json": `{"folder":"My forms"}`, ".obsidian/daily-notes.json": `{"template":"Daily/form"}`,
		}, "!*/", []string{"Daily/form.md", "My forms/f.md"}},
		{"the whole vault", map[string]string{".obsidian/templates.json": `{"folder":"/"}`}, "", nil},
		{"nothing", map[string]string{".obsidian/templates.json": `{"folder":""}`}, "", nil},
		{"outside", map[string]string{".obsidian/templates.json": `{"folder":"../My forms"}`}, "", nil},
		{"a wildcard means itself", map[string]string{".obsidian/templates.json": `{"folder":"*"}`}, "", nil},
		{"lines", map[string]string{".obsidian/templates.json": `{"folder":"x\n*"}`}, "", nil},
		{"broken", map[string]string{".obsidian/templates.json": `{"folder":"My forms"`}, "", nil},
		{"another type", map[string]string{".obsidian/templates.json": `{"folder":["My forms"]}`}, "", nil},
		{"a list", map[string]string{".obsidian/templates.json": `["My forms"]`}, "", nil},
		{"huge", map[string]string{".obsidian/templates.json": `{"folder":"My forms","x":"` + strings.Repeat("x", 1<<20) + `"}`}, "", nil},
		{"Logseq's own folder", map[string]string{"logseq/config.edn": "{}"}, "", []string{"logseq/bak/old.md"}},
		{"Logseq's own folder taken back", map[string]string{"logseq/config.edn": "{}"}, "!logseq/", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := vaultOf(t, notes)
			for path, text := range test.settings {
				writeNote(t, dir, path, text)
			}
			if test.ignore != "" {
				writeNote(t, dir, ".indexignore", test.ignore)
			}
			engine := openWith(t, quarry.Config{VaultDir: dir})
			mustIndex(t, engine, quarry.IndexOptions{})
			left := map[string]bool{}
			for path := range notes {
				left[path] = true
			}
			for _, path := range listed(t, engine, quarry.Filter{}) {
				delete(left, path)
			}
			for _, path := range test.left {
				if !left[path] {
					t.Errorf("%s is indexed", path)
				}
				delete(left, path)
			}
			if len(left) != 0 {
				t.Errorf("left out as well: %v", left)
			}
		})
	}
}

// What the app's settings leave out since the last run is gone from the index after the next.
func TestTemplatesNamedLaterAreDropped(t *testing.T) {
	dir := vaultOf(t, map[string]string{"a.md": "kept", "Forms/f.md": "form"})
	engine := openWith(t, quarry.Config{VaultDir: dir})
	mustIndex(t, engine, quarry.IndexOptions{})
	writeNote(t, dir, ".obsidian/templates.json", `{"folder":"Forms"}`)
	if report := mustIndex(t, engine, quarry.IndexOptions{}); report.Deleted != 1 {
		t.Errorf("report %+v", report)
	}
	if err := os.Remove(filepath.Join(dir, ".obsidian", "templates.json")); err != nil {
		t.Fatal(err)
	}
	if report := mustIndex(t, engine, quarry.IndexOptions{}); report.Indexed != 1 {
		t.Errorf("report %+v", report)
	}
}

func TestFilesOfDataAreTakenInWhereAskedFor(t *testing.T) {
	dir := vaultOf(t, map[string]string{
		"a.md": "note", "data/rates.json": `{"rates":[{"name":"harbour","per day":12}]}`, "data/more.yaml": "town: Delft\n", ".x.json": "{}",
	})
	engine := openWith(t, quarry.Config{VaultDir: dir})
	mustIndex(t, engine, quarry.IndexOptions{})
	want(t, "notes", listed(t, engine, quarry.Filter{}), []string{"a.md"})
	engine = openWith(t, quarry.Config{VaultDir: dir, DataFiles: true})
	mustIndex(t, engine, quarry.IndexOptions{})
	want(t, "notes", listed(t, engine, quarry.Filter{}), []string{"a.md", "data/more.yaml", "data/rates.json"})
	for query, path := range map[string]string{"harbour": "data/rates.json", "delft": "data/more.yaml"} {
		answer, err := engine.Search(t.Context(), quarry.SearchRequest{Query: query, Mode: quarry.Lexical})
		if err != nil || len(answer.Results) != 1 || answer.Results[0].FilePath != path {
			t.Errorf("%s: %+v, %v", query, answer.Results, err)
		}
	}
}
