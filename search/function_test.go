package search_test

import (
	"fmt"
	"strings"
	"testing"

	"quarry/search"
)

// vaults is an index where some words are common: "vault" in most passages, "the" in nearly all, "what" in few.
func vaults(t *testing.T) search.Searcher {
	passages := []passage{
		{"what.md", "what what what, the rest", 0, ""},
		{"vault.md", "the vault is what a vault is", 0, ""},
		{"clay.md", "clay for the wheel", 0, ""},
	}
	for i := range 20 {
		passages = append(passages, passage{fmt.Sprintf("%d.md", i), "the vault holds much else, " + strings.Repeat("and more ", i), 60, ""})
	}
	return searcher(index(t, passages...))
}

// texts gives terms, those that were dropped with the first letter of the reason.
func texts(terms []search.PlanTerm) string {
	var list []string
	for _, t := range terms {
		text := t.Text
		if t.Reason != "" {
			text += "/" + t.Reason[:1]
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// A query of function words alone is no more than weak, unless a note has it for its name.
func TestFunctionWordsAreNoEvidence(t *testing.T) {
	s := vaults(t)
	named := searcher(index(t, passage{"what.md", "what is it that is here", 0, ""}, passage{"clay.md", "clay for the wheel", 0, ""}))
	for _, test := range []struct {
		searcher search.Searcher
		query    string
		fusion   search.Fusion
		best     bool // more than weak
	}{
		{s, "what what", search.Sum, false},
		{s, "what is the", search.Sum, false},
		{s, "what is the", search.RRF, false},
		{s, "what clay", search.Sum, true},
		{s, `"what"`, search.Sum, true},
		{named, "what is it", search.Sum, false},
	} {
		answer := ask(t, test.searcher, search.Request{Query: test.query, Mode: search.Lexical, Fusion: test.fusion, All: true})
		if len(answer.Results) == 0 || (answer.Results[0].Score > .5) != test.best || (answer.Status == search.OK) != test.best {
			t.Errorf("%s: status %s, %+v", test.query, answer.Status, answer.Results)
		}
	}
}

// Function words are what is looked for only where there is nothing else, or in quotes.
func TestFunctionWordsAreNoContent(t *testing.T) {
	s := vaults(t)
	for _, test := range []struct{ query, terms, dropped, first string }{
		{"what is a vault", "vault", "what/f is/f a/f", "vault.md"},
		{"what is the vault for clay", "clay", "vault/i what/f is/f the/f for/f", "clay.md"},
		{`"what" is a vault`, "what", "vault/i is/f a/f", "what.md"},
		{"what is the what", "what is", "the/i", "vault.md"},
		{"what is a zorb", "zorb", "what/f is/f a/f", ""},
		{"zorb the vault", "zorb vault", "the/f", "0.md"}, // words that are everywhere leave the order to the path
	} {
		answer := ask(t, s, search.Request{Query: test.query, Mode: search.Lexical, Explain: true, All: true})
		if got := texts(answer.Plan.Terms); got != test.terms {
			t.Errorf("%s: looked for %q, want %q", test.query, got, test.terms)
		}
		if got := texts(answer.Plan.Dropped); got != test.dropped {
			t.Errorf("%s: dropped %q, want %q", test.query, got, test.dropped)
		}
		first := ""
		if len(answer.Results) > 0 {
			first = answer.Results[0].FilePath
		}
		if first != test.first {
			t.Errorf("%s: %q comes first, want %q", test.query, first, test.first)
		}
	}
}

// Of words of other languages one alone is a function word where the vault is full of it.
func TestOneFunctionWordOfAnotherLanguage(t *testing.T) {
	var german, english []passage
	for i := range 10 {
		german = append(german, passage{fmt.Sprintf("%d.md", i), "Lehm mit Sand " + strings.Repeat("und Wasser ", i), 60, ""})
		english = append(english, passage{fmt.Sprintf("%d.md", i), "clay and sand", 60, ""})
	}
	german, english = append(german, passage{"x.md", "Glasur", 0, ""}), append(english, passage{"x.md", "the mit license", 0, ""})
	for want, s := range map[string]search.Searcher{"lehm": searcher(index(t, german...)), "mit lehm": searcher(index(t, english...))} {
		if got := texts(ask(t, s, search.Request{Query: "mit Lehm", Mode: search.Lexical, Explain: true}).Plan.Terms); got != want {
			t.Errorf("looked for %q, want %q", got, want)
		}
	}
}

// A function word that is everywhere is no evidence: BM25 brings passages, and nothing is relevant of them.
func TestAFunctionWordThatIsEverywhereIsNoEvidence(t *testing.T) {
	s := vaults(t)
	for query, isEvidence := range map[string]bool{"the": false, "the the": false, "vault": true, "what": true} {
		answer := ask(t, s, search.Request{Query: query, Mode: search.Lexical, Explain: true, All: true})
		if len(answer.Results) == 0 {
			t.Fatalf("%s: nothing was found", query)
		}
		words := 0.0
		for _, part := range answer.Results[0].Explain.Contributions {
			if part.Name == "words" {
				words = part.Amount
			}
		}
		if (words > 0) != isEvidence {
			t.Errorf("%s: words add %g", query, words)
		}
	}
}

// Where few words of a query are rare, those that are in up to half of the passages are looked for, too.
func TestCommonWordsOfShortQueries(t *testing.T) {
	passages := []passage{{"x.md", "delete moon river", 0, ""}}
	for i := range 600 {
		text := "some other text"
		if i%3 == 0 {
			text = "vault and some other text"
		}
		passages = append(passages, passage{fmt.Sprintf("%d.md", i), text, 60, ""})
	}
	s := searcher(index(t, passages...))
	for query, want := range map[string]string{
		"how to delete a vault":              "delete vault",
		"delete a vault of text":             "delete vault",
		"delete the vault in moon river":     "delete moon river",
		"delete the \"vault\" of moon river": "delete vault moon river",
	} {
		if got := texts(ask(t, s, search.Request{Query: query, Mode: search.Lexical, Explain: true}).Plan.Terms); got != want {
			t.Errorf("%s: looked for %q, want %q", query, got, want)
		}
	}
}
