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

// weighing tells how much passages of an answer are worth for a query.
type weighing struct {
	terms     []term
	said      map[string]bool    // stems of what was said
	rarity    map[string]float64 // idf by stem, as a share of the highest that the vault has, 0 to 1
	named     string             // the one note whose title or headings have a word of the query; "" where there are several
	needsName bool
}

func newWeighing(answer *quarry.SearchAnswer, asked query) *weighing {
	w := &weighing{terms: termsOf(answer.Plan), said: asked.said, rarity: map[string]float64{}, needsName: asked.needsName}
	if answer.Plan == nil {
		return w
	}
	highest := math.Log(float64(max(answer.Plan.Passages, fewPassages)))
	for _, t := range answer.Plan.Terms {
		w.rarity[stem(t.Text)] = t.IDF / highest
	}
	if w.said == nil {
		w.said = map[string]bool{}
		for name := range w.rarity {
			w.said[name] = true
		}
	}
	if w.needsName {
		w.named = w.onlyNamed(answer.Results)
	}
	return w
}

const fewPassages = 20

// onlyNamed is the one note that is named, "" where none or several are.
func (w *weighing) onlyNamed(results []quarry.SearchResult) string {
	named := ""
	for i := range results {
		r := &results[i]
		if w.naming(r).share == 0 || r.FilePath == named {
			continue
		}
		if named != "" {
			return ""
		}
		named = r.FilePath
	}
	return named
}

// naming is how a query names a passage by its title or a heading above it.
type naming struct {
	share    float64 // of the words there, weighed by how rare they are, that were said, 0 to 1
	strength float64 // how rare these are, added up
}

// value, 0 to 1: a name of common words is none.
func (n naming) value() float64 { return n.share * min(n.strength/enoughStrength, 1) }

// Weights of words in titles and headings, as shares of the highest idf.
const (
	enoughStrength = 0.6  // two words of middling rarity, or one that is rare
	unsaidWeight   = 0.5  // of a word that was not said, whose idf nobody asked for
	unsaidPart     = 0.15 // the same for a part of any work
	saidWeight     = 0.2  // of a word that was said, and not looked for
	saidPart       = 0.1
)

// naming is that of the heading or title which is named best.
func (w *weighing) naming(r *quarry.SearchResult) naming {
	best := w.namingBy(r.Title)
	for _, heading := range append([]string{r.Section}, r.HeadingPath...) {
		if n := w.namingBy(heading); n.value() > best.value() {
			best = n
		}
	}
	return best
}

// maxNameWords are looked at of a title or a heading.
const maxNameWords = 40

func (w *weighing) namingBy(name string) naming {
	said, unsaid, isLookedFor := 0.0, 0.0, false
	seen := map[string]bool{}
	for _, field := range strings.Fields(asQuery(textsOf(wordsOf(name, maxNameWords)))) {
		lower := strings.ToLower(field)
		if seen[lower] || isChatter(field) {
			continue
		}
		seen[lower] = true
		key, isPart := stem(field), partsOfWork()[lower]
		rarity, isTerm := w.rarity[key]
		switch {
		case !w.said[key] && isPart:
			unsaid += unsaidPart
		case !w.said[key]:
			unsaid += unsaidWeight
		case isTerm && rarity > 0:
			said, isLookedFor = said+rarity, true
		case isPart:
			said += saidPart
		default:
			said += saidWeight
		}
	}
	if !isLookedFor {
		return naming{}
	}
	return naming{share: said / (said + unsaid), strength: said}
}

// relevance tells, 0 to 1, how surely a passage is worth giving: a logistic of six figures. Five were fitted to the passages that
// were found for 80 prompts about two vaults and for 220 about other things, such as any work with code; how the prompt names the
// title or a heading was added to them. docs/hooks.md has the figures. A query that names hardly anything needs a note that it names,
// and no other.
func (w *weighing) relevance(result *quarry.SearchResult) float64 {
	if result.Explain == nil {
		return 0
	}
	s, named := supportOf(w.terms, result), w.naming(result)
	name := named.value()
	if w.needsName {
		if result.FilePath != w.named || w.namingBy(result.Title).share < leastTitleShare && named.share < leastHeadingShare {
			return 0
		}
		name = named.share
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
		relevanceWindow*window + relevanceTitle*title + relevanceWords*float64(min(s.words, mostWords)) + relevanceName*name
	return 1 / (1 + math.Exp(-sum))
}

// Weights of the figures of relevance.
const (
	relevanceOffset     = -7.42
	relevanceConfidence = 0.69 // of its log odds, within bounds
	relevanceShare      = 2.17
	relevanceWindow     = 2.07 // of the cosine of the nearest window
	relevanceTitle      = 2.17 // of that of the title
	relevanceWords      = 0.71 // of each word, up to mostWords
	relevanceName       = 3    // of how the title or a heading is named
	mostWords           = 4
	leastConfidence     = 0.02
	// Without a model there are no cosines: those of a passage that neither fits well nor badly.
	usualWindow, usualTitle = 0.5, 0.4
	// What a query of one word has to cover of a title, or of a heading.
	leastTitleShare, leastHeadingShare = 0.4, 0.8
)
