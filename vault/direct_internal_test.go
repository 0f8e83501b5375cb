package vault

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// The short way is gone where the rule holds, which Read would not tell of, and nowhere else.
func TestFilesAreReadDirectly(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no short way on this system")
	}
	dir := t.TempDir()
	for _, name := range []string{"a.md", "one/two/three/b.md"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"link.md": "a.md", "up": "one", "one/out": "../.."} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	v, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, ok := v.readDirectly("one/two/three/b.md"); !ok {
		t.Skip("this kernel has no openat2")
	}
	for _, name := range []string{"a.md", "one/two/three/b.md"} {
		content, read, ok := v.readDirectly(name)
		looked, lookedOK := v.lookDirectly(name)
		if !ok || !lookedOK || string(content) != name || read != looked {
			t.Errorf("%s: %q, %+v, %t; looked at %+v, %t", name, content, read, ok, looked, lookedOK)
		}
	}
	for _, name := range []string{"link.md", "up/two/three/b.md", "one/out/a.md", "one", "gone.md", "gone/a.md", "a.md/b.md"} {
		if content, _, ok := v.readDirectly(name); ok {
			t.Errorf("%s: %q", name, content)
		}
		if seen, ok := v.lookDirectly(name); ok {
			t.Errorf("%s: %+v", name, seen)
		}
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, ok := v.readDirectly("a.md"); ok {
		t.Error("a closed vault was read")
	}
}
