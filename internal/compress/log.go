package compress

import (
	"strings"

	"quarry/internal/lazyregexp"
)

// stamp is the time in front of a line of a log: ISO 8601, syslog, klog, the time of day, and that of web servers behind the client.
var stamp = lazyregexp.New(`^(?:\S+ +\| )?(?:[\w.-]+ )?[\[(]?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z| ?[+-]\d\d:?\d\d)?|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?|\d\d:\d\d:\d\d(?:[.,]\d+)?|[IWEF]\d{4} \d\d:\d\d:\d\d(?:\.\d+)?)[\])]?|^\S+ \S+ \S+ \[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\]|^time="?\d{4}-\d\d-\d\dT[^ "]+"?`)

func stampEnd(text string) int {
	if text == "" || text[0] == ' ' || text[0] == '\t' {
		return 0
	}
	if at := stamp.FindStringIndex(text[:min(len(text), 160)]); at != nil {
		return at[1]
	}
	return 0
}

func isStamped(text string) bool { return stampEnd(text) > 0 }

// level of a line of a log.
type level uint8

const (
	common level = iota
	notable
	grave
)

var serverError = lazyregexp.New(`" 5\d\d `)

// levelOf looks for the level behind the time, where the first words are.
func levelOf(text string, stampLength int) level {
	if stampLength > 0 && strings.IndexByte("EF", text[0]) >= 0 && len(text) > 4 && isDigit(text[1]) {
		return grave
	}
	if stampLength > 0 && text[0] == 'W' && len(text) > 4 && isDigit(text[1]) {
		return notable
	}
	start := text[stampLength:]
	start = start[:min(len(start), 60)]
	for word := range strings.FieldsFuncSeq(start, func(r rune) bool { return strings.ContainsRune(" \t[]()<>:|=\",", r) }) {
		switch word {
		case "ERROR", "ERR", "FATAL", "CRITICAL", "CRIT", "SEVERE", "PANIC", "EMERG", "ALERT", "error", "fatal", "critical", "panic", "Error", "dpanic":
			return grave
		case "WARN", "WARNING", "warn", "warning", "Warning":
			return notable
		case "INFO", "DEBUG", "TRACE", "NOTICE", "info", "debug", "trace", "notice", "VERBOSE":
			return common
		}
	}
	if serverError.MatchString(text) {
		return grave
	}
	return common
}

// shortenLog keeps errors, the first warnings of a form, and of all other forms the first line. The lines below one that have no
// time of their own go with it.
func shortenLog(lines []line) {
	markTraces(lines)
	seen := map[string]int{}
	isKept, isGrave := true, false
	for i := range lines {
		l := &lines[i]
		length := stampEnd(l.text)
		if length == 0 && i > 0 {
			markBelow(l, isKept, isGrave, seen)
			continue
		}
		message := l.text[length:]
		switch levelOf(l.text, length) {
		case grave:
			isGrave = true
			if seen[message]++; seen[message] > 1 {
				l.drop(repeats, 1)
			} else {
				l.raise(failure)
			}
		case notable:
			isGrave = false
			form := "w" + formOf(message)
			if seen[form]++; seen[form] > warningsEach {
				l.drop(warnings, 1)
			} else {
				l.raise(context)
			}
		default:
			isGrave = false
			form := "c" + formOf(message)
			if seen[form]++; (seen[form] > 1 || isError(message)) && i < len(lines)-1 {
				dropCommon(l, message, seen)
			}
		}
		isKept = l.rank != dropped
	}
}

// formOf is what lines have in common that differ in numbers and values only. A status is no such value, nor is a word in a line that
// speaks of an error.
func formOf(message string) string {
	if isError(message) {
		return strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return '0'
			}
			return r
		}, message) + statusesOf(message)
	}
	return template(message) + statusesOf(message)
}

// dropCommon drops a line whose form was seen. If it speaks of an error in spite of its level, only where it is the same again.
func dropCommon(l *line, message string, seen map[string]int) {
	if !isError(message) {
		l.drop(sameLines, 1)
		return
	}
	if seen[message]++; seen[message] > 1 {
		l.drop(repeats, 1)
	} else {
		l.raise(failure)
	}
}

// markBelow looks at a line without a time, which belongs to the one above.
func markBelow(l *line, isKept, isGrave bool, seen map[string]int) {
	isTrouble := isGrave || isError(l.text)
	switch {
	case l.rank == dropped || l.isBlank():
	case isKept && isTrouble:
		l.raise(context)
		if isError(l.text) {
			l.raise(failure)
		}
	case isKept:
	case !isTrouble:
		l.drop(otherLines, 1)
	default:
		if seen["b"+l.text]++; seen["b"+l.text] > 1 {
			l.drop(otherLines, 1)
		} else {
			l.raise(failure)
		}
		return
	}
	seen["b"+l.text]++
}
