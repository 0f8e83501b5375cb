package index_test

import (
	"context"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/index"
	"quarry/internal/dialect"
	"quarry/store"
	"quarry/vault"
)

// recordingStore counts what is written.
type recordingStore struct {
	store.Store
	writes map[string]int
}

type recordingUpdate struct {
	store.Update
	writes map[string]int
}

func (s *recordingStore) Begin(ctx context.Context, mode store.Mode) (store.Update, error) {
	update, err := s.Store.Begin(ctx, mode)
	return &recordingUpdate{update, s.writes}, err
}

func (u *recordingUpdate) Put(ctx context.Context, notes []store.Note) error {
	u.writes["notes"] += len(notes)
	return u.Update.Put(ctx, notes)
}

func (u *recordingUpdate) Delete(ctx context.Context, paths []string) error {
	u.writes["deleted"] += len(paths)
	return u.Update.Delete(ctx, paths)
}

func (u *recordingUpdate) Touch(ctx context.Context, files []store.File) error {
	u.writes["touched"] += len(files)
	return u.Update.Touch(ctx, files)
}

func (u *recordingUpdate) SetOtherFiles(ctx context.Context, paths []string) error {
	u.writes["others"]++
	return u.Update.SetOtherFiles(ctx, paths)
}

func (u *recordingUpdate) PutEdges(ctx context.Context, edges []store.EdgesOf) error {
	u.writes["edges"] += len(edges)
	return u.Update.PutEdges(ctx, edges)
}

func (u *recordingUpdate) PutFigures(ctx context.Context, figures []store.Figures) error {
	u.writes["figures"] += len(figures)
	return u.Update.PutFigures(ctx, figures)
}

// recorded lets a fixture tell what its next runs write.
func (f *fixture) recorded() *recordingStore {
	s := &recordingStore{f.store, map[string]int{}}
	f.config.Store = s
	return s
}

func (f *fixture) others(t *testing.T) []string {
	t.Helper()
	snapshot := f.snapshot(t)
	defer snapshot.Close()
	others, err := snapshot.OtherFiles(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return others
}

func TestOtherFilesAreKept(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "See ![[photo.png]].", "b.md": "Another note."})
	f.vault.others = []string{"z.pdf", "photo.png"}
	f.run(t, index.Options{})
	if diff := cmp.Diff([]string{"photo.png", "z.pdf"}, f.others(t)); diff != "" {
		t.Error(diff)
	}
	begun := f.store.begun
	f.run(t, index.Options{})
	if f.store.begun != begun {
		t.Error("a run without changes wanted to write")
	}
}

func TestAnAttachmentAloneIsAllThatIsWritten(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "See ![[photo.png]].", "b.md": "Another note."})
	f.run(t, index.Options{})
	for _, test := range []struct {
		others []string
		want   map[string]int
	}{
		{[]string{"photo.png"}, map[string]int{"deleted": 0, "touched": 0, "others": 1, "edges": 1}}, // of the note that names it: there are none
		{[]string{"photo.png", "x.pdf"}, map[string]int{"deleted": 0, "touched": 0, "others": 1}},
		{nil, map[string]int{"deleted": 0, "touched": 0, "others": 1, "edges": 1}},
	} {
		recorded := f.recorded()
		f.vault.others = test.others
		report := f.run(t, index.Options{})
		want(t, "report", counts(report), "indexed 0 unchanged 2 deleted 0 skipped 0 failed 0 chunks 2")
		if diff := cmp.Diff(test.want, recorded.writes); diff != "" {
			t.Errorf("others %v: writes (-want +got):\n%s", test.others, diff)
		}
	}
	f.vault.write("a.md", "No picture any more.")
	recorded := f.recorded()
	f.run(t, index.Options{})
	if recorded.writes["others"] != 0 || recorded.writes["notes"] != 1 {
		t.Errorf("one changed note: writes %v", recorded.writes)
	}
}

func TestAFullRunKeepsOtherFiles(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "A note."})
	f.vault.others = []string{"photo.png"}
	f.run(t, index.Options{})
	f.run(t, index.Options{Full: true})
	if diff := cmp.Diff([]string{"photo.png"}, f.others(t)); diff != "" {
		t.Error(diff)
	}
}

// What lies in a folder that cannot be opened today is still there.
func TestOtherFilesOfAnUnreadableFolderStay(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "A note."})
	f.vault.others = []string{"closed/photo.png", "open/photo.png"}
	f.run(t, index.Options{})
	f.vault.others = []string{"x.png"}
	f.vault.skipped = []vault.Skipped{{Path: "closed", Reason: fs.ErrPermission.Error(), Failed: true}}
	for _, full := range []bool{false, true} {
		f.run(t, index.Options{Full: full})
		if diff := cmp.Diff([]string{"closed/photo.png", "x.png"}, f.others(t)); diff != "" {
			t.Errorf("full %t: %s", full, diff)
		}
	}
}

func TestASecretInTheNameOfAnotherFile(t *testing.T) {
	secret := "AKIA" + "Q3EGRVBA7ZLT5WKN"
	f := newFixture(t, map[string]string{"a.md": "A note."})
	f.vault.others = []string{"keys " + secret + ".png", "photo.png"}
	f.run(t, index.Options{})
	got := f.others(t)
	if len(got) != 2 || strings.Contains(strings.Join(got, " "), secret) || !strings.Contains(got[0], "[REDACTED:") {
		t.Errorf("stored: %v", got)
	}
	begun := f.store.begun
	f.run(t, index.Options{})
	if f.store.begun != begun {
		t.Error("a run without changes wanted to write")
	}
}

func TestAnotherDialectAsksForAFullRun(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "- a bullet\n- another", "b.md": "words"})
	f.run(t, index.Options{})
	if got := f.dialect(t); got != "" && got != "obsidian" {
		t.Errorf("dialect %q", got)
	}
	f.vault.dialect = dialect.Obsidian
	if report := f.run(t, index.Options{}); report.Full {
		t.Errorf("the default named is another: %s", report.Reason)
	}
	f.vault.dialect = dialect.Logseq
	report := f.run(t, index.Options{})
	if report.Indexed != 2 || report.Reason != "the dialect changed from obsidian to logseq" || f.dialect(t) != "logseq" {
		t.Errorf("%s, reason %q, dialect %q", counts(report), report.Reason, f.dialect(t))
	}
	if report := f.run(t, index.Options{}); report.Full || report.Indexed != 0 {
		t.Errorf("the next run: %s, reason %q", counts(report), report.Reason)
	}
}

func (f *fixture) dialect(t *testing.T) string {
	t.Helper()
	snapshot := f.snapshot(t)
	defer snapshot.Close()
	meta, err := snapshot.Meta(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return meta[store.MetaDialect]
}

func TestOutlinesAreKept(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "# One\n\ntext ^here\n\n## Two\n\n- item ^there\n", "b.md": "none"})
	f.run(t, index.Options{})
	snapshot := f.snapshot(t)
	defer snapshot.Close()
	n, ok, err := snapshot.Note(context.Background(), "a.md")
	if err != nil || !ok {
		t.Fatal(err, ok)
	}
	if diff := cmp.Diff([]store.Heading{{Level: 1, Text: "One"}, {Level: 2, Text: "Two"}}, n.Headings); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"here", "there"}, n.BlockIDs); diff != "" {
		t.Error(diff)
	}
}

func TestProblemsSayWhatWasRecovered(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "---\ntitle: A: B\n---\nThe text.", "b.md": "---\nx: [\n---\nThe text."})
	problems := f.run(t, index.Options{}).Problems
	if len(problems) != 2 {
		t.Fatalf("%+v", problems)
	}
	if p := problems[0]; p.Path != "a.md" || p.Line == nil || *p.Line != 2 || !strings.HasSuffix(p.Reason, "(the properties were read line by line)") {
		t.Errorf("%+v", p)
	}
}
