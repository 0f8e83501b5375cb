package note

import (
	"sort"
	"strings"
	"unicode"
)

// Inline fields are Dataview's: "[key:: value]", "(key:: value)", or a line "Key:: value".

// maxKeyBytes bounds a key: what is longer is prose with two colons in it.
const maxKeyBytes = 100

// fields reads the fields of one line of text. On tasks the full-line form does not count, but dates behind signs do.
func (l *lexer) fields(start, end int, task bool) {
	if strings.Contains(l.text[start:end], "::") && !l.wrappedFields(start, end) && !task {
		l.lineField(start, end)
	}
	if task {
		l.taskDates(start, end)
	}
}

// wrappedFields reads the bracketed fields of a line. One look finds the partner of every bracket, so that brackets
// without one cost nothing.
func (l *lexer) wrappedFields(start, end int) bool {
	closers := map[int]int{}
	var square, round []int
	for i := start; i < end; i++ {
		stack, push := &square, true
		switch l.text[i] {
		case '[':
		case '(':
			stack = &round
		case ']':
			push = false
		case ')':
			stack, push = &round, false
		default:
			continue
		}
		if push {
			*stack = append(*stack, i)
		} else if last := len(*stack) - 1; last >= 0 {
			closers[(*stack)[last]] = i
			*stack = (*stack)[:last]
		}
	}
	found := false
	for i := start; i < end; i++ {
		closer, closed := closers[i]
		if !closed {
			continue
		}
		head := l.text[i+1 : min(closer, i+1+maxKeyBytes)]
		colons := strings.Index(head, "::")
		if colons <= 0 || !isKey(head[:colons]) || l.inQuiet(i+1+colons) {
			continue
		}
		l.addField(Range{i + 1, i + 1 + colons}, Range{i + 1 + colons + 2, closer})
		found = true
		i = closer
	}
	return found
}

// lineField reads "Key:: value" where the line is nothing else.
func (l *lexer) lineField(start, end int) {
	line := l.text[start:end]
	colons := strings.Index(line, "::")
	key := line[:colons]
	after := line[colons+2:]
	if l.inQuiet(start + colons) {
		return
	}
	begin := strings.IndexFunc(key, unicode.IsLetter)
	if begin < 0 {
		return
	}
	name := strings.TrimRight(key[begin:], "_*~` \t")
	if len(name) > maxKeyBytes || !isKey(name) || tight(after) && (strings.Trim(key[:begin], "_*~ \t") != "" || !isTightField(name, after)) {
		return
	}
	l.addField(Range{start + begin, start + begin + len(name)}, Range{start + colons + 2, end})
}

// tight tells whether a value follows its colons at once.
func tight(after string) bool {
	return after != "" && !isSpace(after[0]) && !strings.HasPrefix(after, "[[") && after[0] != '"'
}

// isTightField tells "key::value" from words with a name such as "std::vector" among them: the key is one word, and no
// further colons follow in the word behind it. Dataview asks for no white space, yet takes such prose for fields.
func isTightField(name, after string) bool {
	word, _, _ := strings.Cut(after, " ")
	return !strings.ContainsAny(name, " \t") && after[0] != ':' && !strings.Contains(word, "::")
}

// isKey allows letters, digits and what words are joined with; at least one must be a letter or a digit.
func isKey(key string) bool {
	word := false
	for _, r := range key {
		switch {
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			word = true
		case !unicode.IsMark(r) && !strings.ContainsRune(" _-/", r):
			return false
		}
	}
	return word
}

// addField adds the node of a field. Its key gives a relation to the links in its value.
func (l *lexer) addField(key, value Range) *inline {
	l.relate(value, key)
	n := l.add(kindField, Range{key.Start, value.End}, key)
	n.target = l.places(value.Start, value.End)
	n.hidden = l.hidden || inRanges(l.veiled, key.Start)
	if l.tree {
		l.within.AppendChild(l.within, n)
	}
	return n
}

// inQuiet tells whether a place is in code, math, HTML or a link. settle has put the ranges in order.
func (l *lexer) inQuiet(at int) bool { return inRanges(l.quiet, at) }

// inRanges tells whether a place is in one of the ranges, which ascend and lie apart.
func inRanges(ranges []Range, at int) bool {
	next := sort.Search(len(ranges), func(i int) bool { return ranges[i].End > at })
	return next < len(ranges) && ranges[next].Start <= at
}

// mergeRanges sorts ranges by place and joins those that touch.
func mergeRanges(ranges []Range) []Range {
	sort.Slice(ranges, func(i, j int) bool { return ranges[i].Start < ranges[j].Start })
	kept := ranges[:0]
	for _, r := range ranges {
		if last := len(kept) - 1; last >= 0 && r.Start <= kept[last].End {
			kept[last].End = max(kept[last].End, r.End)
			continue
		}
		kept = append(kept, r)
	}
	return kept
}

// taskSigns are the signs of the Tasks plugin, with the names of the fields they stand for.
var taskSigns = map[rune]string{
	'➕': "created", '🛫': "start", '⏳': "scheduled", '⌛': "scheduled", '📅': "due", '📆': "due", '🗓': "due", '✅': "done",
}

// taskDates reads "📅 2031-01-31" and its kind.
func (l *lexer) taskDates(start, end int) {
	line := l.text[start:end]
	for i, r := range line {
		if r < 0x2000 {
			continue
		}
		name, known := taskSigns[r]
		if !known || l.inQuiet(start+i) {
			continue
		}
		rest := strings.TrimLeft(line[i+len(string(r)):], " \uFE0F")
		if len(rest) >= 10 && isDate(rest[:10]) {
			at := start + i + len(line[i:]) - len(rest)
			l.addField(Range{start + i, start + i + len(string(r))}, Range{at, at + 10}).name = name
		}
	}
}

// isDate knows 2031-01-31 by its shape.
func isDate(text string) bool {
	for i := range len(text) {
		if dash := i == 4 || i == 7; dash != (text[i] == '-') || !dash && !isDigit(text[i]) {
			return false
		}
	}
	return len(text) == 10
}
