package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// maxToolsCharacters bounds the list of tools, which a model pays for in each conversation.
const maxToolsCharacters = 15_600

// outputOf is the part of a schema that is read here.
type outputOf struct {
	Type       string
	Properties map[string]outputOf
	Items      *outputOf
}

// faults tells where a value is not as a schema has it. Keys that some lists share are described by the first of them.
func (o outputOf) faults(at string, value any, shared map[string]outputOf) (list []string) {
	kinds := map[string]func(any) bool{
		"string": is[string], "boolean": is[bool], "number": is[float64], "array": is[[]any], "object": is[map[string]any],
		"integer": func(v any) bool { n, ok := v.(float64); return ok && n == float64(int(n)) },
	}
	if isKind, ok := kinds[o.Type]; !ok || !isKind(value) {
		return []string{fmt.Sprintf("%s is %T, and described as %q", at, value, o.Type)}
	}
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			list = append(list, o.Items.faults(at+"[]", item, shared)...)
		}
	case map[string]any:
		for key, inner := range value {
			if o.Properties == nil { // what is in it is not described
				break
			}
			schema, ok := o.Properties[key]
			if !ok {
				schema, ok = shared[key]
			}
			switch {
			case ok:
				list = append(list, schema.faults(at+"."+key, inner, shared)...)
			case key != "bm25_rank" && key != "vec_rank" && key != "resolved": // these can be null
				list = append(list, at+"."+key+" is not described")
			}
		}
	}
	return list
}

func is[T any](value any) bool { _, ok := value.(T); return ok }

// What tools answer has the keys and the types that their schemas name, in their lists, too; and the schemas are no longer than they
// have to be.
func TestOutputSchemas(t *testing.T) {
	c := longVault(t)
	listed := c.call("tools/list", map[string]any{}).Result.Tools
	characters := 0
	for _, raw := range listed {
		characters += len(raw)
		if strings.Contains(string(raw), "{}") { // strict clients warn of it
			t.Errorf("a schema that says nothing: %s", raw)
		}
		var tool struct {
			Name         string
			OutputSchema outputOf
		}
		if err := json.Unmarshal(raw, &tool); err != nil {
			t.Fatal(err)
		}
		shared := map[string]outputOf{}
		if out, ok := tool.OutputSchema.Properties["out"]; ok {
			shared = out.Items.Properties
		}
		for _, arguments := range map[string][]map[string]any{
			"obsidian_search":      {{"query": "kiln"}, {"query": "kiln", "explain": true, "expand": true, "max_tokens": 20000}, {"query": "kiln", "tag": "nosuch"}},
			"obsidian_read_note":   {{"file_path": "Lines", "max_tokens": 400}, {"file_path": "notes/*.md"}},
			"obsidian_list_notes":  {{}, {"tag": "nosuch"}},
			"obsidian_get_context": {{"topic": "kiln"}, {"topic": "kiln", "tag": "nosuch"}},
			"obsidian_links":       {{"note": "Hub", "hops": 3}, {"note": "Hub", "unresolved": true}, {"unresolved": true}, {"note": "Hub", "kind": "nosuch"}},
		}[tool.Name] {
			document, isError := c.use(tool.Name, arguments)
			if isError {
				t.Errorf("%s %v: %s", tool.Name, arguments, c.last)
			}
			for _, fault := range tool.OutputSchema.faults(tool.Name, document, shared) {
				t.Errorf("%v: %s", arguments, fault)
			}
		}
		for name, schema := range tool.OutputSchema.Properties {
			if schema.Type == "array" && schema.Items.Type == "object" && len(schema.Items.Properties) == 0 {
				t.Errorf("%s: what is in %s is not described", tool.Name, name)
			}
		}
	}
	if characters > maxToolsCharacters {
		t.Errorf("the list of tools has %d characters", characters)
	}
}
