package search

// Explain tells how a result came by its place. Contributions add up to the score that the order is by.
type Explain struct {
	BM25   *float64 `json:"bm25"`   // raw, higher is better; null where no word of the query is in it
	Cosine *float64 `json:"cosine"` // of the passage, -1 to 1; null where the vector leg was not asked
	// Raw values of the second stage, null where it did not run: cosines of the note, of the best window, of the title and of
	// the headings, and the mean of the query's tokens with the nearest of the passage.
	Note          *float64       `json:"note"`
	Window        *float64       `json:"window"`
	Title         *float64       `json:"title"`
	Headings      *float64       `json:"headings"`
	Tokens        *float64       `json:"tokens"`
	Identifier    *float64       `json:"identifier"` // BM25 of the identifiers in the query; null where none is in it
	Contributions []Contribution `json:"contributions"`
	Score         float64        `json:"score"` // the sum
	// Evidence is what the confidence is made of: the sum, also where ranks are fused, without what prefers a note to others, and
	// the less the rarer the words of the query are.
	Evidence   float64 `json:"evidence"`
	Confidence float64 `json:"confidence"`
}

// Contribution is one amount of the score.
type Contribution struct {
	Name   string  `json:"name"`
	Amount float64 `json:"amount"`
}

// explain gives the raw values, rounded as the amounts are.
func (c candidate) explain() *Explain {
	e := &Explain{
		Contributions: append([]Contribution{}, c.amounts...), Score: c.score, Evidence: c.evidence, Confidence: c.confidence,
		BM25: knownValue(c.BM25), Cosine: knownValue(c.Cosine), Identifier: knownValue(c.Identifier),
	}
	if c.rankData != nil {
		e.Note, e.Window, e.Title = shownValue(c.NoteCosine), shownValue(c.nearness.Window), shownValue(c.nearness.Title)
		e.Headings, e.Tokens = shownValue(c.nearness.Headings), shownValue(c.nearness.MaxSim)
	}
	return e
}

// MoveTo gives an explanation another score, by an amount of that name, so that its contributions still add up to it.
func (e *Explain) MoveTo(score float64, name string) {
	if amount := round(score-e.Score, 1e-12); amount != 0 {
		e.Contributions = append(e.Contributions, Contribution{Name: name, Amount: amount})
	}
	e.Score = score
}

func shownValue(x float64) *float64 {
	x = round(x, scoreUnit)
	return &x
}

func knownValue(x float64) *float64 {
	if x == 0 {
		return nil
	}
	return shownValue(x)
}
