package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gofrs/flock"

	"quarry/internal/cli"
)

// Where another process writes, --refresh has no turn, and the index answers as it stands.
func TestRefreshBesideAWriter(t *testing.T) {
	vault, database := t.TempDir(), filepath.Join(t.TempDir(), "index.db")
	note := filepath.Join(vault, "kiln.md")
	write := func(text string) {
		if err := os.WriteFile(note, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	config := emptyFile(t)
	run := func(words ...string) (code int, out, said string) {
		var stdout, stderr bytes.Buffer
		code = cli.Run(t.Context(), append(words, "--vault", vault, "--db", database, "--config", config), streams(&stdout, &stderr))
		return code, stdout.String(), stderr.String()
	}
	write("# Kiln\n\nIt is fired slowly.\n")
	if code, _, said := run("index"); code != 0 {
		t.Fatal(said)
	}
	write("# Kiln\n\nIt is fired slowly with oak.\n")
	writer := flock.New(database + ".lock")
	if held, err := writer.TryLock(); !held || err != nil {
		t.Fatal(held, err)
	}
	const notice = "another process is writing the index; this is answered from the index as it stands"
	if code, out, said := run("search", "--refresh", "fired"); code != 0 || !strings.Contains(out, "kiln.md") || !strings.Contains(said, "notice: "+notice) {
		t.Errorf("exit code %d, %s%s", code, out, said)
	}
	if code, out, _ := run("search", "--refresh", "--json", "fired"); code != 0 || !strings.Contains(out, notice) {
		t.Errorf("as JSON: exit code %d, %s", code, out)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	if code, out, said := run("search", "--refresh", "oak"); code != 0 || !strings.Contains(out, "oak") || strings.Contains(said, notice) {
		t.Errorf("afterwards: exit code %d, %s%s", code, out, said)
	}
}
