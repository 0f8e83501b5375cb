package secret

import "bytes"

// skipBlanks goes past blanks, those of typesetters too: "clé : …".
func (s *scan) skipBlanks(at, most int) int {
	at = s.skip(at, " \t", most)
	for next := afterWideBlank(s.text, at); next > at; next = afterWideBlank(s.text, at) {
		at = s.skip(next, " \t", most)
	}
	return at
}

// otherwise reads what gives a value where the setting has none: env.KEY || "…", key ?? "…", KEY or "…".
func (s *scan) otherwise(at int) int {
	if at >= len(s.text) || bytes.IndexByte([]byte("|?o"), s.text[at]) < 0 {
		return -1
	}
	for _, word := range []string{"||", "??", "or "} {
		if bytes.HasPrefix(s.text[min(at, len(s.text)):], []byte(word)) {
			if next := s.skip(at+len(word), " \t", 4); s.isQuote(next) {
				return next
			}
		}
	}
	return -1
}

// dashes stand between blanks for "is".
var dashes = byteWords("- – — → ➜ ⇒ ⟶ ~>")

func (s *scan) dash(at int) int {
	if at >= len(s.text) || s.text[at] != '-' && s.text[at] != '~' && s.text[at] < 0x80 {
		return -1
	}
	rest := s.text[at:]
	for _, dash := range dashes {
		if bytes.HasPrefix(rest, dash) && len(rest) > len(dash) && (rest[len(dash)] == ' ' || rest[len(dash)] == '`') {
			return at + len(dash)
		}
	}
	return -1
}

// definition is behind the colon of a definition list, which stands on the line below.
func (s *scan) definition(at int) int {
	at = s.skip(at, "\r", 1)
	if at+2 >= len(s.text) || s.text[at] != '\n' || s.text[at+1] != ':' || s.text[at+2] != ' ' {
		return -1
	}
	return at + 2
}

// isHeading: the key stands at the end of a heading, which says what the text below is.
func (s *scan) isHeading(start, at int) bool {
	line := s.text[max(0, start-maxKeptTextBytes):start]
	line = bytes.TrimLeft(line[bytes.LastIndexByte(line, '\n')+1:], " >")
	return len(line) > 0 && line[0] == '#' || s.underline(at) > at
}

// underline is past the line of "=" or "-" below a heading that ends at an offset; at itself if there is none.
func (s *scan) underline(at int) int {
	from := s.skip(s.skip(at, "\r", 1), "\n", 1)
	end := s.skip(from, "=-", maxKeptTextBytes)
	if next := s.skip(end, " \t\r", 8); end-from > 2 && next < len(s.text) && s.text[next] == '\n' {
		return next
	}
	return at
}

// isSet: a word before the key says that a value follows: set -gx KEY VALUE, setenv KEY VALUE.
func (s *scan) isSet(start int) bool {
	head := s.headOf(start)
	line := s.text[max(0, head-maxKeptTextBytes):head]
	line = bytes.TrimRight(line[bytes.LastIndexByte(line, '\n')+1:], "\"'")
	for isFlag := true; isFlag; {
		if len(line) == 0 || line[len(line)-1] != ' ' {
			return false
		}
		line = bytes.TrimRight(line, " ")
		word := line[bytes.LastIndexByte(line, ' ')+1:]
		if setWords[string(word)] {
			return beginsCommand(bytes.TrimRight(line[:len(line)-len(word)], " "))
		}
		line = line[:len(line)-len(word)]
		isFlag = len(word) > 0 && word[0] == '-'
	}
	return false
}

// beginsCommand: a line is empty so far, has a prompt, or the name of a program that sets something.
func beginsCommand(line []byte) bool {
	if len(bytes.Trim(line, " \t>-*`")) == 0 || bytes.IndexByte([]byte("$>#;&|`%"), line[len(line)-1]) >= 0 {
		return true
	}
	word := line[bytes.LastIndexByte(line, ' ')+1:]
	return setPrograms[string(word)]
}

var setPrograms = wordSet("secrets secret user-secrets config configure heroku fly flyctl")

var setWords = wordSet("set setenv setx config:set secrets:set")

// wideQuotes open a value and are none of the keyboard's.
var wideQuotes = byteWords("“ „ ‘ ‚ ‟ « ‹ 「 『 【")

func (s *scan) wideQuote(at int) int {
	if at >= len(s.text) || s.text[at] < 0x80 {
		return 0
	}
	for _, quote := range wideQuotes {
		if bytes.HasPrefix(s.text[at:], quote) {
			return len(quote)
		}
	}
	return 0
}

// attributes goes past the bracket of a block and the settings in front of its value: { type = string.
func (s *scan) attributes(at int) int {
	const mostLines, mostBytes = 3, 80
	if at >= len(s.text) || s.text[at] != '{' {
		return at
	}
	from := at
	at = s.skip(at+1, " \t\r\n", maxKeyHead)
	for range mostLines {
		rest := s.text[min(at, len(s.text)):min(len(s.text), at+mostBytes)]
		if !bytes.HasPrefix(rest, []byte("type")) && !bytes.HasPrefix(rest, []byte("description")) && !bytes.HasPrefix(rest, []byte("sensitive")) {
			return at
		}
		line := bytes.IndexByte(rest, '\n')
		if line < 0 {
			return from
		}
		at = s.skip(at+line, " \t\r\n", maxKeyHead)
	}
	return at
}
