package mcpserver

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"quarry"
)

// pieces are texts that JSON writes in all the ways there are.
var pieces = []string{"a", "kiln ", "\"", "\\", "\n", "\t", "\x01", "\x7f", "é", "火", "🔥", "\u2028", "\u200b", "\U000e0041", "<&>", "\xff", "\ufffd", "\u202e"}

func madeText(random *rand.Rand, mostPieces int) string {
	var text strings.Builder
	for range random.IntN(mostPieces + 1) {
		text.WriteString(pieces[random.IntN(len(pieces))])
	}
	return text.String()
}

// longestPrefix finds what prefix does by writing each beginning of the text.
func longestPrefix(text string, maxCharacters int) string {
	best := ""
	for end := range text {
		if sizeOf(text[:end])-len(`""`) <= maxCharacters {
			best = text[:end]
		}
	}
	return best
}

func TestPrefix(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		text, room := madeText(random, 30), random.IntN(120)-2
		if got, want := prefix(text, room), longestPrefix(text, room); got != want {
			t.Errorf("%q in %d characters: %q, want %q", text, room, got, want)
		}
	}
}

// An answer takes all of its room: with one character more of the last passage, or with one passage more, it would have none.
func TestCapTakesItsRoom(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for round := range 300 {
		answer := quarry.SearchAnswer{Query: madeText(random, 20), Status: quarry.StatusOK, Notices: []string{madeText(random, 10)}, Results: []quarry.SearchResult{}}
		for i := range random.IntN(6) {
			answer.Results = append(answer.Results, quarry.SearchResult{FilePath: fmt.Sprintf("%d.md", i), ChunkText: madeText(random, 300)})
		}
		bound := 600 + random.IntN(6000)
		capped := capAnswer(answer, bound)
		if size := sizeOf(&capped); size > bound {
			t.Fatalf("round %d: %d characters of %d", round, size, bound)
		}
		count := len(capped.Results)
		if count == len(answer.Results) && (count == 0 || !capped.Results[count-1].Truncated) {
			continue
		}
		if count > 0 && capped.Results[count-1].Truncated {
			count--
			kept := utf8.RuneCountInString(strings.TrimSuffix(capped.Results[count].ChunkText, "…"))
			if more := withCut(answer, capped, count, kept+1); fits(more, bound) {
				t.Errorf("round %d: a passage has room for more than %d characters", round, kept)
			}
			continue
		}
		if more := withCut(answer, capped, count, minCutCharacters); fits(more, bound) {
			t.Errorf("round %d: a passage more has room beside %d", round, count)
		}
	}
}

// withCut is an answer with so many of its passages and the beginning of another.
func withCut(answer, capped quarry.SearchAnswer, count, characters int) quarry.SearchAnswer {
	cut := answer.Results[count]
	for end := range cut.ChunkText {
		if characters--; characters < 0 {
			cut.ChunkText = cut.ChunkText[:end]
			break
		}
	}
	cut.ChunkText, cut.Truncated = cut.ChunkText+"…", true
	capped.Results = append(answer.Results[:count:count], cut)
	return capped
}

func BenchmarkDocumentOf(b *testing.B) {
	filter, err := quarry.NewRedactor(quarry.RedactionOptions{})
	if err != nil {
		b.Fatal(err)
	}
	answer := quarry.SearchAnswer{Query: "kiln", Status: quarry.StatusOK, Results: []quarry.SearchResult{}}
	for i := range 10 {
		text := strings.Repeat(fmt.Sprintf("The kiln of firing %d stood at \"%d\" degrees.\n", i, 900+i), 40)
		answer.Results = append(answer.Results, quarry.SearchResult{FilePath: "areas/Firings.md", ChunkText: text})
	}
	for b.Loop() {
		if _, err := documentOf(answer, filter, 16000); err != nil {
			b.Fatal(err)
		}
	}
}
