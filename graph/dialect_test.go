package graph_test

import (
	"fmt"
	"slices"
	"testing"

	"quarry/graph"
	"quarry/internal/dialect"
	"quarry/store"
)

// ambiguous is a link that several files fit.
func ambiguous(source, target, path string) link {
	return link{source: source, target: target, path: path, state: graph.Ambiguous}
}

func checkLinks(t *testing.T, resolver *graph.Resolver, links []link) {
	t.Helper()
	for _, l := range links {
		got := resolver.Resolve(l.target, l.subpath, l.source)
		if want := (graph.Resolution{Path: l.path, State: l.state}); got != want {
			t.Errorf("%.60q%s in %s: got %+v, want %+v", l.target, l.subpath, l.source, got, want)
		}
	}
}

func TestLogseqPages(t *testing.T) {
	paths := []string{
		"pages/Kiln.md", "pages/kiln___Top loader.md", "pages/Ash%2FWood.md", "pages/Why slip%3F.md", "pages/clay.body.md",
		"pages/100%.md", "pages/50%zz.md", "pages/Cafe\u0301.md", "pages/x.md", "pages/old/deep.md", "pages/A.md", "pages/sub/a.md",
		"pages/Glaze.md", "assets/jar.png", "journals/2031_05_06.md", "pages/7 May 2031.md", "pages/clay___body.md", "LICENSE",
	}
	titles := map[string]string{"pages/x.md": "Bisque firing", "pages/Glaze.md": "Kiln", "pages/Kiln.md": "Kiln"}
	resolver := graph.NewResolver(paths).WithDialect(dialect.Logseq, titles).WithAliases(map[string][]string{"pages/Glaze.md": {"Enamel", "x"}})
	const src = "journals/2031_05_06.md"
	checkLinks(t, resolver, []link{
		ok(src, "kiln", "pages/Kiln.md"), // a file name wins over a title
		ok(src, "Kiln/top loader", "pages/kiln___Top loader.md"),
		ok(src, "Ash/Wood", "pages/Ash%2FWood.md"),
		ok(src, "Why slip?", "pages/Why slip%3F.md"),
		ok(src, "clay/body", "pages/clay___body.md"), // and over what dots may mean
		ok(src, "clay.body", "pages/clay.body.md"),
		ok(src, "100%", "pages/100%.md"),
		ok(src, "50%zz", "pages/50%zz.md"),
		ok(src, " Caf\u00e9 ", "pages/Cafe\u0301.md"),
		ok(src, "bisque Firing", "pages/x.md"),
		ok(src, "enamel", "pages/Glaze.md"),
		ok(src, "x", "pages/x.md"),
		ok(src, "deep", "pages/old/deep.md"),
		ambiguous(src, "a", "pages/A.md"),
		ok(src, "../assets/jar.png", "assets/jar.png"),
		ok(src, "assets/jar.png", "assets/jar.png"),
		ok(src, "/assets/jar.png", "assets/jar.png"),
		ok(src, "../pages/Kiln.md", "pages/Kiln.md"),
		ok(src, "", src),
		ok(src, "7 may 2031", "pages/7 May 2031.md"),
		missing(src, "jar.png"),
		missing(src, "old/deep"),
		missing(src, "top loader"),
		missing(src, "LICENSE"),
		missing(src, "pages/Kiln"),
		missing(src, "../../assets/jar.png"),
		missing(src, "/"),
	})
	dotted := graph.NewResolver([]string{"pages/clay.body.md"}).WithDialect(dialect.Logseq, nil)
	checkLinks(t, dotted, []link{ok(src, "clay/body", "pages/clay.body.md"), ok(src, "clay.body", "pages/clay.body.md")})
}

func TestLogseqJournals(t *testing.T) {
	resolver := graph.NewResolver([]string{
		"journals/2031_05_06.md", "journals/2031_05_21.md", "journals/2030-12-31.md", "pages/2029_01_02.md", "journals/2031_13_01.md", "journals/9999.md",
	}).WithDialect(dialect.Logseq, nil)
	const src, day, late, last = "pages/x.md", "journals/2031_05_06.md", "journals/2031_05_21.md", "journals/2030-12-31.md"
	var links []link
	for _, name := range []string{
		"May 6th, 2031", "may 6, 2031", "6th May 2031", "6 May 2031", "2031-05-06", "2031_05_06", "2031/05/06", "20310506", "05/06/2031",
		"Tue, 05/06/2031", "Tuesday, 05/06/2031", "Tue, 06.05.2031", "2031-05-06 Tuesday", "2031年05月06日", "May 06th, 2031", "2031-5-6",
	} {
		links = append(links, ok(src, name, day))
	}
	for _, name := range []string{"May 21st, 2031", "21-05-2031", "05-21-2031", "05/21/2031", "21/05/2031", "21.05.2031"} {
		links = append(links, ok(src, name, late))
	}
	for _, name := range []string{
		"May 7th, 2031", "May 6th", "May 2031", "2031", "6 May 31", "May 6 2031 7", "May 6 June 2031", "maybe 6th, 2031", "06-05-20310", "0-0-2031",
		"jan 2nd, 2029", "2031-13-01", "123456789", "99999999", "2031-02-30", "some day in May 6 2031 that is much longer than any of those names",
	} {
		links = append(links, missing(src, name))
	}
	links = append(links, ok(src, "Dec 31st, 2030", last), ok(src, "december 31st, 2030", last),
		ambiguous(src, "06-05-2031", day), missing(src, "05-06-2031"), ok(src, "2029_01_02", "pages/2029_01_02.md"))
	checkLinks(t, resolver, links)
}

func TestLogseqBlocks(t *testing.T) {
	resolver := graph.NewResolver([]string{"pages/a.md", "pages/b.md"}).WithDialect(dialect.Logseq, nil).
		WithBlocks(map[string]string{"5fd3-A": "pages/b.md", "0000": "pages/a.md", "5fd3-a": "pages/a.md"}).
		WithOutlines(func(string) *graph.Outline { return graph.NewOutline([]graph.Heading{{2, "Top"}}, []string{"0000"}) })
	checkLinks(t, resolver, []link{
		{"pages/a.md", "", "#^0000", "pages/a.md", graph.OK},
		{"pages/b.md", "", "#^0000", "pages/a.md", graph.OK},
		{"pages/b.md", "", "#^5FD3-a", "pages/a.md", graph.OK}, // the first note that has it
		{"pages/b.md", "", "#^gone", "", graph.BlockMissing},
		{"pages/b.md", "", "#Top", "pages/b.md", graph.OK},
		{"pages/b.md", "a", "#^0000", "pages/a.md", graph.OK},
		{"pages/b.md", "a", "#^gone", "pages/a.md", graph.BlockMissing},
	})
	s, err := graph.Around("pages/a.md", all([]graph.Note{{Path: "pages/b.md", Links: []store.Link{
		{Subpath: "#^0000", Line: 3}, {Target: "A", Line: 1}, {Subpath: "#^gone", Line: 2},
	}}}, nil), resolver)
	if err != nil || len(s.Back) != 2 {
		t.Errorf("back of a: got %+v, %v, want 2 links", s.Back, err)
	}
	g := graph.Assemble([]graph.Note{{Path: "pages/a.md"}, {Path: "pages/b.md", Links: []store.Link{{Subpath: "#^0000"}, {Subpath: "#^gone"}}}}, resolver).Graph()
	if len(g.Edges) != 1 || g.Edges[0].Target != "pages/a.md" {
		t.Errorf("edges: got %+v, want one to a", g.Edges)
	}
}

func TestFoam(t *testing.T) {
	resolver := graph.NewResolver([]string{
		"projects/house/todo.md", "work/todo.md", "work/notes.md", "index.md", "guides/index.md", "guides/README.md", "tools/ReadMe.md",
		"tools/cli.md", "tools/cli/index.md", "pics/jar.png", "a/v1.2.md", "work/far/notes.txt", "a/x", "b/x.md",
	}).WithDialect(dialect.Foam, nil)
	checkLinks(t, resolver, []link{
		ambiguous("index.md", "todo", "projects/house/todo.md"),
		ambiguous("work/notes.md", "todo", "projects/house/todo.md"), // what is near counts for nothing
		ok("index.md", "house/todo", "projects/house/todo.md"),
		ok("index.md", "Projects/House/TODO.md", "projects/house/todo.md"),
		ok("index.md", "work/todo", "work/todo.md"),
		missing("index.md", "ouse/todo"),
		ok("index.md", "/work/notes", "work/notes.md"),
		missing("index.md", "/house/todo"),
		ok("work/notes.md", "./todo", "work/todo.md"),
		ok("work/notes.md", "../projects/house/todo.md", "projects/house/todo.md"),
		missing("work/notes.md", "../../work/todo"),
		missing("work/notes.md", "./house/todo"),
		ok("index.md", "guides", "guides/index.md"),
		ok("index.md", "guides/", "guides/index.md"),
		ok("index.md", "/tools", "tools/ReadMe.md"),
		ok("index.md", "cli", "tools/cli.md"), // a note wins over the folder of its name
		ok("index.md", "./tools/", "tools/ReadMe.md"),
		ok("tools/cli.md", "..", "index.md"),
		ok("tools/cli.md", "/", "index.md"),
		ok("index.md", "jar.png", "pics/jar.png"),
		missing("index.md", "jar"),
		ok("index.md", "v1.2", "a/v1.2.md"),
		ambiguous("index.md", "x", "a/x"),
		ok("index.md", "notes", "work/notes.md"),
		missing("index.md", "gone"),
		missing("index.md", "."+"gone"),
	})
	s, err := graph.Around("work/notes.md", all([]graph.Note{{Path: "work/notes.md", Links: []store.Link{
		{Target: "todo", Markdown: true, Line: 1}, {Target: "house/todo.md", Markdown: true, Line: 2}, {Target: "/work/todo.md", Markdown: true, Line: 3},
	}}}, nil), resolver)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"1 todo references work/todo.md ok explicit:markdown 1",
		"2 house/todo.md references null unresolved explicit:markdown 1",
		"3 /work/todo.md references work/todo.md ok explicit:markdown 1",
	} {
		if got := describe("", s.Out[i]); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestFoamManyNamesAlike(t *testing.T) {
	var paths []string
	for i := range 5000 {
		paths = append(paths, fmt.Sprintf("z%d/%d/index.md", i%3, i))
	}
	resolver := graph.NewResolver(paths).WithDialect(dialect.Foam, nil)
	for i := range 100000 {
		number := i % 5000
		want := fmt.Sprintf("z%d/%d/index.md", number%3, number)
		if got := resolver.Resolve(fmt.Sprintf("%d/index", number), "", "x.md"); got.Path != want || got.State != graph.OK {
			t.Fatalf("got %+v, want %s", got, want)
		}
	}
	if got := resolver.Resolve("index", "", "x.md"); got.Path != "z0/0/index.md" || got.State != graph.Ambiguous {
		t.Errorf("got %+v", got)
	}
}

func TestFoamSubpath(t *testing.T) {
	outline := graph.NewOutline([]graph.Heading{{1, "What's new, in v2?"}, {2, "Costs"}, {2, "Costs"}}, []string{"b1"})
	resolver := graph.NewResolver([]string{"n.md"}).WithDialect(dialect.Foam, nil).WithOutlines(func(string) *graph.Outline { return outline })
	checkLinks(t, resolver, []link{
		{"n.md", "n", "#What's new, in v2?", "n.md", graph.OK},
		{"n.md", "n", "#whats-new-in-v2", "n.md", graph.OK},
		{"n.md", "n", "#costs-1", "n.md", graph.OK},
		{"n.md", "n", "#costs-2", "n.md", graph.HeadingMissing},
		{"n.md", "n", "#^b1", "n.md", graph.OK},
		{"n.md", "n", "#^b2", "n.md", graph.BlockMissing},
	})
}

func TestDendron(t *testing.T) {
	outline := graph.NewOutline([]graph.Heading{{2, "Summary"}, {2, "Workspace: Sync 🚧"}, {2, "Summary"}, {2, "a_b - c"}, {3, "On [the wheel](https://example.org/x)"}}, []string{"b1"})
	resolver := graph.NewResolver([]string{
		"vault/root.md", "vault/proj.kiln.md", "vault/proj.kiln.top.md", "other/proj.kiln.md", "other/user.ann.md", "vault/tags.hot.md",
		"vault/assets/jar.png", "assets/code.py", "other/proj.md.md", "docs/page.md", "vault/proj.kiln", "x/deep/solo.note.md",
	}).WithDialect(dialect.Dendron, nil).WithOutlines(func(string) *graph.Outline { return outline })
	checkLinks(t, resolver, []link{
		ok("vault/root.md", "proj.kiln", "vault/proj.kiln.md"), // its own vault first
		ok("other/user.ann.md", "Proj.Kiln", "other/proj.kiln.md"),
		ok("vault/root.md", "proj.kiln.top", "vault/proj.kiln.top.md"),
		ok("other/user.ann.md", "proj.kiln.top", "vault/proj.kiln.top.md"),
		ambiguous("docs/page.md", "proj.kiln", "other/proj.kiln.md"),
		ok("vault/root.md", "user.ann", "other/user.ann.md"),
		ok("other/user.ann.md", "tags.hot", "vault/tags.hot.md"),
		ok("vault/root.md", "solo.note", "x/deep/solo.note.md"),
		ok("vault/root.md", "proj.kiln.md", "vault/proj.kiln.md"),
		ok("vault/root.md", "assets/jar.png", "vault/assets/jar.png"),
		ok("vault/root.md", "/assets/jar.png", "vault/assets/jar.png"),
		ok("vault/root.md", "assets/code.py", "assets/code.py"),
		ok("vault/root.md", "../docs/page", "docs/page.md"),
		missing("vault/root.md", "proj"),
		missing("vault/root.md", "proj.kiln.*"),
		missing("vault/root.md", "kiln"),
		missing("vault/root.md", "jar.png"),
		{"vault/root.md", "", "#summary", "vault/root.md", graph.OK},
		{"vault/root.md", "proj.kiln", "#workspace-sync-", "vault/proj.kiln.md", graph.OK},
		{"vault/root.md", "proj.kiln", "#Summary,1:#*", "vault/proj.kiln.md", graph.OK},
		{"vault/root.md", "proj.kiln", "#summary-1:#a_b---c", "vault/proj.kiln.md", graph.OK},
		{"vault/root.md", "proj.kiln", "#on-the-wheel", "vault/proj.kiln.md", graph.OK},
		{"vault/root.md", "proj.kiln", "#summary:#gone", "vault/proj.kiln.md", graph.HeadingMissing},
		{"vault/root.md", "proj.kiln", "#summary-2", "vault/proj.kiln.md", graph.HeadingMissing},
		{"vault/root.md", "proj.kiln", "#summary:", "vault/proj.kiln.md", graph.OK},
		{"vault/root.md", "proj.kiln", "#^begin:#^end", "vault/proj.kiln.md", graph.OK},
		{"vault/root.md", "proj.kiln", "#^b1:#^b2", "vault/proj.kiln.md", graph.BlockMissing},
		{"vault/root.md", "proj.kiln", "#", "vault/proj.kiln.md", graph.OK},
	})
}

// TestDialectsAreObsidianUnlessNamed guards the default: an unknown dialect resolves as a plain resolver does.
func TestDialectsAreObsidianUnlessNamed(t *testing.T) {
	paths := []string{"README.md", "blog/about.md", "about.md", "pics/readme.png"}
	plain := graph.NewResolver(paths)
	for _, d := range []dialect.Dialect{"", dialect.Obsidian, "other"} {
		for _, target := range []string{"about", "./about", "/blog/about", "readme.png", "gone"} {
			got := plain.WithDialect(d, nil).Resolve(target, "", "blog/post.md")
			if want := plain.Resolve(target, "", "blog/post.md"); got != want {
				t.Errorf("%s, %s: got %+v, want %+v", d, target, got, want)
			}
		}
	}
}

// TestBacklinksOfAllDialects holds backlinks against outgoing links, as the shortcut by names is Obsidian's alone.
func TestBacklinksOfAllDialects(t *testing.T) {
	notes := []graph.Note{
		{Path: "guides/index.md"},
		{Path: "pages/a___b.md"},
		{Path: "journals/2031_05_06.md"},
		{Path: "v/p.q.md"},
		{Path: "s.md", Links: []store.Link{{Target: "guides"}, {Target: "a/b"}, {Target: "May 6th, 2031"}, {Target: "P.Q"}, {Target: "guides/", Markdown: true}}},
	}
	for d, want := range map[dialect.Dialect]int{dialect.Foam: 3, dialect.Logseq: 3, dialect.Dendron: 1} {
		resolver := graph.NewResolver(paths(notes)).WithDialect(d, nil)
		back := 0
		for _, n := range notes[:4] {
			s, err := graph.Around(n.Path, all(notes, nil), resolver)
			if err != nil {
				t.Fatal(err)
			}
			back += len(s.Back)
		}
		s, _ := graph.Around("s.md", all(notes, nil), resolver)
		out := len(slices.DeleteFunc(s.Out, func(l graph.Link) bool { return l.Resolved == nil }))
		if back != out || out != want {
			t.Errorf("%s: %d links back, %d out, want %d", d, back, out, want)
		}
	}
}

func TestNeedsBlocks(t *testing.T) {
	for d, want := range map[dialect.Dialect]bool{"": false, dialect.Obsidian: false, dialect.Logseq: true, dialect.Foam: false, dialect.Dendron: false} {
		if got := graph.NewResolver(nil).WithDialect(dialect.Logseq, nil).WithDialect(d, nil).NeedsBlocks(); got != want {
			t.Errorf("%q: %t", d, got)
		}
	}
	if graph.NewResolver(nil).NeedsBlocks() {
		t.Error("without a dialect")
	}
}

func TestLogseqNamesOfPages(t *testing.T) {
	resolver := graph.NewResolver([]string{
		"pages/a%5F%5F%5Fb.md", "pages/c%5F___d.md", "pages/nul%00.md", "pages/raw%C3%28.md", "pages/e%5F__f.md",
	}).WithDialect(dialect.Logseq, nil)
	checkLinks(t, resolver, []link{
		ok("x.md", "a___b", "pages/a%5F%5F%5Fb.md"),
		missing("x.md", "a/b"),
		ok("x.md", "c_/d", "pages/c%5F___d.md"),
		ok("x.md", "e___f", "pages/e%5F__f.md"),
		ok("x.md", "nul%00", "pages/nul%00.md"),
		missing("x.md", "nul\x00"),
		ok("x.md", "raw%C3%28", "pages/raw%C3%28.md"),
	})
}

func TestSameName(t *testing.T) {
	for _, same := range [][2]string{
		{"Kiln", "kILN"},
		{"Caf\u00e9", "CAFE\u0301"},
		{"a\u00a0b", "A b"},
		{`a\b`, "a/B"},
		{"ΟΔΟΣ", "οδος"},
		{"", ""},
		{"\u0130stanbul", "i\u0307STANBUL"},
		{"I\u0307stanbul", "i\u0307stanbul"},
		{"STRA\u1e9eE", "stra\u00dfe"},
	} {
		if !graph.SameName(same[0], same[1]) {
			t.Errorf("%q and %q are two names", same[0], same[1])
		}
	}
	for _, other := range [][2]string{{"Kiln", "Kilns"}, {"Cafe", "Caf\u00e9"}, {"a.md", "a"}, {" a", "a"}, {"i", "ı"}, {"i", "\u0130"}, {"ss", "\u00df"}} {
		if graph.SameName(other[0], other[1]) {
			t.Errorf("%q and %q are one name", other[0], other[1])
		}
	}
	checkLinks(t, graph.NewResolver([]string{"Οδος.md"}), []link{ok("x.md", "ΟΔΟΣ", "Οδος.md")})
}
