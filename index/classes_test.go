package index_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"quarry/index"
	"quarry/internal/dialect"
	"quarry/internal/sensitivity"
	"quarry/secret"
	"quarry/store"
	"quarry/vault"
)

func rulesOf(t *testing.T, configs ...sensitivity.Config) *sensitivity.Rules {
	t.Helper()
	rules, err := sensitivity.New(configs...)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func secretFolders(t *testing.T, folders ...string) *sensitivity.Rules {
	t.Helper()
	config := sensitivity.Config{Folders: map[string]string{}}
	for _, folder := range folders {
		config.Folders[folder] = "secret"
	}
	return rulesOf(t, config)
}

func problems(r index.Report) string {
	var list []string
	for _, p := range r.Problems {
		line := 0
		if p.Line != nil {
			line = *p.Line
		}
		list = append(list, fmt.Sprintf("%s:%d %s: %s", p.Path, line, p.State, p.Reason))
	}
	return strings.Join(list, "\n")
}

// names are those of all notes and other files of the index.
func (f *fixture) names(t *testing.T) string {
	t.Helper()
	snapshot := f.snapshot(t)
	defer snapshot.Close()
	others, err := snapshot.OtherFiles(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(slices.Concat(slices.Sorted(maps.Keys(f.texts(t))), others), " ")
}

func TestSecretFoldersAreNotRead(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "All about apples.", "safe/b.md": "All about bread.", "Safe/deep/c.md": "All about cheese."})
	f.vault.others = []string{"safe/photo.png", "seen.png"}
	for path := range f.vault.content {
		if strings.HasPrefix(strings.ToLower(path), "safe/") {
			f.vault.broken[path] = errors.New("a secret file was read")
		}
	}
	f.config.Rules = secretFolders(t, "safe")
	for _, options := range []index.Options{{}, {}, {Full: true}, {Verify: true}} {
		report := f.run(t, options)
		want(t, "counts", fmt.Sprint(report.Skipped, report.Failed, report.Chunks), "2 0 1")
		want(t, "problems", problems(report), "Safe/deep/c.md:0 skipped: not indexed: secret by its folder\nsafe/b.md:0 skipped: not indexed: secret by its folder")
		want(t, "names", f.names(t), "a.md seen.png")
	}
	if !index.IsSecret(f.run(t, index.Options{}).Problems[0]) {
		t.Error("the problem is not known as one of a secret note")
	}
}

// TestSecretNotesLeave holds that what became secret goes on the next run, in a small vault and in a full run, too.
func TestSecretNotesLeave(t *testing.T) {
	content := map[string]string{}
	for i := range 30 {
		content[fmt.Sprintf("safe/%02d.md", i)] = fmt.Sprintf("Note number %d about bread.", i)
	}
	content["a.md"], content["b.md"] = "All about apples.", "All about bread."
	for _, full := range []bool{false, true} {
		f := newFixture(t, content)
		f.vault.others = []string{"safe/photo.png"}
		f.run(t, index.Options{})
		f.config.Rules = secretFolders(t, "SAFE")
		f.vault.write("b.md", "---\nsensitivity: Secret\n---\nAll about bread.")
		dry := f.run(t, index.Options{DryRun: true, Full: full})
		want(t, "deleted by a dry run", fmt.Sprint(dry.Deleted), "30")
		report := f.run(t, index.Options{Full: full})
		want(t, "names", f.names(t), "a.md")
		want(t, "chunks", fmt.Sprint(report.Chunks, report.Skipped), "1 31")
		if want := map[bool]int{true: 30, false: 31}[full]; report.Full != full || report.Deleted != want {
			t.Errorf("full %v, %d deleted, want %d", report.Full, report.Deleted, want)
		}
		if text := problems(report); !strings.Contains(text, "b.md:0 skipped: not indexed: secret by its property") {
			t.Error(text)
		}
		begun := f.store.begun
		f.run(t, index.Options{})
		if f.store.begun != begun {
			t.Error("a run without changes wanted to write")
		}
		f.vault.write("b.md", "All about bread.")
		f.config.Rules = nil
		report = f.run(t, index.Options{})
		want(t, "back", fmt.Sprint(report.Indexed, len(report.Problems)), "31 0")
	}
}

// TestSecretOutOfReach holds that a secret note goes though its file or folder cannot be looked at.
func TestSecretOutOfReach(t *testing.T) {
	for _, full := range []bool{false, true} {
		f := newFixture(t, map[string]string{"a.md": "All about apples.", "safe/b.md": "All about bread.", "shut/c.md": "All about cheese."})
		f.run(t, index.Options{})
		f.vault.remove("safe/b.md")
		f.vault.remove("shut/c.md")
		f.vault.skipped = []vault.Skipped{{Path: "safe", Reason: "no permission", Failed: true}, {Path: "shut", Reason: "no permission", Failed: true}}
		f.config.Rules = secretFolders(t, "safe")
		f.run(t, index.Options{Full: full})
		want(t, "names", f.names(t), "a.md shut/c.md")
		f.config.Rules = rulesOf(t, sensitivity.Config{Default: "secret"})
		f.vault.broken["a.md"] = fs.ErrPermission
		f.config.Settings = "2" // as the engine does, since the rules read notes otherwise now
		f.run(t, index.Options{})
		want(t, "names", f.names(t), "")
	}
}

// TestDeclarationsElsewhere holds that a class counts wherever a note may say it, and that what is not understood is private.
func TestDeclarationsElsewhere(t *testing.T) {
	password := "hunter2" + "-Zq8-longer-9"
	files := map[string]string{
		"typo.md": "Text.\n\nsensitivity:: privat\n", "remark.md": "Text. [sensitivity:: private (family)]\n", "several.md": "sensitivity:: private, public\n",
		"link.md": "sensitivity:: [[private]]\n", "empty.md": "---\nsensitivity:\n---\nText.", "tag.md": "---\nsensitivity: #private\n---\nText.",
		"quotes.md": "---\nsensitivity: \"\"\n---\nText.", "typo.json": `{"sensitivity":"privat"}`, "broken.json": "{\n \"sensitivity\": \"private\",\n \"a\": [\n",
		"broken.yaml": "\"sensitivity\": private\na: [\n", "list.jsonl": "{\"a\":1}\n{\"sensitivity\":\"private\"}\n", "empty.yaml": "sensitivity:\na: 1\n",
		"top.canvas": `{"sensitivity":"private","nodes":[],"edges":[]}`, "list.canvas": `{"nodes":[],"Sensitivity":["public","private"]}`,
		"meta.canvas": `{"nodes":[],"metadata":{"version":"1","frontmatter":{"sensitivity":"private"}}}`, "broken.canvas": `{"nodes":[{"id":"a"],"sensitivity":"private"}`,
		"card.canvas": `{"nodes":[{"id":"a","type":"text","text":"sensitivity:: private","x":0,"y":0,"width":1,"height":1}]}`,
		"top.base":    "sensitivity: private\nviews:\n  - type: table\n    name: A\n", "broken.base": "sensitivity: private\nviews: [\n",
		"line150.md":  "---\n" + strings.Repeat("key: value\n", 150) + "sensitivity: private\n\nText without an end.\n",
		"line9999.md": "---\n" + strings.Repeat("key: a rather long value of a property\n", 60000) + "sensitivity: private\n\nText without an end.\n",
		"merge.md":    "---\nbase: &b\n  sensitivity: private\n<<: *b\n---\nText.", "merge.yaml": "base: &b\n  sensitivity: private\n<<: *b\n",
		"json.md": "{\n\"sensitivity\": \"private\"\n}\nText.", "semicolons.md": ";;;\n{\"sensitivity\":\"private\"}\n;;;\nText.",
		"nbsp.md": "\u00a0---\nsensitivity: private\n---\n", "unseen.md": "\u200b\x0b---\nsensitivity: private\n---\n", "hyphen.md": "---\nsensi\u00adtivity: private\n---\n",
		"comment.md": "<!-- of mine -->\n---\nsensitivity: private\n---\n", "wide.md": "---\n\uff53ensitivity: private\n---\n", "colon.md": "---\nsensitivity\uff1a private\n---\n",
		"quote.md": "---\na: \"\n---\nsensitivity: private\n---\nText.", "top.excalidraw": `{"type":"excalidraw","elements":[],"sensitivity":"private"}`,
		"list.excalidraw": `{"type":"excalidraw","elements":[],"sensitivity":["public","private"]}`,
		"swallow.md":      "Text.\n\n[password:: " + password + "] [sensitivity:: private]\n",
	}
	open := map[string]string{
		"open.canvas": `{"nodes":[{"id":"a","type":"text","text":"# The sensitivity: of film","x":0,"y":0,"width":1,"height":1}],"metadata":{"version":"1"}}`,
		"open.base":   "views:\n  - type: table\n    name: A\n", "prose.md": "The sensitivity: of film is high.\n", "other.md": "klass:: private\n",
		"rule.md": "---\na: [\n---\nThe sensitivity: of film.\n", "brace.md": "{{title}}\n\nThe sensitivity: of film.\n", "note.md": "<!-- a -->\n\nThe sensitivity: of film.\n",
		"open.excalidraw": `{"type":"excalidraw","elements":[{"type":"text","text":"The sensitivity: of film"}]}`,
	}
	f := newFixture(t, files)
	for name, text := range open {
		f.vault.write(name, text)
	}
	report := f.run(t, index.Options{})
	snapshot := f.snapshot(t)
	defer snapshot.Close()
	notes, err := snapshot.Notes(t.Context(), store.NoteQuery{})
	if err != nil || len(notes) != len(files)+len(open) {
		t.Fatal(len(notes), err)
	}
	for _, n := range notes {
		if _, isOpen := open[n.Path]; (n.Sensitivity == "private") == isOpen {
			t.Errorf("%s says %q", n.Path, n.Sensitivity)
		}
	}
	for _, problem := range []string{
		"typo.md:3 warning: sensitivity: privat is no class; the note is kept private", "tag.md:2 warning: sensitivity: no class is named; the note is kept private",
		"quotes.md:2 warning: sensitivity: no class", "typo.json:1 warning: sensitivity: privat is no class", "remark.md:1 warning: sensitivity: private (family) is no class",
	} {
		if !strings.Contains(problems(report), problem) {
			t.Errorf("no problem %q in:\n%s", problem, problems(report))
		}
	}
}

func TestClassesAndRedactionsAreStored(t *testing.T) {
	password := "hunter2" + "-Zq8-longer-9"
	f := newFixture(t, map[string]string{
		"none.md": "Text.", "public.md": "---\nSensitivity: PUBLIC\n---\nText.", "private.md": "---\nsensitivity: [internal, private]\n---\nText.",
		"odd.md":        "---\nsensitivity: priv%%ate\n---\nText.",
		"torn.md":       "---\ntitle: [x\n\t- sensitivity: private\n---\nText.",
		"twice.md":      "---\nsensitivity: private\nsensitivity: public\n---\nText.",
		"open.md":       "---\ntitle: x\nsensitivity: private\n\nText.",
		"late.md":       "\n\n---\nsensitivity: private\n---\nText.",
		"toml.md":       "+++\nsensitivity = \"private\"\n+++\nText.",
		"rule.md":       "---\n\nText after a rule.",
		"inline.md":     "Text.\n\nsensitivity:: private\n",
		"talk.md":       "---\ntags: [a]\n---\nThe sensitivity: how secret is it?\n\nsensitivity:: high\n",
		"data.json":     `{"name":"x","sensitivity":"private"}`,
		"measured.json": `{"name":"x","sensitivity":0.98}`,
		"deep.json":     `{"name":"x","model":{"sensitivity":0.98}}`,
		"data.yaml":     "name: x\nsensitivity: private\n",
		"pass.md":       "---\npassword: " + password + "\n---\npassword: " + password + "\n",
		"folder/a.md":   "Text.",
	})
	f.config.Rules = rulesOf(t, sensitivity.Config{Folders: map[string]string{"folder": "private"}})
	report := f.run(t, index.Options{})
	snapshot := f.snapshot(t)
	defer snapshot.Close()
	notes, err := snapshot.Notes(t.Context(), store.NoteQuery{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, n := range notes {
		got[n.Path] = n.Sensitivity
		if (len(n.Redactions) > 0) != (n.Path == "pass.md") {
			t.Errorf("%s: redactions %v", n.Path, n.Redactions)
		}
	}
	for path, class := range map[string]string{
		"none.md": "", "public.md": "public", "private.md": "private", "odd.md": "private", "torn.md": "private", "twice.md": "private",
		"open.md": "private", "late.md": "private", "toml.md": "private", "rule.md": "", "inline.md": "private", "talk.md": "private",
		"data.json": "private", "measured.json": "private", "deep.json": "", "data.yaml": "private", "pass.md": "", "folder/a.md": "",
	} {
		if got[path] != class {
			t.Errorf("%s says %q, want %q", path, got[path], class)
		}
	}
	if len(report.Redactions) == 0 || report.Redactions[0].Count < 2 {
		t.Errorf("redactions of the run: %v", report.Redactions)
	}
}

// TestSwallowedProperty holds that a secret which takes the line of the class with it leaves the note private.
func TestSwallowedProperty(t *testing.T) {
	key := "-----BEGIN RSA " + "PRIVATE KEY-----\n" + strings.Repeat("  MIIEpAIBAAKCAQEA7v9ZcZ1kq4mJb0q7yQw2\n", 8)
	f := newFixture(t, map[string]string{"a.md": "---\nkey: |\n  " + key + "sensitivity: private\n  -----END RSA " + "PRIVATE KEY-----\n---\nText.\n"})
	f.run(t, index.Options{})
	snapshot := f.snapshot(t)
	defer snapshot.Close()
	if n, ok, err := snapshot.Note(t.Context(), "a.md"); err != nil || !ok || n.Sensitivity != "private" {
		t.Errorf("%q, %v, %v", n.Sensitivity, ok, err)
	}
}

// hardToScan is a text, and a filter to which more of it looks like the start of a secret than it looks at.
func hardToScan(t *testing.T) (string, *secret.Filter) {
	t.Helper()
	filter, err := secret.New(secret.Options{Patterns: []secret.Pattern{{Name: "slow", Pattern: `quo.{0,200}x.{0,200}y[0-9]`, Keywords: []string{"quo"}}}})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("quox ", 6000)
	if _, counts := filter.Redact(text); !slices.ContainsFunc(counts, func(c secret.Count) bool { return c.Name == secret.Unscanned }) {
		t.Fatalf("the filter looks at all of it, so that nothing is tested: %v", counts)
	}
	return text, filter
}

func TestUnscannedPassagesAreWithheld(t *testing.T) {
	marker := secret.Marker(secret.Unscanned)
	hard, filter := hardToScan(t)
	text := "# One\n\nThe first passage is about apples.\n\n# Two\n\nHard words: " + hard + "\n\n" + strings.Repeat("Plain words follow here. ", 250) + "\n\n# Three\n\nThe third passage is about cheese.\n"
	f := newFixture(t, map[string]string{"a.md": text, "mark.md": "# Mark\n\nSomebody writes " + marker + " in a note of their own.\n"})
	f.config.Filter = filter
	report := f.run(t, index.Options{})
	if got := problems(report); !strings.HasPrefix(got, "a.md:5 warning: looks so much like secrets that it could not be checked: not indexed") || len(report.Problems) > 1 {
		t.Errorf("problems: %s", got)
	}
	stored := f.texts(t)["a.md"]
	if strings.Contains(stored, marker) || !strings.HasPrefix(stored, "The first passage is about apples.|") || !strings.HasSuffix(stored, "|The third passage is about cheese.") {
		t.Errorf("a.md: %s", stored)
	}
	want(t, "mark.md", f.texts(t)["mark.md"], "Somebody writes "+marker+" in a note of their own.")
	n, _ := index.Reading{Filter: filter}.Understand("a.md", []byte(text))
	next, withheld := 0, 0
	for _, piece := range index.Cut(n, nil) {
		switch {
		case piece.Withheld:
			withheld++
		case piece.Index != next:
			t.Errorf("a passage has the number %d, want %d", piece.Index, next)
		default:
			next++
		}
		if piece.Withheld != strings.Contains(piece.Text, marker) {
			t.Errorf("withheld %v: %.60q", piece.Withheld, piece.Text)
		}
	}
	if withheld == 0 || next < 3 {
		t.Errorf("%d passages are withheld, %d are not", withheld, next)
	}
}

// TestStricterFilter holds that a full run with other options takes nothing over that nobody could look at with them.
func TestStricterFilter(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "The staff number is ZQ-" + "4711-77.", "b.md": "Nothing here."})
	f.run(t, index.Options{})
	filter, err := secret.New(secret.Options{Patterns: []secret.Pattern{{Name: "staff-number", Pattern: `ZQ-\d{4}-\d{2}`, Keywords: []string{"zq-"}}}})
	if err != nil {
		t.Fatal(err)
	}
	f.config.Filter, f.config.Settings = filter, "2"
	f.vault.broken["a.md"], f.vault.broken["b.md"] = fs.ErrPermission, fs.ErrPermission
	report := f.run(t, index.Options{})
	if !report.Full {
		t.Error("other options ask for no full run")
	}
	want(t, "names", f.names(t), "")
	if text := problems(report); strings.Count(text, "left out: the settings changed, and it could not be read anew") != 2 {
		t.Errorf("problems: %s", text)
	}
	clear(f.vault.broken)
	report = f.run(t, index.Options{})
	want(t, "text", f.texts(t)["a.md"], "The staff number is [REDACTED:staff-number].")
	want(t, "redactions", fmt.Sprint(report.Redactions, report.RedactedNotes), "[{staff-number 1}] 1")
}

// TestInterruptedRunWithholds holds that a run which is cut short takes secret folders out all the same.
func TestInterruptedRunWithholds(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "All about apples.", "safe/b.md": "All about bread."})
	f.run(t, index.Options{})
	f.config.Rules = secretFolders(t, "safe")
	for i := range 900 { // more than are read ahead
		f.vault.write(fmt.Sprintf("new/%03d.md", i), "A new note about dill.")
	}
	ctx, cancel := context.WithCancel(t.Context())
	f.config.Progress = func(p index.Progress) {
		if p.Done == 300 {
			cancel()
		}
	}
	if _, err := index.Run(ctx, f.config, index.Options{}); !errors.Is(err, index.ErrInterrupted) {
		t.Fatal(err)
	}
	if strings.Contains(f.names(t), "safe/") {
		t.Error("the index holds the secret note")
	}
}

// TestLogseqProperties holds that classes are read as Logseq writes properties.
func TestLogseqProperties(t *testing.T) {
	f := newFixture(t, map[string]string{
		"pages/a.md": "sensitivity:: private\n\n- Text.", "pages/b.md": "- Text.\n  sensitivity:: Secret", "pages/c.md": "- Text.",
	})
	f.vault.dialect = dialect.Logseq
	f.run(t, index.Options{})
	snapshot := f.snapshot(t)
	defer snapshot.Close()
	want(t, "names", f.names(t), "pages/a.md pages/c.md")
	if n, _, err := snapshot.Note(t.Context(), "pages/a.md"); err != nil || n.Sensitivity != "private" {
		t.Errorf("%q, %v", n.Sensitivity, err)
	}
}
