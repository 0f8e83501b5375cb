package memory

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"quarry/store"
)

// snapshot looks at one state. Passage ids are places in a list sorted by path and index, from 1.
type snapshot struct {
	contents *contents
	notes    []*store.Note // by path, with ids
	passages []passage
}

// passage is a passage with its words, column by column.
type passage struct {
	store.Passage
	note    *store.Note
	columns [store.Columns][]string
}

func (p *passage) length() int {
	length := 0
	for _, column := range p.columns {
		length += len(column)
	}
	return length
}

func newSnapshot(c *contents) *snapshot {
	s := withoutWords(c)
	for i := range s.passages {
		p := &s.passages[i]
		for column, text := range store.ColumnTexts(p.note, &p.Passage) {
			p.columns[column] = words(text)
		}
	}
	return s
}

// withoutWords is a snapshot that answers all but the lexical questions.
func withoutWords(c *contents) *snapshot {
	s := &snapshot{contents: c}
	for _, path := range slices.Sorted(maps.Keys(c.notes)) {
		n := *c.notes[path]
		s.notes = append(s.notes, &n)
		for _, p := range n.Passages {
			p.ID = store.PassageID(len(s.passages) + 1)
			s.passages = append(s.passages, passage{Passage: p, note: &n})
		}
	}
	store.Identify(s.notes)
	return s
}

// Close does nothing.
func (s *snapshot) Close() error { return nil }

// Nearest compares the query with every vector.
func (s *snapshot) Nearest(ctx context.Context, q store.VectorQuery) ([]store.Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var hits []store.Hit
	for i := range s.passages {
		p := &s.passages[i]
		if p.Vector == nil || !q.Within.Has(p.ID) {
			continue
		}
		if len(p.Vector) != len(q.Vector) {
			return nil, fmt.Errorf("a query of %d components, the index has %d", len(q.Vector), len(p.Vector))
		}
		cosine := 0.0
		for j, x := range p.Vector {
			cosine += float64(float64(x) * float64(q.Vector[j]))
		}
		hits = append(hits, store.Hit{ID: p.ID, Score: cosine})
	}
	return best(hits, q.Limit), nil
}

// best sorts by score, then by id, which is the order of path and index.
func best(hits []store.Hit, limit int) []store.Hit {
	slices.SortFunc(hits, func(a, b store.Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID)) })
	return hits[:max(0, min(limit, len(hits)))]
}

// Select tests each note.
func (s *snapshot) Select(_ context.Context, f store.Filter) (*store.Set, error) {
	if f.IsEmpty() {
		return nil, nil
	}
	if err := f.Check(); err != nil {
		return nil, fmt.Errorf("select notes: %w", err)
	}
	set, matcher := &store.Set{}, store.NewMatcher(f)
	for i := range s.passages {
		if matcher.Match(s.passages[i].note) && matcher.LetsSection(s.passages[i].HeadingPath) {
			set.Add(s.passages[i].ID)
		}
	}
	return set, nil
}

func (s *snapshot) at(id store.PassageID) (*passage, error) {
	if id < 1 || id > store.PassageID(len(s.passages)) {
		return nil, fmt.Errorf("there is no passage %d", id)
	}
	return &s.passages[id-1], nil
}

// Passages fetches passages with their notes' facts.
func (s *snapshot) Passages(_ context.Context, ids []store.PassageID) ([]store.Found, error) {
	found := make([]store.Found, len(ids))
	notes := map[string]*store.Note{}
	for i, id := range ids {
		p, err := s.at(id)
		if err != nil {
			return nil, err
		}
		if notes[p.Path] == nil {
			facts := factsOf(p.note)
			notes[p.Path] = &facts
		}
		found[i] = store.Found{Passage: bare(p.Passage), Note: notes[p.Path]}
	}
	return found, nil
}

func bare(p store.Passage) store.Passage {
	p.Vector, p.RankData = nil, nil
	return p
}

func factsOf(n *store.Note) store.Note {
	facts := *n
	facts.PassageCount = len(n.Passages)
	facts.Headings, facts.BlockIDs, facts.Links, facts.Passages, facts.Frontmatter = nil, nil, nil, nil, nil
	return facts
}

// RankData fetches the opaque data of passages.
func (s *snapshot) RankData(_ context.Context, ids []store.PassageID) ([][]byte, error) {
	data := make([][]byte, len(ids))
	for i, id := range ids {
		if p, err := s.at(id); err == nil {
			data[i] = p.RankData
		}
	}
	return data, nil
}

// Files lists the files by path.
func (s *snapshot) Files(context.Context) ([]store.File, error) {
	var files []store.File
	for _, n := range s.notes {
		files = append(files, n.File)
	}
	return files, nil
}

// Notes lists the notes that match.
func (s *snapshot) Notes(_ context.Context, q store.NoteQuery) ([]store.Note, error) {
	if err := q.Filter.Check(); err != nil {
		return nil, fmt.Errorf("list notes: %w", err)
	}
	matcher := store.NewMatcher(q.Filter)
	matching := slices.DeleteFunc(slices.Clone(s.notes), func(n *store.Note) bool {
		letsNone := matcher.NeedsSections() && !slices.ContainsFunc(n.Passages, func(p store.Passage) bool { return matcher.LetsSection(p.HeadingPath) })
		return letsNone || !matcher.Match(n)
	})
	slices.SortFunc(matching, q.Sort.Order)
	if q.Limit > 0 && len(matching) > q.Limit {
		matching = matching[:q.Limit]
	}
	notes := make([]store.Note, len(matching))
	for i, n := range matching {
		notes[i] = factsOf(n)
	}
	return notes, nil
}

// Generation is the state itself.
func (s *snapshot) Generation() any { return s.contents }

// EachClass visits all notes.
func (s *snapshot) EachClass(_ context.Context, visit func(store.ClassOf)) error {
	first := store.PassageID(1)
	for _, n := range s.notes {
		visit(store.ClassOf{Path: n.Path, Sensitivity: n.Sensitivity, First: first, PassageCount: len(n.Passages)})
		first += store.PassageID(len(n.Passages))
	}
	return nil
}

var _ store.Lister = (*snapshot)(nil)

// Note finds a note by path or DocID.
func (s *snapshot) Note(_ context.Context, address string) (store.Note, bool, error) {
	i := slices.IndexFunc(s.notes, func(n *store.Note) bool { return n.Path == address })
	prefix, isDocID := strings.CutPrefix(strings.ToLower(address), "#")
	if i < 0 && isDocID && store.IsDocIDPrefix(prefix) {
		for k, n := range s.notes {
			switch {
			case !strings.HasPrefix(store.PathDigest(n.Path), prefix):
			case i >= 0:
				return store.Note{}, false, nil
			default:
				i = k
			}
		}
	}
	if i < 0 {
		return store.Note{}, false, nil
	}
	n := *s.notes[i]
	n.Passages = nil
	for _, p := range s.passages {
		if p.Path == n.Path {
			n.Passages = append(n.Passages, bare(p.Passage))
		}
	}
	n.PassageCount = len(n.Passages)
	return n, true, nil
}

// Links yields the links of all notes.
func (s *snapshot) Links(context.Context) iter.Seq2[store.LinksOf, error] {
	return func(yield func(store.LinksOf, error) bool) {
		for _, n := range s.notes {
			if !yield(store.LinksOf{Path: n.Path, Links: n.Links}, nil) {
				return
			}
		}
	}
}

// OtherFiles lists the files that are no notes.
func (s *snapshot) OtherFiles(context.Context) ([]string, error) {
	return slices.Clone(s.contents.others), nil
}

// Outlines yields the outlines of all notes.
func (s *snapshot) Outlines(context.Context) iter.Seq2[store.OutlineOf, error] {
	return func(yield func(store.OutlineOf, error) bool) {
		for _, n := range s.notes {
			if !yield(store.OutlineOf{Path: n.Path, Headings: n.Headings, BlockIDs: n.BlockIDs}, nil) {
				return
			}
		}
	}
}

// Problems lists the problems by path.
func (s *snapshot) Problems(context.Context) ([]store.Problem, error) {
	problems := slices.Clone(s.contents.problems)
	slices.SortStableFunc(problems, func(a, b store.Problem) int { return strings.Compare(a.Path, b.Path) })
	return problems, nil
}

// Meta gives the metadata.
func (s *snapshot) Meta(context.Context) (map[string]string, error) {
	return maps.Clone(s.contents.meta), nil
}

// Counts gives the number of notes and of passages.
func (s *snapshot) Counts(context.Context) (notes, passages int, err error) {
	return len(s.notes), len(s.passages), nil
}
