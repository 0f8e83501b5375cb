package quarry_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry"
)

// wordsAlone opens an engine without a model, with an index of its own, and indexes the vault.
func wordsAlone(t testing.TB, vault string) *quarry.Engine {
	t.Helper()
	engine, err := quarry.Open(context.Background(), quarry.Config{
		VaultDir: vault, DatabasePath: filepath.Join(t.TempDir(), "index.db"), NoModel: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	mustIndex(t, engine, quarry.IndexOptions{})
	return engine
}

// vaultCopy copies a folder of the repository, so that nothing can be written into it.
func vaultCopy(t *testing.T, folder string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "vault")
	if err := os.CopyFS(dir, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// outOf lists the links of a note as "target#subpath -> path state", with kind and "hidden" where they say something.
func outOf(t *testing.T, engine *quarry.Engine, note string) []string {
	t.Helper()
	links, err := engine.Links(context.Background(), quarry.LinksRequest{Note: note})
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{}
	for _, l := range links.Out {
		line := l.Target + l.Subpath + " -> "
		if l.Resolved != nil {
			line += *l.Resolved
		}
		line += " " + string(l.State)
		if l.Kind != "references" {
			line += " " + l.Kind
		}
		if l.Hidden {
			line += " hidden"
		}
		lines = append(lines, line)
	}
	return lines
}

// TestLinksOfCases holds the links of the cases against what EXPECT.md of each says.
func TestLinksOfCases(t *testing.T) {
	for _, test := range []struct {
		folder, note string
		want         []string
	}{
		{"01-tiebreak-folder-then-length", "root.md", []string{"Kiln -> b/Kiln.md ok"}},
		{"01-tiebreak-folder-then-length", "pots/log.md", []string{"Kiln -> pots/Kiln.md ok"}},
		{"01-tiebreak-folder-then-length", "pots/deep/log.md", []string{"Kiln -> b/Kiln.md ok"}},
		{"01-tiebreak-folder-then-length", "c/by-path.md", []string{"b/Kiln -> b/Kiln.md ok"}},
		{"02-markdown-link-vault-wide", "index.md", []string{"Wet Clay.md -> Sub/Wet Clay.md ok", "Sub/Wet Clay.md -> Sub/Wet Clay.md ok"}},
		{"02-markdown-link-vault-wide", "Sub/near.md", []string{"Wet Clay.md -> Sub/Wet Clay.md ok", "Sub/Wet Clay.md -> Sub/Wet Clay.md ok"}},
		{"02-markdown-link-vault-wide", "Sub/Deeper/far.md", []string{"../Wet Clay.md -> Sub/Wet Clay.md ok"}},
		{"04-alias-is-not-a-target", "src.md", []string{"Terracotta ->  alias", "Earthenware -> Earthenware.md ok"}},
		{"05-case-insensitive-target", "src.md", []string{
			"rib tool -> Tools/Rib Tool.md ok", "RIB TOOL -> Tools/Rib Tool.md ok", "Rib Tool.MD -> Tools/Rib Tool.md ok",
			"tools/rib tool.md -> Tools/Rib Tool.md ok",
		}},
		{"23-dot-in-note-name", "src.md", []string{
			"glaze.daemon -> ent/glaze.daemon.md ok", "B.H. Leach -> B.H. Leach.md ok", "v1.2 -> v1.2.md ok", "v1.2.md -> v1.2.md ok", "v1.2#v -> v1.2.md ok",
		}},
		{"25-destination-spellings", "s/src.md", []string{
			"my jar.md -> s/my jar.md ok", "a(b).md -> s/a(b).md ok", "a(b).md -> s/a(b).md ok", "a(b).md -> s/a(b).md ok",
			"my jar.md -> s/my jar.md ok", "r&d.md -> s/r&d.md ok", "my jar.md -> s/my jar.md ok",
		}},
		{"28-heading-punctuation", "n.md", []string{
			"Kiln -> Kiln.md ok", "#Firing costs risks -> n.md ok", "#Firing: costs & risks? -> n.md ok",
			"#About Kiln (old new) -> n.md ok", "#About Kiln old new -> n.md ok", "#she/her -> n.md ok",
		}},
		{"31-exact-root-beats-neighbour", "blog/post.md", []string{
			"about -> about.md ok", "README -> README.md ok", "readme.png -> pics/readme.png ok", "./about -> blog/about.md ok",
		}},
		{"35-links-in-comments", "n.md", []string{
			"Metric -> Metric.md ok parent hidden", "Blur -> Blur.md ok related hidden", "Rouge -> Rouge.md ok related hidden", "Aside -> Aside.md ok hidden",
		}},
		{"38-unquoted-link-in-yaml", "n.md", []string{
			"Top -> Top.md ok up", "ring, r-module -> ring, r-module.md ok next", "Top -> Top.md ok good", "Top -> Top.md ok list",
		}},
		{"47-prose-is-not-a-typed-relation", "n.md", []string{
			"Glaze -> Glaze.md ok", "Clay -> Clay.md ok", "Kiln -> Kiln.md ok", "Glaze -> Glaze.md ok similar_to", "Clay -> Clay.md ok similar_to",
			"Kiln -> Kiln.md ok", "Kiln#Wiring -> Kiln.md ok depends_on", "Clay -> Clay.md ok related_to",
		}},
		{"49-block-ids", "n.md", []string{
			"#^p1 -> n.md ok", "n#^list1 -> n.md ok", "n#^t1 -> n.md ok", "n#^missing -> n.md block_missing",
		}},
	} {
		t.Run(test.folder+"/"+test.note, func(t *testing.T) {
			engine := wordsAlone(t, vaultCopy(t, filepath.Join("cases", test.folder)))
			if diff := cmp.Diff(test.want, outOf(t, engine, test.note)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestLinksOfAllKindsOfFile holds the links of boards, drawings and canvases against EXPECT.md of the fixture.
func TestLinksOfAllKindsOfFile(t *testing.T) {
	engine := wordsAlone(t, vaultCopy(t, filepath.Join("fixtures", "dialects", "obsidian")))
	const gate, board = "Sluice gate -> Notes/Sluice gate.md ok", "Paddle board -> Notes/Paddle board.md ok"
	for note, want := range map[string][]string{
		"Boards/Restoration.md":        {gate, board},
		"Drawings/Wheel.excalidraw.md": {gate, board, "Sluice gate#Hinges -> Notes/Sluice gate.md ok", "photo of wheel.png ->  unresolved"},
		"Drawings/Plain.excalidraw":    {gate},
		"Canvas/Plan.canvas": {
			gate, "Notes/Sluice gate.md#Hinges -> Notes/Sluice gate.md ok", "https://mills.example.org/rules ->  external", "Notes/Gone.md ->  unresolved",
		},
		"Plan.canvas":  {gate, "Notes/Sluice gate.md#Hinges -> Notes/Sluice gate.md ok", "https://mills.example.org/rules ->  external", "Notes/Gone.md ->  unresolved"},
		"Empty.canvas": {},
		"Sluice gate": {
			"Plan.canvas -> Canvas/Plan.canvas ok part of", "Oak ->  unresolved material", "Iron ->  unresolved material", board + " hidden",
			board, "Paddle board#Wood -> Notes/Paddle board.md ok", "photo of wheel.png ->  unresolved",
			"Wheel.excalidraw -> Drawings/Wheel.excalidraw.md ok", "Plan.canvas -> Canvas/Plan.canvas ok", "Oak ->  unresolved",
		},
		"Paddle board": {gate, "photo of wheel.png ->  unresolved", "Oak ->  unresolved hidden"},
	} {
		if diff := cmp.Diff(want, outOf(t, engine, note)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", note, diff)
		}
	}
}

// Other files of the vault can be linked to: attachments, and notes that the ignore rules leave out.
func TestLinksToOtherFiles(t *testing.T) {
	engine := wordsAlone(t, vaultOf(t, map[string]string{
		"n.md":             "![[jar.png|300]] [[report.pdf#page=3]] [[Draft]] [[Draft#Any]] [t](pics/jar.png) [[jar]] [[.hidden/x.png]] [[Kept#Gone]]",
		"Kept.md":          "# Here\n[[n]]",
		"pics/jar.png":     "\x89PNG",
		"report.pdf":       "%PDF",
		"private/Draft.md": "# D\n[[Kept]]",
		".hidden/x.png":    "\x89PNG",
		".indexignore":     "private/\n",
	}))
	want := []string{
		"jar.png -> pics/jar.png ok", "report.pdf#page=3 -> report.pdf ok", "Draft -> private/Draft.md ok", "Draft#Any -> private/Draft.md ok",
		"pics/jar.png -> pics/jar.png ok", "jar ->  unresolved", ".hidden/x.png ->  unresolved", "Kept#Gone -> Kept.md heading_missing",
	}
	if diff := cmp.Diff(want, outOf(t, engine, "n.md")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	pictures, err := engine.Links(context.Background(), quarry.LinksRequest{Note: "jar.png"})
	if err != nil || pictures.Note != "pics/jar.png" || len(pictures.Back) != 2 || len(pictures.Out) != 0 {
		t.Errorf("links of a picture: got %+v, %v; want the 2 that show it", pictures, err)
	}
	for _, address := range []string{"Draft", "private/Draft.md", "gone.png", "", "#ffffff"} {
		if _, err := engine.Links(context.Background(), quarry.LinksRequest{Note: address}); !errors.Is(err, quarry.ErrNotFound) {
			t.Errorf("links of %q: got %v, want %v", address, err, quarry.ErrNotFound)
		}
	}
	built, err := engine.Graph(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, edge := range built.Edges {
		if edge.Kind == "references" && edge.Target != "Kept.md" && edge.Target != "n.md" {
			t.Errorf("the graph has an edge to %s, which is no note", edge.Target)
		}
	}
}

// Many links with subpaths are told apart as well as few, which are read one by one.
func TestLinksReadAllOutlines(t *testing.T) {
	notes := map[string]string{}
	var hub strings.Builder
	var want []string
	for i := range 100 {
		notes[fmt.Sprintf("n%02d.md", i)] = fmt.Sprintf("# Head %d\n\ntext ^b%d", i, i)
		fmt.Fprintf(&hub, "[[n%02d#Head %d]] [[n%02d#Head]] [[n%02d#^b%d]]\n", i, i, i, i, i+i%2)
		state := "ok"
		if i%2 == 1 {
			state = "block_missing"
		}
		want = append(want, fmt.Sprintf("n%02d#Head %d -> n%02d.md ok", i, i, i), fmt.Sprintf("n%02d#Head -> n%02d.md heading_missing", i, i),
			fmt.Sprintf("n%02d#^b%d -> n%02d.md %s", i, i+i%2, i, state))
	}
	notes["hub.md"] = hub.String()
	if diff := cmp.Diff(want, outOf(t, wordsAlone(t, vaultOf(t, notes)), "hub")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// editor changes a vault at random, with few names, so that links change their meaning.
type editor struct {
	random *rand.Rand
	vault  string
	files  []string
}

func (e *editor) edit(t *testing.T) {
	t.Helper()
	switch {
	case len(e.files) > 8 && e.random.IntN(3) == 0:
		i := e.random.IntN(len(e.files))
		if err := os.Remove(filepath.Join(e.vault, filepath.FromSlash(e.files[i]))); err != nil {
			t.Fatal(err)
		}
		e.files = slices.Delete(e.files, i, i+1)
	default:
		path := e.pick("", "a/", "b/", "a/c/") + e.pick("Kiln.md", "kiln-log.md", "Glaze.md", "jar.png", "plan.canvas", "v1.2.md")
		writeNote(t, e.vault, path, e.text(path))
		if !slices.Contains(e.files, path) {
			e.files = append(e.files, path)
		}
	}
}

func (e *editor) pick(from ...string) string { return from[e.random.IntN(len(from))] }

func (e *editor) text(path string) string {
	if strings.HasSuffix(path, ".canvas") {
		return `{"nodes":[{"id":"1","type":"text","text":"[[` + e.pick("Kiln", "a/Glaze") + `]]"}]}`
	}
	var b strings.Builder
	fmt.Fprintf(&b, "---\naliases: [%s]\n---\n# %s\n", e.pick("Oven", "Enamel"), e.pick("Top", "Bottom"))
	for range 4 {
		fmt.Fprintf(&b, "[[%s%s]] %d\n", e.pick("Kiln", "a/Kiln", "./Glaze", "jar.png", "plan.canvas", "v1.2", "Oven", "c/Glaze", ""),
			e.pick("", "#Top", "#^b1"), e.random.Int())
	}
	return b.String() + e.pick("text ^b1\n", "text\n")
}

// TestUpdatedLinksEqualFreshOnes changes a vault step by step; after each, the index that was brought up to date has the
// same links and the same graph as one that was built anew.
func TestUpdatedLinksEqualFreshOnes(t *testing.T) {
	e := &editor{random: rand.New(rand.NewPCG(7, 8)), vault: filepath.Join(t.TempDir(), "vault")}
	writeNote(t, e.vault, "start.md", "[[Kiln]] [[jar.png]] [[Kiln#Top]]")
	kept := wordsAlone(t, e.vault)
	for step := range 12 {
		for range 1 + e.random.IntN(4) {
			e.edit(t)
		}
		mustIndex(t, kept, quarry.IndexOptions{Force: true})
		if diff := cmp.Diff(everyLink(t, wordsAlone(t, e.vault)), everyLink(t, kept)); diff != "" {
			t.Fatalf("step %d (-fresh +updated):\n%s", step, diff)
		}
	}
}

// everyLink gives the graph and the links around every note.
func everyLink(t *testing.T, engine *quarry.Engine) map[string]any {
	t.Helper()
	built, err := engine.Graph(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]any{"": built}
	for _, node := range built.Nodes {
		links, err := engine.Links(context.Background(), quarry.LinksRequest{Note: node.Path})
		if err != nil {
			t.Fatal(err)
		}
		all[node.Path] = links
	}
	return all
}

// TestLinksAsWritten holds what becomes of odd targets on their way from the file to the answer.
func TestLinksAsWritten(t *testing.T) {
	engine := wordsAlone(t, vaultOf(t, map[string]string{
		"n.md": strings.Join([]string{
			"[[two%20words]]", "[t](two%20words.md)", "[[two\u00a0words]]", "[[ two words ]]", "[[Ext.MD]]", "[[pa#th/x]]", "[[pa#th#^x]]",
			"[t](#Here)", "[[#Here#Below]]", "[[#Below#Here]]", "[[https://example.org/two words]]", "[[two words#]]", "[t](sub%2Fdeep)", "[[sub\\deep]]",
		}, " ") + "\n\n# Here\n\n## Below\n",
		"two words.md": "x", "ext.md": "x", "pa.md": "# Th/X\n", "sub/deep.md": "x",
	}))
	want := []string{
		"two%20words ->  unresolved", "two words.md -> two words.md ok", "two\u00a0words -> two words.md ok", "two words -> two words.md ok",
		"Ext.MD -> ext.md ok", "pa#th/x -> pa.md ok", "pa#th#^x -> pa.md heading_missing",
		"#Here -> n.md ok", "#Here#Below -> n.md ok", "#Below#Here -> n.md heading_missing", "https://example.org/two words ->  external",
		"two words# -> two words.md ok", "sub/deep -> sub/deep.md ok", "sub\\deep -> sub/deep.md ok",
	}
	if diff := cmp.Diff(want, outOf(t, engine, "n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// otherApps are small vaults of Logseq, Foam and Dendron, with the links of some notes.
var otherApps = []struct {
	name  string
	files map[string]string
	want  map[string][]string
}{
	{
		"logseq",
		map[string]string{
			"logseq/config.edn":          "{}",
			"pages/Kiln.md":              "alias:: Oven\n\n- The [[kiln/Top loader]] of [[May 6th, 2031]], #Glaze and [[Why slip?]]\n- ((65f0c1aa-0000-4000-8000-00000000000a)) ((65f0c1aa-0000-4000-8000-00000000000b))",
			"pages/kiln___Top loader.md": "- ![jar](../assets/jar.png) in the [[oven]]\n- wide shelf\n  id:: 65f0c1aa-0000-4000-8000-00000000000a",
			"pages/Why slip%3F.md":       "- because",
			"pages/Glaze.md":             "title:: Glaze\n\n- shiny",
			"journals/2031_05_06.md":     "- fired",
			"assets/jar.png":             "\x89PNG",
		},
		map[string][]string{
			"Kiln": {
				"kiln/Top loader -> pages/kiln___Top loader.md ok", "May 6th, 2031 -> journals/2031_05_06.md ok", "Glaze -> pages/Glaze.md ok",
				"Why slip? -> pages/Why slip%3F.md ok", "#^65f0c1aa-0000-4000-8000-00000000000a -> pages/kiln___Top loader.md ok",
				"#^65f0c1aa-0000-4000-8000-00000000000b ->  block_missing",
			},
			"kiln/Top loader": {"../assets/jar.png -> assets/jar.png ok", "oven -> pages/Kiln.md ok"},
		},
	},
	{
		"foam",
		map[string]string{
			".vscode/foam.json": "{}",
			"index.md":          "[[todo]] [[house/todo]] [[guides]] [a](todo.md) [b](work/todo.md#to-do) [[/work/todo#^b1]]",
			"house/todo.md":     "# Rooms",
			"work/todo.md":      "# To do\n\nfire ^b1",
			"guides/README.md":  "# Guides\n\n[[../index]]",
		},
		map[string][]string{
			"/index": {
				"todo -> house/todo.md ambiguous", "house/todo -> house/todo.md ok", "guides -> guides/README.md ok", "todo.md ->  unresolved",
				"work/todo.md#to-do -> work/todo.md ok", "/work/todo#^b1 -> work/todo.md ok",
			},
			"guides": {"../index -> index.md ok"},
		},
	},
	{
		"dendron",
		map[string]string{
			"dendron.yml":        "version: 5",
			"notes/root.md":      "[[The kiln|pots.kiln]] [[pots.kiln#top-shelf]] ![[pots.kiln#top-shelf,1:#*]] [[dendron://old/pots.glaze]] [[gone]] [[pots.*]]",
			"notes/pots.kiln.md": "## Top shelf\n\nwide",
			"old/pots.kiln.md":   "cold",
			"old/pots.glaze.md":  "blue",
		},
		map[string][]string{"root": {
			"pots.kiln -> notes/pots.kiln.md ok", "pots.kiln#top-shelf -> notes/pots.kiln.md ok", "pots.kiln#top-shelf -> notes/pots.kiln.md ok",
			"pots.glaze -> old/pots.glaze.md ok", "gone ->  unresolved", "pots.* ->  unresolved",
		}},
	},
}

// TestLinksOfOtherApps holds the links of small vaults of Logseq, Foam and Dendron, from the file to the answer.
func TestLinksOfOtherApps(t *testing.T) {
	for _, test := range otherApps {
		t.Run(test.name, func(t *testing.T) {
			engine := wordsAlone(t, vaultOf(t, test.files))
			for note, want := range test.want {
				if diff := cmp.Diff(want, outOf(t, engine, note)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", note, diff)
				}
			}
		})
	}
}

// A file that is named like a relation is what the same text in brackets means, and nothing else.
func TestFileNamedLikeARelation(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no file name holds a colon here")
	}
	engine := openWith(t, quarry.Config{NoModel: true, VaultDir: vaultOf(t, map[string]string{
		"n.md": "rel: supports [[A]]\n\n[[rel:supports A]]\n", "A.md": "a", "rel:supports A.md": "b",
	})})
	mustIndex(t, engine, quarry.IndexOptions{})
	links, err := engine.Links(t.Context(), quarry.LinksRequest{Note: "n.md"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, link := range links.Out {
		if link.Resolved != nil {
			got = append(got, link.Kind+" "+*link.Resolved)
		}
	}
	want(t, "links", got, []string{"supports A.md", "references rel:supports A.md"})
}
