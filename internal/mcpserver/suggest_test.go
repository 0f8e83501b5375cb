package mcpserver

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quarry"
	"quarry/internal/failure"
)

// A name of more than 256 bytes is no slip of one that is there: it costs no look at all names.
func TestLongNameHasNoSlip(t *testing.T) {
	vault := t.TempDir()
	if err := os.WriteFile(filepath.Join(vault, "Kiln recipes.md"), []byte("# Kiln recipes\n\nAsh and clay.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	engine, err := quarry.Open(t.Context(), quarry.Config{VaultDir: vault, DatabasePath: filepath.Join(t.TempDir(), "index.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	if _, err := engine.Index(t.Context(), quarry.IndexOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	const name = "/Kiln recipe"
	for length, isNear := range map[int]bool{20: true, 256: true, 257: false, 5000: false} {
		address, err := json.Marshal(strings.Repeat("d", length-len(name)) + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, argument := range []string{"file_path", "note"} {
			a := arguments{values: map[string]json.RawMessage{argument: address}, mistake: new(error)}
			said := failure.Of(withNear(t.Context(), engine, fmt.Errorf("read it: %w", quarry.ErrNotFound), a)).Suggestion
			if strings.Contains(said, "did you mean Kiln recipes.md?") != isNear {
				t.Errorf("%s of %d bytes: %s", argument, length, said)
			}
		}
	}
}

// What is at its most is not to be raised.
func TestMostIsNotRaised(t *testing.T) {
	long := quarry.Excerpt{FilePath: "a.md", LineStart: 1, LineEnd: 2, Text: strings.Repeat("words ", 100) + "\nmore\n"}
	passage := quarry.Excerpt{FilePath: "a.md", LineStart: 1, LineEnd: 9, Text: long.Text}
	for _, isMost := range []bool{false, true} {
		limit, maxTokens := maxListLimit-1, maxMaxTokens-1
		if isMost {
			limit, maxTokens = maxListLimit, maxMaxTokens
		}
		for _, said := range []string{
			moreNotes(limit), cutList(maxTokens), strings.Join(cutTo(long, 200, isMost).Notices, ""), strings.Join(cutTo(passage, 200, isMost).Notices, ""),
		} {
			if said == "" || isMost == (strings.Contains(said, "raise") || strings.Contains(said, "a larger one")) {
				t.Errorf("at most %v: %q", isMost, said)
			}
		}
	}
}
