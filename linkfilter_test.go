package quarry_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry"
	"quarry/store"
	"quarry/store/sqlite"
)

// chainNotes link a → b → c → d, x → b, and e stands alone; b is an archived note with two other names.
var chainNotes = map[string]string{
	"a.md":         "# First\n\nharbour [[b]] [[b#Top]] [[a]] ![[pic.png]] [[gone]]\n",
	"dir/b.md":     "---\naliases: [Bee]\nstatus: archived\n---\n# Second of them\n\nharbour [[c|see]]\n",
	"c.md":         "# Third\n\nharbour\n\nup:: [[d]]\n",
	"d.md":         "# Fourth\n\nharbour\n",
	"e.md":         "# Alone\n\nharbour [[gone]]\n",
	"x.md":         "# Ex\n\nharbour [text](dir/b.md) [[pic.png]]\n",
	"img/pic.png":  "\x89PNG",
	"own.markdown": "# Own\n\nharbour [[d]]\n",
}

// bothAudiences are engines on one index: the owner's takes the graph that the run left, the client's works it out by names.
func bothAudiences(t *testing.T, vault string) map[string]*quarry.Engine {
	t.Helper()
	config := quarry.Config{VaultDir: vault, DatabasePath: filepath.Join(t.TempDir(), "index.db")}
	engines := map[string]*quarry.Engine{"owner": openConfig(t, config)}
	mustIndex(t, engines["owner"], quarry.IndexOptions{})
	config.Audience = quarry.Client
	engines["client"] = openConfig(t, config)
	return engines
}

func TestFilterByLinks(t *testing.T) {
	vault := vaultOf(t, chainNotes)
	engines := bothAudiences(t, vault)
	for what, test := range map[string]struct {
		spec quarry.FilterSpec
		want string
	}{
		"to":                {quarry.FilterSpec{LinksTo: []string{"b"}}, "a.md x.md"},
		"to, two hops":      {quarry.FilterSpec{LinksTo: []string{"c.md"}, Hops: 2}, "a.md dir/b.md x.md"},
		"to, from afar":     {quarry.FilterSpec{LinksTo: []string{"d"}, Hops: quarry.MaxHops}, "a.md c.md dir/b.md own.markdown x.md"},
		"by":                {quarry.FilterSpec{LinkedBy: []string{"a"}}, "dir/b.md"},
		"by, far":           {quarry.FilterSpec{LinkedBy: []string{"a"}, Hops: 3}, "c.md d.md dir/b.md"},
		"by nobody":         {quarry.FilterSpec{LinksTo: []string{"e"}}, ""},
		"alias":             {quarry.FilterSpec{LinksTo: []string{"bee"}}, "a.md x.md"},
		"title":             {quarry.FilterSpec{LinksTo: []string{"Second of them"}}, "a.md x.md"},
		"brackets":          {quarry.FilterSpec{LinksTo: []string{"[[b|that]]"}}, "a.md x.md"},
		"docid":             {quarry.FilterSpec{LinksTo: []string{"#" + docID("dir/b.md")}}, "a.md x.md"},
		"path without .md":  {quarry.FilterSpec{LinksTo: []string{"dir/b"}}, "a.md x.md"},
		"or":                {quarry.FilterSpec{LinksTo: []string{"b", "c"}}, "a.md dir/b.md x.md"},
		"and":               {quarry.FilterSpec{LinksTo: []string{"c"}, LinkedBy: []string{"a"}}, "dir/b.md"},
		"and not":           {quarry.FilterSpec{LinksTo: []string{"d"}, LinkedBy: []string{"-b"}}, "own.markdown"},
		"not":               {quarry.FilterSpec{LinksTo: []string{"-b", "-d"}}, "d.md dir/b.md e.md"},
		"not by, hops":      {quarry.FilterSpec{LinkedBy: []string{"-a"}, Hops: 2}, "a.md d.md e.md own.markdown x.md"},
		"with another kind": {quarry.FilterSpec{LinksTo: []string{"d"}, Hops: 2, Folders: []string{"dir"}}, "dir/b.md"},
		"a picture":         {quarry.FilterSpec{LinksTo: []string{"pic.png"}}, "a.md x.md"},
		"by a picture":      {quarry.FilterSpec{LinkedBy: []string{"pic.png"}, Hops: 3}, ""},
		"to be written":     {quarry.FilterSpec{LinksTo: []string{"gone"}}, "a.md e.md"},
		"by what is to be":  {quarry.FilterSpec{LinksTo: []string{"-Gone.md"}}, "c.md d.md dir/b.md own.markdown x.md"},
		"hops alone":        {quarry.FilterSpec{Hops: 3}, "a.md c.md d.md dir/b.md e.md own.markdown x.md"},
	} {
		test.spec.IncludeArchived = true
		filter, err := test.spec.Filter(time.Now())
		if err != nil {
			t.Fatal(err)
		}
		engines["owner, once"] = openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: engines["owner"].DatabasePath()})
		engines["client, once"] = openConfig(t, quarry.Config{VaultDir: vault, DatabasePath: engines["owner"].DatabasePath(), Audience: quarry.Client})
		for who, e := range engines {
			want := strings.Fields(test.want)
			if got := listed(t, e, filter); !slices.Equal(got, want) {
				t.Errorf("%s, %s: listed %q, want %q", who, what, got, want)
			}
			answer, err := e.Search(t.Context(), quarry.SearchRequest{Query: "harbour", Filter: filter})
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for _, r := range answer.Results {
				got = append(got, r.FilePath)
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s: found %q, want %q", who, what, got, want)
			}
		}
	}
}

func TestFilterByLinksFaults(t *testing.T) {
	for who, e := range bothAudiences(t, vaultOf(t, chainNotes)) {
		for what, filter := range map[string]quarry.Filter{
			"too far":  {LinksTo: []string{"a"}, Hops: quarry.MaxHops + 1},
			"negative": {LinksTo: []string{"a"}, Hops: -1},
			"too many": {LinksTo: slices.Repeat([]string{"a"}, 1000)},
		} {
			if list, err := e.List(t.Context(), quarry.ListRequest{Filter: filter}); err == nil {
				t.Errorf("%s, %s: %v", who, what, list)
			}
		}
		for _, filter := range []quarry.Filter{{LinksTo: []string{"Sekond of them"}}, {NotLinkedBy: []string{"a", "Sekond of them"}}} {
			_, err := e.List(t.Context(), quarry.ListRequest{Filter: filter})
			_, searchErr := e.Search(t.Context(), quarry.SearchRequest{Filter: filter, Query: "harbour"})
			for _, err := range []error{err, searchErr} {
				if !errors.Is(err, quarry.ErrNotFound) || !strings.Contains(err.Error(), "did you mean dir/b.md (Second of them)?") {
					t.Errorf("%s: %v", who, err)
				}
			}
		}
		for _, address := range []string{"", "#ffffff", "[[]]"} {
			if list, err := e.List(t.Context(), quarry.ListRequest{Filter: quarry.Filter{LinkedBy: []string{address}}}); !errors.Is(err, quarry.ErrNotFound) {
				t.Errorf("%s: %q gives %v, %v", who, address, list, err)
			}
		}
	}
}

// TestGraphOfTheRun changes a vault step by step; after each, answers by the graph that the run left are those worked out by
// names, and those of a fresh index.
func TestGraphOfTheRun(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	edits := &editor{random: random, vault: filepath.Join(t.TempDir(), "vault")}
	writeNote(t, edits.vault, "start.md", "[[Kiln]] [[jar.png]] [[Kiln#Top]]")
	engines := bothAudiences(t, edits.vault)
	steps := 8
	if testing.Short() {
		steps = 2
	}
	for step := range steps {
		for range 1 + random.IntN(4) {
			edits.edit(t)
		}
		mustIndex(t, engines["owner"], quarry.IndexOptions{Force: true})
		want := bothAudiences(t, edits.vault)["client"]
		for who, e := range engines {
			if diff := cmp.Diff(surroundingsOfAll(t, want), surroundingsOfAll(t, e)); diff != "" {
				t.Fatalf("step %d, %s (-worked out anew +):\n%s", step, who, diff)
			}
		}
	}
}

// TestGraphOfTheRunByDialect does so for vaults of each app.
func TestGraphOfTheRunByDialect(t *testing.T) {
	vaults := map[string]string{"obsidian": vaultCopy(t, filepath.Join("fixtures", "dialects", "obsidian"))}
	for _, app := range otherApps {
		vaults[app.name] = vaultOf(t, app.files)
	}
	for name, vault := range vaults {
		t.Run(name, func(t *testing.T) {
			engines := bothAudiences(t, vault)
			if diff := cmp.Diff(surroundingsOfAll(t, engines["client"]), surroundingsOfAll(t, engines["owner"])); diff != "" {
				t.Errorf("(-worked out +stored):\n%s", diff)
			}
		})
	}
}

// surroundingsOfAll asks for all that lies around each note.
func surroundingsOfAll(t *testing.T, e *quarry.Engine) map[string]any {
	t.Helper()
	all := map[string]any{}
	for _, path := range listed(t, e, quarry.Filter{}) {
		for what, request := range map[string]quarry.LinksRequest{
			"all": {Note: path, Hops: 4, Related: 50}, "kinds": {Note: path, Hops: 3, Kinds: []string{"references"}}, "dead": {Note: path, Unresolved: true},
		} {
			links, err := e.Links(t.Context(), request)
			if err != nil {
				t.Fatal(err)
			}
			all[path+" "+what] = links
		}
		for what, filter := range map[string]quarry.Filter{
			"to": {LinksTo: []string{path}}, "by": {LinkedBy: []string{path}, Hops: 2}, "not": {NotLinksTo: []string{path}, NotLinkedBy: []string{path}},
		} {
			all[path+" "+what] = listed(t, e, filter)
		}
	}
	return all
}

// TestReached holds the notes that are further away, and that kinds narrow the way.
func TestReached(t *testing.T) {
	for who, e := range bothAudiences(t, vaultOf(t, chainNotes)) {
		for _, test := range []struct {
			hops  int
			kinds []string
			want  string
		}{
			{0, nil, ""},
			{1, nil, ""},
			{2, nil, "c.md 2 dir/b.md, x.md 2 dir/b.md"},
			{3, nil, "c.md 2 dir/b.md, x.md 2 dir/b.md, d.md 3 c.md"},
			{quarry.MaxHops, nil, "c.md 2 dir/b.md, x.md 2 dir/b.md, d.md 3 c.md, own.markdown 4 d.md"},
			{3, []string{"References"}, "c.md 2 dir/b.md, x.md 2 dir/b.md"},
			{3, []string{"up"}, ""},
		} {
			links, err := e.Links(t.Context(), quarry.LinksRequest{Note: "a", Hops: test.hops, Kinds: test.kinds})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range links.Reached {
				got = append(got, fmt.Sprint(r.Path, " ", r.Hops, " ", r.Via))
			}
			if strings.Join(got, ", ") != test.want {
				t.Errorf("%s, %d hops of %v: %q, want %q", who, test.hops, test.kinds, got, test.want)
			}
		}
		if _, err := e.Links(t.Context(), quarry.LinksRequest{Note: "a", Hops: quarry.MaxHops + 1}); err == nil {
			t.Errorf("%s: no error for too many hops", who)
		}
	}
}

// TestKindsAndUnresolved holds what of the links a request leaves.
func TestKindsAndUnresolved(t *testing.T) {
	e := bothAudiences(t, vaultOf(t, chainNotes))["owner"]
	count := func(request quarry.LinksRequest) string {
		links, err := e.Links(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		if links.Out == nil || links.Back == nil || links.Related == nil {
			t.Errorf("%+v: a list is nil", request)
		}
		return fmt.Sprint(len(links.Out), " ", len(links.Back))
	}
	for _, test := range []struct {
		request quarry.LinksRequest
		want    string
	}{
		{quarry.LinksRequest{Note: "a"}, "5 0"},
		{quarry.LinksRequest{Note: "a", Unresolved: true}, "2 0"},
		{quarry.LinksRequest{Note: "b"}, "1 3"},
		{quarry.LinksRequest{Note: "b", Unresolved: true}, "0 0"},
		{quarry.LinksRequest{Note: "c", Kinds: []string{" UP "}}, "1 0"},
		{quarry.LinksRequest{Note: "c", Kinds: []string{"references"}}, "0 1"},
		{quarry.LinksRequest{Note: "c", Kinds: []string{"references", "up"}}, "1 1"},
		{quarry.LinksRequest{Note: "d", Kinds: []string{"nosuch"}}, "0 0"},
		{quarry.LinksRequest{Note: "d", Kinds: []string{""}}, "0 2"},
	} {
		if got := count(test.request); got != test.want {
			t.Errorf("%+v: %s, want %s", test.request, got, test.want)
		}
	}
}

// TestNoWayThroughHiddenNotes holds that for a client neither filters nor hops go to, from or through a note that is private, by
// the time of the run or since.
func TestNoWayThroughHiddenNotes(t *testing.T) {
	private := "---\nsensitivity: private\n---\n"
	vault := vaultOf(t, map[string]string{
		"a.md": "harbour [[p]] [[later]]\n", "p.md": private + "harbour [[c]]\n", "later.md": "harbour [[d]]\n", "c.md": "harbour\n", "d.md": "harbour\n", "e.md": "harbour [[a]]\n",
	})
	engines := bothAudiences(t, vault)
	for _, e := range engines { // what is kept of before does not count
		if got := listed(t, e, quarry.Filter{LinkedBy: []string{"a"}, Hops: 2}); !slices.Contains(got, "d.md") {
			t.Errorf("before: %q", got)
		}
	}
	writeNote(t, vault, "later.md", private+"harbour [[d]]\n")
	for who, want := range map[string][]string{"owner": {"c.md", "d.md", "later.md", "p.md"}, "client": nil} {
		e, filter := engines[who], quarry.Filter{LinkedBy: []string{"a"}, Hops: 2}
		if got := listed(t, e, filter); !slices.Equal(got, want) {
			t.Errorf("%s: listed %q, want %q", who, got, want)
		}
		answer, err := e.Search(t.Context(), quarry.SearchRequest{Query: "harbour", Filter: filter})
		if err != nil || len(answer.Results) != len(want) {
			t.Errorf("%s: found %+v, %v", who, answer.Results, err)
		}
		links, err := e.Links(t.Context(), quarry.LinksRequest{Note: "a", Hops: 2})
		if err != nil || len(links.Reached) != len(want)/2 {
			t.Errorf("%s: reached %v, %v", who, links.Reached, err)
		}
		for _, name := range []string{"p", "later.md", "Later"} {
			if got := listed(t, e, quarry.Filter{LinksTo: []string{name}, Hops: 2}); !slices.Equal(got, []string{"a.md", "e.md"}) {
				t.Errorf("%s: to %s lead %q", who, name, got) // for a client it is a name that no note has
			}
			for what, filter := range map[string]quarry.Filter{"by": {LinkedBy: []string{name}}, "not by": {NotLinkedBy: []string{"a", name}}} {
				_, listErr := e.List(t.Context(), quarry.ListRequest{Filter: filter})
				_, searchErr := e.Search(t.Context(), quarry.SearchRequest{Query: "harbour", Filter: filter})
				if errors.Is(listErr, quarry.ErrNotFound) == (who == "owner") || errors.Is(searchErr, quarry.ErrNotFound) == (who == "owner") {
					t.Errorf("%s, %s %s: %v, %v", who, what, name, listErr, searchErr)
				}
			}
		}
	}
}

// TestFilterNamesSecretNote holds that the owner is told why a note is not to be found. What links to it is to be found.
func TestFilterNamesSecretNote(t *testing.T) {
	engines := bothAudiences(t, vaultOf(t, map[string]string{"a.md": "harbour [[s]]\n", "s.md": "---\nsensitivity: secret\n---\nharbour [[a]]\n"}))
	for who, e := range engines {
		if got := listed(t, e, quarry.Filter{LinksTo: []string{"s"}}); !slices.Equal(got, []string{"a.md"}) {
			t.Errorf("%s: notes that link to it: %q", who, got)
		}
		filter := quarry.Filter{LinkedBy: []string{"s"}}
		_, listErr := e.List(t.Context(), quarry.ListRequest{Filter: filter})
		_, searchErr := e.Search(t.Context(), quarry.SearchRequest{Query: "harbour", Filter: filter})
		for _, err := range []error{listErr, searchErr} {
			if !errors.Is(err, quarry.ErrNotFound) || errors.Is(err, quarry.ErrSecret) != (who == "owner") {
				t.Errorf("%s: %v", who, err)
			}
		}
	}
}

// TestCutOffRun holds that the graph which a run left half done is not gone by.
func TestCutOffRun(t *testing.T) {
	const count = 600 // more than are written at once
	dir := filepath.Join(t.TempDir(), "vault")
	write := func(step int) {
		for i := range count {
			writeNote(t, dir, fmt.Sprintf("n%03d.md", i), fmt.Sprintf("harbour [[n%03d]] %d\n", (i+step)%count, step))
		}
	}
	write(1)
	config := quarry.Config{VaultDir: dir, DatabasePath: filepath.Join(t.TempDir(), "index.db"), NoModel: true}
	e := openConfig(t, config)
	mustIndex(t, e, quarry.IndexOptions{})
	write(22)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if _, err := e.Index(ctx, quarry.IndexOptions{}, func(p quarry.IndexProgress) {
		if p.Done > count/2 {
			cancel()
		}
	}); !errors.Is(err, quarry.ErrInterrupted) {
		t.Fatal(err)
	}
	built, err := e.Graph(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	sources, steps := map[string][]string{}, map[int]bool{}
	for _, edge := range built.Edges {
		if edge.Kind == "references" {
			sources[edge.Target] = append(sources[edge.Target], edge.Source)
			var from, to int
			if _, err := fmt.Sscanf(edge.Source+edge.Target, "n%d.mdn%d.md", &from, &to); err != nil {
				t.Fatal(err)
			}
			steps[(to-from+count)%count] = true
		}
	}
	if len(steps) != 2 {
		t.Fatalf("the run was not cut off halfway: %v", steps)
	}
	isTold := func(notices []string, err error) bool {
		return err == nil && strings.Contains(strings.Join(notices, "\n"), "was cut off")
	}
	links, err := e.Links(t.Context(), quarry.LinksRequest{Note: "n000"})
	if notices, noticesErr := e.Notices(t.Context()); !isTold(notices, noticesErr) || !isTold(links.Notices, err) {
		t.Errorf("nobody tells that the run was cut off: %q %v, %q %v", notices, noticesErr, links.Notices, err)
	}
	defer func() {
		mustIndex(t, e, quarry.IndexOptions{})
		if notices, err := e.Notices(t.Context()); len(notices) > 0 || err != nil {
			t.Errorf("after a run: %q, %v", notices, err)
		}
	}()
	for i := range count {
		at := fmt.Sprintf("n%03d.md", i)
		if got := listed(t, e, quarry.Filter{LinksTo: []string{at}}); !slices.Equal(got, sources[at]) {
			t.Fatalf("to %s: %q, want %q", at, got, sources[at])
		}
	}
}

// TestLinkQuestionsSideBySide asks one engine from several goroutines, from the first question on.
func TestLinkQuestionsSideBySide(t *testing.T) {
	for who, e := range bothAudiences(t, vaultOf(t, chainNotes)) {
		var wait sync.WaitGroup
		for i := range 8 {
			wait.Go(func() {
				list, err := e.List(t.Context(), quarry.ListRequest{Filter: quarry.Filter{LinksTo: []string{"d"}, Hops: quarry.MaxHops}})
				if err != nil || len(list) != 5 {
					t.Errorf("%s: %v, %v", who, list, err)
				}
				links, err := e.Links(t.Context(), quarry.LinksRequest{Note: "a", Hops: 2 + i%3, Related: 5})
				if err != nil || len(links.Reached) != []int{2, 3, 4}[i%3] {
					t.Errorf("%s: %v, %v", who, links.Reached, err)
				}
			})
		}
		wait.Wait()
	}
}

// TestGraphOfAnotherVersion holds that what another version left of the graph is not believed: there the names tell.
func TestGraphOfAnotherVersion(t *testing.T) {
	config := quarry.Config{VaultDir: vaultOf(t, map[string]string{"a.md": "[[b]]\n", "b.md": "# B\n"}), DatabasePath: filepath.Join(t.TempDir(), "index.db"), NoModel: true}
	e := openConfig(t, config)
	mustIndex(t, e, quarry.IndexOptions{})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	opened, err := sqlite.Open(t.Context(), sqlite.Options{Path: config.DatabasePath})
	if err != nil {
		t.Fatal(err)
	}
	update, err := opened.Begin(t.Context(), store.Incremental)
	if err != nil {
		t.Fatal(err)
	}
	meta, err := update.Draft().Meta(t.Context())
	if err != nil || meta[store.MetaGraph] == "" {
		t.Fatalf("the mark of the graph is %q; %v", meta[store.MetaGraph], err)
	}
	mark := map[string]string{store.MetaGraph: "0" + meta[store.MetaGraph]}
	wrong := []store.EdgesOf{{Path: "a.md"}}
	if err := errors.Join(update.PutEdges(t.Context(), wrong), update.SetMeta(t.Context(), mark), update.Commit(t.Context()), opened.Close()); err != nil {
		t.Fatal(err)
	}
	e = openConfig(t, config)
	links, err := e.Links(t.Context(), quarry.LinksRequest{Note: "b", Hops: 2})
	if err != nil || len(links.Back) != 1 {
		t.Errorf("back links %+v, %v", links.Back, err)
	}
	list, err := e.List(t.Context(), quarry.ListRequest{Filter: quarry.Filter{LinksTo: []string{"b"}}})
	if err != nil || len(list) != 1 {
		t.Errorf("notes that link to it: %+v, %v", list, err)
	}
}

// TestBlankNamesInFilters holds that what names no note is no filter that lets all through.
func TestBlankNamesInFilters(t *testing.T) {
	for _, blank := range []string{"", " ", "\t", "-", " - ", "-\t", "\u00a0", "\n-\n"} {
		for _, spec := range []quarry.FilterSpec{{LinksTo: []string{"a", blank}}, {LinkedBy: []string{blank}}} {
			if filter, err := spec.Filter(time.Now()); err == nil {
				t.Errorf("%+v is taken for %+v", spec, filter)
			}
		}
	}
	for _, hops := range []int{-1, quarry.MaxHops + 1} {
		if filter, err := (quarry.FilterSpec{LinksTo: []string{"a"}, Hops: hops}).Filter(time.Now()); err == nil {
			t.Errorf("%d hops are taken for %+v", hops, filter)
		}
	}
	filter, err := quarry.FilterSpec{LinksTo: []string{" a ", " - b\t"}, Hops: quarry.MaxHops}.Filter(time.Now())
	if want := (quarry.Filter{LinksTo: []string{"a"}, NotLinksTo: []string{"b"}, Hops: quarry.MaxHops, ExcludeArchived: true}); err != nil || !cmp.Equal(filter, want) {
		t.Errorf("%+v, %v", filter, err)
	}
}
