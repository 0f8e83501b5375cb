package secret

import (
	"bytes"
	"strings"
)

// password finds the value of a key for a password, which may be short.
func (s *scan) password(start, end int) (from, to int, ok bool) {
	if size := end - start; size <= 4 && start > 0 && isAlpha(s.text[start-1]) && !isUpper(s.text[start]) {
		if head := s.headOf(start); !isPrefix(s.text[head:start]) {
			return 0, 0, false // compass, bypass
		}
	}
	a, ok := s.assigned(start, end)
	if !ok || !likePassword(s.text[a.from:a.to], a) {
		return 0, 0, false
	}
	a.to = s.whole(a)
	s.items(a, "password", likePassword)
	return a.from, a.to, true
}

// isPrefix knows what stands before "pass" and "pw" in the names of settings: dbpass, userpw.
func isPrefix(head []byte) bool {
	lower := strings.ToLower(string(head))
	lower = lower[strings.LastIndexAny(lower, "_-.")+1:]
	return lower == "" || passHeads[lower]
}

var passHeads = wordSet("require db user admin root my mysql pg sql mail smtp ftp ssh bind web app key store trust ldap wifi login sa auth proxy usr redis net host vnc rdp vpn su dba sudo zip cert pfx")

func likePassword(value []byte, a assignment) bool {
	if a.link <= linkAnnounced {
		return len(value) >= 20 && looksRandom(value) && notSimple(value) && !isReference(value)
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

func isPasswordShaped(value []byte, a assignment) bool {
	shape, strong := shapeOf(value), 0
	for _, c := range value {
		if bytes.IndexByte([]byte("!@#$%^&*+=~?"), c) >= 0 {
			strong++
		}
	}
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
	if !ok || !like(s.text[a.from:a.to], a) {
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
		return shape.digits > 1 && shape.letters() > 3 && shape.others < 2 && notSimple(value) && wordiness(value) < 0.4 && entropy(value) >= 2.9
	}
	return notPlaceholder(value)
}

// looksGenerated is stricter than looksRandom: for keys that say little.
func looksGenerated(value []byte) bool {
	shape := shapeOf(value)
	if shape.digits < 3 || shape.others > len(value)/8 || !looksRandom(value) {
		return false
	}
	return isHex(value) && len(value) >= 32 || wordiness(value) < 0.35 && !isHex(value)
}

// isUUID: 8-4-4-4-12 hexadecimal digits.
func isUUID(value []byte) bool {
	if len(value) != 36 {
		return false
	}
	for i, c := range value {
		if isDash := i == 8 || i == 13 || i == 18 || i == 23; isDash != (c == '-') || !isDash && hexValue(c) < 0 {
			return false
		}
	}
	return true
}

// isFingerprint: a key of OpenPGP as its programs name it, in whole or by its last digits.
func isFingerprint(value []byte) bool {
	return (len(value) == 40 || len(value) == 16) && isHex(value) && shapeOf(value).lower == 0
}

// notPlaceholder wants a generated value.
func notPlaceholder(value []byte) bool { return looksRandom(value) && notSimple(value) }

var placeholders = []string{
	"example", "your", "placeholder", "changeme", "change-me", "change_me", "change-this", "redacted", "xxxx", "****", "....", "…", "dummy", "insert", "replace",
	"${", "{{", "}}", "$(", "<", "process.env", "environ", "getenv", "env.", "env[", "foobar", "todo", "not-a-", "some-", "my-", "my_",
}

// notSimple refuses what stands for a secret in examples, and the words that no secret is.
func notSimple(value []byte) bool {
	lower := bytes.ToLower(value)
	for _, part := range placeholders {
		if bytes.Contains(lower, []byte(part)) {
			return false
		}
	}
	if isRow(lower) {
		return false
	}
	if c := value[0]; c == '$' && isName(value[1:]) || c == '%' && value[len(value)-1] == '%' || bytes.IndexByte([]byte("{[(*"), c) >= 0 {
		return false
	}
	stem := strings.TrimRight(string(lower), "0123456789!_-.")
	if guessableWords[stem] {
		return isWeakPassword(value[len(stem):])
	}
	return len(stem) != 0 && !simpleWords[stem] || len(stem) == 0 && len(value) > 8
}

// isRow: half of the value or more are digits and letters in their order.
func isRow(value []byte) bool {
	inRow, run := 0, 1
	for i := 1; i <= len(value); i++ {
		if i < len(value) && (value[i] == value[i-1]+1 || value[i] == '0' && value[i-1] == '9') {
			run++
			continue
		}
		if run >= 5 {
			inRow += run
		}
		run = 1
	}
	return 2*inRow >= len(value) && inRow > 0
}

// isWeakPassword tells what people put behind a word for a password of their own, "2031" or "789!", from what examples do.
func isWeakPassword(tail []byte) bool {
	number := bytes.TrimRight(tail, "!_-.")
	return len(number) > 2 && isNumber(number) && number[0] != '0' && !bytes.HasPrefix(number, []byte("12")) && entropy(number) > 0
}

// guessableWords are those of simpleWords that begin passwords in use.
var guessableWords = wordSet("password passwort secret admin mypassword mysecret letmein qwerty hello")

var simpleWords = wordSet(`password passwd passwort pass pwd secret token key apikey user username admin root test testing tests guest demo sample
	default none null nil true false undefined string text hidden value password-here passphrase postgres mysql redis mongo rabbitmq localhost mypassword
	mysecret mytoken mypass hello world foo bar baz abc qwerty letmein sha sha256 sha512 md bcrypt argon argon2id scrypt base utf utf8mb oauth http section
	chapter step page pa pw u p s t correct incorrect wrong new old current required optional enabled disabled yes no minimum maximum`)

// isReference knows code in the place of a value: a call, a variable, a path, a dotted name.
func isReference(value []byte) bool {
	if bytes.IndexByte([]byte("/~#@&:.\\-"), value[0]) >= 0 && bytes.IndexByte(value[1:], '/') >= 0 || bytes.HasPrefix(value, []byte("./")) || value[0] == '#' && (isHex(value[1:]) || wordiness(value) >= wordy) {
		return true
	}
	if value[0] == '+' && bytes.IndexAny(value, ").") > 0 { // "KEY=" + name
		return true
	}
	for _, part := range []string{"(", `\x`, "::", "->", "://", "[", "!!", "=>"} {
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
