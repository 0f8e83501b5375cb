package graph_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/graph"
	"quarry/store"
)

// deadLink is a link of a note that misses something.
func deadLink(source, target, subpath string, fault graph.Fault) graph.Backlink {
	l := graph.Backlink{Source: source, Link: graph.Link{Target: target, Subpath: subpath, Fault: fault}}
	if fault == graph.NoHeading || fault == graph.NoBlock {
		l.Resolved = &target
	}
	return l
}

func outlinesOf(list ...store.OutlineOf) func(yield func(store.OutlineOf, error) bool) {
	return func(yield func(store.OutlineOf, error) bool) {
		for _, of := range list {
			if !yield(of, nil) {
				return
			}
		}
	}
}

func outline(path string, blocks []string, headings ...string) store.OutlineOf {
	of := store.OutlineOf{Path: path, BlockIDs: blocks}
	for _, text := range headings {
		of.Headings = append(of.Headings, store.Heading{Level: 2, Text: text})
	}
	return of
}

func addresses(list []graph.Suggestion) []string {
	var all []string
	for _, s := range list {
		all = append(all, s.Address())
	}
	return all
}

func TestSuggestAll(t *testing.T) {
	resolver := graph.NewResolver([]string{
		"clay/Glaze test.md", "a.md", "b.md", "getting-started.md", "My Note.md", "static/logo.png", "img/kiln.png", "x/Kiln.canvas", "LICENSE",
	})
	search := graph.Search{
		Limit: 3,
		Outlines: outlinesOf(
			outline("a.md", []string{"here", "both"}, "Wood ash", "Wood ash", "Firing the kiln", "Firing a kiln", "Slip"),
			outline("b.md", []string{"There", "both", "there"}, "Cone 6", "Cone 6", "Slip and clay", "Wedging"),
			outline("c.md", []string{"both"}, "Common part", "Wedging"),
			outline("d.md", []string{"both"}, "Common part"),
			outline("e.md", nil, "Common part", "Rare thing"),
			outline("f.md", nil, "Common part", "Rare thing"),
			outline("templates/t.md", []string{"form"}, "Form heading"),
		),
		Linked: func(from, to string) bool { return from == "c.md" && to == "a.md" },
	}
	for _, c := range []struct {
		link graph.Backlink
		want []string
	}{
		{deadLink("a.md", "b", "", graph.Sound), nil},
		{deadLink("a.md", "x", "", graph.SiteAddress), nil},
		{deadLink("a.md", "old/Glaze test", "", graph.NoNote), []string{"clay/Glaze test.md"}},
		{deadLink("a.md", "Glaze tset", "", graph.NoNote), []string{"clay/Glaze test.md"}},
		{deadLink("clay/Glaze test.md", "Glaze tset", "", graph.NoNote), nil}, // it is the source
		{deadLink("clay/other.md", "Glaze tset", "", graph.NoNote), []string{"clay/Glaze test.md"}},

		// Suggestions are of the kind of file that the link names.
		{deadLink("a.md", "/img/logo.svg", "", graph.NoAttachment), nil},
		{deadLink("a.md", "/img/logo.png", "", graph.NoAttachment), []string{"static/logo.png"}},
		{deadLink("a.md", "kiln", "", graph.NoNote), nil},
		{deadLink("a.md", "LICENSES", "", graph.NoNote), nil},
		{deadLink("a.md", "../getting-started.html", "", graph.NoNote), []string{"getting-started.md"}},
		{deadLink("a.md", "getting started.htm", "", graph.NoNote), []string{"getting-started.md"}},
		{deadLink("a.md", "./My Note.md?x=1", "", graph.NoNote), []string{"My Note.md"}},
		{deadLink("a.md", "static/logos.png?v=2", "", graph.NoAttachment), []string{"static/logo.png"}},

		// Headings: each text once, that of the note first where it is surely meant.
		{deadLink("x.md", "a.md", "#Wood ashes", graph.NoHeading), []string{"a.md#Wood ash"}},
		{deadLink("x.md", "a.md", "#Fireing the kiln", graph.NoHeading), []string{"a.md#Firing the kiln"}},
		{deadLink("x.md", "a.md", "#Fireing kiln", graph.NoHeading), []string{"a.md#Firing a kiln", "a.md#Firing the kiln"}},
		{deadLink("x.md", "a.md", "#Cone 6", graph.NoHeading), []string{"b.md#Cone 6"}},
		{deadLink("x.md", "a.md", "#Wood ash#cone-6", graph.NoHeading), nil},
		{deadLink("x.md", "a.md", "#Slip and clay", graph.NoHeading), []string{"b.md#Slip and clay", "a.md#Slip"}},
		{deadLink("x.md", "a.md", "#Rare thing", graph.NoHeading), []string{"e.md#Rare thing", "f.md#Rare thing"}},
		{deadLink("x.md", "a.md", "#Common part", graph.NoHeading), nil},
		{deadLink("x.md", "a.md", "#Form heading", graph.NoHeading), nil},
		{deadLink("x.md", "a.md", "#Wedging", graph.NoHeading), []string{"c.md#Wedging"}}, // b.md is not linked
		{deadLink("x.md", "gone.md", "#Cone 6", graph.NoHeading), []string{"b.md#Cone 6"}},
		{deadLink("x.md", "a.md", "###", graph.NoHeading), nil},

		// Blocks.
		{deadLink("x.md", "a.md", "#^There", graph.NoBlock), []string{"b.md#^There"}},
		{deadLink("x.md", "a.md", "#^both", graph.NoBlock), nil},
		{deadLink("x.md", "a.md", "#^form", graph.NoBlock), nil},
	} {
		for _, links := range [][]graph.Backlink{{c.link}, {c.link, c.link}} {
			got, err := resolver.SuggestAll(t.Context(), links, search)
			if err != nil {
				t.Fatal(err)
			}
			for i := range got {
				if diff := cmp.Diff(c.want, addresses(got[i])); diff != "" {
					t.Errorf("%s links to %s%s (-want +got): %s", c.link.Source, c.link.Target, c.link.Subpath, diff)
				}
			}
		}
	}
}

// TestSuggestAllAsSuggest holds that a link alone gets what it gets among others.
func TestSuggestAllAsSuggest(t *testing.T) {
	random := rand.New(rand.NewPCG(51, 52))
	var files []string
	for i := range 300 {
		files = append(files, fmt.Sprintf("f%d/%s %s.md", i%7, syllables(i), syllables(random.IntN(300))))
	}
	resolver := graph.NewResolver(files)
	var links []graph.Backlink
	for range 300 {
		name := []byte(strings.TrimSuffix(files[random.IntN(len(files))][3:], ".md"))
		name[random.IntN(len(name))] = 'x'
		links = append(links, deadLink(files[random.IntN(len(files))], string(name), "", graph.NoNote))
	}
	all, err := resolver.SuggestAll(t.Context(), links, graph.Search{Limit: 3})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for i, link := range links {
		got := addresses(all[i])
		if found += len(got); !slices.Equal(got, resolver.Suggest(link.Target, link.Source, 3)) {
			t.Errorf("%s of %s: %v among others, %v alone", link.Target, link.Source, got, resolver.Suggest(link.Target, link.Source, 3))
		}
	}
	if found < 100 {
		t.Errorf("only %d suggestions", found)
	}
}

func TestSuggestAllFails(t *testing.T) {
	resolver := graph.NewResolver([]string{"a.md"})
	broken := func(yield func(store.OutlineOf, error) bool) { yield(store.OutlineOf{}, errBroken) }
	if _, err := resolver.SuggestAll(t.Context(), []graph.Backlink{deadLink("x.md", "a.md", "#x", graph.NoHeading)}, graph.Search{Outlines: broken}); !errors.Is(err, errBroken) {
		t.Errorf("got %v", err)
	}
	if _, err := resolver.SuggestAll(t.Context(), []graph.Backlink{deadLink("x.md", "b", "", graph.NoNote)}, graph.Search{Outlines: broken}); err != nil {
		t.Errorf("outlines are read for a file: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	for _, link := range []graph.Backlink{deadLink("x.md", "a.md", "#x", graph.NoHeading), deadLink("x.md", "b", "", graph.NoNote)} {
		if _, err := resolver.SuggestAll(ended, []graph.Backlink{link}, graph.Search{Outlines: outlinesOf(), Limit: 1}); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

// within fails a test that takes long; other programs may have the processor, so the limits are wide.
func within(t *testing.T, limit time.Duration, what string, run func()) {
	t.Helper()
	start := time.Now()
	run()
	took := time.Since(start)
	t.Logf("%s: %v", what, took)
	if took > limit {
		t.Errorf("%s took %v", what, took)
	}
}

// TestSuggestAllIsBounded holds links made to take long to a few seconds: they took from twenty seconds to minutes.
func TestSuggestAllIsBounded(t *testing.T) {
	suggest := func(resolver *graph.Resolver, links []graph.Backlink, outlines ...store.OutlineOf) {
		if _, err := resolver.SuggestAll(t.Context(), links, graph.Search{Outlines: outlinesOf(outlines...), Limit: 3}); err != nil {
			t.Fatal(err)
		}
	}
	random := rand.New(rand.NewPCG(61, 62))
	word := func(letters string, size int) string {
		b := make([]byte, size)
		for i := range b {
			b[i] = letters[random.IntN(len(letters))]
		}
		return string(b)
	}
	var files []string
	var links []graph.Backlink
	for range 20_000 {
		files = append(files, word("abcd", 16)+".md")
	}
	for range 80_000 {
		links = append(links, deadLink("x.md", word("abcd", 16), "", graph.NoNote))
	}
	within(t, 15*time.Second, "80,000 different targets", func() { suggest(graph.NewResolver(files), links) })

	files, links = nil, nil
	for range 600 {
		files = append(files, word("ab", 494)+".md")
		links = append(links, deadLink("x.md", word("ab", 494), "", graph.NoNote))
	}
	within(t, 5*time.Second, "long names", func() { suggest(graph.NewResolver(files), links) })

	files, links = nil, nil
	for i := range 64 {
		files = append(files, fmt.Sprintf("%sq%02d/name.md", strings.Repeat("ab/", 600), i))
	}
	for i := range 20_000 {
		links = append(links, deadLink("x.md", fmt.Sprintf("%s%d/name", strings.Repeat("zz/", 600), i), "", graph.NoNote))
	}
	within(t, 10*time.Second, "deep folders", func() { suggest(graph.NewResolver(files), links) })

	var headings []string
	for i := range 20_000 {
		headings = append(headings, fmt.Sprintf("Heading %s of a note", syllables(i)))
	}
	links = nil
	for i := range 20_000 {
		links = append(links, deadLink(fmt.Sprintf("n%d.md", i/20), "a.md", fmt.Sprintf("#Headings %s of notes", syllables(i*7)), graph.NoHeading))
	}
	within(t, 10*time.Second, "headings", func() { suggest(graph.NewResolver([]string{"a.md"}), links, outline("a.md", nil, headings...)) })

	long := outline("a.md", nil, strings.Repeat("a b ", 1<<18), strings.Repeat("b a ", 1<<18))
	links = nil
	for i := range 200 {
		links = append(links, deadLink("x.md", "a.md", "#"+strings.Repeat("b a ", 1<<12)+fmt.Sprint(i), graph.NoHeading))
	}
	within(t, 10*time.Second, "long headings", func() { suggest(graph.NewResolver([]string{"a.md"}), links, long) })
}
