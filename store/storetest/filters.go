package storetest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quarry/store"
)

// testFilterPaths filters by paths, alone and beside other filters.
func testFilterPaths(t *testing.T, s store.Store) {
	notes := corpus(81, 90)
	for i := range notes {
		notes[i].Status = []string{"", "archived", "open"}[i%3]
	}
	write(t, s, store.Full, notes...)
	u := begin(t, s, store.Incremental)
	ok(t, u.Delete(t.Context(), []string{notes[4].Path}))
	ok(t, u.Commit(t.Context()))
	v := open(t, s)
	some := func(count int) map[string]bool {
		paths := map[string]bool{"none.md": true, notes[4].Path: true, notes[5].Path: false}
		for _, n := range notes[6 : 6+count] {
			paths[n.Path] = true
		}
		return paths
	}
	for i, filter := range []store.Filter{
		{Among: map[string]bool{}},
		{Among: map[string]bool{"none.md": true}},
		{Among: some(1)},
		{Among: some(80)},
		{Without: some(1)},
		{Without: some(80)},
		{Without: map[string]bool{}},
		{Among: some(3), ExcludeArchived: true},
		{Without: some(3), ExcludeArchived: true},
		{Without: some(60), Among: some(70), Tags: []string{"t1"}},
		{Among: some(2), Tags: []string{"t1", "t2"}, NotFolders: []string{"a"}},
	} {
		filterPaths(t, fmt.Sprint("filter ", i), v, filter, slices.Concat(notes[:4], notes[5:]))
	}
}

// testFilterLinks gives filters that a store cannot answer.
func testFilterLinks(t *testing.T, s store.Store) {
	write(t, s, store.Full, corpus(82, 9)...)
	v := open(t, s)
	for _, filter := range []store.Filter{
		{LinksTo: []string{"a"}},
		{NotLinksTo: []string{"a"}},
		{LinkedBy: []string{"a"}, Tags: []string{"t1"}},
		{NotLinkedBy: []string{"a"}, ExcludeArchived: true, Hops: 2},
	} {
		if filter.IsEmpty() || filter.Check() == nil {
			t.Errorf("%v lets all through", filter)
		}
		if set, err := v.Select(t.Context(), filter); err == nil {
			t.Errorf("%v selects %d passages", filter, set.Len())
		}
		if notes, err := v.Notes(t.Context(), store.NoteQuery{Filter: filter}); err == nil {
			t.Errorf("%v lists %d notes", filter, len(notes))
		}
		if store.NewMatcher(filter).Match(&store.Note{Tags: []string{"t1"}}) {
			t.Errorf("%v matches a note", filter)
		}
	}
	if set, err := v.Select(t.Context(), store.Filter{Hops: 3}); set != nil || err != nil {
		t.Errorf("hops without links select %v, %v", set, err)
	}
}

// filterPaths compares what a filter selects with what it lets through of the notes that are there.
func filterPaths(t *testing.T, name string, v store.Snapshot, filter store.Filter, notes []store.Note) {
	t.Helper()
	matcher := store.NewMatcher(filter)
	var wantPaths, gotPaths []string
	var want []place
	for _, n := range notes {
		if !matcher.Match(&n) {
			continue
		}
		wantPaths = append(wantPaths, n.Path)
		for k := range n.Passages {
			want = append(want, place{n.Path, k})
		}
	}
	slices.Sort(wantPaths)
	list, err := v.Notes(t.Context(), store.NoteQuery{Filter: filter})
	ok(t, err)
	for _, n := range list {
		gotPaths = append(gotPaths, n.Path)
	}
	same(t, "notes of "+name, gotPaths, wantPaths)
	set, err := v.Select(t.Context(), filter)
	ok(t, err)
	if (set == nil) != filter.IsEmpty() {
		t.Errorf("%s: a set of %d passages, but it lets all through: %v", name, set.Len(), filter.IsEmpty())
	}
	if set == nil {
		return
	}
	var hits []store.Hit
	for id := range set.All() {
		hits = append(hits, store.Hit{ID: id})
	}
	byPlace := func(a, b place) int { return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Index, b.Index)) }
	same(t, "passages of "+name, slices.SortedFunc(slices.Values(places(t, v, hits)), byPlace), slices.SortedFunc(slices.Values(want), byPlace))
}

// underHeadings is a note whose passages stand under these headings, parts of a path between slashes.
func underHeadings(path string, headings ...string) store.Note {
	n := plainNote(path)
	for i, heading := range headings {
		p := store.Passage{Text: fmt.Sprint("text ", i), LineStart: i + 1, LineEnd: i + 1}
		if heading != "" {
			p.HeadingPath = strings.Split(heading, "/")
			p.Section = strings.Join(p.HeadingPath[1:], " > ")
		}
		n.Passages = append(n.Passages, p)
	}
	return n
}

// testSections filters passages by the headings above them.
func testSections(t *testing.T, s store.Store) {
	for _, mode := range []store.Mode{store.Full, store.Incremental} {
		write(t, s, mode, underHeadings("a.md", "", "Top/Firing a Kiln", "Top/Glaze", "Top/Glaze/Ash > glaze"), underHeadings("b.md", "Kiln", "Kiln/More"),
			underHeadings("c.md", "Other"), underHeadings("d.md"), underHeadings("e.md", ""))
		u := begin(t, s, store.Incremental)
		ok(t, u.Put(t.Context(), []store.Note{underHeadings("gone.md", "Kiln", "Kiln")}))
		ok(t, u.Delete(t.Context(), []string{"gone.md"}))
		ok(t, u.Commit(t.Context()))
		v := open(t, s)
		for _, test := range []struct {
			filter store.Filter
			want   string
		}{
			{store.Filter{Sections: []string{"kiln"}}, "a1 b0 b1"},
			{store.Filter{Sections: []string{"KILN", "ash"}}, "a1 a3 b0 b1"},
			{store.Filter{Sections: []string{"glaze"}}, "a2 a3"},
			{store.Filter{Sections: []string{"top"}, NotSections: []string{"ash"}}, "a1 a2"},
			{store.Filter{NotSections: []string{"kiln", "top"}}, "a0 c0 e0"},
			{store.Filter{Sections: []string{""}}, "a1 a2 a3 b0 b1 c0"},
			{store.Filter{Sections: []string{"none"}}, ""},
			{store.Filter{Sections: []string{"kiln"}, Paths: []string{"b"}}, "b0 b1"},
			{store.Filter{Sections: []string{"kiln"}, Among: map[string]bool{"a.md": true, "c.md": true}}, "a1"},
		} {
			set, err := v.Select(t.Context(), test.filter)
			ok(t, err)
			var hits []store.Hit
			for id := range set.All() {
				hits = append(hits, store.Hit{ID: id})
			}
			var got, notes, wantNotes []string
			for _, p := range places(t, v, hits) {
				got = append(got, fmt.Sprint(p.Path[:1], p.Index))
			}
			slices.Sort(got)
			if strings.Join(got, " ") != test.want {
				t.Errorf("%v: passages %v, want %s", test.filter, got, test.want)
			}
			list, err := v.Notes(t.Context(), store.NoteQuery{Filter: test.filter})
			ok(t, err)
			for _, n := range list {
				notes = append(notes, n.Path[:1])
			}
			for _, place := range strings.Fields(test.want) {
				wantNotes = append(wantNotes, place[:1])
			}
			same(t, fmt.Sprint("notes of ", test.filter), notes, slices.Compact(wantNotes))
		}
	}
	u := begin(t, s, store.Incremental)
	ok(t, u.Delete(t.Context(), []string{"b.md"}))
	list, err := u.Draft().Notes(t.Context(), store.NoteQuery{Filter: store.Filter{Sections: []string{"kiln"}}})
	ok(t, err)
	if len(list) != 1 || list[0].Path != "a.md" {
		t.Errorf("the draft lists %v", list)
	}
	ok(t, u.Rollback())
}

// testKeys filters by keys in all their spellings.
func testKeys(t *testing.T, s store.Store) {
	var notes []store.Note
	for i, frontmatter := range []string{
		`{"Task":1}`, `{"\u0074ask":1}`, "{\"tas\u212a\":1}", "{\"ta\u017fk\":1}", `{"tasks":1}`, `{"other":"task"}`, "", `{"a<b":1}`, `{"a\u003cB":1}`, `{"ÄÖ":1}`,
	} {
		n := plainNote(fmt.Sprintf("%d.md", i), "x")
		if frontmatter != "" {
			n.Frontmatter = []byte(frontmatter)
		}
		notes = append(notes, n)
	}
	write(t, s, store.Full, notes...)
	v := open(t, s)
	for key, want := range map[string]string{"task": "0 1 2 3", "TASK": "0 1 2 3", "tasks": "4", "A<b": "7 8", "äö": "9", "none": "", "": ""} {
		for _, not := range []bool{false, true} {
			f := store.Filter{Properties: []store.Property{{Key: key}}}
			if not {
				f = store.Filter{NotProperties: f.Properties}
			}
			for _, limit := range []int{0, 100} {
				list, err := v.Notes(t.Context(), store.NoteQuery{Filter: f, Limit: limit})
				ok(t, err)
				var got []string
				for i := range 10 {
					if slices.ContainsFunc(list, func(n store.Note) bool { return n.Path == fmt.Sprintf("%d.md", i) }) != not {
						got = append(got, fmt.Sprint(i))
					}
				}
				if strings.Join(got, " ") != want {
					t.Errorf("key %q, not %v: %v, want %s", key, not, got, want)
				}
			}
		}
	}
}

// testNewest lists the newest notes by their passages.
func testNewest(t *testing.T, s store.Store) {
	notes, figures := candidateNotes(95, 80)
	u := begin(t, s, store.Full)
	ok(t, u.Put(t.Context(), notes))
	ok(t, u.PutFigures(t.Context(), figures))
	ok(t, u.Delete(t.Context(), []string{notes[7].Path}))
	ok(t, u.Commit(t.Context()))
	v := open(t, s)
	all, err := v.Notes(t.Context(), store.NoteQuery{Sort: store.ByUpdated})
	ok(t, err)
	within, err := v.Select(t.Context(), store.Filter{Tags: []string{"t1", "t2"}})
	ok(t, err)
	without, err := v.Holding(t.Context(), []store.Term{{Text: "w3", Occur: store.Must}})
	ok(t, err)
	for _, q := range []store.NewestQuery{
		{Limit: 1000},
		{Limit: 3},
		{},
		{Within: within, Limit: 50},
		{Within: without, Limit: 10},
		{Within: within, Without: without, Limit: 1000},
		{Without: without, Limit: 5},
		{Within: &store.Set{}, Limit: 5},
		{Without: &store.Set{}, Limit: 2},
		{Limit: -1},
	} {
		var want, got []place
		for _, n := range all {
			first := -1
			for i, p := range read(t, v, n.Path).Passages {
				if q.Without != nil && q.Without.Has(p.ID) {
					first = -1
					break
				}
				if first < 0 && q.Within.Has(p.ID) {
					first = i
				}
			}
			if first >= 0 && len(want) < q.Limit {
				want = append(want, place{n.Path, first})
			}
		}
		list, err := v.Newest(t.Context(), q)
		ok(t, err)
		for _, c := range list {
			got = append(got, place{c.Note.Path, c.Index})
			if c.LexicalRank != 0 || c.Note.Updated == "" || read(t, v, c.Note.Path).Passages[c.Index].ID != c.ID {
				t.Errorf("%+v is not as it should be", c)
			}
		}
		same(t, fmt.Sprintf("newest of %+v", q), got, want)
	}
}
