package graph_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/graph"
	"quarry/store"
)

// writersOf are the ways in which a graph is written.
func writersOf(a *graph.Assembled) map[string]func(io.Writer, graph.WriteOptions) error {
	return map[string]func(io.Writer, graph.WriteOptions) error{"JSON": a.WriteJSON, "DOT": a.WriteDOT, "GraphML": a.WriteGraphML}
}

func TestWritersTakeAnyText(t *testing.T) {
	evil := "a\"\\\n\x00\x1b[2J\xff]]>&<b>\u2028\u202e\U000e0041"
	notes := []graph.Note{{Path: evil, ID: evil, Title: evil, Type: evil, Passages: 1, Links: []store.Link{{Target: "b", Relation: evil}}}, {Path: "b.md"}}
	a := graph.Assemble(notes, graph.NewResolver(paths(notes)))
	for format, write := range writersOf(a) {
		var out bytes.Buffer
		if err := write(&out, graph.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		if format != "JSON" && strings.ContainsAny(out.String(), "\x00\x1b\r\u2028\u202e\U000e0041") {
			t.Errorf("%s steers a terminal: %q", format, &out)
		}
		switch format {
		case "JSON":
			if !json.Valid(out.Bytes()) {
				t.Errorf("no JSON: %s", &out)
			}
		case "DOT":
			if got := strings.Count(out.String(), "\n"); got != 5 {
				t.Errorf("DOT has %d lines, want 5:\n%s", got, &out)
			}
		case "GraphML":
			for decoder := xml.NewDecoder(&out); ; {
				if _, err := decoder.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("GraphML: %v", err)
				}
			}
		}
		if err := write(fullDisk{}, graph.WriteOptions{}); !errors.Is(err, errFull) || !strings.Contains(err.Error(), format) {
			t.Errorf("got %v, want %v of %s", err, errFull, format)
		}
	}
}

var errFull = errors.New("full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

// TestWriteStopsEarly holds that no more is asked for once a disk is full.
func TestWriteStopsEarly(t *testing.T) {
	notes := linkedVault(rand.New(rand.NewPCG(5, 6)), 3000)
	full := &fillingDisk{room: 1 << 17}
	if err := graph.Assemble(notes, graph.NewResolver(paths(notes))).WriteJSON(full, graph.WriteOptions{}); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
	if full.asked != 1 {
		t.Errorf("asked %d times after it was full", full.asked)
	}
}

type fillingDisk struct{ room, asked int }

func (d *fillingDisk) Write(b []byte) (int, error) {
	if d.room -= len(b); d.room < 0 {
		d.asked++
		return 0, errFull
	}
	return len(b), nil
}

// TestWriteCleans holds that every text is cleaned, and each once.
func TestWriteCleans(t *testing.T) {
	notes := []graph.Note{
		{Path: "key.md", ID: "key", Title: "key title", Type: "key type", Passages: 2, Defaults: []string{"key kind"}, Links: []store.Link{
			{Target: "b", Relation: "key relation", Line: 1, ChunkOrd: 1}, {Target: "b", Line: 2, ChunkOrd: 1}, {Target: "key", Line: 3},
		}},
		{Path: "b.md", ID: "b", Title: "key title", Type: "key type", Passages: 1, Links: []store.Link{{Target: "key", Relation: "key relation"}}},
	}
	a := graph.Assemble(notes, graph.NewResolver(paths(notes)))
	for format, write := range writersOf(a) {
		times := map[string]int{}
		clean := func(text string) string {
			times[text]++
			return strings.ReplaceAll(text, "key", "***")
		}
		var out bytes.Buffer
		if err := write(&out, graph.WriteOptions{Clean: clean}); err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(out.String(), "<key", "") // GraphML's own
		text = strings.ReplaceAll(text, "key=", "")
		if strings.Contains(text, "key") {
			t.Errorf("%s: something is not clean:\n%s", format, text)
		}
		for raw, count := range times {
			if count != 1 {
				t.Errorf("%s: %q was cleaned %d times", format, raw, count)
			}
		}
	}
}

// TestWritten holds that what nobody wrote is left out on demand.
func TestWritten(t *testing.T) {
	notes := []graph.Note{
		{Path: "a.md", ID: "a", Passages: 1, Defaults: []string{"uses", graph.RelatedTo}, Links: []store.Link{{Target: "b", Line: 1}, {Target: "b", Relation: graph.SimilarTo, Line: 2}}},
		{Path: "b.md", ID: "b", Links: []store.Link{{Target: "a", Relation: graph.SimilarTo, Line: 3}}},
		{Path: "c.md", ID: "c", Links: []store.Link{{Target: "a", Relation: graph.RelatedTo, Line: 4}}},
	}
	a := graph.Assemble(notes, graph.NewResolver(paths(notes)))
	var out bytes.Buffer
	if err := a.WriteJSON(&out, graph.WriteOptions{Written: true}); err != nil {
		t.Fatal(err)
	}
	var g graph.Graph
	if err := json.Unmarshal(out.Bytes(), &g); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"a.md -references-> b.md explicit:wikilink 1 a@[1]",
		"a.md -similar_to-> b.md inline:rel 0.95 a@[2]",
		"b.md -similar_to-> a.md inline:rel 0.95 b@[3]",
		"c.md -related_to-> a.md inline:rel 0.95 c@[4]",
	}
	if diff := cmp.Diff(want, between(g)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(g.Edges) != len(want)+1 {
		t.Errorf("%d edges, want those and one of a passage", len(g.Edges))
	}
}

// TestDrawingsSayItOnce: what a link says is not drawn a second time because its type implies it; JSON has both.
func TestDrawingsSayItOnce(t *testing.T) {
	notes := []graph.Note{
		{Path: "a.md", ID: "a", TypeKey: "project", Defaults: []string{"references", "depends_on"}, Links: []store.Link{{Target: "b", Line: 1}}},
		{Path: "b.md", ID: "b"},
	}
	a := graph.Assemble(notes, graph.NewResolver(paths(notes)))
	for format, want := range map[string]int{"JSON": 3, "DOT": 2, "GraphML": 2} {
		var out bytes.Buffer
		if err := writersOf(a)[format](&out, graph.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.String(), "explicit:wikilink") + strings.Count(out.String(), "edge_defaults:"); got != want {
			t.Errorf("%s has %d edges, want %d:\n%s", format, got, want, &out)
		}
	}
}
