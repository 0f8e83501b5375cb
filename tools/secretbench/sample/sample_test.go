package sample_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/tools/secretbench/sample"
)

// random looks like a secret; it is none.
var random = strings.Join([]string{"q7Rt", "2vXw", "9Lm4", "Zp0K"}, "")

func TestReason(t *testing.T) {
	for _, c := range []struct{ secret, want string }{
		{random, ""},
		{"", ""},
		{"a1b2c", "short"},
		{"AKIA" + strings.Repeat("Z", 16), "repeated"},
		{"key" + strings.Repeat("x", 2) + random, ""},
		{"my-example-" + random, "placeholder"},
		{"<" + random + ">", "placeholder"},
		{"${" + random + "}", "placeholder"},
		{"k_abcdefghijklmnop", "sequence"},
		{"k_7890123456", "sequence"},
		{"k_9876543210", "sequence"},
		{"abc123xyz456def789ghi", ""},
	} {
		one := sample.Sample{Text: "it is " + c.secret, Secret: c.secret, Positive: true}
		if got := sample.Reason(one); got != c.want {
			t.Errorf("Reason(%q) = %q, want %q", c.secret, got, c.want)
		}
	}
	for _, text := range []string{"", " \n", "a\x00b", "\xff" + random} {
		if got := sample.Reason(sample.Sample{Text: text, Positive: true}); got != "binary" {
			t.Errorf("Reason of text %q = %q, want binary", text, got)
		}
	}
}

func TestFound(t *testing.T) {
	one := sample.Sample{Text: "a " + random + " b " + random, Secret: random}
	second := strings.LastIndex(one.Text, random)
	for _, c := range []struct {
		findings [][2]int
		want     bool
	}{
		{nil, false},
		{[][2]int{{0, 2}}, false},
		{[][2]int{{0, 3}}, true},
		{[][2]int{{2 + len(random), second}}, false},
		{[][2]int{{0, 1}, {second + 3, second + 5}}, true},
	} {
		if got := one.Found(c.findings); got != c.want {
			t.Errorf("Found(%v) = %v", c.findings, got)
		}
	}
	unknown := sample.Sample{Text: "a b"}
	if unknown.Found(nil) || !unknown.Found([][2]int{{0, 1}}) {
		t.Error("where the secret is not known, anything found counts and nothing else")
	}
}

func TestSelect(t *testing.T) {
	long := sample.Sample{Rule: "one", Text: "x " + random, Secret: random, Positive: true}
	again := long
	again.Rule = "two"
	short := sample.Sample{Text: "pin 1234", Secret: "1234", Positive: true}
	negative := sample.Sample{Text: "nothing"}
	binary := sample.Sample{Text: "\x00"}
	all := []sample.Sample{long, again, short, negative, binary}
	kept, leftOut := sample.Select(all, false)
	if diff := cmp.Diff([]sample.Sample{long, negative}, kept); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{"twice": 1, "short": 1, "binary": 1}, leftOut); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
	if kept, _ = sample.Select(all, true); len(kept) != 3 {
		t.Errorf("%d samples with all, want 3", len(kept))
	}
}

func TestWriteAndRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set.jsonl")
	want := []sample.Sample{{Rule: "r", Text: "a <b>\n" + random, Secret: random, Positive: true}, {Text: "kein Geheimnis – ✓"}}
	if err := sample.Write(path, want); err != nil {
		t.Fatal(err)
	}
	got, err := sample.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
