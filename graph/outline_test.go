package graph_test

import (
	"testing"

	"quarry/graph"
)

func TestPlainHeading(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "",
		"#: [!]":                     "",
		"  Kiln:\t(second)  firing ": "kiln second firing",
		"a\\b/c":                     "a b c",
		"Caf\u0065\u0301":            "caf\u00e9",
		"ÜBER\u00a0uns\u3000x":       "über uns x",
		"it's - a_b":                 "it's - a_b",
	} {
		if got := graph.PlainHeading(text); got != want {
			t.Errorf("PlainHeading(%q) = %q, want %q", text, got, want)
		}
	}
}
