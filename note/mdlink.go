package note

import (
	"html"
	"strings"
)

// maxParentheses is how deep parentheses may nest in a destination; CommonMark asks for 3 at the least.
const maxParentheses = 32

// readDestination reads a link destination (CommonMark 0.31, section 6.3): "<any thing>" or a run without white space
// and with balanced parentheses. place is the destination without "<" and ">".
func readDestination(text string, at int) (place Range, next int, ok bool) {
	if at < len(text) && text[at] == '<' {
		for i := at + 1; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case '\n', '\r', '<':
				return Range{}, 0, false
			case '>':
				return Range{at + 1, i}, i + 1, true
			}
		}
		return Range{}, 0, false
	}
	depth, i := 0, at
scan:
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && isPunctuation(text[i+1]):
			i++
		case c == '(':
			if depth++; depth > maxParentheses {
				return Range{}, 0, false
			}
		case c == ')':
			if depth == 0 {
				break scan
			}
			depth--
		case c <= ' ' || c == 0x7F:
			break scan
		}
	}
	return Range{at, i}, i, depth == 0 && i > at
}

// readTitle reads a title in quotes or parentheses.
func readTitle(text string, at int) (next int, ok bool) {
	if at >= len(text) {
		return 0, false
	}
	open := text[at]
	if open != '"' && open != '\'' && open != '(' {
		return 0, false
	}
	close := open
	if open == '(' {
		close = ')'
	}
	for i := at + 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == close:
			return i + 1, true
		case c == '(' && open == '(':
			return 0, false
		}
	}
	return 0, false
}

// readTail reads "(destination "title")" of an inline link; at stands on the parenthesis.
func readTail(text string, at int) (place Range, next int, ok bool) {
	at = skipSpace(text, at+1)
	place, next, ok = readDestination(text, at)
	if !ok || place.Start == place.End {
		return Range{}, 0, false
	}
	rest := skipSpace(text, next)
	if rest > next && rest < len(text) && text[rest] != ')' {
		after, titled := readTitle(text, rest)
		if !titled {
			return Range{}, 0, false
		}
		rest = skipSpace(text, after)
	}
	if rest >= len(text) || text[rest] != ')' {
		return Range{}, 0, false
	}
	return place, rest + 1, true
}

// setDestination fills target and subpath from a destination as written.
func (l *Link) setDestination(s *source, written string) {
	plain := unescape(written)
	if isExternal(plain) {
		l.Target, l.External = withoutEncoded(plain), true // a file in the address is in Raw alone
	} else {
		path, sub, found := strings.Cut(plain, "#")
		l.Target = percentDecode(path)
		if found {
			l.Subpath = "#" + percentDecode(sub)
		}
	}
	if plain != written || strings.IndexByte(plain, '%') >= 0 {
		l.Target, l.Subpath = s.clean(l.Target), s.clean(l.Subpath)
	}
}

// unescape resolves backslash escapes and entities.
func unescape(text string) string {
	if strings.IndexByte(text, '\\') >= 0 {
		var out strings.Builder
		for i := 0; i < len(text); i++ {
			if text[i] == '\\' && i+1 < len(text) && isPunctuation(text[i+1]) {
				i++
			}
			out.WriteByte(text[i])
		}
		text = out.String()
	}
	return decodeEntities(text)
}

// maxEntityBytes is the length of the longest entity of HTML, "&CounterClockwiseContourIntegral;".
const maxEntityBytes = 33

// decodeEntities resolves entities. Unlike in HTML, one without its ";" is text.
func decodeEntities(text string) string {
	at := strings.IndexByte(text, '&')
	if at < 0 || strings.LastIndexByte(text, ';') < at {
		return text
	}
	var out strings.Builder
	for ; at >= 0; at = strings.IndexByte(text, '&') {
		out.WriteString(text[:at])
		text = text[at:]
		length := 1
		for length < len(text) && length < maxEntityBytes && (isLetter(text[length]) || isDigit(text[length]) || length == 1 && text[1] == '#') {
			length++
		}
		if length < len(text) && text[length] == ';' {
			length++
		}
		decoded := html.UnescapeString(text[:length])
		if text[length-1] != ';' || len(decoded) > 1 && strings.HasSuffix(decoded, ";") {
			decoded = text[:length] // unknown, or only its head is known
		}
		out.WriteString(decoded)
		text = text[length:]
	}
	out.WriteString(text)
	return out.String()
}

// percentDecode decodes once; a sequence that is not valid, or does not give UTF-8, stays as it is.
func percentDecode(text string) string {
	if strings.IndexByte(text, '%') < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			high, low := unhex(text[i+1]), unhex(text[i+2])
			if high >= 0 && low >= 0 && (high > 0 || low > 0) {
				out = append(out, byte(high<<4|low))
				i += 2
				continue
			}
		}
		out = append(out, text[i])
	}
	if decoded := string(out); validUTF8(decoded) {
		return decoded
	}
	return text
}

func unhex(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// isExternal tells whether a destination has a scheme ("https:", "mailto:") or is "//host".
func isExternal(destination string) bool {
	if strings.HasPrefix(destination, "//") {
		return true
	}
	for i := 0; i < len(destination) && i < 33; i++ {
		c := destination[i]
		if c == ':' {
			return i > 1
		}
		if !isLetter(c) && (i == 0 || !isDigit(c) && c != '+' && c != '-' && c != '.') {
			return false
		}
	}
	return false
}

// isPunctuation knows the ASCII punctuation that a backslash can escape.
func isPunctuation(c byte) bool {
	return c > ' ' && c < 0x7F && !isLetter(c) && !isDigit(c)
}
