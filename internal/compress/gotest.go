package compress

import (
	"encoding/json"
	"strings"

	"quarry/internal/lazyregexp"
)

// goLog is what a Go test printed by Log or Error.
var goLog = lazyregexp.New(`^\s+[^\s:]+\.go:\d+: `)

// passedPackage is the whole verdict of a package that passed, or that has no tests.
var passedPackage = lazyregexp.New(`^(?:ok  \t\S+\t(?:[\d.]+s|\(cached\))(?:[\t ]coverage: \[?[\w.% ]+\]?)?(?:[\t ]\[no tests to run\])?|\?   \t\S+\t\[no test files\])$`)

// markGoTests goes package by package, since names of tests are known within one only.
func markGoTests(lines []line) {
	start, isThere := 0, false
	for i := range lines {
		text := lines[i].text
		isThere = isThere || strings.HasPrefix(text, "=== RUN ") || strings.HasPrefix(strings.TrimLeft(text, " "), "--- ")
		isEnd := strings.HasPrefix(text, "ok  \t") || strings.HasPrefix(text, "FAIL\t")
		if !isEnd && !strings.HasPrefix(text, "?   \t") {
			continue
		}
		if isThere {
			markGoPackage(lines[start:i])
		}
		start, isThere = i+1, false
		markGoVerdict(&lines[i])
	}
	if isThere {
		markGoPackage(lines[start:])
	}
}

func markGoVerdict(l *line) {
	switch {
	case strings.HasPrefix(l.text, "FAIL\t"):
		l.raise(failure)
	case strings.Contains(l.text, "coverage: ") && !strings.Contains(l.text, "100.0%"): // which is asked for
	case passedPackage.MatchString(l.text):
		l.drop(passedFiles, 1)
	case strings.HasPrefix(l.text, "ok  \t"), strings.HasSuffix(l.text, "[no test files]"):
		l.dropHarmless(passedFiles, 1)
	}
}

// goVerdict reads "    --- PASS: TestName (0.00s)".
func goVerdict(text string) (verdict, name string) {
	rest, isVerdict := after(strings.TrimLeft(text, " "), "--- ")
	if !isVerdict {
		return "", ""
	}
	verdict, name, _ = strings.Cut(rest, ": ")
	switch verdict {
	case "PASS", "FAIL", "SKIP":
		if end := strings.LastIndex(name, " ("); end >= 0 {
			return verdict, name[:end]
		}
	}
	return "", ""
}

// goMark reads "=== RUN   TestName".
func goMark(text string) (mark, name string) {
	rest, isMark := after(text, "=== ")
	if !isMark {
		return "", ""
	}
	mark, name, _ = strings.Cut(rest, " ")
	switch mark {
	case "RUN", "PAUSE", "CONT", "NAME":
		return mark, strings.TrimSpace(name)
	}
	return "", ""
}

// goPackage goes through what the tests of a package printed.
type goPackage struct {
	lines     []line
	verdicts  map[string]string // by test, of all its runs the worst; "": one of them never ended
	current   string            // test whose output is read
	mark      int               // line + 1 of the mark that names it, as long as none of what stands below it stays
	isRunning bool
}

func markGoPackage(lines []line) {
	p := &goPackage{lines: lines, verdicts: goVerdicts(lines)}
	for i := range lines {
		l := &lines[i]
		if mark, name := goMark(l.text); mark != "" {
			p.current, p.isRunning, p.mark = name, true, i+1
			if verdict, isThere := p.verdicts[name]; isThere && verdict == "" && mark == "RUN" {
				l.raise(failure)
			} else {
				l.drop(passedTests, 0)
			}
			continue
		}
		if verdict, name := goVerdict(l.text); verdict != "" {
			p.current, p.isRunning, p.mark = name, false, 0
			markGoTest(l, verdict)
			continue
		}
		markGoOutput(l, p.verdicts[p.current], p.isRunning)
		p.nameOutput(i)
	}
}

// nameOutput keeps the mark that names a test, above output that stays, unless the same is said right below.
func (p *goPackage) nameOutput(at int) {
	if p.mark == 0 || p.lines[at].rank == dropped || p.lines[at].isBlank() || isGoEnd(p.lines[at].text) {
		return
	}
	mark := p.mark - 1
	p.mark = 0
	for _, l := range p.lines[at+1:] {
		verdict, name := goVerdict(l.text)
		if verdict == "FAIL" && name == p.current {
			return
		}
		if next, _ := goMark(l.text); verdict != "" || next != "" {
			break
		}
	}
	p.lines[mark].rank = failure
}

func isGoEnd(text string) bool { return text == "PASS" || text == "FAIL" }

// goVerdicts gives each test its worst verdict: with -count a test runs several times, and may fail in one of them only. A run
// without a verdict never ended, unless the tests came to an end as a whole: then its verdict only has another form.
func goVerdicts(lines []line) map[string]string {
	verdicts, runs := map[string]string{}, map[string]int{}
	last := ""
	for i := range lines {
		if mark, name := goMark(lines[i].text); mark == "RUN" {
			runs[name] += 1 + int(lines[i].repeats)
			last = name
		}
		verdict, name := goVerdict(lines[i].text)
		if verdict == "" {
			continue
		}
		runs[name] -= 1 + int(lines[i].repeats)
		if verdicts[name] != "FAIL" {
			verdicts[name] = verdict
		}
	}
	hasEnd := hasGoEnd(lines)
	for name, left := range runs {
		if left > 0 && verdicts[name] != "FAIL" && (!hasEnd || name == last) {
			verdicts[name] = ""
		}
	}
	return verdicts
}

// hasGoEnd tells whether all tests of a package came to their end: at its own end stands PASS or FAIL.
func hasGoEnd(lines []line) bool {
	const near = 3
	seen := 0
	for i := len(lines) - 1; i >= 0 && seen < near; i-- {
		if isGoEnd(lines[i].text) {
			return true
		}
		if !lines[i].isBlank() {
			seen++
		}
	}
	return false
}

func markGoTest(l *line, verdict string) {
	switch verdict {
	case "PASS":
		l.drop(passedTests, 1)
	case "SKIP":
		l.drop(skippedTests, 1)
	default:
		l.raise(failure)
	}
}

// markGoOutput looks at what a test printed, while it ran or, without -v, below its verdict.
func markGoOutput(l *line, verdict string, isRunning bool) {
	switch {
	case l.text == "PASS":
		l.drop(passedTests, 0)
	case strings.HasPrefix(l.text, "exit status "), l.text == "FAIL":
		l.raise(failure)
	case goLog.MatchString(l.text):
		if _, message, _ := strings.Cut(l.text, ": "); (verdict == "PASS" || verdict == "SKIP") && !isError(message) {
			l.drop(testOutput, 1)
		} else {
			l.raise(failure)
		}
	case (verdict == "PASS" || verdict == "SKIP") && isRunning && !l.isBlank():
		l.dropHarmless(testOutput, 1)
	case verdict == "FAIL":
		l.raise(context)
	}
}

// goEvent is a line of `go test -json`.
type goEvent struct {
	Action, Package, ImportPath, Test, Output string
}

// readGoEvents makes of the events of `go test -json` what `go test -v` prints, package by package. Other lines stay as they are.
func readGoEvents(lines []line) []line {
	if !hasGoEvents(lines) {
		return lines
	}
	var order []string
	packages := map[string]*strings.Builder{}
	for _, l := range lines {
		var event goEvent
		text := l.text + "\n"
		if strings.HasPrefix(l.text, `{`) && json.Unmarshal([]byte(l.text), &event) == nil && event.Action != "" {
			text = event.Output
		}
		name := event.Package
		if name == "" {
			name = event.ImportPath
		}
		if packages[name] == nil {
			packages[name] = &strings.Builder{}
			order = append(order, name)
		}
		if text == "" {
			continue
		}
		b := packages[name]
		b.WriteString(text)
	}
	var read []line
	for _, name := range order {
		read = append(read, readLines(packages[name].String())...)
	}
	return read
}

func hasGoEvents(lines []line) bool {
	events, others := 0, 0
	for i := range lines[:min(len(lines), 200)] {
		text := lines[i].text
		switch {
		case strings.HasPrefix(text, "{") && strings.Contains(text, `"Action":"`) && (strings.Contains(text, `"Package":"`) || strings.Contains(text, `"ImportPath":"`)):
			events++
		case text != "":
			others++
		}
	}
	return events > others
}
