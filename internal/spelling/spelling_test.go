package spelling_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

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

// reference fills the whole table.
func reference(a, b string) int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
		for j := range table[i] {
			switch {
			case i == 0:
				table[i][j] = j
			case j == 0:
				table[i][j] = i
			case a[i-1] == b[j-1]:
				table[i][j] = table[i-1][j-1]
			default:
				table[i][j] = 1 + min(table[i-1][j-1], table[i-1][j], table[i][j-1])
			}
		}
	}
	return table[len(a)][len(b)]
}

func TestWithin(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		b := make([]byte, random.IntN(12))
		for i := range b {
			b[i] = "abc"[random.IntN(3)]
		}
		return string(b)
	}
	for range 20_000 {
		a, b, limit := word(), word(), random.IntN(6)
		want := reference(a, b)
		got, ok := spelling.Within(a, b, limit)
		if ok != (want <= limit) || ok && got != want {
			t.Fatalf("Within(%q, %q, %d) = %d, %v, want %d", a, b, limit, got, ok, want)
		}
		if got := spelling.Distance(a, b); got != want {
			t.Fatalf("Distance(%q, %q) = %d, want %d", a, b, got, want)
		}
	}
}

// TestWithinIsBounded would take minutes if time grew with the product.
func TestWithinIsBounded(t *testing.T) {
	a, b := strings.Repeat("ab", 1<<18), strings.Repeat("ba", 1<<18)
	start := time.Now()
	for range 10 {
		if got, ok := spelling.Within(a, b, 3); !ok || got != 2 {
			t.Fatalf("%d, %v, want 2", got, ok)
		}
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		limit int
		want  int
		ok    bool
	}{
		{"defualt", "default", 1, 1, true},
		{"kiln", "klin", 1, 1, true},
		{"kiln", "klin", 0, 0, false},
		{"kiln", "kilm", 1, 1, true},
		{"abcd", "badc", 1, 0, false},
		{"abcd", "badc", 4, 3, true},
	} {
		if got, ok := spelling.Edits(c.a, c.b, c.limit); got != c.want || ok != c.ok {
			t.Errorf("%q, %q, %d: %d, %v, want %d, %v", c.a, c.b, c.limit, got, ok, c.want, c.ok)
		}
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{{"ab", "ba", true}, {"ab", "ab", false}, {"", "", false}, {"aba", "aab", true}, {"abc", "cba", false}, {"ab", "abc", false}, {"abx", "bay", false}} {
		if got := spelling.IsSwap(c.a, c.b); got != c.want {
			t.Errorf("IsSwap(%q, %q) = %v", c.a, c.b, got)
		}
	}
}

func TestSingular(t *testing.T) {
	for word, want := range map[string]string{
		"notes": "note", "new": "new", "news": "news", "class": "class", "classes": "class", "bus": "bus", "buses": "bus",
		"boxes": "box", "axes": "axe", "caches": "cache", "branches": "branch", "dishes": "dish", "houses": "house", "causes": "cause",
		"viruses": "virus", "statuses": "status", "uses": "use", "cases": "case", "databases": "database", "gases": "gas", "gas": "gas",
		"series": "series", "species": "species", "movies": "movie", "categories": "category", "tomatoes": "tomato", "shoes": "shoe",
		"css": "css", "analysis": "analysis", "quizzes": "quiz", "sizes": "size", "lens": "lens", "lenses": "lens", "recipe": "recipe",
		"recipes": "recipe", "": "", "s": "s", "canvas": "canvas", "ideas": "idea",
	} {
		if got := spelling.Singular(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestPairs(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"", "", 0}, {"kiln", "kiln", 1}, {"Kiln", "kILN", 1}, {"ab", "cd", 0}, {"night", "nacht", 2 * 2. / 10}, {"aaaa", "aa", 1},
	} {
		a, b := spelling.PairsOf(c.a), spelling.PairsOf(c.b)
		if a.Likeness(b) != c.want || b.Likeness(a) != c.want {
			t.Errorf("%q, %q: %v, want %v", c.a, c.b, a.Likeness(b), c.want)
		}
	}
	long := strings.Repeat("é", 200)
	if spelling.PairsOf(long+"abcdef").Likeness(spelling.PairsOf(long)) != 1 {
		t.Error("more than the first 200 characters count")
	}
}
