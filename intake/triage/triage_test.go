package triage_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/intake"
	"quarry/intake/ledger"
	"quarry/intake/triage"
	"quarry/note"
)

var now = time.Date(2026, 3, 10, 8, 0, 0, 0, time.UTC)

// byWord scores by one word of a title: keep, drop, or neither.
type byWord struct{}

func (byWord) Score(signal intake.Signal) intake.Score {
	score := intake.Score{Composite: .47, Decision: intake.Review, Domain: "web", DomainReasons: []string{}, Keywords: []string{"glaze"}}
	switch {
	case strings.Contains(signal.Title, "keep"):
		score.Composite, score.Decision, score.Domain = .8, intake.Route, "security"
	case strings.Contains(signal.Title, "drop"):
		score.Composite, score.Decision = .1, intake.Drop
	}
	return score
}

// home is a vault with its ledger.
type home struct {
	t       *testing.T
	vault   string
	options triage.Options
}

func newHome(t *testing.T) *home {
	t.Helper()
	dir := t.TempDir()
	h := &home{t: t, vault: filepath.Join(dir, "vault")}
	if err := os.Mkdir(h.vault, 0o755); err != nil {
		t.Fatal(err)
	}
	h.options = triage.Options{VaultDir: h.vault, LedgerPath: filepath.Join(dir, "data", "intake.db"), Now: func() time.Time { return now }, Scorer: byWord{}}
	return h
}

func (h *home) open() *triage.Triage {
	h.t.Helper()
	opened, err := triage.Open(h.t.Context(), h.options)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = opened.Close() })
	return opened
}

// notes are the files of the vault by path.
func (h *home) notes() map[string]string {
	h.t.Helper()
	notes := map[string]string{}
	err := filepath.WalkDir(h.vault, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(h.vault, path)
		notes[filepath.ToSlash(name)] = string(content)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return notes
}

func names(notes map[string]string) []string {
	list := []string{}
	for name := range notes {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// feed is an RSS file of items with these titles.
func feed(titles ...string) triage.Input {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><rss version="2.0"><channel><title>Kiln news</title><link>https://kiln.example.org/</link>`)
	for _, title := range titles {
		fmt.Fprintf(&b, `<item><guid>g-%[1]s</guid><title>%[1]s</title><link>https://kiln.example.org/%[2]s</link><pubDate>Tue, 03 Mar 2026 07:30:00 GMT</pubDate><description>About %[1]s.</description></item>`, title, strings.ReplaceAll(title, " ", "-"))
	}
	b.WriteString(`</channel></rss>`)
	return triage.Input{Name: "feed.xml", Content: []byte(b.String())}
}

func (h *home) add(opened *triage.Triage, inputs ...triage.Input) triage.Report {
	h.t.Helper()
	report, err := opened.Add(h.t.Context(), inputs, triage.AddOptions{})
	if err != nil {
		h.t.Fatal(err)
	}
	return report
}

func (h *home) states(opened *triage.Triage) string {
	h.t.Helper()
	entries, err := opened.Ledger().Entries(h.t.Context(), ledger.Query{})
	if err != nil {
		h.t.Fatal(err)
	}
	list := []string{}
	for _, one := range entries {
		list = append(list, fmt.Sprintf("%d %s %s %s", one.ID, one.State, one.Domain, one.Path))
	}
	return strings.Join(list, "\n")
}

func TestAddRoutesOnce(t *testing.T) {
	h := newHome(t)
	opened := h.open()
	report := h.add(opened, feed("keep one", "perhaps two", "drop three"))
	if report.Added != 3 || report.Routed != 1 || report.Queued != 1 || report.Dropped != 1 || len(report.Problems) > 0 {
		t.Errorf("first run: %+v", report)
	}
	want := "1 routed security 05-signals/security/2026-03-03-keep-one.md\n2 queued web \n3 dropped web "
	if diff := cmp.Diff(want, h.states(opened)); diff != "" {
		t.Error(diff)
	}
	before := h.notes()
	again := h.add(opened, feed("keep one", "perhaps two", "drop three"))
	if again.Known != 3 || again.Added+again.Routed+again.Queued+again.Dropped != 0 {
		t.Errorf("second run: %+v", again)
	}
	if diff := cmp.Diff(before, h.notes()); diff != "" {
		t.Error(diff)
	}
	text := before["05-signals/security/2026-03-03-keep-one.md"]
	read := note.Reader{}.Read("a.md", []byte(text))
	for name, want := range map[string]any{"title": "keep one", "type": "signal", "domain": "security", "source": "https://kiln.example.org/keep-one", "created": "2026-03-03T07:30:00Z", "status": "active", "score": .8, "channel": "feed", "from": "Kiln news"} {
		if got := read.Frontmatter[name]; got != want {
			t.Errorf("property %s: %v, want %v", name, got, want)
		}
	}
	if !strings.Contains(text, "About keep one.") {
		t.Errorf("note:\n%s", text)
	}
}

func TestDecisions(t *testing.T) {
	h := newHome(t)
	opened := h.open()
	ctx := t.Context()
	h.add(opened, feed("keep one", "perhaps two", "drop three"))
	if _, err := opened.Accept(ctx, []int64{2, 3}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := opened.Move(ctx, []int64{3}, "data"); err != nil {
		t.Fatal(err)
	}
	if _, err := opened.Drop(ctx, []int64{1}); err != nil {
		t.Fatal(err)
	}
	want := []string{"05-signals/data/2026-03-03-drop-three.md", "05-signals/web/2026-03-03-perhaps-two.md"}
	if diff := cmp.Diff(want, names(h.notes())); diff != "" {
		t.Error(diff)
	}
	learnt, err := opened.Ledger().Learnt(ctx)
	if err != nil || learnt.Keywords["glaze"] != (intake.Tally{Accepted: 3, Dropped: 1}) {
		t.Errorf("learnt %+v, %v", learnt, err)
	}
	for range 4 { // back to the start: the routed one waits in the queue no more, as it was a note before the user dropped it
		if _, err := opened.Undo(ctx, 0); err != nil {
			t.Fatal(err)
		}
	}
	wantStates := "1 routed security 05-signals/security/2026-03-03-keep-one.md\n2 queued web \n3 dropped web "
	if diff := cmp.Diff(wantStates, h.states(opened)); diff != "" {
		t.Error(diff)
	}
	if learnt, err = opened.Ledger().Learnt(ctx); err != nil || !learnt.IsEmpty() {
		t.Errorf("learnt %+v, %v", learnt, err)
	}
	if _, err := opened.Undo(ctx, 0); !errors.Is(err, triage.ErrNothing) {
		t.Errorf("a fifth undo: %v", err)
	}
	if _, err := opened.Undo(ctx, 1); err != nil { // the route by the rules
		t.Fatal(err)
	}
	if got := names(h.notes()); len(got) != 0 {
		t.Errorf("notes left: %v", got)
	}
	if report, err := opened.Route(ctx, triage.AddOptions{}); err != nil || report.Routed != 0 {
		t.Errorf("routed again: %+v, %v", report, err)
	}
	if _, err := opened.Move(ctx, []int64{1}, "no-such"); !errors.Is(err, triage.ErrDomain) {
		t.Errorf("a move to no domain: %v", err)
	}
	if _, err := opened.Accept(ctx, []int64{99}, ""); !errors.Is(err, ledger.ErrUnknown) {
		t.Errorf("accept of no signal: %v", err)
	}
}

// A note that was changed is never removed nor moved.
func TestChangedNoteStays(t *testing.T) {
	h := newHome(t)
	opened := h.open()
	h.add(opened, feed("keep one"))
	const path = "05-signals/security/2026-03-03-keep-one.md"
	file := filepath.Join(h.vault, filepath.FromSlash(path))
	if err := os.WriteFile(file, []byte(h.notes()[path]+"my own thought\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := h.notes()
	for _, do := range []func() (string, error){
		func() (string, error) {
			done, err := opened.Move(t.Context(), []int64{1}, "data")
			return done[0].Detail, err
		},
		func() (string, error) {
			done, err := opened.Undo(t.Context(), 1)
			return done.Detail, err
		},
		func() (string, error) {
			done, err := opened.Drop(t.Context(), []int64{1})
			return done[0].Detail, err
		},
	} {
		detail, err := do()
		if err != nil || !strings.Contains(detail, "changed") {
			t.Errorf("%q, %v", detail, err)
		}
		if diff := cmp.Diff(want, h.notes()); diff != "" {
			t.Error(diff)
		}
	}
	if _, err := opened.Accept(t.Context(), []int64{1}, ""); err != nil {
		t.Fatal(err)
	}
	if got := names(h.notes()); len(got) != 1 {
		t.Errorf("a second note of one signal: %v", got)
	}
}

var errKilled = errors.New("killed")

// What is written before a kill is known after it: nothing is lost, and nothing written twice.
func TestKillBetweenNoteAndLedger(t *testing.T) {
	h := newHome(t)
	var titles []string
	for i := range 700 {
		titles = append(titles, fmt.Sprintf("keep %d", i))
	}
	kills := 0
	h.options.Before = func() error {
		if kills++; kills <= 2 {
			return errKilled
		}
		return nil
	}
	for range 2 {
		if _, err := h.open().Add(t.Context(), []triage.Input{feed(titles...)}, triage.AddOptions{}); !errors.Is(err, errKilled) {
			t.Fatalf("not killed: %v", err)
		}
	}
	if got := len(h.notes()); got != 300 {
		t.Errorf("%d notes at the kill", got)
	}
	opened := h.open()
	report := h.add(opened, feed(titles...))
	if report.Routed != 700 || report.Known != 700 || len(h.notes()) != 700 {
		t.Errorf("after the kill: %d routed, %d known, %d notes", report.Routed, report.Known, len(h.notes()))
	}
}

func TestSecretsAreNotKept(t *testing.T) {
	h := newHome(t)
	token := "ghp_" + "FbY8NwcUeb4c0wrUGZECjUYrZUPet91VOUZ4"
	opened := h.open()
	h.add(opened, feed("keep "+token, "perhaps "+token), triage.Input{Name: "out.txt", Content: []byte("drop it\n\nexport TOKEN=" + token + "\n")})
	for name, text := range h.notes() {
		if strings.Contains(name+text, token) || strings.Contains(strings.ToLower(name), strings.ToLower(token[4:20])) {
			t.Errorf("%s:\n%s", name, text)
		}
	}
	if err := opened.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(h.options.LedgerPath + "*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil || strings.Contains(string(content), token) {
			t.Errorf("%s holds the token, %v", filepath.Base(file), err)
		}
		if info, err := os.Stat(file); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
			t.Errorf("%s: %v, %v", file, info.Mode(), err)
		}
	}
	if info, err := os.Stat(filepath.Dir(h.options.LedgerPath)); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o700) {
		t.Errorf("folder of the ledger: %v, %v", info.Mode(), err)
	}
	if h.add(h.open(), feed("keep "+token)).Known != 1 {
		t.Error("a signal with a secret is not known again")
	}
}

// Two that take in the same at once route each signal once.
func TestTwoAtOnce(t *testing.T) {
	h := newHome(t)
	var titles []string
	for i := range 400 {
		titles = append(titles, fmt.Sprintf("keep %d", i))
	}
	done := make(chan error)
	for range 2 {
		opened := h.open()
		go func() {
			_, err := opened.Add(context.WithoutCancel(t.Context()), []triage.Input{feed(titles...)}, triage.AddOptions{})
			done <- err
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := len(h.notes()); got != 400 {
		t.Errorf("%d notes", got)
	}
}

func TestFolders(t *testing.T) {
	h := newHome(t)
	dir := t.TempDir()
	mail := "From: Tide <tide@example.org>\nSubject: keep %s\nDate: Thu, 05 Mar 2026 10:00:00 +0000\nMessage-ID: <%s@example.org>\nContent-Type: text/plain\n\nText of %s.\n"
	for name, content := range map[string]string{
		"box/cur/1.host:2,S": fmt.Sprintf(mail, "a", "a", "a"), "box/new/2.host": fmt.Sprintf(mail, "b", "b", "b"), "box/tmp/3.host": fmt.Sprintf(mail, "c", "c", "c"),
		"other/picture.png": "\x89PNG\r\n\x1a\n\x00\x00", "other/.hidden.txt": "keep hidden", "other/main.go": "package main // keep", "other/readme.md": "# keep\n\nText.", "other/deep/feed.xml": string(feed("keep d").Content),
	} {
		if runtime.GOOS == "windows" {
			name = strings.ReplaceAll(name, ":", ";")
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "box", "tmp"), 0o755); err != nil {
		t.Fatal(err)
	}
	report := h.add(h.open(), triage.Input{Path: dir})
	if report.Added != 3 || report.Others != 1 || report.Files != 3 || len(report.Problems) > 0 || len(report.LeftOut) != 1 || report.LeftOut[0].Count != 2 {
		text, _ := json.MarshalIndent(report, "", " ")
		t.Errorf("%s", text)
	}
	if named := h.add(h.open(), triage.Input{Path: filepath.Join(dir, "other", "readme.md")}); named.Added != 1 || named.Files != 1 {
		t.Errorf("a text that was named: %+v", named)
	}
	for _, path := range []string{h.vault, filepath.Dir(h.vault)} {
		if _, err := h.open().Add(t.Context(), []triage.Input{{Path: path}}, triage.AddOptions{}); !errors.Is(err, triage.ErrVault) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
