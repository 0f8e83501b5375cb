package roam

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"quarry/convert/export"
	"quarry/internal/draft"
	"quarry/internal/lazyregexp"
	"quarry/internal/markdown"
)

// maxNesting bounds links within the text of links.
const maxNesting = 4

var (
	italic    = lazyregexp.New(`__(\S(?:[^\n]*?\S)?)__`)
	highlight = lazyregexp.New(`\^\^(\S(?:[^\n]*?\S)?)\^\^`)
	webAt     = lazyregexp.New(`^https?://[^\s<>"\[\]{}]+`)
	uidAt     = lazyregexp.New(`^\(\(([A-Za-z0-9_-]{1,64})\)\)`)
	tagAt     = lazyregexp.New(`^#([\p{L}\p{N}\p{M}_/-]+)`)
	plainTag  = lazyregexp.New(`^[\p{L}\p{N}\p{M}_/ -]+$`)
	component = lazyregexp.New(`(?s)^\s*(?:\[\[)?\s*([A-Za-z][A-Za-z -]*?)\s*(?:\]\])?\s*(?::\s*(.*?))?\s*$`)
)

// scan is one pass over a text within a block.
type scan struct {
	*reader
	text     string
	brackets []int // for each "[" the index of its "]"; 0: none
	braces   []int
	code     *markdown.Code
	out      strings.Builder
	kept     []string // what no pattern may change any more
	nesting  int
}

const keepOpen, keepClose = '\uE0F4', '\uE0F5'

// inline is the Markdown of a text in Roam's.
func (r *reader) inline(text string, nesting int) string {
	text = strings.Map(func(c rune) rune {
		if c == keepOpen || c == keepClose {
			return -1
		}
		return c
	}, text)
	hidden, code := markdown.HideCode(text)
	s := &scan{reader: r, text: hidden, code: code, nesting: nesting, brackets: pairs(hidden, '[', ']'), braces: pairs(hidden, '{', '}')}
	for at := 0; at < len(hidden); {
		if width := s.special(at); width > 0 {
			at += width
			continue
		}
		_, width := utf8.DecodeRuneInString(hidden[at:])
		s.out.WriteString(hidden[at : at+width])
		at += width
	}
	marked := highlight.ReplaceAllString(italic.ReplaceAllString(s.out.String(), "*$1*"), "==$1==")
	return code.Show(s.restore(marked))
}

// pairs gives for each opening character the index of the one that closes it, 0 for none.
func pairs(text string, opening, closing byte) []int {
	found := make([]int, len(text))
	var open []int
	for i := range len(text) {
		switch text[i] {
		case opening:
			open = append(open, i)
		case closing:
			if len(open) > 0 {
				found[open[len(open)-1]] = i
				open = open[:len(open)-1]
			}
		}
	}
	return found
}

// keep writes a piece that is Markdown already.
func (s *scan) keep(piece string) {
	s.kept = append(s.kept, piece)
	s.out.WriteRune(keepOpen)
	s.out.WriteRune(rune(0xF0000 + len(s.kept) - 1)) // a private character for each; there are 65,000, and the rest is written as it is
	s.out.WriteRune(keepClose)
}

func (s *scan) restore(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, string(keepOpen))
		b.WriteString(before)
		if !found {
			return b.String()
		}
		sign, width := utf8.DecodeRuneInString(rest)
		if index := int(sign) - 0xF0000; index >= 0 && index < len(s.kept) {
			b.WriteString(s.kept[index])
		}
		text = strings.TrimPrefix(rest[width:], string(keepClose))
	}
}

// special writes what begins at a place, and gives its length; 0 where it is plain text.
func (s *scan) special(at int) int {
	if len(s.kept) > 60_000 {
		return 0
	}
	rest := s.text[at:]
	switch s.text[at] {
	case '[':
		return s.bracket(at)
	case '!':
		if strings.HasPrefix(rest, "![") {
			return s.image(at)
		}
	case '(':
		if m := uidAt.FindStringSubmatch(rest); m != nil {
			s.keep(s.blockLink(m[1], "", false))
			return len(m[0])
		}
	case '{':
		if end := s.braces[at]; strings.HasPrefix(rest, "{{") && end > at+2 && s.braces[at+1] == end-1 && strings.TrimSpace(s.text[at+2:end-1]) != "" {
			s.component(s.text[at+2 : end-1])
			return end + 1 - at
		}
	case '#':
		return s.tag(at)
	case 'h':
		if address := webAt.FindString(rest); address != "" {
			s.address(address)
			return len(address)
		}
	case '$':
		if end := strings.Index(rest[min(2, len(rest)):], "$$"); strings.HasPrefix(rest, "$$") && end > 0 && end < 10_000 {
			s.keep("$" + strings.TrimSpace(rest[2:2+end]) + "$")
			return end + 4
		}
	}
	return 0
}

// pageAt is the title in "[[…]]" at a place, and the place behind it.
func (s *scan) pageAt(at int) (title string, end int) {
	if at+1 >= len(s.text) || s.text[at] != '[' || s.text[at+1] != '[' {
		return "", 0
	}
	if end = s.brackets[at]; end == 0 || s.brackets[at+1] != end-1 {
		return "", 0
	}
	return s.code.Show(s.text[at+2 : end-1]), end + 1
}

func (s *scan) bracket(at int) int {
	if title, end := s.pageAt(at); end > 0 && strings.TrimSpace(title) != "" {
		s.keep(s.pageLink(title, ""))
		return end - at
	}
	text, address, end := s.linkAt(at)
	if end == 0 {
		return 0
	}
	shown := text
	if s.nesting < maxNesting {
		shown = s.inline(s.code.Show(text), s.nesting+1)
	}
	s.keep(s.linkTo(address, shown))
	return end - at
}

// linkAt parts "[text](address)" at a place.
func (s *scan) linkAt(at int) (text, address string, end int) {
	closing := s.brackets[at]
	if closing == 0 || closing+1 >= len(s.text) || s.text[closing+1] != '(' {
		return "", "", 0
	}
	depth := 0
	for i := closing + 1; i < len(s.text) && i < closing+4096 && s.text[i] != '\n'; i++ {
		switch s.text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return s.text[at+1 : closing], strings.TrimSpace(s.text[closing+2 : i]), i + 1
			}
		}
	}
	return "", "", 0
}

// linkTo is a link to a block, a page or an address.
func (s *scan) linkTo(address, text string) string {
	if m := uidAt.FindStringSubmatch(address); m != nil && len(m[0]) == len(address) {
		return s.blockLink(m[1], text, false)
	}
	if strings.HasPrefix(address, "[[") && strings.HasSuffix(address, "]]") && len(address) > 4 {
		return s.pageLink(s.code.Show(address[2:len(address)-2]), text)
	}
	s.count(address)
	return "[" + text + "](" + s.code.Show(address) + ")"
}

func (s *scan) image(at int) int {
	text, address, end := s.linkAt(at + 1)
	if end == 0 {
		return 0
	}
	s.count(address)
	s.keep("![" + s.code.Show(text) + "](" + s.code.Show(address) + ")")
	return end - at
}

func (s *scan) address(address string) {
	s.count(address)
	s.keep(address)
}

// count counts files at Roam's server.
func (s *scan) count(address string) {
	if strings.Contains(address, "firebasestorage.googleapis.com") || strings.Contains(address, "firebasestorage.app") {
		s.remote++
	}
}

// tag writes a tag, or a link where its page has a name that no tag can have.
func (s *scan) tag(at int) int {
	if at > 0 {
		if before, _ := utf8.DecodeLastRuneInString(s.text[:at]); unicode.IsLetter(before) || unicode.IsDigit(before) || strings.ContainsRune("#&/", before) {
			return 0
		}
	}
	name, end := s.pageAt(at + 1)
	if end == 0 {
		m := tagAt.FindStringSubmatch(s.text[at:])
		if m == nil {
			return 0
		}
		name, end = m[1], at+len(m[0])
	}
	tag, ok := draft.Tag(name)
	_, isDay := dayOf(name)
	switch {
	case ok && !isDay && plainTag.MatchString(name):
		s.keep("#" + tag)
	case s.text[at+1] == '[':
		s.keep(s.pageLink(name, ""))
	default:
		s.keep(s.text[at:end])
	}
	return end - at
}

// media are components that show what lies at an address.
var media = map[string]bool{"youtube": true, "video": true, "audio": true, "pdf": true, "iframe": true, "tweet": true, "twitter": true, "image": true}

func (s *scan) component(inner string) {
	name, argument := "", ""
	if m := component.FindStringSubmatch(inner); m != nil {
		name, argument = strings.ToLower(m[1]), m[2]
	}
	switch {
	case name == "todo":
		s.keep("[ ]")
	case name == "done":
		s.keep("[x]")
	case strings.HasPrefix(name, "embed"):
		if s.embed(argument) {
			return
		}
		s.keep(codeSpan("{{" + s.code.Show(inner) + "}}"))
	case media[name] && webAt.FindString(argument) != "":
		s.address(webAt.FindString(argument))
	default:
		if name == "query" {
			s.into.Lost["query, which stays as text"]++
		} else {
			s.into.Lost["component, which stays as text"]++
		}
		s.keep(codeSpan("{{" + s.code.Show(inner) + "}}"))
	}
}

func (s *scan) embed(argument string) bool {
	if m := uidAt.FindStringSubmatch(argument); m != nil {
		s.keep(s.blockLink(m[1], "", true))
		return true
	}
	if strings.HasPrefix(argument, "[[") && strings.HasSuffix(argument, "]]") && len(argument) > 4 {
		title := s.code.Show(argument[2 : len(argument)-2])
		s.keep(s.into.Link(s.toPage(export.Target{Name: title, IsEmbed: true, Otherwise: otherwise(title, "")})))
		return true
	}
	return false
}

// codeSpan is a text as code within a line.
func codeSpan(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	text = strings.Join(strings.Fields(text), " ")
	if fence != "`" {
		text = " " + text + " "
	}
	return fence + text + fence
}
