package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// Verify checks pages, full text, checksums, blocks and counts.
func (s *Store) Verify(ctx context.Context) error {
	opened, err := s.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer opened.Close()
	v := opened.(*snapshot)
	for _, check := range []func(*engine.Conn) error{v.checkPages, v.checkNotes, v.checkChunks, v.checkBlocks, v.checkNoteVectors, v.checkTokens} {
		if err := v.read(ctx, "verify "+s.path, check); err != nil {
			return err
		}
	}
	return s.checkFullText(ctx)
}

func (v *snapshot) checkPages(c *engine.Conn) error {
	// The check alone would go by the list of segments that FTS5 read for an earlier snapshot of this connection.
	if _, err := c.Int("SELECT rowid FROM chunks_fts WHERE rowid = 0"); err != nil {
		return err
	}
	s, err := c.Prepare("PRAGMA integrity_check(1)")
	if err != nil {
		return err
	}
	defer s.Reset()
	if more, err := s.Step(); err != nil || !more {
		return cmp.Or(err, damaged("the integrity check says nothing"))
	}
	if s.Text(0) != "ok" {
		return damaged("the pages of the file contradict each other")
	}
	return nil
}

// checkNotes reads every note with its links, outline and passages, and the other files, which checks their sums, and counts.
func (v *snapshot) checkNotes(c *engine.Conn) error {
	var notes []*noteRow
	err := eachNote(c, false, func(r *noteRow) { notes = append(notes, r) })
	if err != nil {
		return err
	}
	if int64(len(notes)) != v.state.notes {
		return damaged("%d notes, not %d", len(notes), v.state.notes)
	}
	links := make(map[string]int, len(notes)) // how many a note has
	for _, r := range notes {
		if r.digest != digestKey(r.Path) {
			return damaged("the digest of a note")
		}
		if err := readContent(c, r.id, &r.Note); err != nil {
			return err
		}
		links[r.Path] = len(r.Links)
		r.Links, r.Passages, r.Frontmatter, r.Headings, r.BlockIDs = nil, nil, nil, nil, nil
	}
	if _, err = readOtherFiles(c); err != nil {
		return err
	}
	return checkGraph(c, links)
}

// checkGraph reads edges and figures, which checks their sums, and whether there is a link for each edge.
func checkGraph(c *engine.Conn, links map[string]int) error {
	names, err := allNames(c)
	if err != nil {
		return err
	}
	reader := newEdgeReader(names)
	err = eachEdges(c, math.MinInt64, math.MaxInt64, func(note int64, packed []byte) error {
		path, err := names.of(note)
		if err != nil {
			return err
		}
		of, err := reader.edgesOf(path, packed)
		if err == nil && of.Edges[len(of.Edges)-1].Link >= links[path] {
			return damaged("an edge without a link")
		}
		return err
	})
	if err != nil {
		return err
	}
	_, err = readFigures(c)
	return err
}

func (v *snapshot) checkChunks(c *engine.Conn) error {
	for _, count := range []struct {
		statement string
		want      int64
	}{
		{"SELECT count(*) FROM chunks", v.state.chunks},
		{"SELECT count(*) FROM chunks_fts_docsize", v.state.chunks},
		{"SELECT count(*) FROM links WHERE note NOT IN (SELECT id FROM notes)", 0},
		{"SELECT count(*) FROM outlines WHERE note NOT IN (SELECT id FROM notes)", 0},
		{"SELECT count(*) FROM rank_data WHERE id NOT IN (SELECT id FROM chunks)", 0},
		{"SELECT max(0, max(id) - ?1) FROM chunks", 0},
	} {
		s, err := c.Prepare(count.statement)
		if err != nil {
			return err
		}
		if count.want == 0 {
			s.Bind(v.state.lastChunk)
		}
		more, err := s.Step()
		got := s.Int(0)
		s.Reset()
		if err != nil || !more || got != count.want {
			return cmp.Or(err, damaged("%d instead of %d: %s", got, count.want, count.statement))
		}
	}
	return nil
}

// checkBlocks compares the lengths with those of FTS5, and the sums of the vectors.
func (v *snapshot) checkBlocks(c *engine.Conn) error {
	fresh := resident{generation: v.state.generation}
	lengths, err := fresh.wordLengths(c, v.state.lastChunk)
	if err != nil {
		return err
	}
	s, err := c.Prepare("SELECT id, sz FROM chunks_fts_docsize")
	if err != nil {
		return err
	}
	defer s.Reset()
	for {
		more, err := s.Step()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		if id := s.Int(0); id < 1 || id >= int64(len(lengths)) || lengths[id] != sumVarints(s.Raw(1)) {
			return damaged("the length of passage %d", id)
		}
	}
	sealed := true
	err = fresh.scanVectors(c, int(v.state.dimension), func(_ int64, data vectorBlock, _ bool) { sealed = sealed && data.isSealed() })
	if err == nil && !sealed {
		err = damaged("a block of vectors is not as it was written")
	}
	return err
}

// checkNoteVectors compares the vectors of notes with those of their passages.
func (v *snapshot) checkNoteVectors(c *engine.Conn) error {
	rows, err := c.Prepare("SELECT " + noteVectorColumns + " FROM note_vectors WHERE note = ?")
	if err != nil {
		return err
	}
	seen, sums := int64(0), checksum{}
	err = eachVectorSum(c, func(note int64, kept keptSum) error {
		var row []int8
		var scale float32
		rows.BindInt(0, note)
		err := rows.Each(func() (err error) {
			seen++
			row, scale, err = readNoteVector(rows, int(v.state.dimension), &sums)
			row = slices.Clone(row)
			return err
		})
		if err == nil && !kept.agrees(row, scale) {
			err = damaged("the vector of a note is not that of its passages")
		}
		return err
	})
	if err != nil {
		return err
	}
	all, err := c.Int("SELECT count(*) FROM note_vectors")
	if err == nil && all != seen {
		err = damaged("a vector of a note that is not there, or has no passages")
	}
	return err
}

// checkTokens counts the tokens anew.
func (v *snapshot) checkTokens(c *engine.Conn) error {
	s, err := c.Prepare("SELECT id, data, checksum FROM rank_data")
	if err != nil {
		return err
	}
	var want tokenCounts
	err = s.Each(func() error {
		data, err := rawRankData(s)
		if err == nil && want.add(data) != nil {
			err = damaged("the data of passage %d are no tokens", s.Int(0))
		}
		return err
	})
	if err != nil {
		return err
	}
	got, err := readTokens(c, v.state.chunks)
	if err == nil && !slices.Equal(got, want) {
		err = damaged("the frequencies of tokens are not those of the passages")
	}
	return err
}

// checkFullText lets FTS5 compare its index with the passages. It asks for a connection that may write, although nothing
// is written; where that cannot be had, the check of the pages has looked at the index alone.
func (s *Store) checkFullText(ctx context.Context) error {
	if s.readOnly {
		return nil
	}
	c, err := openWriter(ctx, s.path)
	if errors.Is(err, store.ErrReadOnly) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("verify %s: %w", s.path, err)
	}
	defer c.Close()
	err = interruptible(ctx, c, func(c *engine.Conn) error {
		return c.Exec("INSERT INTO chunks_fts(chunks_fts, rank) VALUES('integrity-check', 1)")
	})
	return wrap(ctx, "verify "+s.path, err)
}

// SetAside moves a damaged database and its log out of the way, to the same names with ".damaged" added, in place of those
// set aside before. It takes the writer's lock: ErrLocked when another process is writing. Nothing there is no error.
func SetAside(path string) error {
	lock, err := lockWriter(path)
	if err != nil {
		return fmt.Errorf("set %s aside: %w", path, err)
	}
	defer func() { _ = lock.file.Close() }()
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	// The log goes first: a database without its log is an older state, a log without its database is a trap for the next.
	for _, suffix := range []string{"-shm", "-wal", ""} {
		aside := path + ".damaged" + suffix
		err := os.Remove(aside)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			err = os.Rename(path+suffix, aside)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fileError("set the index aside", err)
		}
	}
	return nil
}
