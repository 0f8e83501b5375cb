package quarry_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"quarry"
)

// partNotes have a note of several sections, and links to its parts.
var partNotes = map[string]string{
	"clay.md": "# Clay\n\n[[sand]]\n\n## Firing\n\n[[kiln]] [[gone]] ^hot\n\n### Cooling\n\n[[sand#Grain]] [[lost]]\n\n## Drying\n\n[[kiln]]\n",
	"sand.md": "# Sand\n\n[[clay]] [[clay#Firing]]\n[[clay#Drying]] [[clay#^hot]] [x](clay.md#cooling)\n[[clay#Clay#Firing#Cooling]] [[clay#Nowhere]]\n\ndepends_on:: [[clay#Firing]]\n",
	"kiln.md": "# Kiln\n",
}

func linesOf(links quarry.NoteLinks) string {
	var list []string
	for _, l := range links.Out {
		list = append(list, fmt.Sprint("→", l.Line, l.Target, l.Subpath))
	}
	for _, l := range links.Back {
		list = append(list, fmt.Sprint("←", l.Line, l.Subpath))
	}
	return strings.Join(list, " ")
}

// TestLinksOfAPart holds that the links of a part of a note are those in its lines, and those that name something in it.
func TestLinksOfAPart(t *testing.T) {
	for who, e := range bothAudiences(t, vaultOf(t, partNotes)) {
		for _, test := range []struct {
			request quarry.LinksRequest
			want    string
			lines   [2]int
		}{
			{quarry.LinksRequest{Note: "clay#Firing"}, "→7kiln →7gone →11sand#Grain →11lost ←3#Firing ←4#^hot ←4#cooling ←5#Clay#Firing#Cooling ←7#Firing", [2]int{5, 12}},
			{quarry.LinksRequest{Note: "[[Clay#Firing#Cooling|there]]"}, "→11sand#Grain →11lost ←4#cooling ←5#Clay#Firing#Cooling", [2]int{9, 12}},
			{quarry.LinksRequest{Note: "clay#^hot"}, "→7kiln →7gone ←4#^hot", [2]int{7, 7}},
			{quarry.LinksRequest{Note: "clay.md:7"}, "→7kiln →7gone ←4#^hot", [2]int{7, 8}},
			{quarry.LinksRequest{Note: "clay.md:13:9"}, "→15kiln ←4#Drying", [2]int{13, 15}},
			{quarry.LinksRequest{Note: "clay#Firing", Kinds: []string{"depends_on"}}, "←7#Firing", [2]int{5, 12}},
			{quarry.LinksRequest{Note: "clay#Firing", Unresolved: true}, "→7gone →11sand#Grain →11lost", [2]int{5, 12}},
			{quarry.LinksRequest{Note: "kiln#Kiln"}, "←7 ←15", [2]int{}}, // all of the note
		} {
			links, err := e.Links(t.Context(), test.request)
			if got := linesOf(links); err != nil || got != test.want || [2]int{links.LineStart, links.LineEnd} != test.lines {
				t.Errorf("%s: %+v: %q in lines %d to %d, want %q in %v; %v", who, test.request, got, links.LineStart, links.LineEnd, test.want, test.lines, err)
			}
		}
		for address, want := range map[string]error{"clay#Nowhere": quarry.ErrNoPart, "clay:99": quarry.ErrNoPart, "nosuch#Firing": quarry.ErrNotFound, "*.md#Firing": quarry.ErrNotFound} {
			if links, err := e.Links(t.Context(), quarry.LinksRequest{Note: address}); !errors.Is(err, want) {
				t.Errorf("%s: %s: %+v, %v", who, address, links, err)
			}
			if dead, err := e.DeadLinks(t.Context(), quarry.DeadLinksRequest{Note: address}); !errors.Is(err, want) {
				t.Errorf("%s: %s: dead are %+v, %v", who, address, dead, err)
			}
		}
	}
}

// TestAliasesOfAPart holds that the aliases told with the links of a part are those that its links name.
func TestAliasesOfAPart(t *testing.T) {
	long := strings.Repeat("ü", 1001)
	notes := map[string]string{
		"a.md": "# A\n\n[[Oven]]\n\n## Below\n\n[[Loam]] [[Oven]]\n\n## Long\n\n[[" + long + "]]\n\n## None\n\n[[kiln]]\n", "kiln.md": "---\naliases: [Oven, " + long + "]\n---\n", "clay.md": "---\naliases: [Loam]\n---\n",
	}
	for who, e := range bothAudiences(t, vaultOf(t, notes)) {
		for address, want := range map[string]map[string]string{
			"a":       {"Oven": "kiln.md", "Loam": "clay.md", long[2:] + "…": "kiln.md"},
			"a.md:3":  {"Oven": "kiln.md"},
			"a#Below": {"Oven": "kiln.md", "Loam": "clay.md"},
			"a#Long":  {long[2:] + "…": "kiln.md"},
			"a#None":  {},
		} {
			links, err := e.Links(t.Context(), quarry.LinksRequest{Note: address})
			if err != nil || len(links.Out) == 0 || !maps.Equal(links.AliasOf, want) {
				t.Errorf("%s: %.20s: %.20q, want %.20q; %v", who, address, links.AliasOf, want, err)
			}
		}
	}
}

// TestPartOfAChangedNote holds that it is told where the lines of a part are not those that the index knows.
func TestPartOfAChangedNote(t *testing.T) {
	root := vaultOf(t, partNotes)
	e := wordsAlone(t, root)
	notices := func(address string) []string {
		links, err := e.Links(t.Context(), quarry.LinksRequest{Note: address})
		if err != nil {
			t.Fatal(err)
		}
		return links.Notices
	}
	if got := notices("clay#Firing"); len(got) > 0 {
		t.Errorf("of now: %q", got)
	}
	writeNote(t, root, "clay.md", "# Clay\n\nMore\n\nwords.\n"+strings.TrimPrefix(partNotes["clay.md"], "# Clay\n"))
	for address, want := range map[string]bool{"clay#Firing": true, "clay": false, "clay#Clay": false} { // the last is all of it
		got := notices(address)
		if len(got) != 1 || !strings.Contains(got[0], "changed since it was indexed") || strings.Contains(got[0], "the lines of the part") != want {
			t.Errorf("%s: %q", address, got)
		}
	}
}

// TestDeadLinksOfANote holds that the dead links of a note or a part of one are those of them among the dead links of all.
func TestDeadLinksOfANote(t *testing.T) {
	for who, e := range bothAudiences(t, vaultOf(t, partNotes)) {
		for _, test := range []struct {
			request quarry.DeadLinksRequest
			want    string
		}{
			{quarry.DeadLinksRequest{}, "clay.md:7 clay.md:11 clay.md:11 sand.md:5"},
			{quarry.DeadLinksRequest{Note: "Clay"}, "clay.md:7 clay.md:11 clay.md:11"},
			{quarry.DeadLinksRequest{Note: "clay#Cooling"}, "clay.md:11 clay.md:11"},
			{quarry.DeadLinksRequest{Note: "clay#^hot"}, "clay.md:7"},
			{quarry.DeadLinksRequest{Note: "clay", Kinds: []string{"depends_on"}}, ""},
			{quarry.DeadLinksRequest{Note: "sand", Kinds: []string{" References "}}, "sand.md:5"},
			{quarry.DeadLinksRequest{Note: "kiln"}, ""},
		} {
			dead, err := e.DeadLinks(t.Context(), test.request)
			var got []string
			for _, l := range dead {
				got = append(got, fmt.Sprintf("%s:%d", l.Source, l.Line))
			}
			if err != nil || dead == nil || strings.Join(got, " ") != test.want {
				t.Errorf("%s: %+v: %q, want %q; %v", who, test.request, got, test.want, err)
			}
		}
	}
}

// TestAnchorsOfAWebsite holds that what all links of a vault show counts for those of one note, too: where links lead to addresses
// of a website, it makes the anchors.
func TestAnchorsOfAWebsite(t *testing.T) {
	notes := map[string]string{"a.md": "# A\n\n[x](b.md#some-id) [[b#Some heading]]\n", "b.md": "# B\n"}
	count := func(e *quarry.Engine) (ofAll, ofNote int) {
		all, err := e.DeadLinks(t.Context(), quarry.DeadLinksRequest{})
		if err != nil {
			t.Fatal(err)
		}
		one, err := e.DeadLinks(t.Context(), quarry.DeadLinksRequest{Note: "a"})
		if err != nil {
			t.Fatal(err)
		}
		stats, err := e.GraphStats(t.Context())
		if err != nil || stats.Unresolved != len(all) {
			t.Errorf("figures tell of %d dead links, the list has %d; %v", stats.Unresolved, len(all), err)
		}
		return len(all), len(one)
	}
	if all, one := count(wordsAlone(t, vaultOf(t, notes))); all != 2 || one != 2 {
		t.Errorf("among notes: %d and %d dead links", all, one)
	}
	notes["site.md"] = "[a](/docs/a) [b](/docs/b) [c](/docs/c)\n"
	if all, one := count(wordsAlone(t, vaultOf(t, notes))); all != 1 || one != 1 {
		t.Errorf("of a website: %d and %d dead links", all, one)
	}
}

// TestWays holds that hops go the way that is asked for.
func TestWays(t *testing.T) {
	e := wordsAlone(t, vaultOf(t, map[string]string{
		"a.md": "[[b]]", "b.md": "[[m]]", "m.md": "[[c]] [[e]]", "c.md": "[[d]]", "d.md": "", "e.md": "", "f.md": "[[e]]", "t.md": "---\ntype: x\nuses: \"[[b]]\"\n---\n",
	}))
	for way, want := range map[quarry.Way][]string{
		quarry.EitherWay: {"a.md", "d.md", "f.md", "t.md"}, quarry.WayOut: {"d.md"}, quarry.WayBack: {"a.md", "t.md"},
	} {
		links, err := e.Links(t.Context(), quarry.LinksRequest{Note: "m", Hops: 2, Way: way})
		var got []string
		for _, r := range links.Reached {
			got = append(got, r.Path)
		}
		if err != nil || !slices.Equal(got, want) || len(links.Out) != 2 || len(links.Back) != 1 {
			t.Errorf("%q: %q, want %q; %v", way, got, want, err)
		}
	}
	links, err := e.Links(t.Context(), quarry.LinksRequest{Note: "m", Hops: 3, Way: quarry.WayBack, Kinds: []string{"references", "uses"}})
	if err != nil || len(links.Reached) != 2 {
		t.Errorf("by kind: %+v, %v", links.Reached, err)
	}
	if links, err := e.Links(t.Context(), quarry.LinksRequest{Note: "m", Way: "sideways"}); err == nil {
		t.Errorf("there is no such way: %+v", links)
	}
}

// TestLongTargets holds that an answer has no more of a link than any file can be called.
func TestLongTargets(t *testing.T) {
	long := strings.Repeat("ü", 1001)
	e := wordsAlone(t, vaultOf(t, map[string]string{"a.md": "[[" + long + "]] [[b#" + long + "]] [[" + long[2:] + "]]\n[[" + long + "]]", "b.md": "# B\n"}))
	links, err := e.Links(t.Context(), quarry.LinksRequest{Note: "a"})
	if err != nil || len(links.Out) != 4 {
		t.Fatalf("%d links, %v", len(links.Out), err)
	}
	dead, err := e.DeadLinks(t.Context(), quarry.DeadLinksRequest{})
	if err != nil || len(dead) != 4 {
		t.Fatalf("%d dead links, %v", len(dead), err)
	}
	cut := long[2:] + "…"
	if links.Out[0].Target != cut || links.Out[1].Subpath != "#"+long[4:]+"…" || links.Out[2].Target != long[2:] || dead[0].Target != cut {
		t.Errorf("targets of %d, %d, %d and %d bytes", len(links.Out[0].Target), len(links.Out[1].Subpath), len(links.Out[2].Target), len(dead[0].Target))
	}
	back, err := e.Links(t.Context(), quarry.LinksRequest{Note: "b"})
	if err != nil || len(back.Back) != 1 || back.Back[0].Subpath != links.Out[1].Subpath {
		t.Errorf("%d links to it, %v", len(back.Back), err)
	}
}
