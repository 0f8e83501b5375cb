package search

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"quarry/store"
)

// maxSelections is how often the notes are gone through for one query: most need once.
const maxSelections = 8

// selecting turns conditions into sets of passages.
type selecting struct {
	snapshot   store.Snapshot
	selections int
	isCut      bool                  // there were more than maxSelections
	known      map[string]*store.Set // what was selected, by the filter
}

// set gives the passages that meet a condition and a filter of the request; nil where all do.
func (s *selecting) set(ctx context.Context, c *condition, filter store.Filter) (*store.Set, error) {
	var filters []store.Filter
	if !filter.IsEmpty() {
		filters = append(filters, filter)
	}
	if c != nil && c.kind != allOf {
		c = &condition{kind: allOf, parts: []*condition{c}}
	}
	if c != nil {
		filters = mergeEach(filters, c.parts)
	}
	return s.all(ctx, filters, c)
}

// mergeEach adds the selections among conditions to filters, with as few as can be.
func mergeEach(filters []store.Filter, parts []*condition) []store.Filter {
	for _, part := range parts {
		filter, ok := part.alone()
		if !ok {
			continue
		}
		isIn := false
		for i := range filters {
			if isIn = mergeBoth(&filters[i], &filter); isIn {
				break
			}
		}
		if !isIn {
			filters = append(filters, filter)
		}
	}
	return filters
}

// alone gives the one filter that a condition is: a selection, or alternatives of one kind.
func (c *condition) alone() (store.Filter, bool) {
	switch c.kind {
	case selection:
		return c.filter, true
	case anyOf:
		var merged store.Filter
		for i, part := range c.parts {
			filter, ok := part.alone()
			switch {
			case !ok:
				return merged, false
			case i == 0:
				merged = filter
			case !mergeEither(&merged, &filter):
				return merged, false
			}
		}
		return merged, true
	default:
		return store.Filter{}, false
	}
}

// all meets the filters and the parts of a condition that are no filters.
func (s *selecting) all(ctx context.Context, filters []store.Filter, c *condition) (set *store.Set, err error) {
	isEmpty := func() bool { return set != nil && set.Len() == 0 }
	meet := func(other *store.Set, failed error) {
		set, err = store.Intersect(set, other), failed
	}
	for _, filter := range filters {
		if err != nil || isEmpty() {
			return set, err
		}
		meet(s.selected(ctx, filter))
	}
	if c == nil {
		return set, err
	}
	var terms []store.Term
	for _, part := range c.parts {
		if part.kind == holding {
			terms = append(terms, part.terms...)
		}
	}
	if err == nil && !isEmpty() && len(terms) > 0 {
		meet(s.snapshot.Holding(ctx, terms))
	}
	for _, part := range c.parts {
		if _, isFilter := part.alone(); isFilter || part.kind == holding {
			continue
		}
		if err != nil || isEmpty() {
			return set, err
		}
		meet(s.of(ctx, part))
	}
	return set, err
}

// of meets a condition.
func (s *selecting) of(ctx context.Context, c *condition) (*store.Set, error) {
	filter, isFilter := c.alone()
	switch {
	case isFilter:
		return s.selected(ctx, filter)
	case c.kind == holding:
		return s.snapshot.Holding(ctx, c.terms)
	case c.kind == allOf:
		return s.all(ctx, mergeEach(nil, c.parts), c)
	}
	return s.any(ctx, c.parts)
}

// any meets one of several conditions.
func (s *selecting) any(ctx context.Context, parts []*condition) (*store.Set, error) {
	var filters []store.Filter
	union := &store.Set{}
	add := func(set *store.Set, err error) (isAll bool, _ error) {
		if set == nil || err != nil {
			return true, err
		}
		for id := range set.All() {
			union.Add(id)
		}
		return false, nil
	}
	for _, part := range parts {
		if filter, ok := part.alone(); ok {
			filters = mergeAlternative(filters, filter)
			continue
		}
		if isAll, err := add(s.of(ctx, part)); isAll {
			return nil, err
		}
	}
	for _, filter := range filters {
		if isAll, err := add(s.selected(ctx, filter)); isAll {
			return nil, err
		}
	}
	return union, nil
}

func mergeAlternative(filters []store.Filter, filter store.Filter) []store.Filter {
	for i := range filters {
		if mergeEither(&filters[i], &filter) {
			return filters
		}
	}
	return append(filters, filter)
}

// selected asks the store, which goes through all notes: so often at most. What is beyond lets all through.
func (s *selecting) selected(ctx context.Context, filter store.Filter) (*store.Set, error) {
	key := ""
	if filter.Among == nil && filter.Without == nil {
		key = fmt.Sprintf("%#v", filter)
	}
	if set, ok := s.known[key]; ok && key != "" {
		return set, nil
	}
	if s.selections == maxSelections {
		s.isCut = true
		return nil, nil
	}
	s.selections++
	set, err := s.snapshot.Select(ctx, filter)
	if err == nil && key != "" {
		s.known[key] = set
	}
	return set, err
}

// lists gives the lists of a filter, wanted beside excluded.
func lists(f *store.Filter) (wanted, excluded [10]*[]string) {
	for i, key := range [10]string{"tag", "type", "status", "domain", "folder", "glob", "path", "file", "title", "section"} {
		wanted[i], excluded[i] = listOf(f, key)
	}
	return wanted, excluded
}

// mergeBoth puts what another filter asks for into one, if one filter can ask for both.
func mergeBoth(f, other *store.Filter) bool {
	wanted, excluded := lists(f)
	otherWanted, otherExcluded := lists(other)
	for i := range wanted {
		if len(*wanted[i]) > 0 && len(*otherWanted[i]) > 0 {
			return false
		}
	}
	if len(f.Properties) > 0 && len(other.Properties) > 0 {
		return false
	}
	for i := range wanted {
		*wanted[i] = slices.Concat(*wanted[i], *otherWanted[i])
		*excluded[i] = slices.Concat(*excluded[i], *otherExcluded[i])
	}
	f.Properties = slices.Concat(f.Properties, other.Properties)
	f.NotProperties = slices.Concat(f.NotProperties, other.NotProperties)
	f.Since = max(f.Since, other.Since)
	if f.Until == "" || other.Until != "" && other.Until < f.Until {
		f.Until = other.Until
	}
	f.ExcludeArchived = f.ExcludeArchived || other.ExcludeArchived
	switch {
	case f.Among == nil:
		f.Among = other.Among
	case other.Among != nil:
		among := maps.Clone(f.Among)
		maps.DeleteFunc(among, func(path string, _ bool) bool { return !other.Among[path] })
		f.Among = among
	}
	if len(other.Without) > 0 {
		without := maps.Clone(other.Without)
		maps.Copy(without, f.Without)
		f.Without = without
	}
	return true
}

// mergeEither makes alternatives of what two filters ask for, if it is one wanted kind.
func mergeEither(f, other *store.Filter) bool {
	kind := wantedKind(f)
	if kind < 0 || kind != wantedKind(other) {
		return false
	}
	switch kind {
	case sinceKind:
		f.Since = min(f.Since, other.Since)
	case untilKind:
		f.Until = max(f.Until, other.Until)
	case amongKind:
		among := maps.Clone(other.Among)
		maps.Copy(among, f.Among)
		f.Among = among
	default:
		wanted, _ := lists(f)
		more, _ := lists(other)
		*wanted[kind] = slices.Concat(*wanted[kind], *more[kind])
	}
	return true
}

// Kinds beside the places of lists.
const (
	sinceKind = 10 + iota
	untilKind
	amongKind
)

// wantedKind tells of what kind the values of a filter are that asks for nothing but one; -1 for others.
func wantedKind(f *store.Filter) int {
	kind := -1
	count := func(is bool, of int) {
		switch {
		case is && kind == -1:
			kind = of
		case is:
			kind = -2
		}
	}
	wanted, excluded := lists(f)
	for i := range wanted {
		count(len(*wanted[i]) > 0, i)
		count(len(*excluded[i]) > 0, -2)
	}
	count(f.Since != "", sinceKind)
	count(f.Until != "", untilKind)
	count(f.Among != nil, amongKind)
	count(len(f.Without) > 0 || len(f.Properties)+len(f.NotProperties) > 0 || f.ExcludeArchived, -2)
	return max(kind, -1)
}
