package intake

import (
	"slices"
	"strings"
	"unicode"
)

// matcher finds terms, words and phrases, in texts.
type matcher struct {
	terms   []term
	byFirst map[string][]int32 // by the stem of the first word; longer terms first
	wide    []int32            // terms with CJK letters, which are looked for letter by letter
	isAll   bool               // every term counts, also within a longer one
}

// term is a word or phrase.
type term struct {
	text    string // as the rules write it
	words   []token
	isExact bool
}

// add adds a term unless an equal one is there, and gives its number; -1 for a text without a word.
func (m *matcher) add(text string) int {
	text = strings.Join(strings.Fields(text), " ")
	added := term{text: text, words: tokensOf(text, nil)}
	if isBlank(text) {
		return -1
	}
	added.isExact = isExact(added.words)
	if m.byFirst == nil {
		m.byFirst = map[string][]int32{}
	}
	number := int32(len(m.terms))
	if strings.ContainsFunc(text, isCJK) {
		for _, at := range m.wide {
			if m.terms[at].text == text {
				return int(at)
			}
		}
		m.wide = append(m.wide, number)
		m.terms = append(m.terms, added)
		return int(number)
	}
	if len(added.words) == 0 {
		return -1
	}
	first := added.words[0].stem
	for _, at := range m.byFirst[first] {
		if m.terms[at].isExact == added.isExact && sameStems(m.terms[at].words, added.words) {
			return int(at)
		}
	}
	place, _ := slices.BinarySearchFunc(m.byFirst[first], len(added.words), func(at int32, length int) int { return length - len(m.terms[at].words) })
	m.byFirst[first] = slices.Insert(m.byFirst[first], place, number)
	m.terms = append(m.terms, added)
	return int(number)
}

func sameStems(a, b []token) bool {
	return slices.EqualFunc(a, b, func(x, y token) bool { return x.stem == y.stem })
}

// find calls each for every term in words, and in the text they are of. With anyCase a name counts in lower case, too, as in tags.
// The longest term at a place counts, and the next is looked for behind it, unless all count.
func (m *matcher) find(words []token, text string, anyCase bool, each func(number int)) {
	for at := 0; at < len(words); at++ {
		for _, number := range m.byFirst[words[at].stem] {
			t := &m.terms[number]
			if !t.matches(words[at:], anyCase) {
				continue
			}
			each(int(number))
			if !m.isAll {
				at += len(t.words) - 1
				break
			}
		}
	}
	if len(m.wide) == 0 || !hasWide(text) {
		return
	}
	for _, number := range m.wide {
		for range min(strings.Count(text, m.terms[number].text), 20) {
			each(int(number))
		}
	}
}

func (t *term) matches(words []token, anyCase bool) bool {
	if len(words) < len(t.words) {
		return false
	}
	if t.isExact {
		return words[0].raw == t.words[0].raw || anyCase && strings.EqualFold(words[0].raw, t.words[0].raw)
	}
	return sameStems(words[:len(t.words)], t.words)
}

// hits count where a term was found.
type hits struct{ title, tag, body int }

// places are the texts of a signal in which terms are looked for.
type places struct {
	title, tags, body            []token
	titleText, tagText, bodyText string
	bodyWords                    int // an estimate of words, also of scripts that write without spaces
}

func placesOf(signal Signal, form *form) *places {
	p := &places{titleText: cut(signal.Title, maxTitleBytes), tagText: strings.Join(signal.Tags[:min(len(signal.Tags), maxTags)], "\n"), bodyText: form.prose}
	p.title, p.tags, p.body = tokensOf(p.titleText, nil), tokensOf(cut(p.tagText, maxTitleBytes), nil), tokensOf(p.bodyText, make([]token, 0, len(form.prose)/6))
	p.bodyWords = form.words
	return p
}

// Bounds of what is read of a signal.
const (
	maxTitleBytes = 2000
	maxTags       = 100
	maxBodyBytes  = 64 << 10
)

// find counts the hits of a matcher's terms in all places.
func (p *places) find(m *matcher) map[int]hits {
	found := map[int]hits{}
	m.find(p.title, p.titleText, false, func(number int) { h := found[number]; h.title++; found[number] = h })
	m.find(p.tags, p.tagText, true, func(number int) { h := found[number]; h.tag++; found[number] = h })
	m.find(p.body, p.bodyText, false, func(number int) { h := found[number]; h.body++; found[number] = h })
	return found
}

func cut(text string, maxBytes int) string {
	if len(text) <= maxBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxBytes], "")
}

// hasWide tells that a text may have CJK letters: they begin with 0xe3 to 0xed or 0xf0 in UTF-8.
func hasWide(text string) bool {
	for at := range len(text) {
		if text[at] >= 0xe3 && text[at] <= 0xed || text[at] == 0xf0 {
			return true
		}
	}
	return false
}

func countWide(text string) int {
	count := 0
	if !hasWide(text) {
		return 0
	}
	for _, c := range text {
		if c >= 0x2e80 && isCJK(c) {
			count++
		}
	}
	return count
}

func isBlank(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
}
