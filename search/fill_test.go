package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quarry/search"
	"quarry/store"
)

const moatText = "The moat is dug twelve feet deep on the north side, lined with clay that is tamped in layers, and fed by a brook through a sluice of oak."

// moats are notes of which several say the same, among others of the subject.
func moats() []written {
	return append(others(),
		written{title: "Moat (copy)", parts: []string{moatText}},
		written{title: "Digging a moat, from the archive", parts: []string{moatText + " "}},
		written{title: "Moat", parts: []string{moatText}},
		written{title: "Works of the north side", parts: []string{moatText}},
		written{title: "Bridge", parts: []string{"A bridge over the moat is drawn up at night; its chains are oiled every month, and the planks are of oak."}},
		written{title: "Sluice", parts: []string{"The sluice that feeds the moat is opened in spring for a week, or the brook runs over its banks and takes the clay along."}},
		written{title: "Clay", parts: []string{"Clay that lines a moat is tamped in layers of a hand's breadth; dry clay is wetted first."}},
	)
}

// TestCopiesDoNotHangOnTheLimit: however many are asked for, the first of them are the same. Duplicates much further behind are told
// of where the list goes so far.
func TestCopiesDoNotHangOnTheLimit(t *testing.T) {
	s := library(t, moats()...)
	for _, request := range []search.Request{
		{Query: "moat"},
		{Query: "how deep is the moat"},
		{Query: "moat copy"},
		{Query: "moat clay", Fusion: search.RRF},
		{Query: "moat clay", Mode: search.Vector},
		{Query: "sluice moat", Mode: search.Lexical},
	} {
		request.All, request.Explain, request.Limit = true, true, 10
		all := ask(t, s, request).Results
		want := "Moat.md"
		if request.Query == "moat copy" { // its title
			want = "Moat (copy).md"
		}
		at := slices.IndexFunc(all, func(r search.Result) bool { return strings.HasPrefix(r.ChunkText, "The moat is dug") })
		if at < 0 || all[at].FilePath != want || len(all[at].Duplicates) != 3 {
			t.Errorf("%+v: the copies stand as %+v", request.Query, all)
		}
		for limit := 1; limit < len(all); limit++ {
			request.Limit = limit
			if diff := cmp.Diff(all[:limit], ask(t, s, request).Results, cmpopts.IgnoreFields(search.Result{}, "Duplicates")); diff != "" {
				t.Errorf("%s, %d: %s", request.Query, limit, diff)
			}
		}
	}
}

// TestWhatIsGoneTakesNoRoom: passages that are no longer there, or not to be seen, neither shorten the list nor make the answer good.
func TestWhatIsGoneTakesNoRoom(t *testing.T) {
	long := strings.Repeat("Of moats and their brooks much was written. ", 90)
	notes := others()
	for i := range 12 {
		notes = append(notes, written{title: fmt.Sprintf("Moat %02d", i), parts: []string{fmt.Sprintf("%s Volume %d.", long, i)}})
	}
	notes = append(notes, written{title: "Ditch", parts: []string{"A ditch is no moat."}})
	s := library(t, notes...)
	for presence, notices := range map[search.Presence]int{search.Gone: 1, search.Withheld: 0} {
		s.Presence = func(f store.File) search.Presence {
			if strings.HasPrefix(f.Path, "Moat") {
				return presence
			}
			return search.Fresh
		}
		answer := ask(t, s, search.Request{Query: "moat", Limit: 2, MaxTokens: 40, Mode: search.Lexical, All: true})
		if len(answer.Results) != 1 || answer.Results[0].FilePath != "Ditch.md" || len(answer.Notices) != notices {
			t.Errorf("%v: %+v, %v", presence, answer.Results, answer.Notices)
		}
		s.Presence = func(store.File) search.Presence { return presence }
		if answer = ask(t, s, search.Request{Query: "moat", Mode: search.Lexical}); answer.Status != search.NoResults || len(answer.Results) != 0 {
			t.Errorf("%v: all are: %s, %+v", presence, answer.Status, answer.Results)
		}
	}
}

// TestLeastScore: passages under the score asked for are not listed, the answer says how many, and its status is that of all.
func TestLeastScore(t *testing.T) {
	s := library(t, moats()...)
	request := search.Request{Query: "moat", All: true, Explain: true}
	all := ask(t, s, request)
	fetched := 0
	for _, least := range []float64{0, all.Results[len(all.Results)-1].Score, all.Results[0].Score, 1} {
		want := 0
		for _, r := range all.Results {
			if r.Score >= least {
				want++
			}
		}
		request.MinScore = least
		s.Presence = func(store.File) search.Presence { fetched++; return search.Fresh }
		answer := ask(t, s, request)
		isTold := slices.ContainsFunc(answer.Notices, func(n string) bool { return strings.HasSuffix(n, "under the score asked for") })
		if len(answer.Results) != want || answer.Status != all.Status || isTold != (want < len(all.Results)) {
			t.Errorf("from %v on: %d of %d, %s for %s, %v", least, len(answer.Results), want, answer.Status, all.Status, answer.Notices)
		}
		if least == 1 && fetched > 0 {
			t.Errorf("%d passages were looked at in vain", fetched)
		}
		fetched = 0
	}
}
