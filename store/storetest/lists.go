package storetest

import (
	"testing"

	"quarry/store"
)

// testOtherFiles replaces the list, also by itself and by nothing.
func testOtherFiles(t *testing.T, s store.Store) {
	for _, mode := range []store.Mode{store.Incremental, store.Full} {
		for _, list := range [][]string{
			{"b.png", "a.png", "a 'b'/\"c\"\n.pdf", "b.png", "陶.jpg", "bad \xff.png"}, {"a.png", "c.png"}, {"a.png", "c.png"}, nil, {"z"},
		} {
			u := begin(t, s, mode)
			ok(t, u.SetOtherFiles(t.Context(), []string{"before.png", "a.png"}))
			ok(t, u.SetOtherFiles(t.Context(), list))
			ok(t, u.Commit(t.Context()))
			got, err := open(t, s).OtherFiles(t.Context())
			ok(t, err)
			same(t, "other files", got, map[int][]string{
				6: {"a 'b'/\"c\"\n.pdf", "a.png", "b.png", "bad \xff.png", "陶.jpg"}, 2: {"a.png", "c.png"}, 0: {}, 1: {"z"},
			}[len(list)])
		}
	}
	old := open(t, s)
	write(t, s, store.Full, plainNote("a.md", "x"))
	got, err := open(t, s).OtherFiles(t.Context())
	ok(t, err)
	same(t, "after a full run that set none", got, []string{})
	got, err = old.OtherFiles(t.Context())
	ok(t, err)
	same(t, "of the old snapshot", got, []string{"z"})
	u := begin(t, s, store.Full)
	ok(t, u.SetOtherFiles(t.Context(), []string{"rolled back"}))
	ok(t, u.Rollback())
	if u.SetOtherFiles(t.Context(), []string{"late"}) == nil {
		t.Error("an ended update takes files")
	}
	got, err = open(t, s).OtherFiles(t.Context())
	ok(t, err)
	same(t, "after a roll-back", got, []string{})
}

// testOutlines writes outlines, replaces and deletes them.
func testOutlines(t *testing.T, s store.Store) {
	outlines := func(v store.Snapshot) []store.OutlineOf {
		var list []store.OutlineOf
		for of, err := range v.Outlines(t.Context()) {
			ok(t, err)
			n := read(t, v, of.Path)
			same(t, "the outline of "+of.Path+" alone", store.OutlineOf{Path: n.Path, Headings: n.Headings, BlockIDs: n.BlockIDs}, of)
			list = append(list, of)
		}
		return list
	}
	a, b, c := plainNote("a.md", "x"), plainNote("b.md"), plainNote("c.md", "y", "z")
	b.Headings = []store.Heading{{Level: 1, Text: "Top"}, {Level: 6, Text: "Über \"alles\" <b> 陶"}, {Level: 2}, {Level: 2, Text: "2 kilns"}}
	c.Headings, c.BlockIDs = []store.Heading{{Level: 3, Text: "Only"}}, []string{"one", "Zwei-2"}
	write(t, s, store.Full, c, b, a)
	v := open(t, s)
	want := []store.OutlineOf{
		{Path: "a.md"}, {Path: "b.md", Headings: b.Headings}, {Path: "c.md", Headings: c.Headings, BlockIDs: c.BlockIDs},
	}
	same(t, "outlines", outlines(v), want)
	notes, err := v.Notes(t.Context(), store.NoteQuery{})
	ok(t, err)
	for _, n := range notes {
		if n.Headings != nil || n.BlockIDs != nil {
			t.Errorf("%s has an outline in the list", n.Path)
		}
	}
	a.BlockIDs, b.Headings, c.Headings = []string{"new"}, nil, []store.Heading{{Level: 1, Text: "Other"}}
	write(t, s, store.Incremental, a, b, c)
	u := begin(t, s, store.Incremental)
	ok(t, u.Delete(t.Context(), []string{"c.md"}))
	ok(t, u.Commit(t.Context()))
	same(t, "outlines after a change", outlines(open(t, s)), []store.OutlineOf{{Path: "a.md", BlockIDs: a.BlockIDs}, {Path: "b.md"}})
	same(t, "outlines of the old snapshot", outlines(v), want)
	for of, err := range v.Outlines(t.Context()) {
		ok(t, err)
		if of.Path != "a.md" {
			t.Error("a loop that ended goes on")
		}
		break
	}
}

// testLister compares the list of those stores that have one with what Catalog tells.
func testLister(t *testing.T, s store.Store) {
	write(t, s, store.Full, corpus(12, 40)...)
	u := begin(t, s, store.Incremental)
	ok(t, u.Put(t.Context(), append(corpus(13, 9), richNote("rich.md"), plainNote("none.md"))))
	ok(t, u.Delete(t.Context(), []string{corpus(12, 40)[5].Path}))
	ok(t, u.Commit(t.Context()))
	v := open(t, s)
	lister, is := v.(store.Lister)
	if !is {
		t.Skip("no list")
	}
	want, err := v.Notes(t.Context(), store.NoteQuery{})
	ok(t, err)
	got := map[string]store.ClassOf{}
	ok(t, lister.EachClass(t.Context(), func(of store.ClassOf) { got[of.Path] = of }))
	if len(got) != len(want) {
		t.Errorf("%d notes, want %d", len(got), len(want))
	}
	for _, n := range want {
		of := got[n.Path]
		same(t, n.Path, store.ClassOf{Path: n.Path, Sensitivity: n.Sensitivity, First: of.First, PassageCount: n.PassageCount}, of)
		for i, p := range read(t, v, n.Path).Passages {
			if p.ID != of.First+store.PassageID(i) {
				t.Errorf("passage %d of %s is %d, not %d", i, n.Path, p.ID, int(of.First)+i)
			}
		}
	}
	generation := lister.Generation()
	if again := open(t, s).(store.Lister).Generation(); again != generation {
		t.Error("nothing was written, but the generation is another")
	}
	for _, mode := range []store.Mode{store.Incremental, store.Full} {
		write(t, s, mode, richNote("more.md"))
		now := open(t, s).(store.Lister).Generation()
		if now == generation || lister.Generation() == now {
			t.Error("the generation is that of before a note was written")
		}
		generation = now
	}
}
