package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Marks that end a sentence. Behind those of the first kind stands white space.
const (
	stops     = ".!?…"
	wideStops = "。！？｡．।॥؟۔።"
	closers   = "\"')]}*_`~”’»›」』）》〉】"
	openers   = "\"'([{*_`~“‘«‹「『（《〈【¿¡"
)

// abbreviations end in a stop that ends no sentence, beside initials and those with a stop within.
var abbreviations = map[string]bool{
	"dr": true, "mr": true, "mrs": true, "ms": true, "prof": true, "st": true, "jr": true, "sr": true, "vs": true, "cf": true, "etc": true,
	"al": true, "ed": true, "eds": true, "fig": true, "figs": true, "no": true, "nos": true, "vol": true, "pp": true, "ch": true, "sec": true,
	"eq": true, "approx": true, "dept": true, "inc": true, "ltd": true, "co": true, "corp": true, "gen": true, "col": true, "sgt": true,
	"bzw": true, "ca": true, "vgl": true, "usw": true, "nr": true, "abb": true, "bspw": true, "evtl": true, "ggf": true, "inkl": true,
	"zzgl": true, "hrsg": true, "bd": true, "art": true, "abs": true, "sog": true, "env": true, "sra": true, "mme": true, "mlle": true,
}

// sentenceLength gives the length in bytes of the first sentence of a text, the white space behind it included.
func sentenceLength(text string) int {
	for at := 0; at < len(text); {
		c, width := utf8.DecodeRuneInString(text[at:])
		switch {
		case c >= utf8.RuneSelf && strings.ContainsRune(wideStops, c):
			return skip(text, skip(text, at, wideStops+stops+closers), " \t\r\n　")
		case !strings.ContainsRune(stops, c):
			at += width
			continue
		}
		behind := behindStop(text, at)
		next := skip(text, behind, " \t\r\n\u00a0")
		if next == len(text) || next > behind && !isLowerAt(text, next) && (c != '.' || !isAbbreviation(text[:at])) {
			return next
		}
		at = behind
	}
	return len(text)
}

// behindStop gives the place behind the marks at the end of a sentence: further stops, quotes, a footnote.
func behindStop(text string, at int) int {
	at = skip(text, skip(text, at, stops), closers)
	if strings.HasPrefix(text[at:], "[^") {
		if end := strings.IndexByte(text[at:min(len(text), at+40)], ']'); end > 0 {
			return at + end + 1
		}
	}
	return at
}

// skip gives the place behind all characters of a set.
func skip(text string, at int, set string) int {
	return len(text) - len(strings.TrimLeft(text[at:], set))
}

// isLowerAt tells whether what stands at a place, behind quotes and brackets, goes on in lower case.
func isLowerAt(text string, at int) bool {
	window := text[at:min(len(text), at+16)]
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(window, openers))
	return unicode.IsLower(first)
}

// isAbbreviation tells whether the last word of a text, whose stop is cut off, is most likely no end of a sentence: an
// abbreviation, an initial, an ordinal.
func isAbbreviation(text string) bool {
	window := text[max(0, len(text)-16):]
	word := window[strings.LastIndexAny(window, " \t\r\n\u00a0(\"'[*_")+1:]
	if len(word) == 16 {
		return false
	}
	if digits := strings.Trim(word, "0123456789"); digits == "" {
		return len(word) == 1 || len(word) == 2
	}
	for part := range strings.SplitSeq(word, ".") {
		if strings.TrimFunc(part, unicode.IsLetter) != "" {
			return false
		}
	}
	return utf8.RuneCountInString(word) == 1 || hasShortParts(word) || abbreviations[strings.ToLower(word)]
}

// hasShortParts knows "e.g", "z.B", "U.S.A": letters with stops among them.
func hasShortParts(word string) bool {
	parts := 0
	for part := range strings.SplitSeq(word, ".") {
		if parts++; utf8.RuneCountInString(part) > 2 {
			return false
		}
	}
	return parts > 1
}

// endsSentence tells whether a line ends with a sentence.
func endsSentence(line string) bool {
	line = strings.TrimRight(strings.TrimRight(line, " \t"), closers)
	last, _ := utf8.DecodeLastRuneInString(line)
	if last == '.' {
		return !isAbbreviation(line[:len(line)-1])
	}
	return line != "" && strings.ContainsRune(stops+wideStops, last)
}

// maxStretchCharacters is the size of the stretches of a sentence that is too large for a passage.
const maxStretchCharacters = 200

// stretchLength gives the length in bytes of a first stretch of a text and what lies behind it: a clause, a space, or the
// middle of a word where there is no space.
func stretchLength(text string) (int, border) {
	limit := prefix(text, maxStretchCharacters)
	if limit == len(text) {
		return limit, atWord
	}
	window := text[:limit]
	if at := lastClause(window); at > limit/2 {
		return at, atClause
	}
	if at := strings.LastIndexAny(window, " \t\r\n\u00a0　"); at > 0 {
		_, width := utf8.DecodeRuneInString(window[at:])
		return at + width, atWord
	}
	for at := limit; at > limit/2; {
		next, _ := utf8.DecodeRuneInString(text[at:])
		last, width := utf8.DecodeLastRuneInString(text[:at])
		if !unicode.Is(unicode.M, next) && next != zeroWidthJoiner && last != zeroWidthJoiner {
			return at, atRune
		}
		at -= width
	}
	return limit, atRune
}

const zeroWidthJoiner = '\u200d'

// lastClause gives the place behind the last clause of a text, 0 if there is but one.
func lastClause(text string) int {
	best := 0
	for _, mark := range []string{", ", "; ", ": ", ". ", "? ", "! ", "、", "，", "；", "："} {
		if at := strings.LastIndex(text, mark); at >= 0 {
			best = max(best, at+len(mark))
		}
	}
	return best
}
