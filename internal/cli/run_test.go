package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"quarry/internal/cli"
)

// streams are those of a person at a terminal, without an environment.
func streams(out, errors io.Writer) cli.IO {
	return cli.IO{In: strings.NewReader(""), Out: out, Err: errors, Env: func(string) string { return "" }, OutTerminal: true}
}

// hostile is a vault whose notes try to steer the terminal, also by their names where the file system lets them.
func hostile(t *testing.T) (dir string, flags []string) {
	t.Helper()
	dir = t.TempDir()
	name := "note.md"
	if runtime.GOOS == "linux" {
		name = "no\x1b[31m\nte.md"
	}
	text := "---\nupdated: \"\\e[31mred\"\n---\n# Kiln \x1b]0;title\x07\n\nThe kiln \x1b[2J \u009b31m \u202e is hot. [[Bo\x1bat]]\n"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, []string{"--vault", dir, "--db", filepath.Join(t.TempDir(), "index.db"), "--config", emptyFile(t), "--no-color"}
}

func emptyFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestNotesDoNotSteerTheTerminal(t *testing.T) {
	_, flags := hostile(t)
	for _, command := range [][]string{
		{"search", "--mode", "lexical", "kiln"},
		{"search", "--mode", "lexical", "kiln", "--json"},
		{"search", "--mode", "lexical", "kiln", "--explain"},
		{"search", "--mode", "lexical", "kiln", "--format", "csv"},
		{"search", "--mode", "lexical", "kiln", "--format", "jsonl"},
		{"search", "--mode", "lexical", "kiln", "--format", "md"},
		{"search", "--mode", "lexical", "kiln", "--format", "paths"},
		{"context", "kiln"},
		{"context", "kiln", "--format", "xml"},
		{"ls"},
		{"ls", "--json"},
		{"get", "*.md"},
		{"get", "no\x1bte"},
		{"graph", "--format", "dot"},
		{"graph", "--format", "graphml"},
		{"graph"},
		{"links", "*.md"},
		{"status"},
		{"sear\x1bch"},
	} {
		var out, talk bytes.Buffer
		cli.Run(t.Context(), append(command, flags...), streams(&out, &talk))
		if out.Len()+talk.Len() == 0 {
			t.Errorf("%q: nothing was written", command)
		}
		if at := strings.IndexAny(out.String()+talk.String(), "\x1b\x07\u009b\u202e"); at >= 0 {
			t.Errorf("%q: %q", command, (out.String() + talk.String())[at:])
		}
		lines := strings.Count(out.String(), "\n")
		if last := command[len(command)-1]; (last == "paths" || last == "ls") && lines != 1 {
			t.Errorf("%q: %d lines: %q", command, lines, out.String())
		}
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestBrokenOutput(t *testing.T) {
	_, flags := hostile(t)
	for _, test := range []struct {
		err  error
		code int
		want string
	}{
		{&os.PathError{Op: "write", Path: "/dev/stdout", Err: errors.New("no space left on device")}, 1, "quarry: write the output: no space left on device\nhint: "},
		{&os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}, 0, ""},
	} {
		for _, command := range [][]string{{"search", "--mode", "lexical", "kiln"}, {"search", "--mode", "lexical", "kiln", "--json"}, {"search", "--mode", "lexical", "kiln", "--format", "csv"}, {"ls"}, {"version"}, {"graph"}} {
			var talk bytes.Buffer
			code := cli.Run(t.Context(), append(command, append(flags, "--quiet")...), streams(brokenWriter{test.err}, &talk))
			if code != test.code || !strings.HasPrefix(talk.String(), test.want) || test.want == "" && talk.Len() > 0 {
				t.Errorf("%q, %v: exit code %d, %q", command, test.err, code, talk.String())
			}
		}
	}
}

// What waits for its input ends when it is interrupted.
func TestInterruptedWhileReading(t *testing.T) {
	for _, command := range []string{"embed", "redact", "compress"} {
		ctx, cancel := context.WithCancel(t.Context())
		in, feed := io.Pipe()
		done := make(chan int, 1)
		var out, talk bytes.Buffer
		io := streams(&out, &talk)
		io.In = in
		go func() { done <- cli.Run(ctx, []string{command}, io) }()
		if _, err := feed.Write([]byte("\"a\"\n")); err != nil {
			t.Fatal(err)
		}
		cancel()
		select {
		case code := <-done:
			if code != 130 {
				t.Errorf("%s: exit code %d", command, code)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s did not end", command)
		}
		feed.Close()
	}
}

// The lines before a mistake are answered.
func TestEmbedKeepsWhatIsDone(t *testing.T) {
	for _, bad := range []string{"null", "3", "{"} {
		var out, talk bytes.Buffer
		io := streams(&out, &talk)
		io.In = strings.NewReader("\"one\"\n" + bad + "\n")
		code := cli.Run(t.Context(), []string{"embed"}, io)
		if code != 1 || !strings.HasPrefix(out.String(), `{"text":"one"`) || !strings.Contains(talk.String(), "line 2: it is no JSON string") {
			t.Errorf("%s: exit code %d, %.40q, %q", bad, code, out.String(), talk.String())
		}
	}
}

// A configuration in the vault that cannot be read is no reason to leave its rules out.
func TestVaultConfiguration(t *testing.T) {
	dir, flags := hostile(t)
	path := filepath.Join(dir, ".quarry.toml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func() (int, string) {
		var out, talk bytes.Buffer
		code := cli.Run(t.Context(), append([]string{"ls"}, flags...), streams(&out, &talk))
		return code, talk.String()
	}
	for _, test := range []struct {
		text string
		code int
		want string
	}{
		{"\ufeffmax_file_mb = 2\n", 0, ""},
		{"max_file_mb = 17", 0, "max_file_mb = 17 is ignored"},
		{"max_file_mb = 0", 1, "max_file_mb: 0 is out of range"},
		{"max_file_mb = -1", 1, "max_file_mb takes 1 to 1024"},
		{"max_file_mb = 9223372036854775807", 1, "is out of range"},
	} {
		write(test.text)
		if code, talk := run(); code != test.code || !strings.Contains(talk, test.want) {
			t.Errorf("%q: exit code %d, %q", test.text, code, talk)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if code, talk := run(); code != 1 || !strings.Contains(talk, "it is no regular file\nhint: ") {
		t.Errorf("a folder: exit code %d, %q", code, talk)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(emptyFile(t), path); err != nil {
		t.Skip("no symlinks here")
	}
	if code, talk := run(); code != 1 || !strings.Contains(talk, "it is no regular file\nhint: ") {
		t.Errorf("a symlink: exit code %d, %q", code, talk)
	}
}

// A document of JSON is indented for a person; programs get the same in one line.
func TestJSONAtATerminal(t *testing.T) {
	dir, flags := hostile(t)
	note := "note.md"
	if runtime.GOOS == "linux" {
		note = "*.md"
	}
	plainNote := filepath.Join(dir, "plain.md")
	if err := os.WriteFile(plainNote, []byte("# Kiln\n\nHot.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{
		{"parse", "plain.md"},
		{"chunks", "plain.md"},
		{"graph"},
		{"status", "--json"},
		{"ls", "--json"},
		{"get", note, "--json"},
		{"links", "plain.md", "--json"},
		{"search", "kiln", "--json"},
		{"search", "kiln", "--format", "json"},
		{"context", "kiln", "--json"},
		{"index", "--json"},
		{"version", "--json"},
	} {
		run := func(terminal bool) string {
			var out, talk bytes.Buffer
			io := streams(&out, &talk)
			io.OutTerminal = terminal
			if code := cli.Run(t.Context(), append(command, flags...), io); code != 0 {
				t.Fatalf("%q: exit code %d, %s", command, code, talk.String())
			}
			return out.String()
		}
		run(true) // builds the index
		indented, compact := run(true), run(false)
		if !strings.HasPrefix(indented, "{\n  \"") || strings.Count(compact, "\n") != 1 {
			t.Errorf("%q:\n%.200s\n%.200s", command, indented, compact)
		}
		var again bytes.Buffer
		if err := json.Compact(&again, []byte(indented)); err != nil || again.String()+"\n" != compact {
			t.Errorf("%q, %v: another document:\n%.300s\n%.300s", command, err, again.String(), compact)
		}
	}
}
