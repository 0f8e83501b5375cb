package quarry_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry"
	"quarry/note"
)

// caseVault is a copy of one of the vaults in cases/, indexed. Its methods give facts as lines of text, so that a test
// shows what is right.
type caseVault struct {
	*testing.T
	dir    string
	engine *quarry.Engine
	report quarry.IndexReport
}

// TestCases holds the engine to what EXPECT.md of every case says.
func TestCases(t *testing.T) {
	if testing.Short() {
		t.Skip("one vault after another")
	}
	folders, err := filepath.Glob("cases/*/EXPECT.md")
	if err != nil || len(folders) == 0 {
		t.Fatal("no cases are here", err)
	}
	for _, expect := range folders {
		name := filepath.Base(filepath.Dir(expect))
		check, ok := caseChecks[name]
		if !ok {
			t.Errorf("%s has no check", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			v := copied(t, filepath.Dir(expect))
			if v.report.Failed != 0 {
				t.Errorf("failed: %+v", v.report.Problems)
			}
			check(v)
		})
	}
	if len(caseChecks) != len(folders) {
		t.Errorf("%d checks for %d cases", len(caseChecks), len(folders))
	}
}

// copied indexes a copy of a folder, without what says how it should come out.
func copied(t *testing.T, folder string) *caseVault {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "vault")
	if err := os.CopyFS(dir, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "EXPECT.md")); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	v := &caseVault{T: t, dir: dir, engine: open(t, dir, filepath.Join(t.TempDir(), "index.db"))}
	v.report = mustIndex(t, v.engine, quarry.IndexOptions{})
	return v
}

// want compares lines.
func (v *caseVault) want(what string, got []string, want ...string) {
	v.Helper()
	if diff := cmp.Diff(orNone(want), orNone(got)); diff != "" {
		v.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func orNone(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return list
}

// links are the resolved links of a note in reading order: "kind: target#subpath -> path (state)", the usual left out.
func (v *caseVault) links(path string) []string {
	v.Helper()
	around, err := v.engine.Links(v.Context(), quarry.LinksRequest{Note: path})
	if err != nil {
		v.Fatal(err)
	}
	var out []string
	for _, link := range around.Out {
		line := link.Target + link.Subpath
		if link.Kind != "references" {
			line = link.Kind + ": " + line
		}
		if link.Resolved != nil {
			line += " -> " + *link.Resolved
		}
		if link.State != "ok" {
			line += fmt.Sprintf(" (%s)", link.State)
		}
		if link.Hidden {
			line += " (hidden)"
		}
		out = append(out, line)
	}
	return out
}

func (v *caseVault) backlinks(path string) []string {
	v.Helper()
	around, err := v.engine.Links(v.Context(), quarry.LinksRequest{Note: path})
	if err != nil {
		v.Fatal(err)
	}
	var out []string
	for _, link := range around.Back {
		out = append(out, link.Source)
	}
	return out
}

func (v *caseVault) parse(path string) *note.Note {
	v.Helper()
	parsed, err := v.engine.Parse(v.Context(), path)
	if err != nil {
		v.Fatal(err)
	}
	return parsed
}

// written are the links of a note as they were read: "relation: target#subpath|display".
func (v *caseVault) written(path string) []string {
	v.Helper()
	var out []string
	for _, link := range v.parse(path).Links {
		line := link.Target + link.Subpath + "|" + link.Display
		if link.Relation != "" {
			line = link.Relation + ": " + line
		}
		if link.Hidden {
			line += " (hidden)"
		}
		out = append(out, line)
	}
	return out
}

// tags are sorted, each once.
func (v *caseVault) tags(path string) []string {
	v.Helper()
	var out []string
	for _, tag := range v.parse(path).Tags {
		line := tag.Tag
		if tag.Legacy {
			line += " (legacy)"
		}
		if tag.Hidden {
			line += " (hidden)"
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// headings are "level text".
func (v *caseVault) headings(path string) []string {
	v.Helper()
	var out []string
	for _, h := range v.parse(path).Headings {
		out = append(out, fmt.Sprintf("%d %s", h.Level, h.Text))
	}
	return out
}

// faults are those of the frontmatter: "line message", and whether the properties were saved.
func (v *caseVault) faults(path string) []string {
	v.Helper()
	var out []string
	for _, e := range v.parse(path).FrontmatterErrors {
		line := fmt.Sprintf("%d %s", e.Line, e.Message)
		if e.Recovered {
			line += " (recovered)"
		}
		out = append(out, line)
	}
	return out
}

// found are the notes of an answer, best first, each once.
func (v *caseVault) found(mode quarry.Mode, query string) []string {
	v.Helper()
	var out []string
	for _, r := range v.search(mode, query).Results {
		if !slices.Contains(out, r.FilePath) {
			out = append(out, r.FilePath)
		}
	}
	return out
}

func (v *caseVault) search(mode quarry.Mode, query string) quarry.SearchAnswer {
	v.Helper()
	answer, err := v.engine.Search(v.Context(), quarry.SearchRequest{Query: query, Mode: mode})
	if err != nil {
		v.Fatal(err)
	}
	return answer
}

// text is what an address gives.
func (v *caseVault) text(address string) string {
	v.Helper()
	excerpts, err := v.engine.Read(v.Context(), []string{address}, 0)
	if err != nil {
		v.Fatal(err)
	}
	return excerpts[0].Text
}

func (v *caseVault) chunks(path string) []quarry.Chunk {
	v.Helper()
	list, err := v.engine.Chunks(v.Context(), path)
	if err != nil {
		v.Fatal(err)
	}
	return list.Chunks
}

// passages are the texts of all chunks of a note, together.
func (v *caseVault) passages(path string) string {
	v.Helper()
	var texts []string
	for _, c := range v.chunks(path) {
		texts = append(texts, c.ChunkText)
	}
	return strings.Join(texts, "\n")
}

// problems are those of the status: "path:line reason".
func (v *caseVault) problems() []string {
	v.Helper()
	status, err := v.engine.Status(v.Context())
	if err != nil {
		v.Fatal(err)
	}
	var out []string
	for _, p := range status.Problems {
		line := 0
		if p.Line != nil {
			line = *p.Line
		}
		out = append(out, fmt.Sprintf("%s:%d %s", p.Path, line, p.Reason))
	}
	return out
}

// notes are the paths of all indexed notes.
func (v *caseVault) notes(filter quarry.Filter) []string {
	v.Helper()
	list, err := v.engine.List(v.Context(), quarry.ListRequest{Filter: filter})
	if err != nil {
		v.Fatal(err)
	}
	var out []string
	for _, n := range list {
		out = append(out, n.FilePath)
	}
	return out
}

// has asks for each text in whole, lacks for none of them.
func (v *caseVault) has(what, whole string, texts ...string) {
	v.Helper()
	for _, text := range texts {
		if !strings.Contains(whole, text) {
			v.Errorf("%s lacks %q: %q", what, text, whole)
		}
	}
}

func (v *caseVault) lacks(what, whole string, texts ...string) {
	v.Helper()
	for _, text := range texts {
		if strings.Contains(whole, text) {
			v.Errorf("%s has %q: %q", what, text, whole)
		}
	}
}
