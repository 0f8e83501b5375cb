package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"quarry"
)

// longVault has notes that no small answer holds: of many lines, of one long line, and many with many links.
func longVault(t *testing.T) *client {
	t.Helper()
	var lines, links strings.Builder
	for i := range 300 {
		fmt.Fprintf(&lines, "Line %d says \"ü\" of the kiln.\n", i)
		if i%20 == 0 {
			fmt.Fprintf(&lines, "\n## Part %d\n\n", i)
		}
		fmt.Fprintf(&links, "See [[Note %d]] and [[Lost %d]].\n", i%60, i)
	}
	notes := map[string]string{
		"Lines.md": "# Lines\n\n" + lines.String(), "Wide.md": "# Wide\n\n" + strings.Repeat("kiln ", 4000) + "\nAn end.\n", "Hub.md": "# Hub\n\n" + links.String(),
	}
	for i := range 60 {
		notes[fmt.Sprintf("notes/Note %d.md", i)] = fmt.Sprintf("---\ntags: [many]\nupdated: 2026-01-%02d\n---\n# Note %d\n\nBack to [[Hub]].\n", i%28+1, i)
	}
	config := quarry.Config{VaultDir: writeVault(t, notes), DatabasePath: t.TempDir() + "/index.db", Audience: quarry.Client}
	engine, err := quarry.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	if _, err := engine.Index(t.Context(), quarry.IndexOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	return startWith(t, engine)
}

// leastCharacters is the most that the least answer of any tool here has.
const leastCharacters = 330

// Each answer keeps to its bound, and says so where something is left out.
func TestEveryAnswerIsBounded(t *testing.T) {
	c := longVault(t)
	for _, call := range []struct {
		tool      string
		arguments map[string]any
	}{
		{"obsidian_search", map[string]any{"query": "kiln"}},
		{"obsidian_search", map[string]any{"query": "kiln", "explain": true}},
		{"obsidian_read_note", map[string]any{"file_path": "Lines"}},
		{"obsidian_read_note", map[string]any{"file_path": "Wide"}},
		{"obsidian_read_note", map[string]any{"file_path": "notes/*.md"}},
		{"obsidian_list_notes", map[string]any{"limit": 1000}},
		{"obsidian_get_context", map[string]any{"topic": "kiln"}},
		{"obsidian_links", map[string]any{"note": "Hub"}},
		{"obsidian_links", map[string]any{"note": "Hub", "hops": 3}},
		{"obsidian_links", map[string]any{"note": "Hub", "unresolved": true}},
		{"obsidian_links", map[string]any{"unresolved": true}},
	} {
		for _, maxTokens := range []int{1, 10, 40, 80, 120, 200, 400, 1000, 3000} {
			call.arguments["max_tokens"] = maxTokens
			document, isError := c.use(call.tool, call.arguments)
			if length := utf8.RuneCountInString(c.last); isError || length > max(leastCharacters, 4*maxTokens) {
				t.Errorf("%s %v: %d characters, error %v: %.300s", call.tool, call.arguments, length, isError, c.last)
			}
			_, hasNotices := document["notices"]
			isCut := strings.Contains(c.last, `"truncated":true`)
			if maxTokens <= 80 && !isCut && (!hasNotices || !strings.Contains(c.last, "max_tokens")) {
				t.Errorf("%s %v: nothing tells of what is left out: %.300s", call.tool, call.arguments, c.last)
			}
			if call.tool == "obsidian_list_notes" && maxTokens == 400 && len(document["notes"].([]any)) < 5 {
				t.Errorf("a list that uses little of its room: %s", c.last)
			}
			if call.tool == "obsidian_links" && call.arguments["hops"] == 3 && maxTokens == 1000 {
				for _, list := range []string{"out", "back"} {
					if len(document[list].([]any)) < 3 {
						t.Errorf("%s got no turn: %s", list, c.last)
					}
				}
			}
		}
	}
}

// Reading on by next gives the whole note, line by line, whatever the bound is.
func TestReadingOn(t *testing.T) {
	c := longVault(t)
	whole, _ := c.use("obsidian_read_note", map[string]any{"file_path": "Lines", "max_tokens": 50000})
	want := whole["results"].([]any)[0].(map[string]any)["text"].(string)
	for _, maxTokens := range []int{90, 200, 1000} {
		var got strings.Builder
		address, pages := "Lines", 0
		for address != "" {
			document, isError := c.use("obsidian_read_note", map[string]any{"file_path": address, "max_tokens": maxTokens})
			if pages++; isError || pages > 300 {
				t.Fatalf("page %d of %d tokens, %s: %v", pages, maxTokens, address, document)
			}
			page := document["results"].([]any)[0].(map[string]any)
			got.WriteString(page["text"].(string))
			next, _ := page["next"].(string)
			if (next != "") != page["truncated"].(bool) {
				t.Fatalf("truncated and next disagree: %v", page)
			}
			for _, heading := range orNone(page["outline"]) {
				if line := heading.(map[string]any)["line"].(float64); line <= page["line_end"].(float64) {
					t.Errorf("the outline has line %v, and %v was shown", line, page["line_end"])
				}
			}
			address = next
		}
		if got.String() != want {
			t.Errorf("%d tokens: %d pages give another text (%d characters instead of %d)", maxTokens, pages, got.Len(), len(want))
		}
	}
}

func orNone(list any) []any {
	items, _ := list.([]any)
	return items
}

// A line that has no room by itself is cut, told, and skipped by what comes next.
func TestLongLine(t *testing.T) {
	document, _ := longVault(t).use("obsidian_read_note", map[string]any{"file_path": "Wide.md:3:2", "max_tokens": 200})
	page := document["results"].([]any)[0].(map[string]any)
	if page["next"] != "Wide.md:4:1" || !strings.HasSuffix(page["text"].(string), "…") || !strings.Contains(fmt.Sprint(page["notices"]), "line 3 is longer") {
		t.Errorf("page %v", page)
	}
}

// The list of resources comes page by page, each note once, newest first.
func TestResourcePages(t *testing.T) {
	c := longVault(t)
	seen, cursor, pages := map[string]bool{}, "", 0
	for pages == 0 || cursor != "" {
		m := c.call("resources/list", map[string]any{"cursor": cursor})
		if pages++; m.Error != nil || pages > 3 {
			t.Fatalf("page %d: %v", pages, m.Error)
		}
		for _, r := range m.Result.Resources {
			if seen[r.URI] {
				t.Errorf("%s comes twice", r.URI)
			}
			seen[r.URI] = true
		}
		cursor = m.Result.NextCursor
	}
	if len(seen) != 63 || pages != 2 {
		t.Errorf("%d resources on %d pages", len(seen), pages)
	}
	if !seen["quarry://note/notes/Note%2012.md"] {
		t.Errorf("resources %v", seen)
	}
}

// The schemas are plain, and what tools answer has the types that they name.
func TestSchemas(t *testing.T) {
	c := longVault(t)
	for _, raw := range c.call("tools/list", map[string]any{}).Result.Tools {
		var tool struct {
			Name, Title, Description string
			Annotations              map[string]any
			InputSchema              struct {
				Properties           map[string]map[string]any
				AdditionalProperties *bool
			}
			OutputSchema struct {
				Properties map[string]struct{ Type string }
			}
		}
		if err := json.Unmarshal(raw, &tool); err != nil {
			t.Fatal(err)
		}
		for _, not := range []string{"oneOf", "anyOf", "allOf", "$ref", `"type":[`} {
			if strings.Contains(string(raw), not) {
				t.Errorf("%s: %s is in its schemas", tool.Name, not)
			}
		}
		if p := tool.InputSchema.AdditionalProperties; p == nil || *p || tool.Title == "" || len(tool.Description) > 2048 || len(tool.Name) > 40 ||
			tool.Annotations["readOnlyHint"] != true || tool.Annotations["openWorldHint"] != false || tool.Annotations["idempotentHint"] != true {
			t.Errorf("tool %s", raw)
		}
		if tool.InputSchema.Properties["max_tokens"]["type"] != "integer" {
			t.Errorf("%s has no max_tokens", tool.Name)
		}
		call := map[string]any{"max_tokens": 200}
		for _, argument := range []string{"query", "topic", "note", "file_path"} {
			if _, ok := tool.InputSchema.Properties[argument]; ok {
				call[argument] = "Hub"
			}
		}
		document, isError := c.use(tool.Name, call)
		if isError {
			t.Errorf("%s: %v", tool.Name, document)
		}
		for key, value := range document {
			kind := "none"
			switch value.(type) {
			case []any:
				kind = "array"
			case string:
				kind = "string"
			case bool:
				kind = "boolean"
			}
			if described := tool.OutputSchema.Properties[key].Type; described != kind {
				t.Errorf("%s: %s is %T, and described as %q", tool.Name, key, value, described)
			}
		}
	}
}
