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
		if surplus <= 0 || len(capped.Results) == 0 || bound <= 0 {
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

// What an answer says where max_tokens leaves something out that would not be missed otherwise.
const (
	noPassageNotice = "max_tokens is too small for a passage"
	noNoticesNotice = "max_tokens is too small for the notices"
)

// capAnswer shortens an answer until its document fits: the query, the passages from their end, then the notices, in whose place
// stands that they are left out. Status and what has no room are told in any answer, and that is the least there is.
func capAnswer(answer quarry.SearchAnswer, maxCharacters int) quarry.SearchAnswer {
	if fits(answer, maxCharacters) {
		return answer
	}
	answer.Query = shortQuery(answer, maxCharacters)
	passages, notices := answer.Results, answer.Notices
	fewer := []string{noNoticesNotice}
	if len(notices) == 0 {
		fewer = notices
	}
	for _, tried := range [][]string{notices, fewer} {
		answer.Results, answer.Notices = passages, tried
		if answer = capPassages(answer, maxCharacters); fits(answer, maxCharacters) && (len(answer.Results) > 0 || len(passages) == 0) {
			return answer
		}
	}
	answer.Results, answer.Notices = []quarry.SearchResult{}, notices
	if len(passages) > 0 {
		fewer = []string{noPassageNotice}
		answer.Notices = slices.Concat(fewer, notices)
	}
	if !fits(answer, maxCharacters) {
		answer.Query, answer.Notices = "", fewer
	}
	return answer
}

// queryShare is how much of an answer that has to be cut its query may take.
const queryShare = 4

// shortQuery is the query of an answer, cut where it would take too much of the room.
func shortQuery(answer quarry.SearchAnswer, maxCharacters int) string {
	query := []rune(answer.Query)
	if fitsText(answer.Query, maxCharacters/queryShare) {
		return answer.Query
	}
	kept := longest(len(query), func(characters int) bool { return fitsText(string(query[:characters])+"…", maxCharacters/queryShare) })
	if kept <= 0 {
		return ""
	}
	return string(query[:kept]) + "…"
}

func fitsText(text string, maxCharacters int) bool {
	encoded, err := encode(text)
	return err == nil && utf8.RuneCount(encoded) <= maxCharacters
}

// capPassages shortens an answer from the end of its passages until it fits: the last one's text is cut, or it is left out.
func capPassages(answer quarry.SearchAnswer, maxCharacters int) quarry.SearchAnswer {
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
