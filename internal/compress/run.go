package compress

import "strings"

// shortenRun shortens what a run of tests, a build or a program printed: these come mixed, so that all that is known of any of
// them is looked for.
func shortenRun(lines []line) []line {
	if isXML(lines) {
		lines = readXML(lines)
		markXML(lines)
		markTraces(lines)
		return lines
	}
	lines = readGoEvents(lines)
	for _, mark := range []func([]line){
		markGoTests, markPytest, markTestLines, markCTest, markTAP, markAssertions, markMaven, markDiagnostics, markSourceFrames, markSteps, markTraces, markErrors, markHeadings,
	} {
		mark(lines)
	}
	for i := range lines {
		lines[i].text = cutLine(squeezeRule(lines[i].text))
	}
	return lines
}

// markErrors lifts what nobody knew of, and what speaks of an error.
func markErrors(lines []line) {
	for i := range lines {
		if l := &lines[i]; l.rank < failure && isError(l.text) {
			l.raise(failure)
		}
	}
}

// markHeadings drops headings below which nothing is left: names of groups of passed tests, of files with dropped warnings.
func markHeadings(lines []line) {
	next := -1 // indent of the next line that stays; -1: none
	for i := len(lines) - 1; i >= 0; i-- {
		l := &lines[i]
		if l.rank == dropped || l.isBlank() {
			continue
		}
		indent := indentOf(l.text)
		if l.rank == plain && next <= indent && isAboveDropped(lines, i, indent) {
			l.drop(otherLines, 0)
			continue
		}
		next = indent
	}
}

// isAboveDropped tells whether a line stands right above dropped tests or warnings that are further in.
func isAboveDropped(lines []line, at, indent int) bool {
	for _, below := range lines[at+1:] {
		if below.isBlank() {
			continue
		}
		if below.rank != dropped || indentOf(below.text) <= indent {
			return false
		}
		return below.group == passedTests || below.group == skippedTests || below.group == warnings || below.group == otherLines && below.count == 0
	}
	return false
}

// after gives what stands behind a prefix.
func after(text, prefix string) (string, bool) {
	return strings.CutPrefix(text, prefix)
}
