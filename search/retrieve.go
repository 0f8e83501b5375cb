package search

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"quarry/embedding"
	"quarry/internal/interaction"
	"quarry/store"
)

const (
	// candidateDepth is how many passages each leg brings where scores are added: 30 lose .001 nDCG@10, 200 gain .001.
	candidateDepth = 50
	// depthExtra is how many more than the limit each leg brings, for those that are left out later.
	depthExtra = 20
	// Where copies of a passage fill a leg it is asked for depthStep times as many, until they are maxLegDepth: from 30 on three times.
	depthStep   = 4
	maxLegDepth = 2000
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
	preferred  float64 // the part of them that prefers the note, and is no evidence
	confidence float64 // of evidence, more than 0, to 1
	isNamed    bool    // the query is its note's title, or an alias
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
		return s.damaged(query, candidates, data, err)
	}
	for i := range candidates {
		candidates[i].rankData, candidates[i].nearness = data[i], scores[i]
		if data[i] != nil {
			plan.Form = FormSum
		}
	}
	return nil
}

// damaged tells whose tokens cannot be read.
func (s Searcher) damaged(query *interaction.Query, candidates []candidate, data [][]byte, err error) error {
	for i := range data {
		if _, of := query.Score(data[i : i+1]); of != nil {
			path := candidates[i].Note.Path
			if s.Redact != nil {
				path = s.Redact(path)
			}
			return fmt.Errorf("compare passage %d of %s: %w: %w", candidates[i].Index+1, path, store.ErrDamaged, of)
		}
	}
	return fmt.Errorf("compare the tokens of passages: %w: %w", store.ErrDamaged, err)
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

// probes are everyday words in scripts that a model of English has single letters of at most, a line each.
var probes = []string{
	"человек время работа понедельник написать вопрос",
	"άνθρωπος χρόνος εργασία Δευτέρα ερώτηση γράφω",
	"إنسان وقت العمل الاثنين سؤال يكتب",
	"मनुष्य समय काम सोमवार प्रश्न लिखना",
	"사람 시간 월요일 질문 업무 문서",
}

const (
	// lettersPerToken is the least of words that a model knows: of those that it does not, tokens are single letters.
	lettersPerToken = 1.8
	// leastKnown of the probes make a model multilingual: what was learned by chance is one or two.
	leastKnown = 3
)

// isMultilingual tells of models that know words in other scripts than Latin, by what they make of some. One that gives no tokens is
// taken for a model of English.
func isMultilingual(model embedding.Embedder) bool {
	tokens, ok := model.(embedding.TokenModel)
	if !ok {
		return false
	}
	known := 0
	for _, probe := range probes {
		words := strings.Fields(probe)
		knownWords := 0
		for _, word := range words {
			pieces := len(tokens.AppendTokens(nil, word))
			if pieces > 0 && float64(utf8.RuneCountInString(word)) >= float64(lettersPerToken*float64(pieces)) {
				knownWords++
			}
		}
		if 2*knownWords > len(words) {
			known++
		}
	}
	return known >= leastKnown
}
