package note_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"quarry/note"

	"github.com/google/go-cmp/cmp"
)

func sectionLines(n *note.Note) string {
	var lines []string
	for _, s := range n.Sections {
		lines = append(lines, fmt.Sprintf("%s %d-%d", s.Type, s.LineStart, s.LineEnd))
	}
	return strings.Join(lines, ", ")
}

func headingLines(n *note.Note) string {
	var lines []string
	for _, h := range n.Headings {
		lines = append(lines, fmt.Sprintf("%d %s %d-%d", h.Level, h.Text, h.Line, h.LineEnd))
	}
	return strings.Join(lines, ", ")
}

func TestHeadings(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"ATX", "# One\n### Three ###\n####### no\n#no\n#\n", "1 One 1-1, 3 Three 2-2, 1  5-5"},
		{"setext", "One\n===\n\ntwo\nlines\n---\n\n---\n", "1 One 1-2, 2 two lines 4-6"},
		{"a line of dashes below a table ends it", "lead\n|a|\n|-|\n|b|\n---\nx\n", ""},
		{"not in fences, quotes, lists or code", "```\n# a\n```\n> # b\n\n- # c\n\n      # d\n", ""},
		{"marks and links stay", "## *A* [[B]] `c`\n", "2 *A* [[B]] `c` 1-1"},
		{"lone CR", "# A\r\rtext\r## B\r", "1 A 1-1, 2 B 4-4"},
		{"CRLF", "# A\r\ntext\r\nB\r\n==\r\n", "1 A 1-1, 1 text B 2-4"},
		{"behind properties", "---\na: 1\n---\n# A\n", "1 A 4-4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, headingLines(parse(c.text))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSections(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"rule below a table", "lead\n|a|\n|-|\n|b|\n---\nx\n", "paragraph 1-1, table 2-4, thematicBreak 5-5, paragraph 6-6"},
		{"all kinds", "---\na: 1\n---\n# h\npara\nmore\n- l\n  m\n\n```\nc\n```\n> q\n\n> [!note]\n> c\n\n|a|\n|:-|\n***\n<b>\n\n$$\nx\n$$\n%%\nc\n%%\n\n[a]: b\n\n[^1]: f\n[^2]: g\n", "yaml 1-3, heading 4-4, paragraph 5-6, list 7-8, code 10-12, blockquote 13-13, callout 15-16, table 18-19, thematicBreak 20-20, html 21-21, math 23-25, comment 26-28, definition 30-30, footnoteDefinition 32-32, footnoteDefinition 33-33"},
		{"another marker, another list", "- a\n* b\n1. c\n2) d\n", "list 1-1, list 2-2, list 3-3, list 4-4"},
		{"table below text", "text\n| a | b |\n| - | - |\n| c | d |\n", "paragraph 1-1, table 2-4"},
		{"a row of dashes without pipe or colon is no table", "a\nb\n- -\n", "paragraph 1-2, list 3-3"},
		{"header and delimiter differ", "|a|b|\n|-|\n", "paragraph 1-2"},
		{"comment on one line", "a\n%% b %%\nc %% d %%\n", "paragraph 1-1, comment 2-2, paragraph 3-3"},
		{"raw HTML until its end tag", "<pre>\na\n\nb</pre>\n\n<!-- c\n\nd -->\ne\n", "html 1-4, html 6-8, paragraph 9-9"},
		{"a tag of unknown name does not break a paragraph", "a\n<b>\n\n<b>\nc\n", "paragraph 1-2, html 4-5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, sectionLines(parse(c.text))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFrontmatter(t *testing.T) {
	for _, c := range []struct {
		name, text       string
		typed, raw, errs string
	}{
		{"core values", "---\na: 007\nb: 1.10\nc: yes\nd: true\ne: 2031-05-06\nf: ~\ng: 0x1F\nh: .inf\ni: \"1\"\nj: !!str 2\nk: 99999999999999999999\n---\n", `{"a":7,"b":1.1,"c":"yes","d":true,"e":"2031-05-06","f":null,"g":31,"h":".inf","i":"1","j":"2","k":100000000000000000000}`, `{"a":"007","b":"1.10","c":"yes","d":"true","e":"2031-05-06","f":"~","g":"0x1F","h":".inf","i":"1","j":"2","k":"99999999999999999999"}`, ""},
		{"nested", "---\na: {b: [1, {c: x}]}\n---\n", `{"a":{"b":[1,{"c":"x"}]}}`, `{"a":{"b":["1",{"c":"x"}]}}`, ""},
		{"JSON", "---\n{\"a\": \"b\", \"c\": false}\n---\n", `{"a":"b","c":false}`, `{"a":"b","c":"false"}`, ""},
		{"duplicate key", "---\na: 1\nb: 2\na: 3\n---\n", `{"a":3,"b":2}`, `{"a":"3","b":"2"}`, "4 the key \"a\" is given more than once: the last one counts"},
		{"aliases stay closed", "---\na: &x [1]\nb: *x\n---\n", `{"a":[1],"b":"*x"}`, `{"a":["1"],"b":"*x"}`, ""},
		{"bare link", "---\nup: [[T, U]]\n---\n", `{"up":"[[T, U]]"}`, `{"up":"[[T, U]]"}`, ""},
		{"empty", "---\n---\nbody", `{}`, `{}`, ""},
		{"only a comment", "---\n# x\n---\n", `{}`, `{}`, ""},
		{"unclosed", "---\na: 1\n", `{}`, `{}`, ""},
		{"text behind the dashes", "--- a\nb: 1\n---\n", `{}`, `{}`, ""},
		{"four dashes", "----\nb: 1\n----\n", `{}`, `{}`, ""},
		{"blank first line", "\n---\nb: 1\n---\n", `{}`, `{}`, ""},
		{"spaces behind the fences, CRLF, end of file", "--- \r\nb: 1\r\n---\t", `{"b":1}`, `{"b":"1"}`, ""},
		{"colon in the value", "---\ntitle: A: B\nx: 1\n---\n", `{"title":"A: B","x":1}`, `{"title":"A: B","x":"1"}`, "2 mapping values are not allowed in this context (recovered)"},
		{"tab", "---\ntags:\n\t- wet\n\t- dry\nx: y\n---\n", `{"tags":["wet","dry"],"x":"y"}`, `{"tags":["wet","dry"],"x":"y"}`, "3 a tab in the indentation: YAML takes spaces only (recovered)"},
		{"template", "---\ntitle: {{title}}\n---\n", `{"title":"{{title}}"}`, `{"title":"{{title}}"}`, "2 a placeholder stands for a value: it is taken as text (recovered)"},
		{"reserved sign and path", "---\na: @x\nb: \"C:\\Users\"\n---\n", `{"a":"@x","b":"C:\\Users"}`, `{"a":"@x","b":"C:\\Users"}`, "2 found character that cannot start any token (recovered)"},
		{"no mapping", "---\nA banner\n---\n", `{}`, `{}`, "2 the block is no mapping of keys to values"},
		{"commented tags", "---\ntags: #lost #gone\n---\n", `{"tags":null}`, `{"tags":""}`, "2 # begins a comment here: write tags as a list without #"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := parse(c.text)
			typed, _ := json.Marshal(n.Frontmatter)
			raw, _ := json.Marshal(n.FrontmatterRaw)
			var errs []string
			for _, e := range n.FrontmatterErrors {
				text := fmt.Sprint(e.Line, " ", e.Message)
				if e.Recovered {
					text += " (recovered)"
				}
				errs = append(errs, text)
			}
			if diff := cmp.Diff([]string{c.typed, c.raw, c.errs}, []string{string(typed), string(raw), strings.Join(errs, "; ")}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestBannerIsBody holds that text between rules, which is no properties, is found all the same.
func TestBannerIsBody(t *testing.T) {
	n := parse("---\nA banner #tag [[Link]]\n---\n# Head\n")
	if n.BodyLine != 2 || len(n.Tags) != 1 || len(n.Links) != 1 || headingLines(n) != "1 Head 4-4" {
		t.Errorf("body at %d, tags %v, links %v, headings %v", n.BodyLine, n.Tags, n.Links, n.Headings)
	}
}

func TestProperties(t *testing.T) {
	n := parse("---\nTitle: 1.10\nid: 007\ntype: moc\nstatus: draft\ndomain: d\nsource: [s, t]\ncreated: 2031-01-02\nupdated: 2031-01-03\naliases:\n  - Nan\n  - No\n  - \"a, b\"\n---\n# H1\n")
	got := []string{n.Title, n.DeclaredID, n.Type, n.Status, n.Domain, n.Source, n.Created, n.Updated, strings.Join(n.Aliases, "|")}
	want := []string{"1.10", "007", "moc", "draft", "d", "s", "2031-01-02", "2031-01-03", "Nan|No|a, b"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTitle(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"folder/name.md", "text", "name"},
		{"v1.2.MD", "", "v1.2"},
		{"a.md", "text\n\n# C\n# D\n", "C"},
		{"Books.md", "## Books\n\n# Clippings\n", "Books"},
		{"a.md", "b\n---\n# C\n", "a"},
		{"a.md", "#\n## {{title}}\n# C\n", "C"},
		{"a.md", "## %%b%%\n# C %%d [[e]]%% f <!-- g --> ^h\n", "C f"},
		{"a.md", "# `%%` C `%%`\n", "`%%` C `%%`"},
		{"a.canvas", "{}", "a"},
		{"a.base", "", "a"},
		{"a.excalidraw.md", "", "a"},
		{"a.md", "---\ntitle: \" \"\n---\n", "a"},
		{"a.md", "---\ntitle: A: B\n---\n# C\n", "A: B"},
	} {
		if got := note.Parse(c.name, []byte(c.text), nil).Title; got != c.want {
			t.Errorf("title of %q in %s is %q, want %q", c.text, c.name, got, c.want)
		}
	}
}

func TestKinds(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       note.Kind
	}{
		{"a.md", "", note.Plain},
		{"a.canvas", "", note.Canvas},
		{"a.base", "filters:\n", note.Base},
		{"a.excalidraw.md", "", note.Excalidraw},
		{"a.md", "---\nexcalidraw-plugin: parsed\n---\n", note.Excalidraw},
		{"a.md", "---\nkanban-plugin: board\n---\n", note.Kanban},
	} {
		if got := note.Parse(c.name, []byte(c.text), nil).Kind; got != c.want {
			t.Errorf("%s %q is %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

func TestCanvas(t *testing.T) {
	n := note.Parse("a.canvas", []byte(`{"nodes":[{"type":"file","file":"b.md","subpath":"#H"},{"type":"text","text":"x [[c]] #t"},{"type":"link","url":"https://x.example"}]}`), nil)
	want := []string{"b.md | b.md | #H | b.md | embed", "[[c]] | c |  | c | ", "https://x.example | https://x.example |  | https://x.example | external"}
	if diff := cmp.Diff(want, linkLines(n)); diff != "" {
		t.Error(diff)
	}
	if broken := note.Parse("a.canvas", []byte("{"), nil); len(broken.Problems) != 1 {
		t.Errorf("problems of a broken canvas: %v", broken.Problems)
	}
}

func TestNoNulls(t *testing.T) {
	for _, name := range []string{"a.md", "a.canvas", "a.base"} {
		encoded, err := json.Marshal(note.Parse(name, nil, nil))
		if err != nil || strings.Contains(string(encoded), "null") {
			t.Errorf("an empty %s is %s, %v", name, encoded, err)
		}
	}
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		text string
		want []int
	}{
		{"", []int{}},
		{"a", []int{0}},
		{"a\n", []int{0}},
		{"a\n\nb", []int{0, 2, 3}},
		{"a\r\nb\rc\r", []int{0, 3, 5}},
		{"\r\r\n\n", []int{0, 1, 3}},
	} {
		if diff := cmp.Diff(c.want, parse(c.text).LineOffsets); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}
