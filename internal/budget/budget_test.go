package budget_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry"
	"quarry/internal/budget"
)

func TestBudget(t *testing.T) {
	list := []string{"aaaa", "bb", "cccccccccccc", "d"} // 7, 5, 15 and 4 characters with quotes and comma
	for _, test := range []struct {
		tokens, kept int
		isSpent      bool
	}{{0, 4, false}, {-1, 4, false}, {1, 0, true}, {2, 1, true}, {3, 2, true}, {4, 2, true}, {7, 3, true}, {8, 4, false}, {int(^uint(0) >> 1), 4, false}} {
		b := budget.New(test.tokens)
		if kept := budget.Within(b, list); len(kept) != test.kept || b.IsSpent() != test.isSpent {
			t.Errorf("%d tokens: %q, cut %v", test.tokens, kept, b.IsSpent())
		}
		if test.isSpent && len(budget.Within(b, []string{""})) > 0 {
			t.Errorf("%d tokens: something has room behind what has none", test.tokens)
		}
	}
	if left := budget.New(3).Left(); left != 12 {
		t.Errorf("%d characters", left)
	}
}

func around(t *testing.T) (links quarry.NoteLinks) {
	t.Helper()
	document := `{"note":"n.md","out":[{"target":"Oven"},{"target":"b"},{"target":"c"}],"back":[{"source":"d.md"}],"related":[{"path":"e.md"}],
		"alias_of":{"Oven":"kiln.md","c":"cone.md"}}`
	if err := json.Unmarshal([]byte(document), &links); err != nil {
		t.Fatal(err)
	}
	return links
}

func TestLinks(t *testing.T) {
	for _, test := range []struct {
		asked              budget.Links
		lineStart          int
		out, back, related int
		way                quarry.Way
		asksFor            int
	}{
		{budget.Links{}, 0, 3, 1, 1, quarry.EitherWay, 5},
		{budget.Links{Kinds: []string{"references"}}, 0, 3, 1, 1, quarry.EitherWay, 0},
		{budget.Links{}, 7, 3, 1, 0, quarry.EitherWay, 5}, // what is near a part is not known
		{budget.Links{Out: true}, 0, 3, 0, 0, quarry.WayOut, 0},
		{budget.Links{Back: true}, 0, 0, 1, 0, quarry.WayBack, 0},
		{budget.Links{Out: true, Back: true}, 7, 3, 1, 0, quarry.EitherWay, 0},
		{budget.Links{Related: true}, 7, 0, 0, 1, quarry.EitherWay, budget.MostRelated},
	} {
		request := test.asked.Request("n.md", 2, 5)
		if request.Note != "n.md" || request.Hops != 2 || request.Way != test.way || request.Related != test.asksFor {
			t.Errorf("%+v asks for %+v", test.asked, request)
		}
		links := around(t)
		links.LineStart = test.lineStart
		test.asked.Leave(&links)
		if len(links.Out) != test.out || len(links.Back) != test.back || len(links.Related) != test.related || links.Out == nil {
			t.Errorf("%+v leaves %+v", test.asked, links)
		}
		if (links.AliasOf == nil) == (test.out > 0) {
			t.Errorf("%+v leaves the aliases %v", test.asked, links.AliasOf)
		}
	}
}

// What comes first stays, with the aliases of the links that stay, and nothing stays behind what has no room.
func TestCutLinks(t *testing.T) {
	whole := around(t)
	if budget.CutLinks(&whole, 0) {
		t.Error("no bound cuts")
	}
	if diff := cmp.Diff(around(t), whole); diff != "" {
		t.Error(diff)
	}
	counts := map[int]bool{}
	for tokens := 1; tokens < 400; tokens++ {
		links := around(t)
		isCut := budget.CutLinks(&links, tokens)
		count := len(links.Out) + len(links.Back) + len(links.Related)
		counts[count] = true
		if isCut != (count < 5) || len(links.Out) < 3 && len(links.Back)+len(links.Related) > 0 {
			t.Errorf("%d tokens: cut %v, %+v", tokens, isCut, links)
		}
		if aliases := min(len(links.Out), 1) + max(len(links.Out)-2, 0); len(links.AliasOf) != aliases {
			t.Errorf("%d tokens: %d links and the aliases %v", tokens, len(links.Out), links.AliasOf)
		}
	}
	if len(counts) != 6 {
		t.Errorf("numbers of items: %v", counts)
	}
}

func TestCutDeadLinks(t *testing.T) {
	dead := make([]quarry.DeadLink, 10)
	if kept, isCut := budget.CutDeadLinks(dead, false, 0); len(kept) != 10 || isCut {
		t.Errorf("%d, cut %v", len(kept), isCut)
	}
	once, isCut := budget.CutDeadLinks(dead, false, 200)
	twice, _ := budget.CutDeadLinks(dead, true, 200)
	if len(once) == 0 || len(once) == 10 || !isCut || len(twice) >= len(once) {
		t.Errorf("%d and %d, cut %v", len(once), len(twice), isCut)
	}
}
