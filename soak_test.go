package quarry_test

import (
	"cmp"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"quarry"
	"quarry/internal/eval"
)

// Numbers of random queries: usually, with -short, and where QUARRY_SOAK is set. A number in it counts itself.
const (
	randomQueries      = 2_000
	randomQueriesShort = 300
	randomQueriesSoak  = 100_000
	explainedQueries   = 1_000
	// mostMilliseconds bounds the time of 99 of 100 random queries; a machine that does other work as well may take longer.
	mostMilliseconds = 20
)

func soakQueries() int {
	wanted := os.Getenv("QUARRY_SOAK")
	if count, err := strconv.Atoi(wanted); err == nil && count > 1 {
		return count
	}
	switch {
	case wanted != "":
		return randomQueriesSoak
	case testing.Short():
		return randomQueriesShort
	}
	return randomQueries
}

// soakVault is the large vault where it is at hand and time is not short, else the example vault.
func soakVault(t testing.TB) (vault string, isLarge bool) {
	if os.Getenv("QUARRY_SOAK") == "" {
		return "examples/vault", false
	}
	vault = largeVault(t)
	if vault == "" {
		return "examples/vault", false
	}
	return vault, true
}

// largeVault unpacks the MDN documentation; "" where it is not at hand.
func largeVault(t testing.TB) string {
	t.Helper()
	archive := filepath.FromSlash(sharedDir + "/vaults/mdn-content/mdn-content.tar.xz")
	if _, err := os.Stat(archive); err != nil {
		return ""
	}
	dir := t.TempDir()
	unpack(t, archive, dir)
	return dir
}

// pieces are what random queries are put together from: operators, whole and broken, signs, scripts, and words of notes.
var pieces = []string{
	`"`, `""`, `"a phrase"`, `-`, `--`, `-"`, `OR`, `OR OR`, `AND`, `NOT`, `NEAR(`, `NEAR/2`, `(`, `)`, `((`, `*`, `^`, `:`, `::`, `[`, `]`, `[]`, `[status:active]`,
	`[aliases]`, `[updated:>2026]`, `[:]`, `tag:`, `tag:auth`, `tag:a/b`, `-tag:auth`, `#auth`, `#`, `#a/b/c`, `##`, `type:note`, `type:`, `status:archived`,
	`domain:web`, `path:01-projects`, `path:"a b"`, `path:*`, `path:[`, `path:**/**`, `file:Backups`, `file:.md`, `title:tokens`, `section:"The check"`, `section:`,
	`since:7d`, `since:2026-02-30`, `until:"last monday"`, `until:yesterday`, `since:99999999999999999999d`, `since:-1d`, `nobody:knows`, `https://a.example/b?c=d#e`,
	`links-to:Backups`, `linked-by:`, `line:(a b)`, `content:x`, `task-todo:y`, `ignore-case:z`, `match-case:Z`, `/re(gex/`, `/a|b/`, `\`, `\"`, `%`, `_`, `'`, `;`, `--;`,
	`DROP TABLE`, `{col}:`, `text:`, `a+b`, `C++`, `.NET`, `snake_case`, `camelCaseWord`, `HTTPServer2`, `a.b.c`, `01-projects/Tidebook/Roadmap.md`, `x=1`,
	`缓存`, `缓存雪崩是什么`, `リフレッシュ`, `한국어 검색`, `ภาษาไทย`, `हिन्दी`, `العربية`, `русский`, `Großmutter`, `é`, "e\u0301", "\u200b", "\u202e", "\ufeff", `🔁`, `👩‍👩‍👧`,
	"\x00", "\xff\xfe", "\xc3", "\x1b[31m", "\n", "\r\n", "\t", `refresh tokens`, `pool size`, `backup`, `how`, `the`, `of`, `newest`, `latest incident`,
}

// randomQuery is a query of the given number.
func randomQuery(number uint64) string {
	random := rand.New(rand.NewPCG(number, 2026))
	var b strings.Builder
	for range 1 + random.IntN(1+random.IntN(12)) {
		switch random.IntN(10) {
		case 0:
			for range random.IntN(12) {
				b.WriteByte(byte(random.UintN(256)))
			}
		case 1:
			for range random.IntN(8) {
				b.WriteRune(rune(random.IntN(0x3100)))
			}
		default:
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		if random.IntN(3) > 0 {
			b.WriteByte(' ')
		}
	}
	text := b.String()
	if random.IntN(500) == 0 { // beyond what is read of a query
		text = strings.Repeat(text+" ", 1+6000/(len(text)+1))
	}
	return text
}

// randomRequest asks a random query in a random way.
func randomRequest(number uint64) quarry.SearchRequest {
	random := rand.New(rand.NewPCG(number, 2027))
	return quarry.SearchRequest{
		Query: randomQuery(number), All: random.IntN(4) == 0, Explain: random.IntN(4) == 0,
		Mode:   []quarry.Mode{quarry.Hybrid, quarry.Hybrid, quarry.Lexical, quarry.Vector}[random.IntN(4)],
		Fusion: []quarry.Fusion{"", "", "sum", "rrf"}[random.IntN(4)],
	}
}

// TestRandomQueries asks what nobody would: no query is an error and none panics; where QUARRY_SOAK is set, hardly one takes long.
func TestRandomQueries(t *testing.T) {
	vault, isLarge := soakVault(t)
	count := soakQueries()
	engine := indexed(t, quarry.Config{VaultDir: vault})
	type answered struct {
		took    time.Duration
		request quarry.SearchRequest
	}
	asked := make([]answered, count)
	for i := range asked {
		request := randomRequest(uint64(i))
		begun := time.Now()
		answer, err := engine.Search(t.Context(), request)
		asked[i] = answered{time.Since(begun), request}
		if err != nil {
			t.Fatalf("query %d, %q in mode %s: %v", i, request.Query, request.Mode, err)
		}
		for _, r := range answer.Results {
			if r.Score < 0 || r.Score > 1 || math.IsNaN(r.Score) {
				t.Fatalf("query %d, %q: score %v", i, request.Query, r.Score)
			}
		}
	}
	slices.SortFunc(asked, func(a, b answered) int { return cmp.Compare(a.took, b.took) })
	p99 := asked[count*99/100].took
	t.Logf("%d queries, large vault %v: median %v, p99 %v; the slowest:", count, isLarge, asked[count/2].took, p99)
	for _, a := range asked[count-min(count, 20):] {
		t.Logf("%8.1f ms  %s %s  %.90q", a.took.Seconds()*1000, a.request.Mode, a.request.Fusion, a.request.Query)
	}
	if limit := mostMilliseconds * time.Millisecond; p99 > limit && os.Getenv("QUARRY_SOAK") != "" {
		t.Errorf("p99 is %v, %v at most are allowed", p99, limit)
	}
}

// TestExplanationsAddUp asks real and random queries in every way: the amounts of an explanation add up to its score, and the same
// question to another engine on the same index gives the same bytes.
func TestExplanationsAddUp(t *testing.T) {
	count := explainedQueries
	if testing.Short() {
		count = randomQueriesShort
	}
	vault, queries := qualitySets()[0].load(t, t.TempDir())
	config := quarry.Config{VaultDir: vault, DatabasePath: filepath.Join(t.TempDir(), "index.db")}
	engines := []*quarry.Engine{indexed(t, config), indexed(t, config)}
	results := 0
	for i := range count {
		request := randomRequest(uint64(i + randomQueriesSoak))
		if i%2 == 0 {
			request.Query = queries[i/2%len(queries)].Text
		}
		request.Explain, request.All = true, true
		var documents [2]string
		for j, engine := range engines {
			answer, err := engine.Search(t.Context(), request)
			if err != nil {
				t.Fatalf("%q: %v", request.Query, err)
			}
			answer.Plan.Timings = nil
			documents[j] = encode(t, answer)
			for _, r := range answer.Results {
				checkSum(t, request, r)
				results++
			}
		}
		if documents[0] != documents[1] {
			t.Fatalf("%q in mode %s gave\n%s\nthen\n%s", request.Query, request.Mode, documents[0], documents[1])
		}
	}
	if results < count {
		t.Errorf("%d results in all explain little", results)
	}
}

func encode(t *testing.T, value any) string {
	t.Helper()
	document, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(document)
}

func checkSum(t *testing.T, request quarry.SearchRequest, r quarry.SearchResult) {
	t.Helper()
	if r.Explain == nil {
		t.Fatalf("%q: %s is not explained", request.Query, r.ChunkID)
	}
	sum := 0.0
	for _, c := range r.Explain.Contributions {
		sum += c.Amount
	}
	if math.Abs(sum-r.Explain.Score) > 1e-6 {
		t.Errorf("%q in mode %s by %s: the amounts of %s add up to %v, its score is %v", request.Query, request.Mode, request.Fusion, r.ChunkID, sum, r.Explain.Score)
	}
}

// BenchmarkWarmLarge times warm queries on the large vault, the golden ones in turn. It reports medians in milliseconds and what a
// mode costs as a multiple of the lexical one, which hardly depends on the machine.
func BenchmarkWarmLarge(b *testing.B) {
	vault := largeVault(b)
	if vault == "" {
		b.Skip("left out: the large vault is not here")
	}
	content, err := os.ReadFile(filepath.FromSlash(sharedDir + "/golden/mdn-content.dev.jsonl"))
	if err != nil {
		b.Skip(err)
	}
	queries, err := eval.Load(strings.NewReader(string(content)))
	if err != nil {
		b.Fatal(err)
	}
	engine := indexed(b, quarry.Config{VaultDir: vault})
	lexical := 0.0
	for _, way := range []eval.Way{
		{Name: "lexical", Mode: "lexical"}, {Name: "vector", Mode: "vector"}, {Name: "rrf", Mode: "hybrid", Fusion: "rrf"}, {Name: "hybrid", Mode: "hybrid"},
	} {
		b.Run(way.Name, func(b *testing.B) {
			var took []float64
			for i := 0; b.Loop(); i++ {
				begun := time.Now()
				_, err := engine.Search(b.Context(), quarry.SearchRequest{
					Query: queries[i%len(queries)].Text, Mode: quarry.Mode(way.Mode), Fusion: quarry.Fusion(way.Fusion),
				})
				if err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(begun).Seconds()*1000)
			}
			slices.Sort(took)
			median := took[len(took)/2]
			if way.Name == "lexical" {
				lexical = median
			}
			b.ReportMetric(median, "ms-median")
			b.ReportMetric(took[len(took)*95/100], "ms-p95")
			if lexical > 0 {
				b.ReportMetric(median/lexical, "x-lexical")
			}
		})
	}
}
