package chunk_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/chunk"
	"quarry/note"
)

func TestANoteOfPropertiesAlone(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []chunk.Passage
	}{
		{"properties of its own", "---\ntype: album\ngenre:\n  - \"[[Jazz]]\"\nrating: 7\n---\n", []chunk.Passage{{
			HeadingPath: []string{}, HeadingContext: "Kind of Blue | album", Text: "type: album\ngenre:\n  - \"[[Jazz]]\"\nrating: 7", LineStart: 2, LineEnd: 5,
		}}},
		{"no line end", "---\ngenre: jazz\n---", []chunk.Passage{{
			HeadingPath: []string{}, HeadingContext: "Kind of Blue", Text: "genre: jazz", LineStart: 2, LineEnd: 2,
		}}},
		{"filed and empty", "---\ntype: daily\ncreated: 2026-03-06\ntags: [day]\n---\n", nil},
		{"a board or a drawing without words", "---\nkanban-plugin: board\nexcalidraw-plugin: parsed\nexcalidraw-open-md: true\n---\n", nil},
		{"empty values", "---\ngenre:\nrating: \"\"\nartists: []\n---\n\n", nil},
		{"a body", "---\ngenre: jazz\n---\nHeard it twice.\n", []chunk.Passage{{
			HeadingPath: []string{}, HeadingContext: "Kind of Blue", Text: "Heard it twice.", LineStart: 4, LineEnd: 4,
		}}},
		{"nothing", "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := chunk.Split(note.Parse("Kind of Blue.md", []byte(test.text), nil), chunk.ByHeading)
			if diff := cmp.Diff(test.want, got); diff != "" && len(test.want)+len(got) > 0 {
				t.Error(diff)
			}
		})
	}
}
