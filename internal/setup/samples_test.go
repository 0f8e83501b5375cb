package setup_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"

	"quarry/internal/setup"
)

// bench is a home folder and a project with a set-up in them.
type bench struct {
	*testing.T
	base    string
	request setup.Request
}

func newBench(t *testing.T, client string) *bench {
	t.Helper()
	base := t.TempDir()
	b := &bench{T: t, base: base, request: setup.Request{
		Client: client, Scope: setup.User, Name: setup.DefaultName, Command: filepath.Join(base, "my tools", "quarry"), Vault: filepath.Join(base, "My 'notes'"), Hooks: true,
		Place: setup.Place{Home: filepath.Join(base, "home"), Work: filepath.Join(base, "shop"), System: "linux", Env: func(string) string { return "" }},
	}}
	for _, dir := range []string{"home/.config", "shop", "my tools"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o750); err != nil {
			t.Fatal(err)
		}
	}
	b.put("my tools/quarry", "")
	return b
}

func (b *bench) put(name, text string) {
	b.Helper()
	path := filepath.Join(b.base, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) read(name string) string {
	b.Helper()
	text, err := os.ReadFile(filepath.Join(b.base, filepath.FromSlash(name)))
	if err != nil {
		b.Fatal(err)
	}
	return string(text)
}

// tree is all that lies below the base: each file's content and mode, each folder.
func (b *bench) tree() map[string]string {
	b.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(b.base, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(b.base, path)
		if err != nil {
			return err
		}
		found[filepath.ToSlash(name)] = info.Mode().String()
		if entry.Type().IsRegular() {
			content, err := os.ReadFile(path)
			found[filepath.ToSlash(name)] += " " + string(content)
			return err
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return found
}

// setUp plans and writes; it gives the actions by file.
func (b *bench) setUp() map[string]setup.Action {
	b.Helper()
	return b.do(setup.PlanSetup)
}

func (b *bench) remove() map[string]setup.Action {
	b.Helper()
	return b.do(setup.PlanRemoval)
}

func (b *bench) do(planFor func(setup.Request) (*setup.Plan, error)) map[string]setup.Action {
	b.Helper()
	plan, err := planFor(b.request)
	if err != nil {
		b.Fatal(err)
	}
	if err := plan.Write(); err != nil {
		b.Fatal(err)
	}
	actions := map[string]setup.Action{}
	for _, change := range plan.Changes() {
		name, err := filepath.Rel(b.base, change.Path)
		if err != nil {
			b.Fatal(err)
		}
		if change.Before != nil || change.After != nil {
			actions[filepath.ToSlash(name)] = change.Action
		}
	}
	return actions
}

func (b *bench) same(what string, want, got map[string]string) {
	b.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		b.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// clientFolders stay behind when set-up made them, since the clients take them for theirs.
var clientFolders = map[string]bool{
	"home/.claude": true, "shop/.claude": true, "home/.codex": true, "shop/.codex": true, "home/.cursor": true, "shop/.cursor": true,
	"home/.gemini": true, "shop/.gemini": true, "home/.config/Code": true, "home/.config/Code/User": true, "shop/.vscode": true,
	"home/.config/zed": true, "shop/.zed": true, "home/.config/Claude": true, "home/.codeium": true, "home/.codeium/windsurf": true,
	"home/.codeium/windsurf/memories": true, "a plugin": true,
}

// asBefore tells that all is as it was before, but for folders of the client, which are empty.
func (b *bench) asBefore(what string, before map[string]string) {
	b.Helper()
	after := b.tree()
	for name := range after {
		if _, wasThere := before[name]; !wasThere && clientFolders[name] {
			delete(after, name)
		}
	}
	b.same(what, before, after)
}

// samplePlaces are where the samples lie, by client and kind.
var samplePlaces = map[string]string{
	"claude-code.servers": "home/.claude.json", "claude-code.settings": "home/.claude/settings.json", "cursor.servers": "home/.cursor/mcp.json",
	"vscode.servers": "home/.config/Code/User/mcp.json", "zed.servers": "home/.config/zed/settings.json", "gemini.servers": "home/.gemini/settings.json",
	"windsurf.servers": "home/.codeium/windsurf/mcp_config.json", "claude-desktop.servers": "home/.config/Claude/claude_desktop_config.json",
	"codex.servers": "home/.codex/config.toml", "codex.settings": "home/.codex/hooks.json", "codex.instructions": "home/.codex/AGENTS.md",
	"gemini.instructions": "home/.gemini/GEMINI.md", "windsurf.instructions": "home/.codeium/windsurf/memories/global_rules.md",
}

func samples(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/samples/*")
	if err != nil || len(names) < 45 {
		t.Fatalf("%d samples, %v", len(names), err)
	}
	if testing.Short() { // a few of each kind
		names = slices.DeleteFunc(names, func(name string) bool { return len(name)%4 != 0 })
	}
	return names
}

func sampleBench(t *testing.T, sample string) (b *bench, place string) {
	t.Helper()
	name := filepath.Base(sample)
	parts := strings.SplitN(name, ".", 3)
	place, ok := samplePlaces[parts[0]+"."+parts[1]]
	if !ok {
		t.Fatalf("%s has no place", name)
	}
	content, err := os.ReadFile(sample)
	if err != nil {
		t.Fatal(err)
	}
	b = newBench(t, parts[0])
	b.put(place, string(content))
	return b, place
}

// TestSamples sets up, sets up again and removes, with every sample: files and folders are as they were, to the byte.
func TestSamples(t *testing.T) {
	for _, sample := range samples(t) {
		t.Run(filepath.Base(sample), func(t *testing.T) {
			t.Parallel()
			b, place := sampleBench(t, sample)
			before, content := b.tree(), b.read(place)
			if actions := b.setUp(); actions[place] != setup.Change {
				t.Errorf("%s: %s", place, actions[place])
			}
			b.holdsOurs(place, content)
			first := b.tree()
			if copied := b.read(place + ".quarry-backup"); copied != content {
				t.Errorf("the copy: %q", copied)
			}
			for file, action := range b.setUp() {
				if action != setup.Keep {
					t.Errorf("a second run: %s %s", action, file)
				}
			}
			b.same("a second run", first, b.tree())
			b.remove()
			b.asBefore("after removal", before)
			if actions := b.remove(); len(actions) != 1 || actions[place] != setup.Keep {
				t.Errorf("a second removal: %v", actions)
			}
		})
	}
}

// holdsOurs looks at the merged file as its client does: what was there is there, and the server besides.
func (b *bench) holdsOurs(place, before string) {
	b.Helper()
	after := b.read(place)
	if strings.HasPrefix(before, "\xef\xbb\xbf") != strings.HasPrefix(after, "\xef\xbb\xbf") {
		b.Error("the byte order mark")
	}
	if strings.Contains(before, "\r\n") && strings.Count(after, "\n") != strings.Count(after, "\r\n") {
		b.Errorf("line ends: %q", after)
	}
	if strings.HasSuffix(place, ".md") {
		if !strings.HasPrefix(after, before) || !strings.Contains(after, "obsidian_search") {
			b.Errorf("%q", after)
		}
		return
	}
	old, merged := b.values(place, before), b.values(place, after)
	if !b.contains(merged, old) {
		b.Errorf("something of\n%s\nis not in\n%s", before, after)
	}
	flat, err := json.Marshal(merged)
	if err != nil {
		b.Fatal(err)
	}
	if !bytes.Contains(flat, []byte("my tools")) {
		b.Errorf("no command in %s", after)
	}
}

func (b *bench) values(place, text string) any {
	b.Helper()
	text = strings.TrimPrefix(text, "\xef\xbb\xbf")
	var value map[string]any
	if strings.HasSuffix(place, ".toml") {
		if err := toml.Unmarshal([]byte(text), &value); err != nil {
			b.Fatal(err)
		}
		return value
	}
	standard, err := hujson.Standardize([]byte(text + "\n"))
	if err == nil {
		err = json.Unmarshal(standard, &value)
	}
	if err != nil && before(text) {
		b.Fatalf("%v in %q", err, text)
	}
	return value
}

// before tells that a text is no blank file.
func before(text string) bool {
	return strings.Contains(text, "{") && !strings.HasPrefix(text, "// put")
}

// contains tells whether all of the old values are among the new ones, in their order.
func (b *bench) contains(merged, old any) bool {
	switch old := old.(type) {
	case map[string]any:
		table, _ := merged.(map[string]any)
		for key := range old {
			if !b.contains(table[key], old[key]) {
				return false
			}
		}
		return true
	case []any:
		list, _ := merged.([]any)
		if len(list) < len(old) {
			return false
		}
		for i := range old {
			if !b.contains(list[i], old[i]) {
				return false
			}
		}
		return true
	}
	return cmp.Equal(merged, old)
}

// TestSamplesAmongChanges has somebody else edit the files between set-up and removal: their edits stay, and nothing of ours.
func TestSamplesAmongChanges(t *testing.T) {
	for _, sample := range samples(t) {
		t.Run(filepath.Base(sample), func(t *testing.T) {
			t.Parallel()
			b, place := sampleBench(t, sample)
			edit := "# mine\n"
			if filepath.Ext(place) == ".json" {
				edit = "// mine\n"
			}
			mark := ""
			content := b.read(place)
			if rest, ok := strings.CutPrefix(content, "\xef\xbb\xbf"); ok {
				mark, content = "\xef\xbb\xbf", rest
			}
			b.setUp()
			merged := strings.TrimPrefix(b.read(place), "\xef\xbb\xbf")
			b.put(place, mark+edit+merged)
			b.remove()
			if got := b.read(place); got != mark+edit+content {
				t.Errorf("%q became %q", mark+edit+content, got)
			}
		})
	}
}

// TestSamplesWrittenAnew has a client write its file anew, in its own layout: nothing of ours stays, and nothing else goes.
func TestSamplesWrittenAnew(t *testing.T) {
	for _, sample := range samples(t) {
		if filepath.Ext(sample) != ".json" {
			continue
		}
		t.Run(filepath.Base(sample), func(t *testing.T) {
			t.Parallel()
			b, place := sampleBench(t, sample)
			old := b.values(place, b.read(place))
			b.setUp()
			anew, err := json.MarshalIndent(b.values(place, b.read(place)), "", "   ")
			if err != nil {
				t.Fatal(err)
			}
			b.put(place, string(anew))
			if actions := b.setUp(); actions[place] != setup.Keep {
				t.Errorf("set up again: %s", actions[place])
			}
			b.remove()
			if _, err := os.Stat(filepath.Join(b.base, place)); err != nil {
				return // nothing was in it
			}
			if diff := cmp.Diff(pruned(old), pruned(b.values(place, b.read(place)))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// pruned drops what is empty.
func pruned(value any) any {
	switch value := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if inner := pruned(value[key]); inner != nil {
				kept[key] = inner
			}
		}
		if len(kept) == 0 {
			return nil
		}
		return kept
	case []any:
		var kept []any
		for _, element := range value {
			if inner := pruned(element); inner != nil {
				kept = append(kept, inner)
			}
		}
		if len(kept) == 0 {
			return nil
		}
		return kept
	}
	return value
}
