package compress

import (
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

// shortenStatus puts the files of each list together by folder, and drops hints.
func shortenStatus(lines []line) []line {
	var read []line
	var groups folderGroups
	for _, l := range lines {
		m := changeEntry.FindStringSubmatch(l.text)
		if m == nil {
			read = append(read, groups.lines()...)
			groups = folderGroups{}
			if strings.HasPrefix(l.text, `  (use "git`) || strings.HasPrefix(l.text, `  (commit or discard`) {
				l.drop(otherLines, 0)
			}
			read = append(read, l)
			continue
		}
		if isConflict(m[1]) {
			l.raise(failure)
			read = append(read, l)
			continue
		}
		folder, name, isNoise := folderOf(m[2])
		groups.add("\t"+strings.TrimSpace(m[1]+" "+folder)+" ", name, isNoise)
	}
	return append(read, groups.lines()...)
}

func isConflict(label string) bool {
	return strings.HasPrefix(label, "both ") || strings.Contains(label, " by ") || strings.Contains(label, "unmerged")
}

// shortenShortStatus puts the files of each state together by folder.
func shortenShortStatus(lines []line) []line {
	var groups folderGroups
	var others []line
	for _, l := range lines {
		m := statusEntry.FindStringSubmatch(l.text)
		if m == nil || strings.ContainsRune(l.text[:2], 'U') || l.text[:2] == "AA" || l.text[:2] == "DD" {
			if !l.isBlank() {
				l.raise(failure)
			}
			others = append(others, l)
			continue
		}
		folder, name, isNoise := folderOf(m[1])
		groups.add(l.text[:3]+folder+" ", name, isNoise)
	}
	return append(others, groups.lines()...)
}

// shortenCommits puts the head of a commit and its subject into one line, and drops the rest of the message. An author who is that
// of the commit above is not named again.
func shortenCommits(lines []line) []line {
	const hashCharacters, statsEach = 12, 6
	read := make([]line, 0, len(lines))
	author, head := "", -1
	isSubject, stats := false, 0
	for _, l := range lines {
		text := l.text
		switch {
		case commitHead.MatchString(text):
			l.text = text[:len("commit ")+hashCharacters] + text[len("commit ")+40:]
			head, isSubject, stats = len(read), true, 0
			read = append(read, l)
		case head < 0:
			read = append(read, l)
		case strings.HasPrefix(text, "Author: "):
			if text != author {
				appendTo(&read[head], strings.TrimSpace(text[len("Author: "):]), 1)
			} else {
				read[head].lines++
			}
			author = text
		case strings.HasPrefix(text, "Date: "):
			appendTo(&read[head], strings.TrimSpace(text[len("Date: "):]), 1)
		case isSubject && strings.HasPrefix(text, "    ") && !l.isBlank():
			appendTo(&read[head], strings.TrimSpace(text), 1)
			isSubject = false
		case strings.HasPrefix(text, "    "):
			if !l.isBlank() {
				l.drop(messageLines, 1)
			}
			read = append(read, l)
		case l.isBlank():
			l.drop(otherLines, 0)
			read = append(read, l)
		default:
			if stats++; stats > statsEach && strings.Contains(text, " | ") {
				l.drop(files, 1)
			}
			read = append(read, l)
		}
	}
	return read
}

func appendTo(l *line, text string, count int32) {
	l.text += "  " + text
	l.lines += count
}
