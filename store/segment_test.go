package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"quarry/store"
)

func TestSegment(t *testing.T) {
	for word, want := range map[string]string{
		"":             "",
		"clay":         "",
		"naïve":        "",
		"हिन्दी":       "",
		"“clay”":       "",
		"陶":            "陶!",
		"陶土":           "陶土",
		"充电器":          "充电 电器",
		"USB充电器":       "USB 充电 电器",
		"第3章":          "第! 3 章!",
		"ab茶cd":        "ab 茶! cd",
		"釉薬を":          "釉薬 薬を",
		"ラーメン":         "ラー ーメ メン",
		"カ\u3099ス":     "ガス",
		"ｶﾞｽ":          "ガス",
		"ＵＳＢ":          "USB",
		"도자기":          "도자 자기",
		"ที่นี่":       "ที่นี่",
		"ถ้วย":         "ถ้ว วย",
		"葛\U000e0100城": "葛\U000e0100城",
		"人々":           "人々",
		"𠀀𠀁":           "𠀀𠀁",
	} {
		var got []string
		for _, p := range store.Segment(word) {
			text := p.Text
			if p.Alone {
				text += "!"
			}
			got = append(got, text)
			if strings.ContainsFunc(p.Term, func(r rune) bool { return unicode.Is(unicode.M, r) }) {
				t.Errorf("%q: the term %q has marks", word, p.Term)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q gives %q, want %q", word, got, want)
		}
	}
	if plain, variant := store.Segment("葛城"), store.Segment("葛\U000e0100城"); plain[0].Term != variant[0].Term {
		t.Errorf("variants of a character differ: %v and %v", plain, variant)
	}
}

func TestColumnTexts(t *testing.T) {
	n := store.Note{Aliases: []string{"One", "白陶"}}
	p := store.Passage{Text: "a茶b 陶土", Section: "器", HeadingContext: "题目", IndexText: "x"}
	want := [store.Columns]string{
		"a茶b 陶土", "器", "题目", "One\n白陶", "x", "a b 陶土 题目 题目 白陶 白陶", "茶 陶 土 器 题 目 题 目 白 陶 白 陶",
	}
	if diff := cmp.Diff(want, store.ColumnTexts(&n, &p)); diff != "" {
		t.Error(diff)
	}
	n, p = store.Note{}, store.Passage{Text: "plain “quoted” text – no more"}
	if diff := cmp.Diff([store.Columns]string{p.Text}, store.ColumnTexts(&n, &p)); diff != "" {
		t.Error(diff)
	}
}

// TestManyAliases: a note's aliases are not multiplied by its passages.
func TestManyAliases(t *testing.T) {
	n := store.Note{Aliases: slices.Repeat([]string{"a long alias"}, 1000)}
	first, second := store.ColumnTexts(&n, &store.Passage{}), store.ColumnTexts(&n, &store.Passage{Index: 1})
	if len(first[store.ColumnAliases]) != 13*1000-1 || len(second[store.ColumnAliases]) != 13*42-1 {
		t.Errorf("%d and %d bytes", len(first[store.ColumnAliases]), len(second[store.ColumnAliases]))
	}
}

func TestSegmentIsLinear(t *testing.T) {
	for name, unit := range map[string]string{"letters": "陶", "marks": "\u0e34", "mixed": "a陶", "jamo": "\u1100", "latin": "a\u0301", "half": "ｶﾞ"} {
		text := "陶" + strings.Repeat(unit, 1<<20/len(unit))
		started := time.Now()
		store.Segment(text)
		store.ColumnTexts(&store.Note{}, &store.Passage{Text: text})
		if took := time.Since(started); took > 10*time.Second {
			t.Errorf("1 MB of %s take %v", name, took)
		}
	}
}

// FuzzSegment holds the side of the query to that of the index: what a passage of a word holds is what its pieces ask for.
func FuzzSegment(f *testing.F) {
	for _, seed := range []string{"陶土", "USB充电器", "ที่นี่", "カ\u3099ス", "ｶﾞｽ", "ＵＳＢ", "第3章", "a\u0301陶", "\u0e34\u0e34", "\ufe0f陶", "\xff陶", "도\u11a8", "ﷺ陶"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.Co) }) {
			texts := store.ColumnTexts(&store.Note{}, &store.Passage{Text: word})
			var pairs, alone []string
			for _, p := range store.Segment(word) {
				if !utf8.ValidString(p.Term) || p.Term == "" || p.Text == "" {
					t.Errorf("%q has the piece %+v", word, p)
				}
				if p.Alone {
					alone = append(alone, p.Term)
				} else {
					pairs = append(pairs, p.Term)
				}
			}
			if got := strings.Join(pairs, " "); got != texts[store.ColumnPairs] {
				t.Errorf("%q: pairs %q, in the index %q", word, got, texts[store.ColumnPairs])
			}
			characters := strings.Fields(texts[store.ColumnCharacters])
			for _, c := range alone {
				if !slices.Contains(characters, c) {
					t.Errorf("%q: %q is not in the index", word, c)
				}
			}
			if len(texts[store.ColumnPairs])+len(texts[store.ColumnCharacters]) > 64*len(word) {
				t.Errorf("%q: %d bytes become %d", word, len(word), len(texts[store.ColumnPairs]))
			}
		}
	})
}

func BenchmarkColumnTexts(b *testing.B) {
	for name, text := range map[string]string{
		"latin": strings.Repeat("some “words” of a text, as it stands – no more ", 40),
		"plain": strings.Repeat("some words of a text, as it stands, and no more ", 40),
		"han":   strings.Repeat("今天在作坊里用陶土做了一个茶杯，然后上釉。", 30), "thai": strings.Repeat("ฉันปั้นถ้วยชาจากดินเหนียวที่โรงงาน ", 20),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				store.ColumnTexts(&store.Note{}, &store.Passage{Text: text})
			}
		})
	}
}
