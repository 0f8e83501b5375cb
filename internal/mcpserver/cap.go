package mcpserver

import (
	"encoding/json"
	"slices"
	"sort"
	"unicode/utf8"

	"quarry"
)

// charactersPerToken is the rule of thumb by which the bound on an answer is counted.
const charactersPerToken = 4

// minCutCharacters is the least that is worth showing of a passage, unless it is the only one.
const minCutCharacters = 80

// documentOf is the document of an answer, without secrets and of so many characters at most, as far as that can be. Markers
// can be longer than what they stand for, so they are put in before the answer is cut; what a cut makes of a text is filtered
// again.
func documentOf(answer quarry.SearchAnswer, filter *quarry.Redactor, maxCharacters int) ([]byte, error) {
	document, err := redact(answer, filter)
	if err != nil || utf8.RuneCount(document) <= maxCharacters {
		return document, err
	}
	var clean quarry.SearchAnswer
	if err := json.Unmarshal(document, &clean); err != nil {
		return nil, err
	}
	clean = withoutLongExplanation(clean, maxCharacters)
	for bound := maxCharacters; ; {
		capped := capAnswer(clean, bound)
		if document, err = redact(capped, filter); err != nil {
			return nil, err
		}
		surplus := utf8.RuneCount(document) - maxCharacters
		if surplus <= 0 || len(capped.Results) == 0 {
			return document, nil
		}
		bound -= surplus
	}
}

// bounded is the document of an answer, and by how many characters it is too long.
func bounded(answer any, filter *quarry.Redactor, maxCharacters int) (document []byte, surplus int, err error) {
	document, err = redact(answer, filter)
	return document, utf8.RuneCount(document) - maxCharacters, err
}

func redact(answer any, filter *quarry.Redactor) ([]byte, error) {
	document, err := encode(answer)
	if err != nil {
		return nil, err
	}
	return filter.RedactJSON(document), nil
}

// withoutLongExplanation leaves the explanation out where passages would have less room than it takes.
func withoutLongExplanation(answer quarry.SearchAnswer, maxCharacters int) quarry.SearchAnswer {
	if answer.Plan == nil {
		return answer
	}
	bare := answer
	bare.Results = make([]quarry.SearchResult, len(answer.Results))
	for i, r := range answer.Results {
		bare.Results[i] = quarry.SearchResult{Explain: r.Explain}
	}
	if fits(bare, maxCharacters/2) {
		return answer
	}
	bare = answer
	bare.Plan, bare.Results = nil, slices.Clone(answer.Results)
	for i := range bare.Results {
		bare.Results[i].Explain = nil
	}
	bare.Notices = append(slices.Clone(answer.Notices), "the explanation has no room in max_tokens")
	return bare
}

// capAnswer shortens an answer from its end until its document fits: the last passage's text is cut, or the passage left
// out, then the notices and the end of the query. The document of an answer without all of them is the least there is.
func capAnswer(answer quarry.SearchAnswer, maxCharacters int) quarry.SearchAnswer {
	for len(answer.Results) > 0 && !fits(answer, maxCharacters) {
		last := len(answer.Results) - 1
		text := []rune(answer.Results[last].ChunkText)
		results := answer.Results[:last]
		withCut := func(characters int) quarry.SearchAnswer {
			cut := answer.Results[last]
			cut.ChunkText, cut.Truncated = string(text[:characters])+"…", true
			shorter := answer
			shorter.Results = append(results[:last:last], cut)
			return shorter
		}
		kept := longest(len(text), func(characters int) bool { return fits(withCut(characters), maxCharacters) })
		if kept >= minCutCharacters || last == 0 && kept >= 0 {
			return withCut(kept)
		}
		answer.Results = results
	}
	if !fits(answer, maxCharacters) {
		answer.Notices = []string{}
	}
	if query := []rune(answer.Query); !fits(answer, maxCharacters) {
		withCut := func(characters int) quarry.SearchAnswer {
			shorter := answer
			shorter.Query = string(query[:characters]) + "…"
			return shorter
		}
		kept := longest(len(query), func(characters int) bool { return fits(withCut(characters), maxCharacters) })
		if answer.Query = ""; kept > 0 {
			return withCut(kept)
		}
	}
	return answer
}

// longest is the greatest length from 0 to below end that fits, -1 if none does.
func longest(end int, fits func(int) bool) int {
	return sort.Search(end, func(n int) bool { return !fits(n) }) - 1
}

func fits(answer quarry.SearchAnswer, maxCharacters int) bool {
	encoded, err := encode(answer)
	return err == nil && utf8.RuneCount(encoded) <= maxCharacters
}
