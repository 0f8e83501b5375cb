package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quarry/store"
	"quarry/store/memory"
	"quarry/store/sqlite"
)

// drawn makes notes and queries at random.
type drawn struct{ *rand.Rand }

func (d drawn) of(list ...string) string { return list[d.IntN(len(list))] }

func (d drawn) some(list ...string) []string {
	return slices.DeleteFunc(list, func(string) bool { return d.IntN(3) > 0 })
}

func (d drawn) word() string {
	return d.of("kiln", "oven", "clay", "pot", "wax", "rim", "glaze", "shelf", "陶土")
}

func (d drawn) words(count int) string {
	list := make([]string, count)
	for i := range list {
		list[i] = d.word()
	}
	return strings.Join(list, " ")
}

func (d drawn) day() string { return fmt.Sprintf("2026-%02d-%02d", 1+d.IntN(3), 1+d.IntN(28)) }

func (d drawn) note(i int) store.Note {
	n := store.Note{
		File:  store.File{Path: fmt.Sprintf("%s/%s%02d.md", d.of("Work", "work/deep", "home", "Árbol"), d.of("Plan", "log", "ünder"), i), ContentHash: "00"},
		Title: d.of("Big Plan", "log of clay", "Ünder", "x"), Type: d.of("note", "Log", ""), Status: d.of("open", "done", "archived", ""),
		Domain: d.of("ops", "art"), Updated: d.day(), Tags: d.some("a", "a/b", "ab", "C", "a/b/c"), Aliases: d.some("nick", "Plan B"), Kind: "note",
		Frontmatter: []byte(d.of(`{}`, `{"k":"v"}`, `{"K":["v","w"],"n":2}`, `{"n":"2","k":null}`)),
	}
	for index := range 1 + d.IntN(4) {
		p := store.Passage{Path: n.Path, Index: index, Text: d.words(3 + d.IntN(6)), HeadingContext: n.Title, HeadingPath: d.some("Setup", "Old things", "setup of old")}
		p.Section = strings.Join(p.HeadingPath, " > ")
		n.Passages = append(n.Passages, p)
	}
	return n
}

// asked is a part of a query, and what it asks of a passage. kind is that of a filter, "word" or "" for others.
type asked struct {
	kind, text string
	not        bool
	meets      func(n *store.Note, p *store.Passage) bool // of a leaf
	all, any   []*asked
}

func holds(text string) func(n *store.Note, p *store.Passage) bool {
	return func(n *store.Note, p *store.Passage) bool {
		for _, column := range store.ColumnTexts(n, p) {
			words := strings.FieldsFunc(strings.ToLower(column), func(r rune) bool { return !store.IsWordCharacter(r) })
			if strings.Contains(" "+strings.Join(words, " ")+" ", " "+text+" ") {
				return true
			}
		}
		return false
	}
}

func contains(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

func (d drawn) leaf() *asked {
	one := func(kind, text string, meets func(n *store.Note, p *store.Passage) bool) *asked {
		return &asked{kind: kind, text: text, meets: meets}
	}
	quoted := func(value string) string {
		if strings.Contains(value, " ") || d.IntN(3) == 0 {
			return `"` + value + `"`
		}
		return value
	}
	switch d.IntN(14) {
	case 0:
		tag := d.of("a", "A/b", "c", "none")
		return one("tag", d.of("tag:", "#")+tag, func(n *store.Note, _ *store.Passage) bool {
			return slices.ContainsFunc(n.Tags, func(t string) bool { return strings.HasPrefix(strings.ToLower(t)+"/", strings.ToLower(tag)+"/") })
		})
	case 1:
		value := d.of("note", "log", "x")
		return one("type", "type:"+quoted(value), func(n *store.Note, _ *store.Passage) bool { return strings.EqualFold(n.Type, value) })
	case 2:
		value := d.of("open", "Done", "archived")
		return one("status", "status:"+value, func(n *store.Note, _ *store.Passage) bool { return strings.EqualFold(n.Status, value) })
	case 3:
		value := d.of("ops", "art", "no")
		return one("domain", "domain:"+value, func(n *store.Note, _ *store.Passage) bool { return n.Domain == value })
	case 4:
		if glob := d.of("", "work/*", "*/*1.md", "W*/P*"); glob != "" {
			return one("path", "path:"+glob, func(n *store.Note, _ *store.Passage) bool {
				matches, _ := path.Match(strings.ToLower(glob), strings.ToLower(n.Path))
				return matches
			})
		}
		value := d.of("work", "deep/Plan", "rbol", "Á")
		return one("path", "path:"+quoted(value), func(n *store.Note, _ *store.Passage) bool { return contains(n.Path, value) })
	case 5:
		value := d.of("plan", "1", "work", "UNDER", "ünd")
		return one("file", "file:"+quoted(value), func(n *store.Note, _ *store.Passage) bool { return contains(path.Base(n.Path), value) })
	case 6:
		value := d.of("plan", "nick", "big p", "ünder")
		return one("title", "title:"+quoted(value), func(n *store.Note, _ *store.Passage) bool {
			return slices.ContainsFunc(append([]string{n.Title}, n.Aliases...), func(t string) bool { return contains(t, value) })
		})
	case 7:
		value := d.of("setup", "old", "old things")
		return one("section", "section:"+quoted(value), func(_ *store.Note, p *store.Passage) bool {
			return slices.ContainsFunc(p.HeadingPath, func(h string) bool { return contains(h, value) })
		})
	case 8:
		value := d.of("work", "work/deep", "/home/")
		return one("folder", "folder:"+value, func(n *store.Note, _ *store.Passage) bool {
			return strings.HasPrefix(strings.ToLower(n.Path), strings.Trim(value, "/")+"/")
		})
	case 9:
		day := d.day()
		if d.IntN(2) == 0 {
			return one("since", "since:"+day, func(n *store.Note, _ *store.Passage) bool { return n.Updated >= day })
		}
		return one("until", "until:"+day, func(n *store.Note, _ *store.Passage) bool { return n.Updated <= day })
	case 10:
		return d.property()
	case 11:
		value := d.of("plan", "log", "nobody")
		return one("links-to", "links-to:"+value, func(n *store.Note, _ *store.Passage) bool { return contains(n.Path, value) })
	}
	if d.IntN(2) == 0 {
		word := d.word()
		return one("word", word, holds(segmented(word)))
	}
	words := d.word() + " " + d.of("kiln", "clay", "pot")
	if strings.HasPrefix(words, "陶土") {
		words = "clay pot"
	}
	return one("", `"`+words+`"`, holds(words))
}

func segmented(word string) string {
	if pieces := store.Segment(word); pieces != nil {
		return pieces[0].Term
	}
	return word
}

func (d drawn) property() *asked {
	values := map[string][]string{"[k]": {`{"k":"v"}`, `{"K":["v","w"],"n":2}`, `{"n":"2","k":null}`}, "[K:W]": {`{"K":["v","w"],"n":2}`}, "[n:2]": {`{"K":["v","w"],"n":2}`, `{"n":"2","k":null}`}}
	text := d.of("[k]", "[K:W]", "[n:2]")
	return &asked{kind: strings.ToLower(text[:2]), text: text, meets: func(n *store.Note, _ *store.Passage) bool {
		return slices.Contains(values[text], string(n.Frontmatter))
	}}
}

// part draws a part of a query.
func (d drawn) part(depth int) *asked {
	a := d.leaf()
	if depth > 0 && d.IntN(3) == 0 {
		a = &asked{}
		for range 1 + d.IntN(3) {
			a.all = append(a.all, d.part(depth-1))
		}
		if d.IntN(2) == 0 {
			a.any, a.all = a.all, nil
			if len(a.any) == 1 {
				a.all, a.any = a.any, nil
			}
		}
	}
	a.not = d.IntN(4) == 0
	return a
}

func (a *asked) String() string {
	text := a.text
	parts := func(list []*asked, joiner string) string {
		texts := make([]string, len(list))
		for i, part := range list {
			texts[i] = part.String()
		}
		return "(" + strings.Join(texts, joiner) + ")"
	}
	if a.all != nil {
		text = parts(a.all, " ")
	}
	if a.any != nil {
		text = parts(a.any, " OR ")
	}
	if a.not {
		return "-" + text
	}
	return text
}

// decides tells whether a part lets anything be left out.
func (a *asked) decides() bool {
	return a.not || a.kind != "word" && a.all == nil && a.any == nil || slices.ContainsFunc(slices.Concat(a.all, a.any), (*asked).decides)
}

// is tells whether a passage meets a part. Words that do not decide are met by all.
func (a *asked) is(n *store.Note, p *store.Passage, strict bool) bool {
	strict = strict || a.not
	met := true
	switch {
	case a.all != nil:
		met = everyKind(a.all, n, p, strict)
	case a.any != nil:
		met = false
		decided := slices.ContainsFunc(a.any, (*asked).decides)
		for _, part := range a.any {
			met = met || part.is(n, p, strict || decided && !part.decides())
		}
	case a.kind != "word" || strict:
		met = a.meets(n, p)
	}
	return met != a.not
}

func everyKind(parts []*asked, n *store.Note, p *store.Passage, strict bool) bool {
	kinds := map[string]bool{}
	for _, part := range parts {
		met := part.is(n, p, strict)
		if part.meets != nil && part.kind != "word" && part.kind != "" && !part.not {
			kinds[part.kind] = kinds[part.kind] || met
		} else if !met {
			return false
		}
	}
	for _, met := range kinds {
		if !met {
			return false
		}
	}
	return true
}

// TestFiltersEqualBruteForce asks 500 queries at random of 60 notes, in both stores.
func TestFiltersEqualBruteForce(t *testing.T) {
	d := drawn{rand.New(rand.NewPCG(7, 11))}
	var notes []store.Note
	for i := range 60 {
		notes = append(notes, d.note(i))
	}
	inFile, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "index.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer inFile.Close()
	searchers := []Searcher{bruteSearcher(t, memory.New(), notes), bruteSearcher(t, inFile, notes)}
	compared := 0
	for compared < 500 {
		var parts []*asked
		for range 1 + d.IntN(4) {
			parts = append(parts, d.part(2))
		}
		texts := make([]string, len(parts))
		for i, part := range parts {
			texts[i] = part.String()
		}
		request := Request{Query: strings.Join(texts, " ")}
		if d.IntN(2) == 0 {
			request.Filter = store.Filter{Tags: d.some("a", "c"), NotTypes: d.some("log"), Globs: d.some("**/*1.md", "home/*"), Since: d.of("", "2026-02-01")}
		}
		matcher := store.NewMatcher(request.Filter)
		var want []string
		for i := range notes {
			n := &notes[i]
			for k := range n.Passages {
				if matcher.Match(n) && everyKind(parts, n, &n.Passages[k], false) {
					want = append(want, fmt.Sprint(n.Path, " ", k))
				}
			}
		}
		slices.Sort(want)
		compared++
		for i, s := range searchers {
			got, isWhole := selectedBy(t, s, request)
			if !isWhole { // it asks for more than is looked up
				compared--
				break
			}
			if !slices.Equal(got, want) {
				t.Errorf("store %d: %s with %+v lets %d passages through, want %d", i, request.Query, request.Filter, len(got), len(want))
			}
		}
	}
}

// TestListsOfManyNotes: whether the passages are few or many, the list is the same.
func TestListsOfManyNotes(t *testing.T) {
	d := drawn{rand.New(rand.NewPCG(3, 5))}
	var notes []store.Note
	for i := range 300 {
		notes = append(notes, d.note(i))
	}
	s := bruteSearcher(t, memory.New(), notes)
	for query, want := range map[string]func(n *store.Note) int{ // the first passage, -1 for none
		"until:2026":  func(*store.Note) int { return 0 },
		"status:done": func(n *store.Note) int { return slices.Index([]string{"done"}, n.Status) },
		"-clay":       func(n *store.Note) int { return slices.Index([]bool{false}, anyHolds(n, "clay")) },
		"section:things": func(n *store.Note) int {
			return slices.IndexFunc(n.Passages, func(p store.Passage) bool { return contains(p.Section, "things") })
		},
	} {
		var expected []string
		slices.SortFunc(notes, func(a, b store.Note) int { return store.ByUpdated.Order(&a, &b) })
		for i := range notes {
			if at := want(&notes[i]); at >= 0 {
				expected = append(expected, fmt.Sprint(notes[i].Path, " ", at))
			}
		}
		p, err := s.plan(t.Context(), Request{Query: query}.withDefaults(), 1000)
		if err != nil || !p.filterOnly {
			t.Fatalf("%s: %v", query, err)
		}
		list, err := s.list(t.Context(), p, 1000)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range list {
			got = append(got, fmt.Sprint(c.Note.Path, " ", c.Index))
		}
		if len(got) == 0 || !slices.Equal(got, expected) {
			t.Errorf("%s lists %d notes, want %d", query, len(got), len(expected))
		}
		if cut, err := s.list(t.Context(), p, 7); err != nil || len(cut) != 7 || cut[6].ID != list[6].ID {
			t.Errorf("%s: seven are %d, %v", query, len(cut), err)
		}
	}
}

func anyHolds(n *store.Note, word string) bool {
	return slices.ContainsFunc(n.Passages, func(p store.Passage) bool { return holds(word)(n, &p) })
}

// FuzzPlan: no query is an error, and what is made of it is bounded.
func FuzzPlan(f *testing.F) {
	for _, seed := range []string{
		`kiln -"wet clay" (tag:a OR #b) -[p:v OR w]`, "since:3 days ago -until:x", "((((a OR tag:b", `-(陶土 "陶 a") OR links-to:plan`, "path:** file:*? a AND #b",
		"\xff[\x00]", strings.Repeat("-(a OR tag:b) ", 60),
	} {
		f.Add(seed)
	}
	d := drawn{rand.New(rand.NewPCG(1, 2))}
	var notes []store.Note
	for i := range 12 {
		notes = append(notes, d.note(i))
	}
	var s Searcher
	f.Fuzz(func(t *testing.T, query string) {
		if s.Snapshot == nil {
			s = bruteSearcher(t, memory.New(), notes)
		}
		p, err := s.plan(t.Context(), Request{Query: query}.withDefaults(), 30)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Terms)+len(p.Dropped) > maxTerms || len(p.identifiers) > maxTerms || len(p.Filters) > 2*maxOperators+maxTerms {
			t.Errorf("%q has %d terms, %d identifiers, %d filters", query, len(p.Terms), len(p.identifiers), len(p.Filters))
		}
		if p.filterOnly {
			if _, err := s.list(t.Context(), p, 5); err != nil {
				t.Error(err)
			}
		}
	})
}

func bruteSearcher(t *testing.T, s store.Store, notes []store.Note) Searcher {
	u, err := s.Begin(t.Context(), store.Full)
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Put(t.Context(), notes); err != nil {
		t.Fatal(err)
	}
	if err := u.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	snapshot, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = snapshot.Close() })
	byLinks := func(_ context.Context, f store.Filter) (store.Filter, error) {
		among := map[string]bool{}
		for i := range notes {
			if contains(notes[i].Path, f.LinksTo[0]) {
				among[notes[i].Path] = true
			}
		}
		if len(among) == 0 {
			return f, fmt.Errorf("no: %w", ErrUnknownNote)
		}
		return store.Filter{Among: among}, nil
	}
	return Searcher{Snapshot: snapshot, Today: "2026-03-11", ByLinks: byLinks}
}

// selectedBy gives the passages that a plan lets through, by note and index, and whether the whole query was used.
func selectedBy(t *testing.T, s Searcher, request Request) (list []string, isWhole bool) {
	notes, passages, err := s.Snapshot.Counts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.plan(t.Context(), request.withDefaults(), passages)
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.Snapshot.Notes(t.Context(), store.NoteQuery{})
	if err != nil || len(all) != notes {
		t.Fatal(err, len(all))
	}
	for i := range all {
		n, _, err := s.Snapshot.Note(t.Context(), all[i].Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, passage := range n.Passages {
			if p.within.Has(passage.ID) {
				list = append(list, fmt.Sprint(n.Path, " ", passage.Index))
			}
		}
	}
	slices.Sort(list)
	return list, !slices.ContainsFunc(p.notices, func(n string) bool { return strings.Contains(n, "were left out") })
}

func TestDaysCountFromToday(t *testing.T) {
	for today, want := range map[string]bool{"2026-03-11": true, "": false} {
		if _, ok := (Searcher{Today: today}).day("last monday"); ok != want {
			t.Errorf("today %q: last monday is a day: %t", today, ok)
		}
	}
	if span, ok := (Searcher{}).day("2026-02"); !ok || span.Last != time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC) {
		t.Errorf("a month is %v", span)
	}
}
