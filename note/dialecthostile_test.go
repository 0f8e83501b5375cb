package note_test

import (
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"quarry/internal/dialect"
	"quarry/note"
	"quarry/secret"
)

// dialectUnits are what makes a careless reader of a dialect slow, repeated.
var dialectUnits = []string{
	"((", "{{", "{{{", "#[[", "key::", "key:: a\n", "- key:: [[", "[[a ", "[[a]] ", "[[[[", "]](", "[a](((", "](../ ", "#a.", "@a.", "@", "- - ",
	"- ((6501aa00-1111-4222-8333-444455556666))\n", "- id:: a\n", "#+BEGIN_SRC\n", "#+BEGIN_QUERY\n- a\n", ":LOGBOOK:\n", "- ```\n", "- # h\n",
	"SCHEDULED: <2031-01-01> ", "tags:: [[a]], ", "- TODO [#A] a\n\t", "{{cloze ", "{{embed [[", "}}", "{{query x}} ", "{{query x}}",
	"{{embed ((6501aa00-1111-4222-8333-444455556666))}} ", "{{embed [[a]]}}", "{{cloze x}} ", "{{cloze {{query x}} ", "{{video https://a.b}} ",
	"{{query x}}\n", "\t{{query x}}\n", "{{\n", "((6501aa00-1111-4222-8333-444455556666)) ", "#[[a]] ", "[a]([[b]]) ", "[a](../b c.png) ",
	"[a](((6501aa00-1111-4222-8333-444455556666))) ", "SCHEDULED: <2031-01-01>\n", "- > [!a] b\n", "[[b|a]] ", "[[b|a#c]]\n", "#a.b ", "@a.b ",
	"(@a) ", "@a\n", "[a]: b\n\n[[a]]\n\n", "-\n", "- \n\t- ",
}

// hostileToDialects gives notes of such units, and those that are hostile to Markdown, each about size bytes.
func hostileToDialects(size int) map[string]string {
	texts := hostile(size)
	for _, unit := range dialectUnits {
		texts["dialect "+unit] = strings.Repeat(unit, size/len(unit)+1)
	}
	return texts
}

// TestDialectsHostile holds that the time is linear for what is special to a dialect, and in Logseq for all that is
// hostile to Markdown.
func TestDialectsHostile(t *testing.T) {
	for _, d := range samples {
		t.Run(string(d), func(t *testing.T) {
			texts := func(size int) map[string]string {
				all := hostileToDialects(size)
				maps.DeleteFunc(all, func(name, _ string) bool { // the readers of Markdown have tests of their own
					return d != dialect.Logseq && !strings.ContainsAny(name, "@.:`")
				})
				return all
			}
			checkLinear(t, texts, func(name, text string) {
				if n := note.ParseAs(d, "pages/a.md", []byte(text), nil); n.Text != text {
					t.Errorf("%s: the text is another", name)
				}
			})
		})
	}
}

// dialectNote holds a planted secret, P, wherever a dialect takes text from.
const dialectNote = "---\ntitle: P\ntags: P, b\naliases: P\nid: P\n---\n" + `title:: P
alias:: P, [[P]]
tags:: P, #P, [[x P]]
P:: value
note:: "P"
more:: [[P]], [[Q]]
id:: P

- TODO [#A] P #P #[[P]] [[P]] [[a [[P]]]] @P
  SCHEDULED: <2031-01-01 P>
  key:: P [[P]]
  id:: P
- # P
- [P]([[P]]) [P](((6501aa00-1111-4222-8333-444455556666))) {{embed [[P]]}} {{video https://P.example}} {{cloze P}}
- ![P](../assets/a P.png) [[P|P]] [[dendron://P/P#P]] #a.P @a.P
- #+BEGIN_P
- > [!P] P

[P]: P "P"
`

// TestDialectsKeepSecrets holds that no secret leaves the package, whatever the dialect.
func TestDialectsKeepSecrets(t *testing.T) {
	raw := strings.ReplaceAll(dialectNote, "P", planted)
	var spans []secret.Span
	for at := 0; ; {
		next := strings.Index(raw[at:], planted)
		if next < 0 {
			break
		}
		spans = append(spans, secret.Span{Start: at + next, End: at + next + len(planted), Name: "planted"})
		at += next + len(planted)
	}
	for _, d := range samples {
		n := note.ParseAs(d, "pages/"+planted+".md", []byte(raw), spans)
		data, err := json.Marshal(n)
		if err != nil {
			t.Fatal(err)
		}
		whole := string(data) + n.Text + n.DeclaredID + n.Type + n.Created + n.Updated + seen(n)
		if strings.Contains(whole, planted) {
			t.Errorf("%s: the secret is in %s", d, whole)
		}
	}
}

func FuzzDialects(f *testing.F) {
	for i, d := range samples {
		root := filepath.Join("testdata", "dialects", string(d))
		for _, name := range vaultFiles(f, root, true) {
			if path.Ext(name) != ".md" {
				continue
			}
			raw, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
			if err != nil {
				f.Fatal(err)
			}
			f.Add(raw, byte(i), uint16(20), uint16(60))
		}
	}
	for _, text := range []string{
		"", "-", "- ", "\r- a\r\t- b", "a::\n", "- a::\n  b:: c\n\t- d", "((6501aa00-1111-4222-8333-444455556666))", "#[[", "{{a}}", "- #+begin_src\n#+end_src",
		"- ```\n\t- ```\n", "[a](((6501aa00-1111-4222-8333-444455556666)))", "[[a|b]]", "[[|]]", "@a.b.", "#a.b.", "#\xff.", "[//begin]: # \"a\"\n", "- id:: a\n\n\n",
		"- # \n- a", "tags:: [[", "tags:: #\n", "---\ntags: [a, [b]]\n---\n- ", "{{cloze}}", "{{embed}}", "{{{", "- [#", "- TODO", "SCHEDULED: <",
	} {
		for i := range samples {
			f.Add([]byte(text), byte(i), uint16(1), uint16(3))
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte, choice byte, from, to uint16) {
		text, _ := note.Decode(raw)
		d := samples[int(choice)%len(samples)]
		for _, spans := range [][]secret.Span{nil, {{Start: int(from), End: int(to), Name: "fuzz"}}} {
			n := note.ParseAs(d, "journals/2031_01_01.md", text, spans)
			checkFacts(t, n)
			for _, link := range n.Links {
				if spans == nil && !utf8.ValidString(link.Raw+link.Target+link.Subpath+link.Display) {
					t.Errorf("the link %q is cut within a rune", link.Raw)
				}
			}
			for _, tag := range n.Tags {
				if tag.Tag == "" || spans == nil && !utf8.ValidString(tag.Tag) {
					t.Errorf("the tag %q", tag.Tag)
				}
			}
			if spans == nil && n.Text != string(text) {
				t.Errorf("text %q", n.Text)
			}
		}
	})
}

// checkFacts holds what is true of every note, of whatever dialect.
func checkFacts(t *testing.T, n *note.Note) {
	count, last, at := len(n.LineOffsets), 0, 0
	line := func(kind string, first, end int) {
		if first < 1 || end < first || end > max(1, count) {
			t.Errorf("%s at lines %d to %d of %d", kind, first, end, count)
		}
	}
	for _, s := range n.Sections {
		line("section "+s.Type, s.LineStart, s.LineEnd)
		if s.LineStart <= last {
			t.Errorf("section %v begins at or before line %d", s, last)
		}
		last = s.LineEnd
	}
	last = 0
	for _, h := range n.Headings {
		line("heading", h.Line, h.LineEnd)
		if h.Line <= last || h.Level < 1 || h.Level > 6 {
			t.Errorf("heading %v at or before line %d", h, last)
		}
		last = h.Line
	}
	for _, b := range n.Blocks {
		line("block", b.Line, b.LineEnd)
	}
	for _, l := range n.Links {
		line("link", l.Line, l.Line)
	}
	for _, task := range n.Tasks {
		line("task", task.Line, task.Line)
		if task.ParentLine != nil && *task.ParentLine >= task.Line {
			t.Errorf("task in line %d below line %d", task.Line, *task.ParentLine)
		}
	}
	for _, r := range n.Omit {
		if r.Start < at || r.End < r.Start || r.End > len(n.Text) {
			t.Errorf("left out %v of %d bytes behind %d", r, len(n.Text), at)
		}
		at = r.End
	}
	if _, err := json.Marshal(n); err != nil {
		t.Error(err)
	}
}

func TestLogseqOfManyLines(t *testing.T) {
	n := note.ParseAs(dialect.Logseq, "pages/a.md", []byte("title:: A\n"+strings.Repeat("- [[a]]\n", 400_001)), nil)
	if len(n.Problems) == 0 || !strings.Contains(n.Problems[0].Reason, "read line by line") || len(n.Links) != 100_000 {
		t.Errorf("problems %v, %d links", n.Problems, len(n.Links))
	}
}
