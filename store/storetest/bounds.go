package storetest

import (
	"math"
	"testing"

	"quarry/store"
)

// testWithoutArchived counts the set after deletions, when ids may be out of use.
func testWithoutArchived(t *testing.T, s store.Store) {
	archived := plainNote("c.md", "x", "y", "z")
	archived.Status = "ARCHIVED"
	write(t, s, store.Full, plainNote("a.md", "x", "y"), plainNote("b.md", "x", "y"), archived, plainNote("d.md", "x", "y"), plainNote("e.md"))
	set, err := open(t, s).Select(t.Context(), store.Filter{ExcludeArchived: true})
	ok(t, err)
	if set == nil || set.Len() != 6 {
		t.Errorf("a set of %d passages before, want 6", set.Len())
	}
	u := begin(t, s, store.Incremental)
	ok(t, u.Delete(t.Context(), []string{"a.md"}))
	ok(t, u.Put(t.Context(), []store.Note{plainNote("b.md", "x")}))
	ok(t, u.Commit(t.Context()))
	v := open(t, s)
	set, err = v.Select(t.Context(), store.Filter{ExcludeArchived: true})
	ok(t, err)
	if set == nil || set.Len() != 3 {
		t.Errorf("a set of %d passages, want 3", set.Len())
	}
	for path, want := range map[string]bool{"b.md": true, "c.md": false, "d.md": true} {
		for _, p := range read(t, v, path).Passages {
			if set.Has(p.ID) != want {
				t.Errorf("passage %d of %s in the set: %v", p.Index, path, !want)
			}
		}
	}
}

// testLimits asks for more than there can be.
func testLimits(t *testing.T, s store.Store) {
	write(t, s, store.Full, plainNote("a.md", "kiln", "kiln", "glaze"), plainNote("b.md", "kiln"))
	v := open(t, s)
	for _, test := range []struct{ limit, lexical, nearest int }{
		{math.MaxInt, 3, 4}, {math.MaxInt/2 + 1, 3, 4}, {math.MaxInt32, 3, 4}, {2, 2, 2}, {0, 0, 0}, {-1, 0, 0}, {math.MinInt, 0, 0},
	} {
		hits, _ := lexical(t, v, test.limit, should("kiln")...)
		near, err := v.Nearest(t.Context(), store.VectorQuery{Vector: vector(1), Limit: test.limit})
		ok(t, err)
		if len(hits) != test.lexical || len(near) != test.nearest {
			t.Errorf("limit %d: %d and %d hits, want %d and %d", test.limit, len(hits), len(near), test.lexical, test.nearest)
		}
	}
}
