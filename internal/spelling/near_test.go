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
