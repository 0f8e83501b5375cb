package graph_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"quarry/graph"
	"quarry/internal/dialect"
	"quarry/store"
)

// judged is a link with what is wrong with it.
type judged struct {
	source string
	link   store.Link
	want   graph.Fault
}

func wiki(target string) store.Link { return store.Link{Target: target} }
func md(target string) store.Link   { return store.Link{Target: target, Markdown: true} }

func at(link store.Link, subpath string) store.Link {
	link.Subpath = subpath
	return link
}

func TestJudge(t *testing.T) {
	outlines := map[string]*graph.Outline{
		"clay/Kiln.md": graph.NewOutline([]graph.Heading{{Level: 1, Text: "Fire: how it *burns*"}, {Level: 2, Text: "Ash"}, {Level: 2, Text: "Ash"}, {Level: 2, Text: "10 steps"}}, []string{"b1"}),
	}
	asked := map[string]int{}
	texts := func(path string) []string {
		asked[path]++
		return []string{"<a id=\"top\"></a>\n", "## Fire {#fire}\n<h2 name=low>x</h2>"}
	}
	resolver := graph.NewResolver([]string{
		"clay/Kiln.md", "clay/index/Glaze.md", "LICENSE", "clay/Makefile", "img/kiln.png", "data/x.weird", "daily/2031-05-06.md", "wood/ash.txt", "Two Words.md",
	}).WithAliases(map[string][]string{"clay/Kiln.md": {"Oven"}}).WithDialect(dialect.Obsidian, nil).
		WithOutlines(func(path string) *graph.Outline { return outlines[path] }).WithTexts(texts)
	for _, c := range []judged{
		{"a.md", wiki("Kiln"), graph.Sound},
		{"a.md", wiki("kilns"), graph.NoNote},
		{"a.md", wiki("Oven"), graph.AliasOnly},
		{"a.md", store.Link{Target: "gone", Hidden: true}, graph.Sound},
		{"a.md", store.Link{Target: "https://example.org", External: true}, graph.Sound},

		// A folder is no note; a page of a host shows it.
		{"a.md", wiki("clay"), graph.NoNote},
		{"a.md", wiki("clay/"), graph.NoNote},
		{"a.md", md("clay"), graph.Sound},
		{"a.md", md("clay/"), graph.Sound},
		{"clay/a.md", md("index/"), graph.Sound},
		{"clay/a.md", md("/index/"), graph.SiteAddress},
		{"clay/a.md", md("/clay/index"), graph.Sound},
		{"clay/a.md", md("."), graph.Sound},
		{"clay/a.md", md(".."), graph.Sound},
		{"a.md", md("/"), graph.Sound},
		{"a.md", md("nowhere/"), graph.NoNote},
		{"clay/index/a.md", md("../../img"), graph.Sound},
		{"clay/index/a.md", md("../img"), graph.NoNote},

		// Files without extension, which no link in brackets names.
		{"a.md", md("LICENSE"), graph.Sound},
		{"clay/a.md", md("../LICENSE"), graph.Sound},
		{"clay/a.md", md("/LICENSE"), graph.Sound},
		{"clay/a.md", md("Makefile"), graph.Sound},
		{"a.md", md("Makefile"), graph.NoNote},
		{"a.md", wiki("LICENSE"), graph.NoNote},
		{"a.md", md("LICENCE"), graph.NoNote},

		// What lies outside is not judged.
		{"a.md", md("../other/x.md"), graph.Sound},
		{"clay/a.md", md("../../x.png"), graph.Sound},
		{"a.md", wiki("../x"), graph.Sound},
		{"clay/a.md", md("../x.md"), graph.NoNote},
		{"a.md", md("/../x"), graph.Sound},

		// Addresses of a website.
		{"a.md", md("/docs/page"), graph.SiteAddress},
		{"a.md", md("/clay/page"), graph.NoNote},
		{"a.md", md("/docs/page.md"), graph.NoNote},
		{"a.md", md("/docs/x.png"), graph.NoAttachment},

		// Other files by their extension.
		{"a.md", wiki("kiln.jpg"), graph.NoAttachment},
		{"a.md", wiki("y.WEIRD"), graph.NoAttachment},
		{"a.md", wiki("y.odd"), graph.NoNote},
		{"a.md", wiki("kiln.png"), graph.Sound},
		{"a.md", wiki("v1.2"), graph.NoNote},

		// Days, where there are some.
		{"a.md", wiki("2031-05-07"), graph.NotNeeded},
		{"a.md", wiki("daily/2031-05-07.md"), graph.NotNeeded},
		{"a.md", wiki("2031-W12"), graph.NotNeeded},
		{"a.md", wiki("20310506"), graph.NoNote}, // it is written 2031-05-06
		{"a.md", wiki("meeting 2031-05-07"), graph.NoNote},

		// What a form is to fill in.
		{"a.md", wiki("{{title}}"), graph.Sound},
		{"a.md", wiki("<% tp.file.title %>"), graph.Sound},
		{"a.md", wiki("${name}"), graph.Sound},
		{"a.md", wiki("..."), graph.Sound},
		{"a.md", wiki("|x"), graph.Sound},
		{"a.md", at(wiki("Kiln"), "#{{part}}"), graph.Sound},

		// Headings, anchors and blocks.
		{"a.md", at(wiki("Kiln"), "#Ash"), graph.Sound},
		{"a.md", at(wiki("Kiln"), "#Soot"), graph.NoHeading},
		{"a.md", at(wiki("Kiln"), "#fire-how-it-burns"), graph.NoHeading},
		{"a.md", at(md("clay/Kiln.md"), "#fire-how-it-burns"), graph.Sound},
		{"a.md", at(md("clay/Kiln.md"), "#fire_how_it_burns"), graph.Sound},
		{"a.md", at(md("clay/Kiln.md"), "#ash-1"), graph.Sound},
		{"a.md", at(md("clay/Kiln.md"), "#ash-one"), graph.NoHeading},
		{"a.md", at(md("clay/Kiln.md"), "#10-steps"), graph.Sound},
		{"a.md", at(md("clay/Kiln.md"), "#10"), graph.NoHeading},
		{"a.md", at(wiki("Kiln"), "#top"), graph.Sound},
		{"a.md", at(wiki("Kiln"), "#fire"), graph.Sound},
		{"a.md", at(wiki("Kiln"), "#low"), graph.Sound},
		{"a.md", at(wiki("Kiln"), "#^b1"), graph.Sound},
		{"a.md", at(wiki("Kiln"), "#^b2"), graph.NoBlock},
		{"a.md", at(wiki("Two Words"), "#anything"), graph.Sound}, // its outline is not known
	} {
		got := resolver.Judge(&c.link, c.source)
		if got.Fault != c.want || got.IsAnchor != (c.want == graph.NoHeading && c.link.Markdown) {
			t.Errorf("%s: %+v is %q (anchor: %t), want %q", c.source, c.link, got.Fault, got.IsAnchor, c.want)
		}
	}
	if asked["clay/Kiln.md"] != 1 || len(asked) != 1 {
		t.Errorf("texts were asked for: %v", asked)
	}
	link := wiki("Oven")
	if got := resolver.Judge(&link, "a.md"); got.AliasOf != "clay/Kiln.md" || got.State != graph.Alias {
		t.Errorf("%+v", got)
	}
}

func TestJudgeWithoutDays(t *testing.T) {
	resolver := graph.NewResolver([]string{"a.md", "tags.x.md"})
	link := wiki("2031-05-07")
	if got := resolver.Judge(&link, "a.md").Fault; got != graph.NoNote {
		t.Errorf("a day without others is %q", got)
	}
	for d, want := range map[dialect.Dialect]graph.Fault{dialect.Dendron: graph.NotNeeded, dialect.Obsidian: graph.NoNote} {
		link = wiki("tags.clay")
		if got := resolver.WithDialect(d, nil).Judge(&link, "a.md").Fault; got != want {
			t.Errorf("%s: a tag is %q, want %q", d, got, want)
		}
	}
}

// TestAroundJudges holds that the links around a note are judged as any.
func TestAroundJudges(t *testing.T) {
	notes := []graph.Note{{Path: "a.md", Links: []store.Link{wiki("gone"), md("../x"), wiki("b")}}, {Path: "b.md", Links: []store.Link{wiki("a")}}}
	s, err := graph.Around("a.md", all(notes, nil), graph.NewResolver(paths(notes)))
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%q %q %q, back %q", s.Out[0].Fault, s.Out[1].Fault, s.Out[2].Fault, s.Back[0].Fault)
	if want := `"no_note" "" "", back ""`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestTally holds that in a vault made for a website nobody tells which anchors are dead.
func TestTally(t *testing.T) {
	outline := graph.NewOutline(nil, nil)
	resolver := graph.NewResolver([]string{"a.md", "b.md"}).WithOutlines(func(string) *graph.Outline { return outline })
	var tally graph.Tally
	var judgements []graph.Judgement
	add := func(links ...store.Link) {
		for i := range links {
			j := resolver.Judge(&links[i], "a.md")
			tally.Add(&j)
			judgements = append(judgements, j)
		}
	}
	dead := func() int {
		count := 0
		for i := range judgements {
			if tally.IsDead(&judgements[i]) {
				count++
			}
		}
		return count
	}
	add(wiki("gone"), at(md("b.md"), "#x"), at(wiki("b"), "#x"), md("/docs/a"), store.Link{Target: "https://example.org", External: true})
	if tally.IsSite() || tally.Dead() != 3 || dead() != 3 || tally.Links != 4 {
		t.Errorf("%d of %d are dead, %d one by one; site: %t", tally.Dead(), tally.Links, dead(), tally.IsSite())
	}
	add(md("/docs/b"), md("/docs/c"))
	if !tally.IsSite() || tally.Dead() != 2 || dead() != 2 || tally.Links != 6 {
		t.Errorf("of a site %d of %d are dead, %d one by one; site: %t", tally.Dead(), tally.Links, dead(), tally.IsSite())
	}
}

// TestJudgeIsBounded would take minutes if every link were held against every heading.
func TestJudgeIsBounded(t *testing.T) {
	var headings []graph.Heading
	for i := range 20_000 {
		headings = append(headings, graph.Heading{Level: 2, Text: fmt.Sprintf("Heading %x of the note", i)})
	}
	outline := graph.NewOutline(headings, nil)
	text := []string{strings.Repeat("<a id=x>", 20_000), strings.Repeat("<a ", 200_000)}
	resolver := graph.NewResolver([]string{"a.md"}).WithOutlines(func(string) *graph.Outline { return outline }).WithTexts(func(string) []string { return text })
	start := time.Now()
	for i := range 20_000 {
		link := at(md("a.md"), fmt.Sprintf("#heading-%x-of-the-notes%020d", i, i))
		if got := resolver.Judge(&link, "a.md").Fault; got != graph.NoHeading {
			t.Fatalf("%+v is %q", link, got)
		}
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestRoles(t *testing.T) {
	for _, c := range []struct {
		path, noteType           string
		isMap, isTemplate, dated bool
	}{
		{"a.md", "MOC", true, false, false},
		{"a.md", " hub ", true, false, false},
		{"a.md", "mocking", false, false, false},
		{"Clay MOC.md", "", true, false, false},
		{"mocs/Clay.md", "", false, false, false},
		{"Democracy.md", "", false, false, false},
		{"07-Templates/x.md", "", false, true, false},
		{"a/_templates/b/x.md", "", false, true, false},
		{"templates.md", "", false, false, false},
		{"templates.day.md", "", false, true, false},
		{"2031-05-06.md", "", false, false, true},
		{"daily/2031-W05.md", "", false, false, true},
		{"20310506.md", "", false, false, true},
		{"daily.journal.2031.05.06.md", "", false, false, true},
		{"Report 2031-05-06.md", "", false, false, false},
		{"2031.md", "", false, false, false},
	} {
		stem := strings.TrimSuffix(c.path[strings.LastIndexByte(c.path, '/')+1:], ".md")
		if graph.IsMap(c.path, c.noteType) != c.isMap || graph.IsTemplate(c.path) != c.isTemplate || graph.IsDated(stem) != c.dated {
			t.Errorf("%s (%s): map %t, template %t, dated %t", c.path, c.noteType, graph.IsMap(c.path, c.noteType), graph.IsTemplate(c.path), graph.IsDated(stem))
		}
	}
}
