package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"quarry/store"
)

// fusionK damps the difference between the first ranks (Cormack, Clarke and Büttcher 2009: 60).
const fusionK = 60

// legs is what the two legs brought, best first.
type legs struct{ lexical, vector []store.Hit }

// askLegs runs both legs side by side.
func (s Searcher) askLegs(ctx context.Context, request Request, plan *Plan) (legs, error) {
	var out legs
	var lexicalErr, vectorErr error
	var wait sync.WaitGroup
	if plan.Mode != Lexical {
		wait.Go(func() { out.vector, vectorErr = s.askVector(ctx, request, plan) })
	}
	if plan.Mode != Vector {
		out.lexical, lexicalErr = s.askLexical(ctx, plan)
	}
	wait.Wait()
	return out, cmp.Or(lexicalErr, vectorErr)
}

func (s Searcher) askLexical(ctx context.Context, plan *Plan) ([]store.Hit, error) {
	var terms []store.Term
	for _, t := range plan.Terms {
		if t.Frequency > 0 {
			terms = append(terms, store.Term{Text: t.indexed})
		}
	}
	if len(terms) == 0 {
		return nil, nil
	}
	return s.Snapshot.Lexical(ctx, store.LexicalQuery{Terms: terms, Weights: columnWeights, Limit: plan.Depth, Within: plan.within})
}

func (s Searcher) askVector(ctx context.Context, request Request, plan *Plan) ([]store.Hit, error) {
	vectors, err := s.Embedder.Embed(ctx, []string{request.Query})
	if err != nil || vectors[0] == nil {
		return nil, err
	}
	return s.Snapshot.Nearest(ctx, store.VectorQuery{Vector: vectors[0], Limit: plan.Depth, Within: plan.within})
}

// candidate is a passage on its way to the answer. Ranks are 1-based, 0 where a leg did not bring it.
type candidate struct {
	id                      store.PassageID
	lexicalRank, vectorRank int
	bm25, cosine            float64
	// What each leg adds to rrf.
	lexicalShare, vectorShare float64
	rrf                       float64
	confidence                float64
}

// fuse joins the legs by reciprocal rank: the sum over the legs of weight/(k + rank). Equal sums: in both legs first, then
// the lower sum of ranks, then the lexical hit, which leaves no two alike.
func fuse(l legs, plan *Plan) []candidate {
	byID := map[store.PassageID]*candidate{}
	var order []*candidate
	at := func(id store.PassageID) *candidate {
		c, ok := byID[id]
		if !ok {
			c = &candidate{id: id}
			byID[id] = c
			order = append(order, c)
		}
		return c
	}
	for i, hit := range l.lexical {
		c := at(hit.ID)
		c.lexicalRank, c.bm25 = i+1, hit.Score
	}
	for i, hit := range l.vector {
		c := at(hit.ID)
		c.vectorRank, c.cosine = i+1, hit.Score
	}
	out := make([]candidate, 0, len(order))
	for _, c := range order {
		c.lexicalShare, c.vectorShare = share(plan.LexicalWeight, c.lexicalRank), share(plan.VectorWeight, c.vectorRank)
		c.rrf = c.lexicalShare + c.vectorShare
		c.confidence = Confidence(c.bm25, plan.ceiling, c.cosine)
		out = append(out, *c)
	}
	slices.SortFunc(out, compareCandidates)
	return out
}

func share(weight float64, rank int) float64 {
	if rank == 0 {
		return 0
	}
	return weight / float64(fusionK+rank)
}

func compareCandidates(a, b candidate) int {
	return cmp.Or(
		cmp.Compare(b.rrf, a.rrf),
		cmp.Compare(b.legs(), a.legs()),
		cmp.Compare(a.lexicalRank+a.vectorRank, b.lexicalRank+b.vectorRank),
		cmp.Compare(rankOrLast(a.lexicalRank), rankOrLast(b.lexicalRank)),
	)
}

func rankOrLast(rank int) int {
	if rank == 0 {
		return math.MaxInt
	}
	return rank
}

// legs counts in how many legs the candidate stands.
func (c candidate) legs() int {
	n := 0
	if c.lexicalRank > 0 {
		n++
	}
	if c.vectorRank > 0 {
		n++
	}
	return n
}

// goodConfidence is the score from which an answer is not called weak.
const goodConfidence = 0.5

// Confidence is the score of a passage, 0 to 1: how surely the vault speaks of the query at all. With L = BM25 as a share
// of the most it could be and D = the cosine (0 where a leg did not bring the passage), it is 1/(1 + exp(6.06 - 8(2L + D))),
// a logistic fitted to queries of ten vaults asked of themselves and of each other. It was fitted to a neighbouring
// scoring form, so it may call an answer weak, and never hides one.
func Confidence(bm25, ceiling, cosine float64) float64 {
	lexical := 0.0
	if ceiling > 0 {
		lexical = min(bm25/ceiling, 1)
	}
	p := 1 / (1 + math.Exp(6.06-float64(8*(float64(2*lexical)+max(cosine, 0)))))
	return math.Round(p*1e4) / 1e4
}
