package search

import "math"

// goodConfidence is the score from which an answer is not called weak.
const goodConfidence = 0.5

// A logistic turns the evidence of a form into a confidence: 1/(1 + exp(offset - slope·evidence)).
type logistic struct {
	offset, slope float64
	// rarity is what the evidence loses by each unit of the mean idf of the query's words, which counts between leastRarity and
	// mostRarity: words that are rare in a vault are more often those of another subject.
	rarity float64
	// fitted tells of a form whose low confidence is trusted to hide an answer.
	fitted bool
}

// Bounds of a mean idf: a small vault has no rare words, and literal hits of the rarest are not to be doubted.
const leastRarity, mostRarity = 4, 5

// logistics were fitted to queries of vaults asked of themselves and of each other, each vault's share being the same
// (docs/benchmarks.md). Those that hide nothing were fitted to less, or, as FormGuarded, borrow from another.
var logistics = map[Form]logistic{
	FormSum:       {offset: -3.48, slope: 2.68, rarity: 0.586, fitted: true},
	FormSimpleSum: {offset: -3.81, slope: 3.57, rarity: 0.44, fitted: true},
	FormLexical:   {offset: -5.25, slope: 4.38, rarity: 0.395, fitted: true},
	FormGuarded:   {offset: -5.25, slope: 4.38, rarity: 0.395},
	FormUnspaced:  {offset: 5.39, slope: 28.46},
	FormVector:    {offset: 3.55, slope: 7.55},
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
	return sum / float64(len(p.Terms))
}

// leastPassages is from how many passages on an index hides what is not relevant: among few, no word is rare enough to tell.
const leastPassages = 64

// statusOf says what kind of answer the best confidence of all that was found makes. Neither the number of passages asked for nor the
// budget changes it.
func statusOf(best float64, plan *Plan, settings Settings) Status {
	switch {
	case best <= 0:
		return NoResults
	case plan.filterOnly:
		return OK
	case best < settings.Nothing && logistics[plan.Form].fitted && plan.Passages >= leastPassages:
		return NothingRelevant
	case best < settings.Weak:
		return Weak
	}
	return OK
}

// judge sets the status, and takes out of the answer what is not relevant unless all was asked for.
func (a *Answer) judge(request Request, plan *Plan, settings Settings) {
	for _, r := range a.Results {
		a.best = max(a.best, r.Score)
	}
	a.Status = statusOf(a.best, plan, settings)
	if a.Status == NothingRelevant && !request.All {
		a.notice("nothing relevant was found; what is nearest (%d) is listed when all is asked for", len(a.Results))
		a.Results = []Result{}
	}
}
