package compress

import "strings"

// statusWords stand in front of a number that tells how something ended. Of those that are true any number but 0 is trouble, of the
// others, as in HTTP, 500 to 599.
var statusWords = map[string]bool{
	"exit": true, "exited": true, "exitcode": true, "returncode": true, "retcode": true, "rc": true, "errno": true, "signal": true,
	"status": false, "statuscode": false, "http": false, "code": false, "response": false,
}

// status is a number behind a word such as "status".
type status struct {
	at     int // of the number
	number string
	isExit bool // of a program
}

// isBad tells of what failed.
func (s status) isBad() bool {
	if s.isExit {
		return strings.Trim(s.number, "0") != ""
	}
	return len(s.number) == 3 && s.number[0] == '5'
}

// nextStatus reads the first status at or behind a place: "status=503", "exited with code 1", "HTTP/1.1 503"; at -1: there is none.
func nextStatus(text string, from int) status {
	word, isExit := false, false
	for i := from; i < len(text); {
		switch c := text[i]; {
		case isLetter(c):
			end := i
			for end < len(text) && (isLetter(text[end]) || text[end] == '_' && end+1 < len(text) && isLetter(text[end+1])) {
				end++
			}
			word, isExit = readStatusWord(text[i:end], word, isExit)
			i = end
		case isDigit(c):
			end := i
			for end < len(text) && isDigit(text[end]) {
				end++
			}
			if end < len(text) && text[end] == '.' && end+1 < len(text) && isDigit(text[end+1]) { // a version or a time
				for end < len(text) && (isDigit(text[end]) || text[end] == '.') {
					end++
				}
				isHTTP := word && i > from && text[i-1] == '/'
				word = isHTTP
			} else if word && (end == len(text) || !isLetter(text[end]) && text[end] != '/' && text[end] != '-') {
				return status{i, text[i:end], isExit}
			} else {
				word = word && i > from && text[i-1] == '/' && end < len(text) && text[end] == ' ' // HTTP/2 503
			}
			i = end
		default:
			if strings.IndexByte(" =:\"'/(\\", c) < 0 {
				word = false
			}
			i++
		}
	}
	return status{at: -1}
}

// readStatusWord tells whether a number behind a word is a status, and one of a program.
func readStatusWord(word string, isAfter, isExit bool) (isStatus, isOfExit bool) {
	const longest = 12
	if len(word) > longest {
		return false, false
	}
	small := strings.ToLower(word)
	if isAfter && (small == "with" || small == "is" || small == "code" || small == "status" || small == "of") {
		return true, isExit
	}
	exit, isThere := statusWords[strings.ReplaceAll(small, "_", "")]
	return isThere, exit
}

// badStatusAt is where a text names a status that is trouble, or -1.
func badStatusAt(text string) int {
	for from := 0; ; {
		s := nextStatus(text, from)
		if s.at < 0 || s.isBad() {
			return s.at
		}
		from = s.at + len(s.number)
	}
}

// statusesOf are all statuses that a text names, for what is told apart by them.
func statusesOf(text string) string {
	var b strings.Builder
	for from := 0; ; {
		s := nextStatus(text, from)
		if s.at < 0 {
			return b.String()
		}
		b.WriteByte(' ')
		b.WriteString(s.number)
		from = s.at + len(s.number)
	}
}
