package quarry_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry"
)

// unwrittenNotes link to notes that nobody has written.
var unwrittenNotes = map[string]string{
	"a.md":     "# A\n\n[[Uncle Bob]] and\n[again](uncle%20bob.md) %% [[Uncle Bob#Past]] %%\n\nknows:: [[people/Uncle Bob]]\n",
	"b.md":     "# B\n\n[[a]] [[Uncle Bobs]] [[c/../Other]]\n",
	"c.md":     "# C\n\n[[b]] ![[Uncle Bob.png]] [x](https://example.org/Uncle%20Bob)\n",
	"twin.md":  "# Twin\n",
	"alias.md": "---\naliases: [Aunt Ann]\n---\n[[twin]]\n",
}

// TestUnwrittenNotes holds that a name which no note has is asked for as if there were a note, where links mean one.
func TestUnwrittenNotes(t *testing.T) {
	for who, e := range bothAudiences(t, vaultOf(t, unwrittenNotes)) {
		for name, want := range map[string]string{
			"Uncle Bob": "a.md:3 a.md:4 a.md:4 a.md:6", "[[uncle bob]]": "a.md:3 a.md:4 a.md:4 a.md:6", "Uncle Bob.md": "a.md:3 a.md:4 a.md:4 a.md:6",
			"people/Uncle Bob": "a.md:6", "Uncle Bobs": "b.md:3",
		} {
			links, err := e.Links(t.Context(), quarry.LinksRequest{Note: name, Hops: 3})
			if err != nil {
				t.Errorf("%s: %s: %v", who, name, err)
				continue
			}
			var got []string
			for _, l := range links.Back {
				got = append(got, fmt.Sprintf("%s:%d", l.Source, l.Line))
			}
			if strings.Join(got, " ") != want || links.Out == nil || len(links.Out) > 0 || len(links.Notices) != 1 || !strings.Contains(links.Notices[0], "no note is called") {
				t.Errorf("%s: %s: %q, %+v, want %s", who, name, got, links, want)
			}
		}
		links, err := e.Links(t.Context(), quarry.LinksRequest{Note: "Uncle Bob", Hops: 3, Kinds: []string{"knows"}})
		if err != nil || len(links.Back) != 1 || len(links.Reached) != 0 {
			t.Errorf("%s: of a kind: %+v, %v", who, links, err)
		}
		links, err = e.Links(t.Context(), quarry.LinksRequest{Note: "Uncle Bob", Hops: 3})
		if diff := cmp.Diff([]quarry.ReachedNote{{Path: "b.md", Hops: 2, Via: "a.md"}, {Path: "c.md", Hops: 3, Via: "b.md"}}, links.Reached); diff != "" || err != nil {
			t.Errorf("%s: %v %s", who, err, diff)
		}
		links, err = e.Links(t.Context(), quarry.LinksRequest{Note: "Uncle Bob", Hops: 3, Way: quarry.WayOut})
		if err != nil || links.Reached == nil || len(links.Reached) > 0 {
			t.Errorf("%s: nothing comes from it: %+v, %v", who, links.Reached, err)
		}
		for _, hops := range []int{0, 1, 2, 3} {
			got := listed(t, e, quarry.Filter{LinksTo: []string{"Uncle Bob"}, Hops: hops})
			if want := []string{"a.md", "b.md", "c.md"}[:max(hops, 1)]; !slices.Equal(got, want) {
				t.Errorf("%s: within %d hops of it are %q, want %q", who, hops, got, want)
			}
		}
		for _, request := range []quarry.LinksRequest{{Note: "Nobody"}, {Note: "Bob"}, {Note: "Uncle Bob", Unresolved: true}, {Note: ""}, {Note: "."}, {Note: "[[]]"}} {
			if links, err := e.Links(t.Context(), request); !errors.Is(err, quarry.ErrNotFound) {
				t.Errorf("%s: %+v: %+v, %v", who, request, links, err)
			}
		}
		if _, err := e.List(t.Context(), quarry.ListRequest{Filter: quarry.Filter{LinkedBy: []string{"Uncle Bob"}}}); !errors.Is(err, quarry.ErrNotFound) {
			t.Errorf("%s: what it links to: %v", who, err)
		}
	}
}

// TestNoticesOfLinks holds that an answer says what it goes by: a note that is called as others are, or has changed since.
func TestNoticesOfLinks(t *testing.T) {
	dir := vaultOf(t, map[string]string{
		"Shopping list.md": "# S\n", "a/shopping List.md": "# S\n", "a/Other.md": "# O\n", "gone.md": "[[Other]]\n", "changed.md": "[[Other]]\n", "List.md": "# L\n",
	})
	engines := bothAudiences(t, dir)
	if err := os.Remove(filepath.Join(dir, "gone.md")); err != nil {
		t.Fatal(err)
	}
	writeNote(t, dir, "changed.md", "nothing by now\n")
	for who, e := range engines {
		for note, want := range map[string]string{
			"Shopping list": "several notes are called Shopping list: this is Shopping list.md, others are a/shopping List.md",
			"Other":         "", "List": "", "a/shopping List": "", "Shopping list.md": "",
			"changed": "changed.md changed since it was indexed, and its links are those of then: run `quarry index`",
			"gone":    "gone.md is gone since it was indexed, and its links are those of then: run `quarry index`",
		} {
			links, err := e.Links(t.Context(), quarry.LinksRequest{Note: note})
			if who == "client" && note == "gone" { // nobody knows what it says
				if !errors.Is(err, quarry.ErrNotFound) {
					t.Errorf("%s: %+v, %v", who, links, err)
				}
				continue
			}
			if err != nil || strings.Join(links.Notices, "\n") != want {
				t.Errorf("%s: of %s: %q, want %q; %v", who, note, links.Notices, want, err)
			}
			if !strings.HasPrefix(want, "several") && !strings.HasSuffix(note, "ther") {
				continue
			}
			read, err := e.Read(t.Context(), []string{note, note + ":1"}, 0)
			if err != nil || strings.Join(read[0].Notices, "\n") != want || strings.Join(read[1].Notices, "\n") != want {
				t.Errorf("%s: %s is read: %+v, %v", who, note, read, err)
			}
		}
	}
}
