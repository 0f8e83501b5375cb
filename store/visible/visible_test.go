package visible_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"quarry/store"
	"quarry/store/memory"
	"quarry/store/visible"
)

// triple finds three paths whose digests begin with the same six digits, by trying.
func triple(t *testing.T) []string {
	t.Helper()
	seen := map[string][]string{}
	for i := range 2_000_000 {
		path := fmt.Sprintf("%d.md", i)
		digits := store.PathDigest(path)[:store.MinDocIDDigits]
		if seen[digits] = append(seen[digits], path); len(seen[digits]) == 3 {
			return seen[digits]
		}
	}
	t.Fatal("no three digests begin alike")
	return nil
}

func holding(t *testing.T, open func(*testing.T) store.Store, notes ...store.Note) store.Snapshot {
	t.Helper()
	s := open(t)
	u := must[store.Update](t)(s.Begin(t.Context(), store.Full))
	if err := u.Put(t.Context(), notes); err != nil {
		t.Fatal(err)
	}
	if err := u.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	v := must[store.Snapshot](t)(s.Snapshot(t.Context()))
	t.Cleanup(func() { _ = v.Close() })
	return v
}

func at(path, class string) store.Note {
	return store.Note{File: store.File{Path: path, ContentHash: "00"}, Sensitivity: class, Passages: []store.Passage{{Path: path, Text: "clay"}}}
}

// TestDocIDs hides in turn each of three notes whose DocIDs have to be longer, two of them, and a note whose path is what
// the DocID of another looks like.
func TestDocIDs(t *testing.T) {
	three := triple(t)
	prefix := "#" + store.PathDigest(three[0])[:store.MinDocIDDigits]
	for name, open := range map[string]func(*testing.T) store.Store{"memory": inMemory, "sqlite": inFile} {
		for hides := range 16 {
			var all, shown []store.Note
			for i, path := range append([]string{prefix}, three...) {
				n := at(path, map[bool]string{true: "private"}[hides>>i&1 == 1])
				n.DeclaredID = []string{"", "", "one", "two"}[i]
				if all = append(all, n); n.Sensitivity == "" {
					shown = append(shown, n)
				}
			}
			v := must[store.Snapshot](t)(visible.Snapshot(t.Context(), holding(t, open, all...), hidden))
			want := holding(t, open, shown...)
			for _, address := range append([]string{prefix, prefix + "0", "#" + store.PathDigest(three[1])[:20], "#" + store.PathDigest(prefix)[:8]}, three...) {
				got, found, err := v.Note(t.Context(), address)
				wanted, is, wantErr := want.Note(t.Context(), address)
				if got.Path != wanted.Path || got.DocID != wanted.DocID || found != is || err != nil || wantErr != nil {
					t.Errorf("%s, hidden %04b: %s is %s %s %v, %v, want %s %s %v", name, hides, address, got.Path, got.DocID, found, err, wanted.Path, wanted.DocID, is)
				}
			}
			list := must[[]store.Note](t)(v.Notes(t.Context(), store.NoteQuery{}))
			for i, n := range must[[]store.Note](t)(want.Notes(t.Context(), store.NoteQuery{})) {
				if list[i].Path != n.Path || list[i].DocID != n.DocID {
					t.Errorf("%s, hidden %04b: %s %s, want %s %s", name, hides, list[i].Path, list[i].DocID, n.Path, n.DocID)
				}
			}
		}
	}
}

// TestNoteIDs hides each part of some notes whose ids depend on each other.
func TestNoteIDs(t *testing.T) {
	declared := map[string]string{"a.md": "b", "c.md": "x.canvas.md", "d.md": "twice", "e.md": "twice"}
	paths := []string{"a.md", "b.md", "c.md", "d.md", "e.md", "x.canvas", "x.canvas.md"}
	for name, open := range map[string]func(*testing.T) store.Store{"memory": inMemory, "sqlite": inFile} {
		for hides := range 1 << len(paths) {
			if name == "sqlite" && hides%5 > 0 {
				continue
			}
			var all, shown []store.Note
			for i, path := range paths {
				n := at(path, map[bool]string{true: "private"}[hides>>i&1 == 1])
				n.DeclaredID = declared[path]
				if all = append(all, n); n.Sensitivity == "" {
					shown = append(shown, n)
				}
			}
			v := must[store.Snapshot](t)(visible.Snapshot(t.Context(), holding(t, open, all...), hidden))
			want := must[[]store.Note](t)(holding(t, open, shown...).Notes(t.Context(), store.NoteQuery{}))
			for i, n := range must[[]store.Note](t)(v.Notes(t.Context(), store.NoteQuery{})) {
				single, _, err := v.Note(t.Context(), n.Path)
				if n.NoteID != want[i].NoteID || single.NoteID != want[i].NoteID || err != nil {
					t.Errorf("%s, hidden %07b: %s is %s in the list and %s alone, want %s, %v", name, hides, n.Path, n.NoteID, single.NoteID, want[i].NoteID, err)
				}
			}
		}
	}
}

// TestNothingHidden: what hides nothing costs nothing.
func TestNothingHidden(t *testing.T) {
	below := holding(t, inMemory, at("a.md", ""), at("b.md", "public"))
	never := func(string) bool { return false }
	for _, h := range []visible.Hidden{{}, {Note: hidden.Note}} {
		if v := must[store.Snapshot](t)(visible.Snapshot(t.Context(), below, h)); v != below {
			t.Error("nothing is hidden, but the snapshot is another")
		}
	}
	v := must[store.Snapshot](t)(visible.Snapshot(t.Context(), below, visible.Hidden{Path: never}))
	if _, is := v.(store.Linked); is {
		t.Error("what hides paths tells of edges")
	}
	if n, passages, err := v.Counts(t.Context()); n != 2 || passages != 2 || err != nil {
		t.Errorf("%d notes, %d passages, %v", n, passages, err)
	}
}

// TestAllHidden: an index of which all is hidden is empty.
func TestAllHidden(t *testing.T) {
	for _, open := range []func(*testing.T) store.Store{inMemory, inFile} {
		v := must[store.Snapshot](t)(visible.Snapshot(t.Context(), holding(t, open, at("a.md", "private"), at("b.md", "private")), hidden))
		a := newAsked(t, v)
		hits := must[[]store.Hit](t)(v.Lexical(t.Context(), store.LexicalQuery{Terms: []store.Term{{Text: "clay"}}, Weights: store.Weights{1}, Limit: 9}))
		counts := must[[]int](t)(v.Frequencies(t.Context(), []string{"clay"}, nil))
		if len(a.ids) > 0 || len(hits) > 0 || counts[0] > 0 {
			t.Errorf("%v, %v, %v", a.ids, hits, counts)
		}
	}
}

// TestReadOnce: a note is asked about once, with what decides about it.
func TestReadOnce(t *testing.T) {
	for _, open := range []func(*testing.T) store.Store{inMemory, inFile} {
		below := holding(t, open, at("a.md", "private"), at("b.md", ""), at("d/c.md", ""))
		asked := map[string]int{}
		v := must[store.Snapshot](t)(visible.Snapshot(t.Context(), below, visible.Hidden{Path: hidden.Path, Note: func(path, class string) bool {
			asked[path+" "+class]++
			return hidden.Note(path, class)
		}}))
		newAsked(t, v).answers(draw{rand.New(rand.NewPCG(3, 3))})
		want := map[string]int{}
		for _, n := range must[[]store.Note](t)(below.Notes(t.Context(), store.NoteQuery{})) {
			want[n.Path+" "+n.Sensitivity] = 1
		}
		if fmt.Sprint(asked) != fmt.Sprint(want) {
			t.Errorf("asked %v, want %v", asked, want)
		}
	}
}

// broken fails where notes are listed.
type broken struct{ store.Snapshot }

var errBroken = errors.New("broken")

func (broken) Notes(context.Context, store.NoteQuery) ([]store.Note, error) { return nil, errBroken }

func TestNothingIsShownInDoubt(t *testing.T) {
	below := must[store.Snapshot](t)(memory.New().Snapshot(t.Context()))
	v, err := visible.Snapshot(t.Context(), broken{below}, hidden)
	if v != nil || !errors.Is(err, errBroken) {
		t.Errorf("%v, %v", v, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	v, err = visible.Snapshot(ctx, holding(t, inMemory, at("a.md", "")), visible.Hidden{Note: func(string, string) bool {
		cancel()
		return false
	}})
	if v != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("ended meanwhile: %v, %v", v, err)
	}
}
