package cli

import (
	"strings"
	"time"

	"github.com/spf13/pflag"

	"quarry"
)

// filterFlags are the filters that several commands share. A "-" in front of a value excludes.
type filterFlags struct {
	tags, types, statuses, domains, globs, folders, props []string
	since, until                                          string
	archived                                              bool
}

func (f *filterFlags) register(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.tags, "tag", nil, "notes with this tag, or one nested below it (repeat for OR; -x excludes)")
	flags.StringSliceVar(&f.types, "type", nil, "notes whose property type is this (-x excludes)")
	flags.StringSliceVar(&f.statuses, "status", nil, "notes whose property status is this (-x excludes)")
	flags.StringSliceVar(&f.domains, "domain", nil, "notes whose property domain is this (-x excludes)")
	flags.StringArrayVar(&f.globs, "path", nil, "notes whose path matches: * within a folder, ** across (-x excludes)")
	flags.StringArrayVar(&f.folders, "folder", nil, "notes below this folder (-x excludes)")
	flags.StringArrayVar(&f.props, "prop", nil, "notes with this property: key or key=value")
	flags.StringVar(&f.since, "since", "", "updated on this day or later, by the property updated or else the file's date: 2026-01-31, or 7d, 3w, 2m, 1y ago")
	flags.StringVar(&f.until, "until", "", "updated on this day or earlier")
	flags.BoolVar(&f.archived, "include-archived", false, "notes with status archived too, which are left out otherwise")
}

// filter turns the flags into the engine's filter.
func (f *filterFlags) filter() (quarry.Filter, error) {
	out := quarry.Filter{ExcludeArchived: !f.archived && len(f.statuses) == 0}
	out.Tags, out.NotTags = split(f.tags, func(s string) string { return strings.TrimPrefix(s, "#") })
	out.Types, out.NotTypes = split(f.types, nil)
	out.Statuses, out.NotStatuses = split(f.statuses, nil)
	out.Domains, out.NotDomains = split(f.domains, nil)
	out.Globs, out.NotGlobs = split(f.globs, nil)
	out.Folders, out.NotFolders = split(f.folders, func(s string) string { return strings.Trim(s, "/") })
	for _, p := range f.props {
		key, value, _ := strings.Cut(p, "=")
		out.Properties = append(out.Properties, quarry.Property{Key: key, Value: value})
	}
	var err error
	if out.Since, err = day(f.since, time.Now()); err != nil {
		return out, err
	}
	out.Until, err = day(f.until, time.Now())
	return out, err
}

// split parts what is wanted from what is excluded.
func split(values []string, clean func(string) string) (wanted, excluded []string) {
	for _, v := range values {
		rest, not := strings.CutPrefix(v, "-")
		if clean != nil {
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

// day reads a date, or a span back from now, as 2006-01-02.
func day(s string, now time.Time) (string, error) {
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
	return "", usage("dates are 2026-01-31, or 7d, 3w, 2m, 1y for a span back from today", "there is no date %q", s)
}
