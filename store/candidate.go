package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
)

// CandidateQuery is the plan of both legs. One without terms, or without a vector, is not asked.
type CandidateQuery struct {
	Lexical LexicalQuery
	Vector  VectorQuery
	// Identifiers are terms that are looked for in ColumnIdentifiers alone; they bring no passage.
	Identifiers []Term
}

// Candidate is a passage that one of the legs brought, with what ranking needs to know of it. Scores are there for every
// candidate, whichever leg brought it.
type Candidate struct {
	ID    PassageID
	Index int // of the passage within its note
	// Note holds path, title, type, status, domain, tags, aliases, created and updated. It is shared between candidates: do not
	// change it.
	Note *Note
	// Ranks are 1-based within each leg, 0 where the leg did not bring it.
	LexicalRank, VectorRank int
	BM25                    float64 // as Lexical gives it, 0 where no term is in it
	Identifier              float64 // BM25 of CandidateQuery.Identifiers, in ColumnIdentifiers alone
	Cosine                  float64 // as Nearest gives it, 0 without a vector
	NoteCosine              float64 // with the unit sum of the vectors of its note's passages
	Weight                  float64 // Figures.Weight of its note, 1 where there is none
	PageRank                float64 // Figures.PageRank, 0 where there is none, and in a view that hides notes
	Links                   int     // how many links its note holds that lead to no other place than the vault
}

// AskBoth is Searcher.Candidates in terms of the rest of a Snapshot, for stores that have no faster way.
func AskBoth(ctx context.Context, s Snapshot, q CandidateQuery) ([]Candidate, error) {
	b := bothLegs{s: s, q: q, byID: map[PassageID]*Candidate{}}
	for _, step := range []func(context.Context) error{b.ask, b.describe, b.complete, b.addNotes} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("ask both legs: %w", err)
		}
	}
	list := make([]Candidate, 0, len(b.byID))
	for _, c := range b.byID {
		list = append(list, *c)
	}
	slices.SortFunc(list, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(a.Note.Path, b.Note.Path), cmp.Compare(a.Index, b.Index))
	})
	return list, nil
}

type bothLegs struct {
	s    Snapshot
	q    CandidateQuery
	byID map[PassageID]*Candidate
}

func (b *bothLegs) at(id PassageID) *Candidate {
	if b.byID[id] == nil {
		b.byID[id] = &Candidate{ID: id, Weight: 1}
	}
	return b.byID[id]
}

// ask brings the best of both legs.
func (b *bothLegs) ask(ctx context.Context) error {
	if len(b.q.Lexical.Terms) > 0 {
		hits, err := b.s.Lexical(ctx, b.q.Lexical)
		if err != nil {
			return err
		}
		for i, hit := range hits {
			b.at(hit.ID).LexicalRank = i + 1
		}
	}
	if b.q.Vector.Vector == nil {
		return nil
	}
	hits, err := b.s.Nearest(ctx, b.q.Vector)
	for i, hit := range hits {
		b.at(hit.ID).VectorRank = i + 1
	}
	return err
}

func (b *bothLegs) describe(ctx context.Context) error {
	ids := slices.Sorted(maps.Keys(b.byID))
	found, err := b.s.Passages(ctx, ids)
	if err != nil {
		return err
	}
	for i, f := range found {
		c := b.byID[ids[i]]
		c.Index, c.Note = f.Index, f.Note
		n, _, err := b.s.Note(ctx, f.Note.Path)
		if err != nil {
			return err
		}
		for _, link := range n.Links {
			if !link.External {
				c.Links++
			}
		}
	}
	linked, ok := b.s.(Linked)
	if !ok {
		return nil
	}
	for _, c := range b.byID {
		figures, err := linked.FiguresOf(ctx, []string{c.Note.Path})
		if err != nil {
			return err
		}
		for _, f := range figures {
			c.PageRank, c.Weight = f.PageRank, f.Weight
		}
	}
	return nil
}

// complete gives each candidate the scores of the leg that did not bring it.
func (b *bothLegs) complete(ctx context.Context) error {
	within := &Set{}
	for id := range b.byID {
		within.Add(id)
	}
	if len(b.byID) == 0 {
		return nil
	}
	lexical := b.q.Lexical
	lexical.Within, lexical.Limit = within, len(b.byID)
	set := func(terms []Term, weights Weights, place func(*Candidate) *float64) error {
		if len(terms) == 0 {
			return nil
		}
		lexical.Terms, lexical.Weights = terms, weights
		hits, err := b.s.Lexical(ctx, lexical)
		for _, hit := range hits {
			*place(b.byID[hit.ID]) = hit.Score
		}
		return err
	}
	if err := set(b.q.Lexical.Terms, b.q.Lexical.Weights, func(c *Candidate) *float64 { return &c.BM25 }); err != nil {
		return err
	}
	only := Weights{ColumnIdentifiers: 1}
	if err := set(b.q.Identifiers, only, func(c *Candidate) *float64 { return &c.Identifier }); err != nil {
		return err
	}
	if b.q.Vector.Vector == nil {
		return nil
	}
	hits, err := b.s.Nearest(ctx, VectorQuery{Vector: b.q.Vector.Vector, Limit: len(b.byID), Within: within})
	for _, hit := range hits {
		b.byID[hit.ID].Cosine = hit.Score
	}
	return err
}

// addNotes compares the query with the notes of the candidates.
func (b *bothLegs) addNotes(ctx context.Context) error {
	if b.q.Vector.Vector == nil {
		return nil
	}
	byPath := map[string]float64{}
	for _, c := range b.byID {
		cosine, ok := byPath[c.Note.Path]
		if !ok {
			var err error
			if cosine, err = b.noteCosine(ctx, c.Note.Path); err != nil {
				return err
			}
			byPath[c.Note.Path] = cosine
		}
		c.NoteCosine = cosine
	}
	return nil
}

func (b *bothLegs) noteCosine(ctx context.Context, path string) (float64, error) {
	n, _, err := b.s.Note(ctx, path)
	if err != nil {
		return 0, err
	}
	ids := make([]PassageID, len(n.Passages))
	for i, p := range n.Passages {
		ids[i] = p.ID
	}
	vectors, err := b.s.Vectors(ctx, ids)
	if err != nil {
		return 0, err
	}
	sum := make([]float64, len(b.q.Vector.Vector))
	for _, v := range vectors {
		for i, x := range v {
			sum[i] += float64(x)
		}
	}
	product, square := 0.0, 0.0
	for i, x := range sum {
		product += float64(x * float64(b.q.Vector.Vector[i]))
		square += float64(x * x)
	}
	if square == 0 {
		return 0, nil
	}
	return product / math.Sqrt(square), nil
}
