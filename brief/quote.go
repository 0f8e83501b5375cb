package brief

import (
	"encoding/xml"
	"fmt"
	"strings"
	"unicode"

	"quarry/internal/steering"
)

// maxHeadingRunes bounds a title: a longer one is none, but text that would stand outside the quotation.
const maxHeadingRunes = 200

// plain is a note's text without what acts instead of showing. Line ends become line feeds.
func plain(text string) string {
	return steering.Plain(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text))
}

// oneLine is plain text in one line, a run of blanks as one.
func oneLine(s string) string { return plain(strings.Join(strings.Fields(s), " ")) }

// onePathLine keeps all of a path that a line can hold, runs of blanks too.
func onePathLine(path string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, plain(path))
}

func cut(line string) string {
	if runes := []rune(line); len(runes) > maxHeadingRunes {
		return string(runes[:maxHeadingRunes]) + "…"
	}
	return line
}

func isUnusualInPath(r rune) bool {
	return !unicode.In(r, unicode.L, unicode.N, unicode.M) && !strings.ContainsRune(" -_./,+'&()=@#", r)
}

// longestRun is the length of the longest run of some characters, of which those that nobody sees do not part it.
func longestRun(text string, belongs func(rune) bool) int {
	longest, run := 0, 0
	for _, r := range text {
		switch {
		case belongs(r):
			run++
			longest = max(longest, run)
		case !isInvisible(r):
			run = 0
		}
	}
	return longest
}

// isInvisible: format characters (such as the zero-width ones), marks that sit on a letter, and what has no width.
func isInvisible(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Mn, unicode.Me) || r == '\u3164' || r == '\uffa0'
}

func isTilde(r rune) bool {
	return strings.ContainsRune("~\uff5e\u02dc\u223c\u223d\u301c\u2053\u3030", r)
}

func isBacktick(r rune) bool { return strings.ContainsRune("`\uff40\u02cb\u1fef\u2035", r) }

// escape is text for XML, attributes included. What looks like a bracket of a tag is written by its number, too: a program
// reads it back, a reader takes it for none.
func escape(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		return "" // a strings.Builder takes everything
	}
	escaped := strings.NewReplacer("&#xA;", "\n", "&#x9;", "\t").Replace(b.String())
	if strings.IndexFunc(escaped, isBracket) < 0 {
		return escaped
	}
	b.Reset()
	for _, r := range escaped {
		if isBracket(r) {
			fmt.Fprintf(&b, "&#x%X;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isBracket(r rune) bool {
	return strings.ContainsRune("\uff1c\uff1e\ufe64\ufe65\u2039\u203a\u3008\u3009\u2329\u232a\u27e8\u27e9\u276e\u276f\u1438\u1433", r)
}
