package sqlite

import (
	"errors"
	"path/filepath"
	"testing"

	"quarry/store"
)

// TestWarmKeeps holds that all is in memory after Warm, and that a second one reads nothing again.
func TestWarmKeeps(t *testing.T) {
	s, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "index.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	warm := func() *resident {
		v, err := s.openSnapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		if err := v.Warm(t.Context()); err != nil {
			t.Fatal(err)
		}
		return v.resident
	}
	warm() // of nothing
	u, err := s.Begin(t.Context(), store.Full)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = u.Rollback() }()
	passage := store.Passage{Text: "A moat.", IndexText: "A moat.", LineStart: 1, LineEnd: 1, Vector: []float32{1, 2, 3, 4}}
	note := store.Note{File: store.File{Path: "a.md", ContentHash: "00"}, Title: "A", Passages: []store.Passage{passage}}
	if err := errors.Join(u.Put(t.Context(), []store.Note{note}), u.Commit(t.Context())); err != nil {
		t.Fatal(err)
	}
	first := warm()
	if first.lengths == nil || first.vectors == nil || first.kept == nil || !first.whole.hasTokens {
		t.Fatalf("lengths %t, vectors %t, notes %t, tokens %t", first.lengths != nil, first.vectors != nil, first.kept != nil, first.whole.hasTokens)
	}
	kept, block := first.kept, &first.vectors[0].data[0]
	if second := warm(); second != first || second.kept != kept || &second.vectors[0].data[0] != block {
		t.Error("it was read again")
	}
}
