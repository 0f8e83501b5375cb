package archtest_test

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestRulesFindFaults shows each rule a file that breaks it, so that a rule which finds nothing is one that holds.
func TestRulesFindFaults(t *testing.T) {
	long := "// Package x is long.\npackage x\n\nfunc f() {\n" + strings.Repeat("\t_ = 0\n", maxFunctionLines+1) + "}\n"
	tall := "// Package x is tall.\npackage x\n" + strings.Repeat("\n", maxFileLines)
	tests := []struct {
		name, importPath, source, want string
	}{
		{"unknown package", "quarry/stray", "package stray", "not in the table"},
		{"write path reads", "quarry/index", `package index; import _ "quarry/search"`, "must not import quarry/search"},
		{"read path writes", "quarry/search", `package search; import _ "quarry/index"`, "must not import quarry/index"},
		{"front door holds a store", "quarry/internal/mcpserver", `package mcpserver; import _ "quarry/store/sqlite"`, "must not import quarry/store/sqlite"},
		{"database elsewhere", "quarry/store/memory", `package memory; import _ "modernc.org/sqlite"`, "only quarry/store/sqlite"},
		{"parser elsewhere", "quarry/chunk", `package chunk; import _ "github.com/yuin/goldmark/ast"`, "only quarry/note"},
		{"file in a pure package", "quarry/note", `package note; import _ "os"`, "must not import os"},
		{"network in a pure package", "quarry/graph", `package graph; import _ "net/http"`, "must not import net/http"},
		{"clock in a pure package", "quarry/chunk", `package chunk; import "time"; var now = time.Now`, "time.Now in a pure package"},
		{"clock under another name", "quarry/chunk", `package chunk; import clock "time"; var now = clock.Now()`, "time.Now in a pure package"},
		{"vague name", "quarry/internal/util", "package util", "says nothing"},
		{"exit", "quarry/vault", `package vault; import "os"; func f() { os.Exit(1) }`, "only a main package ends"},
		{"fatal", "quarry/vault", `package vault; import "log"; func f() { log.Fatal() }`, "only a main package ends"},
		{"environment", "quarry/index", `package index; import "os"; var home = os.Getenv("HOME")`, "only the command line reads"},
		{"function without comment", "quarry/vault", "package vault; func Walk() {}", "Walk has no doc comment"},
		{"method without comment", "quarry/vault", "package vault\n// T is a type.\ntype T int\nfunc (T) M() {}", "M has no doc comment"},
		{"type without comment", "quarry/vault", "package vault; type T int", "T has no doc comment"},
		{"constant without comment", "quarry/vault", "package vault; const (a = 1; B = 2)", "B has no doc comment"},
		{"long function", "quarry/vault", long, "more than 60"},
		{"tall file", "quarry/vault", tall, "more than 500"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			faults := allFaults(t, test.importPath, test.source)
			if !slices.ContainsFunc(faults, func(f string) bool { return strings.Contains(f, test.want) }) {
				t.Errorf("faults = %q, want one with %q", faults, test.want)
			}
		})
	}
}

// TestRulesLetPass shows what looks like a fault and is none.
func TestRulesLetPass(t *testing.T) {
	tests := []struct{ name, importPath, source string }{
		{"allowed import", "quarry/chunk", `package chunk; import _ "quarry/note"`},
		{"time as a type", "quarry/note", `package note; import "time"; var day, _ = time.Parse(time.DateOnly, "2026-01-31")`},
		{"name that only begins alike", "quarry/note", `package note; import _ "oslo"`},
		{"exit in a program", "quarry/cmd/quarry", `package main; import "os"; func main() { os.Exit(0) }`},
		{"comment of a group", "quarry/vault", "package vault\n// Kinds.\nconst (\n\tA = 1\n\tB = 2\n)"},
		{"method of a hidden type", "quarry/vault", "package vault; type t[K any] struct{}; func (*t[K]) Len() int { return 0 }"},
		{"error method", "quarry/vault", "package vault\n// E is an error.\ntype E struct{}\nfunc (E) Error() string { return \"\" }"},
		{"own Exit", "quarry/vault", "package vault; type door struct{}; func (door) Exit(int) {}; func f(os door) { os.Exit(1) }"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if faults := allFaults(t, test.importPath, test.source); len(faults) > 0 {
				t.Errorf("faults = %q, want none", faults)
			}
		})
	}
}

func TestTestImportsFindCycles(t *testing.T) {
	packages := map[string]*goPackage{
		"quarry/note":  {Path: "quarry/note", Sources: []source{parse(t, "note/note_test.go", `package note_test; import _ "quarry/chunk"`)}},
		"quarry/chunk": {Path: "quarry/chunk", Sources: []source{parse(t, "chunk/chunk.go", `package chunk; import _ "quarry/note"`)}},
	}
	if faults := cycleFaults(packages, packages["quarry/note"]); len(faults) != 1 {
		t.Errorf("faults = %q, want one", faults)
	}
	if faults := cycleFaults(packages, packages["quarry/chunk"]); len(faults) != 0 {
		t.Errorf("faults = %q, want none", faults)
	}
}

func allFaults(t *testing.T, importPath, text string) []string {
	t.Helper()
	s := parse(t, "x.go", text)
	p := &goPackage{Path: importPath, Sources: []source{s}}
	return slices.Concat(layerFaults(p), ownerFaults(p), pureFaults(p), nameFaults(p),
		documentFaults(s), sizeFaults(s), exitFaults(s), environmentFaults(importPath, s))
}

func parse(t *testing.T, name, text string) source {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return source{Name: name, File: file, Set: set, Test: strings.HasSuffix(name, "_test.go")}
}
