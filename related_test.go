package quarry_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry"
)

// pottery has two topics. Notes of one topic are not linked with each other, but by a map of the first topic; two speak of nothing.
var pottery = map[string]string{
	"map.md":     "# Kilns\n\n[[glaze]] [[clay]] [[firing]] [[empty]]\n",
	"glaze.md":   "# Glaze\n\nAsh glaze on clay runs in the kiln when it is fired hot.\n",
	"clay.md":    "# Clay\n\nStoneware clay is wedged before it is fired in the kiln.\n",
	"firing.md":  "# Firing\n\nThe kiln is fired slowly, or the clay pot cracks and its glaze runs.\n",
	"empty.md":   "",
	"boats.md":   "# Boats\n\nA sailing boat is moored in the harbour with long ropes.\n\n## Anchor\n\nThe anchor holds the boat.\n",
	"harbour.md": "# Harbour\n\nBoats lie in the harbour, their ropes and anchors are checked.\n",
	"other.md":   "# Other\n\n[[lone]]\n",
	"lone.md":    "",
}

func related(t *testing.T, e *quarry.Engine, request quarry.LinksRequest) []quarry.RelatedNote {
	t.Helper()
	links, err := e.Links(t.Context(), request)
	if err != nil || links.Related == nil {
		t.Fatalf("%+v: %v, %v", request, links.Related, err)
	}
	for i, r := range links.Related {
		if r.Score <= 0 || r.Score > 1 || i > 0 && r.Score > links.Related[i-1].Score {
			t.Errorf("%+v: scores %v", request, links.Related)
		}
	}
	return links.Related
}

func pathsOf(list []quarry.RelatedNote) string {
	var paths []string
	for _, r := range list {
		paths = append(paths, r.Path)
	}
	return strings.Join(paths, " ")
}

// TestRelated holds that related notes are near by meaning and by links, and none that is linked already.
func TestRelated(t *testing.T) {
	for who, e := range bothAudiences(t, vaultOf(t, pottery)) {
		if list := related(t, e, quarry.LinksRequest{Note: "glaze", Related: 2}); pathsOf(list) != "firing.md clay.md" && pathsOf(list) != "clay.md firing.md" {
			t.Errorf("%s: of a note of the topic: %v", who, list)
		}
		if list := related(t, e, quarry.LinksRequest{Note: "boats", Related: 1}); pathsOf(list) != "harbour.md" {
			t.Errorf("%s: by meaning alone: %v", who, list)
		}
		for _, path := range []string{"glaze.md", "clay.md", "firing.md", "empty.md", "map.md"} {
			list := related(t, e, quarry.LinksRequest{Note: "map", Related: 50, Kinds: []string{"nosuch"}})
			if slices.ContainsFunc(list, func(r quarry.RelatedNote) bool { return r.Path == path }) {
				t.Errorf("%s: the linked note %s is related: %v", who, path, list)
			}
		}
		// without vectors: by the links alone
		if list := related(t, e, quarry.LinksRequest{Note: "empty", Related: 9}); pathsOf(list) != "clay.md firing.md glaze.md" || list[0].Score != list[2].Score {
			t.Errorf("%s: of an empty note: %v", who, list)
		}
		if list := related(t, e, quarry.LinksRequest{Note: "lone", Related: 9}); len(list) != 0 {
			t.Errorf("%s: of an empty note with one link: %v", who, list)
		}
		if list := related(t, e, quarry.LinksRequest{Note: "glaze"}); len(list) != 0 {
			t.Errorf("%s: none were asked for: %v", who, list)
		}
		if first, again := related(t, e, quarry.LinksRequest{Note: "glaze", Related: 1000}), related(t, e, quarry.LinksRequest{Note: "glaze", Related: 1000}); !cmp.Equal(first, again) {
			t.Errorf("%s: %v, then %v", who, first, again)
		}
	}
}

// TestRelatedWithoutModel holds that links alone are enough.
func TestRelatedWithoutModel(t *testing.T) {
	e := wordsAlone(t, vaultOf(t, pottery))
	if list := related(t, e, quarry.LinksRequest{Note: "glaze", Related: 9}); pathsOf(list) != "clay.md empty.md firing.md" {
		t.Errorf("%v", list)
	}
	one := wordsAlone(t, vaultOf(t, map[string]string{"a.md": "# A\n\n[[a]]\n"}))
	if list := related(t, one, quarry.LinksRequest{Note: "a", Related: 9, Hops: 3}); len(list) != 0 {
		t.Errorf("in a vault of one note: %v", list)
	}
}

// TestRelatedIsBounded holds that a request for very many gets a bounded number, the best ones.
func TestRelatedIsBounded(t *testing.T) {
	notes := map[string]string{"hub.md": ""}
	for i := range 300 {
		notes[fmt.Sprintf("n%03d.md", i)] = fmt.Sprintf("# Note %d\n\nharbour and ropes, the boat number %d\n", i, i)
	}
	e := open(t, vaultOf(t, notes), filepath.Join(t.TempDir(), "index.db"))
	mustIndex(t, e, quarry.IndexOptions{})
	if list := related(t, e, quarry.LinksRequest{Note: "n007", Related: 1 << 30}); len(list) != 60 {
		t.Fatalf("%d notes", len(list))
	}
}

// TestFewRelatedAreTheFirstOfMany holds that the number asked for decides neither scores nor order, where links and meaning tell
// of different notes.
func TestFewRelatedAreTheFirstOfMany(t *testing.T) {
	words := strings.Fields("kiln clay glaze harbour rope anchor bread yeast oven garden seed compost query index table")
	random := rand.New(rand.NewPCG(1, 2))
	notes := map[string]string{}
	for i := range 400 {
		text := strings.Builder{}
		for range 8 {
			fmt.Fprintf(&text, "The %s of the %s. ", words[random.IntN(len(words))], words[random.IntN(len(words))])
		}
		for range 4 {
			fmt.Fprintf(&text, "[[n%03d]] ", random.IntN(400))
		}
		notes[fmt.Sprintf("n%03d.md", i)] = text.String()
	}
	e := open(t, vaultOf(t, notes), filepath.Join(t.TempDir(), "index.db"))
	mustIndex(t, e, quarry.IndexOptions{})
	for i := range 40 {
		name := fmt.Sprintf("n%03d.md", i)
		many := related(t, e, quarry.LinksRequest{Note: name, Related: 100})
		for _, few := range []int{1, 5, 20} {
			if list := related(t, e, quarry.LinksRequest{Note: name, Related: few}); len(many) < few || !cmp.Equal(list, many[:few]) {
				t.Errorf("%s: the first %d of many are %v, of few %v", name, few, many[:min(few, len(many))], list)
			}
		}
	}
}

// TestRelatedHasAFloor holds that notes about something else are not near, however few notes there are.
func TestRelatedHasAFloor(t *testing.T) {
	e := open(t, vaultOf(t, pottery), filepath.Join(t.TempDir(), "index.db"))
	mustIndex(t, e, quarry.IndexOptions{})
	if list := related(t, e, quarry.LinksRequest{Note: "boats", Related: 50}); pathsOf(list) != "harbour.md" {
		t.Errorf("near the boats are %v", list)
	}
}
