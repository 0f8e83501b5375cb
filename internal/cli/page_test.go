package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
)

// sampleToken is a made-up credential, put together so that this file holds none.
var sampleToken = "ghp" + "_" + strings.Repeat("aB3dE5", 6)

func newPage() (*app, *bytes.Buffer, *bytes.Buffer) {
	var out, talkTo bytes.Buffer
	a := &app{io: IO{Env: func(string) string { return "" }}}
	a.out = &page{app: a, to: &output{to: &out}}
	a.io.Out, a.io.Err = a.out, &talk{app: a, to: &talkTo}
	return a, &out, &talkTo
}

// A secret that comes in pieces, or in colours, is seen as a whole.
func TestPageSeesPieces(t *testing.T) {
	a, out, _ := newPage()
	for _, piece := range []string{"one ", sampleToken[:9], sampleToken[9:], "\n", "two \x1b[1;33mghp\x1b[0m" + sampleToken[3:] + " \x1b[2mfaint\x1b[0m\n"} {
		fmt.Fprint(a.io.Out, piece)
	}
	a.out.Flush()
	if got, want := escapeSequence.ReplaceAllString(out.String(), ""), "one [REDACTED:github-token]\ntwo [REDACTED:github-token] faint\n"; got != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	out.Reset()
	fmt.Fprint(a.io.Out, "\x1b[1mbold\x1b[0m and \x1b[36mblue\x1b[0m")
	a.out.Flush()
	if want := "\x1b[1mbold\x1b[0m and \x1b[36mblue\x1b[0m"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

// What announces a secret is seen with it, however much stands between the beginning and there.
func TestPageSeesAll(t *testing.T) {
	a, out, _ := newPage()
	line := "A line of a long answer, with words in it.\n"
	want := 0
	for size := 0; size < 20<<20; size += len(line) {
		if size%(9973*len(line)) == 0 {
			want++
			fmt.Fprint(a.io.Out, "password:")
			fmt.Fprint(a.io.Out, " Xk9vmQ2k7pLwe8Rz\n")
		}
		fmt.Fprint(a.io.Out, line)
	}
	a.out.Flush()
	if strings.Contains(out.String(), "Xk9vmQ2k") || strings.Count(out.String(), "[REDACTED:") != want || want < 40 {
		t.Errorf("%d markers, want %d", strings.Count(out.String(), "[REDACTED:"), want)
	}
}

// What is said on standard error stands behind what was printed before it.
func TestTalkKeepsOrder(t *testing.T) {
	var both bytes.Buffer
	a := &app{io: IO{Env: func(string) string { return "" }}}
	a.out = &page{app: a, to: &output{to: &both}}
	a.io.Out, a.io.Err = a.out, &talk{app: a, to: &both}
	fmt.Fprintln(a.io.Out, "printed")
	a.notice("said of %s", sampleToken)
	fmt.Fprintln(a.io.Out, "printed again")
	a.out.Flush()
	if want := "printed\nsaid of [REDACTED:github-token]\nprinted again\n"; both.String() != want {
		t.Errorf("got %q", both.String())
	}
}

// A record of the log is filtered before it is quoted: an escaped quotation mark does not hide what stands behind it.
func TestLogIsRedacted(t *testing.T) {
	a, _, talkTo := newPage()
	a.flags.logLevel = "debug"
	logger, err := a.logger()
	if err != nil {
		t.Fatal(err)
	}
	logger.Debug("read "+sampleToken, "text", `password = "zKq81LmPw0xT"`, "error", os.NewSyscallError(sampleToken, os.ErrNotExist), "number", 3, slog.Group("group", "in", sampleToken))
	written := talkTo.String()
	if strings.Contains(written, sampleToken[10:]) || strings.Contains(written, "zKq81LmPw0xT") || !strings.Contains(written, "number=3") {
		t.Errorf("wrote %s", written)
	}
}

// An answer is printed without secrets, whatever holds them, and as it is where it has none.
func TestShowRedactsAnswers(t *testing.T) {
	type inner struct {
		Text *string `json:"text"`
	}
	type answer struct {
		List   []string       `json:"list"`
		Map    map[string]any `json:"map"`
		Inner  []inner        `json:"inner"`
		Count  int            `json:"count"`
		Hidden []string       `json:"-"`
	}
	a, _, _ := newPage()
	text := "a " + sampleToken
	show := func(given answer) (got answer) {
		t.Helper()
		if err := show(a, given, false, func(clean answer) error { got = clean; return nil }); err != nil {
			t.Error(err)
		}
		return got
	}
	got := show(answer{[]string{text, "b"}, map[string]any{text: []any{text, 1.5, map[string]string{"k": text}}, "n": nil}, []inner{{&text}}, 3, []string{text}})
	encoded, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(encoded), sampleToken[10:]) || strings.Count(string(encoded), "[REDACTED:github-token]") != 5 || got.Count != 3 || got.Hidden != nil || text != "a "+sampleToken {
		t.Errorf("got %s, %q", encoded, got.Hidden)
	}
	if got := show(answer{List: []string{"x"}, Hidden: []string{"y"}}); len(got.Hidden) != 1 || got.List[0] != "x" {
		t.Errorf("changed: %v", got)
	}
}

func TestLineOf(t *testing.T) {
	document := "# comment\na = 1\n[t]\nb = [\n  1,\n  \"two\",\n]\nc = {d = 1, e = [\"x\", {f = 2}]}\n\n[[t.list]]\nname = \"one\"\n[[t.list]]\n\"odd key\".x = 1\n[deep.er]\ny = 2\n"
	for key, want := range map[string]int{
		"a": 2, "t": 3, "t.b": 4, "t.b[0]": 5, "t.b[1]": 6, "t.c.d": 8, "t.c.e[1].f": 8, "t.list[0]": 10, "t.list[0].name": 11, "t.list[1]": 12,
		"t.list[1].odd key.x": 13, "deep.er.y": 15, "t.b[1].none": 6, "t.none": 3, "none": 0, "": 0,
	} {
		if got := lineOf(tomlLines([]byte(document)), key); got != want {
			t.Errorf("%s: line %d, want %d", key, got, want)
		}
	}
}
