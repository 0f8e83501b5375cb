package health_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/graph"
	"quarry/health"
	"quarry/store"
)

// manyNamed are 6,000 files of one name and as many notes that say the same.
func manyNamed(name string, say func() health.Content) health.Facts {
	const many = 6000
	var facts health.Facts
	for i := range many {
		facts.Notes = append(facts.Notes, health.Note{Path: fmt.Sprintf("n%04d.md", i), Passages: 1})
		facts.Files = append(facts.Files, fmt.Sprintf("d%04d/%s", i, name))
	}
	facts.Contents = func(yield func(health.Content, error) bool) {
		for i := range many {
			content := say()
			content.Path = facts.Notes[i].Path
			if !yield(content, nil) {
				return
			}
		}
	}
	return facts
}

// TestBoundsOfOneName holds that files of one name cost no more than others, and that what is told of them is right and short.
func TestBoundsOfOneName(t *testing.T) {
	begun := time.Now()
	link := func(target string, edit func(*health.Link)) func() health.Content {
		return func() health.Content {
			l := health.Link{Link: store.Link{Target: target, Display: target, Line: 1}}
			edit(&l)
			return health.Content{Links: []health.Link{l}}
		}
	}
	ambiguous := manyNamed("README.md", link("README", func(l *health.Link) { l.State, l.Resolved = graph.Ambiguous, "d0000/README.md" }))
	relation := manyNamed("a b c d.md", link("rel: is a b c d", func(l *health.Link) { l.State, l.Fault = graph.Unresolved, graph.NoNote }))
	spaced := manyNamed("a b.md", func() health.Content { return health.Content{} })
	lines := slices.Repeat([]string{"[x](a b.md)"}, 40_000)
	spaced.Notes = append(spaced.Notes, health.Note{Path: "x.md", Passages: 1})
	spaced.Contents = func(yield func(health.Content, error) bool) {
		yield(health.Content{Path: "x.md", Texts: []health.Text{{Line: 1, Text: strings.Join(lines, "\n")}}}, nil)
	}
	spaced.Lines = func(string) []string { return lines }
	for _, c := range []struct {
		check string
		facts health.Facts
		first string
		last  string
		count int
	}{
		{
			health.AmbiguousLink, ambiguous, "[[README]] fits d0000/README.md as well as d0001/README.md, d0002/README.md, d0003/README.md and 5996 more",
			"and 1000 more findings of this kind", 5001,
		},
		{
			health.NearRelation, relation, "[[rel: is a b c d]] looks like a relation and is none: behind rel: stands one word, then the note",
			"and 1000 more findings of this kind", 5001,
		},
		{health.SpaceInLink, spaced, "[x](a b.md) is no link, for the space in it", "and 39950 more findings of this kind in this note", 51},
	} {
		selection, err := health.Select([]string{c.check}, nil)
		if err != nil {
			t.Fatal(err)
		}
		found := findingsOf(t, c.facts, selection)
		if len(found) != c.count || found[0].Message != c.first || found[len(found)-1].Message != c.last {
			t.Errorf("%s: %d findings, the first %+v, the last %+v", c.check, len(found), found[0], found[len(found)-1])
		}
		if related := found[0].Related; c.check == health.AmbiguousLink && (len(related) != 20 || related[0] != "d0001/README.md" || related[19] != "d0020/README.md") {
			t.Errorf("related: %v", related)
		}
		if c.check == health.NearRelation && found[0].Remedy != "write [[rel:is a b c d]]" {
			t.Errorf("remedy: %s", found[0].Remedy)
		}
	}
	if took := time.Since(begun); took > 10*time.Second {
		t.Error(took)
	}
}

// TestAmbiguousNames holds which files a link fits, by its name or a part of the path.
func TestAmbiguousNames(t *testing.T) {
	for target, want := range map[string][]string{
		"Note":      {"b/Note.md", "c/b/note.md", "nOTE.md"},
		"/b/Note":   {"b/Note.md", "c/b/note.md"},
		"B/note.md": {"b/Note.md", "c/b/note.md"},
	} {
		facts := health.Facts{Notes: []health.Note{{Path: "x.md", Passages: 1}}, Files: []string{"nOTE.md", "c/b/note.md", "b/Note.md", "b/Another Note.md", "bb/Note.md.md", "Note.png", "a/Note.md"}}
		facts.Contents = func(yield func(health.Content, error) bool) {
			yield(health.Content{Path: "x.md", Links: []health.Link{{Link: store.Link{Target: target, Line: 1}, State: graph.Ambiguous, Resolved: "a/Note.md"}}}, nil)
		}
		selection, err := health.Select([]string{health.AmbiguousLink}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, findingsOf(t, facts, selection)[0].Related); diff != "" {
			t.Errorf("%s: %s", target, diff)
		}
	}
}

// asked is a context that counts how often somebody looks whether it ended, and ends after so many times.
type asked struct {
	context.Context //nolint:containedctx // it is one
	times, most     int
}

func (a *asked) Err() error {
	if a.times++; a.times > a.most {
		return context.Canceled
	}
	return nil
}

// TestFindingsEndWithContext holds that the steps over all notes look at the context in each, and stop at once.
func TestFindingsEndWithContext(t *testing.T) {
	const notes = 2000
	for _, check := range []string{
		health.NearRelation, health.ConflictCopy, health.DuplicateNote, health.NearDuplicateNote, health.Orphan, health.LinkOnly, health.DuplicateTitle, health.DeadLink,
		health.NearDuplicateTags, health.MissingMap, health.UnknownType,
	} {
		selection, err := health.Select([]string{check}, nil)
		if err != nil {
			t.Fatal(err)
		}
		examination, err := health.Examine(t.Context(), large(notes), selection)
		if err != nil {
			t.Fatal(err)
		}
		whole := &asked{Context: t.Context(), most: 1 << 30}
		if _, err := examination.Findings(whole, nil); err != nil || whole.times < notes/100 {
			t.Errorf("%s: looked %d times, %v", check, whole.times, err)
		}
		cut := &asked{Context: t.Context(), most: whole.times / 2}
		if _, err := examination.Findings(cut, nil); !errors.Is(err, context.Canceled) || cut.times > whole.times/2+20 {
			t.Errorf("%s: looked %d times after the end, %v", check, cut.times-whole.times/2, err)
		}
	}
}

// TestSpacesEndWithContext holds that no further line is looked at.
func TestSpacesEndWithContext(t *testing.T) {
	facts := manyNamed("a b.md", func() health.Content { return health.Content{Texts: []health.Text{{Line: 1, Text: "[x](a b.md)"}}} })
	ctx, cancel := context.WithCancel(t.Context())
	read := 0
	facts.Lines = func(string) []string {
		read++
		cancel()
		return []string{"[x](a b.md)"}
	}
	selection, err := health.Select([]string{health.SpaceInLink}, nil)
	if err != nil {
		t.Fatal(err)
	}
	examination, err := health.Examine(ctx, facts, selection)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := examination.Findings(ctx, nil); !errors.Is(err, context.Canceled) || read != 1 {
		t.Errorf("%d notes were read, %v", read, err)
	}
}
