package search_test

import (
	"fmt"
	"strings"
	"testing"

	"quarry/search"
)

// TestSpellings: a name is found however it is spelt.
func TestSpellings(t *testing.T) {
	passages := []passage{
		{"camel.md", "We call `getUserProfileById`. It goes through parseHTTPResponse.\n```\nmaxIdleConnsPerHost = 20\n```\n", 60, ""},
		{"prose.md", "A PaymentGateway settles what a paymentservice sends to backupstore.", 60, ""},
		{"snake.md", "We call load_team_roster_by_name in the worker.", 60, ""},
	}
	for i := range 20 {
		passages = append(passages, passage{fmt.Sprintf("%d.md", i), "bread and butter, kiln and glaze", 60, ""})
	}
	s := searcher(index(t, passages...))
	for _, test := range []struct{ query, terms, dropped, absent, first string }{
		{"user profile", "user profile", "", "", "camel.md"},
		{"get_user_profile_by_id", "get user profile id get_user_profile_by_id getuserprofilebyid", "by/f", "", "camel.md"},
		{"GET_USER_PROFILE", "get user profile get_user_profile", "", "", "camel.md"},
		{"http response", "http response", "", "", "camel.md"},
		{"HTTPResponse", "http response", "", "", "camel.md"},
		{"UserProfile", "user profile", "", "", "camel.md"},
		{"idle conns", "idle conns", "", "", "camel.md"},
		{"getUserProfileById", "getuserprofilebyid", "", "", "camel.md"},
		{"team roster", "team roster", "", "", "snake.md"},
		{"load_team_roster_by_name", "load team roster name load_team_roster_by_name loadteamrosterbyname", "by/f", "", "snake.md"},
		{"teamRoster", "team roster", "", "", "snake.md"},
		{"rosterByName", "roster name", "by/f", "", "snake.md"},
		{"loadTeamRosterByName", "loadteamrosterbyname", "", "", "snake.md"},
		// A part that is nowhere says that the word is none of the vault's.
		{"roster of teamPlayers", "roster teamplayers", "of/f", "teamplayers", "snake.md"},
		{`"teamRoster" roster`, "teamroster roster", "", "teamroster", ""},
		// Words side by side are found as one where they are nowhere.
		{"payment service", "payment paymentservice", "", "", "prose.md"},
		{"back up store", "backupstore", "", "", "prose.md"},
		{"payment-service fails", "payment paymentservice fails", "", "fails", "prose.md"},
		{`"back" up store`, "back up store", "", "back, up, store", ""},
		{"bread back up", "back up bread", "", "back, up", "0.md"},
		{"bread butter", "bread butter", "", "", "0.md"},
		{"payment gateway", "payment gateway", "", "", "prose.md"},
		{"who calls getUser by hand", "calls hand get user", "who/f by/f", "hand", "camel.md"},
	} {
		answer := ask(t, s, search.Request{Query: test.query, Mode: search.Lexical, Explain: true, All: true})
		if got := texts(answer.Plan.Terms); got != test.terms {
			t.Errorf("%s: looked for %q, want %q", test.query, got, test.terms)
		}
		if got := texts(answer.Plan.Dropped); got != test.dropped {
			t.Errorf("%s: dropped %q, want %q", test.query, got, test.dropped)
		}
		first, absent := "", ""
		if len(answer.Results) > 0 {
			first = answer.Results[0].FilePath
		}
		for _, notice := range answer.Notices {
			if _, words, ok := strings.Cut(notice, "in no note: "); ok {
				absent = words
			}
		}
		if first != test.first || absent != test.absent {
			t.Errorf("%s: %q comes first and %q is absent, want %q and %q", test.query, first, absent, test.first, test.absent)
		}
	}
}
