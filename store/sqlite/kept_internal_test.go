package sqlite

import (
	"testing"

	"quarry/store"
)

// The list of what is kept counts towards its bound, as does what is kept.
func TestRankDataKeptIsBounded(t *testing.T) {
	first, usual, huge := &resident{}, &resident{rankAsked: 1}, &resident{rankAsked: 1}
	if first.keptRankData(10) != nil {
		t.Error("the first question keeps something")
	}
	if huge.keptRankData(maxRankDataBytes/sliceBytes) != nil || huge.rankData != nil {
		t.Error("the list alone takes more than may be kept")
	}
	const last = maxRankDataBytes / sliceBytes / 2
	kept := usual.keptRankData(last)
	if kept == nil || len(kept.data) != last+1 {
		t.Fatalf("%+v", kept)
	}
	const pieceBytes, pieces = 1 << 20, 32
	for i := range store.PassageID(pieces) {
		kept.keep(i, make([]byte, pieceBytes))
	}
	count := 0
	for i := range store.PassageID(pieces) {
		if kept.of(i) != nil {
			count++
		}
	}
	if count != 15 || kept.size > maxRankDataBytes {
		t.Errorf("%d pieces of a MiB are kept beside a list of 16, %d bytes", count, kept.size)
	}
}
