package search

import (
	"slices"

	"quarry/internal/interaction"
)

// What makes a stub: a note of one passage, of few different tokens, many of which are of the query. BM25 likes it for its short
// text, and it says little but that there is such a subject. The bounds were chosen by stubs and deep notes that were written for it,
// so narrow that of seven sets of queries no answer changes (docs/benchmarks.md).
const (
	stubTokens = 20  // different ones at most
	stubShare  = 0.2 // of them at least that are of the query
	deepTokens = 30  // of a passage that a stub stands behind
	maxLooked  = 200 // candidates whose tokens are counted, the best
	// stubCoverage is the share of what a stub holds of the query's tokens that a deep passage has to hold.
	stubCoverage = 0.85
	// stubStep puts a stub behind the passage that is better, not beside it.
	stubStep = 0.01
)

// lowerStubs puts stubs behind the best deep passage that holds the words of the query nearly as well as they do, if that costs a
// stub no more than its full share. Where nothing deeper speaks of the query a stub is the answer, and so is the note of that
// title. Candidates are in order. It tells whether any has changed.
func (g *signals) lowerStubs(candidates []candidate) (isChanged bool) {
	if g.Shallow <= 0 || len(g.plan.tokens) == 0 {
		return false
	}
	candidates = candidates[:min(len(candidates), maxLooked)]
	var stubs []int
	for i := range candidates {
		if g.isStub(&candidates[i]) {
			stubs = append(stubs, i)
		}
	}
	if stubs == nil {
		return false
	}
	var deep []*candidate
	for i := range candidates {
		if c := candidates[i]; c.lexical > 0 {
			if distinct, _ := g.tokensOf(&c); distinct >= deepTokens {
				deep = append(deep, &c)
			}
		}
	}
	for _, i := range stubs {
		stub := &candidates[i]
		at := slices.IndexFunc(deep, func(c *candidate) bool { return c.nearness.MaxSim >= float64(stubCoverage*stub.nearness.MaxSim) })
		if at < 0 {
			continue
		}
		if lost := stub.score - deep[at].score + stubStep; lost > 0 && lost <= float64(g.Shallow*stub.score) {
			stub.prefer("shallow", -lost)
			stub.sum()
			isChanged = true
		}
	}
	return isChanged
}

// isStub tells of stubs, by the whole note: what of it is among the candidates depends on how many are asked for.
func (g *signals) isStub(c *candidate) bool {
	if c.Note.PassageCount != 1 || g.titleShares[c.Note.Path] == 1 {
		return false
	}
	distinct, asked := g.tokensOf(c)
	return distinct > 0 && distinct <= stubTokens && float64(asked) >= float64(stubShare*float64(distinct))
}

// What makes a list of links: a note that links to so many others by each of its passages, on the average. Of the words of a query some
// stand in one line and some in another, so that it seems to speak of all of them.
const (
	listLinks = 8
	// listShare is what such a passage loses of what words and tokens give it. A list of 1,869 links that stood among the first three for
	// five of six queries stands behind notes that it links to; of four sets of queries no figure changes, as they have no such note or
	// do not meet it.
	listShare = 0.1
)

// addList notes what a passage of a list of links loses.
func (g *signals) addList(c *candidate) {
	if g.Shallow > 0 && c.Links > 0 && c.Links >= listLinks*max(c.Note.PassageCount, 1) && g.titleShares[c.Note.Path] < 1 {
		c.prefer("list of links", -float64(listShare*(float64(lexicalWeight*c.lexical)+float64(tokenWeight*c.nearness.MaxSim))))
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
