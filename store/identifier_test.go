package store_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"quarry/store"
)

func TestIdentifiers(t *testing.T) {
	for _, test := range []struct{ word, want string }{
		// Compounds are joined.
		{"DEC-0054", "dec0054"},
		{"UTF-8", "utf8"},
		{"snake_case", "snakecase"},
		{"MAX_OPEN_FILES", "maxopenfiles"},
		{"x86_64", "x8664"},
		{"v1.2.3-rc4", "v123rc4 3rc4"},
		{"file.ext", "fileext"},
		{"a.b.cd", "abcd"},
		{"std::vector", "stdvector"},
		{"pointer->next", "pointernext"},
		{"src/main.go", "srcmaingo maingo"},
		{`C:\Users\notes\plan.md`, "usersnotesplanmd planmd"},
		{"/etc/ssh/sshd_config", "etcsshsshdconfig sshdconfig"},
		{"docs/how-to/start", "docshowtostart"},
		// Parts of camelCase.
		{"getElementById", "get element by id"},
		{"XMLHttpRequest", "xml http request"},
		{"innerHTML", "inner html"},
		{"HTMLElement", "html element"},
		{"Uint8Array", "uint8 array"},
		{"WebGL2RenderingContext", "web gl2 rendering context"},
		{"TypeScript", "type script"},
		{"translateX()", "translate"},
		{"größeÄndern", "größe ändern"},
		{"Array.prototype.toSorted", "arrayprototypetosorted to sorted"},
		{"set_maxValue", "setmaxvalue max value"},
		// Neither.
		{"", ""},
		{"word", ""},
		{"Word", ""},
		{"NATO", ""},
		{"IPv4", ""},
		{"URLs", ""},
		{"iOS", ""},
		{"iPhone", ""},
		{"pH", ""},
		{"OAuth2", ""},
		{"i18n", ""},
		{"well-known", ""},
		{"Content-Type", ""},
		{"and/or", ""},
		{"e.g.", ""},
		{"U.S.A.", ""},
		{"3.14", ""},
		{"2026-11-30", ""},
		{"1/2/2026", ""},
		{"192.168.0.1", ""},
		{"12:30", ""},
		{"__init__", ""},
		{"--no-ignore", ""},
		{"end...of", ""},
		{"key:value", ""},
		{"第3-章", ""},
		{"会议_2026", ""},
		{"\xff_\xfe", ""},
		{strings.Repeat("a_", 400) + "a", ""},
	} {
		if got := strings.Join(store.Identifiers(test.word), " "); got != test.want {
			t.Errorf("Identifiers(%q) = %q, want %q", test.word, got, test.want)
		}
	}
}

func TestIdentifierColumn(t *testing.T) {
	for _, test := range []struct {
		name    string
		note    store.Note
		passage store.Passage
		want    string
	}{
		{"none", store.Note{}, store.Passage{Text: "Plain words, and more."}, ""},
		{"once of a text", store.Note{}, store.Passage{Text: "See DEC-0054 and dec-0054, not well-known ones."}, "dec0054"},
		{
			"twice of names",
			store.Note{Aliases: []string{"ADR-7"}},
			store.Passage{Text: "DEC-0054", HeadingContext: "DEC-0054 | decision | area/ops/x1"},
			"dec0054 dec0054 areaopsx1 dec0054 areaopsx1 adr7 adr7",
		},
		{"names on the first passage alone", store.Note{Aliases: []string{"ADR-7"}}, store.Passage{Index: 1, Text: "a_b", HeadingContext: "DEC-0054"}, "ab"},
		{"camelCase of names and headings alone", store.Note{}, store.Passage{Text: "useEffect", Section: "useState", HeadingContext: "fooBar"}, "use state foo bar foo bar"},
		{"no code in fences", store.Note{}, store.Passage{Text: "a_b\n> ```go\nc_d\n> ```\n`e_f`\n~~~\ng_h"}, "ab ef"},
		{"no targets", store.Note{}, store.Passage{Text: "[a_b](c_d.md 'e_f') <https://g_h/i_j> k_l http://m_n/o_p"}, "ab ef kl"},
		{"wikilinks", store.Note{}, store.Passage{Text: "[[a_b|c_d]] and [e_f] (g_h): i_j"}, "ab cd ef gh ij"},
	} {
		if diff := cmp.Diff(test.want, store.ColumnTexts(&test.note, &test.passage)[store.ColumnIdentifiers]); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestIdentifiersAreBounded(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("aB", 5<<20), strings.Repeat("a_", 5<<20), strings.Repeat("a_b ", 1<<20), strings.Repeat("a.b/c-1::", 1<<20),
		strings.Repeat("someCamelWord ", 1<<19), strings.Repeat("::", 5<<20), strings.Repeat("](", 5<<20), strings.Repeat("](a ://b ", 1<<20), strings.Repeat("\xff", 5<<20),
	} {
		if got := store.Identifiers(text); len(got) > 32 {
			t.Errorf("%.20q…: %d words", text, len(got))
		}
		if got := store.ColumnTexts(&store.Note{}, &store.Passage{Text: text, Section: text})[store.ColumnIdentifiers]; len(got) > 2*32*65 {
			t.Errorf("%.20q…: %d bytes", text, len(got))
		}
	}
}

func FuzzIdentifiers(f *testing.F) {
	for _, seed := range []string{"DEC-0054", "a/b.c_d::eF->g", "XMLHttpRequest", "größeÄndern", "\xff_-", "会议_2026", "A\u0301b_C"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, word string) {
		seen := map[string]bool{}
		for _, term := range store.Identifiers(word) {
			if term == "" || seen[term] || strings.ContainsAny(term, " _-./\\:>") || term != strings.ToLower(term) || utf8.RuneCountInString(term) < 2 {
				t.Errorf("%q gives %q", word, term)
			}
			seen[term] = true
		}
	})
}

func BenchmarkIdentifierColumn(b *testing.B) {
	p := &store.Passage{Text: strings.Repeat("Call `getElementById()` to find what is there, as DEC-0054 and docs/start.md tell. Some more words of usual length follow. ", 6)}
	b.SetBytes(int64(len(p.Text)))
	for b.Loop() {
		store.ColumnTexts(&store.Note{}, p)
	}
}
