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

// large is a vault of many notes, links, tags and copies, the same for equal counts. What its notes say is made anew each time.
func large(notes int) health.Facts {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test's
	facts := health.Facts{}
	for i := range notes {
		facts.Notes = append(facts.Notes, health.Note{Path: largePath(i), Title: fmt.Sprint("Note ", i), Passages: 1, Tags: []string{fmt.Sprintf("tag-%x", random.IntN(notes))}})
	}
	facts.Contents = func(yield func(health.Content, error) bool) {
		for i := range notes {
			text := prose(i, 300)
			if i%10 == 0 {
				text = "of its own: " + prose(i%3, 300) // a third of a tenth are copies of each other
			}
			if !yield(health.Content{Path: largePath(i), Links: largeLinks(i, notes), Texts: []health.Text{{Line: 1, Text: text}}}, nil) {
				return
			}
		}
	}
	return facts
}

func largePath(i int) string { return fmt.Sprintf("d%02d/note %05d.md", i%50, i) }

// largeLinks are twenty links of a note: one of twenty names no note, another one no heading.
func largeLinks(i, notes int) []health.Link {
	random := rand.New(rand.NewPCG(3, uint64(i))) //nolint:gosec // a test's
	var links []health.Link
	for range 20 {
		to := random.IntN(notes)
		link := health.Link{Link: store.Link{Target: fmt.Sprintf("note %05d", to), Line: 1}, State: graph.OK, Resolved: largePath(to), IsNote: true}
		switch random.IntN(20) {
		case 0:
			link.State, link.Fault, link.Resolved, link.Target = graph.Unresolved, graph.NoNote, "", fmt.Sprint("none ", to)
		case 1:
			link.State, link.Fault, link.Subpath = graph.HeadingMissing, graph.NoHeading, fmt.Sprint("#Heading ", to+1)
		}
		links = append(links, link)
	}
	return links
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
	saying := func(say func(i int) health.Content) health.Facts {
		facts := named(func(int, *health.Note) {})
		facts.Contents = func(yield func(health.Content, error) bool) {
			for i := range many {
				content := say(i)
				content.Path = fmt.Sprintf("n%05d.md", i)
				if !yield(content, nil) {
					return
				}
			}
		}
		return facts
	}
	same := prose(1, 60)
	for what, facts := range map[string]health.Facts{
		"tags a letter apart": named(func(i int, n *health.Note) {
			n.Tags = []string{"aaaaaaaaa" + strings.Map(digitToLetter, fmt.Sprint(i))}
		}),
		"one title":              named(func(_ int, n *health.Note) { n.Title = "Same" }),
		"one id":                 named(func(_ int, n *health.Note) { n.DeclaredID = "same" }),
		"types":                  named(func(i int, n *health.Note) { n.Type = "type" + strings.Map(digitToLetter, fmt.Sprint(i)) }),
		"dead links to one name": saying(func(i int) health.Content { return health.Content{Links: dead("gone", 1)} }),
		"dead links of one note": saying(func(i int) health.Content {
			if i > 0 {
				return health.Content{}
			}
			return health.Content{Links: dead("gone", 200_000)}
		}),
		"dead links everywhere": saying(func(i int) health.Content { return health.Content{Links: dead(fmt.Sprint("gone ", i), 20)} }),
		"copies by name":        named(func(i int, n *health.Note) { n.Path = fmt.Sprintf("n (conflicted copy %d).md", i) }),
		"relations": saying(func(i int) health.Content {
			return health.Content{Texts: []health.Text{{Line: 1, Text: strings.Repeat("rel: is [[a]], [[b]]\n", 50)}}}
		}),
	} {
		within(t, what, facts, 20*time.Second)
	}
	within(t, "copies", saying(func(i int) health.Content {
		return health.Content{Texts: []health.Text{{Line: 1, Text: fmt.Sprint(same, " mark", i)}}}
	}), 20*time.Second)
	for what, text := range map[string]string{
		"brackets": strings.Repeat("[", 4<<20), "wikilinks": strings.Repeat("[[", 2<<20), "markdown": strings.Repeat("[a](", 1<<20), "elements": strings.Repeat("<a id=", 1<<20),
		"words": strings.Repeat("a ", 4<<20), "relation": strings.Repeat("rel: ", 1<<20), "relations": strings.Repeat("rel: a [[b]] c\n", 1<<18), "quotes": strings.Repeat("> ", 1<<21) + "[!edge]",
		"spaced": strings.Repeat("[a](a b.md) ", 1<<18), "spaced lines": strings.Repeat("[a](a b\n", 1<<18), "bytes": strings.Repeat("\xff\x00", 2<<20), "braces": strings.Repeat("{#", 2<<20), "addresses": strings.Repeat("https://", 1<<19),
	} {
		facts := health.Facts{Notes: []health.Note{{Path: "a.md", Passages: 1}}}
		facts.Contents = func(yield func(health.Content, error) bool) {
			yield(health.Content{Path: "a.md", Texts: []health.Text{{Line: 1, Text: text}}}, nil)
		}
		facts.Lines = func(string) []string { return strings.Split(text, "\n") }
		within(t, what, facts, 20*time.Second)
	}
}

// dead are links to so many notes that are not there.
func dead(name string, count int) []health.Link {
	links := make([]health.Link, count)
	for i := range links {
		links[i] = health.Link{Link: store.Link{Target: fmt.Sprint(name, " ", i), Line: i + 1}, State: graph.Unresolved, Fault: graph.NoNote}
	}
	return links
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
