package memory

import (
	"context"
	"math"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"quarry/store"
)

// words splits a text into runs of letters, digits, private-use characters and marks, in lower case and without marks, as
// FTS5's unicode61 does with its default options, though by today's Unicode.
func words(text string) []string {
	var list []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			list = append(list, stem(word.String()))
			word.Reset()
		}
	}
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.L, unicode.N, unicode.Co):
			word.WriteString(plain(r))
		case unicode.Is(unicode.Mn, r) && word.Len() > 0:
		default:
			end()
		}
	}
	end()
	return list
}

// plain gives a letter in lower case without its marks.
func plain(r rune) string {
	r = unicode.ToLower(r)
	if r < 0x80 {
		return string(r)
	}
	decomposed := []rune(norm.NFD.String(string(r)))
	if len(decomposed) > 1 && decomposed[0] < 0x250 && unicode.Is(unicode.Mn, decomposed[1]) { // Latin
		return string(decomposed[0])
	}
	return string(r)
}

// count gives how often the phrase stands in each column.
func (p *passage) count(phrase []string) (counts [store.Columns]int) {
	for c, column := range p.columns {
		for i := 0; i+len(phrase) <= len(column); i++ {
			if equal(column[i:i+len(phrase)], phrase) {
				counts[c]++
			}
		}
	}
	return counts
}

func equal(a, b []string) bool {
	for i := range b {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// Frequencies counts the passages of a set that hold each word.
func (s *snapshot) Frequencies(_ context.Context, list []string, among *store.Set) ([]int, error) {
	frequencies := make([]int, len(list))
	for i, word := range list {
		frequencies[i] = len(s.holding(words(word), among))
	}
	return frequencies, nil
}

// holding gives the passages of a set that hold the phrase, with how often each column does.
func (s *snapshot) holding(phrase []string, among *store.Set) map[store.PassageID][store.Columns]int {
	found := map[store.PassageID][store.Columns]int{}
	if len(phrase) == 0 {
		return found
	}
	for i := range s.passages {
		p := &s.passages[i]
		if counts := p.count(phrase); counts != [store.Columns]int{} && among.Has(p.ID) {
			found[p.ID] = counts
		}
	}
	return found
}

// Holding tests each passage.
func (s *snapshot) Holding(_ context.Context, terms []store.Term) (*store.Set, error) {
	var set *store.Set
	for _, term := range terms {
		if term.Occur == store.Should {
			continue
		}
		found, next := s.holding(words(term.Text), nil), &store.Set{}
		for i := range s.passages {
			id := s.passages[i].ID
			if _, holds := found[id]; set.Has(id) && holds == (term.Occur == store.Must) {
				next.Add(id)
			}
		}
		set = next
	}
	return set, nil
}

// Lexical scores by BM25 as FTS5's bm25() has it, with the sign turned.
func (s *snapshot) Lexical(ctx context.Context, q store.LexicalQuery) ([]store.Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	figures := s.figuresOf(q.Among)
	scores := map[store.PassageID]float64{}
	out := map[store.PassageID]bool{}
	for _, term := range q.Terms {
		found := s.holding(words(term.Text), q.Among)
		switch term.Occur {
		case store.MustNot:
			for id := range found {
				out[id] = true
			}
			continue
		case store.Must:
			for i := range s.passages {
				if _, ok := found[s.passages[i].ID]; !ok {
					out[s.passages[i].ID] = true
				}
			}
		}
		s.add(scores, found, q.Weights, figures)
	}
	var hits []store.Hit
	for id, score := range scores {
		if score > 0 && !out[id] && q.Within.Has(id) {
			hits = append(hits, store.Hit{ID: id, Score: score})
		}
	}
	return best(hits, q.Limit), nil
}

// figures are the numbers of passages and of words in them.
type figures struct{ passages, words float64 }

func (s *snapshot) figuresOf(among *store.Set) (f figures) {
	for i := range s.passages {
		if among.Has(s.passages[i].ID) {
			f.passages++
			f.words += float64(s.passages[i].length())
		}
	}
	return f
}

// add adds one term's part of BM25, with k1 = 1.2 and b = 0.75.
func (s *snapshot) add(
	scores map[store.PassageID]float64, found map[store.PassageID][store.Columns]int, weights store.Weights, all figures,
) {
	n := float64(len(found))
	idf := math.Log((all.passages - n + 0.5) / (n + 0.5))
	if idf <= 0 {
		idf = 1e-6
	}
	average := all.words / all.passages
	for id, counts := range found {
		f := 0.0
		for c, count := range counts {
			f += float64(weights[c] * float64(count))
		}
		length := float64(s.passages[id-1].length())
		scores[id] += float64(idf * f * 2.2 / (f + float64(1.2*(0.25+0.75*length/average))))
	}
}
