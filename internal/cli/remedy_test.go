package cli

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"quarry"
)

// Commands that are advised mean what the command line named, in words that a shell takes.
func TestPlaced(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("other shells quote in another way")
	}
	a, _ := terminal(80)
	const text = "run `quarry index`, or `quarry ls --tag NAME`; `quarry links --help` and `quarry help ls` explain, `quarryman` and quarry index do not"
	if got := a.placed(text); got != text {
		t.Errorf("nothing was named: %q", got)
	}
	a.flags.vault, a.flags.db = "it's mine", "/x/y.db"
	want := "run `quarry --vault 'it'\\''s mine' --db /x/y.db index`, or `quarry --vault 'it'\\''s mine' --db /x/y.db ls --tag NAME`; `quarry links --help` and `quarry help ls` explain, `quarryman` and quarry index do not"
	if got := a.placed(text); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for word, want := range map[string]string{"a/b-c.d": "a/b-c.d", "": "''", "a b": "'a b'", "$HOME": "'$HOME'", "ü学": "ü学", "~": "'~'", "a;b": "'a;b'"} {
		if got := shellQuoted(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}

// A remedy that is said of several notes names none of them, and leaves other notes as they are.
func TestGeneralRemedy(t *testing.T) {
	for _, test := range []struct {
		path, remedy, want string
		related            []string
	}{
		{"b.md", "ask b.md, or [[b]]; not verb.md, x/b.md, b.mdx or b.md/c", "ask NOTE, or [[NOTE]]; not verb.md, x/b.md, b.mdx or b.md/c", nil},
		{"x/b.md", "[[x/b]] [[b]] x/b.md.", "[[NOTE]] [[NOTE]] NOTE.", nil},
		{"b.md", "b.md b.mdb.md (b.md)", "NOTE b.mdb.md (NOTE)", nil},
		{"b.md", "bring b.md into my b.md", "bring b.md into my b.md", []string{"my b.md"}},
		{"", "`quarry index`", "`quarry index`", nil},
	} {
		if got := generalRemedy(quarry.HealthFinding{Path: test.path, Remedy: test.remedy, Related: test.related}); got != test.want {
			t.Errorf("%s: got %q, want %q", test.path, got, test.want)
		}
	}
}

// A link can be as long as a note, and hold anything: people get its ends, in one row; two spaces stay two.
func TestLongTextsAreBounded(t *testing.T) {
	long := strings.Repeat("陶x ", 1<<18)
	if got := bounded(long, 50); runewidth.StringWidth(got) > 50 || !strings.Contains(got, "…") || !strings.HasPrefix(got, "陶x 陶x ") || !strings.HasSuffix(got, "陶x ") {
		t.Errorf("got %q", got)
	}
	for _, text := range []string{"", "My  Note", strings.Repeat("a", 50)} {
		if got := bounded(text, 50); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
	if got := bounded("a\nb\x1b", 50); got != "a␤b\ufffd" {
		t.Errorf("got %q", got)
	}
	links := decoded[quarry.NoteLinks](t, fmt.Sprintf(`{"note":"n.md","out":[{"target":%q,"kind":%[1]q,"state":"unresolved"}],"back":[{"source":"a.md","target":%[1]q,"kind":%[1]q,"state":"alias"}]}`, long))
	dead := decoded[[]quarry.DeadLink](t, fmt.Sprintf(`[{"source":"n.md","line":3,"target":%q,"kind":%[1]q,"state":"unresolved","suggestions":[%[1]q]}]`, long))
	health := decoded[quarry.Health](t, fmt.Sprintf(`{"notes":1,"findings":[{"check":"dead_link","severity":"fault","path":"n.md","message":%q,"remedy":%[1]q,"related":[%[1]q]}]}`, long))
	a, out := terminal(80)
	a.io.OutTerminal = false
	a.printLinks(links, linksFlags{everything: true}, nil)
	a.printUnresolved(dead, linksFlags{everything: true})
	a.printHealth(health, doctorFlags{all: true})
	a.printStats(quarry.GraphStats{Kinds: map[string]int{long: 1}, Rules: map[string]int{long: 1}})
	if out.Len() > 20_000 {
		t.Errorf("%d bytes", out.Len())
	}
	out.Reset()
	a.printHealth(decoded[quarry.Health](t, `{"notes":1,"findings":[{"check":"dead_link","severity":"fault","path":"n.md","message":"no note is called My  Note","remedy":"write [[My Note]]"}]}`), doctorFlags{})
	if !strings.Contains(out.String(), "called My  Note\n") {
		t.Errorf("two spaces became one:\n%s", out)
	}
}
