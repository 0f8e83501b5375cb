package postings_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/store/sqlite/internal/engine"
	"quarry/store/sqlite/internal/postings"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// table makes a small FTS5 table in which words are spread over pages and segments.
func table(t testing.TB) *engine.Conn {
	t.Helper()
	c, err := engine.Open(":memory:", false, true)
	must(t, err)
	t.Cleanup(func() { must(t, c.Close()) })
	must(t, c.Script(`CREATE VIRTUAL TABLE f USING fts5(a, b, c, d);
		CREATE VIRTUAL TABLE words USING fts5vocab(f, instance);
		INSERT INTO f(f, rank) VALUES('pgsz', 64); INSERT INTO f(f, rank) VALUES('automerge', 3)`))
	random := rand.New(rand.NewPCG(1, 1))
	for row := range 120 {
		var columns [4]string
		for i := range columns {
			var list []string
			for range random.IntN(12) {
				list = append(list, fmt.Sprint("w", random.IntN(1+random.IntN(200))))
			}
			columns[i] = strings.Join(list, " ")
		}
		must(t, c.Exec("INSERT INTO f(rowid, a, b, c, d) VALUES(?, ?, ?, ?, ?)", 3*row+1, columns[0], columns[1], columns[2], columns[3]))
		if row%7 == 3 {
			must(t, c.Exec("DELETE FROM f WHERE rowid = ?", 3*random.IntN(row)+1))
		}
		if row%11 == 3 {
			must(t, c.Exec("UPDATE f SET a = 'w0 w1 w0' WHERE rowid = ?", 3*random.IntN(row)+1))
		}
	}
	return c
}

type occurrence struct {
	Row    int64
	Column int
	Offset int
}

// TestEachEqualsVocabulary compares with FTS5's own table of words.
func TestEachEqualsVocabulary(t *testing.T) {
	c := table(t)
	for _, state := range []string{"segments", "optimized"} {
		x, err := postings.Open(c, "f", 4)
		must(t, err)
		rows, err := c.Int("SELECT count(*) FROM f")
		must(t, err)
		total, err := c.Int("SELECT count(*) FROM words")
		must(t, err)
		if x.Rows != rows || x.Words != total {
			t.Errorf("%s: %d rows, %d words, want %d, %d", state, x.Rows, x.Words, rows, total)
		}
		for i := range 205 {
			word := fmt.Sprint("w", i)
			var want, got []occurrence
			s, err := c.Prepare("SELECT doc, unicode(col) - unicode('a'), offset FROM words WHERE term = ? ORDER BY 1, 2, 3")
			must(t, err)
			s.BindText(0, word)
			for {
				more, err := s.Step()
				must(t, err)
				if !more {
					break
				}
				want = append(want, occurrence{s.Int(0), int(s.Int(1)), int(s.Int(2))})
			}
			s.Reset()
			must(t, x.Each(word, func(row int64, positions []byte) {
				weight := postings.Weigh(positions, []float64{1, 1 << 10, 1 << 20})
				for _, p := range postings.Places(positions, nil) {
					got = append(got, occurrence{row, p.Column(), int(uint32(p))})
					if p.Column() < 3 {
						weight -= float64(int(1) << (10 * p.Column()))
					}
				}
				if weight != 0 {
					t.Errorf("%s: Weigh and Places differ in row %d", word, row)
				}
			}))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s, %s (-want +got):\n%s", state, word, diff)
			}
		}
		must(t, c.Exec("INSERT INTO f(f) VALUES('optimize')"))
	}
}

func TestOpenRefusesWhatItDoesNotKnow(t *testing.T) {
	for _, script := range []string{
		"UPDATE f_config SET v = 6 WHERE k = 'version'", "DELETE FROM f_data WHERE id = 10", "DELETE FROM f_data WHERE id = 1",
		"UPDATE f_data SET block = x'00000000ffffffffffff' WHERE id = 10",
	} {
		c := table(t)
		must(t, c.Script(script))
		if _, err := postings.Open(c, "f", 4); !errors.Is(err, postings.ErrCorrupt) {
			t.Errorf("%s: %v", script, err)
		}
	}
}

// FuzzDamage puts any bytes in the place of a page: errors are allowed, panics and endless loops are not.
func FuzzDamage(f *testing.F) {
	f.Add(uint16(0), uint16(0), []byte{0xff})
	f.Add(uint16(1), uint16(3), []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Add(uint16(2), uint16(9), []byte{0, 0, 1, 0x80, 0x80})
	c := table(f)
	f.Fuzz(func(t *testing.T, page, at uint16, bytes []byte) {
		must(t, c.Exec("SAVEPOINT s"))
		defer func() {
			must(t, c.Exec("ROLLBACK TO s"))
			must(t, c.Exec("RELEASE s"))
		}()
		pages, err := c.Int("SELECT count(*) FROM f_data")
		must(t, err)
		id, err := c.Int("SELECT id FROM f_data ORDER BY id LIMIT 1 OFFSET ?", int64(page)%pages)
		must(t, err)
		s, err := c.Prepare("SELECT block FROM f_data WHERE id = ?")
		must(t, err)
		s.BindInt(0, id)
		_, err = s.Step()
		must(t, err)
		block := s.Blob(0)
		s.Reset()
		if len(block) > 0 {
			copy(block[int(at)%len(block):], bytes)
		}
		must(t, c.Exec("UPDATE f_data SET block = ? WHERE id = ?", block, id))
		x, err := postings.Open(c, "f", 4)
		if err != nil {
			return
		}
		for _, word := range []string{"w0", "w1", "w17", "w150"} {
			_ = x.Each(word, func(_ int64, positions []byte) { postings.Places(positions, nil) })
		}
		_, _ = x.Phrase([]string{"w0", "w1"})
		var list []postings.Occurrence
		for row := range int64(360) {
			for _, word := range []string{"w0", "w1", "w17", "w150", "none"} {
				list = append(list, postings.Occurrence{Word: word, Row: row})
			}
		}
		_ = postings.Erase(c, "f", list)
	})
}
