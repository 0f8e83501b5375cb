package cli

import (
	"strings"
	"testing"
)

func TestMarkedWords(t *testing.T) {
	for _, test := range []struct{ word, query, want string }{
		{"Kilns", "kiln", "<Kilns>"},
		{"brick", "kiln", "brick"},
		{"学习陶土的处理", "陶土", "学习<陶土>的处理"},
		{"陶土", "陶土", "<陶土>"},
		{"茶杯也做了", "陶土", "茶杯也做了"},
	} {
		marked := strings.NewReplacer(styleMark, "<", styleEnd, ">").Replace(markWord(test.word, []queryWord{{test.query, 1}}))
		if marked != test.want {
			t.Errorf("%s for %s: got %s, want %s", test.word, test.query, marked, test.want)
		}
	}
}
