package mcpserver

import (
	"bytes"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"quarry"
)

// minCutCharacters is the least that is worth showing of a passage, unless it is the only one.
const minCutCharacters = 80

// documentOf is the document of an answer, without secrets and of so many characters at most, as far as that can be. Markers
// can be longer than what they stand for, so they are put in before the answer is cut; what a cut makes of a text is filtered
// again.
func documentOf(answer quarry.SearchAnswer, filter *quarry.Redactor, maxCharacters int) ([]byte, error) {
	encoded, err := encode(answer)
	if err != nil {
		return nil, err
	}
	document := filter.RedactJSON(bytes.Clone(encoded))
	if utf8.RuneCount(document) <= maxCharacters {
		return document, nil
	}
	if !bytes.Equal(document, encoded) {
		answer = quarry.SearchAnswer{}
		if err := json.Unmarshal(document, &answer); err != nil {
			return nil, err
		}
	}
	answer = withoutLongExplanation(answer, maxCharacters)
	for bound := maxCharacters; ; {
		capped := capAnswer(answer, bound)
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
	passages, sizes, notices := answer.Results, sizesOf(answer.Results), answer.Notices
	if room := roomBeside(answer, maxCharacters); room > 0 && total(sizes) <= room {
		return answer
	}
	answer.Query = shortQuery(answer.Query, maxCharacters/queryShare)
	fewer := []string{noNoticesNotice}
	if len(notices) == 0 {
		fewer = notices
	}
	for _, tried := range [][]string{notices, fewer} {
		answer.Notices = tried
		room := roomBeside(answer, maxCharacters)
		if answer.Results = within(passages, sizes, room); room > 0 && (len(answer.Results) > 0 || len(passages) == 0) {
			return answer
		}
	}
	answer.Results, answer.Notices = []quarry.SearchResult{}, notices
	if len(passages) > 0 {
		fewer = []string{noPassageNotice}
		answer.Notices = slices.Concat(fewer, notices)
	}
	if roomBeside(answer, maxCharacters) <= 0 {
		answer.Query, answer.Notices = "", fewer
	}
	return answer
}

// roomBeside is how many characters the passages of an answer may take with a comma behind each; none where all else is too long.
func roomBeside(answer quarry.SearchAnswer, maxCharacters int) int {
	answer.Results = []quarry.SearchResult{}
	return maxCharacters - sizeOf(&answer) + 1 // the last passage has no comma
}

// sizesOf are how many characters the passages take, each with a comma.
func sizesOf(passages []quarry.SearchResult) []int {
	sizes := make([]int, len(passages))
	for i := range passages {
		sizes[i] = sizeOf(&passages[i]) + 1
	}
	return sizes
}

func total(sizes []int) (sum int) {
	for _, size := range sizes {
		sum += size
	}
	return sum
}

// within are the first passages that have room; the text of the last is cut, unless too little would be left of it.
func within(passages []quarry.SearchResult, sizes []int, room int) []quarry.SearchResult {
	count := 0
	for ; count < len(passages) && sizes[count] <= room; count++ {
		room -= sizes[count]
	}
	whole := passages[:count:count]
	if count == len(passages) {
		return whole
	}
	cut := passages[count]
	text := cut.ChunkText
	cut.ChunkText, cut.Truncated = "…", true
	room -= sizeOf(&cut) + 1
	kept := prefix(text, room)
	if room < 0 || count > 0 && utf8.RuneCountInString(kept) < minCutCharacters {
		return whole
	}
	cut.ChunkText = kept + "…"
	return append(whole, cut)
}

// prefix is as much of the beginning of a text as takes so many characters of a document, and always less than the whole text.
func prefix(text string, maxCharacters int) string {
	if text == "" || maxCharacters <= 0 {
		return ""
	}
	encoded, err := encode(text[:min(len(text), utf8.UTFMax*(maxCharacters+1))]) // each character takes one at least
	if err != nil {
		return ""
	}
	encoded = encoded[1 : len(encoded)-1] // without quotes
	end := 0
	for end < len(text) {
		_, length := utf8.DecodeRuneInString(text[end:])
		written, characters := firstOf(encoded)
		if maxCharacters -= characters; maxCharacters < 0 || end+length == len(text) {
			break
		}
		encoded = encoded[written:]
		end += length
	}
	return text[:end]
}

// firstOf is how many bytes, and how many characters, the first character of a string takes in JSON.
func firstOf(encoded []byte) (length, characters int) {
	const number, pair = len(`\u0000`), len(`\ud800\udc00`)
	switch {
	case encoded[0] != '\\':
		_, length = utf8.DecodeRune(encoded)
		return length, 1
	case encoded[1] != 'u':
		return 2, 2
	case encoded[2] == 'd' && encoded[3] >= '8': // half of a character
		return pair, pair
	}
	return number, number
}

// queryShare is how much of an answer that has to be cut its query may take.
const queryShare = 4

// shortQuery is a query, cut where it would take more of a document.
func shortQuery(query string, maxCharacters int) string {
	if sizeOf(query) <= maxCharacters {
		return query
	}
	kept := prefix(query, maxCharacters-sizeOf("…"))
	if kept == "" {
		return ""
	}
	return kept + "…"
}

func fits(answer quarry.SearchAnswer, maxCharacters int) bool {
	return sizeOf(&answer) <= maxCharacters
}
