package search

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"quarry/internal/lazyregexp"
	"quarry/store"
)

// queryTerm is what a passage is looked up by: a word, a part of one, or words that stand side by side.
type queryTerm struct {
	text     string // as written, in lower case
	indexed  string // as the index has it
	phrase   bool   // several words, side by side
	quoted   bool   // it stood in quotes
	required bool   // and every passage has to hold it
	// runs are what was written in a script without spaces and has this term as a piece.
	runs []string
	// function: it holds a sentence together and names nothing; mayBeFunction: where the vault is full of it.
	function, mayBeFunction bool
	// partOf is the word in camelCase, in lower case, that has this as a part, and in whose place alone it is looked for.
	partOf string
}

// terms gathers the distinct terms of a query.
type terms struct {
	list []queryTerm
	at   map[string]int // by indexed
	full bool           // there were more than maxTerms

	functions functions
	spellings []queryTerm // others of the words, see addSpellings
}

// termsOf gives the distinct terms of a query in order. Quotes around words make a phrase; words joined by a single sign, as in
// A-Frame or glaze_v2, are looked for by themselves and together. Anything else between words separates.
func termsOf(query *node, functions functions) (list []queryTerm, notices []string) {
	t := terms{at: map[string]int{}, functions: functions}
	query.eachWanted(true, func(leaf *node, required bool) {
		if leaf.kind == textNode {
			t.addText(leaf.text)
			return
		}
		for _, term := range phraseTerms(strings.ToLower(leaf.text)) {
			term.required = required
			t.add(term)
		}
	})
	t.addSpellings()
	if t.full {
		notices = append(notices, fmt.Sprintf("only the first %d words of the query were used", maxTerms))
	}
	return t.list, notices
}

// isQuote tells whether a character opens or closes a phrase: people paste typographic quotes as well.
func isQuote(r rune) bool { return strings.ContainsRune("\"“”„‟«»＂", r) }

// addText takes the words of a stretch of text and those that belong together.
func (t *terms) addText(text string) {
	words := wordsOf(text)
	for first := 0; first < len(words); {
		last := first
		for last+1 < len(words) && isJoiner(text[words[last].end:words[last+1].start]) {
			last++
		}
		isJoined := last > first
		whole := isJoined && last-first < maxJoined
		for _, w := range words[first : last+1] {
			word := strings.ToLower(text[w.start:w.end])
			pieces := store.Segment(word)
			for i, run := range runsOf(pieces) {
				t.add(queryTerm{text: pieces[i].Text, indexed: pieces[i].Term, runs: run})
			}
			if pieces == nil {
				t.add(queryTerm{text: word, indexed: word, function: (!isJoined || len(word) > 1) && t.functions.have(text, w), mayBeFunction: t.functions.mayBe(text, w)})
				t.spellings = append(t.spellings, partSpellings(text[w.start:w.end])...)
			}
			whole = whole && pieces == nil
		}
		if whole {
			compound := strings.ToLower(text[words[first].start:words[last].end])
			parts := strings.FieldsFunc(compound, func(r rune) bool { return !store.IsWordCharacter(r) })
			t.add(queryTerm{text: compound, indexed: strings.Join(parts, " "), phrase: true})
			if joined, ok := joinedSpelling(compound, parts); ok {
				t.spellings = append(t.spellings, joined)
			}
		}
		first = last + 1
	}
}

// runsOf puts the pieces of a word together again to what stood there in a script without spaces; for each piece its run,
// none for words of other scripts in between.
func runsOf(pieces []store.Piece) [][]string {
	runs := make([][]string, len(pieces))
	for first := 0; first < len(pieces); {
		end, run := first, ""
		for ; end < len(pieces) && store.Segment(pieces[end].Text) != nil; end++ {
			run = joinOverlap(run, pieces[end].Text)
		}
		for i := first; i < end; i++ {
			runs[i] = []string{run}
		}
		first = max(end, first+1)
	}
	return runs
}

// joinOverlap appends what of next does not stand at the end of run already. Of two pieces the last character of the first
// begins the second.
func joinOverlap(run, next string) string {
	for cut := len(next) - 1; cut > 0; cut-- {
		if utf8.RuneStart(next[cut]) && strings.HasSuffix(run, next[:cut]) {
			return run + next[cut:]
		}
	}
	return run + next
}

// maxJoined bounds the words that are looked for together.
const maxJoined = 8

// isJoiner tells whether what stands between two words makes them one. Apostrophes do not: don't would count thrice.
func isJoiner(between string) bool {
	r, size := utf8.DecodeRuneInString(between)
	return size == len(between) && strings.ContainsRune("-_.‐‑/\\:@+&#=~", r)
}

// phraseTerms gives the words between two quotes. Words of scripts without spaces stand in a column of their own, so that a
// phrase ends where they begin; each part has to be there.
func phraseTerms(text string) (list []queryTerm) {
	var part []string
	partUnspaced, start := false, 0
	end := func(at int) {
		if len(part) > 0 {
			list = append(list, queryTerm{
				text: strings.TrimSpace(text[start:at]), indexed: strings.Join(part, " "), phrase: len(part) > 1, quoted: true,
			})
		}
		part, start = nil, at
	}
	for _, w := range wordsOf(text) {
		word := text[w.start:w.end]
		pieces := store.Segment(word)
		if partUnspaced != (pieces != nil) {
			end(w.start)
			partUnspaced = pieces != nil
		}
		if pieces == nil {
			part = append(part, word)
		}
		for _, p := range pieces {
			if p.Alone {
				list = append(list, queryTerm{text: p.Text, indexed: p.Term, quoted: true})
			} else {
				part = append(part, p.Term)
			}
		}
	}
	end(len(text))
	return list
}

func (t *terms) add(term queryTerm) { t.addAs(term.indexed, term) }

// addAs takes a term, or makes one that is there already under the key required.
func (t *terms) addAs(key string, term queryTerm) {
	if at, ok := t.at[key]; ok {
		t.list[at].required = t.list[at].required || term.required
		t.list[at].quoted = t.list[at].quoted || term.quoted
		if term.partOf == "" {
			t.list[at].partOf = ""
		}
		t.list[at].function = t.list[at].function && term.function
		t.list[at].mayBeFunction = t.list[at].mayBeFunction && term.mayBeFunction
		t.list[at].runs = append(t.list[at].runs, term.runs...)
		return
	}
	if len(t.list) == maxTerms {
		t.full = true
		return
	}
	t.at[key] = len(t.list)
	t.list = append(t.list, term)
}

// place is a word's in a text, in bytes.
type place struct{ start, end int }

// wordsOf finds runs of word characters. Signs of vowels that the full-text index takes for ends of words stay in: it reads
// such a word as a phrase.
func wordsOf(text string) []place {
	var words []place
	start := -1
	for at, r := range text {
		isWord := store.IsWordCharacter(r)
		switch {
		case isWord && start < 0:
			start = at
		case !isWord && start >= 0:
			words = append(words, place{start, at})
			start = -1
		}
	}
	if start >= 0 {
		words = append(words, place{start, len(text)})
	}
	return words
}

// marker is what stands in a query in the place of a secret. Brackets would make it the filter of a property.
var marker = lazyregexp.New(`\[REDACTED:[\w.-]*\]`)

// withoutMarkers takes them out: they are in no note that speaks of the query.
func withoutMarkers(query string) (rest string, isAny bool) {
	rest = marker.ReplaceAllLiteralString(query, " ")
	return rest, rest != query
}

// cutQuery keeps the first bytes of a query, whole characters, without what no index holds.
func cutQuery(query string) string {
	if len(query) > maxQueryBytes {
		cut := maxQueryBytes
		for cut > 0 && !utf8.RuneStart(query[cut]) {
			cut--
		}
		query = query[:cut]
	}
	return validText(query)
}

// validText replaces invalid UTF-8 and drops NULs, which no index holds.
func validText(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", " ")
}
