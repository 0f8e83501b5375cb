package secret_test

import (
	"strings"
	"testing"

	"quarry/secret"
)

// TestHiddenInText: ways in which a text may hold a token that a reader would take from it whole.
func TestHiddenInText(t *testing.T) {
	m := newMaker(51)
	prefix, rest := "gh"+"p_", m.of(alnum, 36)
	name := "gh" + "p"
	tail := rest[27:]
	for what, text := range map[string]string{
		"decimal entity":     name + "&#95;" + rest,
		"hex entity":         name + "&#x5f;" + rest,
		"named entity":       name + "&lowbar;" + rest,
		"entity inside":      prefix + rest[:10] + "&#" + "x200b;" + rest[10:],
		"entity of a letter": prefix + "&#65;" + rest[1:],
		"soft hyphen entity": prefix + rest[:10] + "&shy;" + rest[10:],
		"JSON escape":        name + `\u005f` + rest,
		"JavaScript escape":  name + `\x5f` + rest,
		"code point":         name + `\u{5f}` + rest,
		"zero width escape":  prefix + rest[:9] + `\u200b` + rest[9:],
		"bold inside":        prefix + rest[:10] + "**" + rest[10:18] + "**" + rest[18:],
		"bold tag":           prefix + rest[:10] + "<b>" + rest[10:18] + "</b>" + rest[18:],
		"wbr":                prefix + rest[:10] + "<wbr>" + rest[10:20] + "<wbr/>" + rest[20:],
		"br":                 prefix + rest[:18] + "<br>" + rest[18:],
		"backticks":          prefix + rest[:10] + "`" + rest[10:],
		"span":               prefix + "<span class=\"x\">" + rest + "</span>",
		"concatenation":      `"` + prefix + rest[:10] + `" + "` + rest[10:] + `"`,
		"over lines":         `"` + prefix + rest[:12] + "\" +\n    \"" + rest[12:24] + "\" +\n    \"" + rest[24:] + `"`,
		"neighbours":         `"` + prefix + rest[:12] + "\"\n    \"" + rest[12:] + `"`,
		"PHP":                `'` + prefix + rest[:12] + `' . '` + rest[12:] + `'`,
		"three lines":        prefix + rest[:12] + "\n" + rest[12:24] + "\n" + rest[24:],
		"quote of lines":     "> " + prefix + rest[:12] + "\n> " + rest[12:24] + "\n> " + rest[24:],
		"comment":            "// " + prefix + rest[:18] + "\n// " + rest[18:],
		"hash comment":       "# " + prefix + rest[:18] + "\n# " + rest[18:],
		"list":               "- " + prefix + rest[:18] + "\n  " + rest[18:],
		"backslash":          prefix + rest[:18] + "\\\n" + rest[18:],
		"mail":               strings.Repeat("x", 30) + " " + prefix + rest[:30] + "=\n" + rest[30:],
		"mail with CR":       strings.Repeat("x", 30) + " " + prefix + rest[:30] + "=\r\n" + rest[30:],
	} {
		text = "This is " + text + " here."
		redacted, counts := secret.Redact(text)
		if strings.Contains(redacted, tail) || !named(counts, "github-token") {
			t.Errorf("%s: %v, left %q", what, counts, redacted)
		}
		if !strings.HasPrefix(redacted, "This is ") || !strings.HasSuffix(redacted, " here.") {
			t.Errorf("%s took too much: %q", what, redacted)
		}
		checkRedacted(t, text, redacted)
	}
}

// TestBreaksLeaveNeighbours: what follows a whole token in bold, in a literal or on the next line is not its rest.
func TestBreaksLeaveNeighbours(t *testing.T) {
	token := "gh" + "p_" + newMaker(53).of(alnum, 36)
	for _, after := range []string{"** and **more** text", "`and`", "</b>text", "\", \"other9Value\"", "\" + name9Value", "&amp;page=2", "<br>Next9Line", "\n- second item", "\n\nNext9Paragraph"} {
		redacted, _ := secret.Redact("The token " + token + after)
		if !strings.HasSuffix(redacted, after) {
			t.Errorf("%q became %q", after, redacted)
		}
	}
}

func TestSoftBreaksOfMailOnly(t *testing.T) {
	for _, text := range []string{"Title\n=====\nText", "a = b\nc", "x=\ny", strings.Repeat("word ", 13) + "=\nnext"} {
		if redacted, counts := secret.Redact(text); redacted != text {
			t.Errorf("%q: %v", text, counts)
		}
	}
}
