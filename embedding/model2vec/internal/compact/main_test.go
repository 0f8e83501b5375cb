package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

const (
	packageDir = "../.."
	measuredIn = "../../../../fixtures/model2vec/bert-charclass.json"
	potionDir  = "../../../../../shared/models/potion-base-8M"
)

func compare(t *testing.T, kind, source, name string) {
	t.Helper()
	got, err := generate(kind, source)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(packageDir, name))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what go generate writes: %d bytes, now %d", name, len(want), len(got))
	}
}

func TestCharacterTableIsUpToDate(t *testing.T) {
	compare(t, "classes", measuredIn, "charclass.bin")
}

func TestBuiltInModelIsUpToDate(t *testing.T) {
	if _, err := os.Stat(potionDir); err != nil {
		t.Skipf("the published model is not beside the checkout: %v", err)
	}
	compare(t, "model", potionDir, "potion-base-8M.bin")
}

func TestFaults(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.json")
	for _, content := range []string{"x", `{"removed":["x"]}`, `{"removed":["1-x"]}`, `{"map":{"x":"y"}}`} {
		if err := os.WriteFile(bad, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := generate("classes", bad); err == nil {
			t.Errorf("%s: no error", content)
		}
	}
	for _, args := range [][]string{nil, {"model", t.TempDir(), bad}, {"classes", "missing", bad}, {"other", "x", bad}} {
		if err := run(args); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
