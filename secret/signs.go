package secret

import "bytes"

// maxLineBefore is how far back on its line a value looks for what opened before it.
const maxLineBefore = 256

// withSigns is where a value without quotes ends that was read up to a sign which ends most of them: "Tr0ub4dor&3x!" is one
// password. The sign belongs to the value unless what stands before or behind shows that it ends one.
func (s *scan) withSigns(a assignment) int {
	if a.quoted {
		return a.to
	}
	at, limit := a.to, min(len(s.text), a.from+maxValueBytes)
	for at < limit {
		next := at
		for next < limit && s.text[next] > ' ' && s.text[next] < 0x7f && (endsValue[s.text[next]] != 0 || bytes.IndexByte(trailingSigns, s.text[next]) >= 0) {
			next++
		}
		if next == at || next >= limit || s.text[next] <= ' ' || s.text[next] >= 0x7f || s.endsHere(a, at, next) {
			break
		}
		at = s.bareEndBefore(next, limit)
		if at == next {
			break
		}
	}
	s.cost += at - a.to
	return at
}

// trailingSigns are left out at the end of a value, for a sentence or a mark ends there.
var trailingSigns = []byte(".:*,_")

// endsHere tells whether the signs from at to next, with more text right behind them, end the value.
func (s *scan) endsHere(a assignment, at, next int) bool {
	signs, line := s.text[at:next], s.text[max(0, a.from-maxLineBefore):a.from]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	isOpen := isOpened(line, '(', ')') || isOpened(line, '[', ']') || isOpened(line, '{', '}')
	for i, c := range signs {
		switch c {
		case '"', '\'', '`':
			if bytes.Count(line, signs[i:i+1])%2 == 1 {
				return true
			}
		case '<', '>':
			if s.skipMarkup(at+i) > at+i || bytes.HasPrefix(s.text[at+i:], []byte("<!")) || c == '>' && isOpened(line, '<', '>') {
				return true
			}
		case '|':
			if a.link == linkCell || s.inTable(a.from) {
				return true
			}
		case '&':
			if isInQuery(line) {
				return true
			}
		case ')', ']', '}', ',', ';':
			if isOpen {
				return true
			}
		}
	}
	return bytes.ContainsAny(signs, "&;,|)]}\"'`") && s.namesNext(next)
}

func isOpened(line []byte, open, closing byte) bool {
	return bytes.Count(line, []byte{open}) > bytes.Count(line, []byte{closing})
}

// isInQuery: the value is one of the parameters of an address or a form.
func isInQuery(line []byte) bool {
	run := line[bytes.LastIndexAny(line, " \t\"'`<(")+1:]
	return bytes.IndexByte(run, '?') >= 0 || bytes.IndexByte(run, '&') >= 0 || bytes.Contains(run, []byte("://"))
}

// namesNext: the name of another setting begins here: "user=", "User Id = ".
func (s *scan) namesNext(at int) bool {
	const longest = 48
	if !isAlpha(s.text[at]) {
		return false
	}
	limit := min(len(s.text), at+longest)
	for at < limit && (isAlnum(s.text[at]) || bytes.IndexByte([]byte("_-. \"'"), s.text[at]) >= 0) {
		at++
	}
	return at < limit && (s.text[at] == '=' || s.text[at] == ':')
}
