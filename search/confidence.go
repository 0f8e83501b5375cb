package search

import "math"

// goodConfidence is the score from which an answer is not called weak.
const goodConfidence = 0.5

// A logistic turns the evidence of a form into a confidence: 1/(1 + exp(offset - slope·evidence)).
type logistic struct {
	offset, slope float64
	// fitted tells of a form whose low confidence is trusted to hide an answer.
	fitted bool
}

// logistics were fitted to queries of vaults asked of themselves and of each other.
var logistics = map[Form]logistic{
	FormSum:       {7.1, 5.7, true},
	FormSimpleSum: {6.06, 8, true},
	FormLexical:   {6.06, 8, false},
	FormVector:    {6.06, 8, false},
}

// confidence is the score of a passage, 0 to 1: how surely the vault speaks of the query at all. It knows topics, not answers.
func (f Form) confidence(evidence float64) float64 {
	l := logistics[f]
	return round(1/(1+math.Exp(l.offset-float64(l.slope*evidence))), 1e-4)
}

// statusOf says what kind of answer the best confidence makes. Form is that of the confidences.
func statusOf(results []Result, plan *Plan, settings Settings) Status {
	if len(results) == 0 {
		return NoResults
	}
	best := 0.0
	for _, r := range results {
		best = max(best, r.Score)
	}
	switch {
	case plan.filterOnly:
		return OK
	case best < settings.Nothing && logistics[plan.Form].fitted:
		return NothingRelevant
	case best < settings.Weak:
		return Weak
	}
	return OK
}

// judge sets the status, and takes out of the answer what is not relevant unless all was asked for.
func (a *Answer) judge(request Request, plan *Plan, settings Settings) {
	a.Status = statusOf(a.Results, plan, settings)
	if a.Status == NothingRelevant && !request.All {
		a.notice("nothing relevant was found; the %d nearest passages are listed when all are asked for", len(a.Results))
		a.Results = []Result{}
	}
}
