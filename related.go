package quarry

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"quarry/search"
)

// A related note's score is relatedByMeaning times how near its best passage is to the note by words and meaning, see search.Likeness,
// and relatedByLinks times its score by links (graph.Network.Related). Where the note itself has no vectors, it is the latter alone. Of
// six vaults of which a third of the links had been taken out with their words, those came back at nDCG@10 .30; .22 with the cosine of
// the notes' vectors in the place of that nearness.
const (
	relatedByMeaning = .7
	relatedByLinks   = .3
	relatedUnits     = 1e6 // a score is a whole number of parts of this size
	maxRelated       = 100
	// However few are asked for, the same notes are compared, so that few are the first of many: so many of the nearest by links,
	// and the notes of the nearest passages, so many at most.
	comparedByLinks    = 60
	comparedByMeaning  = 60
	passagesForRelated = 8 // of the nearest, for each note that is compared
	// leastRelated is the least score by meaning and links. Of large vaults nearly all notes that are compared are above it (of five,
	// 96 to 100 of 100); in small ones, where all notes are compared, what lies below speaks of something else.
	leastRelated = .25
)

// related lists the notes that belong to one without being linked with it, the nearest first.
func (s *surrounds) related(ctx context.Context) ([]RelatedNote, error) {
	web, err := s.finder.engine.webOf(ctx, s.finder)
	if err != nil {
		return nil, err
	}
	byLinks := web.whole().Related(s.at.path, math.MaxInt)
	scores := map[string]float64{}
	for _, r := range byLinks[:min(len(byLinks), comparedByLinks)] {
		scores[r.Path] = r.Score
	}
	pattern, err := s.finder.patternOf(ctx, &likePattern{path: s.at.path}, true)
	if err != nil {
		return nil, err
	}
	if pattern.Vector != nil {
		if err := s.addMeaning(ctx, pattern, scores, byLinks); err != nil {
			return nil, err
		}
	}
	return bestRelated(scores, min(s.request.Related, maxRelated)), nil
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

// addMeaning turns scores by links into those by meaning and links, and adds notes that are near by meaning, whose scores by links
// are among all that have any.
func (s *surrounds) addMeaning(ctx context.Context, pattern search.Pattern, scores map[string]float64, byLinks []RelatedNote) error {
	near, err := s.nearness(ctx, pattern, scores)
	if err != nil {
		return err
	}
	for path := range near {
		if _, ok := scores[path]; !ok {
			scores[path] = 0
		}
	}
	for _, r := range byLinks {
		if _, ok := scores[r.Path]; ok {
			scores[r.Path] = r.Score
		}
	}
	for path, byLinks := range scores {
		scores[path] = float64(relatedByMeaning*near[path]) + float64(relatedByLinks*byLinks)
	}
	maps.DeleteFunc(scores, func(_ string, score float64) bool { return score < leastRelated })
	return nil
}

// nearness tells how near notes are to the note, those nearest by meaning, at most comparedByMeaning, and some others. Neither it nor
// those that are linked with it are among the former.
func (s *surrounds) nearness(ctx context.Context, pattern search.Pattern, others map[string]float64) (map[string]float64, error) {
	searcher := search.Searcher{Snapshot: s.finder.view}
	found, err := searcher.Likeness(ctx, Filter{Without: s.linked()}, pattern, comparedByMeaning*passagesForRelated)
	if err != nil {
		return nil, err
	}
	near := map[string]float64{}
	for _, r := range bestRelated(found, comparedByMeaning) {
		near[r.Path] = r.Score
	}
	among := map[string]bool{}
	for path := range others {
		if _, ok := near[path]; !ok {
			among[path] = true
		}
	}
	if len(among) == 0 {
		return near, nil
	}
	found, err = searcher.Likeness(ctx, Filter{Among: among}, pattern, comparedByMeaning*passagesForRelated)
	maps.Copy(near, found)
	return near, err
}

// linked are the paths of the note and of those that are linked with it.
func (s *surrounds) linked() map[string]bool {
	linked := map[string]bool{s.at.path: true}
	for _, l := range s.links.Out {
		if l.Resolved != nil {
			linked[*l.Resolved] = true
		}
	}
	for _, l := range s.links.Back {
		linked[l.Source] = true
	}
	return linked
}

// meanOf gives the mean of vectors at unit length; nil where they have none. Products are converted so that they are rounded
// before they are added, on every processor alike.
func meanOf(vectors [][]float32) []float32 {
	var sum []float64
	for _, v := range vectors {
		if sum == nil && len(v) > 0 {
			sum = make([]float64, len(v))
		}
		for i := range min(len(v), len(sum)) {
			sum[i] += float64(v[i])
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
