package quarry_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry"
	"quarry/chunk"
	"quarry/internal/notetype"
	"quarry/note"
)

// plantedNames are secrets that could be names of relations, with the settings by which they are known as such.
var plantedNames = []string{
	"dop_v1_" + strings.Repeat("9f4c7a1e03bd5826", 4), "AKIA" + "Q3EGRVBA7ZLT5WKN", "Kiln-Door-" + "482913",
}

func plantedPatterns() []quarry.RedactionPattern {
	return []quarry.RedactionPattern{{Name: "door-code", Pattern: `Kiln-Door-[0-9]{6}`}}
}

// checkHidden holds that none of the planted names is in a text, whatever the case of its letters.
func checkHidden(t *testing.T, what string, text []byte) {
	t.Helper()
	for _, name := range plantedNames {
		if bytes.Contains(bytes.ToLower(text), bytes.ToLower([]byte(name))) {
			t.Errorf("%s has the secret %.6s…", what, name)
		}
	}
}

// checkFilesHidden looks into all files of a folder.
func checkFilesHidden(t *testing.T, folder string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) == 0 {
		t.Fatal(entries, err)
	}
	for _, entry := range entries {
		raw, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		checkHidden(t, entry.Name(), raw)
	}
}

// answersOf is all that an engine tells of types.
func answersOf(t *testing.T, engine *quarry.Engine) []byte {
	t.Helper()
	var out bytes.Buffer
	add := func(answer any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		encoded, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(encoded, '\n'))
	}
	add(engine.Status(t.Context()))
	add(engine.Doctor(t.Context(), quarry.DoctorRequest{}))
	add(engine.Graph(t.Context()))
	add(engine.GraphStats(t.Context()))
	for _, kinds := range append([][]string{nil, {"cites"}}, plantedNames) {
		add(engine.Links(t.Context(), quarry.LinksRequest{Note: "a.md", Kinds: kinds}))
	}
	return out.Bytes()
}

// plantedVault is one with secrets among the names in its types.yaml, and a name that is none.
func plantedVault(t *testing.T) string {
	var types strings.Builder
	types.WriteString("default:\n  edge_defaults: [cites, " + strings.Join(plantedNames, ", ") + "]\ntypes:\n")
	for _, name := range plantedNames {
		types.WriteString("  " + name + ":\n    edge_defaults:\n      - " + name + "\n      - \"" + name + "\"\n    nonsense-" + name + ": 1\n")
	}
	return vaultOf(t, map[string]string{"types.yaml": types.String(), "a.md": "See [[b]].\n", "b.md": "words\n"})
}

// TestSecretsOfTypes: no secret in types.yaml gets into the index, an answer, a problem or the log. What else it says counts.
func TestSecretsOfTypes(t *testing.T) {
	var log bytes.Buffer
	database := filepath.Join(t.TempDir(), "index.db")
	engine := openConfig(t, quarry.Config{
		VaultDir: plantedVault(t), DatabasePath: database, NoModel: true, VaultPatterns: plantedPatterns(),
		Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	report := mustIndex(t, engine, quarry.IndexOptions{})
	var lines []int
	for _, p := range report.Problems {
		if p.Path != "types.yaml" || p.Line == nil || !strings.Contains(p.Reason, "looks like a secret") {
			t.Errorf("%+v", p)
			continue
		}
		lines = append(lines, *p.Line)
	}
	if want := []int{2, 2, 2, 4, 9, 14}; !cmp.Equal(want, lines) {
		t.Errorf("problems in the lines %v, want %v", lines, want)
	}
	encoded, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	checkHidden(t, "the report", encoded)
	answers := answersOf(t, engine)
	if !bytes.Contains(answers, []byte("edge_defaults:default:cites")) && !bytes.Contains(answers, []byte(`"cites"`)) {
		t.Errorf("what else types.yaml says does not count: %s", answers)
	}
	checkHidden(t, "an answer", answers)
	checkHidden(t, "the log", log.Bytes())
	checkFilesHidden(t, filepath.Dir(database))
}

// TestSecretsOfOldTypes: what an index knows of types counts for nothing where another filter let it in, and goes with the next run.
func TestSecretsOfOldTypes(t *testing.T) {
	config := quarry.Config{VaultDir: plantedVault(t), DatabasePath: filepath.Join(t.TempDir(), "index.db"), NoModel: true}
	blind := config
	blind.Redaction.Off = []string{"digitalocean-token", "aws-access-key-id"}
	if _, err := quarry.Open(t.Context(), blind); err != nil {
		t.Fatal(err)
	}
	mustIndex(t, openConfig(t, blind), quarry.IndexOptions{})
	config.VaultPatterns = plantedPatterns()
	engine := openConfig(t, config)
	checkHidden(t, "an answer before the run", answersOf(t, engine))
	mustIndex(t, engine, quarry.IndexOptions{})
	checkHidden(t, "an answer", answersOf(t, engine))
	if err := engine.Close(); err != nil {
		t.Fatal(err)
	}
	checkFilesHidden(t, filepath.Dir(config.DatabasePath))
}

// unreadable are ways in which a file can be there and not be read.
func unreadable(t *testing.T) map[string]func(file string) error {
	ways := map[string]func(file string) error{
		"folder":  func(file string) error { return os.Mkdir(file, 0o700) },
		"symlink": func(file string) error { return os.Symlink(filepath.Join(filepath.Dir(file), "kept.yaml"), file) },
	}
	if pipe, err := exec.LookPath("mkfifo"); err == nil {
		ways["named pipe"] = func(file string) error { return exec.CommandContext(t.Context(), pipe, file).Run() }
	}
	if runtime.GOOS != "windows" && os.Getuid() != 0 {
		ways["nobody may"] = func(file string) error { return os.WriteFile(file, []byte("x: 1\n"), 0) }
	}
	return ways
}

// TestUnreadableTypes: a types.yaml that cannot be read for now is a file that failed, and leaves all as it was.
func TestUnreadableTypes(t *testing.T) {
	const text = "default: {chunk_profile: short}\n"
	for what, spoil := range unreadable(t) {
		t.Run(what, func(t *testing.T) {
			root := vaultOf(t, map[string]string{"types.yaml": text, "a.md": prose(40)})
			file := filepath.Join(root, "types.yaml")
			engine := openTyped(t, root, quarry.TypesConfig{})
			first := mustIndex(t, engine, quarry.IndexOptions{})
			if err := os.Rename(file, filepath.Join(root, "kept.yaml")); err != nil {
				t.Fatal(err)
			}
			if err := spoil(file); err != nil {
				t.Skip(err)
			}
			report := mustIndex(t, engine, quarry.IndexOptions{})
			if report.Full || report.Indexed > 0 || report.Chunks != first.Chunks || report.Failed != 1 || len(report.Problems) != 1 ||
				report.Problems[0].State != "failed" || report.Problems[0].Path != "types.yaml" || !strings.HasPrefix(report.Problems[0].Reason, "it cannot be read (") {
				t.Errorf("%+v (%s)", report, report.Reason)
			}
			if list, err := engine.Chunks(t.Context(), "a.md"); err != nil || list.ChunkProfile != "short" {
				t.Errorf("cut by %s, %v", list.ChunkProfile, err)
			}
			if status, err := engine.Status(t.Context()); err != nil || len(status.Notices) > 0 || len(status.Problems) != 1 {
				t.Errorf("%+v, %v", status, err)
			}
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			writeNote(t, root, "types.yaml", text)
			report = mustIndex(t, engine, quarry.IndexOptions{})
			if report.Full || report.Indexed > 0 || len(report.Problems) > 0 || report.Failed > 0 {
				t.Errorf("when it is back: %+v (%s)", report, report.Reason)
			}
		})
	}
}

// TestHalfSavedTypes: a types.yaml that is no YAML failed, with its line, as often as it is looked at; notes stay cut as they were.
func TestHalfSavedTypes(t *testing.T) {
	const text = "default:\n  chunk_profile: short\n"
	for what, c := range map[string]struct {
		text string
		line int
	}{
		"a list": {"default:\n  edge_defaults: [\n", 2}, "a tab": {"default:\n\tchunk_profile: short\n", 2}, "a word": {"defau", 1}, "too large": {text + strings.Repeat("# words\n", 10_000), 1},
	} {
		t.Run(what, func(t *testing.T) {
			root := vaultOf(t, map[string]string{"types.yaml": text, "a.md": prose(40)})
			engine := openTyped(t, root, quarry.TypesConfig{})
			first := mustIndex(t, engine, quarry.IndexOptions{})
			writeNote(t, root, "types.yaml", c.text)
			for _, isFull := range []bool{false, false, true} {
				report := mustIndex(t, engine, quarry.IndexOptions{Full: isFull})
				if report.Full != isFull || !isFull && report.Indexed > 0 || report.Chunks != first.Chunks || report.Failed != 1 || len(report.Problems) != 1 {
					t.Fatalf("%+v (%s)", report, report.Reason)
				}
				p := report.Problems[0]
				if p.State != "failed" || p.Path != "types.yaml" || p.Line == nil || *p.Line != c.line || !strings.HasSuffix(p.Reason, "; what the last run knew of types counts on") {
					t.Errorf("%+v", p)
				}
			}
			if list, err := engine.Chunks(t.Context(), "a.md"); err != nil || list.ChunkProfile != "short" {
				t.Errorf("cut by %s, %v", list.ChunkProfile, err)
			}
			if status, err := engine.Status(t.Context()); err != nil || len(status.Notices) > 0 || len(status.Problems) != 1 {
				t.Errorf("%+v, %v", status, err)
			}
			writeNote(t, root, "types.yaml", text)
			if report := mustIndex(t, engine, quarry.IndexOptions{}); report.Full || report.Indexed > 0 || len(report.Problems) > 0 {
				t.Errorf("when it is whole: %+v (%s)", report, report.Reason)
			}
		})
	}
}

// TestUnusableTypes: types come from no secret folder and no note, by whatever path, and nothing is told of what stands there.
func TestUnusableTypes(t *testing.T) {
	files := map[string]string{"vault/hidden/types.yaml": "hush: 1\ndefault: {chunk_profile: short}\n", "vault/a.md": prose(40), "vault/kinds.md": "hush: 1\ndefault: {chunk_profile: short}\n"}
	base := vaultOf(t, files)
	root := filepath.Join(base, "vault")
	if err := os.Symlink(filepath.Join(root, "hidden"), filepath.Join(base, "link")); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{
		"hidden/types.yaml", "HIDDEN/../hidden/types.yaml", "kinds.md", filepath.Join(root, "hidden", "types.yaml"), filepath.Join(base, "link", "types.yaml"), filepath.Join(root, "kinds.md"),
	} {
		for _, audience := range []quarry.Audience{quarry.Owner, quarry.Client} {
			engine := openConfig(t, quarry.Config{
				VaultDir: root, DatabasePath: filepath.Join(t.TempDir(), "index.db"), NoModel: true, Audience: audience, Types: quarry.TypesConfig{File: name},
				Sensitivity: []quarry.SensitivityConfig{{Folders: map[string]string{"hidden": "secret"}, Default: "public"}},
			})
			report := mustIndex(t, engine, quarry.IndexOptions{})
			told := slices.DeleteFunc(slices.Clone(report.Problems), func(p quarry.Problem) bool {
				return !strings.HasSuffix(p.Reason, "it cannot be used") || p.State != "failed"
			})
			isTold := audience == quarry.Owner || filepath.Base(name) == "kinds.md" && !filepath.IsAbs(name) // a client sees that note
			if isTold != (len(told) == 1) || audience == quarry.Owner && report.Failed != 1 || strings.Contains(fmt.Sprint(report), "hush") {
				t.Errorf("%s, %s: %+v", name, audience, report)
			}
			if list, err := engine.Chunks(t.Context(), "a.md"); err != nil || list.ChunkProfile != "by_heading" {
				t.Errorf("%s, %s: cut by %s, %v", name, audience, list.ChunkProfile, err)
			}
		}
	}
}

// TestStatusTellsOfOtherTypes: a change of what types decide is told until the next run, and nothing else is.
func TestStatusTellsOfOtherTypes(t *testing.T) {
	root := vaultOf(t, map[string]string{"a.md": "words\n"})
	database := filepath.Join(t.TempDir(), "index.db")
	config := quarry.Config{VaultDir: root, DatabasePath: database, NoModel: true}
	open := func(overrides ...string) *quarry.Engine {
		changed := config
		changed.Types.Overrides = overrides
		return openConfig(t, changed)
	}
	engine := open()
	config.Audience = quarry.Client
	client := open()
	config.Audience = quarry.Owner
	mustIndex(t, engine, quarry.IndexOptions{})
	notices := func(engine *quarry.Engine) int {
		status, err := engine.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for _, notice := range status.Notices {
			if strings.Contains(notice, "types.yaml") {
				count++
			}
		}
		return count
	}
	for _, step := range []struct {
		text    string
		changed int
	}{
		{"types: {moc: {retriever_weight: 2}}\n", 1},
		{"types: {MOC: {retriever_weight: 2.0}} # the same\n", 0},
		{"types: {moc: {retriever_weight: 3}}\n", 1},
		{"types: {moc: {retriever_weight: 3}}\nnonsense: 1\n", 0},
	} {
		writeNote(t, root, "types.yaml", step.text)
		if got := notices(engine); got != step.changed {
			t.Errorf("%q: %d notices, want %d", step.text, got, step.changed)
		}
		if got := notices(client); got != 0 {
			t.Errorf("%q: a client is told of types: %d notices", step.text, got)
		}
		mustIndex(t, engine, quarry.IndexOptions{})
		if got := notices(engine); got != 0 {
			t.Errorf("%q: %d notices after the run", step.text, got)
		}
	}
	if got := notices(open("edge_defaults")); got != 1 {
		t.Errorf("%d notices where overrides changed", got)
	}
}

// TestPassagesAreThoseOfTheIndex: the ids that answers have are read by the types that they were made with.
func TestPassagesAreThoseOfTheIndex(t *testing.T) {
	root := vaultOf(t, map[string]string{"types.yaml": "default: {chunk_profile: short}\n", "a.md": prose(40)})
	engine := openTyped(t, root, quarry.TypesConfig{})
	read := func() string {
		excerpts, err := engine.Read(t.Context(), []string{"a#c02"}, 0)
		if err != nil {
			return err.Error()
		}
		return excerpts[0].Text
	}
	before := read()
	mustIndex(t, engine, quarry.IndexOptions{})
	answer, err := engine.Search(t.Context(), quarry.SearchRequest{Query: "Sentence", Mode: "lexical", Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(answer.Results, func(r quarry.SearchResult) bool { return r.ChunkID == "a#c02" })
	if at < 0 || !strings.Contains(read(), answer.Results[at].ChunkText) || before != read() {
		t.Fatalf("a#c02 reads %q, before the run %q", read(), before)
	}
	writeNote(t, root, "types.yaml", "default: {chunk_profile: long}\n")
	if !strings.Contains(read(), answer.Results[at].ChunkText) {
		t.Errorf("a#c02 reads %q by types that the index does not know", read())
	}
	mustIndex(t, engine, quarry.IndexOptions{})
	if text := read(); text == before {
		t.Errorf("a#c02 reads %q after the run", text)
	}
}

// TestProfileNames holds that the names which types.yaml can give are those that notes are cut by.
func TestProfileNames(t *testing.T) {
	byName := map[string]chunk.Profile{}
	for _, profile := range chunk.Profiles() {
		byName[string(profile)] = profile
	}
	names := notetype.Profiles()
	for _, name := range names {
		if _, ok := byName[name]; !ok {
			t.Errorf("notes are not cut by %s", name)
		}
	}
	if len(names) != len(byName) || notetype.ByHeading != string(chunk.ByHeading) {
		t.Errorf("%v are not %v", names, chunk.Profiles())
	}
	n := note.Reader{}.Read("a.md", []byte(prose(80)))
	for name, profile := range byName {
		if usual := profile == chunk.ByHeading; !usual && fmt.Sprint(chunk.Split(n, profile)) == fmt.Sprint(chunk.Split(n, chunk.ByHeading)) {
			t.Errorf("%s cuts as %s does", name, chunk.ByHeading)
		}
	}
}
