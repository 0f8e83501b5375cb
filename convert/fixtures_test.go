package convert_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/convert"
)

// TestFixtures imports what fixtures/intake holds, each twice, into a vault that has notes of the same names.
func TestFixtures(t *testing.T) {
	for _, c := range []struct {
		format, folder    string
		notes, found, led int
		files             []string
	}{
		{"notion", "notion", 7, 9, 8, []string{"Workshop/Glaze tests/Celadon.md", "Workshop/A page with a very long title that the export cuts somewhere in the middle of it.md", "Workshop/Ünter-Seite 🏺.md", "fine.md"}},
		{"roam", "roam", 4, 8, 5, []string{"Harbour-2.md", "harbour-3.md", "2026-03-03.md", "Place-With- odd- name.md"}},
		{"joplin", "joplin", 3, 5, 4, []string{"Boats/Ropes- old-new/Mooring lines.md", "Boats/Knots.md", "Boats/Buy rope.md"}},
		{"bear", "bear", 2, 5, 5, []string{"Ferry times.md", "Harbour walk.md"}},
		{"apple-notes", "apple-notes", 2, 2, 2, []string{"Boat list.md", "Paint.md"}},
		{"docx", "gdocs", 1, 1, 1, []string{"field-trip.md"}},
	} {
		dir := t.TempDir()
		put(t, dir, map[string]string{"00-inbox/roam/harbour.md": "of the user", "08-attachments/x": "x"})
		options := convert.Options{Format: c.format, Export: filepath.Join("..", "fixtures", "intake", c.folder, "in"), Memory: newMemory()}
		report := mustImport(t, dir, options)
		if report.Notes.Written != c.notes || report.Links.Found != c.found || report.Links.Resolved != c.led {
			t.Errorf("%s: %+v, %+v", c.format, report.Notes, report.Links)
		}
		got := filesOf(t, dir)
		for _, name := range c.files {
			if got["00-inbox/"+c.format+"/"+name] == "" {
				t.Errorf("%s: there is no %s among %+v", c.format, name, report.Written)
			}
		}
		if got["00-inbox/roam/harbour.md"] != "of the user" {
			t.Errorf("%s: a note of the user was changed", c.format)
		}
		again := mustImport(t, dir, options)
		if diff := cmp.Diff(got, filesOf(t, dir)); diff != "" || len(again.Written)+len(again.Kept) > 0 {
			t.Errorf("%s: a second run wrote: %s", c.format, diff)
		}
	}
}
