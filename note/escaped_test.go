package note_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"quarry/note"
)

// vendorTokens are made anew from a fixed seed: nothing here is a credential.
func vendorTokens() map[string]string {
	random := rand.New(rand.NewPCG(7, 11))
	of := func(set string, count int) string {
		out := make([]byte, count)
		for i := range out {
			out[i] = set[random.IntN(len(set))]
		}
		return string(out)
	}
	const small, upper, digits = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
	const any = small + upper + digits
	return map[string]string{
		"github":    "ghp" + "_" + of(any, 36),
		"gitlab":    "glpat" + "-" + of(any, 20),
		"aws":       "AK" + "IA" + of(upper+"234567", 16),
		"slack":     "xoxb" + "-" + of(digits, 12) + "-" + of(digits, 12) + "-" + of(any, 24),
		"stripe":    "sk_" + "live_" + of(any, 24),
		"google":    "AI" + "za" + of(any, 35),
		"sendgrid":  "SG" + "." + of(any, 22) + "." + of(any, 43),
		"anthropic": "sk-" + "ant-api03-" + of(any, 93) + "AA",
	}
}

// hidings are ways to write a token in a quoted text of which the program that reads the file makes the token again.
func hidings() map[string]func(token string) string {
	at := func(token string, i int, by func(c byte) string) string {
		return token[:i] + by(token[i]) + token[i+1:]
	}
	unit := func(c byte) string { return fmt.Sprintf(`\u%04x`, c) }
	return map[string]func(string) string{
		"plain":          func(token string) string { return "a " + token + " z" },
		"line end":       func(token string) string { return `a\n` + token + `\nz` },
		"tab":            func(token string) string { return `a\t` + token + `\tz` },
		"quotes":         func(token string) string { return `a \"` + token + `\" z` },
		"quotes as unit": func(token string) string { return `\u0022` + token + `\u0022` },
		"breaks as unit": func(token string) string { return `a\u000a` + token + `\u000az` },
		"first as unit":  func(token string) string { return at(token, 0, unit) },
		"sign as unit":   func(token string) string { return at(token, strings.IndexAny(token, "_-.")+1, unit) },
		"all as units": func(token string) string {
			var out strings.Builder
			for i := range len(token) {
				out.WriteString(unit(token[i]))
			}
			return out.String()
		},
		"broken by a line end": func(token string) string { return "a " + token[:len(token)-9] + `\n` + token[len(token)-9:] + " z" },
		"hidden by a unit":     func(token string) string { return token[:6] + `\u200b` + token[6:] },
		"slashes":              func(token string) string { return `https:\/\/x.example\/` + token + `\/z` },
	}
}

// shownOf is all that comes out of the package.
func shownOf(n *note.Note) string {
	var out strings.Builder
	walk(reflect.ValueOf(n), func(text string) { out.WriteString(text + "\n\x00\n") })
	return out.String()
}

// holdsToken tells whether the token, or most of it, stands in what is shown as it was written.
func holdsToken(shown, token, written string) bool {
	if strings.Contains(shown, token) || strings.Contains(shown, token[len(token)-12:]) || strings.Contains(shown, token[4:16]) {
		return true
	}
	core := strings.Trim(written, "az ")
	return len(core) > 30 && strings.Contains(shown, core[len(core)-25:])
}

// TestEscapedSecrets holds that what is found once escapes are read is in no text of the note, nor in the text of the file.
func TestEscapedSecrets(t *testing.T) {
	files := map[string][2]string{
		"a.canvas":        {`{"nodes":[{"id":"1","type":"text","x":0,"text":"`, `"}],"edges":[]}` + "\n"},
		"label.canvas":    {"{\n\"nodes\":[{\"id\":\"1\",\"type\":\"group\",\"label\":\"", "\"}]}\n"},
		"broken.canvas":   {`{"nodes":[{"id":"1","type":"text","text":"`, `"}],` + "\n"},
		"a.json":          {"{\n  \"words\": \"", "\",\n  \"n\": [1]\n}\n"},
		"list.json":       {`[["`, `", "b"]]`},
		"broken.json":     {"{\n  \"words\": \"", "\"\n  \"n\": [1]\n}\n"},
		"a.jsonl":         {"{\"a\":1}\n{\"words\":\"", "\"}\n{broken\n"},
		"a.excalidraw":    {`{"type":"excalidraw","elements":[{"id":"a","type":"text","text":"`, `"}]}`},
		"a.excalidraw.md": {"---\nexcalidraw-plugin: parsed\n---\n# Text Elements\nx ^aaaa1111\n\n# Drawing\n```json\n{\"type\":\"excalidraw\",\"elements\":[{\"text\":\"", "\"}]}\n```\n"},
		"a.yaml":          {"words:\n  - b: \"", "\"\nother: 1\n"},
		"a.base":          {"views:\n  - type: table\n    name: \"", "\"\n"},
		"properties.md":   {"---\nwords: \"", "\"\ntags: [a]\n---\nbody\n"},
		"list.md":         {"---\nwords: [b, \"", "\"]\n---\nbody\n"},
		"key.md":          {"---\n\"", "\": b\n---\nbody\n"},
		"fence.md":        {"# Head\n\n```json\n{\"words\": \"", "\"}\n```\n"},
		"yamlfence.md":    {"# Head\n\n```yaml\nwords: \"", "\"\n```\n"},
	}
	for vendor, token := range vendorTokens() {
		for hiding, write := range hidings() {
			for name, file := range files {
				written := write(token)
				if name == "key.md" && strings.Contains(hiding, "line end") || name == "a.base" && hiding == "slashes" {
					continue
				}
				raw := []byte(file[0] + written + file[1])
				n := note.Reader{}.Read(name, raw)
				if shown := shownOf(n); holdsToken(shown, token, written) {
					t.Errorf("%s, %s, %s: %.300q", vendor, hiding, name, n.Text)
				}
				if got, want := strings.Count(n.Text, "\n"), strings.Count(string(raw), "\n"); got != want {
					t.Errorf("%s, %s, %s: %d line ends, want %d", vendor, hiding, name, got, want)
				}
			}
		}
	}
}

// TestYAMLEscapes holds the same for the escapes that YAML alone has.
func TestYAMLEscapes(t *testing.T) {
	for vendor, token := range vendorTokens() {
		for _, written := range []string{
			`\x` + strconv.FormatInt(int64(token[0]), 16) + token[1:],
			token[:5] + fmt.Sprintf(`\U%08x`, token[5]) + token[6:],
			`a\e` + token + `\0`, `a\ ` + token + `\_b`, `a\N` + token + `\P`, `\a\b\v\f` + token,
			"a " + token[:9] + "\\\n    " + token[9:] + " z",
		} {
			for name, file := range map[string][2]string{
				"a.md": {"---\nwords: \"", "\"\ntags: [a]\n---\nbody\n"}, "a.yaml": {"words:\n  b: \"", "\"\n"}, "a.base": {"formulas:\n  b: \"", "\"\n"},
			} {
				n := note.Reader{}.Read(name, []byte(file[0]+written+file[1]))
				if holdsToken(shownOf(n), token, written) {
					t.Errorf("%s, %q, %s: %.300q", vendor, written, name, n.Text)
				}
			}
		}
	}
}

// TestEntitiesInSecrets holds the same for the references of HTML in Markdown.
func TestEntitiesInSecrets(t *testing.T) {
	for vendor, token := range vendorTokens() {
		sign := strings.IndexAny(token, "_-.") + 1
		for _, written := range []string{
			"&quot;" + token + "&quot;", "&#34;" + token + "&#34;", "&nbsp;" + token + "&nbsp;", "&lt;" + token + "&gt;", "&#x0a;" + token,
			token[:sign] + fmt.Sprintf("&#%d;", token[sign]) + token[sign+1:], token[:6] + "&ZeroWidthSpace;" + token[6:], "&amp;" + token + "&amp;",
			token[:sign] + fmt.Sprintf("%%%02X", token[sign]) + token[sign+1:],
		} {
			for _, file := range [][2]string{{"# a ", "\n"}, {"words ", " z\n"}, {"[a](https://x.example/", ")\n"}, {"[[", "]]\n"}, {"|a|b|\n|-|-|\n|", "|c|\n"}, {"<b>", "</b>\n"}} {
				n := note.Reader{}.Read("a.md", []byte(file[0]+written+file[1]))
				if holdsToken(shownOf(n), token, written) {
					t.Errorf("%s, %q in %q: %.300q", vendor, written, file[0], n.Text)
				}
			}
		}
	}
}

// TestSecretsOverLines holds that what only the folded lines of a property tell is held back in the text of the file, too.
func TestSecretsOverLines(t *testing.T) {
	value := "Xk9" + "vmQ2k7pLwe8Rt"
	for _, text := range []string{
		"a: \"my\n password\n is\n V\"", "a: >-\n  the password\n  is V\n\n  more", "a: \"pass\\\n  word: V\"", "a: \"pass\\x77ord:\n\n  V\"", "a: [b, \"pass\\\n  word:\n\n  V\"]",
	} {
		raw := "---\n" + strings.ReplaceAll(text, "V", value) + "\nb: c\n---\nbody %% d %%\n"
		n := note.Reader{}.Read("a.md", []byte(raw))
		if shown := shownOf(n); strings.Contains(shown, value[3:]) || n.Frontmatter["b"] != "c" {
			t.Errorf("%q: text %q, properties %v", text, n.Text, n.Frontmatter)
		}
		if got := n.Text[n.Omit[0].Start:n.Omit[0].End]; strings.TrimSpace(got) != "%% d %%" || len(n.LineOffsets) != strings.Count(raw, "\n") {
			t.Errorf("%q: left out %q, %d lines", text, got, len(n.LineOffsets))
		}
	}
}

// TestSecretsByPath holds that a value which only the path of keys to it tells is held back in the text of the file, too, and
// that the rest of the file stays.
func TestSecretsByPath(t *testing.T) {
	value := "Xk9" + "vmQ2k7pLwe8Rt"
	for name, text := range map[string]string{
		"a.json":     "{\n \"db\": {\n  \"password\": {\n   \"value\": \"V\"\n  },\n  \"port\": 5432\n }\n}\n",
		"min.json":   `{"db":{"password":{"value":"V"},"port":5432}}`,
		"esc.json":   `{"db":{"port":5432,"password":{"value":"Xk9\u0076mQ2k7pLwe8Rt"}}}`,
		"list.json":  `{"port":5432,"api_key":["V"]}`,
		"a.yaml":     "db:\n  password:\n    value: V\n  port: 5432\n",
		"a.jsonl":    "{\"port\":5432}\n{\"password\":{\"value\":\"V\"}}\n",
		"a.base":     "formulas:\n  password:\n    value: V\n  port: 5432\n",
		"label.json": `{"port":5432,"list":[{"name":"DB_PASSWORD","value":"V"}]}`,
		"far.json":   "{\"port\":5432,\"api_key\":\n\n\n\"V\"}",
		"tag.yaml":   "api_key: !!str\n  V\nport: 5432\n",
		"mark.yaml":  "password: &a\n\n  'V'\nport: 5432\n",
		"lines.yaml": "password: \"\n\n\n V\"\nport: 5432\n",
		"notes.yaml": "password:\n  # the one\n  # of old\n  V\nport: 5432\n",
		"units.json": "{\"port\":5432,\n\"api_key\":\n\n\"Xk9\\u0076mQ2k7pLwe8Rt\",\n\"z\":1}",
		"long.yaml":  "? password\n: V\nport: 5432\n",
	} {
		raw := strings.ReplaceAll(text, "V", value)
		n := note.Reader{}.Read(name, []byte(raw))
		shown := shownOf(n)
		inFragments := false
		for _, fragment := range n.Fragments {
			inFragments = inFragments || strings.Contains(fragment.Text, value)
		}
		if strings.Contains(n.Text, value[4:]) != inFragments {
			t.Errorf("%s: in the passages %v, text %q", name, inFragments, n.Text)
		}
		if !strings.Contains(shown, "5432") || strings.Count(n.Text, "\n") != strings.Count(raw, "\n") {
			t.Errorf("%s: text %q", name, n.Text)
		}
		if !inFragments && (len(n.Redactions) != 1 || n.Redactions[0].Count != 1) {
			t.Errorf("%s: redactions %v", name, n.Redactions)
		}
	}
}
