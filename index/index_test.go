package index_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/index"
	"quarry/internal/dialect"
	"quarry/store"
	"quarry/store/memory"
	"quarry/vault"
)

// fakeVault is a vault in memory.
type fakeVault struct {
	mu      sync.Mutex
	content map[string]string
	time    map[string]int64
	broken  map[string]error // read errors
	skipped []vault.Skipped
	others  []string
	dialect dialect.Dialect
}

func newVault(content map[string]string) *fakeVault {
	v := &fakeVault{content: map[string]string{}, time: map[string]int64{}, broken: map[string]error{}}
	for path, text := range content {
		v.write(path, text)
	}
	return v
}

func (v *fakeVault) write(path, text string) {
	v.content[path] = text
	v.time[path]++
}

func (v *fakeVault) remove(path string) {
	delete(v.content, path)
	delete(v.time, path)
}

func (v *fakeVault) file(path string) vault.File {
	return vault.File{Path: path, SizeBytes: int64(len(v.content[path])), ModifiedNanoseconds: v.time[path]}
}

func (v *fakeVault) Scan(context.Context) (vault.Listing, error) {
	var listing vault.Listing
	for path := range v.content {
		listing.Files = append(listing.Files, v.file(path))
	}
	slices.SortFunc(listing.Files, func(a, b vault.File) int { return strings.Compare(a.Path, b.Path) })
	listing.Skipped, listing.Others = v.skipped, slices.Sorted(slices.Values(v.others))
	return listing, nil
}

func (v *fakeVault) ScanPaths(ctx context.Context, paths []string, _ iter.Seq[string]) (vault.Listing, error) {
	listing, err := v.Scan(ctx)
	return partOf(listing, paths), err
}

// partOf is what a listing tells of some paths.
func partOf(listing vault.Listing, paths []string) vault.Listing {
	isOut := func(name string) bool {
		return !slices.ContainsFunc(paths, func(p string) bool { return name == p || strings.HasPrefix(name, p+"/") })
	}
	return vault.Listing{
		Files:   slices.DeleteFunc(slices.Clone(listing.Files), func(f vault.File) bool { return isOut(f.Path) }),
		Others:  slices.DeleteFunc(slices.Clone(listing.Others), isOut),
		Skipped: slices.DeleteFunc(slices.Clone(listing.Skipped), func(s vault.Skipped) bool { return isOut(s.Path) }),
	}
}

func (v *fakeVault) Read(_ context.Context, path string) ([]byte, vault.File, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.broken[path]; err != nil {
		return nil, vault.File{}, err
	}
	return []byte(v.content[path]), v.file(path), nil
}

func (v *fakeVault) Dialect() dialect.Dialect { return v.dialect }

// fakeModel gives every text a vector of its own length.
type fakeModel struct{ name string }

func (m fakeModel) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = []float32{0, 0}
		out[i][len(text)%2] = 1
	}
	return out, nil
}
func (fakeModel) Dim() int       { return 2 }
func (m fakeModel) Name() string { return m.name }
func (m fakeModel) Hash() string { return "hash of " + m.name }

// countingStore counts how often somebody wants to write.
type countingStore struct {
	store.Store
	begun int
}

func (s *countingStore) Begin(ctx context.Context, mode store.Mode) (store.Update, error) {
	s.begun++
	return s.Store.Begin(ctx, mode)
}

type fixture struct {
	vault  *fakeVault
	store  *countingStore
	config index.Config
}

func newFixture(t *testing.T, content map[string]string) *fixture {
	t.Helper()
	f := &fixture{vault: newVault(content), store: &countingStore{Store: memory.New()}}
	f.config = index.Config{
		Source: f.vault, Store: f.store, Embedder: fakeModel{"model"}, Settings: "1", Workers: 3,
		Started: time.Unix(1700000000, 0), Logger: slog.New(slog.DiscardHandler),
	}
	return f
}

func (f *fixture) run(t *testing.T, options index.Options) index.Report {
	t.Helper()
	report, err := index.Run(context.Background(), f.config, options)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// snapshot opens a view of the index. The caller closes it.
func (f *fixture) snapshot(t *testing.T) store.Snapshot {
	t.Helper()
	snapshot, err := f.store.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

// texts is what the index holds: path and passages.
func (f *fixture) texts(t *testing.T) map[string]string {
	t.Helper()
	snapshot := f.snapshot(t)
	defer snapshot.Close()
	files, err := snapshot.Files(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, file := range files {
		n, ok, err := snapshot.Note(context.Background(), file.Path)
		if err != nil || !ok {
			t.Fatal(err, ok)
		}
		var texts []string
		for _, p := range n.Passages {
			texts = append(texts, p.Text)
		}
		out[file.Path] = strings.Join(texts, "|")
	}
	return out
}

func counts(r index.Report) string {
	return fmt.Sprintf("indexed %d unchanged %d deleted %d skipped %d failed %d chunks %d", r.Indexed, r.Unchanged, r.Deleted, r.Skipped, r.Failed, r.Chunks)
}

func want(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %s, want %s", what, got, want)
	}
}

func TestIncremental(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "All about apples.", "b.md": "All about bread.", "c.md": "All about cheese."})
	want(t, "first run", counts(f.run(t, index.Options{})), "indexed 3 unchanged 0 deleted 0 skipped 0 failed 0 chunks 3")
	begun := f.store.begun
	want(t, "second run", counts(f.run(t, index.Options{})), "indexed 0 unchanged 3 deleted 0 skipped 0 failed 0 chunks 3")
	if f.store.begun != begun {
		t.Error("a run without changes wanted to write")
	}
	f.vault.write("a.md", "All about apricots.")
	f.vault.write("b.md", "All about bread.") // touched: another time, the same content
	f.vault.remove("c.md")
	f.vault.write("d.md", "All about dill.")
	want(t, "dry run", counts(f.run(t, index.Options{DryRun: true})), "indexed 3 unchanged 0 deleted 1 skipped 0 failed 0 chunks 3")
	want(t, "after edits", counts(f.run(t, index.Options{})), "indexed 2 unchanged 1 deleted 1 skipped 0 failed 0 chunks 3")
	if diff := cmp.Diff(map[string]string{"a.md": "All about apricots.", "b.md": "All about bread.", "d.md": "All about dill."}, f.texts(t)); diff != "" {
		t.Error(diff)
	}
	begun = f.store.begun
	f.run(t, index.Options{})
	if f.store.begun != begun {
		t.Error("the touched file is looked at again and again")
	}
}

func TestVerifyFindsChangesThatTheClockHides(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "one text here", "b.md": "same"})
	f.run(t, index.Options{})
	f.vault.content["a.md"] = "two text here" // same size, same time
	want(t, "without verify", counts(f.run(t, index.Options{})), "indexed 0 unchanged 2 deleted 0 skipped 0 failed 0 chunks 2")
	want(t, "with verify", counts(f.run(t, index.Options{Verify: true})), "indexed 1 unchanged 1 deleted 0 skipped 0 failed 0 chunks 2")
	want(t, "text", f.texts(t)["a.md"], "two text here")
}

func TestWhatCannotBeReadIsKept(t *testing.T) {
	for _, full := range []bool{false, true} {
		t.Run(fmt.Sprint("full ", full), func(t *testing.T) {
			f := newFixture(t, map[string]string{"a.md": "old a, which stays", "dir/b.md": "old b, which stays", "c.md": "old c"})
			f.run(t, index.Options{})
			f.vault.write("a.md", "new a")
			f.vault.broken["a.md"] = &fs.PathError{Op: "open", Path: "a.md", Err: fs.ErrPermission}
			f.vault.remove("dir/b.md")
			f.vault.skipped = []vault.Skipped{{Path: "dir", Reason: "permission denied", Failed: true}}
			f.vault.write("c.md", "new c")
			report := f.run(t, index.Options{Full: full})
			if report.Failed != 2 || report.Indexed != 1 || report.Deleted != 0 {
				t.Errorf("report: %s", counts(report))
			}
			if diff := cmp.Diff(map[string]string{"a.md": "old a, which stays", "dir/b.md": "old b, which stays", "c.md": "new c"}, f.texts(t)); diff != "" {
				t.Error(diff)
			}
			var problems []string
			for _, p := range report.Problems {
				problems = append(problems, p.Path+" "+p.State+" "+p.Reason)
			}
			if diff := cmp.Diff([]string{"a.md failed permission denied", "dir failed permission denied"}, problems); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestVanishedAndOverSize(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "goes away", "b.md": "grows too large", "c.md": "stays"})
	f.run(t, index.Options{})
	f.vault.write("a.md", "going")
	f.vault.broken["a.md"] = &fs.PathError{Op: "open", Path: "a.md", Err: fs.ErrNotExist}
	f.vault.write("b.md", "huge")
	f.vault.broken["b.md"] = fmt.Errorf("read b.md: %w", vault.ErrTooLarge)
	report := f.run(t, index.Options{})
	want(t, "report", counts(report), "indexed 0 unchanged 1 deleted 2 skipped 1 failed 0 chunks 1")
	if len(report.Problems) != 1 || report.Problems[0].Path != "b.md" || report.Problems[0].State != "skipped" {
		t.Errorf("problems: %v", report.Problems)
	}
}

func TestMassDeleteIsRefused(t *testing.T) {
	content := map[string]string{}
	for i := range 20 {
		content[fmt.Sprintf("%02d.md", i)] = "a note of some words"
	}
	f := newFixture(t, content)
	f.run(t, index.Options{})
	for i := range 11 {
		f.vault.remove(fmt.Sprintf("%02d.md", i))
	}
	for _, options := range []index.Options{{}, {Full: true}} {
		if _, err := index.Run(context.Background(), f.config, options); !errors.Is(err, index.ErrMassDelete) {
			t.Errorf("%+v: error %v, want ErrMassDelete", options, err)
		}
	}
	if n := len(f.texts(t)); n != 20 {
		t.Errorf("%d notes left after the refusal, want 20", n)
	}
	f.vault.write("00.md", "back again") // ten of twenty: half is allowed
	want(t, "half", counts(f.run(t, index.Options{})), "indexed 1 unchanged 9 deleted 10 skipped 0 failed 0 chunks 10")
}

func TestForceAllowsMassDelete(t *testing.T) {
	content := map[string]string{}
	for i := range 25 {
		content[fmt.Sprintf("%02d.md", i)] = "a note of some words"
	}
	f := newFixture(t, content)
	f.run(t, index.Options{})
	clear(f.vault.content)
	want(t, "forced", counts(f.run(t, index.Options{Force: true})), "indexed 0 unchanged 0 deleted 25 skipped 0 failed 0 chunks 0")
}

func TestAnotherModelMeansEverythingAnew(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "some text", "b.md": "more text"})
	f.run(t, index.Options{})
	f.config.Embedder = fakeModel{"other"}
	report := f.run(t, index.Options{})
	if report.Indexed != 2 || !report.Full || report.Reason != "the model changed from model to other" {
		t.Errorf("report %s, full %v, reason %q", counts(report), report.Full, report.Reason)
	}
	f.config.Settings = "2"
	if report := f.run(t, index.Options{}); report.Indexed != 2 || report.Reason == "" {
		t.Errorf("other settings: %s, reason %q", counts(report), report.Reason)
	}
	if report := f.run(t, index.Options{}); report.Indexed != 0 || report.Reason != "" {
		t.Errorf("nothing changed: %s, reason %q", counts(report), report.Reason)
	}
}

func TestInterrupt(t *testing.T) {
	content := map[string]string{}
	for i := range 2000 {
		content[fmt.Sprintf("%04d.md", i)] = "a note of some words"
	}
	interrupted := func(f *fixture, options index.Options) index.Report {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		f.config.Progress = func(p index.Progress) {
			if p.Done == 700 {
				cancel()
			}
		}
		report, err := index.Run(ctx, f.config, options)
		if !errors.Is(err, index.ErrInterrupted) {
			t.Fatalf("error %v, want ErrInterrupted", err)
		}
		f.config.Progress = nil
		return report
	}
	t.Run("a first run keeps what it has, and the next one goes on", func(t *testing.T) {
		f := newFixture(t, content)
		report := interrupted(f, index.Options{})
		kept := len(f.texts(t))
		if kept < 700 || kept >= 2000 || report.Indexed != kept {
			t.Errorf("%d notes kept, %d reported, want at least 700 and not all", kept, report.Indexed)
		}
		if next := f.run(t, index.Options{}); next.Indexed != 2000-kept || next.Chunks != 2000 {
			t.Errorf("the next run: %s", counts(next))
		}
	})
	t.Run("a full run over an index leaves it as it was", func(t *testing.T) {
		f := newFixture(t, content)
		f.run(t, index.Options{})
		f.vault.write("0001.md", "changed")
		interrupted(f, index.Options{Full: true})
		if got := f.texts(t); len(got) != 2000 || got["0001.md"] != "a note of some words" {
			t.Errorf("%d notes, the changed one is %q", len(got), got["0001.md"])
		}
	})
}

func TestProblemsOfUnchangedNotesStay(t *testing.T) {
	f := newFixture(t, map[string]string{"a.md": "---\nx: [\n---\nThe text of the note.", "b.md": "fine"})
	first := f.run(t, index.Options{})
	if len(first.Problems) == 0 || first.Problems[0].Path != "a.md" || first.Problems[0].State != "warning" || first.Problems[0].Line == nil {
		t.Fatalf("problems of the first run: %+v", first.Problems)
	}
	f.vault.write("b.md", "fine too")
	if diff := cmp.Diff(first.Problems, f.run(t, index.Options{}).Problems); diff != "" {
		t.Error(diff)
	}
	f.vault.write("a.md", "The text of the note.")
	if got := f.run(t, index.Options{}).Problems; len(got) != 0 {
		t.Errorf("mended, and still reported: %+v", got)
	}
}

func TestASecretInAPathIsNotStored(t *testing.T) {
	secret := "AKIA" + "Q3EGRVBA7ZLT5WKN"
	f := newFixture(t, map[string]string{"keys/" + secret + ".md": "the note", "keys/" + secret + " 2.md": "another note"})
	f.run(t, index.Options{})
	texts := f.texts(t)
	if len(texts) != 2 {
		t.Errorf("%d notes, want 2: %v", len(texts), texts)
	}
	for path := range texts {
		if strings.Contains(path, secret) || !strings.Contains(path, "[REDACTED:") {
			t.Errorf("stored under %q", path)
		}
	}
	want(t, "second run", counts(f.run(t, index.Options{})), "indexed 0 unchanged 2 deleted 0 skipped 0 failed 0 chunks 2")
}

// The order in which workers finish does not show.
func TestManyWorkersGiveTheSameIndex(t *testing.T) {
	content := map[string]string{}
	for i := range 300 {
		content[fmt.Sprintf("%03d.md", i)] = strings.Repeat("words of different number ", i%17) + "end"
	}
	one, many := newFixture(t, content), newFixture(t, content)
	one.config.Workers, many.config.Workers = 1, 16
	one.run(t, index.Options{Full: true})
	many.run(t, index.Options{Full: true})
	if diff := cmp.Diff(one.texts(t), many.texts(t)); diff != "" {
		t.Error(diff)
	}
}

// A first run that was cut off is known for what it is: another model does not go on with it.
func TestACutOffFirstRunIsNotContinuedByAnotherModel(t *testing.T) {
	content := map[string]string{}
	for i := range 1000 {
		content[fmt.Sprintf("%04d.md", i)] = "a note of some words"
	}
	f := newFixture(t, content)
	whole := f.config.Store
	f.config.Store = &failingStore{Store: whole, writes: 2}
	if _, err := index.Run(context.Background(), f.config, index.Options{}); !errors.Is(err, errBroken) {
		t.Fatalf("error %v, want the store's", err)
	}
	f.config.Store = whole
	f.config.Embedder = fakeModel{"other"}
	report := f.run(t, index.Options{})
	if report.Indexed != 1000 || report.Reason != "the model changed from model to other" {
		t.Errorf("%s, reason %q", counts(report), report.Reason)
	}
}

func TestAFullRunLooksAtPathsAnew(t *testing.T) {
	secret := "AKIA" + "Q3EGRVBA7ZLT5WKN"
	f := newFixture(t, map[string]string{"a.md": "one note"})
	update, err := f.store.Begin(context.Background(), store.Full)
	if err != nil {
		t.Fatal(err)
	}
	f.vault.write("keys "+secret+".md", "another note") // stored as it is by rules that did not know it
	old := store.Note{File: store.File{Path: "keys " + secret + ".md", SizeBytes: 12, ModifiedNanoseconds: 1}}
	if err := errors.Join(update.Put(context.Background(), []store.Note{old}), update.Commit(context.Background())); err != nil {
		t.Fatal(err)
	}
	f.run(t, index.Options{Full: true})
	for path := range f.texts(t) {
		if strings.Contains(path, secret) {
			t.Errorf("still stored as %s", path)
		}
	}
}

func TestWarningsSurviveATimeWithoutPermission(t *testing.T) {
	for _, full := range []bool{false, true} {
		f := newFixture(t, map[string]string{"a.md": "---\nx: [\n---\nThe text of the note.", "b.md": "fine"})
		first := f.run(t, index.Options{})
		f.vault.time["a.md"]++
		f.vault.broken["a.md"] = &fs.PathError{Op: "open", Path: "a.md", Err: fs.ErrPermission}
		f.run(t, index.Options{Full: full})
		delete(f.vault.broken, "a.md")
		if diff := cmp.Diff(first.Problems, f.run(t, index.Options{}).Problems); diff != "" {
			t.Errorf("full %v: %s", full, diff)
		}
	}
}

func TestAnUnreadableFolderWithASecretInItsName(t *testing.T) {
	secret := "AKIA" + "Q3EGRVBA7ZLT5WKN"
	folder := "key " + secret
	f := newFixture(t, map[string]string{folder + "/in.md": "kept all the same", "b.md": "fine"})
	f.run(t, index.Options{})
	f.vault.remove(folder + "/in.md")
	f.vault.skipped = []vault.Skipped{{Path: folder, Reason: "permission denied", Failed: true}}
	if report := f.run(t, index.Options{}); report.Deleted != 0 || report.Failed != 1 || report.Chunks != 2 {
		t.Errorf("%s", counts(report))
	}
}
