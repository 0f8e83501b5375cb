package note

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"
)

// treeOf shows the nodes within the blocks of a body: text as it stands, other nodes by name with their own text.
func treeOf(t *testing.T, body string) string {
	root, _, ok := parseBlocks([]byte(body), false)
	if !ok {
		t.Fatalf("%q is not parsed", body)
	}
	var out strings.Builder
	words := ""
	flush := func() {
		if words != "" {
			fmt.Fprintf(&out, "%q ", words)
		}
		words = ""
	}
	var show func(node ast.Node)
	show = func(node ast.Node) {
		for child := node.FirstChild(); child != nil; child = child.NextSibling() {
			switch child := child.(type) {
			case *ast.Text:
				words += string(child.Segment.Value([]byte(body)))
				if next, ok := child.NextSibling().(*ast.Text); !ok || next.Segment.Start != child.Segment.Stop {
					flush()
				}
			case *inline:
				fmt.Fprintf(&out, "%s<%s>", strings.TrimPrefix(child.kind.String(), "Quarry"), body[child.inner.Start:child.inner.End])
				if child.HasChildren() {
					out.WriteString("( ")
					show(child)
					out.WriteString(")")
				}
				out.WriteString(" ")
			default:
				show(child)
			}
		}
	}
	show(root)
	return strings.TrimSpace(out.String())
}

func TestTree(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"words and links", "see [[A|b]] and ![[c]]!", `"see " WikiLink<A|b> " and " WikiLink<c> "!"`},
		{"link with nodes in its text", "a [b ![i](j) #t](c \"d\") e", `"a " MarkdownLink<b ![i](j) #t>( "b " MarkdownLink<i>( "i" ) " " Tag<t> ) " e"`},
		{"link over two lines", "[a\nb](c)", "MarkdownLink<a\nb>( \"a\" \"b\" )"},
		{"link in a quote", "> x [a\n> b](c) y", "\"x \" MarkdownLink<a\n> b>( \"a\" \"b\" ) \" y\""},
		{"brackets that are none", "[a] [b](", `"[a] [b]("`},
		{"code, math and HTML", "`a` ``b`c`` $d$ $$e$$ <i>f</i> <xy:z>", "CodeSpan<a> \" \" CodeSpan<b`c> \" \" MathSpan<d> \" \" MathSpan<e> \" \" InlineHTML<<i>> \"f\" InlineHTML<</i>> \" \" Autolink<xy:z>"},
		{"escapes stay for the renderer", `\[[a]] \#b`, `"\\[[a]] \\#b"`},
		{"comment", "a %%b [[c]]%% d", `"a " InlineComment<b [[c]]>( "b " WikiLink<c> ) " d"`},
		{"comment without an end", "a %%b", `"a %%b"`},
		{"highlight", "==a [[b]]== == c ==d== e", `Highlight<a [[b]]>( "a " WikiLink<b> ) " == c " Highlight<d>( "d" ) " e"`},
		{"highlight over two lines", "==a\nb== c", "Highlight<a\nb>( \"a\" \"b\" ) \" c\""},
		{"highlight that begins in a link", "[==a](b) c==", `MarkdownLink<==a>( "==a" ) " c=="`},
		{"footnotes", "a[^1] b^[c [[d]]] e", `"a" FootnoteCall<1> " b" InlineFootnote<c [[d]]>( "c " WikiLink<d> ) " e"`},
		{"block id", "a ^b", `"a " BlockID<b>`},
		{"block id in a list", "- a\n  b ^c\n- d", `"a" "b " BlockID<c> "d"`},
		{"fields stand at the end", "k:: [[v]]", `"k:: " WikiLink<v> Field<k>`},
		{"table", "|a [[b\\|c]]|`d\\|e`|\n|-|-|\n|f|", "\"a \" WikiLink<b\\|c> CodeSpan<d\\|e> \"f\""},
		{"heading", "# a #b ^c", `"a " Tag<b> " " BlockID<c>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, treeOf(t, c.body)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTreeInOrder holds that the nodes of a block stand in the order of the text, and children within their parents.
func TestTreeInOrder(t *testing.T) {
	for _, body := range []string{
		"[a ![b](c) [[d]] ==e==](f) %%g [h](i) %% ^[j [k](l)] m:: n ^o",
		"> [!edge] x: [[a]]\n> [b\n> c](d) ==e\n> f== %%g\n> h%%",
		"- [ ] [a](b) 📅 2031-01-01 [k:: [[v]]]\n  - c `d` $e$ <f>",
	} {
		root, _, _ := parseBlocks([]byte(body), false)
		err := ast.Walk(root, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
			at, end := 0, len(body)
			if n, ok := node.(*inline); ok {
				at, end = n.whole.Start, n.whole.End
			}
			if !entering || node.Type() == ast.TypeBlock && node.FirstChild() != nil && node.FirstChild().Type() == ast.TypeBlock {
				return ast.WalkContinue, nil
			}
			for child := node.FirstChild(); child != nil; child = child.NextSibling() {
				if n, ok := child.(*inline); ok && n.kind == kindField {
					continue
				}
				if startOf(child) < at || startOf(child) > end {
					t.Errorf("%q: %s begins at %d, behind or outside of %d to %d", body, child.Kind(), startOf(child), at, end)
				}
				at = startOf(child)
			}
			return ast.WalkContinue, nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
