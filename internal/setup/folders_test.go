package setup_test

import (
	"os"
	"path"
	"path/filepath"
	"testing"

	"quarry/internal/setup"
)

// TestFoldersOfTheUser has all folders of a client there, empty: removal leaves them, and takes what set-up made alone.
func TestFoldersOfTheUser(t *testing.T) {
	for _, client := range setup.Clients() {
		for _, scope := range setup.Scopes(client) {
			t.Run(client+" "+string(scope), func(t *testing.T) {
				t.Parallel()
				b := newBench(t, client)
				b.request.Scope = scope
				files := b.setUp()
				b.remove()
				for file := range files {
					b.makeFolder(path.Dir(file))
				}
				before := b.tree()
				b.setUp()
				b.request.Vault = filepath.Join(b.base, "elsewhere") // a file that is written anew tells the same of its folders
				b.setUp()
				b.remove()
				b.same("after removal", before, b.tree())
			})
		}
	}
}

func (b *bench) makeFolder(name string) {
	b.Helper()
	if err := os.MkdirAll(filepath.Join(b.base, filepath.FromSlash(name)), 0o750); err != nil {
		b.Fatal(err)
	}
}

// TestFolderOfTheEnvironmentStays: the folder that CODEX_HOME names, and the one above it, are not set-up's.
func TestFolderOfTheEnvironmentStays(t *testing.T) {
	b := newBench(t, "codex")
	home := filepath.Join(b.base, "settings", "of codex")
	b.request.Place.Env = func(name string) string { return map[string]string{"CODEX_HOME": home}[name] }
	b.makeFolder("settings/of codex")
	before := b.tree()
	b.setUp()
	b.remove()
	b.same("after removal", before, b.tree())
}

// TestMadeFoldersGo takes away what was made for a file of quarry's, unless something else came into it or a link took its place.
func TestMadeFoldersGo(t *testing.T) {
	b := newBench(t, "claude-code")
	b.makeFolder("home/.claude")
	before := b.tree()
	b.setUp()
	b.request.Vault = filepath.Join(b.base, "elsewhere")
	b.setUp()
	b.remove()
	b.same("after removal", before, b.tree())

	b.setUp()
	b.put("home/.claude/skills/mine/SKILL.md", "mine\n")
	commands, moved := filepath.Join(b.base, "home", ".claude", "commands"), filepath.Join(b.base, "moved")
	if err := os.Rename(commands, moved); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(moved, commands); err != nil {
		t.Skipf("no links here: %v", err)
	}
	b.remove()
	after := b.tree()
	if after["home/.claude/skills/notes"] != "" || after["home/.claude/skills/mine/SKILL.md"] == "" || after["home/.claude/commands"] == "" || after["moved"] == "" || after["moved/capture.md"] != "" {
		t.Errorf("%v", after)
	}
}

// TestPluginFolderStays leaves the folder of a plugin, and one above it.
func TestPluginFolderStays(t *testing.T) {
	b := newBench(t, "claude-code")
	b.request.Plugin = filepath.Join(b.base, "plugins", "notes")
	b.makeFolder("plugins/notes")
	before := b.tree()
	b.setUp()
	b.remove()
	b.same("after removal", before, b.tree())
}
