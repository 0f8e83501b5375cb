package health_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/graph"
	"quarry/health"
	"quarry/internal/dialect"
	"quarry/store"
)

// vault is a small vault in words: what stands in each note, by path.
type vault struct {
	notes    []noted
	files    []string
	dialect  dialect.Dialect
	customs  health.Customs
	types    []string
	problems []store.Problem
	index    health.Index
}

// noted is a note with what it says.
type noted struct {
	health.Note
	text       string
	properties string // JSON
	links      []store.Link
	headings   []store.Heading
	blocks     []string
	aliases    []string
}

// note adds a note. Links are "target", "target#heading", "!target" for an embed, "(target)" for Markdown and "rel:kind target"
// for a relation in brackets; they resolve among the notes and files that are there at the end.
func (v *vault) note(path, text string, edit ...func(*noted)) *vault {
	n := noted{Note: health.Note{Path: path, Title: strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".md")}, text: text, properties: `{"a":1}`}
	if text != "" {
		n.Passages = 1
	}
	for _, change := range edit {
		change(&n)
	}
	v.notes = append(v.notes, n)
	return v
}

func links(of ...string) func(*noted) {
	return func(n *noted) {
		for _, written := range of {
			n.links = append(n.links, linkOf(written, len(n.links)+1))
		}
	}
}

func linkOf(written string, line int) store.Link {
	link := store.Link{Line: line}
	link.Embed = strings.HasPrefix(written, "!")
	written = strings.TrimPrefix(written, "!")
	if strings.HasPrefix(written, "(") {
		link.Markdown, written = true, strings.Trim(written, "()")
		link.Display = "text"
	}
	if rest, ok := strings.CutPrefix(written, "rel:"); ok && !strings.HasPrefix(rest, " ") && strings.Contains(rest, " ") {
		link.Relation, written, _ = strings.Cut(rest, " ")
		link.RelationInside = true
	}
	link.Target = written
	if at := strings.IndexByte(written, '#'); at >= 0 {
		link.Target, link.Subpath = written[:at], written[at:]
	}
	link.External = strings.Contains(link.Target, "://")
	return link
}

// linesAt puts the links of a note, and their relations, where they stand.
func linesAt(of ...store.Link) func(*noted) {
	return func(n *noted) { n.links = append(n.links, of...) }
}

func headings(of ...string) func(*noted) {
	return func(n *noted) {
		for _, text := range of {
			n.headings = append(n.headings, store.Heading{Level: 2, Text: text})
		}
	}
}

func tagged(of ...string) func(*noted)    { return func(n *noted) { n.Tags = of } }
func typed(kind string) func(*noted)      { return func(n *noted) { n.Type = kind } }
func titled(title string) func(*noted)    { return func(n *noted) { n.Title = title } }
func identified(id string) func(*noted)   { return func(n *noted) { n.DeclaredID = id } }
func aliased(of ...string) func(*noted)   { return func(n *noted) { n.aliases = of } }
func blocks(of ...string) func(*noted)    { return func(n *noted) { n.blocks = of } }
func properties(json string) func(*noted) { return func(n *noted) { n.properties = json } }

func (v *vault) facts() health.Facts {
	paths := slices.Clone(v.files)
	aliases, outlines := map[string][]string{}, map[string]*graph.Outline{}
	facts := health.Facts{Files: v.files, Customs: v.customs, Types: v.types, Problems: v.problems, Index: v.index}
	var all []store.OutlineOf
	for _, n := range v.notes {
		facts.Notes = append(facts.Notes, n.Note)
		paths = append(paths, n.Path)
		aliases[n.Path] = n.aliases
		var list []graph.Heading
		for _, h := range n.headings {
			list = append(list, graph.Heading(h))
		}
		outlines[n.Path] = graph.NewOutline(list, n.blocks)
		all = append(all, store.OutlineOf{Path: n.Path, Headings: n.headings, BlockIDs: n.blocks})
	}
	resolver := graph.NewResolver(paths).WithAliases(aliases).WithOutlines(func(path string) *graph.Outline { return outlines[path] })
	resolver = resolver.WithDialect(v.dialect, nil).WithTexts(func(path string) []string { return []string{v.at(path).text} })
	facts.Contents = v.contents(resolver)
	facts.Suggest = func(ctx context.Context, links []graph.Backlink, linked func(from, to string) bool, limit int) ([][]graph.Suggestion, error) {
		return resolver.SuggestAll(ctx, links, graph.Search{Limit: limit, Linked: linked, Outlines: func(yield func(store.OutlineOf, error) bool) {
			for _, of := range all {
				if !yield(of, nil) {
					return
				}
			}
		}})
	}
	facts.Lines = func(path string) []string {
		if !slices.ContainsFunc(v.notes, func(n noted) bool { return n.Path == path }) {
			return nil
		}
		return strings.Split(v.at(path).text, "\n")
	}
	return facts
}

func (v *vault) at(path string) *noted {
	return &v.notes[slices.IndexFunc(v.notes, func(n noted) bool { return n.Path == path })]
}

func (v *vault) contents(resolver *graph.Resolver) iter.Seq2[health.Content, error] {
	return func(yield func(health.Content, error) bool) {
		for _, n := range v.notes {
			content := health.Content{Path: n.Path, Properties: []byte(n.properties)}
			for k := range n.links {
				judged := resolver.Judge(&n.links[k], n.Path)
				content.Links = append(content.Links, health.LinkOf(&n.links[k], &judged))
			}
			if n.text != "" {
				content.Texts = []health.Text{{Line: 1, Text: n.text}}
			}
			if !yield(content, nil) {
				return
			}
		}
	}
}

// found are the findings of some checks, as "severity path:line message | remedy".
func (v *vault) found(t *testing.T, only ...string) []string {
	t.Helper()
	selection, err := health.Select(only, nil)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, f := range findingsOf(t, v.facts(), selection) {
		list = append(list, fmt.Sprintf("%s %s:%d %s | %s", f.Severity, f.Path, f.Line, f.Message, f.Remedy))
	}
	return list
}

func findingsOf(t testing.TB, facts health.Facts, selection health.Selection) []health.Finding {
	t.Helper()
	examination, err := health.Examine(t.Context(), facts, selection)
	if err != nil {
		t.Fatal(err)
	}
	findings, err := examination.Findings(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return findings
}

func (v *vault) want(t *testing.T, checks []string, want ...string) {
	t.Helper()
	if want == nil {
		want = []string{}
	}
	if diff := cmp.Diff(want, v.found(t, checks...)); diff != "" {
		t.Errorf("%v (-want +found):\n%s", checks, diff)
	}
}
