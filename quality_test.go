package quarry_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry"
	"quarry/internal/eval"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sharedDir holds vaults and queries of others, which are not part of this project. It lies beside the checkout.
const sharedDir = "../shared"

// qualitySet is a vault with golden queries.
type qualitySet struct {
	name    string
	vault   func(t *testing.T) string
	queries func(t *testing.T) []eval.Query
	large   bool // left out with -short
}

func qualitySets() []qualitySet {
	return []qualitySet{
		{"example", fixed("examples/vault"), golden("examples/queries.jsonl"), false},
		{"til", fixed(sharedDir + "/vaults/til/vault"), golden(sharedDir + "/golden/til.dev.jsonl"), false},
		{"obsidian-help", helpVault, golden(sharedDir + "/golden/obsidian-help.dev.jsonl"), false},
		{"chunkeval4", irVault("chunkeval4"), irQueries("chunkeval4"), true},
		{"mdn-content", unpacked(sharedDir+"/vaults/mdn-content/mdn-content.tar.xz", ""), golden(sharedDir + "/golden/mdn-content.dev.jsonl"), true},
	}
}

// TestQuality holds the ranking: a change that makes it worse, or better, shows in the golden file.
func TestQuality(t *testing.T) {
	for _, set := range qualitySets() {
		t.Run(set.name, func(t *testing.T) {
			if set.large && testing.Short() {
				t.Skip("left out with -short")
			}
			got := measure(t, set.vault(t), set.queries(t))
			path := filepath.Join("testdata", "quality", set.name+".txt")
			if *update {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("the ranking changed; `go test -run TestQuality -update .` takes it over:\n%s", diff)
			}
		})
	}
}

// measure indexes a vault and gives its figures, a line a mode.
func measure(t *testing.T, vault string, queries []eval.Query) string {
	t.Helper()
	engine, err := quarry.Open(t.Context(), quarry.Config{VaultDir: vault, DatabasePath: filepath.Join(t.TempDir(), "index.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	if _, err := engine.Index(t.Context(), quarry.IndexOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	report, err := eval.Run(t.Context(), queries, func(ctx context.Context, query, mode string, n int) ([]string, error) {
		answer, err := engine.Search(ctx, quarry.SearchRequest{Query: query, Mode: quarry.Mode(mode), Limit: n, MaxTokens: 1 << 20})
		var paths []string
		for _, r := range answer.Results {
			paths = append(paths, r.FilePath)
		}
		return paths, err
	}, eval.DefaultPassages)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d queries  nDCG@10  nDCG@5  recall@10  MRR    Hit@1\n", report.Queries)
	for _, mode := range []string{"hybrid", "lexical", "vector"} {
		f := report.ByMode[mode]
		fmt.Fprintf(&b, "%-11s %.3f    %.3f   %.3f      %.3f  %.3f\n", mode, f.NDCG10, f.NDCG5, f.Recall10, f.MRR, f.Hit1)
	}
	return b.String()
}

func fixed(path string) func(*testing.T) string {
	return func(t *testing.T) string { return need(t, path) }
}

// need skips where data of others are not at hand.
func need(t *testing.T, path string) string {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Skipf("left out: %s is not here", path)
	}
	return path
}

func golden(path string) func(*testing.T) []eval.Query {
	return func(t *testing.T) []eval.Query {
		file, err := os.Open(need(t, path))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		queries, err := eval.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		return queries
	}
}

// helpVault has no licence that lets it lie anywhere here: QUARRY_HELP_VAULT names a checkout's folder en.
func helpVault(t *testing.T) string {
	dir := os.Getenv("QUARRY_HELP_VAULT")
	if dir == "" {
		t.Skip("left out: QUARRY_HELP_VAULT does not name the folder en of obsidianmd/obsidian-help at fa179e9")
	}
	return need(t, dir)
}

func unpacked(archive, folder string) func(*testing.T) string {
	return func(t *testing.T) string {
		need(t, archive)
		if _, err := exec.LookPath("xz"); err != nil {
			t.Skip("left out: there is no xz to unpack it with")
		}
		dir := t.TempDir()
		if out, err := exec.CommandContext(t.Context(), "tar", "-xJf", archive, "-C", dir).CombinedOutput(); err != nil {
			t.Skipf("left out: it cannot be unpacked: %s", out)
		}
		return filepath.Join(dir, folder)
	}
}

func irVault(name string) func(*testing.T) string {
	return unpacked(sharedDir+"/golden/ir/"+name+".tar.xz", name+"/vault")
}

// irQueries reads queries.jsonl and qrels.tsv of an information retrieval set.
func irQueries(name string) func(*testing.T) []eval.Query {
	return func(t *testing.T) []eval.Query {
		dir := filepath.Join(unpacked(sharedDir+"/golden/ir/"+name+".tar.xz", name)(t))
		grades := map[string]map[string]int{}
		for _, line := range lines(t, filepath.Join(dir, "qrels.tsv")) {
			fields := strings.Split(line, "\t")
			if grades[fields[0]] == nil {
				grades[fields[0]] = map[string]int{}
			}
			grades[fields[0]][fields[1]] = int(fields[2][0] - '0')
		}
		var queries []eval.Query
		for _, line := range lines(t, filepath.Join(dir, "queries.jsonl")) {
			var q struct{ ID, Query string }
			if err := json.Unmarshal([]byte(line), &q); err != nil {
				t.Fatal(err)
			}
			if len(grades[q.ID]) > 0 {
				queries = append(queries, eval.Query{ID: q.ID, Text: q.Query, Intent: "mixed", Grades: grades[q.ID]})
			}
		}
		return queries
	}
}

func lines(t *testing.T, path string) []string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var out []string
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		out = append(out, scanner.Text())
	}
	return out
}
