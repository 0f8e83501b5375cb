package health_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quarry/graph"
	"quarry/health"
	"quarry/store"
)

// TestMuchIsCounted holds that a check that finds very much lists some of it and counts the rest, in a note and in the whole vault,
// and that nothing which people wrote makes a finding long.
func TestMuchIsCounted(t *testing.T) {
	long := strings.Repeat("陶土", 500_000)
	v := (&vault{}).note("a.md", "x", links(long, "("+long+".md)", "[["+long+"]]#"+long), titled(long), tagged(long, long+"-x")).note("b.md", "x", titled(long), typed(long)).
		note("c.md", "x", titled(long), typed(long), identified(long)).note("d.md", "x", identified(long))
	v.types = []string{"note"}
	for _, f := range findingsOf(t, v.facts(), health.Selection{}) {
		if len(f.Message)+len(f.Remedy) > 4000 {
			t.Errorf("%s: %d bytes", f.Check, len(f.Message)+len(f.Remedy))
		}
	}
	one := &vault{}
	one.note("0.md", "x", func(n *noted) { n.links = deadLinks(130) }).note("1.md", "x", links("0", "nowhere"))
	found := one.found(t, health.DeadLink)
	if len(found) != 52 || found[51] != "fault 0.md:0 and 80 more findings of this kind in this note | mend those that are listed first" && !slices.Contains(found, "fault 0.md:0 and 80 more findings of this kind in this note | mend those that are listed first") {
		t.Errorf("%d findings, the last %q", len(found), found[len(found)-1])
	}
	all := &vault{}
	for i := range 200 {
		all.note(fmt.Sprintf("%03d.md", i), "x", func(n *noted) {
			n.links = deadLinks(60)
			for k := range n.links {
				n.links[k].Target += fmt.Sprint(" of ", i)
			}
		})
	}
	found = all.found(t, health.DeadLink)
	if len(found) != 5001 || !slices.Contains(found, "fault :0 and 5000 more findings of this kind | mend those that are listed first") {
		t.Errorf("%d findings, the last %q", len(found), found[len(found)-1])
	}
}

func deadLinks(count int) []store.Link {
	links := make([]store.Link, count)
	for i := range links {
		links[i] = store.Link{Target: fmt.Sprint("nothing number ", i), Line: i + 1}
	}
	return links
}

// TestInterrupted holds that an examination ends when its context does, while it reads and while it looks for what is wrong.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	facts := large(50)
	whole := facts.Contents
	facts.Contents = func(yield func(health.Content, error) bool) {
		whole(func(content health.Content, err error) bool {
			if content.Path == largePath(20) {
				cancel()
			}
			if content.Path == largePath(21) {
				t.Error("read on")
			}
			return yield(content, err)
		})
	}
	if _, err := health.Examine(ctx, facts, health.Selection{}); !errors.Is(err, context.Canceled) {
		t.Errorf("while it reads: %v", err)
	}
	examination, err := health.Examine(t.Context(), large(50), health.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	if found, err := examination.Findings(ctx, nil); !errors.Is(err, context.Canceled) || found != nil {
		t.Errorf("while it looks: %v, %v", found, err)
	}
}

// TestOrder holds that what is told of the index stands before what hangs on it.
func TestOrder(t *testing.T) {
	v := (&vault{index: health.Index{Stale: 1, IsCut: true, Notices: []string{"changed"}, Model: "a", ModelNow: "b"}}).note("a.md", "x", links("b#gone", "(gone.md)"), aliased("Oven")).note("b.md", "x", links("Oven", "a", "a2"), tagged("Be", "be")).note("x/a2.md", "x").note("y/a2.md", "x")
	var checks []string
	for _, f := range findingsOf(t, v.facts(), health.Selection{}) {
		checks = append(checks, f.Check)
	}
	want := []string{"stale_index", "alias_link", "dead_heading", "dead_link", "old_settings", "other_model", "stale_graph", "ambiguous_link", "near_duplicate_tags", "orphan"}
	if !slices.Equal(checks, want) {
		t.Errorf("%q, want %q", checks, want)
	}
}

// TestRewritten holds what remedies write in the place of a link: an embed stays one, and nothing in a path ends a destination.
func TestRewritten(t *testing.T) {
	v := (&vault{files: []string{"x/50% (of) #1?.png"}}).note("Big kiln.md", "x").
		note("a.md", "x", links("!(50% (of) #1?.png)", "(big-kiln.md#Top)", "!Big kilnn", "Big kilnn#Top", "Big  kiln"))
	v.notes[1].links[0] = store.Link{Target: "y/50% (of) #1?.png", Display: "half", Markdown: true, Embed: true, Line: 1}
	v.want(t, []string{health.DeadLink, health.DeadAttachment},
		"fault a.md:1 an embed of y/50% (of) #1?.png, and there is no such file | likely x/50% (of) #1?.png is meant: write ![half](x/50%25%20%28of%29%20%231%3F.png)",
		"fault a.md:2 no note is called big-kiln.md | likely Big kiln.md is meant: write [text](Big%20kiln.md#Top)",
		"fault a.md:3 no note is called Big kilnn | likely Big kiln.md is meant: write ![[Big kiln]]",
		"fault a.md:4 no note is called Big kilnn | likely Big kiln.md is meant: write [[Big kiln#Top]]",
		`fault a.md:5 no note is called "Big  kiln", which has two spaces in a row | likely Big kiln.md is meant: write [[Big kiln]]`,
	)
}

// TestChains holds what is told of a heading that stands below another one than the link says.
func TestChains(t *testing.T) {
	v := (&vault{}).note("Kiln.md", "x", headings("Firing", "Notes on glaze")).note("a.md", "x", links("Kiln#Firing#Notes on glaze"))
	v.want(t, []string{health.DeadHeading}, `fault a.md:1 Kiln.md has no heading "Notes on glaze" below "Firing" | likely "Notes on glaze" is meant: write [[Kiln#Notes on glaze]]`)
}

// TestToldOnce holds that a note which is told of as a copy, or for a link that is none, is not told of as lost, too, and that a
// pair of notes of one title is one finding.
func TestToldOnce(t *testing.T) {
	v := (&vault{}).note("a/Kiln.md", prose(1, 60), links("Wheel")).note("a/Kiln (conflicted copy 2031-05-06).md", prose(1, 60), titled("Kiln")).
		note("a/Wheel.md", prose(2, 60), links("Kiln")).note("b/Same.md", prose(3, 60), links("Wheel")).note("c/Same.md", prose(3, 60)).
		note("c/Glaze.md", prose(4, 60), properties(`{"of":"[[Kiln]], [[Wheel]]"}`))
	found := v.found(t)
	slices.Sort(found)
	for i, begin := range []string{"notice a/Kiln (conflicted copy 2031-05-06).md:0 by its name", "notice c/Glaze.md:0 the property of", "notice c/Same.md:0 the text is that of b/Same.md"} {
		if len(found) != 3 || !strings.HasPrefix(found[i], begin) {
			t.Errorf("%q", found)
			break
		}
	}
	twice := (&vault{}).note("inbox/Kiln.md", prose(1, 30)).note("inbox/Oven.md", prose(2, 30), titled("Kiln")).note("a/Kiln.md", prose(3, 30))
	twice.want(t, []string{health.DuplicateTitle},
		`notice inbox/Kiln.md:0 "Kiln" is the title of a/Kiln.md, too, as is that of inbox/Oven.md | give one of them another title, or bring them together`,
	)
	versions := (&vault{}).note("a/Kiln.md", prose(1, 200)).note("a/Oven.md", prose(1, 200)+"and more", titled("Kiln"), links("a/Kiln"))
	versions.want(t, []string{health.DuplicateTitle, health.NearDuplicateNote, health.DuplicateNote})
}

func TestIDsThatArePaths(t *testing.T) {
	v := (&vault{}).note("a/Kiln.md", "x").note("b.md", "x", identified("a/Kiln")).note("c.md", "x", identified("a/Kiln.md")).note("d.md", "x", identified("d"))
	v.want(t, []string{health.DuplicateID},
		`fault b.md:0 the id "a/Kiln" is the path of a/Kiln.md: this note is known by its own path instead | give this note another id, or delete the property`,
		`fault c.md:0 the id "a/Kiln.md" is the path of a/Kiln.md: this note is known by its own path instead | give this note another id, or delete the property`,
	)
}

// TestLonely holds that nothing is told of what cannot be otherwise: the only note of a vault is no orphan, a day without a note no
// dead link where others have one, and links to the note itself make no list of links.
func TestLonely(t *testing.T) {
	(&vault{}).note("a.md", "Words.").want(t, []string{health.Orphan})
	days := (&vault{}).note("2031-05-06.md", "Day.", links("2031-05-05", "2031-05-07", "Kiln"))
	days.want(t, []string{health.DeadLink}, "hint 2031-05-06.md:3 there is no note Kiln | write the note Kiln.md, or take the brackets away")
	self := (&vault{}).note("a.md", "[[#One]] [[#Two]] [[a#Three]] [[b]]", links("#One", "#Two", "a#Three", "b"), headings("One", "Two", "Three")).note("b.md", "x")
	self.want(t, []string{health.LinkOnly})
}

// TestFolders holds that the name of a folder is no note, and that files without an extension are files.
func TestFolders(t *testing.T) {
	v := (&vault{files: []string{"LICENSE", "docker/Dockerfile"}}).note("firing/Kiln.md", "x").
		note("a.md", "x", links("firing", "(firing/)", "(LICENSE)", "(docker/Dockerfile)", "(docker)", "(NOTICE)"))
	v.want(t, []string{health.DeadLink},
		"fault a.md:6 there is no file NOTICE | write the note, or take the link away",
		"hint a.md:1 there is no note firing | write the note firing.md, or take the brackets away",
	)
}

// TestTypesOfMany holds that a type which several notes have is not taken for a slip, and that names are compared as types.yaml does.
func TestTypesOfMany(t *testing.T) {
	v := &vault{types: []string{"note", "café"}}
	for i := range 3 {
		v.note(fmt.Sprint(i, ".md"), "x", typed("nota"))
	}
	v.note("3.md", "x", typed(" NOTE ")).note("4.md", "x", typed("Cafe\u0301"))
	v.want(t, []string{health.UnknownType},
		"hint 0.md:0 types.yaml does not know the type nota: its defaults are used for 3 notes | give nota an entry in types.yaml; or write `type: note` where that is meant",
	)
}

// TestAdvice holds what is to be written against the usual faults of properties.
func TestAdvice(t *testing.T) {
	for _, test := range []struct{ lines, reason, want string }{
		{"title: A: b", "mapping values are not allowed in this context", "write `title: \"A: b\"`"},
		{"author: @me", "found character that cannot start any token", "write `author: \"@me\"`"},
		{"title: \"A\" b", "did not find expected key", "write `title: '\"A\" b'`"},
		{"title: 'it's so'", "did not find expected key", "write `title: \"it's so\"`"},
		{`path: "C:\Users"`, "did not find expected hexadecimal number", `write ` + "`path: 'C:\\Users'`"},
		{"tags: [a, b\n", "did not find expected ',' or ']'", "write `tags: [a, b]` in the line before"},
		{"tags: [#a, #b]", "found a comment", "write `tags: [a, b]`"},
		{"tags: #a #b", "# begins a comment here", "write `tags: [a, b]`"},
		{"up: [[A]], [[B]]", "did not find expected key", "write `up: [\"[[A]]\", \"[[B]]\"]`"},
		{"\t- a", "a tab in the indentation", "write `  - a`"},
		{"title:\u00a0a", "a non-breaking space", "write `title: a`"},
		{"title:a\ntags: b", "mapping values are not allowed", "write `title: a` in the line before"},
		{"title: {{title}}", "a placeholder stands for a value", "write `title: \"{{title}}\"`"},
		{"title: b", `the key "title" is given more than once`, "delete one of the two lines"},
		{"key: [REDACTED:aws]: x", "mapping values are not allowed", "put quotes round the value, which has a colon with a space behind it; or, if it is a property, write it at the start of its line"},
		{"title: " + strings.Repeat("long: ", 50), "mapping values are not allowed", "put quotes round the value, which has a colon with a space behind it; or, if it is a property, write it at the start of its line"},
		{"title: b", "something new", "mend a.md:1"},
	} {
		at := strings.Count(test.lines, "\n") + 1
		v := (&vault{problems: []store.Problem{{Path: "a.md", State: "warning", Reason: "frontmatter: " + test.reason, Line: &at}}}).note("a.md", test.lines)
		want := fmt.Sprintf("notice a.md:%d %s | %s, then run `quarry index`", at, test.reason, test.want)
		v.want(t, []string{health.FaultyNote}, strings.Replace(want, "a.md:1,", fmt.Sprintf("a.md:%d,", at), 1))
	}
}

// TestJudgedByGraph holds that all that graph calls dead is told of, and nothing else.
func TestJudgedByGraph(t *testing.T) {
	v := (&vault{files: []string{"x.png"}}).note("Kiln.md", "x", headings("Top"), aliased("Oven"), blocks("one")).
		note("a.md", "x", links("Kiln", "Kiln#Top", "Kiln#^one", "!x.png", "https://x.example", "../../out.md", "{{title}}", "(Kiln.md#top)",
			"Nowhere", "Oven", "Kiln#Bottom", "Kiln#^two", "!y.png", "(/docs/page)", "(gone.md)"))
	facts := v.facts()
	dead := 0
	for content, err := range facts.Contents {
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range content.Links {
			if link.Fault.IsDead() {
				dead++
			}
		}
	}
	selection, err := health.Select([]string{health.DeadLink, health.AliasLink, health.DeadHeading, health.MovedHeading, health.DeadBlock, health.DeadAttachment}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if found := findingsOf(t, facts, selection); len(found) != dead || dead != 6 {
		t.Errorf("%d dead links, %d findings: %+v", dead, len(found), found)
	}
	if graph.SiteAddress.IsDead() {
		t.Error("an address of a website is dead")
	}
}
