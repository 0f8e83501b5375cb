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
func (c *scanner) fields(start, end int, task bool) {
	if strings.Contains(c.text[start:end], "::") && !c.wrappedFields(start, end) && !task {
		c.lineField(start, end)
	}
	if task {
		c.taskDates(start, end)
	}
}

// wrappedFields reads the bracketed fields of a line. One look finds the partner of every bracket, so that brackets
// without one cost nothing.
func (c *scanner) wrappedFields(start, end int) bool {
	closers := map[int]int{}
	var square, round []int
	for i := start; i < end; i++ {
		stack, push := &square, true
		switch c.text[i] {
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
		head := c.text[i+1 : min(closer, i+1+maxKeyBytes)]
		colons := strings.Index(head, "::")
		if colons <= 0 || !isKey(head[:colons]) || c.inQuiet(i+1+colons) {
			continue
		}
		c.addField(Range{i + 1, i + 1 + colons}, Range{i + 1 + colons + 2, closer})
		found = true
		i = closer
	}
	return found
}

// lineField reads "Key:: value" where the line is nothing else.
func (c *scanner) lineField(start, end int) {
	line := c.text[start:end]
	colons := strings.Index(line, "::")
	key := line[:colons]
	after := line[colons+2:]
	if after != "" && !isSpace(after[0]) && !strings.HasPrefix(after, "[[") && after[0] != '"' || c.inQuiet(start+colons) {
		return
	}
	begin := strings.IndexFunc(key, unicode.IsLetter)
	if begin < 0 {
		return
	}
	name := strings.TrimRight(key[begin:], "_*~` \t")
	if len(name) > maxKeyBytes || !isKey(name) {
		return
	}
	c.addField(Range{start + begin, start + begin + len(name)}, Range{start + colons + 2, end})
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

func (c *scanner) addField(key, value Range) {
	name := strings.ToLower(strings.Join(strings.Fields(c.slice(key.Start, key.End)), "-"))
	c.relate(value, name)
	c.pushField(name, strings.TrimSpace(c.slice(value.Start, value.End)), key.Start)
}

func (c *scanner) pushField(key, value string, at int) {
	if len(c.note.Fields) < maxFacts {
		hidden := c.hidden || inRanges(c.veiled, at)
		c.note.Fields = append(c.note.Fields, Field{Key: key, Value: value, Line: c.source.line(c.raw(at)), Hidden: hidden})
	}
}

// inQuiet tells whether a place is in code, math, HTML or a link. settle has put the ranges in order.
func (c *scanner) inQuiet(at int) bool { return inRanges(c.quiet, at) }

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
func (c *scanner) taskDates(start, end int) {
	line := c.text[start:end]
	for i, r := range line {
		if r < 0x2000 {
			continue
		}
		name, known := taskSigns[r]
		if !known || c.inQuiet(start+i) {
			continue
		}
		rest := strings.TrimLeft(line[i+len(string(r)):], " \uFE0F")
		if len(rest) >= 10 && isDate(rest[:10]) {
			c.pushField(name, rest[:10], start+i)
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
