package secret

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

const (
	maxJoinedLines  = 3
	maxJoinedPieces = 6
	leastJoined     = 6 // bytes of a token on a further line
	mostBreak       = 48
)

// breakKind is what a token may be broken by.
type breakKind int

const (
	noBreak    breakKind = iota
	markBreak            // marks of emphasis, a tag
	jointBreak           // the joint of a literal that was written in parts, a blank that is not that of the keyboard
	lineBreak            // the end of a line
)

// endsLine: what follows here may be a break in a token.
func endsLine(text []byte, at int) bool {
	_, kind := afterBreak(text, at)
	return kind != noBreak
}

// afterBreak gives where a token that breaks here may go on, and by what it is broken.
func afterBreak(text []byte, at int) (next int, kind breakKind) {
	if next = afterMarks(text, at); next > at {
		return next, markBreak
	}
	if next = afterJoint(text, at); next > at {
		return next, jointBreak
	}
	if next = afterWideBlank(text, at); next > at {
		return next, jointBreak
	}
	if next, isLine := nextLine(text, at); isLine {
		return next, lineBreak
	}
	return at, noBreak
}

// afterWideBlank goes past one of U+00A0, U+2000–200A, U+202F, U+205F and U+3000.
func afterWideBlank(text []byte, at int) int {
	if at+1 < len(text) && text[at] == 0xc2 && text[at+1] == 0xa0 {
		return at + 2
	}
	if at+2 >= len(text) || text[at] != 0xe2 && text[at] != 0xe3 {
		return at
	}
	switch r, size := utf8.DecodeRune(text[at : at+3]); {
	case r >= 0x2000 && r <= 0x200a, r == 0x202f, r == 0x205f, r == 0x3000:
		return at + size
	}
	return at
}

// afterMarks goes past "**", a backtick and tags such as <b>, <wbr> and <br> between two letters of a token.
func afterMarks(text []byte, at int) int {
	from := at
	for at < len(text) && at-from < mostBreak {
		switch text[at] {
		case '*', '`':
			at++
		case '<':
			end := bytes.IndexByte(text[at:min(len(text), at+24)], '>')
			if end < 2 || !isBreakTag(text[at+1:at+end]) {
				return from
			}
			at += end + 1
		default:
			return at
		}
	}
	return from
}

var breakTags = wordSet("b i u s em ins del kbd sub sup small strong wbr br span mark code font")

func isBreakTag(inner []byte) bool {
	inner = bytes.TrimPrefix(inner, []byte("/"))
	end := 0
	for end < len(inner) && isLower(foldByte(inner[end])) {
		end++
	}
	return breakTags[string(bytes.ToLower(inner[:end]))] && (end == len(inner) || inner[end] == ' ' || inner[end] == '/')
}

// afterJoint goes past what joins two parts of a literal: a quote, "+", "." or nothing, and a quote; perhaps over the end of a
// line.
func afterJoint(text []byte, at int) int {
	if at >= len(text) || text[at] != '"' && text[at] != '\'' && text[at] != '`' {
		return at
	}
	quote, next := text[at], at+1
	signs := 0
	for next < len(text) && next-at < mostBreak {
		switch c := text[next]; c {
		case ' ', '\t', '\r', '\n', '\\':
		case '+', '.', '&', '_':
			if signs++; signs > 2 {
				return at
			}
		case quote:
			return next + 1
		default:
			return at
		}
		next++
	}
	return at
}

// nextLine gives the start of the next line's text, behind indents and the marks of quotes, lists and comments, where the
// line ends here.
func nextLine(text []byte, at int) (int, bool) {
	for at < len(text) && (text[at] == ' ' || text[at] == '\\' || text[at] == '\r' || text[at] == '\t') {
		at++
	}
	if at >= len(text) || text[at] != '\n' {
		return 0, false
	}
	at++
	for limit := at + 40; at < len(text) && at < limit; {
		switch text[at] {
		case ' ', '\t', '>', '|', '#', '*', '/', ';', '%':
			at++
			continue
		case '-', '+':
			if at+1 < len(text) && (text[at+1] == ' ' || text[at+1] == '-') {
				at++
				continue
			}
		}
		break
	}
	return at, true
}

// lineAbove gives where the text of the line above ends, if nothing but indents and the marks of quotes, lists and comments
// stand before an offset on its line; else -1.
func lineAbove(text []byte, at int) int {
	const maxMarks = 40
	limit := max(0, at-maxMarks)
	for at > limit && bytes.IndexByte([]byte(" \t>|#*/;%+-"), text[at-1]) >= 0 {
		at--
	}
	if at == 0 || text[at-1] != '\n' {
		return -1
	}
	for at > limit && bytes.IndexByte([]byte("\n\r \\"), text[at-1]) >= 0 {
		if at--; text[at] == '\n' && at > limit && text[at-1] == '\n' {
			return -1
		}
	}
	return at
}

// join looks for a token that was broken: an end of line cuts it, up to two times, or marks within a line do. The keyword
// stands so many bytes behind the start. It returns where the token ends.
func (r *compiledRule) join(text []byte, start, before int) (end int, ok bool) {
	at := tokenEnd(text, start, maxTokenBytes)
	token := append([]byte(nil), text[start:at]...)
	cut, lines := len(token), 1
	for range maxJoinedPieces {
		from, kind := afterBreak(text, at)
		if kind == noBreak {
			break
		}
		if kind == lineBreak {
			lines++
			token = bytes.TrimSuffix(token, []byte("="))
			cut = min(cut, len(token))
		}
		at = tokenEnd(text, from, maxTokenBytes)
		piece := text[from:at]
		if len(piece) == 0 || lines > maxJoinedLines || kind == lineBreak && r.matches(token) && r.beginsWith(piece) {
			break
		}
		joined, to, found := r.matchJoined(token, piece, kind)
		if found && to > cut {
			if to < len(joined) && isAlnum(joined[to]) {
				break
			}
			end, ok = at-(len(joined)-to), true
		}
		if !found && kind != markBreak && !goesOn(piece) {
			break
		}
		if token = joined; len(token) >= r.full+before && (r.exact || kind != lineBreak) {
			break
		}
	}
	return end, ok
}

// matchJoined puts a piece behind a token and tells where what the rule finds in both ends, if it goes over into the piece. A
// piece that is no rest by itself counts where the token has the length that its maker gives it; beyond that only one that
// nobody would write. A hyphen at the end of the line may be that of the break.
func (r *compiledRule) matchJoined(token, piece []byte, kind breakKind) (joined []byte, to int, found bool) {
	for _, front := range [][]byte{token, bytes.TrimSuffix(token, []byte("-"))} {
		joined = append(front[:len(front):len(front)], piece...)
		_, to, found = r.match(joined, 0)
		switch found = found && to > len(front); {
		case len(token) >= r.full && kind != lineBreak && r.matches(token): // complete
			found = false
		case !found, kind == markBreak, slices.Contains(r.lengths, to):
		case len(front) >= r.full && r.full > 0 && kind == lineBreak:
			found = goesOn(piece) && isScattered(piece)
		default:
			found = goesOn(piece)
		}
		if found || len(front) == len(token) && !bytes.HasSuffix(token, []byte("-")) {
			break
		}
	}
	return joined, to, found
}

func (r *compiledRule) matches(token []byte) bool {
	_, _, ok := r.match(token, 0)
	return ok
}

// beginsWith tells of a piece that is a token of the rule by itself, and no rest of another.
func (r *compiledRule) beginsWith(piece []byte) bool {
	return slices.ContainsFunc(r.keywords, func(word string) bool {
		return len(piece) >= len(word) && (string(piece[:len(word)]) == word || r.anyCase && foldASCII(string(piece[:len(word)])) == word)
	})
}

// pastLine is what the rule is done with after a find: of a token over several lines the first alone, since another may
// begin on the next.
func (r *compiledRule) pastLine(text []byte, from, to int) int {
	if line := bytes.IndexByte(text[from:to], '\n'); line >= 0 && r.look == nil {
		return from + line
	}
	return to
}

// goesOn tells the rest of a token from the first word of the next line.
func goesOn(piece []byte) bool {
	if len(piece) < leastJoined {
		return false
	}
	shape := shapeOf(piece)
	if shape.letters() == 0 {
		return shape.digits > 2*leastJoined
	}
	return shape.digits > 1 || shape.lower > 1 && shape.upper > 1 && wordiness(piece) < wordy
}

// brokenKeyword reports a token whose keyword was cut by the end of the line above a run. No other place is looked at for
// one: the run is all that says that there may be a token. What it takes is in proportion to the length of the run.
func (s *scan) brokenKeyword(start int) bool {
	const leastPiece = 2
	end := lineAbove(s.text, start)
	if end < leastPiece {
		return false
	}
	first := end
	for first > 0 && end-first < maxKeywordBytes && inToken[s.text[first-1]] {
		first--
	}
	size := end - first
	if size < leastPiece {
		return false
	}
	token := append(bytes.Clone(s.text[first:end]), s.text[start:tokenEnd(s.text, start, maxTokenBytes)]...)
	found := false
	s.rules.finder.each(token[:min(len(token), size+maxKeywordBytes)], func(keyword uint16, from, to int) bool {
		if from >= size || to <= size || !startsWord(s.text, first+from) {
			return true
		}
		for _, index := range s.rules.users[keyword] {
			r := &s.rules.rules[index]
			if r.look != nil || r.before > 0 || !r.opens(token, from, to) {
				continue
			}
			if _, last, ok := r.match(token, from); ok && last > size {
				s.found = append(s.found, finding{first + from, start + last - size, int(index), r.name})
				found = true
			}
		}
		return true
	})
	return found
}
