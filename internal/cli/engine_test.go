package cli_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An index of an older version is not said to be missing.
func TestOlderIndexIsNotMissing(t *testing.T) {
	h := newHome(t)
	h.put("a.md", "# Kiln\n\nThe kiln is hot.\n")
	if _, _, talk := h.run("", "search", "kiln"); !strings.Contains(talk, "There is no index of") {
		t.Errorf("without an index: %s", talk)
	}
	index := filepath.Join(h.places, "index.db")
	content, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	const schemaAt = 60 // where a file of SQLite has the version of its schema
	binary.BigEndian.PutUint32(content[schemaAt:], 1)
	if err := os.WriteFile(index, content, 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, talk := h.run("", "search", "kiln")
	if !strings.Contains(talk, "is of an earlier version, or was never finished; bringing it up to date") || strings.Contains(talk, "There is no index") {
		t.Errorf("with an older index: %s", talk)
	}
}
