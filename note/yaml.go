package note

import (
	"errors"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"quarry/internal/lazyregexp"
	"quarry/secret"
)

// property is one key with its value, from YAML or recovered from a line. All texts are redacted.
type property struct {
	key   string
	line  int
	value *value
}

// value is a scalar, a list or a mapping.
type value struct {
	kind   valueKind
	text   string // of a scalar, as written
	typed  any    // of a scalar: nil, bool, int64, float64 or string
	line   int
	offset int // in raw, of the first byte of the value
	items  []*value
	fields []property
}

type valueKind int

const (
	scalarValue valueKind = iota
	listValue
	mappingValue
)

var (
	errNoMapping  = errors.New("the block is no mapping of keys to values")
	errComplexKey = errors.New("a key is not a plain text")
)

// lineError is a fault with its line in the file.
type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return e.err.Error() }
func (e *lineError) Unwrap() error { return e.err }

// yamlReader turns the nodes of the YAML library into values.
type yamlReader struct {
	source  *source
	block   frontmatter
	first   int // line of the file that is line 1 of the block
	root    *yaml.Node
	starts  []int // offsets of all nodes, ascending; only where the block holds a secret
	faults  []FrontmatterError
	problem error
}

func parseYAML(s *source, block frontmatter) (properties []property, faults []FrontmatterError, err error) {
	defer func() { // the library is not ours: a fault in it must not take the note with it
		if failed := recover(); failed != nil {
			properties, faults, err = nil, nil, fmt.Errorf("the properties cannot be read as YAML")
		}
	}()
	var document yaml.Node
	text, mended := plainSpaces(s.raw[block.start:block.end])
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		return nil, nil, err
	}
	if len(document.Content) == 0 {
		return nil, nil, nil
	}
	root := document.Content[0]
	if root.Kind == yaml.ScalarNode && root.Value == "" {
		return nil, nil, nil
	}
	if root.Kind != yaml.MappingNode {
		return nil, nil, errNoMapping
	}
	reader := &yamlReader{source: s, block: block, first: s.line(block.start), root: root}
	if s.overlaps(block.start, block.end) {
		reader.findStarts()
	}
	if mended > 0 {
		reader.mend(reader.first+mended-1, "a non-breaking space where YAML takes a plain one")
	}
	properties = reader.mapping(root)
	return properties, reader.faults, reader.problem
}

// mapping reads the pairs of a mapping. Of a key given twice the last one counts and is reported.
func (r *yamlReader) mapping(node *yaml.Node) []property {
	var list []property
	seen := map[string]int{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		keyNode, valueNode := node.Content[i], node.Content[i+1]
		line := r.first + keyNode.Line - 1
		if keyNode.Kind != yaml.ScalarNode {
			r.problem = &lineError{line: line, err: errComplexKey}
			return nil
		}
		entry := property{key: r.keyText(keyNode), line: line, value: r.value(valueNode)}
		if at, twice := seen[entry.key]; twice {
			r.faults = append(r.faults, FrontmatterError{
				Line: line, Message: fmt.Sprintf("the key %q is given more than once: the last one counts", entry.key),
			})
			list[at] = entry
			continue
		}
		r.warnCommentedTags(keyNode, valueNode, line)
		seen[entry.key] = len(list)
		list = append(list, entry)
	}
	return list
}

// warnCommentedTags tells of "tags: #a", which YAML takes for a comment.
func (r *yamlReader) warnCommentedTags(key, node *yaml.Node, line int) {
	if !strings.EqualFold(key.Value, "tags") || node.Kind != yaml.ScalarNode || node.Value != "" || node.Style != 0 {
		return
	}
	_, after, _ := strings.Cut(r.source.lineText(line), ":")
	if strings.HasPrefix(strings.TrimSpace(after), "#") {
		r.faults = append(r.faults, FrontmatterError{Line: line, Message: "# begins a comment here: write tags as a list without #"})
	}
}

func (r *yamlReader) value(node *yaml.Node) *value {
	v := &value{line: r.first + node.Line - 1, offset: r.offset(node)}
	switch node.Kind {
	case yaml.MappingNode:
		if text, ok := r.placeholder(node, v.offset); ok {
			v.setText(text)
			return v
		}
		v.kind, v.fields = mappingValue, r.mapping(node)
	case yaml.SequenceNode:
		if link, ok := r.bareWikiLink(node, v.offset); ok {
			v.text, v.typed = link, link
			return v
		}
		v.kind = listValue
		for _, item := range node.Content {
			v.items = append(v.items, r.value(item))
		}
	case yaml.AliasNode: // never expanded: an alias of aliases grows without bound
		v.text = r.derived("*"+node.Value, v.offset)
		v.typed = v.text
	default:
		v.text = r.scalarText(node, v.offset)
		v.typed = v.text
		if plain := node.Style&^yaml.TaggedStyle == 0; plain && v.text == node.Value && node.Tag != "!!str" {
			v.typed = coreValue(node.Value)
		}
		if name := markName(node); name != "" {
			r.mend(v.line, "the value begins with a sign of YAML: put it in quotes")
			v.setText(r.derived(name, v.offset))
		}
	}
	return v
}

// markName gives back a value that YAML took for a mark upon an empty value: "&name" or "!name".
func markName(node *yaml.Node) string {
	switch {
	case node.Value != "" || node.Style&^yaml.TaggedStyle != 0:
	case node.Anchor != "":
		return "&" + node.Anchor
	case len(node.Tag) > 1 && node.Tag[0] == '!' && node.Tag[1] != '!':
		return node.Tag
	}
	return ""
}

// placeholder gives back what a template leaves for an app to fill in, "{{date}}", which YAML reads as mappings.
func (r *yamlReader) placeholder(node *yaml.Node, offset int) (string, bool) {
	raw := r.source.raw[offset:r.block.end]
	if !strings.HasPrefix(raw, "{{") || len(node.Content) != 2 || node.Content[0].Kind != yaml.MappingNode {
		return "", false
	}
	end := strings.Index(raw, "}}")
	if end < 0 || strings.ContainsAny(raw[:end], "\r\n") {
		return "", false
	}
	r.mend(r.source.line(offset), "a placeholder stands for a value: it is taken as text")
	return r.source.slice(offset, offset+end+2), true
}

// mend reports a slip that the reader has made good, once of each kind.
func (r *yamlReader) mend(line int, message string) {
	for _, fault := range r.faults {
		if fault.Message == message {
			return
		}
	}
	r.faults = append(r.faults, FrontmatterError{Line: line, Message: message, Recovered: true})
}

const hardSpace = "\u00a0"

// plainSpaces gives a block with plain spaces for those that do not break where YAML looks for spaces: in the
// indentation, behind the mark of an item and behind a key. first is the first line, from 1, that had such, 0 if none had.
func plainSpaces(block string) (text string, first int) {
	if !strings.Contains(block, hardSpace) {
		return block, 0
	}
	var out strings.Builder
	number := 0
	for line := range strings.Lines(block) {
		number++
		head := len(line) - len(strings.TrimLeft(line, "- \t"+hardSpace))
		if colon := strings.IndexByte(line, ':'); colon >= head && strings.HasPrefix(line[colon+1:], hardSpace) {
			if key := line[head:colon]; !strings.Contains(key, hardSpace) {
				head = colon + 1 + len(hardSpace)
			}
		}
		plain := strings.ReplaceAll(line[:head], hardSpace, " ")
		if first == 0 && plain != line[:head] {
			first = number
		}
		out.WriteString(plain)
		out.WriteString(line[head:])
	}
	return out.String(), first
}

// bareWikiLink gives back the link that YAML read as a list in a list: up: [[Top]].
func (r *yamlReader) bareWikiLink(node *yaml.Node, offset int) (string, bool) {
	raw := r.source.raw[offset:r.block.end]
	if !strings.HasPrefix(raw, "[[") || len(node.Content) != 1 || node.Content[0].Kind != yaml.SequenceNode {
		return "", false
	}
	end := strings.Index(raw, "]]")
	if end < 0 || strings.ContainsAny(raw[:end], "\r\n\"'") {
		return "", false
	}
	return r.source.slice(offset, offset+end+2), true
}

// offset gives the place in raw of a node; the library counts columns in characters.
func (r *yamlReader) offset(node *yaml.Node) int {
	line := r.first + node.Line - 1
	if node.Line < 1 || line > len(r.source.lines) {
		return r.block.start
	}
	start, end := r.source.lineRange(line)
	column := 1
	for i := range r.source.raw[start:end] {
		if column >= node.Column {
			return start + i
		}
		column++
	}
	return end
}

func (r *yamlReader) findStarts() {
	r.collectStarts(r.root)
	sort.Ints(r.starts)
}

func (r *yamlReader) collectStarts(node *yaml.Node) {
	r.starts = append(r.starts, r.offset(node))
	for _, child := range node.Content {
		r.collectStarts(child)
	}
}

// scalarText gives the redacted text of a scalar. Where a secret touches the place of the scalar but is not in its
// text as it stands, being folded, escaped or larger than the scalar, all of the text gives way to the marker.
func (r *yamlReader) scalarText(node *yaml.Node, offset int) string {
	text := node.Value
	if len(r.starts) == 0 {
		if node.Style&yaml.DoubleQuotedStyle != 0 || node.Style&yaml.FoldedStyle != 0 {
			return r.clean(text, offset)
		}
		return text
	}
	end := r.end(offset)
	spans := r.source.spans
	for i := sort.Search(len(spans), func(i int) bool { return spans[i].End > offset }); i < len(spans) && spans[i].Start < end; i++ {
		if spans[i].Name == secret.Unscanned || !strings.Contains(text, r.source.raw[spans[i].Start:spans[i].End]) {
			return secret.Marker(spans[i].Name)
		}
	}
	return r.clean(text, offset)
}

// keyText gives the redacted text of a key. A key stays readable where the secret is its value, or both together.
func (r *yamlReader) keyText(node *yaml.Node) string {
	if len(r.starts) == 0 && node.Style&yaml.DoubleQuotedStyle == 0 {
		return node.Value
	}
	return r.derived(node.Value, r.offset(node))
}

// derived redacts what was made of a node that begins at a byte of the file.
func (r *yamlReader) derived(text string, offset int) string {
	if len(r.starts) > 0 && r.source.isUnscanned(offset, r.end(offset)) {
		return secret.Marker(secret.Unscanned)
	}
	return r.clean(text, offset)
}

// clean redacts what was made of a node. What is found in it alone is withheld in the file, too.
func (r *yamlReader) clean(text string, offset int) string {
	cleaned := r.source.clean(text)
	if cleaned == text {
		return text
	}
	if len(r.starts) == 0 {
		r.findStarts()
	}
	if end := r.end(offset); offset < end && !r.source.overlaps(offset, end) {
		for _, span := range r.source.filter.Find([]byte(text)) {
			r.source.hide(text[span.Start:span.End], span.Name, r.source.line(offset), r.source.line(end-1))
		}
	}
	return cleaned
}

// end gives the byte where the node behind the one at offset begins.
func (r *yamlReader) end(offset int) int {
	if next := sort.SearchInts(r.starts, offset+1); next < len(r.starts) {
		return r.starts[next]
	}
	return r.block.end
}

var (
	coreInt   = lazyregexp.New(`^[-+]?[0-9]+$`)
	coreFloat = lazyregexp.New(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
)

// coreValue reads a plain scalar by the core schema of YAML 1.2 (section 10.3.2). What JSON cannot hold stays a text.
func coreValue(text string) any {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return nil
	case "true", "True", "TRUE":
		return true
	case "false", "False", "FALSE":
		return false
	}
	if c := text[0]; c != '-' && c != '+' && c != '.' && (c < '0' || c > '9') {
		return text
	}
	if coreInt.MatchString(text) {
		if number, err := strconv.ParseInt(text, 10, 64); err == nil {
			return number
		}
	}
	for prefix, base := range map[string]int{"0o": 8, "0x": 16} {
		if digits, ok := strings.CutPrefix(text, prefix); ok {
			if number, err := strconv.ParseUint(digits, base, 63); err == nil {
				return int64(number)
			}
		}
	}
	if coreFloat.MatchString(text) {
		if number, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(number, 0) {
			return number
		}
	}
	return text
}

// yamlFault says what is wrong in YAML that begins in a line of the file, and in which line of the file.
func yamlFault(s *source, err error, first int) (line int, reason string) {
	line, reason = first, err.Error()
	var load *yaml.LoadError
	var located *lineError
	switch {
	case errors.As(err, &load):
		line = min(first+max(load.Mark.Line, 1)-1, max(len(s.lines), 1))
		reason = load.Message
	case errors.As(err, &located):
		line = located.line
	}
	if line <= len(s.lines) && strings.Contains(leadingSpace(s.lineText(line)), "\t") {
		reason = "a tab in the indentation: YAML takes spaces only"
	}
	return line, s.clean(reason)
}

func leadingSpace(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
