package quarry_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"quarry"
)

// caseChecks say what is right, by the name of the case.
var caseChecks = map[string]func(*caseVault){
	"01-tiebreak-folder-then-length": func(v *caseVault) {
		v.want("root", v.links("root.md"), "Kiln -> b/Kiln.md")
		v.want("own folder", v.links("pots/log.md"), "Kiln -> pots/Kiln.md")
		v.want("below it", v.links("pots/deep/log.md"), "Kiln -> b/Kiln.md")
		v.want("by path", v.links("c/by-path.md"), "b/Kiln -> b/Kiln.md")
	},
	"02-markdown-link-vault-wide": func(v *caseVault) {
		const clay = " -> Sub/Wet Clay.md"
		v.want("root", v.links("index.md"), "Wet Clay.md"+clay, "Sub/Wet Clay.md"+clay)
		v.want("beside it", v.links("Sub/near.md"), "Wet Clay.md"+clay, "Sub/Wet Clay.md"+clay)
		v.want("below", v.links("Sub/Deeper/far.md"), "../Wet Clay.md"+clay)
		v.want("displays", v.written("index.md"), "Wet Clay.md|one", "Sub/Wet Clay.md|two")
		v.want("displays", v.written("Sub/near.md"), "Wet Clay.md|three", "Sub/Wet Clay.md|four")
		v.want("displays", v.written("Sub/Deeper/far.md"), "../Wet Clay.md|five")
	},
	"04-alias-is-not-a-target": func(v *caseVault) {
		v.want("links", v.links("src.md"), "Terracotta (alias)", "Earthenware -> Earthenware.md")
		v.want("as written", v.written("src.md"), "Terracotta|Terracotta", "Earthenware|Terracotta")
		v.has("found", strings.Join(v.found(quarry.Hybrid, "Terracotta"), " "), "Earthenware.md")
	},
	"05-case-insensitive-target": func(v *caseVault) {
		const rib = " -> Tools/Rib Tool.md"
		v.want("links", v.links("src.md"), "rib tool"+rib, "RIB TOOL"+rib, "Rib Tool.MD"+rib, "tools/rib tool.md"+rib)
	},
	"07-escaped-markers": func(v *caseVault) {
		v.want("tags", v.tags("src.md"), "real")
		v.want("links", v.links("src.md"))
		v.want("links as written", v.written("src.md"))
	},
	"08-wikilink-in-inline-code": func(v *caseVault) {
		v.want("links", v.links("src.md"), "Clay -> Clay.md")
		v.want("backlinks", v.backlinks("Glaze.md"))
		v.want("backlinks", v.backlinks("Clay.md"), "src.md")
	},
	"10-first-line-dashes-plus-text": func(v *caseVault) {
		v.want("notes", v.notes(quarry.Filter{}), "columns.md", "ok.md", "rule.md")
		for _, path := range []string{"columns.md", "rule.md"} {
			if n := v.parse(path); len(n.Frontmatter)+len(n.FrontmatterErrors) != 0 {
				v.Errorf("%s has properties: %v %v", path, n.Frontmatter, n.FrontmatterErrors)
			}
		}
		v.want("tags", v.tags("ok.md"), "fine")
		v.want("found", v.found(quarry.Lexical, "stoneware"), "rule.md")
		v.has("passages", v.passages("rule.md"), "text after a long rule: stoneware")
	},
	"11-hash-comment-in-fence": func(v *caseVault) {
		v.want("outline", v.headings("n.md"), "1 Recipe", "2 Next")
		chunks := v.chunks("n.md")
		for _, code := range []string{"```sh\n# mix the slip\necho slip\n```", "~~~python\n## sieve it\nx = 1\n~~~"} {
			if !slices.ContainsFunc(chunks, func(c quarry.Chunk) bool {
				return c.Section == "Recipe" && strings.Contains(c.ChunkText, code)
			}) {
				v.Errorf("no chunk of the section Recipe has the whole of %q: %+v", code, chunks)
			}
		}
	},
	"13-one-bad-note-among-many": func(v *caseVault) {
		for word, path := range map[string]string{"alpha": "a.md", "beta": "bad.md", "gamma": "z.md"} {
			v.want(word, v.found(quarry.Lexical, word), path)
		}
		v.want("links", v.links("bad.md"), "a -> a.md")
		problems := v.problems()
		if len(problems) == 0 || !strings.HasPrefix(problems[0], "bad.md:2 frontmatter: ") {
			v.Errorf("problems: %q", problems)
		}
	},
	"14-utf8-bom": func(v *caseVault) {
		v.want("tags", v.tags("n.md"), "liquid")
		if n := v.parse("n.md"); n.Title != "Slip" || n.Headings[0].Line != 6 {
			v.Errorf("title %q, headings %+v", n.Title, n.Headings)
		}
		v.want("outline", v.headings("h.md"), "1 First line heading")
		v.want("canvas", v.links("c.canvas"), "n.md -> n.md")
		v.want("problems", v.problems())
	},
	"16-closing-fence-at-eof": func(v *caseVault) {
		n := v.parse("n.md")
		if want := map[string]any{"title": "Only props", "status": "open"}; !maps.Equal(want, n.Frontmatter) {
			v.Errorf("properties %v", n.Frontmatter)
		}
		if len(n.Sections) != 1 || n.Sections[0].Type != "yaml" {
			v.Errorf("sections %+v", n.Sections)
		}
		if e := v.parse("e.md"); len(e.Frontmatter) != 0 {
			v.Errorf("properties of e.md: %v", e.Frontmatter)
		}
		v.want("faults", append(v.faults("n.md"), v.faults("e.md")...))
		v.want("body", []string{strings.TrimSpace(v.passages("e.md"))}, "empty block above")
		v.want("problems", v.problems())
	},
	"17-tag-grammar": func(v *caseVault) {
		v.want("tags", v.tags("n.md"), "-", "123a", "_", "area/sub", "dot", "inhead", "spam-spam", "stop", "спам_спам")
	},
	"19-hex-and-fragments": func(v *caseVault) {
		v.want("tags", v.tags("n.md"), "real")
	},
	"20-tag-in-html-attribute": func(v *caseVault) {
		v.want("tags", v.tags("n.md"), "yes")
		v.want("links", v.links("n.md"))
	},
	"22-bracketed-field-with-link": func(v *caseVault) {
		v.want("links", v.links("n.md"), "uses: Slip -> Slip.md", "made_from: Clay -> Clay.md", "b: Slip -> Slip.md")
		v.want("as written", v.written("n.md"), "uses: Slip|Slip", "made_from: Clay|red clay", "b: Slip|Slip")
		var fields []string
		for _, f := range v.parse("n.md").Fields {
			fields = append(fields, f.Key+"="+f.Value)
		}
		v.want("fields", fields, "uses=[[Slip]]", "made_from=[[Clay|red clay]]", "a=1", "b=two [[Slip]] words")
	},
	"23-dot-in-note-name": func(v *caseVault) {
		v.want("links", v.links("src.md"), "glaze.daemon -> ent/glaze.daemon.md", "B.H. Leach -> B.H. Leach.md",
			"v1.2 -> v1.2.md", "v1.2.md -> v1.2.md", "v1.2#v -> v1.2.md")
	},
	"25-destination-spellings": func(v *caseVault) {
		const jar, ab = "my jar.md -> s/my jar.md", "a(b).md -> s/a(b).md"
		v.want("links", v.links("s/src.md"), jar, ab, ab, ab, jar, "r&d.md -> s/r&d.md", jar)
	},
	"26-raw-space-destination": func(v *caseVault) {
		v.want("links", v.links("src.md"), "My Jar.md -> My Jar.md", "My Jar.md -> My Jar.md")
		v.want("as written", v.written("src.md"), "My Jar.md|y", "My Jar.md|z")
	},
	"28-heading-punctuation": func(v *caseVault) {
		v.want("links", v.links("n.md"), "Kiln -> Kiln.md", "#Firing costs risks -> n.md", "#Firing: costs & risks? -> n.md",
			"#About Kiln (old new) -> n.md", "#About Kiln old new -> n.md", "#she/her -> n.md")
		v.has("display", strings.Join(v.written("n.md"), "\n"), "#she/her|pron")
		for subpath, heading := range map[string]string{
			"Firing costs risks": "# Firing: costs", "About Kiln (old new)": "## About", "About Kiln old new": "## About", "she/her": "### she/her",
		} {
			if got := v.text("n.md#" + subpath); !strings.HasPrefix(got, heading) {
				v.Errorf("#%s gives %q", subpath, got)
			}
		}
	},
	"29-outline-excludes-quotes-and-embeds": func(v *caseVault) {
		v.want("outline", v.headings("n.md"), "1 Top", "2 Last")
		v.has("section Top", v.text("n.md#Top"), "words here")
		v.lacks("section Last", v.text("n.md#Last"), "words here")
	},
	"31-exact-root-beats-neighbour": func(v *caseVault) {
		v.want("links", v.links("blog/post.md"), "about -> about.md", "README -> README.md",
			"readme.png -> pics/readme.png", "./about -> blog/about.md")
	},
	"32-link-in-admonition-code-block": func(v *caseVault) {
		v.want("links", v.links("n.md"), "Slip -> Slip.md")
		v.want("tags", v.tags("n.md"), "dry")
		v.has("passages", v.passages("n.md"), "See [[Clay]] #wet")
		v.has("found", strings.Join(v.found(quarry.Lexical, "Clay"), " "), "n.md")
	},
	"34-comment-with-code-fence": func(v *caseVault) {
		v.has("passages", v.passages("n.md"), "Visible one.", "Visible two. Inline", "end.", "%% not a comment %%")
		v.lacks("passages", v.passages("n.md"), "secret", "50%")
		v.want("found", v.found(quarry.Lexical, "visible"), "n.md")
		v.want("what stands in comments", v.found(quarry.Lexical, "secret"))
		answer, err := v.engine.Context(v.Context(), quarry.ContextRequest{Topic: "visible"})
		if err != nil {
			v.Fatal(err)
		}
		v.lacks("context", answer.Text, "secret")
	},
	"35-links-in-comments": func(v *caseVault) {
		v.want("links", v.links("n.md"), "parent: Metric -> Metric.md (hidden)", "related: Blur -> Blur.md (hidden)",
			"related: Rouge -> Rouge.md (hidden)", "Aside -> Aside.md (hidden)")
		v.want("tags", v.tags("n.md"), "quiet (hidden)")
		if tasks := v.parse("n.md").Tasks; len(tasks) != 0 {
			v.Errorf("tasks: %+v", tasks)
		}
	},
	"37-yaml-scalar-traps": func(v *caseVault) {
		n := v.parse("n.md")
		v.want("aliases", n.Aliases, "Nan", "No", "2031-05-06", "1.10")
		v.want("text of code", []string{fmt.Sprint(n.FrontmatterRaw["code"])}, "007")
	},
	"38-unquoted-link-in-yaml": func(v *caseVault) {
		v.want("links", v.links("n.md"), "up: Top -> Top.md", "next: ring, r-module -> ring, r-module.md", "good: Top -> Top.md",
			"list: Top -> Top.md")
		v.has("as written", strings.Join(v.written("n.md"), "\n"), "good: Top|the top")
		if up, ok := v.parse("n.md").Frontmatter["up"].([]any); ok {
			v.Errorf("the value of up is a list: %v", up)
		}
	},
	"40-tag-property-shapes": func(v *caseVault) {
		v.want("a comma list", v.tags("a.md"), "one (legacy)", "three (legacy)", "two (legacy)")
		v.want("quoted", v.tags("b.md"), "notes/weekly")
		v.want("numbers and lists", v.tags("c.md"), "x2", "y", "z (legacy)")
		v.want("key in capitals", v.tags("d.md"), "Up", "old (legacy)")
		v.want("a YAML comment", v.tags("e.md"))
		if len(v.faults("e.md")) == 0 {
			v.Error("no word of the YAML comment")
		}
		v.want("nothing", append(v.tags("f.md"), v.faults("f.md")...))
	},
	"41-tab-in-yaml-list": func(v *caseVault) {
		v.want("found", v.found(quarry.Lexical, "body"), "n.md")
		faults := v.faults("n.md")
		if len(faults) != 1 || !strings.HasPrefix(faults[0], "3 a tab ") || !strings.HasSuffix(faults[0], "(recovered)") {
			v.Errorf("faults: %q", faults)
		}
		v.want("tags", v.tags("n.md"), "dry", "wet")
		if problems := v.problems(); len(problems) != 1 || !strings.HasPrefix(problems[0], "n.md:3 frontmatter: a tab ") {
			v.Errorf("problems: %q", problems)
		}
	},
	"43-astral-offsets": func(v *caseVault) {
		answer := v.search(quarry.Lexical, "glaze")
		if len(answer.Results) != 1 || answer.Results[0].LineStart > 5 || answer.Results[0].LineEnd < 5 {
			v.Fatalf("results: %+v", answer.Results)
		}
		v.has("passage", answer.Results[0].ChunkText, "Line with GLAZE and more text.")
		v.want("line 5", []string{strings.TrimSpace(v.text("n.md:5:1"))}, "Line with GLAZE and more text.")
		if callouts := v.parse("n.md").Callouts; len(callouts) != 1 || callouts[0].Line != 3 || callouts[0].Type != "note" {
			v.Errorf("callouts: %+v", callouts)
		}
	},
	"44-chinese-mid-sentence": func(v *caseVault) {
		v.want("陶土", v.found(quarry.Lexical, "陶土"), "n.md")
		v.want("茶杯", v.found(quarry.Lexical, "茶杯"), "n.md")
		answer := v.search(quarry.Hybrid, "陶土")
		if len(answer.Results) == 0 || answer.Results[0].FilePath != "n.md" {
			v.Fatalf("results: %+v", answer.Results)
		}
		v.has("passage", answer.Results[0].ChunkText, "陶土")
	},
	"46-hyphenated-word": func(v *caseVault) {
		for _, mode := range []quarry.Mode{quarry.Lexical, quarry.Hybrid} {
			if got := v.found(mode, "A-Frame"); len(got) == 0 || got[0] != "a.md" {
				v.Errorf("A-Frame, %s: %v", mode, got)
			}
			for _, query := range []string{"glaze_v2", "final-cut"} {
				if got := v.found(mode, query); len(got) == 0 || got[0] != "c.md" {
					v.Errorf("%s, %s: %v", query, mode, got)
				}
			}
		}
		v.want("a phrase", v.found(quarry.Lexical, `"A-Frame"`), "a.md")
		frames := v.found(quarry.Lexical, "frame")
		slices.Sort(frames)
		v.want("a part", frames, "a.md", "b.md")
	},
	"47-prose-is-not-a-typed-relation": func(v *caseVault) {
		v.want("links", v.links("n.md"), "Glaze -> Glaze.md", "Clay -> Clay.md", "Kiln -> Kiln.md",
			"similar_to: Glaze -> Glaze.md", "similar_to: Clay -> Clay.md", "Kiln -> Kiln.md",
			"depends_on: Kiln#Wiring -> Kiln.md", "related_to: Clay -> Clay.md")
		v.has("display", strings.Join(v.written("n.md"), "\n"), "depends_on: Kiln#Wiring|the kiln")
	},
	"49-block-ids": func(v *caseVault) {
		var blocks []string
		for _, b := range v.parse("n.md").Blocks {
			blocks = append(blocks, fmt.Sprintf("%s %d-%d", b.ID, b.Line, b.LineEnd))
		}
		slices.Sort(blocks)
		v.want("blocks", blocks, "c1 20-22", "h1 26-26", "li1 4-5", "list1 4-6", "p1 1-2", "q1 10-10", "t1 14-16")
		v.want("outline", v.headings("n.md"), "2 Head")
		v.want("links", v.links("n.md"), "#^p1 -> n.md", "n#^list1 -> n.md", "n#^t1 -> n.md", "n#^missing -> n.md (block_missing)")
		v.has("block", v.text("n.md#^p1"), "Para one\nstill one")
		if marker := regexp.MustCompile(`(^|\s)\^(p1|li1|list1|q1|t1|c1|h1)\b`).FindString(v.passages("n.md")); marker != "" {
			v.Errorf("a passage has the marker %q", marker)
		}
	},
	"50-broken-canvas-json": func(v *caseVault) {
		v.has("notes", strings.Join(v.notes(quarry.Filter{}), " "), "ok.md", "empty.canvas")
		if n := v.parse("empty.canvas"); n.Kind != "canvas" || len(n.Problems) != 0 {
			v.Errorf("empty.canvas: %s, %v", n.Kind, n.Problems)
		}
		problems := v.problems()
		if len(problems) != 2 || !regexp.MustCompile(`^bad\.base:[12] `).MatchString(problems[0]) || !strings.HasPrefix(problems[1], "bad.canvas:1 ") {
			v.Errorf("problems: %q", problems)
		}
	},
	"52-setext-headings": func(v *caseVault) {
		v.want("outline", v.headings("n.md"), "1 Pots", "2 Bowls", "3 Cups")
		v.want("tags", v.tags("n.md"), "No")
		v.has("section Bowls", v.text("n.md#Bowls"), "after rule")
	},
	"53-long-note-no-headings": func(v *caseVault) {
		chunks := v.chunks("n.md")
		if len(chunks) < 2 {
			v.Errorf("%d chunks", len(chunks))
		}
		for _, c := range chunks {
			if n := utf8.RuneCountInString(c.ChunkText); n > 2000 || !utf8.ValidString(c.ChunkText) {
				v.Errorf("chunk %d has %d characters", c.Index, n)
			}
		}
		raw, err := os.ReadFile(filepath.Join(v.dir, "n.md"))
		if err != nil {
			v.Fatal(err)
		}
		passages := v.passages("n.md")
		for _, sentence := range strings.SplitAfter(strings.TrimSpace(string(raw)), ". ") {
			v.has("passages", passages, strings.TrimSpace(sentence))
		}
		answer := v.search(quarry.Hybrid, "pot 1398 wheel")
		if len(answer.Results) == 0 {
			v.Fatal("nothing is found")
		}
		v.has("the best passage", answer.Results[0].ChunkText, "pot 1398 was thrown")
	},
}
