package note

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonStep is a list or an object that is open around a value.
type jsonStep struct {
	object           bool
	index            int // of the member or item that is read, 0-based
	keyStart, keyEnd int // the key of that member with its quotes; objects alone
}

// jsonToken is a scalar, or the mark that opens or closes a list or an object. Offsets are bytes in the text.
type jsonToken struct {
	kind       byte // '"' of a text, '0' of a number, 't' of true and false, 'n' of null, else one of the marks { } [ ]
	start, end int
}

// jsonFault is where a text stops to be JSON.
type jsonFault struct {
	offset int
	reason string
}

// jsonReader reads one JSON value (RFC 8259) without a tree: it tells visit of each token with the steps around it, in
// order. Its depth is that of steps, which is a slice, so that no nesting can exhaust the stack.
type jsonReader struct {
	text  string
	at    int
	steps []jsonStep
	visit func(jsonToken) bool // tells whether to go on
}

// readJSON reads text[start:end], which is to hold one value. What stands before a fault has been visited.
func readJSON(text string, start, end int, visit func(r *jsonReader, token jsonToken) bool) *jsonFault {
	r := &jsonReader{text: text[:end], at: start}
	r.visit = func(token jsonToken) bool { return visit(r, token) }
	for {
		more, fault := r.value()
		if fault != nil || !more {
			return fault
		}
		more, fault = r.afterValue()
		if fault != nil || !more {
			return fault
		}
	}
}

func (r *jsonReader) space() byte {
	for ; r.at < len(r.text); r.at++ {
		if c := r.text[r.at]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
	}
	return 0
}

func (r *jsonReader) fault(reason string) *jsonFault {
	if r.at >= len(r.text) {
		reason = "the text ends within a value"
	}
	return &jsonFault{offset: min(r.at, len(r.text)), reason: reason}
}

// value reads a scalar, or the beginning of a list or object up to its first scalar.
func (r *jsonReader) value() (more bool, fault *jsonFault) {
	for {
		c := r.space()
		start := r.at
		switch {
		case c == '{' || c == '[':
			if opened, fault := r.open(c); fault != nil || !opened {
				return false, fault
			}
			if closing := r.space(); closing == c+2 { // "}" and "]" stand two behind their pair
				return true, nil
			}
			if c == '{' {
				if fault := r.key(); fault != nil {
					return false, fault
				}
			}
			continue
		case c == '"':
			if fault := r.quoted(); fault != nil {
				return false, fault
			}
		case c == '-' || c >= '0' && c <= '9':
			if !r.number() {
				return false, r.fault("this is no number")
			}
			c = '0'
		default:
			if !r.word() {
				return false, r.fault("a value is expected here")
			}
			if c != 'n' {
				c = 't'
			}
		}
		return r.visit(jsonToken{c, start, r.at}), nil
	}
}

// maxJSONDepth bounds the memory of a file of opening marks; no file that an app writes comes near.
const maxJSONDepth = 10_000

func (r *jsonReader) open(c byte) (bool, *jsonFault) {
	if len(r.steps) == maxJSONDepth {
		return false, &jsonFault{offset: r.at, reason: "lists and objects nest too deep"}
	}
	r.at++
	if !r.visit(jsonToken{c, r.at - 1, r.at}) {
		return false, nil
	}
	r.steps = append(r.steps, jsonStep{object: c == '{'})
	return true, nil
}

// afterValue closes what ends here and goes on to the next member or item.
func (r *jsonReader) afterValue() (more bool, fault *jsonFault) {
	for len(r.steps) > 0 {
		step := &r.steps[len(r.steps)-1]
		closing := byte(']')
		if step.object {
			closing = '}'
		}
		switch r.space() {
		case closing:
			r.at++
			r.steps = r.steps[:len(r.steps)-1]
			if !r.visit(jsonToken{closing, r.at - 1, r.at}) {
				return false, nil
			}
			continue
		case ',':
			r.at++
			step.index++
			if step.object {
				return true, r.key()
			}
			return true, nil
		}
		return false, r.fault("a comma or the end of the list is expected here")
	}
	if r.space() != 0 {
		return false, r.fault("text behind the end of the value")
	}
	return false, nil
}

func (r *jsonReader) key() *jsonFault {
	if r.space() != '"' {
		return r.fault("a key in double quotes is expected here")
	}
	step := &r.steps[len(r.steps)-1]
	step.keyStart = r.at
	if fault := r.quoted(); fault != nil {
		return fault
	}
	step.keyEnd = r.at
	if r.space() != ':' {
		return r.fault("a colon is expected here")
	}
	r.at++
	return nil
}

// quoted goes behind a text in double quotes.
func (r *jsonReader) quoted() *jsonFault {
	for r.at++; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '"':
			r.at++
			return nil
		case c < ' ':
			return r.fault("a text is not closed on its line")
		case c == '\\':
			if r.at++; r.at < len(r.text) && strings.IndexByte(`"\/bfnrtu`, r.text[r.at]) < 0 {
				return r.fault("a backslash before a character that takes none")
			}
		}
	}
	return r.fault("a text is not closed")
}

func (r *jsonReader) number() bool {
	digits := func() bool {
		start := r.at
		for r.at < len(r.text) && r.text[r.at] >= '0' && r.text[r.at] <= '9' {
			r.at++
		}
		return r.at > start
	}
	is := func(set string) bool {
		if r.at < len(r.text) && strings.IndexByte(set, r.text[r.at]) >= 0 {
			r.at++
			return true
		}
		return false
	}
	is("-")
	if !digits() || is(".") && !digits() {
		return false
	}
	if is("eE") {
		is("+-")
		return digits()
	}
	return true
}

func (r *jsonReader) word() bool {
	for _, word := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(r.text[r.at:], word) {
			r.at += len(word)
			return true
		}
	}
	return false
}

// unescapeJSON gives the text that stands in JSON between quotes. A surrogate alone becomes U+FFFD; so does U+0000. A
// backslash that escapes nothing stays: a marker in the place of a secret may have cut an escape in two.
func unescapeJSON(quoted string) string {
	at := strings.IndexByte(quoted, '\\')
	if at < 0 {
		return quoted
	}
	var out strings.Builder
	for ; at >= 0; at = strings.IndexByte(quoted, '\\') {
		out.WriteString(quoted[:at])
		quoted = quoted[at:]
		size, r := escapeJSON(quoted)
		out.WriteRune(r)
		quoted = quoted[size:]
	}
	out.WriteString(quoted)
	return out.String()
}

// escapeJSON reads the escape that text begins with, or the lone backslash.
func escapeJSON(text string) (size int, r rune) {
	if len(text) < 2 {
		return 1, '\\'
	}
	if at := strings.IndexByte(`"\/bfnrt`, text[1]); at >= 0 {
		return 2, rune("\"\\/\b\f\n\r\t"[at])
	}
	unit, ok := escapedUnit(text)
	if !ok {
		return 1, '\\'
	}
	if utf16.IsSurrogate(unit) {
		if low, ok := escapedUnit(text[6:]); ok {
			if pair := utf16.DecodeRune(unit, low); pair != utf8.RuneError {
				return 12, pair
			}
		}
		return 6, utf8.RuneError
	}
	if unit == 0 {
		unit = utf8.RuneError
	}
	return 6, unit
}

func escapedUnit(text string) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(text[2:6], 16, 16)
	return rune(unit), err == nil
}
