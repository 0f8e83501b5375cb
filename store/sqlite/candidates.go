package sqlite

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// Candidates asks both legs at once: the scores of all passages that the words touch are at hand until the vectors were
// scanned, and the scan takes the cosines of those that the words brought.
func (v *snapshot) Candidates(ctx context.Context, q store.CandidateQuery) ([]store.Candidate, error) {
	var list []store.Candidate
	err := v.read(ctx, "find candidates", func(c *engine.Conn) error {
		if v.state.chunks == 0 {
			return nil
		}
		a := &asking{view: v, conn: c, query: q, byID: map[store.PassageID]*store.Candidate{}}
		if err := a.ask(ctx); err != nil {
			return err
		}
		if err := a.addIdentifiers(ctx); err != nil {
			return err
		}
		var err error
		list, err = a.described()
		return err
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// asking is a question for candidates.
type asking struct {
	view  *snapshot
	conn  *engine.Conn
	query store.CandidateQuery
	byID  map[store.PassageID]*store.Candidate
}

func (a *asking) at(id store.PassageID) *store.Candidate {
	if a.byID[id] == nil {
		a.byID[id] = &store.Candidate{ID: id, Weight: 1}
	}
	return a.byID[id]
}

// ask brings the best of both legs with the scores of both.
func (a *asking) ask(ctx context.Context) error {
	var vectors *sweep // nil: no vector is asked for, or none is there
	var err error
	if a.query.Vector.Vector != nil {
		if vectors, err = a.view.startSweep(a.query.Vector); err != nil {
			return err
		}
	}
	defer vectors.end()
	var words *scorer // nil: no word is asked for, or none is there
	if q := a.query.Lexical; len(q.Terms) > 0 {
		if words, err = a.view.scored(ctx, a.conn, q, a.scoredBeside()); err != nil {
			return err
		}
	}
	if words != nil {
		defer a.view.store.scorers.Put(words)
		limit := a.view.clamp(a.query.Lexical.Limit)
		hits, err := inOrder(a.conn, leaders(words.candidates(), limit), max(limit, 0))
		if err != nil {
			return err
		}
		for i, hit := range hits {
			c := a.at(hit.ID)
			c.LexicalRank, c.BM25 = i+1, hit.Score
		}
	}
	if vectors == nil {
		return nil
	}
	return a.askVectors(vectors, words)
}

// scoredBeside are the passages that the vectors may bring where the words may not.
func (a *asking) scoredBeside() *store.Set {
	if a.query.Vector.Vector == nil || a.query.Vector.Within == a.query.Lexical.Within {
		return &store.Set{}
	}
	return a.query.Vector.Within
}

func (a *asking) askVectors(vectors *sweep, words *scorer) error {
	further := &cosines{ids: a.ids(), of: map[store.PassageID]float64{}}
	hits, err := vectors.nearest(a.conn, further)
	if err != nil {
		return err
	}
	for id, cosine := range further.of {
		a.byID[id].Cosine = cosine
	}
	for i, hit := range hits {
		c := a.at(hit.ID)
		c.VectorRank, c.Cosine = i+1, hit.Score
		if words != nil {
			c.BM25 = words.score(hit.ID)
		}
	}
	return nil
}

// ids are those of the candidates, rising.
func (a *asking) ids() []store.PassageID { return slices.Sorted(maps.Keys(a.byID)) }

// addIdentifiers scores the candidates by the identifiers of the question.
func (a *asking) addIdentifiers(ctx context.Context) error {
	if len(a.query.Identifiers) == 0 || len(a.byID) == 0 {
		return nil
	}
	q := a.query.Lexical
	q.Terms, q.Weights, q.Within = a.query.Identifiers, store.Weights{store.ColumnIdentifiers: 1}, &store.Set{}
	for id := range a.byID {
		q.Within.Add(id)
	}
	words, err := a.view.scored(ctx, a.conn, q, &store.Set{})
	if words == nil {
		return err
	}
	defer a.view.store.scorers.Put(words)
	for id, c := range a.byID {
		c.Identifier = words.score(id)
	}
	return nil
}

// described gives the candidates in order, with what there is of their notes.
func (a *asking) described() ([]store.Candidate, error) {
	notes, err := a.describer()
	if err != nil {
		return nil, err
	}
	defer notes.end()
	list := make([]store.Candidate, 0, len(a.byID))
	for _, id := range a.ids() {
		of, index, err := notes.ofPassage(id)
		if err != nil {
			return nil, err
		}
		c := a.byID[id]
		c.Index, c.Note, c.Weight, c.PageRank, c.NoteCosine, c.Links = index, of.note, of.weight, of.pageRank, of.cosine, of.links
		list = append(list, *c)
	}
	slices.SortFunc(list, func(a, b store.Candidate) int {
		return cmp.Or(cmp.Compare(a.Note.Path, b.Note.Path), cmp.Compare(a.Index, b.Index))
	})
	return list, nil
}

// describer gives what tells of the notes of passages: what stays in memory, or a reader of rows.
func (a *asking) describer() (describer, error) {
	kept, err := a.view.keptNotes(a.conn)
	switch {
	case err != nil:
		return nil, err
	case kept != nil:
		return &noteLookup{kept: kept, query: a.doubles(), known: map[int32]*candidateNote{}}, nil
	}
	find, err := a.conn.Prepare("SELECT note, idx FROM chunks WHERE id = ?")
	return &passageReader{find, noteReader{conn: a.conn, query: a.doubles(), read: map[int64]*candidateNote{}}}, err
}

// describer tells of the notes of passages.
type describer interface {
	ofPassage(id store.PassageID) (of *candidateNote, index int, err error)
	end()
}

// passageReader reads the rows of passages and of their notes.
type passageReader struct {
	find  *engine.Stmt
	notes noteReader
}

func (r *passageReader) end() { r.find.Reset() }

func (r *passageReader) ofPassage(id store.PassageID) (of *candidateNote, index int, err error) {
	r.find.BindInt(0, int64(id))
	if more, err := r.find.Step(); err != nil || !more {
		return nil, 0, cmp.Or(err, errNoPassage(id))
	}
	note, at := r.find.Int(0), r.find.Int(1)
	r.find.Reset()
	of, err = r.notes.of(note)
	return of, int(at), err
}

func errNoPassage(id store.PassageID) error { return damaged("passage %d is missing", id) }

// doubles gives the vector of the question, nil where there is nothing to compare it with.
func (a *asking) doubles() []float64 {
	if a.query.Vector.Vector == nil || a.view.state.dimension == 0 {
		return nil
	}
	query := make([]float64, len(a.query.Vector.Vector))
	for i, x := range a.query.Vector.Vector {
		query[i] = float64(x)
	}
	return query
}

// Words gives the stems of the words of texts.
func (v *snapshot) Words(ctx context.Context, texts []string) ([][]string, error) {
	words := make([][]string, len(texts))
	err := v.read(ctx, "find words of texts", func(c *engine.Conn) (err error) {
		for i, text := range texts {
			if words[i], err = c.Tokens(text); err != nil {
				return err
			}
		}
		return nil
	})
	return words, err
}
