package memory

import "strings"

// stem cuts the endings off an English word as FTS5's tokenizer porter does: by M. F. Porter, "An algorithm for suffix
// stripping" (Program 14, 1980), for words of 3 to 64 bytes. Bytes that are no letters of ASCII count as consonants.
func stem(word string) string {
	const leastBytes, mostBytes = 3, 64
	if len(word) < leastBytes || len(word) > mostBytes {
		return word
	}
	word = withoutPlural(word)
	word = withoutPast(word)
	if base, found := strings.CutSuffix(word, "y"); found && hasVowel(base) {
		word = base + "i"
	}
	for _, step := range []struct {
		endings []ending
		least   int // of consonants behind vowels
	}{{secondStep, 1}, {thirdStep, 1}, {fourthStep, 2}} {
		word = replaceEnding(word, step.endings, step.least)
	}
	if base, found := strings.CutSuffix(word, "e"); found {
		if m := measure(base); m > 1 || m == 1 && !endsShort(base) {
			word = base
		}
	}
	if base := strings.TrimSuffix(word, "l"); strings.HasSuffix(word, "ll") && measure(base) > 1 {
		word = base
	}
	return word
}

func withoutPlural(word string) string {
	switch {
	case strings.HasSuffix(word, "sses") && len(word) > 4, strings.HasSuffix(word, "ies") && len(word) > 3:
		return word[:len(word)-2]
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss"):
		return word[:len(word)-1]
	}
	return word
}

// withoutPast takes -ed and -ing off.
func withoutPast(word string) string {
	if base, found := strings.CutSuffix(word, "eed"); found && base != "" {
		if measure(base) > 0 {
			return base + "ee"
		}
		return word
	}
	base, found := strings.CutSuffix(word, "ed")
	if !found {
		base, found = strings.CutSuffix(word, "ing")
	}
	if !found || !hasVowel(base) {
		return word
	}
	for _, short := range []string{"at", "bl", "iz"} {
		if strings.HasSuffix(base, short) && len(base) > len(short) {
			return base + "e"
		}
	}
	last := base[len(base)-1]
	switch {
	case !isVowel(last, false) && !strings.ContainsRune("lsz", rune(last)) && len(base) > 1 && base[len(base)-2] == last:
		return base[:len(base)-1]
	case measure(base) == 1 && endsShort(base):
		return base + "e"
	}
	return base
}

// ending is replaced by another.
type ending struct{ from, to string }

// The first that fits decides, whether it is replaced or not.
var (
	secondStep = []ending{
		{"ational", "ate"},
		{"tional", "tion"},
		{"enci", "ence"},
		{"anci", "ance"},
		{"izer", "ize"},
		{"logi", "log"},
		{"bli", "ble"},
		{"alli", "al"},
		{"entli", "ent"},
		{"eli", "e"},
		{"ousli", "ous"},
		{"ization", "ize"},
		{"ation", "ate"},
		{"ator", "ate"},
		{"alism", "al"},
		{"iveness", "ive"},
		{"fulness", "ful"},
		{"ousness", "ous"},
		{"aliti", "al"},
		{"iviti", "ive"},
		{"biliti", "ble"},
	}
	thirdStep = []ending{
		{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
	}
	fourthStep = []ending{
		{"al", ""},
		{"ance", ""},
		{"ence", ""},
		{"er", ""},
		{"ic", ""},
		{"able", ""},
		{"ible", ""},
		{"ant", ""},
		{"ement", ""},
		{"ment", ""},
		{"ent", ""},
		{"sion", "s"},
		{"tion", "t"},
		{"ou", ""},
		{"ism", ""},
		{"ate", ""},
		{"iti", ""},
		{"ous", ""},
		{"ive", ""},
		{"ize", ""},
	}
)

func replaceEnding(word string, endings []ending, least int) string {
	for _, e := range endings {
		base, found := strings.CutSuffix(word, e.from)
		if !found || base == "" {
			continue
		}
		if measure(base+e.kept()) >= least {
			return base + e.to
		}
		return word
	}
	return word
}

// kept is the beginning of the ending that counts for the measure: -ion goes only behind s and t.
func (e ending) kept() string {
	if e.from == "sion" || e.from == "tion" {
		return e.to
	}
	return ""
}

// isVowel tells whether a letter is a vowel; y is one behind a consonant.
func isVowel(letter byte, behindConsonant bool) bool {
	return strings.IndexByte("aeiou", letter) >= 0 || letter == 'y' && behindConsonant
}

// measure counts the places where a consonant follows a vowel.
func measure(word string) int {
	count, consonant := 0, false
	for i := range len(word) {
		before := consonant
		consonant = !isVowel(word[i], before)
		if i > 0 && consonant && !before {
			count++
		}
	}
	return count
}

// hasVowel tells whether there is a vowel; y is one everywhere but at the beginning.
func hasVowel(word string) bool {
	for i := range len(word) {
		if isVowel(word[i], i > 0) {
			return true
		}
	}
	return false
}

// endsShort tells whether a word ends in consonant, vowel, consonant, the last not w, x or y.
func endsShort(word string) bool {
	if len(word) < 3 || strings.IndexByte("wxy", word[len(word)-1]) >= 0 {
		return false
	}
	var kinds [3]bool // consonants among the last
	consonant := false
	for i := range len(word) {
		consonant = !isVowel(word[i], consonant)
		kinds = [3]bool{kinds[1], kinds[2], consonant}
	}
	return kinds == [3]bool{true, false, true}
}
