package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"quarry/store"
)

// tokenKind is what a stretch of a query is.
type tokenKind int

const (
	wordToken   tokenKind = iota // text between white space, quotes and brackets
	phraseToken                  // in quotes
	filterToken
	orToken
	andToken
	openToken
	closeToken
)

// token is a stretch of a query.
type token struct {
	kind      tokenKind
	not       bool   // a "-" in front
	key       string // of a filter, or of all that stands between brackets: see filterKeys; "[name" for a property
	text      string // of a word or a phrase as written, or the value of a filter
	quoted    bool   // the value of a filter stood in quotes
	isIgnored bool   // a bracket without the other one, or too deep
}

// filterKeys are the operators that narrow. include: takes archived alone.
var filterKeys = map[string]bool{
	"tag": true, "type": true, "status": true, "domain": true, "path": true, "folder": true, "file": true, "title": true, "section": true,
	"since": true, "until": true, "links-to": true, "linked-by": true, "include": true,
}

// textKeys are operators of Obsidian that ask for a place within a note, which no filter does: their words are looked for.
var textKeys = map[string]bool{
	"line": true, "block": true, "task": true, "task-todo": true, "task-done": true, "content": true, "match-case": true, "ignore-case": true,
}

// maxKeyBytes is more than any operator has.
const maxKeyBytes = 16

// lexer cuts a query into tokens. Each byte is looked at a bounded number of times.
type lexer struct {
	query  string
	at     int
	isDate func(text string) bool
	tokens []token
	// lastQuote is where the last quote of the query is, -1 for none: behind it no phrase can be closed.
	lastQuote int
	ignored   []string // operators whose words alone are looked for
	plain     []string // operators that were taken for text, as written
}

func (l *lexer) run() (isDeep bool) {
	l.lastQuote = strings.LastIndexFunc(l.query, isQuote)
	for l.at < len(l.query) {
		r, size := utf8.DecodeRuneInString(l.query[l.at:])
		switch {
		case unicode.IsSpace(r):
			l.at += size
		case r == '(':
			l.bracket(openToken, false, "")
		case r == ')':
			l.bracket(closeToken, false, "")
		case r == ',' && l.followsFilter():
			l.at++
		case l.isFresh() && (l.operator() || l.excluded()):
		case l.phrase(false):
		default:
			l.word()
		}
	}
	isDeep = l.pair()
	l.settle()
	return isDeep
}

func (l *lexer) bracket(kind tokenKind, not bool, key string) {
	l.tokens = append(l.tokens, token{kind: kind, not: not, key: key})
	l.at++
}

// isFresh tells whether an operator can begin here: behind white space, a bracket or a comma.
func (l *lexer) isFresh() bool {
	before, _ := utf8.DecodeLastRuneInString(l.query[:l.at])
	return l.at == 0 || unicode.IsSpace(before) || before == '(' || before == ',' && l.followsFilter()
}

func (l *lexer) followsFilter() bool {
	return len(l.tokens) > 0 && l.tokens[len(l.tokens)-1].kind == filterToken
}

// excluded reads what a "-" stands in front of. That of a single letter or a number is a flag or a sign.
func (l *lexer) excluded() bool {
	if l.query[l.at] != '-' || l.at+1 == len(l.query) {
		return false
	}
	start := l.at
	l.at++
	if l.query[l.at] == '(' {
		l.bracket(openToken, true, "")
		return true
	}
	count := len(l.tokens)
	if l.phrase(true) || l.operator() {
		l.tokens[count].not = true
		return true
	}
	end := l.wordEnd()
	text := l.query[l.at:end]
	first, _ := utf8.DecodeRuneInString(text)
	if !store.IsWordCharacter(first) || len(text) == 1 || strings.Trim(text, "0123456789.,:%°") == "" {
		l.at = start
		return false
	}
	l.tokens = append(l.tokens, token{kind: wordToken, not: true, text: text})
	l.at = end
	return true
}

// phrase reads what stands in quotes. A quote behind a digit is an inch, one that is not closed is text.
func (l *lexer) phrase(not bool) bool {
	text, end, ok := l.inQuotes(l.at)
	if ok {
		l.tokens = append(l.tokens, token{kind: phraseToken, not: not, text: text})
		l.at = end
	}
	return ok
}

// inQuotes gives the text between the quote at a place and the next, and where it goes on.
func (l *lexer) inQuotes(at int) (text string, end int, ok bool) {
	r, size := utf8.DecodeRuneInString(l.query[at:])
	before, _ := utf8.DecodeLastRuneInString(l.query[:at])
	if !isQuote(r) || unicode.IsDigit(before) || at >= l.lastQuote {
		return "", 0, false
	}
	start := at + size
	length := strings.IndexFunc(l.query[start:], isQuote)
	_, size = utf8.DecodeRuneInString(l.query[start+length:])
	return l.query[start : start+length], start + length + size, true
}

// word reads on to white space, a phrase or a bracket that was opened before.
func (l *lexer) word() {
	end := l.wordEnd()
	if end == l.at { // a quote that opens nothing
		_, size := utf8.DecodeRuneInString(l.query[l.at:])
		end += size
	}
	t := token{kind: wordToken, text: l.query[l.at:end]}
	switch {
	case t.text == "OR" && l.isFresh():
		t.kind = orToken
	case t.text == "AND" && l.isFresh():
		t.kind = andToken
	}
	l.tokens = append(l.tokens, t)
	l.at = end
}

// wordEnd is where the word that begins here ends. Brackets within a word, as in f(x), belong to it.
func (l *lexer) wordEnd() int {
	open := 0
	for i, r := range l.query[l.at:] {
		switch {
		case unicode.IsSpace(r):
			return l.at + i
		case isQuote(r):
			if _, _, ok := l.inQuotes(l.at + i); ok {
				return l.at + i
			}
		case r == '(':
			open++
		case r == ')' && open == 0:
			return l.at + i
		case r == ')':
			open--
		}
	}
	return len(l.query)
}

// operator reads a filter: tag:x, #x or [property:x]. What looks like one and is none is left to be text.
func (l *lexer) operator() bool {
	switch l.query[l.at] {
	case '#':
		return l.hashTag()
	case '[':
		return l.property()
	}
	rest := l.query[l.at:]
	colon := strings.IndexByte(rest[:min(len(rest), maxKeyBytes)], ':')
	if colon <= 0 {
		return false
	}
	key := strings.ToLower(rest[:colon])
	rest = rest[colon+1:]
	first, _ := utf8.DecodeRuneInString(rest)
	switch {
	case textKeys[key] && rest != "" && !unicode.IsSpace(first):
		l.ignored = append(l.ignored, key+":")
		l.at += colon + 1
		return l.textValue()
	case !filterKeys[key]:
		return false
	case rest == "" || unicode.IsSpace(first) || first == ':' || first == '=' || first == ')' || strings.HasPrefix(rest, "//"):
		return false
	case first == '(':
		l.at += colon + 1
		l.bracket(openToken, false, key)
		return true
	}
	return l.value(key, l.at+colon+1)
}

// textValue reads what stands behind an operator that is not one of ours.
func (l *lexer) textValue() bool {
	switch {
	case l.query[l.at] == '(':
		l.bracket(openToken, false, "")
	case l.phrase(false):
	default:
		l.word()
	}
	return true
}

// value reads the value of a filter that begins at a place.
func (l *lexer) value(key string, at int) bool {
	t := token{kind: filterToken, key: key}
	end := 0
	if t.text, end, t.quoted = l.inQuotes(at); !t.quoted {
		start := l.at
		l.at = at
		end = l.wordEnd()
		l.at = start
		t.text = strings.TrimFunc(l.query[at:end], isQuote)
	}
	if isDated(key) {
		if !t.quoted {
			t.text, end = l.longestDate(at, end)
		}
		if !l.isDate(t.text) {
			l.plain = append(l.plain, key+":"+t.text)
			return false
		}
	}
	if key == "include" && !strings.EqualFold(t.text, "archived") {
		return false
	}
	if strings.IndexFunc(t.text, func(r rune) bool { return !unicode.IsSpace(r) && !strings.ContainsRune("#-,/", r) }) < 0 {
		return false
	}
	l.tokens = append(l.tokens, t)
	l.at = end
	return true
}

// longestDate takes the next words in as far as they make a date, as in since:last monday.
func (l *lexer) longestDate(at, end int) (text string, longest int) {
	text, longest = l.query[at:end], end
	next := end
	for range 2 {
		rest := l.query[next:]
		length := strings.IndexFunc(strings.TrimLeft(rest, " "), func(r rune) bool { return unicode.IsSpace(r) || r == ')' })
		blank := len(rest) - len(strings.TrimLeft(rest, " "))
		if length < 0 {
			length = len(rest) - blank
		}
		if next += blank + length; length == 0 {
			break
		}
		if l.isDate(l.query[at:next]) {
			text, longest = l.query[at:next], next
		}
	}
	return text, longest
}

// hashTag reads #a/b. A number is none, and what goes on behind it is none either: #1, #page=3.
func (l *lexer) hashTag() bool {
	rest := l.query[l.at+1:]
	end := strings.IndexFunc(rest, func(r rune) bool {
		return unicode.IsSpace(r) || r < utf8.RuneSelf && !store.IsWordCharacter(r) && !strings.ContainsRune("_-/", r)
	})
	if end < 0 {
		end = len(rest)
	}
	behind := strings.TrimLeft(rest[end:], ".,;:!?")
	isEnd := behind == "" || behind[0] == ')' || strings.TrimLeftFunc(behind, unicode.IsSpace) != behind || strings.HasPrefix(rest[end:], ",")
	if !isEnd || strings.IndexFunc(rest[:end], func(r rune) bool { return r >= utf8.RuneSelf || unicode.IsLetter(r) }) < 0 {
		return false
	}
	l.tokens = append(l.tokens, token{kind: filterToken, key: "tag", text: rest[:end], quoted: true})
	l.at += 1 + end
	return true
}

// maxPropertyBytes is more than a property and its value have.
const maxPropertyBytes = 400

// property reads [name] or [name:value]. Links, tasks and footnotes are none: [[x]], [x](y), [ ], [x], [1].
func (l *lexer) property() bool {
	rest := l.query[l.at+1:]
	end := strings.IndexByte(rest[:min(len(rest), maxPropertyBytes)], ']')
	if end < 0 {
		return false
	}
	inside, behind := rest[:end], rest[end+1:]
	name, value, _ := strings.Cut(inside, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	next, _ := utf8.DecodeRuneInString(behind)
	isName := strings.IndexFunc(name, func(r rune) bool { return !store.IsWordCharacter(r) && !strings.ContainsRune(" _-./", r) }) < 0
	first, _ := utf8.DecodeRuneInString(name)
	switch {
	case !isName, !unicode.IsLetter(first) && first != '_', strings.EqualFold(inside, "x"):
		return false
	case behind != "" && !unicode.IsSpace(next) && next != ')' && next != ',':
		return false
	}
	l.at += end + 2
	t := token{kind: filterToken, key: "[" + name, quoted: true}
	alternatives := strings.Split(value, " OR ")
	if len(alternatives) > 1 { // [status:a OR b] is ([status:a] OR [status:b])
		l.tokens = append(l.tokens, token{kind: openToken})
	}
	for i, value := range alternatives {
		if i > 0 {
			l.tokens = append(l.tokens, token{kind: orToken})
		}
		t.text = strings.TrimFunc(strings.TrimSpace(value), isQuote)
		l.tokens = append(l.tokens, t)
	}
	if len(alternatives) > 1 {
		l.tokens = append(l.tokens, token{kind: closeToken})
	}
	return true
}

// pair finds for each bracket the other one, and ignores those that have none or lie too deep.
func (l *lexer) pair() (isDeep bool) {
	var open []int
	for i := range l.tokens {
		switch l.tokens[i].kind {
		case openToken:
			open = append(open, i)
			l.tokens[i].isIgnored = true
		case closeToken:
			l.tokens[i].isIgnored = len(open) == 0 || len(open) > maxDepth
			if len(open) == 0 {
				continue
			}
			l.tokens[open[len(open)-1]].isIgnored = len(open) > maxDepth
			isDeep = isDeep || len(open) > maxDepth
			open = open[:len(open)-1]
		default:
		}
	}
	return isDeep
}

// settle makes an OR that stands between nothing a word: people look for "logical OR".
func (l *lexer) settle() {
	last := openToken // as at the beginning nothing can be joined
	for i := range l.tokens {
		t := &l.tokens[i]
		if t.isIgnored {
			continue
		}
		if t.kind == orToken && (last == openToken || last == orToken || !l.isOperand(i+1)) {
			t.kind, t.text = wordToken, "OR"
		}
		last = t.kind
	}
}

// isOperand tells whether what follows from a token on can be joined.
func (l *lexer) isOperand(at int) bool {
	for at < len(l.tokens) && l.tokens[at].isIgnored {
		at++
	}
	return at < len(l.tokens) && l.tokens[at].kind != closeToken && l.tokens[at].kind != orToken
}
