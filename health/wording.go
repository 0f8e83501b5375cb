package health

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of what a finding shows of names and texts that people wrote, in characters.
const (
	maxBrief = 80   // of one name
	maxText  = 1200 // of a message or a remedy
)

// brief cuts a text that somebody wrote.
func brief(text string) string { return cut(text, maxBrief) }

// cut shortens a text to so many characters.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	count := 0
	for i := range text {
		if count++; count == most {
			if utf8.RuneCountInString(text[i:]) == 1 {
				return text
			}
			return text[:i] + "…"
		}
	}
	return text
}

// named writes the target of a link, and tells of spaces that nobody sees.
func named(target string) string {
	if strings.Contains(target, "  ") {
		return fmt.Sprintf("%q, which has two spaces in a row", brief(target))
	}
	return brief(target)
}

// place writes where something stands: "a.md:12", "a.md" where the line is not known.
func place(path string, line int) string {
	if line == 0 {
		return path
	}
	return fmt.Sprintf("%s:%d", path, line)
}

// counted writes a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// listed names some of a list: "a, b and 3 more".
func listed(names []string, most int) string {
	return listedOf(names, len(names), most)
}

// listedOf names the first of so many.
func listedOf(names []string, count, most int) string {
	if count <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), count-most)
}

// sortedKeys are the keys of a map in order, so that equal facts give equal findings.
func sortedKeys[K cmp.Ordered, V any](of map[K]V) []K { return slices.Sorted(maps.Keys(of)) }

// briefly cuts some names.
func briefly(names []string) []string {
	short := make([]string, len(names))
	for i, name := range names {
		short[i] = brief(name)
	}
	return short
}
