package note

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// wikiEnd finds the end of the inner text of a wiki-link whose "[[" stands at, -1 if there is no "]]" on the line, or
// another "[[" comes first.
func wikiEnd(text string, at int) int {
	for i := at + 2; i < len(text); i++ {
		switch text[i] {
		case '\n', '\r':
			return -1
		case '[':
			if i+1 < len(text) && text[i+1] == '[' {
				return -1
			}
		case ']':
			if i+1 < len(text) && text[i+1] == ']' {
				return i
			}
		}
	}
	return -1
}

// isWikiLink tells whether there is a target between "[[" and "]]".
func (l *lexer) isWikiLink(start, end int) bool {
	separator := "|"
	if l.cell {
		separator = `\|`
	}
	destination, _, _ := cutAlias(l.text[start:end], separator)
	return strings.TrimSpace(destination) != ""
}

// parseWikiText reads what stands between "[[" and "]]".
func parseWikiText(inner string) (Link, bool) {
	destination, display, shown := cutAlias(inner, "|")
	return newWikiLink(destination, display, shown)
}

// parseWikiCell is parseWikiText within a table cell, where "\|" divides and "|" has already ended the cell.
func parseWikiCell(inner string) (Link, bool) {
	destination, display, shown := cutAlias(inner, `\|`)
	return newWikiLink(destination, display, shown)
}

// cutAlias divides at the first separator that is not at the very start.
func cutAlias(inner, separator string) (destination, display string, shown bool) {
	if inner == "" {
		return "", "", false
	}
	at := strings.Index(inner[1:], separator)
	if at < 0 {
		return inner, "", false
	}
	return inner[:at+1], inner[at+1+len(separator):], true
}

func newWikiLink(destination, display string, shown bool) (Link, bool) {
	destination = strings.TrimSpace(destination)
	if destination == "" {
		return Link{}, false
	}
	var link Link
	link.Relation, destination = cutRelation(destination)
	link.RelationInside = link.Relation != ""
	path, sub, hasSub := strings.Cut(destination, "#")
	link.Target = strings.TrimSpace(path)
	if hasSub {
		link.Subpath = "#" + strings.TrimSpace(sub)
	}
	if isExternal(destination) && strings.Contains(destination, "://") {
		link.Target, link.Subpath, link.External = destination, "", true
	}
	link.Display = strings.TrimSpace(display)
	if !shown {
		link.Display = defaultDisplay(link.Target, link.Subpath)
	}
	return link, true
}

// cutRelation takes "rel:name " off a destination. The name is lowercased.
func cutRelation(destination string) (relation, rest string) {
	after, ok := strings.CutPrefix(destination, "rel:")
	if !ok {
		return "", destination
	}
	name := relationName(after)
	rest = strings.TrimLeft(after[len(name):], " \t")
	if name == "" || rest == "" || len(rest) == len(after)-len(name) {
		return "", destination
	}
	return strings.ToLower(name), rest
}

// relationName gives the name that text starts with: a letter or "_", then letters, digits, "_" and "-".
func relationName(text string) string {
	for i, r := range text {
		if r == '_' || unicode.IsLetter(r) || i > 0 && (r == '-' || unicode.IsNumber(r)) {
			continue
		}
		return text[:i]
	}
	return text
}

// defaultDisplay shows a link without an alias as Obsidian does: "Note > Heading > Part".
func defaultDisplay(target, subpath string) string {
	if subpath == "" {
		return target
	}
	parts := strings.Split(subpath[1:], "#")
	if target != "" {
		parts = append([]string{target}, parts...)
	}
	return strings.Join(parts, " > ")
}

func validUTF8(text string) bool { return utf8.ValidString(text) }
