package sqlite_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/store"
	"quarry/store/storetest"
)

// tokenNotes are notes with vectors and tokens.
func tokenNotes(seed uint64, count int) []store.Note {
	random := rand.New(rand.NewPCG(seed, 4))
	list := notes(seed, 0, count, 3)
	for i := range list {
		for k := range list[i].Passages {
			p := &list[i].Passages[k]
			p.RankData = storetest.TokenData(random.Int32N(20), random.Int32N(20), random.Int32N(1000))
			if random.IntN(4) == 0 {
				p.Vector = nil
			}
		}
	}
	return list
}

// packed are counts as table token_frequencies has them.
func packed(counts ...uint64) string {
	var data []byte
	for _, count := range counts {
		data = binary.AppendUvarint(data, count)
	}
	return fmt.Sprintf("x'%x'", binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))))
}

// TestDamagedTokens changes tables of the second stage behind the program's back.
func TestDamagedTokens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	s := openAt(t, path)
	put(t, s, store.Full, tokenNotes(50, 40))
	must(t, s.Verify(t.Context()))
	must(t, s.Close())
	whole, err := os.ReadFile(path)
	must(t, err)
	many := make([]uint64, 1<<16+1)
	for i := range many {
		many[i] = 1
	}
	for name, test := range map[string]struct {
		change string
		asked  bool // it shows when it is asked for, not to Verify alone
	}{
		"data":                    {"UPDATE rank_data SET data = x'0102'", true},
		"data of another":         {"UPDATE rank_data SET (data, checksum) = (SELECT data, checksum FROM rank_data WHERE id = 2) WHERE id = 1", true},
		"data gone":               {"DELETE FROM rank_data WHERE id = 4", false},
		"frequencies gone":        {"DELETE FROM token_frequencies", true},
		"frequencies empty":       {"UPDATE token_frequencies SET data = x''", true},
		"frequencies short":       {"UPDATE token_frequencies SET data = x'00000000'", true},
		"frequencies large":       {"UPDATE token_frequencies SET data = zeroblob(60000000)", true},
		"frequencies wrong":       {"UPDATE token_frequencies SET data = " + packed(1, 2, 3), false},
		"more than passages":      {"UPDATE token_frequencies SET data = " + packed(1, 1<<40), true},
		"more than tokens":        {"UPDATE token_frequencies SET data = " + packed(many...), true},
		"zero at the end":         {"UPDATE token_frequencies SET data = " + packed(1, 0), true},
		"vector of a note":        {"UPDATE note_vectors SET data = x'00' || substr(data, 2)", true},
		"scale":                   {"UPDATE note_vectors SET scale = 2 * scale", true},
		"vector of another":       {"UPDATE note_vectors SET (scale, data, checksum) = (SELECT scale, data, checksum FROM note_vectors WHERE note = 3)", true},
		"vector gone":             {"DELETE FROM note_vectors WHERE note = 5", false},
		"vector of none":          {"INSERT INTO note_vectors SELECT 999, scale, data, checksum FROM note_vectors LIMIT 1", false},
		"vector short":            {"UPDATE note_vectors SET data = x'01'", true},
		"vectors of the passages": {"DELETE FROM vectors", false},
	} {
		copied := filepath.Join(t.TempDir(), "index.db")
		must(t, os.WriteFile(copied, whole, 0o600))
		change(t, copied, test.change)
		s := openAt(t, copied)
		if err := s.Verify(t.Context()); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: Verify gives %v", name, err)
		}
		if err := askTokens(t, s); test.asked != errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: asked, it gives %v", name, err)
		}
	}
}

// askTokens reads all that there is of the second stage.
func askTokens(t *testing.T, s store.Store) error {
	t.Helper()
	v := snapshot(t, s)
	ids, part := []store.PassageID{}, &store.Set{}
	for id := store.PassageID(1); id <= 120; id++ {
		ids = append(ids, id)
		if id < 50 {
			part.Add(id)
		}
	}
	_, rankData := v.RankData(t.Context(), ids)
	_, whole := v.TokenFrequencies(t.Context(), []uint16{1}, nil)
	_, some := v.TokenFrequencies(t.Context(), []uint16{1}, part)
	_, candidates := v.Candidates(t.Context(), store.CandidateQuery{Vector: store.VectorQuery{Vector: unit(rand.New(rand.NewPCG(1, 1)), 16), Limit: 500}})
	return errors.Join(rankData, whole, some, candidates)
}

// TestTablesOfIncrementalRuns: the same notes make the same rows, whatever was there between.
func TestTablesOfIncrementalRuns(t *testing.T) {
	folder := t.TempDir()
	edited, fresh := filepath.Join(folder, "edited.db"), filepath.Join(folder, "fresh.db")
	s := openAt(t, edited)
	put(t, s, store.Full, tokenNotes(60, 50))
	put(t, s, store.Incremental, tokenNotes(61, 80), tokenNotes(62, 20))
	u, err := s.Begin(t.Context(), store.Incremental)
	must(t, err)
	last := tokenNotes(63, 60)
	for _, n := range tokenNotes(61, 80) {
		must(t, u.Delete(t.Context(), []string{n.Path}))
	}
	must(t, u.Put(t.Context(), last))
	must(t, u.Commit(t.Context()))
	must(t, s.Verify(t.Context()))
	put(t, openAt(t, fresh), store.Full, last)
	got, want := tables(t, edited), tables(t, fresh)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-full +incremental:\n%.2000s", diff)
	}
	for table, rows := range want {
		if len(rows) == 0 {
			t.Errorf("%s is empty", table)
		}
	}
}

// tables lists rows by what does not depend on ids.
func tables(t *testing.T, path string) map[string][]string {
	t.Helper()
	c := raw(t, path)
	defer func() { must(t, c.Close()) }()
	list := map[string][]string{}
	for table, query := range map[string]string{
		"chunks": "SELECT file_path, idx, section, chunk_text, heading_context, outer_headings, aliases, index_text, pairs, characters, identifiers, checksum " +
			"FROM chunks ORDER BY file_path, idx",
		"docsize":      "SELECT file_path, idx, hex(sz) FROM chunks JOIN chunks_fts_docsize USING(id) ORDER BY file_path, idx",
		"rank_data":    "SELECT file_path, idx, hex(data) FROM chunks JOIN rank_data USING(id) ORDER BY file_path, idx",
		"note_vectors": "SELECT path, scale, hex(data) FROM note_vectors JOIN notes ON notes.id = note ORDER BY path",
		"frequencies":  "SELECT hex(data) FROM token_frequencies",
	} {
		s, err := c.Prepare(query)
		must(t, err)
		must(t, s.Each(func() error {
			row := ""
			for column := range 12 {
				row += s.Text(column) + "|"
			}
			list[table] = append(list[table], row)
			return nil
		}))
	}
	return list
}

// TestErasedFrequencies: numbers of passages that are gone are gone, too.
func TestErasedFrequencies(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	s := openAt(t, path)
	counts := []int{7, 31, 19, 44, 3, 28, 61, 12, 53, 37, 5, 22}
	var list []store.Note
	for i := range 61 {
		var tokens []int32
		for token, count := range counts {
			if i < count {
				tokens = append(tokens, int32(token))
			}
		}
		list = append(list, store.Note{
			File: store.File{Path: fmt.Sprintf("%02d.md", i)}, Passages: []store.Passage{{Text: "x", RankData: storetest.TokenData(tokens...)}},
		})
	}
	put(t, s, store.Full, list)
	var wanted []byte
	for _, count := range counts {
		wanted = append(wanted, byte(count))
	}
	isThere := func() bool {
		content, err := os.ReadFile(path)
		must(t, err)
		return bytes.Contains(content, wanted)
	}
	if !isThere() {
		t.Fatal("the frequencies are not in the file: the test looks for nothing")
	}
	u, err := s.Begin(t.Context(), store.Incremental)
	must(t, err)
	must(t, u.Delete(t.Context(), []string{"00.md", "01.md"}))
	must(t, u.Commit(t.Context()))
	if isThere() {
		t.Error("the old frequencies are still in the file")
	}
}
