package sqlite

import (
	"errors"
	"path/filepath"
	"testing"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// older makes an index as a program of an older schema does.
func older(t *testing.T, path string, version int) {
	t.Helper()
	all := migrations
	defer func() { migrations = all }()
	migrations = migrations[:version]
	s, err := Open(t.Context(), Options{Path: path})
	check(t, err)
	check(t, s.Close())
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestOlderSchema brings up a file of version 1 with a note in it, as that version wrote it.
func TestOlderSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	older(t, path, 1)
	c, err := engine.Open(path, false, false)
	check(t, err)
	n := store.Note{File: store.File{Path: "a.md", ContentHash: "ab"}, Title: "A", Aliases: []string{"other"}}
	p := store.Passage{Path: "a.md", Text: "clay 白陶土瓶 words", Section: "S", HeadingPath: []string{"S"}, LineStart: 1, LineEnd: 2}
	aliases := jsonList(n.Aliases)
	check(t, c.Exec("INSERT INTO notes("+noteColumns+", links_checksum, frontmatter) "+
		"VALUES(1, ?, ?, 1, 1, 0, 0, 0, ?, '', '', 'A', '', '', '', '', '', '', NULL, ?, 0, ?, ?, NULL)",
		n.Path, digestKey(n.Path), packHash(n.ContentHash), aliases, sumOfNote(&n, "", aliases, span{1, 1}), sumOfLinks(nil, nil)))
	check(t, c.Exec("INSERT INTO chunks(id, note, idx, file_path, section, chunk_text, heading_context, line_start, line_end, checksum, mtime_ns, embedded_at) "+
		"VALUES(1, 1, 0, ?, ?, ?, '', 1, 2, ?, 0, 0)", p.Path, p.Section, p.Text, sumOfPassage(&p, "")))
	check(t, c.Exec("INSERT INTO chunks_fts(rowid, chunk_text, section, heading_context) VALUES(1, ?, ?, '')", p.Text, p.Section))
	lengths := make([]byte, 4*lengthSlots)
	lengths[4] = 4
	check(t, c.Exec("INSERT INTO lengths VALUES(0, ?)", lengths))
	check(t, c.Script("UPDATE state SET notes = 1, chunks = 1, last_chunk = 1, generation = 7; INSERT INTO model_meta VALUES('settings', 'x'), ('vault', 'v')"))
	check(t, c.Close())

	if _, err := Open(t.Context(), Options{Path: path, ReadOnly: true}); !errors.Is(err, store.ErrMissing) {
		t.Errorf("a reader of the older file: %v", err)
	}
	s, err := Open(t.Context(), Options{Path: path})
	check(t, err)
	defer func() { check(t, s.Close()) }()
	check(t, s.Verify(t.Context()))
	look := func(words string, want int) {
		t.Helper()
		v, err := s.Snapshot(t.Context())
		check(t, err)
		hits, err := v.Lexical(t.Context(), store.LexicalQuery{Terms: []store.Term{{Text: words}}, Weights: store.Weights{1, 1, 1, 1, 1, 1, 1}, Limit: 9})
		if err != nil || len(hits) != want {
			t.Errorf("%s: %v, %v, want %d", words, hits, err, want)
		}
		check(t, v.Close())
	}
	look("clay", 1)
	look("other", 0)
	look("陶土", 0)
	v, err := s.Snapshot(t.Context())
	check(t, err)
	meta, err := v.Meta(t.Context())
	if _, kept := meta[store.MetaSettings]; kept || err != nil || meta[store.MetaVault] != "v" {
		t.Errorf("the metadata do not ask for a full run: %v, %v", meta, err)
	}
	check(t, v.Close())
	for _, mode := range []store.Mode{store.Incremental, store.Full} {
		n.Passages = []store.Passage{p}
		u, err := s.Begin(t.Context(), mode)
		check(t, err)
		check(t, u.Put(t.Context(), []store.Note{n}))
		check(t, u.Commit(t.Context()))
		look("other", 1)
		look("陶土", 1)
		check(t, s.Verify(t.Context()))
	}
}
