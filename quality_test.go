package quarry_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	name  string
	load  func(t *testing.T, dir string) (vault string, queries []eval.Query) // unpacks into dir, or skips
	large bool                                                                // left out with -short
}

func qualitySets() []qualitySet {
	archive := sharedDir + "/vaults/mdn-content/mdn-content.tar.xz"
	return []qualitySet{
		{"example", both(fixed("examples/vault"), golden("examples/queries.jsonl")), false},
		{"til", both(fixed(sharedDir+"/vaults/til/vault"), golden(sharedDir+"/golden/til.dev.jsonl")), false},
		{"obsidian-help", both(helpVault, golden(sharedDir+"/golden/obsidian-help.dev.jsonl")), false},
		{"chunkeval4", ir("chunkeval4"), true},
		{"xquad-zh", ir("xquad-zh"), true},
		{"jsquad", ir("jsquad"), true},
		{"mdn-content", both(unpacked(archive, ""), golden(sharedDir+"/golden/mdn-content.dev.jsonl")), true},
	}
}

// maxQualityQueries is how many queries of a set are asked; of larger sets a fixed sample.
const maxQualityQueries = 400

// sampleQueries is how many of a set that has more.
const sampleQueries = 300

// sampled gives at most n queries, the same each time, in their order.
func sampled(queries []eval.Query, n int) []eval.Query {
	if len(queries) <= n {
		return queries
	}
	chosen := rand.New(rand.NewPCG(7, 7)).Perm(len(queries))[:n]
	slices.Sort(chosen)
	out := make([]eval.Query, n)
	for i, at := range chosen {
		out[i] = queries[at]
	}
	return out
}

// TestQuality holds the ranking: a change that makes it worse, or better, shows in the golden file. Of all sets that are at hand it holds
// that the way by sum is worth its place.
func TestQuality(t *testing.T) {
	var reports []setReport
	for _, set := range qualitySets() {
		t.Run(set.name, func(t *testing.T) {
			if set.large && testing.Short() {
				t.Skip("left out with -short")
			}
			vault, queries := set.load(t, t.TempDir())
			if len(queries) > maxQualityQueries {
				queries = sampled(queries, sampleQueries)
			}
			report := evaluate(t, indexed(t, quarry.Config{VaultDir: vault}), queries)
			reports = append(reports, setReport{set.name, report})
			checkFloors(t, set.name, report)
			got := figures(report)
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
	t.Run("together", func(t *testing.T) { checkTogether(t, reports) })
}

// floors are the least nDCG@10 of hybrid search, whatever the golden files say; of lookups leastLookups in the golden sets.
var floors = map[string]float64{
	"example": .88, "til": .70, "mdn-content": .54, "obsidian-help": .81, "chunkeval4": .82, "xquad-zh": .95, "jsquad": .93,
}

const leastLookups = .93

func checkFloors(t *testing.T, set string, report eval.Report) {
	t.Helper()
	if report.NDCG10 < floors[set] {
		t.Errorf("nDCG@10 is %.4f, wanted %.2f at least", report.NDCG10, floors[set])
	}
	if lookups, ok := report.ByIntent[eval.Lookup]; ok && lookups.NDCG10 < leastLookups {
		t.Errorf("nDCG@10 of lookups is %.4f, wanted %.2f at least", lookups.NDCG10, leastLookups)
	}
}

// indexed opens an engine with an index of its own, built.
func indexed(t testing.TB, config quarry.Config) *quarry.Engine {
	t.Helper()
	if config.DatabasePath == "" {
		config.DatabasePath = filepath.Join(t.TempDir(), "index.db")
	}
	engine, err := quarry.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	if _, err := engine.Index(t.Context(), quarry.IndexOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	return engine
}

// evaluate asks an engine as `quarry eval` does.
func evaluate(t *testing.T, engine *quarry.Engine, queries []eval.Query) eval.Report {
	t.Helper()
	report, err := eval.Run(t.Context(), queries, asking(engine), eval.DefaultPassages)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func asking(engine *quarry.Engine) eval.Ask {
	return func(ctx context.Context, query string, way eval.Way, n int) (eval.Answer, error) {
		answer, err := engine.Search(ctx, quarry.SearchRequest{
			Query: query, Mode: quarry.Mode(way.Mode), Fusion: quarry.Fusion(way.Fusion), Limit: n, MaxTokens: 1 << 20, Explain: true,
			Filter: quarry.Filter{ExcludeArchived: true},
		})
		if err == nil && string(answer.Mode) != way.Mode {
			return eval.Answer{}, eval.ErrNoMode
		}
		out := eval.Answer{Status: string(answer.Status)}
		if answer.Plan != nil {
			out.Fusion = answer.Plan.Fusion
		}
		for _, r := range answer.Results {
			out.Passages = append(out.Passages, eval.NewPassage(r.FilePath, r.Title, r.HeadingPath, r.ChunkText))
		}
		return out, err
	}
}

// figures is a report as a golden file: a line a way to search, then the intents of the hybrid mode, then what the answers said
// of themselves.
func figures(report eval.Report) string {
	var b strings.Builder
	row := func(name string, f eval.Figures, last string) {
		fmt.Fprintf(&b, "%-12s %.3f    %.3f   %.3f      %.3f  %.3f%s\n", name, f.NDCG10, f.NDCG5, f.Recall10, f.MRR, f.Hit1, last)
	}
	fmt.Fprintf(&b, "%-12s nDCG@10  nDCG@5  recall@10  MRR    Hit@1  section@10\n", fmt.Sprintf("%d queries", report.Queries))
	var said strings.Builder
	for _, way := range []string{"hybrid", "lexical", "vector", "sum", "rrf"} {
		f, ok := report.ByMode[way]
		if !ok {
			f = report.ByFusion[way]
		}
		section := ""
		if f.SectionHit10 != nil {
			section = fmt.Sprintf("  %.3f", *f.SectionHit10)
		}
		row(way, f.Figures, section)
		share := func(status string) float64 { return float64(f.Statuses[status]) / float64(max(report.Queries, 1)) }
		fmt.Fprintf(&said, "%-12s %.3f  %.3f  %.3f    %.3f\n", way, share("ok"), share("weak"), share("nothing_relevant"), share("no_results"))
	}
	b.WriteString("\nhybrid, by intent\n")
	for _, intent := range slices.Sorted(maps.Keys(report.ByIntent)) {
		row(fmt.Sprintf("%s %d", intent, report.ByIntent[intent].Queries), report.ByIntent[intent].Figures, "")
	}
	fmt.Fprintf(&b, "\n%-12s ok     weak   nothing  no results\n%s", "answered", said.String())
	return b.String()
}

// both loads a vault and its queries.
func both(vault func(*testing.T, string) string, queries func(*testing.T) []eval.Query) func(*testing.T, string) (string, []eval.Query) {
	return func(t *testing.T, dir string) (string, []eval.Query) { return vault(t, dir), queries(t) }
}

func fixed(path string) func(*testing.T, string) string {
	return func(t *testing.T, _ string) string { return need(t, path) }
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
func helpVault(t *testing.T, _ string) string {
	dir := os.Getenv("QUARRY_HELP_VAULT")
	if dir == "" {
		t.Skip("left out: QUARRY_HELP_VAULT does not name the folder en of obsidianmd/obsidian-help at fa179e9")
	}
	return need(t, dir)
}

func unpacked(archive, folder string) func(*testing.T, string) string {
	return func(t *testing.T, dir string) string {
		unpack(t, need(t, archive), dir)
		return filepath.Join(dir, folder)
	}
}

// unpack takes an archive apart by the system's tar and xz, or skips where they are not installed.
func unpack(t testing.TB, archive, dir string) {
	t.Helper()
	for _, program := range []string{"tar", "xz"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("left out: %s cannot be unpacked: %v", archive, err)
		}
	}
	if out, err := exec.CommandContext(t.Context(), "tar", "-xJf", archive, "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("unpack %s: %v: %s", archive, err, out)
	}
}

// ir loads an information retrieval set: vault, queries.jsonl and qrels.tsv.
func ir(name string) func(*testing.T, string) (string, []eval.Query) {
	return func(t *testing.T, dir string) (string, []eval.Query) {
		dir = unpacked(sharedDir+"/golden/ir/"+name+".tar.xz", name)(t, dir)
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
				queries = append(queries, eval.Query{ID: q.ID, Text: q.Query, Intent: eval.Mixed, Grades: grades[q.ID]})
			}
		}
		return filepath.Join(dir, "vault"), queries
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
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		out = append(out, scanner.Text())
	}
	if err := scanner.Err(); err != nil {
		t.Fatalf("%s after line %d: %v", path, len(out), err)
	}
	return out
}
