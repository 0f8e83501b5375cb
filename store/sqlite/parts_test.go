package sqlite_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"quarry/store"
)

// putLinked makes an index of notes with links of some length, each to its own note.
func putLinked(t *testing.T, s store.Store, noteCount, linkCount int) {
	t.Helper()
	u, err := s.Begin(t.Context(), store.Full)
	must(t, err)
	var list []store.Note
	var edges []store.EdgesOf
	for i := range noteCount {
		n := store.Note{File: store.File{Path: fmt.Sprintf("%04d.md", i), ContentHash: "ab"}}
		of := store.EdgesOf{Path: n.Path}
		for link := range linkCount {
			n.Links = append(n.Links, store.Link{Target: strings.Repeat(n.Path, 30), Line: link})
			of.Edges = append(of.Edges, store.Edge{Link: link, Target: n.Path, Kind: "references"})
		}
		list, edges = append(list, n), append(edges, of)
	}
	must(t, u.Put(t.Context(), list))
	must(t, u.PutEdges(t.Context(), edges))
	must(t, u.Commit(t.Context()))
}

// TestReadInParts: of all links, and of all edges, little is in memory at a time.
func TestReadInParts(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "index.db"))
	const noteCount, linkCount, maxBytes = 2000, 40, 4 << 20
	putLinked(t, s, noteCount, linkCount)
	v := snapshot(t, s)
	before, notes := heapBytes(), 0
	for of, err := range v.Links(t.Context()) {
		must(t, err)
		if notes++; notes == noteCount/2 {
			checkHeap(t, "links", before, maxBytes)
		}
		if len(of.Links) != linkCount {
			t.Fatalf("%s has %d links", of.Path, len(of.Links))
		}
	}
	for of, err := range v.(store.Linked).Edges(t.Context()) {
		must(t, err)
		if notes++; notes == noteCount+noteCount/2 {
			checkHeap(t, "edges", before, maxBytes)
		}
		if len(of.Edges) != linkCount {
			t.Fatalf("%s has %d edges", of.Path, len(of.Edges))
		}
	}
	if notes != 2*noteCount {
		t.Errorf("%d notes were read", notes)
	}
}

// heapBytes is the memory that is in use.
func heapBytes() int64 {
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return int64(now.HeapAlloc)
}

func checkHeap(t *testing.T, what string, before, maxBytes int64) {
	t.Helper()
	if more := heapBytes() - before; more > maxBytes {
		t.Errorf("%d bytes are in use while %s are read, more than %d", more, what, maxBytes)
	}
}
