package search

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"quarry/store"
)

// Pattern is what passages are to be like.
type Pattern struct {
	Path   string    // of its note, whose passages are left out
	Title  string    // of its note
	Texts  []string  // of its passages
	Vector []float32 // the mean of its passages' vectors at unit length; nil where it has none, or words alone count
}

// FormLike is the sum that Like orders by: 3L + .5D + N, of the rarest words of the pattern, and the cosines with passage and note.
const FormLike Form = "like"

// Bounds and weights of Like.
const (
	likeTerms    = 12   // words of highest tf·idf
	likeTimes    = 4    // that a word counts at most, the first; others once more for each fourth part of its tf·idf
	maxLikeTerms = 4096 // that are counted in the index
	maxLikeRunes = 64   // of a word, longer ones are data
	// Weights of L, D and N: those by which the notes that a note is linked with come first, of 351 notes of six vaults with the links
	// taken out (nDCG@10 .428; .407 by L alone, .335 by D, .334 by N; .408 where each word counts once). They lie on a plateau.
	likeWords, likePassage, likeNote = 3, .5, 1
	// What words or meaning usually bring stands for them where they are not asked.
	usualWords, usualMeaning = .4, 1
)

// Like looks for passages that are near to a pattern by words and meaning, as Search does for a query. Request.Query may narrow it by
// filters, and its words count beside those of the pattern. No such answer is called irrelevant: its scale is not that of queries.
func (s Searcher) Like(ctx context.Context, request Request, pattern Pattern) (Answer, error) {
	return s.answer(ctx, request, way{
		plan: func(ctx context.Context, request Request, passages int) (*Plan, error) {
			return s.likePlan(ctx, request, pattern, passages)
		},
		retrieve: func(ctx context.Context, _ Request, plan *Plan) ([]candidate, error) {
			list, err := s.Snapshot.Candidates(ctx, plan.likeQuery(pattern.Vector))
			return asCandidates(list), err
		},
		rank: func(_ context.Context, plan *Plan, candidates []candidate) ([]candidate, error) {
			return rankLike(plan, candidates), nil
		},
	})
}

// likenessUnit is evidence that counts as 1: nearly what the best of a median note has.
const likenessUnit = 2

// Likeness gives notes that are near to a pattern, by path, with a number from 0 to 1 each: the evidence of their best passage by
// FormLike in parts of likenessUnit. They are the notes of the best passages of both legs, so many of each, that the filter lets
// through.
func (s Searcher) Likeness(ctx context.Context, filter store.Filter, pattern Pattern, passages int) (map[string]float64, error) {
	_, all, err := s.Snapshot.Counts(ctx)
	if err != nil {
		return nil, fmt.Errorf("look for what is near: %w", err)
	}
	plan, err := s.likePlan(ctx, Request{Mode: Hybrid, Filter: filter, Like: pattern.Path}, pattern, all)
	if err != nil {
		return nil, fmt.Errorf("look for what is near: %w", err)
	}
	plan.Depth = passages
	list, err := s.Snapshot.Candidates(ctx, plan.likeQuery(pattern.Vector))
	if err != nil {
		return nil, fmt.Errorf("look for what is near: %w", err)
	}
	near := map[string]float64{}
	for _, c := range rankLike(plan, asCandidates(list)) {
		near[c.Note.Path] = max(near[c.Note.Path], min(c.evidence/likenessUnit, 1))
	}
	return near, nil
}

// likePlan plans the filters and words of the query, and adds the words of the pattern.
func (s Searcher) likePlan(ctx context.Context, request Request, pattern Pattern, passages int) (*Plan, error) {
	mode := request.Mode
	request.Mode = Lexical // nothing is embedded
	without := maps.Clone(request.Filter.Without)
	if without == nil {
		without = map[string]bool{}
	}
	without[pattern.Path] = true
	request.Filter.Without = without
	plan, err := s.plan(ctx, request, passages)
	if err != nil {
		return nil, err
	}
	plan.Mode, plan.Form, plan.Fusion, plan.filterOnly = mode, FormLike, string(Sum), false
	plan.Depth = request.Limit + candidateDepth
	switch {
	case mode == Vector:
		plan.Terms, plan.ceiling = []PlanTerm{}, 0
		if pattern.Vector == nil {
			plan.notices = append(plan.notices, "the note has no vectors: it cannot be compared by meaning")
		}
		return plan, nil
	case mode == Hybrid && pattern.Vector == nil:
		plan.Mode = Lexical
		plan.notices = append(plan.notices, "the note has no vectors: it is compared by its words alone")
	}
	return plan, s.addWords(ctx, plan, pattern)
}

// likeWord is a word of a pattern, with all that the index takes for the same.
type likeWord struct {
	text  string // the form that is most often in the pattern, the first by letters of equal ones
	count int
}

// addWords adds the words of a pattern that tell it apart: those of highest tf·idf, of equal ones the first by letters.
func (s Searcher) addWords(ctx context.Context, plan *Plan, pattern Pattern) error {
	words, err := s.likeWordsOf(ctx, plan, wordCounts(pattern))
	if err != nil {
		return err
	}
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
	}
	frequencies, err := s.Snapshot.Frequencies(ctx, texts, nil)
	if err != nil {
		return err
	}
	common := mostCommon(plan.Passages)
	var terms []PlanTerm
	weights := map[string]float64{}
	for i, w := range words {
		n := frequencies[i]
		if n < 2 || n > common {
			continue // a word of one passage is its own
		}
		term := PlanTerm{Text: w.text, Frequency: n, IDF: idf(n, plan.Passages), indexed: w.text}
		weights[w.text] = float64(w.count) * term.IDF
		terms = append(terms, term)
	}
	slices.SortFunc(terms, func(a, b PlanTerm) int {
		return cmp.Or(cmp.Compare(weights[b.Text], weights[a.Text]), strings.Compare(a.Text, b.Text))
	})
	for _, term := range terms[:min(len(terms), likeTerms)] {
		if times := 1 + int(likeTimes*weights[term.Text]/weights[terms[0].Text]); times > 1 {
			term.Times = min(times, likeTimes)
		}
		plan.Terms = append(plan.Terms, term)
		plan.ceiling += float64(bm25Ceiling * term.IDF * float64(max(term.Times, 1)))
	}
	return nil
}

// likeQuery is the plan of both legs, with words as often as they count.
func (p *Plan) likeQuery(vector []float32) store.CandidateQuery {
	query := p.candidateQuery(vector)
	for _, t := range p.Terms {
		for range t.Times - 1 {
			query.Lexical.Terms = append(query.Lexical.Terms, store.Term{Text: t.indexed})
		}
	}
	return query
}

// likeWordsOf gives the words that are counted: the most frequent of the pattern, each stem once, without those that the query asks
// for already.
func (s Searcher) likeWordsOf(ctx context.Context, plan *Plan, counts map[string]int) ([]likeWord, error) {
	texts := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	texts = texts[:min(len(texts), maxLikeTerms)]
	asked := len(plan.Terms)
	for _, t := range plan.Terms {
		texts = append(texts, t.indexed)
	}
	stems, err := s.Snapshot.Words(ctx, texts)
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	for i := len(texts) - asked; i < len(texts); i++ {
		at[strings.Join(stems[i], " ")] = -1
	}
	var words []likeWord
	for i, text := range texts[:len(texts)-asked] {
		stem := strings.Join(stems[i], " ")
		k, isKnown := at[stem]
		switch {
		case isKnown && k >= 0:
			words[k].count += counts[text]
		case !isKnown && stem != "":
			at[stem] = len(words)
			words = append(words, likeWord{text: text, count: counts[text]})
		}
	}
	return words, nil
}

// wordCounts counts the words of a pattern, as the index has them, function words left out; those of the title count twice.
func wordCounts(pattern Pattern) map[string]int {
	counts := map[string]int{}
	for _, text := range append([]string{pattern.Title, pattern.Title}, pattern.Texts...) {
		text = strings.ToLower(text)
		functions := functionsOf(text)
		for _, w := range wordsOf(text) {
			word := text[w.start:w.end]
			letters := utf8.RuneCountInString(word)
			if letters > maxLikeRunes || letters < 2 || strings.Trim(word, "0123456789") == "" || functions.have(text, w) {
				continue
			}
			pieces := store.Segment(word)
			for _, piece := range pieces {
				counts[piece.Term]++
			}
			if pieces == nil {
				counts[word]++
			}
		}
	}
	return counts
}

// rankLike orders what both legs brought.
func rankLike(plan *Plan, candidates []candidate) []candidate {
	unasked := 0.0
	switch plan.Mode {
	case Lexical:
		unasked = usualMeaning
	case Vector:
		unasked = usualWords
	case Hybrid:
	}
	for i := range candidates {
		c := &candidates[i]
		c.measure(plan)
		c.add("words", likeWords*c.lexical)
		c.add("passage", likePassage*c.Cosine)
		c.add("note", likeNote*c.NoteCosine)
		c.sum()
		c.evidence = c.score
		c.confidence = FormLike.confidence(c.evidence + unasked)
	}
	slices.SortFunc(candidates, compareSums)
	return candidates
}
