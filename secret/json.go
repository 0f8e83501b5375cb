package secret

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	maxPairName   = 1024 // bytes of a key whose value is looked at beside it
	maxPartRounds = 3    // then a string that still holds a secret is withheld as a whole
	maxJSONRounds = 6    // then all strings are
)

// RedactJSON redacts the strings of a JSON document, or of several one after the other as in JSON Lines. Each is looked at
// as the text that it stands for, keys too, and a value also as what its key says it is: of {"password": "…"} the value is
// replaced. All bytes but those of secrets stay as they are: what was valid stays valid, with as many tokens. What is no
// JSON is redacted as text. To redact a redacted document changes nothing. The result may share memory with document.
func (f *Filter) RedactJSON(document []byte) []byte {
	for round := 1; ; round++ {
		d := &jsonDocument{text: document}
		if !d.read() {
			spans := f.Find(document)
			if len(spans) == 0 {
				return document
			}
			document = Apply(document, spans) // it may be JSON now: what kept it from that was a secret
			continue
		}
		edits := d.find(f)
		switch {
		case len(edits) == 0:
			return document
		case round > maxJSONRounds:
			return d.apply(d.wholeStrings(nil))
		case round > maxPartRounds:
			edits = d.wholeStrings(edits)
		}
		document = d.apply(edits)
	}
}

// jsonEdit replaces a stretch of the text that a string stands for.
type jsonEdit struct {
	literal    int // index of the string
	start, end int // bytes of its text
	name       string
}

// shown is the text that is searched in the place of a document: the texts of all strings below each other, with an empty
// line between, over which no token goes on. So the body of a key that a list holds line by line is seen as one. A value
// stands there a second time, behind its key, where that says that it may be a secret.
type shown struct {
	text  []byte
	parts []jsonPart
}

// jsonPart says where the text of a string lies in what is searched.
type jsonPart struct{ start, end, literal int }

func (d *jsonDocument) find(f *Filter) []jsonEdit {
	s := &shown{text: make([]byte, 0, len(d.text)+len(d.text)/8), parts: make([]jsonPart, 0, len(d.literals))}
	tells := func(name []byte) []byte {
		if len(name) > maxPairName || !f.table().finder.find(name) {
			return nil
		}
		return slices.Clip(name)
	}
	var key, label []byte // that may announce a secret, else nil
	var isLabel, isLabelled bool
	object := 0
	for i, literal := range d.literals {
		text := s.add(d, literal, i)
		if literal.object != object {
			object, label = literal.object, nil
		}
		switch {
		case literal.isKey:
			key = tells(text)
			isLabel, isLabelled = labelKeys[string(text)], valueKeys[string(text)]
		case !literal.hasKey || len(text) > maxWholeBytes || bytes.IndexByte(text, '\n') >= 0:
		default:
			if isLabel {
				label = tells(text)
			}
			if key != nil {
				s.addPair(key, text, i)
			}
			if isLabelled && label != nil {
				s.addPair(label, text, i)
			}
		}
	}
	return editsOf(f.Find(s.text), s.parts)
}

// labelKeys and valueKeys are of objects that keep a pair in two members: {"name": "DB_PASSWORD", "value": "…"}.
var (
	labelKeys = map[string]bool{"name": true, "key": true, "Name": true, "Key": true, "variable": true}
	valueKeys = map[string]bool{"value": true, "Value": true}
)

// add puts the text of a string down and returns it.
func (s *shown) add(d *jsonDocument, literal jsonLiteral, index int) []byte {
	start := len(s.text)
	s.text = d.appendText(s.text, literal)
	end := len(s.text)
	s.parts = append(s.parts, jsonPart{start, end, index})
	s.text = append(s.text, "\n\n"...)
	return s.text[start:end]
}

// addPair puts a value down as a setting has it.
func (s *shown) addPair(key, value []byte, index int) {
	quote := freeQuote(value)
	s.text = append(append(s.text, key...), ':', ' ', quote)
	start := len(s.text)
	s.text = append(s.text, value...)
	s.parts = append(s.parts, jsonPart{start, len(s.text), index})
	s.text = append(s.text, quote, '\n', '\n')
}

// freeQuote is a quote that the value does not hold.
func freeQuote(value []byte) byte {
	for _, quote := range []byte{'"', '\'', '`'} {
		if bytes.IndexByte(value, quote) < 0 {
			return quote
		}
	}
	return '"'
}

// editsOf cuts the spans to the parts that they lie in; ascending and apart.
func editsOf(spans []Span, parts []jsonPart) []jsonEdit {
	var edits []jsonEdit
	for _, span := range spans {
		i := sort.Search(len(parts), func(i int) bool { return parts[i].end > span.Start })
		for ; i < len(parts) && parts[i].start < span.End; i++ {
			start, end := max(span.Start, parts[i].start), min(span.End, parts[i].end)
			if start < end {
				edits = append(edits, jsonEdit{parts[i].literal, start - parts[i].start, end - parts[i].start, span.Name})
			}
		}
	}
	slices.SortStableFunc(edits, func(a, b jsonEdit) int { return cmp.Or(a.literal-b.literal, a.start-b.start) })
	united := edits[:0]
	for _, edit := range edits {
		if last := len(united) - 1; last >= 0 && united[last].literal == edit.literal && edit.start < united[last].end {
			united[last].end = max(united[last].end, edit.end)
			continue
		}
		united = append(united, edit)
	}
	return united
}

// wholeStrings makes of edits some that replace their strings; of none, those for all strings.
func (d *jsonDocument) wholeStrings(edits []jsonEdit) []jsonEdit {
	var whole []jsonEdit
	add := func(i int, name string) {
		if size := len(d.appendText(nil, d.literals[i])); size > 0 {
			whole = append(whole, jsonEdit{i, 0, size, name})
		}
	}
	for i, edit := range edits {
		if i == 0 || edits[i-1].literal != edit.literal {
			add(edit.literal, edit.name)
		}
	}
	for i := range d.literals {
		if edits == nil {
			add(i, Unscanned)
		}
	}
	return whole
}

// apply returns the document with markers in the place of the stretches, and the line ends that they held.
func (d *jsonDocument) apply(edits []jsonEdit) []byte {
	out := make([]byte, 0, len(d.text)+32*len(edits))
	done := 0
	for _, edit := range edits {
		literal := d.literals[edit.literal]
		start, end := d.rawStretch(literal, edit)
		out = append(out, d.text[done:start]...)
		out = append(append(append(out, markerStart...), edit.name...), markerEnd)
		value := d.appendText(nil, jsonLiteral{start: start, end: end, escaped: literal.escaped})
		for _, c := range appendLineEnds(nil, value, Span{End: len(value)}) {
			switch c {
			case '\n':
				out = append(out, `\n`...)
			case '\r':
				out = append(out, `\r`...)
			default:
				out = append(out, c)
			}
		}
		done = end
	}
	return append(out, d.text[done:]...)
}

// rawStretch leads from bytes of a string's text to those of the document. An escape is taken as a whole.
func (d *jsonDocument) rawStretch(literal jsonLiteral, edit jsonEdit) (start, end int) {
	if !literal.escaped {
		return literal.start + edit.start, literal.start + edit.end
	}
	start, end = -1, literal.end
	offset := 0
	var unit [utf8.UTFMax]byte
	for at := literal.start; at < literal.end; {
		width, text := readUnit(d.text[at:literal.end], unit[:0])
		if start < 0 && offset+len(text) > edit.start {
			start = at
		}
		offset += len(text)
		at += width
		if offset >= edit.end {
			return start, at
		}
	}
	return start, end
}

// appendText adds the text that a string stands for. Bytes that are no UTF-8 stay; half a surrogate pair is U+FFFD.
func (d *jsonDocument) appendText(out []byte, literal jsonLiteral) []byte {
	raw := d.text[literal.start:literal.end]
	for literal.escaped {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			break
		}
		out = append(out, raw[:i]...)
		var width int
		width, out = readUnit(raw[i:], out)
		raw = raw[i+width:]
	}
	return append(out, raw...)
}

// readUnit adds what the byte or escape at the start of a valid string stands for, and says how many bytes it has.
func readUnit(raw, out []byte) (int, []byte) {
	if raw[0] != '\\' {
		return 1, append(out, raw[0])
	}
	switch c := raw[1]; c {
	case 'b':
		return 2, append(out, '\b')
	case 'f':
		return 2, append(out, '\f')
	case 'n':
		return 2, append(out, '\n')
	case 'r':
		return 2, append(out, '\r')
	case 't':
		return 2, append(out, '\t')
	case 'u':
		r := hexRune(raw[2:])
		if len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' {
			if pair := utf16.DecodeRune(r, hexRune(raw[8:])); pair != utf8.RuneError {
				return 12, utf8.AppendRune(out, pair)
			}
		}
		return 6, utf8.AppendRune(out, r)
	default:
		return 2, append(out, c)
	}
}

func hexRune(digits []byte) rune {
	r := rune(0)
	for _, c := range digits[:4] {
		r = r<<4 | rune(hexValue(c))
	}
	return r
}
