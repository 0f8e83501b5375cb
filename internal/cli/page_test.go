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
	if want := "one [REDACTED:github-token]\ntwo [REDACTED:github-token] faint\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	out.Reset()
	fmt.Fprint(a.io.Out, "\x1b[1mbold\x1b[0m and \x1b[36mblue\x1b[0m")
	a.out.Flush()
	if want := "\x1b[1mbold\x1b[0m and \x1b[36mblue\x1b[0m"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

// Text that is longer than what is held back goes on in pieces, which part no secret.
func TestPageIsBounded(t *testing.T) {
	a, out, _ := newPage()
	line := "A line of a long answer, with words in it.\n"
	want := 0
	for size := 0; size < 3*maxHeldBytes; size += len(line) {
		if size%(97*len(line)) == 0 {
			want++
			fmt.Fprintf(a.io.Out, "a token %s\n", sampleToken)
		}
		fmt.Fprint(a.io.Out, line)
		if len(a.out.held) > maxHeldBytes {
			t.Fatalf("%d bytes are held", len(a.out.held))
		}
	}
	a.out.Flush()
	if strings.Contains(out.String(), sampleToken[10:]) || strings.Count(out.String(), "[REDACTED:github-token]") != want {
		t.Errorf("%d markers, want %d", strings.Count(out.String(), "[REDACTED:github-token]"), want)
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

// redactStrings reaches all strings below a pointer, and nothing else changes.
func TestRedactStrings(t *testing.T) {
	type inner struct {
		Text   *string
		hidden string
		Raw    any
	}
	text := "a " + sampleToken
	value := struct {
		List  []string
		Map   map[string]any
		Inner []inner
		Count int
		None  *inner
		Array [2]string
	}{
		[]string{text, "b"}, map[string]any{text: []any{text, 1.5, map[string]string{"k": text}}, "n": nil}, []inner{{&text, "h", text}}, 3, nil, [2]string{"x", text},
	}
	a, _, _ := newPage()
	a.redactStrings(&value)
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(encoded); strings.Contains(got, sampleToken[10:]) || strings.Count(got, "[REDACTED:github-token]") != 7 || !strings.Contains(got, `"Count":3`) || value.Inner[0].hidden != "h" {
		t.Errorf("got %s", got)
	}
}

func TestLineOf(t *testing.T) {
	document := "# comment\na = 1\n[t]\nb = [\n  1,\n  \"two\",\n]\nc = {d = 1, e = [\"x\", {f = 2}]}\n\n[[t.list]]\nname = \"one\"\n[[t.list]]\n\"odd key\".x = 1\n[deep.er]\ny = 2\n"
	for key, want := range map[string]int{
		"a": 2, "t": 3, "t.b": 4, "t.b[0]": 5, "t.b[1]": 6, "t.c.d": 8, "t.c.e[1].f": 8, "t.list[0]": 10, "t.list[0].name": 11, "t.list[1]": 12,
		"t.list[1].odd key.x": 13, "deep.er.y": 15, "t.b[1].none": 6, "t.none": 3, "none": 0, "": 0,
	} {
		if got := lineOf([]byte(document), key); got != want {
			t.Errorf("%s: line %d, want %d", key, got, want)
		}
	}
}
