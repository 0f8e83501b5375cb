package quarry_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry"
)

// vaultOf writes notes into a folder of the test's own.
func vaultOf(t testing.TB, notes map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "vault")
	for name, text := range notes {
		writeNote(t, dir, name, text)
	}
	return dir
}

func writeNote(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// open gives an engine with an index of its own.
func open(t testing.TB, vault, db string) *quarry.Engine {
	t.Helper()
	engine, err := quarry.Open(context.Background(), quarry.Config{VaultDir: vault, DatabasePath: db})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return engine
}

func mustIndex(t testing.TB, engine *quarry.Engine, options quarry.IndexOptions) quarry.IndexReport {
	t.Helper()
	report, err := engine.Index(context.Background(), options, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func manyNotes(count int) map[string]string {
	notes := map[string]string{}
	words := strings.Fields("kiln glaze clay slip wheel ember lantern harbour meadow quartz violin copper ledger orchard paddle ribbon")
	for i := range count {
		var b strings.Builder
		fmt.Fprintf(&b, "---\ntags: [%s, %s]\n---\n# %s %d\n\n", words[i%16], words[i*7%16], words[i*3%16], i)
		for j := range 3 {
			fmt.Fprintf(&b, "## %s of %d\n\n", words[(i+j)%16], j)
			for k := range 40 {
				b.WriteString(words[(i*5+j*11+k*k)%16] + " ")
			}
			fmt.Fprintf(&b, "See [[note %d]].\n\n", (i*13)%count)
		}
		notes[fmt.Sprintf("%s/note %d.md", words[i%16], i)] = b.String()
	}
	return notes
}

// A run that finds nothing new leaves every byte of the database and of its log as it was.
func TestARunWithoutChangesWritesNothing(t *testing.T) {
	db := filepath.Join(t.TempDir(), "index.db")
	engine := open(t, vaultOf(t, manyNotes(30)), db)
	mustIndex(t, engine, quarry.IndexOptions{})
	before := sums(t, db)
	if report := mustIndex(t, engine, quarry.IndexOptions{}); report.Indexed != 0 || report.Unchanged != 30 {
		t.Errorf("report %+v", report)
	}
	if diff := cmp.Diff(before, sums(t, db)); diff != "" {
		t.Error(diff)
	}
}

// sums gives a checksum of the database and of its log, an empty log counting as none.
func sums(t *testing.T, db string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, suffix := range []string{"", "-wal"} {
		content, err := os.ReadFile(db + suffix)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if len(content) > 0 {
			out[suffix] = fmt.Sprintf("%d %x", len(content), sha256.Sum256(content))
		}
	}
	return out
}

// Many readers beside full runs: each answer is whole, and that of the one state there is.
func TestReadersBesideFullRuns(t *testing.T) {
	dir, db := vaultOf(t, manyNotes(60)), filepath.Join(t.TempDir(), "index.db")
	writer, reader := open(t, dir, db), open(t, dir, db)
	mustIndex(t, writer, quarry.IndexOptions{})
	want := answer(t, reader, "kiln glaze")
	ctx, stop := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for ctx.Err() == nil {
				if diff := cmp.Diff(want, answer(t, reader, "kiln glaze")); diff != "" {
					t.Error(diff)
					return
				}
			}
		})
	}
	for range 3 {
		mustIndex(t, writer, quarry.IndexOptions{Full: true})
	}
	stop()
	wait.Wait()
}

func answer(t *testing.T, engine *quarry.Engine, query string) string {
	t.Helper()
	got, err := engine.Search(context.Background(), quarry.SearchRequest{Query: query})
	if err != nil {
		t.Error(err)
		return ""
	}
	encoded, err := json.Marshal(got)
	if err != nil {
		t.Error(err)
	}
	return string(encoded)
}

// The engine sees what another one wrote, without being opened anew.
func TestAReaderSeesLaterRuns(t *testing.T) {
	dir, db := vaultOf(t, map[string]string{"a.md": "All about apples and their trees."}), filepath.Join(t.TempDir(), "index.db")
	reader := open(t, dir, db)
	if _, err := reader.Search(context.Background(), quarry.SearchRequest{Query: "apples"}); !errors.Is(err, quarry.ErrNoIndex) {
		t.Fatalf("error %v, want ErrNoIndex", err)
	}
	mustIndex(t, open(t, dir, db), quarry.IndexOptions{})
	if got := answer(t, reader, "apples"); !strings.Contains(got, "a.md") {
		t.Errorf("after the first run: %s", got)
	}
	writeNote(t, dir, "b.md", "All about bananas and their skins.")
	mustIndex(t, open(t, dir, db), quarry.IndexOptions{})
	if got := answer(t, reader, "bananas"); !strings.Contains(got, "b.md") {
		t.Errorf("after the second run: %s", got)
	}
}

func TestADamagedIndexIsBuiltAnew(t *testing.T) {
	dir, db := vaultOf(t, manyNotes(40)), filepath.Join(t.TempDir(), "index.db")
	first := open(t, dir, db)
	mustIndex(t, first, quarry.IndexOptions{})
	want := answer(t, first, "kiln")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(db, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	for page := range int64(20) { // garbage over the first pages
		if _, err := file.WriteAt([]byte(strings.Repeat("garbage!", 200)), page*4096+200); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	second := open(t, dir, db)
	if _, err := second.Search(context.Background(), quarry.SearchRequest{Query: "kiln"}); err == nil {
		t.Log("the search did not meet the damage") // allowed: it may lie elsewhere
	}
	report := mustIndex(t, second, quarry.IndexOptions{Verify: true})
	if report.Indexed != 40 || report.Reason == "" {
		t.Errorf("report %+v", report)
	}
	if diff := cmp.Diff(want, answer(t, second, "kiln")); diff != "" {
		t.Error(diff)
	}
}

// No secret of a note gets into the index, in whatever part of the note it stands.
func TestNoSecretIsStored(t *testing.T) {
	secret := "ghp_" + "E6QrXhj2c2J3g1Kkd3z4b5N7m8P9q00ZHtxA"
	dir := vaultOf(t, map[string]string{
		"body.md": "# Title\n\nThe token is " + secret + ", keep it.\n\n## Heading " + secret + "\n\nText below, #tag/" + secret + " and [[" + secret + "]].\n",
		"yaml.md": "---\ntitle: note " + secret + "\ntags: [a, " + secret + "]\naliases: [\"" + secret + "\"]\nkey: " + secret + "\nid: " + secret + "\n---\nbody of the note\n",
		"folder " + secret + "/name " + secret + ".md": "A note below a folder whose name is a secret.\n",
	})
	db := filepath.Join(t.TempDir(), "index.db")
	engine := open(t, dir, db)
	report := mustIndex(t, engine, quarry.IndexOptions{})
	if err := engine.Close(); err != nil {
		t.Fatal(err)
	}
	if report.Indexed != 3 {
		t.Errorf("report %+v", report)
	}
	for _, suffix := range []string{"", "-wal"} {
		content, err := os.ReadFile(db + suffix)
		if err == nil && strings.Contains(string(content), secret[10:30]) {
			t.Errorf("the secret stands in index.db%s", suffix)
		}
	}
	again := open(t, dir, db)
	status, err := again.Status(context.Background())
	if err != nil || status.Notes != 3 || status.Stale != 0 {
		t.Errorf("status %+v, error %v", status, err)
	}
	for _, query := range []string{"token keep", "folder name", "body of the note"} {
		got := answer(t, again, query)
		if strings.Contains(got, secret[10:30]) || !strings.Contains(got, `"stale":false`) {
			t.Errorf("%s: %s", query, got)
		}
	}
	list, err := again.List(context.Background(), quarry.ListRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range list {
		excerpts, err := again.Read(context.Background(), []string{"#" + n.DocID}, 0)
		if err != nil {
			t.Errorf("%s: %v", n.FilePath, err)
		}
		if text := fmt.Sprint(excerpts); strings.Contains(text, secret[10:30]) {
			t.Errorf("%s: %s", n.FilePath, text)
		}
	}
}

func TestConfigIsChecked(t *testing.T) {
	for _, config := range []quarry.Config{{}, {VaultDir: "x"}, {DatabasePath: "y"}, {VaultDir: "x", DatabasePath: "y", Workers: -1}} {
		if _, err := quarry.Open(context.Background(), config); err == nil {
			t.Errorf("%+v was taken", config)
		}
	}
	if _, err := quarry.Open(context.Background(), quarry.Config{VaultDir: filepath.Join(t.TempDir(), "no"), DatabasePath: "y"}); err == nil {
		t.Error("a vault that is not there was opened")
	}
}

const benchmarkNotes = 1000

func BenchmarkFullIndex(b *testing.B) {
	engine := open(b, vaultOf(b, manyNotes(benchmarkNotes)), filepath.Join(b.TempDir(), "index.db"))
	for b.Loop() {
		mustIndex(b, engine, quarry.IndexOptions{Full: true})
	}
	b.ReportMetric(benchmarkNotes*float64(b.N)/b.Elapsed().Seconds(), "notes/s")
}

func BenchmarkIndexWithoutChanges(b *testing.B) {
	engine := open(b, vaultOf(b, manyNotes(benchmarkNotes)), filepath.Join(b.TempDir(), "index.db"))
	mustIndex(b, engine, quarry.IndexOptions{})
	for b.Loop() {
		mustIndex(b, engine, quarry.IndexOptions{})
	}
}

func BenchmarkIndexOneChanged(b *testing.B) {
	dir := vaultOf(b, manyNotes(benchmarkNotes))
	engine := open(b, dir, filepath.Join(b.TempDir(), "index.db"))
	mustIndex(b, engine, quarry.IndexOptions{})
	for b.Loop() {
		b.StopTimer()
		writeNote(b, dir, "kiln/note 0.md", "# Changed\n\nAt "+time.Now().String()+"\n")
		b.StartTimer()
		mustIndex(b, engine, quarry.IndexOptions{})
	}
}

func BenchmarkSearch(b *testing.B) {
	engine := open(b, vaultOf(b, manyNotes(benchmarkNotes)), filepath.Join(b.TempDir(), "index.db"))
	mustIndex(b, engine, quarry.IndexOptions{})
	for _, mode := range []quarry.Mode{quarry.Hybrid, quarry.Lexical, quarry.Vector} {
		b.Run(string(mode), func(b *testing.B) {
			for b.Loop() {
				if _, err := engine.Search(context.Background(), quarry.SearchRequest{Query: "kiln glaze orchard of 2", Mode: mode}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// An index belongs to one vault: another one neither reads nor overwrites it.
func TestAnIndexOfAnotherVault(t *testing.T) {
	db := filepath.Join(t.TempDir(), "index.db")
	mustIndex(t, open(t, vaultOf(t, map[string]string{"a.md": "All about apples, and private."}), db), quarry.IndexOptions{})
	other := open(t, vaultOf(t, map[string]string{"b.md": "All about bananas, in another vault."}), db)
	if _, err := other.Search(context.Background(), quarry.SearchRequest{Query: "apples"}); !errors.Is(err, quarry.ErrOtherVault) {
		t.Errorf("search: error %v, want ErrOtherVault", err)
	}
	if _, err := other.Index(context.Background(), quarry.IndexOptions{}, nil); !errors.Is(err, quarry.ErrOtherVault) {
		t.Errorf("index: error %v, want ErrOtherVault", err)
	}
	report := mustIndex(t, other, quarry.IndexOptions{Force: true})
	if report.Indexed != 1 || report.Chunks != 1 || report.Reason == "" {
		t.Errorf("forced: %+v", report)
	}
	if got := answer(t, other, "apples bananas"); strings.Contains(got, "a.md") || !strings.Contains(got, "b.md") {
		t.Errorf("answer %s", got)
	}
}

func TestAClosedEngineSaysSo(t *testing.T) {
	dir, db := vaultOf(t, manyNotes(3)), filepath.Join(t.TempDir(), "index.db")
	engine := open(t, dir, db)
	mustIndex(t, engine, quarry.IndexOptions{})
	if err := engine.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Search(context.Background(), quarry.SearchRequest{Query: "kiln"}); !errors.Is(err, quarry.ErrClosed) {
		t.Errorf("error %v, want ErrClosed", err)
	}
	if err := engine.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
}

// What the ignore rules leave out since the last run is not handed out, by whatever door.
func TestIgnoredSinceTheLastRun(t *testing.T) {
	dir, db := vaultOf(t, map[string]string{"private/p.md": "A private kiln.", "open.md": "An open kiln."}), filepath.Join(t.TempDir(), "index.db")
	engine := open(t, dir, db)
	mustIndex(t, engine, quarry.IndexOptions{})
	list, err := engine.List(context.Background(), quarry.ListRequest{})
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	writeNote(t, dir, ".indexignore", "private/\n")
	later := open(t, dir, db)
	if got := answer(t, later, "kiln"); strings.Contains(got, "private") || !strings.Contains(got, "open.md") {
		t.Errorf("search gives %s", got)
	}
	for _, n := range list {
		_, err := later.Read(context.Background(), []string{"#" + n.DocID}, 0)
		if (err == nil) != (n.FilePath == "open.md") {
			t.Errorf("%s by its short id: error %v", n.FilePath, err)
		}
	}
	if _, err := later.Read(context.Background(), []string{"private/p.md"}, 0); !errors.Is(err, quarry.ErrNotFound) {
		t.Errorf("by its path: error %v", err)
	}
}

// A file that cannot be read, with a secret in its path, is reported without the secret.
func TestNoSecretInAReason(t *testing.T) {
	secret := "ghp_" + "E6QrXhj2c2J3g1Kkd3z4b5N7m8P9q00ZHtxA"
	dir := vaultOf(t, map[string]string{"a.md": "A note."})
	if err := os.Symlink("a.md", filepath.Join(dir, secret+".md")); err != nil {
		t.Skip("no links here:", err)
	}
	huge, err := os.Create(filepath.Join(dir, "huge "+secret+".md"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(huge.Truncate(64<<20), huge.Close()); err != nil {
		t.Fatal(err)
	}
	engine := open(t, dir, filepath.Join(t.TempDir(), "index.db"))
	report := mustIndex(t, engine, quarry.IndexOptions{})
	if len(report.Problems) != 2 {
		t.Errorf("problems: %+v", report.Problems)
	}
	if text := fmt.Sprintf("%+v", report.Problems); strings.Contains(text, secret) {
		t.Error(text)
	}
	got, err := engine.Search(context.Background(), quarry.SearchRequest{Query: "where is " + secret, Limit: math.MaxInt})
	if err != nil || strings.Contains(fmt.Sprintf("%+v", got), secret) {
		t.Errorf("%+v, %v", got, err)
	}
}
