package compress

import (
	"encoding/json"
	"strings"
)

// goLog is what a Go test printed by Log or Error.
var goLog = lazily(`^\s+[^\s:]+\.go:\d+: `)

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
	case strings.HasPrefix(l.text, "ok  \t"), strings.HasSuffix(l.text, "[no test files]"):
		l.drop(passedFiles, 1)
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

func markGoPackage(lines []line) {
	verdicts := map[string]string{}
	for i := range lines {
		if verdict, name := goVerdict(lines[i].text); verdict != "" {
			verdicts[name] = verdict
		}
	}
	current, isRunning := "", false // whose output is read
	for i := range lines {
		l := &lines[i]
		if mark, name := goMark(l.text); mark != "" {
			current, isRunning = name, true
			if verdicts[name] != "" || mark != "RUN" {
				l.drop(passedTests, 0)
			} else {
				l.raise(failure) // it never ended
			}
			continue
		}
		if verdict, name := goVerdict(l.text); verdict != "" {
			current, isRunning = name, false
			markGoTest(l, verdict)
			continue
		}
		markGoOutput(l, verdicts[current], isRunning)
	}
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
		if verdict == "PASS" || verdict == "SKIP" {
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
