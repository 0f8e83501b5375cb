package search

import (
	"slices"

	"quarry/internal/interaction"
	"quarry/store"
)

// What makes a stub: a note of one passage, of few different tokens, many of which are of the query. BM25 likes it for its short
// text, and it says little but that there is such a subject.
const (
	stubTokens = 20  // different ones at most
	stubShare  = 0.2 // of them at least that are of the query
	deepTokens = 30  // of a passage that a stub stands behind
	maxDeep    = 200 // that a stub is compared with, the best
	// stubCoverage is the share of what a stub holds of the query's tokens that a deep passage has to hold.
	stubCoverage = 0.85
	// stubStep puts a stub behind the passage that is better, not beside it.
	stubStep = 0.01
)

// lowerStubs puts stubs behind the best deep passage that holds the words of the query nearly as well as they do, if that costs a
// stub no more than its full share. Where nothing deeper speaks of the query a stub is the answer, and so is the note of that
// title.
func (g *signals) lowerStubs(candidates []candidate) {
	if g.Shallow <= 0 || len(g.plan.tokens) == 0 {
		return
	}
	passages := map[*store.Note]int{}
	for i := range candidates {
		passages[candidates[i].Note]++
	}
	var deep []candidate
	isStub, anyStub := make([]bool, len(candidates)), false
	for i := range candidates {
		c := &candidates[i]
		distinct, asked := g.tokensOf(c)
		if distinct >= deepTokens && c.lexical > 0 {
			deep = append(deep, *c)
		}
		isAlone := c.Index == 0 && passages[c.Note] == 1 && !g.named[c.Note]
		isStub[i] = isAlone && distinct > 0 && distinct <= stubTokens && float64(asked) >= float64(stubShare*float64(distinct))
		anyStub = anyStub || isStub[i]
	}
	if !anyStub {
		return
	}
	slices.SortFunc(deep, compareSums)
	for i := range candidates {
		stub := &candidates[i]
		if !isStub[i] {
			continue
		}
		best := 0.0
		for k := range deep[:min(len(deep), maxDeep)] {
			if deep[k].nearness.MaxSim >= float64(stubCoverage*stub.nearness.MaxSim) {
				best = deep[k].score
				break
			}
		}
		if lost := stub.score - best + stubStep; best > 0 && lost > 0 && lost <= float64(g.Shallow*stub.score) {
			stub.add(shallowName, -lost)
			stub.sum()
		}
	}
}

// tokensOf counts the different tokens of a passage, and those that are of the query. Damaged data were told of before.
func (g *signals) tokensOf(c *candidate) (distinct, asked int) {
	at := 0
	_ = interaction.EachToken(c.rankData, func(token uint16) {
		distinct++
		for at < len(g.plan.tokens) && g.plan.tokens[at] < token {
			at++
		}
		if at < len(g.plan.tokens) && g.plan.tokens[at] == token {
			asked++
		}
	})
	return distinct, asked
}
