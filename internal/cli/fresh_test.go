package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"quarry/internal/cli"
)

// process is a `quarry` that runs beside the test.
type process struct {
	t       *testing.T
	command *exec.Cmd
	input   io.WriteCloser
	lines   *bufio.Reader
	talk    bytes.Buffer
	id      int
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// start runs quarry with the test's vault and an index of its own for each dir.
func start(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	p := &process{t: t, command: exec.Command("quarry", append([]string{"--vault", filepath.Join(dir, "vault"), "--db", filepath.Join(dir, "index.db")}, args...)...)}
	p.command.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "APPDATA="+dir)
	p.command.Stderr = &p.talk
	var err error
	if p.input, err = p.command.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.lines = bufio.NewReader(out)
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.command.Process.Kill() })
	return p
}

// startServer runs `quarry mcp`.
func startServer(t *testing.T, dir string) *process {
	t.Helper()
	p := start(t, dir, "mcp")
	p.call("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "t", "version": "1"}})
	fmt.Fprintln(p.input, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p
}

func (p *process) call(method string, params any) string {
	p.t.Helper()
	p.id++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": p.id, "method": method, "params": params})
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := fmt.Fprintf(p.input, "%s\n", line); err != nil {
		p.t.Fatal(err)
	}
	for {
		answer, err := p.lines.ReadString('\n')
		if err != nil {
			p.t.Fatalf("%v: %s", err, p.talk.String())
		}
		if strings.Contains(answer, fmt.Sprintf(`"id":%d`, p.id)) {
			return answer
		}
	}
}

// finds tells whether a search has a note. An answer that is an error ends the test, unless there is no index yet.
func (p *process) finds(query, path string) bool {
	p.t.Helper()
	answer := p.call("tools/call", map[string]any{"name": "obsidian_search", "arguments": map[string]any{"query": query}})
	if strings.Contains(answer, `"isError":true`) && !strings.Contains(answer, "no_index") && !strings.Contains(answer, "index_building") {
		p.t.Fatal(answer)
	}
	return strings.Contains(answer, path) && !strings.Contains(answer, `"isError":true`)
}

// until waits until a search has a note, or has it no more, and tells how long that took.
func (p *process) until(has bool, query, path string) time.Duration {
	p.t.Helper()
	began := time.Now()
	for p.finds(query, path) != has {
		if time.Since(began) > 20*time.Second {
			p.t.Fatalf("%s: found in %s: %t: %s", query, path, !has, p.talk.String())
		}
		time.Sleep(10 * time.Millisecond)
	}
	return time.Since(began)
}

// untilFresh waits until some server watches, which none does as long as it has requests to answer at its start.
func (p *process) untilFresh(dir string) {
	p.t.Helper()
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "index.db.watch.lock")); err == nil {
			return
		}
		if time.Since(began) > 20*time.Second {
			p.t.Fatalf("nobody watches: %s", p.talk.String())
		}
	}
}

func (p *process) end() {
	p.t.Helper()
	p.input.Close()
	if err := p.command.Wait(); err != nil {
		p.t.Errorf("%v: %s", err, p.talk.String())
	}
	if talk := p.talk.String(); strings.Contains(talk, "not brought up to date") || strings.Contains(talk, "panic") {
		p.t.Error(talk)
	}
}

func vaultOf(t *testing.T, notes int) (dir string, write func(name, text string)) {
	t.Helper()
	dir = t.TempDir()
	write = func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, "vault", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := range notes {
		write(fmt.Sprintf("%d.md", i), fmt.Sprintf("# Note %d\n\nAn ordinary note about thing number %d.\n", i, i))
	}
	return dir, write
}

// build makes the index that servers begin with.
func build(t *testing.T, dir string) {
	t.Helper()
	p := start(t, dir, "index", "--quiet")
	if out, err := io.ReadAll(p.lines); err != nil || len(out) == 0 {
		t.Fatalf("%s, %v", out, err)
	}
	p.end()
}

// What is written is found within a second, what is deleted no more.
func TestServerKeepsTheIndexFresh(t *testing.T) {
	dir, write := vaultOf(t, 30)
	build(t, dir)
	server := startServer(t, dir)
	server.until(true, "thing number 7", "7.md")
	server.untilFresh(dir)
	var took []time.Duration
	for range 6 { // one that has the processors is enough to show that it can; a server that is slow by itself is so each time
		write("fresh.md", "Words of a quokka.\n")
		came := server.until(true, "quokka", "fresh.md")
		if err := os.Remove(filepath.Join(dir, "vault", "fresh.md")); err != nil {
			t.Fatal(err)
		}
		took = append(took, max(came, server.until(false, "quokka", "fresh.md")))
		if took[len(took)-1] <= time.Second {
			server.end()
			return
		}
	}
	t.Errorf("it took %v each time", took)
	server.end()
}

// A server is warm again after each run that wrote, also after those of another one, and does nothing where none did.
func TestServersAreWarmAfterAChange(t *testing.T) {
	dir, write := vaultOf(t, 5)
	build(t, dir)
	var talk lockedBuffer
	io := streams(&talk, &talk)
	io.Env = func(name string) string {
		return map[string]string{"HOME": dir, "XDG_CONFIG_HOME": dir, "APPDATA": dir}[name]
	}
	servers := make([]*atomic.Int64, 2)
	for i := range servers {
		servers[i] = &atomic.Int64{}
		warmed := func() { servers[i].Add(1) }
		end, err := cli.KeepFresh(t.Context(), io, filepath.Join(dir, "vault"), filepath.Join(dir, "index.db"), warmed)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := end(); err != nil {
				t.Error(err)
			}
		}()
		warm(t, servers[i], 0)
	}
	settled := func() int64 {
		for before := int64(-1); ; time.Sleep(700 * time.Millisecond) {
			sum := servers[0].Load() + servers[1].Load()
			if sum == before {
				return sum
			}
			before = sum
		}
	}
	settled() // or this does not end
	before := []int64{servers[0].Load(), servers[1].Load()}
	write("new.md", "A quokka.\n")
	for i, server := range servers {
		warm(t, server, before[i])
	}
}

// warm waits until a server was warmed up more often.
func warm(t *testing.T, times *atomic.Int64, than int64) {
	t.Helper()
	for began := time.Now(); times.Load() <= than; time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > 10*time.Second {
			t.Fatalf("warmed up %d times, and no more", than)
		}
	}
}

// Servers of one vault do not disturb each other, and one that is killed is stood in for.
func TestServersOfOneVault(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a few seconds")
	}
	dir, write := vaultOf(t, 50)
	build(t, dir)
	servers := make([]*process, 5)
	for i := range servers {
		servers[i] = startServer(t, dir)
	}
	everywhere := func(do func(s *process)) {
		var all sync.WaitGroup
		for _, s := range servers {
			all.Go(func() { do(s) })
		}
		all.Wait()
	}
	everywhere(func(s *process) { s.until(true, "thing number 7", "7.md") })
	for round := range 3 {
		for i := range 40 {
			write(fmt.Sprintf("%d.md", i), fmt.Sprintf("Round%d of storm%d.\n", round, i))
		}
		word := fmt.Sprintf("quokka%d", round)
		write("last.md", word)
		everywhere(func(s *process) { s.until(true, word, "last.md") })
		leader := servers[0] // it was the first to ask, mostly
		if err := leader.command.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = leader.command.Wait()
		servers = servers[1:]
	}
	write("after.md", "Words of a wombat.\n")
	everywhere(func(s *process) { s.until(true, "wombat", "after.md") })
	everywhere((*process).end)
}

// A server builds an index that is missing by itself.
func TestServerBuildsTheIndex(t *testing.T) {
	dir, _ := vaultOf(t, 30)
	server := startServer(t, dir)
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		if info, err := os.Stat(filepath.Join(dir, "index.db")); err == nil && info.Size() > 100_000 {
			break
		}
		if time.Since(began) > 20*time.Second {
			t.Fatalf("there is no index: %s", server.talk.String())
		}
	}
	server.until(true, "thing number 7", "7.md")
	server.end()
}

// A server ends with the process that started it, though its input stays open.
func TestServerEndsWithItsParent(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no shell that is sure to be there")
	}
	t.Parallel()
	dir, _ := vaultOf(t, 1)
	in, keepOpen, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer keepOpen.Close()
	out, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	shell := exec.Command("sh", "-c", `quarry --vault "$0/vault" --db "$0/index.db" mcp <&3 3<&- & wait`, dir)
	shell.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir)
	shell.ExtraFiles, shell.Stdout = []*os.File{in}, theirs
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	in.Close()
	fmt.Fprintln(keepOpen, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	answers := bufio.NewReader(out)
	if _, err := answers.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := shell.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = shell.Wait()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, answers)
	}()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("the server goes on without its parent")
	}
}

// A server over HTTP is nobody's child: it goes on when the shell that started it ends, as one of systemd's does.
func TestHTTPServersOutliveTheirParent(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no shell that is sure to be there")
	}
	if testing.Short() {
		t.Skip("takes seconds, in processes of its own")
	}
	t.Parallel()
	dir, _ := vaultOf(t, 1)
	script := `cd "$0"
for server in "serve --addr" "mcp --http"; do
	nohup quarry --vault "$0/vault" --db "$0/index.db" $server 127.0.0.1:0 </dev/null >/dev/null 2>>talk & echo $!
done
for try in $(seq 400); do [ "$(grep -c "serving" talk)" = 2 ] && break; sleep .05; done`
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	shell := exec.CommandContext(ctx, "sh", "-c", script, dir)
	shell.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir)
	out, err := shell.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, number := range strings.Fields(string(out)) {
		id, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		started, err := os.FindProcess(id)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = started.Signal(syscall.SIGTERM) }()
	}
	talk, err := os.ReadFile(filepath.Join(dir, "talk"))
	if err != nil {
		t.Fatal(err)
	}
	addresses := regexp.MustCompile(`serving (?:page|MCP) at (http://[^/\s]+)`).FindAllStringSubmatch(string(talk), -1)
	if len(addresses) != 2 {
		t.Fatalf("%q", talk)
	}
	time.Sleep(2 * cli.ParentEvery)
	for _, address := range addresses {
		get(t, address[1]+"/mcp") // fails where nobody answers
	}
}
