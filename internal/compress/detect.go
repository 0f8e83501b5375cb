package compress

import (
	"encoding/json"
	"strings"

	"quarry/internal/lazyregexp"
)

// sampleLines of the beginning and as many of the end tell what a text is of.
const sampleLines = 600

// sampleBytes of each line.
const sampleBytes = 1000

// detect finds out what a text is of. In doubt it is Markdown, of which next to nothing is left out.
func detect(lines []line) Kind {
	if len(lines) >= maxLines {
		return Markdown
	}
	if kind := detectStructure(lines); kind != Auto {
		return kind
	}
	few := sample(lines)
	for i := range few {
		few[i].text = few[i].text[:min(len(few[i].text), sampleBytes)]
	}
	switch {
	case isDocument(few), isSourceCode(few):
		return Markdown
	case isShare(few, 50, isStamped):
		return Log
	case isTestRun(few):
		return Tests
	case listingOf(few) != noListing:
		return Listing
	case isBuild(few):
		return Build
	case isMatches(few):
		return Matches
	case isTrace(few):
		return Trace
	}
	return Markdown
}

func sample(lines []line) []line {
	if len(lines) <= 2*sampleLines {
		return append([]line(nil), lines...)
	}
	return append(append([]line(nil), lines[:sampleLines]...), lines[len(lines)-sampleLines:]...)
}

// detectStructure knows what has a form as a whole.
func detectStructure(lines []line) Kind {
	first := 0
	for first < len(lines) && lines[first].isBlank() {
		first++
	}
	if first == len(lines) {
		return Markdown
	}
	switch {
	case isXML(lines[first:]), hasGoEvents(lines[first:]):
		return Tests
	case isJSONLines(lines[first:]), isJSONDocument(lines[first:]):
		return JSON
	case isDiff(lines[first:]):
		return Diff
	}
	return Auto
}

func isJSONDocument(lines []line) bool {
	text := strings.TrimSpace(lines[0].text)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return false
	}
	whole := []byte(textOf(lines))
	return json.Valid(whole)
}

// isJSONLines tells of an object a line, at least two, with few other lines.
func isJSONLines(lines []line) bool {
	objects, others := 0, 0
	for _, l := range sample(lines) {
		text := strings.TrimSpace(l.text)
		switch {
		case len(text) > 1 && text[0] == '{' && text[len(text)-1] == '}' && json.Valid([]byte(text)):
			objects++
		case text != "":
			others++
		}
	}
	return objects > 1 && objects >= 8*others
}

func textOf(lines []line) string {
	size := 0
	for _, l := range lines {
		size += len(l.text) + 1
	}
	var b strings.Builder
	b.Grow(size)
	for _, l := range lines {
		for range l.repeats + 1 {
			b.WriteString(l.text)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// isShare tells whether at least so many percent of the lines that are not blank are of a form, and five.
func isShare(lines []line, percent int, is func(string) bool) bool {
	of, all := 0, 0
	for _, l := range lines {
		if l.isBlank() {
			continue
		}
		all++
		if is(l.text) {
			of++
		}
	}
	return of >= 5 && of*100 >= all*percent
}

var markdownHeading = lazyregexp.New(`^#{1,6} \S`)

// isDocument tells of Markdown: front matter, or headings among blank lines.
func isDocument(lines []line) bool {
	headings, fences, items := 0, 0, 0
	for i, l := range lines {
		switch {
		case i == 0 && l.text == "---" && hasFrontMatter(lines):
			return true
		case strings.HasPrefix(l.text, "```"), strings.HasPrefix(l.text, "~~~") && len(l.text) < 20 && !strings.Contains(l.text, "~~~~"):
			fences++
		case fences%2 == 1:
		case markdownHeading.MatchString(l.text) && (i == 0 || lines[i-1].isBlank()) && i+1 < len(lines) && lines[i+1].isBlank():
			headings++
		case strings.HasPrefix(l.text, "- "), strings.HasPrefix(l.text, "* "), strings.HasPrefix(l.text, "| "):
			items++
		}
	}
	return headings >= 2 || headings == 1 && fences+items >= 2 || fences >= 4
}

func hasFrontMatter(lines []line) bool {
	for i, l := range lines[1:min(len(lines), 60)] {
		if l.text == "---" {
			return i > 0
		}
		if name, _, isKey := strings.Cut(l.text, ":"); !isKey && !strings.HasPrefix(l.text, " ") && !strings.HasPrefix(l.text, "- ") || strings.ContainsAny(name, "{}()") {
			return false
		}
	}
	return false
}

var sourceStart = lazyregexp.New(`^(?:#!|//|/\*|"""|package |import |from \S+ import|#include|#pragma|#ifndef|use |using |pub |mod |namespace |export |const |let |var |class |def |fn |func |function |<\?php|<!DOCTYPE|<html|module |require|'use strict'|@|# )`)

// isSourceCode tells of a file of a program.
func isSourceCode(lines []line) bool {
	first := ""
	for _, l := range lines {
		if !l.isBlank() {
			first = l.text
			break
		}
	}
	return sourceStart.MatchString(first) && isShare(lines, 60, func(text string) bool {
		return text[0] == ' ' || text[0] == '\t' || strings.ContainsRune("{};,):", rune(text[len(text)-1])) || strings.HasPrefix(text, "//") || strings.HasPrefix(text, "#")
	}) && !isShare(lines, 20, func(text string) bool { return severityOf(text) != nothing || pytestPlace.MatchString(text) })
}

// testSigns are lines that only runners of tests write.
var testSigns = lazyregexp.New(`^(?:panic: test timed out|\s+running tests:$|=== RUN |--- (?:FAIL|PASS|SKIP): |ok  \t\S+|FAIL\t\S+|=+ test session starts =+|=+ short test summary info =+|=+ .*\d+ (?:passed|failed|error)|test \S+.* \.\.\. (?:ok|FAILED|ignored)$|test result: |Test Suites: |Tests: +\d+ |\s+Test Files +\d+|\s+\d+ (?:passing|failing|pending)|TAP version \d+|\s*(?:not )?ok \d+ - |Ran \d+ tests? in |(?:\[\w+\] )?Tests run: \d+|FAILED \S+::|PASS \S+\.\w|FAIL \S+\.\w|# (?:tests|pass|fail) \d+$|\S+ \(\S+\) \.\.\. (?:ok|FAIL|ERROR)$|\d+ (?:passed|failed).* in \d)|^\s+[✓✔✕×] \S|^[✔✖] .* \([\d.]+m?s\)$|^ℹ (?:tests|pass|fail) \d+$|^ *\d+/\d+ Test +#\d+: |^test\w* \([\w.]+\.\w+\)$|^FAILED \((?:failures|errors)=\d|^\d+% tests passed, \d+ tests? failed out of \d+$`)

func isTestRun(lines []line) bool {
	signs := 0
	for _, l := range lines {
		if testSigns.MatchString(l.text) {
			signs++
		}
	}
	return signs >= 2
}

// isBuild tells of lines that compilers and package managers write, at least three and one in eight.
func isBuild(lines []line) bool {
	known, all, places := 0, 0, 0
	tried := append([]line(nil), lines...)
	markMaven(tried)
	markSteps(tried)
	for i, l := range lines {
		if l.isBlank() {
			continue
		}
		all++
		level := severityOf(inner(l.text))
		if tried[i].rank == dropped || level != nothing || isError(l.text) && strings.HasPrefix(l.text, "npm ") {
			known++
		}
		if level == mistake {
			places++
		}
	}
	return known >= 3 && known*8 >= all || places > 0 && known*8 >= all
}

func isTrace(lines []line) bool {
	framesFound, all := 0, 0
	for i := 0; i < len(lines); {
		next := i + 1
		for _, reader := range frameReaders {
			if stack := readStack(lines, i, reader.read); len(stack) > 0 {
				next = stack[len(stack)-1].end
				framesFound += next - i
				break
			}
		}
		all += next - i
		i = next
	}
	return framesFound >= 5 && framesFound*100 >= all*30
}
