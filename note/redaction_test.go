package note_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"quarry/note"
	"quarry/secret"
)

// planted is no credential of anything: the spans are given, not found.
const planted = "zx81PLANTEDvalue"

// spansOf marks every occurrence of the planted value.
func spansOf(raw []byte, values ...string) []secret.Span {
	var spans []secret.Span
	for _, value := range values {
		for at := 0; ; {
			next := bytes.Index(raw[at:], []byte(value))
			if next < 0 {
				break
			}
			spans = append(spans, secret.Span{Start: at + next, End: at + next + len(value), Name: "planted"})
			at += next + len(value)
		}
	}
	return spans
}

// walk calls visit with every string that is reachable from v.
func walk(v reflect.Value, visit func(string)) {
	switch v.Kind() {
	case reflect.String:
		visit(v.String())
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			walk(v.Field(i), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), visit)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			walk(key, visit)
			walk(v.MapIndex(key), visit)
		}
	}
}

const secretNote = `---
title: the P title
P: key
list: [P, "a P b"]
quoted: "x\tP"
alias: "P"
tags: [P]
up: "[[P|shown P]]"
nested: {k: {P: P}}
folded: >
  some P
  text
---
# Head P ^P

P text #P [[P#P|P]] ![[P]] [P](P.md#P "P") <https://P.example>
key:: P, [P:: P] and (k:: P)

- [ ] task P 📅 2031-01-01
> [!P] title P

[P]
Setext P
====
%% P %%

|P|[[P\|P]]|
|-|-|
|P|b|

rel: P [[x]]

> [!edge] P: [[y]]

[P]: P.md
`

// TestPlantedSecret holds that no string of a note has a secret in it, wherever the secret stood, and that everything
// else is as if it had not been there.
func TestPlantedSecret(t *testing.T) {
	raw := []byte(strings.ReplaceAll(secretNote, "P", planted))
	n := note.Parse("a.md", raw, spansOf(raw, planted))
	walk(reflect.ValueOf(n), func(text string) {
		if strings.Contains(text, planted) || strings.Contains(text, "PLANTED") {
			t.Errorf("%q holds the secret", text)
		}
	})
	other := note.Parse("a.md", []byte(strings.ReplaceAll(secretNote, "P", "pppp")), nil)
	if len(n.FrontmatterErrors) > 0 || len(n.Frontmatter) != len(other.Frontmatter) {
		t.Errorf("properties %v, faults %v", n.Frontmatter, n.FrontmatterErrors)
	}
	for _, c := range []struct {
		kind      string
		got, want any
	}{
		{"links", lines(n.Links), lines(other.Links)},
		{"tags", lines(n.Tags), lines(other.Tags)},
		{"headings", lines(n.Headings), lines(other.Headings)},
		{"fields", lines(n.Fields), lines(other.Fields)},
		{"tasks", lines(n.Tasks), lines(other.Tasks)},
		{"blocks", lines(n.Blocks), lines(other.Blocks)},
		{"callouts", lines(n.Callouts), lines(other.Callouts)},
		{"sections", n.Sections, other.Sections},
		{"line offsets", len(n.LineOffsets), len(other.LineOffsets)},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: %v, without a secret %v", c.kind, c.got, c.want)
		}
	}
	if got := n.Redactions; len(got) != 1 || got[0].Count != len(spansOf(raw, planted)) {
		t.Errorf("redactions %v", got)
	}
}

// lines gives the lines of facts, by the field Line.
func lines[T any](facts []T) []int {
	var list []int
	for _, fact := range facts {
		list = append(list, int(reflect.ValueOf(fact).FieldByName("Line").Int()))
	}
	return list
}

// TestSecretOverBorders holds that no part of a secret gets out where the grammar would cut it in pieces.
func TestSecretOverBorders(t *testing.T) {
	for _, c := range []struct{ name, text, value string }{
		{"pipe and hash in a wiki-link", "[[left|mid#right]]", "left|mid#right"},
		{"over a link end", "[[a left]] [[right b]]", "left]] [[right"},
		{"destination", "[a](left%2Dright.md#frag)", "left%2Dright.md#frag"},
		{"heading and the next line", "# Head left\nright text", "left\nright"},
		{"tag", "#left/right!more", "left/right!more"},
		{"block scalar", "---\na: |\n  left\n  right\nb: c\n---\n", "left\n  right"},
		{"folded scalar", "---\na: >\n  left\n  right\nb: c\n---\n", "left\n  right"},
		{"plain scalar over lines", "---\na: left\n  right\nb: c\n---\n", "left\n  right"},
		{"key and value", "---\nkey: \"leftright\"\nb: c\n---\n", "key: \"leftright\""},
		{"escaped scalar", "---\na: \"le\\x66tright\"\nb: c\n---\n", "le\\x66tright"},
		{"list over lines", "---\na:\n  - left\n  - right\nb: c\n---\n", "left\n  - right"},
		{"broken block", "---\na: left: right\nb: c\n---\n", "left: right"},
		{"quote over lines", "> [left\n> right](x)", "left\n> right"},
		{"table", "|a|b|\n|-|-|\n|left|right|\n", "left|right"},
		{"code and field", "k:: `left` right", "`left` right"},
	} {
		t.Run(c.name, func(t *testing.T) {
			raw := []byte(c.text)
			n := note.Parse("a.md", raw, spansOf(raw, c.value))
			walk(reflect.ValueOf(n), func(text string) {
				if strings.Contains(text, "left") || strings.Contains(text, "right") || strings.Contains(text, "leftright") {
					t.Errorf("%q holds a part of the secret", text)
				}
			})
			if strings.Contains(c.text, "b: c") && n.Frontmatter["b"] != "c" {
				t.Errorf("properties %v, faults %v", n.Frontmatter, n.FrontmatterErrors)
			}
			if want := strings.Count(c.text, "\n"); strings.Count(n.Text, "\n") != want {
				t.Errorf("%d line ends, want %d", strings.Count(n.Text, "\n"), want)
			}
		})
	}
}

// TestFoundSecret goes the whole way with the filter: a token that only decoding brings to light is redacted too.
func TestFoundSecret(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2c3D4e", 4)
	hidden := strings.Replace(token, "_", "%5F", 1)
	raw := []byte(fmt.Sprintf("---\nkey: %s\n---\n[a](%s.md) [[%s]]\n", token, hidden, token))
	n := note.Parse(token+".md", raw, secret.Find(raw))
	walk(reflect.ValueOf(n), func(text string) {
		if strings.Contains(text, token) {
			t.Errorf("%q holds the token", text)
		}
	})
	encoded, err := json.Marshal(n)
	if err != nil || len(n.Links) != 2 || n.Frontmatter["key"] == nil {
		t.Errorf("%s %v", encoded, err)
	}
}

// TestTokenPartedInCards holds that a comment left out of a card or of a text in a drawing joins no token.
func TestTokenPartedInCards(t *testing.T) {
	head, tail := "ghp_abcdEFGH0123", "ijklMNOP4567qrstUVWX89yzAB12"
	for _, comment := range []string{"%%c%%", "<!--c-->"} {
		text := "w " + head + comment + tail + " z"
		for name, raw := range map[string]string{
			"a.canvas":     `{"nodes":[{"id":"a","type":"text","text":"` + text + `"}]}`,
			"a.excalidraw": `{"type":"excalidraw","elements":[{"id":"a","type":"text","text":"` + text + `"}]}`,
		} {
			n := note.Parse(name, []byte(raw), secret.Find([]byte(raw)))
			if len(n.Fragments) != 1 || n.Fragments[0].Text != "w [REDACTED:github-token] z" {
				t.Errorf("%s: fragments %+v", name, n.Fragments)
			}
		}
	}
}

// TestOmitFollowsRedaction holds that comments are found in the redacted text, behind longer and shorter markers.
func TestOmitFollowsRedaction(t *testing.T) {
	raw := []byte("s " + strings.Repeat("q", 200) + " and pw\n\n%% hidden pw %%\n\nend ^id\n")
	n := note.Parse("a.md", raw, append(spansOf(raw, "pw"), spansOf(raw, strings.Repeat("q", 200))...))
	var got []string
	for _, r := range n.Omit {
		got = append(got, strings.TrimSpace(n.Text[r.Start:r.End]))
	}
	if want := []string{"%% hidden [REDACTED:planted] %%", "^id"}; !reflect.DeepEqual(got, want) {
		t.Errorf("left out %q, want %q", got, want)
	}
}

// TestSpansPutRight holds that spans that overlap, or are none, do no harm.
func TestSpansPutRight(t *testing.T) {
	raw := []byte("abcdef")
	n := note.Parse("x.md", raw, []secret.Span{{Start: 3, End: 99, Name: "b"}, {Start: -5, End: 2, Name: "a"}, {Start: 1, End: 3, Name: "c"}, {Start: 5, End: 4, Name: "d"}})
	if want := "[REDACTED:a][REDACTED:b]"; n.Text != want {
		t.Errorf("text %q, want %q", n.Text, want)
	}
}
