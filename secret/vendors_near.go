package secret

import (
	"bytes"
	"regexp"
	"slices"
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
	mostWords   = 36 // bytes of what stands between a name and a value in one run
	shortNear   = 20 // bytes of a value that wants both a word and a sign
	mostPadding = 2
)

// nearRules makes a rule of each service: "datadog-key".
func nearRules(table []nearRow) []rule {
	var rules []rule
	lookers := map[string]*nearLook{}
	for _, row := range table {
		form := newNearForm(row.form)
		for service := range strings.FieldsSeq(row.services) {
			look := lookers[service]
			if look == nil {
				look = &nearLook{}
				lookers[service] = look
				words := strings.Split(plainText(service), ",")
				name := strings.ReplaceAll(words[0], ".", "-") + "-key"
				rules = append(rules, rule{name: name, keywords: words, loose: true, anyCase: true, most: nearBytes, look: look.find})
			}
			look.add(form)
		}
	}
	return rules
}

// nearForm is a form of value.
type nearForm struct {
	least, most int
	isWide      bool // holds colons
	isTelling   bool // one of a kind: the name alone is enough
	pattern     func() *regexp.Regexp
}

func newNearForm(form string) *nearForm {
	shape := readShape("␣" + form)
	isWide := strings.ContainsAny(form, ":¦")
	return &nearForm{
		least: shape.shortest - 1, most: shape.longest - 1, isWide: isWide, isTelling: isWide || isAlpha(form[0]),
		pattern: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^" + shape.pattern + "$") }),
	}
}

// nearLook finds a value that the name of a service announces.
type nearLook struct {
	forms []*nearForm
	most  int // bytes of the longest
	wide  bool
}

func (n *nearLook) add(form *nearForm) {
	n.forms = append(n.forms, form)
	n.most, n.wide = max(n.most, form.most), n.wide || form.isWide
}

func (n *nearLook) find(s *scan, start, end int) (from, to int, ok bool) {
	if !standsAlone(s.text, start, end) || s.isInRandom(start) {
		return 0, 0, false
	}
	limit, lines := min(len(s.text), end+nearBytes), 0
	ownEnd := s.runEnd(end, nearBytes)
	isRandom := ownEnd-end >= leastRandomRun && readsRandom(s.text[end:ownEnd])
	for at := end; at < limit && lines <= nearLines; {
		if c := s.text[at]; !inNear[c] {
			lines += boolInt(c == '\n')
			at++
			continue
		}
		run, wideRun := n.runEnd(s.text, at, &inNear), 0
		if n.wide {
			wideRun = n.runEnd(s.text, at, &inWideNear)
		}
		s.cost += max(run, wideRun) - at
		if isRandom && at > end {
			break // the name is letters of what stands before
		}
		for _, form := range n.forms {
			from, to = at, run
			if form.isWide {
				to = wideRun
			}
			if from, to, ok = form.take(s, nearPlace{start, end, from, to}); ok {
				return from, s.padded(to), true
			}
		}
		at = run
	}
	return 0, 0, false
}

// nearPlace is where the name of a service and a run of bytes stand.
type nearPlace struct{ start, end, from, to int }

// take finds the value in a run of bytes.
func (f *nearForm) take(s *scan, p nearPlace) (from, to int, ok bool) {
	for p.to > p.from && (s.text[p.to-1] == '.' || s.text[p.to-1] == ':') {
		p.to--
	}
	if p.from == p.end {
		p.from = f.behindWords(s.text, p.from, p.to)
	}
	return p.from, p.to, f.fits(s.text, p.from, p.to) && f.announced(s, p)
}

// standsAlone: the name is no part of a longer word, other than of one for its credentials or one in camelCase.
func standsAlone(text []byte, start, end int) bool {
	if start > 0 && goesOnAsWord(text[start-1], text[start]) {
		return false
	}
	if end == len(text) || !goesOnAsWord(text[end-1], text[end]) {
		return true
	}
	rest := foldASCII(text[end:min(len(text), end+8)])
	return slices.ContainsFunc(credentialWords, func(word []byte) bool { return bytes.HasPrefix(rest, word) })
}

// goesOnAsWord: two letters of one word, as camelCase sees it.
func goesOnAsWord(a, b byte) bool { return isAlpha(a) && isLower(b) || isUpper(a) && isUpper(b) }

// behindWords finds the value in "name-secret-key-VALUE": where the run that is part of the name is cut so that the
// rest has a length that fits.
func (f *nearForm) behindWords(text []byte, from, to int) int {
	for at := max(from+1, to-f.most); at <= min(to-f.least, from+mostWords); at++ {
		if !isAlnum(text[at-1]) && namesCredential(text[from:at]) {
			return at
		}
	}
	return from
}

// runEnd goes a little further than a value and the words before it can.
func (n *nearLook) runEnd(text []byte, at int, inside *[256]bool) int {
	limit := min(len(text), at+n.most+mostWords)
	for at < limit && inside[text[at]] {
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

// fits compares a run of bytes with the form.
func (f *nearForm) fits(text []byte, from, to int) bool {
	if to-from < f.least || to-from > f.most || from > 0 && bytes.IndexByte([]byte("@#%&\\$/"), text[from-1]) >= 0 {
		return false
	}
	return f.pattern().Match(append([]byte{' '}, text[from:to]...))
}

// announced: what stands around the name and before the value says that this is a secret, and the value looks like one.
func (f *nearForm) announced(s *scan, p nearPlace) bool {
	between, value := s.text[p.start:p.from], s.text[p.from:p.to]
	lower := foldASCII(between)
	if containsAny(lower[p.end-p.start:], harmlessWords) {
		return false
	}
	if f.isTelling {
		return notSample(value)
	}
	link := bytes.TrimRight(lower, " \t\r\n\"'`*{(")
	operator := len(link) > 0 && bytes.IndexByte([]byte("=:>|,-"), link[len(link)-1]) >= 0
	word := namesCredential(between)
	switch line := bytes.LastIndexByte(between, '\n'); {
	case line >= 0:
		if !operator && !namesCredential(between[line:]) {
			return false
		}
	case !word:
		word = namesCredential(s.lineBefore(p.start))
	}
	switch {
	case namesThing(value):
		isTold := shapeOf(value).letters() > 0 || operator
		return isTold && namesOne(between, keyWords) && notStandIn(value) && entropy(value) > 2 && !isIdentifier(link)
	case !word && !operator: // the name and the value side by side
		return p.from > p.end && p.from-p.end <= 3 && len(value) >= shortNear && notSimple(value) && looksRandom(value)
	case len(value) < shortNear && (!word || !operator):
		return false
	}
	return looksIssued(value)
}

func namesCredential(text []byte) bool { return namesOne(text, credentialWords) }

// namesOne: one of the words ends in text where one of an identifier may: "apiKey", "keys", not "keyboard".
func namesOne(text []byte, words [][]byte) bool {
	lower := foldASCII(text)
	for _, word := range words {
		for from := 0; from < len(lower); {
			at := bytes.Index(lower[from:], word)
			if at < 0 {
				break
			}
			from += at + len(word)
			if from == len(text) || !isLower(text[from]) || text[from] == 's' {
				return true
			}
		}
	}
	return false
}

// namesThing: hashes of commits, UUIDs and digits, which name things more often than not.
func namesThing(value []byte) bool {
	shape := shapeOf(value)
	isUUID := len(value) == 36 && bytes.Count(value, []byte{'-'}) == 4
	return isUUID || shape.letters() == 0 || len(value) == 40 && shape.upper == 0 && isHex(value)
}

// isIdentifier: the key that a value is assigned to says that it is a number of something.
func isIdentifier(link []byte) bool {
	name := bytes.TrimRight(link, " \t\"'`*=:>|,-")
	return bytes.HasSuffix(name, []byte("id")) && !bytes.HasSuffix(name, []byte("secret_id"))
}

// looksIssued is for a value of the right length in the right place: it asks less than looksRandom.
func looksIssued(value []byte) bool {
	shape := shapeOf(value)
	if shape.digits == 0 && (shape.lower < 3 || shape.upper < 3 || wordiness(value) >= wordy) {
		return false
	}
	return notSample(value) && (isHex(bytes.ReplaceAll(value, []byte("-"), nil)) || wordiness(value) < 0.6)
}

// lineBefore is the end of the line in front of a place.
func (s *scan) lineBefore(at int) []byte {
	before := s.text[max(0, at-mostWords):at]
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
	keyWords        = byteWords("key token secret password passwd pwd pass credential")
	credentialWords = append(byteWords("auth authorization authentication pat bearer access private api"), keyWords...)
	harmlessWords   = byteWords("commit hash sha1 sha256 md5 digest checksum :// keyboard uuid guid")
)
