package compress_test

import (
	"testing"
	"unicode/utf8"

	"quarry/internal/compress"
)

// checkRules holds a text to what is true of every result.
func checkRules(t *testing.T, text string, options compress.Options) {
	t.Helper()
	result := compress.Compress(text, options)
	if len(result.Text) > len(text) || utf8.RuneCountInString(result.Text) > utf8.RuneCountInString(text) {
		t.Errorf("%d bytes became %d", len(text), len(result.Text))
	}
	if result.Changed != (result.Text != text) {
		t.Errorf("changed: %v", result.Changed)
	}
	if result.Changed != compress.IsCompressed(result.Text) && !compress.IsCompressed(text) {
		t.Errorf("changed: %v, but the mark: %v", result.Changed, !result.Changed)
	}
	if result.Dropped < 0 || result.Dropped > result.Lines || !result.Changed && result.Dropped != 0 {
		t.Errorf("%d of %d lines dropped", result.Dropped, result.Lines)
	}
	if again := compress.Compress(text, options); again != result {
		t.Errorf("another result the second time")
	}
	if again := compress.Compress(result.Text, options); again.Changed || again.Text != result.Text {
		t.Errorf("compressing again changed it:\n%s", again.Text)
	}
	if utf8.RuneCountInString(text) < 1000 && result.Changed {
		t.Errorf("a short text was changed")
	}
}
