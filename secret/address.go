package secret

import (
	"bytes"
	"slices"
)

const (
	maxAuthority = 1 << 10
	hostCost     = 16 // of a place that may be the start of a host
)

// urlCredentials: scheme://user:password@host, where the user may lack, or be a token without a password.
func (s *scan) urlCredentials(start, end int) (from, to int, ok bool) {
	if start == 0 || !isAlnum(s.text[start-1]) {
		return 0, 0, false
	}
	at := s.credentialsEnd(end, bytes.HasSuffix(s.text[:start], []byte("http")) || bytes.HasSuffix(s.text[:start], []byte("https")))
	if at < 0 {
		return 0, 0, false
	}
	colon := bytes.IndexByte(s.text[end:at], ':')
	if colon < 0 {
		token := s.text[end:at]
		return end, at, len(token) >= 20 && notSimple(token) && looksGenerated(token) && (!isHex(token) || len(token) == 40) // shorter ones name a project
	}
	user, password := s.text[end:end+colon], s.text[end+colon+1:at]
	if len(user) >= 20 && looksGenerated(user) && notSimple(user) { // https://token:x-oauth-basic@host
		return end, at, true
	}
	if len(password) == 0 { // https://token:@host
		return end, end + colon, len(user) >= 20 && notSimple(user) && looksRandom(user)
	}
	if len(password) < 4 || bytes.EqualFold(user, password) || !notSimple(password) || string(user) == "anonymous" ||
		len(password) < 8 && shapeOf(password).others == 0 && isExampleHost(s.text[at+1:]) {
		return 0, 0, false
	}
	return end + colon + 1, at, true
}

// exampleHosts are those of RFC 2606 and the words that stand for one.
var exampleHosts = byteWords("example.com example.org example.net example host hostname server")

// isExampleHost: text begins with a host that documentation writes.
func isExampleHost(text []byte) bool {
	end := 0
	for end < len(text) && end < 64 && (isAlnum(text[end]) || text[end] == '-' || text[end] == '.') {
		end++
	}
	host := foldASCII(text[:end])
	return slices.ContainsFunc(exampleHosts, func(example []byte) bool {
		front, found := bytes.CutSuffix(host, example)
		return found && (len(front) == 0 || front[len(front)-1] == '.')
	})
}

// credentialsEnd is where the "@" of an address is whose authority starts at an offset: the last one before the path, or,
// where a slash belongs to the password, the first that a host with a dot follows, or any but in addresses of the Web; -1 if there is none.
func (s *scan) credentialsEnd(from int, isWeb bool) int {
	limit, last, colon := min(len(s.text), from+maxAuthority), -1, -1
	at := from
	defer func() { s.cost += at - from }()
	for ; at < limit && s.text[at] > ' ' && bytes.IndexByte([]byte("/?#\"'<>`\\"), s.text[at]) < 0; at++ {
		switch {
		case s.text[at] == '@' && at+1 < len(s.text) && (isAlnum(s.text[at+1]) || s.text[at+1] == '['):
			last = at
		case s.text[at] == ':' && colon < 0:
			colon = at
		}
	}
	if colon < 0 || last >= 0 && bytes.ContainsAny(s.text[last:at], ".:[") || at >= limit || bytes.IndexByte([]byte("/?#"), s.text[at]) < 0 || isNumber(s.text[colon+1:at]) {
		return last
	}
	for ; at < limit && s.text[at] > ' ' && bytes.IndexByte([]byte("\"'<>`\\()[]{},"), s.text[at]) < 0; at++ {
		if s.text[at] == '@' {
			if s.isHost(at+1) || !isWeb && at+1 < len(s.text) && isAlnum(s.text[at+1]) {
				return at
			}
			s.cost += hostCost
		}
	}
	return last
}

// isHost: letters and digits with a dot or the colon of a port.
func (s *scan) isHost(at int) bool {
	end := at
	for end < len(s.text) && end-at < 64 && (isAlnum(s.text[end]) || s.text[end] == '-') {
		end++
	}
	return end > at && end+1 < len(s.text) && (s.text[end] == '.' || s.text[end] == ':') && isAlnum(s.text[end+1])
}
