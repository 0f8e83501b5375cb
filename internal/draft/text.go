package draft

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"quarry/internal/lazyregexp"
	"quarry/internal/steering"
)

// Bounds, in characters unless they say otherwise.
const (
	maxTitle      = 200
	maxMadeTitle  = 80 // of one that is made from the text
	maxProperty   = 500
	maxTag        = 100
	maxNameBytes  = 80 // of what a title gives to the stem of a file's name
	fallbackTitle = "Captured note"
)

// Body is the text of a note without its frontmatter, in the form of Text: what two captures have to share to be the same.
func Body(content string) string {
	content = strings.ReplaceAll(content, "\r\n", "\n")
	if head, isHead := strings.CutPrefix(content, "---\n"); isHead {
		if _, body, ends := strings.Cut("\n"+head, "\n---\n"); ends {
			content = body
		}
	}
	return trimmed(content)
}

// escapeSequence is what steers a terminal: colours, cursor, titles.
var escapeSequence = lazyregexp.New("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b\n]*(?:\x07|\x1b\\\\)?|[ -/]*[0-~])")

// Text is a note's text as it is written: UTF-8, lines that end with "\n", without control characters and blank lines around it.
// "<%" becomes "<\%", which Markdown shows as it was: plugins of Obsidian run what stands behind it in a new note.
func Text(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(escapeSequence.ReplaceAllString(text, ""))
	text = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || r == '\uFEFF') {
			return -1
		}
		return r
	}, text)
	return trimmed(strings.ReplaceAll(text, "<%", `<\%`))
}

// trimmed is text without white space behind it and blank lines before it.
func trimmed(text string) string {
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	for {
		line, rest, more := strings.Cut(text, "\n")
		if !more || strings.TrimSpace(line) != "" {
			return text
		}
		text = rest
	}
}

// Line is a value of one line: white space is one blank, what steers is left out, "<%" becomes "< %", and a long one is cut with "…".
func Line(value string) string { return line(value, maxProperty) }

// TitleLine is Line for a title.
func TitleLine(title string) string { return line(title, maxTitle) }

func line(value string, most int) string {
	value = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || r == '\u2028' || r == '\u2029':
			return ' '
		case steering.Is(r) || r == '\uFEFF':
			return -1
		}
		return r
	}, escapeSequence.ReplaceAllString(strings.ToValidUTF8(value, "\uFFFD"), ""))
	value = strings.ReplaceAll(strings.Join(strings.Fields(value), " "), "<%", "< %") // as in Text; YAML knows no "\%"
	if utf8.RuneCountInString(value) <= most {
		return value
	}
	cut := string([]rune(value)[:most-1])
	if at := strings.LastIndexByte(cut, ' '); at > len(cut)/2 {
		cut = cut[:at]
	}
	return strings.TrimRight(cut, " ") + "…"
}

var lineMarks = lazyregexp.New(`^(?:#{1,6}\s+|[-*+]\s+(?:\[.\]\s+)?|\d+[.)]\s+|>\s?)+`)

// TitleOf makes a title of a text in the form of Text: its first line that says something, without marks of Markdown before it.
func TitleOf(text string) string {
	for len(text) > 0 {
		var one string
		one, text, _ = strings.Cut(text, "\n")
		one = one[:min(len(one), 16*maxMadeTitle)]
		if one = strings.TrimSpace(one); strings.HasPrefix(one, "```") || strings.HasPrefix(one, "~~~") {
			continue
		}
		one = strings.Trim(strings.ReplaceAll(lineMarks.ReplaceAllString(one, ""), "**", ""), "*_` ")
		if one = line(one, maxMadeTitle); strings.IndexFunc(one, isWord) >= 0 {
			return one
		}
	}
	return fallbackTitle
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Tag is a tag as Obsidian takes it, without "#": white space becomes "-", and what no tag can hold is left out. ok is false where
// nothing is left, or digits alone, which are no tag.
func Tag(tag string) (_ string, ok bool) {
	var b strings.Builder
	for _, r := range line(strings.TrimLeft(strings.TrimSpace(tag), "#"), maxTag) {
		switch {
		case unicode.IsSpace(r):
			r = '-'
		case r < utf8.RuneSelf && !isWord(r) && r != '_' && r != '-' && r != '/', r >= 0x2000 && r <= 0x206F, r >= 0x2E00 && r <= 0x2E7F:
			continue
		}
		b.WriteRune(r)
	}
	var parts []string
	for part := range strings.SplitSeq(b.String(), "/") {
		if part = strings.Trim(part, "-"); part != "" {
			parts = append(parts, part)
		}
	}
	tag = strings.Join(parts, "/")
	return tag, strings.IndexFunc(tag, func(r rune) bool { return r != '/' && (r < '0' || r > '9') }) >= 0
}

// FileStem is the name of a note's file without its extension: the minute of its creation and words of its title. It is safe on
// Linux, macOS and Windows, and of letters, digits and "-" alone.
func FileStem(created time.Time, title string) string {
	day := created.Format("2006-01-02-1504")
	if name := slug(title); name != "" {
		return day + "-" + name
	}
	return day
}

// slug is the words of a title in lower case with "-" between them, at most maxNameBytes long.
func slug(title string) string {
	var b strings.Builder
	isOpen := false // a word may go on
	for _, r := range norm.NFC.String(strings.ToLower(title)) {
		switch isMark := unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Mc, r); {
		case isWord(r), isMark && isOpen && b.Len() > 0:
			if !isOpen && b.Len() > 0 {
				b.WriteByte('-')
			}
			b.WriteRune(r)
			isOpen = true
		case r == '\'' || r == '’' || r == '\u200c' || r == '\u200d' || isMark:
		default:
			isOpen = false
		}
	}
	name := norm.NFC.String(b.String())
	if len(name) <= maxNameBytes {
		return name
	}
	end := maxNameBytes
	for !utf8.RuneStart(name[end]) {
		end--
	}
	if at := strings.LastIndexByte(name[:end+1], '-'); at > maxNameBytes/2 {
		end = at
	}
	return strings.TrimRight(name[:end], "-")
}

// Scalar is a value of one line in YAML: as it is where every reader takes it for the same text, else in double quotes.
func Scalar(value string) string {
	if isPlain(value) {
		return value
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range value {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsGraphic(r) || r == '\u200c' || r == '\u200d':
			b.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// meaning are words that some reader of YAML takes for another value than a text.
var meaning = map[string]bool{"true": true, "false": true, "yes": true, "no": true, "on": true, "off": true, "y": true, "n": true, "null": true}

func isPlain(value string) bool {
	for i, r := range value {
		isInside := r == ' ' || r == '-' || r == '/' || r == '_' || unicode.IsDigit(r) || unicode.IsMark(r)
		if !unicode.IsLetter(r) && (i == 0 || !isInside) {
			return false
		}
	}
	return value != "" && !meaning[strings.ToLower(value)] && !strings.HasSuffix(value, " ")
}
