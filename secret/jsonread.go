package secret

// jsonLiteral is a string of a document.
type jsonLiteral struct {
	start, end int // of what stands between the quotes
	escaped    bool
	isKey      bool
	hasKey     bool // it is the value of the key before it, or lies in the list that is
	object     int  // the same for members of an object between which no other object or list lies
}

// jsonDocument reads one JSON value or several, by the grammar of RFC 8259. It keeps
// nothing but the strings. Nesting has no limit; a level costs one byte.
type jsonDocument struct {
	text     []byte
	literals []jsonLiteral

	at     int
	open   []byte // the brackets around this place
	hasKey bool   // a string here would be the value of the last key
	object int    // brackets so far
}

// read tells whether the text is JSON and lists its strings. Numbers one after the other are taken for text.
func (d *jsonDocument) read() bool {
	for values := 0; ; values++ {
		d.skipBlanks()
		switch {
		case d.at == len(d.text):
			return values > 0
		case values > 0 && (isBare(d.text[d.at]) || isBare(d.text[0])):
			return false
		case !d.readValue() || !d.closeAll():
			return false
		}
	}
}

// isBare tells from its first byte whether a value has no quotes or brackets.
func isBare(first byte) bool { return first != '{' && first != '[' && first != '"' }

// readValue goes on to the end of the next scalar or empty container, through the starts of those that it lies in.
func (d *jsonDocument) readValue() bool {
	for {
		d.skipBlanks()
		if d.at == len(d.text) {
			return false
		}
		switch c := d.text[d.at]; {
		case c == '"':
			return d.readString(false)
		case c == '[', c == '{':
			d.at++
			d.push(c)
			if d.skipBlanks(); d.at < len(d.text) && d.text[d.at] == c+2 { // "]" and "}" come two after
				return true
			}
			if c == '{' && !d.readKey() {
				return false
			}
		case c == '-', isDigit(c):
			return d.readNumber()
		default:
			return d.readWord()
		}
	}
}

// closeAll goes on behind a value: out of what it is the last of, or to the next member of what it is in.
func (d *jsonDocument) closeAll() bool {
	for len(d.open) > 0 {
		d.skipBlanks()
		if d.at == len(d.text) {
			return false
		}
		switch c := d.text[d.at]; {
		case c == d.open[len(d.open)-1]+2:
			d.at++
			d.open = d.open[:len(d.open)-1]
			d.hasKey = false
			d.object++
		case c == ',':
			d.at++
			if !d.isIn('[') {
				if d.skipBlanks(); !d.readKey() {
					return false
				}
			}
			if !d.readValue() {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func (d *jsonDocument) push(bracket byte) {
	d.open = append(d.open, bracket)
	d.object++
	if bracket == '{' {
		d.hasKey = false
	}
}

func (d *jsonDocument) isIn(bracket byte) bool { return d.open[len(d.open)-1] == bracket }

func (d *jsonDocument) skipBlanks() {
	for d.at < len(d.text) {
		switch d.text[d.at] {
		case ' ', '\t', '\n', '\r':
			d.at++
		default:
			return
		}
	}
}

func (d *jsonDocument) readKey() bool {
	if d.at == len(d.text) || d.text[d.at] != '"' || !d.readString(true) {
		return false
	}
	d.skipBlanks()
	if d.at == len(d.text) || d.text[d.at] != ':' {
		return false
	}
	d.at++
	d.hasKey = true
	return true
}

// endsPlain marks the bytes that end a run of plain ones in a string.
var endsPlain = func() (set [256]bool) {
	for c := range 0x20 {
		set[c] = true
	}
	set['"'], set['\\'] = true, true
	return set
}()

func (d *jsonDocument) readString(isKey bool) bool {
	literal := jsonLiteral{start: d.at + 1, isKey: isKey, hasKey: d.hasKey && !isKey, object: d.object}
	for at := d.at + 1; ; {
		for at < len(d.text) && !endsPlain[d.text[at]] {
			at++
		}
		if at == len(d.text) {
			return false
		}
		switch d.text[at] {
		case '"':
			literal.end = at
			d.literals = append(d.literals, literal)
			d.at = at + 1
			return true
		case '\\':
			width := escapeBytes(d.text[at:])
			if width == 0 {
				return false
			}
			literal.escaped = true
			at += width
		default:
			return false
		}
	}
}

// escapeBytes is the size of an escape, 0 for none that JSON knows.
func escapeBytes(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(text) < 6 {
			return 0
		}
		for _, c := range text[2:6] {
			if hexValue(c) < 0 {
				return 0
			}
		}
		return 6
	}
	return 0
}

func (d *jsonDocument) readNumber() bool {
	if d.text[d.at] == '-' {
		d.at++
	}
	first := d.at
	if d.skipDigits() == 0 || d.text[first] == '0' && d.at-first > 1 {
		return false
	}
	if d.at < len(d.text) && d.text[d.at] == '.' {
		d.at++
		if d.skipDigits() == 0 {
			return false
		}
	}
	if d.at < len(d.text) && (d.text[d.at] == 'e' || d.text[d.at] == 'E') {
		d.at++
		if d.at < len(d.text) && (d.text[d.at] == '+' || d.text[d.at] == '-') {
			d.at++
		}
		return d.skipDigits() > 0
	}
	return true
}

func (d *jsonDocument) skipDigits() int {
	start := d.at
	for d.at < len(d.text) && isDigit(d.text[d.at]) {
		d.at++
	}
	return d.at - start
}

func (d *jsonDocument) readWord() bool {
	for _, word := range []string{"true", "false", "null"} {
		if len(d.text)-d.at >= len(word) && string(d.text[d.at:d.at+len(word)]) == word {
			d.at += len(word)
			return true
		}
	}
	return false
}
