package quarry_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quarry"
)

func noticesOf(t *testing.T, e *quarry.Engine, request quarry.SearchRequest) (quarry.SearchStatus, string) {
	t.Helper()
	answer, err := e.Search(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(answer.Notices, "\n")
	if strings.Contains(got, "--") {
		t.Errorf("%+v: a notice speaks of flags, which other front doors have not: %q", request, got)
	}
	return answer.Status, got
}

// TestArchivedHint holds that a weak answer says so where archived notes match better, and no other does; and that a client is told
// of none that it may not see.
func TestArchivedHint(t *testing.T) {
	notes := withMore(map[string]string{
		"old.md":    "---\nstatus: archived\n---\n# Sextant\n\nThe sextant of brass measures the height of the sun above the horizon.\n",
		"turned.md": "---\nstatus: archived\n---\n# Astrolabe\n\nThe astrolabe of copper shows where the planets stand at night.\n",
		"open.md":   "# Compass\n\nThe needle of the compass points to the north.\n",
	}, 70)
	vault := vaultOf(t, notes)
	const hint = "archived notes match better"
	for who, e := range bothAudiences(t, vault) {
		for query, want := range map[string]bool{
			"sextant of brass sun horizon": true, "astrolabe copper planets": true, "compass needle north": false, "zebra crossings": false,
			"sextant of brass sun horizon include:archived": false,
		} {
			status, got := noticesOf(t, e, quarry.SearchRequest{Query: query, Filter: quarry.Filter{ExcludeArchived: true}})
			if strings.Contains(got, hint) != want {
				t.Errorf("%s: %q is %s: %q", who, query, status, got)
			}
		}
		if _, got := noticesOf(t, e, quarry.SearchRequest{Query: "tag:none", Filter: quarry.Filter{ExcludeArchived: true}}); strings.Contains(got, hint) {
			t.Errorf("%s: a filter that nothing passes: %q", who, got)
		}
		answer := contextOf(t, e, quarry.ContextRequest{Topic: "sextant brass sun horizon", Filter: quarry.Filter{ExcludeArchived: true}})
		if !strings.Contains(strings.Join(answer.Notices, "\n"), hint) {
			t.Errorf("%s: context says %q", who, answer.Notices)
		}
	}
	for who, e := range bothAudiences(t, vault) {
		writeNote(t, vault, "turned.md", "---\nsensitivity: private\n"+strings.TrimPrefix(notes["turned.md"], "---\n"))
		_, got := noticesOf(t, e, quarry.SearchRequest{Query: "astrolabe copper planets", Filter: quarry.Filter{ExcludeArchived: true}})
		if strings.Contains(got, hint) != (who == "owner") {
			t.Errorf("%s: turned private since: %q", who, got)
		}
		writeNote(t, vault, "turned.md", notes["turned.md"])
	}
}

// TestFilterHint holds that each filter by itself is counted where together they leave nothing, for a client without what it may not see.
func TestFilterHint(t *testing.T) {
	vault := vaultOf(t, map[string]string{
		"a.md": "---\ntags: [x]\n---\nwords [[b]]\n", "b.md": "---\ntags: [x, y]\n---\nwords\n", "c/c.md": "words [[b]]\n",
		"p.md": "---\ntags: [x]\nsensitivity: private\n---\nwords [[b]]\n", "t.md": "---\ntags: [x]\n---\nwords [[b]]\n",
	})
	engines := bothAudiences(t, vault)
	writeNote(t, vault, "t.md", "---\ntags: [x]\nsensitivity: private\n---\nwords, turned [[b]]\n")
	filter := quarry.Filter{Tags: []string{"x"}, NotTags: []string{"y"}, Folders: []string{"c"}, LinksTo: []string{"b"}, Since: "2001-01-01"}
	for who, want := range map[string]string{
		"owner":  "each filter by itself leaves: tag:x -tag:y 3 notes · folder:c 1 note · since:2001-01-01 5 notes · links-to:b 4 notes",
		"client": "each filter by itself leaves: tag:x -tag:y 1 note · folder:c 1 note · since:2001-01-01 3 notes · links-to:b 2 notes",
	} {
		status, got := noticesOf(t, engines[who], quarry.SearchRequest{Query: "words", Filter: filter})
		if status != quarry.StatusNoResults || !slices.Contains(strings.Split(got, "\n"), want) {
			t.Errorf("%s: %s, %q", who, status, got)
		}
	}
	for what, filter := range map[string]quarry.Filter{
		"path:c/ -path:b 1 note":  {Paths: []string{"c/"}, NotPaths: []string{"b"}},
		"file:a 1 note":           {Files: []string{"a"}},
		"title:b -title:a 1 note": {Titles: []string{"b"}, NotTitles: []string{"a"}},
		"section:nosuch 0 notes":  {Sections: []string{"nosuch"}},
		"-section:nosuch 3 notes": {NotSections: []string{"nosuch"}},
	} {
		filter.Domains = []string{"nosuch"}
		_, got := noticesOf(t, engines["client"], quarry.SearchRequest{Query: "words", Filter: filter})
		if !strings.Contains(got, what) || !strings.Contains(got, "domain:nosuch 0 notes") {
			t.Errorf("%s: %q", what, got)
		}
	}
	beside := quarry.SearchRequest{Query: "words tag:nosuch", Filter: quarry.Filter{Folders: []string{"c"}}}
	if _, got := noticesOf(t, engines["client"], beside); strings.Count(got, "tag:nosuch") != 1 || strings.Count(got, "folder:c 1 note") != 1 {
		t.Errorf("each filter is to be told once: %q", got)
	}
}

// TestUnknownFilterHint holds that a value which no note has is told with what may be meant, however it is asked for, once; and that a
// client learns of no value that private notes alone have.
func TestUnknownFilterHint(t *testing.T) {
	vault := vaultOf(t, map[string]string{
		"boats/a.md": "---\ntags: [tidebook, pots/stoneware]\ntype: decision\nstatus: draft\ndomain: work\n---\nwords\n",
		"diary/p.md": "---\ntags: [tidebooks, garden]\ntype: letter\nsensitivity: private\n---\nwords\n",
		"old.md":     "---\ntags: [attic]\nstatus: archived\n---\nwords\n",
	})
	for who, e := range bothAudiences(t, vault) {
		for query, want := range map[string]map[string]string{
			"words tag:tidebok":    {"owner": `no note has the tag "tidebok"; did you mean tidebook or tidebooks?`, "client": `no note has the tag "tidebok"; did you mean tidebook?`},
			"tag:gardn":            {"owner": `no note has the tag "gardn"; did you mean garden?`, "client": `no note has the tag "gardn"`},
			"words folder:diari":   {"owner": `no note has the folder "diari"; did you mean diary?`, "client": `no note has the folder "diari"`},
			"tag:garden":           {"owner": "", "client": `no note has the tag "garden"`},
			"words type:desicion":  {"owner": `no note has the type "desicion"; did you mean decision?`, "client": `no note has the type "desicion"; did you mean decision?`},
			"domain:art -tag:nope": {"owner": `no note has the domain "art"`, "client": `no note has the domain "art"`},
			"words tag:attic":      {"owner": "", "client": ""},
			"words tag:POTS":       {"owner": "", "client": ""},
		} {
			status, got := noticesOf(t, e, quarry.SearchRequest{Query: query, Filter: quarry.Filter{ExcludeArchived: true}})
			told := slices.DeleteFunc(strings.Split(got, "\n"), func(notice string) bool { return !strings.HasPrefix(notice, "no note has") })
			if strings.Join(told, "\n") != want[who] {
				t.Errorf("%s: %q is %s: %q, want %q", who, query, status, told, want[who])
			}
		}
		filter := quarry.Filter{Tags: []string{"stonewear"}, Statuses: []string{"darft"}, Folders: []string{"boats"}}
		want := []string{`no note has the tag "stonewear"; did you mean pots/stoneware?`, `no note has the status "darft"; did you mean draft?`}
		if got, err := e.UnknownFilters(t.Context(), filter); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", who, got, err)
		}
		alone := quarry.SearchRequest{Query: "words", Filter: quarry.Filter{Tags: []string{"stonewear"}}}
		if _, got := noticesOf(t, e, alone); got != want[0] {
			t.Errorf("%s: one filter that no note passes: %q", who, got)
		}
	}
}

// TestChangedHint holds that an answer which found nothing good tells of files that the index does not know as they are, and no other
// does; that the vault is not looked at for each; and that a client is told of what it may see alone.
func TestChangedHint(t *testing.T) {
	vault, db := vaultOf(t, withMore(map[string]string{"open.md": "# Compass\n\nThe needle of the compass points to the north.\n"}, 70)), filepath.Join(t.TempDir(), "index.db")
	now := time.Now()
	clock := func() time.Time { return now }
	config := quarry.Config{VaultDir: vault, DatabasePath: db, Now: clock}
	owner := openConfig(t, config)
	mustIndex(t, owner, quarry.IndexOptions{})
	config.Audience = quarry.Client
	client := openConfig(t, config)
	ask := func(e *quarry.Engine, query string) string {
		t.Helper()
		status, got := noticesOf(t, e, quarry.SearchRequest{Query: query})
		if (status == quarry.StatusOK) != strings.HasPrefix(query, "compass") {
			t.Fatalf("%q is %s", query, status)
		}
		return got
	}
	want := func(what, got string, count int) {
		t.Helper()
		switch {
		case count == 0 && strings.Contains(got, "new or changed"):
			t.Errorf("%s: %q", what, got)
		case count == 1 && !strings.Contains(got, "1 file is new or changed"), count > 1 && !strings.Contains(got, fmt.Sprint(count, " files are new or changed")):
			t.Errorf("%s: %q, want %d", what, got, count)
		}
	}
	want("nothing changed", ask(owner, "zebra crossings"), 0)
	want("nothing changed, client", ask(client, "zebra crossings"), 0)
	writeNote(t, vault, "new.md", "# Zebra\n\nZebra crossings.\n")
	writeNote(t, vault, "open.md", "# Compass\n\nThe needle of the compass points to the north, always.\n")
	writeNote(t, vault, "more/Ledger 01.md", "---\nsensitivity: private\n---\nNo ledger any more, for nobody.\n")
	if err := os.Remove(filepath.Join(vault, "more", "Ledger 02.md")); err != nil {
		t.Fatal(err)
	}
	want("a moment later", ask(owner, "zebra crossings"), 0)
	now = now.Add(time.Minute)
	want("a good answer", ask(owner, "compass needle north"), 0)
	want("later", ask(owner, "zebra crossings"), 3)
	want("later, client", ask(client, "zebra crossings"), 1)
	mustIndex(t, owner, quarry.IndexOptions{})
	writeNote(t, vault, "newer.md", "# Gnu\n")
	want("after a run", ask(owner, "okapi crossings of rivers"), 1)
}

// TestSmallContext holds that a block without room for a passage is none, says that the room is too small, and not that nothing fits.
func TestSmallContext(t *testing.T) {
	if testing.Short() {
		t.Skip("asks 800 times, one after another")
	}
	e := openConfig(t, quarry.Config{VaultDir: vaultOf(t, brewery), DatabasePath: t.TempDir() + "/index.db"})
	mustIndex(t, e, quarry.IndexOptions{})
	for _, format := range []string{"markdown", "xml"} {
		sizes := map[bool]int{}
		for tokens := 1; tokens < 400; tokens++ {
			answer := contextOf(t, e, quarry.ContextRequest{Topic: "hops bitter beer", Format: format, MaxTokens: tokens})
			isNone := answer.Text == ""
			sizes[isNone]++
			saysSo := slices.Contains(answer.Notices, fmt.Sprintf("%d tokens are too few for a context block", tokens))
			if answer.Status != string(quarry.StatusOK) || strings.Contains(answer.Text, "Nothing in the notes") || isNone != saysSo || isNone != (len(answer.Sources) == 0) {
				t.Fatalf("%s of %d tokens: %+v", format, tokens, answer)
			}
		}
		if sizes[true] < 20 || sizes[false] < 200 {
			t.Errorf("%s: %d of 399 sizes are too small", format, sizes[true])
		}
	}
	for _, tokens := range []int{math.MaxInt, math.MaxInt / 2, math.MaxInt / 8, 1 << 24} {
		if answer := contextOf(t, e, quarry.ContextRequest{Topic: "hops bitter beer", MaxTokens: tokens}); len(answer.Sources) == 0 || answer.Text == "" {
			t.Errorf("%d tokens: %+v", tokens, answer)
		}
	}
}

// TestStaleContext holds that a block says which of its sources have changed since they were indexed.
func TestStaleContext(t *testing.T) {
	vault := vaultOf(t, brewery)
	engines := bothAudiences(t, vault)
	writeNote(t, vault, "Hops.md", brewery["Hops.md"]+"\nAnd another line.\n")
	for who, e := range engines {
		for format, mark := range map[string]string{"markdown": "Source: Hops.md:1-3\nThe file has changed since", "xml": `lines="1-3" stale="true"`} {
			answer := contextOf(t, e, quarry.ContextRequest{Topic: "hops bitter beer", Format: format})
			if !strings.Contains(answer.Text, mark) || len(answer.Sources) == 0 || !answer.Sources[0].Stale {
				t.Errorf("%s: %s %+v", who, answer.Text, answer.Sources)
			}
			for _, s := range answer.Sources {
				if s.Stale != (s.FilePath == "Hops.md") {
					t.Errorf("%s: %+v", who, s)
				}
			}
		}
	}
}

// TestMistakenSearch holds that modes and fusions that there are not are errors, and tell of themselves.
func TestMistakenSearch(t *testing.T) {
	e := openConfig(t, quarry.Config{VaultDir: vaultOf(t, brewery), DatabasePath: t.TempDir() + "/index.db"})
	mustIndex(t, e, quarry.IndexOptions{})
	for want, request := range map[string]quarry.SearchRequest{
		`there is no mode "semantic"`: {Query: "hops", Mode: "semantic"}, `there is no fusion "max"`: {Query: "hops", Fusion: "max"},
	} {
		if _, err := e.Search(t.Context(), request); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
