package graph

import (
	"encoding/xml"
	"io"
	"strings"

	"quarry/internal/steering"
)

// WriteDOT writes the edges between notes in the language of Graphviz (https://graphviz.org/doc/info/lang.html), those of
// defaults dashed, mirrored ones dotted. Attributes that Graphviz does not know have the names of the JSON form; lines are
// joined by spaces. The structure of notes is left out.
func (a *Assembled) WriteDOT(w io.Writer, options WriteOptions) error {
	s := a.scribe(w, options, escapeDOT)
	s.put("digraph vault {\n")
	s.nodes(func(i int) { s.put(`  "`, s.paths[i], `" [label="`, s.text(s.notes[i].title), "\"];\n") })
	s.edges(func(r *row) {
		if r.isRepeated {
			return
		}
		s.put(`  "`)
		s.end(r.source)
		s.put(`" -> "`)
		s.end(r.target)
		s.put(`" [label="`, s.labels[r.kind], `"`)
		switch {
		case r.isImplied:
			s.put(", style=dashed")
		case r.isMirrored:
			s.put(", style=dotted")
		}
		s.put(`, rule_id="`, s.labels[r.rule], `", confidence=`)
		s.number(s.trust[r.rule])
		s.put(`, lines="`)
		s.lines(r, ' ')
		s.put("\"];\n")
	})
	s.put("}\n")
	return s.done("DOT")
}

// WriteGraphML writes the edges between notes as GraphML (http://graphml.graphdrawing.org); lines are joined by spaces. The
// structure of notes is left out.
func (a *Assembled) WriteGraphML(w io.Writer, options WriteOptions) error {
	s := a.scribe(w, options, escapeXML)
	s.put(graphMLHead)
	ranks := pageRank(&s.network.out)
	s.nodes(func(i int) {
		s.put(`    <node id="`, s.paths[i], `"><data key="title">`, s.text(s.notes[i].title), `</data><data key="type">`, s.text(s.notes[i].kind))
		s.put(`</data><data key="pagerank">`)
		s.number(ranks[i])
		s.put("</data></node>\n")
	})
	s.edges(func(r *row) {
		if r.isRepeated {
			return
		}
		s.put(`    <edge source="`)
		s.end(r.source)
		s.put(`" target="`)
		s.end(r.target)
		s.put(`"><data key="kind">`, s.labels[r.kind], `</data><data key="scope">`, r.scope(), `</data><data key="chunk_id">`)
		s.chunkID(r)
		s.put(`</data><data key="rule_id">`, s.labels[r.rule], `</data><data key="confidence">`)
		s.number(s.trust[r.rule])
		s.put(`</data><data key="note_id">`, s.ids[r.evidence], `</data><data key="lines">`)
		s.lines(r, ' ')
		s.put("</data></edge>\n")
	})
	s.put("  </graph>\n</graphml>\n")
	return s.done("GraphML")
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

// escapeXML also replaces what no XML document may hold, and what steers a terminal that shows it.
func escapeXML(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(steering.Plain(text))) // a Builder does not fail
	return b.String()
}

// escapeDOT writes a text as the inside of a quoted string of Graphviz: quotes and backslashes escaped, line ends made spaces,
// and what is no UTF-8 or steers a terminal replaced.
func escapeDOT(text string) string { return dotEscapes.Replace(steering.Plain(lineEnds.Replace(text))) }

var (
	lineEnds   = strings.NewReplacer("\n", " ", "\r", " ")
	dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
)
