package quarry_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry"
)

// The 10th of March 2026 is a Tuesday.
var tuesday = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

// A span counts from its first day with since, to its last with until.
func TestFilterByDays(t *testing.T) {
	for text, want := range map[string][2]string{
		"":            {"", ""},
		"2026-01":     {"2026-01-01", "2026-01-31"},
		"2025":        {"2025-01-01", "2025-12-31"},
		"last week":   {"2026-03-02", "2026-03-08"},
		"last monday": {"2026-03-09", "2026-03-09"},
		"january":     {"2026-01-01", "2026-01-31"},
		"1m":          {"2026-02-10", "2026-02-10"},
	} {
		filter, err := quarry.FilterSpec{Since: text, Until: text}.Filter(tuesday)
		if got := [2]string{filter.Since, filter.Until}; err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	for _, spec := range []quarry.FilterSpec{{Since: "soon"}, {Until: "-7d"}} {
		if filter, err := spec.Filter(tuesday); err == nil {
			t.Errorf("%+v gives %+v", spec, filter)
		}
	}
}

func TestFilterByProperties(t *testing.T) {
	filter, err := quarry.FilterSpec{Properties: []string{"a=b", " -c = d=e", "-f", "-", "=x", "- =x", "g"}}.Filter(tuesday)
	want := quarry.Filter{
		Properties: []quarry.Property{{Key: "a", Value: "b"}, {Key: "g"}}, NotProperties: []quarry.Property{{Key: "c", Value: " d=e"}, {Key: "f"}},
		ExcludeArchived: true,
	}
	if diff := cmp.Diff(want, filter); err != nil || diff != "" {
		t.Errorf("error %v (-want +got): %s", err, diff)
	}
}

// TestFiltersInQueries: the words of a query do what the flags do, but a note that is not there is no error.
func TestFiltersInQueries(t *testing.T) {
	engines := bothAudiences(t, vaultOf(t, chainNotes))
	for query, want := range map[string]string{
		"links-to:b":                    "a.md x.md",
		`links-to:"Second of them"`:     "a.md x.md",
		"links-to:[[b|that]] harbour":   "a.md x.md",
		"links-to:c":                    "dir/b.md",
		"linked-by:a path:dir":          "dir/b.md",
		"links-to:b OR linked-by:b":     "a.md c.md x.md",
		"links-to:b -path:x":            "a.md",
		"links-to:nosuchnote":           "",
		"-links-to:nosuchnote path:own": "own.markdown",
		"-gone -path:x -path:dir":       "c.md d.md own.markdown",
		"status:archived":               "dir/b.md",
		"since:2020 -harbour":           "",
		"title:(first OR alone)":        "a.md e.md",
	} {
		for who, e := range engines {
			filter := quarry.Filter{ExcludeArchived: !strings.Contains(query, "dir") && query != "links-to:c"}
			answer, err := e.Search(t.Context(), quarry.SearchRequest{Query: query, Limit: 50, All: true, Filter: filter})
			if err != nil {
				t.Fatalf("%s, %s: %v", who, query, err)
			}
			var got []string
			for _, r := range answer.Results {
				got = append(got, r.FilePath)
			}
			slices.Sort(got)
			if strings.Join(got, " ") != want {
				t.Errorf("%s, %s: %q, want %s", who, query, got, want)
			}
		}
	}
}
