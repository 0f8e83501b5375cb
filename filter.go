package quarry

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"quarry/internal/date"
)

// FilterSpec is a filter as people and programs write it, value by value. Several values of one kind are joined by OR,
// kinds by AND; a "-" in front of a value excludes. Blank values count as none, but among LinksTo and LinkedBy they are an error:
// a filter that names no note would let all through.
type FilterSpec struct {
	Tags, Types, Statuses, Domains []string // a "#" in front of a tag is left out
	Globs, Folders                 []string // slashes around a folder are left out
	Properties                     []string // "key" or "key=value"; other keys are other kinds
	Since, Until                   string   // as ParseDay and ParseLastDay take them
	LinksTo, LinkedBy              []string // notes (path, name, "#docid") to which, or from which, a note is linked
	Hops                           int      // how many links away still counts for these two; 0 is 1, at most MaxHops
	IncludeArchived                bool     // archived notes are left out otherwise, unless a status is asked for
}

// Filter reads the specification; now is what spans of time count back from. An error tells of a date or a note's name that is none,
// and of hops out of range.
func (s FilterSpec) Filter(now time.Time) (Filter, error) {
	var out Filter
	if err := s.checkLinks(); err != nil {
		return out, err
	}
	out.Tags, out.NotTags = partExcluded(s.Tags, func(tag string) string { return strings.TrimPrefix(tag, "#") })
	out.Types, out.NotTypes = partExcluded(s.Types, nil)
	out.Statuses, out.NotStatuses = partExcluded(s.Statuses, nil)
	out.Domains, out.NotDomains = partExcluded(s.Domains, nil)
	out.Globs, out.NotGlobs = partExcluded(s.Globs, nil)
	out.Folders, out.NotFolders = partExcluded(s.Folders, func(folder string) string { return strings.Trim(folder, "/") })
	out.Properties, out.NotProperties = s.properties()
	out.LinksTo, out.NotLinksTo = partExcluded(s.LinksTo, nil)
	out.LinkedBy, out.NotLinkedBy = partExcluded(s.LinkedBy, nil)
	out.Hops = s.Hops
	out.ExcludeArchived = !s.IncludeArchived && len(out.Statuses) == 0
	var err error
	if out.Since, err = ParseDay(s.Since, now); err != nil {
		return out, err
	}
	out.Until, err = ParseLastDay(s.Until, now)
	return out, err
}

func (s FilterSpec) properties() (wanted, excluded []Property) {
	for _, p := range s.Properties {
		p, not := strings.CutPrefix(strings.TrimSpace(p), "-")
		key, value, _ := strings.Cut(p, "=")
		switch key = strings.TrimSpace(key); {
		case key == "":
		case not:
			excluded = append(excluded, Property{Key: key, Value: value})
		default:
			wanted = append(wanted, Property{Key: key, Value: value})
		}
	}
	return wanted, excluded
}

// checkLinks finds what no filter by links can mean.
func (s FilterSpec) checkLinks() error {
	for _, name := range slices.Concat(s.LinksTo, s.LinkedBy) {
		if strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(name), "-")) == "" {
			return fmt.Errorf("%q names no note", name)
		}
	}
	return checkHops(s.Hops)
}

// partExcluded parts what is wanted from what is excluded.
func partExcluded(values []string, clean func(string) string) (wanted, excluded []string) {
	for _, v := range values {
		rest, not := strings.CutPrefix(strings.TrimSpace(v), "-")
		if rest = strings.TrimSpace(rest); clean != nil {
			rest = clean(rest)
		}
		switch {
		case rest == "":
		case not:
			excluded = append(excluded, rest)
		default:
			wanted = append(wanted, rest)
		}
	}
	return wanted, excluded
}

// ParseDay reads a day as people write it: 2026-01-31, 2026-01, 2026, a span back from now (7d, 3w, 2m or 1y, of at most six
// digits), today, yesterday, monday, "last monday", "last week", "this month", "3 days ago", january, "january 2026". Of a span
// of days it takes the first. It gives 2006-01-02, and "" for "".
func ParseDay(s string, now time.Time) (string, error) {
	span, err := parseSpan(s, now)
	if s == "" || err != nil {
		return "", err
	}
	return span.First.Format(time.DateOnly), nil
}

// ParseLastDay is ParseDay that takes the last of a span of days: that of 2026-01 is 2026-01-31.
func ParseLastDay(s string, now time.Time) (string, error) {
	span, err := parseSpan(s, now)
	if s == "" || err != nil {
		return "", err
	}
	return span.Last.Format(time.DateOnly), nil
}

func parseSpan(s string, now time.Time) (date.Span, error) {
	span, ok := date.Parse(s, now)
	if s != "" && !ok {
		return span, fmt.Errorf("there is no date %q", s)
	}
	return span, nil
}
