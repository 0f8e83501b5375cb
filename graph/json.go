package graph

import (
	"bytes"
	"encoding/json"
	"io"
	"unicode/utf8"
)

// WriteJSON writes the graph as one JSON document, {"nodes":[…],"edges":[…]}, and a line feed: what json.Marshal makes of Graph,
// without escapes for HTML, but as it comes about.
func (a *Assembled) WriteJSON(w io.Writer, options WriteOptions) error {
	s := a.scribe(w, options, escapeJSON)
	s.structure = true
	s.put(`{"nodes":[`)
	between, ranks := "", pageRank(&s.network.out)
	s.nodes(func(i int) {
		n := &s.notes[i]
		s.put(between, `{"path":"`, s.paths[i], `","title":"`, s.text(n.title), `","type":"`, s.text(n.kind), `","pagerank":`)
		s.number(ranks[i])
		s.put("}")
		between = ","
	})
	s.put(`],"edges":[`)
	between = ""
	s.edges(func(r *row) {
		s.put(between, `{"note_id":"`, s.ids[r.evidence], `","source":"`)
		s.end(r.source)
		s.put(`","target":"`)
		s.end(r.target)
		s.put(`","kind":"`, s.labels[r.kind], `","scope":"`, r.scope(), `","chunk_id":"`)
		s.chunkID(r)
		s.put(`","rule_id":"`, s.labels[r.rule], `","confidence":`)
		s.number(s.trust[r.rule])
		s.put(`,"lines":[`)
		s.lines(r, ',')
		s.put("]")
		if r.isMirrored {
			s.put(`,"mirrored":true`)
		}
		s.put("}")
		between = ","
	})
	s.put("]}\n")
	return s.done("JSON")
}

// escapeJSON writes a text as the inside of a string. It leaves what has to be escaped to package json.
func escapeJSON(text string) string {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			var b bytes.Buffer
			encoder := json.NewEncoder(&b)
			encoder.SetEscapeHTML(false)
			_ = encoder.Encode(text) // a string can always be written
			quoted := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
			return string(quoted[1 : len(quoted)-1])
		}
	}
	return text
}
