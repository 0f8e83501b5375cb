package source_test

import (
	"testing"

	"quarry/intake"
	"quarry/internal/draft"
)

type mark struct {
	Folder, Title, Address, Added string
	Tags                          []string
}

func marksOf(signals []intake.Signal) []mark {
	var marks []mark
	for _, s := range signals {
		one := mark{Title: s.Title, Address: s.Address, Added: s.Created.Format("2006-01-02T15:04:05Z"), Tags: s.Tags}
		for _, p := range s.Properties {
			if p.Name == "folder" {
				one.Folder = p.Value.(string)
			}
		}
		marks = append(marks, one)
	}
	return marks
}

func TestBookmarks(t *testing.T) {
	for file, want := range map[string][]mark{
		"chrome.html": {
			{"Bookmarks bar", "Fuzzing Go, quick & dirty", "https://tools.example.org/fuzz?lang=go&mode=quick", "2026-03-03T09:30:00Z", nil},
			{"Bookmarks bar/Infra", "Runbook template", "https://ops.example.org/runbook", "2026-01-02T00:00:00Z", nil},
			{"Bookmarks bar/Infra/Deep ∕ nested", "https://ops.example.org/tls#renew", "https://ops.example.org/tls#renew", "2026-01-03T00:00:00Z", nil},
			{"", "Fuzzing Go (copy)", "https://tools.example.org/fuzz?mode=quick&lang=go", "2026-03-03T09:31:40Z", nil},
		},
		"firefox.html": {
			{"Lesen 📚", "Über B-Bäume", "https://lesen.example.org/%C3%BCber-b%C3%A4ume?q=%22A%20B%22", "2026-03-03T09:30:00Z", []string{"b-tree", "Datenbank", "zu lesen"}},
			{"Lesen 📚", "mmap: wann <nicht>", "https://lesen.example.org/mmap", "2026-01-01T00:01:40Z", []string{"mmap"}},
		},
		"Bookmarks": {
			{"Bookmarks bar", "SQLite in the browser", "https://db.example.org/wasm", "2026-03-03T09:30:00Z", nil},
			{"Bookmarks bar/週末", "茶と時計", "https://tea.example.org/%E8%8C%B6", "2026-03-03T10:30:00Z", nil},
			{"Bookmarks bar/週末", "Empty name next", "https://tea.example.org/2", "2026-03-03T10:31:40Z", nil},
			{"Bookmarks bar/週末", "https://tea.example.org/3", "https://tea.example.org/3", "2026-03-03T10:31:41Z", nil},
			{"Other bookmarks", "Signed commits, explained", "https://git.example.org/signing", "2026-01-02T00:00:00Z", nil},
		},
	} {
		t.Run(file, func(t *testing.T) { same(t, want, marksOf(read(t, "bookmarks/in/"+file).Signals)) })
	}
}

func TestBookmarksLeftOut(t *testing.T) {
	for file, want := range map[string]map[string]int{
		"chrome.html":  {"javascript: address": 1, "chrome: address": 1, "file: address": 1},
		"firefox.html": {"place: address": 1, "about: address": 1, "the same address twice in this file": 1},
		"Bookmarks":    {"javascript: address": 1},
	} {
		t.Run(file, func(t *testing.T) { same(t, want, leftOut(read(t, "bookmarks/in/"+file))) })
	}
}

func TestBookmarkDescription(t *testing.T) {
	signals := read(t, "bookmarks/in/firefox.html").Signals
	same(t, "Gut erklärt: Seiten, Teilen & Mischen.\nZweite Zeile der Beschreibung.", signals[0].Body)
	same(t, "", signals[1].Body)
	tag, ok := draft.Tag(signals[0].Tags[2])
	same(t, "zu-lesen", tag)
	same(t, true, ok)
	for _, file := range []string{"chrome.html", "firefox.html", "Bookmarks"} {
		batch := read(t, "bookmarks/in/"+file)
		holds(t, bodies(batch), nil, []string{"data:", "favicon", "Was noch zu lesen", "SHORTCUT", "bt\n", "Leer"})
	}
}
