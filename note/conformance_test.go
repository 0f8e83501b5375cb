package note_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"testing"

	"quarry/note"
)

// shared gives a folder of data that lies beside the checkout and skips the test where it is missing.
func shared(t testing.TB, name string) string {
	folder := filepath.Join("..", "..", "shared", name)
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("no %s beside the checkout", folder)
	}
	return folder
}

type obsidianPlace struct {
	Line, Col, Offset, EndLine int
}

type obsidianLink struct {
	obsidianPlace
	Key, Raw, Target, Subpath, Display string
}

// obsidianCache is what Obsidian's metadata cache holds of a note: lines and columns from 0.
type obsidianCache struct {
	Path     string
	Headings []struct {
		obsidianPlace
		Text  string
		Level int
	}
	Links, Embeds, FrontmatterLinks []obsidianLink
	Tags                            []struct {
		obsidianPlace
		Tag string
	}
	FrontmatterTags []string
	AllTags         *[]string
	Blocks          []struct {
		obsidianPlace
		ID string
	}
	ListItems []struct {
		obsidianPlace
		Status *string
		Parent *int
	}
	Sections []struct {
		obsidianPlace
		Type string
	}
	Frontmatter map[string]any
}

// facts is a bag of facts as texts, by kind; the value tells whether it may be missing.
type facts map[string][]string

func (f facts) add(kind string, parts ...any) {
	f[kind] = append(f[kind], fmt.Sprintf("%q", parts))
}

var listPlace = regexp.MustCompile(`\.\d+\b`)

func expectedFacts(d obsidianCache) facts {
	f := facts{}
	for _, h := range d.Headings {
		f.add("headings", h.Line+1, h.Level, h.Text)
	}
	for kind, links := range map[string][]obsidianLink{"links": d.Links, "embeds": d.Embeds} {
		for _, l := range links {
			f.add(kind, l.Line+1, l.Col+1, l.Offset, l.Raw, l.Target, l.Subpath, l.Display)
		}
	}
	for _, l := range d.FrontmatterLinks {
		f.add("frontmatter links", listPlace.ReplaceAllString(l.Key, ""), l.Raw, l.Target, l.Subpath, l.Display)
	}
	if d.AllTags != nil { // older dumps follow older rules for tags
		for _, t := range d.Tags {
			f.add("tags", t.Line+1, t.Tag[1:])
		}
		for _, t := range d.FrontmatterTags {
			f.add("tags", 0, t[1:])
		}
	}
	for _, b := range d.Blocks {
		f.add("blocks", b.ID, b.Line+1, b.EndLine+1)
	}
	for _, i := range d.ListItems {
		if i.Status != nil {
			f.add("tasks", i.Line+1, *i.Status, lineOf(i.Parent, 1))
		}
	}
	for _, s := range d.Sections {
		f.add("sections", s.Type, s.Line+1, s.EndLine+1)
	}
	if d.Frontmatter == nil {
		d.Frontmatter = map[string]any{}
	}
	text, _ := json.Marshal(d.Frontmatter)
	f.add("frontmatter", string(text))
	return f
}

func lineOf(line *int, shift int) int {
	if line == nil {
		return -1
	}
	return *line + shift
}

// gotFacts gives ours, and of these what Obsidian does not see by a rule of ours.
func gotFacts(n *note.Note, d obsidianCache) (f, optional facts) {
	f, optional = facts{}, facts{}
	for _, h := range n.Headings {
		f.add("headings", h.Line, h.Level, h.Text)
	}
	for _, l := range n.Links {
		into := f
		if l.External || l.Hidden {
			into = optional
		}
		switch {
		case l.InFrontmatter:
			into.add("frontmatter links", l.Relation, l.Raw, l.Target, l.Subpath, l.Display)
		case l.Embed:
			into.add("embeds", l.Line, l.Column, l.Offset, l.Raw, l.Target, l.Subpath, l.Display)
		default:
			into.add("links", l.Line, l.Column, l.Offset, l.Raw, l.Target, l.Subpath, l.Display)
		}
	}
	for _, t := range n.Tags {
		into, line := f, t.Line
		if t.Legacy || t.Hidden || d.AllTags == nil {
			into = optional
		}
		if t.From == "frontmatter" {
			line = 0
		}
		into.add("tags", line, t.Tag)
	}
	for _, b := range n.Blocks {
		f.add("blocks", b.ID, b.Line, b.LineEnd)
	}
	for _, t := range n.Tasks {
		f.add("tasks", t.Line, t.Status, lineOf(t.ParentLine, 0))
	}
	for _, s := range n.Sections {
		f.add("sections", s.Type, s.LineStart, s.LineEnd)
	}
	text, _ := json.Marshal(n.Frontmatter)
	f.add("frontmatter", string(text))
	return f, optional
}

// TestObsidian compares what we see in a note with what Obsidian's own cache holds of it.
func TestObsidian(t *testing.T) {
	folder := shared(t, "conformance/obsidian/cases")
	files, err := filepath.Glob(filepath.Join(folder, "*", "expect.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", folder, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var d obsidianCache
			if err := json.Unmarshal(data, &d); err != nil {
				t.Fatal(err)
			}
			raw, err := os.ReadFile(filepath.Join(filepath.Dir(file), "note.md"))
			if err != nil {
				t.Fatal(err)
			}
			compareFacts(t, expectedFacts(d), note.Parse(d.Path, raw, nil), d)
		})
	}
}

func compareFacts(t *testing.T, want facts, n *note.Note, d obsidianCache) {
	got, optional := gotFacts(n, d)
	kinds := map[string]bool{}
	for kind := range want {
		kinds[kind] = true
	}
	for kind := range got {
		kinds[kind] = true
	}
	for kind := range kinds {
		have := map[string]int{}
		for _, fact := range got[kind] {
			have[fact]++
		}
		may := map[string]int{}
		for _, fact := range optional[kind] {
			may[fact]++
		}
		for _, fact := range want[kind] {
			switch {
			case have[fact] > 0:
				have[fact]--
			case may[fact] > 0:
				may[fact]--
			default:
				t.Errorf("%s: missing %s", kind, fact)
			}
		}
		var extra []string
		for fact, count := range have {
			if count > 0 {
				extra = append(extra, fact)
			}
		}
		sort.Strings(extra)
		for _, fact := range extra {
			t.Errorf("%s: Obsidian does not see %s", kind, fact)
		}
	}
}
