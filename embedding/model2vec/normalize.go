package model2vec

import (
	"slices"
	"unicode/utf8"
)

// normalizer is the BertNormalizer of tokenizers: clean the text, set ideographs apart, strip accents, lower the case.
type normalizer struct {
	cleanText, padChinese, stripAccents, lowercase bool

	form  int                   // which string of the table a character becomes; 0: none
	ascii [utf8.RuneSelf]uint16 // what becomes of an ASCII byte, or asciiDropped
}

const asciiDropped = 0x100

// prepare fills what is derived from the switches.
func (n *normalizer) prepare() {
	switch {
	case n.stripAccents && n.lowercase:
		n.form = bothOffset
	case n.stripAccents:
		n.form = strippedOnly
	case n.lowercase:
		n.form = lowerOnly
	}
	for b := range n.ascii {
		n.ascii[b] = uint16(b)
		record := recordOf(rune(b))
		switch {
		case n.cleanText && record.class() == classDropped:
			n.ascii[b] = asciiDropped
		case n.cleanText && record.class() == classSpace:
			n.ascii[b] = ' '
		case n.lowercase && b >= 'A' && b <= 'Z':
			n.ascii[b] = uint16(b - 'A' + 'a')
		}
	}
}

// normalization is one text on its way. Marks that survive wait for the end of their run, to be put in canonical order.
type normalization struct {
	*normalizer
	out   []byte
	marks []waitingMark
}

type waitingMark struct {
	combining uint8
	text      string // empty for itself
	itself    rune
}

// append adds the normal form of text to out. Bytes that are no UTF-8 count as U+FFFD.
func (n *normalizer) append(out []byte, text string) []byte {
	state := normalization{normalizer: n, out: slices.Grow(out, len(text)+len(text)/8)}
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf && len(state.marks) == 0 {
			i = state.asciiRun(text, i)
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		state.character(r)
		i += size
	}
	state.flushMarks()
	return state.out
}

// asciiRun takes the ASCII characters from start on and returns where they end.
func (s *normalization) asciiRun(text string, start int) int {
	out := s.out
	i := start
	for ; i < len(text) && text[i] < utf8.RuneSelf; i++ {
		if b := s.ascii[text[i]]; b != asciiDropped {
			out = append(out, byte(b))
		}
	}
	s.out = out
	return i
}

func (s *normalization) character(r rune) {
	record := recordOf(r)
	switch class := record.class(); {
	case class == classDropped && s.cleanText:
	case class == classSpace && s.cleanText:
		s.starter(' ')
	case class == classChinese && s.padChinese:
		s.starter(' ')
		s.changed(r, record)
		s.starter(' ')
	case !s.stripAccents:
		s.changed(r, record)
	case class == classMark:
	case class == classMarkStarter:
		s.flushMarks()
	case class == classHangul:
		s.syllable(r)
	case record.combining() != 0:
		s.marks = append(s.marks, waitingMark{record.combining(), record.text(s.form), r})
	default:
		s.changed(r, record)
	}
}

func (s *normalization) starter(r rune) {
	s.flushMarks()
	s.out = utf8.AppendRune(s.out, r)
}

// changed writes what r becomes. A mark in a decomposition waits as well.
func (s *normalization) changed(r rune, record charRecord) {
	text := ""
	if s.form != 0 {
		text = record.text(s.form)
	}
	switch {
	case text == "":
		s.starter(r)
	case !s.stripAccents:
		s.out = append(s.out, text...)
	default:
		for _, part := range text {
			if combining := recordOf(part).combining(); combining != 0 {
				s.marks = append(s.marks, waitingMark{combining, "", part})
				continue
			}
			s.starter(part)
		}
	}
}

// syllable decomposes a Hangul syllable (Unicode, section 3.12).
func (s *normalization) syllable(r rune) {
	const first, lead, vowel, trail, vowels, trails = 0xAC00, 0x1100, 0x1161, 0x11A7, 21, 28
	index := r - first
	s.starter(lead + index/(vowels*trails))
	s.starter(vowel + index%(vowels*trails)/trails)
	if t := index % trails; t != 0 {
		s.starter(trail + t)
	}
}

// flushMarks ends a run: the marks go out by combining class, those of one class in the order of the text.
func (s *normalization) flushMarks() {
	if len(s.marks) == 0 {
		return
	}
	slices.SortStableFunc(s.marks, func(a, b waitingMark) int { return int(a.combining) - int(b.combining) })
	for _, mark := range s.marks {
		if mark.text != "" {
			s.out = append(s.out, mark.text...)
		} else {
			s.out = utf8.AppendRune(s.out, mark.itself)
		}
	}
	s.marks = s.marks[:0]
}
