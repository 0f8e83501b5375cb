package cli

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"quarry"
)

// filterFlags are the filters that several commands share. A "-" in front of a value excludes.
type filterFlags struct {
	tags, types, statuses, domains, globs, folders, props []string
	since, until                                          string
	archived                                              bool
	linksTo, linkedBy                                     []string
	hops                                                  int
}

// any tells whether one of the filters is given.
func (f *filterFlags) any(flags *pflag.FlagSet) bool {
	return slices.ContainsFunc([]string{
		"tag", "type", "status", "domain", "path", "folder", "prop", "since", "until", "links-to", "linked-by",
	}, flags.Changed)
}

// days tells which days the words for them meant, that a notice of the filters names.
func (f *filterFlags) days(filter quarry.Filter) []string {
	var list []string
	for _, day := range []struct{ flag, written, meant string }{{"--since", f.since, filter.Since}, {"--until", f.until, filter.Until}} {
		if day.written != day.meant {
			list = append(list, fmt.Sprintf("%s %s is %s", day.flag, oneLine(day.written), day.meant))
		}
	}
	return list
}

func (f *filterFlags) register(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.tags, "tag", nil, "notes with this `tag`, or one nested below it (repeat for OR; -x excludes)")
	flags.StringSliceVar(&f.types, "type", nil, "notes whose property `type` is this (repeat for OR; -x excludes)")
	flags.StringSliceVar(&f.statuses, "status", nil, "notes whose property `status` is this (repeat for OR; -x excludes)")
	flags.StringSliceVar(&f.domains, "domain", nil, "notes whose property `domain` is this (repeat for OR; -x excludes)")
	flags.StringArrayVar(&f.globs, "path", nil, "notes whose path matches this `pattern`: * within a folder, ** across (-x excludes)")
	flags.StringArrayVar(&f.folders, "folder", nil, "notes below this `folder` (-x excludes)")
	flags.StringArrayVar(&f.props, "prop", nil, "notes with this `property`: key or key=value (-x excludes)")
	flags.StringVar(&f.since, "since", "", "updated on this `day` or later, by the property updated or else the file's date: 2026-01-31, 2026-01, 7d, 3w, 2m, 1y ago, or words such as last monday")
	flags.StringVar(&f.until, "until", "", "updated on this `day` or earlier")
	flags.StringArrayVar(&f.linksTo, "links-to", nil, "notes that link to this `note`, by path, name or #docid (repeat for OR; -x excludes)")
	flags.StringArrayVar(&f.linkedBy, "linked-by", nil, "notes that this `note` links to (-x excludes)")
	flags.IntVar(&f.hops, "hops", 1, fmt.Sprintf("how many links away still counts for --links-to and --linked-by, 1 to %d", quarry.MaxHops))
	flags.BoolVar(&f.archived, "include-archived", false, "notes with status archived too, which are left out otherwise")
}

// filter turns the flags into the engine's filter.
func (f *filterFlags) filter() (quarry.Filter, error) {
	hops := 0
	switch linked := len(f.linksTo)+len(f.linkedBy) > 0; {
	case f.hops < 1 || f.hops > quarry.MaxHops:
		return quarry.Filter{}, usage(fmt.Sprintf("--hops takes 1 to %d", quarry.MaxHops), "--hops %d is out of range", f.hops)
	case f.hops > 1 && !linked:
		return quarry.Filter{}, usage("name a note with --links-to or --linked-by", "--hops %d counts links to or from a note, and none is named", f.hops)
	case linked:
		hops = f.hops
	}
	now := time.Now()
	for _, day := range []string{f.since, f.until} {
		if _, err := quarry.ParseDay(day, now); err != nil {
			return quarry.Filter{}, usage(`dates are 2026-01-31, 2026-01, 7d, 3w, 2m, 1y for a span back from today, or words such as "last monday"`, "%w", err)
		}
	}
	out, err := quarry.FilterSpec{
		Tags: f.tags, Types: f.types, Statuses: f.statuses, Domains: f.domains, Globs: f.globs, Folders: f.folders, Properties: f.props,
		Since: f.since, Until: f.until, LinksTo: f.linksTo, LinkedBy: f.linkedBy, Hops: hops, IncludeArchived: f.archived,
	}.Filter(now)
	if err != nil {
		return out, usage("--links-to and --linked-by take a note's path, name or #docid", "%w", err)
	}
	return out, nil
}
