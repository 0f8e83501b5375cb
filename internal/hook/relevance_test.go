package hook_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quarry"
)

// golden is a query with the notes that answer it.
type golden struct {
	Query    string `json:"query"`
	Intent   string `json:"intent"`
	Expected []struct {
		Path string `json:"path"`
	} `json:"expected"`
}

func readGolden(t *testing.T, name string) []golden {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Skip("the golden queries are not here")
	}
	defer file.Close()
	var list []golden
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var query golden
		if err := json.Unmarshal(lines.Bytes(), &query); err != nil {
			t.Fatal(err)
		}
		list = append(list, query)
	}
	return list
}

// TestWhatIsGiven measures on a vault of 1,873 notes how often prompts that its notes answer are given one of these, and how often
// other prompts are given anything.
func TestWhatIsGiven(t *testing.T) {
	if testing.Short() {
		t.Skip("indexes a large vault")
	}
	shared := filepath.Join("..", "..", "..", "shared")
	dir := filepath.Join(shared, "vaults", "til", "vault")
	own, foreign := readGolden(t, filepath.Join(shared, "golden", "til.dev.jsonl")), readGolden(t, filepath.Join(shared, "golden", "obsidian-help.dev.jsonl"))
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the vault is not here")
	}
	config := quarry.Config{VaultDir: dir, DatabasePath: filepath.Join(t.TempDir(), "index.db")}
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
	call := options(t)
	call.Open = func(ctx context.Context) (*quarry.Engine, error) { return quarry.Open(ctx, config) }
	text := func(prompt string) string { outcome, _ := answer(t, call, promptOf(t, prompt)); return outcome.Text }

	asked, given, right := 0, 0, 0
	for _, query := range own {
		if query.Intent == "concept" { // hardly a word of theirs is in the notes: what is not sure is not given
			continue
		}
		for _, form := range []string{"", "Please have a look at this for me: "} {
			asked++
			found := text(form + query.Query)
			if found == "" {
				continue
			}
			given++
			for _, expected := range query.Expected {
				if strings.Contains(found, "Source: "+expected.Path+":") {
					right++
					break
				}
			}
		}
	}
	others := 0
	for _, query := range foreign {
		if found := text(query.Query); found != "" {
			others++
		}
	}
	t.Logf("%d prompts: %d given something, %d the right note; %d of %d prompts about something else given something", asked, given, right, others, len(foreign))
	if 10*right < 9*given || 10*right < 6*asked || 10*others > len(foreign) {
		t.Error("below .9 right of what is given, .6 of what is asked, or above .1 given to others")
	}
}

func promptOf(t *testing.T, text string) string {
	t.Helper()
	payload, err := json.Marshal(map[string]string{"hook_event_name": "UserPromptSubmit", "prompt": text})
	if err != nil {
		t.Fatal(err)
	}
	return string(payload)
}
