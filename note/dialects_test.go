package note_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"quarry/note"
	"quarry/secret"

	"github.com/google/go-cmp/cmp"
)

// dialectVault is the vault that has something of every plugin and kind of file; EXPECT.md beside it says what is right.
func dialectVault(t *testing.T) map[string]*note.Note {
	t.Helper()
	notes := map[string]*note.Note{}
	root := filepath.Join("..", "fixtures", "dialects", "obsidian")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, "app.json") {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		notes[name] = parseKind(t, name, string(raw))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return notes
}

// words are what a passage of the note may hold.
func words(n *note.Note) string {
	if len(n.Fragments) == 0 {
		return shownText(n)
	}
	var out strings.Builder
	for _, f := range n.Fragments {
		out.WriteString(f.Heading + "\n" + f.Text + "\n")
	}
	return out.String()
}

func TestDialectLinks(t *testing.T) {
	notes := dialectVault(t)
	for name, want := range map[string]string{
		"Boards/Restoration.md":        "Sluice gate, Paddle board",
		"Drawings/Wheel.excalidraw.md": "Sluice gate, Paddle board, Sluice gate#Hinges, photo of wheel.png",
		"Drawings/Plain.excalidraw":    "Sluice gate",
		"Canvas/Plan.canvas":           "Sluice gate, !Notes/Sluice gate.md#Hinges, https://mills.example.org/rules, !Notes/Gone.md",
		"Canvas/Empty.canvas":          "",
		"Notes/Sluice gate.md":         "Plan.canvas, Oak, Iron, Paddle board, Paddle board, !Paddle board#Wood, !photo of wheel.png, !Wheel.excalidraw, !Plan.canvas, Oak",
		"Notes/Paddle board.md":        "Sluice gate, !photo of wheel.png, Oak (hidden)",
		"Notes/Old boards.base":        "",
	} {
		var got []string
		for _, l := range notes[name].Links {
			text := l.Target + l.Subpath
			if l.Embed {
				text = "!" + text
			}
			if l.Hidden {
				text += " (hidden)"
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for _, l := range notes["Canvas/Plan.canvas"].Links {
		if want := map[string]int{"Sluice gate": 4, "Notes/Sluice gate.md": 5, "https://mills.example.org/rules": 6, "Notes/Gone.md": 7}[l.Target]; l.Line != want {
			t.Errorf("link to %s in line %d, not %d", l.Target, l.Line, want)
		}
	}
}

func TestDialectKinds(t *testing.T) {
	notes := dialectVault(t)
	for name, want := range map[string]struct {
		kind  note.Kind
		title string
	}{
		"Boards/Restoration.md":        {note.Kanban, "Restoration"},
		"Drawings/Wheel.excalidraw.md": {note.Excalidraw, "Wheel"},
		"Drawings/Plain.excalidraw":    {note.Excalidraw, "Plain"},
		"Canvas/Plan.canvas":           {note.Canvas, "Plan"},
		"Canvas/Empty.canvas":          {note.Canvas, "Empty"},
		"Notes/Old boards.base":        {note.Base, "Old boards"},
		"Notes/Sluice gate.md":         {note.Plain, "Sluice gate"},
	} {
		if n := notes[name]; n.Kind != want.kind || n.Title != want.title {
			t.Errorf("%s: kind %s, title %q", name, n.Kind, n.Title)
		}
	}
	if n := notes["Canvas/Empty.canvas"]; len(n.Problems)+len(n.Fragments)+len(n.Omit) != 0 {
		t.Errorf("the empty canvas: %v %v", n.Problems, n.Fragments)
	}
	if got, want := notes["Canvas/Plan.canvas"].Problems, []note.Problem{{Reason: "an edge of the canvas leads to a node that is missing", Line: 12}}; !slices.Equal(got, want) {
		t.Errorf("canvas: %v", got)
	}
}

// TestDialectWords holds what passages must and must not hold.
func TestDialectWords(t *testing.T) {
	notes := dialectVault(t)
	for name, want := range map[string]struct{ with, without []string }{
		"Boards/Restoration.md": {
			[]string{"Dry the", "a second line", "inside a card", "Survey", "Old card that nobody needs", "## Archive"},
			[]string{"kanban:settings", "list-collapse", "**Complete**", "***", "show-checkboxes"},
		},
		"Drawings/Wheel.excalidraw.md": {
			[]string{"the wheel turns clockwise", "Breast-shot wheel", "two lines\nof text"},
			[]string{"^", "Switch to", "decompress", "compressed-json", "N4KAkARALgng", "qqqXC", "%%", "Excalidraw Data", "Embedded Files", "5f2c0a9e", "Element Links", "zX1cV2bN", "## Drawing"},
		},
		"Drawings/Plain.excalidraw": {[]string{"Tail race"}, []string{"deleted words", "{", "isDeleted", "excalidraw.example.org"}},
		"Canvas/Plan.canvas": {
			[]string{"Spring work", "First the [[Sluice gate]]", "Order → Sluice gate: comes first"},
			[]string{"\"id\"", "fromNode", "{"},
		},
		"Notes/Old boards.base": {[]string{"Heavy parts", `file.inFolder("Notes") and weight > 50`, "order: file.name, weight"}, []string{"- ", "[", "views"}},
		"Notes/Paddle board.md": {[]string{"Elm, since it is always wet."}, []string{"Check the price", "Private", "hidden task", "%%"}},
		"Notes/Sluice gate.md":  {[]string{"==marked words==", "Set in lead", "grease before winter"}, []string{"^hinges"}},
	} {
		text := words(notes[name])
		for _, part := range want.with {
			if !strings.Contains(text, part) {
				t.Errorf("%s: no %q in\n%s", name, part, text)
			}
		}
		for _, part := range want.without {
			if strings.Contains(text, part) {
				t.Errorf("%s: %q in\n%s", name, part, text)
			}
		}
	}
}

func TestDialectFacts(t *testing.T) {
	notes := dialectVault(t)
	board := notes["Boards/Restoration.md"]
	if got := headingLines(board); got != "2 To do 7-7, 2 Doing (2) 15-15, 2 Done 20-20, 2 Archive 28-28" {
		t.Errorf("lanes: %s", got)
	}
	if len(board.Tasks) != 5 {
		t.Errorf("cards: %v", board.Tasks)
	}
	tags := map[string]bool{}
	for _, n := range notes {
		for _, tag := range n.Tags {
			tags[tag.Tag] = true
		}
	}
	if diff := cmp.Diff(map[string]bool{"mill": true, "mill/plan": true, "mill/drawing": true, "excalidraw": true}, tags); diff != "" {
		t.Error(diff)
	}
	gate := notes["Notes/Sluice gate.md"]
	if len(gate.Tasks) != 1 || gate.Tasks[0].Text != "grease before winter 📅 2026-10-01 ⏫" {
		t.Errorf("tasks: %v", gate.Tasks)
	}
	if len(notes["Notes/Paddle board.md"].Tasks) != 0 {
		t.Error("a task in a comment counts")
	}
	if len(gate.Blocks) != 1 || gate.Blocks[0].ID != "hinges" {
		t.Errorf("blocks: %v", gate.Blocks)
	}
	fields := map[string]string{}
	for _, f := range gate.Fields {
		fields[f.Key] = f.Value
	}
	if diff := cmp.Diff(map[string]string{"due": "2026-10-01", "material": "[[Oak]], [[Iron]]", "wood": "oak", "hidden": "[[Paddle board]]"}, fields); diff != "" {
		t.Error(diff)
	}
	var callouts []string
	for _, c := range gate.Callouts {
		callouts = append(callouts, c.Type)
	}
	if diff := cmp.Diff([]string{"note", "danger", "unknown-type"}, callouts); diff != "" {
		t.Error(diff)
	}
}

// TestRealFiles reads the canvases, bases and boards of real vaults without a fault, every canvas and base with words.
func TestRealFiles(t *testing.T) {
	counts := map[note.Kind]int{}
	for _, folder := range []string{filepath.Join("vaults", "kepano-obsidian", "vault"), filepath.Join("conformance", "obsidian", "graph", "vault")} {
		root := shared(t, folder)
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !slices.Contains([]string{".canvas", ".base", ".md"}, filepath.Ext(path)) {
				return err
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			n := parseKind(t, filepath.ToSlash(path), string(raw))
			counts[n.Kind]++
			if n.Kind != note.Plain && len(n.Problems) > 0 {
				t.Errorf("%s: %v", path, n.Problems)
			}
			if (n.Kind == note.Canvas || n.Kind == note.Base) && len(raw) > 0 && len(n.Fragments) == 0 {
				t.Errorf("%s: no words", path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if counts[note.Base] < 30 || counts[note.Canvas] < 1 || counts[note.Kanban] < 2 {
		t.Errorf("read %v", counts)
	}
}

// TestKindsRedact plants a token in every kind of file, in the open and cut by the escapes of JSON.
func TestKindsRedact(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2c3D4e", 4)
	escaped := strings.NewReplacer("_a1", `\u005fa1`, "D4", `\u00444`).Replace(token)
	for name, text := range map[string]string{
		"a.canvas":        `{"nodes":[{"id":"1","type":"text","text":"key P of [[P]] #P\n- [ ] P"},{"type":"file","file":"P.md","subpath":"#P"},{"type":"link","url":"https://P"},{"type":"group","label":"P","x":-9,"y":-9,"width":99,"height":99},{"id":"P","type":"text","text":"P"}],"edges":[{"fromNode":"1","toNode":"P","label":"P"}]}`,
		"a.base":          "filters: \"P == 1\"\nformulas:\n  P: P\n# P\nviews:\n  - name: P\n    order: [P]\n    sort: [{property: P}]\n  - name: \"P\"\n    type: \"P\"\n",
		"broken.base":     "filters: [P\nP: P",
		"a.excalidraw":    `{"elements":[{"type":"text","text":"P","link":"[[P]]"},{"type":"frame","name":"P"},{"link":"P"}]}`,
		"a.json":          `{"P": "P", "list": ["P", {"P": "P"}], "x": {"token": "P"}}`,
		"broken.json":     `{"P": "P", "list": ["P"`,
		"a.jsonl":         "{\"a\": \"P\"}\n{\"a\": P}\n",
		"a.yaml":          "# P\nP: P # P\nlist: [P, P]\nfolded: >\n  P\n  P\nquoted: \"P\"\n\"P\": {}\n",
		"broken.yaml":     "a: [P",
		"a.excalidraw.md": "# Text Elements\nP ^aaaa1111\n\n# Embedded files\nx: [[P]]\n",
		"board.md":        "---\nkanban-plugin: board\n---\n## P\n- [ ] P\n\n%% kanban:settings\nP\n%%\n",
	} {
		for _, value := range []string{token, escaped} {
			text := strings.ReplaceAll(text, "P", value)
			n := note.Parse(name, []byte(text), secret.Find([]byte(text)))
			if shown := words(n) + describe(n); strings.Contains(shown, token) || !strings.Contains(shown, "REDACTED") && value == token {
				t.Errorf("%s with %s: %s", name, value, shown)
			}
		}
	}
	for language, text := range map[string]string{"json": `{"P": ["P"], "a": {"P": "P"}}`, "yaml": "P: P\nb: \"P\" # P\n", "toml": "a = \"P\"\n"} {
		for _, value := range []string{token, escaped} {
			lines, ok := note.FlattenData(language, strings.ReplaceAll(text, "P", value))
			for _, line := range lines {
				if strings.Contains(line.Text, token) {
					t.Errorf("%s: %s", language, line.Text)
				}
			}
			if !ok || len(lines) == 0 {
				t.Errorf("%s: not read", language)
			}
		}
	}
}

// TestSpansInJSON holds that a secret that the caller names is kept back in each text that it touches.
func TestSpansInJSON(t *testing.T) {
	for name, text := range map[string]string{
		"a.canvas":     `{"nodes":[{"type":"text","text":"a P b"},{"type":"file","file":"x\\P.md"},{"type":"text","text":P}]}`,
		"a.json":       `{"P": "x\nP", "b": [P]}`,
		"a.yaml":       "P: P\nb: \"x P\"\nc: [P]\n",
		"a.base":       "P: P\nviews: [{name: P, P: P}]\n",
		"a.excalidraw": `{"elements":[{"text":"P\nP"}]}`,
	} {
		text := strings.ReplaceAll(text, "P", planted)
		var spans []secret.Span
		for at := 0; ; {
			next := strings.Index(text[at:], planted)
			if next < 0 {
				break
			}
			spans = append(spans, secret.Span{Start: at + next, End: at + next + len(planted), Name: "test"})
			at += next + len(planted)
		}
		n := note.Parse(name, []byte(text), spans)
		if shown := words(n) + describe(n); strings.Contains(shown, planted) {
			t.Errorf("%s: %s", name, shown)
		}
	}
}

// TestPlacesInJSON holds that a link in a text of JSON is where its own text stands in the file, in UTF-16 units.
func TestPlacesInJSON(t *testing.T) {
	for name, count := range map[string]int{"groups.canvas": 8, "wrong types.canvas": 3, "frames.excalidraw": 4} {
		raw, err := os.ReadFile(filepath.Join("testdata", "kinds", name))
		if err != nil {
			t.Fatal(err)
		}
		n := parseKind(t, name, string(raw))
		units := utf16.Encode([]rune(string(raw)))
		for _, l := range n.Links {
			want := utf16.Encode([]rune(l.Raw))
			if got := units[l.Offset:min(l.Offset+len(want), len(units))]; !slices.Equal(got, want) {
				t.Errorf("%s: at %d stands %q, not %q", name, l.Offset, string(utf16.Decode(got)), l.Raw)
			}
			before := string(utf16.Decode(units[:l.Offset]))
			start := strings.LastIndexByte(before, '\n') + 1
			if line, column := strings.Count(before, "\n")+1, len(utf16.Encode([]rune(before[start:])))+1; l.Line != line || l.Column != column {
				t.Errorf("%s: %q at %d:%d, not %d:%d", name, l.Raw, l.Line, l.Column, line, column)
			}
		}
		if len(n.Links) != count {
			t.Errorf("%s: %d links", name, len(n.Links))
		}
	}
}
