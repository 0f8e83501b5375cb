package quarry_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry"
)

// hits are the paths that a search finds, once each.
func hits(t *testing.T, e *quarry.Engine, query string) []string {
	t.Helper()
	answer, err := e.Search(t.Context(), quarry.SearchRequest{Query: query, Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{}
	for _, r := range answer.Results {
		if !slices.Contains(paths, r.FilePath) {
			paths = append(paths, r.FilePath)
		}
	}
	slices.Sort(paths)
	return paths
}

func wantPaths(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// TestFolderRulesActAtOnce holds that a folder which became private or secret is not told of before the next run, either.
func TestFolderRulesActAtOnce(t *testing.T) {
	vault, db := vaultOf(t, map[string]string{
		"a.md": "# A\n\nOpen harbour. [[Day]]\n", "journal/Day.md": "# Day\n\nMy harbour day.\n", "journal/p.png": "x",
	}), filepath.Join(t.TempDir(), "index.db")
	with := func(audience quarry.Audience, class string) *quarry.Engine {
		config := quarry.Config{VaultDir: vault, DatabasePath: db, Audience: audience}
		if class != "" {
			config.Sensitivity = []quarry.SensitivityConfig{{Folders: map[string]string{"Journal": class}}}
		}
		return openConfig(t, config)
	}
	mustIndex(t, with(quarry.Owner, ""), quarry.IndexOptions{})
	for _, test := range []struct {
		audience quarry.Audience
		class    string
		isSeen   bool
	}{
		{quarry.Owner, "private", true},
		{quarry.Client, "", true},
		{quarry.Client, "internal", true},
		{quarry.Client, "private", false},
		{quarry.Client, "secret", false},
		{quarry.Owner, "secret", false},
	} {
		e := with(test.audience, test.class)
		want := []string{"a.md"}
		if test.isSeen {
			want = append(want, "journal/Day.md")
		}
		what := fmt.Sprintf("%s, %s", test.audience, test.class)
		wantPaths(t, what+": search", hits(t, e, "harbour"), want...)
		wantPaths(t, what+": list", listed(t, e, quarry.Filter{}), want...)
		if _, err := e.Read(t.Context(), []string{"journal/Day.md"}, 0); errors.Is(err, quarry.ErrNotFound) == test.isSeen {
			t.Errorf("%s: read: %v", what, err)
		}
		status, err := e.Status(t.Context())
		if err != nil || status.Stale != 0 && test.class != "secret" || status.Notes != len(want) {
			t.Errorf("%s: status %+v, %v", what, status, err)
		}
	}
}

// TestClientSeesChangesAtOnce holds that a note which turned private, was left out by rule or went away since the last
// question is not handed out.
func TestClientSeesChangesAtOnce(t *testing.T) {
	vault, db := vaultOf(t, map[string]string{
		"a.md": "# A\n\nOpen harbour.\n", "b.md": "# B\n\nHarbour b.\n", "c.md": "# C\n\nHarbour c.\n", "d.md": "# D\n\nHarbour d.\n",
	}), filepath.Join(t.TempDir(), "index.db")
	e := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db, Audience: quarry.Client})
	mustIndex(t, e, quarry.IndexOptions{})
	wantPaths(t, "before", hits(t, e, "harbour"), "a.md", "b.md", "c.md", "d.md")
	writeNote(t, vault, "b.md", "---\nsensitivity: private\n---\n# B\n\nHarbour b.\n")
	writeNote(t, vault, "c.md", "# C\n\nHarbour c, and still open.\n")
	if err := os.Remove(filepath.Join(vault, "d.md")); err != nil {
		t.Fatal(err)
	}
	wantPaths(t, "after", hits(t, e, "harbour"), "a.md", "c.md")
	if found, err := e.Search(t.Context(), quarry.SearchRequest{Query: "harbour"}); err != nil || len(found.Notices) > 0 {
		t.Errorf("the client is told of what it may not see: %q, %v", found.Notices, err)
	}
	if _, err := e.Read(t.Context(), []string{"b"}, 0); !errors.Is(err, quarry.ErrNotFound) {
		t.Errorf("read: %v", err)
	}
	fresh := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db, Audience: quarry.Client})
	wantPaths(t, "list", listed(t, fresh, quarry.Filter{}), "a.md", "c.md")
	mustIndex(t, e, quarry.IndexOptions{})
	wantPaths(t, "indexed", hits(t, e, "harbour"), "a.md", "c.md")
	writeNote(t, vault, "b.md", "# B\n\nHarbour b, open again.\n")
	mustIndex(t, e, quarry.IndexOptions{})
	wantPaths(t, "open again", hits(t, e, "harbour"), "a.md", "b.md", "c.md")
}

// TestClassesOfAnotherRun holds that an engine which was asked before goes by the classes that another one has stored since.
func TestClassesOfAnotherRun(t *testing.T) {
	vault, db := vaultOf(t, map[string]string{"a.md": "# A\n\nOpen harbour.\n", "b.md": "# B\n\nHarbour b.\n"}), filepath.Join(t.TempDir(), "index.db")
	writer := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db})
	client := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db, Audience: quarry.Client})
	frequency := func() int {
		answer, err := client.Search(t.Context(), quarry.SearchRequest{Query: "harbour", Explain: true})
		if err != nil || answer.Plan == nil || len(answer.Plan.Terms) != 1 {
			t.Fatalf("%+v, %v", answer.Plan, err)
		}
		return answer.Plan.Terms[0].Frequency
	}
	for _, private := range []bool{false, true, false, true} {
		text := "# B\n\nHarbour b.\n"
		if private {
			text = "---\nsensitivity: private\n---\n" + text
		}
		writeNote(t, vault, "b.md", text)
		mustIndex(t, writer, quarry.IndexOptions{})
		want := map[bool]int{true: 1, false: 2}[private]
		if first, again := frequency(), frequency(); first != want || again != want {
			t.Errorf("private %v: the word is in %d passages, then in %d, want %d", private, first, again, want)
		}
	}
}

// TestFilteredBeforeTheCut holds that a budget does not cut a secret in two that an index holds which is older than the rule.
func TestFilteredBeforeTheCut(t *testing.T) {
	value := "ZQ-" + "4711-77"
	vault, db := vaultOf(t, map[string]string{"a.md": "# A\n\nHarbour of " + value + " and more words to be cut away.\n"}), filepath.Join(t.TempDir(), "index.db")
	mustIndex(t, openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db}), quarry.IndexOptions{})
	e := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db, Redaction: quarry.RedactionOptions{
		Patterns: []quarry.RedactionPattern{{Name: "staff-number", Pattern: `ZQ-\d{4}-\d{2}`}},
	}})
	for tokens := 1; tokens < 20; tokens++ {
		answer, err := e.Search(t.Context(), quarry.SearchRequest{Query: "harbour", MaxTokens: tokens})
		if err != nil || len(answer.Results) != 1 || strings.Contains(answer.Results[0].ChunkText, "ZQ") {
			t.Errorf("%d tokens: %+v, %v", tokens, answer.Results, err)
		}
	}
}

// TestSpellingsOfPrivateNotes holds that no way to write a path leads to a private note.
func TestSpellingsOfPrivateNotes(t *testing.T) {
	vault, db := vaultOf(t, map[string]string{
		"a.md": "# A\n", "caf\u00e9/Day.md": "# Dayzyx\n", "Tagebuch/Tag.md": "# Tagzyx\n", "p.md": "---\nsensitivity: private\n---\n# Propzyx\n",
	}), filepath.Join(t.TempDir(), "index.db")
	e := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db, Audience: quarry.Client, Sensitivity: []quarry.SensitivityConfig{
		{Folders: map[string]string{"CAFE\u0301": "private", "tagebuch": "private"}},
	}})
	mustIndex(t, e, quarry.IndexOptions{})
	for _, address := range []string{
		"caf\u00e9/Day.md", "cafe\u0301/Day.md", "CAF\u00c9/DAY.MD", "Day", "day", "[[Day]]", "[[Day|x]]", "./caf\u00e9/Day.md", "a/../caf\u00e9/Day.md", `caf\u00e9\Day.md`,
		"Tagebuch/Tag", "tagebuch/tag.md", "TAG", "Tagebuch//Tag.md", "/Tagebuch/Tag.md", "Tagebuch/./Tag.md", "p", "P.md", "p.md#Propzyx", "p#c00", "p:1", "p.md/", "Tagebuch",
		filepath.Join(vault, "p.md"), "file://" + filepath.Join(vault, "p.md"), "p.md::$DATA", "p.md ", "*", "**/*", "?.md", "[p].md", "Tagebuch/**", "#" + docID("p.md"),
	} {
		for what, ask := range map[string]func() (any, error){
			"read":   func() (any, error) { return e.Read(t.Context(), []string{address}, 0) },
			"parse":  func() (any, error) { return e.Parse(t.Context(), address) },
			"chunks": func() (any, error) { return e.Chunks(t.Context(), address) },
			"links":  func() (any, error) { return e.Links(t.Context(), quarry.LinksRequest{Note: address}) },
		} {
			if got, err := ask(); strings.Contains(fmt.Sprintf("%+v %v", got, err), "zyx") && !strings.Contains(address, "zyx") {
				t.Errorf("%s %q: %+v, %v", what, address, got, err)
			}
		}
	}
}

// TestUnreadableForClient holds that nobody tells a client of a file that cannot be read: it may be private.
func TestUnreadableForClient(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("needs a file that cannot be read")
	}
	vault, db := vaultOf(t, map[string]string{"a.md": "# A\n", "b.md": "# B\n"}), filepath.Join(t.TempDir(), "index.db")
	if err := os.Chmod(filepath.Join(vault, "b.md"), 0); err != nil {
		t.Fatal(err)
	}
	e := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db, Audience: quarry.Client})
	mustIndex(t, e, quarry.IndexOptions{})
	if _, err := e.Parse(t.Context(), "b.md"); !errors.Is(err, quarry.ErrNotFound) {
		t.Errorf("parse: %v", err)
	}
}

// TestConfiguredFilter holds that patterns of the user's own act wherever text leaves the engine, and that other options ask
// for a full run.
func TestConfiguredFilter(t *testing.T) {
	value := "ZQ-" + "4711-77"
	vault, db := vaultOf(t, map[string]string{
		"a.md": "---\ntitle: Staff " + value + "\nowner: " + value + "\ntags: [x]\n---\n# Head " + value + "\n\nText " + value + " of a note. [[" + value + "]] " +
			"<!-- c -->\n\n```json\n{\"number\": \"" + value + "\"}\n```\n\n- [ ] task " + value + "\n",
		"dir " + value + "/b.md": "# B\n\nNothing else here.\n",
		"c.canvas":               `{"nodes":[{"id":"a","type":"text","text":"# Card ` + value + `\n\nwords","x":0,"y":0,"width":1,"height":1}],"edges":[]}`,
	}), filepath.Join(t.TempDir(), "index.db")
	plain := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db})
	mustIndex(t, plain, quarry.IndexOptions{})
	e := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db, Redaction: quarry.RedactionOptions{
		Patterns: []quarry.RedactionPattern{{Name: "staff-number", Pattern: `ZQ-\d{4}-\d{2}`}},
	}})
	if report := mustIndex(t, e, quarry.IndexOptions{}); !report.Full || len(report.Redactions) != 1 || report.Redactions[0].Name != "staff-number" {
		t.Errorf("full %v, redactions %v", report.Full, report.Redactions)
	}
	if report := mustIndex(t, e, quarry.IndexOptions{}); report.Full || report.Indexed > 0 {
		t.Errorf("again: full %v, %d indexed", report.Full, report.Indexed)
	}
	for _, q := range questions() {
		if q.method == "Close" {
			continue
		}
		if answer := answerOf(t, q, e); strings.Contains(answer, value) {
			t.Errorf("%s %s: %s", q.method, q.about, answer)
		}
	}
	for what, ask := range map[string]func() (any, error){
		"search": func() (any, error) {
			return e.Search(t.Context(), quarry.SearchRequest{Query: value + " number", Explain: true})
		},
		"context": func() (any, error) { return e.Context(t.Context(), quarry.ContextRequest{Topic: value}) },
		"read":    func() (any, error) { return e.Read(t.Context(), []string{"a.md#" + value}, 0) },
		"read 2":  func() (any, error) { return e.Read(t.Context(), []string{value + "*"}, 0) },
		"read 3":  func() (any, error) { return e.Read(t.Context(), []string{"#" + value}, 0) },
		"parse":   func() (any, error) { return e.Parse(t.Context(), "dir "+value+"/c.md") },
		"parse 2": func() (any, error) { return e.Parse(t.Context(), "a.md") },
		"chunks":  func() (any, error) { return e.Chunks(t.Context(), "a.md") },
		"canvas":  func() (any, error) { return e.Chunks(t.Context(), "c.canvas") },
		"links":   func() (any, error) { return e.Links(t.Context(), quarry.LinksRequest{Note: "a.md"}) },
		"links 2": func() (any, error) { return e.Links(t.Context(), quarry.LinksRequest{Note: value}) },
		"list":    func() (any, error) { return e.List(t.Context(), quarry.ListRequest{Sort: value}) },
	} {
		answer := answerOf(t, asked{what, "", func(*testing.T, *quarry.Engine) (any, error) { return ask() }}, e)
		if strings.Contains(answer, value) || strings.Contains(answer, "4711") && what != "search" && what != "context" {
			t.Errorf("%s: %s", what, answer)
		}
	}
	status, err := e.Status(t.Context())
	if err != nil || len(status.RedactedNotes) != 2 || status.RedactedNotes[0].Path != "a.md" || len(status.Redactions) != 1 {
		t.Errorf("status: %+v, %v", status, err)
	}
}

// TestVaultPathWithSecret holds that the path of the vault itself is kept and shown redacted, under other options, too.
func TestVaultPathWithSecret(t *testing.T) {
	value := "ZQ-" + "4711-77"
	vault := filepath.Join(t.TempDir(), "vault "+value)
	writeNote(t, vault, "a.md", "# A\n\nText.\n")
	db := filepath.Join(t.TempDir(), "index.db")
	plain := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db})
	mustIndex(t, plain, quarry.IndexOptions{})
	e := openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: db, Redaction: quarry.RedactionOptions{
		Patterns: []quarry.RedactionPattern{{Name: "staff-number", Pattern: `ZQ-\d{4}-\d{2}`}},
	}})
	if got := listed(t, e, quarry.Filter{}); len(got) != 1 {
		t.Errorf("before the run: %v", got)
	}
	mustIndex(t, e, quarry.IndexOptions{})
	if got := listed(t, e, quarry.Filter{}); len(got) != 1 {
		t.Errorf("after the run: %v", got)
	}
	if status, err := e.Status(t.Context()); err != nil || strings.Contains(status.Vault, value) {
		t.Errorf("status: %+v, %v", status, err)
	}
	fresh := filepath.Join(t.TempDir(), "index.db")
	e = openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: fresh, Redaction: quarry.RedactionOptions{
		Patterns: []quarry.RedactionPattern{{Name: "staff-number", Pattern: `ZQ-\d{4}-\d{2}`}},
	}})
	mustIndex(t, e, quarry.IndexOptions{})
	for _, end := range []string{"", "-wal"} {
		if content, err := os.ReadFile(fresh + end); err == nil && strings.Contains(string(content), value) {
			t.Errorf("the index%s holds the path of the vault", end)
		}
	}
}

func TestFaultyConfiguration(t *testing.T) {
	for what, config := range map[string]quarry.Config{
		"class":    {Sensitivity: []quarry.SensitivityConfig{{Default: "hidden"}}},
		"folder":   {Sensitivity: []quarry.SensitivityConfig{{Folders: map[string]string{"../a": "private"}}}},
		"pattern":  {Redaction: quarry.RedactionOptions{Patterns: []quarry.RedactionPattern{{Name: "x", Pattern: "("}}}},
		"rule":     {Redaction: quarry.RedactionOptions{Off: []string{"no-such-rule"}}},
		"audience": {Audience: "world"},
	} {
		config.VaultDir, config.DatabasePath = t.TempDir(), "index.db"
		if engine, err := quarry.Open(t.Context(), config); err == nil {
			engine.Close()
			t.Errorf("%s: no error", what)
		}
	}
}

func docID(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:])[:8]
}
