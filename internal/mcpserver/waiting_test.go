package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"quarry"
)

// Who waits for an index is answered when it is there, when the client gives up, and at last anyway.
func TestWaitWhile(t *testing.T) {
	for _, test := range []struct {
		name                  string
		goesOn, givesUp, want time.Duration
	}{
		{"done already", 0, time.Hour, 0},
		{"done soon", 3 * time.Second, time.Hour, 3 * time.Second},
		{"never done", time.Hour, time.Hour, longestWait},
		{"given up", time.Hour, 2 * time.Second, 2 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), test.givesUp)
			defer cancel()
			waitWhile(ctx, func() bool { return time.Since(start) < test.goesOn })
			if took := time.Since(start); took < test.want || took > test.want+indexPoll {
				t.Errorf("%s: %v", test.name, took)
			}
		})
	}
}

// Progress is told every second of a call, and never after it.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said []string
		progress := told(func(_ context.Context, message string) { said = append(said, message) })
		progress.during(t.Context(), "working", func() { time.Sleep(3500 * time.Millisecond) })
		time.Sleep(5 * time.Second)
		if got := strings.Join(said, ", "); got != "working, working, working" {
			t.Errorf("told %s", got)
		}
		said = nil
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		progress.during(cancelled, "cancelled", func() { time.Sleep(3 * progressStep) })
		if got := strings.Join(said, ", "); strings.Contains(got, "cancelled") {
			t.Errorf("told %s", got)
		}
		isDone := false
		told(nil).during(t.Context(), "working", func() { isDone = true })
		if !isDone {
			t.Error("a call that nobody is told of was not made")
		}
	})
}

// brokenEngines fail in a way that nobody foresaw.
type brokenEngines struct {
	err error
	log *bytes.Buffer
}

func (e brokenEngines) Acquire(context.Context) (*quarry.Engine, func(), error) {
	return nil, nil, e.err
}

func (brokenEngines) Redactor() *quarry.Redactor { return new(quarry.Redactor) }

func (e brokenEngines) Logger() *slog.Logger { return slog.New(slog.NewTextHandler(e.log, nil)) }

// What is not foreseen is told to clients in general words, and to the log by its kinds: neither learns the name of a note.
func TestUnforeseen(t *testing.T) {
	broken := brokenEngines{&fs.PathError{Op: "open", Path: "diary/Letters.md", Err: fs.ErrPermission}, &bytes.Buffer{}}
	engines := &reporter{Engines: broken}
	result, err := answerCall(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{}}, engines, &tools[0])
	if err != nil || !result.IsError {
		t.Fatalf("%+v, %v", result, err)
	}
	_, resourceErr := readResource(t.Context(), &mcp.ReadResourceRequest{Params: &mcp.ReadResourceParams{URI: noteURI + "a.md"}}, engines)
	for _, said := range []string{string(result.StructuredContent.(json.RawMessage)), fmt.Sprint(resourceErr), broken.log.String()} {
		if strings.Contains(said, "diary") || strings.Contains(said, "Letters") || !strings.Contains(said, "the question could not be answered") && !strings.Contains(said, "a question could not be answered") {
			t.Error(said)
		}
	}
	if said := broken.log.String(); strings.Count(said, "\n") != 2 || !strings.Contains(said, "open") || !strings.Contains(said, "tool=obsidian_search") {
		t.Errorf("the log has %s", said)
	}
	broken.err = fmt.Errorf("%w: line 3 of diary/config.toml", ErrConfiguration)
	engines = &reporter{Engines: broken}
	if result, err = answerCall(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{}}, engines, &tools[0]); err != nil || strings.Contains(fmt.Sprintf("%s", result.StructuredContent), "diary") {
		t.Errorf("%+v, %v", result, err)
	}
	if said := broken.log.String(); strings.Count(said, "\n") != 2 {
		t.Errorf("what is foreseen is in the log: %s", said)
	}
}

// docs/mcp.md lists the codes of errors, the tools with their arguments, and the prompts: all, and no others.
func TestDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "../failure/failure.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 1 {
			if text, ok := spec.Values[0].(*ast.BasicLit); ok && text.Kind == token.STRING {
				codes = append(codes, strings.Trim(text.Value, `"`))
			}
		}
		return true
	})
	if len(codes) < 15 {
		t.Errorf("codes %q", codes)
	}
	for _, code := range codes {
		if strings.Count(string(page), "\n| `"+code+"` |") != 1 {
			t.Errorf("the code %s is not in the table of docs/mcp.md", code)
		}
	}
	_, table, _ := strings.Cut(string(page), "## Errors")
	if rows := strings.Count(table, "\n| `"); rows != len(codes) {
		t.Errorf("the table has %d codes, and there are %d", rows, len(codes))
	}
	for _, tool := range tools {
		_, section, ok := strings.Cut(string(page), "### "+tool.name+"\n")
		section, _, _ = strings.Cut(section, "\n#")
		if !ok {
			t.Errorf("the tool %s is not in docs/mcp.md", tool.name)
		}
		for _, p := range tool.parameters {
			isShared := false
			for _, f := range filterParameters {
				isShared = isShared || f.name == p.name
			}
			if !isShared && !strings.Contains(section, "`"+p.name+"`") {
				t.Errorf("the argument %s of %s is not in docs/mcp.md", p.name, tool.name)
			}
		}
	}
	for _, f := range filterParameters {
		if !strings.Contains(string(page), "`"+f.name+"`") {
			t.Errorf("the filter %s is not in docs/mcp.md", f.name)
		}
	}
	for _, p := range prompts {
		if !strings.Contains(string(page), "`"+p.name+"`") {
			t.Errorf("the prompt %s is not in docs/mcp.md", p.name)
		}
	}
}

// Of the calls in one body one waits alone: all together wait no longer.
func TestOneOfABodyWaits(t *testing.T) {
	ctx, waits := inOneBody(t.Context()), 0
	for i := range 3 {
		if goesOn := paused(ctx, func() { waits++ }); goesOn != (i == 0) {
			t.Errorf("call %d goes on: %v", i, goesOn)
		}
	}
	if waits != 1 {
		t.Errorf("%d wait", waits)
	}
}
