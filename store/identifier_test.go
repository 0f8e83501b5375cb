package store_test

import (
	"fmt"
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
		{"a->bc", "abc"},
		{"élan.été", "élanété"},
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
		{"a->b", ""},
		{"é.à", ""},
		{"x::y", ""},
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
		{"camelCase of names and headings", store.Note{}, store.Passage{Text: "Use it.", Section: "useState", HeadingContext: "fooBar"}, "use state foo bar foo bar"},
		{"no compounds in fences", store.Note{}, store.Passage{Text: "a_b\n> ```go\nc_d\n> ```\n`e_f`\n~~~\ng_h"}, "ab ef"},
		{"no targets", store.Note{}, store.Passage{Text: "[a_b](c_d.md 'e_f') <https://g_h/i_j> k_l http://m_n/o_p"}, "ab ef kl"},
		{"wikilinks", store.Note{}, store.Passage{Text: "[[a_b|c_d]] and [e_f] (g_h): i_j"}, "ab cd ef gh ij"},
	} {
		if diff := cmp.Diff(test.want, store.ColumnTexts(&test.note, &test.passage)[store.ColumnIdentifiers]); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// TestCamelCaseOfTexts: the parts are there that find the passage by nothing else.
func TestCamelCaseOfTexts(t *testing.T) {
	for _, test := range []struct {
		name    string
		passage store.Passage
		want    string
	}{
		{
			"in the order of the text",
			store.Passage{Text: "Call `getUserProfileById`, parseHTTPResponse, then maxIdleConnsPerHost."},
			"get user profile by id parse http response max idle conns per host",
		},
		{"but words of the passage", store.Passage{Text: "The user's PROFILES: getUserProfileById."}, "get by id"},
		{"but words of its headings and context", store.Passage{Text: "getUserProfileById", Section: "Users", HeadingContext: "Profile | note", Index: 3}, "get by id"},
		{"but parts of its names", store.Passage{Text: "useEffect", Section: "useState", HeadingContext: "fooEffect", Index: 3}, "use state"},
		{"once", store.Passage{Text: "idleConns IdleConnsMap IDLEConns"}, "idle conns map"},
		{"with what is joined", store.Passage{Text: "See max_size of openFile and open_all."}, "maxsize openall file"},
		{"within compounds", store.Passage{Text: "http.maxIdleConns"}, "httpmaxidleconns max idle conns"},
		{"accents", store.Passage{Text: "größeSetzen, ÄnderungLesen, not GRÖSSE"}, "größe setzen änderung lesen"},
		{"not of names such as", store.Passage{Text: "GitHub, JavaScript and iPhone"}, ""},
		{"but of those in prose", store.Passage{Text: "A UserProfile and the PaymentGateway, YouTube apart"}, "user profile payment gateway"},
		{"and of types in code", store.Passage{Text: "A `UserProfile` of GitHub, an HTTPResponse and a TeamRosterEntry"}, "user profile http response team roster entry"},
		{"a few in fences", store.Passage{Text: "```\nUserProfile{fooBar, bazQux, oneTwo, sixTen}\n```\nlastWord"}, "user profile foo bar baz qux one two last word"},
		{"not of templates", store.Passage{Text: "{{embedLiveSample}} {{old_header}} {liveSample}"}, "live sample"},
		{"not in targets", store.Passage{Text: "[aText](someFile.md) <https://someHost/aFile> lastWord"}, "last word"},
		{"no more than so many", store.Passage{Text: strings.Join(numbered("aa%02dBb%02d", 40), " ")}, strings.Join(numbered("aa%02d bb%02d", 12), " ")},
	} {
		if diff := cmp.Diff(test.want, store.ColumnTexts(&store.Note{}, &test.passage)[store.ColumnIdentifiers]); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestIdentifiersAreBounded(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("aB", 5<<20), strings.Repeat("a_", 5<<20), strings.Repeat("a_b ", 1<<20), strings.Repeat("a.b/c-1::", 1<<20),
		strings.Repeat("someCamelWord ", 1<<19), strings.Repeat("::", 5<<20), strings.Repeat("](", 5<<20), strings.Repeat("](a ://b ", 1<<20), strings.Repeat("\xff", 5<<20),
		strings.Repeat("someCamel`Word ", 1<<17), strings.Repeat("GitHub ", 1<<18), strings.Repeat("{{aaBb ", 1<<18), "aaBb " + strings.Repeat("é— ", 1<<18),
		strings.Join(numbered("aaa%06dAa%06d", 1<<16), " "),
	} {
		if got := store.Identifiers(text); len(got) > 32 {
			t.Errorf("%.20q…: %d words", text, len(got))
		}
		if got := store.ColumnTexts(&store.Note{}, &store.Passage{Text: text, Section: text})[store.ColumnIdentifiers]; len(got) > (2*32+24)*65 {
			t.Errorf("%.20q…: %d bytes", text, len(got))
		}
	}
}

// numbered gives a form filled with each number, twice.
func numbered(form string, count int) (list []string) {
	for i := range count {
		list = append(list, fmt.Sprintf(form, i, i))
	}
	return list
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
		if !utf8.ValidString(word) {
			return // texts are
		}
		p := store.Passage{Text: word, Index: 1}
		of := store.ColumnTexts(&store.Note{}, &p)[store.ColumnIdentifiers]
		p.Text += "\n" + of
		if again := store.ColumnTexts(&store.Note{}, &p)[store.ColumnIdentifiers]; len(again) > len(of) {
			t.Errorf("%q gives %q, and with that %q", word, of, again)
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
