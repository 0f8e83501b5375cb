// Package compress shortens what tools print for whoever pays by the token, and keeps every failure, error and place.
//
// It goes by lines: it knows what may be left out (passed tests, progress, repeats, frames of frameworks, context of a
// diff), and all else stays, in its order. Where lines were left out stands how many, and of what: "… 212 passed tests".
package compress

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"quarry/internal/lazyregexp"
)

// Kind is what an output is of.
type Kind string

// Kinds of output. Auto finds out which of the others it is.
const (
	Auto     Kind = "auto"
	Tests    Kind = "tests"    // pytest, go test, cargo test, jest, JUnit
	Trace    Kind = "trace"    // stack traces
	Build    Kind = "build"    // compilers, linters, package managers
	Diff     Kind = "diff"     // unified
	JSON     Kind = "json"     // a document, or one a line
	Listing  Kind = "listing"  // files, folders and commits
	Matches  Kind = "matches"  // search results: path:line:text
	Log      Kind = "log"      // lines with times and levels
	Markdown Kind = "markdown" // and other prose, code and what is unknown: only what repeats goes
)

// Kinds are all that can be asked for.
var Kinds = []Kind{Auto, Tests, Trace, Build, Diff, JSON, Listing, Matches, Log, Markdown}

const (
	// MaxBytes bounds what is looked at: of a longer text the first and the last half of so many bytes.
	MaxBytes = 16 << 20

	minCharacters = 1000    // a shorter text stays as it is
	maxLines      = 1 << 20 // of more lines, which are very short then, only what repeats goes
	leastPercent  = 5       // a text that gets less shorter than this stays as it is, unless it is above its aim
)

// Options are those of one call.
type Options struct {
	Kind          Kind // "": Auto
	MaxCharacters int  // the aim, not a bound where failures need more; 0: no aim
}

// Result is what is left.
type Result struct {
	Text    string `json:"text"`
	Kind    Kind   `json:"kind"`    // as which it was shortened
	Lines   int    `json:"lines"`   // of the input
	Dropped int    `json:"dropped"` // lines of the input that are not in the text
	Changed bool   `json:"changed"` // false: Text is the input
}

// Compress shortens an output. The text is never longer than the input, says how much was left out, and stays as it is where it
// was compressed before. Time and memory are linear in the input. It is safe for concurrent use.
func Compress(text string, options Options) Result {
	unchanged := Result{Text: text, Kind: options.Kind, Lines: countLines(text)}
	if unchanged.Kind == "" {
		unchanged.Kind = Auto
	}
	if utf8.RuneCountInString(text) < minCharacters || IsCompressed(text) {
		return unchanged
	}
	lines := readLines(bounded(text))
	kind := unchanged.Kind
	if kind == Auto {
		kind = detect(lines)
	}
	unchanged.Kind = kind
	lines = shorten(lines, kind)
	short := finish(lines, unchanged, options.MaxCharacters)
	isAbove := options.MaxCharacters > 0 && utf8.RuneCountInString(text) > options.MaxCharacters
	if len(short.Text) >= len(text) || utf8.RuneCountInString(short.Text) >= utf8.RuneCountInString(text) ||
		!isAbove && len(short.Text) > len(text)/100*(100-leastPercent) {
		return unchanged
	}
	return short
}

// shorten marks what can be left out, by what a text is of.
func shorten(lines []line, kind Kind) []line {
	if len(lines) >= maxLines {
		return lines
	}
	switch kind {
	case Tests, Build, Trace:
		return shortenRun(lines)
	case Diff:
		shortenDiff(lines)
	case JSON:
		return shortenJSON(lines)
	case Listing:
		return shortenListing(lines)
	case Matches:
		return shortenMatches(lines)
	case Log:
		shortenLog(lines)
	default:
		raiseMessages(lines)
	}
	return lines
}

// raiseMessages keeps messages of errors from an aim, in a text of which nothing is known.
func raiseMessages(lines []line) {
	for i := range lines {
		if isErrorMessage(lines[i].text) {
			lines[i].raise(failure)
		}
	}
}

// finish puts the lines together below a line that says what became of them.
func finish(lines []line, input Result, maxCharacters int) Result {
	aim := 0
	if maxCharacters > 0 {
		aim = max(1, maxCharacters-len(head(input.Kind, input.Lines, input.Lines)))
	}
	cutTo(lines, aim)
	body, kept := render(lines)
	kept = min(kept, input.Lines)
	input.Text = head(input.Kind, kept, input.Lines) + body
	input.Dropped, input.Changed = input.Lines-kept, true
	return input
}

// head is the line above what was shortened; by it a text is known as such.
func head(kind Kind, kept, of int) string {
	return "[shortened " + string(kind) + ": " + strconv.Itoa(kept) + " of " + strconv.Itoa(of) + " lines; … tells what was left out]\n"
}

var headLine = lazyregexp.New(`^\[shortened [a-z]+: \d+ of \d+ lines; … tells what was left out\]$`)

// IsCompressed tells whether a text comes from Compress.
func IsCompressed(text string) bool {
	first, _, _ := strings.Cut(text, "\n")
	return len(first) < 200 && headLine.MatchString(strings.TrimSuffix(first, "\r"))
}

// IsKind tells whether a kind can be asked for.
func IsKind(kind Kind) bool { return kind == "" || slices.Contains(Kinds, kind) }

// bounded is a text without its middle, where it is too long. Lines stay whole if they can.
func bounded(text string) string {
	if len(text) <= MaxBytes {
		return text
	}
	front, back := text[:MaxBytes/2], text[len(text)-MaxBytes/2:]
	if i := strings.LastIndexByte(front, '\n'); i > 0 {
		front = front[:i]
	}
	if i := strings.IndexByte(back, '\n'); i >= 0 {
		back = back[i+1:]
	}
	left := len(text) - len(front) - len(back)
	return front + "\n… " + strconv.Itoa(left) + " bytes in the middle\n" + back
}

func countLines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && text[len(text)-1] != '\n' {
		n++
	}
	return n
}
