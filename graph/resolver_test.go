package graph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"quarry/graph"
	"quarry/internal/dialect"
)

// link is one row of a table: what stands in source, and what it means.
type link struct {
	source, target, subpath string
	path                    string
	state                   graph.State
}

func ok(source, target, path string) link {
	return link{source: source, target: target, path: path, state: graph.OK}
}

func missing(source, target string) link {
	return link{source: source, target: target, state: graph.Unresolved}
}

func TestResolve(t *testing.T) {
	for _, vault := range []struct {
		name  string
		paths []string
		links []link
	}{
		{
			"several notes with one name",
			[]string{"root.md", "a/b/Kiln.md", "b/Kiln.md", "pots/Kiln.md", "pots/log.md", "pots/deep/log.md", "c/by-path.md"},
			[]link{
				ok("root.md", "Kiln", "b/Kiln.md"),
				ok("pots/log.md", "Kiln", "pots/Kiln.md"),
				ok("pots/deep/log.md", "Kiln", "b/Kiln.md"),
				ok("c/by-path.md", "b/Kiln", "b/Kiln.md"),
				ok("c/by-path.md", "a/b/Kiln", "a/b/Kiln.md"),
				missing("c/by-path.md", "x/Kiln"),
				missing("c/by-path.md", "ots/Kiln"),
			},
		},
		{
			"destinations are looked up in the whole vault",
			[]string{"index.md", "Sub/near.md", "Sub/Wet Clay.md", "Sub/Deeper/far.md"},
			[]link{
				ok("index.md", "Wet Clay.md", "Sub/Wet Clay.md"),
				ok("index.md", "Sub/Wet Clay.md", "Sub/Wet Clay.md"),
				ok("Sub/near.md", "Sub/Wet Clay.md", "Sub/Wet Clay.md"),
				ok("Sub/Deeper/far.md", "../Wet Clay.md", "Sub/Wet Clay.md"),
				ok("Sub/Deeper/far.md", "./../Wet Clay", "Sub/Wet Clay.md"),
				missing("Sub/Deeper/far.md", "../../Wet Clay.md"),
				missing("index.md", "../Sub/Wet Clay.md"),
			},
		},
		{
			"letter case",
			[]string{"Tools/Rib Tool.md", "src.md", "Ext.MD", "x/Ärger.md"},
			[]link{
				ok("src.md", "rib tool", "Tools/Rib Tool.md"),
				ok("src.md", "RIB TOOL", "Tools/Rib Tool.md"),
				ok("src.md", "Rib Tool.MD", "Tools/Rib Tool.md"),
				ok("src.md", "tools/rib tool.md", "Tools/Rib Tool.md"),
				ok("src.md", "Ext", "Ext.MD"),
				ok("src.md", "ext.md", "Ext.MD"),
				ok("src.md", "ärger", "x/Ärger.md"),
			},
		},
		{
			"dots in names",
			[]string{"src.md", "ent/glaze.daemon.md", "B.H. Leach.md", "v1.2.md", "plan.canvas", "p.png", "both.png", "both.png.md"},
			[]link{
				ok("src.md", "glaze.daemon", "ent/glaze.daemon.md"),
				ok("src.md", "B.H. Leach", "B.H. Leach.md"),
				ok("src.md", "v1.2", "v1.2.md"),
				ok("src.md", "v1.2.md", "v1.2.md"),
				ok("src.md", "plan.canvas", "plan.canvas"),
				ok("src.md", "both.png", "both.png"),
				ok("src.md", "both.png.md", "both.png.md"),
				missing("src.md", "plan"),
				missing("src.md", "p"),
			},
		},
		{
			"the root beats a neighbour",
			[]string{"README.md", "about.md", "blog/about.md", "blog/post.md", "pics/readme.png", "blog/only.md"},
			[]link{
				ok("blog/post.md", "about", "about.md"),
				ok("blog/post.md", "README", "README.md"),
				ok("blog/post.md", "readme.png", "pics/readme.png"),
				ok("blog/post.md", "./about", "blog/about.md"),
				ok("blog/post.md", "/about", "about.md"),
				ok("blog/post.md", "/Blog/about", "blog/about.md"),
				missing("blog/post.md", "/only"),
				missing("blog/post.md", "//about"),
				missing("post.md", "./only"),
			},
		},
		{
			"below the source's folder at any depth",
			[]string{"a/x.md", "b/src.md", "b/deep/deeper/x.md", "bb/x.md"},
			[]link{ok("b/src.md", "x", "b/deep/deeper/x.md"), ok("b/deep/src.md", "x", "b/deep/deeper/x.md")},
		},
		{
			"only the alphabet decides",
			[]string{"src.md", "b/x.md", "a/x.md", "B/y.md", "a/y.md", "c/z.md", "ä/z.md", "𝒜/w.md", "bc/w.md"},
			[]link{
				{"src.md", "x", "", "a/x.md", graph.Ambiguous},
				{"src.md", "y", "", "B/y.md", graph.Ambiguous},
				{"src.md", "z", "", "c/z.md", graph.Ambiguous},
				{"src.md", "w", "", "bc/w.md", graph.Ambiguous},
				ok("b/src.md", "x", "b/x.md"),
			},
		},
		{
			"names that differ only by case",
			[]string{"Kiln.md", "kiln.md", "kilN.md", "sub/One.md", "sub/one.md"},
			[]link{
				ok("src.md", "kiln", "kiln.md"),
				ok("src.md", "Kiln", "Kiln.md"),
				ok("src.md", "kilN.md", "kilN.md"),
				{"src.md", "KILN", "", "Kiln.md", graph.Ambiguous},
				ok("src.md", "one", "sub/one.md"),
				ok("src.md", "sub/One", "sub/One.md"),
				ok("sub/src.md", "./one", "sub/one.md"),
			},
		},
		{
			"Unicode and separators",
			[]string{"Cafe\u0301.md", "Screenshot 1\u202fPM.png", "two words.md", "dir/x.md"},
			[]link{
				ok("src.md", "Caf\u00e9", "Cafe\u0301.md"),
				ok("src.md", "Screenshot 1 PM.png", "Screenshot 1\u202fPM.png"),
				ok("src.md", "two\u00a0words", "two words.md"),
				ok("src.md", `dir\x`, "dir/x.md"),
			},
		},
		{
			"names that differ only by composition",
			[]string{"Cafe\u0301.md", "Caf\u00e9.md", "caf\u00e9.md", "x/Zoe\u0308.md", "x/Zo\u00eb.md"},
			[]link{
				ok("src.md", "Cafe\u0301", "Cafe\u0301.md"),
				ok("src.md", "Caf\u00e9", "Caf\u00e9.md"),
				ok("src.md", "caf\u00e9.md", "caf\u00e9.md"),
				ok("src.md", "cafe\u0301", "caf\u00e9.md"),
				{"src.md", "CAF\u00c9", "", "Cafe\u0301.md", graph.Ambiguous},
				ok("src.md", "Zo\u00eb", "x/Zo\u00eb.md"),
			},
		},
		{
			"nothing is decoded, and no name is reserved",
			[]string{"two words.md", "a%20b.md", "CON.md", "dir/aux.png", "lpt1.", "trail .md", "what?.md", "a|b.md", "x:y.md", "~tmp.md", "100%.md"},
			[]link{
				missing("src.md", "two%20words"),
				ok("src.md", "a%20b", "a%20b.md"),
				missing("src.md", "a b"),
				ok("src.md", "con", "CON.md"),
				ok("src.md", "AUX.png", "dir/aux.png"),
				ok("src.md", "lpt1.", "lpt1."),
				ok("src.md", "trail ", "trail .md"),
				ok("src.md", "what?", "what?.md"),
				ok("src.md", "a|b", "a|b.md"),
				ok("src.md", "x:y", "x:y.md"),
				ok("src.md", "~tmp", "~tmp.md"),
				ok("src.md", "100%", "100%.md"),
			},
		},
		{
			"the note itself, and nothing",
			[]string{"n.md"},
			[]link{
				ok("n.md", "", "n.md"), missing("n.md", "/"), missing("n.md", "."), missing("n.md", ".."), missing("n.md", "./"),
				missing("n.md", "n/"), missing("n.md", " "), missing("n.md", "|x"), missing("n.md", strings.Repeat("n", 1<<20)),
			},
		},
	} {
		t.Run(vault.name, func(t *testing.T) {
			resolver := graph.NewResolver(vault.paths)
			for _, l := range vault.links {
				got := resolver.Resolve(l.target, "", l.source)
				if want := (graph.Resolution{Path: l.path, State: l.state}); got != want {
					t.Errorf("%.60q in %s: got %+v, want %+v", l.target, l.source, got, want)
				}
			}
		})
	}
}

func TestResolveAlias(t *testing.T) {
	resolver := graph.NewResolver([]string{"Earthenware.md", "b.md", "src.md"}).WithAliases(map[string][]string{
		"b.md": {"terracotta ", "src", ""}, "Earthenware.md": {"Terracotta"},
	})
	for target, want := range map[string]graph.Resolution{
		"TERRACOTTA":  {State: graph.Alias, AliasOf: "Earthenware.md"},
		"src":         {Path: "src.md", State: graph.OK},
		"Earthenware": {Path: "Earthenware.md", State: graph.OK},
		"other":       {State: graph.Unresolved},
	} {
		if got := resolver.Resolve(target, "", "src.md"); got != want {
			t.Errorf("%q: got %+v, want %+v", target, got, want)
		}
	}
}

func TestResolveSubpath(t *testing.T) {
	n := graph.NewOutline([]graph.Heading{
		{1, "Firing: costs & risks?"},
		{2, "About [[Kiln]] (old/new)"},
		{3, "she/her"},
		{2, "Costs"},
		{1, "Glaze"},
		{2, "Costs"},
		{3, "By  weight"},
		{1, "C#"},
	}, []string{"p1", "List-1"})
	resolver := graph.NewResolver([]string{"n.md", "unknown.md", "p.pdf"}).WithOutlines(func(path string) *graph.Outline {
		if path == "n.md" {
			return n
		}
		return nil
	})
	for _, l := range []link{
		{"n.md", "", "#Firing costs risks", "n.md", graph.OK},
		{"n.md", "", "#Firing: costs & risks?", "n.md", graph.OK},
		{"n.md", "", "#About Kiln (old new)", "n.md", graph.OK},
		{"n.md", "n", "#about kiln OLD new", "n.md", graph.OK},
		{"x.md", "n", "#she/her", "n.md", graph.OK},
		{"x.md", "n", "#shepherd", "n.md", graph.HeadingMissing},
		{"x.md", "n", "#Glaze#Costs", "n.md", graph.OK},
		{"x.md", "n", "#Glaze#Costs#By weight", "n.md", graph.OK},
		{"x.md", "n", "#Glaze#By weight", "n.md", graph.OK},
		{"x.md", "n", "#Costs#By weight", "n.md", graph.HeadingMissing}, // the first "Costs" counts
		{"x.md", "n", "#Glaze#she/her", "n.md", graph.HeadingMissing},
		{"x.md", "n", "#Glaze#Glaze", "n.md", graph.HeadingMissing},
		{"x.md", "n", "#C#", "n.md", graph.OK},
		{"x.md", "n", "#", "n.md", graph.OK},
		{"x.md", "n", "#^p1", "n.md", graph.OK},
		{"x.md", "n", "#^list-1", "n.md", graph.OK},
		{"x.md", "n", "#^missing", "n.md", graph.BlockMissing},
		{"x.md", "unknown", "#any", "unknown.md", graph.OK},
		{"x.md", "p.pdf", "#page=3", "p.pdf", graph.OK},
		{"x.md", "gone", "#any", "", graph.Unresolved},
	} {
		got := resolver.Resolve(l.target, l.subpath, l.source)
		if want := (graph.Resolution{Path: l.path, State: l.state}); got != want {
			t.Errorf("%q%q: got %+v, want %+v", l.target, l.subpath, got, want)
		}
	}
}

// plainResolve follows the description step by step, without an index; it knows ASCII paths that differ by more than case.
func plainResolve(paths []string, target, source string) string {
	folder := func(path string) string { return path[:strings.LastIndex(path, "/")+1] }
	path, name := strings.ToLower(target), strings.ToLower(target[strings.LastIndex(target, "/")+1:])
	named := func(name string) (found []string) {
		for _, p := range paths {
			if strings.ToLower(p[strings.LastIndex(p, "/")+1:]) == name {
				found = append(found, p)
			}
		}
		return found
	}
	candidates := named(name)
	if !strings.Contains(name, ".") || len(candidates) == 0 {
		candidates, path = named(name+".md"), path+".md"
	}
	for _, c := range candidates {
		if strings.ToLower(c) == path {
			return c
		}
	}
	best, bestRank := "", ""
	for _, c := range candidates {
		if !strings.HasSuffix(strings.ToLower(c), "/"+path) {
			continue
		}
		far := !strings.HasPrefix(strings.ToLower(c), strings.ToLower(folder(source)))
		rank := fmt.Sprintf("%t %6d %s", far, len(utf16.Encode([]rune(c))), c)
		if best == "" || rank < bestRank {
			best, bestRank = c, rank
		}
	}
	return best
}

// randomVault has few names in few folders, so that they clash.
func randomVault(random *rand.Rand, size int) []string {
	seen, paths := map[string]bool{}, []string{}
	for range size {
		var parts []string
		for range random.IntN(5) {
			parts = append(parts, string(rune('a'+random.IntN(3)))+strings.Repeat("x", random.IntN(2)))
		}
		path := strings.Join(append(parts, []string{"n", "m", "V1.2", "index"}[random.IntN(4)]), "/") + ".md"
		if !seen[path] {
			seen[path] = true
			paths = append(paths, path)
		}
	}
	return paths
}

func TestResolveProperty(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 60 {
		paths := randomVault(random, 20+round*10)
		resolver := graph.NewResolver(paths)
		shuffled := append(slices.Clone(paths), paths[:len(paths)/2]...)
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		again := graph.NewResolver(shuffled)
		for range 200 {
			target, source := paths[random.IntN(len(paths))], paths[random.IntN(len(paths))]
			parts := strings.Split(target, "/")
			target = strings.Join(parts[random.IntN(len(parts)):], "/")
			switch random.IntN(4) {
			case 0:
				target = strings.TrimSuffix(target, ".md")
			case 1:
				target = strings.ToUpper(target)
			case 2:
				target = "a/" + target
			}
			got := resolver.Resolve(target, "", source)
			if want := plainResolve(paths, target, source); got.Path != want {
				t.Fatalf("%q in %q: got %q, want %q", target, source, got.Path, want)
			}
			if other := again.Resolve(target, "", source); other != got {
				t.Fatalf("%q in %q: the order of the paths matters: %+v, %+v", target, source, got, other)
			}
		}
	}
}

func TestResolverManyNamesAlike(t *testing.T) {
	var paths []string
	for i := range 20000 {
		paths = append(paths, fmt.Sprintf("docs/%d/%d/deep/index.md", i/100, i))
	}
	resolver := graph.NewResolver(paths)
	for i := range 200000 {
		source := fmt.Sprintf("docs/%d/moc.md", i%200)
		got := resolver.Resolve("deep/index", "", source)
		if want := fmt.Sprintf("docs/%d/%d/deep/index.md", i%200, i%200*100); got.Path != want {
			t.Fatalf("in %s: got %s, want %s", source, got.Path, want)
		}
	}
}

// TestResolverHostileNames has names made to be slow: one path in very many spellings, and one long tail of folders below
// very many others. It ends in a moment only where neither is compared with all the rest.
func TestResolverHostileNames(t *testing.T) {
	var twins, deep []string
	for i := range 1 << 16 {
		name := []byte("kkkkkkkkkkkkkkkk.md")
		for bit := range 16 {
			if i>>bit&1 == 1 {
				name[bit] = 'K'
			}
		}
		twins = append(twins, string(name))
		deep = append(deep, fmt.Sprintf("u%05d/%sindex.md", i, strings.Repeat("a/", 20)))
	}
	resolver := graph.NewResolver(twins)
	tail := strings.TrimPrefix(deep[0], "u00000/")
	below := graph.NewResolver(deep)
	for i := range 20000 {
		if got := resolver.Resolve("kkkkkkkkkkkkkkkk", "", "src.md"); got.Path != "KKKKKKKKKKKKKKKK.md" || got.State != graph.Ambiguous {
			t.Fatalf("twins: got %+v", got)
		}
		source := fmt.Sprintf("u%05d/src.md", i)
		if got := below.Resolve(tail, "", source); got.Path != deep[i] || got.State != graph.OK {
			t.Fatalf("deep: got %+v in %s", got, source)
		}
	}
	if got := below.Resolve("a/"+tail, "", "src.md"); got.State != graph.Unresolved {
		t.Errorf("one folder too many: got %+v", got)
	}
}

func FuzzResolve(f *testing.F) {
	for _, seed := range [][4]string{
		{"a/b.md\nb.md\nB.md", "b", "#x", "a/src.md"},
		{"v1.2.md\nx.png", "V1.2", "#^id", "v1.2.md"},
		{"a/b/c.md", "../b/c", "", "a/d/src.md"},
		{"a/\xff.md\nÄ.md\n/\n\n.md", "\xff", "#", ""},
		{`a\b.md`, `./b`, "##", "a/x"},
		{"pages/a___b%3F.md\npages/a.b.md", "A/B?", "#^ID", "pages/a.b.md"},
		{"journals/2031_05_06.md", "May 6th, 2031", "", "x.md"},
		{"journals/2031-05-06.md", "06-05-2031", "", "x.md"},
		{"g/index.md\ng/README.md", "g/", "#x-1", "g/x.md"},
		{"v/p.q.md\nw/p.q.md", "p.q", "#x,1:#*", "v/r.md"},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	outline := graph.NewOutline([]graph.Heading{{1, "x"}, {0, ""}, {9, "x"}}, []string{"id", ""})
	f.Fuzz(func(t *testing.T, list, target, subpath, source string) {
		paths := strings.Split(list, "\n")
		first := paths[0]
		resolverOf := func() *graph.Resolver {
			return graph.NewResolver(paths).WithOutlines(func(string) *graph.Outline { return outline }).WithBlocks(map[string]string{"id": first})
		}
		plain := resolverOf()
		slices.Reverse(paths)
		reversed := resolverOf()
		for _, d := range []dialect.Dialect{dialect.Obsidian, dialect.Logseq, dialect.Foam, dialect.Dendron} {
			titles := map[string]string{first: target}
			got := plain.WithDialect(d, titles).Resolve(target, subpath, source)
			if got.Path != "" && target != "" && !slices.Contains(paths, got.Path) {
				t.Errorf("%s: %q is no file of the vault", d, got.Path)
			}
			if got.Path == "" && got.State == graph.OK && source != "" {
				t.Errorf("%s: nothing found, and yet ok", d)
			}
			if again := reversed.WithDialect(d, titles).Resolve(target, subpath, source); again != got {
				t.Errorf("%s: the order of the paths matters: %+v, %+v", d, got, again)
			}
		}
	})
}

// benchVault is like a vault of 20,000 notes with links of each form.
func benchVault() (paths, targets []string) {
	for i := range 20000 {
		paths = append(paths, fmt.Sprintf("Area %d/Topic %d/Note number %d.md", i%40, i%700, i/2))
	}
	for i := range 200000 {
		path := paths[(i*7919)%len(paths)]
		switch i % 4 {
		case 0:
			path = path[strings.LastIndex(path, "/")+1:]
		case 1:
			path = strings.TrimSuffix(path[strings.LastIndex(path, "/")+1:], ".md")
		case 2:
			path += "x"
		}
		targets = append(targets, path)
	}
	return paths, targets
}

func BenchmarkNewResolver20000(b *testing.B) {
	paths, _ := benchVault()
	for b.Loop() {
		graph.NewResolver(paths)
	}
}

func BenchmarkResolve200000(b *testing.B) {
	paths, targets := benchVault()
	resolver := graph.NewResolver(paths)
	for b.Loop() {
		for i, target := range targets {
			resolver.Resolve(target, "", paths[i%len(paths)])
		}
	}
}
