package secret

import (
	"bytes"
	"strings"
)

const (
	maxKeyTail    = 24  // of an identifier behind the keyword
	maxKeyHead    = 40  // and before it
	maxKeyWords   = 36  // of words such as "for the guest network" between a key and its operator
	maxTypeTag    = 16  // of YAML
	maxValueBytes = 512 // of a value that is judged; what goes on behind belongs to it
	maxWholeBytes = 64 << 10
)

// link says how a value stands to its key; the later ones leave less doubt.
type link int

const (
	linkBlank     link = iota // only blanks between
	linkAnnounced             // by a line that ends in a colon, on the next one
	linkProse                 // "is", "lautet", "是"
	linkBelow                 // on the lines below
	linkColon                 // ":" and what is like it
	linkFlag                  // --key VALUE
	linkCell                  // in the column or row of a table
	linkEquals                // "=", a call, an element of XML
)

// assignment is a key and a value as notes, code, settings and tables have them.
type assignment struct {
	link     link
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
	if bytes.EqualFold(s.text[start:end], []byte("passw")) {
		end += passwordEnding(s.text[end:at])
	}
	if !endsWord(s.text[start:end], s.text[end:at]) || neutralTail(s.text[end:at]) {
		return a, false
	}
	operator := s.operator(&a, start, at)
	if operator < 0 {
		return a, false
	}
	return s.value(a, s.opening(operator))
}

// headOf is the start of the identifier that goes on at start.
func (s *scan) headOf(start int) int {
	at := start
	for at > 0 && start-at < maxKeyHead && (isAlnum(s.text[at-1]) || s.text[at-1] == '_' || s.text[at-1] == '-' || s.text[at-1] == '.') {
		at--
	}
	return at
}

// operator finds what binds a value to the key that goes from start to end, notes its kind, and returns where it ends; -1
// if there is none.
func (s *scan) operator(a *assignment, start, end int) int {
	plain := s.skip(end, "\"'`*])_~", 4)
	closed := s.skipMarkup(plain)
	at := s.skipBlanks(closed, 16)
	if next := s.sign(a, start, at); next >= 0 {
		return next
	}
	if tags := s.text[plain:closed]; bytes.Contains(tags, []byte("<td")) || bytes.Contains(tags, []byte("<dd")) {
		a.link = linkCell
		return closed
	}
	if next := s.valueWord(closed); next >= 0 {
		a.link = linkEquals
		return next
	}
	if next := s.otherwise(at); next >= 0 && at > plain {
		a.link = linkEquals
		return next
	}
	if typed := s.typeWord(at); typed > at && at > closed {
		if next := s.sign(a, start, s.skip(typed, " \t", 8)); next >= 0 && a.link == linkEquals {
			return next
		}
	}
	isArgument := closed == end+1 && (s.text[end] == '"' || s.text[end] == '\'') && s.opensArguments(start)
	switch {
	case at+1 < len(s.text) && s.text[at] == '|' && (s.text[at-1] == ' ' || s.text[at+1] == ' ') && s.inTable(start):
		a.link = linkCell
		return at + 1
	case at < len(s.text) && s.text[at] == '(' && s.isQuote(at+1), isArgument && at < len(s.text) && s.text[at] == ',' && s.isQuote(s.skip(at+1, " ", 4)):
		a.link = linkEquals // define('KEY', 'value'), setKey("value")
		return at + 1
	case at > closed && at+2 < len(s.text) && s.text[at] == '-' && s.text[at+1] == ' ' && s.isQuote(at+2): // token - "value"
		a.link = linkColon
		return at + 2
	case start > 1 && s.text[start-1] == '-' && at > closed, s.hasFlag(start) && at > closed:
		a.link = linkFlag
		return at
	}
	return s.wordOperator(a, start, end, closed, at)
}

// wordOperator is operator for what words, dashes and the ends of lines bind.
func (s *scan) wordOperator(a *assignment, start, end, closed, at int) int {
	if next := s.copula(at); next >= 0 && (end-start > 4 || s.text[at] != 't') { // not "pass to"
		a.link = linkProse
		return next
	}
	if next := s.dash(at); next >= 0 && at > closed {
		a.link = linkProse
		return next
	}
	if next := s.definition(at); next >= 0 {
		a.link = linkBelow
		return next
	}
	if next := s.lineAnnounces(at); next >= 0 {
		a.link = linkAnnounced
		return next
	}
	if at < len(s.text) && (s.text[at] == '\n' || s.text[at] == '\r') && s.isHeading(start, at) {
		a.link = linkAnnounced
		return s.underline(at)
	}
	if at > closed && s.isSet(start) {
		a.link = linkFlag
		return at
	}
	a.link = linkBlank
	if at == closed {
		return -1
	}
	return at
}

// sign reads an operator made of signs: "=", ":", ":=", "=>", "?=", "==" and their like.
func (s *scan) sign(a *assignment, start, at int) int {
	if at+2 < len(s.text) && s.text[at] == '<' && s.text[at+1] == '-' && (s.text[at+2] == ' ' || s.isQuote(at+2)) { // of R
		a.link = linkEquals
		return at + 2
	}
	signs := s.skip(at, "?.+!|-", 2)
	end := s.skip(signs, "=:>", 4)
	if end == signs || signs > at && s.text[at] == '|' && s.inTable(start) {
		return -1
	}
	a.link = linkColon
	if c := s.text[end-1]; c == '=' || c == '>' {
		a.link = linkEquals
	} else if typed := s.typeWord(s.skip(end, " ", 4)); typed > end { // key: string = "value"
		if equals := s.skip(typed, " ", 4); equals < len(s.text) && s.text[equals] == '=' {
			a.link, end = linkEquals, equals+1
		}
	}
	return end
}

var typeWords = []string{"string", "String", "str", "Option<String>", "[]byte", "&str", "char", "&'static str", "Optional[str]", "SecretStr", "final", "NVARCHAR", "varchar", "text"}

// typeWord is the end of the name of a type, or at.
func (s *scan) typeWord(at int) int {
	rest := s.text[min(at, len(s.text)):min(len(s.text), at+20)]
	for _, word := range typeWords {
		if bytes.HasPrefix(rest, []byte(word)) {
			return at + len(word)
		}
	}
	return at
}

func (s *scan) isQuote(at int) bool {
	return at < len(s.text) && (s.text[at] == '"' || s.text[at] == '\'' || s.text[at] == '`')
}

// opensArguments: the key is the first argument of a call, in its quotes.
func (s *scan) opensArguments(start int) bool {
	head := s.headOf(start)
	return head > 1 && s.isQuote(head-1) && s.text[head-2] == '('
}

// hasFlag: the word before the key belongs to a flag: --db-password VALUE.
func (s *scan) hasFlag(start int) bool {
	head := s.headOf(start)
	return head < start && s.text[head] == '-' && (s.text[start-1] == '-' || s.text[start-1] == '_')
}

// valueWord reads what stands between the name of a setting and its value where both are named: name: KEY, value: V;
// <add key="KEY" value="V"/>. It returns where the operator ends.
func (s *scan) valueWord(at int) int {
	at = s.attributes(s.skip(at, " \t\r\n,;\"'", 24))
	rest := s.text[min(at, len(s.text)):min(len(s.text), at+12)]
	for _, word := range []string{"value", "default", "content"} {
		if len(rest) > len(word) && bytes.EqualFold(rest[:len(word)], []byte(word)) {
			at = s.skip(s.skip(at+len(word), "\"'", 1), " ", 4)
			if end := s.skip(at, "=:", 1); end > at {
				return end
			}
			return -1
		}
	}
	return -1
}

// copulas say that a value follows, in the languages that the keywords are in.
var copulas = []string{
	"is ", "is: ", "was ", "is now ", "to ", "ist ", "ist: ", "lautet ", "lautet: ", "est ", "est : ", "es ", "es: ", "é ", "è ", "är ", "jest ", "= ",
	"是", "为", "為", "は", "は、", "은 ", "는 ",
}

// copula is where the value of a sentence starts: "the password for the guest network is VALUE"; -1 if it is none.
func (s *scan) copula(at int) int {
	rest := s.text[min(at, len(s.text)):min(len(s.text), at+maxKeyWords)]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	for _, word := range copulas {
		if bytes.HasPrefix(rest, []byte(word)) {
			return s.skip(at+len(word), " :", 3)
		}
	}
	if !bytes.HasPrefix(rest, []byte("for ")) && !bytes.HasPrefix(rest, []byte("of ")) && !bytes.HasPrefix(rest, []byte("für ")) && !bytes.HasPrefix(rest, []byte("(")) {
		return -1
	}
	for i, c := range rest {
		switch {
		case c == ':' && i+1 < len(rest) && rest[i+1] == ' ':
			return at + i + 2
		case c == ' ' && bytes.HasPrefix(rest[i:], []byte(" is ")):
			return at + i + 4
		case c == '=' || c == '.' || c == '"' || c == '`' || c == '|' || c == '{':
			return -1
		}
	}
	return -1
}

// lineAnnounces: the line with the key ends in a colon soon: "Use the following password to log in:". It gives the end of the
// line, -1 if it does not.
func (s *scan) lineAnnounces(at int) int {
	for end := at; end < len(s.text) && end-at < maxKeyWords; end++ {
		switch c := s.text[end]; {
		case c == '\n':
			return -1
		case c == ':' && end+1 < len(s.text) && (s.text[end+1] == '\n' || s.text[end+1] == '\r'):
			return end + 1
		case !isAlnum(c) && c != ' ' && c != '-' && c < 0x80:
			return -1
		}
	}
	return -1
}

// opening is where the value starts behind an operator: past blanks, marks of emphasis, tags, tags of YAML and the letters
// before a literal.
func (s *scan) opening(at int) int {
	at = s.skipMarkup(s.skip(s.skipBlanks(at, 40), "*_", 3))
	at = s.skip(at, " \t*", 8)
	if rest := s.text[min(at, len(s.text)):]; bytes.HasPrefix(rest, []byte("~~")) || bytes.HasPrefix(rest, []byte("==")) {
		at += 2
	}
	if size := s.wideQuote(at); size > 0 {
		return at + size
	}
	if at+1 < len(s.text) && bytes.IndexByte([]byte("bBrRuUfFsSL@$N"), s.text[at]) >= 0 && (s.text[at+1] == '"' || s.text[at+1] == '\'') {
		at++
	}
	if at < len(s.text) && s.text[at] == '!' { // !!str, !secret
		word := at
		for word < len(s.text) && word-at < maxTypeTag && s.text[word] > ' ' {
			word++
		}
		if next := s.skip(word, " ", 4); next > word {
			at = next
		}
	}
	return at
}

// skipMarkup goes past up to three tags: </b>, <td class="x">.
func (s *scan) skipMarkup(at int) int {
	for range 3 {
		if at+2 >= len(s.text) || s.text[at] != '<' || s.text[at+1] != '/' && !isAlpha(s.text[at+1]) {
			return at
		}
		end := bytes.IndexByte(s.text[at:min(len(s.text), at+48)], '>')
		if end < 0 || s.text[at+1] != '/' && !isTag(s.text[at+1:at+end]) {
			return at
		}
		at = s.skip(at+end+1, " \t\r\n", 8)
	}
	return at
}

var shownTags = wordSet("b i em strong code kbd span td th tr p a li dd dt div br tt pre samp mark u font small value string var")

// isTag tells a tag that formats from "<your-token>".
func isTag(inner []byte) bool {
	name := strings.ToLower(string(inner))
	if end := strings.IndexAny(name, " /"); end >= 0 {
		name = name[:end]
	}
	return shownTags[name]
}

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

// passwordEnding is how much of a word goes on behind "passw": that of "password", "passwd" or "Passwort"; 0 for others.
func passwordEnding(tail []byte) int {
	for _, ending := range []string{"ord", "d", "ort"} {
		if len(tail) >= len(ending) && bytes.EqualFold(tail[:len(ending)], []byte(ending)) {
			return len(ending)
		}
	}
	return 0
}

// endsWord: the keyword ends where a word of its identifier does: "token", "tokens", "tokenValue", "TOKEN_2", not
// "tokenize".
func endsWord(word, tail []byte) bool {
	if len(tail) == 0 {
		return true
	}
	first := tail[0]
	if foldByte(first) == 's' && (len(tail) == 1 || !isAlpha(tail[1])) {
		return true
	}
	return first == '_' || first == '-' || isDigit(first) || isUpper(first) && !isUpper(word[len(word)-1])
}

// neutralTail knows keys about a secret that do not hold it: tokenType, secret_name, password-hint, passwordId.
func neutralTail(tail []byte) bool {
	tail = bytes.TrimRight(tail, "0123456789_-")
	start := len(tail)
	for start > 0 && isLower(tail[start-1]) {
		start--
	}
	if start > 0 && start < len(tail) && isUpper(tail[start-1]) {
		start-- // camelCase
	}
	last := strings.ToLower(string(tail[bytes.LastIndexAny(tail, "_-")+1:]))
	for size := 4; size < len(last); size++ { // hostname
		if neutralWords[last[len(last)-size:]] {
			return true
		}
	}
	return neutralWords[strings.ToLower(string(tail[start:]))] || neutralWords[last]
}

var neutralWords = wordSet(`name id ids mgr type path file filename url uri length len size count format field label header version policy provider manager
	reset min max limit class endpoint ttl expiry expires expiration ref arn hint hash digest checksum salt sha256 list store input error prefix suffix
	placeholder scope scopes algorithm index position usage budget strength confirmation status state env date time at method mode dir folder fingerprint`)
