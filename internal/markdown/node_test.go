package markdown_test

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"quarry/internal/markdown"
)

func TestPrepare(t *testing.T) {
	got, lost, err := markdown.FromHTML("<p>a\u2028b \ufffc</p><ul><li>x</li><ul><li>y</li></ul></ul><raw markdown='[[no]]'>z</raw><i class='k m'>gone</i>", markdown.Options{Prepare: func(root *html.Node) {
		for n := range root.Descendants() {
			if n.DataAtom == atom.I && markdown.HasClass(n, "m") {
				n.Parent.InsertBefore(markdown.Raw("[[made]]"), n)
				n.Parent.InsertBefore(markdown.Element(atom.P, markdown.TextNode("*new*")), n)
				n.Parent.RemoveChild(n)
				return
			}
		}
	}})
	want := "a\nb\n\n- x\n  - y\n\nz[[made]]\n\n\\*new\\*"
	if err != nil || got != want || lost["drawing"] != 1 {
		t.Errorf("%q, want %q; %v, %v", got, want, lost, err)
	}
}

func TestMarksAroundBlocks(t *testing.T) {
	for document, want := range map[string]string{
		"<b><h2>H</h2></b>": "## H", "<b><div>a</div>b<div>c</div></b>": "**a**\n\n**b**\n\n**c**", "<i><b><p>x</p></b></i>": "***x***", "<b><ul><li>x</li></ul></b>": "- x",
	} {
		if got, _, err := markdown.FromHTML(document, markdown.Options{}); err != nil || got != want {
			t.Errorf("%s: %q, want %q", document, got, want)
		}
	}
	start := time.Now()
	if _, _, err := markdown.FromHTML(strings.Repeat("<b><i>", 200)+strings.Repeat("<p>x</p>", 20_000), markdown.Options{}); err == nil && time.Since(start) > 10*time.Second {
		t.Error(time.Since(start))
	}
}

func TestTextOf(t *testing.T) {
	deep := strings.Repeat("<div>", 1000) + "a <b>b</b> &lt;c&gt;<style>x{}</style><p>*d*"
	if _, _, err := markdown.FromHTML(deep, markdown.Options{}); err == nil {
		t.Error("it is not too deep any more")
	}
	if got, want := markdown.TextOf(deep), "a b \\<c>\n\\*d\\*"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestBoxBeforeBlock(t *testing.T) {
	got, _, err := markdown.FromHTML("<ul><li><input type=checkbox checked> <div>a</div></li><li><input type=checkbox><p>b</p></li></ul>", markdown.Options{})
	if want := "- [x] a\n- [ ] b"; err != nil || got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
