package chunk_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"quarry/chunk"
	"quarry/note"
)

func TestFragments(t *testing.T) {
	for _, c := range []struct {
		name      string
		fragments []note.Fragment
		want      []string
	}{
		{"one", []note.Fragment{{Text: "\nhi\n", LineStart: 3, LineEnd: 4}}, []string{"3-4 : hi"}},
		{"blank ones", []note.Fragment{{Text: " \n"}, {Heading: "A"}}, nil},
		{"of one heading", []note.Fragment{
			{Heading: "A", Text: enough, LineStart: 3, LineEnd: 3},
			{Heading: "A", Text: enough, LineStart: 4, LineEnd: 4},
			{Heading: "A", Text: "x\ny", LineStart: 2, LineEnd: 2},
			{Heading: "B", Text: enough, LineStart: 9, LineEnd: 9},
		}, []string{"2-4 A: " + enough + "|" + enough + "||x|y", "9-9 B: " + enough}},
		{"small ones join", []note.Fragment{
			{Text: "x", LineStart: 1, LineEnd: 1}, {Heading: "A", Text: enough, LineStart: 2, LineEnd: 2}, {Heading: "B", Text: "y", LineStart: 3, LineEnd: 3},
		}, []string{"1-3 : x||A|" + enough + "||B|y"}},
		{"lines out of range", []note.Fragment{{Text: "x", LineStart: -4, LineEnd: -9}}, []string{"1-1 : x"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, p := range chunk.Split(&note.Note{Title: "T", Text: "{}", LineOffsets: []int{0}, BodyLine: 1, Fragments: c.fragments}, chunk.ByHeading) {
				got = append(got, short(p))
				if p.HeadingContext != "T" || len(p.HeadingPath) > 0 && p.Section != p.HeadingPath[0] {
					t.Errorf("%+v", p)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLongFragments(t *testing.T) {
	card := "# Glazes\n\n" + strings.Repeat("The rim is thin. ", 80) + "\n\n# Kilns\n\n" + strings.Repeat("The kiln is hot. ", 80)
	row := lines("server.port%d: 8080", 290)
	n := &note.Note{Text: "{}", LineOffsets: []int{0}, BodyLine: 1, Fragments: []note.Fragment{
		{Heading: "Card", Text: card, LineStart: 7, LineEnd: 7}, {Heading: "Data", Text: row, LineStart: 101, LineEnd: 390},
	}}
	var got []string
	for i, p := range chunk.Split(n, chunk.ByHeading) {
		got = append(got, fmt.Sprintf("%s %d-%d %.8s", p.Section, p.LineStart, p.LineEnd, p.Text))
		if p.Index != i || utf8.RuneCountInString(p.Text) > chunk.MaxCharacters || !strings.HasSuffix(p.Text, ".") && !strings.HasSuffix(p.Text, "8080") {
			t.Errorf("passage %d: %d characters, %q", p.Index, utf8.RuneCountInString(p.Text), p.Text[max(0, len(p.Text)-20):])
		}
	}
	want := []string{"Card 7-7 # Glazes", "Card 7-7 # Kilns\n", "Data 101-200 server.p", "Data 201-295 server.p", "Data 296-390 server.p"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestManyFragments(t *testing.T) {
	n := &note.Note{Text: "{}", LineOffsets: []int{0}, BodyLine: 1}
	for i := range 200_000 {
		n.Fragments = append(n.Fragments, note.Fragment{Heading: fmt.Sprint(i % 100_000 / 3), Text: "x", LineStart: i + 1, LineEnd: i + 1})
	}
	passages := chunk.Split(n, chunk.ByHeading)
	letters := 0
	for _, p := range passages {
		letters += strings.Count(p.Text, "x")
	}
	if letters != 200_000 || len(passages) > 1500 {
		t.Errorf("%d fragments in %d passages", letters, len(passages))
	}
}
