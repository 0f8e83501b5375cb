package secret

import "bytes"

// loginPair: "Login: ann / PASSWORD".
func (s *scan) loginPair(_, end int) (from, to int, ok bool) {
	const longestUser = 64
	user := s.skip(end, " *\t`", 6)
	at := user
	for at < len(s.text) && at-user < longestUser && (isAlnum(s.text[at]) || bytes.IndexByte([]byte("._-@+"), s.text[at]) >= 0) {
		at++
	}
	next := s.skip(at, " `", 3)
	if at == user || next >= len(s.text) || bytes.IndexByte([]byte("/,;:|"), s.text[next]) < 0 {
		return 0, 0, false
	}
	return s.strongValue(s.skip(next+1, " `*", 4))
}

// adminPair: "admin:PASSWORD" as all of a line.
func (s *scan) adminPair(start, end int) (from, to int, ok bool) {
	line := s.text[max(0, start-maxKeptTextBytes):start]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	if len(bytes.Trim(line, " \t>*-+`\"'")) > 0 {
		return 0, 0, false
	}
	if from, to, ok = s.strongValue(s.skip(end, " ", 1)); !ok || !s.isAlone(to) {
		return 0, 0, false
	}
	return from, to, true
}

func (s *scan) strongValue(at int) (from, to int, ok bool) {
	a := assignment{link: linkColon, from: at, to: s.bareEnd(at)}
	a.to = s.withSigns(a)
	value := s.text[a.from:a.to]
	s.cost += len(value)
	return a.from, a.to, isStrong(value) && notSimple(value) && !isReference(value)
}

// isTypedPassword is for literals in calls that log in.
func isTypedPassword(value []byte) bool {
	return likePassword(value, assignment{link: linkEquals, quoted: true})
}
