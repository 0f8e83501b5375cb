package vault

import (
	"strings"
)

// A glob is a wildcard pattern of gitignore as tokens. It means what git's own matcher (wildmatch.c) makes of it; the
// random sets of the tests hold it to that.
type glob []token

type tokenKind uint8

const (
	exactByte  tokenKind = iota
	anyByte              // ?
	byteClass            // [a-z]
	anyRun               // *, no slash
	anyDepth             // ** between slashes or at an end
	anyFolders           // **/ : nothing, or all up to some slash
)

type token struct {
	kind  tokenKind
	char  byte
	class *byteSet
}

type byteSet [4]uint64

func (s *byteSet) add(c byte)      { s[c>>6] |= 1 << (c & 63) }
func (s *byteSet) has(c byte) bool { return s[c>>6]&(1<<(c&63)) != 0 }
func (s *byteSet) invert() {
	for i := range s {
		s[i] = ^s[i]
	}
}

// lower adds the small letter to each capital one: of [[:upper:]], or of a range over capitals.
func (s *byteSet) lower() {
	for c := byte('A'); c <= 'Z'; c++ {
		if s.has(c) {
			s.add(c + 'a' - 'A')
		}
	}
}

// isWild tells the bytes that end the literal start of a pattern.
func isWild(c byte) bool { return c == '*' || c == '?' || c == '[' || c == '\\' }

// parseGlob returns false for a pattern that can match nothing: an open class, a lone backslash at the end. With fold the
// texts it is for are in lower case.
func parseGlob(text string, fold bool) (glob, bool) {
	var tokens glob
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '*':
			var star token
			star, i = parseStars(text, i)
			tokens = append(tokens, star)
		case '?':
			tokens, i = append(tokens, token{kind: anyByte}), i+1
		case '[':
			class, next, ok := parseClass(text, i+1, fold)
			if !ok {
				return nil, false
			}
			tokens, i = append(tokens, token{kind: byteClass, class: class}), next
		case '\\':
			if i+1 == len(text) {
				return nil, false
			}
			tokens, i = append(tokens, token{char: text[i+1]}), i+2
		default:
			tokens, i = append(tokens, token{char: c}), i+1
		}
	}
	return tokens, true
}

// parseStars reads the stars at i. Two or more reach over slashes only where they fill a whole part of the path.
func parseStars(text string, i int) (token, int) {
	end := i
	for end < len(text) && text[end] == '*' {
		end++
	}
	startsPart := i == 0 || text[i-1] == '/'
	rest := text[end:]
	if end-i < 2 || !startsPart || rest != "" && rest[0] != '/' && !strings.HasPrefix(rest, `\/`) {
		return token{kind: anyRun}, end
	}
	if strings.HasPrefix(rest, "/") {
		return token{kind: anyFolders}, end + 1
	}
	return token{kind: anyDepth}, end
}

// match tells whether the pattern takes the whole text. A run that fails is lengthened from the last star on, then from
// the last "**": what came before need not be tried again, so the time is bounded by len(g)·len(text)².
func (g glob) match(text string) bool {
	at, position := 0, 0
	run, runFrom := -1, 0
	deep, deepFrom := -1, 0
	for {
		if at == len(g) {
			if position == len(text) {
				return true
			}
		} else {
			switch g[at].kind {
			case anyRun:
				run, runFrom = at, position
				at++
				continue
			case anyDepth, anyFolders:
				deep, deepFrom, run = at, position, -1
				at++
				continue
			default:
				if position < len(text) && g[at].takes(text[position]) {
					at, position = at+1, position+1
					continue
				}
			}
		}
		switch {
		case run >= 0 && runFrom < len(text) && text[runFrom] != '/':
			runFrom++
			at, position = run+1, runFrom
		case deep >= 0:
			if deepFrom = g.deepen(deep, deepFrom, text); deepFrom < 0 {
				return false
			}
			at, position, run = deep+1, deepFrom, -1
		default:
			return false
		}
	}
}

// deepen gives the next place where what follows a "**" may start, -1 if there is none.
func (g glob) deepen(deep, from int, text string) int {
	if from >= len(text) {
		return -1
	}
	if g[deep].kind == anyDepth {
		return from + 1
	}
	slash := strings.IndexByte(text[from:], '/')
	if slash < 0 {
		return -1
	}
	return from + slash + 1
}

func (t token) takes(c byte) bool {
	switch t.kind {
	case anyByte:
		return c != '/'
	case byteClass:
		return c != '/' && t.class.has(c)
	}
	return c == t.char
}

// parseClass reads a bracket expression from behind its "[" and returns the position behind its "]".
func parseClass(text string, i int, fold bool) (*byteSet, int, bool) {
	set := new(byteSet)
	negated := i < len(text) && (text[i] == '!' || text[i] == '^')
	if negated {
		i++
	}
	var previous byte // 0: no range may start
	for first := true; ; first = false {
		if i >= len(text) {
			return nil, 0, false
		}
		if text[i] == ']' && !first {
			break
		}
		var ok bool
		if previous, i, ok = parseMember(set, text, i, previous); !ok {
			return nil, 0, false
		}
	}
	if fold {
		set.lower()
	}
	if negated {
		set.invert()
	}
	return set, i + 1, true
}

// parseMember adds one member of a class: a byte, the end of a range, a named class. It returns the byte that may start
// a range, 0 if none.
func parseMember(set *byteSet, text string, i int, previous byte) (byte, int, bool) {
	c := text[i]
	switch {
	case c == '\\':
		if i++; i >= len(text) {
			return 0, 0, false
		}
		set.add(text[i])
		return text[i], i + 1, true
	case c == '-' && previous != 0 && i+1 < len(text) && text[i+1] != ']':
		if i++; text[i] == '\\' {
			if i++; i >= len(text) {
				return 0, 0, false
			}
		}
		for b := int(previous); b <= int(text[i]); b++ {
			set.add(byte(b))
		}
		return 0, i + 1, true
	case c == '[' && i+1 < len(text) && text[i+1] == ':':
		end := strings.IndexByte(text[i+2:], ']')
		if end < 0 {
			return 0, 0, false
		}
		name := text[i+2 : i+2+end]
		if !strings.HasSuffix(name, ":") {
			set.add('[')
			return '[', i + 1, true
		}
		if !addNamed(set, name[:len(name)-1]) {
			return 0, 0, false
		}
		return 0, i + 2 + end + 1, true
	}
	set.add(c)
	return c, i + 1, true
}

// addNamed adds a POSIX class over ASCII, as git defines it; false if there is none of that name.
func addNamed(set *byteSet, name string) bool {
	member, ok := namedClasses[name]
	for c := byte(0); ok && c < 128; c++ {
		if member(c) {
			set.add(c)
		}
	}
	return ok
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isAlnum(c byte) bool { return isLower(c) || isUpper(c) || isDigit(c) }
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isPrint(c byte) bool { return ' ' <= c && c < 127 }

var namedClasses = map[string]func(byte) bool{
	"alnum":  isAlnum,
	"alpha":  func(c byte) bool { return isLower(c) || isUpper(c) },
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < ' ' || c == 127 },
	"digit":  isDigit,
	"graph":  func(c byte) bool { return isPrint(c) && c != ' ' },
	"lower":  isLower,
	"print":  isPrint,
	"punct":  func(c byte) bool { return isPrint(c) && c != ' ' && !isAlnum(c) },
	"space":  isSpace,
	"upper":  isUpper,
	"xdigit": func(c byte) bool { return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' },
}
