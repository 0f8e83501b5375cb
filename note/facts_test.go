package note_test

import (
	"fmt"
	"strings"
	"testing"

	"quarry/note"

	"github.com/google/go-cmp/cmp"
)

func parse(text string) *note.Note { return note.Parse("folder/name.md", []byte(text), nil) }

// linkLine shows a link in short: raw | target | subpath | display | marks.
func linkLine(l note.Link) string {
	marks := ""
	for _, m := range []struct {
		on   bool
		name string
	}{{l.Embed, "embed"}, {l.Markdown, "markdown"}, {l.External, "external"}, {l.Hidden, "hidden"}, {l.InFrontmatter, "property"}} {
		if m.on {
			marks += " " + m.name
		}
	}
	if l.Relation != "" {
		marks += " rel=" + l.Relation
	}
	return strings.Join([]string{l.Raw, l.Target, l.Subpath, l.Display, strings.TrimSpace(marks)}, " | ")
}

func linkLines(n *note.Note) []string {
	var lines []string
	for _, l := range n.Links {
		lines = append(lines, linkLine(l))
	}
	return lines
}

func TestLinks(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"plain", "see [[A b]] x", []string{"[[A b]] | A b |  | A b | "}},
		{"alias keeps a second pipe", "[[a|b|c]]", []string{"[[a|b|c]] | a |  | b|c | "}},
		{"pipe at the start is part of the target", "[[|x]]", []string{"[[|x]] | |x |  | |x | "}},
		{"first hash divides", "[[pa#th/x]]", []string{"[[pa#th/x]] | pa | #th/x | pa > th/x | "}},
		{"heading chain", "[[N#A#B]]", []string{"[[N#A#B]] | N | #A#B | N > A > B | "}},
		{"same note", "[[#A]] [[#^b]]", []string{"[[#A]] |  | #A | A | ", "[[#^b]] |  | #^b | ^b | "}},
		{"lone bracket", "[[Sq]uare]]", []string{"[[Sq]uare]] | Sq]uare |  | Sq]uare | "}},
		{"inner opening starts anew", "[[a [[b]]", []string{"[[b]] | b |  | b | "}},
		{"three brackets", "[[[b]]]", []string{"[[b]] | b |  | b | "}},
		{"empty", "[[]] [[ ]]", nil},
		{"over a line end", "[[a\nb]]", nil},
		{"escaped", `\[[a]] \[\[b]]`, nil},
		{"embed with a size", "![[p.png|100x20]]", []string{"![[p.png|100x20]] | p.png |  | 100x20 | embed"}},
		{"address in a wiki-link", "[[https://x.example/a#b]]", []string{"[[https://x.example/a#b]] | https://x.example/a#b |  | https://x.example/a#b | external"}},
		{"table cell", "|a|b|\n|-|-|\n|[[x\\|y]]|[[z|w]]|\n", []string{`[[x\|y]] | x |  | y | `}},
		{"in a code span", "`[[a]]` ``[[b]] ` `` [[c]]", []string{"[[c]] | c |  | c | "}},
		{"in fences and indented code", "```\n[[a]]\n```\n\n    [[b]]\n", nil},
		{"in mathematics", "$[[a]]$ and $$\n[[b]]\n$$ and $5 [[c]]", []string{"[[c]] | c |  | c | "}},
		{"in an HTML comment", "x <!-- [[a]] --> y", nil},
		{"in a block of HTML", "<div>\n[[a]]\n</div>\n\n[[b]]", []string{"[[b]] | b |  | b | "}},
		{"in a quote over two lines", "> a [[x]]\n> b [[y]]", []string{"[[x]] | x |  | x | ", "[[y]] | y |  | y | "}},
		{"in a footnote", "[^1]: see [[a]]\n[^2]: [[b]]", []string{"[[a]] | a |  | a | ", "[[b]] | b |  | b | "}},
		{"typed", "[[rel:Depends_on Kiln#W|k]]", []string{"[[rel:Depends_on Kiln#W|k]] | Kiln | #W | k | rel=depends_on"}},
		{"typed without a target", "[[rel:x]]", []string{"[[rel:x]] | rel:x |  | rel:x | "}},
		{"relation line", "- rel: uses [[A]] [[B]] (why)", []string{"[[A]] | A |  | A | rel=uses", "[[B]] | B |  | B | rel=uses"}},
		{"relation line with a tail", "rel: uses [[A]] and so on", []string{"[[A]] | A |  | A | "}},
		{"edge callout", "> [!edge] Near: [[A]]\n> [[B]]", []string{"[[A]] | A |  | A | rel=near", "[[B]] | B |  | B | "}},
		{"comment", "a %%[[x]]%% [[y]]", []string{"[[x]] | x |  | x | hidden", "[[y]] | y |  | y | "}},
		{"block of comment", "%%\n[[x]]\n```\n[[no]]\n```\n%% [[y]]\n", []string{"[[x]] | x |  | x | hidden", "[[y]] | y |  | y | "}},
		{"comment without an end", "%%\n[[x]]\n", []string{"[[x]] | x |  | x | "}},
		{"markdown", "[t](a%20b.md#H%20i)", []string{"[t](a%20b.md#H%20i) | a b.md | #H i | t | markdown"}},
		{"markdown to the same note", "[t](#H)", []string{"[t](#H) |  | #H | t | markdown"}},
		{"pointed brackets and a title", `[t](<a b.md> "x")`, []string{`[t](<a b.md> "x") | a b.md |  | t | markdown`}},
		{"parentheses and escapes", `[t](a(b).md) [u](a\(b.md)`, []string{"[t](a(b).md) | a(b).md |  | t | markdown", `[u](a\(b.md) | a(b.md |  | u | markdown`}},
		{"entity", "[t](r&amp;d.md)", []string{"[t](r&amp;d.md) | r&d.md |  | t | markdown"}},
		{"wrong percent", "[t](100%.md) [u](%FF.md)", []string{"[t](100%.md) | 100%.md |  | t | markdown", "[u](%FF.md) | %FF.md |  | u | markdown"}},
		{"no destination", "[]() [t]() [x](a b.md)", nil},
		{"image in a link", "[![i](p.png)](b.md)", []string{"[![i](p.png)](b.md) | b.md |  | ![i](p.png) | markdown", "![i](p.png) | p.png |  | i | embed markdown"}},
		{"link in a link", "[a [b](c) d](e)", []string{"[b](c) | c |  | b | markdown"}},
		{"address", "[t](https://x.example/a%20b#c) <https://y.example>", []string{"[t](https://x.example/a%20b#c) | https://x.example/a%20b#c |  | t | markdown external", "<https://y.example> | https://y.example |  | https://y.example | markdown external"}},
		{"reference", "[t][R  s] [r s] [r s][]\n\n[r s]: <a b.md> 'x'\n", []string{"[t][R  s] | a b.md |  | t | markdown", "[r s] | a b.md |  | r s | markdown", "[r s][] | a b.md |  | r s | markdown"}},
		{"text over two lines of a quote", "> [a\n> b](c)", []string{"[a b](c) | c |  | a b | markdown"}},
		{"property", "---\nup: \"[[T|t]]\"\nbare: [[U]]\nlist:\n  - \"[[V]]\"\n  - x\nin: {k: \"[[W]]\"}\nno: \"see [[X]]\"\n---\n", []string{"[[T|t]] | T |  | t | property rel=up", "[[U]] | U |  | U | property rel=bare", "[[V]] | V |  | V | property rel=list", "[[W]] | W |  | W | property rel=in.k"}},
		{"field", "uses:: [[A]]", []string{"[[A]] | A |  | A | rel=uses"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, linkLines(parse(c.text))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLinkPlaces(t *testing.T) {
	n := parse("---\nup: \"[[T]]\"\n---\n🟢 é [[a]]\n\n> q\n> 🟢 [b](c)\n")
	var got []string
	for _, l := range n.Links {
		got = append(got, fmt.Sprint(l.Raw, l.Line, ":", l.Column, "@", l.Offset))
	}
	want := []string{"[[T]]2:6@9", "[[a]]4:6@25", "[b](c)7:6@41"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTags(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"grammar", "#a #b/c, #1 #1a (#no) x#no /#no \\#no ##no #-", "a b/c 1a -"},
		{"wide characters", "#спам #日本　#é…", "спам 日本 é"},
		{"behind an escape", `\[#x and \[\[#y z\]\]`, "x y"},
		{"no heading without a space", "#one\n\n# two #three", "one three"},
		{"address and code", "https://x.example/#no `#no` <a href=\"#no\">#no", ""},
		{"white space of all kinds", "a\t#b\u00a0#c\ufeff#d\u200b#e", "b c d"},
		{"hidden", "%% #a %% #b", "a! b"},
		{"in link texts", "[see #a](b#c) [[d #e]]", "a"},
		{"property list", "---\ntags: [2031, x2, \"#y\", [z]]\n---\n", "x2 y z?"},
		{"property text", "---\ntags: one, two three\n---\n", "one? two? three?"},
		{"property of one word", "---\nTags: One\n---\n", "One"},
		{"singular", "---\ntag: old\ntags: [new]\n---\n", "new old?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, tag := range parse(c.text).Tags {
				text := tag.Tag
				if tag.Hidden {
					text += "!"
				}
				if tag.Legacy {
					text += "?"
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFields(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"line", "Key Name:: some value", "key-name=some value"},
		{"marks around the key", "- **Bold**:: v", "bold=v"},
		{"wrapped beats line", "a:: b [c:: d] (e:: f [[g]])", "c=d; e=f [[g]]"},
		{"nested brackets", "[k:: [[P]]] [l:: a [b] c]", "k=[[P]]; l=a [b] c"},
		{"an open bracket alone wraps nothing", "[k:: v", "k=v"},
		{"scope operator is no field", "call std::move here", ""},
		{"code", "`a:: b` and `[c:: d]`", ""},
		{"task has wrapped fields and dates", "- [ ] do:: x [k:: v] 📅 2031-01-31 ✅ soon", "k=v; due=2031-01-31"},
		{"two lines", "a:: 1\nb:: 2", "a=1; b=2"},
		{"empty", "a::", "a="},
		{"hidden", "%%\na:: 1\n%%", "a=1!"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, f := range parse(c.text).Fields {
				text := f.Key + "=" + f.Value
				if f.Hidden {
					text += "!"
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "; ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTasks(t *testing.T) {
	text := "- [ ] one ^id\n  - [x] two\n- plain\n  1. [🟢] three\n     more\n- [x](link.md)\n- [] no\n> * [-] quoted\n\n    - [ ] code\n"
	var got []string
	for _, task := range parse(text).Tasks {
		parent := 0
		if task.ParentLine != nil {
			parent = *task.ParentLine
		}
		got = append(got, fmt.Sprintf("%d %q %q in %d", task.Line, task.Status, task.Text, parent))
	}
	want := []string{`1 " " "one" in 0`, `2 "x" "two" in 1`, `4 "🟢" "three" in 3`, `8 "-" "quoted" in 0`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestBlocks(t *testing.T) {
	text := strings.Join([]string{
		"one", "two ^p", "", "- a ^i", "  - b", "- c", "", "^l", "", "> > q ^q", "", "|a|", "|:-|", "|b|", "^t",
		"", "x 2^10 ^ y^z", "alone", "^below", "", "# Head ^h", "", "```", "c ^no", "```", "", "^c",
	}, "\n")
	n := parse(text)
	var got []string
	for _, b := range n.Blocks {
		got = append(got, fmt.Sprint(b.ID, " ", b.Line, "-", b.LineEnd))
	}
	want := []string{"p 1-2", "i 4-5", "l 4-6", "q 10-10", "t 12-14", "below 17-18", "h 21-21", "c 23-25"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n.Headings[0].Text != "Head" {
		t.Errorf("heading %q", n.Headings[0].Text)
	}
	for _, r := range n.Omit {
		if marker := strings.TrimSpace(n.Text[r.Start:r.End]); !strings.HasPrefix(marker, "^") {
			t.Errorf("%q is left out of passages", marker)
		}
	}
	if len(n.Omit) != len(want) {
		t.Errorf("%d markers left out, want %d", len(n.Omit), len(want))
	}
}

func TestCallouts(t *testing.T) {
	n := parse("> [!NOTE]- Title [[x]]\n> > [!tip|wide]\n> > text\n\n> [no] callout\n\n- > [!todo] in a list\n")
	var got []string
	for _, c := range n.Callouts {
		got = append(got, fmt.Sprintf("%d %s %q", c.Line, c.Type, c.Title))
	}
	if diff := cmp.Diff([]string{`1 note "Title [[x]]"`, `2 tip ""`, `7 todo "in a list"`}, got); diff != "" {
		t.Error(diff)
	}
}
