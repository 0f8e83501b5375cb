package storetest

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quarry/store"
)

func edgesIn(t *testing.T, of store.Linked) []store.EdgesOf {
	t.Helper()
	var list []store.EdgesOf
	for edges, err := range of.Edges(t.Context()) {
		ok(t, err)
		list = append(list, edges)
	}
	return list
}

func figuresIn(t *testing.T, of store.Linked) []store.Figures {
	t.Helper()
	figures, err := of.Figures(t.Context())
	ok(t, err)
	return figures
}

// graphOf compares the graph that a draft, and a snapshot that has one, show.
type graphOf struct {
	edges   []store.EdgesOf
	figures []store.Figures
}

func (want graphOf) in(t *testing.T, what string, of any) {
	t.Helper()
	if of, is := of.(store.Linked); is {
		same(t, "edges "+what, edgesIn(t, of), want.edges)
		same(t, "figures "+what, figuresIn(t, of), want.figures)
		want.pointsIn(t, what, of)
	}
}

// pointsIn asks for a third of the notes, some twice, and for one that is not there.
func (want graphOf) pointsIn(t *testing.T, what string, of store.Linked) {
	t.Helper()
	asked := map[string]bool{"none.md": true}
	note := func(path string) {
		if len(path)%3 == 0 || strings.HasPrefix(path, "b") {
			asked[path] = true
		}
	}
	var from []store.EdgesOf
	var figures []store.Figures
	for _, of := range want.edges {
		note(of.Path)
		for _, e := range of.Edges {
			note(e.Target)
		}
	}
	for _, of := range want.edges {
		if asked[of.Path] {
			from = append(from, of)
		}
	}
	for _, f := range want.figures {
		if asked[f.Path] {
			figures = append(figures, f)
		}
	}
	paths := slices.Collect(maps.Keys(asked))
	paths = append(paths, paths...)
	got, err := of.EdgesFrom(t.Context(), paths)
	ok(t, err)
	same(t, "edges from some "+what, got, from)
	gotFigures, err := of.FiguresOf(t.Context(), paths)
	ok(t, err)
	same(t, "figures of some "+what, gotFigures, figures)
	for _, paths := range [][]string{nil, {"none.md"}} {
		from, err := of.EdgesFrom(t.Context(), paths)
		ok(t, err)
		figures, err := of.FiguresOf(t.Context(), paths)
		ok(t, err)
		if len(from)+len(figures) > 0 {
			t.Errorf("%s: %v, %v of no note", what, from, figures)
		}
	}
}

// linkingNotes have a link from each to each, itself included.
func linkingNotes(names ...string) []store.Note {
	var notes []store.Note
	for _, name := range names {
		n := plainNote(name, "text of "+name)
		for i, target := range names {
			n.Links = append(n.Links, store.Link{Target: target, Line: i + 1, ChunkOrd: 1})
		}
		notes = append(notes, n)
	}
	return notes
}

func edge(link int, target string) store.Edge {
	return store.Edge{Link: link, Target: target, Kind: "references", Rule: "explicit:wikilink"}
}

func typed(link int, target, kind string) store.Edge {
	return store.Edge{Link: link, Target: target, Kind: kind, Rule: "inline:rel"}
}

// testEdges writes edges and figures in both modes, replaces them and drops notes.
func testEdges(t *testing.T, s store.Store) {
	for _, mode := range []store.Mode{store.Full, store.Incremental, store.Full} {
		u := begin(t, s, mode)
		notes := linkingNotes("b.md", "a 'x'.md", "陶.md")
		ok(t, u.Delete(t.Context(), []string{"陶.md"}))
		ok(t, u.Put(t.Context(), notes))
		ok(t, u.PutEdges(t.Context(), []store.EdgesOf{
			{Path: "陶.md", Edges: []store.Edge{edge(2, "陶.md"), typed(0, "b.md", "Ü \"x\"\\\n"), edge(1, "a 'x'.md")}},
			{Path: "a 'x'.md", Edges: []store.Edge{edge(0, "b.md")}},
			{Path: "b.md"},
		}))
		figures := []store.Figures{
			{Path: "b.md", PageRank: 0.123456, In: 2, Out: 0, Weight: 1}, {Path: "a 'x'.md", PageRank: 1, In: 1, Out: 1, Weight: 0.25},
		}
		ok(t, u.PutFigures(t.Context(), figures))
		want := graphOf{[]store.EdgesOf{
			{Path: "a 'x'.md", Edges: []store.Edge{edge(0, "b.md")}},
			{Path: "陶.md", Edges: []store.Edge{typed(0, "b.md", "Ü \"x\"\\\n"), edge(1, "a 'x'.md"), edge(2, "陶.md")}},
		}, []store.Figures{figures[1], figures[0]}}
		want.in(t, "in the draft", u.Draft())
		ok(t, u.Commit(t.Context()))
		old := open(t, s)
		want.in(t, "in a snapshot", old)
		ok(t, s.Verify(t.Context()))

		u = begin(t, s, store.Incremental)
		ok(t, u.Put(t.Context(), notes[2:]))
		graphOf{want.edges[:1], want.figures}.in(t, "after a note was put anew", u.Draft())
		ok(t, u.Put(t.Context(), notes[:1]))
		graphOf{want.edges[:1], want.figures}.in(t, "after one was put anew that is linked to", u.Draft())
		ok(t, u.PutEdges(t.Context(), []store.EdgesOf{{Path: "陶.md", Edges: []store.Edge{edge(1, "a 'x'.md"), edge(2, "b.md")}}}))
		ok(t, u.PutFigures(t.Context(), []store.Figures{{Path: "b.md", Weight: 2}, {Path: "陶.md"}}))
		ok(t, u.Delete(t.Context(), []string{"b.md"}))
		after := graphOf{
			[]store.EdgesOf{{Path: "陶.md", Edges: []store.Edge{edge(1, "a 'x'.md")}}}, []store.Figures{figures[1], {Path: "陶.md"}},
		}
		after.in(t, "after one was deleted", u.Draft())
		ok(t, u.Put(t.Context(), []store.Note{plainNote("new.md", "x")})) // may get the place of the one that is gone
		after.in(t, "after a further note", u.Draft())
		ok(t, u.Commit(t.Context()))
		after.in(t, "in a snapshot of the end", open(t, s))
		want.in(t, "in the old snapshot", old)
		ok(t, s.Verify(t.Context()))
	}
	write(t, s, store.Full, linkingNotes("b.md")...)
	graphOf{}.in(t, "after a full run that has put none", open(t, s))
}

// testEdgesBeside replaces edges by some that share links with them, many at a time and one at a time.
func testEdgesBeside(t *testing.T, s store.Store) {
	random := rand.New(rand.NewPCG(51, 51))
	notes := corpus(52, 400)
	for i := range notes {
		notes[i].Links = make([]store.Link, 8)
	}
	want := map[string][]store.Edge{}
	figures := map[string]store.Figures{}
	for _, mode := range []store.Mode{store.Full, store.Incremental} {
		u := begin(t, s, mode)
		ok(t, u.Put(t.Context(), notes))
		clear(want)
		for _, count := range []int{400, 400, 300, 1, 0, 7, 250} {
			var edges []store.EdgesOf
			var some []store.Figures
			for _, i := range random.Perm(len(notes))[:count] {
				of := store.EdgesOf{Path: notes[i].Path}
				for link := range 8 {
					if random.IntN(3) > 0 {
						of.Edges = append(of.Edges, typed(link, notes[random.IntN(400)].Path, []string{"uses", "references", ""}[random.IntN(3)]))
					}
				}
				want[of.Path] = of.Edges
				edges = append(edges, of)
				figures[of.Path] = store.Figures{Path: of.Path, PageRank: float64(random.IntN(1e6)) / 1e6, In: random.IntN(9), Out: 1, Weight: 1}
				some = append(some, figures[of.Path])
			}
			ok(t, u.PutEdges(t.Context(), edges))
			ok(t, u.PutFigures(t.Context(), some))
			var list []store.EdgesOf
			var all []store.Figures
			for _, n := range notes {
				if len(want[n.Path]) > 0 {
					list = append(list, store.EdgesOf{Path: n.Path, Edges: want[n.Path]})
				}
				if f, has := figures[n.Path]; has {
					all = append(all, f)
				}
			}
			slices.SortFunc(list, func(a, b store.EdgesOf) int { return strings.Compare(a.Path, b.Path) })
			slices.SortFunc(all, func(a, b store.Figures) int { return strings.Compare(a.Path, b.Path) })
			graphOf{list, all}.in(t, fmt.Sprint("after ", count), u.Draft())
		}
		ok(t, u.Commit(t.Context()))
		ok(t, s.Verify(t.Context()))
	}
}

// testEdgesRefused gives what is to be an error; nothing of the call stays.
func testEdgesRefused(t *testing.T, s store.Store) {
	notes := linkingNotes("a.md", "b.md")
	write(t, s, store.Full, notes...)
	good := store.EdgesOf{Path: "a.md", Edges: []store.Edge{edge(0, "b.md")}}
	figure := store.Figures{Path: "a.md", PageRank: 0.5, Weight: 1}
	u := begin(t, s, store.Incremental)
	for name, edges := range map[string][]store.EdgesOf{
		"no note": {good, {Path: "none.md"}}, "no target": {good, {Path: "b.md", Edges: []store.Edge{edge(0, "none.md")}}},
		"a note twice": {good, good}, "a link twice": {good, {Path: "b.md", Edges: []store.Edge{edge(0, "a.md"), edge(0, "b.md")}}},
		"a negative link": {good, {Path: "b.md", Edges: []store.Edge{edge(-1, "a.md")}}},
	} {
		if u.PutEdges(t.Context(), edges) == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, f := range map[string]store.Figures{
		"no note": {Path: "none.md", Weight: 1}, "NaN": {Path: "b.md", PageRank: math.NaN()}, "above 1": {Path: "b.md", PageRank: 1.5},
		"infinite": {Path: "b.md", Weight: math.Inf(1)}, "negative weight": {Path: "b.md", Weight: -1}, "negative": {Path: "b.md", In: -1},
	} {
		if u.PutFigures(t.Context(), []store.Figures{figure, f}) == nil {
			t.Errorf("%s: no error", name)
		}
	}
	graphOf{}.in(t, "after errors", u.Draft())
	ok(t, u.PutEdges(t.Context(), nil))
	ok(t, u.PutFigures(t.Context(), nil))
	ok(t, u.PutEdges(t.Context(), []store.EdgesOf{good}))
	ok(t, u.Rollback())
	graphOf{edges: []store.EdgesOf{good}}.in(t, "of an incremental run rolled back", open(t, s))
	full := begin(t, s, store.Full)
	ok(t, full.Put(t.Context(), notes))
	ok(t, full.PutEdges(t.Context(), []store.EdgesOf{{Path: "b.md", Edges: []store.Edge{edge(0, "b.md")}}}))
	ok(t, full.Rollback())
	graphOf{edges: []store.EdgesOf{good}}.in(t, "of a full run rolled back", open(t, s))
	if full.PutEdges(t.Context(), []store.EdgesOf{good}) == nil || full.PutFigures(t.Context(), []store.Figures{figure}) == nil {
		t.Error("an ended update takes edges or figures")
	}
	if _, err := full.Draft().Figures(t.Context()); err == nil {
		t.Error("the draft of an ended update is read")
	}
	for _, err := range full.Draft().Links(t.Context()) {
		if err == nil {
			t.Error("the draft of an ended update yields links")
		}
	}
}

// testDraft compares what a draft shows with a snapshot of what comes of it.
func testDraft(t *testing.T, s store.Store) {
	write(t, s, store.Full, corpus(61, 30)...)
	for _, mode := range []store.Mode{store.Incremental, store.Full} {
		u := begin(t, s, mode)
		if mode == store.Full {
			files, err := u.Draft().Files(t.Context())
			ok(t, err)
			same(t, "files of a full run at its start", files, []store.File{})
		}
		draft := u.Draft()
		rich := richNote("rich.md")
		ok(t, u.Put(t.Context(), append(corpus(62, 20), rich)))
		if n, found, err := draft.Note(t.Context(), "rich.md"); err != nil || !found {
			t.Errorf("the draft has no rich.md: %v", err)
		} else {
			same(t, "rich.md", stripped(n), stripped(counted(rich)))
		}
		ok(t, u.Delete(t.Context(), []string{corpus(62, 20)[3].Path}))
		ok(t, u.SetOtherFiles(t.Context(), []string{"x.png"}))
		ok(t, u.SetProblems(t.Context(), []store.Problem{{Path: "p.md", State: "failed"}}))
		ok(t, u.SetMeta(t.Context(), map[string]string{store.MetaGraph: "g"}))
		before := answersOf(t, draft)
		_, dead := contexts(t)
		if _, err := draft.Files(dead); err == nil {
			t.Error("a dead context is no error")
		}
		ok(t, u.Commit(t.Context()))
		same(t, "the draft", before, answersOf(t, open(t, s)))
		if _, err := draft.Notes(t.Context(), store.NoteQuery{}); err == nil {
			t.Error("the draft outlives its update")
		}
	}
}

// answersOf asks all questions of a catalog that a draft answers as a snapshot does.
func answersOf(t *testing.T, c store.Catalog) []any {
	t.Helper()
	ctx := t.Context()
	files, err1 := c.Files(ctx)
	notes, err2 := c.Notes(ctx, store.NoteQuery{Sort: store.ByTitle, Limit: 12})
	others, err3 := c.OtherFiles(ctx)
	problems, err4 := c.Problems(ctx)
	meta, err5 := c.Meta(ctx)
	count, passages, err6 := c.Counts(ctx)
	ok(t, errors.Join(err1, err2, err3, err4, err5, err6))
	all := []any{files, notes, others, problems, meta, count, passages}
	for of, err := range c.Links(ctx) {
		ok(t, err)
		all = append(all, of)
	}
	for of, err := range c.Outlines(ctx) {
		ok(t, err)
		all = append(all, of)
	}
	return all
}

// testVectors fetches what was put, in any order.
func testVectors(t *testing.T, s store.Store) {
	var notes []store.Note
	for i := range 200 {
		notes = append(notes, plainNote(fmt.Sprintf("%03d.md", i), fmt.Sprint("a", i), fmt.Sprint("b", i), fmt.Sprint("c", i)))
		if i%7 == 0 {
			notes[i].Passages[1].Vector = nil
		}
	}
	write(t, s, store.Full, notes...)
	u := begin(t, s, store.Incremental)
	ok(t, u.Delete(t.Context(), []string{"050.md"}))
	ok(t, u.Commit(t.Context()))
	v := open(t, s)
	var ids []store.PassageID
	var want [][]float32
	for i, n := range notes {
		if i == 50 {
			continue
		}
		for k, p := range read(t, v, n.Path).Passages {
			ids, want = append(ids, p.ID), append(want, n.Passages[k].Vector)
		}
	}
	random := rand.New(rand.NewPCG(71, 71))
	random.Shuffle(len(ids), func(a, b int) {
		ids[a], ids[b] = ids[b], ids[a]
		want[a], want[b] = want[b], want[a]
	})
	ids, want = append(ids, ids[3], ids[3]), append(want, want[3], want[3])
	got, err := v.Vectors(t.Context(), ids)
	ok(t, err)
	for i := range want {
		if (want[i] == nil) != (got[i] == nil) || len(want[i]) != len(got[i]) {
			t.Fatalf("passage %d: %d components, want %d", ids[i], len(got[i]), len(want[i]))
		}
		cosine := 0.0
		for k := range want[i] {
			cosine += float64(want[i][k]) * float64(got[i][k])
		}
		if want[i] != nil && math.Abs(cosine-1) > cosineTolerance {
			t.Errorf("passage %d: cosine %v with what was put", ids[i], cosine)
		}
	}
	if got, err := v.Vectors(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("no ids: %v, %v", got, err)
	}
	for _, unknown := range []store.PassageID{0, -1, -300, 1 << 29, math.MaxInt64} {
		if _, err := v.Vectors(t.Context(), []store.PassageID{ids[0], unknown}); err == nil {
			t.Errorf("passage %d is known", unknown)
		}
	}
}
