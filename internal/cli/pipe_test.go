//go:build !windows

package cli_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"quarry/internal/cli"
)

// A named pipe that nobody writes to stops no command for good: a configuration is none, and what waits for input can be
// interrupted.
func TestPipesDoNotHang(t *testing.T) {
	h := newHome(t)
	h.put("a.md", "# A\n\nkiln\n")
	pipe := filepath.Join(h.places, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no named pipes here")
	}
	for _, test := range []struct {
		arguments []string
		code      int
	}{
		{[]string{"eval", pipe, "--vault", h.vault}, 130},
		{[]string{"redact", pipe}, 130},
		{[]string{"redact", "--hashes", pipe}, 130},
		{[]string{"status", "--vault", h.vault, "--config", pipe}, 1},
		{[]string{"index", "--vault", h.vault, "--db", pipe}, 1},
		{[]string{"parse", pipe}, 1},
		{[]string{"status", "--vault", pipe}, 1},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(300*time.Millisecond, cancel)
		var out, talk bytes.Buffer
		io := streams(&out, &talk)
		io.OutTerminal, io.In, io.WorkDir, io.Env = false, strings.NewReader(""), h.places, func(name string) string { return h.environment[name] }
		done := make(chan int, 1)
		go func() { done <- cli.Run(ctx, test.arguments, io) }()
		select {
		case code := <-done:
			if code != test.code {
				t.Errorf("%v: code %d, want %d: %s", test.arguments, code, test.code, &talk)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%v hangs", test.arguments)
		}
		cancel()
	}
}
