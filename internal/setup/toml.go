package setup

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlFile is a TOML file that pieces are put into and cut out of.
type tomlFile struct {
	path    string
	content []byte // with byte order mark
	values  map[string]any
	tables  []tomlTable
}

// tomlTable is a part of a file: the lines from a header to the next one. The first has no header.
type tomlTable struct {
	keys       []string
	start, end int // of its lines, to the end of its last value
	values     []tomlValue
}

// tomlValue is `key = value` in a table.
type tomlValue struct {
	keys       []string
	start, end int
	inline     bool        // an inline table
	values     []tomlValue // of an inline table
}

// parseTOML reads a client's TOML file; nil stands for one that is not there. Its errors name file and line.
func parseTOML(path string, content []byte) (*tomlFile, error) {
	f := &tomlFile{path: path, content: content}
	text := bytes.TrimPrefix(content, byteOrderMark)
	if err := toml.Unmarshal(text, &f.values); err != nil {
		var decode *toml.DecodeError
		if errors.As(err, &decode) {
			line, _ := decode.Position()
			return nil, &FileError{Path: path, Line: line, Problem: strings.TrimPrefix(decode.Error(), "toml: ")}
		}
		return nil, &FileError{Path: path, Problem: strings.TrimPrefix(err.Error(), "toml: ")}
	}
	f.scan(text, len(content)-len(text))
	return f, nil
}

// scan finds the places of tables and values in a text that is valid. shift is where it begins in the file.
func (f *tomlFile) scan(text []byte, shift int) {
	var parser unstable.Parser
	parser.Reset(text)
	f.tables = []tomlTable{{start: shift, end: shift}}
	for parser.NextExpression() {
		node := parser.Expression()
		if node.Kind == unstable.KeyValue {
			value := scanValue(node, shift)
			table := &f.tables[len(f.tables)-1]
			table.values = append(table.values, value)
			table.end = value.end
			continue
		}
		keys, first, last := keysOf(node)
		if node.Kind != unstable.Table && node.Kind != unstable.ArrayTable {
			continue
		}
		start := bytes.LastIndexByte(text[:first], '\n') + 1
		end := last + bytes.IndexByte(text[last:], ']') + 1
		if node.Kind == unstable.ArrayTable {
			keys, end = append(keys, "[]"), end+1
		}
		f.tables = append(f.tables, tomlTable{keys: keys, start: start + shift, end: end + shift})
	}
}

func scanValue(node *unstable.Node, shift int) tomlValue {
	keys, _, _ := keysOf(node)
	start := int(node.Raw.Offset) + shift
	v := tomlValue{keys: keys, start: start, end: start + int(node.Raw.Length), inline: node.Value().Kind == unstable.InlineTable}
	if v.inline {
		for children := node.Value().Children(); children.Next(); {
			if child := children.Node(); child.Kind == unstable.KeyValue {
				v.values = append(v.values, scanValue(child, shift))
			}
		}
	}
	return v
}

// keysOf is the dotted key of a table or a value, and where its first and behind its last part are.
func keysOf(node *unstable.Node) (keys []string, first, last int) {
	if node.Kind == unstable.Comment {
		return nil, 0, 0
	}
	first = -1
	for key := node.Key(); key.Next(); {
		raw := key.Node().Raw
		if first < 0 {
			first = int(raw.Offset)
		}
		last = int(raw.Offset + raw.Length)
		keys = append(keys, string(key.Node().Data))
	}
	return keys, first, last
}

// read is the value at a path of keys; nil where there is none.
func (f *tomlFile) read(path ...string) any {
	var value any = f.values
	for _, key := range path {
		table, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = table[key]
	}
	return value
}

func (f *tomlFile) lineAt(offset int) int { return 1 + bytes.Count(f.content[:offset], []byte{'\n'}) }

// lineOf is the line where something below a path of keys begins; 0 where nothing is found.
func (f *tomlFile) lineOf(path ...string) int {
	for _, table := range f.tables {
		if hasPrefix(table.keys, path) {
			return f.lineAt(table.start)
		}
		for _, value := range table.values {
			if keys := slices.Concat(table.keys, value.keys); hasPrefix(keys, path) || hasPrefix(path, keys) {
				return f.lineAt(value.start)
			}
		}
	}
	return 0
}

func hasPrefix(keys, prefix []string) bool {
	return len(keys) >= len(prefix) && slices.Equal(keys[:len(prefix)], prefix)
}

// table is the one of these keys that a header begins, and the ones below it that follow at once; nil where there is none.
func (f *tomlFile) table(keys ...string) []tomlTable {
	at := slices.IndexFunc(f.tables, func(t tomlTable) bool { return slices.Equal(t.keys, keys) })
	if at < 0 {
		return nil
	}
	end := at + 1
	for end < len(f.tables) && hasPrefix(f.tables[end].keys, keys) {
		end++
	}
	return f.tables[at:end]
}

// inlineTable is the value of these keys that is written in one line, and the one of the last key in it; nil where there is none.
func (f *tomlFile) inlineTable(parent, key string) (outer, inner *tomlValue) {
	for _, table := range f.tables {
		for i, value := range table.values {
			if !value.inline || !slices.Equal(slices.Concat(table.keys, value.keys), []string{parent}) {
				continue
			}
			for j := range value.values {
				if slices.Equal(value.values[j].keys, []string{key}) {
					return &table.values[i], &value.values[j]
				}
			}
			return &table.values[i], nil
		}
	}
	return nil, nil
}

// quotedTOML is a string as TOML writes it: JSON's escapes are among its own.
func quotedTOML(s string) string { return strings.ReplaceAll(quoted(s), "\x7f", `\u007f`) }

func listTOML(texts []string) string {
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = quotedTOML(text)
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// tomlServer is an entry of [mcp_servers]. It is a piece.
type tomlServer struct {
	file    string
	parent  string // the table of all servers
	name    string
	command string
	args    []string
	force   bool
	was     string
}

func (s *tomlServer) takenOver() string { return s.was }

func (s *tomlServer) path() string { return s.file }

// entry is what the file has under the name.
func (s *tomlServer) entry(f *tomlFile) (command string, args []string, isThere bool) {
	value := f.read(s.parent, s.name)
	table, _ := value.(map[string]any)
	command, _ = table["command"].(string)
	list, _ := table["args"].([]any)
	for _, arg := range list {
		text, _ := arg.(string)
		args = append(args, text)
	}
	return command, args, value != nil
}

func (s *tomlServer) put(content []byte) ([]byte, error) {
	f, err := parseTOML(s.file, content)
	if err != nil {
		return nil, err
	}
	command, args, isThere := s.entry(f)
	if isThere {
		s.was, err = takeOver(command, args, s.force)
		if err == nil && !s.isPlain(f) {
			err = ErrNotOurs
		}
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: the MCP server %q is there: %w", s.file, f.lineOf(s.parent, s.name), s.name, err)
		}
		if command == s.command && slices.Equal(args, s.args) {
			return content, nil
		}
	}
	result := s.write(f, isThere)
	return result, s.check(result)
}

// isPlain tells that the entry stands in a form that set-up writes.
func (s *tomlServer) isPlain(f *tomlFile) bool {
	_, inner := f.inlineTable(s.parent, s.name)
	return inner != nil && inner.inline || f.table(s.parent, s.name) != nil
}

func (s *tomlServer) write(f *tomlFile, isThere bool) []byte {
	lines := []string{"[" + s.parent + "." + s.name + "]", "command = " + quotedTOML(s.command), "args = " + listTOML(s.args)}
	outer, inner := f.inlineTable(s.parent, s.name)
	short := s.name + " = { " + lines[1] + ", " + lines[2] + " }"
	switch {
	case isThere && inner != nil:
		return s.replaceValues(f, inner.values)
	case isThere:
		return s.replaceValues(f, f.table(s.parent, s.name)[0].values)
	case outer != nil && len(outer.values) > 0:
		end := outer.values[len(outer.values)-1].end
		return concat(f.content[:end], []byte(", "+short), f.content[end:])
	case outer != nil: // right behind its bracket
		open := outer.start + bytes.IndexByte(f.content[outer.start:], '{') + 1
		return concat(f.content[:open], []byte(short), f.content[open:])
	}
	return appendBlock(f.content, lines)
}

// replaceValues puts the command and its arguments in the place of what is there.
func (s *tomlServer) replaceValues(f *tomlFile, values []tomlValue) []byte {
	result := f.content
	for _, value := range slices.Backward(values) {
		text := ""
		switch strings.Join(value.keys, ".") {
		case "command":
			text = "command = " + quotedTOML(s.command)
		case "args":
			text = "args = " + listTOML(s.args)
		default:
			continue
		}
		result = concat(result[:value.start], []byte(text), result[value.end:])
	}
	return result
}

// check reads what is to be written.
func (s *tomlServer) check(content []byte) error {
	f, err := parseTOML(s.file, content)
	if err != nil {
		return &FileError{Path: s.file, Problem: fmt.Sprintf("the table %q is written in a form that takes no further server", s.parent)}
	}
	if command, args, _ := s.entry(f); command != s.command || !slices.Equal(args, s.args) {
		return &FileError{Path: s.file, Problem: fmt.Sprintf("the server %q cannot be put into the table %q as it is written", s.name, s.parent)}
	}
	return nil
}

func (s *tomlServer) take(content []byte) (result []byte, isGone bool, err error) {
	f, err := parseTOML(s.file, content)
	if err != nil {
		return nil, false, err
	}
	command, args, _ := s.entry(f)
	if _, isOurs := serverOf(command, args); !isOurs {
		return content, false, nil
	}
	if outer, inner := f.inlineTable(s.parent, s.name); inner != nil {
		return takeInline(f, outer, inner), false, nil
	}
	if tables := f.table(s.parent, s.name); tables != nil {
		result, isGone = removeBlock(content, tables[0].start, tables[len(tables)-1].end)
		return result, isGone, nil
	}
	return content, false, nil
}

// takeInline removes a value of an inline table with the comma that came with it.
func takeInline(f *tomlFile, outer, inner *tomlValue) []byte {
	start, end := inner.start, inner.end
	at := slices.IndexFunc(outer.values, func(v tomlValue) bool { return v.start == inner.start })
	switch {
	case at > 0:
		start = outer.values[at-1].end
	case len(outer.values) > 1:
		end = outer.values[1].start
	}
	return concat(f.content[:start], f.content[end:])
}

// servers are the entries that set-up wrote, under other names too: by name, their vaults and commands.
func (s *tomlServer) servers(content []byte) (map[string]server, error) {
	f, err := parseTOML(s.file, content)
	if err != nil {
		return nil, err
	}
	found := map[string]server{}
	table, _ := f.read(s.parent).(map[string]any)
	for name := range table {
		other := tomlServer{parent: s.parent, name: name}
		command, args, _ := other.entry(f)
		if vault, isOurs := serverOf(command, args); isOurs {
			found[name] = server{Command: command, Vault: vault, Args: args}
		}
	}
	return found, nil
}
