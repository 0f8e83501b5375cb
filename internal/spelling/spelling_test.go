package spelling_test

import (
	"testing"

	"quarry/internal/spelling"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"kiln", "kiln", 0}, {"kitten", "sitting", 3}, {"defualt", "default", 2}, {"folders", "folder", 1},
	} {
		for _, got := range []int{spelling.Distance(c.a, c.b), spelling.Distance(c.b, c.a)} {
			if got != c.want {
				t.Errorf("%q, %q: %d, want %d", c.a, c.b, got, c.want)
			}
		}
	}
}
