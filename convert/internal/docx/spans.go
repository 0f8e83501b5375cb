package docx

import (
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"quarry/convert/export"
	"quarry/internal/markdown"
)

// inline is the Markdown of a paragraph's pieces.
func (w *writer) inline(spans []span) string {
	spans = merged(spans)
	var b strings.Builder
	for at := 0; at < len(spans); {
		end := at + 1
		for end < len(spans) && spans[end].address == spans[at].address && spans[end].anchor == spans[at].anchor {
			end++
		}
		text := w.marks(spans[at:end])
		if first := spans[at]; first.address != "" || first.anchor != "" {
			trimmed := strings.TrimSpace(text)
			before, after, _ := strings.Cut(text, trimmed)
			text = before + w.linkTo(first, strings.ReplaceAll(trimmed, "\n", " ")) + after
		}
		b.WriteString(text)
		at = end
	}
	return b.String()
}

// merged are pieces without neighbours that are alike.
func merged(spans []span) []span {
	var out []span
	for at := 0; at < len(spans); {
		end := at + 1
		for end < len(spans) && spans[at].isLike(spans[end]) {
			end++
		}
		one := spans[at]
		if end > at+1 {
			var b strings.Builder
			for _, s := range spans[at:end] {
				b.WriteString(s.text)
			}
			one.text = b.String()
		}
		out = append(out, one)
		at = end
	}
	return out
}

// addressTo is a link to an address outside: of the web, or of another document of the export.
func (w *writer) addressTo(address, text string) string {
	if isWeb(address) {
		return "[" + text + "](" + escapeAddress(address) + ")"
	}
	kind := scheme.FindStringSubmatch(address)
	if kind == nil {
		decoded, err := url.PathUnescape(address)
		if err != nil {
			decoded = address
		}
		decoded, _, _ = strings.Cut(strings.ReplaceAll(decoded, `\`, "/"), "#")
		if extension := strings.ToLower(path.Ext(decoded)); extension == ".docx" || extension == ".docm" {
			return w.into.Link(export.Target{ID: path.Join(path.Dir(w.where), decoded), Text: text, Otherwise: text})
		}
	}
	switch {
	case kind == nil, len(kind[1]) == 1, strings.EqualFold(kind[1], "file"):
		w.into.Lost["link to a file of another machine, of which the text stays"]++
		return text
	case strings.EqualFold(kind[1], "javascript"), strings.EqualFold(kind[1], "vbscript"), strings.EqualFold(kind[1], "data"):
		w.into.Lost["address that runs"]++
		return text
	}
	return "[" + text + "](" + escapeAddress(address) + ")"
}

// marks writes pieces of one link with marks for their formats. Marks are nested and lie close to words, as Markdown wants them.
func (w *writer) marks(spans []span) string {
	pieces := w.split(spans)
	var b strings.Builder
	var open []format
	for i, s := range pieces {
		wanted := s.format & (marked | strike | bold | italic)
		if isBlank(s) {
			wanted = staying(open, pieces[i:])
		}
		open = changeMarks(&b, open, wanted)
		switch {
		case s.isMade:
			b.WriteString(s.text)
		case s.format&mono != 0 && strings.TrimSpace(s.text) != "":
			b.WriteString(codeSpan(s.text))
		case s.format&(above|below) != 0:
			b.WriteString(w.raised(s))
		case strings.TrimSpace(s.text) == "":
			b.WriteString(s.text)
		default:
			b.WriteString(markdown.Escape(s.text))
		}
	}
	changeMarks(&b, open, 0)
	return b.String()
}

// signOf are the marks of formats, from the outside to the inside.
var signOf = []struct {
	what format
	mark string
}{{marked, "=="}, {strike, "~~"}, {bold, "**"}, {italic, "*"}}

// changeMarks closes marks that are not wanted any more and opens those that are.
func changeMarks(b *strings.Builder, open []format, wanted format) []format {
	stays := 0
	for stays < len(open) && wanted&open[stays] != 0 {
		stays++
	}
	for i := len(open) - 1; i >= stays; i-- {
		b.WriteString(markOf(open[i]))
	}
	open = open[:stays]
	for _, one := range signOf {
		isOpen := false
		for _, o := range open {
			isOpen = isOpen || o == one.what
		}
		if wanted&one.what != 0 && !isOpen {
			b.WriteString(one.mark)
			open = append(open, one.what)
		}
	}
	return open
}

func markOf(what format) string {
	for _, one := range signOf {
		if one.what == what {
			return one.mark
		}
	}
	return ""
}

// split parts pieces so that none with a mark begins or ends with white space, nor with a sign that would keep a mark from counting.
func (w *writer) split(spans []span) []span {
	var pieces []span
	for _, s := range spans {
		if s.isMade || s.format == 0 {
			pieces = append(pieces, s)
			continue
		}
		core := strings.TrimSpace(s.text)
		if core == "" {
			pieces = append(pieces, s)
			continue
		}
		before, after, _ := strings.Cut(s.text, core)
		for _, text := range []string{before, core, after} {
			if text != "" {
				part := s
				part.text = text
				pieces = append(pieces, part)
			}
		}
	}
	return loosen(pieces)
}

func isBlank(s span) bool { return !s.isMade && strings.TrimSpace(s.text) == "" }

// staying are those of the open marks that go on over white space: no mark is opened before it.
func staying(open []format, pieces []span) format {
	var stays format
	for _, s := range pieces[:min(len(pieces), 8)] {
		if isBlank(s) {
			continue
		}
		for _, one := range open {
			if s.format&one == 0 {
				break
			}
			stays |= one
		}
		break
	}
	return stays
}

// loosen takes signs at the ends of marked pieces out of their marks where a letter or digit outside follows.
func loosen(pieces []span) []span {
	var out []span
	for i, s := range pieces {
		if s.isMade || s.format&(marked|strike|bold|italic) == 0 || s.format&mono != 0 {
			out = append(out, s)
			continue
		}
		isWordBefore := i > 0 && endsInWord(pieces[i-1]) && pieces[i-1].format&s.format != s.format
		isWordAfter := i < len(pieces)-1 && beginsWithWord(pieces[i+1]) && pieces[i+1].format&s.format != s.format
		if (isWordBefore || isWordAfter) && s.format&(marked|strike) != 0 {
			s.format &^= bold | italic // marks of two kinds side by side do not count within a word
		}
		core := s.text
		if isWordBefore {
			core = strings.TrimLeftFunc(core, isSign)
		}
		head := s.text[:len(s.text)-len(core)]
		if isWordAfter {
			core = strings.TrimRightFunc(core, isSign)
		}
		rest := s.text[len(head)+len(core):]
		for n, text := range []string{head, core, rest} {
			if text == "" {
				continue
			}
			part := s
			part.text = text
			switch n {
			case 0:
				part.format &= pieces[i-1].format
			case 2:
				part.format &= pieces[i+1].format
			}
			out = append(out, part)
		}
	}
	return out
}

func isSign(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

func endsInWord(s span) bool {
	r, _ := utf8.DecodeLastRuneInString(s.text)
	return !s.isMade && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

func beginsWithWord(s span) bool {
	r, _ := utf8.DecodeRuneInString(s.text)
	return !s.isMade && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

var (
	raised  = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹", "+", "⁺", "-", "⁻", "−", "⁻", "n", "ⁿ", "i", "ⁱ", "(", "⁽", ")", "⁾")
	lowered = strings.NewReplacer("0", "₀", "1", "₁", "2", "₂", "3", "₃", "4", "₄", "5", "₅", "6", "₆", "7", "₇", "8", "₈", "9", "₉", "+", "₊", "-", "₋", "−", "₋", "(", "₍", ")", "₎")
)

// raised is a superscript or subscript: in characters of their own where there are some, else as plain text.
func (w *writer) raised(s span) string {
	signs, from := raised, "0123456789+-−ni()"
	if s.format&below != 0 {
		signs, from = lowered, "0123456789+-−()"
	}
	if strings.Trim(s.text, from) == "" {
		return signs.Replace(s.text)
	}
	if strings.TrimSpace(s.text) != "" {
		w.into.Lost["superscript or subscript"]++
	}
	return markdown.Escape(s.text)
}
