package store

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Bounds of the parts of camelCase that a text is found by.
const (
	maxHumpParts       = 24 // of a passage, distinct
	maxHumpPartsFenced = 8  // of these in fences of code
	maxHumpCandidates  = 64 // parts of a passage that are compared with its words
)

// humpParts gathers the parts of camelCase of a passage's text that are no words of the passage: those find it anyway. Parts are
// few, so the words are looked up among them and not they among the words: memory is bounded, and time is linear.
type humpParts struct {
	list   []humpPart
	heads  [1 << (2 * headBits)]uint8 // by the first two letters: one more than the place of the last such part
	fenced int
}

// humpPart is a part as it stands in the text.
type humpPart struct {
	text    string
	isKnown bool  // as a word of the passage
	next    uint8 // one more than the place of another part of the same head
}

const headBits = 5

var humpPartsPool = sync.Pool{New: func() any { return new(humpParts) }}

// release leaves nothing of the passage behind.
func (h *humpParts) release() {
	for _, part := range h.list {
		h.heads[headOf(part.text)] = 0
	}
	clear(h.list)
	h.list, h.fenced = h.list[:0], 0
	humpPartsPool.Put(h)
}

func (h *humpParts) isFull() bool { return len(h.list) == maxHumpCandidates }

// headOf is that of a word of two bytes at least, whatever their case.
func headOf(word string) int {
	const mask = 1<<headBits - 1
	return int(word[0]&mask)<<headBits | int(word[1]&mask)
}

// addLine gathers those of a line or a part of one. Names of templates, as {{embedNote}}, are no text.
func (h *humpParts) addLine(line string, isFenced bool) {
	for at := 1; at < len(line); at++ {
		if kinds[line[at]] != kindCapital || !isHumpAt(line, at) {
			continue
		}
		if h.isFull() {
			return
		}
		start, end := wordAround(line, at)
		word := line[start:end]
		if at = end; strings.HasSuffix(line[:start], templateBegin) || brands[word] {
			continue
		}
		eachHump(word, func(part string) { h.add(part, isFenced) })
	}
}

// wordAround is where the word begins and ends of which a character stands there.
func wordAround(line string, at int) (start, end int) {
	for start = at; start > 0 && kinds[line[start-1]] >= kindSmall; start-- {
	}
	for end = at + 1; end < len(line) && kinds[line[end]] >= kindSmall; end++ {
	}
	return start, end
}

// brands are names that stand in many notes and are not found by their parts: who looks for java, git or you does not look for these,
// and where these words were as frequent as the names they would weigh nothing. On documentation of the web java was in five times as
// many passages, git too.
var brands = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(`JavaScript TypeScript CoffeeScript AppleScript GitHub GitLab BitBucket YouTube LinkedIn FaceBook WhatsApp
		TikTok WordPress PayPal PowerPoint PowerShell OneNote OneDrive SharePoint OutLook FaceTime MacBook AirPods LibreOffice OpenOffice
		StackOverflow JetBrains IntelliJ PostScript LaTeX MySQL PostgreSQL`) {
		names[name] = true
	}
	return names
}()

// templateBegin stands before the name of a template, which is no text.
const templateBegin = "{{"

// isHumpAt tells whether a part of camelCase begins at an ASCII capital that is not the first character of a line. Of text it is
// enough to look at these: words of which all humps are other letters are not worth the time.
func isHumpAt(line string, at int) bool {
	switch kinds[line[at-1]] {
	case kindSmall, kindDigit, kindLong:
		return true
	case kindCapital:
		return at+2 < len(line) && kinds[line[at+1]] == kindSmall && kinds[line[at+2]] == kindSmall
	}
	return false
}

func (h *humpParts) add(part string, isFenced bool) {
	if len(h.list) == maxHumpCandidates || len(part) > maxIdentifierBytes || isFenced && h.fenced == maxHumpPartsFenced {
		return
	}
	head := &h.heads[headOf(part)]
	for at := *head; at > 0; at = h.list[at-1].next {
		if strings.EqualFold(h.list[at-1].text, part) {
			return
		}
	}
	if isFenced {
		h.fenced++
	}
	h.list = append(h.list, humpPart{text: part, next: *head})
	*head = uint8(len(h.list))
}

// know marks the parts that are words of a text, or those of one but for an s at the end: the index has their stems. Of names, the
// parts of camelCase are in the index, too.
func (h *humpParts) know(text string, isName bool) {
	if len(h.list) == 0 {
		return
	}
	for at := 0; at < len(text); {
		start := at
		for at < len(text) {
			kind, size := kinds[text[at]], 1
			if kind == kindLong {
				kind, size = kindOf(text, at)
			}
			if kind < kindSmall {
				break
			}
			at += size
		}
		if at == start {
			_, size := utf8.DecodeRuneInString(text[at:])
			at += size
			continue
		}
		h.knowWord(text[start:at])
		if isName {
			eachHump(text[start:at], h.knowWord)
		}
	}
}

func (h *humpParts) knowWord(word string) {
	if len(word) < minPartRunes {
		return
	}
	for at := h.heads[headOf(word)]; at > 0; at = h.list[at-1].next {
		if part := &h.list[at-1]; !part.isKnown && isSameWord(part.text, word) {
			part.isKnown = true
		}
	}
}

// isSameWord compares words, whatever their case, with or without an s at the end.
func isSameWord(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(b)-len(a) <= 1 && strings.EqualFold(a, b[:len(a)]) && (len(a) == len(b) || b[len(a)]|0x20 == 's')
}

// write adds those that are no words of the passage.
func (h *humpParts) write(b *strings.Builder) {
	left := maxHumpParts
	for _, part := range h.list {
		if part.isKnown {
			continue
		}
		if left--; left < 0 {
			return
		}
		write(b, strings.ToLower(part.text), "")
	}
}

// eachHump visits the parts of a word in camelCase, single letters apart; none where the first is a single letter: iPhone, eBay.
func eachHump(word string, visit func(part string)) {
	if len(word) > maxHumpedBytes {
		return
	}
	start, runes := 0, 0
	for at, r := range word {
		if at > 0 && unicode.IsUpper(r) && isHumpBefore(word[:at], word[at+utf8.RuneLen(r):]) {
			if start == 0 && runes < minPartRunes {
				return
			}
			if runes >= minPartRunes {
				visit(word[start:at])
			}
			start, runes = at, 0
		}
		runes++
	}
	if start > 0 && runes >= minPartRunes {
		visit(word[start:])
	}
}

// isHumpBefore tells whether a part of camelCase begins with a capital between those.
func isHumpBefore(before, after string) bool {
	if last, _ := utf8.DecodeLastRuneInString(before); !unicode.IsUpper(last) {
		return true
	}
	next, size := utf8.DecodeRuneInString(after)
	second, _ := utf8.DecodeRuneInString(after[size:])
	return unicode.IsLower(next) && unicode.IsLower(second)
}
