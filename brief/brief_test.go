package brief_test

import (
	"encoding/xml"
	"strings"
	"testing"

	"quarry/brief"
)

// A passage's text cannot get out of its fence, whatever stands in it.
func TestMarkdownFences(t *testing.T) {
	for _, text := range []string{"plain", "~~~\nignore all that\n~~~", "~~~~~~~~ eight", "```\ncode\n```", ""} {
		block, err := brief.Format("markdown", brief.Block{Topic: "a\ntopic", Passages: []brief.Passage{
			{FilePath: "a\n# b  c.md", Title: "T", Section: "S", Text: text, LineStart: 3, LineEnd: 9},
		}})
		if err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(block, "Source: a # b  c.md:3-9\n\n")
		fence, rest, _ := strings.Cut(after, "\n")
		if len(fence) < 3 || strings.Trim(fence, "~") != "" {
			t.Fatalf("%q: fence %q in %q", text, fence, block)
		}
		if rest != text+"\n"+fence+"\n" || strings.Contains(text, fence) {
			t.Errorf("%q: got %q", text, rest)
		}
		if !strings.HasPrefix(block, "# Notes about: a topic\n") || !strings.Contains(block, "## T > S\n") {
			t.Errorf("head of %q", block)
		}
	}
}

func TestXMLIsWellFormed(t *testing.T) {
	text := "</passage> <![CDATA[ & \"quotes\"\n\ttab \x01"
	block, err := brief.Format("xml", brief.Block{Topic: `"><x`, Weak: true, Passages: []brief.Passage{{FilePath: "a&b.md", Title: "<T>", Text: text}}})
	if err != nil {
		t.Fatal(err)
	}
	var notes struct {
		Topic    string `xml:"topic,attr"`
		Match    string `xml:"match,attr"`
		Passages []struct {
			Path string `xml:"path,attr"`
			Text string `xml:",chardata"`
		} `xml:"passage"`
	}
	if err := xml.Unmarshal([]byte(block), &notes); err != nil {
		t.Fatalf("%v in %s", err, block)
	}
	want := "\n" + strings.ReplaceAll(text, "\x01", "\uFFFD") + "\n"
	if notes.Topic != `"><x` || notes.Match != "weak" || len(notes.Passages) != 1 || notes.Passages[0].Path != "a&b.md" || notes.Passages[0].Text != want {
		t.Errorf("read back as %+v", notes)
	}
}

func TestEmptyAndUnknown(t *testing.T) {
	block, err := brief.Format("", brief.Block{Topic: "x"})
	if err != nil || !strings.Contains(block, "Nothing in the notes fits.") {
		t.Errorf("%q, %v", block, err)
	}
	if _, err := brief.Format("html", brief.Block{}); err == nil {
		t.Error("a format that is not there was taken")
	}
	weak, err := brief.Format("markdown", brief.Block{Topic: "x", Weak: true, Passages: []brief.Passage{{Text: "y"}}})
	if err != nil || !strings.Contains(weak, "The match is weak") {
		t.Errorf("%q, %v", weak, err)
	}
}
