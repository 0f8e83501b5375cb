package compress

import (
	"strings"
	"unicode/utf8"
)

// troubleWords are what lines of errors say, in small letters; see also isTrouble.
var troubleWords = map[string]bool{
	"fail": true, "failed": true, "fails": true, "failing": true, "failure": true, "failures": true, "fatal": true, "panic": true,
	"panicked": true, "panics": true, "traceback": true, "abort": true, "aborted": true, "aborting": true, "crash": true, "crashed": true,
	"segfault": true, "segmentation": true, "undefined": true, "unresolved": true, "cannot": true, "denied": true, "refused": true,
	"killed": true, "unable": true, "invalid": true, "timeout": true, "severe": true, "critical": true, "emerg": true, "alert": true,
	"err": true, "race": true, "deadlock": true, "corrupt": true, "corrupted": true, "unrecognized": true, "unhandled": true, "conflict": true,
	"oom": true, "missing": true,
}

// troublePhrases are what lines of errors say in several words, or in words that are trouble in small letters only.
var troublePhrases = []string{
	"not found", "timed out", "No such file", "can't ", "could not ", "Could not ", "Could NOT ", "couldn't ", "o space left", " reset by peer",
	"nreachable", "navailable", " rejected", "o matching ", "orbidden", "nauthorized", "ermission ",
}

// isError tells whether a line speaks of an error. "0 errors" and "no failures" do not.
func isError(text string) bool { return errorAt(text) >= 0 }

// errorAt is where a line first speaks of an error in a word, or in a phrase if in no word; -1: it does not.
func errorAt(text string) int {
	for start := 0; start < len(text); {
		if !isLetter(text[start]) {
			start++
			continue
		}
		end := start
		for end < len(text) && isLetter(text[end]) {
			end++
		}
		if isTrouble(text[start:end]) && !isNone(text, start, end) {
			return start
		}
		start = end
	}
	for _, phrase := range troublePhrases {
		if at := strings.Index(text, phrase); at >= 0 {
			return at
		}
	}
	return badStatusAt(text)
}

// isErrorMessage tells of a line in the form of a message: a word of trouble right in front of or behind a colon. "error: disk full"
// and "disk: cannot open" are, "throwError(x)" and "an error page" are not.
func isErrorMessage(text string) bool {
	const mostLooked = 400
	text = text[:min(len(text), mostLooked)]
	for from := 0; ; {
		at := strings.Index(text[from:], ": ")
		if at < 0 {
			return badStatusAt(text) >= 0
		}
		at += from
		start := at
		for start > 0 && isLetter(text[start-1]) {
			start--
		}
		next := at + 2
		end := next
		for end < len(text) && isLetter(text[end]) {
			end++
		}
		if isTrouble(text[start:at]) && !isNone(text, start, at) || isTrouble(text[next:end]) && !isNone(text, next, end) {
			return true
		}
		from = next
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// isTrouble tells of a word, which may be the end of a longer one: AssertionError, NullPointerException.
func isTrouble(word string) bool {
	const longestWord = 64
	if len(word) < 3 || len(word) > longestWord {
		return false
	}
	var buffer [longestWord]byte
	small := buffer[:len(word)]
	for i := range small {
		small[i] = word[i] | 0x20
	}
	tail := strings.TrimSuffix(string(small), "s")
	return strings.HasSuffix(tail, "error") || strings.HasSuffix(tail, "exception") || troubleWords[string(small)]
}

// isNone tells whether a word is counted as zero: "0 errors", "no errors", "Failures: 0".
func isNone(text string, start, end int) bool {
	before := strings.TrimRight(text[:start], " ")
	if before != text[:start] {
		if strings.HasSuffix(before, "0") && (len(before) == 1 || !isDigit(before[len(before)-2]) && before[len(before)-2] != '.') {
			return true
		}
		if n := len(before) - 2; n >= 0 && strings.EqualFold(before[n:], "no") && (n == 0 || !isLetter(before[n-1])) {
			return true
		}
	}
	after := strings.TrimLeft(text[end:], ":= ")
	return len(after) < len(text)-end && strings.HasPrefix(after, "0") && (len(after) == 1 || !isDigit(after[1]) && after[1] != '.' && after[1] != 'x')
}

// indentOf is how many spaces and tabs a line starts with.
func indentOf(text string) int { return len(text) - len(strings.TrimLeft(text, " \t")) }

// hasPlace tells whether there is a file and a line in a text: a.go:12, A.java:12, a.ts(12,5).
func hasPlace(text string) bool {
	for i := 1; i+1 < len(text); i++ {
		if (text[i] == ':' || text[i] == '(') && isDigit(text[i+1]) && isFileEnd(text[:i]) {
			return true
		}
	}
	return false
}

// isFileEnd tells whether a text ends as the name of a source file does: with a dot and up to six letters or digits.
func isFileEnd(text string) bool {
	for i := len(text) - 1; i > 0 && i >= len(text)-7; i-- {
		switch c := text[i]; {
		case c == '.':
			return i < len(text)-1 && isLetter(text[i+1]) && (isLetter(text[i-1]) || isDigit(text[i-1]) || text[i-1] == '_' || text[i-1] >= utf8.RuneSelf)
		case !isLetter(c) && !isDigit(c):
			return false
		}
	}
	return false
}

// template is a text without what differs from time to time: digits, hexadecimal numbers and what is quoted or assigned.
func template(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case isDigit(c) || isLetter(c):
			end, digits := i, 0
			for end < len(text) && (isDigit(text[end]) || isLetter(text[end])) {
				if isDigit(text[end]) {
					digits++
				}
				end++
			}
			if digits > 0 {
				b.WriteByte('0')
			} else {
				b.WriteString(text[i:end])
			}
			i = end
		case c == '"' || c == '\'' || c == '`':
			i = quotedEnd(&b, text, i)
		case c == '=' && i > 0 && isLetter(text[i-1]):
			b.WriteString("=*")
			for i++; i < len(text) && text[i] != ' ' && text[i] != ',' && text[i] != '"'; i++ {
			}
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

// quotedEnd writes a pair of quotes in the place of what is quoted, which is short.
func quotedEnd(b *strings.Builder, text string, at int) int {
	const longest = 200
	b.WriteByte(text[at])
	if n := strings.IndexByte(text[at+1:min(len(text), at+longest)], text[at]); n >= 0 {
		b.WriteByte(text[at])
		return at + n + 2
	}
	return at + 1
}

// dropMiddle drops the middle of a stretch of lines that are not errors: of what is longer than head and tail.
func dropMiddle(lines []line, head, tail int) {
	for i := head; i < len(lines)-tail; i++ {
		lines[i].dropHarmless(otherLines, 1)
	}
}

// squeezeRule makes a line of one sign, or a title between two such, short: "=== FAILURES ===".
func squeezeRule(text string) string {
	const least, left = 8, 3
	if len(text) < 2*least {
		return text
	}
	for _, sign := range []string{"=", "-", "_", "*", "#", "⎯", "─", "━", "═", "_ "} {
		if !strings.HasPrefix(text, strings.Repeat(sign, least)) {
			continue
		}
		middle := strings.TrimLeft(text, sign)
		rest := strings.TrimRight(middle, sign)
		short := strings.Repeat(sign, left)
		if sign != "_ " {
			middle = rest
		}
		switch {
		case strings.TrimSpace(middle) == "":
			return strings.TrimRight(short, " ")
		case strings.HasSuffix(text, strings.Repeat(sign, left)):
			return short + " " + strings.TrimSpace(middle) + " " + short
		}
		return short + " " + strings.TrimSpace(middle)
	}
	return text
}
