package compress

import "strings"

// nameWords are words of letters alone that stand among names in lines of package managers.
var nameWords = map[string]bool{
	"all": true, "already": true, "amd": true, "and": true, "as": true, "at": true, "build": true, "cache": true, "cached": true, "compatible": true,
	"container": true, "crates": true, "currently": true, "directories": true, "directory": true, "done": true, "editable": true, "fetch": true,
	"file": true, "files": true, "for": true, "from": true, "get": true, "git": true, "head": true, "hit": true, "in": true, "index": true,
	"inrelease": true, "installed": true, "into": true, "kb": true, "kib": true, "gb": true, "gib": true, "b": true, "bytes": true, "latest": true, "line": true,
	"lock": true, "main": true, "mb": true, "mib": true, "miss": true, "module": true, "of": true, "on": true, "over": true, "package": true, "packages": true,
	"post": true, "put": true, "registry": true, "release": true, "repository": true, "revalidated": true, "running": true, "rust": true, "sources": true,
	"submodule": true, "to": true, "updated": true, "using": true, "version": true, "versions": true, "via": true, "waiting": true, "with": true,
	"translation": true, "legacy": true, "metadata": true, "meta": true, "universe": true, "contents": true, "stale": true, "skip": true, "ms": true, "s": true,
}

// beforeNames are those of them behind which a name stands.
var beforeNames = map[string]bool{"from": true, "for": true, "package": true, "of": true, "in": true, "submodule": true, "container": true, "over": true}

// areNames tells of the rest of a line of a package manager that it names things, with versions, addresses and sizes, and says nothing
// more: a sentence, or an error, has other words, or a colon.
func areNames(text string) bool {
	const most = 40
	words := strings.Fields(text)
	if len(words) > most || badStatusAt(text) >= 0 {
		return false
	}
	before := ""
	for i, word := range words {
		bare := strings.ToLower(strings.Trim(word, "()[]{},;.…!?\"'`"))
		isName := i == 0 || beforeNames[before]
		switch {
		case isFailingStatus(bare) && (i+1 == len(words) || !isUnit(words[i+1])) && i > 0:
			return false
		case strings.HasSuffix(word, ":") && (i > 0 || len(words) > 1 && !strings.Contains(words[1], "=")) && bare != "latest:" && bare != "available:":
			return false
		case troubleWords[bare], bare == "error", bare == "errors", bare == "exception":
			return false
		case isName, nameWords[bare], strings.Trim(bare, "abcdefghijklmnopqrstuvwxyz") != "", bare == "":
		default:
			return false
		}
		before = bare
	}
	return true
}

// isFailingStatus tells of 400 to 599.
func isFailingStatus(text string) bool {
	return len(text) == 3 && (text[0] == '4' || text[0] == '5') && isDigit(text[1]) && isDigit(text[2])
}

func isUnit(word string) bool {
	switch strings.ToLower(strings.Trim(word, "()[],.")) {
	case "b", "kb", "mb", "gb", "kib", "mib", "gib", "bytes", "files", "crates", "packages", "ms", "s":
		return true
	}
	return false
}
