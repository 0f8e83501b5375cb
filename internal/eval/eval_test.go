package eval_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"quarry/internal/eval"
)

func TestLoad(t *testing.T) {
	got, err := eval.Load(strings.NewReader("\ufeff" + `{"id":"a","query":"kiln","intent":"lookup","expected":[{"path":"k.md","grade":1,"section":"S"},{"path":"k.md","grade":2,"section":"T"}]}
` + "\r\n   \n" + `{"id":"b","query":"über","more":1,"expected":[{"path":"x/ü.md","grade":1},{"path":"y.md","grade":0}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []eval.Query{
		{ID: "a", Text: "kiln", Intent: "lookup", Grades: map[string]int{"k.md": 2}, Sections: []eval.Section{{Path: "k.md", Heading: "S"}, {Path: "k.md", Heading: "T"}}},
		{ID: "b", Text: "über", Intent: "mixed", Grades: map[string]int{"x/ü.md": 1, "y.md": 0}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got): %s", diff)
	}
}

func TestLoadErrors(t *testing.T) {
	const good = `{"id":"a","query":"q","expected":[{"path":"p.md","grade":1}]}` + "\n"
	for text, want := range map[string]string{
		"":                           "there is none",
		"\n\n":                       "there is none",
		good + "\n{":                 "line 3: ",
		good + good:                  `line 2: id "a" stands in line 1 too`,
		`[]`:                         "line 1: ",
		`{"query":"q"}`:              "line 1: ",
		`{"id":"a","query":"q"}`:     "line 1: no note of grade 1 or above",
		good[:7] + `"` + good[8:]:    "line 1: ",
		strings.Repeat(" ", 1<<20+1): "line 1: longer than",
		`{"id":"a","query":"","expected":[{"path":"p","grade":1}]}`:   "there is no query",
		`{"id":"","query":"q","expected":[{"path":"p","grade":1}]}`:   "there is no id",
		`{"id":"a","query":"q","expected":[{"path":"p"}]}`:            "expected[0] has no grade",
		`{"id":"a","query":"q","expected":[{"grade":1}]}`:             "expected[0] has no path",
		`{"id":"a","query":"q","expected":[{"path":"p","grade":0}]}`:  "no note of grade 1",
		`{"id":"a","query":"q","expected":[{"path":"p","grade":-1}]}`: "has grade -1",
		`{"id":"a","query":"q","expected":[{"path":"p","grade":3}]}`:  "has grade 3, wanted 1 or 2",
	} {
		if _, err := eval.Load(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q: got error %v, want %q", text, err, want)
		}
	}
	broken := errors.New("broken")
	if _, err := eval.Load(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
}

// fixed answers each query with the same passages in every mode, or with those of "query/mode".
type fixed map[string][]string

func (f fixed) ask(_ context.Context, query string, way eval.Way, n int) (eval.Answer, error) {
	answer, ok := f[query+"/"+way.Name]
	if !ok {
		answer = f[query]
	}
	return passages(answer[:min(n, len(answer))]...), nil
}

// passages are an answer with one passage a path, "path#Heading" in a section.
func passages(names ...string) eval.Answer {
	answer := eval.Answer{Status: "ok"}
	for _, name := range names {
		path, heading, _ := strings.Cut(name, "#")
		answer.Passages = append(answer.Passages, eval.Passage{Path: path, Headings: []string{heading}})
	}
	return answer
}

// run measures one query with the grades a 2, b 1, c 1.
func run(t *testing.T, n int, answer ...string) eval.Report {
	t.Helper()
	query := eval.Query{ID: "q1", Text: "q", Intent: "lookup", Grades: map[string]int{"a": 2, "b": 1, "c": 1, "zero": 0}}
	report, err := eval.Run(t.Context(), []eval.Query{query}, fixed{"q": answer}.ask, n)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestMeasure(t *testing.T) {
	// The ideal order has 3/log2(2) + 1/log2(3) + 1/log2(4) = 3 + 0.630930 + 0.5 = 4.130930.
	const ideal = 4.130930
	twelve := strings.Split("1 2 3 4 5 6 7 8 9 a b c", " ")
	for name, test := range map[string]struct {
		n      int
		answer []string
		want   eval.Figures
		first  int
	}{
		"nothing":           {10, nil, eval.Figures{}, 0},
		"nothing right":     {10, []string{"x", "zero"}, eval.Figures{}, 0},
		"ideal":             {10, []string{"a", "c", "b", "x"}, eval.Figures{1, 1, 1, 1, 1}, 1},
		"second and third":  {10, []string{"x", "b", "a"}, eval.Figures{(0.630930 + 1.5) / ideal, (0.630930 + 1.5) / ideal, 2. / 3, 0.5, 0}, 2},
		"passages fold":     {10, []string{"x", "x", "b", "x", "b", "a"}, eval.Figures{(0.630930 + 1.5) / ideal, (0.630930 + 1.5) / ideal, 2. / 3, 0.5, 0}, 2},
		"only n passages":   {2, []string{"x", "b", "a"}, eval.Figures{0.630930 / ideal, 0.630930 / ideal, 1. / 3, 0.5, 0}, 2},
		"below the fifth":   {10, []string{"1", "2", "3", "4", "5", "a"}, eval.Figures{3 / 2.807355 / ideal, 0, 1. / 3, 1. / 6, 0}, 6},
		"the tenth counts":  {12, twelve, eval.Figures{3 / 3.459432 / ideal, 0, 1. / 3, 0.1, 0}, 10},
		"the 11th does not": {12, append([]string{"0"}, twelve[:11]...), eval.Figures{}, 11},
		"ten are the norm":  {0, append([]string{"0"}, twelve[:11]...), eval.Figures{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			report := run(t, test.n, test.answer...)
			near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 2e-6 })
			if diff := cmp.Diff(test.want, report.Figures, near); diff != "" {
				t.Errorf("(-want +got): %s", diff)
			}
			first := 0
			if rank := report.PerQuery[0].RankFirst; rank != nil {
				first = *rank
			}
			if first != test.first {
				t.Errorf("rank of the first: got %d, want %d", first, test.first)
			}
		})
	}
}

func TestRunJSON(t *testing.T) {
	queries := []eval.Query{
		{ID: "1", Text: "one", Intent: "lookup", Grades: map[string]int{"a": 2}},
		{ID: "2", Text: "two", Intent: "concept", Grades: map[string]int{"b": 1}},
	}
	answers := fixed{"one": {"a"}, "two": {"x", "b"}, "two/vector": {"b"}, "one/lexical": nil}
	report, err := eval.Run(t.Context(), queries, answers.ask, 10)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	const hybrid = `"ndcg_10":0.815465,"ndcg_5":0.815465,"recall_10":1,"mrr":0.75,"hit_1":0.5`
	const second = `"ndcg_10":0.63093,"ndcg_5":0.63093,"recall_10":1,"mrr":0.5,"hit_1":0`
	const said = `,"statuses":{"ok":2}}`
	want := `{"queries":2,` + hybrid + `,"by_intent":{"concept":{"queries":1,` + second +
		`},"lookup":{"queries":1,"ndcg_10":1,"ndcg_5":1,"recall_10":1,"mrr":1,"hit_1":1}},"by_mode":{"hybrid":{` + hybrid + said +
		`,"lexical":{"ndcg_10":0.315465,"ndcg_5":0.315465,"recall_10":0.5,"mrr":0.25,"hit_1":0` + said +
		`,"vector":{"ndcg_10":1,"ndcg_5":1,"recall_10":1,"mrr":1,"hit_1":1` + said + `},"by_fusion":{"rrf":{` + hybrid + said + `,"sum":{` + hybrid + said + `},` +
		`"differences":[{"against":"lexical","ndcg_10":0.5,"low":0,"high":1},{"against":"vector","ndcg_10":-0.184535,"low":-0.36907,"high":0},` +
		`{"against":"sum","ndcg_10":0,"low":0,"high":0},{"against":"rrf","ndcg_10":0,"low":0,"high":0}],` +
		`"per_query":[{"id":"1","ndcg_10":1,"rank_first":1,"query":"one","intent":"lookup","status":"ok","first":"a","by_mode":{"hybrid":1,"lexical":0,"rrf":1,"sum":1,"vector":1}},` +
		`{"id":"2","ndcg_10":0.63093,"rank_first":2,"query":"two","intent":"concept","status":"ok","first":"x","by_mode":{"hybrid":0.63093,"lexical":0.63093,"rrf":0.63093,"sum":0.63093,"vector":1}}]}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got): %s", diff)
	}
}

// The fusion that the hybrid mode was ranked by is not asked again, if all answers say the same one.
func TestFusionIsAskedOnce(t *testing.T) {
	queries := []eval.Query{{ID: "1", Text: "one", Grades: map[string]int{"a": 2}}, {ID: "2", Text: "two", Grades: map[string]int{"b": 2}}}
	for name, test := range map[string]struct {
		fusions map[string]string // of the hybrid answers, by query
		asked   int
	}{
		"by sum":    {map[string]string{"one": "sum", "two": "sum"}, 8},
		"by ranks":  {map[string]string{"one": "rrf", "two": "rrf"}, 8},
		"both":      {map[string]string{"one": "sum", "two": "rrf"}, 10},
		"not known": {nil, 10},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			ask := func(_ context.Context, query string, way eval.Way, _ int) (eval.Answer, error) {
				asked++
				answer := passages("x", "a")
				if answer.Fusion = way.Fusion; way.Name == "hybrid" {
					answer.Fusion = test.fusions[query]
				}
				return answer, nil
			}
			report, err := eval.Run(t.Context(), queries, ask, 10)
			if err != nil || asked != test.asked {
				t.Errorf("asked %d times, want %d; %v", asked, test.asked, err)
			}
			sum, rrf := report.ByFusion["sum"], report.ByFusion["rrf"]
			if sum.NDCG10 != .315465 || rrf.NDCG10 != .315465 || len(report.PerQuery[1].ByMode) != 5 || len(report.Differences) != test.asked/2-1 {
				t.Errorf("got %+v", report)
			}
		})
	}
}

func TestNewPassage(t *testing.T) {
	text := "# One\n#tag #other\n## Two ##\n####### seven\n#\n  ### C# and F#\n    # code\n```sh\n# a comment\n~~~\n```\n#### Last\n~~~~\n# x\n~~~\n# y\n"
	want := eval.Passage{Path: "p.md", Headings: []string{"Title", "Above", "One", "Two", "", "C# and F#", "Last"}}
	if diff := cmp.Diff(want, eval.NewPassage("p.md", "Title", []string{"Above"}, text)); diff != "" {
		t.Errorf("(-want +got): %s", diff)
	}
}

func TestRunEmpty(t *testing.T) {
	report, err := eval.Run(t.Context(), nil, fixed{}.ask, 10)
	if err != nil || report.NDCG10 != 0 || len(report.ByMode) != 3 {
		t.Errorf("got %+v, %v", report, err)
	}
}

func TestRunErrors(t *testing.T) {
	queries := []eval.Query{{ID: "q7", Text: "q", Grades: map[string]int{"a": 1}}}
	broken := errors.New("broken")
	_, err := eval.Run(t.Context(), queries, func(_ context.Context, _ string, way eval.Way, _ int) (eval.Answer, error) {
		if way.Mode == "vector" {
			return eval.Answer{}, broken
		}
		return eval.Answer{}, nil
	}, 10)
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "query q7, mode vector") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	asked := 0
	_, err = eval.Run(ctx, queries, func(context.Context, string, eval.Way, int) (eval.Answer, error) {
		asked++
		return eval.Answer{}, nil
	}, 10)
	if !errors.Is(err, context.Canceled) || asked > 0 {
		t.Errorf("cancelled: got %v after %d questions", err, asked)
	}
}

// TestGoldenSets reads the golden queries that lie beside the checkout.
func TestGoldenSets(t *testing.T) {
	sets, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", "golden", "*.jsonl"))
	if len(sets) == 0 {
		t.Skip("there are no golden sets in ../shared/golden beside the checkout")
	}
	for _, path := range sets {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		queries, err := eval.Load(file)
		file.Close()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		// An engine that knows the answers, grade by grade, has full marks.
		answers := fixed{}
		for _, query := range queries {
			for _, grade := range []int{2, 1} {
				for note, has := range query.Grades {
					if has == grade {
						answers[query.Text] = append(answers[query.Text], note)
					}
				}
			}
		}
		report, err := eval.Run(t.Context(), queries, answers.ask, 100)
		if err != nil {
			t.Fatal(err)
		}
		if report.NDCG10 != 1 || report.Hit1 != 1 || report.MRR != 1 {
			t.Errorf("%s: got %+v", path, report.Figures)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(`{"id":"a","query":"kiln","intent":"lookup","expected":[{"path":"k.md","grade":2}]}`)
	f.Add("\ufeff{}\n\n[1]\x00")
	f.Fuzz(func(t *testing.T, text string) {
		queries, err := eval.Load(strings.NewReader(text))
		if err != nil {
			return
		}
		report, err := eval.Run(t.Context(), queries, fixed{}.ask, 10)
		if err != nil || report.Queries != len(queries) {
			t.Error(report.Queries, len(queries), err)
		}
		if _, err := json.Marshal(report); err != nil {
			t.Error(err)
		}
	})
}

func Example() {
	queries, err := eval.Load(strings.NewReader(`{"id":"k1","query":"kiln","expected":[{"path":"kiln.md","grade":2}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	ask := func(context.Context, string, eval.Way, int) (eval.Answer, error) {
		return eval.Answer{Passages: []eval.Passage{{Path: "glaze.md"}, {Path: "kiln.md"}}}, nil
	}
	report, err := eval.Run(context.Background(), queries, ask, 10)
	fmt.Println(report.MRR, err)
	// Output: 0.5 <nil>
}

// A mode that the engine does not have is left out; the figures at the top are those of the first that is left.
func TestModesThatAreMissing(t *testing.T) {
	queries := []eval.Query{{ID: "a", Text: "kiln", Intent: "mixed", Grades: map[string]int{"k.md": 2}}}
	ask := func(_ context.Context, _ string, way eval.Way, _ int) (eval.Answer, error) {
		if way.Mode != "lexical" {
			return eval.Answer{}, eval.ErrNoMode
		}
		return passages("k.md"), nil
	}
	report, err := eval.Run(t.Context(), queries, ask, 10)
	if err != nil || len(report.ByMode) != 1 || report.Hit1 != 1 || report.ByMode["lexical"].Hit1 != 1 || len(report.PerQuery) != 1 {
		t.Errorf("%+v, %v", report, err)
	}
	none := func(context.Context, string, eval.Way, int) (eval.Answer, error) {
		return eval.Answer{}, eval.ErrNoMode
	}
	if _, err := eval.Run(t.Context(), queries, none, 10); !errors.Is(err, eval.ErrNoMode) {
		t.Errorf("no mode at all: %v", err)
	}
}
