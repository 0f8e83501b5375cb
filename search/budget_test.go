package search_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"quarry/search"
)

func TestCutToTokens(t *testing.T) {
	cases := []struct {
		text   string
		tokens int
		want   string
	}{
		{"short", 2, "short"},
		{"Fire it. Let it cool down slowly", 3, "Fire it.…"},
		{"Fire it at dawn and let it cool", 3, "Fire it at…"},
		{"Unbrokenwordthatgoeson", 2, "Unbroke…"},
		{"First line\nsecond line goes on", 4, "First line…"},
		{"窯は熱い。灰釉は流れるので棚に砂を敷く", 2, "窯は熱い。…"},
		{"Version 1.2.3 is out and it is good", 3, "Version 1.2…"},
		{"a", 0, "…"},
		{"", 0, ""},
		{"Fire it? Yes! But slowly please", 4, "Fire it? Yes!…"},
	}
	for _, c := range cases {
		got := search.CutToTokens(c.text, c.tokens)
		if got != c.want {
			t.Errorf("%q to %d tokens: %q, want %q", c.text, c.tokens, got, c.want)
		}
	}
}

func FuzzCutToTokens(f *testing.F) {
	f.Add("Fire it. Let it cool. ", 3)
	f.Add("\xff\xfe。\n\n…", 1)
	f.Add("", -1)
	f.Fuzz(func(t *testing.T, text string, tokens int) {
		got := search.CutToTokens(text, tokens)
		if got == text {
			return
		}
		if n := utf8.RuneCountInString(got); n > max(4*min(tokens, 1<<40), 1) {
			t.Errorf("%q to %d tokens: %d characters", text, tokens, n)
		}
		if head, isCut := strings.CutSuffix(got, "…"); !isCut || !strings.HasPrefix(text, head) {
			t.Errorf("%q to %d tokens: %q", text, tokens, got)
		}
	})
}
