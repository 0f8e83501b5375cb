package index_test

import (
	"context"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/index"
	"quarry/internal/notetype"
	"quarry/store"
	"quarry/vault"
)

// overridingVault has a note with a setting that is none, one with a setting, and one without.
func overridingVault() map[string]string {
	return map[string]string{
		"a.md": "---\ntype: moc\nretriever_weight: much\nedge_defaults: [a b]\n---\nTo [[b]].", "dir/b.md": "---\nretriever_weight: 3\n---\nBy itself.",
		"c.md": "---\nx: [\n---\nTo [[a]].",
	}
}

const (
	noWeight = "a.md:3 warning: retriever_weight: \"much\" is no number; that of the note's type counts"
	noKind   = "a.md:4 warning: edge_defaults: \"a b\" is no name of a relation: letters, digits, - and _, a letter or _ first, at most 64 bytes; that of the note's type counts"
)

// told is what a run told of a.md, without what it always tells.
func told(report index.Report) string {
	var lines []string
	for line := range strings.Lines(problems(report)) {
		if !strings.HasPrefix(line, "c.md") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return strings.Join(lines, "\n")
}

func (f *fixture) compareFresh(t *testing.T, what string) {
	t.Helper()
	if diff, err := (&script{config: f.config}).compareFresh(); diff != "" || err != nil {
		t.Errorf("%s: %v\n%s", what, err, diff)
	}
}

func TestComplaintsFollowTheOverrides(t *testing.T) {
	f := newFixture(t, overridingVault())
	f.run(t, index.Options{})
	for _, test := range []struct {
		name, types string
		overrides   []string
		want        string
	}{
		{"one", "default:\n  retriever_weight: 2\n", []string{"retriever_weight"}, noWeight},
		{"another", "default:\n  retriever_weight: 2\n", []string{"edge_defaults"}, noKind},
		{"both", "default:\n  retriever_weight: 2\n", []string{"edge_defaults", "retriever_weight"}, noWeight + "\n" + noKind},
		{"the same of other types", "types:\n  moc:\n    retriever_weight: 0.5\n", []string{"edge_defaults", "retriever_weight"}, noWeight + "\n" + noKind},
		{"none", "types:\n  moc:\n    retriever_weight: 0.5\n", nil, ""},
	} {
		f.config.Types = typesOf(t, test.types, test.overrides...)
		report := f.run(t, index.Options{})
		want(t, test.name, told(report), test.want)
		want(t, test.name, counts(report), "indexed 0 unchanged 3 deleted 0 skipped 0 failed 0 chunks 3")
		f.compareFresh(t, test.name)
		begun := f.store.begun
		f.run(t, index.Options{})
		if f.store.begun != begun {
			t.Errorf("%s: a run without changes wanted to write", test.name)
		}
	}
	f.config.Types = typesOf(t, "", "retriever_weight")
	f.run(t, index.Options{})
	f.config.Types = nil
	want(t, "without types", told(f.run(t, index.Options{})), "")
}

// What is complained about is read once more only where the index has other complaints.
func TestWhatIsRightlyComplainedAboutIsNotReadAgain(t *testing.T) {
	f := newFixture(t, overridingVault())
	f.config.Types = typesOf(t, "", "retriever_weight")
	f.run(t, index.Options{})
	f.config.Types = typesOf(t, "types:\n  moc:\n    retriever_weight: 0.5\n", "retriever_weight")
	for path := range f.vault.content {
		f.vault.broken[path] = fs.ErrPermission
	}
	report := f.run(t, index.Options{})
	want(t, "report", counts(report), "indexed 0 unchanged 3 deleted 0 skipped 0 failed 0 chunks 3")
	want(t, "problems", told(report), noWeight)
}

// A note that cannot be read when the overrides change is read as soon as it can be, whatever kept it from that.
func TestComplaintsAboutNotesThatCouldNotBeRead(t *testing.T) {
	broken := &fs.PathError{Op: "open", Path: "a.md", Err: fs.ErrPermission}
	for _, full := range []bool{false, true} {
		for name, edit := range map[string]func(f *fixture) (mend func()){
			"a file": func(f *fixture) func() {
				f.vault.broken["dir/a.md"] = broken
				return func() { clear(f.vault.broken) }
			},
			"a file that was touched": func(f *fixture) func() {
				f.vault.time["dir/a.md"]++
				return func() {}
			},
			"a folder": func(f *fixture) func() {
				text, touched := f.vault.content["dir/a.md"], f.vault.time["dir/a.md"]
				f.vault.remove("dir/a.md")
				f.vault.skipped = []vault.Skipped{{Path: "dir", Reason: "permission denied", Failed: true}}
				return func() {
					f.vault.skipped, f.vault.content["dir/a.md"], f.vault.time["dir/a.md"] = nil, text, touched
				}
			},
		} {
			for _, overrides := range [][]string{{"retriever_weight"}, {"edge_defaults"}, nil} {
				f := newFixture(t, map[string]string{"dir/a.md": overridingVault()["a.md"], "b.md": "By itself."})
				f.config.Types = typesOf(t, "", "edge_defaults")
				f.run(t, index.Options{})
				f.config.Types = typesOf(t, "default:\n  retriever_weight: 2\n", overrides...)
				mend := edit(f)
				f.run(t, index.Options{Full: full})
				mend()
				f.run(t, index.Options{})
				f.compareFresh(t, name+" "+strings.Join(overrides, " "))
			}
		}
	}
}

func TestAFileOfTypesThatIsANote(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "By itself.", "b.md": "---\nx: [\n---\nThe text of the note."})
	usual := problems(f.run(t, index.Options{}))
	f.config.TypesProblems = []store.Problem{{Path: "b.md", State: "warning", Reason: "the file is no mapping"}}
	for range 2 {
		want(t, "with a problem", problems(f.run(t, index.Options{})), "b.md:0 warning: as the settings of types: the file is no mapping\n"+usual)
	}
	f.config.TypesProblems = nil
	want(t, "without", problems(f.run(t, index.Options{})), usual)
}

func TestTypesThatCannotBeReadAreAFailure(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "By itself."})
	f.config.TypesProblems = []store.Problem{{Path: notetype.FileName, State: "failed", Reason: "it cannot be read"}}
	for _, options := range []index.Options{{}, {DryRun: true}, {}, {Full: true}} {
		report := f.run(t, options)
		want(t, "problems", problems(report), "types.yaml:0 failed: it cannot be read")
		if report.Failed != 1 {
			t.Errorf("%+v: %s", options, counts(report))
		}
	}
	f.config.TypesProblems = nil
	want(t, "mended", problems(f.run(t, index.Options{})), "")
}

func TestTheReasonOfAFullRunSaysWhatOfTheTypesChanged(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "By itself."})
	f.run(t, index.Options{})
	const short = "types:\n  moc:\n    chunk_profile: short\n"
	for _, test := range []struct {
		types     string
		overrides []string
		want      string
	}{
		{short, nil, "the chunk profiles of types.yaml changed"},
		{short, []string{"chunk_profile"}, "notes may name a chunk profile of their own now"},
		{short, []string{"chunk_profile", "edge_defaults"}, ""},
		{strings.ReplaceAll(short, "short", "long"), []string{"chunk_profile"}, "the chunk profiles of types.yaml changed"},
		{"", nil, "notes may not name a chunk profile of their own any more"},
	} {
		f.config.Types = typesOf(t, test.types, test.overrides...)
		report := f.run(t, index.Options{})
		want(t, "reason", report.Reason, test.want)
		if report.Full != (test.want != "") {
			t.Errorf("full is %v where the reason is to be %q", report.Full, test.want)
		}
	}
}

// What was not read again in a run that was cut off is read in the next.
func TestComplaintsAfterACutOffRun(t *testing.T) {
	for writes := range 8 {
		f := newFixture(t, overridingVault())
		f.run(t, index.Options{})
		f.config.Types = typesOf(t, "", "retriever_weight", "edge_defaults")
		f.config.Store = &failingStore{Store: f.store, writes: writes}
		_, err := index.Run(context.Background(), f.config, index.Options{})
		f.config.Store = f.store
		f.config.Types = typesOf(t, "", "edge_defaults")
		report := f.run(t, index.Options{})
		if diff := cmp.Diff(noKind, told(report)); diff != "" {
			t.Errorf("after %d writes (%v): %s", writes, err, diff)
		}
		f.compareFresh(t, "after a cut")
	}
}
