package quarry

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"quarry/store"
)

// A related note's score is relatedByMeaning times the highest cosine of a passage of it with the middle of the note's own
// passages, negative ones being 0, and relatedByLinks times its score by links. In an index without vectors it is the latter.
const (
	relatedByMeaning = .6
	relatedByLinks   = .4
	relatedUnit      = 1e6 // scores are multiples of one part of it
	// relatedDepth is among how many passages that come nearest, and how many notes by links, related notes are looked for, for
	// each that is wanted.
	relatedDepth = 8
	maxRelated   = 1000
)

// related lists the notes that belong to one without being linked with it, the nearest first.
func (s *surrounds) related(ctx context.Context) ([]RelatedNote, error) {
	limit := min(s.request.Related, maxRelated)
	network, err := s.finder.engine.networkOf(ctx, s.finder)
	if err != nil {
		return nil, err
	}
	scores := map[string]float64{}
	byLinks := network.Related(s.at.path, limit*relatedDepth)
	for _, r := range byLinks {
		scores[r.Path] = r.Score
	}
	middle, err := s.middle(ctx)
	if err != nil {
		return nil, err
	}
	if middle != nil {
		if scores, err = s.withMeaning(ctx, middle, scores, limit); err != nil {
			return nil, err
		}
	}
	return bestRelated(scores, limit), nil
}

func bestRelated(scores map[string]float64, limit int) []RelatedNote {
	list := make([]RelatedNote, 0, len(scores))
	for path, score := range scores {
		if score = math.Round(score*relatedUnit) / relatedUnit; score > 0 {
			list = append(list, RelatedNote{Path: path, Score: score})
		}
	}
	slices.SortFunc(list, func(a, b RelatedNote) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Path, b.Path))
	})
	return slices.Clip(list[:min(len(list), limit)])
}

// middle is the mean of the vectors of the note's passages, of unit length; nil where there are none.
func (s *surrounds) middle(ctx context.Context) ([]float32, error) {
	n, ok, err := s.finder.view.Note(ctx, s.at.path)
	if !ok || err != nil {
		return nil, err
	}
	ids := make([]store.PassageID, len(n.Passages))
	for i := range n.Passages {
		ids[i] = n.Passages[i].ID
	}
	vectors, err := s.finder.view.Vectors(ctx, ids)
	if err != nil {
		return nil, err
	}
	return meanOf(vectors), nil
}

// meanOf gives the mean of vectors at unit length; nil where they have none. Products are converted so that they are rounded
// before they are added, on every processor alike.
func meanOf(vectors [][]float32) []float32 {
	var sum []float64
	for _, vector := range vectors {
		if sum == nil {
			sum = make([]float64, len(vector))
		}
		for i := range min(len(vector), len(sum)) {
			sum[i] += float64(vector[i])
		}
	}
	length := 0.0
	for _, value := range sum {
		length += float64(value * value)
	}
	if length = math.Sqrt(length); length == 0 {
		return nil
	}
	mean := make([]float32, len(sum))
	for i, value := range sum {
		mean[i] = float32(value / length)
	}
	return mean
}

// withMeaning joins the scores by links with those by meaning, of the notes that are near by either.
func (s *surrounds) withMeaning(ctx context.Context, middle []float32, byLinks map[string]float64, limit int) (map[string]float64, error) {
	linked := map[string]bool{s.at.path: true}
	for _, l := range s.links.Out {
		if l.Resolved != nil {
			linked[*l.Resolved] = true
		}
	}
	for _, l := range s.links.Back {
		linked[l.Source] = true
	}
	scores, err := s.nearest(ctx, middle, Filter{Without: linked}, limit*relatedDepth)
	if err != nil {
		return nil, err
	}
	missing := map[string]bool{}
	for path := range byLinks {
		if _, ok := scores[path]; !ok {
			missing[path] = true
		}
	}
	if len(missing) > 0 {
		more, err := s.nearest(ctx, middle, Filter{Among: missing}, maxRelated*relatedDepth)
		if err != nil {
			return nil, err
		}
		for path := range missing {
			scores[path] = more[path]
		}
	}
	for path, cosine := range scores {
		scores[path] = float64(relatedByMeaning*cosine) + float64(relatedByLinks*byLinks[path])
	}
	return scores, nil
}

// nearest gives the highest cosine of the notes whose passages come nearest to a vector, 0 where it is negative.
func (s *surrounds) nearest(ctx context.Context, vector []float32, filter Filter, passages int) (map[string]float64, error) {
	within, err := s.finder.view.Select(ctx, filter)
	if err != nil {
		return nil, err
	}
	hits, err := s.finder.view.Nearest(ctx, store.VectorQuery{Vector: vector, Limit: passages, Within: within})
	if err != nil {
		return nil, err
	}
	ids := make([]store.PassageID, len(hits))
	for i, hit := range hits {
		ids[i] = hit.ID
	}
	passagesFound, err := s.finder.view.Passages(ctx, ids)
	if err != nil {
		return nil, err
	}
	best := map[string]float64{}
	for i, f := range passagesFound {
		best[f.Note.Path] = max(best[f.Note.Path], hits[i].Score)
	}
	return best, nil
}
