package quarry_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry"
)

// prose is a text of so many sentences, each with a number.
func prose(sentences int) string {
	var b strings.Builder
	for i := range sentences {
		fmt.Fprintf(&b, "Sentence %d tells of a kiln in the village. ", i)
	}
	return b.String()
}

func openTyped(t *testing.T, root string, types quarry.TypesConfig) *quarry.Engine {
	t.Helper()
	return openConfig(t, quarry.Config{VaultDir: root, DatabasePath: filepath.Join(t.TempDir(), "index.db"), Types: types, NoModel: true})
}

func typed(kind, properties, body string) string {
	return "---\ntype: " + kind + "\n" + properties + "---\n\n" + body + "\n"
}

func TestTypesDecideOfPassages(t *testing.T) {
	root := vaultOf(t, map[string]string{
		"types.yaml": "default:\n  chunk_profile: medium\ntypes:\n  moc:\n    chunk_profile: short\n  essay:\n    chunk_profile: by_heading\n",
		"moc.md":     typed("MOC", "", prose(40)), "essay.md": typed("essay", "", prose(40)), "plain.md": prose(40), "own.md": typed("essay", "chunk_profile: long\n", prose(80)),
	})
	engine := openTyped(t, root, quarry.TypesConfig{})
	for name, want := range map[string]struct {
		profile string
		most    int
	}{"moc.md": {"short", 512}, "essay.md": {"by_heading", 2000}, "plain.md": {"medium", 1024}, "own.md": {"by_heading", 2000}} {
		list, err := engine.Chunks(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if list.ChunkProfile != want.profile {
			t.Errorf("%s is cut by %s, want %s", name, list.ChunkProfile, want.profile)
		}
		for i, c := range list.Chunks {
			checkChunk(t, list, i)
			if len(c.ChunkText) > want.most || len(c.ChunkText) < want.most/4 {
				t.Errorf("%s: a passage of %d characters", c.ChunkID, len(c.ChunkText))
			}
		}
	}
	allowed := openTyped(t, root, quarry.TypesConfig{Overrides: []string{"chunk_profile"}})
	if list, err := allowed.Chunks(t.Context(), "own.md"); err != nil || list.ChunkProfile != "long" {
		t.Errorf("%s, %v", list.ChunkProfile, err)
	}
}

// checkChunk holds what a passage says of those beside it.
func checkChunk(t *testing.T, list quarry.ChunkList, i int) {
	t.Helper()
	c := list.Chunks[i]
	id := func(i int) []string {
		if i < 0 || i >= len(list.Chunks) {
			return []string{}
		}
		return []string{list.Chunks[i].ChunkID}
	}
	if diff := cmp.Diff([][]string{id(i - 1), id(i + 1)}, [][]string{c.NeighborsPrev, c.NeighborsNext}); diff != "" {
		t.Errorf("%s: %s", c.ChunkID, diff)
	}
	if !strings.Contains(c.Window, c.ChunkText) || len(list.Chunks) > 2 && len(c.Window) < len(c.ChunkText)*5/4 {
		t.Errorf("the window of %s: %q", c.ChunkID, c.Window)
	}
	first, _, _ := strings.Cut(c.ChunkText, ".")
	if strings.Count(c.Window, first) != 1 {
		t.Errorf("the window of %s has %q %d times", c.ChunkID, first, strings.Count(c.Window, first))
	}
}

func TestPassagesAreAddressedAsTheyAreStored(t *testing.T) {
	root := vaultOf(t, map[string]string{"types.yaml": "types: {moc: {chunk_profile: short}}\n", "moc.md": typed("moc", "id: m\n", prose(40))})
	engine := openTyped(t, root, quarry.TypesConfig{})
	list, err := engine.Chunks(t.Context(), "moc.md")
	if err != nil {
		t.Fatal(err)
	}
	last := list.Chunks[len(list.Chunks)-1]
	mustIndex(t, engine, quarry.IndexOptions{})
	excerpts, err := engine.Read(t.Context(), []string{"moc.md" + strings.TrimPrefix(last.ChunkID, "m")}, 0)
	if err != nil || len(excerpts) != 1 || !strings.Contains(excerpts[0].Text, last.ChunkText) {
		t.Errorf("%v %v", excerpts, err)
	}
	answer, err := engine.Search(t.Context(), quarry.SearchRequest{Query: "Sentence 39", Mode: "lexical"})
	if err != nil || !slices.ContainsFunc(answer.Results, func(r quarry.SearchResult) bool { return r.ChunkID == last.ChunkID }) {
		t.Errorf("%s is not found: %v %v", last.ChunkID, answer.Results, err)
	}
}

func TestTypesFile(t *testing.T) {
	away := filepath.Join(t.TempDir(), "elsewhere.yaml")
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(away, "default:\n  chunk_profile: long\n  nonsense: 1\n")
	for _, c := range []struct {
		name    string
		config  quarry.TypesConfig
		files   map[string]string
		profile string
		problem string // path, line and how the reason begins; "" for none
	}{
		{"none", quarry.TypesConfig{}, nil, "by_heading", ""},
		{"the usual one", quarry.TypesConfig{}, map[string]string{"types.yaml": "default: {chunk_profile: short}\n"}, "short", ""},
		{"a fault", quarry.TypesConfig{}, map[string]string{"types.yaml": "default:\n  chunk_profile: tiny\n"}, "by_heading", "types.yaml:2 default: chunk_profile: there is no chunk profile \"tiny\""},
		{"no YAML", quarry.TypesConfig{}, map[string]string{"types.yaml": "default: [\n"}, "by_heading", "types.yaml:1 this is no YAML"},
		{"another", quarry.TypesConfig{File: "config/./kinds.yaml"}, map[string]string{"config/kinds.yaml": "default: {chunk_profile: medium}\n"}, "medium", ""},
		{"one that is missing", quarry.TypesConfig{File: "kinds.yaml"}, map[string]string{"types.yaml": "default: {chunk_profile: short}\n"}, "by_heading", "kinds.yaml:0 there is no such file"},
		{"one that is a folder", quarry.TypesConfig{File: "config"}, map[string]string{"config/a.txt": "a"}, "by_heading", "config:0 it cannot be read"},
		{"one outside", quarry.TypesConfig{File: "../x.yaml"}, nil, "by_heading", "../x.yaml:0 it cannot be read"},
		{"one elsewhere", quarry.TypesConfig{File: away}, nil, "long", away + ":3 default: there is no setting \"nonsense\""},
		{"none elsewhere", quarry.TypesConfig{File: away + "x"}, nil, "by_heading", away + "x:0 there is no such file"},
		{"a folder elsewhere", quarry.TypesConfig{File: filepath.Dir(away)}, nil, "by_heading", filepath.Dir(away) + ":0 it cannot be read"},
		{"too large", quarry.TypesConfig{}, map[string]string{"types.yaml": strings.Repeat("# words\n", 10_000)}, "by_heading", "types.yaml:1 the file is larger"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"a.md": "words of a note\n"}
			for name, text := range c.files {
				files[name] = text
			}
			engine := openTyped(t, vaultOf(t, files), c.config)
			if list, err := engine.Chunks(t.Context(), "a.md"); err != nil || list.ChunkProfile != c.profile {
				t.Errorf("%s, %v", list.ChunkProfile, err)
			}
			report := mustIndex(t, engine, quarry.IndexOptions{})
			var got []string
			for _, p := range report.Problems {
				line := 0
				if p.Line != nil {
					line = *p.Line
				}
				got = append(got, fmt.Sprintf("%s:%d %s", p.Path, line, p.Reason))
			}
			if len(got) > 1 || len(got) == 0 != (c.problem == "") || len(got) == 1 && !strings.HasPrefix(got[0], c.problem) {
				t.Errorf("problems %q, want %q", got, c.problem)
			}
		})
	}
}

func TestTypesAreChecked(t *testing.T) {
	_, err := quarry.Open(t.Context(), quarry.Config{
		VaultDir: t.TempDir(), DatabasePath: filepath.Join(t.TempDir(), "index.db"), Types: quarry.TypesConfig{Overrides: []string{"chunk-profile"}},
	})
	if err == nil || !strings.Contains(err.Error(), "did you mean chunk_profile?") {
		t.Errorf("%v", err)
	}
}

// TestNewProfilesCutAnew: where types.yaml changes how notes are cut, all of them are, and where it changes something else, none.
func TestNewProfilesCutAnew(t *testing.T) {
	root := vaultOf(t, map[string]string{"moc.md": typed("moc", "chunk_profile: shrot\n", prose(40)), "essay.md": typed("essay", "", prose(40))})
	engine := openTyped(t, root, quarry.TypesConfig{Overrides: []string{"chunk_profile"}})
	first := mustIndex(t, engine, quarry.IndexOptions{})
	if len(first.Problems) != 1 || first.Problems[0].Path != "moc.md" || first.Problems[0].Line == nil || *first.Problems[0].Line != 3 ||
		!strings.HasPrefix(first.Problems[0].Reason, `chunk_profile: there is no chunk profile "shrot" (did you mean short?)`) {
		t.Errorf("problems of an override: %+v", first.Problems)
	}
	for _, step := range []struct {
		text   string
		chunks int // at least
		isFull bool
	}{
		{"types: {moc: {retriever_weight: 2}}\n", 2, false},
		{"types: {moc: {chunk_profile: short}}\n", 5, true},
		{"types: {moc: {chunk_profile: SHORT, retriever_weight: 3}}\n", 5, false},
		{"default: {chunk_profile: short}\n", 9, true},
	} {
		if err := os.WriteFile(filepath.Join(root, "types.yaml"), []byte(step.text), 0o600); err != nil {
			t.Fatal(err)
		}
		report := mustIndex(t, engine, quarry.IndexOptions{})
		if report.Full != step.isFull || report.Chunks < step.chunks || step.isFull && !strings.Contains(report.Reason, "types.yaml") {
			t.Errorf("%s: full %t (%s), %d passages", step.text, report.Full, report.Reason, report.Chunks)
		}
	}
}
