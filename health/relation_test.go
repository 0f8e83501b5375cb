package health_test

import (
	"fmt"
	"strings"
	"testing"

	"quarry/health"
	"quarry/store"
)

// line is a link as it stands in a line of a note's text.
func line(number int, target, relation string) store.Link {
	return store.Link{Target: target, Display: target, Relation: relation, Line: number}
}

// TestNearRelations holds what is told of lines, brackets and properties that look like a relation, and that neither sound ones
// nor prose are told of.
func TestNearRelations(t *testing.T) {
	near := func(written, meant string) string {
		return fmt.Sprintf("notice a.md:1 %s looks like a relation and is none: its links are plain | write %s", written, meant)
	}
	for text, want := range map[string]string{
		"rel: needs [[Kiln]], [[Wheel]]":                near("rel: needs [[Kiln]], [[Wheel]]", "`rel: needs [[Kiln]] [[Wheel]]`"),
		"- rel: needs [[Kiln]] and [[Wheel]].":          near("rel: needs [[Kiln]] and [[Wheel]].", "`rel: needs [[Kiln]] [[Wheel]]`"),
		"rel: needs [[Kiln]] since it is hot":           near("rel: needs [[Kiln]] since it is hot", "`rel: needs [[Kiln]] (since it is hot)`"),
		"Rel: needs [[Kiln]]":                           near("Rel: needs [[Kiln]]", "`rel: needs [[Kiln]]`"),
		"> 1. REL:needs [[Kiln]]":                       near("REL:needs [[Kiln]]", "`rel: needs [[Kiln]]`"),
		"rel: is part of [[Kiln]]":                      near("rel: is part of [[Kiln]]", "`rel: is_part_of [[Kiln]]`"),
		"rel: [[Kiln]]":                                 near("rel: [[Kiln]]", "`rel: NAME [[Kiln]]`"),
		"rel: 2nd [[Kiln]]":                             near("rel: 2nd [[Kiln]]", "`rel: _2nd [[Kiln]]`"),
		"rel: needs [kiln](a/Kiln%20one.md)":            near("rel: needs [kiln](a/Kiln%20one.md)", "`rel: needs [[a/Kiln one]]`"),
		"- [ ] rel: needs [[Kiln]]":                     near("[ ] rel: needs [[Kiln]]", "`rel: needs [[Kiln]]`"),
		"It rel: fired_in [[Kiln]], and [[Wheel]] too.": near("It rel: fired_in [[Kiln]], and [[Wheel]] too.", "`rel: fired_in [[Kiln]] [[Wheel]]`, in a line of its own"),
		"rel: needs ![[Kiln]]":                          near("rel: needs ![[Kiln]]", "`rel: needs [[Kiln]]`"),
		"rel: https://example.org/x [[Kiln]]":           near("rel: https://example.org/x [[Kiln]]", "`rel: NAME [[Kiln]]`"),
		"rel: 🎉 [[Kiln]]":                               near("rel: 🎉 [[Kiln]]", "`rel: NAME [[Kiln]]`"),
		"rel: needs [[Kiln]]\\":                         near("rel: needs [[Kiln]]\\", "`rel: needs [[Kiln]]`"),
		"Die Angabe rel: siehe [[Kiln]]":                "",
		"In HTML, rel: alternate [[Kiln]] [[Wheel]]":    "",
		"%% rel: needs [[Kiln]], [[Wheel]] %%":          "",
		"> [!edge] needs [[Kiln]]":                      near("[!edge] needs [[Kiln]]", "`> [!edge] needs: [[Kiln]]`"),
		"> [!EDGE]- needs:: [[Kiln]], [[Wheel]]":        near("[!EDGE]- needs:: [[Kiln]], [[Wheel]]", "`> [!edge] needs: [[Kiln]] [[Wheel]]`"),
		"> [!edge] needs\n> [[Kiln]]\n> - [[Wheel]]":    near("[!edge] needs", "`> [!edge] needs: [[Kiln]] [[Wheel]]`"),
		"Relation: to [[Kiln]]":                         "",
		"See barrel: needs [[Kiln]]":                    "",
		"rel: I spoke of it with [[Kiln]]":              "",
		"rel: nofollow":                                 "",
		"> [!note] needs [[Kiln]]":                      "",
		"[!edge] needs [[Kiln]]":                        "", // no quote
	} {
		v := (&vault{}).note("Kiln.md", "Clay.").note("Wheel.md", "Spin.")
		edit := []func(*noted){}
		for number, row := range strings.Split(text, "\n") {
			if strings.Contains(row, "[[") || strings.Contains(row, "](") {
				edit = append(edit, linesAt(line(number+1, "Kiln", "")))
			}
		}
		v.note("a.md", text, edit...)
		if want == "" {
			v.want(t, []string{health.NearRelation})
		} else {
			v.want(t, []string{health.NearRelation}, want)
		}
	}
	for _, text := range []string{"rel: needs [[Kiln]] [[Wheel]] (hot)", "> [!edge] needs: [[Kiln]]", "rel: needs [[Kiln]], [[Wheel]]"} {
		v := (&vault{}).note("Kiln.md", "Clay.").note("a.md", text, linesAt(line(1, "Kiln", "needs"), line(1, "Wheel", "needs")))
		v.want(t, []string{health.NearRelation}) // its links have the relation
	}
	code := (&vault{}).note("Kiln.md", "Clay.").note("a.md", "```\nrel: needs [[Kiln]], [[Wheel]]\n```")
	code.want(t, []string{health.NearRelation}) // there is no link
}

func TestNearRelationsInBrackets(t *testing.T) {
	v := (&vault{}).note("Kiln.md", "Clay.").note("Big Kiln.md", "Clay.").
		note("a.md", "x", links("rel: needs Kiln", "Rel:needs Kiln#Top", "rel:needs", "rel:depends on Kiln", "rel:depends on Big Kiln", "rel:needs Kiln", "rel:needs nothing at all", "(rel:x)"))
	v.want(t, []string{health.NearRelation, health.DeadLink},
		"fault a.md:8 there is no file rel:x | write the note, or take the link away",
		"notice a.md:1 [[rel: needs Kiln]] looks like a relation and is none: behind rel: stands one word, then the note | write [[rel:needs Kiln]]",
		"notice a.md:2 [[Rel:needs Kiln#Top]] looks like a relation and is none: behind rel: stands one word, then the note | write [[rel:needs Kiln#Top]]",
		"notice a.md:3 [[rel:needs]] looks like a relation and is none: behind rel: stands one word, then the note | write [[rel:needs NOTE]]",
		"notice a.md:4 [[rel:depends on Kiln]] looks like a relation and is none: behind rel: stands one word, then the note | write [[rel:depends_on Kiln]]",
		"notice a.md:5 [[rel:depends on Big Kiln]] looks like a relation and is none: behind rel: stands one word, then the note | write [[rel:depends_on Big Kiln]]",
		"hint a.md:7 there is no note nothing at all | write the note nothing at all.md, or take the brackets away",
	)
}

func TestNearRelationsInProperties(t *testing.T) {
	bare := "---\nup: [[Kiln]]\nnext:\n  - [[Wheel]]\nlast: \"[[Kiln]]\"\n---\nText."
	field := func(number int) store.Link {
		return store.Link{Target: "Kiln", FromField: true, Relation: "up", Line: number}
	}
	two := 3
	v := (&vault{problems: []store.Problem{{Path: "c.md", State: "warning", Reason: "torn", Line: new(int)}}}).note("Kiln.md", "Clay.").
		note("a.md", "x", properties(`{"needs":"[[Kiln]], [[Wheel]]","title":"[[Kiln]], [[Wheel]]","Aliases":["[[A]], [[B]]"],"see":"of [[Kiln]] and [[Wheel]]","up":"[[Kiln]]","list":["[[Kiln]]","[[A]] and [[B]]"],"deep":{"x":"[[A]], [[B]]"}}`)).
		note("b.md", bare, linesAt(field(2), field(4), field(5))).
		note("c.md", "x", properties(`{"needs":"[[Kiln]], [[Wheel]]"}`)) // its line is told of already
	want := []string{
		`notice a.md:0 the property list holds 3 links in one text, which is no link to any app | write ` + "`list: [\"[[Kiln]]\", \"[[A]]\", \"[[B]]\"]`",
		`notice a.md:0 the property needs holds 2 links in one text, which is no link to any app | write ` + "`needs: [\"[[Kiln]]\", \"[[Wheel]]\"]`",
		`hint b.md:2 2 links without quotes, here and elsewhere, are lists in lists to Obsidian, which makes no links of them | put quotes round it: "[[Kiln]]"`,
	}
	v.want(t, []string{health.NearRelation}, want...)
	v.customs.Nesting = "."
	v.want(t, []string{health.NearRelation}, want[:two-1]...)
}

func TestKindsOfRelations(t *testing.T) {
	v := (&vault{}).note("Kiln.md", "Clay.").
		note("a.md", "x", linesAt(line(1, "Kiln", "depends_on"), line(2, "Kiln", "Depends_on"), line(3, "Kiln", "needs"))).
		note("b c.md", "x", linesAt(line(4, "Kiln", "depends-on"), line(5, "Kiln", "needed"), line(6, "Kiln", "part of"), line(7, "Kiln", "part of"), line(8, "Kiln", "part_of")))
	v.want(t, []string{health.NearRelation},
		"hint b c.md:4 one relation in several spellings, which are kinds of their own: depends_on (2), depends-on (1) | write depends_on everywhere: `quarry links \"b c.md\" --kind \"depends-on\"` shows what is to be changed",
		"hint b c.md:6 one relation in several spellings, which are kinds of their own: part of (2), part_of (1) | write part_of everywhere: `quarry links \"b c.md\" --kind \"part of\"` shows what is to be changed",
	)
}

func TestSpacesInLinks(t *testing.T) {
	text := "See [the kiln](a/Big Kiln.md), `[x](a/Big Kiln.md)`, [no](a/No Kiln.md), [t](Kiln.md \"Big Kiln\"), [it](Big Kiln#Top).\n\n```\n[x](a/Big Kiln.md)\n```\n" +
		"\\[x](a/Big Kiln.md)\n\n    [x](a/Big Kiln.md)\n\n$$\nf[x](a/Big Kiln.md)\n$$\n\n<pre>\n[x](a/Big Kiln.md)\n</pre>\n- a\n    - see [below](a/Big Kiln.md)\n"
	v := (&vault{}).note("a/Big Kiln.md", "Clay.").note("Kiln.md", "Clay.").note("b.md", text)
	v.want(t, []string{health.SpaceInLink, health.Orphan},
		"notice b.md:1 [it](Big Kiln#Top) is no link, for the space in it | write [it](Big%20Kiln#Top)",
		"notice b.md:1 [the kiln](a/Big Kiln.md) is no link, for the space in it | write [the kiln](a/Big%20Kiln.md)",
		"notice b.md:18 [below](a/Big Kiln.md) is no link, for the space in it | write [below](a/Big%20Kiln.md)",
		"hint Kiln.md:0 no link leads to this note or from it | link it from a note that it belongs to: [[Kiln]]; `quarry links \"Kiln.md\"` shows related ones",
		"hint a/Big Kiln.md:0 no link leads to this note or from it | link it from a note that it belongs to: [[Big Kiln]]; `quarry links \"a/Big Kiln.md\"` shows related ones",
	)
}
