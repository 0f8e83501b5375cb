package roam_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/convert/export"
	"quarry/convert/internal/roam"
)

const fixture = "../../../fixtures/intake/roam/in"

// TestFixture holds each line of the fixture's EXPECT.md.
func TestFixture(t *testing.T) {
	got := read(t, fixture)
	if got.err != nil {
		t.Fatal(got.err)
	}
	stamp := func(when time.Time) string {
		if when.IsZero() {
			return ""
		}
		return when.Format(time.RFC3339)
	}
	var table [][]string
	for _, n := range got.Notes {
		table = append(table, []string{n.Title, n.Path, n.Type, stamp(n.Created), stamp(n.Updated)})
	}
	want := [][]string{
		{"Harbour", "Harbour", "note", "2026-03-03T09:00:00Z", "2026-03-03T10:00:00Z"},
		{"2026-03-03", "2026-03-03", "daily", "2026-03-03T00:00:00Z", ""},
		{"Place/With: odd? name", "Place∕With: odd? name", "note", "2026-03-03T00:00:00Z", ""},
		{"harbour", "harbour", "note", "2026-03-03T00:00:00Z", ""},
	}
	if diff := cmp.Diff(want, table); diff != "" {
		t.Error(diff)
	}
	harbour := `- Type:: [[Place]]

## Berths

- [ ] paint the [[North Pier]] #to-do #quick
- [x] sweep
  - with a *soft* **broom** ==twice== ~~daily~~
- As said in [[2026-03-03#^bbb000002]] and [[2026-03-03#^bbb000002|here]].
- ![[2026-03-03#^bbb000001]]
- Lost: ((zzz999999))
- ` + "```go\n  fmt.Println(\"tide\")\n  ```" + `
- ![gauge](https://img.example.org/gauge.png) and [site](https://harbour.example.org/?a=1&b=2)
- Two
  lines in one block; see [[2026-03-03]] and Nested \[\[Page\]\] Name
- ` + "`{{[[query]]: {and: [[TODO]] [[Harbour]]}}}`\n"
	if diff := cmp.Diff(harbour, got.notes["Harbour"].Body); diff != "" {
		t.Error(diff)
	}
	daily := "- Measured the [[Harbour]]: ^bbb000001\n  - 4.2 m at noon ^bbb000002\n- | a | b |\n\n| Day | Level |\n| --- | --- |\n| Mon | 4.2 |\n\n"
	if diff := cmp.Diff(daily, got.notes["2026-03-03"].Body); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]export.Problem{{Where: "Harbour", Reason: "the block ((zzz999999)) is not in the export"}}, got.Problems); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"Place", "North Pier", "Nested [[Page]] Name"}, got.dead); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(got.notes["2026-03-03"].String(), "aliases:\n  - \"March 3rd, 2026\"\n") {
		t.Error(got.notes["2026-03-03"])
	}
}

// TestTwins holds that links by the names of pages that differ in case alone, or have no id, mean the page of that very name.
func TestTwins(t *testing.T) {
	got := readText(t, `[{"title":"Twin","uid":"t1"},{"title":"twin"},{"title":"P","children":[{"string":"[[Twin]] [[twin]] {{embed: [[twin]]}}"}]}]`)
	var ids []string
	got.Resolve(got.Builder.Notes[2].Body, func(to export.Target) string { ids = append(ids, to.ID); return "" })
	if !slices.Equal(ids, []string{"t1", "title:twin", "title:twin"}) {
		t.Error(ids)
	}
}

func pageOf(blocks ...string) string {
	var children []map[string]any
	for i, text := range blocks {
		children = append(children, map[string]any{"string": text, "uid": fmt.Sprintf("uid-_%05d", i)})
	}
	made, err := json.Marshal([]any{
		map[string]any{"title": "Page", "uid": "page00001", "create-time": 1772496000000, "children": children},
		map[string]any{"title": "Other/one", "uid": "page00002", "children": []any{map[string]any{"string": "Part", "heading": 1, "uid": "heading01"}}},
	})
	if err != nil {
		panic(err)
	}
	return string(made)
}

func readText(t testing.TB, content string) imported {
	t.Helper()
	name := filepath.Join(t.TempDir(), "export.json")
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return read(t, name)
}

func TestBlocks(t *testing.T) {
	for text, want := range map[string]string{
		"((so)) ((https))":                          "- ((so)) ((https))",
		"{{TODO}} a":                                "- [ ] a",
		"{{embed: [[Other/one]]}}":                  "- ![[Other∕one]]",
		"{{[[embed-path]]: ((uid-_00000))}}":        "- ![[Page#^uid--00000]] ^uid--00000",
		"((page00002)) ((heading01)) [x]([[Page]])": "- [[Other∕one]] [[Other∕one#Part]] [[Page|x]]",
		"#[[Other/one]] #[[a b c]] #2026 #.css a#b": "- #Other/one #a-b-c #2026 #.css a#b",
		"[[March 5th, 2026]] [[March 32nd, 2026]]":  "- [[2026-03-05]] [[March 32nd, 2026]]",
		"[[a: b]] [[C#]]":                           "- [[a- b|a: b]] [[C|C#]]",
		"`[[code]] __x__` [[Page]]":                 "- `[[code]] __x__` [[Page]]",
		"https://e.example/__init__/[[x]] __y__":    "- https://e.example/__init__/[[x]] *y*",
		"__see [[Page]]__ ^^((page00002))^^":        "- *see [[Page]]* ==[[Other∕one]]==",
		"[`x` __y__](https://e.example/a_(b))":      "- [`x` *y*](https://e.example/a_(b))",
		"a\n```js\nb\n\nc```\nd":                    "- a\n  ```js\n  b\n  \n  c\n  ```\n  d",
		"```never closed":                           "- \\```never closed",
		"{{[[youtube]]: https://v.example/1}}":      "- https://v.example/1",
		"{{slider}} {{calc: 1 + 2}}":                "- `{{slider}}` `{{calc: 1 + 2}}`",
		"# no heading\n- no item\n1. one":           "- \\# no heading\n  \\- no item\n  1. one",
		"$$x_1 + [[y]]$$ costs $$":                  "- $x_1 + [[y]]$ costs $$",
		"[[ ]] [[]] [ [[Page]] ]] (( {{ }}":         "- [[ ]] [[]] [ [[Page]] ]] (( {{ }}",
	} {
		got := readText(t, pageOf(text))
		if body := strings.TrimRight(got.notes["Page"].Body, "\n"); body != want || got.err != nil || len(got.Problems) > 0 {
			t.Errorf("%q is\n%s\nwant\n%s\n%v", text, body, want, got.err)
		}
	}
}

// TestCreated holds that a page without a time has that of its first block.
func TestCreated(t *testing.T) {
	got := readText(t, `[{"title":"P","children":[{"string":"a","create-time":1772532000000},{"string":"b","create-time":1772528400000}]}]`)
	if stamp := got.notes["P"].Created.Format(time.RFC3339); stamp != "2026-03-03T09:00:00Z" {
		t.Error(stamp)
	}
}

func TestShapes(t *testing.T) {
	got := readText(t, `[{"title":"P","uid":"p","children":[
		{"string":"numbered","children-view-type":"numbered","props":{"a":[{"string":"not a block"}]},"refs":[{"uid":"x"}],"children":[{"string":"a","children":[{"string":"below"}]},{"string":"b"}]},
		{"string":"","children":[{"string":"of an empty one"}]},
		{"string":"deep","children":[{"string":"head","heading":3,"uid":"inner0001"}]},
		{"string":"code","children":[{"string":"`+"```js\\nx```"+`","uid":"code00001"},{"string":"((code00001)) ((inner0001)) ((cell00001))"}]},
		{"string":"in","children":[{"string":"{{[[table]]}}","children":[{"string":"a|b","children":[{"string":"c","uid":"cell00001"},{"string":"d\ne"}]}]}]},
		{"string":"![x](https://firebasestorage.googleapis.com/v0/b/x?token=1) {{[[pdf]]: https://firebasestorage.googleapis.com/y}}"}
	]}]`)
	want := "- numbered\n  1. a\n     - below\n  2. b\n- of an empty one\n- deep\n  - ### head ^inner0001\n- code\n  - ```js\n    x\n    ```\n    ^code00001\n  - [[P#^code00001]] [[P#^inner0001]] [[P]]\n" +
		"- in\n  -\n    | a\\|b | c |\n    | --- | --- |\n    |  | d<br>e |\n- ![x](https://firebasestorage.googleapis.com/v0/b/x?token=1) https://firebasestorage.googleapis.com/y\n"
	if diff := cmp.Diff(want, got.notes["P"].Body); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]export.Problem{{Where: "P", Reason: "files at Roam's server that are not in the export: 2; the links to them stay"}}, got.Problems); diff != "" {
		t.Error(diff)
	}
}

// TestLostBlocks holds that a block that is not there is told once a page.
func TestLostBlocks(t *testing.T) {
	got := readText(t, pageOf("((zzz999999)) ((zzz999999))", "{{embed: ((zzz999999))}} [a](((yyy999999)))"))
	want := []export.Problem{{Where: "Page", Reason: "the block ((zzz999999)) is not in the export"}, {Where: "Page", Reason: "the block ((yyy999999)) is not in the export"}}
	if diff := cmp.Diff(want, got.Problems); diff != "" {
		t.Error(diff)
	}
	if body := got.notes["Page"].Body; body != "- ((zzz999999)) ((zzz999999))\n- ((zzz999999)) a ((yyy999999))\n" {
		t.Error(body)
	}
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"a.edn": "#datascript/DB {:schema {}}", "b.json": "#datascript/DB {:schema {}}", "c.json": `{"a":1}`, "d.md": "x"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := read(t, dir)
	if got.err == nil || !strings.Contains(got.err.Error(), "choose Export All and the format JSON") || len(got.Problems) != 3 {
		t.Error(got.err, got.Problems)
	}
	if got := read(t, t.TempDir()); !errors.Is(got.err, export.ErrNothing) {
		t.Error(got.err)
	}
}

// TestHostile holds bounds for what is made to break a reader, and that the rest is taken.
func TestHostile(t *testing.T) {
	deep := strings.Repeat(`{"string":"x","children":[`, 100_000) + strings.Repeat("]}", 100_000)
	for name, content := range map[string]string{
		"deep":        `[{"title":"Good","children":[{"string":"first"}]},{"title":"Deep","children":[` + deep + `]}]`,
		"cut":         `[{"title":"Good","children":[{"string":"first"}]},{"title":"x","children":[{"string":"y`,
		"deep props":  `[{"title":"Good","children":[{"string":"first"}]},{"title":"x","p":` + strings.Repeat(`{"a":[`, 100_000) + strings.Repeat("]}", 100_000) + `}]`,
		"cycle":       `[{"title":"Good","children":[{"string":"first"}]},{"title":"x","children":[{"string":"{{embed: ((b))}}","uid":"a"},{"string":"{{embed: ((a))}}","uid":"b"}]}]`,
		"double ids":  `[{"title":"Good","uid":"a","children":[{"string":"first","uid":"a"}]},{"title":"Good","uid":"a","children":[{"string":"((a))","uid":"a"}]}]`,
		"odd values":  `[{"title":"Good","children":[{"string":"first"},3,"x",null,["y"],{"string":7,"heading":1e300,"create-time":-1}]},7,{"uid":"no title"}]`,
		"brackets":    `[{"title":"Good","children":[{"string":"first"}]},{"title":"x","children":[{"string":"` + strings.Repeat("[[", 200_000) + strings.Repeat("{{", 100_000) + strings.Repeat("[a](", 50_000) + strings.Repeat("__", 100_000) + strings.Repeat("^^a", 50_000) + `"}]}]`,
		"many links":  `[{"title":"Good","children":[{"string":"first"}]},{"title":"x","children":[{"string":"` + strings.Repeat("[[a]]#b", 100_000) + `"}]}]`,
		"wide table":  `[{"title":"Good","children":[{"string":"first"}]},{"title":"x","children":[{"string":"{{table}}","children":[{"string":"` + strings.Repeat("w", 100_000) + `","children":[` + strings.Repeat(`{"string":"a"},`, 20_000) + `{"string":"b"}]}]}]}]`,
		"not unicode": "[{\"title\":\"Good\",\"children\":[{\"string\":\"first\"}]},{\"title\":\"\xff\",\"children\":[{\"string\":\"\xfe\\u0000\"}]}]",
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			got := readText(t, content)
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
			body, size := "", 0
			for _, n := range got.Notes {
				if n.Title == "Good" && body == "" {
					body = n.Body
				}
				size += len(n.Body)
			}
			if got.err != nil || !strings.Contains(body, "- first") || size > 100*len(content) {
				t.Errorf("%v, %q, %d bytes of %d", got.err, body, size, len(content))
			}
			if name != "cycle" && name != "brackets" && name != "many links" && name != "wide table" && name != "not unicode" && name != "deep props" && len(got.Problems) == 0 {
				t.Error("nothing is reported")
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	content, err := os.ReadFile(filepath.Join(fixture, "export.json"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(content))
	f.Add(pageOf("[[a [[b]] c]] {{[[TODO]]}} #[[x y]] ((uid-_00000)) `c` ```js\nx```", "$$x$$ __a__ ^^b^^"))
	f.Fuzz(func(t *testing.T, content string) {
		got := readText(t, content)
		for _, n := range got.Notes {
			if slices.Contains([]rune(n.Body), '\uE0F4') {
				t.Errorf("a sign of ours is left in %q", n.Body)
			}
		}
	})
}

var _ export.Reader = roam.Read
