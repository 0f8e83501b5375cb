package note

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

func (f *flattener) readJSON(start, end int) {
	if fault := readJSON(f.source.raw, start, end, f.jsonToken); fault != nil && f.fault == nil {
		f.fault = &dataFault{line: f.source.line(fault.offset), reason: fault.reason}
	}
}

// readJSONLines reads a value from each line. Where the reader is lenient a broken line stays as it stands.
func (f *flattener) readJSONLines() {
	f.enter("", 1)
	for line := 1; line <= len(f.source.lines) && f.fault == nil; line++ {
		start, end := f.source.lineRange(line)
		if f.source.blank(line) {
			continue
		}
		before := len(f.lines)
		f.readJSON(start, end)
		if f.fault != nil && !f.fault.full && f.lenient {
			f.skipped = append(f.skipped, f.fault)
			f.fault, f.lines = nil, f.lines[:before]
			f.path, f.marks, f.listOpen, f.joined = f.path[:0], f.marks[:1], false, f.joined[:0]
			f.group++
			f.key, f.start = "", 0
			f.addLine(strings.TrimSpace(f.source.slice(start, end)), line)
			f.group++
		}
	}
}

func (f *flattener) jsonToken(r *jsonReader, token jsonToken) bool {
	line := f.source.line(token.start)
	f.at = token.start
	switch token.kind {
	case '{', '[':
		if f.listOpen {
			f.closeList()
		}
		f.enter(f.jsonName(r), line)
		f.listOpen = token.kind == '['
	case '}', ']':
		if f.listOpen {
			f.closeList()
		}
		if f.leave(); len(f.marks) == 1 {
			f.extend(line)
		}
	case '"':
		f.scalar(f.jsonName(r), f.source.jsonText(token.start, token.end), line, 0)
	default:
		f.scalar(f.jsonName(r), f.source.slice(token.start, token.end), line, 0)
	}
	return f.fault == nil
}

// scalar puts a value into the open list, or on lines of its own.
func (f *flattener) scalar(name, value string, line, step int) {
	if f.listOpen && !strings.ContainsAny(value, "\r\n") {
		f.addItem(value, line)
		return
	}
	if f.listOpen {
		f.closeList()
		f.listOpen = true
	}
	f.add(name, value, line, step)
}

// jsonName names the value that is read; one in a list of scalars shares the name of the list.
func (f *flattener) jsonName(r *jsonReader) string {
	if len(r.steps) == 0 || f.listOpen {
		return ""
	}
	step := r.steps[len(r.steps)-1]
	if step.object {
		return "." + f.source.jsonText(step.keyStart, step.keyEnd)
	}
	return itemName(step.index, len(f.marks))
}

// jsonText gives the text of a token in quotes, redacted. Escapes can keep a secret from being seen in the file.
func (s *source) jsonText(start, end int) string {
	text := s.slice(start+1, max(end-1, start+1))
	if decoded := unescapeJSON(text); decoded != text {
		return s.clean(decoded)
	}
	return text
}

// readYAML reads all documents of the redacted text.
func (f *flattener) readYAML() {
	documents, fault := yamlDocuments(f.source)
	for _, document := range documents {
		root := document.Content[0]
		f.comment(document.HeadComment, root.Line)
		f.yamlNode("", root.Line, root)
		f.comment(document.FootComment, len(f.source.lines)+1)
	}
	if f.fault == nil {
		f.fault = fault
	}
}

// yamlNode puts in a node that begins at a line, which is that of its key where it has one.
func (f *flattener) yamlNode(name string, line int, node *yaml.Node) {
	if f.fault != nil {
		return
	}
	switch node.Kind {
	case yaml.MappingNode:
		f.yamlMapping(name, line, node)
	case yaml.SequenceNode:
		f.yamlList(name, line, node)
	case yaml.AliasNode: // never expanded: an alias of aliases grows without bound
		f.scalar(name, "*"+node.Value, node.Line, 0)
	case yaml.ScalarNode:
		line, step := node.Line, 0
		if node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			line, step = line+1, 1
		}
		f.scalar(name, showMarkers(node.Value), line, step)
	}
}

func (f *flattener) yamlMapping(name string, line int, node *yaml.Node) {
	f.listOpen = false
	f.enter(name, line)
	for i := 0; i+1 < len(node.Content) && f.fault == nil; i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		f.comment(key.HeadComment, key.Line)
		if key.Kind == yaml.ScalarNode {
			f.yamlNode("."+showMarkers(key.Value), key.Line, value)
		} else {
			f.yamlNode(".?", key.Line, key)
			f.yamlNode(".?", key.Line, value)
		}
		f.yamlRemarks(key, value)
	}
	f.leave()
}

func (f *flattener) yamlList(name string, line int, node *yaml.Node) {
	f.enter(name, line)
	f.listOpen = true
	for i, item := range node.Content {
		if f.comment(item.HeadComment, item.Line); item.Kind == yaml.MappingNode || item.Kind == yaml.SequenceNode {
			f.closeList()
		}
		f.yamlNode(itemName(i, len(f.marks)), item.Line, item)
		f.yamlRemarks(item, item)
	}
	f.closeList()
	f.leave()
}

// yamlRemarks puts in the comments behind a value, which hang on the value or on its key.
func (f *flattener) yamlRemarks(key, value *yaml.Node) {
	f.remark(key.LineComment, key.Line)
	if value != key {
		f.remark(value.LineComment, value.Line)
	}
	if key.FootComment != "" {
		f.comment(key.FootComment, lastLine(value, 0)+2+strings.Count(key.FootComment, "\n"))
	}
}
