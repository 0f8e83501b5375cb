package note_test

import (
	"strings"
	"testing"

	"quarry/internal/dialect"
	"quarry/note"
)

// TestGeneratedDefinitionsOfFoam holds that definitions of links of the note are no text of it, and the user's own are.
func TestGeneratedDefinitionsOfFoam(t *testing.T) {
	text := "See [[kiln]], [[glaze|the glaze]] and [[clay#Red|red]], or [home] and [mill].\n\n" +
		"[kiln]: kiln.md 'Kiln'\n[glaze|the glaze]: ../glaze.md \"Glaze\"\n[clay#Red|red]: clay.md\n[glaze]: ../glaze.md 'Glaze'\n" +
		"[clay#Red]: clay.md 'Clay'\n[home]: https://potters.example.org\n[mill]: mill.md\n"
	shown := seen(note.ParseAs(dialect.Foam, "a.md", []byte(text), nil))
	if strings.Contains(shown, "glaze.md") || strings.Contains(shown, "clay.md") || strings.Contains(shown, "kiln.md") {
		t.Errorf("generated definitions are shown: %q", shown)
	}
	if !strings.Contains(shown, "[home]: https") || !strings.Contains(shown, "[mill]: mill.md") {
		t.Errorf("a definition of the user's own is gone: %q", shown)
	}
}
