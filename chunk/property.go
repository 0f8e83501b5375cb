package chunk

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quarry/note"
)

// housekeeping are the properties that say how a note is filed, not what it is about.
var housekeeping = map[string]bool{
	"title": true, "aliases": true, "alias": true, "type": true, "tags": true, "tag": true, "created": true, "updated": true, "modified": true,
	"date": true, "status": true, "domain": true, "source": true, "id": true, "cssclasses": true, "cssclass": true, "publish": true,
	"permalink": true, "slug": true, "layout": true, "draft": true, "stub": true, "nav_order": true, "nav_exclude": true, "nav_exclude_children": true,
}

// isHousekeeping tells whether a property says how a note is filed or which app draws it.
func isHousekeeping(key string) bool {
	key = strings.ToLower(key)
	switch {
	case strings.HasSuffix(key, "-type"), strings.HasSuffix(key, "_type"):
		return true
	case strings.HasPrefix(key, "excalidraw-"), strings.HasPrefix(key, "kanban-"):
		return true
	}
	return housekeeping[key]
}

// properties gives the one passage of a note that has nothing but properties of its own: a book, a film, a person. A note
// that is filed and otherwise empty, as an unwritten day is, has none.
func properties(n *note.Note) []Passage {
	own := false
	for key, value := range n.Frontmatter {
		own = own || !isHousekeeping(key) && !isEmpty(value)
	}
	if !own || n.BodyLine < 3 || n.BodyLine-2 >= len(n.LineOffsets) {
		return nil
	}
	passage := Passage{HeadingPath: []string{}, HeadingContext: Context(n)}
	room := MaxCharacters
	for _, line := range ownLines(n) {
		content := n.Text[n.LineOffsets[line-1]:n.LineOffsets[line]]
		kept := content[:prefix(content, room)]
		if strings.Trim(kept, blanks) != "" {
			passage.LineStart, passage.LineEnd = cmp.Or(passage.LineStart, line), line
			passage.Text += kept
		}
		if room -= utf8.RuneCountInString(kept); len(kept) < len(content) {
			break
		}
	}
	if passage.Text = strings.TrimRight(passage.Text, blanks); passage.Text == "" {
		return nil
	}
	return []Passage{passage}
}

// ownLines gives the first lines of a note's properties that are no housekeeping and have a value.
func ownLines(n *note.Note) []int {
	var lines []int
	isOwn := true
	for line := 2; line < n.BodyLine-1 && len(lines) < MaxCharacters; line++ {
		content := n.Text[n.LineOffsets[line-1]:n.LineOffsets[line]]
		if key, found := keyOf(content); found {
			value, isKnown := n.Frontmatter[key]
			isOwn = !isHousekeeping(key) && (!isKnown || !isEmpty(value))
		}
		if isOwn && content[0] != '#' { // what is behind it is a comment
			lines = append(lines, line)
		}
	}
	return lines
}

// keyOf gives the key of a property that begins in a line.
func keyOf(line string) (string, bool) {
	key, _, found := strings.Cut(line, ":")
	if !found || strings.IndexByte(" \t-#{[", line[0]) >= 0 {
		return "", false
	}
	return strings.Trim(key, " \t\"'"), true
}

func isEmpty(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case string:
		return strings.TrimSpace(v) == ""
	case []any:
		return !slices.ContainsFunc(v, func(one any) bool { return !isEmpty(one) })
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// maxPropertyCharacters keeps one property from taking the place of all others.
const maxPropertyCharacters = MaxCharacters / 2

// addProperties adds the note's own properties to what a passage is found by.
func (p *Passage) addProperties(n *note.Note) {
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(n.Frontmatter)) {
		if !isHousekeeping(key) {
			lines = append(lines, propertyLines(key, n.Frontmatter[key])...)
		}
	}
	if len(lines) == 0 {
		return
	}
	words := wordsOf(p.HeadingContext + " " + p.Section + " " + p.Text)
	lines = slices.DeleteFunc(lines, func(line string) bool { return isKnown(words, line) })
	for i, line := range lines {
		lines[i] = shorten(line, maxPropertyCharacters)
	}
	data := p.IndexText
	p.IndexText = ""
	p.addIndexText(lines)
	if data != "" {
		p.addIndexText(strings.Split(data, "\n"))
	}
}

// propertyLines gives the words of a property: a line of a text or of a list of texts, a line each of nested properties.
func propertyLines(key string, value any) []string {
	var texts, lines []string
	switch v := value.(type) {
	case string:
		texts = append(texts, propertyWords(v))
	case []any:
		for _, item := range v {
			if text, isText := item.(string); isText {
				texts = append(texts, propertyWords(text))
			} else {
				lines = append(lines, propertyLines(key, item)...)
			}
		}
	case map[string]any:
		for _, inner := range slices.Sorted(maps.Keys(v)) {
			lines = append(lines, propertyLines(key+"."+inner, v[inner])...)
		}
	}
	texts = slices.DeleteFunc(texts, func(text string) bool { return text == "" })
	if len(texts) > 0 {
		lines = append([]string{key + ": " + strings.Join(texts, ", ")}, lines...)
	}
	return lines
}

// linkMarks are what is taken off links.
var linkMarks = strings.NewReplacer("![[", "", "[[", "", "]]", "", "|", " ")

// propertyWords gives the words of a value: without the marks of links, addresses, dates, numbers and identifiers.
func propertyWords(value string) string {
	words := strings.Fields(linkMarks.Replace(value))
	words = slices.DeleteFunc(words, func(word string) bool { return strings.Contains(word, "://") })
	if len(words) == 1 && isIdentifier(words[0]) || !strings.ContainsFunc(strings.Join(words, ""), unicode.IsLetter) {
		return ""
	}
	return strings.Join(words, " ")
}

// isIdentifier knows what only programs read: times, hashes, paths and other names with dots or slashes within.
func isIdentifier(word string) bool {
	if strings.ContainsAny(strings.Trim(word, "./:"), "./:") {
		return true
	}
	digits := 0
	for _, c := range word {
		if unicode.IsDigit(c) {
			digits++
		}
	}
	return len(word) >= 8 && 4*digits >= len(word)
}
