package search_test

import (
	"fmt"
	"strings"
	"testing"

	"quarry/embedding"
	"quarry/embedding/model2vec"
	"quarry/internal/interaction"
	"quarry/search"
	"quarry/store"
	"quarry/store/memory"
)

// written is a note of several passages, as the index has them: with vectors and tokens of the built-in model.
type written struct {
	title  string
	tags   []string
	status string
	kind   string // type
	day    string // updated
	parts  []string
}

// builtIn loads the model that comes with the program.
func builtIn(t *testing.T) embedding.TokenModel {
	t.Helper()
	model, err := model2vec.BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// library indexes notes, each under its title, in memory.
func library(t *testing.T, notes ...written) search.Searcher {
	t.Helper()
	model := builtIn(t)
	s := memory.New()
	update, err := s.Begin(t.Context(), store.Full)
	if err != nil {
		t.Fatal(err)
	}
	var list []store.Note
	for _, w := range notes {
		n := store.Note{File: store.File{Path: w.title + ".md"}, Title: w.title, Tags: w.tags, Status: w.status, Type: w.kind, Updated: w.day}
		for i, text := range w.parts {
			title, body := model.AppendTokens(nil, w.title), model.AppendTokens(nil, text)
			vectors, err := model.Embed(t.Context(), []string{w.title + "\n" + text})
			if err != nil {
				t.Fatal(err)
			}
			n.Passages = append(n.Passages, store.Passage{
				Path: n.Path, Index: i, Text: text, HeadingContext: fmt.Sprintf("%s | %s | %s", w.title, w.kind, strings.Join(w.tags, ", ")),
				LineStart: i + 1, LineEnd: i + 1, Vector: vectors[0],
				RankData: interaction.NewPacker(model).Pack(interaction.Text{Title: title, Body: body}),
			})
		}
		list = append(list, n)
	}
	if err := update.Put(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	if err := update.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	snapshot, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { snapshot.Close() })
	out := searcher(snapshot)
	out.Embedder = model
	return out
}

// others are notes of other subjects, so that words have a weight.
func others() []written {
	var list []written
	for i, text := range []string{
		"Sourdough wants a starter that doubled within four hours, strong flour and a cold night in the fridge.",
		"The kiln is fired to cone six; glazes with much iron turn brown when the cooling is slow.",
		"Reef early: the mainsail first, then the jib, and keep the boat balanced on the helm.",
		"Tomatoes after beans, cabbage after tomatoes, and a year of clover before the potatoes come back.",
		"The night train to Narvik leaves at six; book the couchette well ahead in winter.",
		"A budget review each quarter: fixed costs first, then the projects that ran over.",
		"Retrospective of the release: the rollout took too long, and nobody watched the dashboards.",
		"Sharpen the chisel on the coarse stone until there is a burr, then polish both faces.",
	} {
		list = append(list, written{title: fmt.Sprintf("Note %d", i+1), parts: []string{text}})
	}
	return list
}

// TestDeepNotesBeatStubs: a short note full of the words of the query, in tags and text, stands behind one that works the subject
// out and hardly repeats them.
func TestDeepNotesBeatStubs(t *testing.T) {
	stub := written{
		title: "OAuth notes", tags: []string{"security", "authentication", "oauth", "token"},
		parts: []string{"Token rotation matters for security. OAuth does it for authentication. Read up on OAuth token rotation some day."},
	}
	deep := written{title: "Rotating refresh tokens", tags: []string{"security"}, parts: []string{
		"OAuth access tokens live for minutes, so clients hold a refresh token that lives for weeks. Whoever steals it can sign in as " +
			"the user until it expires. Rotation shortens that: each time the client redeems its refresh token the server hands out a " +
			"new one and marks the old one as spent. A spent token that is presented again proves that two parties hold copies.",
		"The server keeps a family identifier with every grant. When a spent token comes back, the whole family is revoked, the session " +
			"ends, and the user has to sign in again. Mobile clients on bad networks retry, so a grace period of some seconds accepts the " +
			"previous token once more and returns the same successor instead of revoking everything.",
		"Store only a hash of the token. Index it by family, and delete expired rows every night. Audit the revocations: many of them from " +
			"one address range point to theft, a few from one client version to a bug in its retry logic.",
	}}
	for _, query := range []string{"oauth token rotation", "how does token rotation work in oauth", "oauth refresh token security"} {
		s := library(t, append(others(), stub, deep)...)
		answer := ask(t, s, search.Request{Query: query, Explain: true})
		if answer.Plan.Form != search.FormSum {
			t.Fatalf("form %s", answer.Plan.Form)
		}
		if len(answer.Results) == 0 || answer.Results[0].Title != deep.title {
			for _, r := range answer.Results[:min(4, len(answer.Results))] {
				t.Logf("%s#%d %v %+v", r.Title, r.LineStart, r.Explain.Score, r.Explain.Contributions)
			}
			t.Errorf("%s: the stub comes first", query)
		}
		settings := search.DefaultSettings()
		settings.Signals.Shallow = 0
		s.Settings = &settings
		if bare := ask(t, s, search.Request{Query: query}); bare.Results[0].Title != stub.title {
			t.Errorf("%s: the stub does not come first by itself: nothing was tested", query)
		}
	}
}

// TestStubsAreToldByTheirNote: a short passage of a note that has others is no stub, however few of them are listed.
func TestStubsAreToldByTheirNote(t *testing.T) {
	const short = "Token rotation matters for security. OAuth does it for authentication. Read up on OAuth token rotation some day."
	deep := written{title: "Rotating refresh tokens", parts: []string{
		"OAuth access tokens live for minutes, so clients hold a refresh token that lives for weeks. Whoever steals it can sign in as " +
			"the user until it expires. Rotation shortens that: each time the client redeems its refresh token the server hands out a " +
			"new one and marks the old one as spent. A spent token that is presented again proves that two parties hold copies.",
	}}
	for _, test := range []struct {
		name  string
		parts []string
		loses bool
	}{
		{"alone", []string{short}, true},
		{"one of many", []string{short, "Sheep are shorn in May.", "Wool is washed in soft water."}, false},
	} {
		s := library(t, append(others(), deep, written{title: "Ideas", parts: test.parts})...)
		for _, limit := range []int{2, 10, 100} {
			answer := ask(t, s, search.Request{Query: "oauth token rotation", Limit: limit, Explain: true})
			if got := amount(byTitle(t, answer, "Ideas"), "shallow"); (got < 0) != test.loses {
				t.Errorf("%s, of %d asked for: %v", test.name, limit, got)
			}
		}
	}
}
