package compress

import (
	"strings"

	"quarry/internal/lazyregexp"
)

var (
	// pytestVerdict ends a line of `pytest -v`.
	pytestVerdict = lazyregexp.New(`^(?:\[gw\d+\] )?(?:\[ *\d+%\] )?(?:(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) )?\S+\.py::.*?(?: (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: \(.*\))?)?(?: +\[ *\d+%\])?$`)
	// libraryPlace is a frame and nothing more.
	libraryPlace = lazyregexp.New(`: in \S+$`)
	// plugins are names with versions.
	plugins = lazyregexp.New(`^plugins: [\w.-]+(?:, [\w.-]+)*$`)
	// pytestName is that of a test in a line with a verdict, with nothing that the test printed behind it.
	pytestName = lazyregexp.New(`^(?:\[gw\d+\] )?(?:\[ *\d+%\] )?(?:[A-Z]+ )?\S+\.py::(?:[^\s\[]*\[.*\]|\S+)(?: [A-Z]+(?: \(.*\))?)?(?: +\[ *\d+%\])?$`)
	// pytestDots are signs of verdicts, behind a file or alone.
	pytestDots = lazyregexp.New(`^(?:\S+\.py )?([.sxX]+)(?: +\[ *\d+%\])?$`)
	// pythonPlace is a frame as Python shows it, and nothing more.
	pythonPlace = lazyregexp.New(`^  File "[^"]*", line \d+, in \S+$`)
	// pytestPlace is where an assertion failed, or a frame above it.
	pytestPlace = lazyregexp.New(`^[^\s:]+\.py:\d+: ?`)
)

// pytest goes through a report section by section.
type pytest struct {
	lines     []line
	section   string
	seen      map[string]bool // in one failure
	errors    int             // lines of an assertion so far
	inLibrary bool            // below the place of a frame of a library
	inMessage bool            // below what was asserted or raised, before the next place: what is indented there is no source
	capture   int             // line where captured output begins; 0: there is none
}

// markPytest knows the sections of a report by pytest.
func markPytest(lines []line) {
	p := &pytest{lines: lines, seen: map[string]bool{}}
	for i := range lines {
		if title, isSection := titleOf(lines[i].text, '='); isSection {
			p.endCapture(i)
			if p.begin(title) {
				lines[i].raise(context)
			}
			continue
		}
		switch p.section {
		case "test session starts":
			p.markSession(&lines[i])
		case "FAILURES", "ERRORS":
			p.markFailure(i)
		case "PASSES":
			if _, isName := titleOf(lines[i].text, '_'); isName {
				lines[i].drop(passedTests, 0)
			} else if !lines[i].isBlank() {
				lines[i].dropHarmless(testOutput, 1)
			}
		case "warnings summary":
			p.markWarning(&lines[i])
		case "short test summary info":
			p.markSummary(&lines[i])
		}
	}
	p.endCapture(len(lines))
}

// titleOf reads "==== FAILURES ====".
func titleOf(text string, sign byte) (title string, isTitle bool) {
	if len(text) < 8 || text[0] != sign || text[1] != sign || text[len(text)-1] != sign {
		return "", false
	}
	title = strings.Trim(text, string(sign))
	if len(title) < 3 || title[0] != ' ' || title[len(title)-1] != ' ' {
		return "", false
	}
	return strings.TrimSpace(title), true
}

func (p *pytest) begin(title string) bool {
	name, _, _ := strings.Cut(title, " (")
	switch name {
	case "test session starts", "FAILURES", "ERRORS", "PASSES", "warnings summary", "short test summary info":
		p.section = name
		clear(p.seen)
		p.errors = 0
		return true
	}
	p.section = ""
	return strings.Contains(title, "passed") || strings.Contains(title, "failed") || strings.Contains(title, "error")
}

func (p *pytest) markSession(l *line) {
	for _, prefix := range []string{"platform ", "cachedir: ", "rootdir: ", "configfile: ", "plugins: ", "collecting ", "hypothesis profile ", "asyncio: "} {
		if strings.HasPrefix(l.text, prefix) {
			if prefix == "plugins: " && plugins.MatchString(l.text) {
				l.drop(setup, 1)
			}
			l.dropHarmless(setup, 1)
			return
		}
	}
	if m := pytestDots.FindStringSubmatch(l.text); m != nil {
		l.drop(passedTests, int32(min(len(m[1]), 1<<20)))
		return
	}
	if !strings.Contains(l.text, ".py::") {
		return
	}
	m := pytestVerdict.FindStringSubmatch(l.text)
	if m == nil {
		return
	}
	verdict := m[1] + m[2]
	if verdict != "" && isError(l.text) && !pytestName.MatchString(l.text) {
		l.raise(failure)
	}
	switch verdict {
	case "PASSED":
		l.drop(passedTests, 1)
	case "SKIPPED", "XFAIL":
		l.drop(skippedTests, 1)
	case "FAILED", "ERROR":
		l.raise(failure)
	}
}

// markFailure keeps of a failure its name, what was asserted, the lines that failed and their places.
func (p *pytest) markFailure(i int) {
	l := &p.lines[i]
	if _, isTitle := titleOf(l.text, '_'); isTitle {
		p.endCapture(i)
		clear(p.seen)
		p.errors, p.inMessage = 0, false
		l.raise(failure)
		return
	}
	if _, isTitle := titleOf(l.text, '-'); isTitle {
		p.endCapture(i)
		p.capture = i + 1
		l.raise(context)
		return
	}
	if p.capture > 0 || l.isBlank() {
		return
	}
	switch {
	case strings.HasPrefix(l.text, "E  "), l.text == "E":
		p.inMessage = true
		p.markAsserted(i)
	case strings.HasPrefix(l.text, ">"):
		p.inLibrary, p.inMessage = false, false
		p.markOnce(l, sourceLines)
	case pytestPlace.MatchString(l.text), strings.HasPrefix(l.text, "<frozen "):
		p.errors, p.inMessage = 0, false
		if p.inLibrary = isLibrary(l.text) && libraryPlace.MatchString(l.text); p.inLibrary {
			l.drop(frames, 1)
			return
		}
		p.markOnce(l, frames)
	case pythonPlace.MatchString(l.text):
		p.inMessage = false
		if p.inLibrary = isLibrary(l.text); p.inLibrary {
			l.drop(frames, 1)
			return
		}
		p.markOnce(l, frames)
	case strings.HasPrefix(l.text, "_ _ _"):
		p.markOnce(l, otherLines)
	case strings.HasPrefix(l.text, "    ") && p.inMessage:
		l.raise(context)
	case strings.HasPrefix(l.text, "    "):
		p.markSource(i)
	default:
		if l.text[0] != ' ' { // the frames are over
			p.inLibrary, p.inMessage = false, isError(l.text)
		}
		p.markOnce(l, otherLines)
	}
}

// markOnce keeps a line the first time it is seen in a failure: frames of a recursion are the same again and again.
func (p *pytest) markOnce(l *line, of group) {
	if p.seen[l.text] {
		l.drop(of, 1)
		return
	}
	p.seen[l.text] = true
	if of == sourceLines || of == frames {
		l.raise(failure)
	} else {
		l.raise(context)
	}
}

// markAsserted keeps what differs in a long comparison, and what stands right beside it.
func (p *pytest) markAsserted(i int) {
	const whole = 12 // lines of a comparison that stay anyhow
	p.errors++
	isNear := false
	for _, at := range []int{i - 1, i, i + 1} {
		isNear = isNear || at >= 0 && at < len(p.lines) && isDifference(p.lines[at].text)
	}
	if p.errors <= whole || isNear || !isInside(p.lines[i].text) {
		p.lines[i].raise(failure)
		return
	}
	p.lines[i].dropQuiet(unchangedLines, 1)
}

// isDifference tells of "E     - a", "E     + b" and "E     ?  ^".
func isDifference(text string) bool {
	rest, isAsserted := after(text, "E")
	rest = strings.TrimLeft(rest, " ")
	return isAsserted && rest != "" && (rest[0] == '-' || rest[0] == '+' || rest[0] == '?')
}

// isInside tells whether an asserted line is one within a comparison: further in than what says what is wrong.
func isInside(text string) bool { return len(text) > 6 && strings.HasPrefix(text, "E      ") }

// markSource keeps two lines of source above the one that failed, and those below that mark the place in it.
func (p *pytest) markSource(i int) {
	const before = 2
	text := p.lines[i].text
	if p.inLibrary {
		p.lines[i].dropQuiet(frames, 0)
		return
	}
	if strings.Trim(text, " ^~") == "" && i > 0 && p.lines[i-1].rank == failure {
		p.lines[i].raise(context)
		return
	}
	if i > 0 && strings.HasPrefix(p.lines[i-1].text, `  File "`) && p.lines[i-1].rank != dropped { // as Python shows it
		p.markOnce(&p.lines[i], sourceLines)
		return
	}
	for _, next := range p.lines[i+1 : min(len(p.lines), i+1+before)] {
		if strings.HasPrefix(next.text, ">") || strings.HasPrefix(next.text, "&gt;") || pytestPlace.MatchString(p.lines[max(0, i-1)].text) {
			p.markOnce(&p.lines[i], otherLines)
			return
		}
	}
	p.lines[i].dropQuiet(sourceLines, 1)
}

// endCapture cuts what a failing test printed.
func (p *pytest) endCapture(end int) {
	if p.capture > 0 {
		dropMiddle(p.lines[p.capture:end], 10, 10)
	}
	p.capture = 0
}

func (p *pytest) markWarning(l *line) {
	const whole = 12
	p.errors++
	switch {
	case strings.HasPrefix(l.text, "-- Docs: ") && strings.Count(l.text, " ") == 2:
		l.drop(otherLines, 0)
	case p.errors > whole && !l.isBlank():
		l.dropHarmless(warnings, 1)
	}
}

func (p *pytest) markSummary(l *line) {
	word, _, _ := strings.Cut(l.text, " ")
	switch word {
	case "PASSED":
		l.drop(passedTests, 0)
	case "FAILED", "ERROR":
		l.raise(failure)
	}
}
