package chunk_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quarry/chunk"
	"quarry/note"
	"quarry/secret"
)

func TestANoteOfPropertiesAlone(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []chunk.Passage
	}{
		{"properties of its own", "---\ntype: album\ngenre:\n  - \"[[Jazz]]\"\nrating: 7\n---\n", []chunk.Passage{{
			HeadingPath: []string{}, HeadingContext: "Kind of Blue | album", Text: "genre:\n  - \"[[Jazz]]\"\nrating: 7", LineStart: 3, LineEnd: 5,
		}}},
		{"a comment of YAML", "---\nauthor: Jo\n# private remark\nrating: 7\n---\n", []chunk.Passage{{
			HeadingPath: []string{}, HeadingContext: "Kind of Blue", Text: "author: Jo\nrating: 7", LineStart: 2, LineEnd: 4,
		}}},
		{"no line end", "---\ngenre: jazz\n---", []chunk.Passage{{
			HeadingPath: []string{}, HeadingContext: "Kind of Blue", Text: "genre: jazz", LineStart: 2, LineEnd: 2,
		}}},
		{"filed and empty", "---\ntype: daily\ncreated: 2026-03-06\ntags: [day]\n---\n", nil},
		{"a board or a drawing without words", "---\nkanban-plugin: board\nexcalidraw-plugin: parsed\nexcalidraw-open-md: true\n---\n", nil},
		{"empty values", "---\ngenre:\nrating: \"\"\nartists: []\n---\n\n", nil},
		{"what is filed between its own", "---\nid: a1\ndesc: An album\nupdated: 1630000000000\ntags:\n  - x\n'page-type': note\nplace: ''\ngenre: jazz\ncreated: 1\n---\n", []chunk.Passage{{
			HeadingPath: []string{}, HeadingContext: "Kind of Blue | x", Text: "desc: An album\ngenre: jazz", LineStart: 3, LineEnd: 9,
		}}},
		{"a stub", "---\nid: a1\ntitle: Kind of Blue\ndesc: ''\nupdated: 1630000000000\nstub: true\n---\n", nil},
		{"a body", "---\ngenre: jazz\n---\nHeard it twice.\n", []chunk.Passage{{
			HeadingPath: []string{}, HeadingContext: "Kind of Blue", Text: "Heard it twice.", IndexText: "genre: jazz", LineStart: 4, LineEnd: 4,
		}}},
		{"nothing", "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := chunk.Split(note.Reader{}.Read("Kind of Blue.md", []byte(test.text)), chunk.ByHeading)
			if diff := cmp.Diff(test.want, got, cmpopts.IgnoreUnexported(chunk.Passage{})); diff != "" && len(test.want)+len(got) > 0 {
				t.Error(diff)
			}
		})
	}
}

// TestPropertiesAreFound holds what of the properties the first passage is found by.
func TestPropertiesAreFound(t *testing.T) {
	long := strings.Repeat("word ", 700)
	for _, c := range []struct{ properties, body, want string }{
		{"author: Melville\ndescription: A whale, and who hunts it\n", "Heard.", "author: Melville\ndescription: A whale, and who hunts it"},
		{"author: \"[[Herman Melville|Melville]]\"\nread: 2026-03-04\npages: 635\nisbn: 9780142437247\n", "Heard.", "author: Herman Melville Melville"},
		{"genre: [\"[[novel]]\", sea, 7, '12:30']\n", "Heard.", "genre: novel, sea"},
		{"place:\n  town: Nantucket\n  at: 2026-03-04T10:00:00Z\ncrew:\n  - name: Ahab\n  - name: Ishmael\n", "Heard.", "crew.name: Ahab\ncrew.name: Ishmael\nplace.town: Nantucket"},
		{"url: https://a.example/b\nnote: see https://a.example/b there\ncover: a/b.png\nsum: 5f4dcc3b5aa765d6\ndone: true\nnone:\n", "Heard.", "note: see there"},
		{"title: T\ntags: [a]\ntype: book\nstatus: read\npage-type: novel\n", "Heard.", ""},
		{"author: Melville\n", "The author is Melville.", ""},
		{"a: x\nlong: " + long + "\nz: y\n", "Heard.", "a: x\nlong: " + long[:993] + "…\nz: y"},
		{"author: Melville\n", "```json\n{\"a\": {\"b\": 1}}\n```", "author: Melville\na.b: 1"},
	} {
		passages := split("---\n" + c.properties + "---\n" + c.body + "\n\n# B\n" + enough + "\n# C\n" + enough + "\n")
		if got := passages[0].IndexText; got != c.want {
			t.Errorf("%.80q is found by %.200q, want %q", c.properties, got, c.want)
		}
		if last := passages[len(passages)-1]; len(passages) < 2 || last.IndexText != "" {
			t.Errorf("%.80q: the last of %d passages is found by %q", c.properties, len(passages), last.IndexText)
		}
	}
}

func TestPropertiesHoldNoSecrets(t *testing.T) {
	const text = "---\nauthor: Melville\nnote: the key is AKIAIOSFODNN7EXAMPLQ here\n---\n" + enough + "\n"
	filter, err := secret.New(secret.Options{Patterns: []secret.Pattern{{Name: "planted", Pattern: `AKIA[A-Z0-9]{16}`}}})
	if err != nil {
		t.Fatal(err)
	}
	got := chunk.Split(note.Reader{Filter: filter}.Read("a.md", []byte(text)), chunk.ByHeading)[0].IndexText
	if strings.Contains(got, "AKIA") || !strings.HasPrefix(got, "author: Melville\nnote: the key is ") || !strings.HasSuffix(got, " here") {
		t.Errorf("found by %q", got)
	}
}
