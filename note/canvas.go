package note

import (
	"strconv"
	"strings"
)

// A canvas follows the JSON Canvas format, version 1.0. It is read without a tree, token by token, since each link is to
// have the place that it has in the file.

// span is a text of the file: a token with its quotes, empty where there is none.
type span struct{ start, end int }

type canvasNode struct {
	kind, id                        string
	text, file, subpath, url, label span
	x, y, width, height             float64
	line                            int
	name                            string // once it was asked for
}

type canvasEdge struct {
	from, to         string
	fromEnd, toEnd   string
	label            span
	line             int
	hasFrom, hasInto bool
}

// canvasReader collects nodes and edges, since an edge or a group may stand before what it speaks of.
type canvasReader struct {
	note   *Note
	source *source
	nodes  []canvasNode
	edges  []canvasEdge
	node   *canvasNode // that is open
	edge   *canvasEdge
	byID   map[string]int
}

// readCanvas takes the words, links and tags of a canvas. An empty file is an empty canvas; a broken one is reported, and
// what stands before the fault counts.
func readCanvas(n *Note, s *source) {
	n.Frontmatter, n.FrontmatterRaw = map[string]any{}, map[string]any{}
	if isBlank(s.raw) {
		return
	}
	c := &canvasReader{note: n, source: s}
	if fault := readJSON(s.raw, 0, len(s.raw), c.token); fault != nil {
		n.addProblem(s.line(fault.offset), "the canvas is not valid JSON: "+fault.reason)
	}
	c.index()
	c.addNodes()
	c.addEdges()
}

// maxProblems bounds the faults that are told of one file.
const maxProblems = 100

func (n *Note) addProblem(line int, reason string) {
	if len(n.Problems) < maxProblems {
		n.Problems = append(n.Problems, Problem{Reason: reason, Line: line})
	}
}

// token takes in a token by its depth: the canvas, its lists, their items, the fields of these.
func (c *canvasReader) token(r *jsonReader, token jsonToken) bool {
	line := func() int { return c.source.line(token.start) }
	opens := token.kind == '{' || token.kind == '['
	if c.inProperties(r) {
		c.property(c.source.keyOf(r.steps[2]), token, line)
		return true
	}
	switch closes := token.kind == '}' || token.kind == ']'; {
	case closes:
	case len(r.steps) == 0:
		if token.kind != '{' {
			c.note.addProblem(line(), "the canvas is no object")
			return false
		}
	case !r.steps[0].object:
	case len(r.steps) == 1:
		switch list := c.source.keyOf(r.steps[0]); {
		case list != "nodes" && list != "edges":
			c.property(list, token, line)
		case token.kind != '[' && token.kind != 'n':
			c.note.addProblem(line(), "the "+list+" of the canvas are no list")
		}
	case len(r.steps) == 2 && !r.steps[1].object:
		list := c.source.keyOf(r.steps[0])
		if list != "nodes" && list != "edges" {
			c.property(list, token, line)
		}
		return c.item(list, token, line)
	case len(r.steps) == 3 && r.steps[2].object && !r.steps[1].object:
		if key := c.source.keyOf(r.steps[2]); opens {
			c.wrongField(key, line)
		} else if c.node != nil {
			c.node.set(c, key, token)
		} else if c.edge != nil {
			c.edge.set(c, key, token)
		}
	}
	return true
}

// property takes in a value of the canvas itself, be it alone or in a list, as a field.
func (c *canvasReader) property(key string, token jsonToken, line func() int) {
	c.note.addFieldOfFile(c.source, key, token, line)
}

// addFieldOfFile takes in a value that a file of JSON has beside what its format says, as a field.
func (n *Note) addFieldOfFile(s *source, key string, token jsonToken, line func() int) {
	if key == "" || strings.IndexByte("{}[]", token.kind) >= 0 || len(n.Fields) >= maxFacts {
		return
	}
	value := ""
	if token.kind != 'n' {
		value = s.textOf(span{token.start, token.end})
	}
	n.Fields = append(n.Fields, Field{Key: s.clean(key), Value: value, Line: line()})
}

// inProperties tells of a value, or an item of a list, in metadata.frontmatter, where a plugin keeps the properties of a
// canvas.
func (c *canvasReader) inProperties(r *jsonReader) bool {
	depth := len(r.steps)
	return (depth == 3 || depth == 4 && !r.steps[3].object) && r.steps[0].object && r.steps[1].object && r.steps[2].object &&
		c.source.keyOf(r.steps[0]) == "metadata" && c.source.keyOf(r.steps[1]) == "frontmatter"
}

// item opens a node or an edge.
func (c *canvasReader) item(list string, token jsonToken, line func() int) bool {
	c.node, c.edge = nil, nil
	switch {
	case list != "nodes" && list != "edges":
	case token.kind != '{':
		c.note.addProblem(line(), "one of the "+list+" is no object")
	case len(c.nodes)+len(c.edges) >= maxFacts:
		c.note.addProblem(line(), "more nodes and edges than are read of one canvas")
		return false
	case list == "nodes":
		c.nodes = append(c.nodes, canvasNode{line: line()})
		c.node = &c.nodes[len(c.nodes)-1]
	default:
		c.edges = append(c.edges, canvasEdge{line: line()})
		c.edge = &c.edges[len(c.edges)-1]
	}
	return true
}

// wrongField tells of a list or object where a text belongs.
func (c *canvasReader) wrongField(key string, line func() int) {
	switch key {
	case "text", "file", "subpath", "url", "label", "id", "type", "fromNode", "toNode":
		if c.node != nil || c.edge != nil {
			c.note.addProblem(line(), "the field "+key+" of the canvas is no text")
		}
	}
}

func (n *canvasNode) set(c *canvasReader, key string, token jsonToken) {
	if token.kind == 'n' {
		return
	}
	place := span{token.start, token.end}
	switch key {
	case "type":
		n.kind = c.plain(place)
	case "id":
		n.id = c.plain(place)
	case "text":
		n.text = place
	case "file":
		n.file = place
	case "subpath":
		n.subpath = place
	case "url":
		n.url = place
	case "label":
		n.label = place
	case "x":
		n.x = c.number(place)
	case "y":
		n.y = c.number(place)
	case "width":
		n.width = c.number(place)
	case "height":
		n.height = c.number(place)
	}
}

func (e *canvasEdge) set(c *canvasReader, key string, token jsonToken) {
	if token.kind == 'n' {
		return
	}
	place := span{token.start, token.end}
	switch key {
	case "fromNode":
		e.from, e.hasFrom = c.plain(place), true
	case "toNode":
		e.to, e.hasInto = c.plain(place), true
	case "fromEnd":
		e.fromEnd = c.plain(place)
	case "toEnd":
		e.toEnd = c.plain(place)
	case "label":
		e.label = place
	}
}

// plain gives a text for comparing only: it is not redacted.
func (c *canvasReader) plain(place span) string {
	text := c.source.raw[place.start:place.end]
	if len(text) > 1 && text[0] == '"' {
		text = unescapeJSON(text[1 : len(text)-1])
	}
	return text
}

func (c *canvasReader) number(place span) float64 {
	number, err := strconv.ParseFloat(c.plain(place), 64)
	if err != nil {
		return 0
	}
	return number
}

// textOf gives the text of a token, redacted.
func (s *source) textOf(place span) string {
	if place.start == place.end {
		return ""
	}
	if s.raw[place.start] != '"' {
		return s.slice(place.start, place.end)
	}
	return s.jsonText(place.start, place.end)
}
