package secret

import (
	"bytes"
	"strings"
)

const (
	maxKeyTail    = 24 // of an identifier behind the keyword
	maxValueBytes = 256
)

// assignment is a key, an operator and a value as notes, code, settings and tables have them.
type assignment struct {
	tail     string // what follows the keyword in its identifier, lower case
	direct   bool   // an operator stands between; else only blanks
	equals   bool   // the operator is "="
	quoted   bool
	from, to int // of the value
}

// assigned reads an assignment whose key holds the keyword from start to end.
func (s *scan) assigned(start, end int) (assignment, bool) {
	var a assignment
	at := end
	for at < len(s.text) && at-end < maxKeyTail && (isAlnum(s.text[at]) || s.text[at] == '_' || s.text[at] == '-') {
		at++
	}
	if !endsWord(s.text[start:end], s.text[end:at]) {
		return a, false
	}
	a.tail = strings.ToLower(string(s.text[end:at]))
	if a.tail != "" && neutralTail(a.tail) {
		return a, false
	}
	at = s.skip(at, "\"'`*])", 4)
	before := at
	at = s.skip(at, " \t", 8)
	operator := s.skip(at, "=:>", 3)
	switch {
	case operator > at:
		a.direct, a.equals = true, s.text[operator-1] == '='
	case at < len(s.text) && s.text[at] == '|' && s.inTable(start):
		a.direct, operator = true, at+1
	case start > 1 && s.text[start-1] == '-' && at > before:
		a.direct = true // --password VALUE
	case at == before:
		return a, false
	}
	at = s.skip(operator, " \t*", 8)
	return s.value(a, at)
}

// value reads the value that starts at an offset, with its quotes.
func (s *scan) value(a assignment, at int) (assignment, bool) {
	if at >= len(s.text) {
		return a, false
	}
	quote := s.text[at]
	limit := min(len(s.text), at+maxValueBytes)
	if a.quoted = quote == '"' || quote == '\'' || quote == '`'; a.quoted {
		a.from = at + 1
		for at++; at < limit && s.text[at] != quote && s.text[at] != '\n'; at++ {
		}
		a.to = at
		s.cost += a.to - a.from
		return a, a.to > a.from
	}
	a.from = at
	for at < limit && endsValue[s.text[at]] == 0 {
		at++
	}
	for at > a.from && bytes.IndexByte([]byte(".:*,"), s.text[at-1]) >= 0 {
		at--
	}
	a.to = at
	s.cost += a.to - a.from
	return a, a.to > a.from
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

func (s *scan) skip(at int, set string, most int) int {
	limit := min(len(s.text), at+most)
	for at < limit && strings.IndexByte(set, s.text[at]) >= 0 {
		at++
	}
	return at
}

// inTable: the line so far begins with a bar.
func (s *scan) inTable(at int) bool {
	before := s.text[max(0, at-maxKeptTextBytes):at]
	line := bytes.TrimLeft(before[bytes.LastIndexByte(before, '\n')+1:], " \t>")
	return len(line) > 0 && line[0] == '|'
}

// endsWord: the keyword ends where a word of its identifier does: "token", "tokenValue", "TOKEN_2", not "tokenize".
func endsWord(word, tail []byte) bool {
	if len(tail) == 0 {
		return true
	}
	first := tail[0]
	if bytes.HasSuffix(bytes.ToLower(word), []byte("passw")) {
		// passwd, password, passwort; their plurals are about many.
		rest := bytes.ToLower(tail)
		for _, ending := range []string{"ord", "d", "ort"} {
			if bytes.HasPrefix(rest, []byte(ending)) {
				return endsWord([]byte("o"), tail[len(ending):])
			}
		}
		return false
	}
	return first == '_' || first == '-' || isDigit(first) || isUpper(first) && !isUpper(word[len(word)-1])
}

// neutralTail knows keys about a secret that do not hold it: tokenType, secret_name, password-hint.
func neutralTail(tail string) bool {
	tail = strings.TrimRight(tail, "0123456789_-")
	last := tail[strings.LastIndexAny(tail, "_-")+1:]
	if neutralWords[last] {
		return true
	}
	for size := 4; size < len(last); size++ { // camelCase, folded
		if neutralWords[last[len(last)-size:]] {
			return true
		}
	}
	return false
}

var neutralWords = wordSet(`name id ids type path file filename url uri length len size count format field label header version policy provider manager
	reset min max limit class endpoint ttl expiry expires expiration ref arn hint hash digest checksum salt sha256 list store input error prefix suffix
	placeholder scope scopes algorithm index position usage budget strength confirmation status state env date time at method mode dir folder`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// password finds the value of a key for a password, which may be short.
func (s *scan) password(start, end int) (from, to int, ok bool) {
	word := bytes.ToLower(s.text[start:end])
	if (string(word) == "pass" || string(word) == "pwd") && start > 0 && isAlpha(s.text[start-1]) {
		return 0, 0, false // compass, bypass
	}
	a, ok := s.assigned(start, end)
	if !ok {
		return 0, 0, false
	}
	value := s.text[a.from:a.to]
	if !a.direct && (len(value) < 32 || !looksRandom(value)) || !likePassword(value, a) {
		return 0, 0, false
	}
	return a.from, a.to, true
}

func likePassword(value []byte, a assignment) bool {
	least := 8
	if a.quoted || a.equals {
		least = 6
	}
	if len(value) < least || bytes.IndexByte(value, ' ') >= 0 || isReference(value) || !notSimple(value) {
		return false
	}
	shape := shapeOf(value)
	strong := 0
	for _, c := range value {
		if bytes.IndexByte([]byte("!@#$%^&*+=~?"), c) >= 0 {
			strong++
		}
	}
	separators := shape.others - strong
	switch {
	case shape.letters() == 0:
		return false
	case separators > 0 && wordiness(value) >= wordy && shape.digits+strong < 3:
		return false // kebab-case, paths, file names
	case shape.digits > 0:
		return true
	case strong > 0:
		return len(value) >= 8 && (shape.upper > 0 && shape.lower > 0 || strong > 1)
	}
	return shape.lower > 2 && shape.upper > 2 && len(value) >= 12 && wordiness(value) < wordy
}

// assignedSecret finds the value of a key for a token, a key, a secret, which is long and was generated.
func (s *scan) assignedSecret(start, end int) (from, to int, ok bool) {
	a, ok := s.assigned(start, end)
	if !ok {
		return 0, 0, false
	}
	value := s.text[a.from:a.to]
	least := 16
	if !a.direct {
		least = 32
	}
	if len(value) < least || bytes.IndexByte(value, ' ') >= 0 || isReference(value) || !notPlaceholder(value) {
		return 0, 0, false
	}
	return a.from, a.to, true
}

// notPlaceholder wants a generated value.
func notPlaceholder(value []byte) bool { return notSimple(value) && looksRandom(value) }

// notSimple refuses what stands for a secret in examples, and the words that no secret is.
func notSimple(value []byte) bool {
	lower := bytes.ToLower(value)
	for _, part := range []string{
		"example", "your", "placeholder", "changeme", "change-me", "change_me", "change-this", "redacted", "xxxx", "****", "....", "…", "dummy", "insert", "replace",
		"${", "{{", "}}", "$(", "<", "process.env", "environ", "getenv", "env.", "env[", "12345678", "0123456", "abcdefg", "foobar", "todo", "not-a-", "some-", "my-", "my_",
	} {
		if bytes.Contains(lower, []byte(part)) {
			return false
		}
	}
	if c := value[0]; c == '$' && isName(value[1:]) || c == '%' && value[len(value)-1] == '%' || bytes.IndexByte([]byte("{[(*"), c) >= 0 {
		return false
	}
	stem := strings.TrimRight(string(lower), "0123456789!_-.")
	return len(stem) != 0 && !simpleWords[stem] || len(stem) == 0 && len(value) > 8
}

var simpleWords = wordSet(`password passwd passwort pass pwd secret token key apikey user username admin root test testing tests guest demo sample
	default none null nil true false undefined string text hidden value password-here passphrase postgres mysql redis mongo rabbitmq localhost mypassword
	mysecret mytoken mypass hello world foo bar baz abc qwerty letmein sha sha256 sha512 md bcrypt argon argon2id scrypt base utf utf8mb oauth http section
	chapter step page pa pw u p s t correct incorrect wrong new old current required optional enabled disabled yes no minimum maximum`)

// isReference knows code in the place of a value: a call, a variable, a path, a dotted name.
func isReference(value []byte) bool {
	if bytes.IndexByte([]byte("/~#@&:.\\-"), value[0]) >= 0 && bytes.IndexByte(value[1:], '/') >= 0 || bytes.HasPrefix(value, []byte("./")) || value[0] == '#' {
		return true
	}
	for _, part := range []string{"(", "::", "->", "://", "[", "!!", "=>"} {
		if bytes.Contains(value, []byte(part)) {
			return true
		}
	}
	parts := bytes.Split(value, []byte{'.'})
	for _, part := range parts {
		if !isName(part) {
			return false
		}
	}
	return len(parts) > 1 && wordiness(value) >= 0.4
}

// isName: an identifier of letters, digits and underlines.
func isName(value []byte) bool {
	for _, c := range value {
		if !isAlnum(c) && c != '_' {
			return false
		}
	}
	return len(value) > 0 && !isDigit(value[0])
}
