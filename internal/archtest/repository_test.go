package archtest_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoticeNamesModules asks for a place in NOTICE for each module that go.mod requires.
func TestNoticeNamesModules(t *testing.T) {
	root := moduleRoot(t)
	notice := readFile(t, root, "NOTICE")
	for line := range strings.Lines(readFile(t, root, "go.mod")) {
		fields := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "require "))
		if len(fields) < 2 || !strings.Contains(fields[0], "/") || !strings.HasPrefix(fields[1], "v") {
			continue
		}
		if !strings.Contains(notice, "\n"+fields[0]+" ") {
			t.Errorf("NOTICE does not name %s: add it with its licence and copyright", fields[0])
		}
	}
}

// TestExampleQueries holds the golden queries of the example vault to the notes that are there.
func TestExampleQueries(t *testing.T) {
	root := moduleRoot(t)
	vault := filepath.Join(root, "examples", "vault")
	lines := bufio.NewScanner(strings.NewReader(readFile(t, root, "examples", "queries.jsonl")))
	seen := map[string]bool{}
	for lines.Scan() {
		var query struct {
			ID, Query, Intent string
			Expected          []struct {
				Path, Section string
				Grade         int
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &query); err != nil {
			t.Fatalf("read line %q: %v", lines.Text(), err)
		}
		if query.ID == "" || query.Query == "" || len(query.Expected) == 0 || seen[query.ID] {
			t.Errorf("%q: an id of its own, a query and an expectation are needed", lines.Text())
		}
		seen[query.ID] = true
		if query.Intent != "lookup" && query.Intent != "concept" && query.Intent != "mixed" {
			t.Errorf("%s: intent %q is unknown", query.ID, query.Intent)
		}
		for _, expected := range query.Expected {
			if expected.Grade != 1 && expected.Grade != 2 {
				t.Errorf("%s: grade %d is neither 1 nor 2", query.ID, expected.Grade)
			}
			text := readFile(t, vault, filepath.FromSlash(expected.Path))
			if expected.Section != "" && !strings.Contains(text, "\n## "+expected.Section+"\n") {
				t.Errorf("%s: %s has no section %q", query.ID, expected.Path, expected.Section)
			}
		}
	}
	if len(seen) < 20 {
		t.Errorf("%d queries, want 20 or more", len(seen))
	}
}

// TestOneCredentialInExamples keeps the one credential of the example vault whole: it is there to be redacted.
func TestOneCredentialInExamples(t *testing.T) {
	incident := readFile(t, moduleRoot(t), "examples", "vault", "01-projects", "Tidebook", "Incident 2026-02-11 Nightly backup.md")
	if !strings.Contains(incident, "AKIAIOSFODNN7"+"EXAMPLE") {
		t.Error("the sample key is gone from the example vault")
	}
}

func readFile(t *testing.T, elements ...string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(content), "\r\n", "\n")
}
