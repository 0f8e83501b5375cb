package search

import (
	"strings"
	"testing"
	"time"

	"quarry/internal/date"
)

func isDate(text string) bool {
	_, ok := date.Parse(text, time.Date(2026, 3, 11, 0, 0, 0, 0, time.UTC))
	return ok
}

// understood writes a query as it was understood, its parts side by side, without the brackets around all of them.
func understood(query string) string {
	var parts []string
	for _, n := range parseLanguage(query, isDate).root.together() {
		parts = append(parts, n.String())
	}
	return strings.Join(parts, " ")
}

func TestLanguage(t *testing.T) {
	for query, want := range map[string]string{
		"":                             "",
		"wet clay":                     "wet clay",
		`"wet clay" kiln`:              `"wet clay" kiln`,
		`“wet clay” «kiln»`:            `"wet clay" "kiln"`,
		`5" pots and 7" bowls`:         `5" pots and 7" bowls`,
		`an "open quote`:               `an "open quote`,
		`foo"bar baz"qux`:              `foo "bar baz" qux`,
		"kiln -glaze":                  "kiln -glaze",
		`kiln -"wet clay"`:             `kiln -"wet clay"`,
		"kiln - glaze":                 "kiln - glaze",
		"well-known":                   "well-known",
		"a--b --amend -->":             "a--b --amend -->",
		"fzf -m":                       "fzf -m",
		"kill -9 -1.5 -20%":            "kill -9 -1.5 -20%",
		"-猫":                           "-猫",
		"-glaze_v2":                    "-glaze_v2",
		"kiln OR oven":                 "(kiln OR oven)",
		"kiln or oven":                 "kiln or oven",
		"wet kiln OR dry oven":         "((wet kiln) OR (dry oven))",
		"logical OR":                   "logical OR",
		"OR gate":                      "OR gate",
		"OR":                           "OR",
		"a OR OR b":                    "((a OR) OR b)",
		"kiln (wet OR dry)":            "kiln (wet OR dry)",
		"-(wet OR dry)":                "-(wet OR dry)",
		"-(wet dry) x":                 "-(wet dry) x",
		"((((kiln))))":                 "kiln",
		"(kiln":                        "kiln",
		"kiln)":                        "kiln",
		"-(kiln x":                     "kiln x",
		"f(x) OR (g(y) OR h(z))":       "(f(x) OR (g(y) OR h(z)))",
		"() (()) -()":                  "",
		"smile :-( more":               "smile :-( more",
		"tag:a/b":                      "tag:a/b",
		"tag:#a/b/":                    "tag:a/b",
		"TAG:a":                        "tag:a",
		"#a/b":                         "tag:a/b",
		"#a,#b":                        "tag:a tag:b",
		"see #kiln.":                   "see tag:kiln .",
		"#1 #page=3 ##x c# #":          "#1 #page=3 ##x c# #",
		"#日本語":                         "tag:日本語",
		"-#a":                          "-tag:a",
		"tag:a,b":                      "tag:a tag:b",
		"tag:a,-b":                     "tag:a -tag:b",
		"-tag:a,b":                     "-tag:a -tag:b",
		"tag:-a":                       "-tag:a",
		`tag:"a b"`:                    `tag:"a b"`,
		`tag:"a, b"`:                   `tag:"a, b"`,
		"tag:(a OR b)":                 "(tag:a OR tag:b)",
		"tag:(a -b)":                   "tag:a -tag:b",
		`path:("my folder" OR x)`:      `(path:"my folder" OR path:x)`,
		"tag: a":                       "tag: a",
		"tag:":                         "tag:",
		"tag:#":                        "tag:#",
		"type:note status:Done":        "type:note status:Done",
		"domain:ops folder:/a/b/":      "domain:ops folder:a/b",
		`path:"my folder/x" path:a/*`:  `path:"my folder/x" path:a/*`,
		"path:a,b":                     `path:"a,b"`,
		"file:kiln title:clay":         "file:kiln title:clay",
		"section:setup -section:x":     "section:setup -section:x",
		"file:///srv/x":                "file:///srv/x",
		"type::x status:=5":            "type::x status:=5",
		"http://a.b/c 12:30 C++:":      "http://a.b/c 12:30 C++:",
		"std::vector note: buy milk":   "std::vector note: buy milk",
		"content-type:json":            "content-type:json",
		"since:2026-01 until:7d":       "since:2026-01 until:7d",
		`since:"last monday" x`:        `since:"last monday" x`,
		"since:last monday kiln":       `since:"last monday" kiln`,
		"since:3 days ago kiln":        `since:"3 days ago" kiln`,
		"until:january 2026 kiln":      `until:"january 2026" kiln`,
		"until:january budget":         "until:january budget",
		"since:someday":                "since:someday",
		"since:-7d":                    "since:-7d",
		"-since:7d":                    "-since:7d",
		"links-to:a linked-by:\"b c\"": `links-to:a linked-by:"b c"`,
		"[status]":                     "[status]",
		"[status:open]":                "[status:open]",
		`[status: "in work"]`:          "[status:in work]",
		"[status:open OR done] x":      "([status:open] OR [status:done]) x",
		"-[status]":                    "-[status]",
		"[due date:2026]":              "[due date:2026]",
		"[[link]] [x](y) [ ] [x] [1]":  "[[link]] [x](y) [ ] [x] [1]",
		"[a-z]+ [type=text] [p":        "[a-z]+ [type=text] [p",
		"line:(wet clay) task:x":       "(wet clay) x",
		`block:"wet clay" task-todo:`:  `"wet clay" task-todo:`,
		"-line:x":                      "-x",
		"content:tag:a":                "tag:a",
		"tag:a OR type:b kiln":         "(tag:a OR (type:b kiln))",
		"(tag:a) (tag:b)":              "tag:a tag:b",
		"tag:a AND tag:b":              "tag:a tag:b",
		"drag AND drop":                "drag AND drop",
		"AND tag:a AND":                "AND tag:a AND",
		"include:archived kiln":        "kiln",
		"include:x":                    "include:x",
		"kiln tag:a)":                  "kiln tag:a",
	} {
		if got := understood(query); got != want {
			t.Errorf("%s is understood as %s, want %s", query, got, want)
		}
	}
}

func TestLimitsOfTheLanguage(t *testing.T) {
	for name, test := range map[string]struct{ query, notice string }{
		"depth":     {strings.Repeat("(", 500) + "tag:a" + strings.Repeat(")", 500), "brackets deeper than 16 were left out"},
		"operators": {strings.Repeat("-xx tag:a ", 100), "only the first 32 filters and exclusions of the query were used"},
		"place":     {"line:a content:b line:c", "looked for as words anywhere in a passage: what stands behind content:, line:"},
		"date":      {"until:someday", "until:someday is no date and was taken for text"},
	} {
		got := parseLanguage(test.query, isDate).notices
		if len(got) != 1 || got[0] != test.notice {
			t.Errorf("%s: %q, want %q", name, got, test.notice)
		}
	}
}

func TestArchivedIsIncluded(t *testing.T) {
	for query, want := range map[string]bool{
		"status:done": true, "tag:a OR status:done": true, "-status:done": false, "include:archived": true, "kiln": false, "status:-done": false,
	} {
		if got := parseLanguage(query, isDate).includesArchived; got != want {
			t.Errorf("%s includes the archive: %t", query, got)
		}
	}
}

// FuzzLanguage: whatever a query holds, what is made of it is bounded.
func FuzzLanguage(f *testing.F) {
	for _, seed := range []string{
		`kiln -"wet clay" (tag:a OR #b) -[p:v OR w]`, "since:3 days ago until:x", "((((", ")))) OR -(a", `tag:(a OR "b c") path:*?`, "a AND #b", "\xff[\x00]",
		"[x:y", "line:(a", "#", "-", "OR OR OR", `"`, `""`, "tag:a,,-b,", strings.Repeat("(a OR ", 40),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		query = cutQuery(query)
		parsed := parseLanguage(query, isDate)
		depth, leaves := 0, 0
		var visit func(n *node, at int)
		visit = func(n *node, at int) {
			depth = max(depth, at)
			if n.kind == filterNode {
				leaves++
			}
			for _, child := range n.children {
				visit(child, at+1)
			}
		}
		visit(parsed.root, 0)
		if depth > 4*(maxDepth+2) || leaves > maxOperators {
			t.Errorf("%q is %d deep and has %d filters", query, depth, leaves)
		}
		list, _ := termsOf(parsed.root, functionsOf(""))
		if len(list) > maxTerms {
			t.Errorf("%q has %d terms", query, len(list))
		}
	})
}

// A secret in a query is no filter of a property, and is not looked for.
func TestMarkersOfSecrets(t *testing.T) {
	for query, want := range map[string]string{
		"why does [REDACTED:password] fail":       "why does   fail",
		"[REDACTED:unscanned][REDACTED:a.b-c_d1]": "  ",
		"[redacted:yes]":                          "[redacted:yes]",
		"[status:active] pool":                    "[status:active] pool",
	} {
		if got, isAny := withoutMarkers(query); got != want || isAny != (got != query) {
			t.Errorf("%q: %q, %v", query, got, isAny)
		}
	}
}
