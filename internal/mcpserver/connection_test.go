package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quarry"
	"quarry/internal/mcpserver"
)

const initializeLine = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

const handshake = initializeLine + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// waitingEngines give no engine until they are released, or the request is given up.
type waitingEngines struct {
	oneEngine
	running, begun, cancelled *atomic.Int64
	release                   chan struct{}
}

func newWaitingEngines(t *testing.T) waitingEngines {
	return waitingEngines{oneEngine{open(t, true)}, new(atomic.Int64), new(atomic.Int64), new(atomic.Int64), make(chan struct{})}
}

func (w waitingEngines) Acquire(ctx context.Context) (*quarry.Engine, func(), error) {
	w.running.Add(1)
	defer w.running.Add(-1)
	w.begun.Add(1)
	select {
	case <-w.release:
		return w.Engine, func() {}, nil
	case <-ctx.Done():
		w.cancelled.Add(1)
		return nil, nil, ctx.Err()
	}
}

// until waits for what another goroutine brings about.
func until(t *testing.T, what string, isSo func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !isSo(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

// serve runs a server on pipes, and gives what it ends with.
func serve(ctx context.Context, t *testing.T, engines mcpserver.Engines) (in io.WriteCloser, out *io.PipeReader, ended <-chan error) {
	t.Helper()
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- mcpserver.Serve(ctx, engines, "1.0", serverIn, serverOut) }()
	t.Cleanup(func() { in.Close(); out.Close() })
	return in, out, done
}

func ends(t *testing.T, ended <-chan error, soon time.Duration) {
	t.Helper()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the server ended with %v", err)
		}
	case <-time.After(soon):
		t.Errorf("the server did not end within %v", soon)
	}
}

func searchCall(id any, query string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"method":"tools/call","params":{"name":"obsidian_search","arguments":{"query":%q}}}`+"\n", id, query)
}

// A client that asks without end and reads nothing has to wait; a cancellation overtakes what waits, and in the end all is answered.
func TestFloodOfCalls(t *testing.T) {
	engines := newWaitingEngines(t)
	in, out, ended := serve(t.Context(), t, engines)
	answers := bufio.NewScanner(out)
	answers.Buffer(nil, 1<<20)
	if _, err := io.WriteString(in, handshake); err != nil || !answers.Scan() {
		t.Fatal("no handshake")
	}
	const calls = 300
	for i := range calls {
		if _, err := io.WriteString(in, searchCall(i, "kiln")); err != nil {
			t.Fatal(err)
		}
	}
	until(t, "32 calls run", func() bool { return engines.running.Load() == 32 })
	for _, id := range []int{5, 250, 5, 999} { // one that runs, one that waits, one again, none
		if _, err := fmt.Fprintf(in, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", id); err != nil {
			t.Fatal(err)
		}
	}
	until(t, "a call was cancelled", func() bool { return engines.cancelled.Load() == 1 })
	until(t, "another took its place", func() bool { return engines.begun.Load() == 33 })
	if running := engines.running.Load(); running != 32 {
		t.Errorf("%d calls run", running)
	}
	close(engines.release)
	in.Close()
	seen := map[string]int{}
	for answers.Scan() {
		var message struct{ ID json.RawMessage }
		if err := json.Unmarshal(answers.Bytes(), &message); err != nil {
			t.Fatal(err)
		}
		seen[string(message.ID)]++
		if len(seen) == calls-2 {
			break
		}
	}
	if len(seen) != calls-2 || seen["5"] != 0 || seen["250"] != 0 {
		t.Errorf("%d calls were answered, 5 %d times, 250 %d times", len(seen), seen["5"], seen["250"])
	}
	ends(t, ended, 5*time.Second)
}

// A flood of long calls, which are not read either, holds some MB and no more.
func TestFloodOfBytes(t *testing.T) {
	engines := newWaitingEngines(t)
	in, _, _ := serve(t.Context(), t, engines)
	var sent atomic.Int64
	go func() {
		long := strings.Repeat("kiln ", 200_000)
		if _, err := io.WriteString(in, handshake); err != nil {
			return
		}
		for i := range 500 {
			if _, err := io.WriteString(in, searchCall(i, long)); err != nil {
				return
			}
			sent.Add(1)
		}
	}()
	// The handshake is not read, so nothing is begun at all.
	last := int64(-1)
	until(t, "the client has to wait", func() bool {
		time.Sleep(300 * time.Millisecond)
		now := sent.Load()
		isStill := now == last && now > 0
		last = now
		return isStill
	})
	if last > 12 {
		t.Errorf("%d MB were taken", last)
	}
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	if memory.HeapAlloc > 100<<20 {
		t.Errorf("%d MB are held", memory.HeapAlloc>>20)
	}
}

// Ids come back as they were, or are refused, with calls, and with tokens of progress.
func TestIDsThatWouldChange(t *testing.T) {
	post := overHTTP(t)
	for _, test := range []struct {
		id      string
		refused bool
		told    string // the id of the answer
	}{
		{"2", false, "2"},
		{"0", false, "0"},
		{"-7", false, "-7"},
		{"9007199254740992", false, "9007199254740992"},
		{`"9007199254740993"`, false, `"9007199254740993"`},
		{`""`, false, `""`},
		{`"ü"`, false, `"ü"`},
		{"9007199254740993", true, "9007199254740993"},
		{"-9007199254740993", true, "-9007199254740993"},
		{"18446744073709551615", true, "18446744073709551615"},
		{"1e300", true, "1e300"},
		{"1.5", true, "1.5"},
		{"1e400", true, "null"},
		{`"\ud800"`, true, "null"},
		{"null", true, "null"},
		{"true", true, "null"},
		{"[1]", true, "null"},
		{`{}`, true, "null"},
		{`"` + strings.Repeat("long", 1000) + `"`, false, `"` + strings.Repeat("long", 1000) + `"`},
	} {
		for _, body := range []string{
			`{"jsonrpc":"2.0","id":` + test.id + `,"method":"ping"}`,
			`{"jsonrpc":"2.0","id":` + test.id + `,"method":"tools/call","params":{"name":"none"}}`,
			`{"jsonrpc":"2.0","id":` + test.id + `,"method":"resources/list","params":{}}`,
			strings.TrimSpace(searchCall(test.id, "kiln")),
		} {
			stdio := session(t, quarry.Config{}, map[string]string{"a.md": "kiln\n"}, body)
			_, overHTTP := post(body, "2025-06-18")
			answers := map[string]string{"http": overHTTP}
			for line := range strings.SplitSeq(strings.TrimSpace(stdio), "\n") {
				if !strings.Contains(line, "protocolVersion") {
					answers["stdio"] = line
				}
			}
			for where, answer := range answers {
				var message struct {
					ID    json.RawMessage
					Error struct{ Code int }
				}
				if err := json.Unmarshal([]byte(answer), &message); err != nil || string(message.ID) != test.told || (message.Error.Code == -32600) != test.refused {
					t.Errorf("%s, %s: %v in %.300s", where, body, err, answer)
				}
			}
		}
		if test.refused {
			body := strings.Replace(searchCall(4, "kiln"), `"params":{`, `"params":{"_meta":{"progressToken":`+test.id+`},`, 1)
			if _, answer := post(body, "2025-06-18"); !strings.Contains(answer, `"code":-32602`) || !strings.Contains(answer, `"id":4`) {
				t.Errorf("token %s: %.300s", test.id, answer)
			}
		}
	}
}

// The end of a message that is too long is not read, but its id mostly is.
func TestIDOfLongMessage(t *testing.T) {
	post := overHTTP(t)
	long := strings.Repeat("x", 5<<20)
	for _, test := range []struct{ body, told string }{
		{`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"` + long + `"}}`, "7"},
		{`{"method":"ping","params":{"id":3},"id":"seven","x":"` + long + `"}`, `"seven"`},
		{`{"params":{"id":3,"x":"` + long + `"},"id":7}`, "null"},
		{`{"id":1.5,"params":"` + long + `"}`, "1.5"},
		{`{"id":{"x":1},"params":"` + long + `"}`, "null"},
		{`[{"id":1,"x":"` + long + `"}]`, "null"},
		{strings.Repeat("[", 5<<20), "null"},
		{`"` + long, "null"},
	} {
		want := `{"error":{"code":-32600,"message":"the message is too long"},"id":` + test.told + `,"jsonrpc":"2.0"}`
		if out := session(t, quarry.Config{}, map[string]string{"a.md": "kiln\n"}, test.body); !strings.HasSuffix(out, "\n"+want+"\n") && !strings.HasPrefix(out, want+"\n") {
			t.Errorf("%.60s: %.300s", test.body, out)
		}
		if status, answer := post(test.body, ""); status != 413 || answer != want {
			t.Errorf("%.60s: status %d, %.300s", test.body, status, answer)
		}
	}
}

// An id that is used twice at once, or once more afterwards, holds nothing up.
func TestIDUsedTwice(t *testing.T) {
	engines := newWaitingEngines(t)
	in, out, ended := serve(t.Context(), t, engines)
	answers := bufio.NewScanner(out)
	answers.Buffer(nil, 1<<20)
	lines := func(text, want string) {
		t.Helper()
		if _, err := io.WriteString(in, text); err != nil || !answers.Scan() || !strings.Contains(answers.Text(), want) {
			t.Errorf("%s is not in %.300s", want, answers.Text())
		}
	}
	lines(handshake, `"id":"hello"`)
	if _, err := io.WriteString(in, searchCall(7, "kiln")); err != nil {
		t.Fatal(err)
	}
	lines(searchCall(7, "boat"), `{"error":{"code":-32600,"message":"the id is that of another call that has no answer yet"},"id":null`)
	close(engines.release)
	if !answers.Scan() || !strings.Contains(answers.Text(), `"id":7`) {
		t.Errorf("no answer to the first: %.300s", answers.Text())
	}
	for range 50 {
		lines(searchCall(7, "boat"), `"id":7`)
	}
	in.Close()
	ends(t, ended, 5*time.Second)
}

// What arrives in pieces, with marks and other ends of lines, as a list, or without an end, is read as it is meant.
func TestOddLines(t *testing.T) {
	ping := func(id any) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"method":"ping"}`, id) }
	for _, test := range []struct {
		name, input string
		answers     int
		has         string
	}{
		{"a mark in front", "\ufeff" + handshake, 1, `"id":"hello"`},
		{"other ends of lines", strings.ReplaceAll(handshake, "\n", "\r\n") + ping(2) + "\r\n", 2, `"id":2`},
		{"no end of the line", handshake + ping(2), 2, `"id":2`},
		{"the end in the middle", handshake + ping(2)[:20], 2, `"code":-32700`},
		{"no characters", handshake + "\x00\x00\n" + ping(2), 3, ""},
		{"deep", handshake + strings.Repeat("[", 3<<20) + "\n", 2, `"code":-32700`},
		{"deep and too long", handshake + strings.Repeat("[", 10<<20) + "\n", 2, "too long"},
		{"an empty list", handshake + "[]\n", 2, `"code":-32600`},
		{"a list", handshake + "[ " + ping(2) + " ,\t" + ping(3) + "]", 3, ""},
		{"numbers", handshake + "[" + strings.Repeat("1,", 1<<18) + "1]", -1, ""},
		{"other notifications", handshake + strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`+"\n", 5000) + ping(2), 2, `"id":2`},
		{"answers to nothing", handshake + `{"jsonrpc":"2.0","id":9,"result":{}}` + "\n" + ping(2), 2, `"id":2`},
		{"a cancellation of another", handshake + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2.5}}` + "\n" + ping(2), 2, `"id":2`},
	} {
		var out output
		err := mcpserver.Serve(t.Context(), oneEngine{open(t, false)}, "1.0", io.NopCloser(pieces{strings.NewReader(test.input)}), &out)
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if err != nil || test.answers >= 0 && len(lines) != test.answers || !strings.Contains(out.String(), test.has) {
			t.Errorf("%s: %v, %d answers, %.300s", test.name, err, len(lines), lines[len(lines)-1])
		}
	}
}

// pieces hands out little at a time.
type pieces struct{ from io.Reader }

func (p pieces) Read(b []byte) (int, error) { return p.from.Read(b[:min(len(b), 10_000)]) }

// A list of very many calls is answered in full.
func TestLongList(t *testing.T) {
	const calls = 20_000
	var input strings.Builder
	input.WriteString(handshake + "[")
	for i := range calls {
		fmt.Fprintf(&input, `{"jsonrpc":"2.0","id":%d,"method":"ping"},`, i)
	}
	input.WriteString(`{"jsonrpc":"2.0","method":"x"}]`)
	var out output
	if err := mcpserver.Serve(t.Context(), oneEngine{open(t, false)}, "1.0", io.NopCloser(strings.NewReader(input.String())), &out); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(out.String(), "\n"); lines != calls+1 {
		t.Errorf("%d answers", lines)
	}
}

// A server that is told to end gives the answers under way, and waits neither for calls that take long nor for a client that does not read.
func TestToldToEnd(t *testing.T) {
	for _, reads := range []bool{true, false} {
		engines := newWaitingEngines(t)
		ctx, stop := context.WithCancel(t.Context())
		in, out, ended := serve(ctx, t, engines)
		answers := bufio.NewReader(out)
		if _, err := io.WriteString(in, handshake); err != nil {
			t.Fatal(err)
		}
		if _, err := answers.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(in, searchCall(1, "kiln")); err != nil {
			t.Fatal(err)
		}
		until(t, "the call runs", func() bool { return engines.running.Load() == 1 })
		stop()
		if reads {
			close(engines.release)
			if line, err := answers.ReadString('\n'); err != nil || !strings.Contains(line, `"id":1`) {
				t.Errorf("the answer under way is %.100q, %v", line, err)
			}
		}
		ends(t, ended, 4*time.Second)
	}
}

// What has an id and no method that can be read is answered, and so is what comes too early or twice, by a code of the protocol.
func TestMisspeltAndMisplaced(t *testing.T) {
	for line, code := range map[string]int{
		`{"jsonrpc":"2.0","id":8,"Method":"ping"}`:         -32600,
		`{"jsonrpc":"2.0","id":8}`:                         -32600,
		`{"jsonrpc":"2.0","id":8,"Result":{}}`:             -32600,
		`{"jsonrpc":"2.0","id":8,"method":"nosuch"}`:       -32601,
		strings.Replace(initializeLine, `"hello"`, "8", 1): -32600,
	} {
		out := session(t, quarry.Config{}, map[string]string{"a.md": "kiln\n"}, line)
		if want := fmt.Sprintf(`"code":%d,`, code); strings.Count(out, `"id":8`) != 1 || !strings.Contains(out, want) {
			t.Errorf("%s: no %s in %s", line, want, out)
		}
	}
	if _, answer := overHTTP(t)(`{"jsonrpc":"2.0","id":8,"Method":"ping"}`, "2025-06-18"); !strings.Contains(answer, `"id":8`) || !strings.Contains(answer, `"code":-32600`) {
		t.Errorf("over HTTP: %s", answer)
	}
	if out := session(t, quarry.Config{}, map[string]string{"a.md": "kiln\n"}, `{"jsonrpc":"2.0","id":8,"result":{}}`); strings.Contains(out, `"id":8`) {
		t.Errorf("an answer is answered: %s", out)
	}
	in, out, _ := serve(t.Context(), t, oneEngine{open(t, true)})
	if _, err := io.WriteString(in, `{"jsonrpc":"2.0","id":8,"method":"tools/list"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, `"code":-32600`) {
		t.Errorf("before the handshake: %v, %s", err, line)
	}
}
