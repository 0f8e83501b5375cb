package secret

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// tokenShape is the form of a token as the tables write it: plain text, sets of bytes with a count, and choices.
//
//	{h32}     32 of the set h, see setsOfBytes; no letter or digit may follow where a shape ends so
//	{h8-12}   8 to 12
//	{h30+36}  at least 30, mostly 36, as many as there are
//	{uuid}    a UUID; {guid} what has its form and other letters
//	(a|b|)    one of these texts, or nothing
//	«...»     what is the secret, where that is not all
//
// Patterns, keywords and lengths of a rule follow from its shape; so do the made-up tokens of the tests.
type tokenShape struct {
	pattern           string   // RE2
	keywords          []string // the first plain text of each form of the shape
	before            int      // bytes at most in front of the keyword
	least             int      // bytes at least from the keyword on
	full              int      // what it usually has of them
	most              int      // and at the most, where it is not open
	shortest, longest int      // bytes of the whole token, from its start
	lengths           []int    // of whole tokens, of the forms whose counts are known
	open              bool     // no count bounds the end
	split             bool     // holds bytes that are in no token, see tokenEnd
}

// setsOfBytes are alphabets as RE2 has them in brackets.
var setsOfBytes = map[byte]string{
	'd': "0-9",
	'D': "1-9",
	'h': "a-f0-9",
	'H': "a-fA-F0-9",
	'l': "a-z",
	'L': "A-Za-z",
	'a': "a-z0-9",
	'V': "A-Z0-9",
	'e': "A-Z2-7",              // Base32
	'q': "A-Z0-9a-z",           // Bech32 is a part of it, in one case
	'A': "A-Za-z0-9",           // Base62
	'w': "A-Za-z0-9_",          //
	'b': "A-Za-z0-9_-",         // Base64 for addresses
	'k': "A-Za-z0-9_%-",        //
	's': "A-Za-z0-9+/",         // Base64
	'p': "A-Za-z0-9+/_-",       // both
	't': "A-Za-z0-9_.~-",       // both without a slash, with dots
	'z': "A-Za-z0-9+/=_.~%-",   // whatever a token may hold
	'y': "A-Za-z0-9+/=_.~%:@-", // with parts of an address
}

const maxKeywordBytes = 12

// readShape panics on one that is not well-formed: shapes are constants.
func readShape(text string) tokenShape {
	text = strings.ReplaceAll(text, "{uuid}", "{H8}-{H4}-{H4}-{H4}-{H12}")
	text = strings.ReplaceAll(text, "{guid}", "{A8}-{A4}-{A4}-{A4}-{A12}")
	s := tokenShape{pattern: shapePattern(text)}
	whole := strings.ReplaceAll(strings.ReplaceAll(text, "«", ""), "»", "")
	for i, form := range shapeForms(whole) {
		s.addForm(form, i == 0)
	}
	return s
}

// shapePattern puts a shape into RE2.
func shapePattern(text string) string {
	var out strings.Builder
	for text != "" {
		size := strings.IndexByte(text, '}') + 1
		switch mark, width := utf8.DecodeRuneInString(text); mark {
		case '{':
			out.WriteString(readCount(text[1 : size-1]).pattern())
		case '(':
			size = width
			out.WriteString("(?:")
		case '|', ')':
			size = width
			out.WriteRune(mark)
		case '«', '»':
			size = width
			out.WriteByte("()"[boolInt(mark == '»')])
		default:
			size = width
			out.WriteString(regexp.QuoteMeta(plainText(text[:size])))
		}
		text = text[size:]
	}
	return out.String()
}

// plainText puts in what a shape cannot hold as it is.
func plainText(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "␣", " "), "¦", "|")
}

// count is a set of bytes and how many of them; most is 0 where there is no end.
type count struct {
	kind               byte
	least, usual, most int
	isRange            bool // nothing says which numbers are usual
}

func readCount(text string) count {
	c := count{kind: text[0]}
	if low, high, found := strings.Cut(text[1:], "-"); found {
		c.least, c.usual, c.most, c.isRange = atoi(low), atoi(low), atoi(high), true
		return c
	}
	low, usual, open := strings.Cut(text[1:], "+")
	c.least = atoi(low)
	c.usual, c.most = c.least, c.least
	if open {
		c.most = 0
	}
	if usual != "" {
		c.usual = atoi(usual)
	}
	c.isRange = open && usual == ""
	return c
}

// pattern: where nothing bounds the count, the end of a sentence is no part of it.
func (c count) pattern() string {
	set := "[" + setsOfBytes[c.kind] + "]"
	last := lastOfSet[c.kind]
	switch {
	case c.most > 0:
		return set + "{" + strconv.Itoa(c.least) + "," + strconv.Itoa(c.most) + "}"
	case last != "":
		return set + "{" + strconv.Itoa(c.least-1) + ",}" + last
	}
	return set + "{" + strconv.Itoa(c.least) + ",}"
}

// lastOfSet is what may end a stretch of a set that has punctuation.
var lastOfSet = map[byte]string{'t': "[A-Za-z0-9_-]", 'z': "[A-Za-z0-9+/=_-]", 'y': "[A-Za-z0-9+/=_-]"}

// largest is the most bytes, or the usual number where there is no end.
func (c count) largest() int { return max(c.usual, c.most) }

func atoi(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic("secret: count " + digits + " in a shape") //nolint:forbidigo // shapes are constants
	}
	return n
}

// shapeForms spells the choices out.
func shapeForms(text string) []string {
	open := strings.IndexByte(text, '(')
	if open < 0 {
		return []string{text}
	}
	end := open + strings.IndexByte(text[open:], ')')
	var forms []string
	rest := shapeForms(text[end+1:])
	for choice := range strings.SplitSeq(text[open+1:end], "|") {
		for _, tail := range rest {
			forms = append(forms, text[:open]+choice+tail)
		}
	}
	return forms
}

// part of a form: plain text, or a count.
type part struct {
	text string
	count
}

// addForm takes a form without choices into account.
func (s *tokenShape) addForm(form string, first bool) {
	parts := readParts(form)
	key := keyPart(parts)
	f, before, length, isRange := tokenShape{}, 0, 0, false
	for i, p := range parts {
		length, isRange = length+len(p.text)+p.usual, isRange || p.isRange
		f.shortest, f.longest = f.shortest+len(p.text)+p.least, f.longest+len(p.text)+p.largest()
		for at := range len(p.text) {
			s.split = s.split || !inToken[p.text[at]]
		}
		if i < key {
			before += len(p.text) + p.largest()
			continue
		}
		f.least, f.full, f.most = f.least+len(p.text)+p.least, f.full+len(p.text)+p.usual, f.most+len(p.text)+p.largest()
	}
	if !isRange {
		s.lengths = append(s.lengths, length)
	}
	if last := parts[len(parts)-1]; last.text == "" && last.most == 0 {
		s.open = true
	}
	if first {
		s.least, s.full, s.shortest = f.least, f.full, f.shortest
	}
	word := parts[key].text
	s.keywords = append(s.keywords, word[:min(len(word), maxKeywordBytes)])
	s.shortest, s.longest = min(s.shortest, f.shortest), max(s.longest, f.longest)
	s.least, s.full, s.most, s.before = min(s.least, f.least), min(s.full, f.full), max(s.most, f.most), max(s.before, before)
}

func readParts(form string) []part {
	var parts []part
	for form != "" {
		if form[0] == '{' {
			end := strings.IndexByte(form, '}')
			parts = append(parts, part{count: readCount(form[1:end])})
			form = form[end+1:]
			continue
		}
		end := strings.IndexByte(form+"{", '{')
		parts = append(parts, part{text: plainText(form[:end])})
		form = form[end:]
	}
	return parts
}

// keyPart is the plain text at the start, else the longest.
func keyPart(parts []part) int {
	key := 0
	for i, p := range parts {
		if len(p.text) > len(parts[key].text) {
			key = i
		}
		if i == 0 && len(p.text) > 1 {
			break
		}
	}
	return key
}
