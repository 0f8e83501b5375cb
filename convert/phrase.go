package convert

import (
	"strings"
	"unicode"

	"quarry/internal/lazyregexp"
)

const (
	maxPhraseWords = 8
	minPhraseWords = 3
)

var notWords = lazyregexp.New("!?\\[\\[[^\\]]*\\]\\]|!?\\[[^\\]]*\\]\\([^)]*\\)|`[^`]*`|https?://\\S+|<[^>]*>|\\^[\\w-]+$|#\\S+")

// Phrase is some words of a note that stand beside each other in it, by which it should be found: of its longest line of prose, at most
// eight. "" where it has no such line.
func Phrase(note string) string {
	best := ""
	count := 0
	isHead, isCode := strings.HasPrefix(note, "---\n"), false
	for i, line := range strings.Split(note, "\n") {
		switch {
		case isHead:
			isHead = i == 0 || line != "---"
			continue
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			isCode = !isCode
			continue
		case isCode || strings.HasPrefix(strings.TrimSpace(line), "|"):
			continue
		}
		for part := range strings.SplitSeq(notWords.ReplaceAllString(line, "\n"), "\n") {
			if words := wordsOf(part); len(words) > count {
				best, count = strings.Join(words, " "), len(words)
			}
		}
		if count >= maxPhraseWords {
			break
		}
	}
	if count < minPhraseWords {
		return ""
	}
	return best
}

func wordsOf(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	return words[:min(len(words), maxPhraseWords)]
}
