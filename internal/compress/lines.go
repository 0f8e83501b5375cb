package compress

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// line is one of the input, or what stands for several.
type line struct {
	text    string
	rank    rank
	group   group // of what is dropped
	count   int32 // how many of the group it stands for; 0: it goes along
	lines   int32 // of the input in the text: 1, of a line that was made of others as many
	repeats int32 // how often it follows itself, beside the first time
}

// rank is how much a line matters; the zero value says that nothing is known of it.
type rank uint8

const (
	plain   rank = iota
	context      // of a failure
	failure      // a failing test, an error, or its place: never left out
	dropped
)

// group is of what a dropped line is.
type group uint8

const (
	otherLines group = iota
	passedTests
	skippedTests
	passedFiles
	testOutput
	setup
	steps
	downloads
	commands
	warnings
	sourceLines
	frames
	goroutines
	idleGoroutines
	repeats
	unchangedLines
	changedLines
	deletedLines
	sameLines
	messageLines
	files
	matches
	elements
	properties
	characterGroup
	groups // how many there are
)

// groupNames are singular and plural.
var groupNames = [groups][2]string{
	otherLines: {"line", "lines"}, passedTests: {"passed test", "passed tests"}, skippedTests: {"skipped test", "skipped tests"},
	passedFiles: {"file or package that passed", "files or packages that passed"},
	testOutput:  {"line printed by passed tests", "lines printed by passed tests"}, setup: {"line of set-up", "lines of set-up"},
	steps: {"step", "steps"}, downloads: {"download", "downloads"}, commands: {"command", "commands"},
	warnings: {"warning like those before", "warnings like those before"}, sourceLines: {"line of source", "lines of source"},
	frames: {"frame", "frames"}, goroutines: {"goroutine with such a stack", "goroutines with such a stack"},
	idleGoroutines: {"goroutine of libraries", "goroutines of libraries"},
	repeats:        {"repeat", "repeats"}, unchangedLines: {"unchanged line", "unchanged lines"}, changedLines: {"changed line", "changed lines"},
	deletedLines: {"deleted line", "deleted lines"}, sameLines: {"line like those before", "lines like those before"},
	messageLines: {"line of the message", "lines of the message"}, files: {"file", "files"}, matches: {"match", "matches"},
	elements: {"more like these", "more like these"}, properties: {"property", "properties"}, characterGroup: {"more character", "more characters"},
}

// drop leaves a line out as one of a group, whatever it says: it is for what has the whole form of something harmless, or was there
// before. What is a failure stays.
func (l *line) drop(of group, count int32) {
	if l.rank != failure {
		l.rank, l.group, l.count = dropped, of, count
	}
}

// dropHarmless drops what may hold an error, unless it looks like one.
func (l *line) dropHarmless(of group, count int32) {
	if l.rank != failure && !isError(l.text) {
		l.drop(of, count)
	}
}

// dropQuiet drops what may hold words of trouble as names do, unless it is a message of an error.
func (l *line) dropQuiet(of group, count int32) {
	if l.rank != failure && !isErrorMessage(l.text) {
		l.drop(of, count)
	}
}

// raise lifts a line to a rank, if nobody dropped it.
func (l *line) raise(to rank) {
	if l.rank < to {
		l.rank = to
	}
}

func (l *line) isBlank() bool { return l.text == "" || strings.TrimSpace(l.text) == "" }

// readLines parts a text into lines, without what steers a terminal, and puts runs of equal lines into one. What is behind
// maxLines of them stays in one piece.
func readLines(text string) []line {
	lines := make([]line, 0, min(countLines(text), 1<<16))
	at := 0
	isByReturn := hasReturnLines(text)
	for raw := range strings.Lines(text) {
		if len(lines) >= maxLines {
			rest := strings.TrimSuffix(text[at:], "\n")
			lines = append(lines, line{text: rest, lines: int32(countLines(rest))})
			break
		}
		at += len(raw)
		raw = withoutEscapes(strings.TrimRight(strings.TrimSuffix(raw, "\n"), "\r"))
		shown := raw
		if strings.IndexByte(raw, '\r') >= 0 {
			lines, shown = appendOverwritten(lines, raw, isByReturn)
		}
		lines = appendLine(lines, shown, 1)
	}
	return unfold(lines)
}

// appendLine adds a line that stands for so many of the input, if it is not the one above again.
func appendLine(lines []line, text string, count int32) []line {
	if n := len(lines); n > 0 && lines[n-1].text == text && lines[n-1].lines == count {
		lines[n-1].repeats++
		return lines
	}
	return append(lines, line{text: text, lines: count})
}

// unfold puts runs back that are too short to be told of: two lines, and blank ones.
func unfold(lines []line) []line {
	isShort := func(l line) bool {
		return l.repeats > 0 && (int(l.repeats)*(len(l.text)+1) <= len(repeatMarker(l.repeats)) || l.text == "" && l.repeats < 8)
	}
	more := 0
	for _, l := range lines {
		if isShort(l) {
			more += int(l.repeats)
		}
	}
	if more == 0 {
		return lines
	}
	whole := make([]line, 0, len(lines)+more)
	for _, l := range lines {
		times := int32(0)
		if isShort(l) {
			times, l.repeats = l.repeats, 0
		}
		for range times + 1 {
			whole = append(whole, l)
		}
	}
	return whole
}

func repeatMarker(times int32) string {
	return "… " + counted(int(times), repeats) + " of the line above\n"
}

// render gives the text of the lines that stay, with a marker for each run of those that do not, and how many of the input's
// lines are in it.
func render(lines []line) (text string, kept int) {
	var b strings.Builder
	for i := 0; i < len(lines); {
		if lines[i].rank != dropped {
			kept += writeLine(&b, lines[i])
			i++
			continue
		}
		end := runEnd(lines, i)
		marker := runMarker(lines[i:end])
		if isShorter(marker, lines[i:end]) {
			b.WriteString(marker)
		} else {
			for _, l := range lines[i:end] {
				kept += writeLine(&b, l)
			}
		}
		i = end
	}
	return b.String(), kept
}

func writeLine(b *strings.Builder, l line) (kept int) {
	b.WriteString(l.text)
	b.WriteByte('\n')
	if l.repeats > 0 {
		b.WriteString(repeatMarker(l.repeats))
	}
	return int(l.lines)
}

// runEnd is where a run of dropped lines ends; blank lines between two of them belong to it.
func runEnd(lines []line, start int) int {
	end := start + 1
	for i := end; i < len(lines); i++ {
		if lines[i].rank == dropped {
			end = i + 1
		} else if !lines[i].isBlank() {
			break
		}
	}
	return end
}

// runMarker tells of a run of dropped lines, what comes first in it first.
func runMarker(run []line) string {
	var counts [groups]int
	var order []group
	all := 0
	for _, l := range run {
		all += 1 + int(l.repeats)
		if l.rank != dropped || l.count == 0 {
			continue
		}
		if counts[l.group] == 0 {
			order = append(order, l.group)
		}
		counts[l.group] += int(l.count) * (1 + int(l.repeats))
	}
	if len(order) == 0 {
		order, counts[otherLines] = []group{otherLines}, all
	}
	parts := make([]string, len(order))
	for i, g := range order {
		parts[i] = counted(counts[g], g)
	}
	return "… " + strings.Join(parts, ", ") + "\n"
}

func counted(n int, of group) string {
	if n == 1 {
		return "1 " + groupNames[of][0]
	}
	return strconv.Itoa(n) + " " + groupNames[of][1]
}

// isShorter tells whether a marker has fewer bytes and characters than the lines it stands for.
func isShorter(marker string, run []line) bool {
	bytes, characters := 0, 0
	wantBytes, wantCharacters := len(marker), utf8.RuneCountInString(marker)
	for _, l := range run {
		bytes += len(l.text) + 1
		characters += utf8.RuneCountInString(l.text) + 1
		if bytes > wantBytes && characters > wantCharacters {
			return true
		}
	}
	return false
}
