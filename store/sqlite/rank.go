package sqlite

import (
	"cmp"
	"slices"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// leaders gives the limit best of the candidates and all that are level with the last of them, in no order. It changes
// the order of the candidates.
func leaders(candidates []store.Hit, limit int) []store.Hit {
	if limit <= 0 {
		return nil
	}
	if len(candidates) <= limit {
		return candidates
	}
	cut := nthScore(candidates, limit)
	kept := candidates[:0]
	for _, c := range candidates {
		if c.Score >= cut {
			kept = append(kept, c)
		}
	}
	return kept
}

// nthScore finds the n-th highest score, n counted from 1: a heap of the n best, the least at its root.
func nthScore(candidates []store.Hit, n int) float64 {
	heap := make([]float64, 0, n)
	for _, c := range candidates {
		switch {
		case len(heap) < n:
			heap = append(heap, c.Score)
			if len(heap) == n {
				slices.Sort(heap) // ascending is a heap
			}
		case c.Score > heap[0]:
			heap[0] = c.Score
			sink(heap)
		}
	}
	return heap[0]
}

func sink(heap []float64) {
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && heap[child+1] < heap[child] {
			child++
		}
		if heap[i] <= heap[child] {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}

// inOrder sorts hits by score, equal scores by path and index, and cuts them to the limit. Ids play no part: they differ
// between indexes of the same notes.
func inOrder(c *engine.Conn, hits []store.Hit, limit int) ([]store.Hit, error) {
	slices.SortFunc(hits, func(a, b store.Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID)) })
	for from := 0; from < min(len(hits), limit); {
		to := from + 1
		for to < len(hits) && hits[to].Score == hits[from].Score {
			to++
		}
		if to > from+1 {
			if err := byPlace(c, hits[from:to]); err != nil {
				return nil, err
			}
		}
		from = to
	}
	return hits[:min(len(hits), limit)], nil
}

// byPlace sorts hits by path and index.
func byPlace(c *engine.Conn, hits []store.Hit) error {
	s, err := c.Prepare("SELECT file_path, idx FROM chunks WHERE id = ?")
	if err != nil {
		return err
	}
	defer s.Reset()
	type place struct {
		hit   store.Hit
		path  string
		index int64
	}
	places := make([]place, len(hits))
	for i, h := range hits {
		s.BindInt(0, int64(h.ID))
		more, err := s.Step()
		if err != nil || !more {
			return cmp.Or(err, damaged("passage %d is missing", h.ID))
		}
		places[i] = place{h, s.Text(0), s.Int(1)}
		s.Reset()
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.index, b.index))
	})
	for i, p := range places {
		hits[i] = p.hit
	}
	return nil
}
