package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"quarry/store"
)

func testEmpty(t *testing.T, s store.Store) {
	v := open(t, s)
	ctx := t.Context()
	notes, passages, err := v.Counts(ctx)
	ok(t, err)
	same(t, "counts", []int{notes, passages}, []int{0, 0})
	same(t, "files", paths(t, v), []string{})
	hits, _ := lexical(t, v, 5, should("kiln")...)
	same(t, "lexical", hits, []place{})
	near, err := v.Nearest(ctx, store.VectorQuery{Vector: vector(1), Limit: 5})
	ok(t, err)
	same(t, "nearest", near, []store.Hit{})
	counts, err := v.Frequencies(ctx, []string{"kiln", ""}, nil)
	ok(t, err)
	same(t, "frequencies", counts, []int{0, 0})
	for of, err := range v.Links(ctx) {
		t.Errorf("links of %v, %v", of, err)
	}
	meta, err := v.Meta(ctx)
	ok(t, err)
	same(t, "meta", meta, map[string]string{})
	if _, found, err := v.Note(ctx, "a.md"); found || err != nil {
		t.Error("found a note", err)
	}
	write(t, s, store.Full)
	write(t, s, store.Incremental)
}

func testRoundTrip(t *testing.T, s store.Store) {
	hostile := "odd\nname \U0001f3fa \\ \".md"
	want := []store.Note{richNote("a/rich.md"), richNote(hostile), plainNote("no passages.md"), plainNote("#tag.md", "x")}
	want[1].Frontmatter = nil
	for _, mode := range []store.Mode{store.Incremental, store.Full} {
		write(t, s, mode, want...)
		v := open(t, s)
		for _, n := range want {
			same(t, n.Path, stripped(read(t, v, n.Path)), stripped(counted(n)))
		}
		got := map[string][]store.Link{}
		for of, err := range v.Links(t.Context()) {
			ok(t, err)
			got[of.Path] = of.Links
		}
		same(t, "links", got, map[string][]store.Link{
			"a/rich.md": want[0].Links, hostile: want[1].Links, "no passages.md": nil, "#tag.md": nil,
		})
		notes, passages, err := v.Counts(t.Context())
		ok(t, err)
		same(t, "counts", []int{notes, passages}, []int{4, 11})
	}
	want[0].Passages[0].Text, want[0].Tags[0] = "changed by the caller", "changed"
	if n := read(t, open(t, s), "a/rich.md"); n.Passages[0].Text == "changed by the caller" || n.Tags[0] == "changed" {
		t.Error("the store keeps the caller's memory")
	}
}

func testReplace(t *testing.T, s store.Store) {
	write(t, s, store.Incremental, plainNote("a.md", "old one", "old two"), plainNote("b.md", "kept"))
	for _, texts := range [][]string{{"new one", "new two", "new three"}, {"single"}, {}, {"x", "y"}} {
		n := plainNote("a.md", texts...)
		write(t, s, store.Incremental, n)
		v := open(t, s)
		same(t, "note", stripped(read(t, v, "a.md")), stripped(counted(n)))
		_, passages, err := v.Counts(t.Context())
		ok(t, err)
		if passages != len(texts)+1 {
			t.Errorf("%d passages, want %d", passages, len(texts)+1)
		}
		old, _ := lexical(t, v, 10, should("old")...)
		same(t, "old words", old, []place{})
		kept, _ := lexical(t, v, 10, should("kept")...)
		same(t, "words of another note", kept, []place{{"b.md", 0}})
		near, err := v.Nearest(t.Context(), store.VectorQuery{Vector: vector(1), Limit: 10})
		ok(t, err)
		if len(near) != len(texts)+1 {
			t.Errorf("%d vectors, want %d", len(near), len(texts)+1)
		}
	}
}

func testDelete(t *testing.T, s store.Store) {
	write(t, s, store.Incremental, plainNote("a.md", "alpha"), plainNote("b.md", "beta"), plainNote("c.md", "gamma"))
	u := begin(t, s, store.Incremental)
	ok(t, u.Delete(t.Context(), []string{"b.md", "unknown.md"}))
	same(t, "paths before the commit", paths(t, open(t, s)), []string{"a.md", "c.md"})
	ok(t, u.Delete(t.Context(), []string{"unknown.md"}))
	ok(t, u.Delete(t.Context(), nil))
	ok(t, u.Commit(t.Context()))
	v := open(t, s)
	hits, _ := lexical(t, v, 10, should("alpha", "beta", "gamma")...)
	same(t, "hits", hits, []place{{"a.md", 0}, {"c.md", 0}})
	near, err := v.Nearest(t.Context(), store.VectorQuery{Vector: vector(1), Limit: 10})
	ok(t, err)
	if len(near) != 2 {
		t.Errorf("%d vectors", len(near))
	}
}

func testTouch(t *testing.T, s store.Store) {
	n := richNote("a.md")
	write(t, s, store.Incremental, n, plainNote("b.md", "x"))
	n.File = store.File{Path: "a.md", SizeBytes: 77, ModifiedNanoseconds: -5, Inode: 9, ContentHash: "not hex"}
	u := begin(t, s, store.Incremental)
	ok(t, u.Touch(t.Context(), []store.File{n.File, {Path: "unknown.md"}}))
	ok(t, u.Touch(t.Context(), nil))
	ok(t, u.Commit(t.Context()))
	v := open(t, s)
	same(t, "note", stripped(read(t, v, "a.md")), stripped(counted(n)))
	files, err := v.Files(t.Context())
	ok(t, err)
	same(t, "files", files, []store.File{n.File, plainNote("b.md").File})
}

func testProblemsAndMeta(t *testing.T, s store.Store) {
	line := 3
	problems := []store.Problem{
		{Path: "b.md", State: "failed", Reason: "no 'reason'"},
		{Path: "a.md", State: "warning", Reason: "second", Line: &line},
		{Path: "a.md", State: "skipped", Reason: "third"},
	}
	u := begin(t, s, store.Incremental)
	ok(t, u.SetProblems(t.Context(), problems))
	ok(t, u.SetMeta(t.Context(), map[string]string{store.MetaModel: "m", store.MetaVault: "/v", "odd key'": ""}))
	ok(t, u.SetMeta(t.Context(), map[string]string{store.MetaModel: "n"}))
	ok(t, u.Commit(t.Context()))
	v := open(t, s)
	got, err := v.Problems(t.Context())
	ok(t, err)
	same(t, "problems", got, []store.Problem{problems[1], problems[2], problems[0]})
	meta, err := v.Meta(t.Context())
	ok(t, err)
	same(t, "meta", meta, map[string]string{store.MetaModel: "n", store.MetaVault: "/v", "odd key'": ""})
	u = begin(t, s, store.Incremental)
	ok(t, u.SetProblems(t.Context(), nil))
	ok(t, u.Commit(t.Context()))
	got, err = open(t, s).Problems(t.Context())
	ok(t, err)
	same(t, "problems", got, []store.Problem{})
}

func testFull(t *testing.T, s store.Store) {
	write(t, s, store.Incremental, plainNote("old.md", "old"), plainNote("both.md", "old both"))
	u := begin(t, s, store.Full)
	ok(t, u.SetMeta(t.Context(), map[string]string{store.MetaModel: "m"}))
	ok(t, u.Put(t.Context(), []store.Note{plainNote("both.md", "new both")}))
	ok(t, u.Put(t.Context(), []store.Note{plainNote("new.md", "new"), plainNote("gone.md", "gone")}))
	ok(t, u.Delete(t.Context(), []string{"gone.md"}))
	same(t, "before the commit", paths(t, open(t, s)), []string{"both.md", "old.md"})
	hits, _ := lexical(t, open(t, s), 9, should("new", "old")...)
	same(t, "hits before the commit", hits, []place{{"old.md", 0}, {"both.md", 0}})
	ok(t, u.Commit(t.Context()))
	v := open(t, s)
	same(t, "after the commit", paths(t, v), []string{"both.md", "new.md"})
	hits, _ = lexical(t, v, 9, should("new", "old", "gone")...)
	same(t, "hits after the commit", hits, []place{{"new.md", 0}, {"both.md", 0}})
	write(t, s, store.Full)
	same(t, "after an empty run", paths(t, open(t, s)), []string{})
}

func testFullTwice(t *testing.T, s store.Store) {
	u := begin(t, s, store.Full)
	var notes []store.Note
	for i := range 300 {
		notes = append(notes, plainNote(fmt.Sprintf("%03d.md", i), "first", "text"))
	}
	ok(t, u.Put(t.Context(), notes))
	ok(t, u.Put(t.Context(), []store.Note{plainNote("000.md", "second")}))
	ok(t, u.Put(t.Context(), []store.Note{plainNote("001.md", "second", "and", "more")}))
	ok(t, u.Commit(t.Context()))
	v := open(t, s)
	hits, _ := lexical(t, v, 9, should("second")...)
	same(t, "hits", hits, []place{{"000.md", 0}, {"001.md", 0}})
	near, err := v.Nearest(t.Context(), store.VectorQuery{Vector: plainNote("", "second").Passages[0].Vector, Limit: 1000})
	ok(t, err)
	same(t, "nearest", places(t, v, near[:2]), []place{{"000.md", 0}, {"001.md", 0}})
	if _, passages, _ := v.Counts(t.Context()); passages != 600 || len(near) != 600 {
		t.Errorf("%d passages, %d vectors, want 600", passages, len(near))
	}
	ok(t, s.Verify(t.Context()))
}

// testFullDeletes deletes what a full run has put before, in numbers that go beyond what a store may hold back.
func testFullDeletes(t *testing.T, s store.Store) {
	many := func(prefix string, count int) (notes []store.Note, names []string) {
		for i := range count {
			names = append(names, fmt.Sprintf("%s%04d.md", prefix, i))
			notes = append(notes, plainNote(names[i], names[i]))
		}
		return notes, names
	}
	first, firstNames := many("a", 600)
	second, secondNames := many("b", 600)
	third, thirdNames := many("c", 3)
	for _, test := range []struct{ deleted, kept []string }{{secondNames, firstNames}, {firstNames, secondNames}} {
		u := begin(t, s, store.Full)
		ok(t, u.Put(t.Context(), first))
		ok(t, u.Put(t.Context(), second))
		ok(t, u.Delete(t.Context(), test.deleted))
		ok(t, u.Put(t.Context(), third))
		ok(t, u.Commit(t.Context()))
		v := open(t, s)
		near, err := v.Nearest(t.Context(), store.VectorQuery{Vector: vector(1), Limit: 2000})
		ok(t, err)
		var got []string
		for _, p := range places(t, v, near) {
			got = append(got, p.Path)
		}
		slices.Sort(got)
		same(t, "notes with a vector", got, slices.Concat(test.kept, thirdNames))
		near, err = v.Nearest(t.Context(), store.VectorQuery{Vector: first[599].Passages[0].Vector, Limit: 1})
		ok(t, err)
		if isKept := test.kept[0] == firstNames[0]; isKept != (places(t, v, near)[0].Path == firstNames[599]) {
			t.Errorf("the nearest to a note, kept %v, is %v", isKept, places(t, v, near))
		}
		ok(t, s.Verify(t.Context()))
	}
}

func testRollback(t *testing.T, s store.Store) {
	write(t, s, store.Incremental, plainNote("old.md", "old"))
	u := begin(t, s, store.Full)
	ok(t, u.Put(t.Context(), []store.Note{plainNote("new.md", "new")}))
	ok(t, u.Rollback())
	ok(t, u.Rollback())
	same(t, "paths", paths(t, open(t, s)), []string{"old.md"})
	hits, _ := lexical(t, open(t, s), 9, should("new", "old")...)
	same(t, "hits", hits, []place{{"old.md", 0}})
	write(t, s, store.Incremental, plainNote("later.md", "later"))
}

func testRollbackIncremental(t *testing.T, s store.Store) {
	u := begin(t, s, store.Incremental)
	ok(t, u.Put(t.Context(), []store.Note{plainNote("a.md", "a")}))
	ok(t, u.Rollback())
	same(t, "paths", paths(t, open(t, s)), []string{"a.md"})
}

func testIsolation(t *testing.T, s store.Store) {
	write(t, s, store.Incremental, plainNote("a.md", "alpha"), plainNote("b.md", "beta"))
	v := open(t, s)
	for _, mode := range []store.Mode{store.Incremental, store.Full} {
		write(t, s, mode, plainNote("a.md", "changed"), plainNote("c.md", "alpha"))
	}
	same(t, "paths", paths(t, v), []string{"a.md", "b.md"})
	hits, _ := lexical(t, v, 9, should("alpha", "beta", "changed")...)
	same(t, "hits", hits, []place{{"a.md", 0}, {"b.md", 0}})
	near, err := v.Nearest(t.Context(), store.VectorQuery{Vector: plainNote("", "alpha").Passages[0].Vector, Limit: 1})
	ok(t, err)
	same(t, "nearest", places(t, v, near), []place{{"a.md", 0}})
	same(t, "paths now", paths(t, open(t, s)), []string{"a.md", "c.md"})
}

func testLock(t *testing.T, s store.Store) {
	u := begin(t, s, store.Incremental)
	if _, err := s.Begin(t.Context(), store.Full); !errors.Is(err, store.ErrLocked) {
		t.Errorf("the second writer got %v", err)
	}
	ok(t, u.Put(t.Context(), []store.Note{plainNote("a.md", "a")}))
	ok(t, u.Commit(t.Context()))
	u = begin(t, s, store.Incremental)
	ok(t, u.Rollback())
	ok(t, begin(t, s, store.Full).Rollback())
}

func testEnded(t *testing.T, s store.Store) {
	for _, mode := range []store.Mode{store.Incremental, store.Full} {
		u := begin(t, s, mode)
		ok(t, u.Put(t.Context(), []store.Note{plainNote("a.md", "a")}))
		ok(t, u.Commit(t.Context()))
		ok(t, u.Rollback())
		if u.Put(t.Context(), []store.Note{plainNote("b.md", "b")}) == nil || u.Commit(t.Context()) == nil {
			t.Error("an ended update still takes notes or commits")
		}
		same(t, "paths", paths(t, open(t, s)), []string{"a.md"})
	}
	v, err := s.Snapshot(t.Context())
	ok(t, err)
	ok(t, v.Close())
	ok(t, v.Close())
}

func testCancelled(t *testing.T, s store.Store) {
	live, dead := contexts(t)
	write(t, s, store.Incremental, plainNote("a.md", "a"))
	u := begin(t, s, store.Incremental)
	if err := u.Put(dead, []store.Note{plainNote("b.md", "b")}); !errors.Is(err, context.Canceled) {
		t.Errorf("put: %v", err)
	}
	ok(t, u.Put(live, []store.Note{plainNote("c.md", "c")}))
	ok(t, u.Commit(live))
	v := open(t, s)
	same(t, "paths", paths(t, v), []string{"a.md", "c.md"})
	if _, err := v.Lexical(dead, store.LexicalQuery{Terms: should("a"), Weights: weights, Limit: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("lexical: %v", err)
	}
	if _, err := v.Nearest(dead, store.VectorQuery{Vector: vector(1), Limit: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("nearest: %v", err)
	}
	hits, _ := lexical(t, v, 1, should("a")...)
	same(t, "after a cancelled question", hits, []place{{"a.md", 0}})
}

func testVerify(t *testing.T, s store.Store) {
	ok(t, s.Verify(t.Context()))
	write(t, s, store.Full, append(corpus(3, 60), richNote("rich.md"))...)
	ok(t, s.Verify(t.Context()))
	u := begin(t, s, store.Incremental)
	ok(t, u.Put(t.Context(), corpus(4, 40)))
	ok(t, u.Delete(t.Context(), []string{"rich.md"}))
	ok(t, u.Commit(t.Context()))
	ok(t, s.Verify(t.Context()))
}

// testConcurrency asks from several goroutines, some of them sharing a snapshot, while an update goes on.
func testConcurrency(t *testing.T, s store.Store) {
	write(t, s, store.Full, tokenNotes(5, 50)...)
	shared := open(t, s)
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range 10 {
				own, err := s.Snapshot(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				for _, v := range []store.Snapshot{own, shared} {
					if _, err := v.Lexical(t.Context(), store.LexicalQuery{Terms: should("w1", "w7"), Weights: weights, Limit: 9}); err != nil {
						t.Error(err)
					}
					if _, err := v.Nearest(t.Context(), store.VectorQuery{Vector: vector(3), Limit: 9}); err != nil {
						t.Error(err)
					}
					askAll(t, v)
				}
				if err := own.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	u := begin(t, s, store.Incremental)
	for _, n := range corpus(6, 30) {
		ok(t, u.Put(t.Context(), []store.Note{n}))
	}
	ok(t, u.Commit(t.Context()))
	readers.Wait()
}

// askAll asks what a store may keep the answers of.
func askAll(t *testing.T, v store.Snapshot) {
	_, candidates := v.Candidates(t.Context(), store.CandidateQuery{
		Lexical: store.LexicalQuery{Terms: should("w1", "w7"), Weights: weights, Limit: 9}, Vector: store.VectorQuery{Vector: vector(3), Limit: 9},
	})
	some, selected := v.Select(t.Context(), store.Filter{Sections: []string{"w1"}, Titles: []string{"note"}})
	_, newest := v.Newest(t.Context(), store.NewestQuery{Limit: 9, Within: some})
	_, listed := v.Notes(t.Context(), store.NoteQuery{Limit: 9, Sort: store.ByTitle})
	_, whole := v.TokenFrequencies(t.Context(), []uint16{1}, nil)
	_, part := v.TokenFrequencies(t.Context(), []uint16{1}, some)
	if err := errors.Join(candidates, selected, newest, listed, whole, part); err != nil {
		t.Error(err)
	}
}
