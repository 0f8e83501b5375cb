package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quarry/graph"
	"quarry/internal/dialect"
)

func TestSuggest(t *testing.T) {
	files := []string{
		"Kiln.md", "clay/Slip casting.md", "clay/Überglasur.md", "journal/2031-05-06.md", "journal/2031-05-07.md", "glaze/Ash glaze recipes.md",
		"v1.2 notes.md", "Chapter 1.md", "Chapter 2.md", "people/Ada Thrower.md", "photos/kiln front.png", "202001011200 Cone chart.md",
		"web/burners/index.md", "web/flues/index.md", "web/bricks/index.md", "web/dampers/index.md", "a/Log.md", "b/Log.md", "c/Log.md", "d/Log.md",
		"Temperature measurement.md", "C++.md", "C#.md", "東京旅行.md", "Node.md", "KilnSitters.md", "glaze.topic.users.md",
		"glaze.topic.cli.md",
	}
	resolver := graph.NewResolver(files).
		WithAliases(map[string][]string{"people/Ada Thrower.md": {"AT", "The Potter"}}).
		WithDialect(dialect.Obsidian, map[string]string{"clay/Slip casting.md": "Pouring slip into moulds"})
	for _, c := range []struct {
		target, source string
		want           []string
	}{
		{"The potter", "", []string{"people/Ada Thrower.md"}},
		{"people/the potter", "", []string{"people/Ada Thrower.md"}},
		{"pouring slip into moulds", "", []string{"clay/Slip casting.md"}},
		{"old/Kiln", "", []string{"Kiln.md"}},
		{"../archive/Slip casting.md", "x/y.md", []string{"clay/Slip casting.md"}},
		{"slip-casting", "", []string{"clay/Slip casting.md"}},
		{"SlipCasting", "", []string{"clay/Slip casting.md"}},
		{"slip_casting ", "", []string{"clay/Slip casting.md"}},
		{"Uberglasur", "", []string{"clay/Überglasur.md"}},
		{"Ueberglasur", "", []string{"clay/Überglasur.md"}},
		{"Ash glazes recipe", "", []string{"glaze/Ash glaze recipes.md"}},
		{"Recipes: ash glaze", "", []string{"glaze/Ash glaze recipes.md"}},
		{"May 6th, 2031", "", []string{"journal/2031-05-06.md"}},
		{"20310507", "", []string{"journal/2031-05-07.md"}},
		{"2031-05-08", "", nil},
		{"v1.3 notes", "", nil},
		{"v12 notes", "", nil},
		{"v1-2 notes", "", []string{"v1.2 notes.md"}},
		{"Chapter 3", "", nil},
		{"Chaptre 2", "", []string{"Chapter 2.md"}},
		{"Cone chart", "", []string{"202001011200 Cone chart.md"}},
		{"Cone charts", "", nil},
		{"209901011200 Kiln front", "", nil},
		{"Ada Throwr", "", []string{"people/Ada Thrower.md"}},
		{"Temperatrue mesurement", "", []string{"Temperature measurement.md"}},
		{"Temperament", "", nil},
		{"glaze.topic.seeds", "", nil},
		{"glaze.topics.cli", "", []string{"glaze.topic.cli.md"}},
		{"Aug 6th, 2031", "", nil},
		{"Temperaturemeasurement", "", []string{"Temperature measurement.md"}},
		{"Temp eraturemeasurments", "", nil},
		{"klin", "", nil},
		{"Note", "", nil},
		{"kiln sitter", "", []string{"KilnSitters.md"}},
		{"Kiln Front.png", "", []string{"photos/kiln front.png"}},
		{"img/kiln-front.png", "", []string{"photos/kiln front.png"}},
		{"kiln front", "", nil},
		{"C", "", nil},
		{"東京旅館", "", nil},
		{"/docs/web/flues", "", []string{"web/flues/index.md"}},
		{"../flue/index.md", "web/burners/index.md", []string{"web/flues/index.md"}},
		{"../damper/index.md", "web/burners/index.md", []string{"web/dampers/index.md"}},
		{"index", "", nil},
		{"old/Log", "", nil},
		{"notes/b/Log", "", []string{"b/Log.md"}},
		{"Kiln", "Kiln.md", nil},
		{"My%20Kiln", "", nil},
		{"Slip%20casting", "", []string{"clay/Slip casting.md"}},
		{"", "", nil},
		{"/", "", nil},
		{"..", "", nil},
		{"???", "", nil},
		{"Nothing like it", "", nil},
	} {
		got := resolver.Suggest(c.target, c.source, 3)
		if got == nil || !slices.Equal(got, c.want) {
			t.Errorf("%q from %q: %v, want %v", c.target, c.source, got, c.want)
		}
	}
}

// TestSuggestDated holds that a note of a day, a week or a month is what a target means that is one itself alone.
func TestSuggestDated(t *testing.T) {
	resolver := graph.NewResolver([]string{"journal/2031-05-06.md", "journal/2031-W19.md", "journal/2031-05.md", "daily.journal.2031.05.07.md", "trips/Coast.md", "2031-05-06.png"}).
		WithAliases(map[string][]string{"journal/2031-05-06.md": {"The firing day"}}).
		WithDialect(dialect.Obsidian, map[string]string{"journal/2031-05-06.md": "Coast", "journal/2031-W19.md": "Nineteenth week"})
	for target, want := range map[string][]string{
		"old/Coast":                     {"trips/Coast.md"}, // one more has the title
		"Nineteenth weeks":              {},
		"The firring day":               {},
		"old/2031-05-06":                {"journal/2031-05-06.md"},
		"2031/05/2031-05-06.md":         {"journal/2031-05-06.md"},
		"blog/2031-05-06.html":          {"journal/2031-05-06.md"},
		"6 May 2031":                    {"journal/2031-05-06.md"},
		"old/2031-W19":                  {"journal/2031-W19.md"},
		"old/2031-05":                   {"journal/2031-05.md"},
		"old/daily.journal.2031.05.07":  {"daily.journal.2031.05.07.md"},
		"daily.journals.2031.05.07":     {"daily.journal.2031.05.07.md"},
		"daily.journal.2031.05.07x.rst": {},
		"img/2031-05-06.png":            {"2031-05-06.png"},
	} {
		if got := resolver.Suggest(target, "", 3); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", target, got, want)
		}
		all, err := resolver.SuggestAll(t.Context(), []graph.Backlink{deadLink("x.md", target, "", graph.NoNote)}, graph.Search{Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		want = slices.DeleteFunc(slices.Clone(want), func(file string) bool { return strings.HasSuffix(file, ".png") })
		if got := addresses(all[0]); !slices.Equal(got, want) {
			t.Errorf("%q among others: %v, want %v", target, got, want)
		}
	}
}

func TestSuggestOrder(t *testing.T) {
	resolver := graph.NewResolver([]string{"z/Glaze test.md", "a/Glaze test.md", "a/b/Glaze-test.md", "Glaze tests.md", "c/d/x.md"})
	for _, c := range []struct {
		target, source string
		limit          int
		want           []string
	}{
		{"old/Glaze test", "", 9, []string{"a/Glaze test.md", "z/Glaze test.md", "a/b/Glaze-test.md", "Glaze tests.md"}},
		{"old/Glaze test", "z/note.md", 2, []string{"z/Glaze test.md", "a/Glaze test.md"}},
		{"old/z/Glaze test", "a/note.md", 1, []string{"z/Glaze test.md"}},
		{"old/Glaze test", "", 0, []string{}},
	} {
		if diff := cmp.Diff(c.want, resolver.Suggest(c.target, c.source, c.limit)); diff != "" {
			t.Errorf("%q from %q (-want +got): %s", c.target, c.source, diff)
		}
	}
}

// TestSuggestLogseq holds that pages are known by their names.
func TestSuggestLogseq(t *testing.T) {
	resolver := graph.NewResolver([]string{"pages/Glaze___Ash.md", "pages/Kiln.md", "journals/2031_05_06.md"}).WithDialect(dialect.Logseq, nil)
	for target, want := range map[string]string{"Recipes/Ash": "pages/Glaze___Ash.md", "glaze/ashes": "pages/Glaze___Ash.md", "6 May 2031": "journals/2031_05_06.md"} {
		if got := resolver.Suggest(target, "", 1); len(got) != 1 || got[0] != want {
			t.Errorf("%q: %v, want %s", target, got, want)
		}
	}
}

// TestSuggestBounds holds that names in their thousands that are all alike, and long ones, take little.
func TestSuggestBounds(t *testing.T) {
	var files []string
	for i := range 20000 {
		files = append(files, fmt.Sprintf("f%d/Same name.md", i), fmt.Sprintf("f%d/%s.md", i, string(rune('a'+i%26))+"bcdefghijklmnop"))
	}
	resolver := graph.NewResolver(files)
	for i := range 200 {
		if got := resolver.Suggest(fmt.Sprintf("old%d/Same name", i), "", 3); len(got) != 0 {
			t.Fatalf("%v", got)
		}
		resolver.Suggest("bcdefghijklmnopq", "", 3)
	}
	files = files[:0]
	for i := range 512 {
		files = append(files, fmt.Sprintf("%s%04d.md", strings.Repeat("ab", 245), i))
	}
	resolver = graph.NewResolver(files)
	within(t, 2*time.Second, "long names", func() {
		for i := range 200 {
			if got := resolver.Suggest(fmt.Sprintf("%s%04d", strings.Repeat("ba", 245), i), "", 3); len(got) != 0 {
				t.Fatalf("%v", got)
			}
		}
	})
}

func FuzzSuggest(f *testing.F) {
	for _, seed := range []string{"Kiln", "a/../..", "\xff\x00", "%", "///.md", "2031-05-06", "İ/ß.md", "x.png"} {
		f.Add(seed, "Glaze")
	}
	f.Fuzz(func(t *testing.T, name, target string) {
		resolver := graph.NewResolver([]string{name, name + ".md", "x/" + name}).WithAliases(map[string][]string{name: {target}})
		for _, path := range resolver.Suggest(target, name, 5) {
			if path != name+".md" && path != "x/"+name {
				t.Errorf("%q is suggested for %q", path, target)
			}
		}
	})
}

func BenchmarkSuggest12000(b *testing.B) {
	var files []string
	for i := range 12000 {
		files = append(files, fmt.Sprintf("f%d/%s %s %d.md", i%50, syllables(i), syllables(i*7919), i%4))
	}
	resolver := graph.NewResolver(files)
	resolver.Suggest("x", "", 1)
	i := 0
	for b.Loop() {
		i++
		resolver.Suggest(syllables(i*31)+"x "+syllables(i*17), "", 3)
	}
}

// syllables makes a word of a number.
func syllables(n int) string {
	word := ""
	for range 4 {
		word += string("bdfgklmnprst"[n%12]) + string("aeiou"[n/12%5])
		n /= 60
	}
	return word
}
