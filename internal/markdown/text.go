package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"quarry/internal/lazyregexp"
)

func fromText(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n\n", "\u00a0", " ").Replace(text)
	var b strings.Builder
	isBlank := true
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " \t")
		if line == "" {
			if !isBlank {
				b.WriteByte('\n')
			}
			isBlank = true
			continue
		}
		isBlank = false
		quote := quotation.FindString(line)
		b.WriteString(strings.ReplaceAll(quote, " ", ""))
		if quote != "" {
			b.WriteByte(' ')
		}
		b.WriteString(escapeLine(strings.TrimLeft(line[len(quote):], " \t")))
		b.WriteByte('\n')
	}
	return strings.TrimSpace(b.String())
}

var (
	quotation = lazyregexp.New(`^(?:> ?)+`)
	lineStart = lazyregexp.New(`^(?:(\d{1,9})([.)])(?:[ \t]|$)|([-+>=]))`)
	entity    = lazyregexp.New(`^&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)
	address   = lazyregexp.New(`https?://[^\s<>"\x{E000}-\x{F8FF}]+`)
)

// escapeLine escapes a whole line: also what means something where it begins.
func escapeLine(line string) string {
	if m := lineStart.FindStringSubmatchIndex(line); m != nil {
		at := m[3] // of "1." behind the number
		if at < 0 {
			at = 0
		}
		return line[:at] + `\` + line[at:at+1] + escape(line[at+1:])
	}
	return escape(line)
}

// escape escapes what lies within a line, apart from addresses.
func escape(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		at := address.FindStringIndex(text)
		if at == nil {
			at = []int{len(text), len(text)}
		}
		escapeWords(&b, text[:at[0]])
		b.WriteString(strings.ReplaceAll(text[at[0]:at[1]], "*", "%2A"))
		text = text[at[1]:]
	}
	return b.String()
}

// escapeWords writes words with a "\" before each character that could mean something.
func escapeWords(b *strings.Builder, words string) {
	dollars := strings.Count(words, "$") > 1
	before := ' '
	for i, r := range words {
		rest := words[i+utf8.RuneLen(max(r, 0)):]
		if r == utf8.RuneError {
			_, width := utf8.DecodeRuneInString(words[i:])
			rest = words[i+width:]
		}
		next, _ := utf8.DecodeRuneInString(rest)
		if rest == "" {
			next = ' '
		}
		if means(r, before, next) || r == '$' && dollars || r == '&' && entity.MatchString(words[i:]) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		before = r
	}
}

// means tells whether Markdown or Obsidian could take a character, between these two, for more than itself.
func means(r, before, next rune) bool {
	switch r {
	case '\\', '*', '`', '[', ']':
		return true
	case '_':
		return !isWord(before) || !isWord(next)
	case '~', '=', '%':
		return before == r || next == r // "~~", "==", "%%"
	case '<':
		return unicode.IsLetter(next) || next == '/' || next == '!' || next == '?' || next == '%'
	case '#':
		return before != '&' && (!isWord(before) || before == '#')
	case '^':
		return unicode.IsSpace(before) && isWord(next)
	case ':':
		return next == ':'
	case '|':
		return true // also of a table where it stands in a cell
	}
	return false
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
