package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type describedArgument struct {
	Type             string
	Enum             []string
	Minimum, Maximum *float64
}

// Each number has bounds in its schema, the same in all tools; a value outside is refused, and the error tells the bounds.
func TestNumbersHaveBounds(t *testing.T) {
	c := start(t, true)
	asked := map[string]map[string]any{
		"obsidian_search": {"query": "kiln"}, "obsidian_read_note": {"file_path": "kiln"}, "obsidian_list_notes": {},
		"obsidian_get_context": {"topic": "kiln"}, "obsidian_links": {"note": "kiln"},
	}
	first, count := map[string]describedArgument{}, 0
	for _, raw := range c.call("tools/list", map[string]any{}).Result.Tools {
		var tool struct {
			Name        string
			InputSchema struct{ Properties map[string]describedArgument }
		}
		if err := json.Unmarshal(raw, &tool); err != nil {
			t.Fatal(err)
		}
		for name, argument := range tool.InputSchema.Properties {
			if other, ok := first[name]; ok && name != "limit" { // of passages and of notes
				if diff := cmp.Diff(other, argument); diff != "" {
					t.Errorf("%s of %s is another than that of other tools: %s", name, tool.Name, diff)
				}
			}
			first[name] = argument
			if argument.Type != "integer" && argument.Type != "number" {
				continue
			}
			count++
			if argument.Minimum == nil || argument.Maximum == nil {
				t.Errorf("%s of %s has no bounds", name, tool.Name)
				continue
			}
			call := map[string]any{"links_to": "boat"}
			if _, isFilter := tool.InputSchema.Properties["links_to"]; !isFilter {
				call = map[string]any{}
			}
			for key, value := range asked[tool.Name] {
				call[key] = value
			}
			wanted := fmt.Sprintf("number from %v to %v", *argument.Minimum, *argument.Maximum)
			for _, value := range []any{*argument.Minimum - 1, *argument.Maximum + 1, 1e300, -1e300, "NaN", "Inf", fmt.Sprint(*argument.Maximum + 1), true, ""} {
				call[name] = value
				if document, isError := c.use(tool.Name, call); !isError || document["code"] != "invalid_arguments" || !strings.Contains(fmt.Sprint(document["error"]), wanted) {
					t.Errorf("%s %v: %v", tool.Name, call, document)
				}
			}
			for _, value := range []float64{*argument.Minimum, *argument.Maximum} {
				call[name] = value
				if document, isError := c.use(tool.Name, call); isError {
					t.Errorf("%s %v: %v", tool.Name, call, document)
				}
			}
		}
	}
	if count != 12 {
		t.Errorf("%d numbers", count)
	}
}

// A list that nothing is in is not cut: what has no room is said of it.
func TestEmptyListIsNotCut(t *testing.T) {
	c := start(t, true)
	var tags []string
	for i := range 8 {
		tags = append(tags, fmt.Sprintf("nosuch-%d-%s", i, strings.Repeat("x", 50)))
	}
	for maxTokens, notices := range map[int]int{1: 1, 10: 1, 60: 3, 100: 4, 2000: 8} {
		document, isError := c.use("obsidian_list_notes", map[string]any{"tag": tags, "max_tokens": maxTokens})
		list, _ := document["notices"].([]any)
		if _, isCut := document["truncated"]; isError || isCut || len(list) != notices {
			t.Errorf("%d tokens: %s", maxTokens, c.last)
			continue
		}
		if isWhole := notices == 8; strings.Contains(fmt.Sprint(list[len(list)-1]), "too small for the notices") == isWhole {
			t.Errorf("%d tokens: %s", maxTokens, c.last)
		}
		if first := fmt.Sprint(list[0]); notices > 1 && !strings.Contains(first, "nosuch-0") {
			t.Errorf("%d tokens: the first notice is %s", maxTokens, first)
		}
	}
}
