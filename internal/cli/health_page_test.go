package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"quarry"
)

func decoded[T any](t *testing.T, document string) T {
	t.Helper()
	var value T
	if err := json.Unmarshal([]byte(document), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// findings are so many of a check and a severity.
func findings(check, severity string, count int) string {
	var list []string
	for i := range count {
		list = append(list, fmt.Sprintf(`{"check":%q,"severity":%q,"path":"notes/n%d.md","line":%d,"message":"message %[3]d","remedy":"the remedy","related":[]}`, check, severity, i+1, i))
	}
	return strings.Join(list, ",")
}

// Findings stand by severity, then check; long lists are cut unless all are asked for; a remedy is said once.
func TestHealthPage(t *testing.T) {
	health := decoded[quarry.Health](t, `{"notes":40,"findings":[`+findings("dead_link", "fault", 1)+","+findings("orphan", "hint", 13)+","+findings("alias_link", "fault", 2)+
		`,{"check":"stale_index","severity":"notice","path":"","line":0,"message":"2 files changed","remedy":"run it on c.md","related":["a.md","b.md","c.md"]}]}`)
	a, out := terminal(100)
	a.io.OutTerminal = false
	a.printHealth(health, doctorFlags{})
	want := `Faults

  alias_link (2)
    notes/n1.md  message 1
    notes/n2.md:1  message 2
        the remedy

  dead_link (1)
    notes/n1.md  message 1
        the remedy

Notices

  stale_index (1)
    2 files changed
        a.md
        b.md
        run it on c.md

Hints

  orphan (13)
`
	if !strings.HasPrefix(out.String(), want) {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
	if want := "message 10\n        the remedy\n    … and 3 more (--all)\n\n3 faults, 1 notice, 13 hints in 40 notes\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("got\n%s\nwant the end\n%s", out, want)
	}
	out.Reset()
	var orphans []string
	for _, path := range []string{"a.md", "b/a note.md", "c.md"} {
		link := strings.TrimSuffix(path[strings.LastIndex(path, "/")+1:], ".md")
		orphans = append(orphans, fmt.Sprintf(`{"check":"orphan","severity":"hint","path":%q,"message":"nobody links it","remedy":"write a link: [[%s]]; ask %s"}`, path, link, path))
	}
	a.printHealth(decoded[quarry.Health](t, `{"notes":3,"findings":[`+strings.Join(orphans, ",")+`]}`), doctorFlags{})
	if want := "  orphan (3)\n    nobody links it\n    a.md\n    b/a note.md\n    c.md\n        write a link: [[NOTE]]; ask NOTE\n\n"; !strings.Contains(out.String(), want) {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
	out.Reset()
	a.printHealth(health, doctorFlags{all: true})
	if strings.Contains(out.String(), "more") || !strings.Contains(out.String(), "message 13\n") {
		t.Errorf("not all: %s", out)
	}
}

func TestHealthOfASoundVault(t *testing.T) {
	for _, test := range []struct {
		flags doctorFlags
		want  string
	}{
		{doctorFlags{}, fmt.Sprintf("Nothing found in 1 note by %d checks.\n", len(quarry.HealthChecks()))},
		{doctorFlags{DoctorRequest: quarry.DoctorRequest{Only: []string{"orphan", "dead_link"}}}, "Nothing found in 1 note by orphan, dead_link.\n"},
		{doctorFlags{DoctorRequest: quarry.DoctorRequest{Skip: []string{"orphan"}}}, "Nothing found in 1 note without orphan.\n"},
	} {
		a, out := terminal(80)
		a.printHealth(quarry.Health{Notes: 1}, test.flags)
		if out.String() != test.want {
			t.Errorf("%q, want %q", out, test.want)
		}
	}
}

func TestStatsPage(t *testing.T) {
	ranked := `{"path":"maps/Home.md","pagerank":0.25,"in":3,"out":12}`
	stats := decoded[quarry.GraphStats](t, `{"notes":20,"edges":9,"links":12,"unresolved":2,"kinds":{"references":6,"depends_on":2,"a":2},"rules":{"inline:rel":9},
		"components":[7,3],"orphans":["a.md","b.md","c.md","d.md","e.md","f.md","g.md","h.md","i.md","j.md","k.md"],"top":[`+ranked+`],"hubs":[`+ranked+`],"maps":[{"path":"maps/Home.md","members":["a.md","b.md"]}]}`)
	a, out := terminal(100)
	a.io.OutTerminal = false
	a.printStats(stats)
	for _, want := range []string{
		"notes       20\nlinks       12, 2 of them dead (`quarry links --unresolved` lists them)\nedges       9 between notes\n",
		"  by kind   6 references, 2 a, 2 depends_on\n  by rule   9 inline:rel\nclusters    2, of 7, 3 notes\n",
		"orphans     11 notes that no link joins to another\n  a.md\n", "  j.md\n  … and 1 more; --json lists all\n",
		"maps        1 note of type moc\n  gathers 2     maps/Home.md\n",
		"\nHighest PageRank\n  PageRank    in   out  note\n    0.2500     3    12  maps/Home.md\n",
		"\nLinking to most notes\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("got\n%s\nwant\n%s", out, want)
		}
	}
	out.Reset()
	a.printStats(quarry.GraphStats{})
	if want := "notes       0\nlinks       0\nedges       0 between notes\nclusters    none: no note links to another\norphans     none\n"; out.String() != want {
		t.Errorf("of nothing: %q", out)
	}
}

// What the graph's commands write at a terminal keeps to its width, but for places, which are to be opened.
func TestGraphRowsOfTheTerminal(t *testing.T) {
	long := strings.Repeat("folder name/", 8) + "陶土 note.md"
	links := decoded[quarry.NoteLinks](t, fmt.Sprintf(`{"note":"n.md","out":[],"back":[],"related":[{"path":%q,"score":0.5}],"reached":[{"path":%[1]q,"hops":2,"via":%[1]q},{"path":"a.md","hops":3,"via":%[1]q}]}`, long))
	stats := decoded[quarry.GraphStats](t, fmt.Sprintf(`{"notes":1,"kinds":{%q:3,"b":4},"orphans":[%[1]q],"top":[{"path":%[1]q}],"maps":[{"path":%[1]q,"members":[]}]}`, long))
	health := decoded[quarry.Health](t, fmt.Sprintf(`{"notes":1,"findings":[{"check":"orphan","severity":"hint","path":%q,"line":3,"message":%q,"remedy":%[2]q,"related":[%[1]q]}]}`, long, strings.Repeat("words of it ", 20)))
	dead := decoded[[]quarry.DeadLink](t, fmt.Sprintf(`[{"source":%q,"line":3,"target":%[1]q,"subpath":"#h","kind":"depends_on","state":"heading_missing","suggestions":[%[1]q,"b.md"]}]`, long))
	for _, columns := range []int{50, 80, 120} {
		a, out := terminal(columns)
		a.printLinks(links, linksFlags{}, nil)
		a.printStats(stats)
		a.printHealth(health, doctorFlags{})
		a.printUnresolved(dead, linksFlags{})
		places := 0
		for row := range strings.SplitSeq(out.String(), "\n") {
			if runewidth.StringWidth(row) <= columns {
				continue
			}
			if places++; !strings.HasSuffix(row, "note.md:3") {
				t.Errorf("%d columns: %d in %q", columns, runewidth.StringWidth(row), row)
			}
		}
		if columns < 100 && places != 2 {
			t.Errorf("%d columns: %d places were written whole, want 2:\n%s", columns, places, out)
		}
	}
}

// What is dead stands out in colour, what is doubtful in another, and what is sound does not.
func TestDeadLinksStandOut(t *testing.T) {
	links := decoded[quarry.NoteLinks](t, `{"note":"n.md","out":[{"target":"a","resolved":"a.md","state":"ok"},{"target":"b","state":"unresolved"},
		{"target":"c","resolved":"c.md","state":"ambiguous"},{"target":"https://x.example","state":"external"}],"back":[{"source":"d.md","target":"n","subpath":"#h","resolved":"n.md","state":"heading_missing"}]}`)
	dead := decoded[[]quarry.DeadLink](t, `[{"source":"n.md","line":3,"target":"b","kind":"references","state":"unresolved"}]`)
	a, out := terminal(80)
	a.flags.noColor = false
	a.printLinks(links, linksFlags{}, nil)
	a.printUnresolved(dead, linksFlags{})
	if a.usesColor() != strings.Contains(out.String(), "\x1b") {
		t.Fatalf("colours: %q", out)
	}
	for text, count := range map[string]int{
		styleFault + "(no such file)" + styleEnd: 2, "#h " + styleFault + "(no such heading)" + styleEnd: 1, styleMark + "(several files fit)" + styleEnd: 1,
		"  (outside the vault)": 1, styleFault: 3,
	} {
		if got := strings.Count(out.String(), text); got != count {
			t.Errorf("%q stands %d times, want %d, in\n%q", text, got, count, out)
		}
	}
}
