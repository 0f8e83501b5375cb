package graph

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"
)

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
