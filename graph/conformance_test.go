package graph_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/graph"
	"quarry/internal/dialect"
	"quarry/note"
)

// TestObsidianGraph holds notes and links against Obsidian's own link cache of a real vault: which file links to which, and
// which targets it does not find. A link in a comment may be more than Obsidian has.
func TestObsidianGraph(t *testing.T) {
	folder := filepath.Join("..", "..", "shared", "conformance", "obsidian", "graph")
	data, err := os.ReadFile(filepath.Join(folder, "expect.json"))
	if err != nil {
		t.Skip("there is no ../shared/conformance/obsidian/graph beside the checkout")
	}
	var expect struct {
		Resolved, Unresolved map[string]map[string]int
		Emptied              []string // kept for their names alone
	}
	if err := json.Unmarshal(data, &expect); err != nil {
		t.Fatal(err)
	}
	v := readFolder(t, filepath.Join(folder, "vault"), dialect.Obsidian)
	var got, want []string
	for source, targets := range expect.Resolved {
		for target := range targets {
			want = append(want, source+" -> "+target)
		}
	}
	for source, targets := range expect.Unresolved {
		for target := range targets {
			want = append(want, source+" -/> "+target)
		}
	}
	for _, n := range v.notes {
		if slices.Contains(expect.Emptied, n.Path) {
			continue
		}
		for _, edge := range edgesOf(t, v, n) {
			if hidden, ok := strings.CutPrefix(edge, "hidden "); !ok {
				got = append(got, edge)
			} else if slices.Contains(want, hidden) {
				got = append(got, hidden)
			}
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// edgesOf lists the links of a note as "source -> path", or "source -/> target" where it leads nowhere.
func edgesOf(t *testing.T, v realVault, n graph.Note) []string {
	t.Helper()
	s, err := graph.Around(n.Path, all([]graph.Note{n}, nil), v.resolver)
	if err != nil {
		t.Fatal(err)
	}
	var edges []string
	for _, l := range s.Out {
		edge := n.Path + " -/> " + l.Target
		switch {
		case l.State == graph.External:
			continue
		case l.Resolved != nil:
			edge = n.Path + " -> " + *l.Resolved
		}
		if l.Hidden {
			edge = "hidden " + edge
		}
		edges = append(edges, edge)
	}
	return edges
}

// isNote tells which files the vaults of these tests have as notes.
func isNote(path string) bool {
	return slices.Contains([]string{".md", ".canvas", ".base"}, filepath.Ext(path))
}

// readVault parses the notes of a vault beside the checkout, and skips the test where it is missing.
func readVault(t *testing.T, name string, d dialect.Dialect) realVault {
	t.Helper()
	root := filepath.Join("..", "..", "shared", "vaults", name, "vault")
	if _, err := os.Stat(root); err != nil {
		t.Skipf("there is no ../shared/vaults/%s beside the checkout", name)
	}
	return readFolder(t, root, d)
}

// readFolder parses the notes of a folder.
func readFolder(t *testing.T, root string, d dialect.Dialect) realVault {
	t.Helper()
	var files []string
	v := realVault{names: map[string]string{}}
	aliases, titles, blocks, outlines := map[string][]string{}, map[string]string{}, map[string]string{}, map[string]*graph.Outline{}
	vault := os.DirFS(root)
	err := fs.WalkDir(vault, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files = append(files, path)
		v.names[lettersOf(strings.TrimSuffix(filepath.Base(path), ".md"))] = path
		if !isNote(path) {
			return nil
		}
		data, err := fs.ReadFile(vault, path)
		if err != nil {
			return err
		}
		n := note.Reader{Dialect: d}.Read(path, data)
		v.notes = append(v.notes, graph.Note{Path: path, Links: storedLinks(n)})
		aliases[path], titles[path] = n.Aliases, n.Title
		if n.Kind == note.Plain || n.Kind == note.Kanban { // subpaths name other things elsewhere
			outlines[path] = outlineOf(n)
		}
		if d == dialect.Logseq {
			for _, name := range append([]string{n.Title}, n.Aliases...) {
				v.names[lettersOf(name)] = path
			}
		}
		for _, b := range n.Blocks {
			blocks[b.ID] = path
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	delete(v.names, "")
	v.resolver = graph.NewResolver(files).WithAliases(aliases).WithDialect(d, titles).WithBlocks(blocks).
		WithOutlines(func(path string) *graph.Outline { return outlines[path] })
	return v
}
