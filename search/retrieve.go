package search

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"quarry/embedding"
	"quarry/internal/interaction"
	"quarry/store"
)

const (
	// candidateDepth is how many passages each leg brings where scores are added: 30 lose .001 nDCG@10, 200 gain .001.
	candidateDepth = 50
	// depthExtra is how many more than the limit each leg brings, for those that are left out later.
	depthExtra = 20
)

// candidate is a passage on its way to the answer.
type candidate struct {
	store.Candidate
	rankData   []byte             // as the store has it, nil where there is none
	lexical    float64            // L: BM25 as a share of the most it could be, 0 to 1
	nearness   interaction.Scores // of the second stage, zeros without rankData
	rrf        float64            // the seed's fusion of the two ranks, whatever the order is
	score      float64            // the sum of the contributions, rounded: what the order is by
	evidence   float64            // the part of a sum that tells whether the vault speaks of the query at all
	amounts    []Contribution
	confidence float64 // of evidence, more than 0, to 1
	shown      float64 // the highest confidence of this and of all behind it
}

// retrieve asks both legs at once, and fetches what the second stage needs to know of what they brought.
func (s Searcher) retrieve(ctx context.Context, request Request, plan *Plan) ([]candidate, error) {
	if plan.filterOnly {
		list, err := s.list(ctx, plan, request.Limit+depthExtra)
		return asCandidates(list), err
	}
	query, vector, err := s.meaning(ctx, plan)
	if err != nil {
		return nil, fmt.Errorf("embed the query: %w", err)
	}
	list, err := s.Snapshot.Candidates(ctx, plan.candidateQuery(vector))
	if err != nil {
		return nil, err
	}
	candidates := asCandidates(list)
	if plan.Form != FormSum {
		return candidates, nil
	}
	return candidates, s.compare(ctx, plan, query, candidates)
}

func asCandidates(list []store.Candidate) []candidate {
	candidates := make([]candidate, len(list))
	for i, c := range list {
		candidates[i].Candidate = c
	}
	return candidates
}

// compare runs the second stage. Where no passage has data for it the form is the simpler one.
func (s Searcher) compare(ctx context.Context, plan *Plan, query *interaction.Query, candidates []candidate) error {
	plan.Form = FormSimpleSum
	if query == nil || len(candidates) == 0 {
		return nil
	}
	ids := make([]store.PassageID, len(candidates))
	for i, c := range candidates {
		ids[i] = c.ID
	}
	data, err := s.Snapshot.RankData(ctx, ids)
	if err != nil {
		return err
	}
	scores, err := query.Score(data)
	if err != nil {
		return fmt.Errorf("compare the tokens of passages: %w: %w", store.ErrDamaged, err)
	}
	for i := range candidates {
		candidates[i].rankData, candidates[i].nearness = data[i], scores[i]
		if data[i] != nil {
			plan.Form = FormSum
		}
	}
	return nil
}

func (p *Plan) candidateQuery(vector []float32) store.CandidateQuery {
	query := store.CandidateQuery{Vector: store.VectorQuery{Vector: vector, Limit: p.Depth, Within: p.within}}
	query.Lexical = store.LexicalQuery{Weights: columnWeights, Limit: p.Depth, Within: p.within}
	if p.Mode == Vector {
		return query
	}
	for _, t := range p.Terms {
		if t.Frequency > 0 {
			query.Lexical.Terms = append(query.Lexical.Terms, store.Term{Text: t.indexed})
		}
	}
	query.Identifiers = p.identifiers
	return query
}

// meaning is the query as a vector, nil where the dense leg is left out or the model knows no word of it, and as tokens where
// the model gives them.
func (s Searcher) meaning(ctx context.Context, plan *Plan) (*interaction.Query, []float32, error) {
	if plan.Form != FormSum && plan.Form != FormVector || strings.TrimSpace(plan.text) == "" {
		return nil, nil, nil
	}
	model, ok := s.Embedder.(embedding.TokenModel)
	if !ok {
		vectors, err := s.Embedder.Embed(ctx, []string{plan.text})
		if err != nil {
			return nil, nil, err
		}
		return nil, vectors[0], nil
	}
	plan.tokens = interaction.Tokens(model, plan.text)
	frequencies, err := s.Snapshot.TokenFrequencies(ctx, plan.tokens, nil)
	if err != nil {
		return nil, nil, err
	}
	query := interaction.NewQuery(model, plan.text, frequencies, plan.Passages)
	return query, query.Vector(), nil
}

// lettersOfSign is how many Latin letters a sign of the scripts without spaces stands for: some of them make a word.
const lettersOfSign = 3

// minLatinShare is the share of Latin letters from which a model of English is asked for a query: of other scripts it knows next to
// nothing, and what it says of them pushes right answers down.
const minLatinShare = 0.5

// scriptOf tells whether a text is mostly in Latin letters, or has none at all, and whether most of the others are of scripts
// without spaces.
func scriptOf(text string) (isLatin, isUnspaced bool) {
	latin, letters, unspaced := 0, 0, 0
	for _, w := range wordsOf(text) {
		word := text[w.start:w.end]
		pieces := store.Segment(word) != nil
		for _, r := range word {
			switch {
			case unicode.Is(unicode.Latin, r):
				latin++
			case !unicode.IsLetter(r):
				continue
			case pieces:
				unspaced += lettersOfSign
				letters += lettersOfSign
				continue
			}
			letters++
		}
	}
	return float64(latin) >= float64(minLatinShare*float64(letters)), 2*unspaced > letters-latin
}

// multilingualVocabulary is a size that no vocabulary of one language has.
const multilingualVocabulary = 100_000

func isMultilingual(model embedding.Embedder) bool {
	name := strings.ToLower(model.Name())
	for _, sign := range []string{"multilingual", "m2v_multi", "-m3", "labse", "-xlm", "text-embedding-3"} {
		if strings.Contains(name, sign) {
			return true
		}
	}
	tokens, ok := model.(embedding.TokenModel)
	return ok && tokens.VocabularySize() >= multilingualVocabulary
}
