package sqlite_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quarry/internal/vector"
	"quarry/store"
	"quarry/store/sqlite"
	"quarry/store/sqlite/internal/engine"
	"quarry/store/storetest"
)

// garden makes notes full of words that stand nowhere else, and looks for those that should be gone.
type garden struct {
	path    string
	random  *rand.Rand
	begun   map[string]bool   // the first 8 letters of words
	planted map[string]string // a word, or a vector as it is stored, and where it was planted
	alive   map[string][]string
}

func newGarden(path string, seed uint64) *garden {
	return &garden{path, rand.New(rand.NewPCG(seed, 5)), map[string]bool{}, map[string]string{}, map[string][]string{}}
}

// word plants a word under a key: forget makes it one that should be gone.
func (g *garden) word(key, place string) string {
	b := make([]byte, 10)
	for g.begun[string(b[:8])] || b[0] == 0 { // isErased tells words apart by these
		for i := range b {
			b[i] = byte('a' + g.random.IntN(26))
		}
	}
	g.begun[string(b[:8])] = true
	word := string(b) + []string{"", "", "ing", "es", "ational"}[g.random.IntN(5)] // the full text has stems of these
	g.plant(key, word, place)
	return word
}

func (g *garden) plant(key, word, place string) {
	g.planted[word] = key + ": " + place
	g.alive[key] = append(g.alive[key], word)
}

// tokens plants data of tokens.
func (g *garden) tokens(key string) []byte {
	tokens := make([]int32, 40)
	for i := range tokens {
		tokens[i] = g.random.Int32N(1 << 16)
	}
	data := storetest.TokenData(tokens...)
	g.plant(key, string(data[len(data)/3:]), "rank data") // they begin alike
	return data
}

func (g *garden) forget(key string) { delete(g.alive, key) }

// note makes a note; one that is put again gets all words anew but for its path.
func (g *garden) note(path string) store.Note {
	g.forget(path)
	w := func(place string) string { return g.word(path, place) }
	n := store.Note{
		File: store.File{Path: path, ContentHash: w("content hash")}, DeclaredID: w("id"), Kind: w("kind"), Title: w("title"),
		Type: w("type"), Status: w("status"), Domain: w("domain"), Source: w("source"), Created: w("created"), Updated: w("updated"),
		Tags: []string{w("tag"), w("tag")}, Aliases: []string{w("alias")}, Sensitivity: "private",
		Frontmatter: fmt.Appendf(nil, `{"%s":"%s"}`, w("property"), w("value")),
		Redactions:  []store.Redaction{{Name: w("rule"), Count: 1}}, BlockIDs: []string{w("block")},
		Headings: []store.Heading{{Text: w("heading"), Level: 1}},
	}
	for range g.random.IntN(5) {
		n.Links = append(n.Links, store.Link{
			Target: w("target"), Subpath: "#" + w("subpath"), Display: w("display"), Relation: w("relation"), Line: 1,
		})
	}
	for i := range g.random.IntN(5) {
		p := store.Passage{
			Section: w("section"), HeadingPath: []string{w("heading"), w("heading")}, Text: w("text"), IndexText: w("index text"),
			HeadingContext: n.Title, LineStart: i + 1, LineEnd: i + 1, RankData: g.tokens(path), Vector: unit(g.random, 16),
		}
		for range g.random.IntN(300) {
			p.Text += fmt.Sprint(" ", w("text"), " w", g.random.IntN(50))
		}
		if i > 0 && g.random.IntN(2) == 0 { // larger than a page
			p.Text += strings.Repeat(" "+w("long text")+" w1", 2000)
		}
		row := make([]int8, len(p.Vector))
		vector.Quantize(p.Vector, row)
		var b []byte
		for _, c := range row {
			b = append(b, byte(c))
		}
		g.plant(path, string(b), "vector")
		n.Passages = append(n.Passages, p)
	}
	g.plantSum(n)
	return n
}

// plantSum plants the vector of a note.
func (g *garden) plantSum(n store.Note) {
	if len(n.Passages) < 2 { // else it is that of the passage
		return
	}
	sum, row := make([]float32, 16), make([]int8, 16)
	for _, p := range n.Passages {
		for i, x := range p.Vector {
			sum[i] += x
		}
	}
	vector.Quantize(sum, row)
	b := make([]byte, len(row))
	for i, c := range row {
		b[i] = byte(c)
	}
	g.plant(n.Path, string(b), "vector of a note")
}

// isErased looks at every byte of the files for what was planted and is not alive.
func (g *garden) isErased(t *testing.T, when string) {
	t.Helper()
	alive := map[string]bool{}
	for _, words := range g.alive {
		for _, w := range words {
			alive[w[:8]] = true
		}
	}
	// The words by their beginnings, so that each place of the files is looked up once.
	dead := map[string]string{}
	for word, place := range g.planted {
		if !alive[word[:8]] {
			dead[word[:8]] = place
		}
	}
	for _, suffix := range []string{"", "-wal", "-journal", "-shm"} {
		content, err := os.ReadFile(g.path + suffix)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		left := map[string]int{}
		for i := range max(0, len(content)-8) {
			if place, found := dead[string(content[i:i+8])]; found && !isWithin(alive, content, i) {
				left[place[strings.Index(place, ": ")+2:]]++
			}
		}
		if len(left) > 0 {
			t.Fatalf("%s: index.db%s holds what is gone: %v", when, suffix, left)
		}
	}
}

// isWithin tells whether what is there is a piece of a longer word that is alive.
func isWithin(alive map[string]bool, content []byte, at int) bool {
	for from := max(0, at-9); from < at; from++ {
		if alive[string(content[from:from+8])] {
			return true
		}
	}
	return false
}

func (g *garden) holds(t *testing.T, key string) {
	t.Helper()
	content, err := os.ReadFile(g.path)
	must(t, err)
	for _, word := range g.alive[key] {
		if !bytes.Contains(content, []byte(word)) && !strings.HasPrefix(g.planted[word], key+": content hash") {
			t.Errorf("%s is not in the file: the test looks for nothing", g.planted[word])
		}
	}
}

// TestErased: no byte of the file and its log holds what was replaced or deleted when the run has ended.
func TestErased(t *testing.T) {
	if testing.Short() {
		t.Skip("one call after another: nothing in it can race that shorter tests do not")
	}
	for seed := range uint64(3) {
		path := filepath.Join(t.TempDir(), "index.db")
		g := newGarden(path, seed)
		s := openAt(t, path)
		for round := range 14 {
			mode := store.Incremental
			if round%6 == 0 {
				mode = store.Full
				clear(g.alive)
			}
			g.run(t, s, mode, 1+g.random.IntN(40))
			g.isErased(t, fmt.Sprintf("seed %d, round %d", seed, round))
			must(t, s.Verify(t.Context()))
		}
		g.holds(t, "run")
		must(t, s.Close())
		g.isErased(t, "closed")
	}
}

// edges gives the links of notes, all of which lead to the first, kinds and rules of their own.
func (g *garden) edges(of []store.Note) (edges []store.EdgesOf) {
	for _, n := range of {
		e := store.EdgesOf{Path: n.Path}
		for i := range n.Links {
			e.Edges = append(e.Edges, store.Edge{
				Link: i, Target: of[0].Path, Kind: g.word(n.Path, "kind of an edge"), Rule: g.word(n.Path, "rule of an edge"),
			})
		}
		edges = append(edges, e)
	}
	return edges
}

// run puts and deletes some of 60 notes, in several calls, and replaces all that a run can set.
func (g *garden) run(t *testing.T, s *sqlite.Store, mode store.Mode, changes int) {
	t.Helper()
	ctx := t.Context()
	u, err := s.Begin(ctx, mode)
	must(t, err)
	var batch []store.Note
	for i := range changes {
		path := fmt.Sprintf("folder/%02d.md", g.random.IntN(60))
		if g.random.IntN(3) == 0 {
			g.forget(path)
			batch = slices.DeleteFunc(batch, func(n store.Note) bool { return n.Path == path })
			must(t, u.Delete(ctx, []string{path}))
			continue
		}
		if !slices.ContainsFunc(batch, func(n store.Note) bool { return n.Path == path }) {
			batch = append(batch, g.note(path))
		}
		if i%8 == 7 || i == changes-1 {
			must(t, u.Put(ctx, batch))
			must(t, u.PutEdges(ctx, g.edges(batch)))
			batch = nil
		}
	}
	must(t, u.Put(ctx, batch))
	must(t, u.PutEdges(ctx, g.edges(batch)))
	g.forget("run")
	moved := g.note("moved")
	moved.Path = g.word("moved", "path") + ".md"
	must(t, u.Put(ctx, []store.Note{moved}))
	must(t, u.Delete(ctx, []string{moved.Path}))
	g.forget("moved")
	must(t, u.SetProblems(ctx, []store.Problem{{Path: g.word("run", "path of a problem"), State: "failed", Reason: g.word("run", "reason")}}))
	must(t, u.SetOtherFiles(ctx, []string{g.word("run", "other file"), g.word("run", "other file"), g.word("run", "other file")}))
	must(t, u.SetMeta(ctx, map[string]string{"a": g.word("run", "value of the metadata")}))
	must(t, u.Commit(ctx))
}

// TestErasedBehindReaders: a reader sees the old index to the end; the next run erases what it held, though there is
// nothing else to do.
func TestErasedBehindReaders(t *testing.T) {
	for _, mode := range []store.Mode{store.Incremental, store.Full} {
		path := filepath.Join(t.TempDir(), "index.db")
		g := newGarden(path, 9)
		s := openAt(t, path)
		reader, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, ReadOnly: true})
		must(t, err)
		defer reader.Close()
		old := g.note("a.md")
		put(t, s, store.Full, []store.Note{old, g.note("b.md")})
		v := snapshot(t, reader)
		if mode == store.Full {
			clear(g.alive)
		}
		put(t, s, mode, []store.Note{g.note("a.md")})
		n, _, err := v.Note(t.Context(), "a.md")
		if err != nil || n.Title != old.Title {
			t.Errorf("the reader sees %q, %v, want %q", n.Title, err, old.Title)
		}
		must(t, v.Close())
		put(t, s, store.Incremental)
		g.isErased(t, fmt.Sprint("mode ", mode))
	}
}

// TestErasedAfterRollback: nothing stays of what a run that was given up had written.
func TestErasedAfterRollback(t *testing.T) {
	if testing.Short() {
		t.Skip("one call after another: nothing in it can race that shorter tests do not")
	}
	for _, mode := range []store.Mode{store.Incremental, store.Full} {
		path := filepath.Join(t.TempDir(), "index.db")
		g := newGarden(path, 10)
		s := openAt(t, path)
		put(t, s, store.Full, []store.Note{g.note("a.md"), g.note("b.md")})
		u, err := s.Begin(t.Context(), mode)
		must(t, err)
		for i := range 40 { // more than the cache of pages holds
			n := g.note(fmt.Sprint("c", i))
			for range 50 {
				n.Passages = append(n.Passages, store.Passage{Text: strings.Repeat(g.word("c", "text")+" w1 ", 1000), LineStart: 1, LineEnd: 1})
			}
			must(t, u.Put(t.Context(), []store.Note{n}))
			if mode == store.Full {
				g.forget(n.Path)
			}
		}
		if mode == store.Full {
			g.forget("c")
		}
		must(t, u.Rollback())
		g.isErased(t, fmt.Sprint("mode ", mode))
	}
}

// TestErasedFromOlderFile: a full run erases what a program without any erasing left.
func TestErasedFromOlderFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	g := newGarden(path, 11)
	s := openAt(t, path)
	g.run(t, s, store.Full, 40)
	must(t, s.Close())
	word := g.word("old", "free space")
	change(t, path, "PRAGMA secure_delete = OFF; CREATE TABLE old(a); INSERT INTO old VALUES('"+strings.Repeat(word+" ", 20000)+"'); "+
		"INSERT INTO old SELECT a FROM old; DROP TABLE old; DELETE FROM chunks WHERE id > 20; DELETE FROM notes WHERE id > 10; "+
		"UPDATE state SET erased = NULL, generation = generation + 1; PRAGMA wal_checkpoint(TRUNCATE)")
	content, err := os.ReadFile(path)
	must(t, err)
	if !bytes.Contains(content, []byte(word)) {
		t.Fatal("the free pages hold nothing")
	}
	clear(g.alive)
	s = openAt(t, path)
	put(t, s, store.Full, []store.Note{g.note("a.md")})
	g.isErased(t, "full run")
	must(t, s.Verify(t.Context()))
}

// versionWord marks the versions of writeForEver.
var versionWord = regexp.MustCompile(`vq\d+qv`)

// isErasedAfterKill: a run after one that was killed leaves nothing of versions that are gone.
func isErasedAfterKill(t *testing.T, s *sqlite.Store, path string) {
	t.Helper()
	put(t, s, store.Incremental)
	alive := map[string]bool{}
	v := snapshot(t, s)
	all, err := v.Notes(t.Context(), store.NoteQuery{})
	must(t, err)
	for _, n := range all {
		n, _, err := v.Note(t.Context(), n.Path)
		must(t, err)
		alive[n.Passages[0].Section] = true
	}
	must(t, v.Close())
	for _, suffix := range []string{"", "-wal"} {
		content, err := os.ReadFile(path + suffix)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, word := range versionWord.FindAll(content, -1) {
			if !alive[string(word)] {
				t.Fatalf("%s is still in index.db%s, alive are %v", word, suffix, alive)
			}
		}
	}
}

// TestErasedWhereLogTellsNothing: pages that the log does not name any more, after a run that was killed and in a long one.
func TestErasedWhereLogTellsNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	g := newGarden(path, 12)
	s := openAt(t, path)
	g.run(t, s, store.Full, 60)
	word := g.word("killed", "middle of a page")
	spoil := func(c *engine.Conn) {
		t.Helper()
		q, err := c.Prepare("SELECT pgno, data FROM sqlite_dbpage WHERE substr(data, 1, 1) IN (x'0d', x'0a')")
		must(t, err)
		pages := map[int64][]byte{}
		must(t, q.Each(func() error {
			page := q.Blob(1)
			from := 8 + 2*int(binary.BigEndian.Uint16(page[3:]))
			if until := int(binary.BigEndian.Uint16(page[5:])); until-from > len(word) {
				copy(page[from:until], word)
				pages[q.Int(0)] = page
			}
			return nil
		}))
		if len(pages) == 0 {
			t.Fatal("no page has a free middle")
		}
		for number, page := range pages {
			must(t, c.Exec("UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?", page, number))
		}
		must(t, c.Script("UPDATE state SET erased = generation - 1; PRAGMA wal_checkpoint(TRUNCATE)"))
	}
	c := raw(t, path)
	spoil(c)
	must(t, c.Close())
	g.forget("killed")
	put(t, s, store.Incremental)
	g.isErased(t, "after a kill")
	must(t, s.Verify(t.Context()))

	for round := range 3 {
		g.run(t, s, store.Incremental, 600)
		g.isErased(t, fmt.Sprint("long run ", round))
	}
}

// TestErasedAfterHalfARun takes the files as they are in the midst of a run, which is what a killed one leaves.
func TestErasedAfterHalfARun(t *testing.T) {
	for calls := range 24 {
		path := filepath.Join(t.TempDir(), "index.db")
		g := newGarden(path, uint64(calls))
		s := openAt(t, path)
		if calls%2 == 0 {
			g.run(t, s, store.Full, 20)
		}
		u, err := s.Begin(t.Context(), store.Incremental)
		must(t, err)
		for range calls {
			must(t, u.Put(t.Context(), []store.Note{g.note(fmt.Sprint("n", g.random.IntN(3)))}))
		}
		copied := filepath.Join(t.TempDir(), "index.db")
		for _, suffix := range []string{"", "-wal"} {
			content, err := os.ReadFile(path + suffix)
			if !os.IsNotExist(err) {
				must(t, err)
				must(t, os.WriteFile(copied+suffix, content, 0o600))
			}
		}
		must(t, u.Rollback())
		g.isErased(t, fmt.Sprint("given up after ", calls))
		after := openAt(t, copied)
		put(t, after, store.Incremental)
		g.path = copied
		g.isErased(t, fmt.Sprint("killed after ", calls))
		must(t, after.Verify(t.Context()))
	}
}
