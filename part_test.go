package quarry_test

import (
	"strconv"
	"strings"
	"testing"
)

// TestPartsThatLinksName reads the parts that links of each dialect can name: get finds what links resolve.
func TestPartsThatLinksName(t *testing.T) {
	const page = "# Page\n\n## First part\n\none\n\n## Mixed#Quote \"Title\" — with #hash\n\ntwo ^b1\n\n### What's new?\n\nthree\n\n## Costs\n\nfour\n\n## Costs\n\nfive\n"
	const noSuch = "no such"
	for _, test := range []struct {
		marker string
		want   map[string]string
	}{
		{".obsidian/app.json", map[string]string{
			"#First part": "## First part 3-6", "#Page#Costs": "## Costs 15-18", "#Page##Costs": "## Costs 15-18",
			"#Mixed#Quote \"Title\" — with #hash": "## Mixed#Quote \"Title\" — with #hash 7-14", "#mixed quote title — with hash": "## Mixed#Quote \"Title\" — with #hash 7-14",
			"#^b1": "two ^b1 9-9", "#Mixed#^B1": "two ^b1 9-9", "#^none": noSuch, "#First part#Costs": noSuch, "#first-part": noSuch, "#whats-new": noSuch, "#": "# Page 1-21",
		}},
		{".foam/x.json", map[string]string{
			"#First part": "## First part 3-6", "#first-part": "## First part 3-6", "#whats-new": "### What's new? 11-14", "#costs": "## Costs 15-18",
			"#costs-1": "## Costs 19-21", "#costs-2": noSuch, "#^b1": "two ^b1 9-9",
		}},
		{"dendron.yml", map[string]string{
			"#first-part": "## First part 3-6", "#costs-1": "## Costs 19-21", "#first-part:#costs": "## First part 3-14", "#first-part,1:#*": "## First part 3-6",
			"#whats-new:#^end": "### What's new? 11-21", "#^begin:#first-part": "# Page 1-2", "#^b1:#costs": "two ^b1 9-14", "#^b1": "two ^b1 9-9",
			"#gone:#costs": noSuch, "#costs:#gone": noSuch, "#costs:#first-part": "## Costs 15-18", "#first-part:#^b1": "## First part 3-9",
		}},
	} {
		engine := wordsAlone(t, vaultOf(t, map[string]string{"page.md": page, test.marker: "{}", "other.md": "x"}))
		for subpath, want := range test.want {
			if want == noSuch {
				if got := readOf(t, engine, "page"+subpath); !strings.Contains(got, "the note has no such") {
					t.Errorf("%s: %s: got %s, want none", test.marker, subpath, got)
				}
				continue
			}
			excerpts, err := engine.Read(t.Context(), []string{"page" + subpath}, 0)
			if err != nil {
				t.Errorf("%s: %s: %v", test.marker, subpath, err)
				continue
			}
			first, _, _ := strings.Cut(excerpts[0].Text, "\n")
			if got := first + " " + span(excerpts[0].LineStart, excerpts[0].LineEnd); got != want {
				t.Errorf("%s: %s: got %s, want %s", test.marker, subpath, got, want)
			}
		}
	}
}

func span(from, to int) string { return strconv.Itoa(from) + "-" + strconv.Itoa(to) }

// TestASectionOfLogseqIsTheSubtree: a heading within a bullet ends with the block it stands in.
func TestASectionOfLogseqIsTheSubtree(t *testing.T) {
	engine := wordsAlone(t, vaultOf(t, map[string]string{
		"logseq/config.edn": "{}",
		"pages/garden.md":   "- Plan\n\t- ## Phase two\n\t\t- paint it green\n- invite neighbours\n- ## Tools\n\t- spade\n",
	}))
	for address, want := range map[string]string{
		"garden#Phase two": "\t- ## Phase two\n\t\t- paint it green 2-3",
		"garden#Tools":     "- ## Tools\n\t- spade 5-6",
	} {
		excerpts, err := engine.Read(t.Context(), []string{address}, 0)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.TrimRight(excerpts[0].Text, "\n") + " " + span(excerpts[0].LineStart, excerpts[0].LineEnd)
		if got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
}

// TestAPassageOfACutTableHasItsHeader: what get shows of a passage is what search found.
func TestAPassageOfACutTableHasItsHeader(t *testing.T) {
	table := "# Log\n\n| part | weight |\n|---|---|\n" + strings.Repeat("| sluice gate of the upper mill | 70 kg |\n", 120)
	engine := wordsAlone(t, vaultOf(t, map[string]string{"log.md": table}))
	excerpts, err := engine.Read(t.Context(), []string{"log#c01"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(excerpts[0].Text, "| part | weight |\n|---|---|\n| sluice") || excerpts[0].LineStart < 20 {
		t.Errorf("got %d: %.80q", excerpts[0].LineStart, excerpts[0].Text)
	}
}
