package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// catalog answers what is asked of store.Catalog, but for Counts, and of store.Linked.
type catalog struct {
	// read runs f on a connection that nobody else uses meanwhile, and names the operation in its errors.
	read func(ctx context.Context, operation string, f func(c *engine.Conn) error) error
	// sections makes ready what a filter asks of passages, nil for nothing.
	sections func(c *engine.Conn, matcher *store.Matcher) (*sectionFilter, error)
}

// Passages fetches passages with their notes' facts.
func (v *snapshot) Passages(ctx context.Context, ids []store.PassageID) ([]store.Found, error) {
	found := make([]store.Found, len(ids))
	err := v.read(ctx, "fetch passages", func(c *engine.Conn) error {
		s, err := c.Prepare("SELECT " + passageColumns + " FROM chunks WHERE id = ?")
		if err != nil {
			return err
		}
		defer s.Reset()
		notes := map[int64]*store.Note{}
		for i, id := range ids {
			s.BindInt(0, int64(id))
			if more, err := s.Step(); err != nil || !more {
				return cmp.Or(err, fmt.Errorf("there is no passage %d", id))
			}
			p, note, err := readPassage(s)
			s.Reset()
			if err != nil {
				return err
			}
			if notes[note] == nil {
				if notes[note], err = fetchNote(c, note); err != nil {
					return err
				}
			}
			if notes[note].Path != p.Path {
				return damaged("passage %d belongs to another note", id)
			}
			found[i] = store.Found{Passage: p, Note: notes[note]}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// fetchNote reads the facts of one note and finds its ids among the others.
func fetchNote(c *engine.Conn, id int64) (*store.Note, error) {
	r, err := fetchRow(c, id)
	if err != nil {
		return nil, err
	}
	return &r.Note, identify(c, r)
}

// fetchRow reads a note's own row.
func fetchRow(c *engine.Conn, id int64) (*noteRow, error) {
	s, err := c.Prepare("SELECT " + noteColumns + " FROM notes WHERE id = ?")
	if err != nil {
		return nil, err
	}
	defer s.Reset()
	s.BindInt(0, id)
	if more, err := s.Step(); err != nil || !more {
		return nil, cmp.Or(err, damaged("note %d is missing", id))
	}
	return readNote(s)
}

// identify sets NoteID and DocID of one note.
func identify(c *engine.Conn, r *noteRow) error {
	var failed error
	isThere := func(query string, args ...any) bool {
		found, err := c.Int(query, args...)
		failed = cmp.Or(failed, err)
		return found != 0
	}
	r.NoteID = store.NoteIDBeside(r.Path, r.DeclaredID, store.Others{
		Declared: func(id string) bool {
			return isThere("SELECT count(*) FROM notes WHERE declared_id = ? AND declared_id <> '' AND id <> ?", id, r.id)
		},
		HasPath: func(path string) bool { return isThere("SELECT count(*) FROM notes WHERE path = ?", path) },
	})
	if failed != nil {
		return failed
	}
	digits := store.MinDocIDDigits
	for _, statement := range []string{
		"SELECT digest FROM notes WHERE digest <= ?1 AND id <> ?2 ORDER BY digest DESC LIMIT 1",
		"SELECT digest FROM notes WHERE digest >= ?1 AND id <> ?2 ORDER BY digest LIMIT 1",
	} {
		s, err := c.Prepare(statement)
		if err != nil {
			return err
		}
		s.Bind(r.digest, r.id)
		more, err := s.Step()
		if more {
			digits = max(digits, 1+sharedDigits(r.digest, s.Int(0)))
		}
		s.Reset()
		if err != nil {
			return err
		}
	}
	r.DocID = docID(r, digits)
	return nil
}

// docID cuts the digest of a note's path. Beyond the digits of the key all are taken: that two digests share so many is
// a thing nobody has seen.
func docID(r *noteRow, digits int) string {
	if digits <= digestDigits {
		return fmt.Sprintf("%016x", uint64(r.digest))[:digits]
	}
	return store.PathDigest(r.Path)
}

// Files lists the files by path.
func (v catalog) Files(ctx context.Context) ([]store.File, error) {
	var files []store.File
	err := v.read(ctx, "list files", func(c *engine.Conn) error {
		s, err := c.Prepare("SELECT path, size, mtime_ns, inode, content_hash FROM notes")
		if err != nil {
			return err
		}
		return s.Each(func() error {
			files = append(files, store.File{
				Path: s.Text(0), SizeBytes: s.Int(1), ModifiedNanoseconds: s.Int(2), Inode: uint64(s.Int(3)), ContentHash: unpackHash(s, 4),
			})
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b store.File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// Notes lists the notes that match. Which ids are unique shows among all notes, so all are read.
func (v catalog) Notes(ctx context.Context, q store.NoteQuery) ([]store.Note, error) {
	var all []*noteRow
	var matching []*store.Note
	if err := q.Filter.Check(); err != nil {
		return nil, fmt.Errorf("list notes: %w", err)
	}
	matcher := store.NewMatcher(q.Filter)
	err := v.read(ctx, "list notes", func(c *engine.Conn) error {
		sections, err := v.sections(c, matcher)
		if err != nil {
			return err
		}
		return eachNote(c, matcher.NeedsFrontmatter(), func(r *noteRow) {
			all = append(all, r)
			if matcher.Match(&r.Note) && sections.letsAny(span{r.first, r.chunks}) {
				matching = append(matching, &r.Note)
			}
			r.Frontmatter = nil
		})
	})
	if err != nil {
		return nil, err
	}
	identifyAll(all)
	slices.SortFunc(matching, q.Sort.Order)
	if q.Limit > 0 && len(matching) > q.Limit {
		matching = matching[:q.Limit]
	}
	notes := make([]store.Note, len(matching))
	for i, n := range matching {
		notes[i] = *n
	}
	return notes, nil
}

// identifyAll sets NoteID and DocID of all notes of the index.
func identifyAll(all []*noteRow) {
	type keyed struct {
		digest int64
		*noteRow
	}
	byDigest := make([]keyed, len(all))
	declared, paths := map[string]int{}, make(map[string]bool, len(all))
	for i, r := range all {
		byDigest[i] = keyed{r.digest, r}
		paths[r.Path] = true
		if r.DeclaredID != "" {
			declared[r.DeclaredID]++
		}
	}
	others := store.Others{
		Declared: func(id string) bool { return declared[id] > 1 }, HasPath: func(path string) bool { return paths[path] },
	}
	slices.SortFunc(byDigest, func(a, b keyed) int { return cmp.Compare(a.digest, b.digest) })
	for i, k := range byDigest {
		r := k.noteRow
		digits := store.MinDocIDDigits
		if i > 0 {
			digits = max(digits, 1+sharedDigits(r.digest, byDigest[i-1].digest))
		}
		if i+1 < len(byDigest) {
			digits = max(digits, 1+sharedDigits(r.digest, byDigest[i+1].digest))
		}
		r.DocID = docID(r, digits)
		r.NoteID = store.NoteIDBeside(r.Path, r.DeclaredID, others)
	}
}

// Note finds a note by path or DocID and reads all of it.
func (v catalog) Note(ctx context.Context, address string) (n store.Note, ok bool, err error) {
	err = v.read(ctx, "read "+address, func(c *engine.Conn) error {
		id, err := c.Int("SELECT id FROM notes WHERE path = ?", address)
		if err != nil {
			return err
		}
		if prefix, isDocID := strings.CutPrefix(strings.ToLower(address), "#"); id == 0 && isDocID && store.IsDocIDPrefix(prefix) {
			if id, err = findDocID(c, prefix); err != nil {
				return err
			}
		}
		if id == 0 {
			return nil
		}
		found, err := fetchNote(c, id)
		if err != nil {
			return err
		}
		n, ok = *found, true
		return readContent(c, id, &n)
	})
	if err != nil {
		return store.Note{}, false, err
	}
	return n, ok, nil
}

// findDocID gives the one note whose digest begins with the prefix; 0 where there is none, or more than one.
func findDocID(c *engine.Conn, prefix string) (int64, error) {
	first := (prefix + strings.Repeat("0", digestDigits))[:digestDigits]
	last := (prefix + strings.Repeat("f", digestDigits))[:digestDigits]
	s, err := c.Prepare("SELECT id, path FROM notes WHERE digest BETWEEN ? AND ?")
	if err != nil {
		return 0, err
	}
	defer s.Reset()
	s.Bind(keyOfDigits(first), keyOfDigits(last))
	found := int64(0)
	for {
		more, err := s.Step()
		if err != nil || !more {
			return found, err
		}
		if !strings.HasPrefix(store.PathDigest(s.Text(1)), prefix) {
			continue
		}
		if found != 0 {
			return 0, nil
		}
		found = s.Int(0)
	}
}

// readContent reads frontmatter, links, outline and passages of a note.
func readContent(c *engine.Conn, id int64, n *store.Note) error {
	s, err := c.Prepare("SELECT frontmatter, links_checksum, first_chunk, chunks FROM notes WHERE id = ?")
	if err != nil {
		return err
	}
	defer s.Reset()
	s.BindInt(0, id)
	if more, err := s.Step(); err != nil || !more {
		return cmp.Or(err, damaged("note %d is missing", id))
	}
	n.Frontmatter = s.Blob(0)
	if n.Links, err = readLinks(c, id); err != nil {
		return err
	}
	if n.Headings, n.BlockIDs, err = readOutline(c, id); err != nil {
		return err
	}
	if sumOfLinks(n.Frontmatter, n.Links) != s.Int(1) {
		return damaged("the links of a note are not as they were written")
	}
	passages, err := c.Prepare("SELECT " + passageColumns + " FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id")
	if err != nil {
		return err
	}
	defer passages.Reset()
	passages.Bind(s.Int(2), s.Int(2)+s.Int(3)-1)
	for {
		more, err := passages.Step()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		p, note, err := readPassage(passages)
		if err != nil {
			return err
		}
		if note != id || p.Index != len(n.Passages) {
			return damaged("passage %d belongs elsewhere", p.ID)
		}
		n.Passages = append(n.Passages, p)
	}
	if int64(len(n.Passages)) != s.Int(3) {
		return damaged("a note has lost passages")
	}
	return nil
}

func readLinks(c *engine.Conn, note int64) ([]store.Link, error) {
	s, err := c.Prepare("SELECT " + linkColumns + " FROM links WHERE note = ? ORDER BY ord")
	if err != nil {
		return nil, err
	}
	s.BindInt(0, note)
	var links []store.Link
	err = s.Each(func() error {
		links = append(links, readLink(s, 0))
		return nil
	})
	return links, err
}

// Problems lists the problems by path.
func (v catalog) Problems(ctx context.Context) ([]store.Problem, error) {
	var problems []store.Problem
	err := v.read(ctx, "list problems", func(c *engine.Conn) (err error) {
		problems, err = readProblems(c, "path, rowid")
		return err
	})
	return problems, err
}

func readProblems(c *engine.Conn, order string) ([]store.Problem, error) {
	s, err := c.Prepare("SELECT path, state, reason, line FROM problems ORDER BY " + order)
	if err != nil {
		return nil, err
	}
	var problems []store.Problem
	err = s.Each(func() error {
		p := store.Problem{Path: s.Text(0), State: s.Text(1), Reason: s.Text(2)}
		if !s.IsNull(3) {
			line := int(s.Int(3))
			p.Line = &line
		}
		problems = append(problems, p)
		return nil
	})
	return problems, err
}

// Meta gives the metadata.
func (v catalog) Meta(ctx context.Context) (map[string]string, error) {
	var meta map[string]string
	err := v.read(ctx, "read metadata", func(c *engine.Conn) (err error) {
		meta, err = readMeta(c)
		return err
	})
	return meta, err
}

func readMeta(c *engine.Conn) (map[string]string, error) {
	s, err := c.Prepare("SELECT key, value FROM model_meta")
	if err != nil {
		return nil, err
	}
	meta := map[string]string{}
	err = s.Each(func() error {
		meta[s.Text(0)] = s.Text(1)
		return nil
	})
	return meta, err
}

// Counts gives the numbers that the writer keeps.
func (v *snapshot) Counts(context.Context) (notes, passages int, err error) {
	return int(v.state.notes), int(v.state.chunks), nil
}
