package compress

import "strings"

// hasReturnLines tells of a text whose lines end in carriage returns alone: few of its pieces begin as the next one does, which those
// of a bar of progress do.
func hasReturnLines(text string) bool {
	const least, mostLooked = 5, 2000
	ends, alike, pieces := strings.Count(text, "\n"), 0, 0
	if strings.Count(text, "\r")-strings.Count(text, "\r\n") < max(least, 10*ends) {
		return false
	}
	last := ""
	for piece := range strings.SplitSeq(text, "\r") {
		piece = strings.TrimSpace(withoutEscapes(piece))
		if piece == "" {
			continue
		}
		if pieces++; pieces > mostLooked {
			break
		}
		first := firstWord(piece)
		if pieces > 1 && first == last {
			alike++
		}
		last = first
	}
	return pieces > least && alike*2 < pieces
}

// firstWord is the first run of letters in a text: by it the states of a bar of progress are known as such.
func firstWord(text string) string {
	const mostLooked = 200
	text = text[:min(len(text), mostLooked)]
	start := 0
	for start < len(text) && !isLetter(text[start]) {
		start++
	}
	end := start
	for end < len(text) && isLetter(text[end]) {
		end++
	}
	return text[start:end]
}

// appendOverwritten reads a line that carriage returns part. It adds what was written over as lines of their own where it is an
// error, and all of it where these are line ends, and gives what a terminal shows in the end.
func appendOverwritten(lines []line, raw string, areLines bool) (all []line, shown string) {
	for piece := range strings.SplitSeq(raw, "\r") {
		if strings.TrimSpace(piece) == "" && !areLines {
			continue
		}
		if shown != "" && (areLines || isError(shown)) && len(lines) < maxLines-1 {
			lines = appendLine(lines, shown, 0)
		}
		shown = piece
	}
	return lines, shown
}

// withoutEscapes leaves out control sequences (ECMA-48: CSI, OSC and two-character escapes).
func withoutEscapes(raw string) string {
	if strings.IndexByte(raw, 0x1b) < 0 {
		return raw
	}
	var b strings.Builder
	b.Grow(len(raw))
	for i := 0; i < len(raw); {
		if raw[i] == 0x1b {
			i = escapeEnd(raw, i)
			continue
		}
		next := strings.IndexByte(raw[i:], 0x1b)
		if next < 0 {
			next = len(raw) - i
		}
		b.WriteString(raw[i : i+next])
		i += next
	}
	return b.String()
}

// escapeEnd is where the sequence ends that starts at an escape character.
func escapeEnd(raw string, at int) int {
	i := at + 1
	if i >= len(raw) {
		return i
	}
	switch raw[i] {
	case '[':
		for i++; i < len(raw) && raw[i] >= 0x20 && raw[i] < 0x40; i++ {
		}
		return min(i+1, len(raw))
	case ']':
		const longestTitle = 2048
		for end := min(len(raw), i+longestTitle); i < end; i++ {
			if raw[i] == 0x07 {
				return i + 1
			}
			if raw[i] == 0x1b {
				if i+1 < len(raw) && raw[i+1] == '\\' {
					return i + 2
				}
				break
			}
		}
		return at + 2
	case '(', ')', '#':
		return min(i+2, len(raw))
	}
	return i + 1
}
