package compress

import (
	"strconv"
	"strings"

	"quarry/internal/lazyregexp"
)

// indexLine names two blobs.
var indexLine = lazyregexp.New(`^index [0-9a-f]+\.\.[0-9a-f]+(?: \d+)?$`)

var hunkHead = lazyregexp.New(`^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@`)

// hunkSize is how many lines of before and of after a hunk has.
func hunkSize(text string) (before, after int, isHunk bool) {
	if !strings.HasPrefix(text, "@@ ") {
		return 0, 0, false
	}
	m := hunkHead.FindStringSubmatch(text)
	if m == nil {
		return 0, 0, false
	}
	size := func(digits string) int {
		if digits == "" {
			return 1
		}
		n, err := strconv.Atoi(digits)
		if err != nil {
			return 0
		}
		return n
	}
	return size(m[1]), size(m[2]), true
}

// differ goes through a diff hunk by hunk: only the size that a hunk tells says which lines are its own.
type differ struct{ before, after int }

// isIn tells whether a line belongs to the hunk, and counts it.
func (d *differ) isIn(l line) bool {
	if d.before <= 0 && d.after <= 0 {
		return false
	}
	n := 1 + int(l.repeats)
	switch {
	case l.text == "" || l.text[0] == ' ':
		d.before, d.after = d.before-n, d.after-n
	case l.text[0] == '-':
		d.before -= n
	case l.text[0] == '+':
		d.after -= n
	case l.text[0] != '\\':
		d.before, d.after = 0, 0
		return false
	}
	return true
}

// isDiff tells of a text that is a diff for the most part.
func isDiff(lines []line) bool {
	within, hunks := 0, 0
	var d differ
	for _, l := range lines {
		if d.isIn(l) {
			within++
			continue
		}
		var isHunk bool
		if d.before, d.after, isHunk = hunkSize(l.text); isHunk || isDiffHead(l.text) {
			within++
		}
		if isHunk {
			hunks++
		}
	}
	return hunks > 0 && within*100 >= len(lines)*60
}

func isDiffHead(text string) bool {
	for _, prefix := range []string{"diff --git ", "index ", "--- ", "+++ ", "new file mode", "deleted file mode", "similarity index", "rename ", "old mode", "new mode", "Binary files "} {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}

// lockFiles are written by programs; which lines of them changed nobody reads.
var lockFiles = lazyregexp.New(`(?:^|/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|flake\.lock)$|\.min\.(?:js|css)$|\.map$`)

// shortenDiff drops context that is further than a line from a change, and the lines of lock files and of files that are gone.
func shortenDiff(lines []line) {
	var d differ
	start, isLock, isGone := -1, false, false
	for i := range lines {
		l := &lines[i]
		if d.isIn(*l) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			markHunk(lines[start:i], isLock, isGone)
			start = -1
		}
		var isHunk bool
		d.before, d.after, isHunk = hunkSize(l.text)
		switch {
		case isHunk && isLock:
			l.drop(changedLines, 0)
		case isHunk, strings.HasPrefix(l.text, "+++ "):
			l.raise(context)
		case strings.HasPrefix(l.text, "diff --git "):
			isLock, isGone = lockFiles.MatchString(l.text), false
			l.raise(context)
		case strings.HasPrefix(l.text, "--- "):
			isLock = isLock || lockFiles.MatchString(l.text)
		case strings.HasPrefix(l.text, "deleted file mode"):
			isGone = true
			l.raise(context)
		case indexLine.MatchString(l.text):
			l.drop(otherLines, 0)
		}
	}
	if start >= 0 {
		markHunk(lines[start:], isLock, isGone)
	}
}

func markHunk(hunk []line, isLock, isGone bool) {
	const near = 1
	isChange := func(i int) bool {
		return i >= 0 && i < len(hunk) && hunk[i].text != "" && (hunk[i].text[0] == '+' || hunk[i].text[0] == '-')
	}
	for i := range hunk {
		switch {
		case isLock && isChange(i):
			hunk[i].drop(changedLines, 1)
		case isLock:
			hunk[i].drop(changedLines, 0)
		case isGone:
			hunk[i].drop(deletedLines, 1)
		case isChange(i), isChange(i - near), isChange(i + near), strings.HasPrefix(hunk[i].text, `\`):
		default:
			hunk[i].drop(unchangedLines, 1)
		}
	}
}
