package quarry

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"quarry/internal/spelling"
	"quarry/store"
)

// Bounds of what is told of values that no note has: of many the first tell enough.
const (
	maxUnknownValues    = 8
	maxQuotedCharacters = 64
)

// UnknownFilters tells, a sentence each, which tags, types, statuses, domains and folders of a filter no note has that the audience may
// see, with those that may be meant. It says what a list came out empty for; the answer of a search has told it among its notices.
// Without an index the error is ErrNoIndex.
func (e *Engine) UnknownFilters(ctx context.Context, filter Filter) (_ []string, err error) {
	defer e.clean(&err)
	values := wantedValues(filter)
	if len(values) == 0 {
		return nil, nil
	}
	snapshot, err := e.snapshot(withOneLook(ctx))
	if err != nil {
		return nil, fmt.Errorf("look for the values of a filter: %w", err)
	}
	defer snapshot.Close()
	return e.unknownValues(ctx, snapshot, values)
}

// wantedValue is one value of a filter.
type wantedValue struct{ kind, value string }

// filter lets through what has the value.
func (w wantedValue) filter() Filter {
	list := []string{w.value}
	return anySpelling(map[string]Filter{
		"tag": {Tags: list}, "type": {Types: list}, "status": {Statuses: list}, "domain": {Domains: list}, "folder": {Folders: list},
	}[w.kind])
}

// wantedValues are those of the kinds of filters whose values notes share, the first of many.
func wantedValues(f Filter) []wantedValue {
	var values []wantedValue
	add := func(kind string, list []string) {
		for _, value := range list {
			if one := (wantedValue{kind, norm.NFC.String(value)}); len(values) < maxUnknownValues && !slices.Contains(values, one) {
				values = append(values, one)
			}
		}
	}
	add("tag", f.Tags)
	add("type", f.Types)
	add("status", f.Statuses)
	add("domain", f.Domains)
	add("folder", f.Folders)
	return values
}

// unknownValues tells which values no note of a view has, which is narrowed for the audience.
func (e *Engine) unknownValues(ctx context.Context, v *view, values []wantedValue) ([]string, error) {
	if len(values) == 0 {
		return nil, nil
	}
	notes, err := v.Notes(ctx, store.NoteQuery{})
	if err != nil {
		return nil, fmt.Errorf("list what filters can ask for: %w", err)
	}
	var notices []string
	for _, wanted := range values {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		matcher := store.NewMatcher(wanted.filter())
		if slices.ContainsFunc(notes, func(n store.Note) bool { return matcher.MatchFacts(&n) }) {
			continue
		}
		notice := fmt.Sprintf("no note has the %s %q", wanted.kind, firstCharacters(e.shown(wanted.value), maxQuotedCharacters))
		meant := spelling.Near(wanted.value, valuesOf(notes, wanted.kind))
		meant = slices.DeleteFunc(meant, func(value string) bool { return e.shown(value) != value })
		if len(meant) > 0 {
			notice += "; did you mean " + strings.Join(meant, " or ") + "?"
		}
		if !slices.Contains(notices, notice) {
			notices = append(notices, notice)
		}
	}
	return notices, nil
}

func firstCharacters(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}

// valuesOf are the values of a kind that notes have: tags and folders with those around them.
func valuesOf(notes []store.Note, kind string) []string {
	known := map[string]bool{"": true}
	add := func(value string) {
		for ; !known[value] && value != "." && value != "/"; value = path.Dir(value) {
			known[value] = true
			if kind != "tag" && kind != "folder" {
				return
			}
		}
	}
	for i := range notes {
		n := &notes[i]
		switch kind {
		case "tag":
			for _, tag := range n.Tags {
				add(tag)
			}
		case "type":
			add(n.Type)
		case "status":
			add(n.Status)
		case "domain":
			add(n.Domain)
		case "folder":
			add(path.Dir(n.Path))
		}
	}
	delete(known, "")
	return slices.Sorted(maps.Keys(known))
}
