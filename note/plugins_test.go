package note_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"quarry/internal/dialect"
	"quarry/note"

	"github.com/google/go-cmp/cmp"
)

// linkPlaces shows each link by its line, column and target: "3:5 a#b", with "!" for embeds and "(x)" for external ones.
func linkPlaces(n *note.Note) string {
	var list []string
	for _, l := range n.Links {
		text := fmt.Sprintf("%d:%d %s%s", l.Line, l.Column, l.Target, l.Subpath)
		if l.External {
			text += " (x)"
		}
		if l.Hidden {
			text += " (hidden)"
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

func tagNames(n *note.Note) string {
	var list []string
	for _, tag := range n.Tags {
		list = append(list, fmt.Sprintf("%d %s", tag.Line, tag.Tag))
	}
	return strings.Join(list, ", ")
}

// drawn puts a text between the head and the data of a drawing.
func drawn(body, elements string) string {
	return "---\nexcalidraw-plugin: parsed\n---\n" + body + "%%\n# Excalidraw Data\n\n## Text Elements\n" + elements +
		"\n## Element Links\nkkkkkkkk: [[Far]]\n\n## Embedded Files\n0a1b: [[map.png]]\n\n%%\n## Drawing\n```compressed-json\nN4KAkARALg\n```\n%%\n"
}

// TestTextsOfDrawings holds that texts of a drawing are the plugin's text and no Markdown.
func TestTextsOfDrawings(t *testing.T) {
	far := func(line int, links ...string) string {
		return strings.Join(append(links, fmt.Sprintf("%d:11 Far, %d:7 map.png", line, line+3)), ", ")
	}
	for name, c := range map[string]struct {
		body, elements       string
		shown, links, blocks string
	}{
		"plain":    {"", "a [[I]] ^abcdefgi\n", "\n## Text Elements\na [[I]]", far(11, "8:3 I"), "abcdefgi 8-8"},
		"indented": {"", "    indented [[I]] ^abcdefgi\n", "\n## Text Elements\n    indented [[I]]", far(11, "8:14 I"), "abcdefgi 8-8"},
		"open fence": {
			"", "```js\nlet a = [[I]] ^abcdefgi\n\nb #t ^abcdefgj\n", "\n## Text Elements\n```js\nlet a = [[I]]\n\nb #t",
			far(14, "9:9 I"), "abcdefgi 8-9, abcdefgj 11-11",
		},
		"heading of the drawing": {"", "## Drawing\nwords ^abcdefgi\n", "\n## Text Elements\n## Drawing\nwords", far(12), "abcdefgi 8-9"},
		"data":                   {"", "## Drawing\n```json\n{} [[I]] ^abcdefgi\n", "\n## Text Elements\n## Drawing\n```json\n{} [[I]]", far(13, "10:4 I"), "abcdefgi 8-10"},
		"list and quote":         {"", "- [ ] a [[I]]\n> [!note] b ^abcdefgi\n", "\n## Text Elements\n- [ ] a [[I]]\n> [!note] b", far(12, "8:9 I"), "abcdefgi 8-9"},
		"wide":                   {"", "ä😀 [[I]] ^abcdefgi\n", "\n## Text Elements\nä😀 [[I]]", far(11, "8:5 I"), "abcdefgi 8-8"},
		"open fence before":      {"```js\na\n", "b [[I]] ^abcdefgi\n", "```js\na\n\n## Text Elements\nb [[I]]", far(13, "10:3 I"), "abcdefgi 10-10"},
		"closed fence before": {
			"```\n# Text Elements\n## Drawing\n```\n", "b ^abcdefgi\n", "```\n# Text Elements\n## Drawing\n```\n\n## Text Elements\nb", far(15), "abcdefgi 12-12",
		},
		"own comment": {"Own\n\n%%\nprivate [[P]]\n%%\n", "b ^abcdefgi\n", "Own\n\n\n\n## Text Elements\nb", far(16, "7:9 P (hidden)"), "abcdefgi 13-13"},
	} {
		n := parseKind(t, "a.excalidraw.md", drawn(c.body, c.elements))
		_, shown, _ := strings.Cut(shownText(n), "parsed\n---\n")
		if diff := cmp.Diff(c.shown, strings.TrimRight(shown, "\n")); diff != "" {
			t.Errorf("%s, shown: %s", name, diff)
		}
		if diff := cmp.Diff(c.links, linkPlaces(n)); diff != "" {
			t.Errorf("%s, links: %s", name, diff)
		}
		var blocks []string
		for _, b := range n.Blocks {
			blocks = append(blocks, fmt.Sprintf("%s %d-%d", b.ID, b.Line, b.LineEnd))
		}
		if diff := cmp.Diff(c.blocks, strings.Join(blocks, ", ")); diff != "" {
			t.Errorf("%s, blocks: %s", name, diff)
		}
		checkFacts(t, n)
	}
}

// TestLinksOfElements holds what the link of an element of a drawing in JSON is.
func TestLinksOfElements(t *testing.T) {
	for link, want := range map[string]string{
		"Notes/10:30 meeting.md":         "Notes/10:30 meeting.md",
		"Files/a%20b.png#Top":            "Files/a b.png#Top",
		"https://yard.example.org/a":     "https://yard.example.org/a (x)",
		"mailto:a@yard.example.org":      "mailto:a@yard.example.org (x)",
		"[[Fence|posts]]":                "Fence",
		"[[Fence]] and [[Gate]]":         "Fence, Gate",
		"[[Fence":                        "",
		"see [[Fence":                    "",
		"[[]]":                           "",
		"[a](Fence.md)":                  "Fence.md",
		`---\ntags: [a]\n---\n[[Fence]]`: "Fence",
	} {
		var got []string
		n := parseKind(t, "a.excalidraw", `{"elements":[{"type":"rectangle","link":"`+link+`"}]}`)
		for _, l := range n.Links {
			_, text, _ := strings.Cut(linkPlaces(&note.Note{Links: []note.Link{l}}), " ")
			got = append(got, text)
		}
		if diff := cmp.Diff(want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s: %s", link, diff)
		}
	}
}

// TestMarksOfBoards holds that of the bold words under a lane the plugin's own alone is left out.
func TestMarksOfBoards(t *testing.T) {
	for line, kept := range map[string]bool{
		"**Complete**": false, "**完成**": false, "**Выполнено**": false, "**Fertiggestellt**": false,
		"**Buy on Friday**": true, "**complete**": true, "**Complete**!": true, "Complete": true, "***Complete***": true,
	} {
		n := parseKind(t, "a.md", "---\nkanban-plugin: board\n---\n\n## Done\n\n"+line+"\n- [x] a\n")
		if got := strings.Contains(shownText(n), line); got != kept {
			t.Errorf("%s: seen %v", line, got)
		}
	}
}

// TestMentions holds where tags and names of users are links in Dendron: wherever a tag is one in Obsidian.
func TestMentions(t *testing.T) {
	for body, want := range map[string]string{
		"by @eve and (@ann.b) \"@x\"":                     "1:4 user.eve, 1:14 user.ann.b, 1:23 user.x",
		"a@b @c/d @e@f @ \\@g [@h]":                       "",
		"#a.b, #c. #1.2 #d.1.":                            "1:1 tags.a.b, 1:7 tags.c, 1:16 tags.d.1",
		"<a title=\"@eve\">x</a> @ann":                    "1:23 user.ann",
		"x <!-- @ann #a --> @eve":                         "1:20 user.eve",
		"x `two\n@ann #a` @eve":                           "2:10 user.eve",
		"$@ann$ $$\n@b\n$$ @eve":                          "3:4 user.eve",
		"[[Alias @ann|note]] @eve":                        "1:1 note, 1:21 user.eve",
		"[see @ann](b.md)":                                "1:1 b.md, 1:6 user.ann",
		"<https://a.example/@ann> @eve":                   "1:1 https://a.example/@ann (x), 1:26 user.eve",
		"- a\n  ```\n  @ann #a\n  ```\n  @eve #b.c\n- @x": "5:3 user.eve, 5:8 tags.b.c, 6:3 user.x",
		"- a\n  ```\n  @ann\n- @eve":                      "4:3 user.eve",
		"> ```\n> @ann\n\n@eve":                           "4:1 user.eve",
		"    @ann\n\n@eve":                                "3:1 user.eve",
		"%% @ann %% @eve":                                 "1:4 user.ann (hidden), 1:12 user.eve",
		"%%\n@ann #a.b\n%%\n@eve":                         "2:1 user.ann (hidden), 2:6 tags.a.b (hidden), 4:1 user.eve",
		"| a | b |\n|---|---|\n| @ann | x |":              "3:3 user.ann",
		"# @ann":                                          "1:3 user.ann",
		"<div>\n@ann\n</div>\n\n@eve":                     "5:1 user.eve",
	} {
		for _, many := range []bool{false, true} {
			text, padding := body, ""
			if many { // read without nodes within blocks
				padding = "\n\n" + strings.Repeat("|", 200_001) + "\n"
			}
			n := note.ParseAs(dialect.Dendron, "a.md", []byte(text+padding), nil)
			if diff := cmp.Diff(want, linkPlaces(n)); diff != "" {
				t.Errorf("%q, many marks %v: %s", body, many, diff)
			}
			checkFacts(t, n)
			if n := note.Parse("a.md", []byte(text), nil); strings.Contains(linkPlaces(n), "user.") || strings.Contains(linkPlaces(n), "tags.") {
				t.Errorf("%q: Obsidian has %s", body, linkPlaces(n))
			}
		}
	}
	n := note.ParseAs(dialect.Dendron, "a.md", []byte("---\ntags: [tags, a.b]\n---\n#c.d x\n"), nil)
	if got := tagNames(n); got != "2 tags, 2 a/b, 4 c/d" {
		t.Errorf("tags %s", got)
	}
	if got := linkPlaces(n); got != "2:8 tags.tags, 2:14 tags.a.b, 4:1 tags.c.d" {
		t.Errorf("links %s", got)
	}
}

// TestTagsOfYAMLInLogseq holds that each tag of a list has its own line and place.
func TestTagsOfYAMLInLogseq(t *testing.T) {
	n := note.ParseAs(dialect.Logseq, "pages/a.md", []byte("---\ntitle: A\ntags:\n  - one\n  - \"[[two words]]\"\n  - \"#ä\"\ntag: x, [[y z]]\n---\n- b\n"), nil)
	if got, want := tagNames(n), "4 one, 5 two words, 6 ä, 7 x, 7 y z"; got != want {
		t.Errorf("tags %s, not %s", got, want)
	}
	if got, want := linkPlaces(n), "4:5 one, 5:6 two words, 6:6 ä, 7:6 x, 7:9 y z"; got != want {
		t.Errorf("links %s, not %s", got, want)
	}
	for _, l := range n.Links {
		if !l.InFrontmatter || l.Relation != "tags" {
			t.Errorf("link %+v", l)
		}
	}
}

// TestCalloutsOfLogseq holds that they are those of Obsidian.
func TestCalloutsOfLogseq(t *testing.T) {
	for text, want := range map[string]string{
		"- > [!note] a":                 `note "a" 1`,
		"- >[!tip] x":                   `tip "x" 1`,
		"- > > [!note] n":               `note "n" 1`,
		"- >>[!Note]- n":                `note "n" 1`,
		"- > [!x|y] z":                  `x "z" 1`,
		"- > a\n  > [!note] b":          "",
		"- > [!tip] a\n  > > [!note] b": `tip "a" 1, note "b" 2`,
		"- > [!a very long name of a callout that no one has] t": `a very long name of a callout that no one has "t" 1`,
		"- a\n  > [!note] b": `note "b" 2`,
		"- [!note] b":        "",
	} {
		var got []string
		for _, c := range note.ParseAs(dialect.Logseq, "pages/a.md", []byte(text), nil).Callouts {
			got = append(got, fmt.Sprintf("%s %q %d", c.Type, c.Title, c.Line))
		}
		if diff := cmp.Diff(want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

// TestMacrosAlone holds which lines go with a macro that is left out.
func TestMacrosAlone(t *testing.T) {
	for text, want := range map[string]string{
		"- a\n  {{query x}}  \n  b\n":                     "- a\n  b\n",
		"- a\n  {{query x}} {{query y}}\n  b\n":           "- a\n   \n  b\n",
		"- a {{query x}}\n":                               "- a \n",
		"- a\r\n\t{{query x}}\r\n":                        "- a\r\n",
		"- {{cloze a}} {{{query x}}} b {{query":           "- a  b {{query",
		"- {{query x\n  }} [[a]]\n":                       "- {{query x\n  }} [[a]]\n",
		"- a {{query\n  x}} {{query y}}\n  c {{query z}}": "- a {{query\n  x}} \n  c ",
	} {
		if diff := cmp.Diff(want, seen(note.ParseAs(dialect.Logseq, "pages/a.md", []byte(text), nil))); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

// TestCardsHaveNoProperties holds that three dashes at the head of a card are a rule.
func TestCardsHaveNoProperties(t *testing.T) {
	n := parseKind(t, "a.canvas", `{"nodes":[{"id":"a","type":"text","text":"---\ntags: [x]\nup: \"[[Top]]\"\n---\nBody #y"},`+
		`{"id":"b","type":"text","text":"b"}],"edges":[{"fromNode":"a","toNode":"b","label":"to"}]}`)
	if got := words(n); got != "\n---\ntags: [x]\nup: \"[[Top]]\"\n---\nBody #y\n\nb\n\ntags: [x] → b: to\n" {
		t.Errorf("words %q", got)
	}
	if got := tagNames(n) + "; " + linkPlaces(n); got != "1 y; 1:65 Top" {
		t.Errorf("facts %s", got)
	}
}

// TestTooManyGroups holds that it is told where nodes stand without the labels of their groups.
func TestTooManyGroups(t *testing.T) {
	var nodes []string
	for range 4500 {
		nodes = append(nodes, `{"type":"group","label":"G","width":9,"height":9}`)
	}
	want := "more groups than are held against the nodes: the nodes stand without the labels of their groups"
	for count, told := range map[int]bool{100: false, 4500: true} {
		n := parseKind(t, "a.canvas", `{"nodes":[`+strings.Join(nodes[:count], ",")+`]}`)
		if got := len(n.Problems) == 1 && n.Problems[0].Reason == want; got != told {
			t.Errorf("%d groups: %v", count, n.Problems)
		}
	}
}

// TestNamesOfNotes holds what a note is called by its file, in each dialect.
func TestNamesOfNotes(t *testing.T) {
	for _, c := range []struct {
		dialect     dialect.Dialect
		name, title string
	}{
		{dialect.Obsidian, "a/b.md", "b"},
		{dialect.Obsidian, "a/b.Markdown", "b"},
		{dialect.Obsidian, "b.excalidraw.markdown", "b"},
		{dialect.Obsidian, ".md", ".md"},
		{dialect.Obsidian, "b.canvas", "b"},
		{dialect.Logseq, "pages/a___b.markdown", "a/b"},
		{dialect.Logseq, "journals/2031_01_31.markdown", "2031-01-31"},
		{dialect.Dendron, "vault/a.b.markdown", "b"},
	} {
		if got := note.ParseAs(c.dialect, c.name, []byte("x"), nil).Title; got != c.title {
			t.Errorf("%s, %s: %q", c.dialect, c.name, got)
		}
	}
	n := parseKind(t, "a.canvas", `{"nodes":[{"type":"file","file":"Notes/Oak.markdown"}]}`)
	if got := words(n); got != "\nOak\n" {
		t.Errorf("a node of a canvas: %q", got)
	}
}

// TestFilesOfObsidianInOtherVaults holds that canvas, base, drawing and board read alike whatever the vault.
func TestFilesOfObsidianInOtherVaults(t *testing.T) {
	for name, text := range map[string]string{
		"a.canvas":        `{"nodes":[{"type":"text","text":"[[A|b]] #c.d @e key:: value"}]}`,
		"a.base":          "views:\n  - name: A\n    type: table\n    order: [file.name]\n",
		"a.excalidraw":    `{"elements":[{"type":"text","text":"[[A|b]] #c @e"}]}`,
		"a.excalidraw.md": drawn("", "a [[I]] ^abcdefgi\n"),
		"a.md":            "---\nkanban-plugin: board\n---\n\n## Done\n\n**Complete**\n- [x] a [[B]]\n\n%% kanban:settings\n```\n{\"kanban-plugin\":\"board\"}\n```\n%%\n",
	} {
		want := note.Parse(name, []byte(text), nil)
		for _, d := range samples {
			got := note.ParseAs(d, name, []byte(text), nil)
			if diff := cmp.Diff(words(want)+linkPlaces(want), words(got)+linkPlaces(got)); diff != "" {
				t.Errorf("%s, %s: %s", d, name, diff)
			}
			if len(got.Problems) > 0 {
				t.Errorf("%s, %s: %v", d, name, got.Problems)
			}
		}
	}
}

// TestHostileDrawings holds that the time is linear for the plugin's parts, too.
func TestHostileDrawings(t *testing.T) {
	count := 100_000
	if testing.Short() {
		count /= 20
	}
	for _, unit := range []string{"## Drawing\n", "# Text Elements\n", "## Element Links\n", "```\n", "%%\n", "%%", "a ^abcdefgi\n", "[[", "\n", "`", "%% \n\n", "    [[a]]\n"} {
		text := drawn(strings.Repeat(unit, count), strings.Repeat(unit, count))
		start := time.Now()
		n := note.Parse("a.excalidraw.md", []byte(text), nil)
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("%q: %s for %d bytes", unit, took, len(text))
		}
		if strings.Contains(shownText(n), "N4KAkARALg") {
			t.Errorf("%q: the data of the drawing is seen", unit)
		}
	}
}

// TestUnmarkedDrawings holds that a drawing is known by its data where its property was lost, and by nothing less.
func TestUnmarkedDrawings(t *testing.T) {
	marked := drawn("==⚠  Switch to EXCALIDRAW VIEW in the MORE OPTIONS menu of this document. ⚠==\n\nkiln\n\n", "a [[I]] ^abcdefgi\n")
	bare := strings.TrimPrefix(marked, "---\nexcalidraw-plugin: parsed\n---\n")
	for name, c := range map[string]struct {
		text string
		want note.Kind
	}{
		"no properties":       {bare, note.Excalidraw},
		"other properties":    {"---\ntags: [x]\n---\n" + bare, note.Excalidraw},
		"data in plain":       {strings.ReplaceAll(bare, "compressed-json\nN4KAkARALg", "json\n{\"type\":\"excalidraw\"}"), note.Excalidraw},
		"no data":             {strings.ReplaceAll(bare, "```compressed-json\nN4KAkARALg\n```\n%%\n", "I like to draw.\n"), note.Plain},
		"text behind":         {bare + "\nMore of my own words.\n", note.Plain},
		"shown as an example": {"A drawing is written so:\n\n````\n" + bare + "````\n\nThat is all.\n", note.Plain},
		"example at the end":  {"A drawing is written so:\n\n````\n" + bare + "````\n", note.Plain},
	} {
		t.Run(name, func(t *testing.T) {
			n := note.Parse("a.md", []byte(c.text), nil)
			if n.Kind != c.want {
				t.Fatalf("kind %q, want %q", n.Kind, c.want)
			}
			if shown := shownText(n); c.want == note.Excalidraw && (strings.Contains(shown, "⚠") || strings.Contains(shown, "0a1b") || strings.Contains(shown, "```")) {
				t.Errorf("shown: %q", shown)
			}
		})
	}
}

// TestWhatIsNoPluginsStays: headings as a plugin writes them, in a note of the user's own, hide nothing; nor does a
// definition whose label is that of a wiki-link but leads elsewhere.
func TestWhatIsNoPluginsStays(t *testing.T) {
	text := "# SVG toolkit\n\n## Text Elements\n\nLaid out ^abc\n\n## Drawing\n\nzebra\n\n## Shapes\n\n```js\ndraw()\n```\n"
	n := note.Parse("svg.md", []byte(text), nil)
	if shown := shownText(n); n.Kind != note.Plain || len(n.Headings) != 4 || !strings.Contains(shown, "zebra") || !strings.Contains(shown, "draw()") {
		t.Errorf("kind %s, headings %v, text %q", n.Kind, n.Headings, shown)
	}
	text = "See [[Kiln]] and [[Clay]].\n\n[Kiln]: https://kiln.example/manual \"quokka\"\n[Clay]: clay.md \"numbat\"\n"
	shown := shownText(note.ParseAs(dialect.Foam, "a.md", []byte(text), nil))
	if !strings.Contains(shown, "quokka") || strings.Contains(shown, "numbat") {
		t.Errorf("text %q", shown)
	}
}
