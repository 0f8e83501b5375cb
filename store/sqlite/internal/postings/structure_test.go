package postings

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

var exported = cmp.AllowUnexported(structure{}, level{}, segment{})

func TestStructure(t *testing.T) {
	for _, origins := range []bool{false, true} {
		want := structure{cookie: []byte{0, 0, 0, 7}, origins: origins, writes: 1 << 60, levels: []level{
			{merging: 0, segments: []segment{}},
			{merging: 2, segments: []segment{{id: 3, first: 1, last: 300}, {id: 4, first: 2, last: 1 << 20}, {id: 9, first: 1, last: 1}}},
			{merging: 0, segments: []segment{{id: 1, first: 1, last: 5}, {id: 2, first: 1, last: 9}}},
		}}
		if origins {
			want.levels[1].segments[0].origin = [5]uint64{1, 2, 300, 1 << 40, 5}
		}
		got, err := parseStructure(want.encode())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, exported); diff != "" {
			t.Errorf("read back (-want +got):\n%s", diff)
		}
		got.replace(segment{id: 1}) // nothing is merged into it
		got.replace(segment{id: 4})
		if got.levels[1].merging != 1 || len(got.levels[1].segments) != 2 || len(got.levels[2].segments) != 1 {
			t.Errorf("without an input of the merge: %+v", got.levels)
		}
		got.replace(segment{id: 2})
		if got.levels[1].merging != 0 || len(got.levels[2].segments) != 0 {
			t.Errorf("without its output: %+v", got.levels)
		}
	}
}

func TestVarints(t *testing.T) {
	for shift := range 64 {
		for _, n := range []uint64{1<<shift - 1, 1 << shift, 1<<shift + 1, ^uint64(0) >> shift} {
			r := reader{data: appendVarint(nil, n)}
			if got := r.varint(); got != n || r.at != len(r.data) || r.failed {
				t.Errorf("%d is read back as %d", n, got)
			}
		}
	}
}
