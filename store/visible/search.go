package visible

import (
	"context"
	"fmt"

	"quarry/store"
)

// Frequencies counts among what is shown.
func (v *snapshot) Frequencies(ctx context.Context, words []string, among *store.Set) ([]int, error) {
	return v.Snapshot.Frequencies(ctx, words, store.Intersect(among, v.shown))
}

// Holding leaves out hidden passages.
func (v *snapshot) Holding(ctx context.Context, terms []store.Term) (*store.Set, error) {
	set, err := v.Snapshot.Holding(ctx, terms)
	if set == nil || err != nil {
		return nil, err
	}
	return store.Intersect(set, v.shown), nil
}

// Lexical scores by the figures of what is shown.
func (v *snapshot) Lexical(ctx context.Context, q store.LexicalQuery) ([]store.Hit, error) {
	q.Among = store.Intersect(q.Among, v.shown)
	return v.Snapshot.Lexical(ctx, q)
}

// Nearest looks among what is shown. A cosine is of one passage alone, so no figure has to be made anew.
func (v *snapshot) Nearest(ctx context.Context, q store.VectorQuery) ([]store.Hit, error) {
	q.Within = store.Intersect(q.Within, v.shown)
	return v.Snapshot.Nearest(ctx, q)
}

// Select leaves out hidden passages. That archived notes are left out tells of none where only hidden ones are archived.
func (v *snapshot) Select(ctx context.Context, f store.Filter) (*store.Set, error) {
	set, err := v.Snapshot.Select(ctx, f)
	if set == nil || err != nil {
		return nil, err
	}
	set = store.Intersect(set, v.shown)
	f.ExcludeArchived = false
	if f.IsEmpty() && set.Equal(v.shown) {
		return nil, nil
	}
	return set, nil
}

// Passages fetches passages that are shown; a hidden one is as unknown as one that is not there.
func (v *snapshot) Passages(ctx context.Context, ids []store.PassageID) ([]store.Found, error) {
	if err := v.checkShown("fetch passages", ids); err != nil {
		return nil, err
	}
	found, err := v.Snapshot.Passages(ctx, ids)
	if err != nil {
		return nil, err
	}
	named := map[*store.Note]*store.Note{}
	for i, f := range found {
		if named[f.Note] == nil {
			n := *f.Note // the store's own is not to be changed
			if err := v.identify(ctx, &n); err != nil {
				return nil, err
			}
			named[f.Note] = &n
		}
		found[i].Note = named[f.Note]
	}
	return found, nil
}

// RankData fetches the data of passages that are shown, and nil for others as for those that are not there.
func (v *snapshot) RankData(ctx context.Context, ids []store.PassageID) ([][]byte, error) {
	var asked []store.PassageID
	for _, id := range ids {
		if v.shown.Has(id) {
			asked = append(asked, id)
		}
	}
	fetched, err := v.Snapshot.RankData(ctx, asked)
	if err != nil || len(asked) == len(ids) {
		return fetched, err
	}
	data := make([][]byte, len(ids))
	for i, id := range ids {
		if v.shown.Has(id) {
			data[i], fetched = fetched[0], fetched[1:]
		}
	}
	return data, nil
}

// Vectors fetches vectors of passages that are shown; a hidden one is as unknown as one that is not there.
func (v *snapshot) Vectors(ctx context.Context, ids []store.PassageID) ([][]float32, error) {
	if err := v.checkShown("fetch vectors", ids); err != nil {
		return nil, err
	}
	return v.Snapshot.Vectors(ctx, ids)
}

func (v *snapshot) checkShown(operation string, ids []store.PassageID) error {
	for _, id := range ids {
		if !v.shown.Has(id) {
			return fmt.Errorf("%s: there is no passage %d", operation, id)
		}
	}
	return nil
}

// Candidates are among what is shown. Nothing of the graph is told, which is that of all notes.
func (v *snapshot) Candidates(ctx context.Context, q store.CandidateQuery) ([]store.Candidate, error) {
	q.Lexical.Among = store.Intersect(q.Lexical.Among, v.shown)
	q.Vector.Within = store.Intersect(q.Vector.Within, v.shown)
	list, err := v.Snapshot.Candidates(ctx, q)
	withoutNames(list)
	return list, err
}

// Newest lists what is shown.
func (v *snapshot) Newest(ctx context.Context, q store.NewestQuery) ([]store.Candidate, error) {
	q.Within = store.Intersect(q.Within, v.shown)
	list, err := v.Snapshot.Newest(ctx, q)
	withoutNames(list)
	return list, err
}

// withoutNames takes off what depends on notes that may be hidden: names, and the rank in the graph.
func withoutNames(list []store.Candidate) {
	unnamed := map[*store.Note]*store.Note{}
	for i := range list {
		c := &list[i]
		if unnamed[c.Note] == nil {
			n := *c.Note // the store's own is not to be changed
			n.NoteID, n.DocID = "", ""
			unnamed[c.Note] = &n
		}
		c.Note, c.PageRank = unnamed[c.Note], 0
	}
}

// TokenFrequencies counts among what is shown.
func (v *snapshot) TokenFrequencies(ctx context.Context, tokens []uint16, among *store.Set) ([]int, error) {
	return v.Snapshot.TokenFrequencies(ctx, tokens, store.Intersect(among, v.shown))
}
