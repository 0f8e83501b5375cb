package storetest

import (
	"slices"
	"strings"
	"testing"

	"quarry/store"
)

// found gives the first letters of the notes that hold the term, and checks that Frequencies and Holding say the same.
func found(t *testing.T, v store.Snapshot, text string) string {
	t.Helper()
	hits, _ := lexical(t, v, 100, store.Term{Text: text})
	var letters []string
	for _, p := range hits {
		letters = append(letters, p.Path[:1])
	}
	slices.Sort(letters)
	counts, err := v.Frequencies(t.Context(), []string{text}, nil)
	ok(t, err)
	set, err := v.Holding(t.Context(), []store.Term{{Text: text, Occur: store.Must}})
	ok(t, err)
	if counts[0] != len(hits) || set.Len() != len(hits) {
		t.Errorf("%q: frequency %d, a set of %d, %d hits", text, counts[0], set.Len(), len(hits))
	}
	return strings.Join(letters, " ")
}

// testUnspaced looks for words of scripts without spaces by their pairs and characters.
func testUnspaced(t *testing.T, s store.Store) {
	texts := []string{
		"- [ ] 今天在作坊里用陶土做了一个茶杯，然后上釉。",
		"今天去市场买菜。",
		"釉薬をかけてから、カ\u3099ラスの器をｶﾞｽ窯で焼く。",
		"ฉันปั้นถ้วยชาจากดินเหนียวที่โรงงาน",
		"도자기를 가마에서 구웠다.",
		"买USB充电器，第3章。",
		"ຂ້ອຍເຮັດຈອກດິນເຜົາ",
		"ខ្ញុំធ្វើពែងពីដីឥដ្ឋ",
		"ကျွန်တော်ခွက်လုပ်တယ်",
		"plain clay",
	}
	var notes []store.Note
	for i, text := range texts {
		notes = append(notes, plainNote(string(rune('a'+i))+".md", text))
	}
	write(t, s, store.Full, notes...)
	v := open(t, s)
	for word, want := range map[string]string{
		"陶土": "a", "茶杯": "a", "今天": "a b", "市场": "b", "场买": "b", "菜然": "", "土做": "a", "陶": "a", "天": "a b",
		"釉薬": "c", "ガラス": "c", "ｶﾞｽ窯": "c", "ガス": "c", "釉": "a c", "ถ้วยชา": "d", "ดินเหนียว": "d", "ที่": "d", "ดินเหนี่ยว": "",
		"가마": "e", "도자기": "e", "\u1103\u1169\u110c\u1161": "e", "充电器": "f", "充电": "f", "usb充电器": "f", "USB": "f", "3": "f", "章": "f",
		"ຈອກດິນ": "g", "ពែង": "h", "ခွက်": "i", "clay": "j",
	} {
		var terms []string
		for _, piece := range store.Segment(word) {
			terms = append(terms, piece.Term)
		}
		if terms == nil {
			terms = []string{word}
		}
		if got := found(t, v, strings.Join(terms, " ")); got != want {
			t.Errorf("%q, asked as %q: %s, want %s", word, terms, got, want)
		}
	}
}

// testNamesUnspaced: pairs of titles and aliases are found in each passage of the note, and count more than those of the text.
func testNamesUnspaced(t *testing.T, s store.Store) {
	title, alias, text, further := plainNote("a.md", "x", "y"), plainNote("b.md", "x", "y"), plainNote("c.md", "x 做陶土杯 y", "z"), plainNote("d.md", "x")
	for i := range title.Passages {
		title.Passages[i].HeadingContext = "我的陶土 | note"
	}
	alias.Aliases = []string{"other", "白陶土"}
	further.Passages[0].IndexText = "key: 做陶土杯"
	write(t, s, store.Full, title, alias, text, further, plainNote("e.md", "x", "x"), plainNote("f.md", "x", "x"), plainNote("g.md", "x", "x"))
	v := open(t, s)
	if got := found(t, v, "陶土"); got != "a a b b c d" {
		t.Errorf("found %s", got)
	}
	hits, _ := lexical(t, v, 1, store.Term{Text: "陶土"})
	if hits[0].Path > "b.md" {
		t.Errorf("the first is %v", hits)
	}
	title.Passages, alias.Aliases = title.Passages[:1], nil
	further.Passages[0].IndexText = ""
	write(t, s, store.Incremental, title, alias, further)
	if got := found(t, open(t, s), "陶土"); got != "a c" {
		t.Errorf("found %s after a change", got)
	}
	ok(t, s.Verify(t.Context()))
}

// testFurtherColumns looks for aliases and further text.
func testFurtherColumns(t *testing.T, s store.Store) {
	a, b := plainNote("a.md", "x", "y"), plainNote("b.md", "z", "kiln")
	a.Aliases = []string{"Stone Ware", "Oven"}
	b.Passages[0].IndexText = "fuel: gas oven"
	write(t, s, store.Full, a, b, plainNote("c.md", "x", "x", "x", "x", "x", "x"))
	v := open(t, s)
	for text, want := range map[string]string{"oven": "a a b", "stone ware": "a a", "ware oven": "a a", "gas": "b", "kiln": "b", "fuel gas": "b"} {
		if got := found(t, v, text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	same(t, "further text", read(t, v, "b.md").Passages[0].IndexText, "fuel: gas oven")
	b.Passages = b.Passages[:1]
	b.Passages[0].IndexText = "other"
	a.Aliases = a.Aliases[:1]
	write(t, s, store.Incremental, a, b)
	if got := found(t, open(t, s), "oven"); got != "" {
		t.Errorf("found %s after a change", got)
	}
	ok(t, s.Verify(t.Context()))
}

// testMarks: words of scripts whose vowels are marks, and markup beside words.
func testMarks(t *testing.T, s store.Store) {
	write(t, s, store.Full, plainNote("a.md", "यह हिन्दी का वाक्य है"), plainNote("b.md", "मिट्टी का प्याला"), plainNote("c.md", "كوب من الطين في الورشة"),
		plainNote("d.md", "some ==marked clay== and ==glaze=="), plainNote("e.md", "don't use glaze_v2.final-cut on A-Frame's"), plainNote("f.md", "تَابَ"),
		plainNote("g.md", "clay"))
	v := open(t, s)
	for text, want := range map[string]string{
		"हिन्दी": "a", "वाक्य": "a", "मिट्टी": "b", "का": "a b", "प्याला": "b", "الطين": "c", "ورشة": "", "تَابَ": "f",
		"marked": "d", "clay": "d g", "glaze": "d e", "don't": "e", "glaze_v2": "e", "final-cut": "e", "A-Frame": "e", "glaze_v2.final-cut": "e", "v2-final": "e",
	} {
		if got := found(t, v, text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// testHolding: sets of passages by what they hold.
func testHolding(t *testing.T, s store.Store) {
	write(t, s, store.Full, plainNote("a.md", "red", "red kiln"), plainNote("b.md", "red blue"), plainNote("c.md", "blue"), plainNote("d.md"), plainNote("e.md", "green"))
	u := begin(t, s, store.Incremental)
	ok(t, u.Delete(t.Context(), []string{"c.md"}))
	ok(t, u.Commit(t.Context()))
	v := open(t, s)
	must := func(text string) store.Term { return store.Term{Text: text, Occur: store.Must} }
	not := func(text string) store.Term { return store.Term{Text: text, Occur: store.MustNot} }
	all := append(read(t, v, "a.md").Passages, append(read(t, v, "b.md").Passages, read(t, v, "e.md").Passages...)...)
	for _, test := range []struct {
		terms []store.Term
		want  string
	}{
		{[]store.Term{must("red")}, "0 1 2"},
		{[]store.Term{must("red"), must("kiln")}, "1"},
		{[]store.Term{must("red kiln")}, "1"},
		{[]store.Term{must("none"), must("red")}, ""},
		{[]store.Term{not("blue"), must("red")}, "0 1"},
		{[]store.Term{not("red")}, "3"},
		{[]store.Term{not("none")}, "0 1 2 3"},
		{[]store.Term{not("!")}, "0 1 2 3"},
		{[]store.Term{must("!")}, ""},
		{[]store.Term{must("red"), not("red"), {Text: "green"}}, ""},
	} {
		set, err := v.Holding(t.Context(), test.terms)
		ok(t, err)
		var got []string
		for i, p := range all {
			if set.Has(p.ID) {
				got = append(got, string(rune('0'+i)))
			}
		}
		if strings.Join(got, " ") != test.want || set.Len() != len(got) {
			t.Errorf("%+v: %v of %d, want %s", test.terms, got, set.Len(), test.want)
		}
	}
	for _, terms := range [][]store.Term{nil, {{Text: "red"}}} {
		if set, err := v.Holding(t.Context(), terms); set != nil || err != nil {
			t.Errorf("nothing is asked of a passage, but the set is %v, %v", set, err)
		}
	}
}
