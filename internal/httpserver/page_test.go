package httpserver_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/internal/httpserver"
)

// renderer runs what the page makes of Markdown, with a stand-in for its document; the test is left out where no JavaScript runs.
func renderer(t *testing.T) func(text string, arguments ...string) string {
	t.Helper()
	return runner(t, "pagemarkdown.js", filepath.Join("testdata", "document.js"))
}

// runner runs parts of the page's script as one, with a text for standard input, and gives what it prints.
func runner(t *testing.T, names ...string) func(text string, arguments ...string) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node to run the page's script")
	}
	var script []byte
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		script = append(script, text...)
	}
	path := filepath.Join(t.TempDir(), "script.js")
	if err := os.WriteFile(path, script, 0o600); err != nil {
		t.Fatal(err)
	}
	return func(text string, arguments ...string) string {
		t.Helper()
		command := exec.CommandContext(t.Context(), node, append([]string{path}, arguments...)...)
		var said bytes.Buffer
		command.Stdin, command.Stderr = strings.NewReader(text), &said
		out, err := command.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, said.String())
		}
		return string(out)
	}
}

// TestPageMarkdown holds the elements that notes become against golden files.
func TestPageMarkdown(t *testing.T) {
	render := renderer(t)
	for _, name := range []string{"blocks", "inline", "hostile"} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		got := render(strings.ReplaceAll(string(text), "\r\n", "\n"))
		path := filepath.Join("testdata", name+".golden")
		if flag.Lookup("update").Value.String() == "true" {
			if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// rendered is what is measured of a note that was rendered.
type rendered struct {
	Elements, Depth, Characters int
	Names, Targets              []string
}

// mayBeMade are the elements that Markdown becomes: none of them runs or loads anything.
var mayBeMade = strings.Fields("fragment a b blockquote br code del details div em h3 h4 h5 h6 hr input li mark ol p pre span strong summary sup table tbody td th thead tr ul")

// TestPageHostileMarkdown renders what is made to be slow, deep, large or to run: the work and what comes of it stay bounded.
func TestPageHostileMarkdown(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	render := renderer(t)
	const many = 100_000
	nested := func(mark string, step int) string {
		var text strings.Builder
		for i := range 2000 {
			text.WriteString(strings.Repeat(" ", i*step) + mark + " x\n")
		}
		return text.String()
	}
	rows := map[string]string{
		"quotes on a line": strings.Repeat(">", many) + " x", "lists on a line": strings.Repeat("- ", many) + "x", "quotes": strings.Repeat("> > > > > > > > > > > > x\n", many/10),
		"lists": nested("-", 1), "numbers": nested("1.", 3), "headings": strings.Repeat("# x\n", many), "items": strings.Repeat("- x\n", many), "rules": strings.Repeat("---\n", many),
		"a long line": strings.Repeat("word ", 2*many*10), "brackets": strings.Repeat("[", many), "links": strings.Repeat("[a](", many/8) + "\n\n" + strings.Repeat("[](x)", 4000),
		"backticks": strings.Repeat("` `` ``` ```` ", 1400), "stars": strings.Repeat("*a **b ", 2800), "runs": strings.Repeat("*", 19_000) + "a" + strings.Repeat("_", 900),
		"cells": "|" + strings.Repeat("a|", many) + "\n|" + strings.Repeat("-|", 1000) + "\n|" + strings.Repeat("b|", many), "rows": "|a|b|\n|-|-|\n" + strings.Repeat("|c|d|\n", many),
		"blanks": "- a" + strings.Repeat("\n", many) + "b" + strings.Repeat(" ", many) + "c", "code": "```\n" + strings.Repeat("x\n", many), "spaces in code": "` " + strings.Repeat("a ", 9000) + "b`",
		"scripts": strings.Repeat("<script>alert(1)</script><img src=x onerror=alert(2)>\n\n[x](javascript:alert(3)) <javascript:alert(4)> ![y](data:text/html,z)\n\n", 500),
		"dollars": strings.Repeat("$a ", 6000), "hashes": strings.Repeat("#a1 ", 4000) + " " + strings.Repeat("#", 9000), "addresses": strings.Repeat("https://a\"", 1900),
	}
	for name, text := range rows {
		started := time.Now()
		var got rendered
		if err := json.Unmarshal([]byte(render(text, "measure")), &got); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(started); took > 20*time.Second {
			t.Errorf("%s: it took %v", name, took)
		}
		if got.Elements > 25_000 || got.Depth > 40 || got.Characters > len(text) {
			t.Errorf("%s: %d elements, %d deep, %d characters", name, got.Elements, got.Depth, got.Characters)
		}
		if others := slices.DeleteFunc(got.Names, func(name string) bool { return slices.Contains(mayBeMade, name) }); len(others) > 0 {
			t.Errorf("%s: makes %v", name, others)
		}
		for _, target := range got.Targets {
			if !strings.HasPrefix(target, "http") && !strings.HasPrefix(target, "mailto:") && !strings.HasPrefix(target, "#") {
				t.Errorf("%s: leads to %s", name, target)
			}
		}
	}
}

// TestPageBareMarkdown: what was found is a link itself, and has none in it; the lines of lists and code stay.
func TestPageBareMarkdown(t *testing.T) {
	got := renderer(t)("- see [[Clay#Firing]]\n- [web](https://example.org)\n\n```\na\n b\n```", "bare")
	want := "ul\n  li\n    \"see \"\n    span className=link\n      \"Clay › Firing\"\n  li\n    span className=link\n      \"web\"\npre\n  code\n    \"a\\n b\"\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPageFilters: what may have been meant by a filter becomes queries.
func TestPageFilters(t *testing.T) {
	run := runner(t, "pagefilters.js", filepath.Join("testdata", "filters.js"))
	for _, row := range []struct{ query, notice, want string }{
		{"retries tag:tidebok", `no note has the tag "tidebok"; did you mean tidebook or tidebook/ops?`, "retries tag:tidebook|retries tag:tidebook/ops"},
		{"#Tidebok retries", `no note has the tag "tidebok"; did you mean tidebook?`, "tag:tidebook retries"},
		{`folder:"01 project" x`, `no note has the folder "01 project"; did you mean 01 projects?`, `folder:"01 projects" x`},
		{"(-status:activ OR x)", `no note has the status "activ"; did you mean active?`, ""},
		{"(status:activ) x", `no note has the status "activ"; did you mean active?`, "(status:active) x"},
		{"tag:tidebokx", `no note has the tag "tidebok"; did you mean tidebook?`, ""},
		{"tag:x", `no note has the tag "x"`, ""},
		{"tag:x", "no passage passes the filters: tag:x", ""},
	} {
		if got := run(row.query + "\n" + row.notice); got != row.want {
			t.Errorf("%s, %s: %q, want %q", row.query, row.notice, got, row.want)
		}
	}
}

// TestPageIsOne: style and script are in the document, in the elements that the policy has the hashes of.
func TestPageIsOne(t *testing.T) {
	own := "http://" + serve(t, httpserver.Handler(fixedEngines{openSample(t)}, httpserver.Options{}))
	_, text := call(t, http.MethodGet, own+"/", "")
	for _, part := range []string{"<style>\n:root", "<script>\n\"use strict\";", "class Markdown", "function showHits", "start();\n</script>"} {
		if !strings.Contains(text, part) {
			t.Errorf("the page has no %q", part)
		}
	}
}
