package setup

import (
	"bytes"
	"fmt"
	"slices"
)

// RoundTrip puts the pieces of a client into a content, twice, and takes them out again. kind is "servers", "hooks", "both"
// (one file for both), "toml" or "section". A content that takes no pieces gives an error of its own.
func RoundTrip(kind string, content []byte) (merged []byte, err error) {
	r := Request{Client: "gemini", Scope: User, Name: "notes", Command: "/opt/my tools/quarry", Vault: "/srv/ann/My 'notes'", Place: Place{Env: func(string) string { return "" }}}
	server, hooks := r.server("f", "mcpServers", true), r.claudeHooks("f")
	pieces := map[string][]piece{
		"servers": {server}, "hooks": {hooks}, "both": {server, hooks}, "section": {r.section("f")},
		"toml": {&tomlServer{file: "f", parent: "mcp_servers", name: "notes", command: r.Command, args: r.invocation("mcp")}},
	}[kind]
	before := bytes.Clone(content)
	merged = content
	for range 2 {
		last := merged
		for _, p := range pieces {
			if merged, err = p.put(merged); err != nil {
				return nil, err
			}
		}
		if !bytes.Equal(last, content) && !bytes.Equal(last, merged) {
			return nil, fmt.Errorf("%w: a second run changed\n%q to\n%q", ErrRoundTrip, last, merged)
		}
	}
	rest := merged
	for _, p := range slices.Backward(pieces) {
		isGone := false
		if rest, isGone, err = p.take(rest); err != nil {
			return merged, fmt.Errorf("%w: %w", ErrRoundTrip, err)
		}
		if isGone {
			rest = nil
		}
	}
	if !bytes.Equal(content, before) || !bytes.Equal(rest, before) || (rest == nil) != (before == nil) {
		return merged, fmt.Errorf("%w:\n%q became\n%q by way of\n%q", ErrRoundTrip, before, rest, merged)
	}
	return merged, nil
}

// ErrRoundTrip is what RoundTrip found.
var ErrRoundTrip = fmt.Errorf("round trip")

// WordsOf and the quote functions, for tests.
var (
	SplitWords      = splitWords
	QuoteShell      = quoteShell
	QuotePowerShell = quotePowerShell
	QuoteWindows    = quoteWindows
)
