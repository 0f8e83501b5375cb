package quarry_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"quarry"
)

var captureTime = time.Date(2026, 3, 5, 9, 12, 0, 0, time.UTC)

func captureEngine(t testing.TB, change func(*quarry.Config)) *quarry.Engine {
	t.Helper()
	home := t.TempDir()
	config := quarry.Config{VaultDir: filepath.Join(home, "vault"), DatabasePath: filepath.Join(home, "index.db"), Now: func() time.Time { return captureTime }}
	writeNote(t, config.VaultDir, "Kiln.md", "# Kiln\n\nThe kiln is fired to cone ten, slowly.\n")
	if change != nil {
		change(&config)
	}
	return openConfig(t, config)
}

func mustCapture(t testing.TB, e *quarry.Engine, request quarry.CaptureRequest) quarry.Captured {
	t.Helper()
	captured, err := e.Capture(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	return captured
}

func contentOf(t testing.TB, e *quarry.Engine, path string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(e.VaultDir(), filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestCapture(t *testing.T) {
	e := captureEngine(t, nil)
	mustIndex(t, e, quarry.IndexOptions{})
	request := quarry.CaptureRequest{Text: "Celadon needs a **reducing** atmosphere.\n\nBetween cone 8 and 10.", Tags: []string{"#glaze", "two words", "glaze"}, Domain: "pottery", Source: "claude-code", Deduplicate: true}
	got := mustCapture(t, e, request)
	if got.FilePath != "00-inbox/2026-03-05-0912-celadon-needs-a-reducing-atmosphere.md" || got.Title != "Celadon needs a reducing atmosphere." || !got.Indexed || got.Existing || len(got.Redactions) > 0 || len(got.Notices) > 0 {
		t.Errorf("%+v", got)
	}
	want := "---\ntitle: \"Celadon needs a reducing atmosphere.\"\ntype: note\ndomain: pottery\ntags:\n  - glaze\n  - two-words\ncreated: 2026-03-05T09:12:00\nsource: claude-code\nstatus: draft\n---\n" + request.Text + "\n"
	if content := contentOf(t, e, got.FilePath); content != want {
		t.Errorf("%s", content)
	}
	answer, err := e.Search(t.Context(), quarry.SearchRequest{Query: "reducing atmosphere", Filter: quarry.Filter{Tags: []string{"two-words"}, Domains: []string{"pottery"}}})
	if err != nil || len(answer.Results) != 1 || answer.Results[0].FilePath != got.FilePath || answer.Results[0].Source != "claude-code" {
		t.Errorf("%+v, %v", answer, err)
	}
	again := mustCapture(t, e, request)
	if !again.Existing || !again.Indexed || again.FilePath != got.FilePath {
		t.Errorf("%+v", again)
	}
	request.Deduplicate = false
	if second := mustCapture(t, e, request); second.FilePath != strings.TrimSuffix(got.FilePath, ".md")+"-2.md" || contentOf(t, e, got.FilePath) != want {
		t.Errorf("%+v", second)
	}
}

// A note that somebody moved properties into, or wrote with other ends of lines, is the same as long as its text is.
func TestCaptureFindsItsLike(t *testing.T) {
	e := captureEngine(t, nil)
	for name, text := range map[string]string{
		"00-inbox/crlf.md": "---\r\nsource: x\r\n---\r\n\r\nOne line.\r\nAnother.\r\n", "00-inbox/bare.md": "No properties.\n", "00-inbox/edited.md": "---\ntitle: a\n---\nOne line and more.\n",
		"00-inbox/below/deep.md": "Deep text.\n", "elsewhere.md": "Text of elsewhere.\n",
	} {
		writeNote(t, e.VaultDir(), name, text)
	}
	for text, want := range map[string]string{
		"One line.\nAnother.": "00-inbox/crlf.md", "\n\nNo properties.  \n": "00-inbox/bare.md", "One line and mor": "", "Deep text.": "", "Text of elsewhere.": "", "one line.\nAnother.": "",
	} {
		got := mustCapture(t, e, quarry.CaptureRequest{Text: text, Deduplicate: true})
		if got.Existing != (want != "") || got.Existing && got.FilePath != want {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// The properties of a note may be longer than its text.
func TestCaptureFindsItsLikeBehindALongHead(t *testing.T) {
	e := captureEngine(t, nil)
	mustIndex(t, e, quarry.IndexOptions{})
	request := quarry.CaptureRequest{Text: "One line.", Title: strings.Repeat("title ", 30), Deduplicate: true}
	for i := range 50 {
		request.Tags = append(request.Tags, fmt.Sprintf("%02d", i)+strings.Repeat("ä", 98))
	}
	first := mustCapture(t, e, request)
	if second := mustCapture(t, e, request); !first.Indexed || first.Existing || !second.Existing || second.FilePath != first.FilePath {
		t.Errorf("%+v\n%+v", first, second)
	}
}

// Where the index has a name that is another one on disk, as that holds a secret, a capture still does not look at the whole vault.
func TestCaptureBesideARedactedName(t *testing.T) {
	e := captureEngine(t, nil)
	token := "gh" + "p_" + strings.Repeat("aB3dE6fG9h", 4)[:36]
	writeNote(t, e.VaultDir(), "00-inbox/"+token+".md", "A note of such a name.\n")
	mustIndex(t, e, quarry.IndexOptions{})
	writeNote(t, e.VaultDir(), "elsewhere.md", "It is new.\n")
	writeNote(t, e.VaultDir(), "00-inbox/beside.md", "So is this.\n")
	got := mustCapture(t, e, quarry.CaptureRequest{Text: "a thought"})
	list, err := e.List(t.Context(), quarry.ListRequest{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, n := range list {
		found[n.FilePath] = true
	}
	if !got.Indexed || !found[got.FilePath] || !found["00-inbox/beside.md"] || found["elsewhere.md"] {
		t.Errorf("%+v, %v", got, found)
	}
}

// A note that a rule leaves out is written, and is not said to be found.
func TestCaptureOfWhatIsLeftOut(t *testing.T) {
	e := captureEngine(t, func(c *quarry.Config) {
		c.Sensitivity = []quarry.SensitivityConfig{{Property: "domain", Names: map[string]string{"closed": "secret"}}}
	})
	mustIndex(t, e, quarry.IndexOptions{})
	got := mustCapture(t, e, quarry.CaptureRequest{Text: "a thought", Domain: "closed"})
	if got.Indexed || len(got.Notices) != 1 || !strings.Contains(got.Notices[0], "does not take it in") {
		t.Errorf("%+v", got)
	}
}

func TestCaptureFiltersSecrets(t *testing.T) {
	e := captureEngine(t, nil)
	mustIndex(t, e, quarry.IndexOptions{})
	token := "gh" + "p_" + strings.Repeat("aB3dE6fG9h", 4)[:36]
	got := mustCapture(t, e, quarry.CaptureRequest{
		Text: "The key is " + token + " for now.\nParted: " + token[:20] + "\x00\x1b[0m" + token[20:], Title: "Key " + token, Domain: token, Tags: []string{"a", token}, Source: "from " + token, Type: token,
	})
	total := 0
	for _, one := range got.Redactions {
		total += one.Count
	}
	if total < 6 || !got.Indexed {
		t.Errorf("%+v", got)
	}
	short := mustCapture(t, e, quarry.CaptureRequest{Text: token})
	err := filepath.WalkDir(filepath.Dir(e.VaultDir()), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if strings.Contains(string(content)+path, token) || strings.Contains(strings.ToLower(path), strings.ToLower(token[4:])) {
			t.Errorf("%s holds the token", path)
		}
		return err
	})
	if err != nil || strings.Contains(fmt.Sprint(got, short), token) {
		t.Errorf("%v, %+v, %+v", err, got, short)
	}
	for _, request := range []quarry.CaptureRequest{{Text: "a", Tags: []string{"!!"}}, {Text: " \n\x00"}} {
		if _, err := e.Capture(t.Context(), request); err == nil {
			t.Errorf("%+v is taken", request)
		}
	}
}

func TestCaptureRefuses(t *testing.T) {
	for what, test := range map[string]struct {
		request quarry.CaptureRequest
		change  func(*quarry.Config)
		want    error
	}{
		"empty":              {quarry.CaptureRequest{Text: " \n\t\x00"}, nil, quarry.ErrEmptyCapture},
		"long":               {quarry.CaptureRequest{Text: strings.Repeat("a", quarry.MaxCaptureBytes+1)}, nil, quarry.ErrLongCapture},
		"long in its form":   {quarry.CaptureRequest{Text: strings.Repeat("<%", quarry.MaxCaptureBytes/2)}, nil, quarry.ErrLongCapture},
		"no file is so long": {quarry.CaptureRequest{Text: strings.Repeat("a", 11_900)}, func(c *quarry.Config) { c.MaxFileBytes = 12_000 }, quarry.ErrLongCapture},
		"tag":                {quarry.CaptureRequest{Text: "a", Tags: []string{"2026"}}, nil, quarry.ErrCaptureTag},
		"outside":            {quarry.CaptureRequest{Text: "a"}, func(c *quarry.Config) { c.CaptureFolder = "../x" }, quarry.ErrCaptureFolder},
		"absolute":           {quarry.CaptureRequest{Text: "a"}, func(c *quarry.Config) { c.CaptureFolder = "/x" }, quarry.ErrCaptureFolder},
		"drive":              {quarry.CaptureRequest{Text: "a"}, func(c *quarry.Config) { c.CaptureFolder = "C:/x" }, quarry.ErrCaptureFolder},
		"dot":                {quarry.CaptureRequest{Text: "a"}, func(c *quarry.Config) { c.CaptureFolder = "a/.obsidian" }, quarry.ErrCaptureFolder},
		"ignored":            {quarry.CaptureRequest{Text: "a"}, func(c *quarry.Config) { c.Ignore = []string{"00-inbox/"} }, quarry.ErrCaptureFolder},
		"not taken in":       {quarry.CaptureRequest{Text: "a"}, func(c *quarry.Config) { c.Folders = []string{"notes"} }, quarry.ErrCaptureFolder},
		"templates":          {quarry.CaptureRequest{Text: "a"}, func(c *quarry.Config) { c.CaptureFolder = "templates" }, quarry.ErrCaptureFolder},
		"secret folder": {quarry.CaptureRequest{Text: "a"}, func(c *quarry.Config) {
			c.Sensitivity = []quarry.SensitivityConfig{{Folders: map[string]string{"00-inbox": "secret"}}}
		}, quarry.ErrCaptureFolder},
	} {
		t.Run(what, func(t *testing.T) {
			e := captureEngine(t, test.change)
			if got, err := e.Capture(t.Context(), test.request); !errors.Is(err, test.want) {
				t.Errorf("%+v, %v", got, err)
			}
			entries, err := os.ReadDir(e.VaultDir())
			if err != nil || len(entries) != 1 {
				t.Errorf("the vault has %v, %v", entries, err)
			}
		})
	}
}

func TestCaptureWithoutIndex(t *testing.T) {
	e := captureEngine(t, func(c *quarry.Config) { c.CaptureFolder = "In box/new/" })
	got := mustCapture(t, e, quarry.CaptureRequest{Text: "a thought"})
	if got.Indexed || len(got.Notices) != 1 || got.FilePath != "In box/new/2026-03-05-0912-a-thought.md" {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(e.DatabasePath()); err == nil {
		t.Error("an index was made")
	}
}

// Where another process writes the index the note is written all the same, and nobody waits for long.
func TestCaptureBesideAWriter(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for a lock")
	}
	e := captureEngine(t, nil)
	mustIndex(t, e, quarry.IndexOptions{})
	writer := flock.New(e.DatabasePath() + ".lock")
	if ok, err := writer.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	started := time.Now()
	got := mustCapture(t, e, quarry.CaptureRequest{Text: "a thought"})
	if took := time.Since(started); got.Indexed || len(got.Notices) != 1 || took > 5*time.Second {
		t.Errorf("%+v after %v", got, took)
	}
	if err := writer.Unlock(); err != nil {
		t.Fatal(err)
	}
	if got := mustCapture(t, e, quarry.CaptureRequest{Text: "another thought"}); !got.Indexed {
		t.Errorf("%+v", got)
	}
}

// Many at once each get a file of their own, and all are found in the end.
func TestCaptureSideBySide(t *testing.T) {
	const many = 24
	first := captureEngine(t, nil)
	mustIndex(t, first, quarry.IndexOptions{})
	var all sync.WaitGroup
	paths := make([]string, many)
	for i := range many {
		e := openConfig(t, quarry.Config{VaultDir: first.VaultDir(), DatabasePath: first.DatabasePath(), NoModel: false, Now: func() time.Time { return captureTime }})
		all.Go(func() {
			got, err := e.Capture(t.Context(), quarry.CaptureRequest{Text: fmt.Sprintf("thought number %d", i), Title: "The same title"})
			if err != nil {
				t.Error(err)
			}
			paths[i] = got.FilePath
		})
	}
	all.Wait()
	seen := map[string]bool{}
	for i, path := range paths {
		if seen[path] || !strings.HasSuffix(contentOf(t, first, path), fmt.Sprintf("\nthought number %d\n", i)) {
			t.Errorf("%s: %s", path, contentOf(t, first, path))
		}
		seen[path] = true
	}
	mustIndex(t, first, quarry.IndexOptions{})
	list, err := first.List(t.Context(), quarry.ListRequest{Filter: quarry.Filter{Folders: []string{"00-inbox"}}})
	if err != nil || len(list) != many {
		t.Errorf("%d notes, %v", len(list), err)
	}
}

// Of one text that many capture at once one note comes to be, and the others are told of it.
func TestCaptureOfOneTextSideBySide(t *testing.T) {
	const many = 12
	first := captureEngine(t, nil)
	var all sync.WaitGroup
	captured := make([]quarry.Captured, many)
	for i := range many {
		e := openConfig(t, quarry.Config{VaultDir: first.VaultDir(), DatabasePath: first.DatabasePath(), NoModel: true, Now: func() time.Time { return captureTime }})
		all.Go(func() {
			var err error
			if captured[i], err = e.Capture(t.Context(), quarry.CaptureRequest{Text: "the same thought", Deduplicate: true}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	written := 0
	for _, one := range captured {
		if !one.Existing {
			written++
		}
		if one.FilePath != captured[0].FilePath {
			t.Errorf("%s beside %s", one.FilePath, captured[0].FilePath)
		}
	}
	if entries, err := os.ReadDir(filepath.Join(first.VaultDir(), "00-inbox")); written != 1 || len(entries) != 1 || err != nil {
		t.Errorf("%d written, %v, %v", written, entries, err)
	}
}

// A folder that is a file or a link takes no note, and the error says so.
func TestCaptureFolderThatIsNone(t *testing.T) {
	for what, make := range map[string]func(path string) error{
		"file": func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"link": func(path string) error { return os.Symlink(t.TempDir(), path) },
	} {
		t.Run(what, func(t *testing.T) {
			e := captureEngine(t, nil)
			if err := make(filepath.Join(e.VaultDir(), "00-inbox")); err != nil {
				t.Skip(err)
			}
			for _, deduplicate := range []bool{false, true} {
				_, err := e.Capture(t.Context(), quarry.CaptureRequest{Text: "a thought", Deduplicate: deduplicate})
				if !errors.Is(err, quarry.ErrCaptureFolder) || !strings.Contains(err.Error(), `"00-inbox", or a part of it, is a file or a link`) {
					t.Errorf("%v", err)
				}
			}
		})
	}
}

// A client may capture into a folder that it cannot read, and is not told.
func TestCaptureOfAClient(t *testing.T) {
	rules := []quarry.SensitivityConfig{{Folders: map[string]string{"00-inbox": "private"}}}
	e := captureEngine(t, func(c *quarry.Config) { c.Sensitivity = rules })
	mustIndex(t, e, quarry.IndexOptions{})
	client := openConfig(t, quarry.Config{VaultDir: e.VaultDir(), DatabasePath: e.DatabasePath(), Sensitivity: rules, Audience: quarry.Client, Now: func() time.Time { return captureTime }})
	request := quarry.CaptureRequest{Text: "a thought of a model", Deduplicate: true}
	got := mustCapture(t, client, request)
	if !got.Indexed || got.Existing || len(got.Notices) > 0 {
		t.Errorf("%+v", got)
	}
	if again := mustCapture(t, client, request); again.Existing {
		t.Errorf("a client is told that a note which it cannot read is there: %+v", again)
	}
	if answer, err := client.Search(t.Context(), quarry.SearchRequest{Query: "thought of a model", All: true}); err != nil || len(answer.Results) != 1 || answer.Results[0].FilePath != "Kiln.md" {
		t.Errorf("%+v, %v", answer, err)
	}
	if owned := mustCapture(t, e, request); !owned.Existing {
		t.Errorf("%+v", owned)
	}
}
