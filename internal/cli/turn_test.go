package cli_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"quarry"
	"quarry/internal/cli"
)

const waitingNotice = "Waiting for another process that writes the index.\n"

// A run of the index waits for the one that writes; what does not wait says who that may be.
func TestIndexWaitsForItsTurn(t *testing.T) {
	for name, c := range map[string]struct {
		busy     time.Duration
		flags    []string
		isNotice bool
	}{
		"a moment":            {200 * time.Millisecond, nil, false},
		"a while":             {2 * time.Second, nil, true},
		"a while, and quiet":  {2 * time.Second, []string{"--quiet"}, false},
		"nobody else, a full": {0, []string{"--full"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			vault, database := t.TempDir(), filepath.Join(t.TempDir(), "index.db")
			if err := os.WriteFile(filepath.Join(vault, "kiln.md"), []byte("It is fired slowly.\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			config := emptyFile(t)
			run := func(words ...string) (code int, out, said string) {
				var stdout, stderr bytes.Buffer
				code = cli.Run(t.Context(), append(words, "--vault", vault, "--db", database, "--config", config), streams(&stdout, &stderr))
				return code, stdout.String(), stderr.String()
			}
			writer := flock.New(database + ".lock")
			if held, err := writer.TryLock(); !held || err != nil {
				t.Fatal(held, err)
			}
			if code, _, said := run("search", "kiln"); code != 1 || !strings.Contains(said, "hint: wait until the other process is done, which may be a run of the index, a watch or a server; ") {
				t.Errorf("a search: exit code %d, %s", code, said)
			}
			time.AfterFunc(c.busy, func() { _ = writer.Close() })
			code, out, said := run(append([]string{"index"}, c.flags...)...)
			if code != 0 || !strings.HasPrefix(out, "1 indexed, ") || strings.Contains(said, waitingNotice) != c.isNotice {
				t.Errorf("exit code %d, %s%s", code, out, said)
			}
		})
	}
}

func TestInTurn(t *testing.T) {
	always, never := func() bool { return true }, func() bool { return false }
	fault := errors.New("something else")
	ended, end := context.WithCancel(t.Context())
	end()
	for name, c := range map[string]struct {
		ctx       context.Context
		isWriting func() bool
		errs      []error // of the tries; the last one again and again
		want      error
	}{
		"at once":            {t.Context(), always, []error{nil}, nil},
		"another error":      {t.Context(), never, []error{fault}, fault},
		"later":              {t.Context(), never, []error{quarry.ErrBusy, quarry.ErrBusy, nil}, nil},
		"later, with errors": {t.Context(), never, []error{quarry.ErrBusy, fault}, fault},
		"never":              {t.Context(), never, []error{quarry.ErrBusy}, quarry.ErrBusy},
		"always written":     {t.Context(), always, []error{quarry.ErrBusy, nil}, quarry.ErrBusy},
		"interrupted":        {ended, always, []error{quarry.ErrBusy, nil}, quarry.ErrInterrupted},
	} {
		t.Run(name, func(t *testing.T) {
			var out, said bytes.Buffer
			tries := 0
			err := cli.InTurn(c.ctx, streams(&out, &said), c.isWriting, func() error {
				tries++
				return c.errs[min(tries, len(c.errs))-1]
			})
			if !errors.Is(err, c.want) || said.Len() > 0 {
				t.Errorf("%v, want %v; %s", err, c.want, said.String())
			}
		})
	}
}
