package sqlite

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"quarry/store"
)

// TestPackedEdges: what is packed is JSON and comes back.
func TestPackedEdges(t *testing.T) {
	for _, edges := range [][]packedEdge{
		{{0, 1, "references", "explicit:wikilink"}},
		{{3, 17, "", ""}, {4, 17, "ü\"\\\x00\n\x1f\x7f\u2028", "\\"}, {1 << 30, math.MaxInt64 / 100, "", ""}},
	} {
		packed := appendEdges(nil, edges)
		if !json.Valid(packed) {
			t.Errorf("%s is no JSON", packed)
		}
		var got []packedEdge
		check(t, newEdgeReader(nil).each(packed, func(e packedEdge) error {
			got = append(got, e)
			return nil
		}))
		slices.SortFunc(got, byLink)
		if !slices.Equal(got, edges) {
			t.Errorf("%s: %v, want %v", packed, got, edges)
		}
	}
	if packed := appendEdges(nil, nil); len(packed) > 0 {
		t.Errorf("no edges are %q", packed)
	}
}

// FuzzUnpackEdges: of any bytes, those that are read are written the same again but for leading zeros.
func FuzzUnpackEdges(f *testing.F) {
	for _, seed := range []string{
		"", "[]", "[[]]", `[["k","r",{}]]`, `[["k","r",}]]`, `[["k","r",{"0":1`, `[["k","r",{"0":1}]]`, `[["k","r",{"0":1,"2":3}],["","",{"1":1}]]`, `[["k","r",{"0":1,}]]`,
		`[["k","r",{"0":1}]`, `[["k","r",{"0":1}]]]`, `[["k","r",{"00":1}]]`, `[["k","r",{"99999999999999999999":1}]]`, `[["k","r",{"0":-1}]]`,
		`[["k","r",{"":1}]]`, `[["k\u0001\\\"","r",{"0":1}]]`, `[["\u00e`, `[["\`, `[["\x","",{"0":1}]]`, `{"0":1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, packed []byte) {
		var edges []packedEdge
		err := newEdgeReader(nil).each(packed, func(e packedEdge) error {
			if e.link < 0 || e.target < 0 {
				t.Errorf("%q gives %v", packed, e)
			}
			edges = append(edges, e)
			return nil
		})
		switch {
		case err != nil && !errors.Is(err, store.ErrDamaged):
			t.Errorf("%q: %v", packed, err)
		case err == nil && len(edges) == 0:
			t.Errorf("%q has no edges", packed)
		case err == nil && !rereads(edges):
			t.Errorf("%q is %v", packed, edges)
		}
	})
}

// rereads tells whether edges come back when they are written.
func rereads(edges []packedEdge) bool {
	slices.SortStableFunc(edges, byLink)
	var again []packedEdge
	err := newEdgeReader(nil).each(appendEdges(nil, edges), func(e packedEdge) error {
		again = append(again, e)
		return nil
	})
	slices.SortStableFunc(again, byLink)
	return err == nil && len(again) == len(edges)
}
