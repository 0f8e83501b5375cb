package secret

import "bytes"

const (
	maxJoinedLines  = 3
	maxJoinedPieces = 6
	leastJoined     = 6 // bytes of a token on a further line
	mostBreak       = 48
)

// endsLine: what follows here may be a break in a token: the end of a line, marks of emphasis, a tag, the joint of a
// literal that was written in parts.
func endsLine(text []byte, at int) bool {
	next, _ := afterBreak(text, at)
	return next > at
}

// afterBreak gives where a token that breaks here may go on, and whether on another line; at itself if it cannot.
func afterBreak(text []byte, at int) (next int, isLine bool) {
	if next = afterMarks(text, at); next > at {
		return next, false
	}
	if next = afterJoint(text, at); next > at {
		return next, false
	}
	if next, isLine = nextLine(text, at); isLine {
		return next, true
	}
	return at, false
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

var breakTags = wordSet("b i u em strong wbr br span mark code font")

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

// join looks for a token that was broken: an end of line cuts it, up to two times, or marks within a line do. It returns
// where the token ends.
func (r *compiledRule) join(text []byte, start int) (end int, ok bool) {
	at := tokenEnd(text, start, maxTokenBytes)
	token := append([]byte(nil), text[start:at]...)
	cut, lines := len(token), 1
	for range maxJoinedPieces {
		from, isLine := afterBreak(text, at)
		if from == at {
			break
		}
		if isLine {
			lines++
			token = bytes.TrimSuffix(token, []byte("="))
			cut = min(cut, len(token))
		}
		isJoint := text[at] == '"' || text[at] == '\''
		at = tokenEnd(text, from, maxTokenBytes)
		piece := text[from:at]
		if len(piece) == 0 || lines > maxJoinedLines || (isLine || isJoint) && !goesOn(piece) {
			break
		}
		joined := len(token)
		token = append(token, piece...)
		if _, to, found := r.match(token, 0); found && to > cut && to > joined {
			if to < len(token) && isAlnum(token[to]) {
				break
			}
			end, ok = from+to-joined, true
		}
		if len(token) >= r.full {
			break
		}
	}
	return end, ok
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
