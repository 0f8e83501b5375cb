package markdown_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/internal/markdown"
)

func TestFromHTML(t *testing.T) {
	base, _ := url.Parse("https://example.org/blog/one")
	for _, test := range []struct{ name, html, want string }{
		{"entities and blanks", `<p>Caf&eacute;, 5&nbsp;km, &amp;lt;kept&amp;gt;, AT&T. 2 &lt; 3</p>`, `Café, 5 km, \&lt;kept\&gt;, AT&T. 2 < 3`},
		{"text that looks like more", `<p>[[link]], #tag, *a*, _b_ a_b, 1. x, C#, $5 and $6</p><p>- no</p><p>2. no</p>`, `\[\[link\]\], \#tag, \*a\*, \_b\_ a_b, 1. x, C#, \$5 and \$6` + "\n\n\\- no\n\n2\\. no"},
		{"headings below a title", `<h1>A</h1><h3>B</h3>`, "## A\n\n#### B"},
		{"number in a heading", `<h2>1. A</h2><p>1. B</p>`, "## 1. A\n\n1\\. B"},
		{"list in a list", `<ul><li>a<ul><li>b</li></ul></li><li><input type="checkbox" checked> c</li></ul>`, "- a\n  - b\n- [x] c"},
		{"table", `<table><tr><td>a|b</td><td>c<br>d</td></tr><tr><td>1</td><td>2</td></tr></table>`, "| a\\|b | c<br>d |\n|---|---|\n| 1 | 2 |"},
		{"layout", `<table role="presentation"><tr><td><p>a</p></td><td>b</td></tr></table>`, "a\n\nb"},
		{"code in a quotation", "<blockquote><p>a</p><pre><code class=\"language-go\">x\n\ny</code></pre></blockquote>", "> a\n>\n> ```go\n> x\n> \n> y\n> ```"},
		{"links", `<a href="/x y">r</a> <a href="javascript:a()">run</a> <a href="https://a.example/">https://a.example/</a> <a href="#p">here</a>`, "[r](https://example.org/x%20y) run https://a.example/ here"},
		{"images", `<img src="p.png" alt="a [b]"><img src="data:image/png;base64,xx" alt="dot"><img src="t.gif" width="1" height="1">`, `![a \[b\]](https://example.org/blog/p.png)dot`},
		{"what is not read", `<script>steal()</script><style>p{color:red}</style><p hidden>h</p><form><button>Subscribe</button></form><!-- c --><p onclick="x()">y</p>`, "y"},
		{"frame", `<iframe src="https://v.example/7"></iframe>`, "https://v.example/7"},
		{"marks", `<b>a </b> <i>b</i><u>c</u><del>d</del><mark>e</mark><kbd>f</kbd>`, "**a** *b*c~~d~~==e==`f`"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, _, err := markdown.FromHTML(test.html, markdown.Options{Base: base, TopHeading: 2})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFromText(t *testing.T) {
	for text, want := range map[string]string{
		"# no heading\n- no list\n\n\n> quoted *x*\nhttps://a.example/b_c*d": "\\# no heading\n\\- no list\n\n> quoted \\*x\\*\nhttps://a.example/b_c%2Ad",
		"<b>x</b> a < b & c &amp;": `\<b>x\</b> a < b & c \&amp;`,
		"key:: value ==x== %%y%%":  `key\:: value \=\=x\=\= \%\%y\%\%`,
	} {
		if diff := cmp.Diff(want, markdown.FromText(text)); diff != "" {
			t.Errorf("%q:\n%s", text, diff)
		}
	}
}

// TestHostileHTML holds time and size for what is made to break a reader.
func TestHostileHTML(t *testing.T) {
	for name, source := range map[string]string{
		"deep": strings.Repeat("<div>", 100_000), "deep lists": strings.Repeat("<ul><li>x", 400) + strings.Repeat("word ", 20_000), "deep quotes": strings.Repeat("<blockquote>", 400) + strings.Repeat("<p>word", 5_000),
		"spans": "<table>" + strings.Repeat(`<tr><td colspan="100000" rowspan="100000">x</td><td>y</td></tr>`, 50) + "</table>", "open tags": strings.Repeat("<a href=x><b>", 20_000), "marks": "<p>" + strings.Repeat("*_`[", 100_000),
		"ampersands": "<p>" + strings.Repeat("&amp;", 100_000), "tables": strings.Repeat("<table><tr><td>", 100),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			out, _, err := markdown.FromHTML(source, markdown.Options{})
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
			if err == nil && len(out) > 60*len(source) {
				t.Errorf("%d bytes of %d", len(out), len(source))
			}
		})
	}
}
