package notetype

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
	return ParseRedacted(raw, overrides, func([]byte) []Stretch { return nil })
}

// Stretch is a stretch of bytes, from the first offset to before the second.
type Stretch [2]int

// ParseRedacted is Parse for a file in which secrets may stand: find gives where they do in a text, ascending and apart. A name or
// a value that holds one is left out, which is a problem; no part of it gets into the types or a message. find is asked about the
// file as a whole, and about each of its texts, since YAML can write a text in other ways.
func ParseRedacted(raw []byte, overrides Overrides, find func(text []byte) []Stretch) (*Types, []Problem, error) {
	if err := overrides.check(); err != nil {
		return nil, nil, err
	}
	r := reader{types: &Types{}, find: find}
	for _, name := range settings {
		if slices.Contains(overrides, name) {
			r.types.file.Overrides = append(r.types.file.Overrides, name)
		}
	}
	if len(raw) > MaxBytes {
		r.types.isUseless = true
		r.complain(1, "the file is larger than %d KB: nothing of it is used", MaxBytes>>10)
	} else if root := r.root(veil(raw, find(raw))); root != nil {
		r.file(root)
	}
	slices.SortStableFunc(r.problems, func(a, b Problem) int { return a.Line - b.Line })
	return r.types, r.problems, nil
}

// reader reads one file.
type reader struct {
	types    *Types
	find     func(text []byte) []Stretch
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
		r.problems = append(r.problems, Problem{Line: max(line, 1), Message: unveil(fmt.Sprintf(format, arguments...))})
	}
}

// root gives the mapping at the root of the file, nil where there is none.
func (r *reader) root(raw []byte) *yaml.Node {
	document, err := decode(raw)
	switch {
	case err != nil:
		r.types.isUseless = true
		line, reason := plainFault(raw, err)
		r.complain(line, "this is no YAML, and nothing of the file is used: %s", reason)
		return nil
	case len(document.Content) == 0 || isNull(document.Content[0]):
		return nil
	case document.Content[0].Kind != yaml.MappingNode:
		r.types.isUseless = true
		r.complain(document.Content[0].Line, "the file is no mapping of keys to values: nothing of it is used")
		return nil
	}
	return document.Content[0]
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
		case r.isSecret(key.Value):
			r.complain(key.Line, "%sa name holds what looks like a secret, and is left out", where)
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
		texts, faults := r.value(value)
		if len(faults) == 0 || len(texts.list) > 0 {
			if !texts.isAbsent() {
				faults = append(faults, e.set(key.Value, texts)...)
			}
		}
		for _, f := range faults {
			r.complain(cmp.Or(f.line, value.Line), "%s%s: %s", where, key.Value, f.message)
		}
	})
	return e
}

// value reads the value of a setting. Of a list what is no text is left out.
func (r *reader) value(node *yaml.Node) (value texts, faults []fault) {
	switch node.Kind {
	case yaml.ScalarNode:
		switch {
		case isNull(node):
		case r.isSecret(node.Value):
			faults = append(faults, fault{node.Line, secretValue})
		default:
			value = texts{list: []string{node.Value}, lines: []int{node.Line}}
		}
		return value, faults
	case yaml.SequenceNode:
		value.isList = true
		for _, item := range node.Content {
			switch {
			case item.Kind != yaml.ScalarNode || isNull(item):
				faults = append(faults, fault{item.Line, "the list has something that is no plain text"})
			case r.isSecret(item.Value):
				faults = append(faults, fault{item.Line, secretValue})
			default:
				value.list, value.lines = append(value.list, item.Value), append(value.lines, item.Line)
			}
		}
		return value, faults
	case yaml.AliasNode:
		return texts{}, []fault{{message: "aliases are not followed"}}
	}
	return texts{}, []fault{{message: "this is neither a text nor a list of texts"}}
}

const secretValue = "it holds what looks like a secret, and is left out"
