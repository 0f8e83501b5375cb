package note_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBlocksInContainers holds what counts where blocks stand in lists, quotes, callouts and footnotes.
func TestBlocksInContainers(t *testing.T) {
	for _, c := range []struct{ name, text, links, facts string }{
		{"comment in a list", "- a\n\n  %%\n  x\n\n  [[z]] #t\n  - [ ] no\n  k:: v\n  %% [[e]]\n- b [[c]]\n", "[[z]] hidden, [[e]], [[c]]", "tag t!, field k=v!, omit 1"},
		{"comment in a quote", "> q\n> %%\n> [[z]]\n>\n> ```\n> [[no]]\n> ```\n> %%\n> [[k]]\n", "[[z]] hidden, [[k]]", "omit 1"},
		{"comment that its list ends", "- %%\n- [[a]] %%\n", "[[a]]", ""},
		{"comment that its quote ends", "> %%\n> [[a]]\n\n[[b]] %%\n", "[[a]], [[b]]", ""},
		{"comment on one line of an item", "- [ ] a\n  %% [[x]] %% #t\n", "[[x]] hidden", "tag t, task a, omit 1"},
		{"math in a list", "- $$\n  a [[x]] #y\n\n  b\n  $$\n- c [[d]]\n", "[[d]]", ""},
		{"math in a callout", "> [!note]\n> $$\n> [[x]]\n>\n> $$\n> [[y]]\n", "[[y]]", "callout note"},
		{"tasks in a callout", "> [!todo]\n> - [ ] a [[b]]\n>   - [x] c\n", "[[b]]", "task a [[b]], task c, callout todo"},
		{"callouts in a list and nested", "- > [!tip] x\n  > - [ ] t [[a]]\n  > > [!faq]- y\n  > > k:: v\n", "[[a]]", "field k=v, task t [[a]], callout tip, callout faq"},
		{"lazy lines of a quote and an item", "> a\nb [[x]]\n- c\nd [[y]] ^id\n", "[[x]], [[y]]", "block id 3-4, omit 1"},
		{"block id below a list in a quote", "> - a\n> - b\n>\n> ^id\n", "", "block id 1-2, omit 1"},
		{"fields in tables, quotes and lists", "|k:: v|[l:: m]|\n|-|-|\n> n:: o\n- p:: q\n1. (r:: s) t:: u\n", "", "field k=v, field l=m, field n=o, field p=q, field r=s"},
		{"footnote with blocks", "[^1]: a [[b]]\n\n    c [[d]] #t\n\n    - [ ] e\n\nout\n", "[[b]], [[d]]", "tag t, task e"},
		{"footnote and lazy line", "[^1]: a\nb [[c]] ^id\n[^2]: [[d]]\n", "[[c]], [[d]]", "block id 1-2, omit 1"},
		{"footnote in a quote", "> [^1]: a [[b]]\n", "[[b]]", ""},
		{"label of a footnote alone", "[^1]:\n\n    [[a]]\n", "[[a]]", ""},
		{"no footnote within text", "a\n[^1]: [[b]]\n", "[[b]]", ""},
		{"heading in a footnote is none of the outline", "[^1]: # a [[b]]\n", "[[b]]", ""},
		{"footnote in the text", "a ^[b [[c]] #d e](f) [^g#h] [^i](j)\n", "[[c]], [^i](j)", "tag d"},
		{"escaped footnote is a link", `\^[a](b)`, "[a](b)", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := parse(c.text)
			var links, facts []string
			for _, l := range n.Links {
				links = append(links, strings.TrimSpace(l.Raw+map[bool]string{true: " hidden"}[l.Hidden]))
			}
			mark := map[bool]string{true: "!"}
			for _, tag := range n.Tags {
				facts = append(facts, "tag "+tag.Tag+mark[tag.Hidden])
			}
			for _, f := range n.Fields {
				facts = append(facts, "field "+f.Key+"="+f.Value+mark[f.Hidden])
			}
			for _, task := range n.Tasks {
				facts = append(facts, "task "+task.Text)
			}
			for _, callout := range n.Callouts {
				facts = append(facts, "callout "+callout.Type)
			}
			for _, b := range n.Blocks {
				facts = append(facts, fmt.Sprintf("block %s %d-%d", b.ID, b.Line, b.LineEnd))
			}
			if len(n.Omit) > 0 {
				facts = append(facts, fmt.Sprint("omit ", len(n.Omit)))
			}
			if len(n.Headings) > 0 {
				facts = append(facts, "heading")
			}
			if diff := cmp.Diff([]string{c.links, c.facts}, []string{strings.Join(links, ", "), strings.Join(facts, ", ")}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDefinitions(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"title on the line", "[a]: b 'c d'\n\n[a]", "[a]=b"},
		{"destination and title on lines of their own", "[a]:\n  <b c>\n  \"d\ne\"\n[f]: g\n\n[a] [f]", "[a]=b c, [f]=g"},
		{"title over lines", "[a]: b (c\nd)\n[f]: g\n\n[a] [f]", "[a]=b, [f]=g"},
		{"what looks like a title is text", "[a]: b\n\"c\" d\n\n[a]", "[a]=b"},
		{"words behind the title", "[a]: b \"c\" d\n\n[a]", ""},
		{"title without an end", "[a]: b\n\"c\n\n[a]", "[a]=b"},
		{"no destination", "[a]:\n\n[a]", ""},
		{"in a quote", "> [a]: b\n> 'c'\n\n[x][a] ![a] [A][]", "[x][a]=b, ![a]=b, [A][]=b"},
		{"the first counts", "[a]: b\n[a]: c\n\n[a]", "[a]=b"},
		{"entities and escapes", `[t](a&amp;b.md) [u](a&copy=2;b) [v](&#65;&#x42;.md) [w](a\_b.md) [x](&notit;.md) [y](;&lt;)`, "[t](a&amp;b.md)=a&b.md, [u](a&copy=2;b)=a&copy=2;b, [v](&#65;&#x42;.md)=AB.md, [w](a\\_b.md)=a_b.md, [x](&notit;.md)=&notit;.md, [y](;&lt;)=;<"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, l := range parse(c.text).Links {
				got = append(got, l.Raw+"="+l.Target)
			}
			if diff := cmp.Diff(c.want, strings.Join(got, ", ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}
