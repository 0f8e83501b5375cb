package secret

import (
	"bytes"
	"regexp"
	"slices"
	"sync"
)

// rule is a row of the tables. A rule is asked where one of its keywords stands.
type rule struct {
	name     string   // as in the marker: lower case, digits, hyphens
	keywords []string // the fewer other words hold one, the better
	// pattern (RE2) starts at the keyword; with before, at the start of a word at most so many bytes in front of it. Its
	// first group, if there is one, is the secret, else all of it.
	pattern string
	before  int
	// least is the number of bytes without a blank, quote or bracket that follow from the keyword on at the least: the
	// cheap test that most places fail. 0 for a pattern that goes over such bytes.
	least int
	// full is the usual length of a token: one that an end of line cuts short of it is looked for on the next lines.
	full int
	// lengths are those of whole tokens that their maker documents.
	lengths []int
	// most bounds the window where least is 0.
	most int

	loose   bool // may stand right behind a letter or digit: the prefix is one that nothing else has
	anyCase bool // the keyword counts in any case, else in that of the table
	exact   bool // no letter or digit may follow
	own     bool // a pattern of the user's own

	check func(secret []byte) bool // nil: notSample
	// look takes the place of a pattern. It returns the secret, for a keyword at start to end.
	look func(s *scan, start, end int) (from, to int, ok bool)
}

type compiledRule struct {
	rule
	regexp func() *regexp.Regexp // compiled when first asked for: a process that reads one note needs few

	price   int  // of an attempt that gets past the cheap tests, in bytes beside those of the window
	isBlock bool // finds what goes over many lines and has a start of its own: asked even where the rest is withheld
}

// The prices were measured: reading a byte takes about 10 ns, as each does in a pattern that goes on to match; an attempt
// as long as so many. What a look reads beside it adds to the cost itself.
const (
	cheapPrice   = 16 // of an attempt that the least length ends
	patternPrice = 48
	lookPrice    = 48
)

// dearPrices are of rules that go over the words of lines.
var dearPrices = map[string]int{"command-password": 300, "curl-password": 250, "seed-phrase": 600, "recovery-code": 300}

func compile(r rule) compiledRule {
	c := compiledRule{rule: r, price: patternPrice, isBlock: r.look != nil && slices.ContainsFunc(r.keywords, startsBlock)}
	if r.look != nil {
		c.price = max(lookPrice, dearPrices[r.name])
	}
	if r.check == nil {
		c.check = notSample
	}
	if r.most == 0 {
		c.most = maxTokenBytes
	}
	if r.full == 0 {
		c.full = r.least
	}
	c.regexp = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^(?:" + r.pattern + ")") })
	return c
}

// startsBlock knows the first lines of private keys, whose other lines tell nothing by themselves.
func startsBlock(keyword string) bool { return keyword == "-----begin" || keyword == "private-lines:" }

// opens is the cheap test: the keyword in its case, at the start of a word.
func (r *compiledRule) opens(text []byte, start, end int) bool {
	if !r.loose && r.before == 0 && !startsWord(text, start) {
		return false
	}
	if r.anyCase {
		return true
	}
	for _, word := range r.keywords {
		if len(word) == end-start && string(text[start:end]) == word {
			return true
		}
	}
	return false
}

// startsWord: no letter or digit comes before, unless it belongs to an escape: \n, %20, \x20, \u0020, =20.
func startsWord(text []byte, at int) bool {
	return at == 0 || !isAlnum(text[at-1]) || endsEscape(text[max(0, at-mostEscape):at])
}

const mostEscape = 12

// endsEscape tells whether what ends in a letter or digit ends in an escape.
func endsEscape(text []byte) bool {
	size := len(text)
	if size > 1 && text[size-2] == '\\' {
		return bytes.IndexByte([]byte("nrtbfva0e"), text[size-1]) >= 0
	}
	if size > 2 && text[size-1] == 'm' { // the colour of a terminal without its escape
		open := len(bytes.TrimRight(text[:size-1], "0123456789;"))
		return open > 0 && text[open-1] == '['
	}
	if size < 3 || hexValue(text[size-1]) < 0 || hexValue(text[size-2]) < 0 {
		return false
	}
	switch text[size-3] {
	case '%':
		return true
	case '=': // of mail
		return slices.Contains(mailEscapes, string(text[size-2:]))
	case 'x':
		return size > 3 && text[size-4] == '\\'
	}
	if size > 3 && text[size-4] == '\\' { // octal
		return text[size-3] == '0' && text[size-1] <= '7'
	}
	if size > 9 && text[size-10] == '\\' && text[size-9] == 'U' {
		return bytes.Equal(text[size-8:size-4], []byte("0000"))
	}
	return size > 5 && (text[size-6] == '\\' || text[size-6] == '%') && text[size-5] == 'u' && hexValue(text[size-4]) >= 0 && hexValue(text[size-3]) >= 0
}

// mailEscapes are a line end, blanks, a quote and "=" in quoted-printable.
var mailEscapes = []string{"0A", "0D", "09", "20", "22", "3D"}

// window gives the end of what the pattern may look at.
func (r *compiledRule) window(text []byte, start int) int {
	if r.least > 0 {
		return tokenEnd(text, start, maxTokenBytes)
	}
	return min(len(text), start+r.most)
}

// find returns the secret that the rule sees at its keyword.
func (r *compiledRule) find(s *scan, start, end, window int) (from, to int, ok bool) {
	switch {
	case r.look != nil:
		return r.look(s, start, end)
	case r.before > 0:
		return r.around(s.text, start, window)
	}
	if window-start >= r.least {
		from, to, ok = r.match(s.text[:window], start)
	}
	if ok && to == window {
		to = longTokenEnd(s.text, to)
	}
	if r.least > 0 && (!ok || to-start < r.full || !r.exact && to == window) && endsLine(s.text, window) {
		if joined, found := r.join(s.text, start, 0); found {
			return start, joined, true
		}
	}
	return from, to, ok
}

// longTokenEnd is where a token ends that is longer than the window of its rule.
func longTokenEnd(text []byte, at int) int {
	end, limit := at, min(len(text), at+maxWholeBytes)
	for end < limit && (inRandom[text[end]] || bytes.IndexByte([]byte("=%.~"), text[end]) >= 0) {
		end++
	}
	for end > at && text[end-1] == '.' {
		end--
	}
	return end
}

// match tries the pattern at start and returns offsets in text.
func (r *compiledRule) match(text []byte, start int) (from, to int, ok bool) {
	groups := r.regexp().FindSubmatchIndex(text[start:])
	if groups == nil {
		return 0, 0, false
	}
	from, to = secretGroup(groups)
	from, to = start+from, start+to
	if r.exact && to < len(text) && isAlnum(text[to]) && isAlnum(text[to-1]) && !startsGluedWord(text[to:]) || !r.check(text[from:to]) {
		return 0, 0, false
	}
	return from, to, true
}

// around looks for a token that begins before the keyword and takes it in.
func (r *compiledRule) around(text []byte, start, window int) (from, to int, ok bool) {
	isCut := endsLine(text, window)
	if window-start < r.least && !isCut {
		return 0, 0, false
	}
	for from = start; from > 0 && start-from < r.before && inToken[text[from-1]]; {
		from--
	}
	for ; from <= start; from++ {
		if !startsWord(text, from) {
			continue
		}
		if first, last, ok := r.match(text[:window], from); ok && first <= start && start < last {
			return first, last, true
		}
		if isCut {
			if last, ok := r.join(text, from, start-from); ok && last > start {
				return from, last, true
			}
		}
	}
	return r.aroundBreak(text, start, window)
}

// aroundBreak is around for a token whose part before the keyword begins on the line above.
func (r *compiledRule) aroundBreak(text []byte, start, window int) (from, to int, ok bool) {
	line := start
	for line > 0 && start-line < r.before && inToken[text[line-1]] {
		line--
	}
	end := lineAbove(text, line)
	if end < 0 {
		return 0, 0, false
	}
	first := end
	for first > 0 && end-first < r.before && inToken[text[first-1]] {
		first--
	}
	piece := text[first:end]
	if !goesOn(piece) {
		return 0, 0, false
	}
	token := append(bytes.Clone(piece), text[line:window]...)
	for from = range piece {
		if startsWord(token, from) {
			if _, last, ok := r.match(token, from); ok && last > len(piece)+start-line {
				return first + from, line + last - len(piece), true
			}
		}
	}
	return 0, 0, false
}

// startsGluedWord: a word begins right behind a token, and ends where the run does: AKIA…End.
func startsGluedWord(text []byte) bool {
	end := 1
	for end < len(text) && isLower(text[end]) {
		end++
	}
	return isUpper(text[0]) && end > 2 && end < 12 && (end == len(text) || !isAlnum(text[end]))
}

func secretGroup(groups []int) (from, to int) {
	for i := 2; i+1 < len(groups); i += 2 {
		if groups[i] >= 0 {
			return groups[i], groups[i+1]
		}
	}
	return groups[0], groups[1]
}
