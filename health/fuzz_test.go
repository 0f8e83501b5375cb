package health_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/health"
	"quarry/store"
)

// FuzzExamine holds that no text, name, tag or heading makes an examination fail, and that it says the same when asked again.
func FuzzExamine(f *testing.F) {
	f.Add("[[a]] (b.md) <a id=\"x\"> https://x.example", "Kiln#Head", "a/b", "Head", "note")
	f.Add("# ünïcode [x](y 陶土", "../x#^id", "Tag_s/1", "#|", "MOC")
	f.Add("\xff\x00", "", "", "", "")
	f.Add("rel: is [[a]], [[b]]\n> [!edge] x [[y]]", "rel: is a", "[[a]], [[b]]", "x: y: z", "\"A\" b")
	f.Add("- [ ] rel:[[a]](b c.md)[x](c y.md)", "rel:is a b", "x", "'it's", "\ttags: #a")
	f.Fuzz(func(t *testing.T, text, target, tag, heading, name string) {
		v := (&vault{files: []string{"x/a.pdf"}, customs: health.Customs{Nesting: ".", TextFirst: true}}).
			note("a/"+name+".md", text, links(target, "("+target+")", "!"+target), tagged(tag, tag+"s"), headings(heading), typed(name), titled(heading)).
			note("inbox/"+name+" copy.md", text, tagged("x"+tag), headings(target), identified(name)).
			note("c.md", text+text, links(name, "x/"+heading), identified(name), linesAt(line(1, target, ""), line(2, name, tag)))
		encoded, err := json.Marshal(map[string]any{name: tag, tag: []string{heading, tag}})
		if err != nil {
			t.Fatal(err)
		}
		one := 1
		v.notes[2].properties = string(encoded)
		v.notes = append(v.notes, noted{Note: health.Note{Path: "d.md"}, text: heading + "\n" + name, properties: "{}"})
		v.problems = []store.Problem{{Path: "d.md", State: "warning", Reason: "torn: " + tag, Line: &one}}
		if name == "" || v.notes[0].Path == v.notes[2].Path || v.notes[0].Path == "d.md" {
			t.Skip("paths are distinct")
		}
		found, other := findingsOf(t, v.facts(), health.Selection{}), findingsOf(t, v.facts(), health.Selection{})
		if diff := cmp.Diff(found, other); diff != "" {
			t.Error(diff)
		}
		for _, finding := range found {
			if finding.Related == nil || finding.Message == "" || finding.Remedy == "" || finding.Severity == "" || len(finding.Message)+len(finding.Remedy) > 10_000 {
				t.Errorf("%+v", finding)
			}
		}
	})
}
