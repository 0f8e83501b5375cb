package health_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quarry/health"
	"quarry/store"
)

func TestDeadLinks(t *testing.T) {
	v := (&vault{}).note("a/Kiln of mine.md", "Clay.").
		note("a/Kiln.md", "Clay.", links("Kiln of minee", "Glaze", "Kiln of minee", "(kiln-of-mine.md)", "(lost.md)", "(www.clay.example/page)", "(../../outside.md)", "(a)", "{{title}}")).
		note("b.md", "Fire.", links("glaze", "Kiln", "a/Kiln", "b"))
	v.want(t, []string{health.DeadLink},
		"fault a/Kiln.md:1 no note is called Kiln of minee (2 times in this note) | likely a/Kiln of mine.md is meant: write [[Kiln of mine]]",
		"fault a/Kiln.md:4 no note is called kiln-of-mine.md | likely a/Kiln of mine.md is meant: write [text](Kiln%20of%20mine.md)",
		"fault a/Kiln.md:5 there is no file lost.md | write the note, or take the link away",
		"fault a/Kiln.md:6 www.clay.example/page is an address without https:// and is taken for a file | write [text](https://www.clay.example/page)",
		"hint a/Kiln.md:2 there is no note Glaze, which 2 notes link to | write the note Glaze.md, or take the brackets away",
	)
	v.customs.NamesSuffice = true
	if got := v.found(t, health.DeadLink); len(got) != 4 || strings.Contains(strings.Join(got, ""), "Glaze") {
		t.Errorf("where names suffice: %q", got)
	}
}

func TestOtherLinks(t *testing.T) {
	v := (&vault{files: []string{"pictures/wheel.jpg", "x/a.pdf"}}).
		note("aa/Kiln.md", "Clay.", aliased("Oven"), links("Oven", "https://clay.example", "!wheel.png", "(x/b.pdf)", "x/a.pdf")).
		note("bb/Kiln.md", "Clay.").
		note("c.md", "Fire.", links("Kiln", "(/docs/page)", "(/docs/other)", "(/x/none.md)"))
	v.want(t, []string{health.AliasLink, health.AddressInBrackets, health.DeadAttachment, health.AmbiguousLink, health.SiteLinks},
		"fault aa/Kiln.md:1 [[Oven]] is only an alias of aa/Kiln.md: no app follows it | write [[Kiln|Oven]]",
		"fault aa/Kiln.md:3 an embed of wheel.png, and there is no such file | put the file there, or take the link away",
		"fault aa/Kiln.md:4 a link to x/b.pdf, and there is no such file | put the file there, or take the link away",
		"notice aa/Kiln.md:2 [[https://clay.example]] is an address: in brackets it is taken for the name of a note | write [text](https://clay.example)",
		"notice c.md:1 [[Kiln]] fits aa/Kiln.md as well as bb/Kiln.md | write the path: [[aa/Kiln]]",
		"hint c.md:2 2 links in 1 note to /docs/…, which is no folder of the vault: addresses of a website | nothing if the notes are made for that website; else write the links as paths of the vault",
	)
}

func TestDeadHeadings(t *testing.T) {
	v := (&vault{}).
		note("Kiln.md", `Clay. <a id="old-place"></a>`, headings("How to fire it", "Ash glaze", "Notes"), blocks("rope")).
		note("Wheel.md", "Spin.", headings("Throwing a bowl", "Centring")).
		note("a.md", "Links.", links("Kiln#How to fire", "Kiln#Throwing a bowl", "Kiln#Centring", "Kiln#Zither", "(Kiln.md#how_to_fire_it)", "(Kiln.md#old-place)",
			"(Kiln.md#fire-it-how)", "Wheel#^rope", "Kiln#^none", "Kiln#Notes"))
	v.want(t, []string{health.DeadHeading, health.MovedHeading, health.DeadBlock},
		`fault a.md:8 Wheel.md has no block ^rope; it stands in Kiln.md | write [[Kiln#^rope]]`,
		`fault a.md:9 Kiln.md has no block ^none | put ^none at the end of the block in Kiln.md that is meant, or write [[Kiln]]`,
		`fault a.md:1 Kiln.md has no heading "How to fire" | likely "How to fire it" is meant: write [[Kiln#How to fire it]]`,
		`fault a.md:3 Kiln.md has no heading "Centring" | name a heading that it has, or the note alone: [[Kiln]]`,
		`fault a.md:4 Kiln.md has no heading "Zither" | name a heading that it has, or the note alone: [[Kiln]]`,
		`fault a.md:7 Kiln.md has no heading "fire-it-how" | likely "How to fire it" is meant: write [text](Kiln.md#how-to-fire-it)`,
		`fault a.md:2 the heading "Throwing a bowl" stands no longer in Kiln.md, but in Wheel.md | write [[Wheel#Throwing a bowl]]`,
	)
	v.customs = health.Customs{TextFirst: true, HasAnchors: true}
	if got := v.found(t, health.MovedHeading); len(got) != 1 || !strings.HasSuffix(got[0], "write [[Wheel#throwing-a-bowl]]") {
		t.Errorf("with anchors: %q", got)
	}
}

// ring links notes each to the next.
func ring(v *vault, folder string, count int) *vault {
	for i := range count {
		v.note(fmt.Sprintf("%s/n%02d.md", folder, i), "Words.", links(fmt.Sprintf("%s/n%02d", folder, (i+1)%count), fmt.Sprintf("%s/n%02d", folder, (i+2)%count)))
	}
	return v
}

func TestOrphans(t *testing.T) {
	v := ring(&vault{}, "main", 12)
	ring(v, "apart", 3)
	ring(v, "daily/apart", 2)
	v.note("lone.md", "Words.").note("self.md", "Words.", links("self")).note("2031-05-06.md", "Day.").note("07-templates/Form.md", "Form.").
		note("archive/Old.md", "Old.").note("00-Inbox/New.md", "New.").note("README.md", "About.").note("put.md", "Away.", func(n *noted) { n.Status = "archived" }).
		note("Board.canvas", "Cards.", func(n *noted) { n.Kind = "canvas" }).note("blank.md", "", properties(""))
	v.want(t, []string{health.Orphan, health.OrphanCluster, health.EmptyNote},
		"hint blank.md:0 the note is empty | write it, or delete it",
		"hint lone.md:0 no link leads to this note or from it | link it from a note that it belongs to: [[lone]]; `quarry links \"lone.md\"` shows related ones",
		"hint self.md:0 no link leads to this note or from it | link it from a note that it belongs to: [[self]]; `quarry links \"self.md\"` shows related ones",
		"hint apart/n00.md:0 3 notes link among themselves and with no other: this one and apart/n01.md, apart/n02.md | link one of them from a note of the rest: [[n00]]",
		"hint daily/apart/n00.md:0 2 notes link among themselves and with no other: this one and daily/apart/n01.md | link one of them from a note of the rest: [[n00]]",
	)
	v.note("apart/Index.md", "All.", links("apart/n00"))
	if got := v.found(t, health.OrphanCluster); len(got) != 1 || !strings.Contains(got[0], "daily/apart") {
		t.Errorf("a set with a way in: %q", got)
	}
	many := &vault{}
	for i := range 30 {
		many.note(fmt.Sprintf("n%02d.md", i), "Words.")
	}
	if got := many.found(t, health.Orphan); len(got) != 1 || !strings.Contains(got[0], "30 of 30 notes are not linked") {
		t.Errorf("a vault without links: %q", got)
	}
	nested := (&vault{customs: health.Customs{Nesting: "."}}).note("root.md", "Root.").note("a.md", "A.").note("a.b.md", "B.").note("c.d.md", "D.")
	if got := nested.found(t, health.Orphan); len(got) != 1 || !strings.Contains(got[0], " c.d.md:") {
		t.Errorf("names in order: %q", got)
	}
}

func TestMissingMap(t *testing.T) {
	build := func(edit func(v *vault)) []string {
		v := ring(ring(&vault{}, "main", 12), "other", 30)
		edit(v)
		return v.found(t, health.MissingMap)
	}
	count := func(found []string, folder string) int {
		return len(slices.DeleteFunc(slices.Clone(found), func(f string) bool { return !strings.Contains(f, "hint "+folder) }))
	}
	if got := build(func(*vault) {}); count(got, "main") != 1 {
		t.Errorf("twelve notes without a map: %q", got)
	}
	for what, note := range map[string]func(v *vault){
		"a list of links": func(v *vault) {
			v.note("x.md", "All.", links("main/n00", "main/n02", "main/n04", "main/n05", "main/n06", "main/n08", "main/n10"))
		},
		"a map of some of them": func(v *vault) { v.note("x.md", "All.", typed("moc"), links("main/n00", "main/n04", "main/n08")) },
		"a note that all name": func(v *vault) {
			v.note("x.md", "Clay.")
			for i := range 12 {
				links("x")(&v.notes[i])
			}
		},
	} {
		if got := build(note); count(got, "main") != 0 {
			t.Errorf("%s: %q", what, got)
		}
	}
}

func TestLinkOnly(t *testing.T) {
	v := (&vault{}).
		note("list.md", "# Links\n\n- [[a]]\n- [[b|the other]]\n- [a site](https://clay.example/page)\n- https://clay.example\n").
		note("said.md", "- [[a]] for beginners, short\n- [[b]] once that is read\n- [[c]] is out of date\n").
		note("map.md", "[[a]] [[b]] [[c]] [[d]]", typed("moc")).
		note("two.md", "[[a]] [[b]]").
		note("shown.md", "![[a]] ![[b]] ![[c]] ![[d]]").
		note("2031-05-06.md", "[[a]] [[b]] [[c]]")
	v.want(t, []string{health.LinkOnly}, "hint list.md:0 4 links and 0 words beside them: nothing says why they stand together | say what each link is for; or make it a map, with `type: moc` in its properties")
}

func TestTags(t *testing.T) {
	v := (&vault{}).
		note("1.md", "A contrast of glazes.", tagged("auth", "project/one-two", "v1", "css", "clay", "2031", "reliability", "contrast")).
		note("2.md", "The contrast of two clays.", tagged("Auths", "project/onetwo", "v2", "cs", "Clay", "2032", "reliability", "contract")).
		note("3.md", "x", tagged("auth", "projects", "relability", "bus", "class", "contract", "boats", "glass")).
		note("4.md", "x", tagged("auth", "boat", "glas")).
		note("templates/5.md", "x", tagged("auths"))
	v.want(t, []string{health.NearDuplicateTags},
		"notice 2.md:0 one tag in several spellings: #auth (3), #Auths (1) | write #auth everywhere: `quarry ls --tag Auths` lists the notes to change",
		"notice 2.md:0 one tag in several spellings: #project/one-two (1), #project/onetwo (1) | write #project/one-two everywhere: `quarry ls --tag project/onetwo` lists the notes to change",
		"notice 3.md:0 one tag in several spellings: #boat (1), #boats (1) | write #boat everywhere: `quarry ls --tag boats` lists the notes to change",
		"notice 3.md:0 one tag in several spellings: #reliability (2), #relability (1) | write #reliability everywhere: `quarry ls --tag relability` lists the notes to change",
		"hint 2.md:0 one tag in several letter cases, which apps take for one: #Clay (1), #clay (1) | write #clay everywhere: #Clay stands in 2.md",
	)
	sprawl := &vault{}
	for i := range 40 {
		sprawl.note(fmt.Sprintf("n%02d.md", i), "x", tagged(strings.Repeat(string(rune('a'+i%26)), 2+i/26), "common"))
	}
	if got := sprawl.found(t, health.TagSprawl); len(got) != 1 || !strings.HasPrefix(got[0], "hint :0 40 of 41 tags are used by one note alone: aa, aaa, ") {
		t.Errorf("sprawl: %q", got)
	}
}

// prose makes words that are the same for equal seeds.
func prose(seed, words int) string {
	var b strings.Builder
	state := uint64(seed)*2862933555777941757 + 3037000493
	for range words {
		state = state*6364136223846793005 + 1442695040888963407
		fmt.Fprintf(&b, "w%d ", state>>52)
	}
	return b.String()
}

func TestCopies(t *testing.T) {
	text := prose(1, 200)
	near := strings.Replace(text, strings.Fields(text)[100], "changed", 1) + "and a few words more at its end"
	v := (&vault{}).
		note("a/Kiln.md", text).note("inbox/Kiln of mine.md", text).note("b/Other.md", prose(2, 200)).
		note("c/Wheel.md", prose(3, 150)).note("d/Wheel.md", strings.Replace(prose(3, 150), " ", " one more ", 1)).
		note("e/Near kiln.md", near).
		note("f/short.md", "the same few words").note("g/short.md", "the same few words").
		note("2031-05-06.md", prose(4, 90)).note("2031-05-07.md", prose(4, 90)).
		note("h/Part 1.md", prose(5, 90)).note("h/Part 2.md", prose(5, 90)+"more of it").
		note("i/Was.md", prose(6, 90)).note("archive/Was.md", prose(6, 90)+"more of it").
		note("j/Base.md", prose(7, 90)).note("j/Built on it.md", prose(7, 90)+"more", links("j/Base"))
	v.want(t, []string{health.DuplicateNote, health.NearDuplicateNote},
		"notice inbox/Kiln of mine.md:0 the text is that of a/Kiln.md | keep a/Kiln.md and delete this one; no note links to it",
		"notice d/Wheel.md:0 97 % of the text is that of c/Wheel.md | bring what differs into c/Wheel.md and delete this one; or, if both are wanted, link one from the other",
		"notice e/Near kiln.md:0 92 % of the text is that of a/Kiln.md | bring what differs into a/Kiln.md and delete this one; or, if both are wanted, link one from the other",
	)
}

func TestNames(t *testing.T) {
	v := (&vault{}).
		note("a/Kiln.md", prose(1, 30), identified("k1")).note("b/Wheel.md", prose(2, 30), identified("k1")).note("templates/T.md", prose(3, 30), identified("k1")).
		note("a/Oven.md", prose(4, 30), titled("Kiln")).note("c/Kiln.md", prose(5, 30)).note("inbox/My wheel.md", prose(6, 30), titled("Wheel")).
		note("a/Glaze.md", prose(7, 30)).note("a/Glaze (1).md", prose(7, 30)+"more of it").note("a/Glaze copy.md", prose(8, 30)).note("a/Glaze (2).md", prose(7, 30)+"and more", links("a/Glaze")).note("a/Glaze.sync-conflict-20310506-101112-ABCDEFG.md", prose(9, 30)).
		note("a/Version (2).md", prose(10, 30)).note("a/Hard copy.md", prose(11, 30))
	v.want(t, []string{health.DuplicateID, health.DuplicateTitle, health.ConflictCopy},
		`fault b/Wheel.md:0 the id "k1" is that of a/Kiln.md, too: both are known by their paths instead | give this note an id of its own, or delete the property`,
		"notice a/Glaze (1).md:0 by its name and text this is a copy of a/Glaze.md | compare the two, bring what is missing into a/Glaze.md and delete this one",
		"notice a/Glaze.sync-conflict-20310506-101112-ABCDEFG.md:0 by its name this is a version of a/Glaze.md that a program of synchronisation put aside | compare the two, bring what is missing into a/Glaze.md and delete this one",
		`notice a/Oven.md:0 "Kiln" is the title of a/Kiln.md, too | give one of them another title, or bring them together`,
		`notice inbox/My wheel.md:0 "Wheel" is the title of b/Wheel.md, too | give one of them another title, or bring them together`,
	)
}

func TestTypes(t *testing.T) {
	v := (&vault{types: []string{"moc", "note", "project"}}).
		note("a.md", "x", typed("Note")).note("b.md", "x", typed("nots")).note("c.md", "x", typed("porject")).note("d.md", "x", typed("recipe")).note("e.md", "x", typed("recipe"))
	v.want(t, []string{health.UnknownType},
		"notice b.md:0 the type nots is likely note misspelt | write `type: note`",
		"notice c.md:0 the type porject is likely project misspelt | write `type: project`",
		"hint d.md:0 types.yaml does not know the type recipe: its defaults are used for 2 notes | give recipe an entry in types.yaml, or use one of moc, note, project",
	)
	v.types = nil
	v.want(t, []string{health.UnknownType})
}

func TestIndexAndProblems(t *testing.T) {
	line := 3
	v := &vault{
		problems: []store.Problem{{Path: "a.md", State: "failed", Reason: "no text"}, {Path: "b.md", State: "warning", Reason: "torn", Line: &line}, {Path: "c.md", State: "skipped", Reason: "large"}},
		index: health.Index{
			Stale: 2, Model: "old", ModelNow: "new", IsCut: true, Notices: []string{"settings changed"}, Unused: []string{"no folder x"},
			Damage: func() string { return "a page is torn" }, Path: "/srv/me/notes/.quarry/index.db", Vault: "/srv/me/notes",
		},
	}
	checks := map[string]bool{}
	for _, f := range findingsOf(t, v.facts(), health.Selection{}) {
		checks[f.Check] = true
		if f.Check == health.FaultyNote && (f.Line != 3 || f.Remedy != "mend b.md:3, then run `quarry index`") {
			t.Errorf("%+v", f)
		}
	}
	for _, want := range []string{
		health.FailedFile, health.SkippedFile, health.FaultyNote, health.StaleIndex, health.OtherModel, health.StaleGraph, health.OldSettings,
		health.UnusedSetting, health.DamagedIndex, health.IndexInVault,
	} {
		if !checks[want] {
			t.Errorf("no %s", want)
		}
	}
	for path, want := range map[string]string{
		"/srv/me/Library/Mobile Documents/com~apple~CloudDocs/i.db": "iCloud Drive", `C:\Users\me\OneDrive - Work\i.db`: "OneDrive", "/srv/me/Dropbox/i.db": "Dropbox",
		"/srv/me/Syncthing/x/i.db": "Syncthing", "/srv/me/.cache/quarry/i.db": "", "/srv/me/dropboxes/i.db": "",
	} {
		found := findingsOf(t, health.Facts{Index: health.Index{Path: path, Vault: "/srv/me/notes"}}, health.Selection{})
		if got := len(found) == 1 && strings.Contains(found[0].Message, "a folder of "+want); (want != "") != got || want == "" && len(found) > 0 {
			t.Errorf("%s: %+v", path, found)
		}
	}
	if found := findingsOf(t, health.Facts{Index: health.Index{IsMissing: true, Stale: 3, IsCut: true}}, health.Selection{}); len(found) != 1 || found[0].Check != health.NoIndex {
		t.Errorf("no index: %+v", found)
	}
}

func TestSelect(t *testing.T) {
	if _, err := health.Select([]string{"orphan"}, []string{"orphans"}); !errors.Is(err, health.ErrUnknownCheck) || !strings.Contains(err.Error(), "dead_link") {
		t.Errorf("%v", err)
	}
	some, err := health.Select([]string{"orphan", "dead_link"}, []string{"orphan"})
	if err != nil || some.Has("orphan") || !some.Has("dead_link") || some.Has("dead_block") {
		t.Errorf("%+v, %v", some, err)
	}
	all, err := health.Select(nil, []string{"orphan"})
	if err != nil || all.Has("orphan") || !all.Has("dead_block") {
		t.Errorf("%+v, %v", all, err)
	}
	seen := map[string]bool{}
	for _, check := range health.Checks() {
		if seen[check.Name] || check.About == "" || check.Severity == "" {
			t.Errorf("%+v", check)
		}
		seen[check.Name] = true
	}
}

func TestFailingTexts(t *testing.T) {
	broken := errors.New("torn")
	_, err := health.Examine(t.Context(), health.Facts{Contents: func(yield func(health.Content, error) bool) { yield(health.Content{}, broken) }}, health.Selection{})
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// TestDocumented holds docs/health.md to the checks that there are: each has a row with its severity.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "health.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range health.Checks() {
		if row := fmt.Sprintf("| `%s` | %s |", check.Name, check.Severity); strings.Count(string(text), row) != 1 {
			t.Errorf("there are %d rows %s", strings.Count(string(text), row), row)
		}
	}
}
