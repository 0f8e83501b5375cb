package quarry_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"quarry"
)

var blockNotes = map[string]string{
	"Glaze.md":      "# Glaze\n\nCeladon needs a reducing atmosphere, kept up for an hour at the end of the firing.\n",
	"Kiln.md":       "# Kiln\n\nThe kiln is fired to cone ten, slowly. The damper stays open by a hand.\n",
	"Rope.md":       "# Rope\n\nRopes of the harbour are checked in spring, knot by knot.\n",
	"diary/Rope.md": "# Day\n\nToday the ropes of the harbour were wet, knot by knot.\n",
}

// blocks is a vault with blocks, whose clock the test holds.
type blocks struct {
	*testing.T
	config quarry.Config
	now    time.Time
}

func newBlocks(t *testing.T, change func(*quarry.Config)) *blocks {
	t.Helper()
	home := t.TempDir()
	b := &blocks{T: t, now: captureTime}
	b.config = quarry.Config{
		VaultDir: filepath.Join(home, "vault"), DatabasePath: filepath.Join(home, "index.db"), Now: func() time.Time { return b.now },
		Blocks: []quarry.BlockConfig{
			{Name: "glaze", Query: "reducing atmosphere of celadon", Filter: quarry.FilterSpec{Globs: []string{"G*.md"}}},
			{Name: "ropes", Query: "ropes of the harbour", Filter: quarry.FilterSpec{Globs: []string{"Rope.md", "diary/*"}}, MaxTokens: 400, TTL: time.Hour},
		},
	}
	writeVault(t, b.config.VaultDir, blockNotes)
	if change != nil {
		change(&b.config)
	}
	mustIndex(t, b.engine(), quarry.IndexOptions{})
	return b
}

func (b *blocks) engine() *quarry.Engine {
	b.Helper()
	return openConfig(b, b.config)
}

func (b *blocks) block(name string) quarry.Block {
	b.Helper()
	block, err := b.engine().Block(b.Context(), name, false)
	if err != nil {
		b.Fatal(err)
	}
	if block.State != quarry.BlockFresh || block.Tokens > block.MaxTokens {
		b.Errorf("%+v", block)
	}
	return block
}

// states are those of all blocks.
func (b *blocks) states() string {
	b.Helper()
	list, err := b.engine().Blocks(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	var states []string
	for _, block := range list {
		if block.Text != "" || (block.State == quarry.BlockFresh) != (block.Tokens > 0 && len(block.Sources) > 0 && block.Built != "") {
			b.Errorf("%+v", block)
		}
		states = append(states, block.State)
	}
	return strings.Join(states, " ")
}

func (b *blocks) wantStates(want string) {
	b.Helper()
	if got := b.states(); got != want {
		b.Errorf("states %s, want %s", got, want)
	}
}

func (b *blocks) session() quarry.Session {
	b.Helper()
	session, err := b.engine().Session(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	return session
}

func TestBlocks(t *testing.T) {
	b := newBlocks(t, nil)
	b.wantStates("missing missing")
	glaze := b.block("glaze")
	if !strings.HasPrefix(glaze.Text, "# Notes: glaze\n\nWhat follows is quoted") || !strings.Contains(glaze.Text, "kept up for an hour") || glaze.Sources[0].FilePath != "Glaze.md" || glaze.MaxTokens != quarry.DefaultBlockTokens || glaze.Status != "ok" {
		t.Errorf("%+v", glaze)
	}
	b.block("ropes")
	b.wantStates("fresh fresh")
	b.now = b.now.Add(61 * time.Minute)
	b.wantStates("fresh expired")
	b.block("ropes")
	b.wantStates("fresh fresh")
	b.now = b.now.Add(24 * time.Hour)
	b.wantStates("expired expired")
	b.now = captureTime.Add(-time.Hour) // the clock was set back
	b.wantStates("expired expired")
	if _, err := b.engine().Block(t.Context(), "glaces", false); !errors.Is(err, quarry.ErrNoBlock) {
		t.Error(err)
	}
}

// A block is built anew when one of its notes changed or went, and when what decides about it did; not when other notes changed.
func TestBlocksGoWithTheirNotes(t *testing.T) {
	for what, test := range map[string]struct {
		change func(b *blocks)
		want   string
	}{
		"another note": {func(b *blocks) { writeNote(b, b.config.VaultDir, "New.md", "# New\n\nOf something else.\n") }, "fresh fresh"},
		"same content": {func(b *blocks) {
			setTime(b, b.config.VaultDir, "Glaze.md", time.Hour)
		}, "fresh fresh"},
		"changed": {func(b *blocks) { writeNote(b, b.config.VaultDir, "Glaze.md", "# Glaze\n\nNothing.\n") }, "changed fresh"},
		"same size": {func(b *blocks) {
			writeNote(b, b.config.VaultDir, "Glaze.md", strings.Replace(blockNotes["Glaze.md"], "hour", "week", 1))
			setTime(b, b.config.VaultDir, "Glaze.md", 0)
		}, "changed fresh"},
		"gone": {func(b *blocks) { os.Remove(filepath.Join(b.config.VaultDir, "Glaze.md")) }, "changed fresh"},
		"moved": {func(b *blocks) {
			if err := os.Rename(filepath.Join(b.config.VaultDir, "Glaze.md"), filepath.Join(b.config.VaultDir, "G.md")); err != nil {
				b.Error(err)
			}
		}, "changed fresh"},
		"ignored":     {func(b *blocks) { b.config.Ignore = []string{"Glaze.md"} }, "changed fresh"},
		"query":       {func(b *blocks) { b.config.Blocks[0].Query = "celadon" }, "changed fresh"},
		"filter":      {func(b *blocks) { b.config.Blocks[1].Filter.Globs = []string{"Rope.md"} }, "fresh changed"},
		"budget":      {func(b *blocks) { b.config.Blocks[1].MaxTokens++ }, "fresh changed"},
		"longer time": {func(b *blocks) { b.config.Blocks[1].TTL += time.Hour }, "fresh fresh"},
		"session":     {func(b *blocks) { b.config.Session.Blocks = 1000 }, "changed fresh"},
		"redaction": {func(b *blocks) {
			b.config.Redaction.Patterns = []quarry.RedactionPattern{{Name: "x", Pattern: "celadon"}}
		}, "changed changed"},
		"rules": {func(b *blocks) {
			b.config.Sensitivity = []quarry.SensitivityConfig{{Folders: map[string]string{"x": "private"}}}
		}, "changed changed"},
		"audience": {func(b *blocks) { b.config.Audience = quarry.Client }, "missing missing"},
		"renamed":  {func(b *blocks) { b.config.Blocks[0].Name = "Glaze" }, "missing fresh"},
	} {
		t.Run(what, func(t *testing.T) {
			b := newBlocks(t, nil)
			b.session()
			b.wantStates("fresh fresh")
			test.change(b)
			b.wantStates(test.want)
			for range 2 { // after a run what does not count is not kept either
				mustIndex(t, b.engine(), quarry.IndexOptions{})
				if got := b.states(); strings.Count(got, "fresh") != strings.Count(test.want, "fresh") {
					t.Errorf("after a run %s, want %s", got, test.want)
				}
			}
			b.session()
		})
	}
}

// TestBlocksForget holds that after a run of the index no word of a note that went, or that became private, is kept beside it.
func TestBlocksForget(t *testing.T) {
	for what, change := range map[string]func(b *blocks){
		"gone":    func(b *blocks) { os.Remove(filepath.Join(b.config.VaultDir, "Glaze.md")) },
		"changed": func(b *blocks) { writeNote(b, b.config.VaultDir, "Glaze.md", "# Glaze\n\nNothing.\n") },
		"secret": func(b *blocks) {
			b.config.Sensitivity = []quarry.SensitivityConfig{{Folders: map[string]string{".": "secret"}}}
		},
		"no blocks": func(b *blocks) { b.config.Blocks = nil },
	} {
		t.Run(what, func(t *testing.T) {
			b := newBlocks(t, nil)
			for _, audience := range []quarry.Audience{quarry.Owner, quarry.Client} {
				b.config.Audience = audience
				b.session()
			}
			b.config.Audience = quarry.Owner
			stateDir := b.engine().StateDir()
			if found := filesWith(t, stateDir, "kept up for an hour"); len(found) != 2 {
				t.Fatalf("kept in %q", found)
			}
			change(b)
			mustIndex(t, b.engine(), quarry.IndexOptions{Force: true})
			if found := filesWith(t, stateDir, "kept up for an hour"); len(found) > 0 {
				t.Errorf("it is still in %q", found)
			}
		})
	}
}

// filesWith lists the files below a folder that hold a text.
func filesWith(t testing.TB, dir, text string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if strings.Contains(string(content), text) {
			found = append(found, path)
		}
		if info, infoErr := entry.Info(); infoErr != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has the mode %v, %v", path, info.Mode(), infoErr)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return found
}

// A note that is made private is in no block of a client from then on, before any run of the index, and the kept text goes with the
// next look.
func TestBlocksOfAClient(t *testing.T) {
	b := newBlocks(t, func(c *quarry.Config) {
		c.Audience = quarry.Client
		c.Sensitivity = []quarry.SensitivityConfig{{Folders: map[string]string{"diary": "private"}}}
	})
	if session := b.session(); strings.Contains(session.Text, "wet") || !strings.Contains(session.Text, "checked in spring") || !strings.Contains(session.Text, "for an hour") {
		t.Errorf("%s", session.Text)
	}
	b.config.Audience = quarry.Owner
	if session := b.session(); !strings.Contains(session.Text, "wet") {
		t.Errorf("%s", session.Text)
	}
	b.config.Audience = quarry.Client
	writeNote(t, b.config.VaultDir, "Glaze.md", "---\nsensitivity: private\n---\n"+blockNotes["Glaze.md"])
	list, err := b.engine().Blocks(t.Context())
	if err != nil || list[0].State != quarry.BlockChanged || len(list[0].Sources) > 0 || list[0].Tokens > 0 || list[0].Built != "" {
		t.Errorf("%+v, %v", list, err)
	}
	session := b.session()
	encoded, err := json.Marshal(session)
	if err != nil || strings.Contains(string(encoded), "Glaze.md") || strings.Contains(session.Text, "for an hour") {
		t.Errorf("%s, %v", encoded, err)
	}
	if found := filesWith(t, b.engine().StateDir(), "for an hour"); len(found) != 1 {
		t.Errorf("kept in %q: the owner's alone counts", found)
	}
}

// The same notes give the same bytes: over many calls and processes, when blocks are built anew, and over runs that changed others.
func TestSessionIsStable(t *testing.T) {
	b := newBlocks(t, nil)
	first := b.session()
	encoded, err := json.Marshal(first)
	if err != nil {
		t.Fatal(err)
	}
	engine := b.engine()
	for i := range 100 {
		switch i {
		case 30:
			b.now = b.now.Add(48 * time.Hour)
		case 40:
			writeNote(t, b.config.VaultDir, "New.md", "# New\n\nOf something else.\n")
			mustIndex(t, b.engine(), quarry.IndexOptions{})
		case 50:
			mustIndex(t, b.engine(), quarry.IndexOptions{Full: true})
		case 60:
			if _, err := engine.Block(t.Context(), "glaze", true); err != nil {
				t.Fatal(err)
			}
		case 70:
			if err := os.RemoveAll(engine.StateDir()); err != nil {
				t.Fatal(err)
			}
		}
		session, err := engine.Session(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if again, err := json.Marshal(session); err != nil || string(again) != string(encoded) {
			t.Fatalf("call %d: %s, before %s, %v", i, again, encoded, err)
		}
	}
}

func TestSession(t *testing.T) {
	b := newBlocks(t, func(c *quarry.Config) {
		c.Blocks = append(c.Blocks, quarry.BlockConfig{Name: "nothing", Query: "ropes", Filter: quarry.FilterSpec{Tags: []string{"nosuch"}}}, quarry.BlockConfig{Name: "wrong", Query: "ropes", Filter: quarry.FilterSpec{LinksTo: []string{"nosuch note"}}})
	})
	session := b.session()
	if got := fmt.Sprint(len(session.Blocks), session.LeftOut, session.Budget); got != "2 [nothing wrong] {1500 3000 2000 1500}" || len(session.Notices) < 2 {
		t.Errorf("%s, %q", got, session.Notices)
	}
	if strings.Index(session.Text, "celadon") > strings.Index(session.Text, "harbour") || session.Tokens == 0 || session.Blocks[0].Text != "" {
		t.Errorf("%+v", session)
	}
	glaze, ropes := b.block("glaze").Tokens, b.block("ropes").Tokens
	for budget, want := range map[int]string{glaze + ropes + 1: "2 [nothing wrong]", glaze + ropes - 2: "1 [ropes nothing wrong]"} {
		b.config.Session.Blocks = budget
		session := b.session()
		if got := fmt.Sprint(len(session.Blocks), session.LeftOut); got != want || session.Tokens > budget {
			t.Errorf("%d tokens: %s, want %s", budget, got, want)
		}
	}
}

func TestSessionWithoutIndex(t *testing.T) {
	b := newBlocks(t, nil)
	if err := os.Remove(b.config.DatabasePath); err != nil {
		t.Fatal(err)
	}
	if session := b.session(); session.Text != "" || len(session.LeftOut) != 2 || len(session.Notices) != 2 {
		t.Errorf("%+v", session)
	}
	if _, err := b.engine().Block(t.Context(), "glaze", false); !errors.Is(err, quarry.ErrNoIndex) {
		t.Error(err)
	}
	b.config.Blocks = nil
	if session := b.session(); session.Text != "" || session.Blocks == nil || session.LeftOut == nil {
		t.Errorf("%+v", session)
	}
}

// What lies in the place of a kept block, whatever it is, does no harm.
func TestDamagedBlocks(t *testing.T) {
	b := newBlocks(t, nil)
	want := b.session().Text
	dir := filepath.Join(b.engine().StateDir(), "blocks")
	for what, damage := range map[string]func(path string, content []byte) error{
		"empty": func(path string, _ []byte) error { return os.WriteFile(path, nil, 0o600) },
		"cut":   func(path string, content []byte) error { return os.WriteFile(path, content[:len(content)/2], 0o600) },
		"zeros": func(path string, content []byte) error { return os.WriteFile(path, make([]byte, len(content)), 0o600) },
		"another": func(path string, content []byte) error {
			return os.WriteFile(path, []byte(strings.Replace(string(content), "celadon", "anthrax", 1)), 0o600)
		},
		"folder": func(path string, _ []byte) error {
			return errors.Join(os.Remove(path), os.MkdirAll(filepath.Join(path, "x"), 0o700))
		},
	} {
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 2 {
			t.Fatalf("%s: %v, %v", what, entries, err)
		}
		for _, entry := range entries {
			path := filepath.Join(dir, entry.Name())
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := damage(path, content); err != nil {
				t.Fatal(err)
			}
		}
		if got := b.session().Text; got != want {
			t.Errorf("%s: another session:\n%s", what, got)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		b.session()
	}
}

func TestBlocksThatCannotBeKept(t *testing.T) {
	b := newBlocks(t, nil)
	if err := os.WriteFile(b.engine().StateDir(), []byte("a file in the way"), 0o600); err != nil {
		t.Fatal(err)
	}
	first := b.session()
	if first.Tokens == 0 || b.session().Text != first.Text {
		t.Errorf("%+v", first)
	}
	b.wantStates("missing missing")
	for _, refresh := range []bool{false, true} { // what builds a block says of its state what the list says
		block, err := b.engine().Block(t.Context(), "glaze", refresh)
		if err != nil || block.State != quarry.BlockMissing || block.Text == "" || block.Built != "" || len(block.Notices) != 1 {
			t.Errorf("%+v, %v", block, err)
		}
	}
	mustIndex(t, b.engine(), quarry.IndexOptions{})
}

// Blocks that are built side by side by many, while notes change and runs go on, are whole and of their notes in the end.
func TestBlocksSideBySide(t *testing.T) {
	b := newBlocks(t, nil)
	var all sync.WaitGroup
	for range 4 {
		engine := b.engine()
		all.Go(func() {
			for range 15 {
				session, err := engine.Session(t.Context())
				if err != nil || session.Tokens == 0 {
					t.Errorf("%+v, %v", session, err)
				}
			}
		})
	}
	engine := b.engine()
	for i := range 8 {
		writeNote(t, b.config.VaultDir, "Glaze.md", fmt.Sprintf("# Glaze\n\nCeladon needs a reducing atmosphere, in turn %d of the firing.\n", i))
		mustIndex(t, engine, quarry.IndexOptions{})
	}
	all.Wait()
	if text := b.session().Text; !strings.Contains(text, "in turn 7") {
		t.Error(text)
	}
	mustIndex(t, engine, quarry.IndexOptions{})
	for i := range 7 {
		if found := filesWith(t, engine.StateDir(), fmt.Sprintf("in turn %d", i)); len(found) > 0 {
			t.Errorf("turn %d is in %q", i, found)
		}
	}
}

func TestBlocksOfAWrongConfiguration(t *testing.T) {
	many := make([]quarry.BlockConfig, quarry.MaxBlocks+1)
	for i := range many {
		many[i] = quarry.BlockConfig{Name: fmt.Sprint("b", i), Query: "a"}
	}
	for what, list := range map[string][]quarry.BlockConfig{
		"name": {{Name: "a/b", Query: "a"}}, "no name": {{Query: "a"}}, "long name": {{Name: strings.Repeat("a", 65), Query: "a"}}, "no query": {{Name: "a", Query: " "}},
		"twice": {{Name: "a", Query: "a"}, {Name: "a", Query: "b"}}, "negative": {{Name: "a", Query: "a", MaxTokens: -1}}, "time": {{Name: "a", Query: "a", TTL: -1}}, "many": many,
	} {
		if _, err := quarry.Open(t.Context(), quarry.Config{VaultDir: t.TempDir(), DatabasePath: "x", Blocks: list}); err == nil || !strings.Contains(err.Error(), "blocks: ") {
			t.Errorf("%s: %v", what, err)
		}
	}
	names := []quarry.BlockConfig{{Name: "con", Query: "rope"}, {Name: "CON", Query: "rope"}, {Name: "-", Query: "rope"}, {Name: strings.Repeat("A", 64), Query: "rope"}}
	b := newBlocks(t, func(c *quarry.Config) { c.Blocks = names })
	b.session()
	b.wantStates("fresh fresh fresh fresh")
}

// The day counts where dates of a filter or of a query count from it.
func TestBlocksOfADay(t *testing.T) {
	b := newBlocks(t, func(c *quarry.Config) {
		c.Blocks = []quarry.BlockConfig{
			{Name: "fixed", Query: "ropes", Filter: quarry.FilterSpec{Since: "2020-01-01"}, TTL: 1000 * time.Hour},
			{Name: "span", Query: "ropes", Filter: quarry.FilterSpec{Since: "300d"}, TTL: 1000 * time.Hour},
			{Name: "query", Query: "ropes since:300d", TTL: 1000 * time.Hour},
		}
	})
	b.session()
	b.wantStates("fresh fresh fresh")
	b.now = b.now.Add(24 * time.Hour)
	b.wantStates("fresh changed changed")
}

// A block of which the notes say nothing is known as such, and is there as soon as they do.
func TestEmptyBlock(t *testing.T) {
	b := newBlocks(t, func(c *quarry.Config) {
		c.Blocks = []quarry.BlockConfig{{Name: "later", Query: "wool dyeing", Filter: quarry.FilterSpec{Tags: []string{"wool"}}}}
	})
	b.wantStates("missing")
	block, err := b.engine().Block(t.Context(), "later", true)
	if err != nil || block.State != quarry.BlockEmpty || len(block.Sources) > 0 || block.Built != "" {
		t.Errorf("%+v, %v", block, err)
	}
	b.wantStates("empty")
	writeNote(t, b.config.VaultDir, "Wool.md", "---\ntags: [wool]\n---\n# Wool\n\nWool dyeing needs alum.\n")
	mustIndex(t, b.engine(), quarry.IndexOptions{})
	if block := b.block("later"); len(block.Sources) != 1 || !strings.Contains(block.Text, "alum") {
		t.Errorf("%+v", block)
	}
	b.config.Blocks[0].MaxTokens = 300
	b.wantStates("changed")
}

func TestNamesOfBlocks(t *testing.T) {
	for name, want := range map[string]bool{
		"a": true, "Z-9_": true, strings.Repeat("a", 64): true, "": false, strings.Repeat("a", 65): false, "ä": false, "a b": false, "a.b": false, "a/b": false, "a\n": false,
	} {
		e, err := quarry.Open(t.Context(), quarry.Config{VaultDir: t.TempDir(), DatabasePath: filepath.Join(t.TempDir(), "i.db"), Blocks: []quarry.BlockConfig{{Name: name, Query: "q"}}})
		if (err == nil) != want {
			t.Errorf("%q: %v", name, err)
		}
		if err == nil {
			_ = e.Close()
		}
	}
}
