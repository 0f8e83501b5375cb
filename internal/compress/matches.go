package compress

import (
	"strings"
	"unicode/utf8"

	"quarry/internal/lazyregexp"
)

const (
	matchesEach     = 3   // of a file that stay, with what stands around them
	mostFiles       = 60  // of which matches stay
	matchCharacters = 160 // of a match
)

var (
	// matchLine is a match of grep or ripgrep with its line, or a line around one.
	matchLine = lazyregexp.New(`^([^\s:][^:]*?)([:-])(\d+)([:-])(.*)$`)
	// plainMatch has no line: "path:text".
	plainMatch = lazyregexp.New(`^([\w.@+~/\\-]*[/.][\w.@+~/\\-]*):(.*)$`)
	// numberedMatch stands below the path.
	numberedMatch = lazyregexp.New(`^(\d+)([:-])(.*)$`)
)

// isMatches tells of search results: paths in front, or above numbered lines.
func isMatches(lines []line) bool {
	isMatch := func(text string) bool {
		return text == "--" || matchLine.MatchString(text) && isPathLike(matchLine.FindStringSubmatch(text)[1])
	}
	switch {
	case isShare(lines, 85, isMatch):
		return !isShare(lines, 50, func(text string) bool { return severityOf(text) != nothing })
	case isShare(lines, 85, func(text string) bool { return plainMatch.MatchString(text) }):
		return true
	}
	return isShare(lines, 60, numberedMatch.MatchString) && isShare(lines, 85, func(text string) bool {
		return numberedMatch.MatchString(text) || text == "--" || isPathLike(text)
	})
}

func isPathLike(text string) bool {
	return strings.ContainsAny(text, "./\\") && !strings.ContainsAny(text, "\t\"'(){}<>|*") && strings.Count(text, " ") <= 3
}

// match is a line of a search result.
type match struct {
	path, number, text string
	isAround           bool // it is not the match itself
}

// readMatch reads a line; path is that of the heading above it.
func readMatch(text, path string) (m match, isMatch bool) {
	if path != "" {
		if n := numberedMatch.FindStringSubmatch(text); n != nil {
			return match{path, n[1], n[3], n[2] == "-"}, true
		}
	}
	if n := matchLine.FindStringSubmatch(text); n != nil && isPathLike(n[1]) {
		return match{n[1], n[3], n[5], n[4] == "-"}, true
	}
	if n := plainMatch.FindStringSubmatch(text); n != nil {
		return match{n[1], "", n[2], false}, true
	}
	return match{}, false
}

// shortenMatches puts matches together by file, keeps the first of each, and counts the others.
func shortenMatches(lines []line) []line {
	read := make([]line, 0, len(lines))
	heading, path := "", ""
	fileCount, kept := 0, 0
	hidden := false
	for i, l := range lines {
		if numberedHeading(lines, i) {
			heading = l.text
			continue
		}
		m, isMatch := readMatch(l.text, heading)
		if !isMatch {
			if l.text != "--" && !l.isBlank() {
				l.raise(failure)
				read = append(read, l)
			}
			continue
		}
		if m.path != path {
			path, kept = m.path, 0
			fileCount++
			read = append(read, line{text: path})
			hidden = fileCount > mostFiles
		}
		if !m.isAround {
			kept++
		}
		short := line{text: m.short(), lines: 1, repeats: l.repeats}
		if hidden || kept > matchesEach {
			count := 1 + l.repeats
			if m.isAround {
				count = 0
			}
			short.repeats = 0
			short.drop(matches, count)
		}
		read = append(read, short)
	}
	return read
}

// numberedHeading tells whether a line is a path above numbered matches.
func numberedHeading(lines []line, at int) bool {
	return at+1 < len(lines) && isPathLike(lines[at].text) && !numberedMatch.MatchString(lines[at].text) && !matchLine.MatchString(lines[at].text) &&
		numberedMatch.MatchString(lines[at+1].text)
}

func (m match) short() string {
	text := strings.TrimSpace(m.text)
	if len(text) > matchCharacters && utf8.RuneCountInString(text) > matchCharacters {
		end := 0
		for range matchCharacters {
			_, size := utf8.DecodeRuneInString(text[end:])
			end += size
		}
		text = text[:end] + "…"
	}
	switch {
	case m.number == "":
		return "  " + text
	case m.isAround:
		return "  " + m.number + "- " + text
	}
	return "  " + m.number + ": " + text
}
