package index_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/index"
	"quarry/store"
)

// stored indexes one note and gives what the index holds of it.
func stored(t *testing.T, path, text string) store.Note {
	t.Helper()
	f := newFixture(t, map[string]string{path: text})
	f.run(t, index.Options{})
	snapshot := f.snapshot(t)
	defer snapshot.Close()
	n, found, err := snapshot.Note(context.Background(), path)
	if err != nil || !found {
		t.Fatal(err, found)
	}
	return n
}

// TestLinksOfACanvas holds that a link is placed in a passage with its line, though the lines of one passage lie
// within those of another.
func TestLinksOfACanvas(t *testing.T) {
	card := func(id, text string, x int) string {
		return fmt.Sprintf(`{"id":%q,"type":"text","text":%q,"x":%d,"y":0,"width":50,"height":50}`, id, text, x)
	}
	long := strings.Repeat("Words about the kiln. ", 80)
	canvas := "{\"nodes\":[\n" + strings.Join([]string{
		`{"id":"g","type":"group","label":"Left","x":-10,"y":-10,"width":400,"height":200}`,
		`{"id":"h","type":"group","label":"Right","x":990,"y":-10,"width":400,"height":200}`,
		card("a", "[[one]] "+long, 0), card("b", "[[two]] "+long, 1000), card("d", "[[four]] enough words for the right side", 1100),
		card("c", "[[three]] enough words for the left side", 100),
	}, ",\n") + "\n]}\n"
	n := stored(t, "a.canvas", canvas)
	got := ""
	for _, link := range n.Links {
		got += fmt.Sprintf("%s %d, ", link.Target, link.ChunkOrd)
	}
	want(t, "passages of links", got, "one 1, two 2, four 2, three 1, ")
	if len(n.Passages) != 2 || n.Passages[1].LineEnd >= n.Passages[0].LineEnd {
		t.Errorf("passages %+v", n.Passages)
	}
}

func TestLinksOfANote(t *testing.T) {
	enough := "enough words to be a passage of its own"
	n := stored(t, "a.md", "---\nup: \"[[zero]]\"\n---\n# A\n[[one]] "+enough+"\n\n# B\n[[two]] [[three]] "+enough+"\n# Links\n- [[four]]\n")
	got := ""
	for _, link := range n.Links {
		got += fmt.Sprintf("%s %d, ", link.Target, link.ChunkOrd)
	}
	want(t, "passages of links", got, "zero 0, one 1, two 2, three 2, four 0, ")
}

// TestManyLinks holds that links are placed in bounded time, whatever the passages.
func TestManyLinks(t *testing.T) {
	var text strings.Builder
	for range 40_000 {
		text.WriteString("[[a]] [[b]]\n\n")
	}
	begun := time.Now()
	n := stored(t, "a.md", text.String())
	if elapsed := time.Since(begun); elapsed > 20*time.Second || len(n.Passages) < 200 {
		t.Errorf("%d passages in %v", len(n.Passages), elapsed)
	}
	for _, link := range n.Links {
		if p := n.Passages[link.ChunkOrd-1]; link.ChunkOrd == 0 || p.LineStart > link.Line || p.LineEnd < link.Line {
			t.Fatalf("%+v is in the lines %d to %d", link, p.LineStart, p.LineEnd)
		}
	}
}

// TestCommentsInHeadings holds that a comment is in no passage by way of a heading, while links find the heading as it is written.
func TestCommentsInHeadings(t *testing.T) {
	enough := "enough words to be a passage of its own"
	n := stored(t, "a.md", "# Title %%hidden%%\n"+enough+"\n\n## Part %%hidden%%\n"+enough+"\n\n### Deep <!-- hidden -->\n"+enough+"\n\n## %%hidden%%\n"+enough+"\n")
	var got []string
	for _, p := range n.Passages {
		got = append(got, p.Section+"; "+strings.Join(p.HeadingPath, " > "))
		if strings.Contains(fmt.Sprint(p, n.Title), "hidden") {
			t.Errorf("%+v", p)
		}
	}
	if diff := cmp.Diff([]string{"; Title", "Part; Title > Part", "; Title"}, got); diff != "" {
		t.Error(diff)
	}
	if len(n.Headings) != 4 || n.Headings[1].Text != "Part %%hidden%%" {
		t.Errorf("headings %v", n.Headings)
	}
}

// TestPropertiesAreIndexed holds that the first passage alone carries what it is found by beside its text.
func TestPropertiesAreIndexed(t *testing.T) {
	n := stored(t, "a.md", "---\nauthor: Melville\nupdated: 2026-03-04\n---\n# A\n"+strings.Repeat("words of it ", 20)+"\n# B\n"+strings.Repeat("words of it ", 20)+"\n")
	if len(n.Passages) != 2 || n.Passages[0].IndexText != "author: Melville" || n.Passages[1].IndexText != "" {
		t.Errorf("passages %+v", n.Passages)
	}
}
