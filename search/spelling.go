package search

import (
	"cmp"
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

// spelt is the word in the query that a term is of.
func (t queryTerm) spelt() string { return cmp.Or(t.partOf, t.text) }
