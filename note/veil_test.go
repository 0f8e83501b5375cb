package note_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/note"
)

// passed gives the text of a note with "¤" for each stretch that is left out of passages.
func passed(n *note.Note) string {
	var text strings.Builder
	at := 0
	for _, r := range n.Omit {
		text.WriteString(n.Text[at:r.Start] + "¤")
		at = r.End
	}
	return text.String() + n.Text[at:]
}

// marked gives the links and tags of a note, those in comments with "!" behind them.
func marked(n *note.Note) string {
	var facts []string
	mark := map[bool]string{true: "!"}
	for _, l := range n.Links {
		facts = append(facts, l.Raw+mark[l.Hidden])
	}
	for _, tag := range n.Tags {
		facts = append(facts, "#"+tag.Tag+mark[tag.Hidden])
	}
	for _, task := range n.Tasks {
		facts = append(facts, "task "+task.Text)
	}
	return strings.Join(facts, ", ")
}

const deep = 60 // nesting at which a note is read line by line

// TestComments holds that every byte of a comment is left out of passages, and nothing else, wherever it stands.
func TestComments(t *testing.T) {
	quotes := strings.Repeat("> ", deep) + "q\n\n"
	for _, c := range []struct{ name, text, shown, facts string }{
		// Within a block.
		{"in a paragraph", "a %% b [[c]] #d %% e\n", "a ¤ e\n", "[[c]]!, #d!"},
		{"from a line's end to a mark alone on a line", "a %%\nb [[c]]\n%%\nd\n\ne\n\nf %%g\nh%% i\n", "a ¤\nd\n\ne\n\nf ¤ i\n", "[[c]]!"},
		{"the same in a list and a quote", "- a %%\n  b\n  %%\n\n> c %%\n> d\n> %%\n\ne\n", "- a ¤\n\n> c ¤\n\ne\n", ""},
		{"closed before it", "a %%b%% c\n%%\nd\n\ne\n%%\nf\n", "a ¤ c\n¤\nf\n", ""},
		{"two, and text between", "%% a %% b %% c\nd %%\ne\n", "¤ b ¤\ne\n", ""},
		{"without white space", "a%%b%%c%%%%d\n", "a¤c¤d\n", ""},
		{"in headings", "# a %%b%% c\n\nd %%e%%\n===\n", "# a ¤ c\n\nd ¤\n===\n", ""},
		{"in a list", "- a %%b%%\n  1. %%c%% d\n", "- a ¤\n  1. ¤ d\n", ""},
		{"in tasks", "- [ ] a %%b [[c]]%% d\n- [x] %%e%%\n", "- [ ] a ¤ d\n- [x] ¤\n", "[[c]]!, task a %%b [[c]]%% d, task %%e%%"},
		{"in a quote", "> a %%b\n> c%% d\n", "> a ¤ d\n", ""},
		{"in the title of a callout", "> [!tip] a %%b%%\n> c %%d%%\n> > [!faq]- %%e%% f\n", "> [!tip] a ¤\n> c ¤\n> > [!faq]- ¤ f\n", ""},
		{"in a footnote", "[^1]: a %%b%% c\n\n    d %%e%%\n\nf^[g %%h%%]\n", "[^1]: a ¤ c\n\n    d ¤\n\nf^[g ¤]\n", ""},
		{"in cells", "|a %%b%%|c|\n|-|-|\n|d|%% e [[f]] %%|\n", "|a ¤|c|\n|-|-|\n|d|¤|\n", "[[f]]!"},
		{"before a block id", "a %%b%% ^id\n", "a ¤\n", ""},
		{"in emphasis and marks", "*a %%b%% c* ==d %%e%% f==\n", "*a ¤ c* ==d ¤ f==\n", ""},
		{"across cells is none", "|a %%b|c%%|\n|-|-|\n", "|a %%b|c%%|\n|-|-|\n", ""},

		// What ends one within a block.
		{"code in it", "a %% `b %% c` [[d]] %% e\n", "a ¤ e\n", "[[d]]!"},
		{"code holds the only end", "%% a [[X]] `%%` b [[Y]]\n", "%% a [[X]] `%%` b [[Y]]\n", "[[X]], [[Y]]"},
		{"code holds the only end, further on", "a %% [[X]] ``b ` %%\nc`` [[Y]]\n", "a %% [[X]] ``b ` %%\nc`` [[Y]]\n", "[[X]], [[Y]]"},
		{"backticks without an end are no code", "a %% ` b %% c\n", "a ¤ c\n", ""},
		{"a backtick behind it closes no code in it", "a %% `b %% c` [[d]]\n", "a %% `b %% c` [[d]]\n", "[[d]]"},
		{"links do not reach over the end", "a %% [[x %% y]] [[z]] %% [u %% v](w)\n", "a ¤ y]] [[z]] ¤ v](w)\n", "[[z]]"},
		{"a link around it", "a [x %% y](b) %% z](c)\n", "a [x ¤ z](c)\n", "[x %% y](b) %% z](c)"},
		{"math does not reach over the end", "a %% $x %% y$ [[z]]\n", "a ¤ y$ [[z]]\n", "[[z]]"},
		{"math and HTML around marks", "$a %% b$ <!-- %% --> <b c=\"%%\"> [[d]]\n", "$a %% b$ ¤ <b c=\"%%\"> [[d]]\n", "[[d]]"},
		{"escaped", `\%% a %% [[b]]` + "\n", `\%% a %% [[b]]` + "\n", "[[b]]"},
		{"one mark alone", "a %% [[b]] #c\n", "a %% [[b]] #c\n", "[[b]], #c"},

		// Blocks of comment.
		{"block", "a\n%%\nb [[c]]\n\n- [ ] d #e\n%%\nf\n", "a\n¤\nf\n", "[[c]]!, #e!"},
		{"block, and text behind the end", "%% a\n\nb %% [[c]]\n", "¤ [[c]]\n", "[[c]]"},
		{"block with code in it", "%%\n```\n%%\n```\n`%%`\na\n%%\nb\n", "¤\nb\n", ""},
		{"code on the first line of a block", "%% a `%%` b\n\nc %% d\n", "¤ d\n", ""},
		{"block in a list", "1. %%\n   a\n\n   b\n   %%\n2. c\n", "1. ¤\n2. c\n", ""},
		{"block in a list with tabs", "-\t%%\n\ta\n\n\tb\n\t%%\n\tc\n", "-\t¤\n\tc\n", ""},
		{"block in a list in a list, with code", "- a\n  - %%\n    ```\n    %%\n    ```\n    b\n    %%\n    c\n", "- a\n  - ¤\n    c\n", ""},
		{"block in a quote in a list", "- a\n\n  > %%\n  > b\n  >\n  > c\n  > %%\n  > d\n", "- a\n\n  > ¤\n  > d\n", ""},
		{"block in a footnote", "[^1]: %%\n    a\n\n    b\n    %%\n    c\n", "[^1]: ¤\n    c\n", ""},
		{"never closed", "%%\n[[a]]\n\n- [ ] b\n", "%%\n[[a]]\n\n- [ ] b\n", "[[a]], task b"},
		{"code of a list leaves no mark behind", "- ```\n  a\n  ```\n\n%%\nb\n\n%%\n", "- ```\n  a\n  ```\n\n¤\n", ""},

		// From one block to another: a mark that does not begin a line opens nothing but its own block, and a list or
		// quote ends what it holds.
		{"from paragraph to paragraph", "a %% [[b]]\n\n[[c]] %% d\n", "a %% [[b]]\n\n[[c]] %% d\n", "[[b]], [[c]]"},
		{"from item to item", "- %% a\n  - [ ] b [[c]]\n- d %%\n", "- %% a\n  - [ ] b [[c]]\n- d %%\n", "[[c]], task b [[c]]"},
		{"from quote to paragraph", "> %% [[a]]\n\n[[b]] %%\n", "> %% [[a]]\n\n[[b]] %%\n", "[[a]], [[b]]"},
		{"many without an end, and one with", strings.Repeat("- %% a\n- b %%\n", 9) + "\n%%\nhidden [[X]]\n\nmore #t\n%%\n", strings.Repeat("- %% a\n- b %%\n", 9) + "\n¤\n", "[[X]]!, #t!"},
		{"many in a quote, and one with an end", strings.Repeat("> $$ a\n\n- %% b\n\n$ c\n\n", 20) + "%%\nhidden\n\n%%\n", "", ""},

		// Line by line.
		{"plain: block", quotes + "%%\na [[b]]\n\nc #d\n%% [[e]]\n\nf\n", quotes + "¤ [[e]]\n\nf\n", "[[b]]!, [[e]], #d!"},
		{"plain: in a list", quotes + "- %%\n\n  a\n  %%\nb\n", quotes + "- ¤\nb\n", ""},
		{"plain: within a paragraph", quotes + "a %% b\nc %% d\n%% e %% f\n", quotes + "a ¤ d\n¤ f\n", ""},
		{"plain: code in it and around it", quotes + "%%\n```\n%%\n\n```\na\n%%\n```\n%%\nb\n\n%%\n```\n", quotes + "¤\n```\n%%\nb\n\n%%\n```\n", ""},
		{"plain: never closed", quotes + "%%\n[[a]]\n\nb\n", quotes + "%%\n[[a]]\n\nb\n", "[[a]]"},
		{"plain: HTML", quotes + "<!-- a\n\n[[b]] --> c\n\n<!--\n\nd\n", quotes + "¤ c\n\n<!--\n\nd\n", ""},
		{"plain: lone CR", quotes + "%%\ra\r\rb\r```\r%%\r```\r%%\rc\r", quotes + "¤\rc\r", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := parse(c.text)
			want := c.shown
			if want == "" { // all but the last block
				want = strings.TrimSuffix(c.text, "%%\nhidden\n\n%%\n") + "¤\n"
			}
			if diff := cmp.Diff([]string{want, c.facts}, []string{passed(n), marked(n)}); diff != "" {
				t.Error(diff)
			}
			// The same without a tree: a note of so many marks has none.
			if many := parse(strings.TrimSuffix(c.text, "\n") + "\n\n" + strings.Repeat("|", manyMarks)); !strings.HasPrefix(passed(many), strings.TrimSuffix(want, "\n")) || marked(many) != c.facts {
				t.Errorf("without a tree: %.300q with %s", passed(many), marked(many))
			}
		})
	}
}

// manyMarks is more than a note may have for its blocks to be read into a tree.
const manyMarks = 300_000

// TestCommentsOfAnySize holds that no number of marks before it, whatever they are in, makes text of a comment.
func TestCommentsOfAnySize(t *testing.T) {
	for _, unit := range []string{
		"- %% a\n- b %%\n", "> %% a\n\n", "- $$ a\n", "$$ a\n\n", "> - %% a\n>\n> b\n\n", "[^1]: %% a\n\n", "- %% `a\n", "a %% b\n\n", "<div>\n%%\n</div>\n\n",
		"- ```\n  %%\n  ```\n\n", "    %%\n\n",
	} {
		text := strings.Repeat(unit, 100)
		n := parse(text + "\nend\n\n%%\nsecret [[X]]\n\nmore\n%%\n")
		if got := passed(n); strings.Contains(got, "secret") || strings.Contains(got, "more") || !strings.Contains(got, "end") {
			t.Errorf("%q: shown %s", unit, fmt.Sprintf("%.200q", got[len(text)-5:]))
		}
	}
}
