package hook

import (
	"encoding/json"
	"strings"
	"testing"

	"quarry"
	"quarry/search"
)

func TestPromptQuery(t *testing.T) {
	log := strings.Repeat("2026-03-01T10:22:31.004Z INFO worker 17 polled queue orders in 12 ms\n", 1500) +
		"2026-03-01T10:22:32.001Z ERROR replication slot reporting_sub is inactive\n"
	for _, test := range []struct{ name, prompt, want string }{
		{"plain", "How do we rotate the refresh tokens of the mobile clients?", "rotate refresh tokens mobile clients"},
		{"asked for work", "Please fix the retry budget in the gateway and run the tests again, thanks!", "retry budget gateway"},
		{"operators are words", `what of tag:urgent -draft "pool size" (pgbouncer OR odyssey) [x:y]`, "tag urgent draft pool size pgbouncer odyssey x y"},
		{"agreement", "yes, go ahead and commit this please", ""},
		{"empty", " \n\t", ""},
		{"one word", "pgbouncer", "pgbouncer"},
		{"one word among others", "please fix the retries", "retries"},
		{"one name", "where is sourceMappingURL set", "sourceMappingURL set"[:len("sourceMappingURL")]},
		{"hyphenated name", "grid-template-areas", "grid-template-areas"},
		{"prose with hyphens", "is it up-to-date", "up-to-date"},
		{"number", "418", ""},
		{"slash command", "/review", ""},
		{"slash command with words", "/plan retry budget of the gateway", "retry budget gateway"},
		{"a path is no command", "/srv/gateway/retry_budget.go is slow", "srv gateway retry_budget.go slow"},
		{"shell", "!cargo bench gateway retries", ""},
		{"mention", "look at @docs/retry_budget.md for the gateway", "docs retry_budget.md gateway"},
		{"address", "see https://example.org/retry/budget?x=1", ""},
		{"a client's own words", "<system-reminder>the retry budget of the gateway</system-reminder>ok", ""},
		{"an open tag", "ok <system-reminder>the retry budget of the gateway", ""},
		{"pasted log alone", log, "ERROR replication slot reporting_sub inactive"},
		{"pasted log with words", "The reporting subscriber stalls at night:\n" + log, "reporting subscriber stalls night"},
		{"code alone", "```go\nfunc (b *retryBudget) Withdraw(n int) bool {\n\tb.retryTokens -= n\n\treturn b.retryTokens > 0\n}\n```", "retryTokens retryBudget Withdraw bool"[:len("retryTokens retryBudget Withdraw")]},
		{"fence without an end", "```\nretryBudget.withdraw(retryTokens)", "retryBudget retryTokens withdraw"},
		{"Japanese", "リフレッシュトークンの回転はどうする", "リフレッシュトークンの回転はどうする"},
		{"Chinese, short", "继续", "继续"},
		{"German", "Wie rotieren wir die Zugangsschlüssel der Datenbank?", "Wie rotieren wir Zugangsschlüssel der Datenbank"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := promptQuery(test.prompt)
			if test.name == "German" { // function words may stay: the search drops them
				if !strings.Contains(got.text, "rotieren") || !strings.Contains(got.text, "Zugangsschlüssel") {
					t.Errorf("%q", got.text)
				}
				return
			}
			if got.text != test.want || (got.text == "") != (got.missing != "") {
				t.Errorf("%q (%s), want %q", got.text, got.missing, test.want)
			}
		})
	}
}

// What names hardly anything is looked for as a name alone, and what was left out is told.
func TestPromptNames(t *testing.T) {
	for _, test := range []struct {
		prompt, dropped string
		needsName       bool
	}{
		{"please fix the retries", "please fix the", true},
		{"restore to a point in time", "to a point in time", true},
		{"fix the gateway budget", "fix the", false},
		{"yes, go on", "yes go on", false},
	} {
		if got := promptQuery(test.prompt); got.needsName != test.needsName || got.dropped != test.dropped {
			t.Errorf("%s: %+v", test.prompt, got)
		}
	}
}

// A name is what is said of a title, weighed by how rare the words are in the vault.
func TestNaming(t *testing.T) {
	plan := &quarry.SearchPlan{Passages: 1000}
	for word, idf := range map[string]float64{"retries": 5, "backoff": 6, "page": 0.7} {
		plan.Terms = append(plan.Terms, search.PlanTerm{Text: word, IDF: idf})
	}
	asked := query{said: stemsOf("why do retries have a backoff on that page in time")}
	w := newWeighing(&quarry.SearchAnswer{Plan: plan}, asked)
	for _, test := range []struct {
		title    string
		from, to float64 // the value
	}{
		{"Retries and backoff", 1, 1},
		{"Retry", 1, 1},
		{"Page", 0.1, 0.3},
		{"Time", 0, 0}, // it is not looked for
		{"Retries of the billing worker queue", 0.2, 0.4},
		{"Deploys", 0, 0},
		{"", 0, 0},
		{strings.Repeat("retries ", 100_000), 1, 1},
	} {
		if got := w.namingBy(test.title).value(); got < test.from || got > test.to {
			t.Errorf("%.40s: %.2f, want %.2f to %.2f", test.title, got, test.from, test.to)
		}
	}
}

// A long prompt gives a short query of its beginning and its end.
func TestQueryIsBounded(t *testing.T) {
	var b strings.Builder
	for i := range 200_000 {
		b.WriteString("word")
		for n := i; n > 0; n /= 26 {
			b.WriteByte(byte('a' + n%26))
		}
		b.WriteByte(" \n"[i%8/7])
	}
	got := promptQuery(b.String())
	if n := len(strings.Fields(got.text)); n != maxQueryHead+maxQueryTail {
		t.Errorf("%d words", n)
	}
	if !strings.HasPrefix(got.text, "word wordb ") {
		t.Errorf("begins with %.40q", got.text)
	}
}

func TestToolQuery(t *testing.T) {
	for _, test := range []struct {
		name, input string
		want        []string // words of the query
		not         []string
	}{
		{
			"edit", `{"file_path":"/srv/u/shop/src/gateway/retryBudget.ts","old_string":"a","new_string":"// a withdrawal never goes below zero\nbudget.withdraw(tokens)"}`,
			[]string{"retry", "budget", "gateway", "withdrawal"},
			[]string{"src", "home"},
		},
		{
			"several edits", `{"file_path":"C:\\shop\\gateway\\retry_budget.go","edits":[{"old_string":"a","new_string":"retryTokens--"},{"new_string":"retryTokens++"}]}`,
			[]string{"retry", "budget", "gateway", "retryTokens"},
			nil,
		},
		{"notebook", `{"notebook_path":"/w/churn/cohorts.ipynb","new_source":"# retention by cohort\nplot(retention)"}`, []string{"cohorts", "retention", "churn"}, nil},
		{"write", `{"file_path":"/w/gateway/limits.md","content":"# Retry budget\n\nTen per cent of requests."}`, []string{"gateway", "limits", "Retry", "budget"}, nil},
		{"patch", `{"command":"*** Begin Patch\n*** Update File: gateway/retry_budget.go\n@@\n-old\n+retryTokens.withdraw(1)\n*** End Patch"}`, []string{"retry", "budget", "gateway", "retryTokens"}, []string{"Begin", "Patch", "old"}},
		{"patch as a text", `"*** Begin Patch\n*** Add File: gateway/retry_budget.go\n+x\n*** End Patch"`, []string{"retry", "budget", "gateway"}, nil},
		{"command", `{"command":"FOO=1 sudo pgbouncer --reload -d /etc/pgbouncer/transaction_pool.ini && echo done"}`, []string{"pgbouncer", "reload", "transaction", "pool"}, []string{"echo", "etc", "FOO"}},
		{"arguments", `{"command":["terraform","apply","-target","module.replica_lag"]}`, []string{"terraform", "replica", "lag"}, nil},
		{"looking", `{"command":"cat gateway/retry_budget.go | grep withdraw"}`, nil, nil},
		{"committing", `{"command":"git add -A && git commit -m \"retry budget\""}`, nil, nil},
		{"testing", `{"command":"cd gateway && go test ./..."}`, nil, nil},
		{"our own", `{"command":"/usr/local/bin/quarry search 'retry budget gateway'"}`, nil, nil},
		{"nothing", `{}`, nil, nil},
		{"no object", `7`, nil, nil},
		{"wrong kinds", `{"command":7,"file_path":[],"edits":{}}`, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			payload := `{"tool_name":"Edit","tool_input":` + test.input + `}`
			e, err := readEvent([]byte(payload), "", BeforeTool)
			if err != nil {
				t.Fatal(err)
			}
			got := " " + toolQuery(e).text + " "
			for _, w := range test.want {
				if !strings.Contains(got, " "+w+" ") {
					t.Errorf("%q has no %q", got, w)
				}
			}
			for _, w := range test.not {
				if strings.Contains(strings.ToLower(got), " "+strings.ToLower(w)+" ") {
					t.Errorf("%q has %q", got, w)
				}
			}
			if len(test.want) == 0 && strings.TrimSpace(got) != "" {
				t.Errorf("%q, want nothing", got)
			}
		})
	}
}

func TestCutAtSentence(t *testing.T) {
	for _, test := range []struct {
		text  string
		limit int
		want  string
	}{
		{"short", 10, "short"},
		{"One sentence. Another one that is long.", 25, "One sentence. …"},
		{"no sentence ends in here at all", 22, "no sentence ends in…"},
		{"äöüäöüäöüäöü", 5, "äöüäö…"},
		{"```\nlong code in here\nand more of it\n```", 30, "```\nlong code in here…\n```"},
	} {
		if got := cutAtSentence(test.text, test.limit); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func FuzzPayload(f *testing.F) {
	for _, seed := range []string{
		`{"hook_event_name":"UserPromptSubmit","prompt":"retry budget"}`, `{"tool_input":{"command":"a|b&&c <<E"}}`, "\xef\xbb\xbf{}", "{", `{"tool_input":{"edits":[{"new_string":"\ud800"}]}}`,
		`{"tool_response":{"stdout":"x","isImage":true}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		for _, kind := range Events {
			e, err := readEvent(payload, "", kind)
			if err != nil {
				continue
			}
			for _, q := range []query{promptQuery(e.prompt), toolQuery(e)} {
				if (q.text == "") == (q.missing == "") {
					t.Fatalf("%q: %q and %q", payload, q.text, q.missing)
				}
				if strings.ContainsAny(q.text, "\"():#[]") || strings.Contains(" "+q.text, " -") {
					t.Fatalf("%q: an operator in %q", payload, q.text)
				}
			}
			if fields, why := replaceable(e.response); why == "" {
				if _, err := json.Marshal(fields); err != nil {
					t.Fatal(err)
				}
			}
			showsFile(e.command())
			outputsOf(e.response)
		}
	})
}
