package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mattn/go-runewidth"

	"quarry/intake"
	"quarry/intake/triage"
)

// inReview scores everything as in doubt.
type inReview struct{}

func (inReview) Score(signal intake.Signal) intake.Score {
	return intake.Score{Composite: .4 + float64(len(signal.Title)%10)/100, Decision: intake.Review, Domain: "web", Relevance: intake.Dimension{Value: .5, Reasons: []string{"a reason"}}}
}

// newReviewer is the list with keys over some signals, in a vault of its own.
func newReviewer(t *testing.T, count int) (*reviewer, string) {
	t.Helper()
	vault := t.TempDir()
	opened, err := triage.Open(t.Context(), triage.Options{VaultDir: vault, LedgerPath: filepath.Join(t.TempDir(), "a", "intake.db"), Scorer: inReview{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = opened.Close() })
	var inputs []triage.Input
	for at := range count {
		inputs = append(inputs, triage.Input{Name: "a.txt", Content: fmt.Appendf(nil, "Kiln 学問 %d\n\nThe %d. text \x1b[31mof it\x1b[0m, \u202e%s", at, at, strings.Repeat(fmt.Sprintf("with%d wide%d 窯 words%d and%d more ", at, at, at, at), 40))})
	}
	if _, err := opened.Add(t.Context(), inputs, triage.AddOptions{}); err != nil {
		t.Fatal(err)
	}
	a := &app{io: IO{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Env: func(string) string { return "" }, OutTerminal: true}, flags: globalFlags{noColor: true}}
	a.out = &page{app: a, to: &output{to: a.io.Out}}
	r := &reviewer{app: a, ctx: t.Context(), triage: opened, columns: 80, rows: 24}
	if err := r.load(0); err != nil {
		t.Fatal(err)
	}
	if len(r.entries) != count {
		t.Fatalf("%d of %d in the list", len(r.entries), count)
	}
	return r, vault
}

func TestKeysOf(t *testing.T) {
	for sent, want := range map[string][]string{
		"j": {"j"}, "\x1b[A\x1b[B": {"up", "down"}, "\x1b": {"escape"}, "\r": {"enter"}, "\x03": {"quit"}, "é学": {"é", "学"}, "\x1b[5~a": {"page up", "a"},
		"\x1b[1;5Cx": {"x"}, "\x1bOPj": {"j"}, "\x1b[": nil, "\x1bxj": {"j"}, "": nil,
	} {
		if diff := cmp.Diff(want, keysOf(sent)); diff != "" {
			t.Errorf("%q: %s", sent, diff)
		}
	}
}

// Each screen has at most the terminal's rows and columns and nothing that steers it, whatever was pressed.
func TestReviewFitsTheTerminal(t *testing.T) {
	r, _ := newReviewer(t, 30)
	for _, size := range [][2]int{{80, 24}, {132, 40}, {40, 8}, {20, 4}, {200, 12}, {10, 3}} {
		r.columns, r.rows = size[0], size[1]
		for _, key := range strings.Split("j,down,page down,end,up,k,enter,j,page down,end,g,escape,m,j,down,s,escape,home,G", ",") {
			r.press(key)
			view := r.view()
			rows := strings.Split(view, "\r\n")
			if len(rows) > size[1] {
				t.Errorf("%v after %s: %d rows", size, key, len(rows))
			}
			for _, row := range rows {
				if runewidth.StringWidth(row) > size[0] || strings.ContainsAny(row, "\x1b\n\r\u202e") {
					t.Errorf("%v after %s: %q", size, key, row)
				}
			}
		}
	}
}

func TestReviewKeysDecide(t *testing.T) {
	r, vault := newReviewer(t, 4)
	first, second := r.entries[0].ID, r.entries[1].ID
	if r.press("a"); len(r.entries) != 3 || r.entries[0].ID != second || !strings.Contains(r.said, "routed") {
		t.Errorf("accept: %d left, %q", len(r.entries), r.said)
	}
	notes := func(domain string) int {
		list, _ := os.ReadDir(filepath.Join(vault, "05-signals", domain)) // none where it is missing
		return len(list)
	}
	if notes("web") != 1 {
		t.Error("no note of what was accepted")
	}
	if r.press("u"); len(r.entries) != 4 || r.entries[r.at].ID != first || notes("web") != 0 {
		t.Errorf("undo: %d, %q", len(r.entries), r.said)
	}
	for _, key := range []string{"m", "d", "enter"} { // to the next domain with a d, from web on: data
		r.press(key)
	}
	if notes("data") != 1 {
		t.Errorf("move: %q", r.said)
	}
	for range 3 {
		r.press("d")
	}
	if len(r.entries) != 0 || !strings.Contains(r.view(), "Nothing waits") {
		t.Errorf("%d left:\n%s", len(r.entries), r.view())
	}
	for _, key := range []string{"a", "d", "m", "enter", "j", "k"} { // of nothing
		if r.press(key) {
			t.Errorf("%s ends it", key)
		}
	}
	if !r.press("q") || !r.press("quit") {
		t.Error("q does not end it")
	}
}

// Keys that come in, and the end of the input, end the loop.
func TestReviewReadsKeys(t *testing.T) {
	r, _ := newReviewer(t, 3)
	r.app.io.In = strings.NewReader("jdq")
	var out bytes.Buffer
	r.app.out.to.to = &out
	r.app.io.Out = r.app.out
	if err := r.run(func() (int, int) { return 80, 24 }); err != nil || len(r.entries) != 2 || !strings.Contains(out.String(), "Review: 1 of 3") {
		t.Errorf("%v, %d left, %q", err, len(r.entries), out.String())
	}
}
