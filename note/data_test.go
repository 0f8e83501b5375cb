package note_test

import (
	"strings"
	"testing"

	"quarry/note"

	"github.com/google/go-cmp/cmp"
)

func TestFlattenData(t *testing.T) {
	for _, test := range []struct{ name, language, text, want string }{
		{"object", "json", `{"server": {"port": 8080,
"host": "a.example"}, "debug": false, "none": null}`, "0 server.port: 8080|1 server.host: a.example|1 debug: false|1 none: null"},
		{"keys over lines", "json", `{"a\nb": {"\nc": "x\ny"}}`, "0 a b. c: x|0 y"},
		{"empty block at the end", "yaml", "a: 1\nb: |", "0 a: 1|1 b:"},
		{"list of scalars", "JSON", `{"tags": ["a", "b", 3]}`, "0 tags: a, b, 3"},
		{"list of objects", "json", `{"steps": [{"run": "make"}, {"run": "test"}]}`, "0 steps[0].run: make|0 steps[1].run: test"},
		{"list at the top", "json", "[{\"a\": 1},\n{\"a\": 2}]", "0 a: 1|1 a: 2"},
		{"mixed list", "json", `{"m": [1, 2, {"a": 3}, 4]}`, "0 m: 1, 2|0 m[2].a: 3|0 m[3]: 4"},
		{"nested lists", "json", `{"m": [[1, 2], [3]]}`, "0 m[0]: 1, 2|0 m[1]: 3"},
		{"empty ones", "json", `{"a": {}, "b": [], "c": ""}`, "0 a:|0 b:|0 c:"},
		{"escapes", "json", `{"a\"b": "x\n\ny \u00e9\ud83d\ude00 \ud800"}`, `0 a"b: x|0 y é😀 ` + "\ufffd"},
		{"lines of JSON", "jsonl", "{\"a\": 1}\n\n{\"a\": [2]}\n", "0 a: 1|2 a: 2"},
		{"mapping", "yaml", "server:\n  port: 8080\n  tags: [a, b]\nlist:\n  - x\n  - y: 1\n", "1 server.port: 8080|2 server.tags: a, b|4 list: x|5 list[1].y: 1"},
		{"block scalars", "yml", "a: |\n  one\n\n  two\nb: >\n  folded\n  text\n", "1 a: one|3 two|5 b: folded text"},
		{"documents", "yaml", "a: 1\n---\nb: 2\n", "0 a: 1|2 b: 2"},
		{"alias", "yaml", "a: &x {k: v}\nb: *x\n", "0 a.k: v|1 b: *x"},
		{"marker", "yaml", "password: [REDACTED:github-token]\nb: 1\n", "0 password: [REDACTED:github-token]|1 b: 1"},
		{
			"tables", "toml", "title = \"x\"\n[server]\nport = 8080\ntags = [\"a\", \"b\"]\n[[item]]\nn.m = 1\n[[item]]\nn = {k = true}\n[empty]\n",
			"0 title: x|2 server.port: 8080|3 server.tags: a, b|5 item[0].n.m: 1|7 item[1].n.k: true|8 empty:",
		},
	} {
		lines, ok := note.FlattenData(test.language, test.text)
		var got []string
		for _, line := range lines {
			got = append(got, string(rune('0'+line.Line))+" "+line.Text)
		}
		if diff := cmp.Diff(test.want, strings.Join(got, "|")); diff != "" || !ok {
			t.Errorf("%s: ok %v: %s", test.name, ok, diff)
		}
	}
}

func TestFlattenDataRefuses(t *testing.T) {
	for name, test := range map[string][2]string{
		"another language": {"go", `{"a": 1}`},
		"empty":            {"json", ""},
		"a scalar":         {"json", `"text"`},
		"a YAML scalar":    {"yaml", "just words"},
		"broken JSON":      {"json", `{"a": 1,}`},
		"cut JSON":         {"json", `{"a": [1, `},
		"two values":       {"json", `{"a": 1} {"b": 2}`},
		"broken YAML":      {"yaml", "a: [1\nb: 2"},
		"broken TOML":      {"toml", "a = \n"},
		"too deep":         {"json", strings.Repeat("[", 65) + "1" + strings.Repeat("]", 65)},
		"deep TOML":        {"toml", "a = " + strings.Repeat("[", 1_000_000)},
		"deep YAML":        {"yaml", strings.Repeat("[", 1_000_000)},
		"very deep":        {"json", strings.Repeat("[", 1_000_000)},
		"too many lines":   {"json", "[" + strings.Repeat(`{"a": 1},`, 10_000) + `{"a": 1}]`},
		"long keys":        {"json", `{"` + strings.Repeat("k", 1<<20) + `": {` + strings.Repeat(`"a": 1,`, 100) + `"a": 1}}`},
		"much YAML":        {"yaml", strings.Repeat("a: 1\n", 1<<20)},
	} {
		if lines, ok := note.FlattenData(test[0], test[1]); ok || lines != nil {
			t.Errorf("%s: %d lines", name, len(lines))
		}
	}
}
