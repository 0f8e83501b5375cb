package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"quarry/store"
)

const kilnText = "Ash glaze runs when the kiln is fired too hot, so the shelf below it wears a coat of sand that is changed after every firing, and the cones stand where they are seen."

func TestRepeats(t *testing.T) {
	cases := []struct {
		name             string
		title, text      string
		otherTitle, same string
		want             bool
	}{
		{"the same", "a", kilnText, "b", kilnText, true},
		{"other blanks", "a", kilnText, "b", strings.ReplaceAll(kilnText, " ", "\n  "), true},
		{"other letter case", "a", kilnText, "b", strings.ToUpper(kilnText), true},
		{"one word more", "a", kilnText + " " + kilnText, "b", kilnText + " Also " + kilnText, true},
		{"one word of few", "a", kilnText, "b", strings.Replace(kilnText, "sand", "clay", 1), false},
		{"another number", "a", kilnText + kilnText + " at 1200 degrees", "b", kilnText + kilnText + " at 1240 degrees", false},
		{"half", "a", kilnText, "b", kilnText[:len(kilnText)/2], false},
		{"short, another title", "a", "See above.", "b", "See above.", false},
		{"short, the same title", "a", "See above.", "a", "See  above.", true},
		{"without blanks", "a", strings.Repeat("窯は熱い。灰釉は流れる", 2), "b", strings.Repeat("窯は熱い。灰釉は流れる", 2), true},
		{"without blanks, another text", "a", "窯は熱い。灰釉は流れるので棚に砂を敷く", "b", "窯は熱い。白釉は流れないので棚に砂はない", false},
		{"nothing", "a", "", "b", "", false},
		{"no text at all", "a", "\xff\x00", "a", "\xff\x00", true},
	}
	for _, c := range cases {
		seen := newRepeats()
		first, second := imprintOf(c.title, c.text), imprintOf(c.otherTitle, c.same)
		if _, found := seen.find(&first); found {
			t.Errorf("%s: found before anything was kept", c.name)
		}
		seen.keep(&first, 7)
		kept, found := seen.find(&second)
		if found != c.want || found && kept != 7 {
			t.Errorf("%s: %v as %d, want %v", c.name, found, kept, c.want)
		}
	}
}

// A text of any length costs no more than a bound.
func TestRepeatsIsBounded(t *testing.T) {
	var b strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&b, "word%d ", i*7919%99_991)
	}
	text := imprintOf("a", b.String())
	if len(text.shingles) > maxShingles {
		t.Errorf("%d shingles", len(text.shingles))
	}
}

// However many texts have a part in common, each is compared with few.
func TestFramesAreBounded(t *testing.T) {
	seen := newRepeats()
	for i := range 1000 {
		text := imprintOf("a", kilnText+strings.Repeat(fmt.Sprint(" of ", kilnWords(i)), 3))
		if _, found := seen.find(&text); found {
			t.Fatalf("text %d is taken for another", i)
		}
		seen.keep(&text, i)
	}
	for key, list := range seen.near {
		if len(list) > maxPerKey {
			t.Errorf("%d texts for shingle %x", len(list), key)
		}
	}
}

// kilnWords are twenty words of no other number.
func kilnWords(number int) string {
	var b strings.Builder
	for i := range 20 {
		fmt.Fprintf(&b, "%c%c%c ", 'a'+number%26, 'a'+number/26%26, 'a'+(number/676+i)%26)
	}
	return b.String()
}

// Of two notes with the same passage the one with the shorter path stands, then the first, unless it is clearly worse.
func TestTwinsGiveWay(t *testing.T) {
	for name, test := range map[string]struct {
		first, second string
		order         float64 // of the second, that of the first being 2
		want          string
	}{
		"as good, shorter":      {"Kiln (copy).md", "Kiln.md", 1.95, "Kiln.md"},
		"as good, longer":       {"Kiln.md", "Kiln (copy).md", 1.95, "Kiln.md"},
		"as good, first":        {"b.md", "a.md", 1.9, "a.md"},
		"as good, last":         {"a.md", "b.md", 1.9, "a.md"},
		"clearly worse, though": {"Kiln (copy).md", "Kiln.md", 1.8, "Kiln (copy).md"},
	} {
		named := Searcher{ChunkID: func(id string, _ int) string { return id }}
		f := newFilling(named, Request{Limit: 10, MaxTokens: 1000, Explain: true}, &Answer{})
		f.repeats = newRepeats()
		for i, path := range []string{test.first, test.second} {
			c := candidate{score: []float64{2, test.order}[i], confidence: .5}
			f.candidates = append(f.candidates, c)
			found := store.Found{Passage: store.Passage{Text: kilnText}, Note: &store.Note{File: store.File{Path: path}, Title: path}}
			f.add(i, found, f.prepared([]int{i}, []store.Found{found})[0])
		}
		f.finish()
		other := test.first
		if test.want == test.first {
			other = test.second
		}
		left := 4000 - utf8.RuneCountInString(kilnText)
		standing := f.answer.Results
		if len(standing) != 1 || standing[0].FilePath != test.want || !slices.Equal(standing[0].Duplicates, []string{other}) || f.budget.left != left {
			t.Errorf("%s: %+v, budget %d, want %d", name, standing, f.budget.left, left)
			continue
		}
		if standing[0].Explain.Score != 2 {
			t.Errorf("%s: stands by %v, want the score of the first", name, standing[0].Explain.Score)
		}
	}
}

// shelf gives passages by their ids.
type shelf struct {
	store.Snapshot
	found []store.Found
}

func (s shelf) Passages(_ context.Context, ids []store.PassageID) ([]store.Found, error) {
	var list []store.Found
	for _, id := range ids {
		list = append(list, s.found[id])
	}
	return list, nil
}

// TestTwinsBehindTheLimit: a copy that is ranked behind as many as were asked for stands in the place of the first all the same, and
// a third that repeats them is told of with the one that stands. Scores may be negative.
func TestTwinsBehindTheLimit(t *testing.T) {
	paths := []string{"Kiln (copy).md", "Wheel.md", "Sieve.md", "Archive/Kiln (copy).md", "Kiln.md", "Archive/Kiln.md", "Rake.md"}
	for name, scores := range map[string][]float64{
		"positive": {2, 1.99, 1.98, 1.97, 1.96, 1.95, 1.2},
		"negative": {-.2, -.201, -.202, -.203, -.204, -.205, -.3},
		"zero":     {0, 0, 0, 0, 0, 0, 0},
	} {
		for limit, want := range [][]string{{}, {"Kiln.md"}, {"Kiln.md", "Wheel.md"}, {"Kiln.md", "Wheel.md", "Sieve.md"}} {
			if limit == 0 {
				continue
			}
			var candidates []candidate
			var s shelf
			for i, path := range paths {
				text := path
				if strings.Contains(path, "Kiln") {
					text = kilnText
				}
				note := &store.Note{File: store.File{Path: path}, Title: path}
				s.found = append(s.found, store.Found{Passage: store.Passage{Text: text}, Note: note})
				c := candidate{Candidate: store.Candidate{ID: store.PassageID(i), Note: note}, confidence: .5}
				c.add("words", scores[i])
				c.sum()
				candidates = append(candidates, c)
			}
			answer := Answer{}
			searcher := Searcher{Snapshot: s, ChunkID: func(string, int) string { return "" }}
			request := Request{Limit: limit, MaxTokens: 1000, Explain: true}
			if _, err := searcher.fill(t.Context(), request, &Plan{}, candidates, &answer); err != nil {
				t.Fatal(err)
			}
			var got []string
			for i, r := range answer.Results {
				got = append(got, r.FilePath)
				if i > 0 && r.Explain.Score > answer.Results[i-1].Explain.Score {
					t.Errorf("%s, %d: scores rise", name, limit)
				}
			}
			duplicates := []string{"Archive/Kiln (copy).md", "Archive/Kiln.md", "Kiln (copy).md"}
			if !slices.Equal(got, want) || !slices.Equal(answer.Results[0].Duplicates, duplicates) {
				t.Errorf("%s, %d: %v with %v, want %v with %v", name, limit, got, answer.Results[0].Duplicates, want, duplicates)
			}
		}
	}
}
