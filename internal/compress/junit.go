package compress

import (
	"strings"

	"quarry/internal/lazyregexp"
)

// isXML tells of a report in the form of JUnit.
func isXML(lines []line) bool {
	for i := range lines[:min(len(lines), 5)] {
		if strings.HasPrefix(lines[i].text, "<testsuite") || strings.HasPrefix(lines[i].text, "<?xml") && strings.Contains(joined(lines, i, 12), "<testsuite") {
			return true
		}
	}
	return false
}

// joined is the text of some lines, of long ones the beginning.
func joined(lines []line, start, count int) string {
	var b strings.Builder
	for _, l := range lines[start:min(len(lines), start+count)] {
		b.WriteString(l.text[:min(len(l.text), 1000)])
	}
	return b.String()
}

// readXML gives each test and each group a line of its own, where they stand behind each other.
func readXML(lines []line) []line {
	read := make([]line, 0, len(lines))
	isInText := false // of a CDATA section
	for _, l := range lines {
		lineCount := l.lines
		for {
			var end int
			end, isInText = nextTag(l.text, isInText)
			piece := l
			piece.text, piece.lines = l.text[:end], lineCount
			if strings.TrimSpace(piece.text) != "" || end == len(l.text) {
				read = append(read, piece)
				lineCount = 0
			}
			if end == len(l.text) {
				break
			}
			l.text = l.text[end:]
		}
	}
	return read
}

// nextTag is where the next test or group begins behind the first character, and whether the text before leaves a CDATA
// section open.
func nextTag(text string, isInText bool) (at int, isOpen bool) {
	const begin, end = "<![CDATA[", "]]>"
	for i := 0; i < len(text); {
		if isInText {
			n := strings.Index(text[i:], end)
			if n < 0 {
				return len(text), true
			}
			i, isInText = i+n+len(end), false
			continue
		}
		n := strings.IndexByte(text[i:], '<')
		if n < 0 {
			return len(text), false
		}
		i += n
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, begin):
			isInText = true
			i += len(begin)
		case i > 0 && (strings.HasPrefix(rest, "<testcase") || strings.HasPrefix(rest, "<testsuite") || strings.HasPrefix(rest, "</testsuite") ||
			strings.HasPrefix(rest, "<propert") || strings.HasPrefix(rest, "<failure") || strings.HasPrefix(rest, "<error") || strings.HasPrefix(rest, "<skipped") ||
			strings.HasPrefix(rest, "<system-")):
			return i, false
		default:
			i++
		}
	}
	return len(text), isInText
}

// markXML drops tests without failure and properties.
func markXML(lines []line) {
	for i := 0; i < len(lines); i++ {
		text := strings.TrimLeft(lines[i].text, " \t")
		switch {
		case strings.HasPrefix(text, "<propert") || strings.HasPrefix(text, "</propert"):
			count := int32(0)
			if strings.HasPrefix(text, "<property ") {
				count = 1
			}
			lines[i].dropQuiet(properties, count)
		case strings.HasPrefix(text, "<testcase"):
			end := testEnd(lines, i)
			markXMLTest(lines[i:end])
			i = end - 1
		case isError(text) && !strings.HasPrefix(text, "<testsuite"):
			lines[i].raise(failure)
		}
	}
}

// testEnd is behind the last line of a test.
func testEnd(lines []line, start int) int {
	const longest = 100_000
	if text := lines[start].text; strings.HasSuffix(strings.TrimRight(text, " \t"), "/>") || strings.Contains(text, "</testcase>") {
		return start + 1
	}
	for i := start + 1; i < min(len(lines), start+longest); i++ {
		text := strings.TrimLeft(lines[i].text, " \t")
		if strings.HasPrefix(text, "<testcase") || strings.HasPrefix(text, "</testsuite") {
			return i
		}
		if strings.Contains(text, "</testcase>") {
			return i + 1
		}
	}
	return start + 1
}

// failedTest tells it in an attribute.
// A test that ctest could not start is one, too; those that other runners call "notrun" were switched off.
var failedTest = lazyregexp.New(`^<testcase\s[^>]*\b(?:status|result|outcome)="(?i:fail|error|broken)`)

func markXMLTest(test []line) {
	of := passedTests
	for i := range test {
		text := strings.TrimLeft(test[i].text, " \t")
		isUnstarted := strings.HasPrefix(text, `<skipped message="`) && strings.Contains(test[0].text, ` status="notrun"`) && isError(text)
		if isUnstarted || strings.Contains(text, "<failure") || strings.Contains(text, "<error") || strings.Contains(text, "<rerun") || strings.Contains(text, "<flaky") ||
			i == 0 && failedTest.MatchString(text) {
			of = groups
		}
		if of == passedTests && strings.Contains(text, "<skipped") {
			of = skippedTests
		}
	}
	if of == groups {
		markXMLFailure(test)
		return
	}
	if strings.HasSuffix(strings.TrimRight(test[0].text, " \t"), ">") || len(test) > 1 {
		test[0].drop(of, 1)
	} else {
		test[0].dropHarmless(of, 1)
	}
	for i := range test[1:] {
		test[i+1].dropHarmless(of, 0)
	}
}

// markXMLFailure keeps what is no frame of a trace; the middle of long output goes.
func markXMLFailure(test []line) {
	output := 0
	p := &pytest{lines: test, seen: map[string]bool{}}
	isPytest := false // others indent values and messages as it indents source
	for i := range test {
		isPytest = isPytest || strings.HasPrefix(test[i].text, "E  ")
	}
	for i := range test {
		text := strings.TrimLeft(test[i].text, " \t")
		switch {
		case strings.HasPrefix(test[i].text, "E  "):
			p.inMessage = true
			p.markAsserted(i)
		case strings.HasPrefix(test[i].text, "&gt;"):
			p.inMessage = false
			p.markOnce(&test[i], sourceLines)
		case pytestPlace.MatchString(test[i].text):
			p.inMessage = false
			p.markOnce(&test[i], frames)
		case isPytest && !p.inMessage && (strings.HasPrefix(text, "&lt;") || strings.HasPrefix(test[i].text, "    ") && !strings.HasPrefix(text, "<") && !isError(text) && output == 0):
			p.markSource(i)
		case strings.HasPrefix(text, "<system-"):
			output = i + 1
		case strings.HasPrefix(text, "<"), isError(text), hasPlace(text) && !strings.HasPrefix(text, "at "):
			test[i].raise(failure)
		case output == 0 && test[i].rank == plain && text != "" && !strings.HasPrefix(text, "at "):
			test[i].raise(context)
		}
	}
	if output > 0 {
		dropMiddle(test[output:], 10, 10)
	}
}
