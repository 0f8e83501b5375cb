package search_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/search"
	"quarry/store"
	"quarry/store/memory"
	"quarry/store/visible"
)

// workshop has notes of several passages, with all that filters ask for.
func workshop(t *testing.T) store.Snapshot {
	t.Helper()
	s := memory.New()
	u, err := s.Begin(t.Context(), store.Full)
	if err != nil {
		t.Fatal(err)
	}
	put := func(n store.Note, texts ...string) {
		for i, text := range texts {
			section, body, _ := strings.Cut(text, ": ")
			n.Passages = append(n.Passages, store.Passage{
				Path: n.Path, Index: i, Section: section, HeadingPath: []string{section}, Text: body, HeadingContext: n.Title, Vector: at(float64(i)),
			})
		}
		n.ContentHash = "00"
		if err := u.Put(t.Context(), []store.Note{n}); err != nil {
			t.Fatal(err)
		}
	}
	put(store.Note{File: store.File{Path: "clay/kiln.md"}, Title: "Kiln", Tags: []string{"fire/kiln"}, Updated: "2026-03-01", Status: "done", Type: "guide"},
		"Intro: The kiln is hot", "Repair: Bricks of the kiln crack")
	put(store.Note{File: store.File{Path: "clay/wheel.md"}, Title: "Wheel", Aliases: []string{"Throwing"}, Tags: []string{"hand"}, Updated: "2026-03-05", Frontmatter: []byte(`{"source":"book"}`)},
		"Intro: The wheel turns", "Repair: A belt of the wheel")
	put(store.Note{File: store.File{Path: "old/oven.md"}, Title: "Oven", Tags: []string{"fire"}, Updated: "2026-03-07", Status: "archived"}, "Intro: The oven is cold")
	put(store.Note{File: store.File{Path: "wood/lathe.md"}, Title: "Lathe", Updated: "2026-03-05", Type: "guide", Sensitivity: "private"}, "Intro: The lathe is no wheel")
	if err := u.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	snapshot, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = snapshot.Close() })
	return snapshot
}

// found lists the results as path and section, in order.
func found(answer search.Answer) string {
	var list []string
	for _, r := range answer.Results {
		list = append(list, strings.TrimSuffix(r.FilePath, ".md")+" "+r.Section)
	}
	return strings.Join(list, ", ")
}

func workshopSearcher(t *testing.T) search.Searcher {
	s := searcher(workshop(t))
	s.Today = "2026-03-08" // a Sunday
	s.ByLinks = func(_ context.Context, f store.Filter) (store.Filter, error) {
		names := slices.Concat(f.LinksTo, f.LinkedBy)
		if len(names) != 1 || names[0] != "kiln" {
			return f, fmt.Errorf("%v: %w", names, search.ErrUnknownNote)
		}
		return store.Filter{Among: map[string]bool{"clay/wheel.md": true}}, nil
	}
	return s
}

// TestFiltersAlone: without words notes are listed, newest first, ties by path, by their first passage that is let through.
func TestFiltersAlone(t *testing.T) {
	s := workshopSearcher(t)
	for query, want := range map[string]string{
		"type:guide":               "wood/lathe Intro, clay/kiln Intro",
		"#fire":                    "clay/kiln Intro",
		"#fire include:archived":   "old/oven Intro, clay/kiln Intro",
		"status:archived":          "old/oven Intro",
		"section:repair":           "clay/wheel Repair, clay/kiln Repair",
		"-section:intro":           "clay/wheel Repair, clay/kiln Repair",
		"-wheel":                   "clay/kiln Intro",
		"-belt":                    "wood/lathe Intro, clay/kiln Intro",
		`-"lathe is" -kiln`:        "clay/wheel Intro",
		"path:clay -title:throw":   "clay/kiln Intro",
		"file:wheel":               "clay/wheel Intro",
		"file:clay":                "",
		"path:clay/*":              "clay/wheel Intro, clay/kiln Intro",
		"file:*.md folder:wood":    "wood/lathe Intro",
		"[source]":                 "clay/wheel Intro",
		"[source:book]":            "clay/wheel Intro",
		"-[source] type:guide":     "wood/lathe Intro, clay/kiln Intro",
		"since:thursday":           "clay/wheel Intro, wood/lathe Intro",
		"until:last week":          "clay/kiln Intro",
		"-since:2026-03-05":        "clay/kiln Intro",
		"links-to:kiln":            "clay/wheel Intro",
		"-linked-by:kiln":          "wood/lathe Intro, clay/kiln Intro",
		"links-to:nobody":          "",
		"tag:hand OR type:guide":   "clay/wheel Intro, wood/lathe Intro, clay/kiln Intro",
		"(tag:hand) (type:guide)":  "",
		"tag:fire,hand":            "clay/wheel Intro, clay/kiln Intro",
		"tag:fire AND tag:hand":    "",
		"-(type:guide -path:clay)": "clay/wheel Intro, clay/kiln Intro",
		"!!! tag:hand":             "clay/wheel Intro",
	} {
		answer := ask(t, s, search.Request{Query: query, Filter: store.Filter{ExcludeArchived: true}, Explain: true})
		if got := found(answer); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
		if len(answer.Plan.Filters) == 0 && query != "include:archived" {
			t.Errorf("%s: the plan tells of no filter", query)
		}
	}
	request := search.Request{Filter: store.Filter{Types: []string{"guide"}}}
	if got := found(ask(t, s, request)); got != "wood/lathe Intro, clay/kiln Intro" {
		t.Errorf("a filter without a query: %s", got)
	}
	if got := found(ask(t, s, search.Request{Filter: store.Filter{ExcludeArchived: true}})); got != "" {
		t.Errorf("neither filter nor query: %s", got)
	}
}

// TestFiltersBesideWords act on both legs, also where words are alternatives to them.
func TestFiltersBesideWords(t *testing.T) {
	s := workshopSearcher(t)
	s.Embedder = axisModel{"wheel": at(0), "belt": at(0)}
	for query, want := range map[string]string{
		"wheel tag:hand":           "clay/wheel Intro, clay/wheel Repair",
		"wheel -belt":              "clay/kiln Intro, clay/kiln Repair, clay/wheel Intro, old/oven Intro, wood/lathe Intro",
		"wheel (belt OR tag:fire)": "clay/kiln Intro, clay/kiln Repair, clay/wheel Repair, old/oven Intro",
		"belt OR tag:fire":         "clay/kiln Intro, clay/kiln Repair, clay/wheel Repair, old/oven Intro",
		`"wheel turns" OR lathe`:   "clay/wheel Intro, wood/lathe Intro",
		"wheel -(the intro)":       "clay/kiln Repair, clay/wheel Repair",
		"wheel since:march 2025":   "clay/kiln Intro, clay/kiln Repair, clay/wheel Intro, clay/wheel Repair, old/oven Intro, wood/lathe Intro",
	} {
		answer := ask(t, s, search.Request{Query: query, Mode: search.Vector, All: true, Limit: 20})
		if got := strings.Split(found(answer), ", "); strings.Join(slices.Sorted(slices.Values(got)), ", ") != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

func TestNoticesOfFilters(t *testing.T) {
	s := workshopSearcher(t)
	for query, want := range map[string][]string{
		"wheel links-to:nobody": {"links-to:nobody names no note", "no passage passes the filters: links-to:nobody"},
		"wheel tag:nothing":     {"no passage passes the filters: tag:nothing"},
		"wheel since:(a b)":     {"since:a is no date and was left out", "since:b is no date and was left out"},
		"line:wheel":            {"looked for as words anywhere in a passage: what stands behind line:"},
	} {
		if diff := cmp.Diff(want, ask(t, s, search.Request{Query: query, All: true}).Notices); diff != "" {
			t.Errorf("%s (-want +got): %s", query, diff)
		}
	}
	both := search.Request{Query: "wheel tag:nothing", Filter: store.Filter{Types: []string{"guide"}}}
	if diff := cmp.Diff([]string{"no passage passes the filters together with tag:nothing"}, ask(t, s, both).Notices); diff != "" {
		t.Errorf("with filters of the request (-want +got): %s", diff)
	}
	s.ByLinks = nil
	answer := ask(t, s, search.Request{Query: "wheel links-to:kiln", All: true})
	if diff := cmp.Diff([]string{"links-to:kiln was left out: links are not known here"}, answer.Notices); diff != "" || len(answer.Results) == 0 {
		t.Errorf("%d results, (-want +got): %s", len(answer.Results), diff)
	}
}

// remembering is a model that keeps what it was asked.
type remembering struct {
	axisModel
	asked *[]string
}

func (m remembering) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	*m.asked = append(*m.asked, texts...)
	return m.axisModel.Embed(ctx, texts)
}

func TestOperatorsHaveNoMeaning(t *testing.T) {
	s := workshopSearcher(t)
	var asked []string
	s.Embedder = remembering{axisModel{}, &asked}
	ask(t, s, search.Request{Query: `Wet -dry (tag:a OR "Clay Pot") since:3 days ago OR [x:y] C++ -(more words)`})
	if diff := cmp.Diff([]string{"Wet Clay Pot C++"}, asked); diff != "" {
		t.Errorf("(-want +got): %s", diff)
	}
}

// TestFiltersKeepHiddenNotesHidden: what is excluded is taken from what is shown.
func TestFiltersKeepHiddenNotesHidden(t *testing.T) {
	narrowed, err := visible.Snapshot(t.Context(), workshop(t), visible.Hidden{Note: func(_, class string) bool { return class == "private" }})
	if err != nil {
		t.Fatal(err)
	}
	s := searcher(narrowed)
	for query, want := range map[string]string{
		"type:guide": "clay/kiln Intro", "-kiln": "old/oven Intro, clay/wheel Intro", "-type:guide": "old/oven Intro, clay/wheel Intro",
		"-(kiln OR wheel)": "old/oven Intro", "title:lathe OR path:old": "old/oven Intro",
	} {
		answer := ask(t, s, search.Request{Query: query, Explain: true})
		if got := found(answer); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
		if strings.Contains(fmt.Sprint(answer.Notices), "lathe") || *answer.Plan.Selected > 5 {
			t.Errorf("%s: %d selected, %q", query, *answer.Plan.Selected, answer.Notices)
		}
	}
}
