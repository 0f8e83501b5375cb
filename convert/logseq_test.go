package convert_test

import (
	"strings"
	"testing"

	"quarry/convert"
)

func TestLogseq(t *testing.T) {
	const id = "65f0c1de-1111-4222-8333-123456789abc"
	from, dir := t.TempDir(), t.TempDir()
	put(t, from, map[string]string{
		"pages/Boats___Ropes.md":  "type:: gear\ntags:: deck, [[long ropes]]\nalias:: Lines\n\n- TODO splice the [[Knots]]\n  id:: " + id + "\n- DONE buy #[[new rope]]\n- ![r](../assets/r.png)\n",
		"pages/Knots.md":          "- see [[Lines]], ((" + id + ")), {{embed ((" + id + "))}} and [[Mar 5th, 2026]]\n- `[[Lines]]` stays\n- DOING tie\n",
		"journals/2026_03_05.md":  "- tied [[Boats/Ropes]]\n- [[Nowhere]]\n",
		"pages/old.org":           "* x",
		"logseq/bak/pages/Old.md": "- old",
		"logseq/.recycle/Gone.md": "- gone",
		"whiteboards/w.edn":       "{}",
		"assets/r.png":            "png",
	})
	report := mustImport(t, dir, convert.Options{Format: "logseq", Export: from, Memory: newMemory()})
	got := filesOf(t, dir)
	for name, wants := range map[string][]string{
		"00-inbox/logseq/Boats/Ropes.md": {"title: Boats/Ropes", "  - deck\n  - long-ropes", "aliases:", "- [ ] splice the [[Knots]] ^" + id, "- [x] buy #new-rope", "![[r.png|r]]"},
		"00-inbox/logseq/Knots.md":       {"[[Ropes|Lines]]", "[[Ropes#^" + id + "]]", "![[Ropes#^" + id + "]]", "[[2026-03-05|Mar 5th, 2026]]", "`[[Lines]]` stays", "- [/] tie"},
		"00-inbox/logseq/2026-03-05.md":  {"type: daily", "created: 2026-03-05T00:00:00Z", "tied [[Ropes|Boats/Ropes]]", "[[Nowhere]]"},
	} {
		for _, want := range wants {
			if !strings.Contains(got[name], want) {
				t.Errorf("%s lacks %q:\n%s", name, want, got[name])
			}
		}
	}
	if report.Notes.Written != 3 || report.Attachments.Written != 1 || len(report.Links.Lost) != 1 || len(report.LeftOut) != 3 {
		t.Errorf("%+v", report)
	}
}
