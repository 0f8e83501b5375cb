package store_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"quarry/store"
)

// TestSetsAreLists compares sets with sorted lists.
func TestSetsAreLists(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		set, want := &store.Set{}, map[store.PassageID]bool{}
		for range random.IntN(6) {
			first, count := store.PassageID(random.IntN(400)), random.IntN(200)-5
			set.AddRange(first, count)
			for id := first; id < first+store.PassageID(count); id++ {
				want[id] = true
			}
			gone := store.PassageID(random.IntN(600))
			set.Remove(gone)
			delete(want, gone)
		}
		var list []store.PassageID
		for id := range want {
			list = append(list, id)
		}
		slices.Sort(list)
		if got := slices.Collect(set.All()); !slices.Equal(got, list) || set.Len() != len(list) {
			t.Fatalf("%v (%d), want %v", got, set.Len(), list)
		}
		copied := set.Clone()
		copied.Add(5000)
		copied.Remove(5000) // leaves room behind
		if !copied.Equal(set) || !set.Equal(copied) {
			t.Error("a copy differs")
		}
		copied.Add(4999)
		if copied.Equal(set) || set.Equal(copied) || set.Has(4999) {
			t.Error("a change of a copy does not show, or shows in the first")
		}
		for id := range set.All() {
			if id != list[0] {
				t.Errorf("the first is %d, want %d", id, list[0])
			}
			break
		}
	}
	var all *store.Set
	if all.Clone() != nil || !all.Equal(nil) || all.Equal(&store.Set{}) || (&store.Set{}).Equal(nil) {
		t.Error("the nil set is no other")
	}
	for id := range all.All() {
		t.Errorf("the nil set yields %d", id)
	}
}
