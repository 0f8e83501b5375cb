package notion_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/convert/export"
)

const fixture = "../../../fixtures/intake/notion/in/"

const longTitle = "A page with a very long title that the export cuts somewhere in the middle of it"

func (i imported) paths() []string {
	var paths []string
	for _, n := range i.Notes {
		paths = append(paths, n.Path)
	}
	slices.Sort(paths)
	return paths
}

// TestFixture holds each line of the fixture's EXPECT.md.
func TestFixture(t *testing.T) {
	got := read(t, fixture+"Export-notion.zip")
	if got.err != nil || len(got.Problems) > 0 {
		t.Fatal(got.err, got.Problems)
	}
	want := []string{"Workshop", "Workshop/" + longTitle, "Workshop/Glaze tests", "Workshop/Glaze tests/Celadon", "Workshop/Glaze tests/Tenmoku", "Workshop/Ünter-Seite 🏺"}
	if diff := cmp.Diff(want, got.paths()); diff != "" {
		t.Fatal(diff)
	}
	for path, body := range map[string]string{
		"Workshop": "Start: [[Glaze tests]] and [[" + longTitle + "]]\n\n> [!tip]\n> 💡 Fire slowly below 600 °C.\n\n- [ ] Order cones\n- [x] Clean kiln\n    - [x] shelves\n\n" +
			"![[kiln.png]]\n\n[Link with a bracket (odd)](https://example.org/a_(b))\n\n[Lost page](https://www.notion.so/9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f?pvs=21)\n\n- Toggle: firing log\n\n    Hidden under the toggle.",
		"Workshop/" + longTitle:        "The file name is cut; the heading is whole.",
		"Workshop/Ünter-Seite 🏺":       "No properties; a first line with a colon: still text.",
		"Workshop/Glaze tests/Celadon": "Body starts here. Status: this line is text, not a property.\n\n| Test | Result |\n| --- | --- |\n| 1 | pale |\n\n```jsx\nconst cone = 9\n```",
		"Workshop/Glaze tests/Tenmoku": "See [[Celadon]] and [[Workshop|home]].",
		"Workshop/Glaze tests": "| Name | Status | Fired | Cone | Notes | Archived |\n| --- | --- | --- | --- | --- | --- |\n| [[Celadon]] | Done | 2026-03-02 | 9 | Thin, then thinner | No |\n" +
			"| [[Tenmoku]] | In progress |  | 10 | Says \"more iron\"<br>and a second line | No |\n| Shino | Dropped |  |  |  | Yes |",
	} {
		if diff := cmp.Diff(body, got.notes[path].Body); diff != "" {
			t.Errorf("%s:\n%s", path, diff)
		}
	}
	if diff := cmp.Diff([]string{"9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f"}, got.dead); diff != "" {
		t.Error("links without a page:\n", diff)
	}
	celadon := got.notes["Workshop/Glaze tests/Celadon"].String()
	for _, line := range []string{"title: Celadon\n", "status: Done\n", `Fired: "2026-03-02"` + "\n", "Cone: 9\n", "tags:\n  - green\n  - iron-low\n", `Related: "[[Tenmoku]]"` + "\n", `URL: "https://example.org/celadon?x=1:2"` + "\n"} {
		if !strings.Contains(celadon, line) {
			t.Errorf("%q is missing in\n%s", line, celadon)
		}
	}
	if n := got.notes["Workshop/Ünter-Seite 🏺"]; len(n.Properties) > 0 || n.Title != "Ünter-Seite 🏺" || n.Created.IsZero() {
		t.Errorf("%+v", n.Note)
	}
	if len(got.Attachments) != 1 || got.Attachments[0].Path != "Workshop/kiln.png" {
		t.Fatal(got.Attachments)
	}
	if picture, err := got.Attachments[0].Read(); err != nil || !bytes.HasPrefix(picture, []byte("\x89PNG")) {
		t.Error(err)
	}
}

func TestEvil(t *testing.T) {
	got := read(t, fixture+"evil.zip")
	if len(got.Notes) != 1 || got.Notes[0].Path != "fine" || got.Notes[0].Title != "Fine" || len(got.Attachments) != 0 {
		t.Error(got.Notes, got.Attachments)
	}
	tree, err := export.Open(t.Context(), fixture+"evil.zip", export.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tree.Close() }()
	if len(tree.Problems()) != 3 {
		t.Error(tree.Problems())
	}
}

// write makes files, and gives their folder.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// hex is an id of Notion, of one character.
func hex(c string) string { return strings.Repeat(c, 32) }

// TestSameName has two pages of one name, and a copy of one.
func TestSameName(t *testing.T) {
	got := read(t, write(t, map[string]string{
		"Log " + hex("a") + ".md":                          "# Log\n\none [x](Log%20" + hex("b") + ".md)\n",
		"Log " + hex("b") + ".md":                          "# Log\n\ntwo\n",
		"Log " + hex("b") + "/" + "in " + hex("c") + ".md": "# In\n",
		"copy/Log " + hex("a") + ".md":                     "# Log\n\nthree\n",
	}))
	ids := map[string]bool{}
	for _, n := range got.Notes {
		ids[n.ID] = true
	}
	if diff := cmp.Diff([]string{"Log", "Log", "Log/in", "copy/Log"}, got.paths()); diff != "" || len(ids) != 4 || len(got.dead) > 0 {
		t.Error(diff, ids, got.dead)
	}
}

func TestProperties(t *testing.T) {
	head := "Name,Due,Done,Price,Mood,Note,Created time,Last edited time,Files,Stage,Type\n"
	row := func(name, rest string) string { return "D " + hex("1") + "/" + name + ".md" }
	files := map[string]string{
		"D " + hex("1") + ".csv": head + "A,,Yes,,\"calm, glad\",,,,,,\nB,,No,,\"glad, keen\",\"well, yes\",,,,,\n",
		row("A "+hex("2"), ""): "# A\n\nDue: March 2, 2026 3:04 PM → March 3, 2026 4:00 PM\nDone: Yes\nPrice: 1,234.50\nMood: calm, glad\nNote: one\nsecond line\nCreated time: March 1, 2026 9:00 AM\n" +
			"Last edited time: March 4, 2026 9:30 PM (GMT+1)\nFiles: A/a%20b.pdf, A/c.png\nType: Book\n\nText.\n",
		row("B "+hex("3"), ""):         "# B\n\nThis: is text of a page without properties.\n",
		"D " + hex("1") + "/A/a b.pdf": "pdf", "D " + hex("1") + "/A/c.png": "png",
		"Single " + hex("4") + ".md": "# Single\n\nPhone: +49 30 5550\nZip: 00123\nVersion: 1.10\nWhen: 2026/03/02\nWho: Ada Example\nMail: ada@example.org\n\nText.\n",
		"Plain " + hex("5") + ".md":  "# Plain\n\nNote: only text.\n",
	}
	got := read(t, write(t, files))
	a := got.notes["D/A"].String()
	for _, line := range []string{"created: 2026-03-01T09:00:00Z\n", "updated: 2026-03-04T20:30:00Z\n", `Due: "2026-03-02T15:04/2026-03-03T16:00"`, "Done: true\n", "Price: 1234.5\n", "Mood:\n  - calm\n  - glad\n", "notion-type: Book\n", "Files:\n  - \"[[a b.pdf]]\"\n  - \"[[c.png]]\"\n", "**Note:** one\nsecond line\n\nText.\n"} {
		if !strings.Contains(a, line) {
			t.Errorf("%q is missing in\n%s", line, a)
		}
	}
	single := got.notes["Single"].String()
	for _, line := range []string{`Phone: "+49 30 5550"`, `Zip: "00123"`, `Version: "1.10"`, `When: "2026-03-02"`, "Who: Ada Example\n", `Mail: "ada@example.org"`, "---\nText.\n"} {
		if !strings.Contains(single, line) {
			t.Errorf("%q is missing in\n%s", line, single)
		}
	}
	if got.notes["D/B"].Body != "This: is text of a page without properties." || got.notes["Plain"].Body != "Note: only text." || len(got.Problems) > 0 {
		t.Errorf("%q, %q, %v", got.notes["D/B"].Body, got.notes["Plain"].Body, got.Problems)
	}
}

func TestBodies(t *testing.T) {
	for _, test := range [][2]string{
		{"<aside>\n⚠️ One\n\n- a\n\n```\n<aside>\n```\n\n</aside>\nnext", "> [!warning]\n> ⚠️ One\n>\n> - a\n>\n> ```\n> <aside>\n> ```\n\nnext"},
		{"<aside>\n<img src=\"https://www.notion.so/icons/x.svg\" alt=\"x\" width=\"40px\" />\n\nText\n</aside>", "> [!note]\n> Text"},
		{"<details>\n<summary>More</summary>\n\nin\n\n</details>", "> [!note]- More\n> in"},
		{"<aside>\na\n<aside>\nb\n</aside>\nc\n</aside>", "> [!note]\n> a\n>\n> > [!note]\n> > b\n>\n> c"},
		{"a\n<aside>\nnever closed", "a\n\nnever closed"},
		{"a</aside>\nb", "a\nb"},
		{"- x\n    <aside>\n    y\n    </aside>", "- x\n\n    > [!note]\n    > y"},
		{"`[a](b.md)` and $E = mc^2$", "`[a](b.md)` and $E = mc^2$"},
		{"[gone](Gone%20" + hex("7") + ".md)", "gone"},
		{"[x](https://www.notion.so/ws/Other-" + hex("2") + "#" + hex("3") + ")", "[[Other|x]]"},
		{"[x](/" + hex("2") + "?pvs=4) [y](https://example.notion.site/" + hex("9") + "?v=" + hex("8") + "&p=" + hex("2") + ")", "[[Other|x]] [[Other|y]]"},
		{"[pdf](Page/a%20b.pdf) ![100%](Page/100%25.png)", "[[a b.pdf|pdf]] ![[100%.png]]"},
		{"[mail](mailto:a@example.org) [site](example.org) [top](#x)", "[mail](mailto:a@example.org) [site](example.org) [top](#x)"},
	} {
		text, want := test[0], test[1]
		got := read(t, write(t, map[string]string{"Page " + hex("1") + ".md": "# Page\n\n" + text, "Other " + hex("2") + ".md": "# Other", "Page/a b.pdf": "p", "Page/100%.png": "p"}))
		if diff := cmp.Diff(want, got.notes["Page"].Body); diff != "" {
			t.Errorf("%q:\n%s", text, diff)
		}
	}
}

func TestHostile(t *testing.T) {
	got := read(t, write(t, map[string]string{
		"Broken " + hex("1") + ".csv": "Name,A\n\"never closed,1\nx,2\n",
		"Empty " + hex("2") + ".csv":  "",
		"Nul " + hex("3") + ".md":     "# \x00\xff\n\n\x00\xff[",
		hex("4") + ".md":              "",
		"Deep " + hex("5") + ".md":    "# Deep\n\n" + strings.Repeat("<aside>\n", 100_000) + "x" + strings.Repeat("\n</aside>", 100_000),
		"Wide " + hex("6") + ".csv":   strings.Repeat("a,", 100_000) + "\n",
		"Fine " + hex("7") + ".md":    "# Fine\n\ntext",
	}))
	if got.err != nil || len(got.Notes) < 6 || got.notes["Fine"].Body != "text" || got.notes["Untitled"].Title != "Untitled" {
		t.Error(got.err, got.paths(), got.Problems)
	}
}

func TestNothing(t *testing.T) {
	if got := read(t, write(t, map[string]string{"a.png": "x"})); !errors.Is(got.err, export.ErrNothing) {
		t.Error(got.err)
	}
}

// TestMany reads many pages of one title, and their database.
func TestMany(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	name := filepath.Join(t.TempDir(), "many.zip")
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	add := func(name, content string) {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write([]byte(content))
	}
	const count = 5_000
	for i := range count {
		add("D "+hex("1")+"/Untitled "+strings.Repeat("0", 24)+string([]byte{hexDigit(i >> 16), hexDigit(i >> 12), hexDigit(i >> 8), hexDigit(i >> 4), hexDigit(i), '0', '0', '0'})+".md", "# Untitled\n\nStatus: x\n\ntext")
	}
	add("D "+hex("1")+".csv", "Name,Status\n"+strings.Repeat("Untitled,x\n", count))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := export.Open(t.Context(), name, export.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tree.Close() }()
	b := export.NewBuilder("mark")
	if err := readTree(t, tree, b); err != nil || len(b.Notes) != count+1 {
		t.Error(err, len(b.Notes))
	}
}

func hexDigit(i int) byte { return "0123456789abcdef"[i&15] }
