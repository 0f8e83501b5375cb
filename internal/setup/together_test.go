package setup_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/internal/setup"
)

// TestByHand takes over an entry that somebody else wrote for quarry, where that is asked for, and keeps what else is in it.
func TestByHand(t *testing.T) {
	for client, row := range map[string]struct{ file, before, after string }{
		"claude-code": {
			"home/.claude.json",
			`{"mcpServers": {"notes": {"type": "stdio", "command": "quarry", "args": ["mcp", "--vault", "/v"], "env": {"A": "1"}}}}`,
			`{"mcpServers": {"notes": {"type": "stdio", "command": COMMAND, "args": ["--vault", VAULT, "mcp"], "env": {"A": "1"}}}}`,
		},
		"codex": {
			"home/.codex/config.toml", "# mine\n[mcp_servers.notes]\ncommand = \"quarry\" # short\nargs = [\n  \"mcp\",\n]\nstartup_timeout_sec = 9\n",
			"# mine\n[mcp_servers.notes]\ncommand = COMMAND # short\nargs = [\"--vault\", VAULT, \"mcp\"]\nstartup_timeout_sec = 9\n",
		},
	} {
		t.Run(client, func(t *testing.T) {
			b := newBench(t, client)
			b.put(row.file, row.before)
			if _, err := setup.PlanSetup(b.request); !errors.Is(err, setup.ErrByHand) {
				t.Fatalf("%v, want %v", err, setup.ErrByHand)
			}
			b.request.Force = true
			plan, err := setup.PlanSetup(b.request)
			if err == nil {
				err = plan.Write()
			}
			if err != nil || len(plan.Notices) != 1 || !strings.Contains(plan.Notices[0], "its command was: quarry mcp") {
				t.Fatalf("%v, %q", err, plan.Notices)
			}
			want := strings.NewReplacer("COMMAND", strconv.Quote(b.request.Command), "VAULT", strconv.Quote(b.request.Vault)).Replace(row.after)
			if diff := cmp.Diff(want, b.read(row.file)); diff != "" {
				t.Error(diff)
			}
			b.remove()
			if got := b.read(row.file + ".quarry-backup"); got != row.before {
				t.Errorf("the copy is %s", got)
			}
		})
	}
}

// TestByHandOfAnother leaves another program alone, whatever is asked for.
func TestByHandOfAnother(t *testing.T) {
	b := newBench(t, "cursor")
	b.put("home/.cursor/mcp.json", `{"mcpServers": {"notes": {"command": "npx", "args": ["mcp"]}}}`)
	b.request.Force = true
	if _, err := setup.PlanSetup(b.request); !errors.Is(err, setup.ErrNotOurs) {
		t.Errorf("another program: %v", err)
	}
}

// TestManyAtOnce has set-ups under names of their own run at once: each finds what the others wrote.
func TestManyAtOnce(t *testing.T) {
	const count = 12
	b := newBench(t, "claude-desktop")
	lock := filepath.Join(b.base, "cache", "setup.lock")
	var group sync.WaitGroup
	for i := range count {
		request := b.request
		request.Name = fmt.Sprintf("notes-%d", i)
		group.Go(func() {
			release, err := setup.Lock(t.Context(), lock)
			if err != nil {
				t.Error(err)
				return
			}
			defer release()
			plan, err := setup.PlanSetup(request)
			if err == nil {
				err = plan.Write()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	status, err := setup.StatusOf("claude-desktop", b.request.Command, b.request.Place)
	if err != nil || len(status.Entries) != count {
		t.Errorf("%d entries, %v", len(status.Entries), err)
	}
}

// TestLock gives up after a while, and does without where a lock cannot be had.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	lock := filepath.Join(dir, "cache", "setup.lock")
	release, err := setup.Lock(t.Context(), lock)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	within, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := setup.Lock(within, lock); !errors.Is(err, setup.ErrBusy) {
		t.Errorf("%v, want %v", err, setup.ErrBusy)
	}
	unmade := filepath.Join(lock, "setup.lock") // below a file
	if release, err := setup.Lock(t.Context(), unmade); err != nil {
		t.Errorf("no place for a lock: %v", err)
	} else {
		release()
	}
}
