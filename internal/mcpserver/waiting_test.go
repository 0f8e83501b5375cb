package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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
		isDone := false
		told(nil).during(t.Context(), "working", func() { isDone = true })
		if !isDone {
			t.Error("a call that nobody is told of was not made")
		}
	})
}

// Every kind of failure has its code, and nothing of what a client may not know.
func TestDescribe(t *testing.T) {
	for _, test := range []struct {
		err  error
		code string
	}{
		{quarry.ErrNoIndex, codeNoIndex},
		{quarry.ErrDamaged, codeDamagedIndex},
		{quarry.ErrNewerIndex, codeUnusableIndex},
		{quarry.ErrOtherVault, codeUnusableIndex},
		{quarry.ErrForeignFile, codeUnusableIndex},
		{quarry.ErrNotFound, codeUnknownNote},
		{quarry.ErrLeftOut, codeUnknownNote},
		{quarry.ErrNoPart, codeUnknownPart},
		{quarry.ErrSeveral, codeAmbiguousNote},
		{context.Canceled, codeCancelled},
		{errBuilding, codeIndexBuilding},
		{errors.New("something else"), codeInternal},
	} {
		said := describe(fmt.Errorf("search: %w", test.err))
		if said.Code != test.code || said.Message == "" || said.Suggestion == "" {
			t.Errorf("%v: %+v", test.err, said)
		}
	}
	said := describe(fmt.Errorf("%w: line 3 of /srv/someone/config.toml", ErrConfiguration))
	if said.Code != codeConfiguration || strings.Contains(said.Message, "someone") {
		t.Errorf("%+v", said)
	}
	if said := describe(errors.New(strings.Repeat("ü", 5000))); len([]rune(said.Message)) > maxErrorCharacters+1 {
		t.Errorf("an error of %d characters", len([]rune(said.Message)))
	}
}

// docs/mcp.md lists the codes of errors, the tools with their arguments, and the prompts: all, and no others.
func TestDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "answer.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if ok && strings.HasPrefix(spec.Names[0].Name, "code") {
			code, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, code)
		}
		return true
	})
	if len(codes) < 14 {
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
