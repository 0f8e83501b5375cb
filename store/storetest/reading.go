package storetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quarry/store"
)

// noteIDs lists the ids of all notes, by path.
func noteIDs(t *testing.T, v store.Snapshot) []string {
	t.Helper()
	notes, err := v.Notes(t.Context(), store.NoteQuery{})
	ok(t, err)
	var list []string
	for _, n := range notes {
		single := read(t, v, n.Path)
		if single.NoteID != n.NoteID || single.DocID != n.DocID {
			t.Errorf("%s: %s %s in the list, %s %s alone", n.Path, n.NoteID, n.DocID, single.NoteID, single.DocID)
		}
		list = append(list, n.NoteID)
	}
	return list
}

func declaring(path, id string) store.Note {
	n := plainNote(path, "x")
	n.DeclaredID = id
	return n
}

func testNoteIDs(t *testing.T, s store.Store) {
	a, b, c := declaring("a.md", "same"), declaring("b.md", "same"), plainNote("c.canvas", "x")
	write(t, s, store.Full, a, b, c)
	ids := func() []string { return noteIDs(t, open(t, s)) }
	same(t, "a declared id twice", ids(), []string{"a", "b", "c.canvas"})
	b.DeclaredID = "other"
	write(t, s, store.Incremental, b)
	same(t, "each once", ids(), []string{"same", "other", "c.canvas"})
	c.DeclaredID = "same"
	write(t, s, store.Incremental, c)
	same(t, "twice again", ids(), []string{"a", "other", "c.canvas"})
	for _, test := range []struct {
		name  string
		notes []store.Note // by path
		want  []string
	}{
		{"the name of another", []store.Note{declaring("a.md", "b"), plainNote("b.md", "x")}, []string{"a", "b"}},
		{"the path of another", []store.Note{declaring("a.md", "b.md"), plainNote("b.md", "x")}, []string{"a", "b"}},
		{"the name of one that declares too", []store.Note{declaring("a.md", "b"), declaring("b.md", "c")}, []string{"a", "c"}},
		{"each other's name", []store.Note{declaring("a.md", "b"), declaring("b.md", "a")}, []string{"a", "b"}},
		{"its own name", []store.Note{declaring("a.md", "a"), declaring("b.md", "b.md")}, []string{"a", "b.md"}},
		{"its own name, and another does", []store.Note{declaring("a.md", "a"), declaring("b.md", "a")}, []string{"a", "b"}},
		{"two extensions", []store.Note{plainNote("x.canvas", "x"), plainNote("x.canvas.md", "x")}, []string{"x.canvas", "x.canvas.md"}},
		{
			"three extensions",
			[]store.Note{plainNote("x.canvas", "x"), plainNote("x.canvas.md", "x"), plainNote("x.canvas.md.md", "x")},
			[]string{"x.canvas", "x.canvas.md", "x.canvas.md.md"},
		},
		{"the name of a canvas", []store.Note{declaring("a.md", "x.canvas"), plainNote("x.canvas", "x")}, []string{"a", "x.canvas"}},
		{
			"a path that is kept whole",
			[]store.Note{declaring("a.md", "x.md"), plainNote("x", "x"), plainNote("x.md", "x")},
			[]string{"a", "x", "x.md"},
		},
		{"other case", []store.Note{declaring("A.md", "b"), plainNote("B.md", "x"), plainNote("a.MD", "x")}, []string{"b", "B", "a.MD"}},
	} {
		write(t, s, store.Full, test.notes...)
		same(t, test.name, ids(), test.want)
	}
}

func testDocIDs(t *testing.T, s store.Store) {
	// Two paths whose digests share the first six digits, found by trying.
	first, second := "", ""
	seen := map[string]string{}
	for i := 0; second == ""; i++ {
		path := fmt.Sprintf("note %d.md", i)
		digits := store.PathDigest(path)[:store.MinDocIDDigits]
		if seen[digits] != "" {
			first, second = seen[digits], path
		}
		seen[digits] = path
	}
	digits := "#" + store.PathDigest(first)[:store.MinDocIDDigits]
	write(t, s, store.Incremental, plainNote(first, "x"))
	v := open(t, s)
	if n := read(t, v, first); "#"+n.DocID != digits {
		t.Errorf("DocID %s, want %s", n.DocID, digits)
	}
	if n := read(t, v, digits); n.Path != first {
		t.Errorf("%s is %s", digits, n.Path)
	}
	if n := read(t, v, strings.ToUpper(digits)+store.PathDigest(first)[6:20]); n.Path != first {
		t.Errorf("a longer prefix is %s", n.Path)
	}
	write(t, s, store.Incremental, plainNote(second, "x"), plainNote("#abcdef", "x"))
	v = open(t, s)
	a, b := read(t, v, first), read(t, v, second)
	if len(a.DocID) <= 6 || len(a.DocID) != len(b.DocID) || a.DocID[:len(a.DocID)-1] != b.DocID[:len(b.DocID)-1] || a.DocID == b.DocID {
		t.Errorf("DocIDs %s and %s are not the shortest that differ", a.DocID, b.DocID)
	}
	for _, address := range []string{digits, "#", "#12345", "#zzzzzz", "", "#" + strings.Repeat("0", 64), "#" + strings.Repeat("0", 65)} {
		if n, found, err := v.Note(t.Context(), address); found || err != nil {
			t.Errorf("%q found %s, %v", address, n.Path, err)
		}
	}
	if n := read(t, v, "#abcdef"); n.Path != "#abcdef" {
		t.Errorf("a path that looks like a DocID gave %s", n.Path)
	}
	if n := read(t, v, "#"+a.DocID); n.Path != first {
		t.Errorf("the longer DocID gave %s", n.Path)
	}
}

// testClasses: classes and redactions are kept in every way a note is read, and replaced with the note.
func testClasses(t *testing.T, s store.Store) {
	a, b, c := plainNote("a.md", "x"), plainNote("b.md", "y"), plainNote("c.md")
	a.Sensitivity, a.Redactions = "private", []store.Redaction{{Name: "jwt", Count: 3}, {Name: "password", Count: 1}}
	b.Sensitivity = "public"
	check := func(v store.Snapshot) {
		t.Helper()
		notes, err := v.Notes(t.Context(), store.NoteQuery{Sort: store.ByPath})
		ok(t, err)
		for i, want := range []store.Note{a, b, c} {
			alone := read(t, v, want.Path)
			got := []store.Note{notes[i], alone}
			if len(want.Passages) > 0 {
				found, err := v.Passages(t.Context(), []store.PassageID{alone.Passages[0].ID})
				ok(t, err)
				got = append(got, *found[0].Note)
			}
			for _, n := range got {
				if n.Sensitivity != want.Sensitivity {
					t.Errorf("%s is %q, want %q", n.Path, n.Sensitivity, want.Sensitivity)
				}
				same(t, "redactions of "+n.Path, n.Redactions, want.Redactions)
			}
		}
	}
	for _, mode := range []store.Mode{store.Full, store.Incremental} {
		write(t, s, mode, c, b, a)
		check(open(t, s))
	}
	u := begin(t, s, store.Incremental)
	ok(t, u.Touch(t.Context(), []store.File{a.File}))
	ok(t, u.Commit(t.Context()))
	check(open(t, s))
	a.Sensitivity, a.Redactions, b.Sensitivity, b.Redactions = "", nil, "private", a.Redactions[:1]
	c.Redactions = []store.Redaction{{Name: "x", Count: 1}}
	write(t, s, store.Incremental, a, b, c)
	check(open(t, s))
	ok(t, s.Verify(t.Context()))
}

// filterTests name the notes of testFilters that a filter lets through, by the first letter.
var filterTests = []struct {
	name   string
	filter store.Filter
	want   string
}{
	{"tag", store.Filter{Tags: []string{"POT"}}, "a c"},
	{"tag with #", store.Filter{Tags: []string{"#pot/kiln"}}, "a"},
	{"tags are alternatives", store.Filter{Tags: []string{"pots", "x"}}, "a b"},
	{"not tag", store.Filter{NotTags: []string{"pot"}}, "b d"},
	{"type", store.Filter{Types: []string{"guide", "LOG"}}, "a b"},
	{"not type", store.Filter{NotTypes: []string{"guide"}}, "b c d"},
	{"status and tag", store.Filter{Statuses: []string{"open"}, Tags: []string{"pot"}}, "a c"},
	{"not status", store.Filter{NotStatuses: []string{"OPEN"}}, "b d"},
	{"domain", store.Filter{Domains: []string{"Craft"}}, "a"},
	{"not domain", store.Filter{NotDomains: []string{"craft"}}, "b c d"},
	{"folder", store.Filter{Folders: []string{"WORK/"}}, "a b"},
	{"folder below", store.Filter{Folders: []string{"work/deep"}}, "b"},
	{"folder is no prefix", store.Filter{Folders: []string{"wor"}}, ""},
	{"not folder", store.Filter{NotFolders: []string{"work"}}, "c d"},
	{"glob of one segment", store.Filter{Globs: []string{"*/?.md"}}, "a c"},
	{"glob across", store.Filter{Globs: []string{"**/*.MD"}}, "a b c"},
	{"glob at the top", store.Filter{Globs: []string{"*"}}, "d"},
	{"glob in the middle", store.Filter{Globs: []string{"work/**/*.md"}}, "a b"},
	{"not glob", store.Filter{NotGlobs: []string{"**/*.md"}}, "d"},
	{"since", store.Filter{Since: "2024-03-02"}, "b"},
	{"until", store.Filter{Until: "2024-03-01"}, "a c d"},
	{"since and until", store.Filter{Since: "2024-03-01", Until: "2024-03-01"}, "a"},
	{"property", store.Filter{Properties: []store.Property{{Key: "size", Value: "3"}}}, "a b"},
	{"property in a list", store.Filter{Properties: []store.Property{{Key: "who", Value: "ann"}}}, "a"},
	{"property there", store.Filter{Properties: []store.Property{{Key: "WHO"}}}, "a b"},
	{"properties add up", store.Filter{Properties: []store.Property{{Key: "size"}, {Key: "done", Value: "TRUE"}}}, "a"},
	{"values of one property", store.Filter{Properties: []store.Property{{Key: "size", Value: "4"}, {Key: "SIZE", Value: "3"}}}, "a b"},
	{"values of one and another", store.Filter{Properties: []store.Property{{Key: "who", Value: "eve"}, {Key: "size", Value: "3"}, {Key: "who", Value: "bob"}}}, "a"},
	{"a value, or the property at all", store.Filter{Properties: []store.Property{{Key: "who", Value: "eve"}, {Key: "who"}}}, "a b"},
	{"not one of two values", store.Filter{NotProperties: []store.Property{{Key: "size", Value: "4"}, {Key: "size", Value: "3"}}}, "c d"},
	{"property beyond ASCII", store.Filter{Properties: []store.Property{{Key: "note", Value: "äö"}}}, "a"},
	{"archived", store.Filter{ExcludeArchived: true}, "a c d"},
	{"nothing", store.Filter{Tags: []string{"none"}}, ""},
	{"path", store.Filter{Paths: []string{"WORK/"}}, "a b"},
	{"paths are alternatives", store.Filter{Paths: []string{"deep/b", "canvas"}}, "b d"},
	{"not path", store.Filter{NotPaths: []string{"/deep", "HOME"}}, "a d"},
	{"file", store.Filter{Files: []string{"B.m"}}, "b"},
	{"file is no folder", store.Filter{Files: []string{"work"}}, ""},
	{"not file", store.Filter{NotFiles: []string{".MD"}}, "d"},
	{"title", store.Filter{Titles: []string{"KILN"}}, "a c"},
	{"title of an alias", store.Filter{Titles: []string{"über o"}}, "b"},
	{"titles beside one another", store.Filter{Titles: []string{"logoven"}}, ""},
	{"not title", store.Filter{NotTitles: []string{"kiln", "Ofen"}}, "d"},
	{"title and path", store.Filter{Titles: []string{"kiln"}, Paths: []string{"work"}}, "a"},
	{"not property", store.Filter{NotProperties: []store.Property{{Key: "SIZE", Value: "3"}}}, "c d"},
	{"not property of two", store.Filter{NotProperties: []store.Property{{Key: "done"}, {Key: "nested"}}}, "c d"},
	{"property and not another", store.Filter{Properties: []store.Property{{Key: "size"}}, NotProperties: []store.Property{{Key: "done"}}}, "b"},
}

func testFilters(t *testing.T, s store.Store) {
	a, b, c, d := plainNote("Work/a.md", "x", "x"), plainNote("work/deep/b.md", "x"), plainNote("home/c.md", "x"), plainNote("d.canvas", "x")
	a.Tags, a.Type, a.Status, a.Domain, a.Updated = []string{"Pot/Kiln", "x"}, "Guide", "open", "craft", "2024-03-01T10:00"
	b.Tags, b.Type, b.Status, b.Updated = []string{"pots"}, "log", "Archived", "2024-03-02"
	c.Tags, c.Status, c.Updated = []string{"pot"}, "open", "next week" // then the file's date counts: 2023-11-14
	a.Title, b.Title, c.Title, d.Title = "The Kiln", "Log", "Kilns", ""
	b.Aliases = []string{"oven", "ÜBER Ofen"}
	a.Frontmatter = []byte(`{"Size": 3, "who": ["Ann", "Bob"], "done": true, "note": "ÄÖ"}`)
	b.Frontmatter = []byte(`{"size": "3", "who": {"ann": 1}, "nested": [["Ann"]]}`)
	write(t, s, store.Full, a, b, c, d)
	v := open(t, s)
	for _, test := range filterTests {
		set, err := v.Select(t.Context(), test.filter)
		ok(t, err)
		notes, err := v.Notes(t.Context(), store.NoteQuery{Filter: test.filter})
		ok(t, err)
		var listed []string
		passages := 0
		for _, n := range notes {
			base := n.Path[strings.LastIndexByte(n.Path, '/')+1:]
			listed = append(listed, base[:1])
			for _, p := range read(t, v, n.Path).Passages {
				passages++
				if !set.Has(p.ID) {
					t.Errorf("%s: a passage of %s is missing from the set", test.name, n.Path)
				}
			}
			if n.Frontmatter != nil || n.Links != nil || n.Passages != nil {
				t.Errorf("%s: %s is listed with its content", test.name, n.Path)
			}
		}
		slices.Sort(listed)
		if got := strings.Join(listed, " "); got != test.want || set.Len() != passages {
			t.Errorf("%s: notes %q, want %q; set of %d passages, want %d", test.name, got, test.want, set.Len(), passages)
		}
	}
	if set, err := v.Select(t.Context(), store.Filter{}); set != nil || err != nil {
		t.Errorf("the empty filter gave %v, %v", set, err)
	}
}

func testOrders(t *testing.T, s store.Store) {
	a, b, c := plainNote("a.md"), plainNote("b.md"), plainNote("c.md")
	a.Title, a.Updated, a.Created = "zebra", "2024-01-01", ""
	b.Title, b.Updated, b.Created = "Apple", "2024-01-03", "2020-01-01"
	c.Title, c.Updated, c.Created = "mango", "2024-01-03", "2021-01-01"
	d := plainNote("d.md")
	d.Title, d.Updated, d.Created, d.ModifiedNanoseconds = "zoo", "2024-01-03", "2019-01-01", c.ModifiedNanoseconds+1 // later on the same day
	write(t, s, store.Full, c, a, d, b)
	v := open(t, s)
	for order, want := range map[store.Sort]string{
		store.ByPath: "a b c d", store.ByUpdated: "d b c a", store.ByCreated: "c b d a", store.ByTitle: "b c a d",
	} {
		for limit := range 5 {
			notes, err := v.Notes(t.Context(), store.NoteQuery{Sort: order, Limit: limit})
			ok(t, err)
			var got []string
			for _, n := range notes {
				got = append(got, n.Path[:1])
			}
			wanted := strings.Fields(want)
			if limit > 0 {
				wanted = wanted[:limit]
			}
			same(t, fmt.Sprint("order ", order, " limit ", limit), got, wanted)
		}
	}
}

func testNearest(t *testing.T, s store.Store) {
	notes := corpus(9, 120)
	notes[0].Passages = []store.Passage{{Text: "no vector"}}
	write(t, s, store.Full, notes...)
	v := open(t, s)
	query := vector(99)
	want := map[place]float64{}
	for _, n := range notes {
		for i, p := range n.Passages {
			if p.Vector == nil {
				continue
			}
			for k, x := range p.Vector {
				want[place{n.Path, i}] += float64(x) * float64(query[k])
			}
		}
	}
	for range 3 { // also from memory, where there is one
		hits, err := v.Nearest(t.Context(), store.VectorQuery{Vector: query, Limit: 1000})
		ok(t, err)
		if len(hits) != len(want) {
			t.Fatalf("%d hits, want %d", len(hits), len(want))
		}
		for i, p := range places(t, v, hits) {
			if math.Abs(hits[i].Score-want[p]) > cosineTolerance {
				t.Errorf("%v: cosine %v, want %v", p, hits[i].Score, want[p])
			}
			if i > 0 && hits[i].Score > hits[i-1].Score {
				t.Errorf("hit %d is out of order", i)
			}
		}
		few, err := v.Nearest(t.Context(), store.VectorQuery{Vector: query, Limit: 5})
		ok(t, err)
		same(t, "the first five", few, hits[:5])
	}
	if _, err := v.Nearest(t.Context(), store.VectorQuery{Vector: query[:3], Limit: 5}); err == nil {
		t.Error("a query of another dimension is no error")
	}
	if hits, err := v.Nearest(t.Context(), store.VectorQuery{Vector: query}); err != nil || len(hits) > 0 {
		t.Errorf("a limit of 0 gave %v, %v", hits, err)
	}
}

func testNearestWithin(t *testing.T, s store.Store) {
	write(t, s, store.Full, corpus(10, 300)...)
	v := open(t, s)
	set, err := v.Select(t.Context(), store.Filter{Tags: []string{"t2"}})
	ok(t, err)
	all, err := v.Nearest(t.Context(), store.VectorQuery{Vector: vector(5), Limit: 10000})
	ok(t, err)
	want := slices.DeleteFunc(all, func(h store.Hit) bool { return !set.Has(h.ID) })
	for _, limit := range []int{1, 4, len(want), len(want) + 9} {
		got, err := v.Nearest(t.Context(), store.VectorQuery{Vector: vector(5), Limit: limit, Within: set})
		ok(t, err)
		same(t, fmt.Sprint("limit ", limit), got, want[:min(limit, len(want))])
	}
	none, err := v.Nearest(t.Context(), store.VectorQuery{Vector: vector(5), Limit: 5, Within: &store.Set{}})
	ok(t, err)
	same(t, "within nothing", none, []store.Hit{})
}

func testPassages(t *testing.T, s store.Store) {
	rich := richNote("rich.md")
	write(t, s, store.Full, plainNote("a.md", "alpha"), rich)
	v := open(t, s)
	n := read(t, v, "rich.md")
	ids := []store.PassageID{n.Passages[2].ID, n.Passages[0].ID, n.Passages[1].ID, n.Passages[2].ID}
	found, err := v.Passages(t.Context(), ids)
	ok(t, err)
	facts := n
	facts.Headings, facts.BlockIDs, facts.Links, facts.Passages, facts.Frontmatter = nil, nil, nil, nil, nil
	for i, k := range []int{2, 0, 1, 2} {
		same(t, "passage", found[i].Passage, n.Passages[k])
		same(t, "facts", *found[i].Note, facts)
	}
	if found[0].Note != found[1].Note {
		t.Error("the note is not shared")
	}
	data, err := v.RankData(t.Context(), append(ids, 1<<20))
	ok(t, err)
	if data[1] != nil || data[2] == nil || data[4] != nil {
		t.Errorf("nil and empty data are mixed up: %v", data)
	}
	same(t, "rank data", data, [][]byte{TokenData(5, 1000, 3), nil, {}, TokenData(5, 1000, 3), nil})
	for _, id := range []store.PassageID{0, -1, 1 << 40} {
		if _, err := v.Passages(t.Context(), []store.PassageID{id}); err == nil {
			t.Errorf("passage %d is no error", id)
		}
	}
	if found, err := v.Passages(t.Context(), nil); err != nil || len(found) > 0 {
		t.Errorf("no ids gave %v, %v", found, err)
	}
}

// testSameAnswers edits one index step by step, builds the other at once and in another order, and asks both.
func testSameAnswers(t *testing.T, edited, fresh store.Store) {
	random := rand.New(rand.NewPCG(11, 0))
	current := map[string]store.Note{}
	for round := range 25 {
		u := begin(t, edited, store.Incremental)
		changed := tokenNotes(uint64(100+round), 12)
		for _, n := range changed {
			current[n.Path] = n
		}
		ok(t, u.Put(t.Context(), changed))
		var gone []string
		for path := range current {
			if random.IntN(8) == 0 {
				gone = append(gone, path)
				delete(current, path)
			}
		}
		ok(t, u.Delete(t.Context(), gone))
		ok(t, u.Commit(t.Context()))
	}
	u := begin(t, fresh, store.Full)
	for _, n := range current { // in the order of a map: any
		ok(t, u.Put(t.Context(), []store.Note{n}))
	}
	ok(t, u.Commit(t.Context()))
	ok(t, edited.Verify(t.Context()))
	same(t, "answers", answers(t, open(t, edited)), answers(t, open(t, fresh)))
}

func answers(t *testing.T, v store.Snapshot) []any {
	t.Helper()
	var all []any
	for i := range 20 {
		terms := should(fmt.Sprint("w", 1+i), fmt.Sprint("w", 5+3*i), "w2 w1")
		hits, points := lexical(t, v, 10, terms...)
		near, err := v.Nearest(t.Context(), store.VectorQuery{Vector: vector(uint64(i)), Limit: 10})
		ok(t, err)
		counts, err := v.Frequencies(t.Context(), []string{terms[0].Text, terms[2].Text}, nil)
		ok(t, err)
		tokens, err := v.TokenFrequencies(t.Context(), []uint16{uint16(i), uint16(5 * i), 7, 1<<16 - 1}, nil)
		ok(t, err)
		candidates, err := v.Candidates(t.Context(), store.CandidateQuery{
			Lexical: store.LexicalQuery{Terms: terms, Weights: weights, Limit: 7}, Vector: store.VectorQuery{Vector: vector(uint64(i)), Limit: 7},
		})
		ok(t, err)
		all = append(all, hits, points, places(t, v, near), scores(near), counts, tokens)
		for _, c := range candidates {
			note := lightNote(c.Note)
			c.ID, c.Note = 0, nil
			all = append(all, c, note)
		}
	}
	notes, err := v.Notes(t.Context(), store.NoteQuery{})
	ok(t, err)
	for _, n := range notes {
		whole := read(t, v, n.Path)
		for i := range whole.Passages {
			whole.Passages[i].ID = 0
		}
		all = append(all, n, whole)
	}
	return all
}
