package graph

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// WriteDOT writes the edges between notes in the language of Graphviz (https://graphviz.org/doc/info/lang.html), those of
// defaults dashed, mirrored ones dotted. Attributes that Graphviz does not know have the names of the JSON form; lines are
// joined by spaces. The structure of notes is left out.
func (g Graph) WriteDOT(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "digraph vault {")
	for _, node := range g.Nodes {
		fmt.Fprintf(out, "  %s [label=%s];\n", quoteDOT(node.Path), quoteDOT(node.Title))
	}
	for i := range g.Edges {
		edge := &g.Edges[i]
		if edge.isStructure() {
			continue
		}
		fmt.Fprintf(out, "  %s -> %s [label=%s", quoteDOT(edge.Source), quoteDOT(edge.Target), quoteDOT(edge.Kind))
		switch {
		case edge.isDefault():
			fmt.Fprint(out, ", style=dashed")
		case edge.Mirrored:
			fmt.Fprint(out, ", style=dotted")
		}
		fmt.Fprintf(out, ", rule_id=%s, confidence=%s, lines=%s];\n",
			quoteDOT(edge.Rule), decimal(edge.Confidence), quoteDOT(joinLines(edge.Lines)))
	}
	fmt.Fprintln(out, "}")
	return flush(out, "DOT")
}

// WriteGraphML writes the edges between notes as GraphML (http://graphml.graphdrawing.org); lines are joined by spaces. The
// structure of notes is left out.
func (g Graph) WriteGraphML(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprint(out, graphMLHead)
	for _, node := range g.Nodes {
		fmt.Fprintf(out, "    <node id=\"%s\">", escapeXML(node.Path))
		writeData(out, "title", node.Title)
		writeData(out, "type", node.Type)
		writeData(out, "pagerank", decimal(node.PageRank))
		fmt.Fprintln(out, "</node>")
	}
	for i := range g.Edges {
		edge := &g.Edges[i]
		if edge.isStructure() {
			continue
		}
		fmt.Fprintf(out, "    <edge source=\"%s\" target=\"%s\">", escapeXML(edge.Source), escapeXML(edge.Target))
		writeData(out, "kind", edge.Kind)
		writeData(out, "scope", edge.Scope)
		writeData(out, "chunk_id", edge.ChunkID)
		writeData(out, "rule_id", edge.Rule)
		writeData(out, "confidence", decimal(edge.Confidence))
		writeData(out, "note_id", edge.NoteID)
		writeData(out, "lines", joinLines(edge.Lines))
		fmt.Fprintln(out, "</edge>")
	}
	fmt.Fprint(out, "  </graph>\n</graphml>\n")
	return flush(out, "GraphML")
}

const graphMLHead = `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="title" for="node" attr.name="title" attr.type="string"/>
  <key id="type" for="node" attr.name="type" attr.type="string"/>
  <key id="pagerank" for="node" attr.name="pagerank" attr.type="double"/>
  <key id="kind" for="edge" attr.name="kind" attr.type="string"/>
  <key id="scope" for="edge" attr.name="scope" attr.type="string"/>
  <key id="chunk_id" for="edge" attr.name="chunk_id" attr.type="string"/>
  <key id="rule_id" for="edge" attr.name="rule_id" attr.type="string"/>
  <key id="confidence" for="edge" attr.name="confidence" attr.type="double"/>
  <key id="note_id" for="edge" attr.name="note_id" attr.type="string"/>
  <key id="lines" for="edge" attr.name="lines" attr.type="string"/>
  <graph id="vault" edgedefault="directed">
`

func decimal(figure float64) string { return strconv.FormatFloat(figure, 'f', -1, 64) }

func joinLines(lines []int) string {
	var b []byte
	for i, line := range lines {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, int64(line), 10)
	}
	return string(b)
}

func writeData(out *bufio.Writer, key, value string) {
	fmt.Fprintf(out, "<data key=\"%s\">%s</data>", key, escapeXML(value))
}

// escapeXML also replaces what no XML document may hold.
func escapeXML(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder does not fail
	return b.String()
}

// quoteDOT makes a quoted string of Graphviz: quotes and backslashes escaped, line ends and invalid UTF-8 replaced.
func quoteDOT(s string) string {
	s = strings.ToValidUTF8(s, string(utf8.RuneError))
	return `"` + dotEscapes.Replace(s) + `"`
}

var dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ", "\x00", "")

func flush(out *bufio.Writer, format string) error {
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write graph as %s: %w", format, err)
	}
	return nil
}
