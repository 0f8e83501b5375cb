package httpserver

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"quarry"
	"quarry/internal/failure"
)

// parameter is one that an endpoint takes in the query of its address.
type parameter struct {
	name, kind, description string // kind is a type of JSON Schema; an array is the parameter given several times
	allowed                 []string
	least, most             int    // of a number, unless both are 0
	otherwise               string // what counts where it is not given, for the description
	isRequired              bool
}

const excludes = "; a - in front excludes; repeat for OR"

var filterParameters = []parameter{
	{name: "tag", kind: "array", description: "notes with this tag, or one below it" + excludes},
	{name: "type", kind: "array", description: "notes of this type" + excludes},
	{name: "status", kind: "array", description: "notes with this status" + excludes},
	{name: "domain", kind: "array", description: "notes of this domain" + excludes},
	{name: "path", kind: "array", description: "notes whose path matches this pattern" + excludes},
	{name: "folder", kind: "array", description: "notes below this folder" + excludes},
	{name: "prop", kind: "array", description: "notes with this property: key or key=value" + excludes},
	{name: "since", kind: "string", description: "updated on this day or later: 2026-01-31, 2026-01, 7d, 3w, 2m, 1y ago, or words such as last monday"},
	{name: "until", kind: "string", description: "updated on this day or earlier"},
	{name: "links_to", kind: "array", description: "notes that link to this note, by path, name or #docid" + excludes},
	{name: "linked_by", kind: "array", description: "notes that this note links to" + excludes},
	{name: "hops", kind: "integer", description: "how many links away still counts for links_to and linked_by", least: 1, most: quarry.MaxHops, otherwise: "1"},
	{name: "include_archived", kind: "boolean", description: "archived notes, too, which are left out otherwise", otherwise: "false"},
}

// values are the parameters of a request. The first mistake in them is kept. Unlike the arguments of a model's call they are a
// program's: nothing is guessed.
type values struct {
	given   url.Values
	mistake *problem
}

func readValues(rawQuery string, known []parameter) (*values, error) {
	given, err := url.ParseQuery(rawQuery)
	if err != nil {
		return nil, &problem{Message: "the query of the address is malformed", Code: failure.InvalidArguments, Suggestion: "encode each value: %20 for a blank, %26 for &"}
	}
	v := &values{given: given}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		at := slices.IndexFunc(known, func(p parameter) bool { return p.name == name })
		switch {
		case at < 0:
			names := make([]string, len(known))
			for i, p := range known {
				names[i] = p.name
			}
			return nil, &problem{Message: fmt.Sprintf("there is no parameter %.80q", name), Code: failure.UnknownArgument, Suggestion: "known parameters: " + strings.Join(names, ", ")}
		case known[at].kind != "array" && len(given[name]) > 1:
			v.fail(name, "is given more than once")
		case known[at].allowed != nil && given.Get(name) != "" && !slices.Contains(known[at].allowed, given.Get(name)):
			v.fail(name, "is none of "+strings.Join(known[at].allowed, ", "))
		case known[at].kind == "integer":
			v.checkNumber(known[at])
		}
	}
	for _, p := range known {
		if p.isRequired && strings.TrimSpace(strings.Join(given[p.name], "")) == "" {
			v.fail(p.name, "is missing")
		}
	}
	return v, nil
}

func (v *values) fail(name, reason string) {
	if v.mistake == nil {
		v.mistake = &problem{Message: fmt.Sprintf("the parameter %q %s", name, reason), Code: failure.InvalidArguments, Suggestion: "correct the parameter; " + openAPIPath + " tells what each takes"}
	}
}

// err is the first mistake.
func (v *values) err() error {
	if v.mistake == nil {
		return nil
	}
	return v.mistake
}

func (v *values) checkNumber(p parameter) {
	n, err := strconv.Atoi(v.given.Get(p.name))
	if err != nil || n < p.least || n > p.most {
		v.fail(p.name, fmt.Sprintf("is no whole number from %d to %d", p.least, p.most))
	}
}

func (v *values) has(name string) bool { return v.given.Has(name) }

func (v *values) text(name string) string { return v.given.Get(name) }

// list is nil where there is none.
func (v *values) list(name string) []string { return v.given[name] }

// integer is a number in its range, which has been checked.
func (v *values) integer(name string, otherwise int) int {
	n, err := strconv.Atoi(v.given.Get(name))
	if err != nil {
		return otherwise
	}
	return n
}

func (v *values) share(name string) float64 {
	if !v.has(name) {
		return 0
	}
	n, err := strconv.ParseFloat(v.text(name), 64)
	if err != nil || !(n >= 0 && n <= 1) { // what is no number is none of these either
		v.fail(name, "is no number from 0 to 1")
		return 0
	}
	return n
}

func (v *values) boolean(name string, otherwise bool) bool {
	switch v.given.Get(name) {
	case "true", "1":
		return true
	case "false", "0":
		return false
	}
	if v.has(name) {
		v.fail(name, "is neither true nor false")
	}
	return otherwise
}

// filter reads the filters that endpoints share.
func (v *values) filter(now time.Time) quarry.Filter {
	for _, name := range []string{"since", "until"} {
		if _, err := quarry.ParseDay(v.text(name), now); err != nil {
			v.fail(name, `is no date such as 2026-01-31, no span such as 7d, and no word such as "last monday"`)
		}
	}
	hops := v.integer("hops", 1)
	switch isLinked := v.has("links_to") || v.has("linked_by"); {
	case !isLinked && hops > 1:
		v.fail("hops", "counts links to or from a note, which links_to or linked_by names")
	case !isLinked:
		hops = 0
	}
	filter, err := quarry.FilterSpec{
		Tags: v.list("tag"), Types: v.list("type"), Statuses: v.list("status"), Domains: v.list("domain"), Globs: v.list("path"),
		Folders: v.list("folder"), Properties: v.list("prop"), Since: v.text("since"), Until: v.text("until"),
		LinksTo: v.list("links_to"), LinkedBy: v.list("linked_by"), Hops: hops, IncludeArchived: v.boolean("include_archived", false),
	}.Filter(now)
	if err != nil && v.mistake == nil {
		v.fail("links_to", "or linked_by names no note, or too many")
	}
	return filter
}
