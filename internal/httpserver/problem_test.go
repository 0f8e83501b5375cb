package httpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"quarry"
	"quarry/internal/failure"
	"quarry/internal/httpserver"
)

// brokenEngines answer with an error.
type brokenEngines struct {
	fixedEngines
	err error
}

func (b brokenEngines) Acquire(context.Context) (*quarry.Engine, func(), error) {
	return nil, nil, b.err
}

// TestProblems: each error that is foreseen has a status of its own, the code that MCP gives, and no name in it.
func TestProblems(t *testing.T) {
	engine := openSample(t)
	for _, row := range []struct {
		err    error
		status int
		code   string
	}{
		{failure.ErrConfiguration, 503, failure.Configuration},
		{failure.ErrBuilding, 503, failure.IndexBuilding},
		{quarry.ErrClosed, 503, failure.Stopping},
		{quarry.ErrNoIndex, 503, failure.NoIndex},
		{quarry.ErrDamaged, 503, failure.DamagedIndex},
		{quarry.ErrNewerIndex, 503, failure.UnusableIndex},
		{quarry.ErrOtherVault, 503, failure.UnusableIndex},
		{quarry.ErrForeignFile, 503, failure.UnusableIndex},
		{context.Canceled, 503, failure.Cancelled},
		{context.DeadlineExceeded, 504, failure.TimedOut},
		{quarry.ErrSeveral, 409, failure.AmbiguousNote},
		{quarry.ErrNoPart, 404, failure.UnknownPart},
		{quarry.ErrNotFound, 404, failure.UnknownNote},
		{quarry.ErrReadOnly, 500, failure.Internal},
	} {
		engines := brokenEngines{fixedEngines{engine}, fmt.Errorf("ask: %w", row.err)}
		own := "http://" + serve(t, httpserver.Handler(engines, httpserver.Options{}))
		answer, text := call(t, http.MethodGet, own+"/api/status", "")
		if answer.StatusCode != row.status || codeOf(text) != row.code || (row.code == failure.IndexBuilding) != (answer.Header.Get("Retry-After") != "") {
			t.Errorf("%v: %d %s", row.err, answer.StatusCode, text)
		}
		_, text = call(t, http.MethodPost, own+httpserver.MCPPath, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"obsidian_search","arguments":{"query":"x"}}}`, mcpHeaders...)
		if !strings.Contains(text, `"code":"`+row.code+`"`) {
			t.Errorf("%v, by MCP: %s", row.err, text)
		}
	}
}

// TestUnforeseen: of an error that is not foreseen the client gets a number, under which the log has its kinds, and neither has a name.
func TestUnforeseen(t *testing.T) {
	var log bytes.Buffer
	options := httpserver.Options{Logger: slog.New(slog.NewTextHandler(&syncWriter{to: &log}, nil))}
	broken := fmt.Errorf("read private/Doctor.md: %w", &fs.PathError{Op: "open", Path: "/srv/me/private/Doctor.md", Err: errors.Join(syscall.EIO, errors.New("zebrafish"))})
	own := "http://" + serve(t, httpserver.Handler(brokenEngines{fixedEngines{openSample(t)}, broken}, options))
	_, text := call(t, http.MethodGet, own+"/api/note?file_path=private/Doctor.md", "")
	var said struct{ Error string }
	if err := json.Unmarshal([]byte(text), &said); err != nil {
		t.Fatal(err)
	}
	number := regexp.MustCompile(`^the question could not be answered \(([A-Z2-7]{8})\)$`).FindStringSubmatch(said.Error)
	if number == nil || !strings.Contains(log.String(), number[1]) || !strings.Contains(log.String(), syscall.EIO.Error()) {
		t.Errorf("the answer says %q, the log:\n%s", said.Error, log.String())
	}
	_, text = call(t, http.MethodPost, own+httpserver.MCPPath, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"obsidian_search","arguments":{"query":"zebrafish"}}}`, mcpHeaders...)
	if strings.Count(log.String(), "could not be answered") != 2 {
		t.Errorf("MCP logs nothing:\n%s", log.String())
	}
	if number := regexp.MustCompile(`answered \(([A-Z2-7]{8})\)`).FindStringSubmatch(text); number == nil || !strings.Contains(log.String(), number[1]) {
		t.Errorf("MCP says %q, the log:\n%s", text, log.String())
	}
	for _, secret := range []string{"Doctor", "zebrafish", "/home"} {
		if strings.Contains(text+log.String(), secret) {
			t.Errorf("%q is told: %s\n%s", secret, text, log.String())
		}
	}
}
