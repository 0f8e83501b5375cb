package compress

import (
	"strings"

	"quarry/internal/lazyregexp"
)

// severity of what a compiler or linter says.
type severity uint8

const (
	nothing severity = iota
	note
	warning
	mistake
)

const (
	warningsEach = 3  // of a rule that stay
	framesEach   = 1  // of a rule of warnings, with its lines of source
	framesAll    = 10 // of errors, with their lines of source
	notesEach    = 1  // of an error, in files of the system
)

var (
	lintRow   = lazyregexp.New(`^\s+\d+:\d+\s+(error|warning)\s`)
	goProblem = lazyregexp.New(`^(?:vet: )?[^\s:]+\.go:\d+(?::\d+)?: \S`)
)

// diagnostics goes through what compilers and linters say: a line for each problem, and below it lines of source.
type diagnostics struct {
	lines    []line
	warned   map[string]int // by rule
	mistakes int
	notes    int
	current  severity
	isShown  bool // the current problem stays
	isFramed bool // its source does
	lead     int  // line + 1 where "In file included from" begins
}

// markDiagnostics keeps errors and their places, some warnings of each rule, and source of the first.
func markDiagnostics(lines []line) {
	d := &diagnostics{lines: lines, warned: map[string]int{}}
	for i := range lines {
		if lines[i].rank != plain {
			d.end()
			continue
		}
		text := inner(lines[i].text)
		if level := severityOf(text); level != nothing {
			d.begin(i, text, level)
			continue
		}
		if isLead(text) {
			if d.lead == 0 {
				d.lead = i + 1
			}
			continue
		}
		if d.current != nothing && isSource(text) {
			d.markSource(&lines[i], text)
			continue
		}
		if !lines[i].isBlank() {
			d.end()
		}
	}
}

func (d *diagnostics) end() { d.current, d.lead = nothing, 0 }

// severityOf knows the forms of gcc, clang, javac, rustc, tsc, eslint, MSVC, go and webpack.
func severityOf(text string) severity {
	trimmed := strings.TrimLeft(text, " ")
	switch {
	case strings.HasPrefix(trimmed, "error: "), strings.HasPrefix(trimmed, "error["), strings.HasPrefix(trimmed, "ERROR in "):
		return mistake
	case strings.HasPrefix(text, "warning: "), strings.HasPrefix(text, "warning["), strings.HasPrefix(text, "WARNING in "):
		return warning
	case goProblem.MatchString(text):
		return mistake
	}
	if m := lintRow.FindStringSubmatch(text); m != nil {
		if m[1] == "error" {
			return mistake
		}
		return warning
	}
	return severityWithin(text)
}

func severityWithin(text string) severity {
	for _, form := range []struct {
		words string
		level severity
	}{
		{": error", mistake},
		{": fatal error", mistake},
		{" - error TS", mistake},
		{": warning", warning},
		{" - warning TS", warning},
		{": note:", note},
	} {
		at := strings.Index(text, form.words)
		if at <= 0 || at > 400 {
			continue
		}
		next := strings.TrimPrefix(text[at+len(form.words):], ":")
		if next != "" && next[0] == ' ' || form.level == mistake {
			return form.level
		}
	}
	return nothing
}

// includedFrom is where a file is included, and nothing more.
var includedFrom = lazyregexp.New(`^(?:In file included| {16}) from .*:\d+(?::\d+)?[:,]?$`)

// isLead tells of what stands above a problem: the function or the files it is in.
func isLead(text string) bool {
	return includedFrom.MatchString(text) ||
		strings.Contains(text, ": In ") && strings.HasSuffix(text, ":") || strings.Contains(text, ":   required from ") || strings.HasSuffix(text, ": At top level:")
}

// isSource tells of lines below a problem: source with its number, marks, places and remarks.
func isSource(text string) bool {
	trimmed := strings.TrimLeft(text, " \t")
	switch {
	case trimmed == "":
		return false
	case strings.HasPrefix(trimmed, "-->"), strings.HasPrefix(trimmed, "|"), strings.HasPrefix(trimmed, "= "), strings.HasPrefix(trimmed, ":::"), text == "...":
		return true
	case strings.Trim(trimmed, "^~-+| ") == "":
		return true
	case strings.HasPrefix(trimmed, "required from "), strings.HasPrefix(trimmed, "symbol:"), strings.HasPrefix(trimmed, "location:"):
		return true
	case strings.HasPrefix(text, "help: "), strings.HasPrefix(text, "note: "):
		return true
	case !isDigit(trimmed[0]):
		return len(trimmed) < len(text) && strings.TrimSpace(text) != "" && indentOf(text) >= 3
	}
	rest := strings.TrimLeft(trimmed, "0123456789")
	return strings.HasPrefix(rest, " |") || strings.HasPrefix(rest, " ~") || strings.HasPrefix(rest, "  ") && rest != trimmed || strings.HasPrefix(rest, " ")
}

func (d *diagnostics) begin(i int, text string, level severity) {
	l := &d.lines[i]
	if level == note {
		d.markNote(l, text)
		return
	}
	d.current, d.notes = level, 0
	if level == mistake {
		d.mistakes++
		d.isShown, d.isFramed = true, d.mistakes <= framesAll
		l.raise(failure)
		d.raiseLead(l)
	} else {
		rule := ruleOf(text)
		d.warned[rule]++
		d.isShown, d.isFramed = d.warned[rule] <= warningsEach, d.warned[rule] <= framesEach
		if d.isShown {
			l.raise(context)
		} else {
			l.drop(warnings, 1)
		}
	}
	if !d.isShown {
		d.dropLead(l)
	}
	d.lead = 0
}

// markNote keeps remarks about errors, unless there are many about files of the system.
func (d *diagnostics) markNote(l *line, text string) {
	if isSystemFile(text) {
		d.notes++
	}
	switch {
	case d.current == mistake && (!isSystemFile(text) || d.notes <= notesEach):
		l.raise(failure)
		d.isFramed = d.mistakes <= framesAll
	case d.current != nothing && d.isShown && d.current == warning && d.isFramed:
	default:
		if isSystemFile(text) {
			l.drop(otherLines, 1)
		} else {
			l.dropQuiet(otherLines, 1)
		}
		d.isFramed = false
		d.dropLead(l)
	}
	d.lead = 0
}

// dropLead drops what stands above a problem that is dropped.
func (d *diagnostics) dropLead(problem *line) {
	for at := d.lead - 1; at >= 0 && &d.lines[at] != problem; at++ {
		if isLead(inner(d.lines[at].text)) {
			d.lines[at].drop(otherLines, 0)
		}
	}
}

// raiseLead keeps the places above an error.
func (d *diagnostics) raiseLead(problem *line) {
	for at := d.lead - 1; at >= 0 && &d.lines[at] != problem; at++ {
		switch text := d.lines[at].text; {
		case isSystemFile(text) && strings.Contains(text, ":   required from ") && !strings.HasSuffix(text, " here"):
			d.lines[at].drop(frames, 1)
		case hasPlace(text):
			d.lines[at].raise(failure)
		}
	}
}

// isSymbol tells of what javac says below a problem.
func isSymbol(text string) bool {
	trimmed := strings.TrimLeft(text, " ")
	return strings.HasPrefix(trimmed, "symbol:") || strings.HasPrefix(trimmed, "location:")
}

func isSystemFile(text string) bool {
	return strings.HasPrefix(text, "/usr/include/") || strings.HasPrefix(text, "/usr/lib/") || strings.HasPrefix(text, "/rustc/") || strings.Contains(text, "/node_modules/")
}

// markSource looks at a line below a problem.
func (d *diagnostics) markSource(l *line, text string) {
	isPlace := strings.Contains(text, "-->") || hasPlace(text) && !strings.Contains(text, " | ")
	switch {
	case d.current == mistake && isPlace:
		l.raise(failure)
	case d.current == mistake && (d.isFramed || isSymbol(text)):
		l.raise(context)
	case d.current == warning && d.isShown && (isPlace || d.isFramed):
		l.raise(context)
	case d.current == warning && !d.isShown:
		l.dropSource(warnings, 0)
	default:
		l.dropSource(sourceLines, 1)
	}
}

// sourceForm is a line of source with its number, or marks.
var sourceForm = lazyregexp.New(`^\s*(?:\d+ ?[|~](?:\s|$)|\d+ ?:|\d+ {2,}\S|\||[|^~ -]+$)`)

// dropSource drops a line of source, whatever words are in it; what only looks like one, only if it is harmless.
func (l *line) dropSource(of group, count int32) {
	message, _ := after(strings.TrimLeft(l.text, " "), "| ") // of a group of exceptions
	isMessage := message != "" && message[0] != ' ' && isErrorMessage(message)
	if sourceForm.MatchString(inner(l.text)) && !isMessage {
		l.dropQuiet(of, count)
	} else {
		l.dropHarmless(of, count)
	}
}

// ruleOf is the rule that a warning is about: a name in brackets or at the end, else the words without names.
func ruleOf(text string) string {
	text = strings.TrimRight(text, " ")
	if at := strings.LastIndex(text, " [-W"); at >= 0 {
		return text[at:]
	}
	if lintRow.MatchString(text) {
		return text[strings.LastIndexByte(text, ' ')+1:]
	}
	if at := strings.Index(text, ": warning"); at >= 0 {
		text = text[at:]
	}
	return template(text)
}
