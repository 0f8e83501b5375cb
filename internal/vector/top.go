package vector

import "slices"

// Top keeps the best of the items offered to it. Its answer depends on the items and the order given by better alone,
// not on the order in which they were offered, as long as better says of any two different items which goes first.
// Not safe for concurrent use: one Top for each goroutine, merged by offering the items of one to another.
type Top[T any] struct {
	limit  int
	better func(a, b T) bool
	heap   []T // the worst at the root
}

// NewTop keeps at most limit items (none if limit <= 0); better reports whether a goes before b, as a strict weak order.
func NewTop[T any](limit int, better func(a, b T) bool) *Top[T] {
	return &Top[T]{limit: max(limit, 0), better: better}
}

// Offer considers x, in O(log limit).
func (t *Top[T]) Offer(x T) {
	switch {
	case len(t.heap) < t.limit:
		t.heap = append(t.heap, x)
		t.up(len(t.heap) - 1)
	case t.limit > 0 && t.better(x, t.heap[0]):
		t.heap[0] = x
		t.down(0)
	}
}

// Worst gives the item that the next better one displaces; false while there is room.
func (t *Top[T]) Worst() (item T, full bool) {
	if len(t.heap) < t.limit || t.limit == 0 {
		return item, false
	}
	return t.heap[0], true
}

// Sorted gives the kept items, best first, and empties t.
func (t *Top[T]) Sorted() []T {
	items := t.heap
	t.heap = nil
	slices.SortFunc(items, func(a, b T) int {
		switch {
		case t.better(a, b):
			return -1
		case t.better(b, a):
			return 1
		}
		return 0
	})
	return items
}

func (t *Top[T]) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !t.better(t.heap[parent], t.heap[i]) {
			return
		}
		t.heap[parent], t.heap[i] = t.heap[i], t.heap[parent]
		i = parent
	}
}

func (t *Top[T]) down(i int) {
	for {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.heap); child++ {
			if t.better(t.heap[worst], t.heap[child]) {
				worst = child
			}
		}
		if worst == i {
			return
		}
		t.heap[worst], t.heap[i] = t.heap[i], t.heap[worst]
		i = worst
	}
}

// Scored is a place in a list of scores.
type Scored struct {
	Index int     // position in the list
	Score float32 // higher is better
}

// TopScores gives the limit best scores, best first, ties by the smaller index. NaN is left out.
func TopScores(scores []float32, limit int) []Scored {
	top := NewTop(limit, func(a, b Scored) bool {
		if a.Score != b.Score {
			return a.Score > b.Score
		}
		return a.Index < b.Index
	})
	for i, score := range scores {
		// Indexes rise, so an equal score never displaces: most items end at this comparison.
		if worst, full := top.Worst(); full && score <= worst.Score || score != score {
			continue
		}
		top.Offer(Scored{Index: i, Score: score})
	}
	return top.Sorted()
}
