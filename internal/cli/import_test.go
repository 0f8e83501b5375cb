package cli_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"quarry/internal/cli"
)

// Imports of one export at once write each note once.
func TestImportsAtOnce(t *testing.T) {
	h := newHome(t)
	export := filepath.Join(h.places, "export")
	if err := os.MkdirAll(export, 0o755); err != nil {
		t.Fatal(err)
	}
	const count = 300
	for i := range count {
		h.put(filepath.Join(export, fmt.Sprintf("note %d.md", i)), fmt.Sprintf("Kiln %d.\n", i))
	}
	h.environment["XDG_DATA_HOME"] = filepath.Join(h.places, "data")
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			var out, talk lockedBuffer
			io := streams(&out, &talk)
			io.In, io.WorkDir, io.Env = strings.NewReader(""), h.places, func(name string) string { return h.environment[name] }
			arguments := []string{"import", "markdown", export, "--vault", h.vault, "--config", h.config, "--db", filepath.Join(h.places, fmt.Sprintf("%d.db", i))}
			if code := cli.Run(t.Context(), arguments, io); code != 0 {
				t.Errorf("exit code %d: %s", code, talk.String())
			}
		})
	}
	all.Wait()
	notes := 0
	err := filepath.WalkDir(h.vault, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			notes++
		}
		return err
	})
	if err != nil || notes != count {
		t.Errorf("%d notes of %d, %v", notes, count, err)
	}
}
