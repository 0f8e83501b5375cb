package hook

import (
	"math"
	"strings"
	"unicode"

	"quarry"
)

// support is what a passage shows of a query by its words, where the score of a search speaks of the vault as a whole.
type support struct {
	share float64 // of the query's words, weighed by how rare they are, that stand in the passage, 0 to 1
	words int     // distinct words that do
	rare  bool    // one of them is rare, and made as names are
}

// term is a word of a query that can tell passages apart.
type term struct {
	stem   string
	weight float64
	isName bool
}

// termsOf are the words of a plan that say something of a matter.
func termsOf(plan *quarry.SearchPlan) []term {
	var terms []term
	if plan == nil {
		return nil
	}
	for _, t := range plan.Terms {
		if t.Phrase || isChatter(t.Text) || isNumber(t.Text) {
			continue
		}
		terms = append(terms, term{stem: stem(t.Text), weight: t.IDF, isName: isName(t.Text)})
	}
	return terms
}

// stem is what forms of a word begin with.
func stem(w string) string {
	w = strings.ToLower(w)
	for _, ending := range []string{"ations", "ation", "ings", "ing", "ers", "ies", "ed", "es", "er", "e", "s", "y"} {
		if rest, ok := strings.CutSuffix(w, ending); ok && len(rest) >= 3 {
			return rest
		}
	}
	return w
}

// supportOf looks for the terms in a passage, its title, headings and path.
func supportOf(terms []term, result *quarry.SearchResult) support {
	all := strings.ToLower(strings.Join([]string{result.Title, result.Section, strings.Join(result.HeadingPath, " "), result.FilePath, result.ChunkText}, "\n"))
	var s support
	total := 0.0
	for _, t := range terms {
		total += t.weight
		if containsWord(all, t.stem) {
			s.share += t.weight
			s.words++
			s.rare = s.rare || t.isName && t.weight >= rareWeight
		}
	}
	if total > 0 {
		s.share /= total
	}
	return s
}

// rareWeight is the least idf of a word that says a lot by itself.
const rareWeight = 5

// containsWord tells whether a word of a text begins with a stem.
func containsWord(text, stem string) bool {
	for at := 0; ; {
		found := strings.Index(text[at:], stem)
		if found < 0 {
			return false
		}
		at += found
		if at == 0 || unspaced(stem) > 0 || !isLetterBefore(text, at) {
			return true
		}
		at += len(stem)
	}
}

func isLetterBefore(text string, at int) bool {
	runes := []rune(text[max(0, at-4):at])
	return len(runes) > 0 && unicode.IsLetter(runes[len(runes)-1])
}

// relevance tells, 0 to 1, how surely a passage is worth giving for a query: a logistic of five figures, fitted to the passages that
// were found for 80 prompts about two vaults and for 220 about other things, such as any work with code. docs/hooks.md has its figures.
func relevance(terms []term, result *quarry.SearchResult) float64 {
	s := supportOf(terms, result)
	if result.Explain == nil {
		return 0
	}
	window, title := usualWindow, usualTitle
	if result.Explain.Window != nil {
		window = *result.Explain.Window
	}
	if result.Explain.Title != nil {
		title = *result.Explain.Title
	}
	confidence := min(max(result.Explain.Confidence, leastConfidence), 1-leastConfidence)
	sum := relevanceOffset + relevanceConfidence*math.Log(confidence/(1-confidence)) + relevanceShare*s.share +
		relevanceWindow*window + relevanceTitle*title + relevanceWords*float64(min(s.words, mostWords))
	return 1 / (1 + math.Exp(-sum))
}

// Weights of the figures of relevance.
const (
	relevanceOffset     = -6.67
	relevanceConfidence = 0.69 // of its log odds, within bounds
	relevanceShare      = 2.17
	relevanceWindow     = 2.07 // of the cosine of the nearest window
	relevanceTitle      = 2.17 // of that of the title
	relevanceWords      = 0.71 // of each word, up to mostWords
	mostWords           = 4
	leastConfidence     = 0.02
	// Without a model there are no cosines: those of a passage that neither fits well nor badly.
	usualWindow, usualTitle = 0.5, 0.4
)
