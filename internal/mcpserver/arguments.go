package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"quarry"
	"quarry/internal/failure"
	"quarry/internal/spelling"
)

// parameter is one argument of a tool.
type parameter struct {
	name, kind, description string
	allowed                 []string // what it can be; none: anything
	least, most             int      // of a number
}

type parameters []parameter

// schema describes the arguments plainly: no unions, which some clients refuse.
func (p parameters) schema(required ...string) map[string]any {
	properties := map[string]any{}
	for _, one := range p {
		described := map[string]any{"type": one.kind, "description": one.description}
		if one.kind == "array" {
			described["items"] = map[string]any{"type": "string"}
		}
		if len(one.allowed) > 0 {
			described["enum"] = one.allowed
		}
		if one.least != one.most {
			described["minimum"], described["maximum"] = one.least, one.most
		}
		properties[one.name] = described
	}
	schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// arguments reads a call's arguments leniently: "3" is a number, "a,b" a list. The first mistake is kept.
type arguments struct {
	known   parameters
	values  map[string]json.RawMessage
	mistake *error
}

func readArguments(raw json.RawMessage, known parameters) (arguments, error) {
	a := arguments{known: known, values: map[string]json.RawMessage{}, mistake: new(error)}
	if len(bytes.TrimSpace(raw)) == 0 {
		return a, nil
	}
	var inText string
	if bytes.TrimSpace(raw)[0] == '"' && json.Unmarshal(raw, &inText) == nil { // some clients send the text of an object
		raw = json.RawMessage(inText)
	}
	if err := json.Unmarshal(raw, &a.values); err != nil {
		return a, wrong(failure.InvalidArguments, "the arguments are no JSON object", "send an object such as {\"query\": \"…\"}")
	}
	return a, a.onlyKnown()
}

func (a arguments) fail(name, reason string) {
	if *a.mistake != nil {
		return
	}
	suggestion := "correct it and call again"
	for _, p := range a.known {
		if p.name == name {
			suggestion += fmt.Sprintf("; %s (%s): %s", name, p.kind, p.description)
		}
	}
	*a.mistake = wrong(failure.InvalidArguments, fmt.Sprintf("the argument %q %s", name, reason), suggestion)
}

func (a arguments) err() error { return *a.mistake }

func (a arguments) onlyKnown() error {
	names := namesOf(a.known, func(p parameter) string { return p.name })
	for _, name := range slices.Sorted(maps.Keys(a.values)) {
		if !slices.Contains(names, name) {
			return unknownArgument(name, names)
		}
	}
	return nil
}

// unknownArgument names what may be meant, and what there is.
func unknownArgument(name string, known []string) error {
	suggestion := "known arguments: " + strings.Join(known, ", ")
	if other := meant[strings.ToLower(name)]; slices.Contains(known, other) {
		suggestion = didYouMean([]string{other}) + " " + suggestion
	} else if question := didYouMean(spelling.Near(name, known)); question != "" {
		suggestion = question + " " + suggestion
	}
	return wrong(failure.UnknownArgument, fmt.Sprintf("there is no argument %.80q", name), suggestion)
}

func (a arguments) has(name string) bool {
	raw, ok := a.values[name]
	return ok && string(raw) != "null"
}

func (a arguments) text(name string) string {
	if !a.has(name) {
		return ""
	}
	var s string
	if json.Unmarshal(a.values[name], &s) != nil {
		a.fail(name, "is no string")
	}
	return s
}

// scalar is a number or boolean as it stands, or inside a string.
func (a arguments) scalar(name string) string {
	raw := strings.TrimSpace(string(a.values[name]))
	var s string
	if json.Unmarshal(a.values[name], &s) == nil {
		return strings.TrimSpace(s)
	}
	return raw
}

// integer is a whole number within the bounds of the argument; what is none is not guessed at, since the schema tells the bounds.
func (a arguments) integer(name string, otherwise int) int {
	if !a.has(name) {
		return otherwise
	}
	n, ok := a.within(name)
	if !ok || n != math.Trunc(n) {
		p := a.parameter(name)
		a.fail(name, fmt.Sprintf("is no whole number from %d to %d", p.least, p.most))
		return otherwise
	}
	return int(n)
}

func (a arguments) number(name string) float64 {
	if !a.has(name) {
		return 0
	}
	n, ok := a.within(name)
	if !ok {
		p := a.parameter(name)
		a.fail(name, fmt.Sprintf("is no number from %d to %d", p.least, p.most))
	}
	return n
}

// within is a number, and whether it lies within the bounds of the argument.
func (a arguments) within(name string) (n float64, ok bool) {
	p := a.parameter(name)
	n, err := strconv.ParseFloat(a.scalar(name), 64)
	return n, err == nil && n >= float64(p.least) && n <= float64(p.most) // NaN is neither
}

// parameter is what is known of an argument.
func (a arguments) parameter(name string) parameter {
	at := slices.IndexFunc(a.known, func(p parameter) bool { return p.name == name })
	if at < 0 {
		panic("no tool takes the argument " + name) //nolint:forbidigo // a mistake of the programmer: a tool reads what its schema has not
	}
	return a.known[at]
}

func (a arguments) boolean(name string) bool {
	if !a.has(name) {
		return false
	}
	b, err := strconv.ParseBool(a.scalar(name))
	if err != nil {
		a.fail(name, "is neither true nor false")
	}
	return b
}

func (a arguments) list(name string) []string {
	if !a.has(name) {
		return nil
	}
	var list []string
	if json.Unmarshal(a.values[name], &list) == nil {
		return list
	}
	var one string
	if json.Unmarshal(a.values[name], &one) != nil {
		a.fail(name, "is no list of strings")
		return nil
	}
	var sent []string
	if strings.HasPrefix(strings.TrimSpace(one), "[") && json.Unmarshal([]byte(one), &sent) == nil { // some clients send a list as the text of one
		return sent
	}
	for _, part := range strings.Split(one, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// filter reads the filters that the tools share.
func (a arguments) filter(now time.Time) quarry.Filter {
	filter, err := quarry.FilterSpec{
		Tags: a.list("tag"), Types: a.list("type"), Statuses: a.list("status"), Domains: a.list("domain"), Globs: a.list("path"),
		Folders: a.list("folder"), Properties: a.list("prop"), Since: a.day("since", now), Until: a.day("until", now),
		LinksTo: a.names("links_to"), LinkedBy: a.names("linked_by"), Hops: a.hops(),
		IncludeArchived: a.boolean("include_archived"),
	}.Filter(now)
	if count := len(filter.LinksTo) + len(filter.NotLinksTo) + len(filter.LinkedBy) + len(filter.NotLinkedBy); count > maxNames {
		a.fail(a.firstOf("links_to", "linked_by"), fmt.Sprintf("names too many notes: links_to and linked_by take %d together", maxNames))
	}
	if err != nil && *a.mistake == nil {
		*a.mistake = err // day has named the argument already
	}
	return filter
}

// maxNames is how many notes filters by links may name, as the engine has it.
const maxNames = 256

// firstOf is the first of two arguments that is there.
func (a arguments) firstOf(name, other string) string {
	if a.has(name) {
		return name
	}
	return other
}

// names are those of notes. A text is one of them, since a comma can be part of it.
func (a arguments) names(name string) []string {
	if !a.has(name) {
		return nil
	}
	var one string
	names := []string{}
	if json.Unmarshal(a.values[name], &one) == nil {
		names = []string{one}
		if json.Unmarshal([]byte(one), &names) != nil { // some clients send a list as the text of one
			names = []string{one}
		}
	} else {
		names = a.list(name)
	}
	for _, n := range names {
		if strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(n), "-")) == "" {
			a.fail(name, "holds an empty name")
		}
	}
	return names
}

// hops is how many links away counts, 0 where no note is named.
func (a arguments) hops() int {
	hops := a.integer("hops", 1)
	switch isLinked := a.has("links_to") || a.has("linked_by"); {
	case hops > 1 && !isLinked:
		a.fail("hops", "needs links_to or linked_by, of which it counts the links")
	case isLinked:
		return hops
	}
	return 0
}

// day is a date or a span of days as it was written.
func (a arguments) day(name string, now time.Time) string {
	text := a.text(name)
	if _, err := quarry.ParseDay(text, now); err != nil {
		a.fail(name, `is no date such as 2026-01-31, no span such as 7d, and no word such as "last monday"`)
	}
	return text
}

func (a arguments) oneOf(name string, allowed []string) {
	if text := a.text(name); text != "" && !slices.Contains(allowed, text) {
		a.fail(name, "is none of "+strings.Join(allowed, ", "))
	}
}
