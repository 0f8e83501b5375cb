package secret

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// nearRow names the services whose tokens have a form that others have too: a value is a token where the name of the
// service stands before it, and a word for a credential or a sign of assignment between.
type nearRow struct {
	form     string // of the whole value, see tokenShape
	services string // apart by blanks; several names of one service apart by commas, the first names the rule
}

const (
	nearBytes   = 72 // from the end of the service's name to the value
	nearLines   = 2  // line ends between
	shortNear   = 20 // bytes of a value that wants both a word and a sign
	mostPadding = 2
)

// nearRules makes the rules of a table: "datadog-key".
func nearRules(table []nearRow) []rule {
	var rules []rule
	for _, row := range table {
		look := newNearLook(row.form)
		for service := range strings.FieldsSeq(row.services) {
			words := strings.Split(plainText.Replace(service), ",")
			name := strings.ReplaceAll(words[0], ".", "-") + "-key"
			rules = append(rules, rule{name: name, keywords: words, loose: true, anyCase: true, most: nearBytes, look: look})
		}
	}
	return rules
}

// nearLook finds the value of a form that a name announces.
type nearLook struct {
	least, most int
	inside      *[256]bool
	pattern     func() *regexp.Regexp
}

func newNearLook(form string) func(s *scan, start, end int) (from, to int, ok bool) {
	shape := readShape("␣" + form)
	n := &nearLook{least: shape.least - 1, most: shape.most - 1, inside: &inNear}
	if strings.ContainsAny(form, ":¦") {
		n.inside = &inWideNear
	}
	n.pattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^" + shape.pattern + "$") })
	return n.look
}

func (n *nearLook) look(s *scan, start, end int) (from, to int, ok bool) {
	if end < len(s.text) && isLower(s.text[end]) || start > 0 && isLower(s.text[start-1]) && !isUpper(s.text[start]) {
		return 0, 0, false // inside another word
	}
	limit, lines := min(len(s.text), end+nearBytes), 0
	for at := end; at < limit && lines <= nearLines; {
		if c := s.text[at]; !n.inside[c] {
			lines += boolInt(c == '\n')
			at++
			continue
		}
		to = n.runEnd(s.text, at)
		last := to
		for last > at && (s.text[last-1] == '.' || s.text[last-1] == ':') {
			last--
		}
		if n.fits(s.text, at, last) && n.announced(s, start, at, s.text[at:last]) {
			return at, s.padded(last), true
		}
		at = to
	}
	return 0, 0, false
}

func (n *nearLook) runEnd(text []byte, at int) int {
	limit := min(len(text), at+n.most+2)
	for at < limit && n.inside[text[at]] {
		at++
	}
	return at
}

// inNear are the bytes of values and of what is no value beside them, such as the parts of an address.
var inNear = func() (set [256]bool) {
	for c := range set {
		set[c] = isAlnum(byte(c)) || c == '+' || c == '/' || c == '_' || c == '-' || c == '.' || c == '~'
	}
	return set
}()

// inWideNear is for values of several parts.
var inWideNear = func() [256]bool {
	set := inNear
	set[':'], set['|'] = true, true
	return set
}()

// fits compares a run of bytes with the shapes.
func (n *nearLook) fits(text []byte, from, to int) bool {
	if to-from < n.least || to-from > n.most || from > 0 && bytes.IndexByte([]byte("@#%&\\$"), text[from-1]) >= 0 {
		return false
	}
	return n.pattern().Match(append([]byte{' '}, text[from:to]...))
}

// announced: what stands around the name and before the value says that this is a secret, and the value looks like one.
func (n *nearLook) announced(s *scan, start, from int, value []byte) bool {
	if n.inside == &inWideNear {
		return notSample(value)
	}
	lower := bytes.ToLower(s.text[start:from])
	link := bytes.TrimRight(lower, " \t\r\n\"'`*{(")
	operator := len(link) > 0 && bytes.IndexByte([]byte("=:>|,"), link[len(link)-1]) >= 0
	word := containsAny(lower, credentialWords)
	switch line := bytes.LastIndexByte(lower, '\n'); {
	case line >= 0:
		if !operator && !containsAny(lower[line:], credentialWords) {
			return false
		}
	case !word:
		word = containsAny(bytes.ToLower(s.lineBefore(start)), credentialWords)
	}
	if !word && !operator || !(word && operator) && len(value) < shortNear || containsAny(lower, harmlessWords) {
		return false
	}
	shape := shapeOf(value)
	switch isUUID := len(value) == 36 && bytes.Count(value, []byte{'-'}) == 4; {
	case isUUID, shape.letters() == 0, isHex(value) && len(value) == 40:
		return word && notSample(value)
	}
	return looksIssued(value, shape)
}

// looksIssued is for a value of the right length in the right place: it asks less than looksRandom.
func looksIssued(value []byte, s byteShape) bool {
	if s.digits == 0 && (len(value) < shortNear || s.lower == 0 || s.upper == 0) {
		return false
	}
	return notSample(value) && (isHex(value) || wordiness(value) < 0.6)
}

// lineBefore is the end of the line in front of a place.
func (s *scan) lineBefore(at int) []byte {
	before := s.text[max(0, at-nearBytes/2):at]
	return before[bytes.LastIndexByte(before, '\n')+1:]
}

// padded takes the end of Base64 in.
func (s *scan) padded(to int) int {
	for limit := to + mostPadding; to < len(s.text) && to < limit && s.text[to] == '='; {
		to++
	}
	return to
}

var (
	credentialWords = [][]byte{[]byte("key"), []byte("token"), []byte("secret"), []byte("auth"), []byte("pass"), []byte("credential"), []byte("pat"), []byte("bearer")}
	harmlessWords   = [][]byte{[]byte("commit"), []byte("hash"), []byte("sha1"), []byte("sha256"), []byte("md5"), []byte("digest"), []byte("checksum"), []byte("://"), []byte("keyboard")}
)
