package graph_test

import (
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quarry/graph"
)

var (
	anyWikilink = regexp.MustCompile(`\[\[([^\]|#]*)[^\]]*\]\]`)
	anyMarkdown = regexp.MustCompile(`\]\(<?([^)#>]*)[^)]*\)`)
	anyFile     = regexp.MustCompile(`"file": *"([^"]*)"`) // of a canvas
)

// TestObsidianGraph holds the resolver against Obsidian's own link cache of a real vault. What is a link is found here by
// simple patterns, which also see code and comments; so every file that Obsidian found has to be among those found here.
func TestObsidianGraph(t *testing.T) {
	folder := filepath.Join("..", "..", "shared", "conformance", "obsidian", "graph")
	data, err := os.ReadFile(filepath.Join(folder, "expect.json"))
	if err != nil {
		t.Skip("there is no ../shared/conformance/obsidian/graph beside the checkout")
	}
	var expect struct{ Resolved, Unresolved map[string]map[string]int }
	if err := json.Unmarshal(data, &expect); err != nil {
		t.Fatal(err)
	}
	vault := os.DirFS(filepath.Join(folder, "vault"))
	var files []string
	err = fs.WalkDir(vault, ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	resolver := graph.NewResolver(files)
	for source, targets := range expect.Resolved {
		text, err := fs.ReadFile(vault, source)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, target := range targetsIn(string(text)) {
			found[resolver.Resolve(target, "", source).Path] = true
		}
		for target := range targets {
			if !found[target] {
				t.Errorf("%s: no link leads to %s", source, target)
			}
		}
	}
	for source, targets := range expect.Unresolved {
		for target := range targets {
			if got := resolver.Resolve(target, "", source); got.State != graph.Unresolved {
				t.Errorf("%s: %q leads to %+v, should be unresolved", source, target, got)
			}
		}
	}
}

// targetsIn gives what may be link targets in a text.
func targetsIn(text string) []string {
	var targets []string
	for _, pattern := range []*regexp.Regexp{anyWikilink, anyMarkdown, anyFile} {
		for _, match := range pattern.FindAllStringSubmatch(text, -1) {
			target := strings.TrimSpace(match[1])
			if decoded, err := url.PathUnescape(target); err == nil && pattern == anyMarkdown {
				target = decoded
			}
			targets = append(targets, target)
		}
	}
	return targets
}
