package likely_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/graph/internal/likely"
)

func TestFiles(t *testing.T) {
	files := []likely.File{
		{Path: "clay/Kiln.md", Key: "clay/kiln.md", Title: "The big oven"}, {Path: "wood/Kiln.md", Key: "wood/kiln.md"}, {Path: "Glaze test.md", Key: "glaze test.md"},
	}
	index := likely.New(files, []likely.Alias{{Name: "ash", File: 2}, {Name: "kiln", File: 2}}, false)
	for _, c := range []struct {
		target, folder string
		want           []string
	}{
		{"the big oven", "", []string{"clay/Kiln.md"}},
		{"Ash", "", []string{"Glaze test.md"}},
		{"x/Kiln", "wood/x/", []string{"wood/Kiln.md", "clay/Kiln.md", "Glaze test.md"}},
		{"Glase test", "", []string{"Glaze test.md"}},
		{"old/Ash", "", []string{"Glaze test.md"}},
		{"old/clay/The big oven", "", []string{"clay/Kiln.md"}},
		{"old/wood/Kiln", "", []string{"wood/Kiln.md"}},
		{"", "", []string{}},
	} {
		if diff := cmp.Diff(c.want, index.Files(c.target, c.folder, likely.NewBudget())); diff != "" {
			t.Errorf("%q (-want +got): %s", c.target, diff)
		}
	}
	if got := index.Files("Glase test", "", &likely.Budget{}); len(got) != 0 {
		t.Errorf("without any work left %v is guessed", got)
	}
}
