package search

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Form is what a score is the sum of. L is BM25 as a share of the most that it could be, D the cosine with a passage.
type Form string

// Forms. The one that holds follows from the mode, the model and what the index has.
const (
	FormSum       Form = "S"  // 2L + .6W + .7N + .6M: best window, note and tokens
	FormSimpleSum Form = "S1" // 2L + D: the index has no tokens, or the model gives none
	FormLexical   Form = "L"  // 2L: keyword search, or no model
	FormGuarded   Form = "Lg" // 2L: the query is in a script that the model does not know
	FormUnspaced  Form = "Lu" // 2L: it is in one without spaces, where the words of a query are pieces of each other
	FormVector    Form = "D"  // D alone
)

// Weights of the parts of a sum, measured on 14 sets (docs/benchmarks.md). They lie on a plateau.
const (
	lexicalWeight = 2
	windowWeight  = 0.6
	noteWeight    = 0.7
	tokenWeight   = 0.6
	// Parts of W, those of a passage's vector.
	bodyShare, titleShare, headingShare = 0.7, 0.2, 0.1
)

// Scores are rounded to multiples of scoreUnit before they decide anything: sums of floats that processors round otherwise differ by
// less.
const scoreUnit = 1e-6

// rank gives the candidates in the order of the plan's fusion, each with its amounts and its confidence.
func (s Searcher) rank(ctx context.Context, plan *Plan, candidates []candidate) ([]candidate, error) {
	if plan.filterOnly {
		for i := range candidates {
			candidates[i].confidence = 1 // the filters let it through, and nothing else was asked
		}
		return candidates, nil
	}
	signals, err := s.signalsFor(ctx, plan, candidates)
	if err != nil {
		return nil, err
	}
	rarity := plan.meanIDF()
	for i := range candidates {
		c := &candidates[i]
		c.measure(plan)
		c.addParts(plan.Form)
		signals.add(c, plan.Form)
		c.total(plan, rarity)
		if plan.Fusion == string(RRF) {
			c.fuseRanks(plan)
		}
	}
	if plan.Fusion == string(RRF) {
		slices.SortFunc(candidates, compareFused)
	} else {
		slices.SortFunc(candidates, compareSums)
		if signals.lowerStubs(candidates) {
			slices.SortFunc(candidates, compareSums)
		}
	}
	return candidates, nil
}

// showConfidences gives ordered candidates the scores that are shown: the highest confidence of each and of all behind it.
func showConfidences(candidates []candidate) {
	best := 0.0
	for i := len(candidates) - 1; i >= 0; i-- {
		best = max(best, candidates[i].confidence)
		candidates[i].shown = best
	}
}

func (p *Plan) lexicalOf(bm25 float64) float64 {
	if p.ceiling <= 0 {
		return 0
	}
	return min(max(bm25/p.ceiling, 0), 1)
}

// measure gives a candidate what every order starts from.
func (c *candidate) measure(plan *Plan) {
	c.lexical = plan.lexicalOf(c.BM25)
	c.rrf = share(1, fusionK, c.LexicalRank) + share(1, fusionK, c.VectorRank)
}

// add notes an amount, and gives it as it is noted: rounded, so that what is shown adds up.
func (c *candidate) add(name string, amount float64) float64 {
	if amount = round(amount, scoreUnit); amount != 0 {
		c.amounts = append(c.amounts, Contribution{Name: name, Amount: amount})
	}
	return amount
}

// addParts adds what words and meaning say. A passage without tokens among others that have them is taken as a whole: its own
// cosine stands for its best window and for its tokens.
func (c *candidate) addParts(form Form) {
	if form != FormVector {
		c.add("words", lexicalWeight*c.lexical)
	}
	switch form {
	case FormSimpleSum, FormVector:
		c.add("passage", c.Cosine)
	case FormSum:
		window, tokens := c.Cosine, max(c.Cosine, 0)
		if c.rankData != nil {
			window, tokens = c.windowMix(), c.nearness.MaxSim
		}
		c.add("window", windowWeight*window)
		c.add("note", noteWeight*c.NoteCosine)
		c.add("tokens", tokenWeight*tokens)
	}
}

// windowMix is W.
func (c *candidate) windowMix() float64 {
	n := c.nearness
	return float64(bodyShare*n.Window) + float64(titleShare*n.Title) + float64(headingShare*n.Headings)
}

// total sums up. Signals that prefer a note, and are no sign that it speaks of the query, leave the evidence as it is.
func (c *candidate) total(plan *Plan, meanIDF float64) {
	c.evidence = plan.Form.evidenceOf(c.sum(), meanIDF)
	c.confidence = plan.Form.confidence(c.evidence)
	if plan.wordless && !c.isNamed {
		c.confidence = min(c.confidence, wordlessConfidence)
	}
}

// fuseRanks puts the shares of the ranks in the place of the sum: the sum over the legs of weight/(k + rank) (Cormack, Clarke
// and Büttcher 2009).
func (c *candidate) fuseRanks(plan *Plan) {
	c.amounts, c.score = nil, 0
	for _, leg := range []Contribution{
		{Name: "lexical rank", Amount: share(plan.LexicalWeight, plan.K, c.LexicalRank)},
		{Name: "vector rank", Amount: share(plan.VectorWeight, plan.K, c.VectorRank)},
	} {
		if leg.Amount != 0 {
			c.amounts = append(c.amounts, leg)
			c.score += leg.Amount
		}
	}
}

func share(weight float64, k, rank int) float64 {
	if rank == 0 {
		return 0
	}
	return weight / float64(k+rank)
}

// compareSums puts the higher score first, of equal ones the one whose words say more.
func compareSums(a, b candidate) int {
	return cmp.Or(
		cmp.Compare(b.score, a.score),
		cmp.Compare(round(b.lexical, scoreUnit), round(a.lexical, scoreUnit)),
		comparePlaces(a, b),
	)
}

// compareFused puts the higher share first, of equal ones what both legs brought, then the lower sum of ranks, then the
// lexical hit.
func compareFused(a, b candidate) int {
	return cmp.Or(
		cmp.Compare(round(b.score, 1e-12), round(a.score, 1e-12)),
		cmp.Compare(b.legs(), a.legs()),
		cmp.Compare(a.LexicalRank+a.VectorRank, b.LexicalRank+b.VectorRank),
		cmp.Compare(rankOrLast(a.LexicalRank), rankOrLast(b.LexicalRank)),
		comparePlaces(a, b),
	)
}

func comparePlaces(a, b candidate) int {
	return cmp.Or(cmp.Compare(a.Note.Path, b.Note.Path), cmp.Compare(a.Index, b.Index))
}

func rankOrLast(rank int) int {
	if rank == 0 {
		return math.MaxInt
	}
	return rank
}

// legs counts the legs that brought the candidate.
func (c candidate) legs() int {
	return min(c.LexicalRank, 1) + min(c.VectorRank, 1)
}

// round rounds to a multiple of unit, a decimal fraction; as a quotient, so that it prints as it is meant.
func round(x, unit float64) float64 { return math.Round(x/unit) / math.Round(1/unit) }
