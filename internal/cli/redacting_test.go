package cli_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"quarry/internal/cli"
)

// lateRule is an index that was built before the configuration had a rule that finds "kiln-" and six digits in it. Only the
// output pass stands between such a value and the reader.
func lateRule(t *testing.T) (flags []string, golden string) {
	t.Helper()
	vault, other := t.TempDir(), t.TempDir()
	write := func(path, text string) string {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write(filepath.Join(vault, "oven kiln-100001.md"), "---\ntags: [fire, kiln-100002]\ntype: kiln-100003\nstatus: kiln-100004\n---\n# Oven kiln-100005\n\n"+
		strings.Repeat("Words that fill the row. ", 9)+"The kiln-100006 kiln-100007 kiln-100008 kiln-100009 kiln-100010 kiln-100011 is hot. [[kiln-100012|kiln-100013]]\n\n## Heat kiln-100014\n\nkiln kiln-100015 oven\n")
	flags = []string{"--vault", vault, "--db", filepath.Join(other, "index.db"), "--config", emptyFile(t)}
	var out, talk bytes.Buffer
	if code := cli.Run(t.Context(), append([]string{"index"}, flags...), streams(&out, &talk)); code != 0 {
		t.Fatalf("exit code %d, %s", code, talk.String())
	}
	flags[len(flags)-1] = write(filepath.Join(other, "config.toml"), "[redaction]\npatterns = [{name = \"kiln-number\", pattern = \"kiln-[0-9]{6}\"}]\n")
	golden = write(filepath.Join(other, "golden.jsonl"), `{"id":"kiln-100016","query":"oven","intent":"kiln-100017","expected":[{"path":"kiln-100018","grade":1}]}`+"\n")
	return flags, golden
}

// TestOutputPass asks for a value that the index holds and the configuration forbids, in every form of every command.
func TestOutputPass(t *testing.T) {
	flags, golden := lateRule(t)
	for _, command := range [][]string{
		{"search", "oven"},
		{"search", "kiln"},
		{"search", "kiln", "--explain"},
		{"search", "kiln-100006"},
		{"search", "kiln", "--format", "csv"},
		{"search", "kiln", "--format", "md"},
		{"search", "kiln", "--format", "paths"},
		{"search", "kiln", "--format", "jsonl"},
		{"search", "kiln", "--json"},
		{"context", "kiln"},
		{"context", "kiln", "--format", "xml"},
		{"context", "kiln", "--json"},
		{"ls"},
		{"ls", "--json"},
		{"get", "**"},
		{"get", "**", "--json"},
		{"get", "kiln-100020"},
		{"links", "oven kiln-100001.md"},
		{"links", "oven kiln-100001.md", "--json"},
		{"graph"},
		{"graph", "--format", "dot"},
		{"graph", "--format", "graphml"},
		{"parse", "oven kiln-100001.md"},
		{"chunks", "oven kiln-100001.md"},
		{"status", "--json"},
		{"status"},
		{"eval", golden},
		{"eval", golden, "--json"},
		{"redact", golden},
		{"redact", golden, "--json"},
		{"redact", golden, "--hashes"},
		{"index", "--dry-run", "--log-level", "debug"},
	} {
		for _, terminal := range []bool{true, false} {
			var out, talk bytes.Buffer
			io := streams(&out, &talk)
			io.OutTerminal, io.Width = terminal, func() int { return 42 }
			cli.Run(t.Context(), append(command, flags...), io)
			written := out.String() + talk.String()
			plain := regexp.MustCompile(`\x1b\[[0-9;]*m|\s`).ReplaceAllString(withoutHashes(written), "")
			if m := regexp.MustCompile(`kiln-?\d{5,6}|10001\d`).FindString(plain); m != "" || written == "" {
				t.Errorf("%q, terminal %v: wrote %q", command, terminal, m)
			}
			if strings.HasPrefix(strings.TrimSpace(out.String()), "{") {
				checkJSON(t, command, out.Bytes())
			}
		}
	}
}

var hashOfFinding = regexp.MustCompile(`[0-9a-f]{64}`)

func withoutHashes(text string) string { return hashOfFinding.ReplaceAllString(text, "") }

func checkJSON(t *testing.T, command []string, written []byte) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(written))
	for {
		var document any
		switch err := decoder.Decode(&document); err {
		case nil:
		case io.EOF:
			return
		default:
			t.Errorf("%q: %v in %s", command, err, written)
			return
		}
	}
}

// The same over MCP: the text and the structured content, and errors that say what a client sent.
func TestOutputPassOverMCP(t *testing.T) {
	flags, _ := lateRule(t)
	session := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"obsidian_search","arguments":{"query":"oven"}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"kiln-200001","arguments":{}}}
{"jsonrpc":"2.0","id":4,"method":"kiln-200002"}
{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"obsidian_search","arguments":{"kiln-200003":1}}}
{"jsonrpc":"2.0","id":6,"method":"tools/list","params":{"cursor":"kiln-200004"}}
{"jsonrpc":"2.0","id":"a","method":"tools/call","params":["kiln-200005"]}
`
	var out, talk bytes.Buffer
	io := streams(&out, &talk)
	io.OutTerminal, io.In = false, strings.NewReader(session)
	if code := cli.Run(t.Context(), append([]string{"mcp"}, flags...), io); code != 0 {
		t.Errorf("exit code %d, %s", code, talk.String())
	}
	if m := regexp.MustCompile(`kiln-\d{5,6}`).FindString(out.String() + talk.String()); m != "" {
		t.Errorf("wrote %q in %s%s", m, out.String(), talk.String())
	}
	for _, want := range []string{`"id":2,`, `"id":3,`, `"id":4,`, `"id":5,`, `"id":6,`, `"id":"a"`, "REDACTED:kiln-number"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in %s", want, out.String())
		}
	}
	checkJSON(t, []string{"mcp"}, out.Bytes())
}

// Where nothing is found every byte is as it was.
func TestOutputPassChangesNothingElse(t *testing.T) {
	text := "A line\n\ttab \x1b[1mbold\x1b[0m ü 学 \u200b end without a line feed, and a hash " + strings.Repeat("0123456789abcdef", 4)
	for _, command := range [][]string{{"redact"}, {"redact", "--json"}} {
		var out, talk bytes.Buffer
		io := streams(&out, &talk)
		io.OutTerminal, io.In = false, strings.NewReader(text)
		cli.Run(t.Context(), command, io)
		got := out.String()
		if len(command) > 1 {
			var document struct{ Text string }
			if err := json.Unmarshal(out.Bytes(), &document); err != nil {
				t.Fatal(err)
			}
			got = document.Text
		}
		if got != text {
			t.Errorf("%q: %q", command, got)
		}
	}
}

// embed answers each line when it has read it, without waiting for the next.
func TestEmbedStreams(t *testing.T) {
	in, feed := io.Pipe()
	out, answers := io.Pipe()
	var talk bytes.Buffer
	streams := streams(answers, &talk)
	streams.In = in
	done := make(chan int, 1)
	go func() { done <- cli.Run(t.Context(), []string{"embed"}, streams) }()
	secret := "ghp" + "_" + strings.Repeat("aB3dE5", 6)
	for _, text := range []string{"one", "two " + secret} {
		if _, err := io.WriteString(feed, `"`+text+"\"\n"); err != nil {
			t.Fatal(err)
		}
		answer := make([]byte, 1<<20)
		read := make(chan int, 1)
		go func() {
			n, _ := out.Read(answer)
			read <- n
		}()
		select {
		case n := <-read:
			if got := string(answer[:n]); !strings.HasPrefix(got, `{"text":"`+text[:3]) || strings.Contains(got, secret) {
				t.Errorf("%q: %.80s", text, got)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("no answer")
		}
	}
	feed.Close()
	go func() { _, _ = io.Copy(io.Discard, out) }()
	if code := <-done; code != 0 {
		t.Errorf("exit code %d, %s", code, talk.String())
	}
}
