package note

import (
	"sort"
	"strings"
)

// markTable knows where, from any line of a text on, the next mark outside code ends. It is made in one pass from the
// last line to the first; a look-up takes the logarithm of the number of lines with a mark or a fence.
type markTable struct {
	lines []int // where such lines begin, descending
	ends  []int // behind the next mark for who comes to that line outside code, -1 if there is none
}

// tableKey tells what a table is for.
type tableKey struct {
	mark      string
	contained bool // in lists and quotes, whose marks may stand before a fence
}

// codeFence is a line that can close a fence, and the end of the next mark below it.
type codeFence struct {
	run, end int
}

// newMarkTable looks at the lines of text from a place on.
func newMarkTable(text string, key tableKey, from int) *markTable {
	t := &markTable{}
	next := -1
	closers := map[byte][]codeFence{} // by character; the nearest last, which is the shortest
	for end := len(text); end > from; {
		start := from + strings.LastIndexByte(text[from:end-1], '\n') + 1
		line := text[start:end]
		end = start
		fenced := line
		if key.contained {
			fenced = strings.TrimLeft(line, " \t>")
		}
		before, fence := next, nextFence(fenced, "")
		if fence != "" {
			next = endBehindFence(closers[fence[0]], len(fence))
		} else if at := markOutsideCode(line, key.mark); at >= 0 {
			next = start + at + len(key.mark)
		}
		if next != before {
			t.lines, t.ends = append(t.lines, start), append(t.ends, next)
		}
		if run := closingRun(fenced); run > 0 {
			char := strings.TrimLeft(fenced, " ")[0]
			kept := closers[char]
			for len(kept) > 0 && kept[len(kept)-1].run <= run {
				kept = kept[:len(kept)-1]
			}
			closers[char] = append(kept, codeFence{run, before})
		}
	}
	return t
}

// endBehindFence gives the end of the next mark below the nearest line that closes a fence of some length.
func endBehindFence(closers []codeFence, run int) int {
	long := sort.Search(len(closers), func(i int) bool { return closers[i].run < run })
	if long == 0 {
		return -1
	}
	return closers[long-1].end
}

// after gives the end of the next mark from the start of a line on, -1 if there is none.
func (t *markTable) after(start int) int {
	next := sort.Search(len(t.lines), func(i int) bool { return t.lines[i] < start })
	if next == 0 {
		return -1
	}
	return t.ends[next-1]
}

// closingMark gives the length of text up to and with the next mark outside code, -1 if there is none. It is for one
// look; who looks often makes a table.
func closingMark(text, mark string) int {
	if !strings.Contains(text, mark) {
		return -1
	}
	var fence string
	for start := 0; start < len(text); {
		end := len(text)
		if next := strings.IndexByte(text[start:], '\n'); next >= 0 {
			end = start + next + 1
		}
		line := text[start:end]
		if toggled := nextFence(line, fence); toggled != fence {
			fence = toggled
		} else if fence == "" {
			if at := markOutsideCode(line, mark); at >= 0 {
				return start + at + len(mark)
			}
		}
		start = end
	}
	return -1
}

// nextFence gives the fence that is open after line, "" if none, where fence was open before it.
func nextFence(line, fence string) string {
	trimmed := strings.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 || trimmed == "" || trimmed[0] != '`' && trimmed[0] != '~' {
		return fence
	}
	run := len(trimmed) - len(strings.TrimLeft(trimmed, trimmed[:1]))
	rest := strings.TrimSpace(trimmed[run:])
	switch {
	case run < 3:
		return fence
	case fence == "" && (trimmed[0] == '~' || strings.IndexByte(rest, '`') < 0):
		return trimmed[:run]
	case fence != "" && strings.HasPrefix(trimmed[:run], fence) && rest == "":
		return ""
	}
	return fence
}

// closingRun gives the length of the longest fence that line closes, 0 if it closes none.
func closingRun(line string) int {
	fence := nextFence(line, "")
	if fence == "" || nextFence(line, fence) != "" {
		return 0
	}
	return len(fence)
}

// markOutsideCode finds mark in a line, but not in code between backticks.
func markOutsideCode(line, mark string) int {
	first := strings.Index(line, mark)
	if first < 0 || strings.IndexByte(line[:first], '`') < 0 {
		return first
	}
	ticks := newTickRuns(line, 0)
	for at := 0; at < len(line); {
		switch {
		case line[at] == '`':
			at, _, _ = ticks.codeEnd(line, at)
		case strings.HasPrefix(line[at:], mark):
			return at
		default:
			at++
		}
	}
	return -1
}

// tickRuns has, by length, where in a text the last run of so many backticks begins: no look for the end of code fails
// late.
type tickRuns map[int]int

// newTickRuns looks at a text from a place on.
func newTickRuns(text string, at int) tickRuns {
	runs := tickRuns{}
	for {
		next := strings.IndexByte(text[at:], '`')
		if next < 0 {
			return runs
		}
		at += next
		length := tickRun(text, at)
		runs[length] = at
		at += length
	}
}

// codeEnd gives the end of the code that the backticks at a place begin. Where nothing closes it, it is not ok, and the
// end is that of the backticks.
func (t tickRuns) codeEnd(text string, at int) (end, run int, ok bool) {
	run = tickRun(text, at)
	if t[run] <= at {
		return at + run, run, false
	}
	for end = at + run; ; {
		end += strings.IndexByte(text[end:], '`')
		length := tickRun(text, end)
		end += length
		if length == run {
			return end, run, true
		}
	}
}

func tickRun(text string, at int) int {
	start := at
	for at < len(text) && text[at] == '`' {
		at++
	}
	return at - start
}

// maxUnclosed is how many times the lines of a note may be read in vain for the end of a region, where no table is made.
const maxUnclosed = 8
