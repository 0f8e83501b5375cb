package secret

import "bytes"

const (
	maxItems     = 32 // values of one key
	maxListBytes = 4 << 10
)

// value reads the value that starts at an offset, with its quotes; on the lines below if this one ends here.
func (s *scan) value(a assignment, at int) (assignment, bool) {
	if at < len(s.text) && s.text[at] == '[' {
		at = s.skip(at+1, " \t", 4)
	}
	if below := s.below(at); below > 0 {
		if a.link == linkBlank || a.link == linkProse || a.link == linkFlag || a.link == linkCell {
			return a, false
		}
		if at = below; a.link != linkAnnounced {
			a.link = linkBelow
		}
	} else if a.link == linkAnnounced {
		return a, false
	}
	if at >= len(s.text) {
		return a, false
	}
	if a.quoted = s.isQuote(at); a.quoted {
		a.from, a.to = at+1, s.quotedEnd(at)
	} else {
		a.from, a.to = at, s.bareEnd(at)
	}
	s.cost += a.to - a.from
	if a.quoted && a.to == a.from { // "" + "…"
		if next := afterJoint(s.text, a.to); next > a.to+1 {
			a.from, a.to = next, s.quotedEnd(next-1)
		}
	}
	if a.link == linkAnnounced && !s.isAlone(a.to) {
		return a, false
	}
	return a, a.to > a.from
}

// isAlone: nothing but marks follow on the line.
func (s *scan) isAlone(at int) bool {
	at = s.skip(at, " \t\r*_`\"'.", 8)
	return at >= len(s.text) || s.text[at] == '\n'
}

// quotedEnd is the end of a literal whose quote is at an offset: on its line, or, where it goes over several without a
// blank, at its quote there.
func (s *scan) quotedEnd(at int) int {
	quote, lines, blanks, inner := s.text[at], 0, 0, 0
	limit := min(len(s.text), at+maxValueBytes)
	firstLine := limit
	for end := at + 1; end < limit; end++ {
		switch c := s.text[end]; {
		case c == quote && (end+1 == len(s.text) || !isAlnum(s.text[end+1]) || lines > 0 || quote == '`'):
			return end
		case c == quote: // a quote of the secret itself, if another one closes it
			if next := bytes.IndexByte(s.text[end+1:min(limit, end+64)], quote); inner > 0 || next < 0 || bytes.ContainsAny(s.text[end+1:end+1+next], " \n,:=") {
				return end
			}
			inner++
		case c == ' ':
			blanks++
		case c == '\n':
			firstLine = min(firstLine, end)
			if lines++; lines > maxJoinedLines || blanks > 0 {
				return firstLine
			}
			end = s.skip(end+1, " \t", 16) - 1
		}
	}
	return firstLine
}

// whole is where a value ends that was taken for a secret: one too long to be judged in full goes with all of it, and one
// that was wrapped with the lines below.
func (s *scan) whole(a assignment) int {
	limit := min(len(s.text), a.from+maxWholeBytes)
	switch isLong := a.to-a.from >= maxValueBytes-16; {
	case isLong && a.quoted:
		for a.to < limit && s.text[a.to] > ' ' && s.text[a.to] != s.text[a.from-1] {
			a.to++
		}
	case isLong:
		a.to = s.bareEndBefore(a.from, limit)
	}
	return s.wrappedEnd(a, limit)
}

// wrappedEnd goes on over the lines below as long as they are Base64 and as wide as the value's own; the last one may be
// narrower.
func (s *scan) wrappedEnd(a assignment, limit int) int {
	const leastWidth, mostWidth = 40, 200
	width, end := a.to-a.from, a.to
	for width >= leastWidth && width <= mostWidth {
		next := s.skip(end, "\r", 1)
		if next >= limit || s.text[next] != '\n' {
			break
		}
		next = s.skip(next+1, " \t>", maxKeyHead)
		last := next
		for last < limit && (inRandom[s.text[last]] || s.text[last] == '=') {
			last++
		}
		size := last - next
		if size < leastJoined || size > width || last < len(s.text) && bytes.IndexByte([]byte("\r\n\"'`"), s.text[last]) < 0 {
			break
		}
		if size < width && !goesOn(s.text[next:last]) && s.text[last-1] != '=' {
			break // a word
		}
		if end = last; size < width {
			break
		}
	}
	return end
}

// bareEnd is the end of a value without quotes.
func (s *scan) bareEnd(at int) int { return s.bareEndBefore(at, min(len(s.text), at+maxValueBytes)) }

func (s *scan) bareEndBefore(at, limit int) int {
	start := at
	for at < limit && endsValue[s.text[at]] == 0 && (s.text[at] != 0xc2 || !s.isLatinSign(at)) {
		at++
	}
	for at > start && bytes.IndexByte([]byte(".:*,_"), s.text[at-1]) >= 0 {
		at--
	}
	return at
}

// isLatinSign: a blank or a quote beyond ASCII.
func (s *scan) isLatinSign(at int) bool {
	return at+1 < len(s.text) && bytes.IndexByte([]byte("\xa0\xab\xbb"), s.text[at+1]) >= 0
}

// endsValue marks what an unquoted value cannot hold: blanks, quotes, brackets, separators, and most that is not ASCII,
// Latin letters apart.
var endsValue = func() (set [256]byte) {
	for c := range 0x21 {
		set[c] = 1
	}
	for _, c := range []byte("\"'`<>|,;&)]}\x7f") {
		set[c] = 1
	}
	for c := 0xcc; c < 0x100; c++ {
		set[c] = 1
	}
	return set
}()

// below returns where the value on the next lines starts if this line ends here, or has only the sign of a block of YAML
// or a backslash; else 0. One empty line may lie between. What opens an item of a list, a quote or a fence is passed.
func (s *scan) below(at int) int {
	at = s.skip(at, "|>+-\\[{(", 3)
	at = s.skip(at, " \t\r", 8)
	if at >= len(s.text) || s.text[at] != '\n' {
		return 0
	}
	at = s.skip(at+1, " \t\r>", maxKeyHead)
	if at < len(s.text) && s.text[at] == '\n' {
		at = s.skip(at+1, " \t\r>", maxKeyHead)
	}
	if bytes.HasPrefix(s.text[min(at, len(s.text)):], []byte("```")) || bytes.HasPrefix(s.text[min(at, len(s.text)):], []byte("~~~")) {
		line := bytes.IndexByte(s.text[at:min(len(s.text), at+30)], '\n')
		if line < 0 {
			return 0
		}
		at = s.skip(at+line+1, " \t", 16)
	}
	at = s.itemStart(at)
	if at >= len(s.text) || s.text[at] == '\n' {
		return 0
	}
	if next := s.valueWord(at); next >= 0 {
		return s.skip(next, " \t", 8)
	}
	return at
}

// itemStart is past the sign of an item of a list: "- ", "* ", "+ ", "1. ", "[ ] ", and emphasis.
func (s *scan) itemStart(at int) int {
	if next := s.skip(at, "-*+", 1); next > at && next < len(s.text) && s.text[next] == ' ' {
		at = s.skip(next, " ", 4)
		if bytes.HasPrefix(s.text[min(at, len(s.text)):], []byte("[ ] ")) || bytes.HasPrefix(s.text[min(at, len(s.text)):], []byte("[x] ")) {
			at += 4
		}
	} else if digits := s.skip(at, "0123456789", 2); digits > at && digits+1 < len(s.text) && bytes.IndexByte([]byte(".)"), s.text[digits]) >= 0 && s.text[digits+1] == ' ' {
		at = digits + 2
	}
	return s.skip(at, "*", 2)
}

// items reports the further values of a list whose first one a is, as long as they are such values too.
func (s *scan) items(a assignment, name string, like func([]byte, assignment) bool) {
	limit := min(len(s.text), a.to+maxListBytes)
	for at, count := a.to, 1; count < maxItems && at < limit; count++ {
		if a.quoted {
			at++
		}
		next := s.nextItem(at)
		if next < 0 {
			return
		}
		item, ok := s.value(assignment{link: a.link}, next)
		if !ok || item.from < next || !like(s.text[item.from:item.to], item) {
			return
		}
		item.to = s.whole(item)
		s.add(name, item.from, item.to)
		at, a = item.to, item
	}
}

// nextItem is where the next item of a list starts: behind a comma, or on the next line behind its sign.
func (s *scan) nextItem(at int) int {
	from := at
	at = s.skip(at, " \t\r*`", 6)
	if at < len(s.text) && s.text[at] == ',' {
		return s.skip(at+1, " \t\r\n", maxKeyHead)
	}
	if at >= len(s.text) || s.text[at] != '\n' || at < from {
		return -1
	}
	at = s.skip(at+1, " \t>", maxKeyHead)
	if item := s.itemStart(at); item > at {
		return item
	}
	return -1
}
