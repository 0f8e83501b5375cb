package quarry_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry"
)

// deadNotes have each kind of dead link, and links that are none.
var deadNotes = map[string]string{
	"n.md": strings.Join([]string{
		"# N", "[[Kiln]] [[https://example.org/x]] [[twin]] [[pics/jar.png]] [[Kiln#Firing slowly]]", // none of them is dead
		"[[Kilns]]", "[[Oven]]", "[[Kiln#Firing slow]]", "[[Kiln#Glazes]]", "[[Kiln#^b2]]", "[[Kiln#^nosuch]]", "![[jars.png]]", "[[nothing like it]]", "[[#Nowhere]]",
		"%%", "[[Kilns#Top]]", "%%",
	}, "\n"),
	"pots/Kiln.md":  "---\naliases: [Oven]\n---\n# Kiln\n\n## Firing slowly\n\ntext ^b1\n",
	"pots/Glaze.md": "# Glaze\n\n## Glazes\n\ntext ^b2\n\n[[Kiln]]\n",
	"a/twin.md":     "# T", "b/twin.md": "# T",
	"pics/jar.png": "\x89PNG",
}

func TestDeadLinks(t *testing.T) {
	want := []string{
		"n.md:3 Kilns unresolved [pots/Kiln.md]", "n.md:4 Oven alias [pots/Kiln.md]",
		"n.md:5 Kiln#Firing slow heading_missing [pots/Kiln.md#Firing slowly]", "n.md:6 Kiln#Glazes heading_missing [pots/Glaze.md#Glazes]",
		"n.md:7 Kiln#^b2 block_missing [pots/Glaze.md#^b2]", "n.md:8 Kiln#^nosuch block_missing []", "n.md:9 jars.png unresolved [pics/jar.png]",
		"n.md:10 nothing like it unresolved []", "n.md:11 #Nowhere heading_missing []", // and what a comment names is nobody's business
	}
	for who, e := range bothAudiences(t, vaultOf(t, deadNotes)) {
		dead, err := e.DeadLinks(t.Context(), quarry.DeadLinksRequest{})
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, l := range dead {
			if l.Suggestions == nil {
				t.Errorf("%s: the suggestions are nil", who)
			}
			got = append(got, fmt.Sprintf("%s:%d %s%s %s %v", l.Source, l.Line, l.Target, l.Subpath, l.State, l.Suggestions))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", who, diff)
		}
		stats, err := e.GraphStats(t.Context())
		if err != nil || stats.Links != 15 || stats.Unresolved != len(want) || stats.Notes != 5 {
			t.Errorf("%s: %+v, %v", who, stats, err)
		}
		for _, l := range dead { // what is suggested can be read
			for _, address := range l.Suggestions {
				if _, err := e.Read(t.Context(), []string{address}, 0); err != nil && !strings.HasSuffix(address, ".png") {
					t.Errorf("%s: %v", who, err)
				}
			}
		}
	}
}

func TestNoDeadLinks(t *testing.T) {
	e := wordsAlone(t, vaultOf(t, map[string]string{"a.md": "[[a]]"}))
	if dead, err := e.DeadLinks(t.Context(), quarry.DeadLinksRequest{}); err != nil || dead == nil || len(dead) != 0 {
		t.Errorf("%#v, %v", dead, err)
	}
}

// TestDeadLinksOfHiddenNotes holds that a client's link to a private note is as dead as one to no note, and that nothing of a
// private note is suggested.
func TestDeadLinksOfHiddenNotes(t *testing.T) {
	hidden := "---\nsensitivity: private\naliases: [Secret plan]\n---\n# Ledger\n\n## Glazes\n\nwords ^b2\n"
	vault := vaultOf(t, map[string]string{
		"a.md": "[[Ledger]] [[Legder]] [[Secret plan]] [[c#Glazes]] [[c#^b2]]\n", "c.md": "# C\n", "diary/Ledger.md": hidden,
	})
	for who, e := range bothAudiences(t, vault) {
		dead, err := e.DeadLinks(t.Context(), quarry.DeadLinksRequest{})
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("%+v", dead)
		if isTold := strings.Contains(text, "diary/"); isTold != (who == "owner") {
			t.Errorf("%s: %s", who, text)
		}
		if who == "client" && len(dead) != 5 {
			t.Errorf("client: %s", text)
		}
	}
}
