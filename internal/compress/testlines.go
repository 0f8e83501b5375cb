package compress

import (
	"strings"

	"quarry/internal/lazyregexp"
)

var (
	// mochaFailure numbers a failing test.
	mochaFailure = lazyregexp.New(`^\s+\d+\) \S`)
	// unitVerdict ends a line of Python's unittest.
	unitVerdict = lazyregexp.New(`^\S+ \(\S+\)(?:.*)? \.\.\. (ok|FAIL|ERROR|skipped .*|expected failure)$`)
	// unitName is a test of Python's unittest whose description stands on the next line, in front of the verdict.
	unitName = lazyregexp.New(`^\w+ \([\w.<>]+\)$`)
	// manyTests is how vitest and jest tell of a whole file.
	manyTests = lazyregexp.New(`\(\d+ tests?\b[^)]*\)`)
)

// markTestLines knows runners that give a line to each test: cargo, unittest, jest, vitest, mocha and those that look like them.
func markTestLines(lines []line) {
	for i := range lines {
		l := &lines[i]
		if l.rank == dropped || l.text == "" {
			continue
		}
		trimmed := strings.TrimLeft(l.text, " ")
		if strings.HasPrefix(l.text, "test ") && strings.Contains(l.text, " ... ") {
			markCargoTest(l)
			continue
		}
		if i > 0 && strings.Contains(l.text, " ... ") && unitName.MatchString(lines[i-1].text) {
			markDescribedTest(&lines[i-1], l)
			continue
		}
		if strings.Contains(l.text, ") ... ") {
			markUnitTest(l)
			continue
		}
		markSign(l, trimmed)
	}
}

func markCargoTest(l *line) {
	_, verdict, _ := strings.Cut(l.text, " ... ")
	switch {
	case verdict == "ok":
		l.drop(passedTests, 1)
	case strings.HasPrefix(verdict, "ignored"):
		l.drop(skippedTests, 1)
	case verdict == "FAILED":
		l.raise(failure)
	}
}

func markUnitTest(l *line) {
	m := unitVerdict.FindStringSubmatch(l.text)
	switch {
	case m == nil || strings.Count(l.text, " ... ") > 1:
	case m[1] == "ok":
		l.drop(passedTests, 1)
	case m[1] == "FAIL", m[1] == "ERROR":
		l.raise(failure)
	default:
		l.drop(skippedTests, 1)
	}
}

// markDescribedTest is markUnitTest for a name and a description below it.
func markDescribedTest(name, l *line) {
	_, verdict, _ := strings.Cut(l.text, " ... ")
	switch verdict {
	case "ok":
		name.drop(passedTests, 0)
		l.drop(passedTests, 1)
	case "FAIL", "ERROR":
		name.raise(failure)
		l.raise(failure)
	}
}

var (
	// ctestVerdict is how ctest says that a test passed.
	ctestVerdict = lazyregexp.New(`^ *\d+/\d+ Test +#(\d+): \S+ \.* +Passed +[\d.]+ sec$`)
	// ctestStart is where it starts one.
	ctestStart = lazyregexp.New(`^ +Start +(\d+): \S+$`)
)

// markCTest drops the lines of tests that passed.
func markCTest(lines []line) {
	passed := map[string]bool{}
	for i := range lines {
		if strings.Contains(lines[i].text, " Test ") {
			if m := ctestVerdict.FindStringSubmatch(lines[i].text); m != nil {
				passed[m[1]] = true
				lines[i].drop(passedTests, 1)
			}
		}
	}
	for i := range lines {
		if len(passed) > 0 && strings.Contains(lines[i].text, " Start ") {
			if m := ctestStart.FindStringSubmatch(lines[i].text); m != nil && passed[m[1]] {
				lines[i].drop(passedTests, 0)
			}
		}
	}
}

// markSign looks at the sign or word in front.
func markSign(l *line, trimmed string) {
	switch sign, rest, _ := strings.Cut(trimmed, " "); sign {
	case "✓", "✔", "√":
		switch {
		case strings.Contains(rest, " failed"):
			l.raise(failure)
		case manyTests.MatchString(rest):
			l.drop(passedFiles, 1)
		default:
			l.drop(passedTests, 1)
		}
	case "○", "↓", "✎":
		l.drop(skippedTests, 1)
	case "✕", "✗", "✖", "×", "●", "FAIL":
		l.raise(failure)
	case "PASS":
		if l.text == trimmed && passedFile.MatchString(rest) {
			l.drop(passedFiles, 1)
		}
	default:
		if mochaFailure.MatchString(l.text) {
			l.raise(failure)
		}
	}
}

// passedFile is "src/a.test.js", and "src/a.test.js (5.1 s)"; in front there may be the name of a project.
var passedFile = lazyregexp.New(`^(?:[\w@-]+ )?\S*[./]\S*(?: \([^():]*\))*$`)

// tapLine is a verdict of the Test Anything Protocol.
var tapLine = lazyregexp.New(`^( *)(ok|not ok) \d+(?: |$)`)

// markTAP knows the Test Anything Protocol: verdicts, their YAML blocks and the headings of subtests.
func markTAP(lines []line) {
	headings := map[int]int{} // indent to line + 1 of "# Subtest: name"
	for i := 0; i < len(lines); i++ {
		text := lines[i].text
		indent := indentOf(text)
		if strings.HasPrefix(text[indent:], "# Subtest: ") {
			headings[indent] = i + 1
			continue
		}
		m := tapLine.FindStringSubmatch(text)
		if m == nil {
			if len(headings) > 0 && isPlan(text[indent:]) {
				lines[i].drop(otherLines, 0)
			}
			continue
		}
		end := blockEnd(lines, i+1)
		if m[2] == "not ok" {
			lines[i].raise(failure)
			markTAPBlock(lines[i+1 : end])
		} else {
			dropTAP(lines[i:end])
			if at := headings[indent]; at > 0 {
				lines[at-1].drop(otherLines, 0)
			}
		}
		delete(headings, indent)
		i = end - 1
	}
}

func isPlan(text string) bool {
	rest, isPlan := after(text, "1..")
	return isPlan && rest != "" && strings.Trim(rest, "0123456789") == ""
}

// blockEnd is where the YAML block of a verdict ends that may begin here.
func blockEnd(lines []line, start int) int {
	const longest = 500
	if start >= len(lines) || strings.TrimSpace(lines[start].text) != "---" {
		return start
	}
	for i := start + 1; i < min(len(lines), start+longest); i++ {
		if strings.TrimSpace(lines[i].text) == "..." && indentOf(lines[i].text) == indentOf(lines[start].text) {
			return i + 1
		}
	}
	return start
}

// markTAPBlock keeps what is said of a failure; of long values the beginning.
func markTAPBlock(block []line) {
	const whole = 6 // lines of a value
	key, inside := -1, 0
	for i := range block {
		text := strings.TrimSpace(block[i].text)
		if indent := indentOf(block[i].text); key < 0 || indent <= key {
			key, inside = -1, 0
			if text == "expected:" || text == "actual:" {
				key = indent
			}
		} else if inside++; inside > whole {
			block[i].dropHarmless(otherLines, 1)
			continue
		}
		if text == "---" || text == "..." || strings.HasPrefix(text, "duration_ms:") || strings.HasPrefix(text, "type:") {
			block[i].dropHarmless(otherLines, 0)
		} else if isLibrary(text) && !isMore(text) {
			block[i].drop(frames, 1)
		} else {
			block[i].raise(context)
		}
	}
}

// dropTAP drops what passed or was skipped. A group of tests is not counted beside them.
func dropTAP(verdict []line) {
	of, count := passedTests, int32(1)
	if strings.Contains(verdict[0].text, " # SKIP") || strings.Contains(verdict[0].text, " # TODO") {
		of = skippedTests
	}
	for _, l := range verdict[1:] {
		if strings.TrimSpace(l.text) == "type: 'suite'" {
			count = 0
		}
	}
	verdict[0].drop(of, count)
	for i := range verdict[1:] {
		verdict[i+1].dropHarmless(of, 0)
	}
}

// markAssertions cuts the comparisons of jest, vitest and mocha, which list what is equal, too.
func markAssertions(lines []line) {
	for i := 0; i < len(lines); i++ {
		text := strings.TrimLeft(lines[i].text, " ")
		if !strings.HasPrefix(text, "- Expected") && !strings.HasPrefix(text, "+ expected - actual") && !strings.HasPrefix(text, "+ Received") {
			continue
		}
		column := len(lines[i].text) - len(text)
		end := i + 1
		for end < len(lines) && !isAssertionEnd(strings.TrimLeft(lines[end].text, " ")) {
			end++
		}
		markChanged(lines[i+1:end], column)
		i = end - 1
	}
}

// numberedSource is a line of source with its number, and a mark in front of the one that failed.
var numberedSource = lazyregexp.New(`^\s*(>)?\s*(\d*)\s*\|(.*)$`)

// markSourceFrames keeps of a few lines of source, as runners of tests show them, the one that failed.
func markSourceFrames(lines []line) {
	for i := 0; i < len(lines); i++ {
		end := i
		for end < len(lines) && lines[end].rank != dropped && strings.IndexByte(lines[end].text, '|') >= 0 && numberedSource.MatchString(lines[end].text) {
			end++
		}
		if end-i >= 4 {
			markSourceFrame(lines[i:end])
		}
		i = max(i, end-1)
	}
}

func markSourceFrame(lines []line) {
	kept := make([]bool, len(lines))
	isMarked, isNumbered := false, false // what has no number is a trace of Python in a group of exceptions, or a table
	for i := range lines {
		m := numberedSource.FindStringSubmatch(lines[i].text)
		isNumbered = isNumbered || m[2] != ""
		isCaret := m[2] == "" && strings.Trim(m[3], " ^~") == "" && strings.Contains(m[3], "^")
		kept[i] = m[1] == ">" || strings.HasPrefix(m[3], " >>>") || isCaret
		if isCaret && i > 0 {
			kept[i-1] = true
		}
		isMarked = isMarked || kept[i]
	}
	for i := range lines {
		if isMarked && isNumbered && !kept[i] {
			lines[i].dropSource(sourceLines, 1)
		}
	}
}

func isAssertionEnd(text string) bool {
	for _, prefix := range []string{"at ", "❯", "●", "FAIL", "- Expected", "⎯", "✕", "×", "Error:"} {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return mochaFailure.MatchString(" " + text)
}

// markChanged drops what is further than two lines from a change, which has "+" or "-" in a column.
func markChanged(lines []line, column int) {
	const near = 2
	last := -near - 1 // change
	changes := make([]bool, len(lines))
	for i := range lines {
		text := lines[i].text
		changes[i] = len(text) > column && (text[column] == '+' || text[column] == '-')
		if changes[i] {
			lines[i].raise(context)
			last = i
		} else if i-last > near {
			lines[i].dropHarmless(unchangedLines, 1)
		}
	}
	next := len(lines) + near + 1
	for i := len(lines) - 1; i >= 0; i-- {
		if changes[i] {
			next = i
		} else if next-i <= near && lines[i].rank == dropped && lines[i].group == unchangedLines {
			lines[i].rank = context
		}
	}
}
