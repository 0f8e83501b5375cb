package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// maxFileBytes bounds what is read of a client's file, and maxDepth how deep it may nest: no real one comes near.
const (
	maxFileBytes = 32 << 20
	maxDepth     = 1000
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// jsonc is a JSON file, with comments and trailing commas allowed, of which texts are cut out and put in: nothing else changes.
//
// What is put in can be taken out again without a record of what was there before, since its form tells it:
//   - a key that follows its opening bracket without a space was put into an empty {} or [], which stays;
//   - a key with a space or a new line before it came with its container, which goes as well when it is empty;
//   - a comma behind the last piece was there before, as a trailing one; a comma before it was not.
type jsonc struct {
	path    string
	text    []byte // without byte order mark
	hasMark bool
	root    hujson.Value
	isBlank bool // nothing but white space and comments
	style   jsonStyle
}

// jsonStyle is how a file is written.
type jsonStyle struct {
	newline, unit string
	isCompact     bool // no space behind colons and commas
	isOneLine     bool // no new line between its outermost brackets
}

// parseJSON reads a client's JSON file. Its errors name file and line.
func parseJSON(path string, content []byte) (*jsonc, error) {
	f := &jsonc{path: path}
	f.text, f.hasMark = bytes.CutPrefix(content, byteOrderMark)
	if err := f.parse(); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *jsonc) parse() error {
	if line := tooDeep(f.text); line > 0 {
		return &FileError{Path: f.path, Line: line, Problem: fmt.Sprintf("it is nested deeper than %d levels", maxDepth)}
	}
	// A comment may end with the file, which the parser does not know: it gets a line feed more.
	padded := append(bytes.Clone(f.text), '\n')
	f.isBlank = isBlankJSON(padded)
	f.root = hujson.Value{}
	if !f.isBlank {
		root, err := hujson.Parse(padded)
		if err != nil {
			return f.syntaxError(err)
		}
		f.root = root
	}
	f.style = f.measureStyle()
	return nil
}

// isBlankJSON tells that a text holds white space and comments alone.
func isBlankJSON(text []byte) bool { return hujson.Extra(text).IsValid() }

// syntaxError takes the line out of the parser's message, which begins "hujson: line 1, column 2: ".
func (f *jsonc) syntaxError(err error) error {
	message := strings.TrimPrefix(err.Error(), "hujson: ")
	line := 0
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		number, after, _ := strings.Cut(rest, ",")
		line, _ = strconv.Atoi(number)
		if _, text, ok := strings.Cut(after, ": "); ok {
			message = text
		}
	}
	return &FileError{Path: f.path, Line: line, Problem: message}
}

// tooDeep is the line where a text nests too deep, 0 if it does not.
func tooDeep(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[', '{':
			if depth++; depth > maxDepth {
				return 1 + bytes.Count(text[:i], []byte{'\n'})
			}
		case ']', '}':
			depth--
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '/':
			i += commentLength(text[i:])
		}
	}
	return 0
}

// commentLength is how many bytes of a comment follow its first one, 0 where none begins.
func commentLength(text []byte) int {
	end := ""
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		end = "\n"
	case bytes.HasPrefix(text, []byte("/*")):
		end = "*/"
	default:
		return 0
	}
	at := bytes.Index(text[2:], []byte(end))
	if at < 0 {
		return len(text)
	}
	return 2 + at + len(end) - 1
}

func (f *jsonc) measureStyle() jsonStyle {
	style := jsonStyle{newline: newlineOf(f.text), unit: "  "}
	c, ok := compositeOf(&f.root)
	if !ok || c.count() == 0 {
		return style
	}
	style.isOneLine = !bytes.ContainsRune(f.text[f.root.StartOffset:f.root.EndOffset], '\n')
	if object, ok := f.root.Value.(*hujson.Object); ok {
		style.isCompact = len(object.Members[0].Value.BeforeExtra) == 0
	}
	if indent, isMulti := indentOf(c.before(0)); isMulti && indent != "" {
		style.unit = indent
	}
	return style
}

// newlineOf is how the first line of a text ends, "\n" where it has one line.
func newlineOf(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// indentOf is the indentation of what follows such white space, and whether that begins a line.
func indentOf(extra []byte) (indent string, isMulti bool) {
	at := bytes.LastIndexByte(extra, '\n')
	if at < 0 {
		return "", false
	}
	rest := extra[at+1:]
	return string(rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))]), true
}

// content is the file's bytes.
func (f *jsonc) content() []byte {
	if f.hasMark {
		return append(bytes.Clone(byteOrderMark), f.text...)
	}
	return f.text
}

// splice puts a text in the place of the bytes from start to end, and reads the file anew.
func (f *jsonc) splice(start, end int, text string) error {
	f.text = concat(f.text[:start], []byte(text), f.text[end:])
	return f.parse()
}

// lineAt is the line, 1-based, of an offset.
func (f *jsonc) lineAt(offset int) int {
	return 1 + bytes.Count(f.text[:min(offset, len(f.text))], []byte{'\n'})
}

func (f *jsonc) errorAt(offset int, format string, values ...any) error {
	return &FileError{Path: f.path, Line: f.lineAt(offset), Problem: fmt.Sprintf(format, values...)}
}

// composite is an object or a list, seen alike.
type composite struct {
	value  *hujson.Value
	object *hujson.Object
	array  *hujson.Array
}

func compositeOf(value *hujson.Value) (composite, bool) {
	switch v := value.Value.(type) {
	case *hujson.Object:
		return composite{value: value, object: v}, true
	case *hujson.Array:
		return composite{value: value, array: v}, true
	}
	return composite{}, false
}

func (c composite) count() int {
	if c.object != nil {
		return len(c.object.Members)
	}
	return len(c.array.Elements)
}

// first is the leading part of a piece: the key of a member, an element.
func (c composite) first(i int) *hujson.Value {
	if c.object != nil {
		return &c.object.Members[i].Name
	}
	return &c.array.Elements[i]
}

// at is the value of a member, or an element.
func (c composite) at(i int) *hujson.Value {
	if c.object != nil {
		return &c.object.Members[i].Value
	}
	return &c.array.Elements[i]
}

// before is the white space and the comments before a piece.
func (c composite) before(i int) []byte { return c.first(i).BeforeExtra }

// after is the white space and the comments before the closing bracket.
func (c composite) after() []byte {
	if c.object != nil {
		return c.object.AfterExtra
	}
	return c.array.AfterExtra
}

// hasTrailingComma tells whether a comma stands behind the last piece, and where.
func (c composite) hasTrailingComma() (at int, ok bool) {
	if c.count() == 0 {
		return 0, false
	}
	last := c.at(c.count() - 1)
	return last.EndOffset + len(last.AfterExtra), last.AfterExtra != nil
}

// member is the value of a key, the last one where it is there twice, as clients take it; -1 where there is none.
func (c composite) member(key string) int {
	if c.object == nil {
		return -1
	}
	for i, m := range slices.Backward(c.object.Members) {
		if literal, ok := m.Name.Value.(hujson.Literal); ok && literal.String() == key {
			return i
		}
	}
	return -1
}

// find is the value at a path of keys; nil where there is none. It fails where something on the way is no object.
func (f *jsonc) find(path ...string) (*hujson.Value, error) {
	if f.isBlank {
		return nil, nil
	}
	value := &f.root
	for i := 0; ; i++ {
		if i == len(path) {
			return value, nil
		}
		c, ok := compositeOf(value)
		if !ok || c.object == nil {
			return nil, f.errorAt(value.StartOffset, "%s is no object", nameOf(path[:i]))
		}
		at := c.member(path[i])
		if at < 0 {
			return nil, nil
		}
		value = c.at(at)
	}
}

func nameOf(path []string) string {
	if len(path) == 0 {
		return "the file"
	}
	return strconv.Quote(strings.Join(path, "."))
}

// text of a value that is a string; "" of others.
func stringOf(value *hujson.Value) string {
	if value == nil {
		return ""
	}
	if literal, ok := value.Value.(hujson.Literal); ok && literal.Kind() == '"' {
		return literal.String()
	}
	return ""
}

// stringsOf is a list of strings; nil where it is something else.
func stringsOf(value *hujson.Value) []string {
	if value == nil {
		return nil
	}
	array, ok := value.Value.(*hujson.Array)
	if !ok {
		return nil
	}
	list := make([]string, 0, len(array.Elements))
	for i := range array.Elements {
		if literal, ok := array.Elements[i].Value.(hujson.Literal); !ok || literal.Kind() != '"' {
			return nil
		}
		list = append(list, stringOf(&array.Elements[i]))
	}
	return list
}

// quoted is a string as JSON writes it.
func quoted(s string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		return `""` // strings can be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}
