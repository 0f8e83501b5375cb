package sqlite

import (
	"context"
	"iter"
	"slices"
	"strings"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// packOutline writes headings, each behind its level, and block ids as lists in JSON, "" for none.
func packOutline(n *store.Note) (headings, blockIDs string) {
	list := make([]string, len(n.Headings))
	for i, h := range n.Headings {
		list[i] = string(rune('0'+min(max(h.Level, 0), 9))) + h.Text
	}
	return jsonList(list), jsonList(n.BlockIDs)
}

func unpackOutline(packed []byte) ([]store.Heading, error) {
	list, err := parseList(packed)
	if len(list) == 0 {
		return nil, err
	}
	headings := make([]store.Heading, len(list))
	for i, text := range list {
		if text == "" || text[0] < '0' || text[0] > '9' {
			return nil, damaged("a heading without its level")
		}
		headings[i] = store.Heading{Level: int(text[0] - '0'), Text: text[1:]}
	}
	return headings, nil
}

func (u *update) writeOutline(note int64, n *store.Note) error {
	headings, blockIDs := packOutline(n)
	if headings == "" && blockIDs == "" {
		return nil
	}
	return u.conn.Exec("INSERT INTO outlines VALUES(?, ?, ?, ?)",
		note, nullIfEmpty(headings), nullIfEmpty(blockIDs), sumOfTexts(headings, blockIDs))
}

func readOutline(c *engine.Conn, note int64) (headings []store.Heading, blockIDs []string, err error) {
	s, err := c.Prepare("SELECT headings, block_ids, checksum FROM outlines WHERE note = ?")
	if err != nil {
		return nil, nil, err
	}
	defer s.Reset()
	s.BindInt(0, note)
	if more, err := s.Step(); err != nil || !more {
		return nil, nil, err
	}
	packed, packedIDs := s.Raw(0), s.Raw(1)
	if sumOfTexts(string(packed), string(packedIDs)) != s.Int(2) {
		return nil, nil, damaged("the outline of a note is not as it was written")
	}
	if headings, err = unpackOutline(packed); err == nil {
		blockIDs, err = parseList(packedIDs)
	}
	return headings, blockIDs, err
}

// Outlines yields the outlines of all notes. The connection is not held up between the notes.
func (v catalog) Outlines(ctx context.Context) iter.Seq2[store.OutlineOf, error] {
	return func(yield func(store.OutlineOf, error) bool) {
		notes, err := v.byPath(ctx)
		if err != nil {
			yield(store.OutlineOf{}, err)
			return
		}
		for _, n := range notes {
			of := store.OutlineOf{Path: n.path}
			err := v.read(ctx, "read outlines", func(c *engine.Conn) (err error) {
				of.Headings, of.BlockIDs, err = readOutline(c, n.id)
				return err
			})
			if !yield(of, err) || err != nil {
				return
			}
		}
	}
}

// Links yields the links of all notes. The connection is not held up between the notes.
func (v catalog) Links(ctx context.Context) iter.Seq2[store.LinksOf, error] {
	return inParts(ctx, v, "read links", func([]namedNote) partReader[store.LinksOf] {
		return func(c *engine.Conn, part []namedNote) ([]store.LinksOf, error) {
			list := make([]store.LinksOf, len(part))
			return list, readLinksOf(c, part, list)
		}
	})
}

// partReader reads what there is of notes that stand side by side.
type partReader[T any] func(c *engine.Conn, part []namedNote) ([]T, error)

// inParts yields something of all notes by path, read part by part; begin is told of all of them first.
func inParts[T any](ctx context.Context, v catalog, operation string, begin func(notes []namedNote) partReader[T]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		notes, err := v.byPath(ctx)
		if err != nil {
			yield(none, err)
			return
		}
		read := begin(notes)
		for len(notes) > 0 {
			side := sideBySide(notes)
			var list []T
			err := v.read(ctx, operation, func(c *engine.Conn) (err error) {
				list, err = read(c, notes[:side])
				return err
			})
			if err != nil {
				yield(none, err)
				return
			}
			for _, of := range list {
				if !yield(of, nil) {
					return
				}
			}
			notes = notes[side:]
		}
	}
}

// Links are read of as many notes at a time as follow one another by path and by id, at most maxSideBySide: a full run gives
// ids by path.
const (
	maxSideBySide = 128
	maxStep       = 4 // between two ids; those left out are of notes that stand elsewhere
)

// sideBySide counts the notes at the beginning that can be read at a time.
func sideBySide(notes []namedNote) int {
	n := 1
	for n < min(len(notes), maxSideBySide) && notes[n].id > notes[n-1].id && notes[n].id <= notes[n-1].id+maxStep {
		n++
	}
	return n
}

// readLinksOf reads the links of notes, whose ids rise, into list.
func readLinksOf(c *engine.Conn, notes []namedNote, list []store.LinksOf) error {
	for i, n := range notes {
		list[i].Path = n.path
	}
	s, err := c.Prepare("SELECT " + linkColumns + ", note FROM links WHERE note BETWEEN ? AND ? ORDER BY note, ord")
	if err != nil {
		return err
	}
	s.Bind(notes[0].id, notes[len(notes)-1].id)
	at := 0
	return s.Each(func() error {
		note := s.Int(linkColumnCount)
		for at < len(notes)-1 && notes[at].id < note {
			at++
		}
		if notes[at].id == note {
			list[at].Links = append(list[at].Links, readLink(s, 0))
		}
		return nil
	})
}

// namedNote is a note's id with its path.
type namedNote struct {
	id   int64
	path string
}

// byPath lists all notes by path.
func (v catalog) byPath(ctx context.Context) ([]namedNote, error) {
	var notes []namedNote
	err := v.read(ctx, "list notes", func(c *engine.Conn) error {
		return eachPath(c, func(id int64, path string) { notes = append(notes, namedNote{id, path}) })
	})
	slices.SortFunc(notes, func(a, b namedNote) int { return strings.Compare(a.path, b.path) })
	return notes, err
}

// SetOtherFiles writes what has changed of the list.
func (u *update) SetOtherFiles(ctx context.Context, paths []string) error {
	wanted := slices.Compact(slices.Sorted(slices.Values(paths)))
	var kept []string
	if u.mode == store.Incremental && !u.ended {
		var err error
		if kept, err = readOtherFiles(u.conn); err != nil {
			return wrap(ctx, "set other files", err)
		}
		if slices.Equal(kept, wanted) {
			return nil
		}
	}
	return u.change(ctx, "set other files", func() (err error) {
		if u.mode == store.Full { // an earlier call of this run may have set some
			if kept, err = readOtherFiles(u.conn); err != nil {
				return err
			}
		}
		return u.writeOtherFiles(kept, wanted)
	})
}

// writeOtherFiles goes through two sorted lists side by side.
func (u *update) writeOtherFiles(kept, wanted []string) error {
	for len(kept)+len(wanted) > 0 {
		var err error
		switch {
		case len(wanted) == 0 || len(kept) > 0 && kept[0] < wanted[0]:
			err = u.conn.Exec("DELETE FROM other_files WHERE path = ?", kept[0])
			kept = kept[1:]
		case len(kept) == 0 || wanted[0] < kept[0]:
			err = u.conn.Exec("INSERT INTO other_files VALUES(?, ?)", wanted[0], sumOfTexts(wanted[0]))
			wanted = wanted[1:]
		default:
			kept, wanted = kept[1:], wanted[1:]
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// OtherFiles lists the files that are no notes.
func (v catalog) OtherFiles(ctx context.Context) (paths []string, err error) {
	err = v.read(ctx, "list other files", func(c *engine.Conn) (err error) {
		paths, err = readOtherFiles(c)
		return err
	})
	return paths, err
}

func readOtherFiles(c *engine.Conn) ([]string, error) {
	s, err := c.Prepare("SELECT path, checksum FROM other_files ORDER BY path")
	if err != nil {
		return nil, err
	}
	var paths []string
	err = s.Each(func() error {
		path := s.Text(0)
		if sumOfTexts(path) != s.Int(1) {
			return damaged("the path of a file is not as it was written")
		}
		paths = append(paths, path)
		return nil
	})
	return paths, err
}
