package note

import "strings"

// boardBody gives what of a Kanban board is read as Markdown: all but the settings at its end. The marks that the plugin
// writes between its lanes are no words.
func boardBody(n *Note, s *source, start int) bodyPart {
	part := bodyPart{end: len(s.raw)}
	if line := settingsLine(s, start); line > 0 {
		part.end = s.lines[line-1]
		n.Omit = append(n.Omit, Range{part.end, len(s.raw)})
		part.finish = func(*reader) {
			last := len(s.lines)
			for last > line && s.blank(last) {
				last--
			}
			n.Sections = append(n.Sections, Section{Type: "comment", LineStart: line, LineEnd: last})
		}
	}
	fence := ""
	for line := s.line(start); line <= len(s.lines) && s.lines[line-1] < part.end; line++ {
		text := s.lineText(line)
		if fence = nextFence(text, fence); fence == "" && boardMark(s, line, strings.TrimSpace(text)) {
			from, to := s.lineRange(line)
			n.Omit = append(n.Omit, Range{from, to})
		}
	}
	return part
}

// settingsLine finds the block of settings, which runs to the end of the file, 0 if there is none.
func settingsLine(s *source, start int) int {
	at := strings.LastIndex(s.raw[start:], "%% kanban:settings")
	if at < 0 {
		return 0
	}
	at += start
	line := s.line(at)
	if s.lines[line-1] != at {
		return 0
	}
	_, from := s.lineRange(line)
	if end := strings.Index(s.raw[from:], "%%"); end >= 0 && !isBlank(s.raw[from+end+2:]) {
		return 0 // text goes on behind it: a comment like any other
	}
	return line
}

// completeMarks are what the plugin writes under a lane whose cards are done, in each of its languages.
var completeMarks = map[string]bool{
	"**Complete**": true, "**Fertiggestellt**": true, "**Completato**": true, "**完了**": true, "**완료됨**": true,
	"**Concluído**": true, "**Выполнено**": true, "**完成**": true,
}

// boardMark tells whether a line is the rule before the archive, or the bold word under a lane whose cards are done.
func boardMark(s *source, line int, text string) bool {
	if text == "***" {
		next := line + 1
		for next < len(s.lines) && s.blank(next) {
			next++
		}
		return next <= len(s.lines) && headingLevel(s.lineText(next)) == 2
	}
	if !completeMarks[text] {
		return false
	}
	before := line - 1
	for before > 1 && s.blank(before) {
		before--
	}
	return before >= 1 && headingLevel(s.lineText(before)) == 2
}
