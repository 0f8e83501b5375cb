package hook

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// query is what is looked for, or why nothing is.
type query struct {
	text      string          // for the search, without operators
	missing   string          // why nothing is looked for; "" where something is
	dropped   string          // words that are not looked for, the first ones
	said      map[string]bool // stems of all that was said; nil: of what is looked for
	needsName bool            // it names so little that only a note or a section of this name is meant
}

// Bounds of what is looked at of a prompt: its beginning and its end, where people say what they want.
const (
	maxPromptHead, maxPromptTail = 48 << 10, 16 << 10 // bytes
	maxSubjectWords              = 2000               // looked at
	maxQueryHead, maxQueryTail   = 16, 8              // words of a query
)

// promptQuery makes a query of a prompt: of what is said in it, else of the errors or the names in what was pasted.
func promptQuery(prompt string) query {
	prompt = strings.TrimSpace(ends(prompt, maxPromptHead, maxPromptTail))
	if strings.HasPrefix(prompt, "/") { // a command of the client, with what it is given
		command, rest, _ := strings.Cut(prompt, " ")
		if strings.Count(command, "/") == 1 {
			prompt = rest
		}
	}
	if strings.HasPrefix(prompt, "!") {
		return query{missing: "a command for a shell"}
	}
	said, pasted := parts(prompt)
	found := subjectOf(said, maxSubjectWords)
	if found.weight() < leastWeight && pasted != "" {
		found = joined(found, subjectOfPasted(pasted))
	}
	asked := query{text: asQuery(shortened(found.words)), said: stemsOf(said), dropped: dropped(said, found)}
	switch weight := found.weight(); {
	case weight < leastNameWeight || asked.text == "":
		return query{missing: "the prompt names no matter", dropped: asked.dropped}
	case weight < leastWeight:
		asked.needsName = true
	}
	return asked
}

// stemsOf are the stems of the words of a text.
func stemsOf(text string) map[string]bool {
	stems := map[string]bool{}
	for _, field := range strings.Fields(asQuery(textsOf(wordsOf(text, maxSubjectWords)))) {
		stems[stem(field)] = true
	}
	return stems
}

const maxDropped = 20 // words that are told

// dropped are the first words of a text that its subject has not.
func dropped(text string, found subject) string {
	kept := map[string]bool{}
	for _, w := range found.words {
		kept[strings.ToLower(w)] = true
	}
	words := distinct(textsOf(wordsOf(text, maxSubjectWords)))
	words = slices.DeleteFunc(words, func(w string) bool { return kept[strings.ToLower(w)] })
	return strings.Join(words[:min(len(words), maxDropped)], " ")
}

// shortened leaves the first and the last of many words.
func shortened(words []string) []string {
	if len(words) <= maxQueryHead+maxQueryTail {
		return words
	}
	return append(append([]string{}, words[:maxQueryHead]...), words[len(words)-maxQueryTail:]...)
}

func joined(one, other subject) subject {
	seen := map[string]bool{}
	for _, w := range one.words {
		seen[strings.ToLower(w)] = true
	}
	for _, w := range other.words {
		if !seen[strings.ToLower(w)] {
			one.words = append(one.words, w)
		}
	}
	one.names += other.names
	return one
}

// ends leaves the beginning and the end of a long text, cut between characters, the end between lines where these are not long.
func ends(text string, head, tail int) string {
	if len(text) <= head+tail {
		return text
	}
	last := len(text) - tail
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for last < len(text) && !utf8.RuneStart(text[last]) {
		last++
	}
	if next := strings.IndexByte(text[last:], '\n'); next >= 0 && next < maxSaidLine {
		last += next
	}
	return text[:head] + "\n" + text[last:]
}

// clientTags hold what a client puts into a prompt by itself.
var clientTags = []string{"system-reminder", "command-message", "command-name", "local-command-stdout", "hook_context", "environment_context"}

// parts tells what is said in a prompt from what is pasted into it: code in fences, lines of logs and traces, diffs.
func parts(prompt string) (said, pasted string) {
	for _, tag := range clientTags {
		prompt = withoutTag(prompt, tag)
	}
	var prose, rest strings.Builder
	fence := ""
	for line := range strings.Lines(prompt) {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
				continue
			}
			rest.WriteString(line)
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
		case isPasted(line, trimmed):
			rest.WriteString(line)
		default:
			prose.WriteString(withoutAddresses(line))
		}
	}
	return prose.String(), rest.String()
}

func withoutTag(text, tag string) string {
	for range 64 {
		start := strings.Index(text, "<"+tag+">")
		if start < 0 {
			return text
		}
		end := strings.Index(text[start:], "</"+tag+">")
		if end < 0 {
			return text[:start]
		}
		text = text[:start] + "\n" + text[start+end+len(tag)+3:]
	}
	return text
}

// withoutAddresses takes the addresses of pages out of a line: their parts are no words that anybody said.
func withoutAddresses(line string) string {
	if !strings.Contains(line, "://") {
		return line
	}
	fields := strings.Fields(line)
	kept := fields[:0]
	for _, field := range fields {
		if !strings.Contains(field, "://") {
			kept = append(kept, field)
		}
	}
	return strings.Join(kept, " ") + "\n"
}

const maxSaidLine = 1500 // bytes: nobody types a longer line

// isPasted tells of a line that is no sentence: of a log, a trace, a diff, code or data.
func isPasted(line, trimmed string) bool {
	switch {
	case trimmed == "":
		return false
	case len(line) > maxSaidLine:
		return true
	case strings.HasPrefix(trimmed, "at ") && strings.ContainsAny(trimmed, "(:"), strings.HasPrefix(trimmed, "File \""),
		strings.HasPrefix(trimmed, "@@ "), strings.HasPrefix(trimmed, "diff --"), strings.HasPrefix(trimmed, "$ "):
		return true
	case startsWithTime(trimmed):
		return true
	}
	if strings.HasSuffix(trimmed, ";") || strings.HasSuffix(trimmed, "{") || strings.HasSuffix(trimmed, "}") {
		return true
	}
	signs, letters := 0, 0
	for _, r := range trimmed {
		switch {
		case unicode.IsLetter(r), r == ' ':
			letters++
		case strings.ContainsRune("{}[]();=<>|&$%^*_\\/+@~", r), unicode.IsDigit(r):
			signs++
		}
	}
	return letters+signs > 20 && 3*signs > letters
}

// startsWithTime tells of a line that begins with a day or a time, as those of logs do.
func startsWithTime(line string) bool {
	line = strings.TrimLeft(line, "[(")
	digits, marks := 0, 0
	for at, r := range line {
		switch {
		case at > 18:
			return digits >= 5 && marks >= 2
		case unicode.IsDigit(r):
			digits++
		case strings.ContainsRune("-:./T", r):
			marks++
		default:
			return digits >= 5 && marks >= 2
		}
	}
	return false
}

// complaints mark the lines of what was pasted that tell what went wrong.
var complaints = []string{"error", "exception", "fatal", "panic", "failed", "denied", "refused", "timeout", "timed out", "cannot", "undefined"}

const maxComplaints = 3 // lines

// subjectOfPasted takes the first lines that complain, else the names that come most often.
func subjectOfPasted(pasted string) subject {
	var lines strings.Builder
	count := 0
	for line := range strings.Lines(pasted) {
		if count == maxComplaints {
			break
		}
		lower := strings.ToLower(ends(line, 400, 0))
		for _, complaint := range complaints {
			if strings.Contains(lower, complaint) {
				lines.WriteString(withoutTime(ends(line, 400, 0)) + "\n")
				count++
				break
			}
		}
	}
	if found := subjectOf(lines.String(), maxSubjectWords); found.weight() >= leastWeight {
		if len(found.words) > maxQueryTail {
			found.words = found.words[:maxQueryTail]
		}
		return found
	}
	return subjectOfCode(pasted)
}

// withoutTime drops what stands before the message in a line of a log.
func withoutTime(line string) string {
	fields := strings.Fields(line)
	for len(fields) > 0 && (isNumber(fields[0]) || startsWithTime(fields[0]+" ")) {
		fields = fields[1:]
	}
	return strings.Join(fields, " ")
}
