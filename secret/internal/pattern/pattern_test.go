package pattern_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quarry/secret/internal/pattern"
)

// TestPatternLiterals: what a pattern is looked for by.
func TestPatternLiterals(t *testing.T) {
	for _, row := range []struct {
		pattern, literals string
		before            int
	}{
		{`ACME-[0-9a-f]{32}`, "acme-", 0},
		{`(?i)acme`, "acme", 0},
		{`foo|bar`, "bar,foo", 0},
		{`foo|b.r`, "", 0},
		{`fo|bar`, "", 0},
		{`x{3}`, "xxx", 0},
		{`(?:abc)+`, "abc", 0},
		{`(?:abc)?def`, "abcdef,def", 0},
		{`[ab]cde`, "acde,bcde", 0},
		{`\d{2}-abc-\d{20}`, "-abc-", 2},
		{`\w+ secret-santa`, " secret-santa", 1 << 20},
		{`a.c.d`, "", 0},
		{`   `, "", 0},
	} {
		literals, before := pattern.Literals(row.pattern)
		if got := strings.Join(literals, ","); got != row.literals || got != "" && before != row.before {
			t.Errorf("%s: %q, %d before; want %q, %d", row.pattern, got, before, row.literals, row.before)
		}
	}
}

// FuzzPattern compares with package regexp: the first match is the same, and holds a literal where it must.
func FuzzPattern(f *testing.F) {
	for _, seed := range [][2]string{
		{`(a|ab)(c|bcd)(d*)`, "xabcdd"}, {`(?i)\bk(.*?)s$`, "a \u212aeyſ\nb"}, {`^x+?(y|$)`, "xx\nxxy"}, {`(?:(a)|b)*abc`, "abaabc"}, {`[^\n]\B.`, "\xffé\x00"}, {`((a*)*b)+`, "aaab"},
	} {
		f.Add(seed[0], []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, expression string, text []byte) {
		got, ok := pattern.MatchOf(expression, text)
		if !ok || len(text) > 300 || len(expression) > 60 {
			return
		}
		re := regexp.MustCompile("(?m)" + expression)
		want := re.FindSubmatchIndex(text)
		if !slices.Equal(want, got) && !strings.ContainsFunc(expression, func(r rune) bool { return 0xff01 <= r && r <= 0xff5e }) {
			t.Fatalf("%q in %q: %v, want %v", expression, text, got, want)
		}
		literals, before := pattern.Literals(expression)
		if got == nil || literals == nil {
			return
		}
		folded := []byte(strings.Map(func(r rune) rune {
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			return r
		}, strings.ToValidUTF8(string(text[got[0]:got[1]]), "?")))
		for _, literal := range literals {
			if at := bytes.Index(folded, []byte(literal)); at >= 0 && at <= before {
				return
			}
		}
		t.Fatalf("%q: the match %q holds none of %q", expression, folded, literals)
	})
}
