package note

import (
	"sort"
	"strings"

	"quarry/internal/dialect"
)

// maxGroupTests bounds how many times a node is held against a group.
const maxGroupTests = 20_000_000

// groups tells for each node which labelled group is the smallest that its middle lies in, -1 for none, and which
// groups have words in them.
func (c *canvasReader) groups() (around []int, named []bool) {
	around, named = make([]int, len(c.nodes)), make([]bool, len(c.nodes))
	var groups []int
	for i := range c.nodes {
		around[i] = -1
		if node := &c.nodes[i]; node.form() == "group" && !isBlank(c.source.textOf(node.label)) {
			groups = append(groups, i)
		}
	}
	sort.SliceStable(groups, func(i, j int) bool { return c.nodes[groups[i]].area() < c.nodes[groups[j]].area() })
	if len(groups) > maxGroupTests/max(len(c.nodes), 1) {
		c.note.addProblem(0, "more groups than are held against the nodes: the nodes stand without the labels of their groups")
		return around, named
	}
	for i := range c.nodes {
		for _, group := range groups {
			if group != i && c.nodes[group].holds(&c.nodes[i]) {
				around[i] = group
				inner := c.nodes[i].form() != "group" && c.nodes[group].label.end-c.nodes[group].label.start <= maxNameBytes
				named[group] = named[group] || inner
				break
			}
		}
	}
	return around, named
}

func (n *canvasNode) area() float64 { return n.width * n.height }

// holds tells whether the middle of a smaller node lies in the group.
func (n *canvasNode) holds(inner *canvasNode) bool {
	x, y := inner.x+inner.width/2, inner.y+inner.height/2
	return inner.area() < n.area() && x >= n.x && x <= n.x+n.width && y >= n.y && y <= n.y+n.height
}

// addEdges puts in the labels of edges with the names of the nodes at both ends, and reports what leads nowhere.
func (c *canvasReader) addEdges() {
	for i := range c.edges {
		edge := &c.edges[i]
		from, to := c.end(edge.from), c.end(edge.to)
		switch {
		case from == nil && !edge.hasFrom || to == nil && !edge.hasInto:
			c.note.addProblem(edge.line, "an edge of the canvas has no node at one end")
		case from == nil || to == nil:
			c.note.addProblem(edge.line, "an edge of the canvas leads to a node that is missing")
		}
		label := strings.TrimSpace(c.source.textOf(edge.label))
		if label == "" {
			continue
		}
		ends := []string{}
		for _, node := range []*canvasNode{from, to} {
			if name := c.name(node); name != "" {
				ends = append(ends, name)
			}
		}
		if between := strings.Join(ends, edge.arrow()); between != "" {
			label = c.source.clean(between + ": " + label)
		}
		c.addWords("", label, c.source.line(edge.label.start))
	}
}

func (c *canvasReader) end(id string) *canvasNode {
	if i, ok := c.byID[id]; ok {
		return &c.nodes[i]
	}
	return nil
}

// arrow shows which way an edge points; without a word on its ends it points to the second node.
func (e *canvasEdge) arrow() string {
	switch back, forth := e.fromEnd == "arrow", e.toEnd != "none"; {
	case back && forth:
		return " ↔ "
	case back:
		return " ← "
	case forth:
		return " → "
	}
	return " – "
}

// maxNameBytes is how much of a card or label stands for it as a heading or where an edge is told.
const maxNameBytes = 80

// name is a word or two for a node: the first line of a card, the name of a file, the label of a group.
func (c *canvasReader) name(node *canvasNode) string {
	if node == nil {
		return ""
	}
	if node.name == "" {
		node.name = cutText(c.wholeName(node), maxNameBytes)
	}
	return node.name
}

func (c *canvasReader) wholeName(node *canvasNode) string {
	switch node.form() {
	case "file":
		return dialect.Stem(c.source.textOf(node.file))
	case "link":
		return c.source.textOf(node.url)
	case "group":
		return strings.Join(strings.Fields(c.source.textOf(node.label)), " ")
	}
	card := c.source.readCard(c.source.textOf(node.text))
	for line := range strings.Lines(card.visible()) {
		if line = strings.TrimSpace(strings.TrimLeft(line, "#-*+> \t")); line != "" {
			return line
		}
	}
	return "…"
}

// cutText cuts a text behind a word, to at most so many bytes where it is longer.
func cutText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	text = strings.ToValidUTF8(text[:most], "")
	if space := strings.LastIndexByte(text, ' '); space > most/2 {
		text = text[:space]
	}
	return text + "…"
}
