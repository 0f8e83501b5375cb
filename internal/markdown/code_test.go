package markdown_test

import (
	"strings"
	"testing"
	"time"

	"quarry/internal/markdown"
)

func TestHideCode(t *testing.T) {
	for text, want := range map[string]string{
		"a `x` b":                      "a @ b",
		"a ``x ` y`` b `":              "a @ b `",
		"```go\nx\n```\nb":             "@\nb",
		"- item\n  ~~~\n  x\n  ~~~\nb": "- item\n  @\nb",
		"> - ```\n>   x\n>   ```\n> b": "> - @\n> b",
		"```\nnever closed\n":          "@\n",
		"a ` b\n\nc ` d":               "a ` b\n\nc ` d",
		"\\`a` b`":                     "\\`a@",
		"[`x`](y) \uE0F0 z":            "[@](y) @ z",
		"no code, ```inline``` here":   "no code, @ here",
	} {
		hidden, code := markdown.HideCode(text)
		if back := code.Show(hidden); back != text {
			t.Errorf("%q came back as %q", text, back)
		}
		shown := hidden
		for strings.Contains(shown, "\uE0F0") {
			before, rest, _ := strings.Cut(shown, "\uE0F0")
			_, after, _ := strings.Cut(rest, "\uE0F1")
			shown = before + "@" + after
		}
		if shown != want {
			t.Errorf("%q is %q, want %q", text, shown, want)
		}
	}
}

func TestHideCodeIsLinear(t *testing.T) {
	var ticks strings.Builder
	for i := range 2000 {
		ticks.WriteString(strings.Repeat("`", i%900+1) + " ")
	}
	for _, text := range []string{ticks.String(), strings.Repeat("` ", 500_000), strings.Repeat("```\n", 200_000), strings.Repeat("- ", 500_000) + "```"} {
		start := time.Now()
		hidden, code := markdown.HideCode(text)
		if code.Show(hidden) != text {
			t.Error("it did not come back")
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("it took %v", took)
		}
	}
}

func FuzzHideCode(f *testing.F) {
	f.Add("a `b` ```\nc\n```")
	f.Fuzz(func(t *testing.T, text string) {
		hidden, code := markdown.HideCode(text)
		if code.Show(hidden) != text {
			t.Error("it did not come back")
		}
	})
}
