package quarry_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quarry"
)

// TestManyAtOnce holds that no question waits for a view of the index while it holds another: with more questions at once than
// there can be views, none would ever be answered.
func TestManyAtOnce(t *testing.T) {
	notes := map[string]string{}
	for i := range 20 {
		notes[fmt.Sprintf("n%02d.md", i)] = fmt.Sprintf("# N%d\n\nHarbour number %d.\n", i, i)
	}
	vault, db := vaultOf(t, notes), filepath.Join(t.TempDir(), "index.db")
	mustIndex(t, open(t, vault, db), quarry.IndexOptions{})
	for name, text := range notes {
		writeNote(t, vault, name, text+"\nChanged since.\n")
	}
	questions := map[string]func(ctx context.Context, e *quarry.Engine) error{
		"search": func(ctx context.Context, e *quarry.Engine) error {
			_, err := e.Search(ctx, quarry.SearchRequest{Query: "harbour"})
			return err
		},
		"docid": func(ctx context.Context, e *quarry.Engine) error {
			_, err := e.Read(ctx, []string{"#" + docID("n03.md")}, 0)
			return err
		},
		"read": func(ctx context.Context, e *quarry.Engine) error {
			_, err := e.Read(ctx, []string{"n03", "N4"}, 0)
			return err
		},
		"list": func(ctx context.Context, e *quarry.Engine) error {
			_, err := e.List(ctx, quarry.ListRequest{})
			return err
		},
		"links": func(ctx context.Context, e *quarry.Engine) error {
			_, err := e.Links(ctx, quarry.LinksRequest{Note: "n03"})
			return err
		},
	}
	for _, audience := range []quarry.Audience{quarry.Owner, quarry.Client} {
		for what, ask := range questions {
			t.Run(string(audience)+"/"+what, func(t *testing.T) {
				engine := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db, Audience: audience})
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				defer cancel()
				var wait sync.WaitGroup
				for range 80 {
					wait.Go(func() {
						if err := ask(ctx, engine); err != nil {
							t.Error(err)
						}
					})
				}
				wait.Wait()
			})
		}
	}
}

// TestRulesOfOtherReading holds that a client gets nothing of an index whose notes were asked for another property, and that
// everybody is told.
func TestRulesOfOtherReading(t *testing.T) {
	vault, db := vaultOf(t, map[string]string{"a.md": "# A\n\nOpen harbour. [[b]]\n", "b.md": "---\nklass: private\n---\n# B\n\nHarbour bzyx.\n"}), filepath.Join(t.TempDir(), "index.db")
	mustIndex(t, open(t, vault, db), quarry.IndexOptions{})
	for name, rules := range map[string]quarry.SensitivityConfig{
		"property": {Property: "klass"}, "names": {Names: map[string]string{"hush": "private"}}, "default": {Default: "secret"},
	} {
		t.Run(name, func(t *testing.T) {
			config := quarry.Config{VaultDir: vault, DatabasePath: db, Sensitivity: []quarry.SensitivityConfig{rules}}
			owner := openConfig(t, config)
			config.Audience = quarry.Client
			client := openConfig(t, config)
			wantPaths(t, "client search", hits(t, client, "harbour"))
			if got := listed(t, client, quarry.Filter{}); len(got) > 0 {
				t.Errorf("client list: %q", got)
			}
			for who, e := range map[string]*quarry.Engine{"owner": owner, "client": client} {
				answer, err := e.Search(t.Context(), quarry.SearchRequest{Query: "harbour"})
				block, contextErr := e.Context(t.Context(), quarry.ContextRequest{Topic: "harbour"})
				status, statusErr := e.Status(t.Context())
				if err := errors.Join(err, contextErr, statusErr); err != nil {
					t.Fatal(err)
				}
				for what, notices := range map[string][]string{"search": answer.Notices, "context": block.Notices, "status": status.Notices} {
					if !strings.Contains(strings.Join(notices, "\n"), "`quarry index`") {
						t.Errorf("%s: %s says %q", who, what, notices)
					}
				}
				if who == "client" && strings.Contains(fmt.Sprintf("%+v %+v %+v", answer, block, status), "zyx") {
					t.Errorf("the client is told of a private note")
				}
			}
		})
	}
	e := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db, Sensitivity: []quarry.SensitivityConfig{{Property: "klass"}}})
	if report := mustIndex(t, e, quarry.IndexOptions{}); !strings.Contains(report.Reason, "rules of sensitivity") {
		t.Errorf("the run says %q", report.Reason)
	}
	client := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db, Audience: quarry.Client, Sensitivity: []quarry.SensitivityConfig{{Property: "klass"}}})
	wantPaths(t, "after the run", hits(t, client, "harbour"), "a.md")
	if status, err := client.Status(t.Context()); err != nil || status.Notices == nil || len(status.Notices) > 0 { // [] in JSON
		t.Errorf("after the run: %#v, %v", status.Notices, err)
	}
}

// TestStatusAfterRules holds that the status goes by the rules of now, before and after the run that they ask for.
func TestStatusAfterRules(t *testing.T) {
	vault, db := vaultOf(t, map[string]string{
		"a.md": "# A\n", "safe/b.md": "# B\n", "safe/c.md": "# C\n", "diary/d.md": "# D\n", "p.md": "---\nsensitivity: secret\n---\n# P\n",
	}), filepath.Join(t.TempDir(), "index.db")
	with := func(folders map[string]string) *quarry.Engine {
		return openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db, Sensitivity: []quarry.SensitivityConfig{{Folders: folders}}})
	}
	rules := map[string]string{"safe": "secret", "diary": "private", "jurnal": "private"}
	check := func(what string, e *quarry.Engine, stale int, want quarry.SensitivityCounts, notices ...string) {
		t.Helper()
		status, err := e.Status(t.Context())
		if err != nil || status.Stale != stale || status.Sensitivity != want || len(status.Notices) != len(notices) {
			t.Fatalf("%s: %d stale, %+v, %q, %v", what, status.Stale, status.Sensitivity, status.Notices, err)
		}
		for i, notice := range notices {
			if !strings.Contains(status.Notices[i], notice) {
				t.Errorf("%s: %q, want %q", what, status.Notices[i], notice)
			}
		}
	}
	mustIndex(t, with(nil), quarry.IndexOptions{})
	check("first", with(nil), 0, quarry.SensitivityCounts{Internal: 4, Secret: 1})
	check("new rules", with(rules), 2, quarry.SensitivityCounts{Internal: 1, Private: 1, Secret: 3}, `"jurnal"`, "`quarry index`")
	if report := mustIndex(t, with(rules), quarry.IndexOptions{}); len(report.Notices) != 1 || !strings.Contains(report.Notices[0], `"jurnal"`) {
		t.Errorf("the run tells %q", report.Notices)
	}
	check("indexed", with(rules), 0, quarry.SensitivityCounts{Internal: 1, Private: 1, Secret: 3}, `"jurnal"`)
	check("old rules again", with(nil), 2, quarry.SensitivityCounts{Internal: 2, Secret: 1}, "`quarry index`")
	client := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db, Audience: quarry.Client, Sensitivity: []quarry.SensitivityConfig{{Folders: rules}}})
	check("client", client, 0, quarry.SensitivityCounts{Internal: 1})
	if report := mustIndex(t, client, quarry.IndexOptions{}); len(report.Notices) > 0 {
		t.Errorf("the client is told %q", report.Notices)
	}
}

// TestSettingsNotice holds that other options of redaction ask for a run.
func TestSettingsNotice(t *testing.T) {
	vault, db := vaultOf(t, map[string]string{"a.md": "# A\n\nHarbour.\n"}), filepath.Join(t.TempDir(), "index.db")
	mustIndex(t, open(t, vault, db), quarry.IndexOptions{})
	e := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db, Redaction: quarry.RedactionOptions{Off: []string{"jwt"}}})
	answer, err := e.Search(t.Context(), quarry.SearchRequest{Query: "harbour"})
	if err != nil || len(answer.Notices) != 1 || !strings.Contains(answer.Notices[0], "`quarry index`") {
		t.Errorf("%q, %v", answer.Notices, err)
	}
}

// TestSettingsAreToldApart holds that two sets of patterns which look alike when joined are not taken for one.
func TestSettingsAreToldApart(t *testing.T) {
	vault, db := vaultOf(t, map[string]string{"a.md": "# A\n"}), filepath.Join(t.TempDir(), "index.db")
	with := func(patterns ...quarry.RedactionPattern) bool {
		e := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db, Redaction: quarry.RedactionOptions{Patterns: patterns}})
		return mustIndex(t, e, quarry.IndexOptions{}).Full
	}
	with()
	for i, patterns := range [][]quarry.RedactionPattern{
		{{Name: "x", Pattern: "abcd[0-9]", Keywords: []string{"abc", "bcd"}}},
		{{Name: "x", Pattern: "abcd[0-9]", Keywords: []string{"abcd"}}},
		{{Name: "x", Pattern: "abcd[0-9]"}},
	} {
		if !with(patterns...) || with(patterns...) {
			t.Errorf("patterns %d are not told from those before", i)
		}
	}
}

// TestOwnerIsToldOfSecretNotes holds that the owner is told why a note is not shown, and a client is not.
func TestOwnerIsToldOfSecretNotes(t *testing.T) {
	vault, db := vaultOf(t, map[string]string{"a.md": "# A\n", "safe/b.md": "# Bzyx\n", "p.md": "---\nsensitivity: secret\n---\n# Pzyx\n"}), filepath.Join(t.TempDir(), "index.db")
	config := quarry.Config{VaultDir: vault, DatabasePath: db, Sensitivity: []quarry.SensitivityConfig{{Folders: map[string]string{"safe": "secret"}}}}
	owner := openConfig(t, config)
	config.Audience = quarry.Client
	client := openConfig(t, config)
	mustIndex(t, owner, quarry.IndexOptions{})
	for _, address := range []string{"safe/b.md", "safe/b", "b", "p.md", "p", "[[p]]", "p#Pzyx", "p:1"} {
		for what, ask := range map[string]func(e *quarry.Engine) (any, error){
			"read":   func(e *quarry.Engine) (any, error) { return e.Read(t.Context(), []string{address}, 0) },
			"parse":  func(e *quarry.Engine) (any, error) { return e.Parse(t.Context(), address) },
			"chunks": func(e *quarry.Engine) (any, error) { return e.Chunks(t.Context(), address) },
			"links":  func(e *quarry.Engine) (any, error) { return e.Links(t.Context(), quarry.LinksRequest{Note: address}) },
		} {
			if what != "read" && strings.ContainsAny(address, "[#:") {
				continue
			}
			if got, err := ask(owner); !errors.Is(err, quarry.ErrSecret) || !errors.Is(err, quarry.ErrNotFound) || !strings.Contains(err.Error(), "secret") {
				t.Errorf("%s %s: %+v, %v", what, address, got, err)
			}
			if _, err := ask(client); errors.Is(err, quarry.ErrSecret) || !errors.Is(err, quarry.ErrNotFound) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s %s as a client: %v", what, address, err)
			}
		}
	}
	if _, err := owner.Read(t.Context(), []string{"nosuch"}, 0); errors.Is(err, quarry.ErrSecret) {
		t.Errorf("no note: %v", err)
	}
}

// TestClientsRunTellsNothing holds that neither the counts nor the failure of a run tell a client of hidden notes.
func TestClientsRunTellsNothing(t *testing.T) {
	notes := map[string]string{"a.md": "# A\n", "b.md": "# B\n"}
	for i := range 30 {
		notes[fmt.Sprintf("diary/%02d.md", i)] = "# Day\n"
	}
	vault, db := vaultOf(t, notes), filepath.Join(t.TempDir(), "index.db")
	e := openConfig(t, quarry.Config{
		VaultDir: vault, DatabasePath: db, Audience: quarry.Client, Sensitivity: []quarry.SensitivityConfig{{Folders: map[string]string{"diary": "private"}}},
	})
	report, err := e.Index(t.Context(), quarry.IndexOptions{}, func(p quarry.IndexProgress) { t.Errorf("the client is told of %d files", p.Total) })
	if err != nil || report.Indexed != 2 || report.Chunks != 2 {
		t.Errorf("first: %+v, %v", report, err)
	}
	if report, err = e.Index(t.Context(), quarry.IndexOptions{Full: true}, nil); err != nil || report.Indexed != 2 || report.Unchanged != 0 {
		t.Errorf("full: %+v, %v", report, err)
	}
	writeNote(t, vault, "a.md", "# A\n\nMore.\n")
	writeNote(t, vault, "diary/01.md", "# Day\n\nMore.\n")
	if report, err = e.Index(t.Context(), quarry.IndexOptions{DryRun: true}, nil); err != nil || report.Indexed != 1 || report.Unchanged != 1 {
		t.Errorf("dry: %+v, %v", report, err)
	}
	if report, err = e.Index(t.Context(), quarry.IndexOptions{}, nil); err != nil || report.Indexed != 1 || report.Unchanged != 1 {
		t.Errorf("changed: %+v, %v", report, err)
	}
	if err := os.RemoveAll(filepath.Join(vault, "diary")); err != nil {
		t.Fatal(err)
	}
	_, err = e.Index(t.Context(), quarry.IndexOptions{}, nil)
	if !errors.Is(err, quarry.ErrMassDelete) || strings.ContainsAny(err.Error(), "0123456789") {
		t.Errorf("mass delete: %v", err)
	}
	if report, err = e.Index(t.Context(), quarry.IndexOptions{Force: true}, nil); err != nil || report.Deleted != 0 || report.Reason != "" {
		t.Errorf("forced: %+v, %v", report, err)
	}
	other := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db, Audience: quarry.Client, NoModel: true})
	if report, err = other.Index(t.Context(), quarry.IndexOptions{}, nil); err != nil || report.Reason != "" || report.Full {
		t.Errorf("another model: %+v, %v", report, err)
	}
}

// TestHiddenFoldersAreNotTouched holds that a file of a hidden folder is as unknown to a client as one that is not there,
// whatever lies in its place.
func TestHiddenFoldersAreNotTouched(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs links")
	}
	vault, db := vaultOf(t, map[string]string{"a.md": "# A\n", "diary/d.md": "# D\n"}), filepath.Join(t.TempDir(), "index.db")
	for link, target := range map[string]string{"diary/out.md": "/etc/hosts", "diary/loop": ".", "out.md": "/etc/hosts"} {
		if err := os.Symlink(target, filepath.Join(vault, filepath.FromSlash(link))); err != nil {
			t.Fatal(err)
		}
	}
	e := openConfig(t, quarry.Config{
		VaultDir: vault, DatabasePath: db, Audience: quarry.Client, Sensitivity: []quarry.SensitivityConfig{{Folders: map[string]string{"diary": "private"}}},
	})
	mustIndex(t, e, quarry.IndexOptions{})
	seen := map[string]bool{}
	for _, address := range []string{"diary/out.md", "diary/nosuch.md", "diary/loop/d.md", "diary/d.md", "diary/../diary/d.md", "out.md", "../a.md", "nosuch.md"} {
		_, err := e.Read(t.Context(), []string{address}, 0)
		if !errors.Is(err, quarry.ErrNotFound) {
			t.Errorf("%s: %v", address, err)
			continue
		}
		text, _, _ := strings.Cut(strings.ReplaceAll(err.Error(), address, "X"), ";")
		seen[text] = true
	}
	if len(seen) != 1 {
		t.Errorf("the answers differ: %v", seen)
	}
}

// TestUnplacedNotes holds that a note whose file nobody can find, since its path holds a secret, is not told of where a folder
// may be secret.
func TestUnplacedNotes(t *testing.T) {
	value := "ZQ-" + "4711-77"
	vault, db := vaultOf(t, map[string]string{"a.md": "# A\n\nHarbour.\n", "safe/" + value + ".md": "# B\n\nHarbour.\n"}), filepath.Join(t.TempDir(), "index.db")
	config := quarry.Config{VaultDir: vault, DatabasePath: db, Redaction: quarry.RedactionOptions{
		Patterns: []quarry.RedactionPattern{{Name: "staff-number", Pattern: `ZQ-\d{4}-\d{2}`}},
	}}
	mustIndex(t, openConfig(t, config), quarry.IndexOptions{})
	if err := os.Remove(filepath.Join(vault, "safe", value+".md")); err != nil {
		t.Fatal(err)
	}
	if got := listed(t, openConfig(t, config), quarry.Filter{}); len(got) != 2 {
		t.Fatalf("without rules: %q", got)
	}
	config.Sensitivity = []quarry.SensitivityConfig{{Folders: map[string]string{"safe": "secret"}}}
	wantPaths(t, "with a secret folder", listed(t, openConfig(t, config), quarry.Filter{}), "a.md")
}

// TestOldIndexIsFilteredAgain holds that what an index of other options holds leaves the engine without what the filter of now
// finds, in every answer.
func TestOldIndexIsFilteredAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("asks what TestClient asks")
	}
	value := "ZQ-" + "4711-77"
	vault, db := vaultOf(t, map[string]string{
		"a.md": "---\ntitle: Staff " + value + "\naliases: [Alias " + value + "]\nstatus: " + value + "\ntags: [t" + value + "]\n---\n# Head\n\nHarbour. [[b " + value + "]] [[B#" + value + "]]\n",
		"b.md": "# B\n\n[[a]]\n", "dir/" + value + ".md": "# C\n\nHarbour. [[a]]\n",
	}), filepath.Join(t.TempDir(), "index.db")
	mustIndex(t, open(t, vault, db), quarry.IndexOptions{})
	for _, audience := range []quarry.Audience{quarry.Owner, quarry.Client} {
		e := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db, Audience: audience, Redaction: quarry.RedactionOptions{
			Patterns: []quarry.RedactionPattern{{Name: "staff-number", Pattern: `ZQ-\d{4}-\d{2}`}},
		}})
		asked := 0
		for _, q := range questions() {
			if slices.Contains([]string{"Index", "Close"}, q.method) {
				continue
			}
			if answer := answerOf(t, q, e); strings.Contains(answer, value) {
				t.Errorf("%s %s %s: %s", audience, q.method, q.about, answer)
			}
			asked++
		}
		for _, address := range []string{"a.md", "b.md"} {
			links, err := e.Links(t.Context(), quarry.LinksRequest{Note: address})
			if err != nil || strings.Contains(fmt.Sprintf("%+v", links), value) || len(links.Out) == 0 {
				t.Errorf("%s links of %s: %+v, %v", audience, address, links, err)
			}
		}
		if list := listed(t, e, quarry.Filter{}); asked == 0 || len(list) == 0 {
			t.Errorf("%s: nothing was asked", audience)
		}
	}
}

// TestSetBackFile holds that a client's search goes by what a hit says, though size, time and place of its file are those of the
// run.
func TestSetBackFile(t *testing.T) {
	vault, db := vaultOf(t, map[string]string{"a.md": "---\nsensitivity: public \n---\nHarbour.\n", "b.md": "Harbour.\n"}), filepath.Join(t.TempDir(), "index.db")
	mustIndex(t, open(t, vault, db), quarry.IndexOptions{})
	file := filepath.Join(vault, "a.md")
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = opened.WriteString("---\nsensitivity: private\n---\n")
	if err := errors.Join(err, opened.Close(), os.Chtimes(file, before.ModTime(), before.ModTime())); err != nil {
		t.Fatal(err)
	}
	config := quarry.Config{VaultDir: vault, DatabasePath: db}
	wantPaths(t, "owner", hits(t, openConfig(t, config), "harbour"), "a.md", "b.md")
	config.Audience = quarry.Client
	wantPaths(t, "client", hits(t, openConfig(t, config), "harbour"), "b.md")
}
