package cli

import (
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
	out, err := quarry.FilterSpec{
		Tags: f.tags, Types: f.types, Statuses: f.statuses, Domains: f.domains, Globs: f.globs, Folders: f.folders, Properties: f.props,
		Since: f.since, Until: f.until, IncludeArchived: f.archived,
	}.Filter(time.Now())
	if err != nil {
		return out, usage("dates are 2026-01-31, or 7d, 3w, 2m, 1y for a span back from today", "%w", err)
	}
	return out, nil
}
