package cli_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry"
)

func TestFilterSpec(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	got, err := quarry.FilterSpec{
		Tags: []string{"#ops", "-#old", " ", "-"}, Statuses: []string{"-draft"}, Folders: []string{"/a/b/"}, Globs: []string{"-x/*"},
		Properties: []string{"k=v=w", "key", "="}, Since: "7d", Until: "2026-03-09",
	}.Filter(now)
	want := quarry.Filter{
		Tags: []string{"ops"}, NotTags: []string{"old"}, NotStatuses: []string{"draft"}, Folders: []string{"a/b"}, NotGlobs: []string{"x/*"},
		Properties: []quarry.Property{{Key: "k", Value: "v=w"}, {Key: "key"}}, Since: "2026-03-03", Until: "2026-03-09", ExcludeArchived: true,
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("error %v (-want +got): %s", err, diff)
	}
	for _, spec := range []quarry.FilterSpec{{Statuses: []string{"archived", "-x"}}, {IncludeArchived: true}} {
		if filter, err := spec.Filter(now); err != nil || filter.ExcludeArchived {
			t.Errorf("%+v leaves archived notes out, or error %v", spec, err)
		}
	}
}

func TestParseDay(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"": "", "2026-01-31": "2026-01-31", "0d": "2026-03-10", "2w": "2026-02-24", "1m": "2026-02-10", "1y": "2025-03-10",
	} {
		if got, err := quarry.ParseDay(text, now); got != want || err != nil {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"d", "7", "7x", "7dd", "-7d", "1234567d", "2026-02-30", "soon", "７d"} {
		if got, err := quarry.ParseDay(text, now); err == nil {
			t.Errorf("%q: %q and no error", text, got)
		}
	}
}
