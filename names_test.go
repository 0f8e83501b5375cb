package quarry_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"quarry"
)

// oddNames are names that some system, link or address has trouble with.
var oddNames = []string{
	"CON.md", "nul.md", "com1.txt.md", "a:b.md", "a:12.md", "trailing dot..md", "trailing blank .md", " leading blank.md",
	"hash#tag.md", "hash #two#three.md", "pipe|name.md", "caret^name.md", "per%20cent.md", "per cent.md", "100%.md", "[[brackets]].md",
	"star*.md", "question?.md", `back\slash.md`, `quo"te.md`, "less<more>.md", "new\nline.md", "tab\there.md", "emoji 👩‍🔧🔥.md",
	"~tilde.md", "-dash.md", "$dollar.md", "`tick`.md", "a b  c.md", "a.b.c.md", "note#c00.md", "deep/CON/x:y/z#.md",
	strings.Repeat("long ", 50) + ".md", strings.Repeat("é", 125) + ".md", "no-break\u00a0space.md", "right\u200fto-left.md",
}

// unixOnly leaves out what the file systems of others refuse or change.
func unixOnly(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("this file system refuses such names, or changes them")
	}
}

func TestOddNamesAreIndexedAndFound(t *testing.T) {
	unixOnly(t)
	notes := map[string]string{}
	for _, name := range oddNames {
		notes[name] = "This is the note called " + strings.ToUpper(name) + ".\n\n## Part\n\nIts part."
	}
	engine := open(t, vaultOf(t, notes), filepath.Join(t.TempDir(), "index.db"))
	if report := mustIndex(t, engine, quarry.IndexOptions{}); report.Indexed != len(oddNames) || len(report.Problems) != 0 {
		t.Fatalf("%d of %d indexed, problems %+v", report.Indexed, len(oddNames), report.Problems)
	}
	for _, name := range oddNames {
		read(t, engine, name, name)
		read(t, engine, strings.TrimSuffix(name, ".md"), name)
		if got := read(t, engine, name+"#Part", name); !strings.HasPrefix(got, "## Part") {
			t.Errorf("%q: its part is %q", name, got)
		}
		if got := read(t, engine, name+":1:1", name); !strings.HasPrefix(got, "This is the note") {
			t.Errorf("%q: its first line is %q", name, got)
		}
		if around, err := engine.Links(t.Context(), quarry.LinksRequest{Note: name}); err != nil || around.Note != name {
			t.Errorf("links of %q: those of %q, %v", name, around.Note, err)
		}
		if parsed, err := engine.Parse(t.Context(), name); err != nil || parsed.Path != name {
			t.Errorf("parse %q: %v", name, err)
		}
	}
	if report := mustIndex(t, engine, quarry.IndexOptions{}); report.Unchanged != len(oddNames) || report.Indexed != 0 {
		t.Errorf("the next run: %+v", report)
	}
}

// read gives the text of an address, which has to be that of the wanted note.
func read(t *testing.T, engine *quarry.Engine, address, want string) string {
	t.Helper()
	excerpts, err := engine.Read(t.Context(), []string{address}, 0)
	if err != nil {
		t.Errorf("get %q: %v", address, err)
		return ""
	}
	if excerpts[0].FilePath != want {
		t.Errorf("get %q gives %q, want %q", address, excerpts[0].FilePath, want)
	}
	return excerpts[0].Text
}

// A note is found by composed and by decomposed accents, whichever its name on disk has.
func TestNamesInBothCompositions(t *testing.T) {
	unixOnly(t)
	for _, test := range []struct{ what, onDisk string }{
		{"composed", norm.NFC.String("Übung/Café.md")},
		{"decomposed", norm.NFD.String("Übung/Café.md")},
	} {
		t.Run(test.what, func(t *testing.T) {
			dir := vaultOf(t, map[string]string{
				test.onDisk: "The café is open.", "by-link.md": "[[" + norm.NFC.String("Café") + "]] [[" + norm.NFD.String("Café") + "]]",
			})
			engine := open(t, dir, filepath.Join(t.TempDir(), "index.db"))
			mustIndex(t, engine, quarry.IndexOptions{})
			for _, form := range []norm.Form{norm.NFC, norm.NFD} {
				for _, address := range []string{"Übung/Café.md", "Übung/Café", "Café"} {
					read(t, engine, form.String(address), test.onDisk)
				}
				asked := form.String("Übung/Café.md")
				if parsed, err := engine.Parse(t.Context(), asked); err != nil || parsed.Path != test.onDisk {
					t.Errorf("parse %q: %v", asked, err)
				}
				if list, err := engine.Chunks(t.Context(), asked); err != nil || list.Path != test.onDisk || len(list.Chunks) != 1 {
					t.Errorf("chunks %q: %+v, %v", asked, list, err)
				}
				if around, err := engine.Links(t.Context(), quarry.LinksRequest{Note: asked}); err != nil || around.Note != test.onDisk || len(around.Back) != 2 {
					t.Errorf("links %q: %+v, %v", asked, around, err)
				}
				for what, filter := range map[string]quarry.Filter{
					"glob": {Globs: []string{form.String("Übung/Ca*é.md")}}, "folder": {Folders: []string{form.String("übung")}},
				} {
					want(t, what, listed(t, engine, filter), []string{test.onDisk})
					answer, err := engine.Search(t.Context(), quarry.SearchRequest{Query: "open", Mode: quarry.Lexical, Filter: filter})
					if err != nil || len(answer.Results) != 1 || answer.Results[0].FilePath != test.onDisk {
						t.Errorf("search with a %s: %+v, %v", what, answer.Results, err)
					}
				}
				want(t, "not", listed(t, engine, quarry.Filter{NotFolders: []string{form.String("Übung")}}), []string{"by-link.md"})
			}
		})
	}
}

func listed(t *testing.T, engine *quarry.Engine, filter quarry.Filter) []string {
	t.Helper()
	list, err := engine.List(t.Context(), quarry.ListRequest{Filter: filter})
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, n := range list {
		paths = append(paths, n.FilePath)
	}
	return paths
}

func want(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

// Of names that differ only by case or composition each is kept, and the exact spelling comes first.
func TestTwinNamesAreToldApart(t *testing.T) {
	unixOnly(t)
	composed, decomposed := norm.NFC.String("Café.md"), norm.NFD.String("Café.md")
	twins := []string{composed, decomposed, "Kiln.md", "kiln.md", "KILN.md", "Both/a.md", "both/a.md"}
	notes := map[string]string{"src.md": "[[Kiln]] [[kiln]] [[KILN]]"}
	for _, name := range twins {
		notes[name] = "Words of " + name + "."
	}
	engine := open(t, vaultOf(t, notes), filepath.Join(t.TempDir(), "index.db"))
	if report := mustIndex(t, engine, quarry.IndexOptions{}); report.Indexed != len(notes) {
		t.Fatalf("%d of %d indexed", report.Indexed, len(notes))
	}
	for _, name := range twins {
		if got := read(t, engine, name, name); got != notes[name] {
			t.Errorf("%q has the text %q", name, got)
		}
		read(t, engine, strings.TrimSuffix(name, ".md"), name)
		if around, err := engine.Links(t.Context(), quarry.LinksRequest{Note: name}); err != nil || around.Note != name {
			t.Errorf("links of %q are those of %q, %v", name, around.Note, err)
		}
	}
	around, err := engine.Links(t.Context(), quarry.LinksRequest{Note: "src.md"})
	if err != nil {
		t.Fatal(err)
	}
	var resolved []string
	for _, link := range around.Out {
		if link.Resolved != nil {
			resolved = append(resolved, *link.Resolved)
		}
	}
	want(t, "links", resolved, []string{"Kiln.md", "kiln.md", "KILN.md"})
}

func TestNotesAreFoundByTitleAndAlias(t *testing.T) {
	dir := vaultOf(t, map[string]string{
		"2026-03.md": "---\ntitle: The Gear Train\naliases: [wheels, Both]\n---\nOne.", "other.md": "---\naliases: [Both]\n---\nTwo.",
		"kiln.md": "---\naliases: [other]\n---\nThree.", "private/p.md": "---\ntitle: Hidden one\n---\nFour.",
	})
	engine := open(t, dir, filepath.Join(t.TempDir(), "index.db"))
	if _, err := engine.Read(t.Context(), []string{"wheels"}, 0); err == nil {
		t.Error("an alias is known without an index")
	}
	mustIndex(t, engine, quarry.IndexOptions{})
	read(t, engine, "the gear train", "2026-03.md")
	read(t, engine, "Wheels", "2026-03.md")
	read(t, engine, "other", "other.md") // a name wins over an alias
	if excerpts, err := engine.Read(t.Context(), []string{"Both"}, 0); err == nil {
		t.Errorf("an alias of two notes gives %s", excerpts[0].FilePath)
	}
	read(t, engine, "hidden one", "private/p.md")
	if err := os.WriteFile(filepath.Join(dir, ".indexignore"), []byte("private/"), 0o644); err != nil {
		t.Fatal(err)
	}
	if excerpts, err := engine.Read(t.Context(), []string{"hidden one"}, 0); err == nil {
		t.Errorf("a note that is ignored now is given: %s", excerpts[0].FilePath)
	}
}

// A note with the longer extension is found without it, though no link may leave it out.
func TestLongExtension(t *testing.T) {
	engines := bothAudiences(t, vaultOf(t, map[string]string{
		"dir/b.markdown": "# Heading of b\n\n[[both]]\n", "both.markdown": "# Long\n", "sub/both.md": "# Short\n", "a.md": "[[b]] [[b.markdown]]\n",
		"Upper.MARKDOWN": "# Up\n",
	}))
	for who, e := range engines {
		for address, want := range map[string]string{
			"b": "dir/b.markdown", "B": "dir/b.markdown", "dir/b": "dir/b.markdown", "b.markdown": "dir/b.markdown", "both": "sub/both.md",
			"both.markdown": "both.markdown", "upper": "Upper.MARKDOWN", "[[b]]": "dir/b.markdown",
		} {
			if got, err := e.Read(t.Context(), []string{address}, 0); err != nil || got[0].FilePath != want {
				t.Errorf("%s: read %s: %v, %v", who, address, got, err)
			}
			if got, err := e.Links(t.Context(), quarry.LinksRequest{Note: address}); err != nil || got.Note != want {
				t.Errorf("%s: links of %s: %v, %v", who, address, got.Note, err)
			}
		}
		want(t, who+": to", listed(t, e, quarry.Filter{LinksTo: []string{"b"}}), []string{"a.md"})
		if _, err := e.Read(t.Context(), []string{"heading.markdwn"}, 0); !errors.Is(err, quarry.ErrNotFound) {
			t.Errorf("%s: %v", who, err)
		}
		if _, err := e.Links(t.Context(), quarry.LinksRequest{Note: "uper"}); err == nil || !strings.Contains(err.Error(), "Upper.MARKDOWN") {
			t.Errorf("%s: %v", who, err)
		}
		links, err := e.Links(t.Context(), quarry.LinksRequest{Note: "a"})
		if err != nil || links.Out[0].State != "unresolved" || links.Out[1].State != "ok" {
			t.Errorf("%s: %+v, %v", who, links.Out, err)
		}
	}
}
