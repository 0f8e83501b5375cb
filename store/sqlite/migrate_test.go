package sqlite

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
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

var (
	oldVector  = []float32{0.6, 0, -0.8}
	oldNote    = store.Note{File: store.File{Path: "a.md", ContentHash: "ab"}, Title: "A", Aliases: []string{"other"}}
	oldPassage = store.Passage{
		Path: "a.md", Text: "clay 白陶土瓶 words", Section: "S", HeadingPath: []string{"S"}, LineStart: 1, LineEnd: 2,
	}
)

// writeOld puts a note into a file of an older schema, as the program of that version wrote it.
func writeOld(t *testing.T, path string, version int) {
	t.Helper()
	older(t, path, version)
	c, err := engine.Open(path, false, false)
	check(t, err)
	n, p := &oldNote, &oldPassage
	aliases := jsonList(n.Aliases)
	sum := sumOfNote(n, noteLists{aliases: aliases, unclassed: true}, span{1, 1})
	check(t, c.Exec("INSERT INTO notes(id, path, digest, first_chunk, chunks, size, mtime_ns, inode, content_hash, declared_id, "+
		"kind, title, type, status, domain, source, created, updated, tags, aliases, embedded_at, checksum, links_checksum, frontmatter) "+
		"VALUES(1, ?, ?, 1, 1, 0, 0, 0, ?, '', '', 'A', '', '', '', '', '', '', NULL, ?, 0, ?, ?, NULL)",
		n.Path, digestKey(n.Path), packHash(n.ContentHash), aliases, sum, sumOfLinks(nil, nil)))
	check(t, c.Exec("INSERT INTO chunks(id, note, idx, file_path, section, chunk_text, heading_context, line_start, line_end, checksum, mtime_ns, embedded_at) "+
		"VALUES(1, 1, 0, ?, ?, ?, '', 1, 2, ?, 0, 0)", p.Path, p.Section, p.Text, sumOfPassage(p, "")))
	count := 4
	if version == 1 {
		check(t, c.Exec("INSERT INTO chunks_fts(rowid, chunk_text, section, heading_context) VALUES(1, ?, ?, '')", p.Text, p.Section))
	} else {
		texts := store.ColumnTexts(n, p)
		check(t, c.Exec("UPDATE chunks SET aliases = ?, pairs = ?, characters = ?", texts[store.ColumnAliases], texts[store.ColumnPairs], texts[store.ColumnCharacters]))
		columns := strings.TrimSuffix(wordColumns, ", identifiers") // which came with version 6
		check(t, c.Exec("INSERT INTO chunks_fts(rowid, "+columns+") SELECT id, "+columns+" FROM chunks"))
		words, err := countWords(c, 1)
		check(t, err)
		count = int(words)
	}
	lengths := make([]byte, 4*lengthSlots)
	lengths[4] = byte(count)
	check(t, c.Exec("INSERT INTO lengths VALUES(0, ?)", lengths))
	vectors := newVectorBlock(len(oldVector))
	vectors.set(1, oldVector)
	vectors.seal()
	check(t, c.Exec("INSERT INTO vectors VALUES(0, ?)", []byte(vectors)))
	check(t, c.Exec("UPDATE state SET dimension = ?", len(oldVector)))
	check(t, c.Script("INSERT INTO rank_data VALUES(1, x'00')")) // which none did
	check(t, c.Script("UPDATE state SET notes = 1, chunks = 1, last_chunk = 1, generation = 7; INSERT INTO model_meta VALUES('settings', 'x'), ('vault', 'v')"))
	check(t, c.Close())
}

// TestOlderSchema brings up a file of each older version with a note in it.
func TestOlderSchema(t *testing.T) {
	for version := 1; version < len(migrations); version++ {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) { testOlder(t, version) })
	}
}

func testOlder(t *testing.T, version int) {
	path := filepath.Join(t.TempDir(), "index.db")
	writeOld(t, path, version)
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
	look("other", min(version-1, 1))
	look("陶土", min(version-1, 1))
	v, err := s.Snapshot(t.Context())
	check(t, err)
	meta, err := v.Meta(t.Context())
	if _, kept := meta[store.MetaSettings]; kept || err != nil || meta[store.MetaVault] != "v" {
		t.Errorf("the metadata do not ask for a full run: %v, %v", meta, err)
	}
	check(t, v.Close())
	isClassed(t, s, unknownClass, nil)
	hasGraph(t, s, path, 0)
	isCandidate(t, s)
	n, redactions := oldNote, []store.Redaction{{Name: "jwt", Count: 2}}
	p := oldPassage
	p.Vector = oldVector
	n.Passages, n.Redactions, n.Links = []store.Passage{p}, redactions, []store.Link{{}}
	for _, mode := range []store.Mode{store.Incremental, store.Full} {
		u, err := s.Begin(t.Context(), mode)
		check(t, err)
		check(t, u.Put(t.Context(), []store.Note{n}))
		check(t, u.PutEdges(t.Context(), []store.EdgesOf{{Path: n.Path, Edges: []store.Edge{{Target: n.Path}}}}))
		check(t, u.PutFigures(t.Context(), []store.Figures{{Path: n.Path, PageRank: 1, Weight: 1}}))
		check(t, u.Commit(t.Context()))
		hasGraph(t, s, path, 1)
		look("other", 1)
		look("陶土", 1)
		isClassed(t, s, "", redactions)
		isCandidate(t, s)
		check(t, s.Verify(t.Context()))
	}
}

// isCandidate asks for the old note by word, stem and vector.
func isCandidate(t *testing.T, s *Store) {
	t.Helper()
	v, err := s.Snapshot(t.Context())
	check(t, err)
	defer func() { check(t, v.Close()) }()
	list, err := v.Candidates(t.Context(), store.CandidateQuery{
		Lexical: store.LexicalQuery{Terms: []store.Term{{Text: "wording"}}, Weights: store.Weights{1}, Limit: 9},
		Vector:  store.VectorQuery{Vector: oldVector, Limit: 9},
	})
	check(t, err)
	if len(list) != 1 || list[0].LexicalRank != 1 || list[0].VectorRank != 1 || list[0].Cosine < 0.98 || list[0].NoteCosine < 0.98 {
		t.Errorf("candidates %+v", list)
	}
	counts, err := v.TokenFrequencies(t.Context(), []uint16{0, 1}, nil)
	if data, _ := v.RankData(t.Context(), []store.PassageID{1}); err != nil || !slices.Equal(counts, []int{0, 0}) || data[0] != nil {
		t.Errorf("tokens %v, %v, data %v", counts, err, data)
	}
}

// hasGraph counts edges and figures, in the store and in the view, which has one of the passage too.
func hasGraph(t *testing.T, s *Store, path string, want int) {
	t.Helper()
	opened, err := s.Snapshot(t.Context())
	check(t, err)
	defer func() { check(t, opened.Close()) }()
	edges := 0
	for _, err := range opened.(*snapshot).Edges(t.Context()) {
		check(t, err)
		edges++
	}
	figures, err := opened.(*snapshot).Figures(t.Context())
	check(t, err)
	c, err := engine.Open(path, false, false)
	check(t, err)
	seen, err := c.Int("SELECT count(*) FROM edges")
	check(t, err)
	check(t, c.Close())
	if edges != want || len(figures) != want || int(seen) != want+1 {
		t.Errorf("%d notes with edges, %d with figures, %d rows of the view, want %d, %d, %d", edges, len(figures), seen, want, want, want+1)
	}
}

// isClassed looks at the class and the redactions of a.md in every way they are read.
func isClassed(t *testing.T, s *Store, class string, redactions []store.Redaction) {
	t.Helper()
	v, err := s.Snapshot(t.Context())
	check(t, err)
	defer func() { check(t, v.Close()) }()
	all, err := v.Notes(t.Context(), store.NoteQuery{})
	check(t, err)
	alone, _, err := v.Note(t.Context(), "a.md")
	check(t, err)
	found, err := v.Passages(t.Context(), []store.PassageID{alone.Passages[0].ID})
	check(t, err)
	for _, n := range append(all, alone, *found[0].Note) {
		if n.Sensitivity != class || !slices.Equal(n.Redactions, redactions) {
			t.Errorf("class %q, redactions %v, want %q, %v", n.Sensitivity, n.Redactions, class, redactions)
		}
	}
}

// TestClassCannotBeTaken changes the row of a private note behind the program's back.
func TestClassCannotBeTaken(t *testing.T) {
	for _, change := range []string{
		"sensitivity = 'public'", "sensitivity = ''", "redactions = NULL", "redactions = '[]'", "redactions = 'x'",
		`redactions = '[{"name":"jwt","count":1}]'`,
	} {
		path := filepath.Join(t.TempDir(), "index.db")
		s, err := Open(t.Context(), Options{Path: path})
		check(t, err)
		u, err := s.Begin(t.Context(), store.Full)
		check(t, err)
		n := oldNote
		n.Sensitivity, n.Redactions, n.Passages = "private", []store.Redaction{{Name: "jwt", Count: 2}}, []store.Passage{oldPassage}
		check(t, u.Put(t.Context(), []store.Note{n}))
		check(t, u.Commit(t.Context()))
		check(t, s.Verify(t.Context()))
		c, err := engine.Open(path, false, false)
		check(t, err)
		if sum, err := c.Int("SELECT sum(count) FROM redactions WHERE note = 1 AND name = 'jwt'"); sum != 2 || err != nil {
			t.Errorf("the view tells of %d, %v", sum, err)
		}
		check(t, c.Exec("UPDATE notes SET "+change))
		check(t, c.Close())
		v, err := s.Snapshot(t.Context())
		check(t, err)
		if _, err := v.Notes(t.Context(), store.NoteQuery{}); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: Notes gives %v", change, err)
		}
		check(t, v.Close())
		if err := s.Verify(t.Context()); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: Verify gives %v", change, err)
		}
		check(t, s.Close())
	}
}
