package markdown_test

import (
	"strings"
	"testing"
	"time"

	"quarry/internal/markdown"
)

func shown(l markdown.Link) (string, bool) {
	if strings.HasPrefix(l.Address, "https:") {
		return "", false
	}
	if l.IsImage {
		return "{!" + l.Text + "|" + l.Address + "}", true
	}
	return "{" + l.Text + "|" + l.Address + "}", true
}

func TestReplaceLinks(t *testing.T) {
	for text, want := range map[string]string{
		"a [b](c.md) d":                         "a {b|c.md} d",
		"[x (odd)](https://e.org/a_(b)) [y](z)": "[x (odd)](https://e.org/a_(b)) {y|z}",
		"![p](q r.png)[](x)":                    "{!p|q r.png}{|x}",
		"[![p](q.png)](w.md \"title\")":         "{{!p|q.png}|w.md}",
		"[a [b] c](d)":                          "{a [b] c|d}",
		"[a](<b c>) [a](b 'c') \\[a](b)":        "{a|b c} {a|b} \\[a](b)",
		"[a]\n\n](b) [c](d\ne) [f](g":           "[a]\n\n](b) [c](d\ne) [f](g",
		"[[wiki]] (x) [ref] [a][b]":             "[[wiki]] (x) [ref] [a][b]",
		"[a](b\\)c)":                            "{a|b\\)c}",
	} {
		if got := markdown.ReplaceLinks(text, shown); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestReplaceLinksIsLinear(t *testing.T) {
	start := time.Now()
	for _, piece := range []string{"[", "](", "[](", "[[a](b)](", "![](", "[]((a)", "[](data:", "[x](<", "\\", "[" + strings.Repeat("a", 60_000) + "](b)"} {
		markdown.ReplaceLinks(strings.Repeat("[", 16)+strings.Repeat(piece, (2<<20)/len(piece)), shown)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}
