package cli

import (
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// lineOf is the line, 1-based, of a key of a document with these lines, or of what holds the key where the document does not
// have it; 0 where it has neither.
func lineOf(lines map[string]int, key string) int {
	for key != "" {
		if line := lines[key]; line > 0 {
			return line
		}
		key = key[:max(strings.LastIndexAny(key, ".["), 0)]
	}
	return 0
}

// tomlLines tells the line, 1-based, of each key of a TOML document that is known to be one, by its dotted name, and of each
// item of a list: "redaction.patterns[1].name", "redaction.off[0]".
func tomlLines(document []byte) map[string]int {
	l := lineFinder{lines: map[string]int{}, tables: map[string]int{}}
	l.parser.Reset(document)
	table := ""
	for l.parser.NextExpression() {
		switch node := l.parser.Expression(); node.Kind {
		case unstable.Table:
			var line int
			table, line = l.keyOf(node, "")
			l.lines[table] = line
		case unstable.ArrayTable:
			name, line := l.keyOf(node, "")
			table = fmt.Sprintf("%s[%d]", name, l.tables[name])
			l.lines[table] = line
			l.tables[name]++
		case unstable.KeyValue:
			l.keyValue(node, table)
		default: // a comment
		}
	}
	return l.lines
}

type lineFinder struct {
	parser unstable.Parser
	lines  map[string]int
	tables map[string]int // how often an array of tables went on
}

func (l *lineFinder) keyValue(node *unstable.Node, prefix string) {
	name, line := l.keyOf(node, prefix)
	l.lines[name] = line
	l.value(node.Value(), name, line)
}

func (l *lineFinder) value(node *unstable.Node, name string, line int) {
	children := node.Children()
	switch node.Kind {
	case unstable.InlineTable:
		for children.Next() {
			l.keyValue(children.Node(), name)
		}
	case unstable.Array:
		for i := 0; children.Next(); i++ {
			item := fmt.Sprintf("%s[%d]", name, i)
			if raw := children.Node().Raw; raw.Length > 0 {
				line = l.parser.Shape(raw).Start.Line
			}
			l.lines[item] = line
			l.value(children.Node(), item, line)
		}
	default: // a plain value
	}
}

// keyOf is the dotted name of a key or of a table, and the line of its first part.
func (l *lineFinder) keyOf(node *unstable.Node, prefix string) (name string, line int) {
	var parts []string
	if prefix != "" {
		parts = append(parts, prefix)
	}
	for key := node.Key(); key.Next(); {
		if line == 0 {
			line = l.parser.Shape(key.Node().Raw).Start.Line
		}
		parts = append(parts, string(key.Node().Data))
	}
	return strings.Join(parts, "."), line
}
