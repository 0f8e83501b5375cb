package secret

const (
	maxJoinedLines = 3
	leastJoined    = 6 // bytes of a token on a further line
)

// endsLine: only blanks, or the two of a hard line break, lie between here and the end of the line.
func endsLine(text []byte, at int) bool {
	_, ok := nextLine(text, at)
	return ok
}

// nextLine gives the start of the next line's text, behind indents and quote marks, where the line ends here.
func nextLine(text []byte, at int) (int, bool) {
	for at < len(text) && (text[at] == ' ' || text[at] == '\\' || text[at] == '\r') {
		at++
	}
	if at >= len(text) || text[at] != '\n' {
		return 0, false
	}
	at++
	for limit := at + 40; at < len(text) && at < limit && (text[at] == ' ' || text[at] == '\t' || text[at] == '>' || text[at] == '|'); {
		at++
	}
	return at, true
}

// join looks for a token that was wrapped: an end of line cuts it, and up to two further lines go on with it. It returns
// where the token ends.
func (r *compiledRule) join(text []byte, start int) (int, bool) {
	at := tokenEnd(text, start, maxTokenBytes)
	token := append([]byte(nil), text[start:at]...)
	cut := len(token)
	for range maxJoinedLines - 1 {
		from, ok := nextLine(text, at)
		if !ok {
			return 0, false
		}
		at = tokenEnd(text, from, maxTokenBytes)
		piece := text[from:at]
		if !goesOn(piece) {
			return 0, false
		}
		joined := len(token)
		token = append(token, piece...)
		if _, to, ok := r.match(token, 0); ok && to > cut && to > joined {
			if to < len(token) && isAlnum(token[to]) {
				return 0, false
			}
			return from + to - joined, true
		}
	}
	return 0, false
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
