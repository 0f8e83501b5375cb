package store

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of the further words of a text, so that data that only look like names do not fill the index.
const (
	maxIdentifiers      = 32  // of a text, distinct
	maxIdentifierBytes  = 48  // of one; a longer one is left out, its parts are not
	maxCompoundBytes    = 512 // a longer one is no name
	maxHumpedBytes      = 96  // of a word in camelCase, likewise
	minPathParts        = 3   // of a path whose parts are plain words: "and/or" is none
	minPartRunes        = 2   // of a part of camelCase
	identifierTitleTerm = 2   // how often those of a title count
)

// Identifiers gives the further words by which a compound word is found, in lower case, distinct, in the order of the text: its
// parts joined without separators (DEC-0054 gives dec0054), and the parts of camelCase. None for a word that is neither. Time is
// linear in the length of the word. Safe for concurrent use.
//
// A compound is word characters with single separators between them: _ - . / \ :: ->. Joined are
//   - snake_case, and what has hyphens with both letters and digits. Plain hyphenated words are not: they are found as words side
//     by side, and are too many in any prose;
//   - dotted and qualified names (file.ext, a.b.c, std::vector), unless all parts are single letters, as in "e.g.";
//   - paths of three parts, or with a name in them that is joined;
//   - what stands between the separators of a path or a dotted name, by the same rules.
//
// Numbers alone (dates, versions, addresses) are not joined. camelCase is parted where a capital follows a small letter or a
// digit, and before the last of several capitals where two small letters follow: XMLHttpRequest gives xml, http, request; IPv4,
// URLs and iOS give nothing. Scripts that Segment cuts are left to it.
func Identifiers(word string) []string {
	f := identifiers{humps: true}
	f.add(word)
	return f.found
}

// identifierText gives what ColumnIdentifiers holds of the texts of the other columns, "" where no compound is in them. Names of
// the note are on its first passage alone, and count twice. Of camelCase in the text the parts are there that are no words of the
// passage. Compounds in fences of code and targets of links are passed over.
func identifierText(texts []string, index int) string {
	parts := humpPartsPool.Get().(*humpParts)
	defer parts.release()
	var b strings.Builder
	var f identifiers
	for column, text := range texts {
		f.found, f.humps = f.found[:0], isName(column)
		times := 1
		switch {
		case !f.humps:
			f.addText(text, parts)
		case column == ColumnSection:
			f.add(text)
		case index == 0:
			times = identifierTitleTerm
			f.add(text)
		}
		for range times {
			for _, term := range f.found {
				write(&b, term, "")
			}
		}
	}
	for column, text := range texts {
		parts.know(text, isName(column))
	}
	parts.write(&b)
	return b.String()
}

// isName tells of a column that it holds names and headings.
func isName(column int) bool {
	return column == ColumnSection || column == ColumnContext || column == ColumnAliases
}

// identifiers gathers the further words of a text.
type identifiers struct {
	found []string
	humps bool // parts of camelCase, too
	term  []byte
}

func (f *identifiers) isFull() bool { return len(f.found) == maxIdentifiers }

// addText adds those of Markdown, code in fences and targets of links apart, and gathers the parts of camelCase.
func (f *identifiers) addText(text string, parts *humpParts) {
	fence := "" // that is open
	for len(text) > 0 && (!f.isFull() || !parts.isFull()) {
		line := text
		if end := strings.IndexByte(text, '\n'); end >= 0 {
			line = text[:end]
		}
		text = text[min(len(line)+1, len(text)):]
		switch begin := withoutIndent(line); {
		case fence != "":
			if strings.HasPrefix(begin, fence) {
				fence = ""
			} else {
				parts.addLine(line, true)
			}
		case strings.HasPrefix(begin, "```"), strings.HasPrefix(begin, "~~~"):
			fence = begin[:3]
		default:
			f.addLine(line, parts)
		}
	}
}

// withoutIndent leaves white space and signs of quotes at the beginning out.
func withoutIndent(line string) string {
	for i := range len(line) {
		if c := line[i]; c != ' ' && c != '\t' && c != '>' {
			return line[i:]
		}
	}
	return ""
}

// addLine adds the compounds outside the targets of links. It looks at characters that join or lead to a target alone: there are
// few of them, and each text of an index is read here.
func (f *identifiers) addLine(line string, parts *humpParts) {
	begin := 0
	for at := 0; at < len(line); at++ {
		if !stops[line[at]] {
			continue
		}
		switch rest := line[at:]; {
		case strings.HasPrefix(rest, "]("), strings.HasPrefix(rest, "://"):
			parts.addLine(line[begin:at], false)
			end := strings.IndexAny(rest[2:], " \t)>\"'`")
			if end < 0 {
				return
			}
			at += 1 + end
			begin = at + 1
		case at > 0 && kinds[line[at-1]] >= kindSmall:
			at = max(at, f.addJoined(line, at)-1)
		}
	}
	parts.addLine(line[begin:], false)
}

// addJoined adds the compound whose first separator stands there, and tells where it ends; before that where there is none.
func (f *identifiers) addJoined(line string, at int) (end int) {
	length := separatorAt(line, at)
	start := at
	for length > 0 && start > 0 {
		_, size := utf8.DecodeLastRuneInString(line[:start])
		if kind, _ := kindOf(line, start-size); kind < kindSmall {
			break
		}
		start -= size
	}
	if start == at {
		return at
	}
	for end = at + length; end < len(line); end += length {
		kind, size := kindOf(line, end)
		if length = size; kind >= kindSmall {
			continue
		}
		if length = separatorAt(line, end); length == 0 {
			break
		}
	}
	if end-start <= maxCompoundBytes && !strings.HasSuffix(line[:start], templateBegin) {
		f.addCompound(line[start:end])
	}
	return end
}

// put adds a term, in lower case and without separators.
func (f *identifiers) put(term string) {
	if f.isFull() {
		return
	}
	lower, bytes := f.term[:0], 0
	for _, r := range term {
		if r >= utf8.RuneSelf || kinds[r] >= kindSmall {
			lower = utf8.AppendRune(lower, unicode.ToLower(r))
			bytes += utf8.RuneLen(r)
		}
	}
	f.term = lower
	if bytes > maxIdentifierBytes {
		return
	}
	for _, other := range f.found {
		if other == string(lower) {
			return
		}
	}
	f.found = append(f.found, string(lower))
}

// The kinds of characters in a compound.
const (
	kindOther     = iota
	kindSeparator // may stand within one
	kindSmall     // a letter or mark without case, too
	kindCapital
	kindDigit
	kindLong // of several bytes: any of the others
)

// kinds are those of bytes.
var kinds = func() (kinds [256]byte) {
	for i := range kinds {
		switch c := byte(i); {
		case c >= utf8.RuneSelf:
			kinds[c] = kindLong
		case c >= 'a' && c <= 'z':
			kinds[c] = kindSmall
		case c >= 'A' && c <= 'Z':
			kinds[c] = kindCapital
		case c >= '0' && c <= '9':
			kinds[c] = kindDigit
		case strings.IndexByte(`_-./\:`, c) >= 0:
			kinds[c] = kindSeparator
		}
	}
	return kinds
}()

// stops are the bytes that addLine looks at.
var stops = func() (stops [256]bool) {
	for c, kind := range kinds {
		stops[c] = kind == kindSeparator || c == ']'
	}
	return stops
}()

func kindOf(text string, at int) (kind byte, size int) {
	if c := text[at]; c < utf8.RuneSelf {
		return kinds[c], 1
	}
	r, size := utf8.DecodeRuneInString(text[at:])
	switch {
	case isCut(r):
		return kindOther, size
	case unicode.IsUpper(r):
		return kindCapital, size
	case unicode.IsDigit(r):
		return kindDigit, size
	case IsWordCharacter(r):
		return kindSmall, size
	}
	return kindOther, size
}

// add finds the compounds of a text.
func (f *identifiers) add(text string) {
	start, joined, humped := -1, false, false // of the present compound
	last := byte(kindOther)
	end := func(at int) {
		if start >= 0 && (joined || humped) && at-start <= maxCompoundBytes {
			f.addCompound(text[start:at])
		}
		start, joined, humped = -1, false, false
	}
	for at := 0; at < len(text) && !f.isFull(); {
		kind, size := kindOf(text, at)
		switch {
		case kind >= kindSmall:
			if start < 0 {
				start = at
			}
			humped = humped || kind == kindCapital && last >= kindSmall || kind == kindSmall && last == kindCapital && at-size > start
		case start < 0:
		default:
			if length := separatorAt(text, at); length > 0 {
				joined, size, kind = true, length, kindSeparator
			} else {
				end(at)
			}
		}
		last, at = kind, at+size
	}
	end(len(text))
}

// separatorAt is the length of the separator that stands there before a word character, 0 for none.
func separatorAt(text string, at int) int {
	length := 1
	switch text[at] {
	case '_', '.', '/', '\\':
	case '-':
		if strings.HasPrefix(text[at:], "->") {
			length = 2
		}
	case ':':
		if !strings.HasPrefix(text[at:], "::") {
			return 0
		}
		length = 2
	default:
		return 0
	}
	if at+length == len(text) {
		return 0
	}
	if kind, _ := kindOf(text, at+length); kind < kindSmall {
		return 0
	}
	return length
}

// addCompound takes a compound apart: a path into names, a name into words, and these at their humps.
func (f *identifiers) addCompound(compound string) {
	if !f.humps && isPlain(compound) {
		return
	}
	if parts := 1 + strings.Count(compound, "/") + strings.Count(compound, `\`); parts > 1 {
		if (parts >= minPathParts || strings.ContainsAny(compound, "._")) && holdsLetter(compound) {
			f.put(compound)
		}
	}
	for name := range strings.FieldsFuncSeq(compound, func(r rune) bool { return r == '/' || r == '\\' }) {
		if strings.ContainsAny(name, ".:>") && isDotted(name) {
			f.put(name)
		}
		for word := range strings.FieldsFuncSeq(name, isDot) {
			f.addWord(strings.TrimSuffix(word, "-")) // of "->"
		}
	}
}

// isPlain tells at a glance of most compounds that they are words with hyphens, or a number.
func isPlain(compound string) bool {
	letters, digits, others := false, false, false
	for i := range len(compound) {
		switch c := compound[i]; kinds[c] {
		case kindSmall, kindCapital:
			letters = true
		case kindDigit:
			digits = true
		case kindLong:
			return false
		default:
			others = others || c != '-'
		}
	}
	return !letters || !digits && !others
}

// addWord adds a word with or without _ and -.
func (f *identifiers) addWord(word string) {
	switch {
	case !strings.ContainsAny(word, "_-"), !holdsLetter(word):
	case strings.Contains(word, "_"), strings.ContainsFunc(word, unicode.IsDigit):
		f.put(word)
	}
	if f.humps {
		for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return r == '_' || r == '-' }) {
			eachHump(part, f.put)
		}
	}
}

func isDot(r rune) bool { return r == '.' || r == ':' || r == '>' }

// isDotted tells a name with dots from an abbreviation and from numbers.
func isDotted(name string) bool {
	for word := range strings.FieldsFuncSeq(name, isDot) {
		if word = strings.TrimSuffix(word, "-"); utf8.RuneCountInString(word) > 1 && holdsLetter(word) { // of "->"
			return true
		}
	}
	return false
}

func holdsLetter(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }
