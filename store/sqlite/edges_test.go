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
		{{0, 1, false}},
		{{3, 17, true}, {4, 17, false}, {1 << 40, math.MaxInt64 / 100, true}},
	} {
		packed := appendEdges(nil, edges)
		if !json.Valid(packed) {
			t.Errorf("%s is no JSON", packed)
		}
		var got []packedEdge
		check(t, unpackEdges(packed, func(e packedEdge) error {
			got = append(got, e)
			return nil
		}))
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
		"", "{}", `{"0":1}`, `{"0":1,"2":-3}`, `{"0":1,}`, `{"0":1`, `{"0":1}}`, `{"00":1}`, `{"99999999999999999999":1}`, `{"0":--1}`, `{"":1}`, `,"0":1}`,
		`{"0":1{"2":3}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, packed []byte) {
		var edges []packedEdge
		err := unpackEdges(packed, func(e packedEdge) error {
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
		case err == nil && len(appendEdges(nil, edges)) > len(packed):
			t.Errorf("%q is %v", packed, edges)
		}
	})
}
