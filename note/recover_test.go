package note_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestRecovery holds what is made of properties that are no YAML, or another one than was meant, and that it is told once.
func TestRecovery(t *testing.T) {
	for _, c := range []struct{ block, want string }{
		{"tags: [alpha, beta", `{"tags":["alpha","beta"]}`},
		{"tags: [alpha, \"b c\", beta] trailing", `{"tags":["alpha","b c","beta"]}`},
		{"aliases: [a, 'b, c', \"d", `{"aliases":["a","b, c","d"]}`},
		{"aliases: {a, b", `{"aliases":["a","b"]}`},
		{"aliases: \"a\", \"b\"", `{"aliases":["a","b"]}`},
		{"aliases: [[[a]], [[b]], c", `{"aliases":["[[a]]","[[b]]","c"]}`},
		{"tags: [alpha,\n  beta\nx: 1", `{"tags":["alpha","beta"],"x":1}`},
		{"tags: [#a, #b]", `{"tags":["#a","#b"]}`},
		{"tags:\n-a\n-b", `{"tags":["a","b"]}`},
		{"title: [2031] A paper", `{"title":"[2031] A paper"}`},
		{"id: [unclosed", `{"id":"[unclosed"}`},
		{"source: [Title](https://example.org)", `{"source":"[Title](https://example.org)"}`},
		{"up: [[a]] and [[b]]", `{"up":"[[a]] and [[b]]"}`},
		{"title: He said \"hi\": no\nx: true", `{"title":"He said \"hi\": no","x":true}`},
		{"title: \"He said \"hi\" there\"", `{"title":"He said \"hi\" there"}`},
		{"title: \"abc\nx: 1", `{"title":"abc","x":1}`},
		{"title: 'abc\nx: \"def", `{"title":"abc","x":"def"}`},
		{"title: “A: B”", `{"title":"A: B"}`},
		{"\"my key\": a: b", `{"my key":"a: b"}`},
		{"key:value\nother:thing", `{"key":"value","other":"thing"}`},
		{"x: 1\nkey:value", `{"key":"value","x":1}`},
		{"title: @x", `{"title":"@x"}`},
		{"title: `x` y", "{\"title\":\"`x` y\"}"},
		{"title: %x", `{"title":"%x"}`},
		{"title: *x* y", `{"title":"*x* y"}`},
		{"title: *x", `{"title":"*x"}`},
		{"title: &x", `{"title":"&x"}`},
		{"title: !x", `{"title":"!x"}`},
		{"created: {{date}}\nat: {{time}}", `{"at":"{{time}}","created":"{{date}}"}`},
		{"title: {{date}} Walk", `{"title":"{{date}} Walk"}`},
		{"tags: [{{a}}, b]", `{"tags":["{{a}}","b"]}`},
		{"tags:\n\u00a0\u00a0- a\n\u00a0\u00a0-\u00a0b", `{"tags":["a","b"]}`},
		{"tags:\u00a0a", `{"tags":"a"}`},
		{"author:\n\tname: Ann\n\troles:\n\t\t- a\n\t\t- b\nx: 1", `{"author":{"name":"Ann","roles":["a","b"]},"x":1}`},
		{"list:\n- a: b: c\n- d", `{"list":["a: b: c","d"]}`},
		{"note: a: b\n  more\nand more\nx: y", `{"note":"a: b more and more","x":"y"}`},
		{"note: >\n  a: b\n\tc\nx: 5", `{"note":"a: b c","x":5}`},
		{"note: |\n\ta\n\t- b\nx: 5", `{"note":"a\n- b","x":5}`},
		{"a: 1\na: 2: 3", `{"a":"2: 3"}`},
		{"x: @\nn: 007\nd: 2031-05-06\nm: {a: [1]} # c", `{"d":"2031-05-06","m":{"a":[1]},"n":7,"x":"@"}`},
	} {
		n := parse("---\n" + c.block + "\n---\nbody")
		var got strings.Builder
		encoder := json.NewEncoder(&got)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(n.Frontmatter); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want+"\n", got.String()); diff != "" {
			t.Errorf("%q: %s", c.block, diff)
		}
		if len(n.FrontmatterErrors) != 1 || !n.FrontmatterErrors[0].Recovered {
			t.Errorf("%q: faults %+v", c.block, n.FrontmatterErrors)
		}
	}
}

func TestNamesInProperties(t *testing.T) {
	n := parse("---\naliases:\n  - Clay: a memoir\n  - B\ntags: [“wet”, „dry“, ‘x’]\n---\n")
	if diff := cmp.Diff([]string{"Clay: a memoir", "B"}, n.Aliases); diff != "" {
		t.Error(diff)
	}
	var tags []string
	for _, tag := range n.Tags {
		tags = append(tags, tag.Tag)
	}
	if diff := cmp.Diff([]string{"wet", "dry", "x"}, tags); diff != "" {
		t.Error(diff)
	}
}

// TestPropertiesWithoutEnd holds that a block that never ends stays text, and is told of where it looks like properties.
func TestPropertiesWithoutEnd(t *testing.T) {
	for _, c := range []struct {
		text string
		told bool
	}{
		{"---\ntitle: a\ntags: [b]\n\n# Head\n", true},
		{"---\ntags:\n  - b\n", true},
		{"--- \r\ntitle: a\r\nx:\r\n", true},
		{"---\ntitle: a\nx: b\n----\n", true},
		{"---\n\ntitle: a\nx: b\n", false},
		{"---\nA rule: and prose behind it.\nIt goes on\n", false},
		{"---\nNo rule\n", false},
		{"---\ntitle: a\nx: b\n---\n", false},
		{"title: a\nx: b\n", false},
		{"---", false},
	} {
		n := parse(c.text)
		told := len(n.Problems) == 1 && n.Problems[0].Line == 1 && n.Problems[0].Reason == "the properties are never closed by a line of three dashes"
		if told != c.told || len(n.Problems) > 0 != c.told {
			t.Errorf("%q: problems %v", c.text, n.Problems)
		}
		if told && (len(n.Frontmatter) > 0 || n.BodyLine != 1) {
			t.Errorf("%q: properties %v, body at %d", c.text, n.Frontmatter, n.BodyLine)
		}
	}
}

// TestRecoveryIsLinear holds that no block takes long.
func TestRecoveryIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	for _, unit := range []string{"a:b\n", "a: [\"b, ", "a: @\n", "- a: b: c\n", "k: [[", "\t- a\n", "k: 'a", "a:\u00a0b\n", "\u00a0", "tags: [a\n"} {
		start := time.Now()
		parse("---\nx: @\n" + strings.Repeat(unit, 60_000/len(unit)) + "\n---\n")
		parse("---\ntags: [\"" + strings.Repeat(unit, 60_000/len(unit)) + "\n---\n")
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%q: %s", unit, took)
		}
	}
}
