package visible_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quarry/store"
	"quarry/store/memory"
	"quarry/store/sqlite"
	"quarry/store/storetest"
	"quarry/store/visible"
)

func must[T any](t *testing.T) func(value T, err error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func inFile(t *testing.T) store.Store {
	s := must[*sqlite.Store](t)(sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "index.db")}))
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func inMemory(*testing.T) store.Store { return memory.New() }

// draw makes texts, notes and questions at random.
type draw struct{ *rand.Rand }

func (d draw) word() string { return fmt.Sprint("w", 1+d.IntN(1+d.IntN(40))) }

func (d draw) words(count int) string {
	list := make([]string, count)
	for i := range list {
		list[i] = d.word()
	}
	return strings.Join(list, " ")
}

func (d draw) vector() []float32 {
	v := make([]float32, 8)
	v[d.IntN(8)], v[d.IntN(4)] = 0.6, 0.8
	return v
}

func (d draw) list(of ...string) []string {
	return slices.DeleteFunc(of, func(string) bool { return d.IntN(3) > 0 })
}

func (d draw) path() string { return fmt.Sprintf("%c/%d.md", 'a'+rune(d.IntN(4)), d.IntN(30)) }

func (d draw) paths(count int) map[string]bool {
	paths := map[string]bool{}
	for range count {
		paths[d.path()] = true
	}
	return paths
}

// note is private in one of three times, and in folder d always hidden.
func (d draw) note() store.Note {
	n := store.Note{
		File: store.File{Path: d.path(), ModifiedNanoseconds: int64(d.Uint32()), ContentHash: "00"}, Title: d.words(2), Kind: "note",
		Type: d.word(), Status: []string{"", "open", "archived"}[d.IntN(3)], Tags: d.list("t1", "t2", "t3"), Aliases: d.list("w1 w2", "陶土"),
		Updated: fmt.Sprintf("2024-01-%02d", 1+d.IntN(28)), Frontmatter: []byte(`{"a":"b"}`), Sensitivity: []string{"", "public", "private"}[d.IntN(3)],
		Redactions: []store.Redaction{{Name: d.word(), Count: 1}}, Headings: []store.Heading{{Level: 1, Text: d.word()}}, BlockIDs: d.list("x", "y"),
		Links: []store.Link{{Target: d.path(), Line: 1}},
	}
	if d.IntN(2) == 0 {
		n.DeclaredID = []string{"a/1", "a/2", "id", "b/3", d.word()}[d.IntN(5)]
	}
	for i := range d.IntN(4) {
		p := store.Passage{Path: n.Path, Index: i, Text: d.words(d.IntN(20)), Section: d.words(d.IntN(3)), HeadingContext: n.Title}
		if d.IntN(4) > 0 {
			p.Vector = d.vector()
		}
		if d.IntN(2) == 0 {
			p.RankData = storetest.TokenData(d.Int32N(9), d.Int32N(9), d.Int32N(9), d.Int32N(300))
		}
		n.Passages = append(n.Passages, p)
	}
	return n
}

var hidden = visible.Hidden{
	Note: func(path, class string) bool { return class == "private" || strings.HasPrefix(path, "d/") },
	Path: func(path string) bool { return strings.HasPrefix(path, "d/") },
}

// pair is two stores, of which the second holds what is hidden too.
type pair struct {
	alone, mixed store.Store
	private      map[string]bool // paths of notes that are there and hidden
}

// edit makes the same changes to both.
func (p *pair) edit(t *testing.T, d draw, mode store.Mode) {
	a, b := must[store.Update](t)(p.alone.Begin(t.Context(), mode)), must[store.Update](t)(p.mixed.Begin(t.Context(), mode))
	if mode == store.Full {
		p.private = map[string]bool{}
	}
	check := func(errs ...error) {
		t.Helper()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	ctx := t.Context()
	for range 25 {
		n := d.note()
		check(b.Put(ctx, []store.Note{n}))
		p.private[n.Path] = hidden.Note(n.Path, n.Sensitivity)
		if p.private[n.Path] {
			check(a.Delete(ctx, []string{n.Path}))
		} else {
			check(a.Put(ctx, []store.Note{n}))
		}
	}
	gone := []string{d.path(), d.path(), d.path()}
	check(a.Delete(ctx, gone), b.Delete(ctx, gone))
	maps.DeleteFunc(p.private, func(path string, _ bool) bool { return slices.Contains(gone, path) })
	check(a.PutFigures(ctx, p.figures(false)), b.PutFigures(ctx, p.figures(true)))
	check(a.SetOtherFiles(ctx, []string{"a/x.png", "dd.png"}), b.SetOtherFiles(ctx, []string{"d/y.png", "a/x.png", "dd.png"}))
	problems := []store.Problem{{Path: "d/z.md", State: "skipped"}, {Path: "c/x.md", State: "failed"}}
	for i := range 30 {
		problems = append(problems, store.Problem{Path: fmt.Sprintf("a/%d.md", i), State: "warning", Reason: "x"})
	}
	check(b.SetProblems(ctx, problems))
	problems = slices.DeleteFunc(problems, func(of store.Problem) bool { return p.private[of.Path] || hidden.Path(of.Path) })
	check(a.SetProblems(ctx, problems), a.SetMeta(ctx, map[string]string{"k": "v"}), b.SetMeta(ctx, map[string]string{"k": "v"}))
	check(a.Commit(ctx), b.Commit(ctx))
}

// figures of the notes that are there, and of the hidden ones: the weight is a note's own, the rank that among all.
func (p *pair) figures(withHidden bool) (figures []store.Figures) {
	for path, private := range p.private {
		if withHidden || !private {
			figures = append(figures, store.Figures{Path: path, Weight: float64(len(path)%3) / 2, PageRank: 0.25})
		}
	}
	return figures
}

// asked names passages by where they stand, which is the same in both stores.
type asked struct {
	t      *testing.T
	v      store.Snapshot
	places map[store.PassageID]string
	ids    map[string]store.PassageID
	hides  bool
}

func newAsked(t *testing.T, v store.Snapshot) *asked {
	_, isWhole := v.(store.Linked)
	a := &asked{t, v, map[store.PassageID]string{}, map[string]store.PassageID{}, !isWhole}
	for _, f := range must[[]store.File](t)(v.Files(t.Context())) {
		n, _, err := v.Note(t.Context(), f.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range n.Passages {
			place := fmt.Sprint(p.Path, " ", p.Index)
			a.places[p.ID], a.ids[place] = place, p.ID
		}
	}
	return a
}

func (a *asked) set(s *store.Set) []string {
	if s == nil {
		return slices.Sorted(maps.Values(a.places))
	}
	var list []string
	for id := range s.All() {
		place, ok := a.places[id]
		if !ok {
			a.t.Errorf("passage %d is hidden", id)
		}
		list = append(list, place)
	}
	slices.Sort(list)
	return list
}

// part is a set of the passages that are there, drawn by their places; all of them, nil, in one of two times.
func (a *asked) part(d draw) *store.Set {
	some, seed := &store.Set{}, d.Uint32()
	if seed%2 == 0 {
		return nil
	}
	for _, place := range slices.Sorted(maps.Keys(a.ids)) {
		if (seed+uint32(len(place))*7+uint32(place[2])*13)%3 > 0 {
			some.Add(a.ids[place])
		}
	}
	return some
}

func (a *asked) hits(hits []store.Hit) (list []string) {
	for _, h := range hits {
		list = append(list, fmt.Sprint(a.places[h.ID], " ", h.Score))
	}
	return list
}

// answers asks everything that can be asked of a snapshot.
func (a *asked) answers(d draw) []any {
	t, v, ctx := a.t, a.v, a.t.Context()
	counts := func(notes, passages int, err error) [2]int { return [2]int{notes, passages} }
	all := []any{
		counts(v.Counts(ctx)), must[map[string]string](t)(v.Meta(ctx)), must[[]store.Problem](t)(v.Problems(ctx)),
		must[[]string](t)(v.OtherFiles(ctx)), must[[]store.File](t)(v.Files(ctx)),
	}
	for of, err := range v.Links(ctx) {
		all = append(all, must[store.LinksOf](t)(of, err))
	}
	for of, err := range v.Outlines(ctx) {
		all = append(all, must[store.OutlineOf](t)(of, err))
	}
	for range 25 {
		terms := []store.Term{{Text: d.word()}, {Text: d.words(2)}, {Text: d.word(), Occur: store.Occur(d.IntN(3))}, {Text: "陶土"}}
		q := store.LexicalQuery{Terms: terms, Weights: store.Weights{1, 2, 3, 4, 5, 6, 7}, Limit: 1 + d.IntN(20), Within: a.part(d), Among: a.part(d)}
		near := store.VectorQuery{Vector: d.vector(), Limit: 1 + d.IntN(20), Within: a.part(d)}
		frequencies := must[[]int](t)(v.Frequencies(ctx, []string{terms[0].Text, terms[1].Text, terms[2].Text}, a.part(d)))
		all = append(all, a.hits(must[[]store.Hit](t)(v.Lexical(ctx, q))), a.hits(must[[]store.Hit](t)(v.Nearest(ctx, near))), frequencies,
			a.set(must[*store.Set](t)(v.Holding(ctx, terms))), must[[]int](t)(v.TokenFrequencies(ctx, []uint16{0, 3, 8, 200}, a.part(d))),
			must[[][]string](t)(v.Words(ctx, []string{terms[1].Text})), a.candidates(q, near),
			a.newest(store.NewestQuery{Within: q.Within, Without: near.Within, Limit: q.Limit}))
		filter := store.Filter{Tags: d.list("t1", "t2"), NotTypes: d.list("w1", "w2"), Globs: d.list("a/*", "**/1*"), ExcludeArchived: d.IntN(2) == 0}
		if d.IntN(3) == 0 {
			filter.Among = d.paths(1 + d.IntN(40))
		}
		if d.IntN(3) == 0 {
			filter.Without = d.paths(d.IntN(40))
		}
		all = append(all, a.set(must[*store.Set](t)(v.Select(ctx, filter))), a.notes(store.NoteQuery{Filter: filter, Sort: store.Sort(d.IntN(4)), Limit: d.IntN(9)}))
	}
	return append(all, a.content()...)
}

// candidates by where they stand. The rank in the graph is that of all notes, so that of an index without any is left out.
func (a *asked) candidates(q store.LexicalQuery, near store.VectorQuery) (list []string) {
	identifiers := []store.Term{{Text: "camelcase"}, {Text: "w1"}}
	for _, c := range must[[]store.Candidate](a.t)(a.v.Candidates(a.t.Context(), store.CandidateQuery{Lexical: q, Vector: near, Identifiers: identifiers})) {
		if a.hides && (c.PageRank != 0 || c.Note.NoteID+c.Note.DocID != "") {
			a.t.Errorf("%s is told with rank or names among all notes", c.Note.Path)
		}
		place := a.places[c.ID]
		if place != fmt.Sprint(c.Note.Path, " ", c.Index) {
			a.t.Errorf("%s is told to be %s %d", place, c.Note.Path, c.Index)
		}
		list = append(list, fmt.Sprint(place, c.LexicalRank, c.VectorRank, c.BM25, c.Identifier, c.Cosine, c.NoteCosine, c.Weight,
			c.Note.Title, c.Note.Type, c.Note.Status, c.Note.Tags, c.Note.Aliases, c.Note.Updated))
	}
	return list
}

func (a *asked) newest(q store.NewestQuery) (list []string) {
	for _, c := range must[[]store.Candidate](a.t)(a.v.Newest(a.t.Context(), q)) {
		list = append(list, fmt.Sprint(a.places[c.ID], c.Note.Updated))
	}
	return list
}

func (a *asked) notes(q store.NoteQuery) []store.Note {
	return must[[]store.Note](a.t)(a.v.Notes(a.t.Context(), q))
}

// content reads notes and passages, also those of paths that are hidden or are not there.
func (a *asked) content() (all []any) {
	for folder := 'a'; folder < 'e'; folder++ {
		for i := range 31 {
			path := fmt.Sprintf("%c/%d.md", folder, i)
			for _, address := range []string{path, "#" + store.PathDigest(path)[:6], "#" + store.PathDigest(path)[:9]} {
				n, ok, err := a.v.Note(a.t.Context(), address)
				for k := range n.Passages {
					n.Passages[k].ID = 0
				}
				all = append(all, n, ok, err)
			}
		}
	}
	for _, place := range slices.Sorted(maps.Keys(a.ids)) {
		ids := []store.PassageID{a.ids[place]}
		found := must[[]store.Found](a.t)(a.v.Passages(a.t.Context(), ids))
		found[0].ID = 0
		vectors := must[[][]float32](a.t)(a.v.Vectors(a.t.Context(), append(ids, ids[0])))
		all = append(all, found, must[[][]byte](a.t)(a.v.RankData(a.t.Context(), append(ids, 0, 1<<30, ids[0]))), vectors)
	}
	return all
}

// TestEqualsAnIndexWithout compares an index of which some is hidden with one that never held this, question by question.
func TestEqualsAnIndexWithout(t *testing.T) {
	for name, open := range map[string]func(*testing.T) store.Store{"memory": inMemory, "sqlite": inFile} {
		t.Run(name, func(t *testing.T) {
			d := draw{rand.New(rand.NewPCG(1, 1))}
			p := &pair{open(t), open(t), map[string]bool{}}
			for round := range 8 {
				p.edit(t, d, store.Mode(round%4/3))
				want := must[store.Snapshot](t)(p.alone.Snapshot(t.Context()))
				below := must[store.Snapshot](t)(p.mixed.Snapshot(t.Context()))
				got := must[store.Snapshot](t)(visible.Snapshot(t.Context(), below, hidden))
				seed := d.Uint64()
				wanted := newAsked(t, want).answers(draw{rand.New(rand.NewPCG(seed, 2))})
				given := newAsked(t, got).answers(draw{rand.New(rand.NewPCG(seed, 2))})
				if diff := cmp.Diff(wanted, given, cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("round %d (-without +hidden):\n%s", round, diff)
				}
				hiddenPassages(t, below, got)
				if _, is := got.(store.Linked); is {
					t.Error("what shows a part of the notes tells of their edges")
				}
				if err := want.Close(); err != nil {
					t.Error(err)
				}
				if err := got.Close(); err != nil {
					t.Error(err)
				}
				if _, err := below.Files(context.Background()); name == "sqlite" && err == nil {
					t.Error("the snapshot below is still open")
				}
			}
		})
	}
}

// hiddenPassages asks for hidden passages by their ids.
func hiddenPassages(t *testing.T, below, v store.Snapshot) {
	t.Helper()
	seen := 0
	for _, n := range must[[]store.Note](t)(below.Notes(t.Context(), store.NoteQuery{})) {
		whole, _, err := below.Note(t.Context(), n.Path)
		if err != nil {
			t.Fatal(err)
		}
		if !hidden.Note(n.Path, n.Sensitivity) {
			continue
		}
		for _, p := range whole.Passages {
			seen++
			_, err := v.Passages(t.Context(), []store.PassageID{p.ID})
			_, unknown := v.Passages(t.Context(), []store.PassageID{1 << 29})
			if err == nil || unknown == nil || strings.ReplaceAll(err.Error(), fmt.Sprint(p.ID), fmt.Sprint(1<<29)) != unknown.Error() {
				t.Errorf("a hidden passage gives %v, an unknown one %v", err, unknown)
			}
			_, err = v.Vectors(t.Context(), []store.PassageID{p.ID})
			_, unknown = v.Vectors(t.Context(), []store.PassageID{1 << 29})
			if err == nil || unknown == nil || strings.ReplaceAll(err.Error(), fmt.Sprint(p.ID), fmt.Sprint(1<<29)) != unknown.Error() {
				t.Errorf("the vector of a hidden passage gives %v, of an unknown one %v", err, unknown)
			}
			if data := must[[][]byte](t)(v.RankData(t.Context(), []store.PassageID{p.ID})); data[0] != nil {
				t.Error("a hidden passage has ranking data")
			}
		}
	}
	if seen == 0 {
		t.Error("nothing is hidden")
	}
}
