package secret

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// password finds the value of a key for a password, which may be short.
func (s *scan) password(start, end int) (from, to int, ok bool) {
	if size := end - start; size <= 4 && start > 0 && isAlpha(s.text[start-1]) && !isUpper(s.text[start]) {
		if head := s.headOf(start); !isPrefix(s.text[head:start]) {
			return 0, 0, false // compass, bypass
		}
	}
	a, ok := s.assigned(start, end)
	if !ok || s.isVerdict(start) || !s.judge(&a, likePassword) {
		return 0, 0, false
	}
	a.to = s.whole(a)
	s.items(a, "password", likePassword)
	return a.from, a.to, true
}

// maxVerdictBytes bounds a line that says how a test ended.
const maxVerdictBytes = 600

// verdictForm is how test runners say that a test passed: "--- PASS: TestKiln/cold (0.01s)", "PASS: test_kiln (12 ms)". Without the
// dashes of go test the name has to be one of a test.
var verdictForm = sync.OnceValue(func() *regexp.Regexp {
	const seconds = ` [(\[]\d{1,6}(?:\.\d{1,9})? ?(?:s|ms|sec|secs|seconds)[)\]]`
	return regexp.MustCompile(`^(?:--- PASS: [^\s"'\\]+|PASS: (?:[Tt]ests?(?:[A-Z_/.:]|\b)|Example|Fuzz|Benchmark)[^\s"'\\]*)` + seconds)
})

// isVerdict: what begins at start says that a test passed and how long it took; what follows is the name of the test.
func (s *scan) isVerdict(start int) bool {
	if !bytes.HasPrefix(s.text[start:], []byte("PASS: ")) || s.headOf(start) < start {
		return false
	}
	s.cost += maxVerdictBytes
	line := s.text[start:min(len(s.text), start+maxVerdictBytes)]
	if bytes.HasSuffix(s.text[:start], []byte("--- ")) {
		line = s.text[start-4 : min(len(s.text), start+maxVerdictBytes)]
	}
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	return verdictForm().Match(line)
}

// isPrefix knows what stands before "pass" and "pw" in the names of settings: dbpass, userpw.
func isPrefix(head []byte) bool {
	lower := strings.ToLower(string(head))
	lower = lower[strings.LastIndexAny(lower, "_-.")+1:]
	return lower == "" || passHeads[lower]
}

var passHeads = wordSet("require db user admin root my mysql pg sql mail smtp ftp ssh bind web app key store trust ldap wifi login sa auth proxy usr redis net host vnc rdp vpn su dba sudo zip cert pfx")

// judge asks for a value with its signs, and for one that ends at the first of them. Either way all of it is the secret.
func (s *scan) judge(a *assignment, like func([]byte, assignment) bool) bool {
	short := s.text[a.from:a.to]
	a.to = s.withSigns(*a)
	return like(short, *a) || a.to > a.from+len(short) && like(s.text[a.from:a.to], *a)
}

func likePassword(value []byte, a assignment) bool {
	if a.link <= linkAnnounced {
		return (len(value) >= 20 && looksRandom(value) || isStrong(value)) && notSimple(value) && !isReference(value)
	}
	if isEncoded(value) {
		return true
	}
	least := 8
	switch {
	case a.quoted || a.link == linkEquals || a.link == linkFlag || a.link == linkCell:
		least = 6
	case a.link == linkProse:
		least = 7
	}
	return len(value) >= least && bytes.IndexByte(value, ' ') < 0 && isPasswordShaped(value, a) && !isReference(value) && notSimple(value)
}

// isStrong: small letters, capitals and digits or signs as nobody writes them in words, though it is short.
func isStrong(value []byte) bool {
	shape := shapeOf(value)
	return len(value) >= 8 && shape.digits > 1 && shape.lower > 1 && shape.upper > 1 && isScattered(value) && wordiness(value) < 0.4
}

// strongSigns counts the signs that passwords have and names and paths have not.
func strongSigns(value []byte) int {
	strong := 0
	for _, c := range value {
		strong += boolInt(bytes.IndexByte([]byte("!@#$%^&*+=~?"), c) >= 0)
	}
	return strong
}

func isPasswordShaped(value []byte, a assignment) bool {
	shape, strong := shapeOf(value), strongSigns(value)
	separators := shape.others - strong
	switch {
	case shape.letters() == 0 || len(value) < 20 && bytes.HasPrefix(value, []byte("0x")):
		return false
	case separators > 0 && wordiness(value) >= wordy && shape.digits+strong < 3:
		return false // kebab-case, paths, file names
	case shape.digits > 0:
		return a.link == linkColon || a.link > linkFlag && a.quoted && !bytes.HasPrefix(value, []byte("sha")) || !isMeasure(value)
	case strong > 0:
		return len(value) >= 8 && (shape.upper > 0 && shape.lower > 0 || strong > 1)
	}
	return shape.lower > 2 && shape.upper > 2 && len(value) >= 12 && wordiness(value) < wordy
}

// isMeasure: a number with its unit, an ordinal, a version, the name of a method: "16-character", "SHA-256", "8th".
func isMeasure(value []byte) bool {
	shape := shapeOf(value)
	if isDigit(value[0]) && shape.letters() >= shape.digits && shape.upper < 2 {
		digits := 0
		for digits < len(value) && isDigit(value[digits]) {
			digits++
		}
		return digits == shape.digits
	}
	lower := strings.ToLower(strings.TrimRight(string(value), "0123456789-"))
	return simpleWords[lower] || strings.HasPrefix(lower, "sha") || strings.HasPrefix(lower, "base")
}

// assignedSecret finds the value of a key for a token or a secret, which is long and was generated.
func (s *scan) assignedSecret(start, end int) (from, to int, ok bool) {
	return s.generated(start, end, "secret-assignment", likeSecret)
}

// assignedKey finds the value of a key for a key. Most things called a key are none.
func (s *scan) assignedKey(start, end int) (from, to int, ok bool) {
	return s.generated(start, end, "key-assignment", func(value []byte, a assignment) bool {
		if !likeSecret(value, a) {
			return false
		}
		before := s.beforeKey(start)
		if isFingerprint(value) && strings.HasSuffix(before, "signing") {
			return false
		}
		switch kindOfKey(before) {
		case keySecret:
			return true
		case keyPublic:
			return false
		}
		return a.link >= linkColon && len(value) >= 20 && !isUUID(value) && looksGenerated(value)
	})
}

func (s *scan) generated(start, end int, name string, like func([]byte, assignment) bool) (from, to int, ok bool) {
	a, ok := s.assigned(start, end)
	if !ok || !s.judge(&a, like) {
		return 0, 0, false
	}
	a.to = s.whole(a)
	s.items(a, name, like)
	return a.from, a.to, true
}

type keyKind int

const (
	keyUnknown keyKind = iota
	keySecret
	keyPublic
)

// beforeKey is the word before "key", in its identifier or before a blank, without separators.
func (s *scan) beforeKey(start int) string {
	from := start
	for from > 0 && start-from < maxKeyHead && (isAlnum(s.text[from-1]) || bytes.IndexByte([]byte("_-. "), s.text[from-1]) >= 0) {
		from--
	}
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(string(s.text[from:start])))
}

var (
	secretKeys = strings.Fields(`api access secret private auth encryption signing master account client consumer app application service license shared
		storage admin root deploy webhook hmac aes jwt crypto security subscription session cookie integration preshared wep wpa recovery developer dev prod
		production live server rest write personal functions host ingest insert`)
	publicHeads = strings.Fields(`public primary foreign sort cache partition hot idempotency object row index lookup map hash i18n message translation
		publishable site anon list edit sign export delete refresh default local recv receive send search fetch trusted gpg pgp mon tur don hoc joc doc lac pub host known`)
)

func kindOfKey(before string) keyKind {
	for _, word := range publicHeads {
		if strings.HasSuffix(before, word) {
			return keyPublic
		}
	}
	for _, word := range secretKeys {
		if strings.HasSuffix(before, word) {
			return keySecret
		}
	}
	return keyUnknown
}

func likeSecret(value []byte, a assignment) bool {
	if a.link == linkFlag && isFingerprint(value) {
		return false // gpg --export-secret-keys
	}
	least := 16
	switch {
	case a.link == linkAnnounced && len(value) >= 16 && len(value) < 20:
		return isStrong(value) && looksGenerated(value) && notSimple(value) && !isReference(value)
	case a.link <= linkAnnounced:
		return len(value) >= 20 && (isUUID(value) || looksGenerated(value)) && notSimple(value) && !isReference(value)
	case a.link == linkProse:
		least = 18
	case a.quoted:
		least = 10
	case a.link == linkEquals:
		least = 12
	}
	if len(value) < least || bytes.IndexByte(value, ' ') >= 0 || shapeOf(value).letters() == 0 || isReference(value) {
		return false
	}
	if isUUID(value) {
		return notSimple(value) && entropy(value) > 2.5
	}
	if len(value) < 16 {
		shape := shapeOf(value)
		return shape.digits > 1 && shape.letters() > 3 && shape.others-strongSigns(value) < 2 && (shape.others < 2 || isScattered(value)) && notSimple(value) && wordiness(value) < 0.4 && entropy(value) >= 2.9
	}
	return notPlaceholder(value)
}

// isReference knows code in the place of a value: a call, a variable, a path, a dotted name.
func isReference(value []byte) bool {
	if bytes.IndexByte([]byte("/~#@&:.\\-"), value[0]) >= 0 && bytes.IndexByte(value[1:], '/') >= 0 || bytes.HasPrefix(value, []byte("./")) || value[0] == '#' && (isHex(value[1:]) || wordiness(value) >= wordy) {
		return true
	}
	if value[0] == '+' && bytes.IndexAny(value, ").") > 0 { // "KEY=" + name
		return true
	}
	if isCall(value, '(', ')') || isCall(value, '[', ']') {
		return true
	}
	for _, part := range []string{`\x`, "::", "->", "://", "!!", "=>", "A-Za", "a-zA", "a-z0", "0-9]"} {
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

// isCall knows "name(…" and "name[…". Where nothing closes the bracket it may be one of a password.
func isCall(value []byte, open, closing byte) bool {
	at := bytes.IndexByte(value, open)
	return at >= 0 && (bytes.IndexByte(value[at:], closing) >= 0 || len(value) < 9 || shapeOf(value[:at]).digits == 0 || !isScattered(value))
}
