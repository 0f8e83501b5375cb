package sqlite

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// Only damage of the file is called damage: a damaged index is set aside.
func TestKindsOfErrors(t *testing.T) {
	for _, test := range []struct {
		extended int // the code as SQLite numbers it
		want     error
	}{
		{11, store.ErrDamaged},         // CORRUPT
		{11 | 1<<8, store.ErrDamaged},  // CORRUPT_VTAB
		{24, store.ErrDamaged},         // FORMAT
		{26, store.ErrDamaged},         // NOTADB
		{10 | 2<<8, store.ErrDamaged},  // IOERR_SHORT_READ
		{10 | 33<<8, store.ErrDamaged}, // IOERR_CORRUPTFS
		{5, store.ErrLocked},           // BUSY
		{15, store.ErrLocked},          // PROTOCOL
		{8, store.ErrReadOnly},         // READONLY
		{13, ErrNoSpace},               // FULL
		{7, ErrMemory},                 // NOMEM
		{10, ErrIO},                    // IOERR
		{14, ErrIO},                    // CANTOPEN
		{1, ErrRefused},                // ERROR
		{17, ErrRefused},               // SCHEMA
		{18, ErrRefused},               // TOOBIG
		{21, ErrRefused},               // MISUSE
	} {
		err := wrap(t.Context(), "ask", &engine.Error{Code: test.extended & 0xff, Extended: test.extended, Message: "raw words"})
		if !errors.Is(err, test.want) || strings.Contains(err.Error(), "raw") {
			t.Errorf("code %d: %v, want %v", test.extended, err, test.want)
		}
	}
}

func TestLogarithm(t *testing.T) {
	for x := 1 + 1e-9; x < 1e12; x *= 1.0137 {
		if got, want := logarithm(x), math.Log(x); math.Abs(got-want) > 4e-16*max(1, want) {
			t.Errorf("logarithm of %v: %v, want %v", x, got, want)
		}
	}
}

// TestMergeWords: whatever segments and levels FTS5 has, with marks of deletion among them, nothing of what is gone stays.
func TestMergeWords(t *testing.T) {
	if testing.Short() {
		t.Skip("one call after another: nothing in it can race that shorter tests do not")
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range 12 {
		path := filepath.Join(t.TempDir(), "index.db")
		s, err := Open(t.Context(), Options{Path: path})
		check(t, err)
		version, alive := 0, map[string]string{}
		for round := range 12 {
			opened, err := s.Begin(t.Context(), store.Incremental)
			check(t, err)
			u := opened.(*update)
			for range 1 + random.IntN(12) {
				version++
				path, words := "small.md", make([]string, 1+random.IntN(20))
				if random.IntN(12) == 0 { // FTS5 puts large segments on deeper levels
					path, words = "large.md", make([]string, 4000)
				}
				alive[path] = fmt.Sprintf("qz%05dqz", version)
				for i := range words {
					words[i] = fmt.Sprintf("%c%c%s", 'a'+random.IntN(26), 'a'+random.IntN(26), alive[path])
				}
				n := store.Note{File: store.File{Path: path, ContentHash: "ab"}, Passages: []store.Passage{{Text: strings.Join(words, " ")}}}
				check(t, u.Put(t.Context(), []store.Note{n}))
			}
			if random.IntN(2) == 0 { // else they are taken out one by one, which may leave empty levels
				u.remnants.words, u.remnants.tooMany = nil, true
			}
			check(t, u.Commit(t.Context()))
			content, err := os.ReadFile(path)
			check(t, err)
			for _, word := range regexp.MustCompile(`qz\d{5}qz`).FindAllString(string(content), -1) {
				if word != alive["small.md"] && word != alive["large.md"] {
					t.Fatalf("round %d: %s is left, alive are %v", round, word, alive)
				}
			}
			check(t, s.Verify(t.Context()))
		}
		check(t, s.Close())
	}
}
