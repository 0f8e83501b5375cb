package capture_test

import (
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"quarry/internal/capture"
	"quarry/internal/draft"
	"quarry/internal/steering"
	"quarry/note"
)

// hostile are values that some reader of YAML, of Markdown or of a file system may take for something else.
var hostile = []string{
	"plain words", "a: b", "- item", "---", "--- # x", "true", "No", "null", "~", "1e3", "0x1F", "2026-01-31", "12:30:45", "'", `"`, `a "quoted" \ back`,
	"[a, b]", "{a: b}", "#tag", "a #tag", "& * ! | > % @ `", "?", "? a", "key:", ": x", "end:", "=", "<<", ".inf", ".NaN", "y", "on", "a, b", "\\u0041", "%YAML",
	"tab\tinside", "line\nbreak: x\n---\nother", "\x00nul", "bell\a", "\x1b[31mred\x1b[0m", "\u202eevil", "a\u2028b\u2029c", "\ufeffbom", "a\ufeffb", "\uffff", "a\U000E0041b",
	"學問 の道", "العربية", "עברית: x", "👩\u200d👩\u200d👧 family", "café cafe\u0301", "می\u200cخواهم", "\xff\xfe", "CON", "nul.txt", "a/b\\c", "..", ".hidden", " blanks ", "dot.", "x" + strings.Repeat(" long", 400),
	"", "\u0301", "…", "'''", "![[x]]", "[[x|y]]", "<b>", "%%x%%", "\u0085next", "\u00a0nbsp\u00a0", "\U0001F600\U0001F600", "🏴\U000E0067\U000E007F",
}

type properties struct {
	Title, Type, Domain, Source, Status, Created string
	Tags                                         []string
}

// readBack checks that YAML and our own reader get the values of a note back as they are.
func readBack(t *testing.T, n capture.Note) {
	t.Helper()
	content := n.String()
	head, isHead := strings.CutPrefix(content, "---\n")
	head, body, ends := strings.Cut(head, "\n---\n")
	if !isHead || !ends {
		t.Fatalf("no frontmatter: %q", content)
	}
	var got properties
	if err := yaml.Unmarshal([]byte(head), &got); err != nil {
		t.Fatalf("%v in %q", err, head)
	}
	want := properties{n.Title, n.Type, n.Domain, n.Source, capture.Status, n.Created.Format("2006-01-02T15:04:05"), n.Tags}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("YAML reads other values from %q:\n%s", head, diff)
	}
	if body != n.Text+"\n" || draft.Body(content) != n.Text {
		t.Errorf("another body: %q, %q, want %q", body, draft.Body(content), n.Text)
	}
	if back := draft.Body(strings.ReplaceAll(content, "\n", "\r\n")); back != n.Text {
		t.Errorf("another body with other ends of lines: %q, want %q", back, n.Text)
	}
	parsed := note.Reader{}.Read("a.md", []byte(content))
	if parsed.Title != n.Title || len(parsed.FrontmatterErrors) > 0 {
		t.Errorf("our reader has the title %q and %v, want %q", parsed.Title, parsed.FrontmatterErrors, n.Title)
	}
}

var created = time.Date(2026, 3, 5, 9, 12, 7, 0, time.UTC)

func noteOf(value string) capture.Note {
	n := capture.Note{
		Title: draft.TitleLine(value), Type: "note", Domain: draft.Line(value), Source: draft.Line(value), Created: created, Text: draft.Text(value),
	}
	if n.Title == "" {
		n.Title = draft.TitleOf(n.Text)
	}
	if tag, ok := draft.Tag(value); ok {
		n.Tags = []string{tag, "other"}
	}
	return n
}

func TestNotesAreReadBack(t *testing.T) {
	for _, value := range hostile {
		t.Run("", func(t *testing.T) {
			n := noteOf(value)
			readBack(t, n)
			for _, line := range append(n.Tags, n.Title, n.Domain) {
				if strings.ContainsFunc(line, steering.Is) {
					t.Errorf("%q steers", line)
				}
			}
			if draft.Text(n.Text) != n.Text || draft.Line(n.Domain) != n.Domain || draft.TitleLine(n.Title) != n.Title {
				t.Errorf("%q: twice is something else than once", value)
			}
			wantSafeName(t, draft.FileStem(created, value))
		})
	}
}

func wantSafeName(t *testing.T, stem string) {
	t.Helper()
	for _, r := range strings.TrimPrefix(stem, "2026-03-05-0912") {
		if r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			t.Errorf("%U in the name %q", r, stem)
		}
	}
	if !strings.HasPrefix(stem, "2026-03-05-0912") || strings.HasSuffix(stem, "-") || len(stem) > 100 || !utf8.ValidString(stem) {
		t.Errorf("the name %q", stem)
	}
}

func FuzzNote(f *testing.F) {
	for _, value := range hostile {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		readBack(t, noteOf(value))
		wantSafeName(t, draft.FileStem(created, value))
	})
}

func TestForm(t *testing.T) {
	got := capture.Note{
		Title: "Why: a test", Type: "note", Domain: "security", Tags: []string{"oauth", "2fa"}, Source: "https://example.org/a?b=c", Created: created, Text: "One.\n\n---\nTwo.",
	}.String()
	want := "---\ntitle: \"Why: a test\"\ntype: note\ndomain: security\ntags:\n  - oauth\n  - \"2fa\"\ncreated: 2026-03-05T09:12:07\n" +
		"source: \"https://example.org/a?b=c\"\nstatus: draft\n---\nOne.\n\n---\nTwo.\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTitleOf(t *testing.T) {
	for text, want := range map[string]string{
		"# A heading\n\nText":        "A heading",
		"- [ ] **do** it":            "do it",
		"> quoted words":             "quoted words",
		"```go\nfunc main() {}\n```": "func main() {}",
		"---\n\n***\nwords":          "words",
		"":                           "Captured note",
		"🎉🎉":                         "Captured note",
		"1. first\n2. second":        "first",
		strings.Repeat("word ", 40):  strings.TrimSpace(strings.Repeat("word ", 15)) + "…",
		strings.Repeat("学", 100):     strings.Repeat("学", 79) + "…",
		strings.Repeat("y", 1<<20) + "\nnever here": strings.Repeat("y", 79) + "…",
	} {
		if got := draft.TitleOf(text); got != want {
			t.Errorf("%.40q: %q, want %q", text, got, want)
		}
	}
}

func TestTag(t *testing.T) {
	for tag, want := range map[string]string{
		"oauth": "oauth", "#oauth": "oauth", "##a": "a", "two words": "two-words", "a/b": "a/b", "/a//b/": "a/b", "2026": "", "2026/01": "", "2fa": "2fa", "": "", "!": "", "a,b": "ab",
		"学問": "学問", "🎉": "🎉", "a-": "a", "-a": "a", "C++": "C", "\u202ea": "a", "a: b": "a-b",
	} {
		if got, ok := draft.Tag(tag); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %v, want %q", tag, got, ok, want)
		}
	}
}

func TestFileStem(t *testing.T) {
	for title, want := range map[string]string{
		"The gear slips when cold": "-the-gear-slips-when-cold", "CON": "-con", "": "", "🎉": "", "Don't": "-dont", "Ünïcode": "-ünïcode", "u\u0308ber": "-über", "a.b/c\\d:e": "-a-b-c-d-e",
		"می\u200cخواهم": "-میخواهم", "हिन्दी": "-हिन्दी", "\u0301a": "-a", strings.Repeat("a", 200): "-" + strings.Repeat("a", 80), strings.Repeat("word ", 40): "-word" + strings.Repeat("-word", 15),
		strings.Repeat("é", 60): "-" + strings.Repeat("é", 40),
	} {
		if got := draft.FileStem(created, title); got != "2026-03-05-0912"+want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"a\r\nb\rc": "a\nb\nc", "\n \n  a\n\n": "  a", "\x1b[1;31mred\x1b[0m \x1b]0;title\a": "red", "a\x00b\tc": "ab\tc", "<% tp.x %>": `<\% tp.x %>`, "<<%": `<<\%`, "\ufeffa": "a", "  \n\n": "",
	} {
		if got := draft.Text(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A megabyte of anything takes no longer than a blink.
func TestTextIsBounded(t *testing.T) {
	for _, text := range []string{strings.Repeat("\n", 1<<20), strings.Repeat("\x1b[", 1<<19), strings.Repeat("<%", 1<<19), strings.Repeat("> ", 1<<19), strings.Repeat("```\n", 1<<18)} {
		started := time.Now()
		draft.TitleOf(draft.Text(text))
		draft.FileStem(created, text)
		draft.Tag(text)
		if took := time.Since(started); took > 2*time.Second && runtime.NumCPU() > 1 {
			t.Errorf("%.10q took %v", text, took)
		}
	}
}
