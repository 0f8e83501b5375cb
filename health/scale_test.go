package health_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/graph"
	"quarry/health"
	"quarry/store"
)

// large is a vault of many notes, links, tags and copies, the same for equal counts.
func large(notes int) health.Facts {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test's
	facts := health.Facts{}
	texts := make([]string, notes)
	for i := range notes {
		n := health.Note{Path: fmt.Sprintf("d%02d/note %05d.md", i%50, i), Title: fmt.Sprint("Note ", i), Passages: 1, Tags: []string{fmt.Sprintf("tag-%x", random.IntN(notes))}}
		n.Headings = []store.Heading{{Level: 2, Text: fmt.Sprint("Heading ", i)}}
		for range 20 {
			to := random.IntN(notes)
			link := health.Link{Link: store.Link{Target: fmt.Sprintf("note %05d", to), Line: 1}, State: graph.OK, Resolved: fmt.Sprintf("d%02d/note %05d.md", to%50, to)}
			switch random.IntN(20) {
			case 0:
				link.State, link.Resolved, link.Target = graph.Unresolved, "", fmt.Sprint("none ", to)
			case 1:
				link.State, link.Subpath = graph.HeadingMissing, fmt.Sprint("#Heading ", to+1)
			}
			n.Links = append(n.Links, link)
		}
		facts.Notes = append(facts.Notes, n)
		texts[i] = prose(i, 300)
		if i%10 == 0 {
			texts[i] = "of its own: " + prose(i%3, 300) // a third of a tenth are copies of each other
		}
	}
	paths := make([]string, notes)
	for i := range paths {
		paths[i] = facts.Notes[i].Path
	}
	facts.Texts = func(yield func(health.Text, error) bool) {
		for i := range notes {
			if !yield(health.Text{Path: paths[i], Text: texts[i]}, nil) {
				return
			}
		}
	}
	return facts
}

func BenchmarkExamine(b *testing.B) {
	for _, notes := range []int{2500, 20_000} {
		facts := large(notes)
		b.Run(fmt.Sprint(notes), func(b *testing.B) {
			for b.Loop() {
				findingsOf(b, facts, health.Selection{})
			}
		})
	}
}

// TestOrderOfNotes holds that findings do not depend on the order in which notes come.
func TestOrderOfNotes(t *testing.T) {
	facts := large(400)
	want := findingsOf(t, facts, health.Selection{})
	slices.Reverse(facts.Notes)
	if diff := cmp.Diff(want, findingsOf(t, facts, health.Selection{})); diff != "" {
		t.Error(diff)
	}
	if len(want) < 100 {
		t.Errorf("%d findings", len(want))
	}
}

// TestBounds holds that time does not grow with the square of anything: each vault has so much of one thing that a step for each
// pair would take minutes.
func TestBounds(t *testing.T) {
	const many = 20_000
	named := func(edit func(i int, n *health.Note)) health.Facts {
		var facts health.Facts
		for i := range many {
			n := health.Note{Path: fmt.Sprintf("n%05d.md", i), Passages: 1}
			edit(i, &n)
			facts.Notes = append(facts.Notes, n)
		}
		return facts
	}
	same := prose(1, 60)
	for what, facts := range map[string]health.Facts{
		"tags a letter apart": named(func(i int, n *health.Note) {
			n.Tags = []string{"aaaaaaaaa" + strings.Map(digitToLetter, fmt.Sprint(i))}
		}),
		"one title":   named(func(_ int, n *health.Note) { n.Title = "Same" }),
		"one id":      named(func(_ int, n *health.Note) { n.DeclaredID = "same" }),
		"one heading": named(func(_ int, n *health.Note) { n.Headings = []store.Heading{{Level: 1, Text: "Same"}} }),
		"types":       named(func(i int, n *health.Note) { n.Type = "type" + strings.Map(digitToLetter, fmt.Sprint(i)) }),
		"dead headings in one note": named(func(i int, n *health.Note) {
			if i == 0 {
				for k := range many {
					n.Headings = append(n.Headings, store.Heading{Level: 1, Text: fmt.Sprint("Heading number ", k)})
				}
				return
			}
			if i < 500 {
				n.Links = []health.Link{{Link: store.Link{Target: "n00000", Subpath: "#Heading nr " + fmt.Sprint(i), Line: 1}, State: graph.HeadingMissing, Resolved: "n00000.md"}}
			}
		}),
	} {
		within(t, what, facts, 20*time.Second)
	}
	copies := named(func(int, *health.Note) {})
	copies.Texts = func(yield func(health.Text, error) bool) {
		for i := range many {
			if !yield(health.Text{Path: fmt.Sprintf("n%05d.md", i), Text: fmt.Sprint(same, " mark", i)}, nil) {
				return
			}
		}
	}
	within(t, "copies", copies, 20*time.Second)
	for what, text := range map[string]string{
		"brackets": strings.Repeat("[", 4<<20), "wikilinks": strings.Repeat("[[", 2<<20), "markdown": strings.Repeat("[a](", 1<<20), "elements": strings.Repeat("<a id=", 1<<20),
		"words": strings.Repeat("a ", 4<<20), "bytes": strings.Repeat("\xff\x00", 2<<20), "braces": strings.Repeat("{#", 2<<20), "addresses": strings.Repeat("https://", 1<<19),
	} {
		facts := health.Facts{Notes: []health.Note{{Path: "a.md", Passages: 1}}}
		facts.Texts = func(yield func(health.Text, error) bool) { yield(health.Text{Path: "a.md", Text: text}, nil) }
		within(t, what, facts, 20*time.Second)
	}
}

func digitToLetter(r rune) rune { return 'b' + (r - '0') }

// within examines facts; other work on the machine may take most of the time that is allowed.
func within(t *testing.T, what string, facts health.Facts, most time.Duration) {
	t.Helper()
	begun := time.Now()
	findingsOf(t, facts, health.Selection{})
	if took := time.Since(begun); took > most {
		t.Errorf("%s: %v", what, took)
	} else if testing.Verbose() {
		t.Logf("%s: %v", what, took)
	}
	runtime.GC()
}
