package convert

import (
	"strings"
	"unicode"

	"quarry/internal/filename"
)

// notInHeading are characters that links leave out of a heading's text.
const notInHeading = "!\"#$%&()*+,.:;<=>?@^`{|}~/[]\\"

// linkHeading is the text of a heading as a link names it: escapes are undone, marks of links are blanks.
func linkHeading(text string) string {
	var b strings.Builder
	isEscaped := false
	for _, r := range text {
		isEscape := r == '\\' && !isEscaped
		isEscaped = isEscape
		switch {
		case isEscape:
		case strings.ContainsRune("#|^[]\\%:", r):
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// findHeading finds the heading that a link of another app means: by its text, or by the anchor that apps make of it.
func findHeading(headings []string, wanted string) string {
	for _, same := range []func(string) string{plainHeading, lettersOf} {
		key := same(linkHeading(wanted))
		for _, heading := range headings {
			if key != "" && same(heading) == key {
				return heading
			}
		}
	}
	return ""
}

func plainHeading(text string) string {
	return strings.Join(strings.FieldsFunc(filename.Fold(text), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(notInHeading, r) }), " ")
}

func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, filename.Fold(text))
}
