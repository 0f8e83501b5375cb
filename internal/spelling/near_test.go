package spelling_test

import (
	"slices"
	"strings"
	"testing"

	"quarry/internal/spelling"
)

func TestNear(t *testing.T) {
	known := []string{"pots/stoneware", "tidebook", "tidebooks", "backup", "a", "b"}
	for name, want := range map[string][]string{
		"tidebok": {"tidebook", "tidebooks"}, "TIDEBOOK": {"tidebook", "tidebooks"}, "bakcup": {"backup"}, "stonewear": {"pots/stoneware"},
		"zebra": nil, "": nil, "c": nil, strings.Repeat("backup", 50): nil,
	} {
		if got := spelling.Near(name, known); !slices.Equal(got, want) {
			t.Errorf("%.20q: %q, want %q", name, got, want)
		}
	}
}

// TestNearOfLongNames holds where names are too long to be a slip of one another.
func TestNearOfLongNames(t *testing.T) {
	for length, want := range map[int]int{255: 1, 256: 1, 257: 0, 1 << 20: 0} {
		name := strings.Repeat("ab", length/2+1)[:length]
		if got := spelling.Near(name, []string{name + "c", "other"}); len(got) != want {
			t.Errorf("%d bytes: %d names", length, len(got))
		}
	}
}
