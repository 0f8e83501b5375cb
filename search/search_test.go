package search_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/search"
	"quarry/store"
	"quarry/store/memory"
)

// axisModel gives a text the direction of the first of its words that it knows.
type axisModel map[string][]float32

func (m axisModel) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		for _, word := range strings.Fields(strings.ToLower(text)) {
			if v, ok := m[word]; ok {
				out[i] = v
				break
			}
		}
	}
	return out, nil
}
func (axisModel) Dim() int     { return 2 }
func (axisModel) Name() string { return "axis" }
func (axisModel) Hash() string { return "axis" }

func at(degrees float64) []float32 {
	return []float32{float32(math.Cos(degrees * math.Pi / 180)), float32(math.Sin(degrees * math.Pi / 180))}
}

// passage is one note of one passage.
type passage struct {
	path, text string
	degrees    float64
	status     string
}

func index(t *testing.T, passages ...passage) store.Snapshot {
	t.Helper()
	ctx := context.Background()
	s := memory.New()
	update, err := s.Begin(ctx, store.Full)
	if err != nil {
		t.Fatal(err)
	}
	var notes []store.Note
	for _, p := range passages {
		notes = append(notes, store.Note{
			File: store.File{Path: p.path}, Title: p.path, Status: p.status,
			Passages: []store.Passage{{Path: p.path, Text: p.text, LineStart: 1, LineEnd: 1, Vector: at(p.degrees)}},
		})
	}
	if err := update.Put(ctx, notes); err != nil {
		t.Fatal(err)
	}
	if err := update.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	snapshot, err := s.Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { snapshot.Close() })
	return snapshot
}

func searcher(snapshot store.Snapshot) search.Searcher {
	return search.Searcher{
		Snapshot: snapshot, Embedder: axisModel{"clay": at(0), "glaze": at(60)},
		ChunkID: func(id string, index int) string { return fmt.Sprintf("%s#c%02d", id, index) },
	}
}

func ask(t *testing.T, s search.Searcher, request search.Request) search.Answer {
	t.Helper()
	answer, err := s.Search(context.Background(), request)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func paths(answer search.Answer) string {
	var list []string
	for _, r := range answer.Results {
		list = append(list, r.FilePath)
	}
	return strings.Join(list, " ")
}

// pottery: words point to a and b, meaning to c and a.
func pottery(t *testing.T) store.Snapshot {
	return index(t,
		passage{"a.md", "clay is earth", 10, ""},
		passage{"b.md", "clay and clay again, nothing but clay", 80, ""},
		passage{"c.md", "earthenware body", 2, ""},
		passage{"d.md", "unrelated words about boats", 170, "archived"},
		passage{"e.md", "more words about trains", 120, ""},
		passage{"f.md", "still other words about planes", 100, ""},
	)
}

func TestFusionIsReciprocalRank(t *testing.T) {
	answer := ask(t, searcher(pottery(t)), search.Request{Query: "clay", Fusion: search.RRF})
	// a: word rank 2, vector rank 2; b: 1 and 3; c: no word, vector rank 1; then the rest by vector alone.
	wantScores := map[string]float64{"a.md": 1./62 + 1./62, "b.md": 1./61 + 1./63, "c.md": 1. / 61}
	if !strings.HasPrefix(paths(answer), "b.md a.md c.md") {
		t.Errorf("order: %s", paths(answer))
	}
	for _, r := range answer.Results {
		if want, ok := wantScores[r.FilePath]; ok && math.Abs(r.RRFScore-want) > 1e-6 {
			t.Errorf("%s: rrf_score %v, want %v", r.FilePath, r.RRFScore, want)
		}
	}
}

func TestModes(t *testing.T) {
	s := searcher(pottery(t))
	for _, test := range []struct {
		mode search.Mode
		want string
	}{
		{search.Lexical, "b.md a.md"},
		{search.Vector, "c.md a.md b.md f.md e.md d.md"},
	} {
		answer := ask(t, s, search.Request{Query: "clay", Mode: test.mode})
		if got := paths(answer); got != test.want {
			t.Errorf("%s: %s, want %s", test.mode, got, test.want)
		}
		for i, r := range answer.Results {
			rank, other := r.BM25Rank, r.VecRank
			if test.mode == search.Vector {
				rank, other = other, rank
			}
			if rank == nil || *rank != i+1 || other != nil {
				t.Errorf("%s: ranks of result %d: %v and %v", test.mode, i, r.BM25Rank, r.VecRank)
			}
		}
	}
}

func TestWithoutModelItSaysSo(t *testing.T) {
	s := searcher(pottery(t))
	s.Embedder = nil
	answer := ask(t, s, search.Request{Query: "clay"})
	if answer.Mode != search.Lexical || len(answer.Notices) != 1 || paths(answer) != "b.md a.md" {
		t.Errorf("mode %s, notices %q, results %s", answer.Mode, answer.Notices, paths(answer))
	}
}

func TestFiltersActBeforeTheLimit(t *testing.T) {
	var passages []passage
	for i := range 200 {
		passages = append(passages, passage{fmt.Sprintf("many/%03d.md", i), "clay clay clay", 0, ""})
	}
	passages = append(passages, passage{"few/x.md", "a long text in which clay stands once among very many other words", 150, ""})
	s := searcher(index(t, passages...))
	answer := ask(t, s, search.Request{Query: "clay", Filter: store.Filter{Folders: []string{"few"}}, All: true})
	if paths(answer) != "few/x.md" {
		t.Errorf("results: %s", paths(answer))
	}
	archived := searcher(pottery(t))
	if got := paths(ask(t, archived, search.Request{Query: "boats", Filter: store.Filter{ExcludeArchived: true}, Mode: search.Lexical})); got != "" {
		t.Errorf("an archived note came: %s", got)
	}
}

func TestStatus(t *testing.T) {
	if got := ask(t, searcher(index(t)), search.Request{Query: "clay"}); got.Status != search.EmptyIndex || len(got.Notices) != 1 {
		t.Errorf("empty index: %s %q", got.Status, got.Notices)
	}
	s := searcher(pottery(t))
	if got := ask(t, s, search.Request{Query: "zebra"}); got.Status != search.NoResults {
		t.Errorf("nothing found: %s", got.Status)
	}
	if got := ask(t, s, search.Request{Query: "clay"}); got.Status != search.OK {
		t.Errorf("found: %s, best %v", got.Status, got.Results[0].Score)
	}
	if got := ask(t, s, search.Request{Query: "glaze", Mode: search.Vector}); got.Status == search.NothingRelevant {
		t.Errorf("rank fusion has no threshold for %s", got.Status)
	}
}

func TestStaleAndGone(t *testing.T) {
	s := searcher(pottery(t))
	s.Presence = func(f store.File) search.Presence {
		return map[string]search.Presence{"b.md": search.Gone, "a.md": search.Stale}[f.Path]
	}
	answer := ask(t, s, search.Request{Query: "clay", Limit: 2})
	if paths(answer) != "a.md c.md" || !answer.Results[0].Stale || answer.Results[1].Stale || len(answer.Notices) != 1 {
		t.Errorf("results %s, notices %q", paths(answer), answer.Notices)
	}
	s.Presence = func(f store.File) search.Presence {
		return map[string]search.Presence{"b.md": search.Withheld}[f.Path]
	}
	if answer := ask(t, s, search.Request{Query: "clay", Limit: 2}); paths(answer) != "a.md c.md" || len(answer.Notices) != 0 {
		t.Errorf("withheld: results %s, notices %q", paths(answer), answer.Notices)
	}
}

// TestRedactBeforeTheCut: the texts are filtered as a whole, and those of the store stay as they are.
func TestRedactBeforeTheCut(t *testing.T) {
	s := searcher(index(t, passage{"a.md", "clay of code-4711 and more words", 0, ""}))
	s.Redact = func(text string) string { return strings.ReplaceAll(text, "code-4711", "[REDACTED:x]") }
	for range 2 {
		answer := ask(t, s, search.Request{Query: "clay", MaxTokens: 4})
		if got := answer.Results[0].ChunkText; got != "clay of [REDACT…" {
			t.Errorf("text %q", got)
		}
	}
}

func TestBudget(t *testing.T) {
	long := strings.Repeat("clay ", 100) // 500 characters, 125 tokens
	s := searcher(index(t, passage{"a.md", long, 0, ""}, passage{"b.md", strings.ReplaceAll(long, "clay clay", "clay loam"), 10, ""}, passage{"c.md", "clay", 20, ""}))
	for _, test := range []struct {
		tokens    int
		count     int
		truncated bool
	}{{1000, 3, false}, {250, 2, false}, {130, 2, false}, {125, 1, false}, {50, 1, true}} {
		answer := ask(t, s, search.Request{Query: "clay", Mode: search.Vector, MaxTokens: test.tokens})
		used := 0
		for _, r := range answer.Results {
			used += search.Tokens(r.ChunkText)
		}
		if len(answer.Results) != test.count || answer.Results[0].Truncated != test.truncated || used > test.tokens {
			t.Errorf("%d tokens: %d results, truncated %v, %d used", test.tokens, len(answer.Results), answer.Results[0].Truncated, used)
		}
	}
}

func TestExplainAddsUp(t *testing.T) {
	passages := []passage{{"a.md", "clay is earth, in words", 10, ""}}
	for i := range 9 {
		passages = append(passages, passage{fmt.Sprintf("%d.md", i), "other words", float64(100 + i), ""})
	}
	answer := ask(t, searcher(index(t, passages...)), search.Request{Query: "clay words", Explain: true})
	for _, r := range answer.Results {
		sum := 0.0
		for _, c := range r.Explain.Contributions {
			sum += c.Amount
		}
		if math.Abs(sum-r.Explain.Score) > 1e-9 {
			t.Errorf("%s: contributions give %v, score %v", r.FilePath, sum, r.Explain.Score)
		}
	}
	if answer.Plan == nil || len(answer.Plan.Terms)+len(answer.Plan.Dropped) != 2 {
		t.Errorf("plan: %+v", answer.Plan)
	}
	// "words" is everywhere, so it tells nothing apart.
	if len(answer.Plan.Dropped) != 1 || answer.Plan.Dropped[0].Text != "words" {
		t.Errorf("dropped: %+v", answer.Plan.Dropped)
	}
}

func TestAnswerIsPlainJSON(t *testing.T) {
	for _, query := range []string{"zebra", "clay", "", "\xff\xfe", "a\x00b", strings.Repeat("x", 100_000), strings.Repeat("clay ", 5000)} {
		answer := ask(t, searcher(pottery(t)), search.Request{Query: query})
		encoded, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(encoded), "null,") && strings.Contains(string(encoded), `"results":null`) {
			t.Errorf("a list is null in %s", encoded)
		}
		if strings.Contains(string(encoded), `"plan"`) {
			t.Error("a plan nobody asked for")
		}
	}
}

func TestEqualRequestsGiveEqualBytes(t *testing.T) {
	s := searcher(pottery(t))
	first, err := json.Marshal(ask(t, s, search.Request{Query: "clay words earth"}))
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		again, err := json.Marshal(ask(t, s, search.Request{Query: "clay words earth"}))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(first), string(again)); diff != "" {
			t.Fatal(diff)
		}
	}
}

func FuzzSearch(f *testing.F) {
	for _, seed := range []string{"clay", `"a phrase`, "NEAR(", "-a OR b*", "\xff", "陶土", "a\x00b", "tag:x [p:v]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		if _, err := json.Marshal(ask(t, searcher(pottery(t)), search.Request{Query: query})); err != nil {
			t.Error(err)
		}
	})
}
