package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/tools/secretbench/sample"
)

// value looks like a secret; it is none.
var value = strings.Join([]string{"q7rt", "2vxw", "9lm4", "zp0k"}, "")

// tree writes files, by their slash path, and returns their folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func same(t *testing.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestExtendedPatterns(t *testing.T) {
	for _, c := range []struct{ pattern, text, want string }{
		{"(?xi) # a comment [\n acme \\  key \\s* = ( [a-z 0-9]{16} ) \n", "ACME key =" + value, value},
		{"(?x)(?i) acme (?# the name ) \\#( [a-z0-9]+ )", "acme#" + value, value},
		{"acme ([a-z0-9]+)\n", "acme " + value, value},
		{"(x)(?P<TOKEN>[0-9]+)([a-z]+)", "x1abcdef", "1"},
		{"ab(c)(def)", "abcdef", ""},
		{"ab(cd)", "abcd", "cd"},
		{"ab.", "abc", "abc"},
		{"zz", "abc", ""},
	} {
		pattern, err := regexp.Compile(withoutExtended(c.pattern))
		if err != nil {
			t.Errorf("%q: %v", c.pattern, err)
			continue
		}
		if got := captured(pattern, c.text); got != c.want {
			t.Errorf("%q caught %q, want %q", c.pattern, got, c.want)
		}
	}
}

func TestYAMLRules(t *testing.T) {
	rules := "rules:\n- id: acme.1\n  pattern: 'acme-([a-z0-9]{16})'\n  examples: ['acme-" + value + "']\n  negative_examples: [acme-x]\n" +
		"- id: acme.2\n  visible: false\n  pattern: 'client [0-9]+'\n  examples: [client 12]\n"
	samples, unread, err := kingfisher(tree(t, map[string]string{"data/rules/acme.yml": rules}), 0)
	if err != nil {
		t.Fatal(err)
	}
	same(t, []sample.Sample{
		{Rule: "acme.1", Text: "acme-" + value, Secret: value, Positive: true},
		{Rule: "acme.1", Text: "acme-x"},
	}, samples)
	same(t, map[string]int{"of an identifier": 1}, unread)
}

func TestSecretlintSnapshots(t *testing.T) {
	text := "🔑 " + value + "\n"
	snapshot := func(content string, ranges ...[2]int) string {
		messages := []map[string]any{}
		for _, one := range ranges {
			messages = append(messages, map[string]any{"type": "message", "range": one})
		}
		data, err := json.Marshal(map[string]any{"sourceContent": content, "sourceContentType": "text", "messages": messages})
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	folder := "packages/@secretlint/secretlint-rule-"
	samples, unread, err := secretlint(tree(t, map[string]string{
		folder + "acme/test/snapshots/ng.one/output.json":     snapshot(text, [2]int{3, 3 + len(value)}),
		folder + "acme/test/snapshots/ok.none/output.json":    snapshot("nothing"),
		folder + "no-homedir/test/snapshots/ng.a/output.json": snapshot(text, [2]int{0, 1}),
	}), 0)
	if err != nil {
		t.Fatal(err)
	}
	same(t, []sample.Sample{{Rule: "acme", Text: text, Secret: value, Positive: true}, {Rule: "acme", Text: "nothing"}}, samples)
	same(t, map[string]int{"of a policy": 1}, unread)
}

func TestTrufflehogTables(t *testing.T) {
	source := `package acme
const key, number = "` + value + `", 3
var text = "acme " + key
func TestPattern(t *testing.T) {
	inner := fmt.Sprintf("acme %s %d", key, number)
	tests := []struct{ name, input string; want []string }{
		{name: "one", input: text, want: []string{key}},
		{name: "two", input: inner, want: []string{key + number}},
		{name: "none", input: strings.Repeat("a", 3), want: nil},
		{name: "unknown", input: made(), want: nil},
		{name: "results", input: text, want: []detectors.Result{}},
	}
}`
	samples, unread, err := trufflehog(tree(t, map[string]string{
		"pkg/detectors/acme/acme_test.go": source, "pkg/detectors/acme/acme_integration_test.go": "package acme", "pkg/detectors/acme/acme.go": "package acme",
	}), 0)
	if err != nil {
		t.Fatal(err)
	}
	same(t, []sample.Sample{
		{Rule: "acme", Text: "acme " + value, Secret: value, Positive: true},
		{Rule: "acme", Text: "acme " + value + " 3", Positive: true},
		{Rule: "acme", Text: "aaa"},
	}, samples)
	same(t, map[string]int{"input not literal": 1, "want not literal": 1}, unread)
}
