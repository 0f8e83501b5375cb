package cli_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"quarry/internal/cli"
)

// watching is a `quarry watch` that goes on beside the test.
type watching struct {
	*home
	out, talk lockedBuffer
	interrupt context.CancelFunc
	ended     chan int
}

// watch starts one, on a terminal of so many columns, 0 for none, and waits for its first run.
func (h *home) watch(columns int, arguments ...string) *watching {
	h.t.Helper()
	ctx, interrupt := context.WithCancel(h.t.Context())
	h.t.Cleanup(interrupt)
	w := &watching{home: h, interrupt: interrupt, ended: make(chan int, 1)}
	io := streams(&w.out, &w.talk)
	io.OutTerminal, io.ErrTerminal, io.WorkDir = columns > 0, columns > 0, h.places
	io.Width = func() int { return columns }
	io.Env = func(name string) string { return h.environment[name] }
	go func() {
		w.ended <- cli.Run(ctx, append([]string{"watch", "--db", filepath.Join(h.places, "index.db"), "--no-color"}, arguments...), io)
	}()
	w.until("the first run", func() bool { return strings.Contains(w.out.String(), "\n") })
	return w
}

func (w *watching) until(what string, isSo func() bool) {
	w.t.Helper()
	for began := time.Now(); !isSo(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			w.t.Fatalf("%s does not come: %q; %q", what, w.out.String(), w.talk.String())
		}
	}
}

// expect waits for a text.
func (w *watching) expect(text string) {
	w.t.Helper()
	w.until(text, func() bool { return strings.Contains(w.said(), text) })
}

var changing = regexp.MustCompile(`\d\d:\d\d:\d\d|\d+ ms`)

// said is the output, without what differs from run to run.
func (w *watching) said() string { return changing.ReplaceAllString(w.out.String(), "…") }

func (w *watching) remove(names ...string) {
	w.t.Helper()
	for _, name := range names {
		if err := os.Remove(filepath.Join(w.vault, name)); err != nil {
			w.t.Fatal(err)
		}
	}
}

// end interrupts it.
func (w *watching) end() {
	w.t.Helper()
	w.interrupt()
	if code := <-w.ended; code != 130 {
		w.t.Errorf("exit code %d: %s", code, w.talk.String())
	}
}

// A line of JSON tells what each run wrote.
func TestWatchTellsPrograms(t *testing.T) {
	h := newHome(t)
	h.put("a.md", "Kiln.\n")
	h.put("b.md", "Loom.\n")
	w := h.watch(0, "--json")
	w.expect(`"event":"run","indexed":2,`)
	h.put("new.md", "A quokka.\n")
	w.expect(`"written":["new.md"]`)
	w.remove("new.md")
	w.expect(`"indexed":0,"deleted":1,`)
	w.end()
	if talk := w.talk.String(); talk != "" {
		t.Errorf("beside: %q", talk)
	}
}

// A person is told what is watched, how that ends, and which notes came, changed and went.
func TestWatchTellsPeople(t *testing.T) {
	h := newHome(t)
	h.put("a.md", "Kiln.\n")
	w := h.watch(0)
	h.put("new.md", "A quokka.\n")
	w.expect("1 added: new.md")
	h.put("a.md", "Kiln and loom.\n")
	w.expect("1 changed: a.md")
	w.remove("new.md", "a.md")
	w.expect("2 deleted: a.md, new.md")
	w.end()
	want := "…  1 indexed (…)\n…  1 added: new.md (…)\n…  1 changed: a.md (…)\n…  2 deleted: a.md, new.md (…)\n"
	if got := w.said(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := w.talk.String(), "Watching "+h.vault+"; Ctrl-C ends it.\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Where a terminal has no room for the names they have rows of their own.
func TestWatchInANarrowTerminal(t *testing.T) {
	h := newHome(t)
	for _, number := range []string{"1", "2", "3", "4", "5"} {
		h.put("old/A note of long ago, number "+number+".md", "Kiln.\n")
	}
	w := h.watch(60)
	h.put(strings.Repeat("long ", 12)+"name.md", "Loom.\n")
	w.expect("name.md\n")
	if err := os.Rename(filepath.Join(h.vault, "old"), filepath.Join(h.places, "old")); err != nil {
		t.Skipf("a folder that is watched cannot be moved here: %v", err)
	}
	w.expect("more\n")
	w.end()
	want := `…  5 indexed (…)
…  1 added (…)
    added long long long long long… long long long name.md
…  5 deleted (…)
  deleted old/A note of long ago, number 1.md
  deleted old/A note of long ago, number 2.md
  deleted old/A note of long ago, number 3.md
          and 2 more
`
	if got := w.said(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for _, row := range strings.FieldsFunc(w.talk.String(), func(r rune) bool { return r == '\r' || r == '\n' }) {
		if columns := utf8.RuneCountInString(row); columns > 60 && strings.Contains(row, " ") {
			t.Errorf("a row of %d columns: %q", columns, row)
		}
	}
}

// A client is not told of runs, which may be those of private notes.
func TestWatchTellsClientsNothing(t *testing.T) {
	for _, arguments := range [][]string{{"--audience", "client"}, {"--audience", "client", "--json"}} {
		h := newHome(t)
		h.put(h.config, "[sensitivity.folders]\njournal = \"private\"\n")
		h.put("open.md", "Kiln.\n")
		h.put("journal/day.md", "Loom.\n")
		w := h.watch(0, append(arguments, "--config", h.config)...)
		first := w.out.String()
		found := func(word, path string) func() bool {
			return func() bool {
				_, out, _ := h.run("", "search", "--format", "paths", "--mode", "lexical", word)
				return strings.Contains(out, path)
			}
		}
		h.put("journal/day.md", "A quokka.\n")
		w.until("a changed note", found("quokka", "day.md"))
		w.remove("journal/day.md")
		h.put("journal/late.md", "A wombat.\n")
		w.until("a new note", found("wombat", "late.md"))
		w.remove("journal/late.md")
		w.until("a deleted note", func() bool { return !found("wombat", "late.md")() })
		for i := range 30 {
			h.put(fmt.Sprintf("journal/%d.md", i), "A numbat.\n")
		}
		h.put("journal/last.md", "A bilby.\n")
		w.until("many notes", found("bilby", "last.md"))
		for i := range 30 {
			w.remove(fmt.Sprintf("journal/%d.md", i))
		}
		time.Sleep(200 * time.Millisecond) // or it comes in one batch with the next
		h.put("other.md", "A dunnart.\n")
		w.until("what comes behind a mass delete", found("dunnart", "other.md"))
		w.end()
		if !strings.Contains(first, "up to date (") && !strings.Contains(first, `"event":"run","indexed":0,`) {
			t.Errorf("%q: the first line is %q", arguments, first)
		}
		if got := w.out.String(); got != first {
			t.Errorf("%q: after %q came %q", arguments, first, strings.TrimPrefix(got, first))
		}
		if talk := w.talk.String(); strings.Contains(talk, "journal") {
			t.Errorf("%q: %q", arguments, talk)
		}
	}
}

// What is interrupted ends with 130; servers, which have no other end, with 0. `quarry --help` says so.
func TestExitCodesOfWhatIsInterrupted(t *testing.T) {
	h := newHome(t)
	h.put("a.md", "Kiln.\n")
	h.put("queries.jsonl", `{"id":"1","query":"kiln","expected":[{"path":"a.md","grade":1}]}`+"\n")
	run := func(wait time.Duration, arguments ...string) (code int, talk string) {
		ctx, interrupt := context.WithCancel(t.Context())
		time.AfterFunc(wait, interrupt)
		if wait == 0 {
			interrupt()
		}
		var out, said lockedBuffer
		in, feed := io.Pipe()
		defer feed.Close()
		streams := streams(&out, &said)
		streams.In, streams.Env, streams.WorkDir = in, func(name string) string { return h.environment[name] }, h.places
		code = cli.Run(ctx, append(arguments, "--db", filepath.Join(t.TempDir(), "index.db")), streams)
		return code, said.String()
	}
	for _, command := range []string{"index", "index --full", "search kiln", "context kiln", "ls", "links a", "graph", "doctor", "eval " + filepath.Join(h.vault, "queries.jsonl"), "watch", "capture -", "compress", "redact", "embed"} {
		if code, talk := run(0, strings.Fields(command)...); code != 130 || strings.Contains(talk, "hint: ") {
			t.Errorf("%s: exit code %d: %s", command, code, talk)
		}
	}
	for _, command := range []string{"mcp", "mcp --http 127.0.0.1:0", "serve --addr 127.0.0.1:0"} {
		if code, talk := run(200*time.Millisecond, strings.Fields(command)...); code != 0 {
			t.Errorf("%s: exit code %d: %s", command, code, talk)
		}
	}
	if _, out, _ := h.runPlain("", "--help"); !strings.Contains(out, "130 ended by Ctrl-C") {
		t.Errorf("the codes are not in %s", out)
	}
}
