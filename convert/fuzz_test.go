package convert_test

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"quarry/convert"
	"quarry/convert/export"
	"quarry/graph"
	"quarry/internal/draft"
	"quarry/internal/filename"
	"quarry/note"
)

// FuzzPlan holds that whatever notes are called, and whatever links call them, each path is valid and unique, each link that is said to
// resolve does, and a second run writes nothing.
func FuzzPlan(f *testing.F) {
	for _, seed := range []string{
		"Harbour\nharbour\nHARBOUR", "a/b\na:b\na?b\na\\b", "con\nnul.txt\n..\n.hidden\n\x00", "cafe\u0301\ncaf\u00e9\nCAFÉ", "x#y\nx^y\nx|y\n[[x]]\nx]]y",
		"a/x\nb/x\nx\na/b/x\nB/X", "a.png\na.png.md\na.md\na", strings.Repeat("long/", 60) + "end\n" + strings.Repeat("é", 300), "ß\nss\nſ\nS\nK\nk\u212a", "f\nf/f\nf.md/f\nF/f.md", "v1.2\nv1\nv1.2.3", "- [ ] x\n|a|b|\n`c`\n%%",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(text, "\n")
		if len(lines) > 12 || len(text) > 4000 {
			return
		}
		memory := newMemory()
		end := convert.WithFormat("fuzz", readerOf(lines))
		defer end()
		from, dir := t.TempDir(), t.TempDir()
		put(t, from, map[string]string{"x": "x"})
		put(t, dir, map[string]string{"Harbour.md": "of the user", "08-attachments/a.png": "of the user", "00-inbox/fuzz/x.md": "of the user"})
		report := mustImport(t, dir, convert.Options{Format: "fuzz", Export: from, Memory: memory})
		if len(report.Problems) > 0 || report.Notes.Written != len(lines) || report.Links.Resolved != report.Links.Found {
			t.Fatalf("%+v", report)
		}
		checkNames(t, report)
		checkLinks(t, dir, report)
		if again := mustImport(t, dir, convert.Options{Format: "fuzz", Export: from, Memory: memory}); len(again.Written) > 0 {
			t.Errorf("a second run: %+v", again)
		}
	})
}

// readerOf gives a reader of one note and one attachment for each line; each note links to all, by ID, and to a heading of its own name.
func readerOf(lines []string) export.Reader {
	return func(_ context.Context, _ *export.Tree, b *export.Builder) error {
		for i, line := range lines {
			n := export.Note{ID: fmt.Sprint(i), Path: line, Note: draft.Note{Title: line, Updated: time.Unix(1e9, 0)}}
			n.Body = "# Head " + fmt.Sprint(i) + "\n\ntext ^b" + fmt.Sprint(i) + "\n\n"
			for j := range lines {
				n.Body += b.Link(export.Target{ID: fmt.Sprint(j), Text: line}) + "\n\n" + b.Link(export.Target{ID: fmt.Sprint(j), Heading: fmt.Sprintf("head-%d", j)}) + "\n\n" +
					b.Link(export.Target{ID: fmt.Sprint(j), Block: fmt.Sprintf("b%d", j)}) + "\n\n" + b.Link(export.Target{ID: fmt.Sprintf("a%d", j), IsEmbed: true, Size: "240"}) + "\n\n"
			}
			b.Notes = append(b.Notes, n)
			b.Attachments = append(b.Attachments, export.Attachment{ID: fmt.Sprintf("a%d", i), Path: line + ".png", Read: func() ([]byte, error) { return []byte(fmt.Sprint(i)), nil }})
		}
		return nil
	}
}

func checkNames(t *testing.T, report convert.Report) {
	t.Helper()
	seen := map[string]bool{}
	for _, f := range report.Written {
		key := strings.ToLower(filename.Fold(f.Path))
		if seen[key] {
			t.Errorf("two files are %q", f.Path)
		}
		seen[key] = true
		if len(f.Path) > 400 || !utf8.ValidString(f.Path) {
			t.Errorf("the path %q", f.Path)
		}
		for part := range strings.SplitSeq(f.Path, "/") {
			if strings.ContainsAny(part, "\\:*?\"<>|#^[]%\x00") || strings.HasPrefix(part, ".") || strings.TrimRight(part, " .") != part {
				t.Errorf("a name in %q", f.Path)
			}
		}
	}
}

// checkLinks resolves all links as the index does.
func checkLinks(t *testing.T, dir string, report convert.Report) {
	t.Helper()
	files := filesOf(t, dir)
	var paths []string
	outlines := map[string]*graph.Outline{}
	notes := map[string]*note.Note{}
	for name, content := range files {
		paths = append(paths, name)
		if path.Ext(name) != ".md" {
			continue
		}
		n := note.Reader{}.Read(name, []byte(content))
		notes[name] = n
		outlines[name] = outlineOf(n)
	}
	resolver := graph.NewResolver(paths).WithOutlines(func(path string) *graph.Outline { return outlines[path] })
	links := 0
	for name, n := range notes {
		for _, link := range n.Links {
			if link.InFrontmatter {
				continue // a title such as "[[x]]"
			}
			links++
			if got := resolver.Resolve(link.Target, link.Subpath, name); got.State != graph.OK {
				t.Errorf("%s: the link to %q %q is %+v", name, link.Target, link.Subpath, got)
			}
		}
	}
	if links != report.Links.Resolved {
		t.Errorf("%d links, %d were told of; %s", links, report.Links.Resolved, firstOf(files))
	}
}

func firstOf(files map[string]string) string {
	var b bytes.Buffer
	for name, content := range files {
		if len(content) > 20 {
			fmt.Fprintf(&b, "%s: %.300s\n", name, content)
			break
		}
	}
	return b.String()
}

func outlineOf(n *note.Note) *graph.Outline {
	var headings []graph.Heading
	for _, h := range n.Headings {
		headings = append(headings, graph.Heading{Level: h.Level, Text: h.Text})
	}
	var blocks []string
	for _, b := range n.Blocks {
		blocks = append(blocks, b.ID)
	}
	return graph.NewOutline(headings, blocks)
}
