package search

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"quarry/store"
)

// queryTerm is what a passage is looked up by: a word, a part of one, or words that stand side by side.
type queryTerm struct {
	text     string // as written, in lower case
	indexed  string // as the index has it
	phrase   bool   // several words, side by side
	required bool   // from a quoted phrase: a passage without it is out
	// runs are what was written in a script without spaces and has this term as a piece.
	runs []string
}

// terms gathers the distinct terms of a query.
type terms struct {
	list []queryTerm
	at   map[string]int // by indexed
	full bool           // there were more than maxTerms
}

// parseQuery gives the distinct terms of a query in order. Quotes around words make a phrase; words joined by a single
// sign, as in A-Frame or glaze_v2, are looked for by themselves and together. Anything else between words separates.
func parseQuery(query string) (list []queryTerm, notices []string) {
	t := terms{at: map[string]int{}}
	eachClause(strings.ToLower(query), func(text string, quoted bool) {
		if quoted {
			t.addPhrase(text)
		} else {
			t.addText(text)
		}
	})
	if t.full {
		notices = append(notices, fmt.Sprintf("only the first %d words of the query were used", maxTerms))
	}
	return t.list, notices
}

// eachClause visits the quoted parts of a query and those between. A quote behind a digit is an inch, one that is not
// closed is text.
func eachClause(query string, visit func(text string, quoted bool)) {
	start, before := 0, ' '
	for at := 0; at < len(query); {
		r, size := utf8.DecodeRuneInString(query[at:])
		end := -1
		if isQuote(r) && !unicode.IsDigit(before) {
			end = strings.IndexFunc(query[at+size:], isQuote)
		}
		at, before = at+size, r
		if end < 0 {
			continue
		}
		visit(query[start:at-size], false)
		visit(query[at:at+end], true)
		_, size = utf8.DecodeRuneInString(query[at+end:])
		at += end + size
		start = at
	}
	visit(query[start:], false)
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
		whole := last > first && last-first < maxJoined
		for _, w := range words[first : last+1] {
			pieces := store.Segment(text[w.start:w.end])
			for i, run := range runsOf(pieces) {
				t.add(queryTerm{text: pieces[i].Text, indexed: pieces[i].Term, runs: run})
			}
			if pieces == nil {
				t.add(queryTerm{text: text[w.start:w.end], indexed: text[w.start:w.end]})
			}
			whole = whole && pieces == nil
		}
		if whole {
			compound := text[words[first].start:words[last].end]
			parts := strings.FieldsFunc(compound, func(r rune) bool { return !store.IsWordCharacter(r) })
			t.add(queryTerm{text: compound, indexed: strings.Join(parts, " "), phrase: true})
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

// addPhrase takes the words between two quotes. Words of scripts without spaces stand in a column of their own, so that a
// phrase ends where they begin; each part has to be there.
func (t *terms) addPhrase(text string) {
	var part []string
	partUnspaced, start := false, 0
	end := func(at int) {
		if len(part) > 0 {
			t.add(queryTerm{
				text: strings.TrimSpace(text[start:at]), indexed: strings.Join(part, " "), phrase: len(part) > 1, required: true,
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
				t.add(queryTerm{text: p.Text, indexed: p.Term, required: true})
			} else {
				part = append(part, p.Term)
			}
		}
	}
	end(len(text))
}

// add takes a term, or makes one that is there already required.
func (t *terms) add(term queryTerm) {
	if at, ok := t.at[term.indexed]; ok {
		t.list[at].required = t.list[at].required || term.required
		t.list[at].runs = append(t.list[at].runs, term.runs...)
		return
	}
	if len(t.list) == maxTerms {
		t.full = true
		return
	}
	t.at[term.indexed] = len(t.list)
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
