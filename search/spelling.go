package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"quarry/store"
)

// One name is spelt getUserProfile, get_user_profile and "get user profile". The index has camelCase in its parts as well, of which
// the words of the other two find it, and snake_case as one word as well, of which the first finds it. What is left is for the query.

// addSpellings adds, where there is room, what a word that is written otherwise is found by: of snake_case the parts as one word,
// which is no evidence where it is nowhere; of camelCase the parts, which are looked for in place of a word that is nowhere.
func (t *terms) addSpellings() {
	for _, term := range t.spellings {
		if _, isThere := t.at[term.indexed]; !isThere && len(t.list) < maxTerms {
			term.function = term.partOf != "" && t.functions.have(term.text, place{0, len(term.text)})
			t.add(term)
		}
	}
}

// joinedSpelling is the other one of snake_case.
func joinedSpelling(compound string, parts []string) (term queryTerm, ok bool) {
	joined, separators := strings.Join(parts, ""), strings.Count(compound, "_")
	return queryTerm{text: joined, indexed: joined, phrase: true}, separators > 0 && len(joined)+separators == len(compound)
}

// partSpellings are the others of a word in camelCase; none for a word that is not.
func partSpellings(word string) (list []queryTerm) {
	whole := strings.ToLower(word)
	for _, part := range store.Identifiers(word) {
		list = append(list, queryTerm{text: part, indexed: part, partOf: whole})
	}
	return list
}

// spelt leaves the parts of camelCase out, or the word itself where it is nowhere and they all are somewhere.
func spelt(terms []queryTerm, frequencies []int) ([]queryTerm, []int) {
	words, parts := map[string]bool{}, map[string]bool{} // by the word: it is somewhere; all its parts are
	for i, t := range terms {
		of := words
		if t.partOf != "" {
			of = parts
		}
		_, isKnown := of[t.spelt()]
		of[t.spelt()] = frequencies[i] > 0 && (!isKnown || of[t.spelt()])
	}
	keptTerms, keptFrequencies := make([]queryTerm, 0, len(terms)), make([]int, 0, len(terms))
	for i, t := range terms {
		isSomewhere, isWord := words[t.spelt()]
		isParted := isWord && !isSomewhere && parts[t.spelt()]
		if isParted == (t.partOf != "") || t.quoted {
			keptTerms, keptFrequencies = append(keptTerms, t), append(keptFrequencies, frequencies[i])
		}
	}
	return keptTerms, keptFrequencies
}

// Bounds of words of a query that are looked for as one.
const (
	maxTogether  = 3
	maxTogethers = 32 // of a query
)

// together puts words that stand side by side in the query, and are somewhere as one, in the place of those of them that are nowhere:
// PaymentGateway is found by "payment gateway", and javascript by "java script". Where all are somewhere it costs more than it gains:
// -.017 nDCG@10 on documentation of the web, where a toggle event is not always a ToggleEvent.
func (s Searcher) together(ctx context.Context, terms []queryTerm, frequencies []int) ([]queryTerm, []int, error) {
	spans := absentSpans(terms, frequencies)
	if len(spans) == 0 {
		return terms, frequencies, nil
	}
	words := make([]string, len(spans))
	for i, span := range spans {
		for _, t := range terms[span.start:span.end] {
			words[i] += t.text
		}
	}
	found, err := s.Snapshot.Frequencies(ctx, words, nil)
	if err != nil {
		return nil, nil, err
	}
	terms, frequencies = slices.Clone(terms), slices.Clone(frequencies)
	isReplaced := make([]bool, len(terms))
	for i, span := range spans {
		first := span.start + slices.Index(frequencies[span.start:span.end], 0)
		if found[i] == 0 || first < span.start { // nothing of it is nowhere any more
			continue
		}
		for at := first; at < span.end; at++ {
			isReplaced[at] = isReplaced[at] || frequencies[at] == 0
		}
		isThere := slices.ContainsFunc(terms, func(t queryTerm) bool { return t.indexed == words[i] })
		terms[first], frequencies[first], isReplaced[first] = queryTerm{text: words[i], indexed: words[i]}, found[i], isThere
	}
	return without(terms, isReplaced), without(frequencies, isReplaced), nil
}

// absentSpans gives the places of neighbouring words of which some are nowhere, long ones first.
func absentSpans(terms []queryTerm, frequencies []int) (spans []place) {
	isApart := func(t queryTerm) bool { return t.phrase || t.quoted || t.function || t.partOf != "" || t.runs != nil }
	for count := maxTogether; count > 1; count-- {
		for start := 0; start+count <= len(terms) && len(spans) < maxTogethers; start++ {
			if slices.Contains(frequencies[start:start+count], 0) && !slices.ContainsFunc(terms[start:start+count], isApart) {
				spans = append(spans, place{start, start + count})
			}
		}
	}
	return spans
}

func without[T any](list []T, isOut []bool) (rest []T) {
	for i, x := range list {
		if !isOut[i] {
			rest = append(rest, x)
		}
	}
	return rest
}

// spelt is the word in the query that a term is of.
func (t queryTerm) spelt() string { return cmp.Or(t.partOf, t.text) }
