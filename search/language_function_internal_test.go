package search

import (
	"strings"
	"testing"
)

// contentOf gives the words of a query that are no function words.
func contentOf(query string) string {
	f := functionsOf(query)
	var content []string
	for _, w := range wordsOf(query) {
		if !f.have(query, w) {
			content = append(content, query[w.start:w.end])
		}
	}
	return strings.Join(content, " ")
}

func TestFunctionWords(t *testing.T) {
	for query, want := range map[string]string{
		"what is a vault":                           "vault",
		"Where does the kiln keep its heat?":        "kiln keep heat",
		"why don't they’re it's we'll o'clock":      "clock",
		"to be or not to be":                        "",
		"go's map of db's rows":                     "go map db rows",
		"a vm's disk, the OS's, C's and DB’s":       "vm disk OS C DB",
		"pi's and TV's can't couldn't":              "pi TV",
		"ab'cd":                                     "ab cd",
		"l'eau d’argile jusqu'au four":              "eau argile au four",
		"L'ACQUA QU'EST":                            "ACQUA EST",
		"the 'c' key":                               "c key",
		"how does IS NOT NULL work":                 "IS NOT NULL work",
		"HOW DOES IT WORK":                          "WORK",
		"the IT department":                         "IT department",
		"a b c":                                     "b c",
		"git add --all -a":                          "git add all a",
		"what does `this` mean":                     "this mean",
		"the :not() and ::before of css":            "not before css",
		"is() of the":                               "is",
		"and/or":                                    "",
		"was ist ein Brennofen":                     "Brennofen",
		"wie hat man die Glasur vor Blasen bewahrt": "Glasur vor Blasen bewahrt",
		"why did the old die":                       "old die",
		"mit license":                               "mit license",
		"os x":                                      "os x",
		"qu'est ce que c'est que l'argile":          "argile",
		"comment cuire du grès dans un four":        "cuire grès four",
		"cómo se cuece el barro":                    "cuece barro",
		"come si cuoce l'argilla nel forno":         "cuoce argilla forno",
		"como se faz a cerâmica":                    "faz cerâmica",
		"hoe bak je klei in een oven":               "bak klei oven",
		"как обжигать глину в печи":                 "обжигать глину печи",
		"陶土 的":                                      "陶土 的",
		"「THE WHO」と言えば":                             "THE WHO と言えば",
		"塩基「a」と言えば it":                              "塩基 a と言えば it",
		"":                                          "",
		"'":                                         "",
	} {
		if got := contentOf(query); got != want {
			t.Errorf("%q: content %q, want %q", query, got, want)
		}
	}
}

// No list holds a word twice, or one that no query can have.
func TestFunctionLists(t *testing.T) {
	for i, list := range functionLists {
		seen := map[string]bool{}
		for _, word := range strings.Fields(list) {
			if seen[word] {
				t.Errorf("list %d has %q twice", i, word)
			}
			seen[word] = true
			if words := wordsOf(word); len(words) != 1 || words[0].end != len(word) || strings.ToLower(word) != word {
				t.Errorf("list %d: %q is no word in lower case", i, word)
			}
		}
	}
}
