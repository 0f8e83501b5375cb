package notion_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

func TestHostileHTML(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	start := time.Now()
	got := read(t, write(t, map[string]string{
		"deep.html":    "<h1 class=\"page-title\">Deep</h1>" + strings.Repeat("<div>", 100_000) + "words stay",
		"lists.html":   strings.Repeat("<ul class='bulleted-list'><li>a</li></ul>  ", 20_000),
		"figures.html": strings.Repeat("<figure class='callout'>", 300) + strings.Repeat("<p>x</p>", 10_000),
		"spans.html":   strings.Repeat("<span class='notion-text-equation-token'>", 300) + strings.Repeat("x<b></b>", 10_000),
		"head.html":    "<header><table>" + strings.Repeat("<tr class='property-row'><th>A</th><td>b</td></tr>", 20_000) + "</table></header>",
		"toggles.html": strings.Repeat("<details><summary>a</summary>", 200),
	}))
	if took := time.Since(start); took > 15*time.Second || got.err != nil || len(got.Notes) != 6 || !strings.Contains(got.notes["deep"].Body, "words stay") {
		t.Error(took, got.err, len(got.Notes), got.Problems)
	}
	t.Log(time.Since(start))
}

// TestHTML reads the HTML export.
func TestHTML(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/html.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	got := read(t, write(t, files))
	if got.err != nil || len(got.Problems) > 0 || len(got.Lost) > 0 {
		t.Fatal(got.err, got.Problems, got.Lost)
	}
	if diff := cmp.Diff([]string{"Pottery & glazes", "Pottery & glazes/Celadon"}, got.paths()); diff != "" {
		t.Fatal(diff)
	}
	want := `All of the kiln.

## Firing

> [!warning] ⚠️
>
> Vents **open**.

- bisque
  - slow
- glaze

1. load
2. light

- [x] clean shelves
  - [ ] wash

- firing log

  Hidden here, ==marked==.

Energy is $E = mc^2$.

$$
\int_0^1 x
$$

![[my kiln.png|240]]

The kiln

[[Celadon]]

[Clay](https://clay.example.org/a)

What it is

[[rules.pdf|rules.pdf]]

` + "```Python\ncone = 9\nprint(cone)\n```" + `

[Lost](https://www.notion.so/9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f?pvs=21)

#### Glaze tests

| Name | Tags | Done |
|---|---|---|
| [[Celadon]] | green, iron | Yes |`
	pottery, celadon := got.notes["Pottery & glazes"], got.notes["Pottery & glazes/Celadon"]
	if diff := cmp.Diff(want, pottery.Body); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(pottery.String(), "icon: \"🏺\"\n") {
		t.Error(pottery.String())
	}
	for _, line := range []string{"title: Celadon\n", "status: Done\n", `Fired: "2026-03-02"`, "Cone: 9\n", "tags:\n  - green\n  - iron-low\n", "Mood:\n  - calm\n  - glad\n", `Related: "[[Pottery & glazes]]"`, "Glossy: false\n", `Batch: "0042"`, "Maker: Ida Example\n", "created: 2026-03-01T09:00:00Z\n", "updated: 2026-03-04T16:25:00Z\n", `Span: "2026-03-02/2026-03-05"`, "---\nPale.\n"} {
		if !strings.Contains(celadon.String(), line) {
			t.Errorf("%q is missing in\n%s", line, celadon)
		}
	}
}
