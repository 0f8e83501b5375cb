package graph_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/graph"
	"quarry/internal/dialect"
	"quarry/store"
)

var every = func(string) bool { return true }

// changing makes names of few parts, so that many are alike.
type changing struct{ *rand.Rand }

func (r changing) one(of ...string) string { return of[r.IntN(len(of))] }

func (r changing) path() string {
	path := r.one("a", "B", "é", "rel:up x", "index", "İ", "readme", "b.c", "σ", ".")
	if r.IntN(8) > 0 {
		path += r.one(".md", ".md", ".md", ".png", ".md.md")
	}
	for range r.IntN(3) {
		path = r.one("a", "d", "rel:up y", "É", "index", "..") + "/" + path
	}
	return path
}

func (r changing) link() store.Link {
	target := r.path()
	switch r.IntN(6) {
	case 0:
		target = strings.ToUpper(target)
	case 1:
		target = strings.ReplaceAll(target, "/", `\`)
	case 2:
		target = strings.NewReplacer("é", "e\u0301", " ", "\u00a0", "σ", "ς").Replace(target)
	case 3:
		target += r.one("/", "/.", "/..", "//a", `\`)
	}
	if r.IntN(3) > 0 {
		target = strings.TrimSuffix(target, ".md")
	}
	link := store.Link{Target: r.one("", "", "./", "../", "/", "x/../") + target, Markdown: r.IntN(3) == 0}
	if relation, rest, ok := strings.Cut(strings.TrimPrefix(link.Target, "rel:"), " "); ok && strings.HasPrefix(link.Target, "rel:") && !link.Markdown {
		link.Relation, link.Target, link.RelationInside = relation, rest, true
	}
	return link
}

// TestMayChange holds, with names and changes at random, that a note whose links lead elsewhere after a change is told of, by
// the resolver of the names before as by that of those after.
func TestMayChange(t *testing.T) {
	for _, d := range []dialect.Dialect{dialect.Obsidian, dialect.Foam, dialect.Dendron, dialect.Logseq} {
		random := changing{rand.New(rand.NewPCG(7, 8))}
		led, told, asked := 0, 0, 0
		for range 3000 {
			before, after, changed := map[string]bool{}, []string{}, []string{}
			for range 1 + random.IntN(8) {
				before[random.path()] = true
			}
			kept := []string{}
			for _, path := range slices.Sorted(maps.Keys(before)) {
				if random.IntN(4) == 0 {
					changed = append(changed, path)
				} else {
					kept, after = append(kept, path), append(after, path)
				}
			}
			for range random.IntN(3) {
				if path := random.path(); !before[path] {
					changed, after = append(changed, path), append(after, path)
				}
			}
			old, now := graph.NewResolver(slices.Collect(maps.Keys(before))).WithDialect(d, nil), graph.NewResolver(after).WithDialect(d, nil)
			mayBefore, mayAfter := old.MayChange(changed), now.MayChange(changed)
			for _, source := range kept {
				links := []store.Link{random.link()}
				asked++
				may := mayBefore(links)
				if mayAfter(links) != may {
					t.Fatalf("%s: the resolvers before and after differ about %+v for %q", d, links, changed)
				}
				if may {
					told++
				}
				if a, b := old.Edges(source, links, every), now.Edges(source, links, every); !cmp.Equal(a, b) {
					led++
					if !may {
						t.Fatalf("%s: %+v of %q leads to %v, then to %v, but is not told of for %q", d, links[0], source, a, b, changed)
					}
				}
			}
		}
		t.Logf("%s: %d of %d links led elsewhere, %d were told of", d, led, asked, told)
		if led == 0 || d != dialect.Logseq && told > asked/2 {
			t.Errorf("%s: %d of %d links led elsewhere, %d were told of", d, led, asked, told)
		}
	}
}

func TestMayChangeNothing(t *testing.T) {
	links := []store.Link{{Target: "a"}, {Target: ".."}, {Target: "https://example.org", External: true}, {}}
	for d, want := range map[dialect.Dialect]bool{dialect.Obsidian: false, dialect.Foam: false, dialect.Dendron: false, dialect.Logseq: true} {
		resolver := graph.NewResolver([]string{"a.md"}).WithDialect(d, nil)
		if got := resolver.MayChange(nil)(links); got != want || resolver.PathsDecide() == want {
			t.Errorf("%s: %t for no change", d, got)
		}
	}
	resolver := graph.NewResolver([]string{"a.md"})
	if resolver.MayChange([]string{"x/a.md"})(links[2:]) {
		t.Error("addresses and links within the note may change")
	}
}

func TestEdges(t *testing.T) {
	links := []store.Link{
		{Target: "Glaze", Subpath: "#gone"},
		{Target: "photo.png", Embed: true},
		{Target: "glaze", Embed: true},
		{Target: "Glaze", Hidden: true},
		{Target: "https://example.org", External: true},
		{Target: "", Subpath: "#Top"},
		{Target: "nowhere"},
		{Target: "Kiln", Relation: "up", RelationInside: true},
		{Target: "Glaze", Relation: "depends_on", RelationInside: true},
	}
	resolver := graph.NewResolver([]string{"Kiln.md", "Glaze.md", "photo.png", "rel:up Kiln.md"}).
		WithOutlines(func(string) *graph.Outline { return graph.NewOutline(nil, nil) })
	got := resolver.Edges("Kiln.md", links, isNote)
	want := []store.Edge{
		{Link: 0, Target: "Glaze.md", Kind: graph.References, Rule: graph.RuleWikilink},
		{Link: 2, Target: "Glaze.md", Kind: graph.References, Rule: graph.RuleWikilink},
		{Link: 3, Target: "Glaze.md", Kind: graph.References, Rule: graph.RuleWikilink},
		{Link: 5, Target: "Kiln.md", Kind: graph.References, Rule: graph.RuleWikilink},
		{Link: 7, Target: "rel:up Kiln.md", Kind: graph.References, Rule: graph.RuleWikilink},
		{Link: 8, Target: "Glaze.md", Kind: "depends_on", Rule: graph.RuleInline},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got): %s", diff)
	}
	if none := resolver.Edges("Kiln.md", links[4:5], isNote); none != nil {
		t.Errorf("got %v, want none", none)
	}
}

// TestMayChangeRelations holds that a first file called like a relation is told of to all links with one in their brackets, of
// whatever name: in Dendron, dots in what looks like a name lead it elsewhere.
func TestMayChangeRelations(t *testing.T) {
	links := []store.Link{{Target: "a/../y", Relation: "R", RelationInside: true}}
	before, after := []string{"x.md", "y.md"}, []string{"x.md", "y.md", "rel:z.md"}
	old, now := graph.NewResolver(before).WithDialect(dialect.Dendron, nil), graph.NewResolver(after).WithDialect(dialect.Dendron, nil)
	a, b := old.Edges("x.md", links, every), now.Edges("x.md", links, every)
	if len(a) != 1 || len(b) != 1 || a[0].Kind != "r" || b[0].Kind != graph.References {
		t.Fatalf("%v before, %v after", a, b)
	}
	for _, r := range []*graph.Resolver{old, now} {
		if !r.MayChange([]string{"rel:z.md"})(links) || r.MayChange([]string{"z.md"})(links) {
			t.Error("a file called like a relation changes no link, or another file does")
		}
	}
}
