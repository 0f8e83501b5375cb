package note

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestMarkTable holds that a table finds from every line what reading on from there finds.
func TestMarkTable(t *testing.T) {
	lines := []string{"a\n", "\n", "%%\n", "a %% b\n", "`%%` c\n", "```\n", "````\n", "``` go\n", "``` a`b\n", "~~~\n", "~~~~ x\n", "   ```\n", "    ```\n", "``%%` %%``\n", "%%"}
	random := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		var text strings.Builder
		for range random.IntN(12) {
			text.WriteString(lines[random.IntN(len(lines))])
		}
		body := text.String()
		table := newMarkTable(body, tableKey{mark: "%%"}, 0)
		for start := 0; start <= len(body); start++ {
			if start > 0 && start < len(body) && body[start-1] != '\n' {
				continue
			}
			want := closingMark(body[start:], "%%")
			if want >= 0 {
				want += start
			}
			if got := table.after(start); got != want {
				t.Fatalf("from %d of %q: %d, want %d", start, body, got, want)
			}
		}
	}
}
