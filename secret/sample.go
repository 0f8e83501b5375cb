package secret

import (
	"bytes"
	"slices"
	"strings"
)

// What stands for a secret in documentation. There are two lists: behind the prefix of a vendor little is a sample, behind
// the word "password" much is.

// placeholders are parts of values that a key has in examples, in small letters.
var placeholders = []string{
	"example", "your", "placeholder", "changeme", "change-me", "change_me", "change-this", "redacted", "xxxx", "****", "....", "…", "dummy", "insert", "replace",
	"${", "{{", "}}", "$(", "<", "process.env", "environ", "getenv", "env.", "env[", "foobar", "todo", "not-a-", "some-", "my-", "my_",
}

// sampleWords are what documentation puts in the place of a token, in whole or in part.
var sampleWords = [][]byte{
	[]byte("example"), []byte("xxxxxx"), []byte("******"), []byte("......"), []byte("your-"), []byte("your_"), []byte("placeholder"),
	[]byte("000000000000"),
}

// notStandIn refuses the words of documentation only, for a prefix that leaves no doubt.
func notStandIn(token []byte) bool { return !containsAny(bytes.ToLower(token), sampleWords) }

// notSample refuses what documentation puts in the place of a token.
func notSample(token []byte) bool { return notStandIn(token) && entropy(token) >= 2.5 }

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
	if c := value[0]; c == '$' && isName(value[1:]) && !isStrong(value[1:]) || c == '%' && value[len(value)-1] == '%' || bytes.IndexByte([]byte("{[(*"), c) >= 0 {
		return false
	}
	stem := strings.TrimRight(string(lower), "0123456789!_-.")
	if guessableWords[stem] {
		return isWeakPassword(value[len(stem):])
	}
	return len(stem) != 0 && !simpleWords[stem] || len(stem) == 0 && len(value) > 8
}

// notPlaceholder wants a generated value.
func notPlaceholder(value []byte) bool { return looksRandom(value) && notSimple(value) }

var simpleWords = wordSet(`password passwd passwort pass pwd secret token key apikey user username admin root test testing tests guest demo sample
	default none null nil true false undefined string text hidden value password-here passphrase postgres mysql redis mongo rabbitmq localhost mypassword
	mysecret mytoken mypass hello world foo bar baz abc qwerty letmein sha sha256 sha512 md bcrypt argon argon2id scrypt base utf utf8mb oauth http section
	chapter step page pa pw u p s t correct incorrect wrong new old current required optional enabled disabled yes no minimum maximum`)

// guessableWords are those of simpleWords that begin passwords in use.
var guessableWords = wordSet("password passwort secret admin mypassword mysecret letmein qwerty hello")

// isWeakPassword tells what people put behind a word for a password of their own, "2031" or "789!", from what examples do.
func isWeakPassword(tail []byte) bool {
	number := bytes.TrimRight(tail, "!_-.")
	return len(number) > 2 && isNumber(number) && number[0] != '0' && !bytes.HasPrefix(number, []byte("12")) && entropy(number) > 0
}

// notWords is for prefixes that ordinary names begin with too: the rest has to be generated.
func notWords(token []byte) bool {
	shape := shapeOf(token)
	isMixed := shape.digits > 0 || min(shape.lower, shape.upper) >= len(token)/6
	body := tokenBody(token)
	return isMixed && notSample(token) && (looksRandom(body) || isScattered(body))
}

// orOfLength makes a check that a token of a documented length passes where it is no word, too: prefix and length tell enough.
func orOfLength(lengths []int, check func([]byte) bool) func([]byte) bool {
	return func(token []byte) bool {
		return check(token) || slices.Contains(lengths, len(token)) && isNoWord(token)
	}
}

func isNoWord(token []byte) bool {
	body := tokenBody(token)
	shape := shapeOf(body)
	return notSample(token) && (shape.digits > 2 || min(shape.lower, shape.upper) > 2) && entropy(body) >= 3 && (wordiness(body) < 0.55 || isHex(body) && shape.digits > 1)
}

// mixed is for prefixes that no name begins with, before words or short values.
func mixed(token []byte) bool {
	shape := shapeOf(tokenBody(token))
	return notSample(token) && (shape.digits > 0 || min(shape.lower, shape.upper) > len(token)/6)
}

// tokenBody is the token without the words that its maker begins it with.
func tokenBody(token []byte) []byte {
	prefix := bytes.LastIndexAny(token[:len(token)/3], "_-.")
	return token[prefix+1:]
}
