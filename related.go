package quarry

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"quarry/store"
)

// A related note's score is relatedByMeaning times the cosine of the two notes' middles, which are the means of their passages'
// vectors, a negative one being 0, and relatedByLinks times its score by links (graph.Network.Related). Where the note itself has no
// vectors, it is the latter alone. The shares are those by which links that had been taken out came back best, of seven vaults.
const (
	relatedByMeaning = .7
	relatedByLinks   = .3
	relatedUnits     = 1e6 // a score is a whole number of parts of this size
	maxRelated       = 100
	// More notes are compared than are asked for: those of the nearest passages, and those that are nearest by links.
	relatedExtra       = 20
	passagesForRelated = 8 // of the nearest, for each note that is compared
)

// related lists the notes that belong to one without being linked with it, the nearest first.
func (s *surrounds) related(ctx context.Context) ([]RelatedNote, error) {
	limit := min(s.request.Related, maxRelated)
	web, err := s.finder.engine.webOf(ctx, s.finder)
	if err != nil {
		return nil, err
	}
	scores := map[string]float64{}
	for _, r := range web.whole().Related(s.at.path, limit+relatedExtra) {
		scores[r.Path] = r.Score
	}
	own, err := s.middles(ctx, []string{s.at.path})
	if err != nil {
		return nil, err
	}
	if middle := own[s.at.path]; middle != nil {
		if err := s.addMeaning(ctx, middle, scores, limit+relatedExtra); err != nil {
			return nil, err
		}
	}
	return bestRelated(scores, limit), nil
}

func bestRelated(scores map[string]float64, limit int) []RelatedNote {
	list := make([]RelatedNote, 0, len(scores))
	for path, score := range scores {
		if score = min(math.Round(score*relatedUnits)/relatedUnits, 1); score > 0 {
			list = append(list, RelatedNote{Path: path, Score: score})
		}
	}
	slices.SortFunc(list, func(a, b RelatedNote) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Path, b.Path))
	})
	return slices.Clip(list[:min(len(list), limit)])
}

// addMeaning turns scores by links into those by meaning and links, and adds notes that are near by meaning alone.
func (s *surrounds) addMeaning(ctx context.Context, middle []float32, scores map[string]float64, limit int) error {
	near, err := s.nearest(ctx, middle, limit)
	if err != nil {
		return err
	}
	for _, path := range near {
		if _, ok := scores[path]; !ok {
			scores[path] = 0
		}
	}
	paths := slices.Sorted(maps.Keys(scores))
	middles, err := s.middles(ctx, paths)
	if err != nil {
		return err
	}
	for path, byLinks := range scores {
		scores[path] = float64(relatedByMeaning*max(dot(middle, middles[path]), 0)) + float64(relatedByLinks*byLinks)
	}
	return nil
}

// nearest lists the notes of the passages nearest to a vector, at most limit, without the note itself and those linked with it.
func (s *surrounds) nearest(ctx context.Context, vector []float32, limit int) ([]string, error) {
	linked := map[string]bool{s.at.path: true}
	for _, l := range s.links.Out {
		if l.Resolved != nil {
			linked[*l.Resolved] = true
		}
	}
	for _, l := range s.links.Back {
		linked[l.Source] = true
	}
	within, err := s.finder.view.Select(ctx, Filter{Without: linked})
	if err != nil {
		return nil, err
	}
	hits, err := s.finder.view.Nearest(ctx, store.VectorQuery{Vector: vector, Limit: limit * passagesForRelated, Within: within})
	if err != nil {
		return nil, err
	}
	ids := make([]store.PassageID, len(hits))
	for i, hit := range hits {
		ids[i] = hit.ID
	}
	passages, err := s.finder.view.Passages(ctx, ids)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, p := range passages {
		if len(paths) < limit && !slices.Contains(paths, p.Note.Path) {
			paths = append(paths, p.Note.Path)
		}
	}
	return paths, nil
}

// middles are the means of the vectors of notes' passages, of unit length; a note without vectors has none.
func (s *surrounds) middles(ctx context.Context, paths []string) (map[string][]float32, error) {
	var ids []store.PassageID
	counts := make([]int, len(paths))
	for i, path := range paths {
		n, _, err := s.finder.view.Note(ctx, path)
		if err != nil {
			return nil, err
		}
		for k := range n.Passages {
			ids = append(ids, n.Passages[k].ID)
		}
		counts[i] = len(n.Passages)
	}
	vectors, err := s.finder.view.Vectors(ctx, ids)
	if err != nil {
		return nil, err
	}
	middles := map[string][]float32{}
	for i, path := range paths {
		if middle := meanOf(vectors[:counts[i]]); middle != nil {
			middles[path] = middle
		}
		vectors = vectors[counts[i]:]
	}
	return middles, nil
}

// meanOf gives the mean of vectors at unit length; nil where they have none. Products are converted so that they are rounded
// before they are added, on every processor alike.
func meanOf(vectors [][]float32) []float32 {
	var sum []float64
	for _, vector := range vectors {
		if sum == nil && len(vector) > 0 {
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

// dot is the product of two vectors, as long as the shorter one.
func dot(a, b []float32) float64 {
	sum := 0.0
	for i := range min(len(a), len(b)) {
		sum += float64(float64(a[i]) * float64(b[i]))
	}
	return sum
}
