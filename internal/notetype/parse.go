package notetype

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// MaxBytes is the size of the largest file that is read.
const MaxBytes = 64 << 10

// maxProblems is how many problems are told of a file.
const maxProblems = 50

// maxReasonCharacters is how much is told of what the library says.
const maxReasonCharacters = 160

// Parse reads the file. overrides are the names of properties that notes may use in place of their type's settings; an unknown
// one is the only error. What of the file cannot be used is a problem, by line; of one that is no YAML or larger than MaxBytes
// that is all of it. Aliases stand for nothing. Time and memory are bounded by MaxBytes.
func Parse(raw []byte, overrides Overrides) (*Types, []Problem, error) {
	if err := overrides.check(); err != nil {
		return nil, nil, err
	}
	r := reader{types: &Types{}}
	for _, name := range settings {
		if slices.Contains(overrides, name) {
			r.types.file.Overrides = append(r.types.file.Overrides, name)
		}
	}
	if len(raw) > MaxBytes {
		r.complain(1, "the file is larger than %d KB: nothing of it is used", MaxBytes>>10)
	} else if root := r.root(raw); root != nil {
		r.file(root)
	}
	slices.SortStableFunc(r.problems, func(a, b Problem) int { return a.Line - b.Line })
	return r.types, r.problems, nil
}

// reader reads one file.
type reader struct {
	types    *Types
	problems []Problem
	isFull   bool // no further problems are told
}

func (r *reader) complain(line int, format string, arguments ...any) {
	switch {
	case r.isFull:
	case len(r.problems) == maxProblems:
		r.isFull = true
		r.problems = append(r.problems, Problem{Line: line, Message: "there is more like this, which is not told"})
	default:
		r.problems = append(r.problems, Problem{Line: max(line, 1), Message: fmt.Sprintf(format, arguments...)})
	}
}

// root gives the mapping at the root of the file, nil where there is none.
func (r *reader) root(raw []byte) *yaml.Node {
	document, err := decode(raw)
	switch {
	case err != nil:
		line, reason := 1, err.Error()
		var load *yaml.LoadError
		if errors.As(err, &load) {
			line, reason = min(load.Mark.Line, bytes.Count(bytes.TrimRight(raw, "\n"), []byte("\n"))+1), load.Message
		}
		r.complain(line, "this is no YAML, and nothing of the file is used: %s", shortenTo(strings.Join(strings.Fields(reason), " "), maxReasonCharacters))
		return nil
	case len(document.Content) == 0 || isNull(document.Content[0]):
		return nil
	case document.Content[0].Kind != yaml.MappingNode:
		r.complain(document.Content[0].Line, "the file is no mapping of keys to values: nothing of it is used")
		return nil
	}
	return document.Content[0]
}

// decode reads the first document. A fault of the library is an error.
func decode(raw []byte) (document yaml.Node, err error) {
	defer func() {
		if failed := recover(); failed != nil {
			document, err = yaml.Node{}, errors.New("it cannot be read")
		}
	}()
	if !utf8.Valid(raw) {
		return document, errors.New("it is not UTF-8")
	}
	err = yaml.Unmarshal(raw, &document)
	return document, err
}

func isNull(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null" }

// pairs gives the keys and values of a mapping, where being its name in messages. Of a key given twice, letter case aside where
// fold says so, the last one counts.
func (r *reader) pairs(node *yaml.Node, where string, fold func(string) string, each func(key *yaml.Node, value *yaml.Node)) {
	switch {
	case isNull(node):
		return
	case node.Kind == yaml.AliasNode:
		r.complain(node.Line, "%saliases are not followed", where)
		return
	case node.Kind != yaml.MappingNode:
		r.complain(node.Line, "%sthis is no mapping of keys to values", where)
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		switch {
		case key.Kind != yaml.ScalarNode || strings.TrimSpace(key.Value) == "":
			r.complain(key.Line, "%sa key is no plain text", where)
			continue
		case key.ShortTag() == "!!merge":
			r.complain(key.Line, "%smerged keys are not followed", where)
			continue
		}
		if line := seen[fold(key.Value)]; line > 0 {
			r.complain(key.Line, "%s%q is given in line %d already: the last one counts", where, shorten(key.Value), line)
		}
		seen[fold(key.Value)] = key.Line
		each(key, value)
	}
}

// topKeys are those of the file.
var topKeys = []string{"version", "default", "types"}

func exactly(key string) string { return key }

func (r *reader) file(root *yaml.Node) {
	r.pairs(root, "", exactly, func(key, value *yaml.Node) {
		switch key.Value {
		case "version":
			if value.Kind != yaml.ScalarNode {
				r.complain(value.Line, "version: this is no number")
			}
		case "default":
			r.types.file.Default = r.entry(value, "default")
		case "types":
			r.types.file.Types = map[string]entry{}
			r.pairs(value, "types: ", Key, func(key, value *yaml.Node) {
				r.types.file.Types[Key(key.Value)] = r.entry(value, shorten(key.Value))
			})
		default:
			r.complain(key.Line, "there is no key %q here%s", shorten(key.Value), suggestion(key.Value, topKeys))
		}
	})
}

// entry reads the settings of a type.
func (r *reader) entry(node *yaml.Node, name string) entry {
	var e entry
	where := name + ": "
	r.pairs(node, where, exactly, func(key, value *yaml.Node) {
		if !slices.Contains(settings, key.Value) {
			r.complain(key.Line, "%sthere is no setting %q%s", where, shorten(key.Value), suggestion(key.Value, settings))
			return
		}
		texts, line, fault := r.value(value)
		if fault == "" && texts.isAbsent() {
			return
		}
		if fault == "" {
			fault = e.set(key.Value, texts)
		}
		if fault != "" {
			r.complain(line, "%s%s: %s", where, key.Value, fault)
		}
	})
	return e
}

// value reads the value of a setting, and the line to blame for it.
func (r *reader) value(node *yaml.Node) (value texts, line int, fault string) {
	line = node.Line
	switch node.Kind {
	case yaml.ScalarNode:
		if isNull(node) {
			return texts{}, line, ""
		}
		return texts{list: []string{node.Value}}, line, ""
	case yaml.SequenceNode:
		value.isList = true
		for _, item := range node.Content {
			if item.Kind != yaml.ScalarNode || isNull(item) {
				return texts{}, item.Line, "the list has something that is no plain text"
			}
			value.list = append(value.list, item.Value)
		}
		return value, line, ""
	case yaml.AliasNode:
		return texts{}, line, "aliases are not followed"
	}
	return texts{}, line, "this is neither a text nor a list of texts"
}
