package graph

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
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
		fmt.Fprintf(out, "    <node id=\"%s\">", oldEscapeXML(node.Path))
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
		fmt.Fprintf(out, "    <edge source=\"%s\" target=\"%s\">", oldEscapeXML(edge.Source), oldEscapeXML(edge.Target))
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
	fmt.Fprintf(out, "<data key=\"%s\">%s</data>", key, oldEscapeXML(value))
}

// oldEscapeXML also replaces what no XML document may hold.
func oldEscapeXML(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder does not fail
	return b.String()
}

// quoteDOT makes a quoted string of Graphviz: quotes and backslashes escaped, line ends and invalid UTF-8 replaced.
func quoteDOT(s string) string {
	s = strings.ToValidUTF8(s, string(utf8.RuneError))
	return `"` + oldEscapes.Replace(s) + `"`
}

var oldEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ", "\x00", "")

func flush(out *bufio.Writer, format string) error {
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write graph as %s: %w", format, err)
	}
	return nil
}

// WriteJSON writes the graph as one JSON document, {"nodes":[…],"edges":[…]}, and a line feed. It says what json.Marshal would,
// without escapes for HTML, but writes as it goes and without reflection: the structure alone has three edges for each passage.
func (g Graph) WriteJSON(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	var line []byte
	fmt.Fprint(out, `{"nodes":[`)
	for i := range g.Nodes {
		line = g.Nodes[i].appendJSON(comma(line[:0], i))
		if _, err := out.Write(line); err != nil {
			return fmt.Errorf("write graph as JSON: %w", err)
		}
	}
	fmt.Fprint(out, `],"edges":[`)
	for i := range g.Edges {
		line = g.Edges[i].appendJSON(comma(line[:0], i))
		if _, err := out.Write(line); err != nil {
			return fmt.Errorf("write graph as JSON: %w", err)
		}
	}
	fmt.Fprint(out, "]}\n")
	return flush(out, "JSON")
}

func comma(line []byte, before int) []byte {
	if before > 0 {
		line = append(line, ',')
	}
	return line
}

func (n *Node) appendJSON(line []byte) []byte {
	line = appendString(append(line, `{"path":`...), n.Path)
	line = appendString(append(line, `,"title":`...), n.Title)
	line = appendString(append(line, `,"type":`...), n.Type)
	return append(appendNumber(append(line, `,"pagerank":`...), n.PageRank), '}')
}

func (e *Edge) appendJSON(line []byte) []byte {
	line = appendString(append(line, `{"note_id":`...), e.NoteID)
	line = appendString(append(line, `,"source":`...), e.Source)
	line = appendString(append(line, `,"target":`...), e.Target)
	line = appendString(append(line, `,"kind":`...), e.Kind)
	line = appendString(append(line, `,"scope":`...), e.Scope)
	line = appendString(append(line, `,"chunk_id":`...), e.ChunkID)
	line = appendString(append(line, `,"rule_id":`...), e.Rule)
	line = appendNumber(append(line, `,"confidence":`...), e.Confidence)
	line = append(line, `,"lines":[`...)
	for i, number := range e.Lines {
		line = strconv.AppendInt(comma(line, i), int64(number), 10)
	}
	line = append(line, ']')
	if e.Mirrored {
		line = append(line, `,"mirrored":true`...)
	}
	return append(line, '}')
}

// appendString leaves what has to be escaped to package json.
func appendString(line []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			var b bytes.Buffer
			encoder := json.NewEncoder(&b)
			encoder.SetEscapeHTML(false)
			_ = encoder.Encode(text) // a string can always be written
			return append(line, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
		}
	}
	return append(append(append(line, '"'), text...), '"')
}

// appendNumber writes a share; what JSON has no number for is 0.
func appendNumber(line []byte, number float64) []byte {
	if math.IsNaN(number) || math.IsInf(number, 0) {
		number = 0
	}
	return strconv.AppendFloat(line, number, 'f', -1, 64)
}

// Stats counts. links is the number of those of the notes, as written, external ones left out, and unresolved that of those
// among them that lead nowhere or not to all that they name. Edges of defaults and mirrored ones count as edges, and make
// nothing hang together.
func (g Graph) Stats(links, unresolved int) Stats {
	s := Stats{Notes: len(g.Nodes), Links: links, Unresolved: unresolved, Kinds: map[string]int{}, Rules: map[string]int{}}
	for i := range g.Edges {
		if e := &g.Edges[i]; !e.isStructure() {
			s.Edges++
			s.Kinds[e.Kind]++
			s.Rules[e.Rule]++
		}
	}
	network := g.Network()
	s.Components = []int{}
	for _, set := range network.Components() {
		if len(set) > 1 {
			s.Components = append(s.Components, len(set))
		}
	}
	ranked := make([]Ranked, len(g.Nodes))
	s.Orphans, s.Maps = []string{}, []Map{}
	for i := range g.Nodes {
		node := network.node(g.Nodes[i].Path)
		ranked[i] = Ranked{g.Nodes[i].Path, g.Nodes[i].PageRank, network.in.degree(node), network.out.degree(node)}
		if ranked[i].In+ranked[i].Out == 0 {
			s.Orphans = append(s.Orphans, ranked[i].Path)
		}
		if IsMap(g.Nodes[i].Path, g.Nodes[i].Type) {
			s.Maps = append(s.Maps, Map{ranked[i].Path, network.named(network.out.of(node))})
		}
	}
	s.Top = firstOf(ranked, func(r Ranked) float64 { return r.PageRank })
	s.Hubs = firstOf(ranked, func(r Ranked) float64 { return float64(r.Out) })
	return s
}
