package quarry

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// FilterSpec is a filter as people and programs write it, value by value. Several values of one kind are joined by OR,
// kinds by AND; a "-" in front of a value excludes. Blank values count as none, but among LinksTo and LinkedBy they are an error:
// a filter that names no note would let all through.
type FilterSpec struct {
	Tags, Types, Statuses, Domains []string // a "#" in front of a tag is left out
	Globs, Folders                 []string // slashes around a folder are left out
	Properties                     []string // "key" or "key=value"
	Since, Until                   string   // as ParseDay takes them
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
	for _, p := range s.Properties {
		if key, value, _ := strings.Cut(p, "="); strings.TrimSpace(key) != "" {
			out.Properties = append(out.Properties, Property{Key: key, Value: value})
		}
	}
	out.LinksTo, out.NotLinksTo = partExcluded(s.LinksTo, nil)
	out.LinkedBy, out.NotLinkedBy = partExcluded(s.LinkedBy, nil)
	out.Hops = s.Hops
	out.ExcludeArchived = !s.IncludeArchived && len(out.Statuses) == 0
	var err error
	if out.Since, err = ParseDay(s.Since, now); err != nil {
		return out, err
	}
	out.Until, err = ParseDay(s.Until, now)
	return out, err
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

// ParseDay reads a date (2006-01-02), or a span back from now: 7d, 3w, 2m or 1y, of at most six digits. It gives
// 2006-01-02, and "" for "".
func ParseDay(s string, now time.Time) (string, error) {
	if s == "" {
		return "", nil
	}
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t.Format(time.DateOnly), nil
	}
	count := 0
	for i, r := range s {
		if r >= '0' && r <= '9' && i < 6 {
			count = count*10 + int(r-'0')
			continue
		}
		if i == 0 || i != len(s)-1 {
			break
		}
		switch r {
		case 'd':
			return now.AddDate(0, 0, -count).Format(time.DateOnly), nil
		case 'w':
			return now.AddDate(0, 0, -7*count).Format(time.DateOnly), nil
		case 'm':
			return now.AddDate(0, -count, 0).Format(time.DateOnly), nil
		case 'y':
			return now.AddDate(-count, 0, 0).Format(time.DateOnly), nil
		}
	}
	return "", fmt.Errorf("there is no date %q", s)
}
