package index_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/index"
	"quarry/internal/dialect"
	"quarry/internal/notetype"
	"quarry/store"
)

func typesOf(t *testing.T, text string, overrides ...string) *notetype.Types {
	t.Helper()
	types, problems, err := notetype.Parse([]byte(text), overrides)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	return types
}

func (f *fixture) graph(t *testing.T) keptGraph {
	t.Helper()
	kept, err := storedGraph(f.store)
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

func (f *fixture) meta(t *testing.T) map[string]string {
	t.Helper()
	snapshot := f.snapshot(t)
	defer snapshot.Close()
	meta, err := snapshot.Meta(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return meta
}

// setMeta writes into the metadata of the index, past any run.
func (f *fixture) setMeta(t *testing.T, key, value string) {
	t.Helper()
	ctx := context.Background()
	update, err := f.store.Begin(ctx, store.Incremental)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(update.SetMeta(ctx, map[string]string{key: value}), update.Commit(ctx)); err != nil {
		t.Fatal(err)
	}
}

func linkedVault() map[string]string {
	return map[string]string{
		"a.md": "To [[b]] and [[c]].", "b.md": "---\ntype: moc\n---\nTo [[c]].", "c.md": "To [[nowhere]].", "d.md": "By itself.",
		"sub/e.md": "---\nretriever_weight: 3\n---\nTo [[picture]].",
	}
}

func plainEdge(link int, target string) store.Edge {
	return store.Edge{Link: link, Target: target, Kind: "references", Rule: "explicit:wikilink"}
}

func TestARunKeepsEdgesAndFigures(t *testing.T) {
	f := newFixture(t, linkedVault())
	f.run(t, index.Options{})
	got := f.graph(t)
	if diff := cmp.Diff([]store.EdgesOf{
		{Path: "a.md", Edges: []store.Edge{plainEdge(0, "b.md"), plainEdge(1, "c.md")}},
		{Path: "b.md", Edges: []store.Edge{plainEdge(0, "c.md")}},
	}, got.Edges); diff != "" {
		t.Error(diff)
	}
	if len(got.Figures) != 5 || got.Figures[2].In != 2 || got.Figures[0].Out != 2 || got.Figures[0].Weight != 1 || got.Mark == "" {
		t.Errorf("figures %+v, mark %q", got.Figures, got.Mark)
	}
}

// What is written follows from what changed, and is no more.
func TestTheGraphIsWrittenAsFarAsItChanged(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(f *fixture)
		want   map[string]int
	}{
		{"nothing", func(*fixture) {}, map[string]int{}},
		{"a touched file", func(f *fixture) { f.vault.time["a.md"]++ }, map[string]int{"touched": 1, "deleted": 0}},
		{
			"other words", func(f *fixture) { f.vault.write("a.md", "Now to [[b]], then to [[c]].") },
			map[string]int{"notes": 1, "edges": 1, "deleted": 0, "touched": 0},
		},
		{
			"links in another order", func(f *fixture) { f.vault.write("a.md", "To [[c]] and [[b]] and [[c|c]].") },
			map[string]int{"notes": 1, "edges": 1, "deleted": 0, "touched": 0},
		},
		{
			"a file that no link names", func(f *fixture) { f.vault.others = []string{"photo.png"} },
			map[string]int{"others": 1, "deleted": 0, "touched": 0},
		},
		{
			"a file that links may mean and do not", func(f *fixture) { f.vault.others = []string{"c"} },
			map[string]int{"others": 1, "edges": 2, "deleted": 0, "touched": 0},
		},
		{
			"one more link", func(f *fixture) { f.vault.write("d.md", "No more by itself: [[a]].") },
			map[string]int{"notes": 1, "edges": 1, "figures": 5, "deleted": 0, "touched": 0},
		},
		{
			"a note that was missed", func(f *fixture) { f.vault.write("nowhere.md", "Here.") },
			map[string]int{"notes": 1, "edges": 2, "figures": 6, "deleted": 0, "touched": 0},
		},
		{
			"another type", func(f *fixture) { f.vault.write("d.md", "---\ntype: moc\n---\nBy itself.") },
			map[string]int{"notes": 1, "edges": 1, "figures": 5, "deleted": 0, "touched": 0},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFixture(t, linkedVault())
			f.config.Types = typesOf(t, "types:\n  moc:\n    retriever_weight: 0.5\n")
			f.run(t, index.Options{})
			recorded := f.recorded()
			test.change(f)
			f.run(t, index.Options{})
			if diff := cmp.Diff(test.want, recorded.writes); diff != "" {
				t.Error(diff)
			}
			f.config.Store = f.store
			if diff, err := (&script{config: f.config}).compareFresh(); diff != "" || err != nil {
				t.Error(err, diff)
			}
		})
	}
}

func TestOtherWeightsReadNoNote(t *testing.T) {
	f := newFixture(t, linkedVault())
	f.run(t, index.Options{})
	for _, test := range []struct {
		name  string
		types *notetype.Types
		want  []float64 // of a, b, c, d and e
	}{
		{"a type", typesOf(t, "types:\n  moc:\n    retriever_weight: 0.5\n"), []float64{1, .5, 1, 1, 1}},
		{"the default", typesOf(t, "default:\n  retriever_weight: 2\ntypes:\n  moc:\n    edge_defaults: [part_of]\n"), []float64{2, 2, 2, 2, 2}},
		{"properties", typesOf(t, "default:\n  retriever_weight: 2\n", "retriever_weight"), []float64{2, 2, 2, 2, 3}},
		{"no types", nil, []float64{1, 1, 1, 1, 1}},
	} {
		f.config.Types = test.types
		recorded := f.recorded()
		report := f.run(t, index.Options{})
		want(t, test.name, counts(report), "indexed 0 unchanged 5 deleted 0 skipped 0 failed 0 chunks 5")
		if recorded.writes["notes"] > 0 || report.Reason != "" {
			t.Errorf("%s: writes %v, reason %q", test.name, recorded.writes, report.Reason)
		}
		got := f.graph(t)
		var weights []float64
		for _, figures := range got.Figures {
			weights = append(weights, figures.Weight)
		}
		if diff := cmp.Diff(test.want, weights); diff != "" {
			t.Errorf("%s: weights (-want +got):\n%s", test.name, diff)
		}
		want(t, "types of "+test.name, got.Types, test.types.Encode())
	}
}

func TestOtherChunkProfilesReadAllNotes(t *testing.T) {
	f := newFixture(t, linkedVault())
	f.run(t, index.Options{})
	f.config.Types = typesOf(t, "types:\n  moc:\n    chunk_profile: short\n")
	report := f.run(t, index.Options{})
	if !report.Full || report.Indexed != 5 || report.Reason != "the chunk profiles of types.yaml changed" {
		t.Errorf("%s, full %v, reason %q", counts(report), report.Full, report.Reason)
	}
	f.setMeta(t, store.MetaTypes, "what no version wrote")
	if report := f.run(t, index.Options{}); !report.Full {
		t.Error("types that cannot be read count as those of now")
	}
	f.config.Types = nil
	f.run(t, index.Options{})
	f.setMeta(t, store.MetaTypes, "")
	if report := f.run(t, index.Options{}); report.Full || report.Indexed > 0 {
		t.Errorf("no types before, none now: %q", report.Reason)
	}
}

func TestAnIndexWithoutAGraphGetsOne(t *testing.T) {
	f := newFixture(t, linkedVault())
	f.run(t, index.Options{})
	wanted := f.graph(t)
	for _, mark := range []string{"", "1 obsidian 0123456789abcdef"} {
		f.setMeta(t, store.MetaGraph, mark)
		if index.HasGraph(f.meta(t)) {
			t.Errorf("the mark %q is one of now", mark)
		}
		want(t, "report", counts(f.run(t, index.Options{})), "indexed 0 unchanged 5 deleted 0 skipped 0 failed 0 chunks 5")
		if diff := cmp.Diff(wanted, f.graph(t)); diff != "" {
			t.Errorf("after the mark %q: %s", mark, diff)
		}
		if !index.HasGraph(f.meta(t)) {
			t.Errorf("after the mark %q: no graph", mark)
		}
	}
	begun := f.store.begun
	f.run(t, index.Options{})
	if f.store.begun != begun {
		t.Error("a run without changes wanted to write")
	}
}

// Mindnet asks of an import that it can be repeated, and that ids are always the same.
func TestImportIsIdempotent(t *testing.T) {
	first, second := newFixture(t, linkedVault()), newFixture(t, linkedVault())
	first.run(t, index.Options{})
	second.run(t, index.Options{})
	once := first.graph(t)
	for _, options := range []index.Options{{}, {Verify: true}, {Full: true}} {
		first.run(t, options)
		if diff := cmp.Diff(once, first.graph(t)); diff != "" {
			t.Errorf("%+v: %s", options, diff)
		}
	}
	if diff := cmp.Diff(once, second.graph(t)); diff != "" {
		t.Error(diff)
	}
}

func TestProblemsOfTypesComeAndGo(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "---\nx: [\n---\nThe text of the note."})
	usual := problems(f.run(t, index.Options{}))
	line := 3
	f.config.TypesProblems = []store.Problem{{Path: notetype.FileName, State: "warning", Reason: "there is no such profile", Line: &line}}
	told := usual + "\ntypes.yaml:3 warning: there is no such profile"
	want(t, "dry run", problems(f.run(t, index.Options{DryRun: true})), "types.yaml:3 warning: there is no such profile")
	for _, options := range []index.Options{{}, {}, {Full: true}} {
		want(t, "with a problem", problems(f.run(t, options)), told)
	}
	begun := f.store.begun
	f.run(t, index.Options{})
	if f.store.begun != begun {
		t.Error("a run without changes wanted to write")
	}
	f.config.TypesProblems = nil
	want(t, "mended", problems(f.run(t, index.Options{})), usual)
}

// What was cut by another profile is kept as long as it cannot be read, and no longer.
func TestANoteOfAnotherProfileIsReadWhenItCanBe(t *testing.T) {
	long := "---\ntype: moc\n---\n" + strings.Repeat(strings.Repeat("Some words of a longer text. ", 30)+"\n\n", 4)
	f := newFixture(t, map[string]string{"a.md": long, "b.md": "Other words."})
	f.run(t, index.Options{})
	f.config.Types = typesOf(t, "types:\n  moc:\n    chunk_profile: short\n")
	f.vault.broken["a.md"] = &fs.PathError{Op: "open", Path: "a.md", Err: fs.ErrPermission}
	for range 2 {
		if report := f.run(t, index.Options{}); report.Failed != 1 || len(f.texts(t)) != 2 {
			t.Errorf("while it cannot be read: %s, %d notes", counts(report), len(f.texts(t)))
		}
	}
	delete(f.vault.broken, "a.md")
	f.run(t, index.Options{})
	if diff, err := (&script{config: f.config}).compareFresh(); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

// As soon as any file is named like a relation, what looks like one may be part of a path, also in links that name another file.
func TestAFileNamedLikeARelationMayTurnLinksIntoPlainOnes(t *testing.T) {
	turned := 0
	for _, d := range []dialect.Dialect{dialect.Obsidian, dialect.Foam, dialect.Dendron, dialect.Logseq} {
		f := newFixture(t, map[string]string{"a.md": "To [[rel:R b/../y]].", "y.md": "Here."})
		f.vault.dialect = d
		f.run(t, index.Options{})
		before := f.graph(t).Edges
		for _, edit := range []func(){
			func() { f.vault.write("rel:supports x.md", "Words.") },
			func() { f.vault.remove("rel:supports x.md") },
		} {
			edit()
			f.run(t, index.Options{})
			if diff, err := (&script{config: f.config}).compareFresh(); diff != "" || err != nil {
				t.Errorf("%s: %v\n%s", d, err, diff)
			}
			if !cmp.Equal(before, f.graph(t).Edges) {
				turned++
			}
		}
	}
	if turned == 0 {
		t.Error("no link was turned")
	}
}

// Where more notes were written anew than are compared, none is taken for what it was.
func TestManyRewrittenNotes(t *testing.T) {
	for _, d := range []dialect.Dialect{dialect.Obsidian, dialect.Logseq} {
		for _, maxCompared := range []int{1, 2, 3} {
			f := newFixture(t, map[string]string{"a.md": "- To [[b]].", "b.md": "title:: Topic\n\n- To [[a]].", "c.md": "- To [[Topic]]."})
			f.vault.dialect = d
			f.config.Types = typesOf(t, "types:\n  moc:\n    retriever_weight: 0.5\n")
			f.config = index.WithMaxCompared(f.config, maxCompared)
			f.run(t, index.Options{})
			for _, text := range []string{"- No more.", "title:: Topic\ntype:: moc\n\n- No more.", "title:: Another\n\n- Words."} {
				f.vault.write("a.md", "- No more.")
				f.vault.write("b.md", text)
				f.run(t, index.Options{})
				if diff, err := (&script{config: f.config}).compareFresh(); diff != "" || err != nil {
					t.Errorf("%s, %d compared: %v\n%s", d, maxCompared, err, diff)
				}
			}
		}
	}
}

// In Logseq a title decides where links lead, also where every note was written anew.
func TestATitleThatWentTakesItsEdgesAlong(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "- To [[Topic]].", "b.md": "title:: Topic\n\n- Words."})
	f.vault.dialect = dialect.Logseq
	f.run(t, index.Options{})
	if got := f.graph(t); len(got.Edges) != 1 || got.Figures[1].In != 1 {
		t.Fatalf("edges %v, figures %v", got.Edges, got.Figures)
	}
	f.vault.write("a.md", "- Still to [[Topic]].")
	f.vault.write("b.md", "title:: Another\n\n- Words.")
	f.run(t, index.Options{})
	if got := f.graph(t); len(got.Edges) != 0 || got.Figures[1].In != 0 {
		t.Errorf("edges %v, figures %v", got.Edges, got.Figures)
	}
}
