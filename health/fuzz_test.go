package health_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/health"
)

// FuzzExamine holds that no text, name, tag or heading makes an examination fail, and that it says the same when asked again.
func FuzzExamine(f *testing.F) {
	f.Add("[[a]] (b.md) <a id=\"x\"> https://x.example", "Kiln#Head", "a/b", "Head", "note")
	f.Add("# ünïcode [x](y 陶土", "../x#^id", "Tag_s/1", "#|", "MOC")
	f.Add("\xff\x00", "", "", "", "")
	f.Fuzz(func(t *testing.T, text, target, tag, heading, name string) {
		v := (&vault{files: []string{"x/a.pdf"}, customs: health.Customs{Nesting: ".", TextFirst: true}}).
			note("a/"+name+".md", text, links(target, "("+target+")", "!"+target), tagged(tag, tag+"s"), headings(heading), typed(name), titled(heading)).
			note("inbox/"+name+" copy.md", text, tagged("x"+tag), headings(target), identified(name)).
			note("c.md", text+text, links(name, "x/"+heading), identified(name))
		if name == "" || v.notes[0].Path == v.notes[2].Path {
			t.Skip("paths are distinct")
		}
		one, other := findingsOf(t, v.facts(), health.Selection{}), findingsOf(t, v.facts(), health.Selection{})
		if diff := cmp.Diff(one, other); diff != "" {
			t.Error(diff)
		}
		for _, finding := range one {
			if finding.Related == nil || finding.Message == "" || finding.Remedy == "" || finding.Severity == "" {
				t.Errorf("%+v", finding)
			}
		}
	})
}
