package search

import (
	"math"
	"slices"
)

// goodConfidence is the score from which an answer is not called weak.
const goodConfidence = 0.5

// wordlessConfidence is the most where a query is of function words alone and no note has its name: they tell no subject.
const wordlessConfidence = 0.4

// A logistic turns the evidence of a form into a confidence: 1/(1 + exp(offset - slope·evidence)).
type logistic struct {
	offset, slope float64
	// rarity is what the evidence loses by each unit of the mean idf of the query's words, which counts between leastRarity and
	// mostRarity: words that are rare in a vault are more often those of another subject.
	rarity float64
	// fitted tells of a form whose low confidence is trusted to hide an answer.
	fitted bool
}

// Bounds of a mean idf: literal hits of the rarest words are not to be doubted. In an index of fewer than rarityPassages passages, where no
// word can be rare, it is raised by what a word that is nowhere has less than in one of so many. With small vaults among those of the fit
// this tells .962 of the pairs of answered and foreign queries of vaults left out, without it .958; of words alone .944 and .933.
const leastRarity, mostRarity, rarityPassages = 4, 5, 120

// logistics were fitted to queries of vaults asked of themselves and of each other, each vault's share being the same; of those that may
// hide an answer, that there is one was taken to be twice as likely (docs/benchmarks.md). FormGuarded borrows from another.
var logistics = map[Form]logistic{
	FormSum:       {offset: -6.93, slope: 2.92, rarity: 0.745, fitted: true},
	FormSimpleSum: {offset: -7.88, slope: 3.76, rarity: 0.603, fitted: true},
	FormLexical:   {offset: -10.75, slope: 4.32, rarity: 0.636, fitted: true},
	FormGuarded:   {offset: -10.75, slope: 4.32, rarity: 0.636},
	FormUnspaced:  {offset: 5.27, slope: 28.49},
	FormVector:    {offset: 4.22, slope: 9.39},
	// In its middle at evidence of 1.3: above the fiftieth passage of nine notes of ten, and below the best of nine of ten.
	FormLike: {offset: 7.8, slope: 6},
}

// evidenceOf is what a sum tells of the vault as a whole, given the mean idf of the query's words.
func (f Form) evidenceOf(sum, meanIDF float64) float64 {
	return round(sum-float64(logistics[f].rarity*min(max(meanIDF, leastRarity), mostRarity)), scoreUnit)
}

// confidenceUnit is what confidences are rounded to, and the least there is: 0 is that of nothing.
const confidenceUnit = 1e-4

// confidence, up to 1: how surely the vault speaks of the query at all, as one passage shows it. It knows topics, not answers.
func (f Form) confidence(evidence float64) float64 {
	l := logistics[f]
	return max(round(1/(1+math.Exp(l.offset-float64(l.slope*evidence))), confidenceUnit), confidenceUnit)
}

// meanIDF is that of the words that are looked for; of none it is as high as it counts.
func (p *Plan) meanIDF() float64 {
	sum := 0.0
	for _, t := range p.Terms {
		sum += t.IDF
	}
	if sum == 0 {
		return mostRarity
	}
	small := math.Log((2*rarityPassages + 1) / float64(2*p.Passages+1))
	return sum/float64(len(p.Terms)) + max(small, 0)
}

// leastPassages is from how many passages on an index hides what is not relevant: among few, no word is rare enough to tell.
const leastPassages = 64

// hides tells whether a low score is trusted to keep a passage from who did not ask for all.
func (p *Plan) hides() bool {
	return !p.filterOnly && logistics[p.Form].fitted && p.Passages >= leastPassages
}

// statusOf says what kind of answer the best confidence of all that was found makes. Neither the number of passages asked for nor the
// budget changes it.
func statusOf(best float64, plan *Plan, settings Settings) Status {
	switch {
	case best <= 0:
		return NoResults
	case plan.filterOnly:
		return OK
	case best < settings.Nothing && plan.hides():
		return NothingRelevant
	case best < settings.Weak:
		return Weak
	}
	return OK
}

// judge sets the status, and takes out of the answer what is not relevant unless all was asked for.
func (a *Answer) judge(request Request, plan *Plan, settings Settings) {
	a.Status = statusOf(a.best, plan, settings)
	if request.All || !plan.hides() {
		return
	}
	far := slices.IndexFunc(a.Results, func(r Result) bool { return r.Score < settings.Nothing }) // scores never rise
	if far < 0 {
		return
	}
	switch count := len(a.Results) - far; a.Status {
	case NothingRelevant:
		a.notice("nothing relevant was found; what is nearest (%d) is listed when all is asked for", count)
	default:
		a.notice("%d more are far off: they are listed when all is asked for", count)
	}
	a.Results = a.Results[:far]
}
