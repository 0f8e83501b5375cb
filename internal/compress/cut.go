package compress

import (
	"strings"
	"unicode/utf8"
)

const (
	longCharacters = 1000 // a longer line of a run is cut, and any where there is an aim
	frontShare     = 60   // percent of the room that goes to the beginning
)

// cutTo leaves out lines until the text is about as long as the aim: first what nobody knew of, then context of failures.
// Failures stay. 0: no aim.
func cutTo(lines []line, aim int) {
	if aim <= 0 {
		return
	}
	for i := range lines {
		if lines[i].rank != dropped {
			lines[i].text = cutLine(lines[i].text)
		}
	}
	const tries = 4
	room := aim
	for range tries {
		body, _ := render(lines)
		size := utf8.RuneCountInString(body)
		if size <= aim || !cutRanks(lines, room) {
			return
		}
		body, _ = render(lines)
		if size = utf8.RuneCountInString(body); size <= aim {
			return
		}
		room -= size - aim // markers take room, too
	}
}

// cutLine leaves out the middle of a very long line.
func cutLine(text string) string {
	if len(text) <= longCharacters {
		return text
	}
	characters := utf8.RuneCountInString(text)
	if characters <= longCharacters {
		return text
	}
	const front, back = longCharacters * 3 / 4, longCharacters / 8
	start, end := 0, len(text)
	for range front {
		_, size := utf8.DecodeRuneInString(text[start:])
		start += size
	}
	for range back {
		_, size := utf8.DecodeLastRuneInString(text[:end])
		end -= size
	}
	from, to := aroundError(text, start, end)
	return text[:start] + leftOut(text[start:from]) + text[from:to] + leftOut(text[to:end]) + text[end:]
}

// leftOut is what stands for a piece of a line.
func leftOut(piece string) string {
	characters := utf8.RuneCountInString(piece)
	if marker := " … " + counted(characters, characterGroup) + " … "; len(marker) < len(piece) && utf8.RuneCountInString(marker) < characters {
		return marker
	}
	return piece
}

// aroundError is the place around the first error in the middle of a line; without one it is empty.
func aroundError(text string, start, end int) (from, to int) {
	const before, behind = 60, 200 // bytes
	at := errorAt(text[start:end])
	if at < 0 {
		return start, start
	}
	from, to = max(start, start+at-before), min(end, start+at+behind)
	for from > start && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < end && !utf8.RuneStart(text[to]) {
		to++
	}
	return from, to
}

// cutRanks drops lines of the lowest ranks that have no room, of each the middle. It tells whether any was dropped.
func cutRanks(lines []line, room int) bool {
	var sizes [failure + 1]int
	for _, l := range lines {
		if l.rank <= failure {
			sizes[l.rank] += utf8.RuneCountInString(l.text) + 1
		}
	}
	isCut := false
	for _, r := range []rank{failure, context, plain} {
		if r != failure && sizes[r] > room {
			isCut = cutRank(lines, r, max(room, 0)) || isCut
		}
		room -= sizes[r]
	}
	return isCut
}

// cutRank keeps lines of a rank from the beginning and from the end, as far as there is room.
func cutRank(lines []line, of rank, room int) bool {
	front, back := room*frontShare/100, room-room*frontShare/100
	first, last := -1, len(lines)
	for i, l := range lines {
		if l.rank != of {
			continue
		}
		if front -= utf8.RuneCountInString(l.text) + 1; front < 0 {
			break
		}
		first = i
	}
	for i := len(lines) - 1; i > first; i-- {
		if lines[i].rank != of {
			continue
		}
		if back -= utf8.RuneCountInString(lines[i].text) + 1; back < 0 {
			break
		}
		last = i
	}
	isCut := false
	for i := first + 1; i < last; i++ {
		if lines[i].rank == of && strings.TrimSpace(lines[i].text) != "" {
			lines[i].drop(otherLines, max(1, lines[i].lines))
			isCut = true
		}
	}
	return isCut
}
