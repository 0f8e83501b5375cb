package search_test

import (
	"strings"
	"testing"

	"quarry/search"
)

// Words that are in no note are named as they were written; what is written without spaces only where no part is found.
func TestWordsInNoNote(t *testing.T) {
	s := searcher(index(t, passage{"a.md", "学习陶土的处理", 100, ""}, passage{"b.md", "kiln and boats", 100, ""}, passage{"c.md", "trains", 120, ""}))
	for query, want := range map[string]string{
		"面包发酵":               "面包发酵",
		"面包发酵 陶土":            "面包发酵",
		"陶土面包发酵":             "",
		"usb面包发酵 kilns":      "usb, 面包发酵",
		"面包 面包发酵":            "面包, 面包发酵",
		"哈哈哈":                "哈哈哈",
		"第3章":                "第, 3, 章",
		"what is a z zorb":   "zorb",
		"what it does for C": "",
		"ที่นี่เอง":          "ที่นี่เอง",
		`"面包发酵" "x kiln"`:    "面包发酵, x kiln",
		"glaze_v2 boats":     "glaze, v2",
	} {
		got := ""
		for _, n := range ask(t, s, search.Request{Query: query, Mode: search.Lexical}).Notices {
			if absent, ok := strings.CutPrefix(n, "in no note: "); ok {
				got = absent
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
}
