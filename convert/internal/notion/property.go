package notion

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"quarry/internal/draft"
	"quarry/internal/lazyregexp"
)

// property is a property as a page has it.
type property struct {
	name, value string
	list        []string // of a property that is known to be one
	isText      bool     // it is known to be one
}

// Bounds up to which a value is a property; others go into the text.
const (
	maxValue      = 300 // characters
	maxItems      = 150 // of a list
	maxProperties = 80
)

// set are names of properties that mean something to every note.
var (
	createdNames = []string{"created", "created time", "created at", "created on", "date created", "creation date", "erstellt", "erstellt am"}
	updatedNames = []string{"updated", "updated at", "updated time", "last edited", "last edited time", "last edited at", "last updated", "last updated time", "modified", "date modified", "zuletzt bearbeitet"}
	tagNames     = []string{"tags", "tag", "labels", "label", "topics", "keywords", "schlagwörter"}
	listNames    = []string{"categories", "types", "areas", "people", "authors", "members", "assignees"}
	takenNames   = []string{"title", "type", "domain", "tags", "created", "updated", "source", "status"} // of every note
	sourceNames  = []string{"url", "source", "source url", "link", "website"}
)

// properties are the lines "Name: value" right below the heading of a page, up to the first blank line.
func properties(text string, of *database) (_ []property, rest string) {
	text = strings.TrimLeft(text, "\n")
	paragraph, rest, _ := strings.Cut(text, "\n\n")
	var found []property
	isColumn := false
	for line := range strings.SplitSeq(paragraph, "\n") {
		name, value, ok := propertyLine(line)
		switch {
		case ok:
			found = append(found, property{name: name, value: value})
			isColumn = isColumn || of != nil && slices.Contains(of.columns, strings.ToLower(name))
		case len(found) == 0 || of == nil:
			return nil, text
		default: // a value of several lines
			found[len(found)-1].value += "\n" + line
		}
	}
	if of == nil && len(found) > maxProperties {
		return nil, text
	}
	isKnown := len(found) == 1 && isOneOf(found[0].name, createdNames, updatedNames, tagNames, sourceNames)
	if isColumn || of == nil && (len(found) > 1 || isKnown) {
		return found, rest
	}
	return nil, text
}

func isOneOf(name string, lists ...[]string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	return slices.ContainsFunc(lists, func(list []string) bool { return slices.Contains(list, name) })
}

var (
	notName   = lazyregexp.New("^(?:[-*+>#|!`\\[<$]|\\d+[.)] |https?$)|;|\\. |[<>*`\\[\\]]")
	maxFields = 8 // words of a name
)

func propertyLine(line string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(line, ":")
	if !ok || value != "" && value[0] != ' ' || strings.TrimSpace(name) == "" || utf8.RuneCountInString(name) > 60 {
		return "", "", false
	}
	return name, strings.TrimSpace(value), !notName.MatchString(name) && len(strings.Fields(name)) <= maxFields
}

// setProperties gives a page its properties; what is too long for one is the text that is returned.
func (r *reader) setProperties(p *page, lines []property) (text string) {
	p.cells = map[string]string{}
	seen := map[string]bool{}
	var long strings.Builder
	for _, line := range lines {
		p.cells[strings.ToLower(line.name)] = line.value
		if line.value == "" || r.setCommon(p, line) {
			continue
		}
		value := r.typed(p, line)
		name := strings.ToLower(line.name)
		if plain, ok := tooLong(value); ok || seen[name] || len(seen) == maxProperties {
			long.WriteString("**" + line.name + ":** " + plain + "\n\n")
			continue
		}
		seen[name] = true
		if isOneOf(line.name, takenNames) {
			line.name = "notion-" + strings.ToLower(line.name)
		}
		p.note.Properties = append(p.note.Properties, draft.Property{Name: line.name, Value: value})
	}
	return long.String()
}

// tooLong is a value as text; ok tells that it is too long for a property.
func tooLong(value any) (_ string, ok bool) {
	switch v := value.(type) {
	case string:
		return v, utf8.RuneCountInString(v) > maxValue || strings.Contains(v, "\n")
	case []string:
		return strings.Join(v, ", "), len(v) > maxItems
	}
	return fmt.Sprint(value), false
}

// setCommon sets what every note can have; it is false for other properties.
func (r *reader) setCommon(p *page, line property) bool {
	switch {
	case isOneOf(line.name, createdNames), isOneOf(line.name, updatedNames):
		when, ok := parseDate(line.value)
		if !ok {
			return false
		}
		if isOneOf(line.name, createdNames) {
			p.note.Created = when.start
		} else {
			p.note.Updated = when.start
		}
		return true
	case isOneOf(line.name, tagNames):
		if line.list == nil {
			line.list = listOf(line.value)
		}
		p.note.Tags = append(p.note.Tags, line.list...)
		return true
	case strings.EqualFold(line.name, "status"):
		p.note.Status = line.value
		return true
	case isOneOf(line.name, sourceNames) && webAddress.MatchString(line.value):
		p.note.Source = line.value
		return isOneOf(line.name, []string{"source"})
	}
	return false
}

var (
	webAddress = lazyregexp.New(`^https?://[^\s,]+$`)
	number     = lazyregexp.New(`^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?$`)
	grouped    = lazyregexp.New(`^-?[1-9]\d{0,2}(?:,\d{3}){1,4}(?:\.\d{1,12})?$`)
	related    = lazyregexp.New(`(?:^|, )([^\n]+?) \((\S+?\.(?:md|html|csv)|https://(?:www\.)?notion\.so/[^\s()]+)\)`)
)

// typed is a value as what it looks like: a truth, a number, a date, links, a list, a text.
func (r *reader) typed(p *page, line property) any {
	value := line.value
	switch {
	case line.list != nil:
		return oneOrMany(line.list)
	case line.isText:
		return r.links(p, value)
	case value == "Yes" || value == "No":
		return value == "Yes"
	case number.MatchString(value), grouped.MatchString(value):
		made, err := strconv.ParseFloat(strings.ReplaceAll(value, ",", ""), 64)
		isSame := strconv.FormatFloat(made, 'f', -1, 64) == value // "1.10" may be a version
		if err == nil && (isSame || strings.Contains(value, ",")) {
			return made
		}
	}
	if when, ok := parseDate(value); ok {
		return when.value()
	}
	if links := r.relations(p, value); links != nil {
		return oneOrMany(links)
	}
	if files := r.fileList(p, value); files != nil {
		return oneOrMany(files)
	}
	if isOneOf(line.name, listNames) || p.database != nil && p.database.isList[strings.ToLower(line.name)] {
		return listOf(value)
	}
	return r.links(p, value)
}

func oneOrMany(values []string) any {
	if len(values) == 1 {
		return values[0]
	}
	return values
}

func listOf(value string) []string {
	var list []string
	for one := range strings.SplitSeq(value, ",") {
		if one = strings.TrimSpace(one); one != "" {
			list = append(list, one)
		}
	}
	return list
}

// relations are links to the pages that a relation names; nil where a value is none.
func (r *reader) relations(p *page, value string) []string {
	var links []string
	end := 0
	for _, m := range related.FindAllStringSubmatchIndex(value, -1) {
		if m[0] != end {
			return nil
		}
		end = m[1]
		made, ok := r.link(p, value[m[4]:m[5]], value[m[2]:m[3]], value[m[2]:m[3]])
		if !ok {
			return nil
		}
		links = append(links, made)
	}
	if end != len(value) {
		return nil
	}
	return links
}

// fileList are links to the files that a property holds; nil where a value is none.
func (r *reader) fileList(p *page, value string) []string {
	var links []string
	for one := range strings.SplitSeq(value, ", ") {
		at, found, _ := r.local(p, one)
		if !found {
			return nil
		}
		id := at
		if other := r.byPath[at]; other != nil {
			id = other.id
		}
		links = append(links, r.linkTo(r.byPath[at], id, "", one))
	}
	return links
}

// date is a date or a span of two, as Notion writes them.
type date struct {
	start, end        time.Time
	hasTime, hasPlace bool // a time of day, its place on earth
}

var (
	layouts = []string{"January 2, 2006", "Jan 2, 2006", "2006/01/02", "2006-01-02", "2 January 2006", "2. January 2006"}
	clocks  = []string{"", " 3:04 PM", " 15:04", ", 3:04 PM", ", 15:04", "T15:04:05.000Z", "T15:04:05Z", "T15:04:05.000-07:00", "T15:04:05-07:00"}
	year    = lazyregexp.New(`\d{4}`)
	zone    = lazyregexp.New(` \((?:GMT|UTC)(?:([+-])(\d{1,2})(?::(\d\d))?)?\)$`)
)

func parseDate(value string) (date, bool) {
	first, second, isSpan := strings.Cut(strings.TrimSpace(strings.TrimPrefix(value, "@")), "→")
	if len(first) > 60 || len(second) > 60 || !year.MatchString(first) {
		return date{}, false
	}
	start, hasTime, hasPlace, ok := parseTime(strings.TrimSpace(first))
	d := date{start: start, hasTime: hasTime, hasPlace: hasPlace}
	if !ok || !isSpan {
		return d, ok
	}
	second = strings.TrimPrefix(strings.TrimSpace(second), "@")
	end, _, _, ok := parseTime(second)
	if !ok { // a time of the same day
		end, _, _, ok = parseTime(start.Format("2006-01-02") + " " + second)
	}
	d.end = end
	return d, ok
}

func parseTime(text string) (when time.Time, hasTime, hasPlace, ok bool) {
	shift := time.Duration(0)
	if m := zone.FindStringSubmatch(text); m != nil {
		hasPlace = true
		hours, _ := strconv.Atoi(m[2])
		minutes, _ := strconv.Atoi(m[3])
		shift = time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
		if m[1] == "-" {
			shift = -shift
		}
		text = strings.TrimSuffix(text, m[0])
	}
	text = strings.ReplaceAll(text, "\u202f", " ")
	for _, day := range layouts {
		for i, clock := range clocks {
			if made, err := time.Parse(day+clock, text); err == nil && made.Year() > 0 {
				return made.Add(-shift).UTC(), i > 0, hasPlace || i > 4, true
			}
		}
	}
	return time.Time{}, false, false, false
}

// value is a date for a property: a day, a day with its time of an unknown place, or a time; of a span both ends.
func (d date) value() any {
	if d.end.IsZero() {
		if d.hasTime && d.hasPlace {
			return d.start
		}
		return d.text(d.start)
	}
	return d.text(d.start) + "/" + d.text(d.end)
}

func (d date) text(when time.Time) string {
	switch {
	case !d.hasTime:
		return when.Format("2006-01-02")
	case d.hasPlace:
		return when.Format("2006-01-02T15:04:05Z")
	}
	return when.Format("2006-01-02T15:04")
}
