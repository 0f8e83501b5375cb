// Package filename knows how links compare the names of files. It is pure.
package filename

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// NoteExtension is the only extension that a link may leave out.
const NoteExtension = ".md"

// FolderStems are names of notes, folded, without extension, that stand for their folders, the commonest first.
var FolderStems = [...]string{"index", "readme", "_index"}

// MaxBytes is longer than any path that a file system allows: what is longer is not looked up.
const MaxBytes = 1 << 14

// Clean gives names one form in which they can be compared: slashes as separators, plain spaces in place of no-break
// ones, and composed characters (NFC). The letters keep their case.
func Clean(name string) string {
	if IsASCII(name) {
		return strings.ReplaceAll(name, `\`, "/")
	}
	return norm.NFC.String(separators.Replace(name))
}

// separators maps what file systems and editors write for a slash or a space. U+202F stands in the names of macOS's screenshots.
var separators = strings.NewReplacer(`\`, "/", "\u00a0", " ", "\u202f", " ")

// Fold is Clean without regard to case. Its result is valid UTF-8 where name is not plain ASCII.
func Fold(name string) string {
	name = Clean(name)
	if IsASCII(name) {
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

// IsASCII tells of a name without letters beyond ASCII.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// LastSegment is what follows the last slash.
func LastSegment(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// FolderPrefix is the folder of a path with its slash, "" for the root.
func FolderPrefix(name string) string { return name[:strings.LastIndexByte(name, '/')+1] }

// noteExtensions are those of notes, in lower case.
var noteExtensions = [...]string{NoteExtension, ".markdown"}

// IsNote tells of a file whose extension is one of notes, in any letter case.
func IsNote(file string) bool {
	return slices.Contains(noteExtensions[:], strings.ToLower(path.Ext(file)))
}

// Stem is the name of a file without its extension.
func Stem(file string) string {
	name := LastSegment(file)
	return strings.TrimSuffix(name, path.Ext(name))
}
