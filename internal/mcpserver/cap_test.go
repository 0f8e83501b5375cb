package mcpserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"quarry"
)

// Markers can be longer than what they stand for: the bound holds for the document as it is handed out.
func TestBoundHoldsForMarkers(t *testing.T) {
	filter, err := quarry.NewRedactor(quarry.RedactionOptions{
		Patterns: []quarry.RedactionPattern{{Name: "the-number-of-a-kiln-or-of-another-oven", Pattern: "kiln-[0-9]"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i := range 400 {
		fmt.Fprintf(&text, "kiln-%d glows. ", i%10)
	}
	answer := quarry.SearchAnswer{Query: "kiln-1", Results: []quarry.SearchResult{{FilePath: "a.md", ChunkText: text.String()}, {FilePath: "b.md", ChunkText: text.String()}}, Notices: []string{}}
	for _, maxCharacters := range []int{200, 500, 1000, 2000, 8000, 20000, 100000} {
		document, err := documentOf(answer, filter, maxCharacters)
		if err != nil {
			t.Fatal(err)
		}
		if length := utf8.RuneCount(document); length > maxCharacters || length < maxCharacters/2 && maxCharacters > 500 && maxCharacters < 20000 {
			t.Errorf("%d characters of %d", length, maxCharacters)
		}
		if strings.Contains(string(document), "kiln-1") || !json.Valid(document) || maxCharacters >= 1000 && !strings.Contains(string(document), "[REDACTED:the-number") {
			t.Errorf("%d characters: %.300s", maxCharacters, document)
		}
	}
}
