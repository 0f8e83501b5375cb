package quarry_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry"
)

// readOf gives what an address reads as "path: first line", or the error.
func readOf(t *testing.T, engine *quarry.Engine, address string) string {
	t.Helper()
	excerpts, err := engine.Read(t.Context(), []string{address}, 0)
	if err != nil {
		return err.Error()
	}
	first, _, _ := strings.Cut(strings.TrimSpace(excerpts[0].Text), "\n")
	return excerpts[0].FilePath + ": " + first
}

// linksOf gives the note whose links an address names, or the error.
func linksOf(t *testing.T, engine *quarry.Engine, address string) string {
	t.Helper()
	links, err := engine.Links(t.Context(), quarry.LinksRequest{Note: address})
	if err != nil {
		return err.Error()
	}
	return links.Note
}

// A title that several notes have names none of them, unless one is written just so.
func TestTitlesOfSeveralNotes(t *testing.T) {
	engine := wordsAlone(t, vaultOf(t, map[string]string{
		"a/one.md": "---\ntitle: FAQ\n---\nOne.", "a/two.md": "---\ntitle: FAQ\n---\nTwo.", "b/three.md": "---\ntitle: faq\n---\nThree.",
		"b/four.md": "---\ntitle: Four\naliases: [Rota, faq]\n---\nFour.", "b/five.md": "---\ntitle: rota\n---\nFive.",
	}))
	for address, want := range map[string]string{
		"FAQ":  "several notes are called FAQ: a/one.md, a/two.md",
		"faq":  "b/three.md",
		"Faq":  "several notes are called Faq: a/one.md, a/two.md, b/four.md, b/three.md",
		"rota": "b/five.md",
		"Rota": "several notes are called Rota: b/five.md, b/four.md",
		"ROTA": "several notes are called ROTA: b/five.md, b/four.md",
	} {
		wantRead, wantLinks := want, want
		if strings.HasPrefix(want, "several") {
			wantRead, wantLinks = "read "+address+": "+want, "links of "+address+": "+want
		}
		if got := readOf(t, engine, address); !strings.HasPrefix(got, wantRead) {
			t.Errorf("read %s: got %s, want %s", address, got, wantRead)
		}
		if got := linksOf(t, engine, address); got != wantLinks {
			t.Errorf("links of %s: got %s, want %s", address, got, wantLinks)
		}
	}
	_, err := engine.Read(t.Context(), []string{"FAQ#Part"}, 0)
	if !errors.Is(err, quarry.ErrSeveral) || errors.Is(err, quarry.ErrNotFound) {
		t.Errorf("a part of one of several: got %v", err)
	}
}

// What is not found says what it is, or which note may be meant, also by its title.
func TestWhatIsNotFound(t *testing.T) {
	engine := wordsAlone(t, vaultOf(t, map[string]string{
		"2026-01.md": "---\ntitle: Gear train\naliases: [Wheelwork]\n---\nOne.", "kiln.md": "Two.", "templates/Daily.md": "T", "attach/photo.png": "P",
		"private/plan.md": "P", ".indexignore": "private/\n",
	}))
	for address, want := range map[string]string{
		"Gear trian":      "there is no such note; did you mean 2026-01.md (Gear train)?",
		"Wheelwerk":       "there is no such note; did you mean 2026-01.md (Wheelwork)?",
		"kilns":           "there is no such note; did you mean kiln.md?",
		"zzz":             "there is no such note",
		"templates/Daily": "templates/Daily.md: it is left out by rule",
		"Daily":           "templates/Daily.md: it is left out by rule",
		"private/plan.md": "private/plan.md: it is left out by rule",
		"plan":            "private/plan.md: it is left out by rule",
	} {
		for operation, got := range map[string]string{"read": readOf(t, engine, address), "links of": linksOf(t, engine, address)} {
			if !strings.HasPrefix(got, operation+" ") || !strings.HasSuffix(got, ": "+want) && !strings.HasSuffix(got, " "+want) {
				t.Errorf("%s %s: got %s, want %s", operation, address, got, want)
			}
		}
	}
	for _, address := range []string{"photo.png", "attach/photo.png", "attach/photo.png#x"} {
		_, err := engine.Read(t.Context(), []string{address}, 0)
		if !errors.Is(err, quarry.ErrOtherFile) || !errors.Is(err, quarry.ErrNotFound) {
			t.Errorf("%s: got %v", address, err)
		}
	}
}

// The notes whose aliases a note links to are named, since the links lead nowhere.
func TestAliasesOfLinks(t *testing.T) {
	engine := wordsAlone(t, vaultOf(t, map[string]string{
		"a.md": "[[Oven]] [[kiln]] [[gone]]", "kiln.md": "---\naliases: [oven]\n---\nHot.",
	}))
	links, err := engine.Links(t.Context(), quarry.LinksRequest{Note: "a"})
	if diff := cmp.Diff(map[string]string{"Oven": "kiln.md"}, links.AliasOf); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// An index that was built by the rules of another app is said to be so, by status and by search.
func TestAnIndexOfAnotherDialect(t *testing.T) {
	dir, db := vaultOf(t, map[string]string{"a.md": "clay", ".obsidian/app.json": "{}"}), filepath.Join(t.TempDir(), "index.db")
	config := quarry.Config{VaultDir: dir, DatabasePath: db, NoModel: true}
	mustIndex(t, openWith(t, config), quarry.IndexOptions{})
	const notice = "the index was built as obsidian, the vault is read as foam now; run `quarry index`"
	for _, test := range []struct{ dialect, want string }{{"foam", notice}, {"obsidian", ""}, {"", ""}, {"auto", ""}} {
		config.Dialect = test.dialect
		engine := openWith(t, config)
		answer, err := engine.Search(t.Context(), quarry.SearchRequest{Query: "clay", Mode: quarry.Lexical})
		if got := strings.Join(answer.Notices, " "); err != nil || got != test.want {
			t.Errorf("%q: got %q, %v, want %q", test.dialect, got, err, test.want)
		}
		status, err := engine.Status(t.Context())
		if err != nil || status.IndexDialect != "obsidian" || (status.Dialect != status.IndexDialect) != (test.want != "") {
			t.Errorf("%q: status %+v, %v", test.dialect, status, err)
		}
	}
}

// Where the names of the notes told the dialect, the marks of apps alone do not contradict it.
func TestADialectToldByNames(t *testing.T) {
	for _, files := range []map[string]string{
		{"root.md": "clay", "pots.schema.yml": "version: 1"},
		{"pages/a.md": "- clay", "pages/b.md": "- mud", "logseq/config.edn": "{}", ".obsidian/app.json": "{}"},
		{"a.md": "clay", "b.md": "mud", "pages/c.md": "x", "logseq/config.edn": "{}", ".obsidian/app.json": "{}"},
	} {
		config := quarry.Config{VaultDir: vaultOf(t, files), DatabasePath: filepath.Join(t.TempDir(), "index.db"), NoModel: true}
		mustIndex(t, openWith(t, config), quarry.IndexOptions{})
		answer, err := openWith(t, config).Search(t.Context(), quarry.SearchRequest{Query: "clay", Mode: quarry.Lexical})
		if err != nil || len(answer.Notices) > 1 || len(answer.Notices) == 1 && strings.Contains(answer.Notices[0], "built as") {
			t.Errorf("%v: notices %q, %v", files, answer.Notices, err)
		}
	}
}
