package storetest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"quarry/store"
)

// testBM25 computes the formula anew for plain words.
func testBM25(t *testing.T, s store.Store) {
	notes := corpus(7, 80)
	write(t, s, store.Full, notes...)
	query := []string{"w1", "w3", "w20", "w150", "none"}
	type document struct {
		place
		frequency []float64
		length    float64
	}
	var documents []document
	total := 0.0
	holding := make([]float64, len(query))
	for _, n := range notes {
		for _, p := range n.Passages {
			d := document{place: place{n.Path, p.Index}, frequency: make([]float64, len(query))}
			for column, text := range []string{p.Text, p.Section, p.HeadingContext} {
				for _, word := range strings.Fields(text) {
					d.length++
					if i := slices.Index(query, word); i >= 0 {
						d.frequency[i] += weights[column]
					}
				}
			}
			for i, f := range d.frequency {
				if f > 0 {
					holding[i]++
				}
			}
			total += d.length
			documents = append(documents, d)
		}
	}
	want := map[place]float64{}
	for _, d := range documents {
		for i, f := range d.frequency {
			idf := max(1e-6, math.Log((float64(len(documents))-holding[i]+0.5)/(holding[i]+0.5)))
			if f > 0 {
				want[d.place] += idf * f * 2.2 / (f + 1.2*(0.25+0.75*d.length/(total/float64(len(documents)))))
			}
		}
	}
	got, points := lexical(t, open(t, s), 1000, should(query...)...)
	if len(got) != len(want) {
		t.Fatalf("%d hits, want %d", len(got), len(want))
	}
	for i, p := range got {
		if math.Abs(points[i]-want[p]) > 1e-9 {
			t.Errorf("%v scores %v, want %v", p, points[i], want[p])
		}
		if i > 0 && points[i] > points[i-1] {
			t.Errorf("hit %d is out of order", i)
		}
	}
	top, _ := lexical(t, open(t, s), 7, should(query...)...)
	same(t, "the first seven", top, got[:7])
}

func testOccurrence(t *testing.T, s store.Store) {
	write(t, s, store.Full, plainNote("a.md", "red"), plainNote("b.md", "red blue"), plainNote("c.md", "blue green"),
		plainNote("d.md", "green"), plainNote("e.md", "red blue green"), plainNote("f.md", "other"), plainNote("g.md", "other"))
	v := open(t, s)
	for _, test := range []struct{ must, should, not, want string }{
		{"", "red", "", "a b e"},
		{"red", "", "", "a b e"},
		{"red", "blue", "", "a b e"},
		{"red blue", "", "", "b e"},
		{"red blue", "green", "", "b e"},
		{"red", "", "green", "a b"},
		{"", "red green", "blue", "a d"},
		{"red none", "", "", ""},
		{"red", "", "red", ""},
		{"", "none", "red", ""},
		{"", "red", "none", "a b e"},
		{"red none", "blue", "", ""},
		{"red !", "", "", ""},
		{"", "red", "!", "a b e"},
	} {
		var terms []store.Term
		for occur, words := range map[store.Occur]string{store.Must: test.must, store.Should: test.should, store.MustNot: test.not} {
			for _, word := range strings.Fields(words) {
				terms = append(terms, store.Term{Text: word, Occur: occur})
			}
		}
		hits, _ := lexical(t, v, 10, terms...)
		var got []string
		for _, p := range hits {
			got = append(got, p.Path[:1])
		}
		slices.Sort(got)
		if strings.Join(got, " ") != test.want {
			t.Errorf("%+v gave %v", test, got)
		}
	}
	_, alone := lexical(t, v, 1, store.Term{Text: "red", Occur: store.Must})
	_, both := lexical(t, v, 1, store.Term{Text: "red", Occur: store.Must}, store.Term{Text: "blue"})
	if both[0] <= alone[0] {
		t.Error("a Should term beside a Must term adds nothing")
	}
}

func testPhrases(t *testing.T, s store.Store) {
	section := plainNote("d.md", "stone")
	section.Passages[0].Section = "ware"
	section.Passages[0].HeadingContext = "glazed stone ware"
	write(t, s, store.Full, plainNote("a.md", "stone ware kiln, stone ware"), plainNote("b.md", "ware stone"), plainNote("c.md", "stone-ware"),
		section, plainNote("e.md", "stone stone stone"), plainNote("f.md", "x"), plainNote("g.md", "y"), plainNote("h.md", "z"), plainNote("i.md", "z"))
	v := open(t, s)
	for phrase, want := range map[string]string{
		"stone ware": "a c d", "Stone-Ware": "a c d", "stone ware kiln": "a", "ware stone": "b", "kiln stone ware": "a",
		"stone stone": "e", "stone stone stone stone": "", "ware kiln x": "", "glazed stone": "d",
	} {
		hits, _ := lexical(t, v, 10, store.Term{Text: phrase})
		var got []string
		for _, p := range hits {
			got = append(got, p.Path[:1])
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%q gave %v, want %s", phrase, got, want)
		}
		counts, err := v.Frequencies(t.Context(), []string{phrase}, nil)
		ok(t, err)
		if counts[0] != len(got) {
			t.Errorf("%q: frequency %d, hits %d", phrase, counts[0], len(got))
		}
	}
}

func testHostileTerms(t *testing.T, s store.Store) {
	write(t, s, store.Full, plainNote("a.md", "C++ don't a.b x:y 陶器 naïve NEAR"), plainNote("b.md", "other"), plainNote("c.md", "more"))
	v := open(t, s)
	for term, found := range map[string]bool{
		"don't": true, "C++": true, "a.b": true, "-a": true, "x:y": true, "NEAR": true, "naive": true, "NAÏVE": true, "陶器": true,
		"\"": false, "*": false, "": false, "NEAR(": true, "a*": true, "\x00": false, "'; DROP TABLE notes; --": false, "AND": false,
		"\xff": false, "(": false, "nosuch:x": false, "^c": true, strings.Repeat("z", 1<<16): false, strings.Repeat("z ", 1<<12): false,
	} {
		hits, _ := lexical(t, v, 5, store.Term{Text: term})
		if (len(hits) > 0) != found {
			t.Errorf("%.20q: %v", term, hits)
		}
		with, _ := lexical(t, v, 5, store.Term{Text: term}, store.Term{Text: "other"})
		if !slices.Contains(with, place{"b.md", 0}) {
			t.Errorf("%.20q hides another term", term)
		}
	}
	if hits, _ := lexical(t, v, 5); len(hits) > 0 {
		t.Error("no terms gave hits")
	}
	if hits, _ := lexical(t, v, 0, should("other")...); len(hits) > 0 {
		t.Error("a limit of 0 gave hits")
	}
}

func testFrequencies(t *testing.T, s store.Store) {
	write(t, s, store.Full, plainNote("a.md", "red red", "red blue"), plainNote("b.md", "blue"))
	v := open(t, s)
	for range 2 { // the second time from memory, where there is one
		counts, err := v.Frequencies(t.Context(), []string{"red", "BLUE", "none", "", "red blue", "!", "red"}, nil)
		ok(t, err)
		same(t, "frequencies", counts, []int{2, 2, 0, 0, 1, 0, 2})
	}
	write(t, s, store.Incremental, plainNote("a.md", "blue"))
	counts, err := open(t, s).Frequencies(t.Context(), []string{"red", "blue"}, nil)
	ok(t, err)
	same(t, "after a change", counts, []int{0, 2})
	counts, err = v.Frequencies(t.Context(), []string{"red", "blue"}, nil)
	ok(t, err)
	same(t, "of the old snapshot", counts, []int{2, 2})
}

// level makes notes that all score the same, in an order that is neither that of their paths nor its reverse.
func level(t *testing.T, s store.Store) []place {
	var notes []store.Note
	for i := range 60 {
		notes = append(notes, plainNote(fmt.Sprintf("%02d.md", i*37%60), "same words", "same words", "other"))
	}
	u := begin(t, s, store.Full)
	for _, n := range notes {
		ok(t, u.Put(t.Context(), []store.Note{n}))
	}
	ok(t, u.Commit(t.Context()))
	var want []place
	for i := range 60 {
		want = append(want, place{fmt.Sprintf("%02d.md", i), 0}, place{fmt.Sprintf("%02d.md", i), 1})
	}
	return want
}

func testLexicalTies(t *testing.T, s store.Store) {
	want := level(t, s)
	for _, limit := range []int{1, 2, 7, 119, 120, 500} {
		got, _ := lexical(t, open(t, s), limit, should("same")...)
		same(t, fmt.Sprint("limit ", limit), got, want[:min(limit, len(want))])
	}
}

func testNearestTies(t *testing.T, s store.Store) {
	want := level(t, s)
	v := open(t, s)
	query := plainNote("", "same words").Passages[0].Vector
	for _, limit := range []int{1, 2, 7, 119, 120} {
		hits, err := v.Nearest(t.Context(), store.VectorQuery{Vector: query, Limit: limit})
		ok(t, err)
		same(t, fmt.Sprint("limit ", limit), places(t, v, hits), want[:limit])
	}
}

func testLexicalWithin(t *testing.T, s store.Store) {
	write(t, s, store.Full, corpus(8, 100)...)
	v := open(t, s)
	all, points := lexical(t, v, 1000, should("w1", "w2", "w9")...)
	set, err := v.Select(t.Context(), store.Filter{Tags: []string{"t1"}})
	ok(t, err)
	inside := map[place]bool{}
	notes, err := v.Notes(t.Context(), store.NoteQuery{Filter: store.Filter{Tags: []string{"t1"}}})
	ok(t, err)
	for _, n := range notes {
		for _, p := range read(t, v, n.Path).Passages {
			inside[place{p.Path, p.Index}] = true
		}
	}
	var want []place
	var wantPoints []float64
	for i, p := range all {
		if inside[p] {
			want, wantPoints = append(want, p), append(wantPoints, points[i])
		}
	}
	got, gotPoints := lexicalWithin(t, v, 1000, set, should("w1", "w2", "w9")...)
	same(t, "within a set", got, want)
	same(t, "scores are those of the whole", gotPoints, wantPoints)
	got, _ = lexicalWithin(t, v, 3, set, should("w1", "w2", "w9")...)
	same(t, "the filter comes before the limit", got, want[:3])
	got, _ = lexicalWithin(t, v, 3, &store.Set{}, should("w1")...)
	same(t, "within nothing", got, []place{})
}
