package mcpserver_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quarry"
)

// linkedVault is a server on notes in a row: home → clay → glaze → sand, and a private one that links to clay.
func linkedVault(t *testing.T) *client {
	t.Helper()
	dir := writeVault(t, map[string]string{
		"home.md":        "# Home\n\nA kiln is behind [[clay]].\n",
		"clay.md":        "# Clay\n\nThe kiln needs [[glaze]].\n",
		"glaze.md":       "# Glaze\n\nGlass for the kiln, of [[Sand, white]].\n",
		"diary.md":       "---\nsensitivity: private\n---\n# Diary\n\nMy kiln and [[clay]].\n",
		"Sand, white.md": "# Sand\n\nThe kiln melts it.\n",
	})
	config := quarry.Config{VaultDir: dir, DatabasePath: filepath.Join(t.TempDir(), "index.db"), NoModel: true}
	engine, err := quarry.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Index(t.Context(), quarry.IndexOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	if err := engine.Close(); err != nil {
		t.Fatal(err)
	}
	config.Audience = quarry.Client
	if engine, err = quarry.Open(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	return startWith(t, engine)
}

func TestFiltersByLinks(t *testing.T) {
	c := linkedVault(t)
	for _, test := range []struct {
		arguments map[string]any
		want      string
	}{
		{map[string]any{"links_to": "clay"}, "home.md"},
		{map[string]any{"links_to": []string{"clay.md"}, "hops": 1}, "home.md"},
		{map[string]any{"links_to": `["clay", "glaze"]`}, "clay.md home.md"},
		{map[string]any{"linked_by": "clay"}, "glaze.md"},
		{map[string]any{"linked_by": "home", "hops": 2}, "clay.md glaze.md"},
		{map[string]any{"linked_by": "home", "hops": "3"}, "Sand, white.md clay.md glaze.md"},
		{map[string]any{"links_to": "Sand, white"}, "glaze.md"},
		{map[string]any{"links_to": "-clay"}, "Sand, white.md clay.md glaze.md"},
		{map[string]any{"links_to": "sand, white", "linked_by": []string{"clay"}}, "glaze.md"},
		{map[string]any{"links_to": "home"}, ""},
	} {
		test.arguments["query"] = "kiln"
		document, isError := c.search(test.arguments)
		if isError {
			t.Errorf("%v: %v", test.arguments, document)
			continue
		}
		var paths []string
		for _, result := range document["results"].([]any) {
			paths = append(paths, result.(map[string]any)["file_path"].(string))
		}
		slices.Sort(paths)
		if got := strings.Join(slices.Compact(paths), " "); got != test.want {
			t.Errorf("%v: %s, want %s", test.arguments, got, test.want)
		}
	}
}

func TestMistakesInFiltersByLinks(t *testing.T) {
	c := linkedVault(t)
	for _, test := range []struct {
		arguments        map[string]any
		code, says, hint string
	}{
		{map[string]any{"links_to": "cley"}, "unknown_note", "did you mean clay.md", "file_path"},
		{map[string]any{"linked_by": []string{"-cley"}}, "unknown_note", "there is no such note", ""},
		{map[string]any{"links_to": "diary"}, "unknown_note", "there is no such note", ""},
		{map[string]any{"like": "diary"}, "unknown_note", "there is no such note", ""},
		{map[string]any{"like": "diary#Diary"}, "unknown_note", "there is no such note", ""},
		{map[string]any{"links_to": "-"}, "invalid_arguments", "empty name", ""},
		{map[string]any{"links_to": []string{"clay", " "}}, "invalid_arguments", "empty name", ""},
		{map[string]any{"links_to": "\t"}, "invalid_arguments", "empty name", ""},
		{map[string]any{"linked_by": []string{" -\t"}}, "invalid_arguments", "empty name", ""},
		{map[string]any{"links_to": 3}, "invalid_arguments", "no list of strings", ""},
		{map[string]any{"links_to": "clay", "hops": 7}, "invalid_arguments", "no whole number from 1 to 6", ""},
		{map[string]any{"links_to": "clay", "hops": 0}, "invalid_arguments", "no whole number from 1 to 6", ""},
		{map[string]any{"links_to": manyNames(257)}, "invalid_arguments", `"links_to" names too many notes: links_to and linked_by take 256 together`, "correct"},
		{map[string]any{"linked_by": manyNames(200), "links_to": manyNames(57)}, "invalid_arguments", "take 256 together", ""},
		{map[string]any{"linked_by": manyNames(257)}, "invalid_arguments", `"linked_by" names`, ""},
		{map[string]any{"hops": 2}, "invalid_arguments", "needs links_to or linked_by", ""},
	} {
		test.arguments["query"] = "kiln"
		document, isError := c.search(test.arguments)
		says, _ := document["error"].(string)
		hint, _ := document["suggestion"].(string)
		if !isError || document["code"] != test.code || !strings.Contains(says, test.says) || !strings.Contains(hint, test.hint) {
			t.Errorf("%v: %v", test.arguments, document)
		}
		if strings.Contains(says, "diary.md") {
			t.Errorf("%v tells of a private note: %v", test.arguments, document)
		}
	}
}

func manyNames(count int) []string { return slices.Repeat([]string{"clay"}, count) }

// The engine takes as many names as the tool does.
func TestAsManyNamesAsTheEngineTakes(t *testing.T) {
	document, isError := linkedVault(t).search(map[string]any{"query": "kiln", "links_to": manyNames(200), "linked_by": manyNames(56)})
	if isError || document["status"] != "no_results" {
		t.Errorf("256 names: %v", document)
	}
}
