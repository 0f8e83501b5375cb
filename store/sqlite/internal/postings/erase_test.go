package postings_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/store/sqlite/internal/engine"
	"quarry/store/sqlite/internal/postings"
)

// shelf is a table without content of its own, as the store's is, with the texts beside it.
type shelf struct {
	*engine.Conn
	random *rand.Rand
	texts  map[int64]string
	gone   []postings.Occurrence
}

func newShelf(t testing.TB, seed uint64, pageBytes int) *shelf {
	t.Helper()
	c, err := engine.Open(":memory:", false, true)
	must(t, err)
	t.Cleanup(func() { must(t, c.Close()) })
	must(t, c.Script(fmt.Sprintf(`CREATE TABLE texts(id INTEGER PRIMARY KEY, a TEXT);
		CREATE VIRTUAL TABLE f USING fts5(a, content='texts', content_rowid='id');
		CREATE VIRTUAL TABLE words USING fts5vocab(f, instance);
		INSERT INTO f(f, rank) VALUES('pgsz', %d); INSERT INTO f(f, rank) VALUES('automerge', %d);
		INSERT INTO f(f, rank) VALUES('crisismerge', 5)`, pageBytes, 2+seed%4)))
	return &shelf{Conn: c, random: rand.New(rand.NewPCG(seed, 2)), texts: map[int64]string{}}
}

// own is a word that no other row holds, alike to those of its neighbours.
func own(row int64, version int) string {
	return fmt.Sprintf("zq%dx%dqz", row/3, 1000*row+int64(version))
}

func (s *shelf) put(t testing.TB, row int64, version int) {
	t.Helper()
	s.drop(t, row)
	list := []string{own(row, version)}
	for range s.random.IntN(40) {
		list = append(list, fmt.Sprint("w", s.random.IntN(1+s.random.IntN(300))))
	}
	for range s.random.IntN(1 + s.random.IntN(300)) { // positions on several pages
		list = append(list, "long")
	}
	text := strings.Join(list, " ")
	must(t, s.Exec("INSERT INTO texts VALUES(?, ?)", row, text))
	must(t, s.Exec("INSERT INTO f(rowid, a) VALUES(?, ?)", row, text))
	s.texts[row] = text
}

func (s *shelf) drop(t testing.TB, row int64) {
	t.Helper()
	text, found := s.texts[row]
	if !found {
		return
	}
	delete(s.texts, row)
	must(t, s.Exec("INSERT INTO f(f, rowid, a) VALUES('delete', ?, ?)", row, text))
	must(t, s.Exec("DELETE FROM texts WHERE id = ?", row))
	for _, word := range strings.Fields(text) {
		s.gone = append(s.gone, postings.Occurrence{Word: word, Row: row})
	}
}

// all reads FTS5's own table of words.
func (s *shelf) all(t testing.TB) (list []string) {
	t.Helper()
	q, err := s.Prepare("SELECT term, doc, col, offset FROM words ORDER BY 1, 2, 3, 4")
	must(t, err)
	must(t, q.Each(func() error {
		list = append(list, fmt.Sprint(q.Text(0), q.Int(1), q.Text(2), q.Int(3)))
		return nil
	}))
	return list
}

// stored is every byte of the index.
func (s *shelf) stored(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, statement := range []string{"SELECT block FROM f_data ORDER BY id", "SELECT term FROM f_idx"} {
		q, err := s.Prepare(statement)
		must(t, err)
		must(t, q.Each(func() error {
			b.Write(append(q.Blob(0), 0xff))
			return nil
		}))
	}
	return b.Bytes()
}

func (s *shelf) erase(t testing.TB) {
	t.Helper()
	must(t, s.Script("SAVEPOINT s; RELEASE s"))
	before := s.all(t)
	must(t, postings.Erase(s.Conn, "f", s.gone))
	must(t, s.Script("SAVEPOINT s; ROLLBACK TO s; RELEASE s"))
	if diff := cmp.Diff(before, s.all(t)); diff != "" {
		t.Fatalf("erasing changes what is found (-before +after):\n%s", diff)
	}
	must(t, s.Exec("INSERT INTO f(f, rank) VALUES('integrity-check', 1)"))
}

// TestErase makes random changes and looks at what FTS5 finds and what bytes are left.
func TestErase(t *testing.T) {
	for seed := range uint64(6) {
		s := newShelf(t, seed, []int{32, 64, 200, 1000}[seed%4])
		for round := range 30 {
			s.gone = nil
			must(t, s.Exec("BEGIN"))
			for range 1 + s.random.IntN(20) {
				row := 1 + s.random.Int64N(90)
				if s.random.IntN(3) == 0 {
					s.drop(t, row)
				} else {
					s.put(t, row, round)
				}
			}
			s.erase(t)
			if s.random.IntN(10) == 0 {
				must(t, s.Exec("INSERT INTO f(f, rank) VALUES('merge', ?)", 1+s.random.IntN(20)))
			}
			must(t, s.Exec("COMMIT"))
			s.isErased(t, round)
		}
		for row := range s.texts {
			must(t, s.Exec("BEGIN"))
			s.gone = nil
			s.drop(t, row)
			s.erase(t)
			must(t, s.Exec("COMMIT"))
		}
		if pages, err := s.Int("SELECT count(*) FROM f_data WHERE id > 10"); err != nil || pages > 0 {
			t.Errorf("seed %d: %d pages of an empty index, %v", seed, pages, err)
		}
	}
}

// isErased looks for the own words of texts that are gone; what a word begins with may be its neighbour's.
func (s *shelf) isErased(t *testing.T, rounds int) {
	t.Helper()
	stored := s.stored(t)
	for row := range int64(91) {
		for version := range rounds + 1 {
			word := own(row, version)
			if strings.HasPrefix(s.texts[row], word+" ") || s.texts[row] == word {
				continue
			}
			if tail := word[strings.IndexByte(word, 'x'):]; bytes.Contains(stored, []byte(tail)) {
				t.Fatalf("row %d, version %d: %s is still there", row, version, word)
			}
		}
	}
	q, err := s.Int("SELECT count(*) FROM f_docsize")
	if err != nil || int(q) != len(s.texts) {
		t.Errorf("%d sizes of %d texts, %v", q, len(s.texts), err)
	}
}
