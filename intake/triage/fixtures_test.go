package triage_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/intake"
	"quarry/intake/triage"
	"quarry/note"
)

// keepAll keeps everything.
type keepAll struct{}

func (keepAll) Score(intake.Signal) intake.Score {
	return intake.Score{Composite: .6, Decision: intake.Route, Domain: "other"}
}

// fixtureNotes are the notes of all feeds, bookmarks and mails of the fixtures, by title.
func fixtureNotes(t *testing.T, h *home) (map[string]*note.Note, triage.Report) {
	t.Helper()
	h.options.Scorer = keepAll{}
	var inputs []triage.Input
	for _, folder := range []string{"feeds", "bookmarks", "mail"} {
		inputs = append(inputs, triage.Input{Path: filepath.Join("..", "..", "fixtures", "intake", folder, "in")})
	}
	report := h.add(h.open(), inputs...)
	before := h.notes()
	again := h.add(h.open(), inputs...)
	if again.Added != 0 || again.Routed != 0 {
		t.Errorf("again: %+v", again)
	}
	if diff := cmp.Diff(before, h.notes()); diff != "" {
		t.Error(diff)
	}
	byTitle := map[string]*note.Note{}
	for name, text := range before {
		if strings.HasSuffix(name, ".md") {
			read := note.Reader{}.Read(name, []byte(text))
			byTitle[read.Title] = read
		}
	}
	return byTitle, report
}

// The fixtures become notes with all that each has to have, and without what no note may have.
func TestFixtures(t *testing.T) {
	h := newHome(t)
	notes, report := fixtureNotes(t, h)
	if report.Added != 30 || report.Routed != 30 || len(h.notes()) != 30 || report.Failed != 1 {
		t.Errorf("%d added, %d routed, %d notes, %d failed", report.Added, report.Routed, len(h.notes()), report.Failed)
	}
	for title, want := range map[string]map[string]any{
		"When the write-ahead log never shrinks":               {"source": "https://slowtide.example.org/wal-never-shrinks", "created": "2026-03-03T07:30:00Z", "author": "Ilse Moorhen", "channel": "feed"},
		"Schlüssel drehen, ohne auszusperren":                  {"created": "2026-02-19T09:05:00Z", "updated": "2026-02-20T17:00:00Z", "author": "Käthe Brandt-Öz"},
		"Déjà vu : un certificat expiré":                       {"source": "https://archives.example.org/8", "created": "2026-01-15T07:00:00Z"},
		"Subgrid, at last":                                     {"updated": "2026-03-05T00:00:00Z", "author": "Pim Lark"},
		"mmap: wann <nicht>":                                   {"source": "https://lesen.example.org/mmap", "created": "2026-01-01T00:01:40Z", "folder": "Lesen 📚", "channel": "bookmark"},
		"Runbook template":                                     {"folder": "Bookmarks bar/Infra"},
		"Prüfsummen für 3 €":                                   {"created": "2026-03-05T09:15:00Z", "channel": "mail"},
		"Kiln & Quay Weekly: langsame Deploys 🐢 und was hilft": {"created": "2026-03-06T06:00:00Z"},
		"Sans date": {"created": "2026-03-10T08:00:00Z"}, // the time of the run
	} {
		read := notes[title]
		if read == nil {
			t.Errorf("no note %q", title)
			continue
		}
		for name, value := range want {
			if got := read.Frontmatter[name]; got != value {
				t.Errorf("%s: %s is %v, want %v", title, name, got, value)
			}
		}
	}
	never := regexp.MustCompile(`steal\(\)|color:red|onclick|javascript:|Subscribe now!|data:image|p\.gif|o\.gif|<iframe|utm_|u=77|Return-Path|unsubscribe`)
	for name, text := range h.notes() {
		if found := never.FindString(text); found != "" {
			t.Errorf("%s holds %q", name, found)
		}
		read := note.Reader{}.Read(name, []byte(text))
		for _, property := range []string{"title", "type", "created", "domain", "signal_id", "score"} {
			if read.Frontmatter[property] == nil {
				t.Errorf("%s has no %s", name, property)
			}
		}
		if len(read.FrontmatterErrors) > 0 || strings.Contains(text, "\r") {
			t.Errorf("%s: %v", name, read.FrontmatterErrors)
		}
	}
}

// What comes with a mail is kept where that is asked for, once.
func TestAttachments(t *testing.T) {
	h := newHome(t)
	h.options.Attachments = true
	notes, _ := fixtureNotes(t, h)
	if notes["Night Watch #5: rotating keys without a night shift"] == nil {
		t.Fatal("no note of the mail")
	}
	files, err := fs.Glob(os.DirFS(h.vault), "08-attachments/*")
	if err != nil || len(files) != 2 {
		t.Errorf("%v, %v", files, err)
	}
	for name, text := range h.notes() {
		if !strings.Contains(name, "night-watch-5") {
			continue
		}
		for _, file := range files {
			if strings.Count(text, "[["+filepath.Base(file)+"]]") != 1 {
				t.Errorf("%s does not link to %s once:\n%s", name, file, text)
			}
		}
		if strings.Count(text, "[[") != len(files) {
			t.Errorf("%s has links to no file:\n%s", name, text)
		}
	}
}
