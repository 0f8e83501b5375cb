package note

import (
	"cmp"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"
)

// A base is YAML: filters, formulas and properties for all of it, and views with filters and an order of their own.

// readBase gives the words of a base, those of a view under its name. A base has no links.
func readBase(n *Note, s *source) {
	n.Frontmatter, n.FrontmatterRaw = map[string]any{}, map[string]any{}
	documents, fault := yamlDocuments(s)
	if fault != nil {
		n.addProblem(fault.line, "the base is not valid YAML: "+fault.reason)
		n.addRest(s, 0)
		return
	}
	for _, document := range documents {
		root := document.Content[0]
		if root.Kind != yaml.MappingNode {
			n.addProblem(root.Line, "the base is no mapping of keys to values")
			n.addRest(s, 0)
			return
		}
		b := &baseReader{note: n, source: s}
		b.read(document)
	}
}

// addRest gives the text of the file from a byte on as it stands, since it could not be understood.
func (n *Note) addRest(s *source, from int) {
	n.addFragment(Fragment{Text: s.slice(from, len(s.raw)), LineStart: s.line(from), LineEnd: max(len(s.lines), 1)})
}

type baseReader struct {
	note   *Note
	source *source
}

func (b *baseReader) read(document *yaml.Node) {
	root := document.Content[0]
	var views *yaml.Node
	f := b.flattener()
	f.comment(document.HeadComment, root.Line)
	for i := 0; i+1 < len(root.Content); i += 2 {
		if key, value := root.Content[i], root.Content[i+1]; key.Value == "views" && value.Kind == yaml.SequenceNode {
			views = value
		} else {
			b.member(f, key, value)
		}
	}
	b.add("", f)
	if views == nil {
		return
	}
	for _, view := range views.Content {
		f := b.flattener()
		name := ""
		for i := 0; i+1 < len(view.Content) && view.Kind == yaml.MappingNode; i += 2 {
			key, value := view.Content[i], view.Content[i+1]
			if key.Value == "name" && value.Kind == yaml.ScalarNode && len(view.Content) > 2 {
				name = b.source.clean(strings.TrimSpace(showMarkers(value.Value)))
				continue
			}
			b.member(f, key, value)
		}
		if view.Kind != yaml.MappingNode {
			f.yamlNode("", view.Line, view)
		}
		b.add(name, f)
	}
}

// flattener makes one that stands within a mapping, so that nothing is a group of its own.
func (b *baseReader) flattener() *flattener {
	f := newFlattener(b.source)
	f.marks = append(f.marks, mark{}, mark{})
	return f
}

// member puts in a key with its value. Filters and lists of pairs read better on one line.
func (b *baseReader) member(f *flattener, key, value *yaml.Node) {
	name := "." + showMarkers(key.Value)
	f.comment(key.HeadComment, key.Line)
	switch {
	case key.Value == "filters":
		f.add(name, showMarkers(filterText(value, "", 0)), key.Line, 0)
	case layoutKeys[key.Value]:
	case key.Value == "properties" && value.Kind == yaml.MappingNode:
		b.properties(f, value)
	case key.Value == "sort" && value.Kind == yaml.SequenceNode, key.Value == "groupBy" && value.Kind == yaml.MappingNode:
		f.add(name, showMarkers(strings.Join(pairTexts(value), ", ")), key.Line, 0)
	default:
		f.yamlNode(name, key.Line, value)
	}
	f.yamlRemarks(key, value)
	f.extend(lastLine(value, 0))
}

// layoutKeys are settings of a view that have no words in them.
var layoutKeys = map[string]bool{"columnSize": true, "cardSize": true, "rowHeight": true, "imageFit": true, "imageAspectRatio": true}

// properties puts in the names that are shown for properties, one a line: "note.pages: Number of pages".
func (b *baseReader) properties(f *flattener, node *yaml.Node) {
	f.enter(".properties", node.Line)
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		name := "." + showMarkers(key.Value)
		if len(value.Content) == 2 && value.Content[0].Value == "displayName" {
			value = value.Content[1]
		}
		f.yamlNode(name, key.Line, value)
	}
	f.leave()
}

func (b *baseReader) add(heading string, f *flattener) {
	if f.fault != nil {
		b.note.addProblem(f.fault.line, f.fault.reason)
	}
	f.flushNotes()
	f.redact()
	for _, fragment := range f.fragments() {
		fragment.Heading = heading
		b.note.addFragment(fragment)
	}
}

// filterText writes a tree of filters as a formula. around is the word that joins what it stands in.
func filterText(node *yaml.Node, around string, depth int) string {
	switch {
	case depth > maxFlatDepth:
		return "…"
	case node.Kind == yaml.ScalarNode:
		return strings.Join(strings.Fields(node.Value), " ")
	case node.Kind == yaml.AliasNode:
		return "*" + node.Value
	case node.Kind == yaml.SequenceNode:
		return joinFilters(node.Content, cmp.Or(around, "and"), depth)
	}
	var parts []string
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i].Value, node.Content[i+1]
		switch key {
		case "and", "or":
			text := filterText(value, key, depth+1)
			if key != around && around != "" && len(value.Content) > 1 {
				text = "(" + text + ")"
			}
			parts = append(parts, text)
		case "not":
			parts = append(parts, "not ("+filterText(value, "or", depth+1)+")")
		default:
			parts = append(parts, key+": "+filterText(value, "and", depth+1))
		}
	}
	return strings.Join(parts, " "+cmp.Or(around, "and")+" ")
}

func joinFilters(nodes []*yaml.Node, word string, depth int) string {
	parts := make([]string, 0, len(nodes))
	for _, node := range nodes {
		if text := filterText(node, word, depth+1); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, " "+word+" ")
}

// pairTexts gives the values of each mapping in a list: "note.weight DESC".
func pairTexts(node *yaml.Node) []string {
	mappings := node.Content
	if node.Kind == yaml.MappingNode {
		mappings = []*yaml.Node{node}
	}
	var texts []string
	for _, mapping := range mappings {
		var values []string
		if mapping.Kind == yaml.ScalarNode {
			values = append(values, mapping.Value)
		}
		for i := 1; i < len(mapping.Content); i += 2 {
			values = append(values, filterText(mapping.Content[i], "and", 0))
		}
		texts = append(texts, strings.Join(values, " "))
	}
	return texts
}

// lastLine gives the largest line of a node and what is in it.
func lastLine(node *yaml.Node, depth int) int {
	line := node.Line
	for _, child := range node.Content {
		if depth < maxFlatDepth {
			line = max(line, lastLine(child, depth+1))
		}
	}
	return line
}

// yamlDocuments gives the documents in the redacted text, which have a root each; the lines of its nodes are those of the file.
func yamlDocuments(s *source) (documents []*yaml.Node, fault *dataFault) {
	defer func() { // the library is not ours: a fault in it must not take the file with it
		if recover() != nil {
			documents, fault = nil, &dataFault{line: 1, reason: "it cannot be read"}
		}
	}()
	if len(s.text) > maxTreeDataBytes {
		return nil, &dataFault{line: 1, reason: "larger than 1 MB", full: true}
	}
	decoder := yaml.NewDecoder(strings.NewReader(hideMarkers(s.text)))
	for {
		var document yaml.Node
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return documents, nil
		}
		if err != nil {
			line, reason := yamlFault(s, err, 1)
			return documents, &dataFault{line: line, reason: reason}
		}
		if len(document.Content) > 0 && document.Content[0].Tag != "!!null" {
			documents = append(documents, &document)
		}
	}
}
