package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"quarry/internal/cli"
	"quarry/internal/eval"
)

// evalVault is an indexed vault of a few notes, and a file of golden queries beside it.
func evalVault(t *testing.T, golden string) (file string, run func(arguments ...string) (code int, out, talk string)) {
	t.Helper()
	dir := t.TempDir()
	vault := filepath.Join(dir, "vault")
	if err := os.Mkdir(vault, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		text := fmt.Sprintf("# Note %d\n\nThe kiln number%d is fired on day %d of the month.\n", i, i, i)
		if err := os.WriteFile(filepath.Join(vault, fmt.Sprintf("n%d.md", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file = filepath.Join(dir, "golden.jsonl")
	if err := os.WriteFile(file, []byte(golden), 0o640); err != nil {
		t.Fatal(err)
	}
	run = func(arguments ...string) (int, string, string) {
		var out, talk bytes.Buffer
		io := streams(&out, &talk)
		io.WorkDir, io.OutTerminal = dir, false
		code := cli.Run(t.Context(), append([]string{"--vault", vault, "--db", filepath.Join(dir, "index.db")}, arguments...), io)
		return code, out.String(), talk.String()
	}
	if code, _, talk := run("index"); code != 0 {
		t.Fatal(talk)
	}
	return file, run
}

func loadGolden(t *testing.T, file string) []eval.Query {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	queries, err := eval.Load(bytes.NewReader(content))
	if err != nil {
		t.Fatalf("%v in\n%s", err, content)
	}
	return queries
}

// Whoever adds at the same time, and however the file ends, nothing of it is lost.
func TestEvalAddKeepsAll(t *testing.T) {
	const first = `{"id":"a","query":"first","more":[1, 2],"expected":[{"path":"n0.md","grade":1}]}` // without a line feed
	file, run := evalVault(t, first)
	if code, _, talk := run("eval", "add", file, "--query", "kiln number9", "--expect", "n1"); code != 0 {
		t.Fatal(talk)
	}
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			if code, _, talk := run("eval", "add", file, "--query", fmt.Sprintf("kiln number%d", i), "--expect", fmt.Sprintf("n%d.md=2", i)); code != 0 {
				t.Error(talk)
			}
		})
	}
	wait.Wait()
	if queries := loadGolden(t, file); len(queries) != 10 {
		t.Errorf("%d queries, want 10", len(queries))
	}
	content, err := os.ReadFile(file)
	if err != nil || !bytes.HasPrefix(content, []byte(first+"\n")) {
		t.Errorf("%v, %s", err, content)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm()&0o040 == 0 && os.PathSeparator == '/' {
		t.Errorf("the mode of the file became %v, %v", info.Mode(), err)
	}
}

// A credential in a query, or in an earlier golden file, gets into no file that eval writes.
func TestEvalWritesNoSecret(t *testing.T) {
	file, run := evalVault(t, `{"id":"a","query":"token `+plantedToken+`","expected":[{"path":"n0.md","grade":1}]}`+"\n")
	saved := filepath.Join(filepath.Dir(file), "run.json")
	if code, _, talk := run("eval", file, "--save", saved); code != 0 {
		t.Fatal(talk)
	}
	grown := filepath.Join(filepath.Dir(file), "grown.jsonl")
	if code, _, talk := run("eval", "add", grown, "--query", "kiln "+plantedToken, "--expect", "n1"); code != 0 || !strings.Contains(talk, "redacted") {
		t.Fatal(code, talk)
	}
	for _, path := range []string{saved, grown} {
		content, err := os.ReadFile(path)
		if err != nil || len(content) == 0 || strings.Contains(string(content), plantedToken) {
			t.Errorf("%s: %v, %s", path, err, content)
		}
	}
	loadGolden(t, grown)
}

// A run that is saved again keeps the mode of its file; a new one has that of any new file.
func TestSavedRunKeepsItsMode(t *testing.T) {
	if os.PathSeparator != '/' {
		t.Skip("modes are those of Unix")
	}
	file, run := evalVault(t, `{"id":"a","query":"kiln","expected":[{"path":"n0.md","grade":1}]}`+"\n")
	saved, plain := filepath.Join(filepath.Dir(file), "run.json"), filepath.Join(filepath.Dir(file), "plain")
	if err := os.WriteFile(plain, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	mode := func(path string) os.FileMode {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode()
	}
	save := func() {
		if code, _, talk := run("eval", file, "--save", saved); code != 0 {
			t.Fatal(talk)
		}
	}
	save()
	if got, want := mode(saved), mode(plain); got != want {
		t.Errorf("a new file has the mode %v, want %v", got, want)
	}
	if err := os.Chmod(saved, 0o640); err != nil {
		t.Fatal(err)
	}
	save()
	if got := mode(saved); got != 0o640 {
		t.Errorf("saved again it has the mode %v", got)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".quarry-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// No golden file is read without a bound, nor written to.
func TestEvalAddIsBounded(t *testing.T) {
	file, run := evalVault(t, "")
	const size = 65 << 20
	if err := os.Truncate(file, size); err != nil {
		t.Fatal(err)
	}
	if code, _, talk := run("eval", "add", file, "--query", "kiln", "--expect", "n1"); code != 1 || !strings.Contains(talk, "larger than 64 MiB") {
		t.Error(code, talk)
	}
	if info, err := os.Stat(file); err != nil || info.Size() != size {
		t.Error(info, err)
	}
}
