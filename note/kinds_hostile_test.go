package note_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"quarry/note"
)

// hostileKinds gives files of each kind that make a careless reader slow or large, each about size bytes.
func hostileKinds(size int) map[string]string {
	fill := func(before, unit, after string) string {
		return before + strings.Repeat(unit, size/len(unit)) + after
	}
	nodes := func(unit string) string { return fill(`{"nodes":[`, unit, `{}]}`) }
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x]\n")
	for i := 1; bomb.Len() < min(size, 60_000); i++ {
		fmt.Fprintf(&bomb, "a%d: &a%d [*a%d, *a%d, *a%d]\n", i, i, i-1, i-1, i-1)
	}
	files := map[string]string{}
	for _, name := range []string{"a.canvas", "a.excalidraw", "a.json", "a.jsonl", "a.yaml", "a.base"} {
		files["deep lists "+name] = fill("", "[", "")
		files["deep objects "+name] = fill("", `{"a":`, "")
		files["one text "+name] = `{"nodes":[{"type":"text","text":"` + strings.Repeat("word ", size/5) + `"}]}`
		files["escapes "+name] = `{"nodes":[{"type":"text","text":"` + strings.Repeat(`\n\u0023`, size/8) + `"}]}`
		files["numbers "+name] = fill("[", "1,", "1]")
		files["empty objects "+name] = fill("[", "{},", "{}]")
		files["long key "+name] = `{"` + strings.Repeat("k", size/2) + `":[` + strings.Repeat("{},", size/6) + `1]}`
	}
	files["text nodes a.canvas"] = nodes(`{"type":"text","text":"a [[b]] #c","x":1,"y":1},`)
	files["groups a.canvas"] = nodes(`{"type":"group","label":"a","width":9,"height":9},{"type":"text","text":"b","x":5},`)
	files["edges a.canvas"] = `{"nodes":[{"id":"a","type":"text","text":"` + strings.Repeat("x", size/2) + `"}],"edges":[` +
		strings.Repeat(`{"fromNode":"a","toNode":"a","label":"b"},`, size/84) + `{}]}`
	files["long label a.canvas"] = `{"nodes":[{"type":"group","width":9,"height":9,"label":"` + strings.Repeat("x", size/2) + `"},` +
		strings.Repeat(`{"type":"text","text":"b","x":5},`, size/66) + `{}]}`
	files["elements a.excalidraw"] = fill(`{"elements":[`, `{"type":"text","text":"a [[b]]","link":"[[c]]"},`, `{}]}`)
	files["lines a.jsonl"] = fill("", "{\"a\":1}\n", "")
	files["broken lines a.jsonl"] = fill("", "{\"a\":\n", "")
	files["aliases a.yaml"], files["aliases a.base"] = bomb.String(), bomb.String()
	files["nested a.yaml"] = fill("", "- ", "")
	files["comments a.yaml"] = fill("", "# a\n", "a: 1")
	files["filters a.base"] = fill("filters:\n  and:\n", "    - a == 1\n", "")
	files["views a.base"] = fill("views:\n", "  - name: a\n    type: table\n", "")
	files["marks a.excalidraw.md"] = fill("# Text Elements\n", "%%\n", "")
	files["parts a.excalidraw.md"] = fill("", "# Text Elements\na ^b\n# Drawing\n\n", "")
	files["warnings a.excalidraw.md"] = fill("", "==⚠ a\n", "")
	files["lanes board.md"] = fill("---\nkanban-plugin: board\n---\n", "## a\n\n\n\n**b**\n***\n", "")
	files["blank board.md"] = fill("---\nkanban-plugin: board\n---\n", "***\n\n\n\n\n\n\n\n", "")
	files["settings board.md"] = fill("---\nkanban-plugin: board\n---\n", "%% kanban:settings\n", "")
	return files
}

// TestHostileKinds holds that the time is linear for files that are no Markdown, and for their data in other languages.
func TestHostileKinds(t *testing.T) {
	checkLinear(t, hostileKinds, func(name, text string) {
		note.Parse(name[strings.LastIndexByte(name, ' ')+1:], []byte(text), nil)
	})
	for _, language := range []string{"", "toml"} {
		t.Run("as "+language, func(t *testing.T) {
			checkLinear(t, hostileKinds, func(name, text string) {
				note.FlattenData(cmp.Or(language, name[strings.LastIndexByte(name, '.')+1:]), text)
			})
		})
	}
}
