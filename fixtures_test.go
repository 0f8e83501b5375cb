package quarry_test

import (
	"strings"
	"testing"

	"quarry"
)

// TestTemplate holds the laid-out vault to what its EXPECT.md says.
func TestTemplate(t *testing.T) {
	v := copied(t, "fixtures/vault-template")
	const clock, gears = "01-projects/Tide clock/Tide clock.md", "01-projects/Tide clock/Gear train.md"
	v.want("notes", v.notes(quarry.Filter{}), "00-inbox/2026-03-05-0912-gear-slip.md", "00-inbox/README.md", gears, clock,
		"02-areas/Workshop.md", "03-resources/Brass finishes.md", "05-signals/security/2026-03-02-two-keys-at-once.md",
		"06-daily/2026-03-05.md", "06-daily/2026-03-06.md", "README.md")
	v.want("problems", v.problems())
	if got := v.chunks("06-daily/2026-03-06.md"); len(got) != 0 {
		t.Errorf("a note of properties alone has chunks: %+v", got)
	}
	if got := v.chunks("00-inbox/README.md"); len(got) != 1 {
		t.Errorf("a note of one sentence has %d chunks", len(got))
	}
	v.want("links of Gear train", v.links(gears), "part_of: Tide clock -> "+clock, "Tide clock#^decision-train -> "+clock)
	v.want("links of Tide clock", v.links(clock), "depends_on: Gear train -> "+gears, "Brass finishes -> 03-resources/Brass finishes.md",
		"Gear train -> "+gears, "2026-03-05 -> 06-daily/2026-03-05.md")
	for _, path := range v.notes(quarry.Filter{}) {
		if links := strings.Join(v.links(path), "\n"); strings.Contains(links, "(") {
			t.Errorf("%s has a link that does not resolve:\n%s", path, links)
		}
	}
	v.lacks("passages", v.passages(clock), "See also", "2026-03-05]]")
	if got := v.found(quarry.Hybrid, "the clock"); len(got) == 0 || got[0] != clock {
		t.Errorf("the clock: %v", got)
	}
	for what, test := range map[string]struct {
		filter quarry.Filter
		count  int
	}{
		"without drafts": {quarry.Filter{NotStatuses: []string{"draft"}}, 9},
		"signals":        {quarry.Filter{Types: []string{"signal"}}, 1},
		"design":         {quarry.Filter{Domains: []string{"design"}}, 4},
		"clock":          {quarry.Filter{Tags: []string{"clock"}}, 4},
	} {
		if got := v.notes(test.filter); len(got) != test.count {
			t.Errorf("%s: %d notes, want %d: %v", what, len(got), test.count, got)
		}
	}
}

// TestDialectVault holds an Obsidian vault with plugins to what its EXPECT.md says.
func TestDialectVault(t *testing.T) {
	v := copied(t, "fixtures/dialects/obsidian")
	const board, drawing, plan = "Boards/Restoration.md", "Drawings/Wheel.excalidraw.md", "Canvas/Plan.canvas"
	const gate, paddle, base = "Notes/Sluice gate.md", "Notes/Paddle board.md", "Notes/Old boards.base"
	v.want("notes", v.notes(quarry.Filter{}), board, "Canvas/Empty.canvas", plan, "Drawings/Plain.excalidraw", drawing, base, paddle, gate)
	t.Run("links", func(t *testing.T) {
		v := &caseVault{T: t, dir: v.dir, engine: v.engine}
		const toGate, toPaddle = "Sluice gate -> " + gate, "Paddle board -> " + paddle
		v.want("board", v.links(board), toGate, toPaddle)
		v.want("drawing", v.links(drawing), toGate, toPaddle, "Sluice gate#Hinges -> "+gate, "photo of wheel.png (unresolved)")
		v.want("plain drawing", v.links("Drawings/Plain.excalidraw"), toGate)
		v.want("canvas", v.links(plan), toGate, "Notes/Sluice gate.md#Hinges -> "+gate,
			"https://mills.example.org/rules (external)", "Notes/Gone.md (unresolved)")
		v.want("note", v.links(gate), "part of: Plan.canvas -> "+plan, "material: Oak (unresolved)", "material: Iron (unresolved)",
			"hidden: "+toPaddle, toPaddle, "Paddle board#Wood -> "+paddle, "photo of wheel.png (unresolved)",
			"Wheel.excalidraw -> "+drawing, "Plan.canvas -> "+plan, "Oak (unresolved)")
		v.want("table and comment", v.links(paddle), toGate, "photo of wheel.png (unresolved)", "Oak (unresolved) (hidden)")
		v.want("base", v.links(base))
	})
	t.Run("words", func(t *testing.T) {
		v := &caseVault{T: t, dir: v.dir, engine: v.engine}
		for query, path := range map[string]string{
			"clockwise": drawing, "Breast-shot": drawing, `"two lines"`: drawing, `"Tail race"`: "Drawings/Plain.excalidraw",
			`"Spring work"`: plan, `"then the wheel"`: plan, `"marked words"`: gate, `"Set in lead"`: gate, `"grease before winter"`: gate,
			`"Second card"`: board, `"Old card"`: board, "Survey": board, "Elm": paddle,
			`"Heavy parts"`: base, `"Old boards"`: base, "weight 50 inFolder": base,
		} {
			if got := v.found(quarry.Lexical, query); len(got) == 0 || got[0] != path {
				t.Errorf("%s: %v, want %s", query, got, path)
			}
		}
		for _, query := range []string{
			`"deleted words"`, "N4KAkARALgngDgUwgLgAQQQDwMYEMA2AlgCYBOuA7hADTgQBuCpAzoQPYB2KqATLZMzYBXUtiRoIACyhQ4zZAHoFAc0JRJQgEYA6bGwC2CgF7N6hbEcK4OCtptbErHALRY8RMpWdx8Q1TdIEfARcZgRmBShcZQUebQA2bQAWGjoghH0EDihmbgBtcDBQMugBKxJURxWWM",
			"decompress", `"EXCALIDRAW VIEW"`, "list-collapse", "q1W2e3R4", "t5Y6u7I8", "isDeleted", "fromNode", `"Check the price"`, `"do not hand out"`, `"hidden task"`,
		} {
			if got := v.found(quarry.Lexical, query); len(got) != 0 {
				t.Errorf("%s is found in %v", query, got)
			}
		}
		for _, path := range v.notes(quarry.Filter{}) {
			v.lacks(path, v.passages(path), "N4KA", "kanban:settings", `"isDeleted"`, `"nodes"`, "kanban-plugin", "^q1W2e3R4", "⚠", "Check the price")
		}
		if got := v.chunks("Canvas/Empty.canvas"); len(got) != 0 {
			t.Errorf("the empty canvas has chunks: %+v", got)
		}
	})
	t.Run("facts", func(t *testing.T) {
		v := &caseVault{T: t, dir: v.dir, engine: v.engine}
		v.want("lanes", v.headings(board), "2 To do", "2 Doing (2)", "2 Done", "2 Archive")
		v.want("tags", v.tags(board), "mill")
		v.want("tags", v.tags(plan), "mill/plan")
		v.want("tags", v.tags(drawing), "excalidraw", "mill/drawing")
		v.want("tags", v.tags(gate))
		v.want("below mill", v.notes(quarry.Filter{Tags: []string{"mill"}}), board, plan, drawing, paddle)
		kinds := map[string]string{}
		for _, path := range v.notes(quarry.Filter{}) {
			kinds[path] = string(v.parse(path).Kind)
		}
		for path, kind := range map[string]string{
			board: "kanban", drawing: "excalidraw", "Drawings/Plain.excalidraw": "excalidraw", plan: "canvas", "Canvas/Empty.canvas": "canvas", base: "base", gate: "note",
		} {
			if kinds[path] != kind {
				t.Errorf("%s is a %s, want a %s", path, kinds[path], kind)
			}
		}
		v.has("section", v.text(gate+"#Sluice gate#Hinges"), "Two, forged.")
		v.has("block", v.text(gate+"#^hinges"), "Two, forged.")
		problems := strings.Join(v.problems(), "\n")
		v.has("problems", problems, plan+":")
		v.lacks("problems", problems, "Empty.canvas")
	})
}
