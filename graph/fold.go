package graph

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// noteExtension is the only extension that a link may leave out.
const noteExtension = ".md"

// clean gives names one form in which they can be compared: slashes as separators, plain spaces in place of no-break
// ones, and composed characters (NFC). The letters keep their case.
func clean(name string) string {
	if isASCII(name) {
		return strings.ReplaceAll(name, `\`, "/")
	}
	return norm.NFC.String(separators.Replace(name))
}

// separators maps what file systems and editors write for a slash or a space. U+202F stands in the names of macOS's screenshots.
var separators = strings.NewReplacer(`\`, "/", "\u00a0", " ", "\u202f", " ")

// fold is clean without regard to case. Its result is valid UTF-8 where name is not plain ASCII.
func fold(name string) string {
	name = clean(name)
	if isASCII(name) {
		return strings.ToLower(name)
	}
	return smallLetters.Replace(strings.ToLower(dotted.Replace(name)))
}

// dotted and smallLetters make of Go's small letters those of JavaScript: that of İ keeps its dot, as a mark behind the i,
// and both small letters of Σ are one.
var (
	dotted       = strings.NewReplacer("\u0130", "i\u0307")
	smallLetters = strings.NewReplacer("ς", "σ")
)

// SameName tells whether links take two names for one: without regard to letter case, to the composition of accents, to
// no-break or plain spaces, and to the direction of slashes.
func SameName(a, b string) bool { return fold(a) == fold(b) }

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// lastSegment is what follows the last slash.
func lastSegment(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// folderPrefix is the folder of a path with its slash, "" for the root.
func folderPrefix(name string) string { return name[:strings.LastIndexByte(name, '/')+1] }

// utf16Units counts as JavaScript's length does, by which Obsidian finds the shortest path.
func utf16Units(s string) int {
	units := 0
	for _, r := range s {
		units += utf16.RuneLen(r)
	}
	return units
}
