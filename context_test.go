package quarry_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"quarry"
)

// longSection is a section that is cut into several passages, each sentence with a word of its own.
func longSection(word string, sentences int) string {
	var b strings.Builder
	for i := range sentences {
		fmt.Fprintf(&b, "Sentence %s%02d tells of the wood kiln and how its chimney draws.", word, i)
		b.WriteString([]string{" ", "\n\n"}[min(i%4/3, 1)])
	}
	return b.String()
}

// brewery has a map, notes that it leads to, a note of one long section, and links of several kinds.
var brewery = map[string]string{
	"maps/Beer MOC.md": "---\ntype: moc\n---\n# Beer\n\n- [[Malt]]\n- [[Yeast]]\n- [[Hops]]\n- [[Water]]\n",
	"All MOC.md":       "---\ntype: moc\n---\n# All\n\n[[Malt]] [[Yeast]] [[Hops]] [[Water]] [[Kiln]] [[Beer MOC]]\n",
	"Malt.md":          "# Malt\n\nBarley is malted: it is steeped, germinated and dried before brewing.\n",
	"Yeast.md":         "---\ndepends_on: \"[[Water]]\"\n---\n# Yeast\n\nYeast ferments the wort at eighteen degrees for a week.\n",
	"Hops.md":          "# Hops\n\nHops make the beer bitter and keep it from turning sour.\n",
	"Water.md":         "# Water\n\nSoft water suits fermenting wort with ale yeast at eighteen degrees.\n",
	"Kiln.md":          "# Kiln\n\n## Chimney\n\n" + longSection("smoke", 60) + "\n## Door\n\nThe door is bricked up.\n",
	"Copy of hops.md":  "# Copy of hops\n\nHops make the beer bitter and  keep it from turning sour.\n\nFurther words.\n",
}

func contextOf(t *testing.T, e *quarry.Engine, request quarry.ContextRequest) quarry.ContextAnswer {
	t.Helper()
	answer, err := e.Context(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// TestContextGoesOn holds that a passage cut out of a section stands with what is next to it, in one part, each line once.
func TestContextGoesOn(t *testing.T) {
	for who, e := range bothAudiences(t, vaultOf(t, brewery)) {
		found, err := e.Search(t.Context(), quarry.SearchRequest{Query: "sentence smoke30 chimney", Limit: 1})
		if err != nil || len(found.Results) != 1 {
			t.Fatalf("%s: %v, %v", who, found, err)
		}
		hit := found.Results[0]
		answer := contextOf(t, e, quarry.ContextRequest{Topic: "sentence smoke30 chimney", MaxTokens: 1500})
		if len(answer.Sources) == 0 || answer.Sources[0].FilePath != "Kiln.md" || !strings.Contains(answer.Text, "smoke30") {
			t.Fatalf("%s: sources %v", who, answer.Sources)
		}
		if strings.Contains(hit.ChunkText, "smoke00") && strings.Contains(hit.ChunkText, "smoke59") {
			t.Fatal("the section was not cut")
		}
		if got, alone := strings.Count(answer.Text, "Sentence smoke"), strings.Count(hit.ChunkText, "Sentence smoke"); got <= alone {
			t.Errorf("%s: %d sentences, %d in the passage alone", who, got, alone)
		}
		for i := range 60 {
			if n := strings.Count(answer.Text[strings.Index(answer.Text, "\n## "):], fmt.Sprintf("smoke%02d", i)); n > 1 {
				t.Errorf("%s: smoke%02d stands %d times", who, i, n)
			}
		}
		if strings.Contains(answer.Text, "bricked") && strings.Count(answer.Text, "## ") < 2 {
			t.Errorf("%s: another section was taken in", who)
		}
	}
}

// TestContextOfLinks holds that what links lead to stands behind the hits, with the edge; and the map that leads to a hit.
func TestContextOfLinks(t *testing.T) {
	for who, e := range bothAudiences(t, vaultOf(t, brewery)) {
		answer := contextOf(t, e, quarry.ContextRequest{Topic: "hops bitter beer"})
		if len(answer.Sources) == 0 || answer.Sources[0].FilePath != "Hops.md" {
			t.Fatalf("%s: %v", who, answer.Sources)
		}
		if first := answer.Sources[0]; first.Map != "maps/Beer MOC.md" || !slices.Equal(first.Beside, []string{"Malt.md", "Yeast.md", "Water.md"}) {
			t.Errorf("%s: hops stand in %q beside %q", who, first.Map, first.Beside)
		}
		if line := "Map: maps/Beer MOC.md, where it stands beside Malt.md, Yeast.md, Water.md\n"; !strings.Contains(answer.Text, line) {
			t.Errorf("%s: no line of the map in %s", who, answer.Text)
		}
		alone := contextOf(t, e, quarry.ContextRequest{Topic: "hops bitter beer", HitsAlone: true})
		if strings.Contains(alone.Text, "Map: ") || slices.ContainsFunc(alone.Sources, func(s quarry.ContextSource) bool { return s.Via != nil || s.Map != "" }) {
			t.Errorf("%s: hits alone: %v", who, alone.Sources)
		}
	}
}

// TestExpand holds that linked notes stand behind the hits and say by which edge, within the budget.
func TestExpand(t *testing.T) {
	for who, e := range bothAudiences(t, vaultOf(t, brewery)) {
		request := quarry.SearchRequest{Query: "yeast ferments wort", Limit: 1, Explain: true}
		plain, err := e.Search(t.Context(), request)
		if err != nil || len(plain.Results) != 1 || plain.Results[0].FilePath != "Yeast.md" {
			t.Fatalf("%s: %v, %v", who, plain.Results, err)
		}
		request.Expand = true
		answer, err := e.Search(t.Context(), request)
		if err != nil || len(answer.Results) < 2 {
			t.Fatalf("%s: %v, %v", who, answer.Results, err)
		}
		if diff := cmp.Diff(plain.Results, answer.Results[:1]); diff != "" {
			t.Errorf("%s: the hit is another one:\n%s", who, diff)
		}
		linked := answer.Results[1]
		if want := (quarry.SearchVia{Path: "Yeast.md", Kind: "depends_on", Direction: "out"}); linked.FilePath != "Water.md" || linked.Via == nil || *linked.Via != want {
			t.Errorf("%s: %s by %+v", who, linked.FilePath, linked.Via)
		}
		sum := 0.0
		for _, c := range linked.Explain.Contributions {
			sum += c.Amount
		}
		if linked.Explain.Score > answer.Results[0].Explain.Score || max(sum-linked.Explain.Score, linked.Explain.Score-sum) > 1e-6 {
			t.Errorf("%s: score %v of %v behind %v", who, linked.Explain.Score, sum, answer.Results[0].Explain.Score)
		}
		request.MaxTokens = 20
		if answer, err = e.Search(t.Context(), request); err != nil || len(answer.Results) != 1 {
			t.Errorf("%s: without room: %d results, %v", who, len(answer.Results), err)
		}
	}
}

// TestContextBudget holds that a block is never longer than it may be, whatever its format, and quotes the best hit if it can.
func TestContextBudget(t *testing.T) {
	e := openConfig(t, quarry.Config{VaultDir: vaultOf(t, brewery), DatabasePath: t.TempDir() + "/index.db"})
	mustIndex(t, e, quarry.IndexOptions{})
	for _, topic := range []string{"sentence smoke30 chimney", "hops bitter beer", "zebra crossings", strings.Repeat("kiln chimney ", 300), ""} {
		for _, format := range []string{"markdown", "xml"} {
			for _, tokens := range []int{1, 40, 80, 100, 101, 150, 257, 400, 1000, 5000} {
				answer := contextOf(t, e, quarry.ContextRequest{Topic: topic, Format: format, MaxTokens: tokens, All: tokens%2 == 0})
				if n := utf8.RuneCountInString(answer.Text); n > 4*tokens {
					t.Errorf("%.20q in %d tokens as %s: %d characters", topic, tokens, format, n)
				}
				if tokens >= 400 && answer.Status == string(quarry.StatusOK) && len(answer.Sources) == 0 {
					t.Errorf("%.20q in %d tokens as %s quotes nothing", topic, tokens, format)
				}
				if encoded, err := json.Marshal(answer); err != nil || strings.Contains(string(encoded), "null") {
					t.Errorf("%s, %v", encoded, err)
				}
			}
		}
	}
}

// withMore adds so many notes of other subjects: of few passages none is called irrelevant.
func withMore(notes map[string]string, count int) map[string]string {
	more := maps.Clone(notes)
	for i := range count {
		more[fmt.Sprintf("more/Ledger %02d.md", i)] = fmt.Sprintf("# Ledger %02d\n\nThe rent of house %02d was paid in full, parcel %d.\n", i, i, 3*i)
	}
	return more
}

// TestContextOfNothing holds that a block quotes nothing where nothing relevant was found, unless all is asked for.
func TestContextOfNothing(t *testing.T) {
	ranking := quarry.DefaultRanking()
	ranking.Weak, ranking.Nothing = 1, 1 // whatever is found is too little
	e := openConfig(t, quarry.Config{VaultDir: vaultOf(t, withMore(brewery, 64)), DatabasePath: t.TempDir() + "/index.db", Ranking: &ranking})
	mustIndex(t, e, quarry.IndexOptions{})
	answer := contextOf(t, e, quarry.ContextRequest{Topic: "zebra wort crossings"})
	if answer.Status != string(quarry.StatusNothingRelevant) || len(answer.Sources) != 0 || !strings.Contains(answer.Text, "Nothing in the notes fits.") {
		t.Errorf("%+v", answer)
	}
	answer = contextOf(t, e, quarry.ContextRequest{Topic: "zebra wort crossings", All: true})
	if len(answer.Sources) == 0 || !strings.Contains(answer.Text, "Nothing in the notes fits: these are the nearest") {
		t.Errorf("all: %+v", answer)
	}
}

// TestContextTail holds that a block quotes no hit whose score says that it speaks of something else, where such scores are trusted, and
// all of them where they are not: by words of scripts without spaces.
func TestContextTail(t *testing.T) {
	for _, test := range []struct {
		what, topic string
		notes       map[string]string
		isTrusted   bool
	}{
		{"Latin", "hops bitter beer", withMore(brewery, 70), true},
		{"Chinese", "啤酒花让啤酒变苦", withMore(map[string]string{
			"酒.md": "# 啤酒\n\n啤酒花让啤酒变苦，也让它不会变酸。\n", "水.md": "# 水\n\n软水适合酿造啤酒和发酵。\n", "麦.md": "# 麦芽\n\n大麦在酿造之前要发芽和烘干。\n",
		}, 70), false},
	} {
		vault, db := vaultOf(t, test.notes), t.TempDir()+"/index.db"
		e := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db})
		mustIndex(t, e, quarry.IndexOptions{})
		found, err := e.Search(t.Context(), quarry.SearchRequest{Query: test.topic, All: true})
		if err != nil || len(found.Results) < 2 {
			t.Fatalf("%s: %v, %v", test.what, found.Results, err)
		}
		first, last := found.Results[0].Score, found.Results[len(found.Results)-1].Score
		if first <= last {
			t.Fatalf("%s: scores from %v to %v", test.what, first, last)
		}
		ranking := quarry.DefaultRanking()
		ranking.Nothing, ranking.Weak = (first+last)/2, (first+last)/2
		strict := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db, Ranking: &ranking})
		answer := contextOf(t, strict, quarry.ContextRequest{Topic: test.topic, HitsAlone: true, MaxTokens: 20_000})
		quotesLast := slices.ContainsFunc(answer.Sources, func(s quarry.ContextSource) bool {
			return s.FilePath == found.Results[len(found.Results)-1].FilePath
		})
		if answer.Status != string(quarry.StatusOK) || len(answer.Sources) == 0 || quotesLast == test.isTrusted {
			t.Errorf("%s: %s, of %d hits %d are quoted, the last: %v", test.what, answer.Status, len(found.Results), len(answer.Sources), quotesLast)
		}
	}
}

// TestRepeatedPassages holds that of notes that say the same one stands, which names the others.
func TestRepeatedPassages(t *testing.T) {
	same := "Copper kettles are scoured with salt and vinegar, rinsed twice in warm water and dried over the stove before the next boil.\n"
	e := openConfig(t, quarry.Config{DatabasePath: t.TempDir() + "/index.db", VaultDir: vaultOf(t, map[string]string{
		"a.md": "# Kettle\n\n" + same, "b.md": "# Kettle\n\n" + strings.ReplaceAll(same, " ", "\n"), "c.md": "# Other\n\n" + same,
		"d.md": "# Tin\n\nTin kettles are never scoured.\n",
	})})
	mustIndex(t, e, quarry.IndexOptions{})
	answer, err := e.Search(t.Context(), quarry.SearchRequest{Query: "how are copper kettles scoured", All: true})
	if err != nil || len(answer.Results) != 2 {
		t.Fatalf("%v, %v", answer.Results, err)
	}
	if first := answer.Results[0]; first.FilePath != "a.md" || !slices.Equal(first.Duplicates, []string{"b.md", "c.md"}) {
		t.Errorf("%s with %q", first.FilePath, first.Duplicates)
	}
	if encoded, err := json.Marshal(answer.Results[1]); err != nil || strings.Contains(string(encoded), "duplicates") {
		t.Errorf("%s, %v", encoded, err)
	}
}
