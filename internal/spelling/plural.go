package spelling

import "strings"

// minPlural is how many letters a word has from which on an s at its end is taken for that of a plural: "css" has none.
const minPlural = 4

// irregular are words whose ending misleads, with their singular.
var irregular = map[string]string{
	"news": "news", "lens": "lens", "lenses": "lens", "series": "series", "species": "species", "chaos": "chaos",
	"canvas": "canvas", "canvases": "canvas", "atlas": "atlas", "atlases": "atlas", "bias": "bias", "biases": "bias", "alias": "alias",
	"aliases": "alias", "gases": "gas", "always": "always", "movies": "movie", "cookies": "cookie", "zombies": "zombie", "ties": "tie",
	"pies": "pie", "caches": "cache", "aches": "ache", "headaches": "headache", "niches": "niche", "quizzes": "quiz", "uses": "use",
	"excuses": "excuse", "fuses": "fuse", "muses": "muse", "abuses": "abuse", "refuses": "refuse", "reuses": "reuse", "axes": "axe",
	"shoes": "shoe", "canoes": "canoe", "tiptoes": "tiptoe", "ethos": "ethos", "logos": "logo", "kubernetes": "kubernetes",
	"postgres": "postgres", "physics": "physics", "mathematics": "mathematics", "economics": "economics", "politics": "politics",
}

// Singular takes an English plural off a word in lower case. What it makes of a word that is none may be no word.
func Singular(word string) string {
	if one, ok := irregular[word]; ok {
		return one
	}
	has := func(ending string) bool { return strings.HasSuffix(word, ending) }
	switch {
	case len(word) < minPlural, has("ss"), has("us"), has("is"), !has("s"):
		return word
	case has("ies") && len(word) > minPlural:
		return word[:len(word)-3] + "y"
	case has("ches"), has("shes"), has("xes"), has("sses"), has("zzes"), has("oes"), has("uses") && !has("auses") && !has("ouses"):
		return word[:len(word)-2]
	}
	return word[:len(word)-1]
}
