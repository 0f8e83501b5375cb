package secret_test

import (
	"fmt"
	"strings"
	"testing"

	"quarry/secret"
)

// wrappings are ways in which a line end breaks a token: what stands before, between and behind its parts.
var wrappings = []struct{ name, before, between, after string }{
	{"paragraph", "", "\n", "\n"},
	{"sentence", "The token is ", "\n", " and more."},
	{"quote", "> ", "\n> ", "\n> And on."},
	{"sentence in a quote", "> The token is ", "\n> ", "\n"},
	{"callout", "> [!warning] Keys\n> key ", "\n> ", "\n"},
	{"list", "- ", "\n  ", "\n- other"},
	{"list in a quote", "> - ", "\n>   ", "\n"},
	{"setting", "TOKEN=", "\n", "\n"},
	{"YAML", "token: ", "\n  ", "\n"},
	{"literal", "token = \"", "\n", "\"\n"},
	{"code", "`", "\n", "`"},
	{"bold", "**", "\n", "**"},
	{"comment", "// ", "\n// ", "\n"},
	{"CR LF", "a ", "\r\n", "\r\nb"},
	{"hyphen", "", "-\n", "\n"},
	{"wide blank", "a ", "\u2009", " b"},
}

// TestWrappedTokens cuts tokens of a known length at every place from the sixth byte on: no part of one stays.
func TestWrappedTokens(t *testing.T) {
	m := newMaker(61)
	makers := map[string]func() string{
		"github-token":       func() string { return "gh" + "p_" + m.of(alnum, 36) },
		"aws-access-key-id":  func() string { return "AK" + "IA" + m.of(base32, 16) },
		"gitlab-token":       func() string { return "gl" + "pat-" + m.of(alnum, 20) },
		"npm-token":          func() string { return "np" + "m_" + m.of(alnum, 36) },
		"stripe-key":         func() string { return "sk" + "_live_" + m.of(alnum, 24) },
		"slack-token":        func() string { return "xo" + "xb-" + m.of(digits, 12) + "-" + m.of(digits, 12) + "-" + m.of(alnum, 24) },
		"google-api-key":     func() string { return "AI" + "za" + m.of(alnum, 35) },
		"huggingface-token":  func() string { return "hf" + "_" + m.of(alnum, 34) },
		"digitalocean-token": func() string { return "dop" + "_v1_" + m.of(hex, 64) },
		"sendgrid-api-key":   func() string { return "S" + "G." + m.of(alnum, 22) + "." + m.of(alnum, 43) },
		"groq-api-key":       func() string { return "gsk" + "_" + m.of(alnum, 52) },
		"shopify-token":      func() string { return "shp" + "at_" + m.of(hex, 32) },
	}
	for name, token := range makers {
		for _, w := range wrappings {
			for cut := 6; cut < len(token()); cut++ {
				value := token()
				isInside := w.name == "wide blank" || w.name == "hyphen"
				if isInside && (cut < 8 || len(value)-cut < 12) {
					continue // a line break leaves less doubt
				}
				text := w.before + value[:cut] + w.between + value[cut:] + w.after
				redacted, _ := secret.Redact(text)
				if strings.Contains(redacted, value[:cut]) || strings.Contains(redacted, value[cut:]) && len(value)-cut > 2 {
					t.Errorf("%s in a %s, cut after %d bytes: %q left %q", name, w.name, cut, text, redacted)
					break
				}
			}
		}
	}
}

// TestEscapesBesideTokens puts every escape of what is no part of a token around every token of the tables.
func TestEscapesBesideTokens(t *testing.T) {
	pairs := [][2]string{
		{`\"`, `\"`},
		{`\\"`, `\\"`},
		{`\\\"`, `\\\"`},
		{`%22`, `%22`},
		{`%27`, `%27`},
		{`%20`, `%20`},
		{`%2520`, `%2520`},
		{`%3C`, `%3E`},
		{`%5B`, `%5D`},
		{`%0A`, `%0D%0A`},
		{`%3D`, `%26`},
		{`\u0022`, `\u0022`},
		{`\u0027`, `\u0027`},
		{`\u0020`, `\u0020`},
		{`\u000a`, `\u000a`},
		{`\u003c`, `\u003e`},
		{`\u005b`, `\u005d`},
		{`\\u0022`, `\\u0022`},
		{`\u{22}`, `\u{22}`},
		{`\U00000022`, `\U00000022`},
		{`%u0022`, `%u0022`},
		{`\x22`, `\x22`},
		{`\x20`, `\x20`},
		{`\x0a`, `\x0a`},
		{`\042`, `\042`},
		{`\040`, `\012`},
		{`\n`, `\n`},
		{`\\n`, `\\n`},
		{`\t`, `\r\n`},
		{`\f`, `\b`},
		{`\v`, `\a`},
		{`\0`, `\0`},
		{`&quot;`, `&quot;`},
		{`&#34;`, `&#x27;`},
		{`&nbsp;`, `&nbsp;`},
		{`&lt;`, `&gt;`},
		{"\x1b[32m", "\x1b[0m"},
		{"\x1b[1;38;5;201m", "\x1b[m\x1b[K"},
		{`\e[1;32m`, `\e[0m`},
		{`\033[32m`, `\033[0m`},
		{`\x1b[32m`, `\x1B[0m`},
		{`\u001b[32m`, `\u001b[39m`},
		{`^[[32m`, `^[[0m`},
		{`[32m`, `[0m`},
		{`[1;31m`, `[0m`},
	}
	missed := map[string]int{}
	for i, v := range secret.VendorShapes() {
		m := newMaker(uint64(600 + i))
		for _, pair := range pairs {
			text, inside := m.token(v.Shape, 0)
			redacted, counts := secret.Redact("a: " + pair[0] + text + pair[1] + " b")
			if tail := inside[max(0, len(inside)-8):]; !strings.Contains(redacted, tail) && len(counts) > 0 {
				continue
			}
			if missed[v.Shape]++; !v.Worded || len(text) > 36 || missed[v.Shape] > 4 { // few random letters may read like a word
				t.Errorf("%s, %s behind %q: %q, %v", v.Name, v.Shape, pair[0], text, counts)
				break
			}
		}
	}
}

// TestTokensOnFollowingLines puts three tokens of a form below each other: none is taken for the rest of the one above, nor
// left over from that.
func TestTokensOnFollowingLines(t *testing.T) {
	rounds := 4
	if testing.Short() {
		rounds = 1
	}
	for i, v := range secret.VendorShapes() {
		for _, between := range []string{"\n", "\r\n", "\n- ", "\n* ", "\n> ", "\n1. ", "\n  ", " \n", "\n\n"} {
			m, missed := newMaker(uint64(800+i)), 0
			for range rounds {
				text, tails := "", []string{}
				for range 3 {
					token, inside := m.token(v.Shape, 0)
					alone, _ := secret.Redact(token)
					tail := inside[max(0, len(inside)-8):]
					if !strings.Contains(alone, tail) {
						tails = append(tails, tail)
					}
					text += token + between
				}
				redacted, _ := secret.Redact(text)
				for _, tail := range tails {
					if strings.Contains(redacted, tail) {
						missed++
						t.Logf("%s, %s, between %q: %q left of %q", v.Name, v.Shape, between, redacted, text)
					}
				}
			}
			if missed > 0 {
				t.Errorf("%s, %s between %q: %d of %d left", v.Name, v.Shape, between, missed, 3*rounds)
				break
			}
		}
	}
}

// TestColoursInTokens: what a search in a terminal marks within a token.
func TestColoursInTokens(t *testing.T) {
	m := newMaker(63)
	for _, escape := range []string{"\x1b", `\e`, `\033`, `\x1b`, `\u001b`, "^["} {
		token := "gh" + "p_" + m.of(alnum, 36)
		on, off := escape+"[01;31m", escape+"[m"+escape+"[K"
		for _, cut := range []int{4, 10, 30} {
			text := "notes:12:" + token[:2] + on + token[2:cut] + off + token[cut:] + " here"
			redacted, counts := secret.Redact(text)
			if strings.Contains(redacted, token[32:]) || !named(counts, "github-token") {
				t.Errorf("%q became %q: %v", text, redacted, counts)
			}
		}
		for _, text := range []string{"see " + on + "this" + off + " text", fmt.Sprintf("PS1=%q", escape+"[1m$ ")} {
			if redacted, counts := secret.Redact(text); redacted != text {
				t.Errorf("%q became %q: %v", text, redacted, counts)
			}
		}
	}
}

// TestUnseenInTokens: characters that a reader does not see, and escapes of escapes.
func TestUnseenInTokens(t *testing.T) {
	m := newMaker(65)
	body := m.of(alnum, 36)
	for _, between := range []string{
		"\u00ad", "\u034f", "\u061c", "\u180e", "\u200b", "\u2060", "\u2066", "\ufe0f", "\ufeff", "\u00a0", "\u2009", "\u202f",
		`\u034f`, `\ufe0f`, "&#x2060;", "<u></u>", "<wbr>", "**",
	} {
		text := "It is gh" + "p_" + body[:14] + between + body[14:] + " here"
		if redacted, counts := secret.Redact(text); strings.Contains(redacted, body[30:]) || !named(counts, "github-token") {
			t.Errorf("%q: %q, %v", between, redacted, counts)
		}
	}
	for _, underline := range []string{`\_`, `\\_`, `\\\\_`, "%5F", "%255F", "%25255F", `\u005f`, `\\u005f`, `\x5f`, `\137`, "&#95;", "&lowbar;", "＿"} {
		text := "It is gh" + "p" + underline + body + " here"
		if redacted, counts := secret.Redact(text); strings.Contains(redacted, body[30:]) || !named(counts, "github-token") {
			t.Errorf("%q: %q, %v", underline, redacted, counts)
		}
	}
}
