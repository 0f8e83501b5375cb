package sample

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// minSecretBytes is the length below which a known secret is no credential that anybody could tell from a word.
const minSecretBytes = 6

// placeholderWords are those by which writers say that a value is none.
var placeholderWords = regexp.MustCompile(
	`(?i)example|placeholder|change_?me|your[-_]|redacted|dummy|fake|foobar|xxxx|\*\*\*\*|\.\.\.|^<.*>$|^\$?\{.*\}$|^%.*%$`)

// Reason says why a positive sample is left out, empty where it is not. It looks at the secret's own bytes and at nothing
// that a filter finds:
//
//	short        the known secret has fewer than six bytes
//	placeholder  it says that it is none: "example", "your_", "xxxx", "****", "<…>", "${…}", …
//	repeated     one run of one character is half of it or more, as in AKIA followed by sixteen Z
//	sequence     one run of characters that count up or down is half of it or more: abcdef…, 012345…
//
// A sample whose secret is not known is left out where its text is empty or not UTF-8 without NUL: that is no note.
func Reason(one Sample) string {
	switch secret := one.Secret; {
	case strings.TrimSpace(one.Text) == "" || !utf8.ValidString(one.Text) || strings.ContainsRune(one.Text, 0):
		return "binary"
	case secret == "":
		return ""
	case len(secret) < minSecretBytes:
		return "short"
	case placeholderWords.MatchString(secret):
		return "placeholder"
	case 2*longestRun(secret, 0) >= len(secret):
		return "repeated"
	case 2*max(longestRun(secret, 1), longestRun(secret, -1)) >= len(secret):
		return "sequence"
	}
	return ""
}

// longestRun is the length of the longest stretch whose bytes each differ by step from the one before; 9 is followed by
// 0 as well.
func longestRun(text string, step int) int {
	longest, run := 0, 0
	for i := range len(text) {
		next := i > 0 && (int(text[i])-int(text[i-1]) == step ||
			step == 1 && text[i-1] == '9' && text[i] == '0' || step == -1 && text[i-1] == '0' && text[i] == '9')
		if next {
			run++
		} else {
			run = 1
		}
		longest = max(longest, run)
	}
	return longest
}

// Select drops what is left out and what is there twice, and counts the reasons. With all it drops only what is there twice
// and what is no text.
func Select(samples []Sample, all bool) (kept []Sample, leftOut map[string]int) {
	leftOut = map[string]int{}
	seen := map[Sample]bool{}
	for _, one := range samples {
		key := Sample{Text: one.Text, Secret: one.Secret, Positive: one.Positive}
		if seen[key] {
			leftOut["twice"]++
			continue
		}
		seen[key] = true
		if reason := Reason(one); reason == "binary" || reason != "" && one.Positive && !all {
			leftOut[reason]++
			continue
		}
		kept = append(kept, one)
	}
	return kept, leftOut
}
