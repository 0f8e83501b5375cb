package note

import (
	"errors"

	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlReader flattens TOML from the expressions of the library, which tell their places.
type tomlReader struct {
	*flattener
	parser unstable.Parser
	text   *source
	tables map[string]int // tables so far of each list of tables, by its path as shown
}

// readTOML reads the redacted text.
func (f *flattener) readTOML() {
	defer func() { // the library is not ours: a fault in it must not take the file with it
		if recover() != nil {
			f.fault = &dataFault{line: 1, reason: "it cannot be read"}
		}
	}()
	text := hideMarkers(f.source.text)
	if len(text) > maxTreeDataBytes || bracketDepth(text) > maxFlatDepth {
		f.stop(1, "larger than 1 MB, or nests too deep")
		return
	}
	t := tomlReader{flattener: f, text: newSource([]byte(text), nil, f.source.filter), tables: map[string]int{}}
	t.parser.KeepComments = true
	t.parser.Reset([]byte(text))
	f.enter("", 1)
	for t.parser.NextExpression() && f.fault == nil {
		t.expression(t.parser.Expression())
	}
	for len(t.marks) > 0 && f.fault == nil {
		t.leave()
	}
	var fault *unstable.ParserError
	if err := t.parser.Error(); errors.As(err, &fault) {
		f.fault = &dataFault{line: t.line(t.parser.Range(fault.Highlight)), reason: fault.Message}
	}
}

// line gives the line of a range of the parser.
func (t *tomlReader) line(place unstable.Range) int {
	return t.text.line(int(place.Offset))
}

func (t *tomlReader) expression(node *unstable.Node) {
	remark := node.Next()
	switch node.Kind {
	case unstable.Comment:
		t.remarkBefore(node)
	case unstable.Table, unstable.ArrayTable:
		t.table(node)
	case unstable.KeyValue:
		t.keyValue(node)
	}
	if remark != nil && remark.Kind == unstable.Comment {
		t.remark(showMarkers(string(remark.Data)), t.line(remark.Raw))
	}
}

// remarkBefore puts a comment before the next value.
func (t *tomlReader) remarkBefore(node *unstable.Node) {
	for ; node != nil && node.Kind == unstable.Comment; node = node.Child() {
		t.notes = append(t.notes, flatLine{text: showMarkers(string(node.Data)), line: t.line(node.Raw)})
	}
}

// table makes a table the open one; the next of a list of tables has the next number.
func (t *tomlReader) table(node *unstable.Node) {
	path, line := "", 1
	for keys := node.Key(); keys.Next(); {
		line = t.line(keys.Node().Raw)
		if path != "" {
			path += "."
		}
		path += showMarkers(string(keys.Node().Data))
		last := keys.IsLast()
		if last && node.Kind == unstable.ArrayTable {
			t.tables[path]++
		}
		if count := t.tables[path]; count > 0 {
			path += itemName(count-1, 2)
		}
	}
	if len(t.marks) > 1 {
		t.leave()
	}
	t.enter(path, line)
}

func (t *tomlReader) keyValue(node *unstable.Node) {
	name := ""
	place := unstable.Range{}
	for keys := node.Key(); keys.Next(); {
		if name == "" {
			place = keys.Node().Raw
		}
		name += "." + showMarkers(string(keys.Node().Data))
	}
	t.value(name, node.Value(), t.line(place))
}

// value puts in the value of a key. What has no place of its own has that of the key.
func (t *tomlReader) value(name string, node *unstable.Node, line int) {
	if node.Raw.Length > 0 {
		line = t.line(node.Raw)
	}
	switch node.Kind {
	case unstable.InlineTable:
		t.listOpen = false
		t.enter(name, line)
		for children := node.Children(); children.Next() && t.fault == nil; {
			t.keyValue(children.Node())
		}
		t.leave()
	case unstable.Array:
		t.array(name, node, line)
	default:
		if raw := t.text.raw[node.Raw.Offset : node.Raw.Offset+node.Raw.Length]; len(raw) > 3 && (raw[3] == '\n' || raw[3] == '\r') {
			line++ // a text in three quotes that begins on the next line
		}
		t.scalar(name, showMarkers(string(node.Data)), line, 1)
	}
}

func (t *tomlReader) array(name string, node *unstable.Node, line int) {
	t.enter(name, line)
	t.listOpen = true
	children := node.Children()
	for i := 0; children.Next() && t.fault == nil; i++ {
		child := children.Node()
		if child.Kind == unstable.Comment {
			t.remarkBefore(child)
			i--
			continue
		}
		if child.Kind == unstable.InlineTable || child.Kind == unstable.Array {
			t.closeList()
		}
		t.value(itemName(i, 2), child, line)
	}
	t.closeList()
	t.leave()
}

// bracketDepth is at least how deep lists and tables nest: brackets in texts count, too.
func bracketDepth(text string) int {
	depth, deepest := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth = max(depth-1, 0)
		}
	}
	return deepest
}
