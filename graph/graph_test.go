package graph_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/graph"
	"quarry/note"
	"quarry/store"
)

var update = flag.Bool("update", false, "write the golden files anew")

// smallVault has a link of each form.
func smallVault() []graph.Note {
	return []graph.Note{
		{
			Path: "kiln.md", ID: "kiln", Title: "Kiln", Type: "note", Passages: 3,
			Links: []store.Link{
				{Target: "glaze", Line: 9, ChunkOrd: 3},
				{Target: "Glaze", Subpath: "#Ash", Line: 2, ChunkOrd: 1},
				{Target: "clay/Slip.md", Markdown: true, Line: 3, ChunkOrd: 1},
				{Target: "Slip", Relation: "Depends_On", Line: 4, ChunkOrd: 2},
				{Target: "Slip", Relation: "up", Line: 1, FromField: true},
				{Target: "https://example.org", External: true, Line: 5, ChunkOrd: 2},
				{Target: "Nowhere", Line: 6, ChunkOrd: 2},
				{Target: "", Subpath: "#Top", Line: 7, ChunkOrd: 2},
				{Target: "photo.png", Embed: true, Line: 8, ChunkOrd: 2},
				{Target: "Glaze", Line: 8, Hidden: true},
			},
		},
		{Path: "clay/Slip.md", ID: "20310506", Title: `Slip "thin" & <white>`, Type: "moc", Passages: 1},
		{Path: "Glaze.md", ID: "Glaze", Title: "Glaze", Passages: 0, Links: []store.Link{{Target: "Slip", Line: 1}}},
	}
}

func paths(notes []graph.Note, more ...string) []string {
	for _, note := range notes {
		more = append(more, note.Path)
	}
	return more
}

func TestBuildGolden(t *testing.T) {
	notes := smallVault()
	notes[2].Type, notes[2].TypeKey, notes[2].Defaults = "concept", "concept", []string{graph.RelatedTo}
	g := graph.Assemble(notes, graph.NewResolver(paths(notes, "photo.png")))
	for name, write := range map[string]func(io.Writer, graph.WriteOptions) error{
		"small.json": g.WriteJSON, "small.dot": g.WriteDOT, "small.graphml": g.WriteGraphML,
	} {
		var got bytes.Buffer
		if err := write(&got, graph.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		text := got.Bytes()
		if strings.HasSuffix(name, ".json") {
			var lines bytes.Buffer
			if err := json.Indent(&lines, text, "", " "); err != nil {
				t.Fatal(err)
			}
			text = lines.Bytes()
		}
		golden := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(golden, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestWriteJSON holds what is written against package json.
func TestWriteJSON(t *testing.T) {
	notes := linkedVault(rand.New(rand.NewPCG(25, 26)), 50)
	for i := range notes {
		notes[i].Title = []string{"", `a "b" \ <c> & d`, "\x00\n\t\u2028\x7f", "Ü\xff", "plain"}[i%5]
		notes[i].Defaults = []string{graph.SimilarTo}
	}
	a := graph.Assemble(notes, graph.NewResolver(paths(notes)))
	var got, want bytes.Buffer
	encoder := json.NewEncoder(&want)
	encoder.SetEscapeHTML(false)
	if err := errors.Join(a.WriteJSON(&got, graph.WriteOptions{}), encoder.Encode(a.Graph())); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.String(), got.String()); diff != "" {
		t.Errorf("(-json +ours): %s", diff)
	}
}

func TestBuildEmpty(t *testing.T) {
	var got bytes.Buffer
	if err := graph.Assemble(nil, graph.NewResolver(nil)).WriteJSON(&got, graph.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	if want := "{\"nodes\":[],\"edges\":[]}\n"; got.String() != want {
		t.Errorf("got %s, want %s", &got, want)
	}
}

// linkedVault makes notes with links at random.
func linkedVault(random *rand.Rand, size int) []graph.Note {
	var notes []graph.Note
	for _, path := range randomVault(random, size) {
		notes = append(notes, graph.Note{Path: path, ID: strings.TrimSuffix(path, ".md"), Passages: random.IntN(4)})
	}
	for i := range notes {
		for range random.IntN(6) {
			notes[i].Links = append(notes[i].Links, store.Link{
				Target: strings.TrimSuffix(notes[random.IntN(len(notes))].Path, ".md"), ChunkOrd: random.IntN(notes[i].Passages + 1),
				Relation: []string{"", "", "up", "similar_to"}[random.IntN(4)], Markdown: random.IntN(2) == 0, FromField: random.IntN(5) == 0,
			})
		}
	}
	return notes
}

func TestBuildProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		notes := linkedVault(random, 150)
		resolver := graph.NewResolver(paths(notes))
		g := graph.Assemble(notes, resolver).Graph()
		checkStructure(t, notes, g)
		unique := map[string]bool{}
		for _, e := range g.Edges {
			unique[fmt.Sprint(e.Kind, "\n", e.Scope, "\n", e.Source, "\n", e.Target, "\n", e.Rule)] = true
		}
		if len(unique) != len(g.Edges) {
			t.Errorf("%d of %d edges are unique", len(unique), len(g.Edges))
		}
		sum := 0.0
		for _, node := range g.Nodes {
			sum += node.PageRank
		}
		if math.Abs(sum-1) > 1e-6*float64(len(g.Nodes)) {
			t.Errorf("PageRank adds up to %v", sum)
		}
		random.Shuffle(len(notes), func(i, j int) { notes[i], notes[j] = notes[j], notes[i] })
		for _, note := range notes {
			random.Shuffle(len(note.Links), func(i, j int) { note.Links[i], note.Links[j] = note.Links[j], note.Links[i] })
		}
		if diff := cmp.Diff(g, graph.Assemble(notes, resolver).Graph()); diff != "" {
			t.Fatalf("the order of notes or links matters: %s", diff)
		}
	}
}

// checkStructure holds the structure edges against the number of passages.
func checkStructure(t *testing.T, notes []graph.Note, g graph.Graph) {
	t.Helper()
	want, got := map[string]int{}, map[string]int{}
	for _, note := range notes {
		want[graph.BelongsTo] += note.Passages
		want[graph.Next] += max(note.Passages-1, 0)
		want[graph.Previous] += max(note.Passages-1, 0)
	}
	for _, e := range g.Edges {
		if strings.HasPrefix(e.Rule, "structure:") {
			got[e.Kind]++
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("structure edges (-want +got): %s", diff)
	}
}

// TestPageRank holds the figures against a star, whose weights follow from the definition: with damping d, n nodes and the
// n-1 rays all pointing to the hub, which points nowhere, ray = (1-d)/n + d·hub/n and hub = ray + d·(n-1)·ray.
func TestPageRank(t *testing.T) {
	notes := []graph.Note{{Path: "hub.md", Links: []store.Link{{Target: "hub"}}}}
	for _, ray := range []string{"a.md", "b.md", "c.md", "d.md"} {
		notes = append(notes, graph.Note{Path: ray, Links: []store.Link{{Target: "hub"}, {Target: "hub", Markdown: true}, {Target: "gone"}}})
	}
	g := graph.Assemble(notes, graph.NewResolver(paths(notes))).Graph()
	// hub = 4.4·ray, and hub + 4·ray = 1.
	for _, node := range g.Nodes {
		want := 0.119048
		if node.Path == "hub.md" {
			want = 0.523810
		}
		if node.PageRank != want {
			t.Errorf("%s: got %v, want %v", node.Path, node.PageRank, want)
		}
	}
}

// all yields the links of notes as a store does.
func all(notes []graph.Note, end error) iter.Seq2[store.LinksOf, error] {
	return func(yield func(store.LinksOf, error) bool) {
		for _, note := range notes {
			if !yield(store.LinksOf{Path: note.Path, Links: note.Links}, nil) {
				return
			}
		}
		if end != nil {
			yield(store.LinksOf{}, end)
		}
	}
}

func TestAround(t *testing.T) {
	notes := smallVault()
	notes = append(notes, graph.Note{Path: "a.md", Links: []store.Link{
		{Target: "Terracotta", Line: 3},
		{Target: "KILN", Subpath: "#^b1", Line: 2, Hidden: true},
		{Target: "kiln", Subpath: "#Top", Relation: "rel", Line: 1},
	}})
	resolver := graph.NewResolver(paths(notes)).WithAliases(map[string][]string{"clay/Slip.md": {"Terracotta"}}).
		WithOutlines(func(string) *graph.Outline { return graph.NewOutline([]graph.Heading{{1, "Top"}}, nil) })
	around := func(path string) graph.Surroundings {
		s, err := graph.Around(path, all(notes, nil), resolver)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	var got []string
	for _, l := range around("kiln.md").Out {
		got = append(got, describe("", l))
	}
	want := []string{
		"1 Slip up clay/Slip.md ok explicit:property 1",
		"2 Glaze#Ash references Glaze.md heading_missing explicit:wikilink 1",
		"3 clay/Slip.md references clay/Slip.md ok explicit:markdown 1",
		"4 Slip depends_on clay/Slip.md ok inline:rel 0.95",
		"5 https://example.org references null external explicit:wikilink 1",
		"6 Nowhere references null unresolved explicit:wikilink 1",
		"7 #Top references kiln.md ok explicit:wikilink 1",
		"8 photo.png references null unresolved explicit:wikilink 1",
		"8 Glaze references Glaze.md ok explicit:wikilink 1 hidden",
		"9 glaze references Glaze.md ok explicit:wikilink 1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("out (-want +got): %s", diff)
	}
	got = nil
	for _, l := range around("kiln.md").Back {
		got = append(got, describe(l.Source+" ", l.Link))
	}
	want = []string{
		"a.md 1 kiln#Top rel kiln.md ok inline:rel 0.95",
		"a.md 2 KILN#^b1 references kiln.md block_missing explicit:wikilink 1 hidden",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("back (-want +got): %s", diff)
	}
	if last := around("a.md").Out[2]; last.State != graph.Alias || last.Resolved != nil {
		t.Errorf("alias: got %+v", last)
	}
	if slip := around("clay/Slip.md"); len(slip.Back) != 4 {
		t.Errorf("back of Slip: got %d, want 4 without the alias", len(slip.Back))
	}
}

// describe writes a link on one line.
func describe(front string, l graph.Link) string {
	resolved := "null"
	if l.Resolved != nil {
		resolved = *l.Resolved
	}
	text := fmt.Sprint(front, l.Line, " ", l.Target, l.Subpath, " ", l.Kind, " ", resolved, " ", l.State, " ", l.Rule, " ", l.Confidence)
	if l.Hidden {
		text += " hidden"
	}
	return text
}

func TestAroundJSON(t *testing.T) {
	s, err := graph.Around("gone.md", all(nil, nil), graph.NewResolver(nil))
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"note":"gone.md","out":[],"back":[],"related":[]}`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
	notes := []graph.Note{{Path: "b.md", Links: []store.Link{{Target: "a", Line: 1}}}}
	s, _ = graph.Around("a.md", all(notes, nil), graph.NewResolver([]string{"a.md", "b.md"}))
	got, _ = json.Marshal(s.Back)
	want := `[{"source":"b.md","target":"a","subpath":"","kind":"references","resolved":"a.md","state":"ok",` +
		`"rule_id":"explicit:wikilink","confidence":1,"line":1,"hidden":false}]`
	if string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAroundError(t *testing.T) {
	broken := errors.New("broken")
	if _, err := graph.Around("a.md", all(smallVault(), broken), graph.NewResolver(nil)); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
}

// TestAroundFindsAllBacklinks holds the shortcut of Around against the outgoing links of every other note.
func TestAroundFindsAllBacklinks(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	notes := linkedVault(random, 200)
	notes = append(notes, graph.Note{Path: "x/Ünder.md", Links: []store.Link{{Target: "N"}, {Target: "ünder"}, {Target: `a\n`}}},
		graph.Note{Path: "y.md", Links: []store.Link{{Target: "u\u0308nder"}, {Target: "../y"}, {Target: "./y.md"}}})
	resolver := graph.NewResolver(paths(notes))
	want, got := map[string]int{}, map[string]int{}
	for _, note := range notes {
		s, err := graph.Around(note.Path, all(notes, nil), resolver)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range s.Out {
			if l.Resolved != nil && *l.Resolved != note.Path {
				want[note.Path+" "+*l.Resolved]++
			}
		}
		for _, l := range s.Back {
			got[l.Source+" "+note.Path]++
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 {
		t.Errorf("backlinks (-want +got): %s", diff)
	}
}

// TestFileNamedLikeARelation holds that only the text of the brackets is looked for as a name: a relation that stands in
// front of them, as in "rel: depends_on [[Kiln]]" or "depends_on:: [[Kiln]]", stays one.
func TestFileNamedLikeARelation(t *testing.T) {
	notes := []graph.Note{
		{Path: "n.md", Links: []store.Link{
			{Target: "Kiln", Relation: "depends_on", RelationInside: true, Line: 1},
			{Target: "Clay", Relation: "depends_on", RelationInside: true, Line: 2},
			{Target: "Kiln", Relation: "depends_on", Line: 3},
			{Target: "Kiln", Relation: "depends_on", RelationInside: true, FromField: true, Line: 4},
		}},
		{Path: "Kiln.md"},
		{Path: "rel:depends_on Kiln.md"},
	}
	resolver := graph.NewResolver([]string{"n.md", "Clay.md", "Kiln.md", "rel:depends_on Kiln.md"})
	s, err := graph.Around("n.md", all(notes, nil), resolver)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, link := range s.Out {
		got = append(got, describe("", link))
	}
	want := []string{
		"1 rel:depends_on Kiln references rel:depends_on Kiln.md ok explicit:wikilink 1",
		"2 Clay depends_on Clay.md ok inline:rel 0.95",
		"3 Kiln depends_on Kiln.md ok inline:rel 0.95",
		"4 Kiln depends_on Kiln.md ok explicit:property 1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got): %s", diff)
	}
	for path, lines := range map[string][]int{"Kiln.md": {3, 4}, "rel:depends_on Kiln.md": {1}} {
		s, err := graph.Around(path, all(notes, nil), resolver)
		var back []int
		for _, link := range s.Back {
			back = append(back, link.Line)
		}
		if diff := cmp.Diff(lines, back); diff != "" || err != nil {
			t.Errorf("back of %s (-want +got): %s, %v", path, diff, err)
		}
	}
}

// TestRelationsInFrontOfLinks reads and resolves each form of a relation where a file is named like one.
func TestRelationsInFrontOfLinks(t *testing.T) {
	n := note.Reader{}.Read("n.md", []byte("[[rel:supports A]]\n\nrel: supports [[A]]\n\n> [!edge] supports: [[A]]\n\nsupports:: [[A]]\n\n[[A]]\n"))
	resolver := graph.NewResolver([]string{"n.md", "A.md", "rel:supports A.md"})
	s, err := graph.Around("n.md", all([]graph.Note{{Path: "n.md", Links: storedLinks(n)}}, nil), resolver)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, link := range s.Out {
		got = append(got, describe("", link))
	}
	want := []string{
		"1 rel:supports A references rel:supports A.md ok explicit:wikilink 1",
		"3 A supports A.md ok inline:rel 0.95",
		"5 A supports A.md ok inline:rel 0.95",
		"7 A supports A.md ok inline:rel 0.95",
		"9 A references A.md ok explicit:wikilink 1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got): %s", diff)
	}
}

func BenchmarkBuild20000(b *testing.B) {
	files, targets := benchVault()
	notes := make([]graph.Note, len(files))
	for i, path := range files {
		notes[i] = graph.Note{Path: path, ID: path, Passages: 3}
		for _, target := range slices.Clone(targets[10*i : 10*i+10]) {
			notes[i].Links = append(notes[i].Links, store.Link{Target: target, ChunkOrd: 1})
		}
	}
	for b.Loop() {
		graph.Assemble(notes, graph.NewResolver(files)).Graph()
	}
}

// TestAroundAsksForFewOutlines counts the outlines that are read: those of what the note links to by a subpath, and its own.
func TestAroundAsksForFewOutlines(t *testing.T) {
	notes := []graph.Note{{Path: "a/n.md", Links: []store.Link{{Target: "x/n", Subpath: "#Top"}, {Target: "y/n"}}}, {Path: "hub.md"}}
	for _, folder := range []string{"a", "x", "y", "z"} {
		notes = append(notes, graph.Note{Path: folder + "/n.md"})
		notes[1].Links = append(notes[1].Links, store.Link{Target: folder + "/n", Subpath: "#Top"})
	}
	notes = slices.Delete(notes, 2, 3) // a/n stands there already
	asked := map[string]int{}
	resolver := graph.NewResolver(paths(notes)).WithOutlines(func(path string) *graph.Outline {
		asked[path]++
		return nil
	})
	s, err := graph.Around("a/n.md", all(notes, nil), resolver)
	if err != nil || len(s.Out) != 2 || len(s.Back) != 1 {
		t.Fatalf("got %+v, %v", s, err)
	}
	if diff := cmp.Diff(map[string]int{"x/n.md": 1, "a/n.md": 1}, asked); diff != "" {
		t.Errorf("(-want +got): %s", diff)
	}
}
