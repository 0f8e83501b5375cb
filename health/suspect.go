package health

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// propertyLinks is a property that holds several links in one text, which makes none.
type propertyLinks struct {
	key   string
	links []string
}

// keepSuspects looks for what may be a relation or a link, and is none by the look of it.
func (e *Examination) keepSuspects(i int, content *Content) {
	s := &e.said[i]
	if r := e.roles[i]; !r.isNote || r.isTemplate {
		return
	}
	if e.selection.Has(NearRelation) {
		s.properties = suspectProperties(content.Properties)
	}
	lines := linkLinesOf(content.Links)
	for _, text := range content.Texts {
		s.isSuspect = s.isSuspect || e.selection.Has(NearRelation) && mayHoldRelation(text.Text) && isSuspectText(text, lines)
		s.isSpaced = s.isSpaced || e.selection.Has(SpaceInLink) && e.hasSpacedLink(text.Text)
	}
	if s.isSuspect {
		for line, hasRelation := range lines {
			s.linkLines = append(s.linkLines, linkLine{line, hasRelation})
		}
	}
}

// linkLinesOf tells of each line that has links whether one of them has a relation of the line.
func linkLinesOf(links []Link) map[int]bool {
	lines := map[int]bool{}
	for k := range links {
		if link := &links[k]; !link.FromField && !link.Hidden {
			lines[link.Line] = lines[link.Line] || link.Relation != "" && !link.RelationInside
		}
	}
	return lines
}

// mayHoldRelation tells, faster than a look at each line, of a text that may hold what looks like a relation.
func mayHoldRelation(text string) bool {
	for _, mark := range []string{"rel:", "Rel:", "REL:", "[!"} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}

// isSuspectText tells of a passage with a line that looks like a relation and is none. Its lines may be some off, where a
// comment was left out: it is the note itself that tells.
func isSuspectText(text Text, lines map[int]bool) bool {
	number := text.Line
	for line := range strings.Lines(text.Text) {
		near, ok := relationIn(line)
		if hasRelation, has := lines[number]; ok && (!near.isSound || has && !hasRelation) {
			return true
		}
		number++
	}
	return false
}

// linksInOneText are several links of a property in one text, which the apps take for words.
var linksInOneText = lazy(`^\s*\[\[[^\[\]]+\]\](?:[\s,;/&+]*(?:and|und|or)?[\s,;/&+]*\[\[[^\[\]]+\]\])+[\s,;.]*$`)

// textProperties hold words by their nature, whatever stands in them.
var textProperties = map[string]bool{
	"title": true, "alias": true, "aliases": true, "tag": true, "tags": true, "description": true, "abstract": true, "summary": true,
	"excerpt": true, "comment": true, "notes": true,
}

// suspectProperties finds properties that hold links in a way that makes none.
func suspectProperties(encoded []byte) []propertyLinks {
	if !bytes.Contains(encoded, []byte("[[")) {
		return nil
	}
	var properties map[string]any
	if json.Unmarshal(encoded, &properties) != nil {
		return nil
	}
	var found []propertyLinks
	for _, key := range sortedKeys(properties) {
		if textProperties[strings.ToLower(key)] {
			continue
		}
		if links := linksInTexts(properties[key]); len(links) > 0 {
			found = append(found, propertyLinks{key, links})
		}
	}
	return found
}

// linksInTexts are the links of a text that holds several, or of a list of which one text does.
func linksInTexts(value any) []string {
	items, isList := value.([]any)
	if !isList {
		items = []any{value}
	}
	var links []string
	holdsSeveral := false
	for _, item := range items {
		if text, ok := item.(string); ok {
			holdsSeveral = holdsSeveral || len(text) <= maxRelationBytes && linksInOneText().MatchString(text)
			links = append(links, linksOf(text)...)
		}
	}
	if !holdsSeveral {
		return nil
	}
	return links
}

// tellProperty tells of such a property, unless its line is told of as one that is no YAML.
func (e *Examination) tellProperty(i int, p propertyLinks) {
	file := e.facts.Notes[i].Path
	line := e.line(file, PlaceOfProperty, p.key)
	for k := range e.facts.Problems {
		if problem := &e.facts.Problems[k]; problem.Path == file && problem.Line != nil && *problem.Line == line {
			return
		}
	}
	e.add(Finding{
		Check: NearRelation, Path: file, Line: line,
		Message: fmt.Sprintf("the property %s holds %s in one text, which is no link to any app", brief(p.key), counted(len(p.links), "link", "links")),
		Remedy:  fmt.Sprintf("write `%s: [\"%s\"]`", brief(p.key), cut(strings.Join(p.links, `", "`), maxText/2)),
	})
}

// maxLooked is in how many notes is looked for links without quotes.
const maxLooked = 500

// bareProperty is a property, or an item of one, that is a link without quotes.
var bareProperty = lazy(`^\s*(?:-[ \t]+|[^\s:#][^:]*:[ \t]+)(\[\[[^\[\]]+\]\])[ \t]*$`)

// bareLinks tells once of properties that are links without quotes: they are read as links here, and are lists in lists to Obsidian.
func (e *Examination) bareLinks(ctx context.Context) {
	if e.facts.Customs != (Customs{}) || e.facts.Lines == nil {
		return
	}
	var places []string
	first, looked := Finding{Check: NearRelation, Severity: Hint}, 0
	for i := range until(ctx, e.said) {
		if len(e.said[i].fieldLines) == 0 || looked == maxLooked || !e.roles[i].isNote || e.roles[i].isTemplate {
			continue
		}
		looked++
		lines := e.facts.Lines(e.facts.Notes[i].Path)
		for _, line := range e.said[i].fieldLines {
			if line < 1 || line > len(lines) {
				continue
			}
			if found := bareProperty().FindStringSubmatch(lines[line-1]); found != nil {
				if places = append(places, place(e.facts.Notes[i].Path, line)); len(places) == 1 {
					first.Path, first.Line, first.Remedy = e.facts.Notes[i].Path, line, fmt.Sprintf("put quotes round it: \"%s\"", brief(found[1]))
				}
			}
		}
	}
	if len(places) == 0 {
		return
	}
	first.Message = "a link without quotes is a list in a list to Obsidian, which makes no link of it"
	if len(places) > 1 {
		first.Message = fmt.Sprintf("%d links without quotes, here and elsewhere, are lists in lists to Obsidian, which makes no links of them", len(places))
	}
	first.Related = places[1:]
	e.add(first)
}

// destinationWithSpace is a Markdown link that is none, since its destination has a space in it.
var destinationWithSpace = lazy(`\[([^\[\]\n]*)\]\(([^\s()<>"'][^()<>"'\n]{0,300}? [^()<>"'\n]{0,300}?)\)`)

// maxDestinationBytes is how long a destination may be that is looked at.
const maxDestinationBytes = 600

// hasSpacedLink tells of a text with a link to a file of the vault that is none for a space.
func (e *Examination) hasSpacedLink(text string) bool {
	for at := strings.Index(text, "]("); at >= 0; {
		text = text[at+2:]
		near := text[:min(len(text), maxDestinationBytes)]
		end := strings.IndexAny(near, ")\n")
		if end > 0 && near[end] == ')' && strings.Contains(near[:end], " ") && e.isFile(near[:end]) {
			return true
		}
		at = strings.Index(text, "](")
	}
	return false
}

// isFile tells of a destination that would name a file of the vault.
func (e *Examination) isFile(destination string) bool {
	target, _, _ := strings.Cut(destination, "#")
	return e.files().has(target)
}

// spaces tells of links that are none for a space in their destination.
func (e *Examination) spaces(ctx context.Context) {
	if !e.selection.Has(SpaceInLink) || e.facts.Lines == nil {
		return
	}
	for i := range until(ctx, e.said) {
		if !e.said[i].isSpaced {
			continue
		}
		var code literal
		for at, line := range until(ctx, e.facts.Lines(e.facts.Notes[i].Path)) {
			if !code.holds(line) && len(line) <= maxText*8 {
				e.tellSpaces(i, at+1, line)
			}
		}
	}
}

// literal follows the lines of a note and tells which are code or mathematics, as far as can be seen line by line.
type literal struct {
	isFenced, isMath, isHTML bool
	isIndented, isBlank      bool // the line before
}

func (l *literal) holds(line string) bool {
	trimmed := strings.TrimLeft(line, " \t>")
	isMark := true
	switch {
	case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
		l.isFenced = !l.isFenced
	case strings.Count(line, "$$")%2 == 1:
		l.isMath = !l.isMath
	case strings.Contains(line, "<pre"):
		l.isHTML = true
	default:
		isMark = false
	}
	isHeld := isMark || l.isFenced || l.isMath || l.isHTML
	if strings.Contains(line, "</pre>") {
		l.isHTML = false
	}
	isBlank := strings.TrimSpace(line) == ""
	l.isIndented = !isBlank && (l.isBlank || l.isIndented) && (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t"))
	l.isBlank = isBlank
	return isHeld || l.isIndented
}

func (e *Examination) tellSpaces(i, number int, line string) {
	for _, at := range destinationWithSpace().FindAllStringSubmatchIndex(line, maxOfNote) {
		text, destination := line[at[2]:at[3]], line[at[4]:at[5]]
		file, subpath, hasSubpath := strings.Cut(destination, "#")
		if hasSubpath {
			subpath = "#" + subpath
		}
		before := line[:at[0]]
		if strings.Count(before, "`")%2 == 1 || strings.HasSuffix(before, `\`) || !e.isFile(destination) {
			continue
		}
		e.add(Finding{
			Check: SpaceInLink, Path: e.facts.Notes[i].Path, Line: number,
			Message: fmt.Sprintf("[%s](%s) is no link, for the space in it", brief(text), brief(destination)),
			Remedy:  fmt.Sprintf("write [%s](%s)", brief(text), destinationOf(file, subpath)),
		})
	}
}
