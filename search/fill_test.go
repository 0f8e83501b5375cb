package search_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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
	var fetched atomic.Int32
	for _, least := range []float64{0, all.Results[len(all.Results)-1].Score, all.Results[0].Score, 1} {
		want := 0
		for _, r := range all.Results {
			if r.Score >= least {
				want++
			}
		}
		request.MinScore = least
		s.Presence = func(store.File) search.Presence { fetched.Add(1); return search.Fresh }
		answer := ask(t, s, request)
		isTold := slices.ContainsFunc(answer.Notices, func(n string) bool { return strings.HasSuffix(n, "under the score asked for") })
		if len(answer.Results) != want || answer.Status != all.Status || isTold != (want < len(all.Results)) {
			t.Errorf("from %v on: %d of %d, %s for %s, %v", least, len(answer.Results), want, answer.Status, all.Status, answer.Notices)
		}
		if looked := fetched.Swap(0); least == 1 && looked > 0 {
			t.Errorf("%d passages were looked at in vain", looked)
		}
	}
}

// TestEachFileIsLookedAtOnce: also where several passages of a note are listed.
func TestEachFileIsLookedAtOnce(t *testing.T) {
	var notes []written
	for i := range 3 {
		notes = append(notes, written{title: fmt.Sprintf("Castle %d", i), parts: []string{"A moat of water.", "A moat that is dry.", "No moat any more."}})
	}
	s := library(t, notes...)
	var mu sync.Mutex
	looked := map[string]int{}
	s.Presence = func(f store.File) search.Presence {
		mu.Lock()
		defer mu.Unlock()
		looked[f.Path]++
		return search.Fresh
	}
	if answer := ask(t, s, search.Request{Query: "moat", All: true}); len(answer.Results) < 6 {
		t.Fatalf("%d results", len(answer.Results))
	}
	if len(looked) != 3 {
		t.Errorf("looked at %v", looked)
	}
	for path, times := range looked {
		if times != 1 {
			t.Errorf("%s was looked at %d times", path, times)
		}
	}
}

// daily are notes of a day each, all with the same paragraph.
func daily(count int, text string) []written {
	var notes []written
	for i := range count {
		notes = append(notes, written{title: fmt.Sprintf("Day %04d", i), parts: []string{text}})
	}
	return notes
}

// TestCopiesPushNothingOut: however many notes have the same paragraph, it takes one place, and what else there is has the others.
func TestCopiesPushNothingOut(t *testing.T) {
	const paragraph = "Open the kiln, write down the cones, sweep the kiln shelf, and leave the kiln open until noon."
	real := []written{
		{title: "Stoneware", parts: []string{"Stoneware goes in at the back, where the burner is, and is fired for nine hours. The kiln is opened the day after."}},
		{title: "Bats", parts: []string{"A bat of a kiln is coated with alumina, or what runs off the pots sticks to it and breaks away with a piece of the foot."}},
	}
	for _, count := range []int{60, 700} {
		s := library(t, slices.Concat(others(), daily(count, paragraph), real)...)
		for _, request := range []search.Request{
			{Query: "kiln"},
			{Query: "kiln", Mode: search.Lexical},
			{Query: "open the kiln", Mode: search.Vector},
			{Query: "kiln", Fusion: search.RRF},
			{Query: "kiln", Limit: 4},
			{Query: "kiln", MaxTokens: 200},
		} {
			request.All, request.Explain = true, true
			answer := ask(t, s, request)
			if diff := cmp.Diff(answer, ask(t, s, request), cmpopts.IgnoreUnexported(search.Answer{}, search.Plan{}, search.PlanTerm{})); diff != "" {
				t.Errorf("%d, %+v: asked twice: %s", count, request, diff)
			}
			listed := strings.Fields(strings.ReplaceAll(paths(answer), "Day ", "Day"))
			days := 0
			for _, path := range listed {
				if strings.HasPrefix(path, "Day") {
					days++
				}
			}
			if days != 1 || !slices.Contains(listed, "Stoneware.md") || !slices.Contains(listed, "Bats.md") {
				t.Errorf("%d, %+v: %q", count, request, listed)
			}
			for i, r := range answer.Results {
				sum := 0.0
				for _, c := range r.Explain.Contributions {
					sum += c.Amount
				}
				if math.Abs(sum-r.Explain.Score) > 1e-6 || i > 0 && r.Score > answer.Results[i-1].Score {
					t.Errorf("%d, %+v: %s: %v adds up to %v", count, request, r.FilePath, r.Explain.Score, sum)
				}
				if len(r.Duplicates) > 50 {
					t.Errorf("%d notes are named", len(r.Duplicates))
				}
			}
		}
	}
}

// TestDeeperOnlyForCopies: no question is asked twice unless copies leave too little of a leg, and then so often at most.
func TestDeeperOnlyForCopies(t *testing.T) {
	distinct := make([]written, 300)
	for i := range distinct {
		distinct[i] = written{title: fmt.Sprintf("Kiln %c%c", 'a'+i%26, 'a'+i/26), parts: []string{fmt.Sprintf("The kiln of %d%s.", i, strings.Repeat(fmt.Sprintf(" potters%d", i), i%7))}}
	}
	for name, test := range map[string]struct {
		notes   []written
		request search.Request
		depth   int
	}{
		"no copies":          {distinct, search.Request{Query: "kiln"}, 50},
		"few notes":          {others(), search.Request{Query: "kiln"}, 50},
		"the first is it":    {daily(700, "The kiln is hot."), search.Request{Query: "kiln", Limit: 1, Mode: search.Lexical}, 50},
		"legs not full":      {append(others(), daily(40, moatText)...), search.Request{Query: "moat"}, 50},
		"700 copies":         {daily(700, moatText), search.Request{Query: "moat"}, 800},
		"a budget for one":   {daily(700, moatText), search.Request{Query: "moat", MaxTokens: 10}, 50},
		"2,100, never ended": {daily(2100, moatText), search.Request{Query: "moat", Mode: search.Vector}, 2000},
	} {
		test.request.Explain = true
		if plan := ask(t, library(t, test.notes...), test.request).Plan; plan.Depth != test.depth {
			t.Errorf("%s: %d deep, want %d", name, plan.Depth, test.depth)
		}
	}
}
