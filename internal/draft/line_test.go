package draft_test

import (
	"testing"

	"quarry/internal/draft"
)

// What plugins would run in a new note is not handed to them by its properties.
func TestLinesRunNothing(t *testing.T) {
	for given, want := range map[string]string{"T <% alert(1) %>": "T < % alert(1) %>", "<\u202e%* x %>": "< %* x %>", "a < b": "a < b"} {
		if got := draft.Line(given); got != want {
			t.Errorf("%q: %q, not %q", given, got, want)
		}
		if got := draft.TitleLine(given); got != want {
			t.Errorf("title %q: %q, not %q", given, got, want)
		}
	}
}
