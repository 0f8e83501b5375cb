package search_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/search"
	"quarry/store/memory"
)

// like asks for what is like a note of that title and text, which is in no index.
func like(t *testing.T, s search.Searcher, request search.Request, title, text string) search.Answer {
	t.Helper()
	vectors, err := s.Embedder.Embed(t.Context(), []string{title + "\n" + text})
	if err != nil {
		t.Fatal(err)
	}
	request.Explain = true
	answer, err := s.Like(t.Context(), request, search.Pattern{Path: "Pattern.md", Title: title, Texts: []string{text}, Vector: vectors[0]})
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// TestLikeAddsUp works the sum of Like out of the raw values, and each word counts by its stem, once in the list, as often as it stands
// out; function words do not count.
func TestLikeAddsUp(t *testing.T) {
	notes := others()
	for i := range 3 {
		notes = append(notes, written{title: fmt.Sprint("Kilns ", i), parts: []string{fmt.Sprintf("Kiln %d and its glazed pots of clay are what the firings are for.", i)}})
	}
	s := library(t, notes...)
	answer := like(t, s, search.Request{}, "Glazing", "What is a glaze? Glazes are glass, and glazing is what kilns are for. The kiln melts them on the clay of a pot.")
	times := map[string]int{}
	ceiling := 0.0
	for _, term := range answer.Plan.Terms {
		times[term.Text] = max(term.Times, 1)
		ceiling += 2.2 * term.IDF * float64(max(term.Times, 1))
	}
	// glaze, glazes, glazing and twice the title; kiln and kilns; in no other note are glass and melts
	if diff := cmp.Diff(map[string]int{"glazing": 4, "kiln": 2, "clay": 2, "pot": 2}, times); diff != "" {
		t.Error(diff)
	}
	if len(answer.Results) == 0 || answer.Plan.Form != search.FormLike {
		t.Fatalf("form %s, %d results", answer.Plan.Form, len(answer.Results))
	}
	for i, r := range answer.Results {
		e := r.Explain
		sum := 3*valueOf(e.BM25)/ceiling + 1.5*valueOf(e.Cosine) // a note of one passage has its cosine
		for _, c := range e.Contributions {
			if c.Name == "repeats its note" {
				sum += c.Amount
			}
		}
		if math.Abs(sum-e.Score) > 1e-5 || math.Abs(e.Confidence-1/(1+math.Exp(7.8-6*e.Evidence))) > 1e-4 {
			t.Errorf("%s: %v, want %v, of %+v", r.FilePath, e.Score, sum, e)
		}
		if i < 3 != strings.HasPrefix(r.Title, "Kilns") {
			t.Errorf("%d. is %s", i+1, r.Title)
		}
	}
}

func valueOf(x *float64) float64 {
	if x == nil {
		return 0
	}
	return *x
}

// TestLikeKnowsAllWords: the rarest word of a long note counts, wherever it is by letters and however often others are.
func TestLikeKnowsAllWords(t *testing.T) {
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, "a%cw%cx ", 'a'+i%26, 'a'+i/26)
	}
	frame := b.String()
	notes := others()
	for i := range 30 {
		text := fmt.Sprint("Page ", i)
		if i < 12 {
			text += " " + frame + frame
		}
		if i == 13 || i == 14 {
			text += " zymurgy is the making of beer and wine"
		}
		notes = append(notes, written{title: fmt.Sprint("Page ", i), parts: []string{text}})
	}
	s := library(t, notes...)
	answer := like(t, s, search.Request{Mode: search.Lexical}, "Pattern", frame+frame+" zymurgy "+frame)
	isThere := slices.ContainsFunc(answer.Plan.Terms, func(term search.PlanTerm) bool { return term.Text == "zymurgy" })
	if len(answer.Plan.Terms) != 12 || !isThere {
		t.Errorf("%d words, zymurgy: %v", len(answer.Plan.Terms), isThere)
	}
}

// TestLikeSaysWhatSearchSays: an empty index, a query that was cut, a model that is missing.
func TestLikeSaysWhatSearchSays(t *testing.T) {
	snapshot, err := memory.New().Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snapshot.Close()
	pattern := search.Pattern{Path: "a.md", Title: "Kiln", Texts: []string{"The kiln is fired to cone six."}}
	answer, err := searcher(snapshot).Like(t.Context(), search.Request{}, pattern)
	if err != nil || answer.Status != search.EmptyIndex || len(answer.Notices) != 1 {
		t.Errorf("of nothing: %s, %v, %v", answer.Status, answer.Notices, err)
	}
	s := library(t, others()...)
	answer, err = s.Like(t.Context(), search.Request{Query: strings.Repeat("clover ", 1000)}, pattern)
	isCut := slices.ContainsFunc(answer.Notices, func(n string) bool { return strings.HasPrefix(n, "the query was cut") })
	noVectors := slices.ContainsFunc(answer.Notices, func(n string) bool { return strings.Contains(n, "by its words alone") })
	if err != nil || !isCut || !noVectors || answer.Mode != search.Lexical {
		t.Errorf("a long query, no vector: %s, %v, %v", answer.Mode, answer.Notices, err)
	}
	pattern = search.Pattern{Path: "a.md", Title: "Nowhere", Texts: []string{"Quantum chromodynamics of hadrons."}}
	answer, err = s.Like(t.Context(), search.Request{Mode: search.Lexical}, pattern)
	if err != nil || answer.Status != search.NoResults || len(answer.Results) != 0 {
		t.Errorf("nothing in common: %s, %v", answer.Status, err)
	}
}
